"""The Python peers in one process: answers the requests that src/peer.rs documents.

    serve.py [--only NAME,…]             answer requests on standard input
    serve.py --warm FILE [--workers N]   first let N processes compile the cells of FILE (one a line, in the words
                                         of a request), so that compiling goes on many cores and is over before
                                         anything is timed
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
import time

# One folder for all the processes of a run; a compiled cell is found there by the one that times it.
os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", "/tmp/warpfold-bench-inductor")
os.environ.setdefault("TORCHINDUCTOR_FX_GRAPH_CACHE", "1")
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

MODULES = {
    "torch": "torch_eager",
    "inductor": "torch_compile",
    "triton": "triton_rows",
    "cupy": "cupy_calls",
    "scatter": "torch_scatter",
}
INNER = 20  # launches in one graph
SPIN = 400_000  # clock cycles for which the GPU is kept busy while the host enqueues the launch that is timed


class Server:
    def __init__(self, names):
        global torch, common
        import torch

        import common

        self.peers, self.broken = [], {}
        for name in names:
            try:
                self.peers.append(importlib.import_module(MODULES[name]))
            except Exception as error:  # a library that is not there is a peer that is left out
                self.broken[name] = f"{type(error).__name__}: {error}"
        self.current, self.graphs, self.graph = {}, {}, False

    def release(self):
        self.current, self.graphs = {}, {}
        torch.cuda.empty_cache()
        return {}

    def prepare(self, words):
        self.release()
        cell = common.Cell.read(words)
        data = common.Data(cell)
        self.graph = cell.graph
        reply = []
        for peer in self.peers:
            try:
                launch = peer.implement(cell, data)
                if launch is None:
                    continue
                result = launch()
                torch.cuda.synchronize()
                if not isinstance(result, torch.Tensor):
                    result = torch.as_tensor(result, device="cuda")
                reply.append(common.check(peer.NAME, result, cell))
                del result
                if cell.graph:
                    self.graphs[peer.NAME] = self.record(launch)
                self.current[peer.NAME] = launch
            except Exception as error:
                text = str(error).strip().splitlines()
                reason = f"{type(error).__name__}: {text[0] if text else ''}"
                reply = [entry for entry in reply if entry["name"] != peer.NAME]
                reply.append({"name": peer.NAME, "error": reason})
        return {"peers": reply}

    def record(self, launch):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(3):
                launch()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        # The same stream: CuPy keeps its memory by stream, and none may be asked for while recording.
        with torch.cuda.graph(graph, stream=stream):
            for _ in range(INNER):
                launch()
        return graph

    def time(self, words):
        name, launches = words[0], int(words[1])
        launch = self.graphs[name].replay if self.graph else self.current[name]
        launch()
        torch.cuda.synchronize()
        times = []
        for _ in range(launches):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            torch.cuda._sleep(SPIN)
            begin.record()
            launch()
            end.record()
            end.synchronize()
            times.append(1e3 * begin.elapsed_time(end) / (INNER if self.graph else 1))
        return {"us": times}

    def versions(self):
        versions = {"python": sys.version.split()[0], "torch": torch.__version__, "cuda of torch": torch.version.cuda}
        for name in ("triton", "cupy"):
            module = sys.modules.get(name)
            if module is not None:
                versions[name] = module.__version__
        for name, reason in self.broken.items():
            versions[name] = f"left out ({reason})"
        return {"versions": versions}

    def answer(self, line):
        verb, *words = line.split()
        if verb == "prepare":
            return self.prepare(words)
        if verb == "time":
            return self.time(words)
        if verb == "release":
            return self.release()
        if verb == "versions":
            return self.versions()
        return {"error": f"unknown request {verb}; there are prepare, time, release, versions"}


def warm(path, workers, seconds):
    """Compiles the cells of a file in several processes and waits for them."""
    command = [sys.executable, __file__, "--compile", path]
    processes = [
        subprocess.Popen(command + ["--part", f"{part}/{workers}"], stdout=subprocess.DEVNULL)
        for part in range(workers)
    ]
    end = time.monotonic() + seconds
    for process in processes:
        try:
            process.wait(max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()


def compile_part(path, part):
    number, parts = (int(word) for word in part.split("/"))
    server = Server(["inductor", "triton"])
    with open(path) as file:
        lines = [line.split() for line in file if line.strip()]
    for words in lines[number::parts]:
        server.prepare(words)
    server.release()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", default=",".join(MODULES), help="peers, separated by commas: " + ", ".join(MODULES))
    arguments.add_argument("--warm", help="a file of cells to compile first")
    arguments.add_argument("--workers", type=int, default=min(12, os.cpu_count() or 1))
    arguments.add_argument("--warm-seconds", type=float, default=150, help="when to stop compiling ahead")
    arguments.add_argument("--compile", help=argparse.SUPPRESS)
    arguments.add_argument("--part", default="0/1", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.compile:
        compile_part(options.compile, options.part)
        return
    names = [name for name in options.only.split(",") if name]
    unknown = [name for name in names if name not in MODULES]
    if unknown:
        arguments.error(f"unknown peers {', '.join(unknown)}; there are {', '.join(MODULES)}")
    if options.warm and {"inductor", "triton"} & set(names):
        warm(options.warm, options.workers, options.warm_seconds)
    server = Server(names)
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            reply = server.answer(line)
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
