"""torch.distributed, a process a GPU: a sum over all ranks, and a running sum over all ranks.

Started by torchrun with the elements a GPU as a power of two and the rounds; rank 0 prints one line of JSON. As the Rust
side measures: rounds alternate between all GPUs and rank 0 alone, each behind a barrier, on the host's clock until the
device is done; a round is as slow as its slowest rank.
"""

import json
import os
import statistics
import sys
import time

import torch
import torch.distributed as dist

WARM = 2


def main():
    log, rounds = int(sys.argv[1]), int(sys.argv[2])
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    dist.init_process_group("nccl", device_id=torch.device("cuda", local))
    rank, size = dist.get_rank(), dist.get_world_size()
    n = 1 << log
    x = torch.rand(n, device="cuda") - 0.5
    out = torch.empty_like(x)
    totals = torch.empty(size, device="cuda")

    def reduce_all():
        total = x.sum()
        dist.all_reduce(total)
        return total.item()

    def scan_all():
        torch.cumsum(x, 0, out=out)
        dist.all_gather_into_tensor(totals, out[-1:])
        if rank > 0:
            out.add_(totals[:rank].sum())

    def reduce_one():
        return x.sum().item()

    def scan_one():
        torch.cumsum(x, 0, out=out)

    def timed(work, takes_part=True):
        dist.barrier()
        torch.cuda.synchronize()
        begun = time.perf_counter()
        if takes_part:
            work()
            torch.cuda.synchronize()
        took = torch.tensor((time.perf_counter() - begun) * 1e3, device="cuda")
        dist.all_reduce(took, op=dist.ReduceOp.MAX)
        return took.item()

    times = {"reduce": ([], []), "scan": ([], [])}
    for k in range(WARM + rounds):
        one_and_all = {
            "reduce": (timed(reduce_one, rank == 0), timed(reduce_all)),
            "scan": (timed(scan_one, rank == 0), timed(scan_all)),
        }
        if k >= WARM:
            for name, pair in one_and_all.items():
                for kept, took in zip(times[name], pair):
                    kept.append(took)
    if rank == 0:
        report = {"version": torch.__version__, "nccl": ".".join(map(str, torch.cuda.nccl.version()))}
        for name, (one, all_ranks) in times.items():
            one, all_ranks = statistics.median(one), statistics.median(all_ranks)
            report[name] = {"one_gpu_ms": one, "all_gpus_ms": all_ranks, "efficiency": one / all_ranks}
        print(json.dumps(report), flush=True)
    dist.destroy_process_group()


main()
