// block.cuh: a reduction and a scan of one block, for people with kernels of their own.
//
//   wf_spec::Spec::State s = wf_spec::Spec::lift(value, index);
//   s = wf::block_reduce<wf_spec::Spec>(s);   // every thread gets the block's result
//   s = wf::block_scan<wf_spec::Spec>(s);     // every thread gets its own, in the kind and direction of the spec
//
// Promises: every thread of the block calls, once, with its state; a thread without an element brings
// `Spec::identity()`. The block may have any number of threads up to 1024 in up to three dimensions; thread
// (x, y, z) stands at position (z * height + y) * width + x. Elements are combined in that order unless the operator may
// be combined in any. Threads that a short last warp lacks carry nothing: the plans name the lanes that exist, and so do the
// votes that `any` and `all` take. Two calls may follow each other without a barrier in between, and each call is a barrier
// for the block. `init` and `finish` are the caller's: `combine(init(), s)` first, then `finish`.
// States of many words take registers: a kernel for blocks of up to 1024 threads says so, by `__launch_bounds__(1024)`.
//
// The spec must offer State, identity, combine, reduce_first, reduce_first_of, and for a scan reverse, exclusive,
// scan_inclusive_of, scan_back_of (where reverse) and from_before_of.
#pragma once

namespace wf {

// Where the calling thread stands.
struct Place {
  u32 warp, warps;
  u32 lanes;  // of its warp that exist
};
WF_FN Place place() {
  const u32 threads = block_threads(), warp = thread_rank() / 32;
  const u32 rest = threads - warp * 32;
  return {warp, (threads + 31) / 32, rest < 32 ? rest : 32};
}

template <class Spec> WF_FN typename Spec::State block_reduce(typename Spec::State s) {
  using State = typename Spec::State;
  // Two arrays, so that a call may fill `totals` while slower threads still read the result of the call before.
  WF_SHARED(State, totals, 32);
  WF_SHARED(State, result, 1);
  const Place at = place();
  s = at.lanes == 32 ? Spec::reduce_first(s, Width<32>()) : Spec::reduce_first_of(s, at.lanes);
  if (lane() == 0) totals[at.warp] = s;
  __syncthreads();
  if (at.warp == 0) {
    if (at.warps > 1) {  // then the first warp has all its lanes
      s = lane() < at.warps ? totals[lane()] : Spec::identity();
      s = Spec::reduce_first(s, Width<32>());
    }
    if (lane() == 0) result[0] = s;
  }
  __syncthreads();
  return result[0];
}

// A warp's scan in the direction of the spec, and its last lane in that direction, which then holds the total.
template <class Spec> WF_FN typename Spec::State warp_scan(const typename Spec::State& s, u32 lanes) {
  if constexpr (Spec::reverse) {
    return Spec::scan_back_of(s, lanes);
  } else {
    return Spec::scan_inclusive_of(s, lanes);
  }
}

template <class Spec> WF_FN typename Spec::State block_scan(const typename Spec::State& mine) {
  using State = typename Spec::State;
  WF_SHARED(State, totals, 32);
  WF_SHARED(State, before, 32);  // what the warps met before each one hold together
  const Place at = place();
  const u32 last = Spec::reverse ? 0 : at.lanes - 1;
  const u32 first = Spec::reverse ? at.lanes - 1 : 0;
  const bool leads = at.warp == (Spec::reverse ? at.warps - 1 : 0);
  State s = warp_scan<Spec>(mine, at.lanes);
  if (lane() == last) totals[at.warp] = s;
  __syncthreads();
  if (at.warp == 0 && at.warps > 1) {
    const State total = lane() < at.warps ? totals[lane()] : Spec::identity();
    before[lane()] = Spec::from_before_of(warp_scan<Spec>(total, 32), 32);
  }
  __syncthreads();
  if constexpr (Spec::exclusive) {
    s = Spec::from_before_of(s, at.lanes);
    if (lane() == first) return leads ? Spec::identity() : before[at.warp];
  }
  return leads ? s : Spec::combine(before[at.warp], s);
}

}  // namespace wf
