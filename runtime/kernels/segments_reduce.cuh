// segments_reduce.cuh: one result a segment, elements offsets[i] up to offsets[i + 1], however uneven.
//
// A segment has the order of a row of its length, so lanes and turns differ from segment to segment: Order holds the
// most of those with packs and Odd of the others, and with FIXED the lanes. Offsets that fall or pass the end are cut off, so that nothing outside is read. Three
// launches, one after another on a stream:
//
//   segments_check<…, Offset>(args, results, offsets, list)
//     Says in list.wrong whether the offsets fall or pass the end, in list.longest the longest segment; both zero before.
//     Grid: any.
//   segments_reduce<Spec, Order, Odd, Offset, FIXED, WARPS>(args, results, offsets, list)
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
template <class Order, class Odd, bool FIXED> struct Segment {
  static_assert(Odd::v == 1 && Odd::lanes == Order::lanes, "an odd segment has the same lanes, without packs");
  u64 from, length;
  u32 lanes, turns;
  u64 tiles;
  bool odd;

  template <class Offset> static WF_FN u64 offset(const Offset* offsets, u64 i, u64 elements) {
    const Offset at = offsets[i];
    return at < Offset(0) ? 0 : least(static_cast<u64>(at), elements);
  }
  // As `Order::of_line` of the runtime has it.
  template <class Offset> static WF_FN Segment of(const Offset* offsets, u64 i, u64 elements) {
    Segment s;
    s.from = offset(offsets, i, elements);
    const u64 end = offset(offsets, i + 1, elements);
    s.length = end > s.from ? end - s.from : 0;
    s.odd = s.length > 64 && s.length % Order::v != 0;
    const u64 packs = s.odd ? s.length : (s.length + Order::v - 1) / Order::v;
    s.lanes = Order::lanes;
    if (!FIXED) {
      s.lanes = 1;
      while (s.lanes < 32 && s.lanes < packs) s.lanes *= 2;
    }
    // Rows of one pack a lane need no division.
    const u64 chunks = packs <= s.lanes ? 1 : (packs + s.lanes - 1) / s.lanes;
    s.tiles = s.odd ? (chunks + Odd::turns - 1) / Odd::turns : (chunks + Order::turns - 1) / Order::turns;
    if (s.tiles > 32) {
      s.turns = s.odd ? Odd::turns : Order::turns;
    } else {
      s.turns = s.tiles == 1 ? static_cast<u32>(chunks) : static_cast<u32>((chunks + s.tiles - 1) / s.tiles);
      s.turns = s.turns > 16 ? (s.turns + 3) / 4 * 4 : s.turns > 8 ? (s.turns + 1) / 2 * 2 : s.turns;
    }
    return s;
  }
  // Tiles from which on a segment is folded by blocks.
  static constexpr u64 LONG = FIXED ? 2 : 9;
};

// One tile of a segment, by a group of lanes: the state of tile `k` in every lane.
template <class Spec, class Own>
WF_FN typename Spec::State reduce_segment_tile(const typename Spec::Args& args, const typename Spec::Row& row, u64 elements, u64 from, u64 length,
                                               u64 k, u32 turns, bool exists) {
  const u64 size = turns * Own::turn;
  const Spot spot = {from, k * size, length, elements, exists};
  const u64 live = live_columns<Spec>(row, length);
  const int left = exists && live > spot.start ? static_cast<int>(least(live - spot.start, size)) : 0;
  Tile<Spec, Own> tile;
  read_tile<Spec, Own, Load::any, false>(tile, args, spot, left);
  return fold_tile<Spec, Own, true>(tile, row, args, spot, left, static_cast<int>(turns));
}

// Calls `work.run<Own>(number, segment, some)` for those of the warp's 32 segments that groups of Own::lanes lanes take, with
// packs or, where ODD, without. `mine` is the calling lane's, number `first + lane`; of the segment that a group gets only
// `from`, `length`, `turns` and `tiles` are told.
template <class Own, bool ODD, class Work, class Segment>
WF_FN void choose_segments(const Work& work, u64 first, const Segment& mine, bool wanted, u32* chosen) {
  const bool ready = wanted && mine.odd == ODD && mine.lanes == Own::lanes;
  const u32 votes = ballot<32>(ready);
  if (votes == 0) return;
  if (ready) chosen[__popc(votes & ((1u << lane()) - 1))] = lane();
  __syncwarp();
  const u32 count = static_cast<u32>(__popc(votes));
#pragma unroll 1
  for (u32 k = 0; k < count; k += Own::groups) {
    const u32 group = k + lane() / Own::lanes;
    const bool some = group < count;
    const u32 who = chosen[some ? group : 0];
    Segment segment = mine;
    segment.from = shuffle_lane<32>(mine.from, who);
    segment.length = shuffle_lane<32>(mine.length, who);
    segment.turns = shuffle_lane<32>(mine.turns, who);
    segment.tiles = shuffle_lane<32>(static_cast<u32>(mine.tiles), who);
    work.template run<Own>(first + who, segment, some);
  }
  __syncwarp();
}
// The same for groups of every width. One below the widest has a pack a lane, unless the spec says how wide it is.
template <class Order, class Odd, bool FIXED, class Work>
WF_FN void choose_all_segments(const Work& work, u64 first, const Segment<Order, Odd, FIXED>& mine, bool wanted, u32* chosen) {
  if constexpr (!FIXED) {
    choose_segments<TileOrder<Order::v, 1, 1>, false>(work, first, mine, wanted, chosen);
    choose_segments<TileOrder<Order::v, 2, 1>, false>(work, first, mine, wanted, chosen);
    choose_segments<TileOrder<Order::v, 4, 1>, false>(work, first, mine, wanted, chosen);
    choose_segments<TileOrder<Order::v, 8, 1>, false>(work, first, mine, wanted, chosen);
    choose_segments<TileOrder<Order::v, 16, 1>, false>(work, first, mine, wanted, chosen);
  }
  choose_segments<Order, false>(work, first, mine, wanted, chosen);
  if constexpr (Order::v > 1) choose_segments<Odd, true>(work, first, mine, wanted, chosen);
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

template <class Spec> struct ReduceSegments {
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const u64 elements;
  template <class Own, class Segment> WF_FN void run(u64 number, const Segment& segment, bool some) const {
    const typename Spec::Row row = Spec::row(args, number, segment.length);
    typename Spec::State total;
    if constexpr (Own::groups == 1) {
      typename Spec::State states = Spec::identity();
#pragma unroll 1
      for (u32 k = 0; k < segment.tiles; k++) {
        const auto s = reduce_segment_tile<Spec, Own>(args, row, elements, segment.from, segment.length, k, segment.turns, some);
        if (lane() == k) states = s;
      }
      total = fold_states<Spec, 32>(states, segment.tiles, false);
    } else {
      // Groups that share a warp have one tile each.
      total = reduce_segment_tile<Spec, Own>(args, row, elements, segment.from, segment.length, 0, segment.turns, some);
    }
    if (some && lane_in_group<Own::lanes>() == 0) store_result<Spec>(results, total, row, args, number);
  }
};

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS>
WF_FN void segments_reduce(const typename Spec::Args& args, const typename Spec::Results& results, const void* given,
                        const SegmentList& list) {
  const Offset* const offsets = static_cast<const Offset*>(given);
  WF_SHARED(u32, all_chosen, WARPS * 32);
  const u64 first = (static_cast<u64>(blockIdx.x) * WARPS + warp_in_block()) * 32;
  if (first >= list.segments) return;
  const bool exists = first + lane() < list.segments;
  const u64 number = least(first + lane(), list.segments - 1);
  const auto mine = Segment<Order, Odd, FIXED>::of(offsets, number, list.elements);
  if (exists && mine.tiles >= mine.LONG) {
    const u32 slots = static_cast<u32>(scratch_slots(mine.tiles, 32));
    const u32 at = add_relaxed(list.used, slots);
#pragma unroll 1
    for (u32 i = 0; i < slots; i++) list.parts[at + i] = {number, at, 0};
  }
  __syncwarp();
  const ReduceSegments<Spec> work = {args, results, list.elements};
  choose_all_segments(work, first, mine, exists && mine.tiles < mine.LONG, all_chosen + warp_in_block() * 32);
}

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS>
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
    const auto segment = Segment<Order, Odd, FIXED>::of(offsets, number, list.elements);
    const u64 parts = (segment.tiles + 31) / 32;
    if (part >= parts) continue;
    const typename Spec::Row row = Spec::row(args, number, segment.length);
    const u32 count = static_cast<u32>(least(segment.tiles - part * 32ull, 32));
#pragma unroll 1
    for (u32 k = warp_in_block() * Order::groups; k < count; k += WARPS * Order::groups) {
      const u32 mine = k + lane() / Order::lanes;
      const u64 tile = part * 32ull + mine;
      const State s = segment.odd
        ? reduce_segment_tile<Spec, Odd>(args, row, list.elements, segment.from, segment.length, tile, segment.turns, mine < count)
        : reduce_segment_tile<Spec, Order>(args, row, list.elements, segment.from, segment.length, tile, segment.turns, mine < count);
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
