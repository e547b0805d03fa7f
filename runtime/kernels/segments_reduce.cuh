// segments_reduce.cuh: one result a segment, elements offsets[i] up to offsets[i + 1], however uneven.
//
// A segment has the order of a row of its length, so lanes and turns differ from segment to segment: Order holds the
// most, and with FIXED the lanes. Offsets that fall or pass the end are cut off, so that nothing outside is read. Three
// launches, one after another on a stream:
//
//   segments_check<…, Offset>(args, results, offsets, list)
//     Says in list.wrong whether the offsets fall or pass the end, in list.longest the longest segment; both zero before.
//     Grid: any.
//   segments_reduce<Spec, Order, Offset, FIXED, WARPS>(args, results, offsets, list)
//     A warp takes 32 neighbouring segments, those that are as wide at once. Long ones are put on the list, whose
//     `used` is zero before. Grid: ceil(segments / 32) warps. blockDim = 32 * WARPS.
//   segments_reduce_long<…>(args, results, offsets, list)
//     Blocks take parts of 32 tiles of those on the list. The last block of a segment folds them. Grid: any.
//     blockDim = 32 * WARPS.
//
// The list needs segment_entries(elements, elements a long segment has at least) entries, and as many slots of states.
#pragma once

namespace wf {

// A place on the list of long segments: those of a segment follow each other, one a part and some for the levels above.
struct LongPart {
  u64 segment;
  u32 first;   // its segment's first place
  u32 ticket;  // of the first place: how many parts are done
};

struct SegmentList {
  u64 segments, elements;
  LongPart* parts;
  void* states;
  u64* longest;
  u32* wrong;  // bit 0: offsets fall; bit 1: they pass the end
  u32* used;
};

// Where a segment is and how it is folded.
template <class Order, bool FIXED> struct Segment {
  u64 from, length;
  u32 lanes, turns;
  u64 tiles;

  template <class Offset> static WF_FN u64 offset(const Offset* offsets, u64 i, u64 elements) {
    const Offset at = offsets[i];
    return at < Offset(0) ? 0 : least(static_cast<u64>(at), elements);
  }
  template <class Offset> static WF_FN Segment of(const Offset* offsets, u64 i, u64 elements) {
    Segment s;
    s.from = offset(offsets, i, elements);
    const u64 end = offset(offsets, i + 1, elements);
    s.length = end > s.from ? end - s.from : 0;
    const u64 packs = (s.length + Order::v - 1) / Order::v;
    s.lanes = Order::lanes;
    if (!FIXED) {
      s.lanes = 1;
      while (s.lanes < 32 && s.lanes < packs) s.lanes *= 2;
    }
    // Rows of one pack a lane need no division.
    const u64 chunks = packs <= s.lanes ? 1 : (packs + s.lanes - 1) / s.lanes;
    s.tiles = (chunks + MOST - 1) / MOST;
    s.turns = s.tiles > 32 ? MOST : s.tiles == 1 ? static_cast<u32>(chunks) : static_cast<u32>((chunks + s.tiles - 1) / s.tiles);
    return s;
  }
  static constexpr u32 MOST = Order::turns;
  // Tiles from which on a segment is folded by blocks.
  static constexpr u64 LONG = FIXED ? 2 : 9;
};

// One tile of a segment, by a group of lanes: the state of tile `k` in every lane.
template <class Spec, class Order, bool FIXED>
WF_FN typename Spec::State reduce_segment_tile(const typename Spec::Args& args, const typename Spec::Row& row, u64 elements,
                                               const Segment<Order, FIXED>& segment, u64 k, u32 turns, bool exists) {
  const u64 size = turns * Order::turn;
  const Spot spot = {segment.from, k * size, segment.length, elements, exists};
  const u64 live = live_columns<Spec>(row, segment.length);
  const int left = exists && live > spot.start ? static_cast<int>(least(live - spot.start, size)) : 0;
  Tile<Spec, Order> tile;
  read_tile<Spec, Order, Load::any, false>(tile, args, spot, left);
  return fold_tile<Spec, Order, true>(tile, row, args, spot, left, static_cast<int>(turns));
}

// Those of the warp's 32 segments that groups of LANES lanes fold; `mine` is the calling lane's, number `first + lane`.
template <class Spec, class Order, bool FIXED, int LANES>
WF_FN void reduce_segments(const typename Spec::Args& args, const typename Spec::Results& results, const SegmentList& list, u64 first,
                           const Segment<Order, FIXED>& mine, bool exists, u32* chosen) {
  using State = typename Spec::State;
  // A group below the widest has one pack a lane, unless the spec says how wide it is.
  using Own = TileOrder<Order::v, LANES, LANES == Order::lanes ? Order::turns : 1>;
  const bool ready = exists && mine.lanes == LANES && mine.tiles < mine.LONG;
  const u32 votes = ballot<32>(ready);
  if (votes == 0) return;
  if (ready) chosen[__popc(votes & ((1u << lane()) - 1))] = lane();
  __syncwarp();
  const u32 count = static_cast<u32>(__popc(votes));
#pragma unroll 1
  for (u32 k = 0; k < count; k += Own::groups) {
    const u32 group = k + lane() / LANES;
    const bool some = group < count;
    const u32 who = chosen[some ? group : 0];
    Segment<Own, true> segment;
    segment.from = shuffle_lane<32>(mine.from, who);
    segment.length = shuffle_lane<32>(mine.length, who);
    const u32 turns = shuffle_lane<32>(mine.turns, who);
    const typename Spec::Row row = Spec::row(args, first + who, segment.length);
    State total;
    if constexpr (LANES == 32 && !FIXED) {
      const u32 tiles = shuffle_lane<32>(static_cast<u32>(mine.tiles), who);
      State states = Spec::identity();
#pragma unroll 1
      for (u32 t = 0; t < tiles; t++) {
        const State s = reduce_segment_tile<Spec, Own, true>(args, row, list.elements, segment, t, turns, some);
        if (lane() == t) states = s;
      }
      total = fold_states<Spec, 32>(states, tiles, false);
    } else {
      total = reduce_segment_tile<Spec, Own, true>(args, row, list.elements, segment, 0, turns, some);
    }
    if (some && lane_in_group<LANES>() == 0) store_result<Spec>(results, total, row, args, first + who);
  }
  __syncwarp();
}

template <class Spec, class Order, class Offset>
WF_FN void segments_check(const typename Spec::Args&, const typename Spec::Results&, const void* given, const SegmentList& list) {
  const Offset* const offsets = static_cast<const Offset*>(given);
  u64 longest = 0;
  u32 wrong = 0;
#pragma unroll 1
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < list.segments; i += static_cast<u64>(gridDim.x) * blockDim.x) {
    const Offset from = offsets[i], to = offsets[i + 1];
    if (from < Offset(0) || to < from) {
      wrong |= 1;
    } else {
      const u64 length = static_cast<u64>(to) - static_cast<u64>(from);
      longest = length > longest ? length : longest;
      if (static_cast<u64>(to) > list.elements) wrong |= 2;
    }
  }
#pragma unroll
  for (u32 k = 16; k > 0; k /= 2) {
    const u64 other = shuffle_xor<32>(longest, k);
    longest = other > longest ? other : longest;
    wrong |= shuffle_xor<32>(wrong, k);
  }
  if (lane() == 0) {
    raise(list.longest, longest);
    if (wrong != 0) add_bits(list.wrong, wrong);
  }
}

template <class Spec, class Order, class Offset, bool FIXED, int WARPS>
WF_FN void segments_reduce(const typename Spec::Args& args, const typename Spec::Results& results, const void* given,
                        const SegmentList& list) {
  const Offset* const offsets = static_cast<const Offset*>(given);
  WF_SHARED(u32, all_chosen, WARPS * 32);
  u32* const chosen = all_chosen + warp_in_block() * 32;
  const u64 first = (static_cast<u64>(blockIdx.x) * WARPS + warp_in_block()) * 32;
  if (first >= list.segments) return;
  const bool exists = first + lane() < list.segments;
  const u64 number = least(first + lane(), list.segments - 1);
  const auto mine = Segment<Order, FIXED>::of(offsets, number, list.elements);
  if (exists && mine.tiles >= mine.LONG) {
    const u32 slots = static_cast<u32>(scratch_slots(mine.tiles, 32));
    const u32 at = add_relaxed(list.used, slots);
#pragma unroll 1
    for (u32 i = 0; i < slots; i++) list.parts[at + i] = {number, at, 0};
  }
  __syncwarp();
  if constexpr (FIXED) {
    reduce_segments<Spec, Order, FIXED, Order::lanes>(args, results, list, first, mine, exists, chosen);
  } else {
    reduce_segments<Spec, Order, FIXED, 1>(args, results, list, first, mine, exists, chosen);
    reduce_segments<Spec, Order, FIXED, 2>(args, results, list, first, mine, exists, chosen);
    reduce_segments<Spec, Order, FIXED, 4>(args, results, list, first, mine, exists, chosen);
    reduce_segments<Spec, Order, FIXED, 8>(args, results, list, first, mine, exists, chosen);
    reduce_segments<Spec, Order, FIXED, 16>(args, results, list, first, mine, exists, chosen);
    reduce_segments<Spec, Order, FIXED, 32>(args, results, list, first, mine, exists, chosen);
  }
}

template <class Spec, class Order, class Offset, bool FIXED, int WARPS>
WF_FN void segments_reduce_long(const typename Spec::Args& args, const typename Spec::Results& results, const void* given,
                        const SegmentList& list) {
  const Offset* const offsets = static_cast<const Offset*>(given);
  using State = typename Spec::State;
  using Kept = Slot<State>;
  WF_SHARED(State, of_tiles, 32);
  WF_SHARED(u32, ticket, 1);
  const u32 used = *list.used;
#pragma unroll 1
  for (u32 unit = blockIdx.x; unit < used; unit += gridDim.x) {
    const u64 number = list.parts[unit].segment;
    const u32 start = list.parts[unit].first, part = unit - start;
    const auto segment = Segment<Order, FIXED>::of(offsets, number, list.elements);
    const u64 parts = (segment.tiles + 31) / 32;
    if (part >= parts) continue;
    const typename Spec::Row row = Spec::row(args, number, segment.length);
    const u32 count = static_cast<u32>(least(segment.tiles - part * 32ull, 32));
#pragma unroll 1
    for (u32 k = warp_in_block() * Order::groups; k < count; k += WARPS * Order::groups) {
      const u32 mine = k + lane() / Order::lanes;
      const State s = reduce_segment_tile<Spec, Order, FIXED>(args, row, list.elements, segment, part * 32ull + mine, segment.turns, mine < count);
      if (lane_in_group<Order::lanes>() == 0 && mine < count) of_tiles[mine] = s;
    }
    __syncthreads();
    char* const states = static_cast<char*>(list.states) + static_cast<u64>(start) * Kept::bytes;
    if (warp_in_block() == 0) {
      State s = lane() < count ? of_tiles[lane()] : Spec::identity();
      s = fold_states<Spec, 32>(s, count, parts > 1);
      if (lane() == 0 && parts == 1) store_result<Spec>(results, s, row, args, number);
      if (lane() == 0 && parts > 1) {
        Kept::of(s).store(states, part);
        ticket[0] = add_acquire_release(&list.parts[start].ticket, 1);
      }
    }
    // Also keeps the next part from overwriting `of_tiles` too early.
    __syncthreads();
    if (parts > 1 && ticket[0] == parts - 1) {
      const State s = fold_scratch<Spec, WARPS>(states, parts);
      if (threadIdx.x == 0) store_result<Spec>(results, s, row, args, number);
      __syncthreads();
    }
  }
}

}  // namespace wf
