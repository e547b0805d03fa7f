// cluster.cuh: blocks that run together and write into each other's shared memory. sm_90 and later.
//
// Promises: all blocks of a cluster run at once. What is sent to a block is there when the phase of its barrier that
// counts the bytes has ended; nobody else has to be waited for. A block that others may still send to has to stay until
// `sync_cluster`, and nobody sends before the first one.
#pragma once

namespace wf {

// Blocks of a cluster: the most that every device promises.
constexpr u32 CLUSTER = 8;

#ifdef WARPFOLD_EMULATE
WF_FN u32 rank_in_cluster() { return blockIdx.x % CLUSTER; }
WF_FN void sync_cluster() { emulator::sync_cluster(); }
#else
WF_FN u32 rank_in_cluster() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
// The address of a place of this block's shared memory in that of block `rank`.
WF_FN u32 in_rank(const void* own, u32 rank) {
  u32 at;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(static_cast<u32>(__cvta_generic_to_shared(own))), "r"(rank));
  return at;
}
// All threads of all blocks of the cluster.
WF_FN void sync_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" : : : "memory");
}
#endif

// Writes words to where `at` is in block `rank`; their bytes count for that block's `there` as they land. A message takes
// about as long whatever it holds.
WF_FN void send(u32* at, u32 value, u32 rank, Barrier& there) {
#ifdef WARPFOLD_EMULATE
  emulator::send(at, value, rank, there);
#else
  const u32 to = in_rank(at, rank), barrier = in_rank(&there, rank);
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" : : "r"(to), "r"(value), "r"(barrier) : "memory");
#endif
}
WF_FN void send(uint4* at, const uint4& value, u32 rank, Barrier& there) {
#ifdef WARPFOLD_EMULATE
  emulator::send(at, value, rank, there);
#else
  const u32 to = in_rank(at, rank), barrier = in_rank(&there, rank);
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];"
               :
               : "r"(to), "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w), "r"(barrier)
               : "memory");
#endif
}

}  // namespace wf
