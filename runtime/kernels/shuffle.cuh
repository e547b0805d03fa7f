// shuffle.cuh: how states move between the lanes of a warp.
//
// Promises: `shuffle_up<W>`, `shuffle_down<W>`, `shuffle_xor<W>` and `shuffle_lane<W>` give the value of the source lane
// within the group of W lanes, as the hardware has it (a lane whose source is outside its group gets its own value
// back; `lane` is taken modulo W). Any state moves: a scalar below 32 bits is widened, one of 64 bits goes as two
// words, tuples and structs go field by field. The plain forms need all 32 lanes; the `_masked` ones name the lanes
// that take part, and only those may call. The mask is always named, never asked of the hardware.
#pragma once

namespace wf {

constexpr u32 full = 0xffffffffu;

// The calling thread's lane, in its warp and in its group of W. A block may have up to three dimensions.
WF_FN u32 thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
WF_FN u32 block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
WF_FN u32 lane() {
#ifdef WARPFOLD_EMULATE
  return thread_rank() % 32;
#else
  u32 r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
#endif
}
template <int W> WF_FN u32 lane_in_group() { return lane() & (W - 1); }

// Declares `TYPE NAME[COUNT]` in the block's shared memory.
#ifdef WARPFOLD_EMULATE
#define WF_SHARED(TYPE, NAME, COUNT) \
  static char NAME##_key;            \
  TYPE* const NAME = emulator::shared<TYPE>(&NAME##_key, COUNT)
#else
#define WF_SHARED(TYPE, NAME, COUNT) __shared__ TYPE NAME[COUNT]
#endif

// The mask of the first `lanes` lanes, for a warp that has no others.
WF_FN u32 prefix(u32 lanes) { return lanes >= 32 ? full : (1u << lanes) - 1; }

// The four moves, each of one 32-bit word.
template <int W> struct MoveUp {
  u32 mask, by;
  WF_FN u32 word(u32 x) const { return __shfl_up_sync(mask, x, by, W); }
};
template <int W> struct MoveDown {
  u32 mask, by;
  WF_FN u32 word(u32 x) const { return __shfl_down_sync(mask, x, by, W); }
};
template <int W> struct MoveXor {
  u32 mask, by;
  WF_FN u32 word(u32 x) const { return __shfl_xor_sync(mask, x, static_cast<int>(by), W); }
};
template <int W> struct MoveLane {
  u32 mask, from;
  WF_FN u32 word(u32 x) const { return __shfl_sync(mask, x, static_cast<int>(from), W); }
};

// A state is exchanged word by word. For structs of their own the emitted specs add overloads.
template <class M> WF_FN bool exchange(bool x, const M& move) { return move.word(x ? 1u : 0u) != 0; }
template <class M> WF_FN i8 exchange(i8 x, const M& move) { return static_cast<i8>(move.word(static_cast<u32>(x))); }
template <class M> WF_FN i16 exchange(i16 x, const M& move) { return static_cast<i16>(move.word(static_cast<u32>(x))); }
template <class M> WF_FN i32 exchange(i32 x, const M& move) { return static_cast<i32>(move.word(static_cast<u32>(x))); }
template <class M> WF_FN u8 exchange(u8 x, const M& move) { return static_cast<u8>(move.word(x)); }
template <class M> WF_FN u16 exchange(u16 x, const M& move) { return static_cast<u16>(move.word(x)); }
template <class M> WF_FN u32 exchange(u32 x, const M& move) { return move.word(x); }
template <class M> WF_FN u64 exchange(u64 x, const M& move) {
  const u32 low = move.word(static_cast<u32>(x));
  const u32 high = move.word(static_cast<u32>(x >> 32));
  return static_cast<u64>(high) << 32 | low;
}
template <class M> WF_FN i64 exchange(i64 x, const M& move) { return static_cast<i64>(exchange(static_cast<u64>(x), move)); }
template <class M> WF_FN float exchange(float x, const M& move) { return float_from_bits(move.word(to_bits(x))); }
template <class M> WF_FN double exchange(double x, const M& move) { return double_from_bits(exchange(to_bits(x), move)); }
template <class A, class M> WF_FN Tuple<A> exchange(const Tuple<A>& x, const M& move);
template <class A, class B, class M> WF_FN Tuple<A, B> exchange(const Tuple<A, B>& x, const M& move);
template <class A, class B, class C, class M> WF_FN Tuple<A, B, C> exchange(const Tuple<A, B, C>& x, const M& move);
template <class A, class B, class C, class D, class M>
WF_FN Tuple<A, B, C, D> exchange(const Tuple<A, B, C, D>& x, const M& move);
template <class A, class M> WF_FN Tuple<A> exchange(const Tuple<A>& x, const M& move) { return {exchange(x.f0, move)}; }
template <class A, class B, class M> WF_FN Tuple<A, B> exchange(const Tuple<A, B>& x, const M& move) {
  return {exchange(x.f0, move), exchange(x.f1, move)};
}
template <class A, class B, class C, class M> WF_FN Tuple<A, B, C> exchange(const Tuple<A, B, C>& x, const M& move) {
  return {exchange(x.f0, move), exchange(x.f1, move), exchange(x.f2, move)};
}
template <class A, class B, class C, class D, class M>
WF_FN Tuple<A, B, C, D> exchange(const Tuple<A, B, C, D>& x, const M& move) {
  return {exchange(x.f0, move), exchange(x.f1, move), exchange(x.f2, move), exchange(x.f3, move)};
}

template <int W, class S> WF_FN S shuffle_up_masked(u32 mask, const S& x, u32 by) { return exchange(x, MoveUp<W>{mask, by}); }
template <int W, class S> WF_FN S shuffle_down_masked(u32 mask, const S& x, u32 by) { return exchange(x, MoveDown<W>{mask, by}); }
template <int W, class S> WF_FN S shuffle_xor_masked(u32 mask, const S& x, u32 by) { return exchange(x, MoveXor<W>{mask, by}); }
template <int W, class S> WF_FN S shuffle_lane_masked(u32 mask, const S& x, u32 from) {
  return exchange(x, MoveLane<W>{mask, from});
}
template <int W, class S> WF_FN S shuffle_up(const S& x, u32 by) { return shuffle_up_masked<W>(full, x, by); }
template <int W, class S> WF_FN S shuffle_down(const S& x, u32 by) { return shuffle_down_masked<W>(full, x, by); }
template <int W, class S> WF_FN S shuffle_xor(const S& x, u32 by) { return shuffle_xor_masked<W>(full, x, by); }
template <int W, class S> WF_FN S shuffle_lane(const S& x, u32 from) { return shuffle_lane_masked<W>(full, x, from); }

// Lane l takes the value of lane l + by, around the end of its group.
template <int W, class S> WF_FN S shuffle_rotate_masked(u32 mask, const S& x, u32 by) {
  return shuffle_lane_masked<W>(mask, x, (lane() + by) & (W - 1));
}
template <int W, class S> WF_FN S shuffle_rotate(const S& x, u32 by) { return shuffle_rotate_masked<W>(full, x, by); }

// Votes of a group of W lanes: each lane that calls gets the answer of its group. The plain forms need all 32 lanes; the
// `_masked` ones name the lanes that take part, whole groups, and only those may call.
template <int W> constexpr u32 low_lanes = W == 32 ? full : (1u << W) - 1;
template <int W> WF_FN u32 ballot_masked(u32 mask, bool vote) {
  const u32 warp = __ballot_sync(mask, vote);
  if constexpr (W == 32) {
    return warp;
  } else {
    return warp >> (lane() & (32 - W)) & low_lanes<W>;
  }
}
// The lanes that bring what the calling one does, of all 32.
WF_FN u32 lanes_alike(u32 x) { return __match_any_sync(full, x); }
template <int W> WF_FN bool any_masked(u32 mask, bool vote) {
  if constexpr (W == 32) {
    return __any_sync(mask, vote) != 0;
  } else {
    return ballot_masked<W>(mask, vote) != 0;
  }
}
template <int W> WF_FN bool all_masked(u32 mask, bool vote) {
  if constexpr (W == 32) {
    return __all_sync(mask, vote) != 0;
  } else {
    return ballot_masked<W>(mask, vote) == low_lanes<W>;
  }
}
template <int W> WF_FN u32 ballot(bool vote) { return ballot_masked<W>(full, vote); }
template <int W> WF_FN bool any(bool vote) { return any_masked<W>(full, vote); }
template <int W> WF_FN bool all(bool vote) { return all_masked<W>(full, vote); }

// The votes of a group on COUNT things each, in one word: bit k * W + l is what lane l says of the one numbered k. They must fit.
template <int W, int COUNT> WF_FN u32 ballots(const bool (&votes)[COUNT]) {
  static_assert(W >= 8 && W * COUNT <= 32, "a word holds them, and parts of it are moved by the byte");
  if constexpr (COUNT == 1) {
    return ballot<W>(votes[0]);
  } else {
    u32 warp[4] = {};
#pragma unroll
    for (int k = 0; k < COUNT; k++) warp[k] = ballot<32>(votes[k]);
    // Of each of two words the part that is the group's: selectors 0 to 3 name the bytes of the first, 4 to 7 of the second.
    const u32 group = lane() / W;
    if constexpr (W == 16) {
      return __byte_perm(warp[0], warp[1], 0x5410 + group * 0x2222);
    } else {
      const u32 low = __byte_perm(warp[0], warp[1], 0x40 + group * 0x11);
      const u32 high = __byte_perm(warp[2], warp[3], 0x40 + group * 0x11);
      return __byte_perm(low, high, 0x5410);
    }
  }
}

// Such a word with lanes ahead of things: bit l * COUNT + k is what lane l says of the one numbered k. Bits change places by
// the digits of their numbers: `swap_digits<I, J>` moves the bit whose number has the digits i and j at 2^I and 2^J to where
// they are j and i.
template <int I, int J> WF_FN u32 swap_digits(u32 x) {
  constexpr int by = (1 << I) - (1 << J);
  constexpr u32 moved = (J == 0 ? 0xaaaaaaaau : J == 1 ? 0xccccccccu : 0xf0f0f0f0u) & (I == 4 ? 0x0000ffffu : I == 3 ? 0x00ff00ffu : 0x0f0f0f0fu);
  const u32 differ = (x >> by ^ x) & moved;
  return x ^ differ ^ differ << by;
}
template <int W, int COUNT> WF_FN u32 by_lanes(u32 said) {
  static_assert((W == 8 && COUNT <= 4) || (W == 16 && COUNT == 2) || COUNT == 1, "the words of `ballots`");
  if constexpr (COUNT == 4) {  // k k | l l l, the two of k changed by the first step
    said = swap_digits<3, 1>(swap_digits<4, 0>(__byte_perm(said, 0, 0x3120)));
    return swap_digits<4, 2>(said);
  } else if constexpr (COUNT == 2) {  // k l | l l l, or k | l l l
    if constexpr (W == 16) said = __byte_perm(said, 0, 0x3120);
    return swap_digits<2, 1>(swap_digits<3, 2>(swap_digits<3, 0>(said)));
  } else {
    return said;
  }
}

// One instruction for a whole warp of 32-bit integers. Below a full warp it is slower than shuffles, so there is no
// form for groups; the emitted text asks for it only where `WF_REDUX` says that the architecture has it.
#if !defined(WARPFOLD_EMULATE) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WF_REDUX 1
WF_FN u32 redux_add(u32 x) { return __reduce_add_sync(full, x); }
WF_FN i32 redux_add(i32 x) { return static_cast<i32>(__reduce_add_sync(full, static_cast<u32>(x))); }
WF_FN u32 redux_min(u32 x) { return __reduce_min_sync(full, x); }
WF_FN i32 redux_min(i32 x) { return __reduce_min_sync(full, x); }
WF_FN u32 redux_max(u32 x) { return __reduce_max_sync(full, x); }
WF_FN i32 redux_max(i32 x) { return __reduce_max_sync(full, x); }
WF_FN u32 redux_and(u32 x) { return __reduce_and_sync(full, x); }
WF_FN i32 redux_and(i32 x) { return static_cast<i32>(__reduce_and_sync(full, static_cast<u32>(x))); }
WF_FN u32 redux_or(u32 x) { return __reduce_or_sync(full, x); }
WF_FN i32 redux_or(i32 x) { return static_cast<i32>(__reduce_or_sync(full, static_cast<u32>(x))); }
WF_FN u32 redux_xor(u32 x) { return __reduce_xor_sync(full, x); }
WF_FN i32 redux_xor(i32 x) { return static_cast<i32>(__reduce_xor_sync(full, static_cast<u32>(x))); }
#else
#define WF_REDUX 0
#endif

}  // namespace wf
