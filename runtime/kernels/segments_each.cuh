// segments_each.cuh: one result an element, by segments: scans, and `apply` once each segment's state is known.
//
// The results stand where their elements do; elements in no segment are left alone. In place is allowed. Both kinds take
// the list of segments_reduce.cuh, and two launches one after the other on a stream, like segments_reduce:
//
//   segments_apply<Spec, Order, Odd, Offset, FIXED, WARPS>(args, results, offsets, list, totals)
//   segments_apply_long<…>(args, results, offsets, list, totals)
//     After segments_reduce<Totals<Spec>, …> and segments_reduce_long<Totals<Spec>, …> with the same list, which left a
//     slot a segment in `totals`.
//   segments_scan<Spec, Order, Odd, Offset, FIXED, WARPS, EXCLUSIVE, REVERSE>(args, results, offsets, list)
//     segments of one tile. The others are put on the list, which needs elements / Order::size + 1 entries.
//   segments_scan_long<…>(args, results, offsets, list)
//     A block a segment on the list. WARPS * 32 / Order::lanes is a power of two of at most 32. Grid: any.
#pragma once

namespace wf {

// The row of a segment, and the tile of it that a group of lanes reads.
template <class Spec, class Order, bool REVERSE>
WF_FN int read_segment_tile(Tile<Spec, Order>& tile, Spot& spot, const typename Spec::Args& args, u64 elements, u64 from, u64 length, u64 k,
                            u32 turns, bool exists) {
  const u64 size = turns * Order::turn;
  spot = {from, k * size, length, elements, exists};
  const int left = exists && length > spot.start ? static_cast<int>(least(length - spot.start, size)) : 0;
  read_tile<Spec, Order, Load::any, REVERSE>(tile, args, spot, left);
  return left;
}

template <class Spec> struct ApplySegments {
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const u64 elements;
  const void* const totals;
  template <class Own> WF_FN void one(u64 number, u64 from, u64 length, u64 k, u32 turns, bool some) const {
    const typename Spec::Row row = Spec::row(args, number, length);
    Tile<Spec, Own> tile;
    Spot spot;
    const int left = read_segment_tile<Spec, Own, false>(tile, spot, args, elements, from, length, k, turns, some);
    const typename Spec::State total = Slot<typename Spec::State>::load(totals, number);
    apply_tile<Spec, Own, Load::any>(tile, total, row, args, results, spot, from, left);
  }
  template <class Own, class Segment> WF_FN void run(u64 number, const Segment& segment, bool some) const {
    // Groups that share a warp have one tile each.
#pragma unroll 1
    for (u32 k = 0; k < (Own::groups == 1 ? segment.tiles : 1); k++) one<Own>(number, segment.from, segment.length, k, segment.turns, some);
  }
};

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS>
WF_FN void segments_apply(const typename Spec::Args& args, const typename Spec::Results& results, const void* given, const SegmentList& list,
                          const void* totals) {
  const Offset* const offsets = static_cast<const Offset*>(given);
  WF_SHARED(u32, all_chosen, WARPS * 32);
  const u64 first = (static_cast<u64>(blockIdx.x) * WARPS + warp_in_block()) * 32;
  if (first >= list.segments) return;
  const auto mine = Segment<Order, Odd, FIXED>::of(offsets, least(first + lane(), list.segments - 1), list.elements);
  const bool wanted = first + lane() < list.segments && mine.tiles < mine.LONG;
  const ApplySegments<Spec> work = {args, results, list.elements, totals};
  choose_all_segments(work, first, mine, wanted, all_chosen + warp_in_block() * 32);
}

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS>
WF_FN void segments_apply_long(const typename Spec::Args& args, const typename Spec::Results& results, const void* given, const SegmentList& list,
                               const void* totals) {
  const Offset* const offsets = static_cast<const Offset*>(given);
  const ApplySegments<Spec> work = {args, results, list.elements, totals};
  const u32 used = *list.used;
#pragma unroll 1
  for (u32 unit = blockIdx.x; unit < used; unit += gridDim.x) {
    const u64 number = list.parts[unit].segment, part = unit - list.parts[unit].first;
    const auto segment = Segment<Order, Odd, FIXED>::of(offsets, number, list.elements);
#pragma unroll 1
    for (u32 k = warp_in_block() * Order::groups; k < 32; k += WARPS * Order::groups) {
      const u64 tile = part * 32 + k + lane() / Order::lanes;
      const bool some = k + lane() / Order::lanes < 32 && tile < segment.tiles;
      if (segment.odd) {
        work.template one<Odd>(number, segment.from, segment.length, tile, segment.turns, some);
      } else {
        work.template one<Order>(number, segment.from, segment.length, tile, segment.turns, some);
      }
    }
  }
}

template <class Spec, bool EXCLUSIVE, bool REVERSE> struct ScanSegments {
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const u64 elements;
  template <class Own, class Segment> WF_FN void run(u64 number, const Segment& segment, bool some) const {
    const typename Spec::Row row = Spec::row(args, number, segment.length);
    Tile<Spec, Own> tile;
    Spot spot;
    const int left = read_segment_tile<Spec, Own, REVERSE>(tile, spot, args, elements, segment.from, segment.length, 0, segment.turns, some);
    Scan<Spec, Own> scan;
    scan_tile<Spec, Own, REVERSE>(scan, tile, row, args, spot, left);
    const auto prefix = initial<Spec>(args);
    emit_scan<Spec, Own, EXCLUSIVE, REVERSE, Load::any>(scan, tile, prefix, prefix.state, row, args, results, spot, segment.from, left);
  }
};

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS, bool EXCLUSIVE, bool REVERSE>
WF_FN void segments_scan(const typename Spec::Args& args, const typename Spec::Results& results, const void* given, const SegmentList& list) {
  const Offset* const offsets = static_cast<const Offset*>(given);
  WF_SHARED(u32, all_chosen, WARPS * 32);
  const u64 first = (static_cast<u64>(blockIdx.x) * WARPS + warp_in_block()) * 32;
  if (first >= list.segments) return;
  const u64 number = least(first + lane(), list.segments - 1);
  const auto mine = Segment<Order, Odd, FIXED>::of(offsets, number, list.elements);
  const bool exists = first + lane() < list.segments;
  if (exists && mine.tiles > 1) {
    const u32 at = add_relaxed(list.used, 1);
    list.parts[at] = {number, at, 0};
  }
  __syncwarp();
  const ScanSegments<Spec, EXCLUSIVE, REVERSE> work = {args, results, list.elements};
  choose_all_segments(work, first, mine, exists && mine.tiles == 1, all_chosen + warp_in_block() * 32);
}

// Scans one segment by a block of WARPS warps. Batches take turns with two places of `totals` and `lasts`, so that one barrier
// a batch is enough; `place` is where the next one begins.
template <class Spec, class Own, int WARPS, bool EXCLUSIVE, bool REVERSE, class Segment>
WF_FN void scan_long_segment(const typename Spec::Args& args, const typename Spec::Results& results, u64 elements, u64 number,
                             const Segment& segment, typename Spec::State* totals, typename Spec::State* lasts, u32& place) {
  using State = typename Spec::State;
  constexpr u32 BATCH = WARPS * Own::groups;
  static_assert(BATCH <= 32 && (BATCH & (BATCH - 1)) == 0, "a batch is part of one span");
  const u32 mine = warp_in_block() * Own::groups + lane() / Own::lanes;
  const bool leads = lane_in_group<Own::lanes>() == 0;
  const typename Spec::Row row = Spec::row(args, number, segment.length);
  Prefixes<Spec> prefixes;
  prefixes.begin(args);
  State before = prefixes.carry.state;
#pragma unroll 1
  for (u64 batch = 0; batch < segment.tiles; batch += BATCH, place ^= BATCH) {
    Tile<Spec, Own> tile;
    Spot spot;
    const int left = read_segment_tile<Spec, Own, REVERSE>(tile, spot, args, elements, segment.from, segment.length, batch + mine, segment.turns,
                                                           batch + mine < segment.tiles);
    Scan<Spec, Own> scan;
    scan_tile<Spec, Own, REVERSE>(scan, tile, row, args, spot, left, {Spec::identity(), false}, static_cast<int>(segment.turns));
    if (leads) totals[place + mine] = scan.total;
    if constexpr (EXCLUSIVE) {
      const State last = last_value<Spec, Own>(scan, static_cast<int>(segment.turns));
      if (leads) lasts[place + mine] = last;
    }
    __syncthreads();
    const u32 base = static_cast<u32>(batch % 32);
    const bool new_lane = lane() >= base && lane() < base + BATCH;
    prefixes.add(new_lane ? totals[place + lane() - base] : Spec::identity(), new_lane);
    const auto prefix = prefixes.at(base + mine);
    State first = before;
    if constexpr (EXCLUSIVE) {
      const auto lower = prefixes.at(base + (mine > 0 ? mine - 1 : 0));
      const auto last = prefixes.at(base + BATCH - 1);
      if (mine > 0) first = join<Spec>(lower, lasts[place + mine - 1]);
      before = join<Spec>(last, lasts[place + BATCH - 1]);
    }
    emit_scan<Spec, Own, EXCLUSIVE, REVERSE, Load::any>(scan, tile, prefix, first, row, args, results, spot, segment.from, left);
    if (base + BATCH == 32) prefixes.next_span();
  }
}

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS, bool EXCLUSIVE, bool REVERSE>
WF_FN void segments_scan_long(const typename Spec::Args& args, const typename Spec::Results& results, const void* given, const SegmentList& list) {
  const Offset* const offsets = static_cast<const Offset*>(given);
  WF_SHARED(typename Spec::State, totals, 2 * WARPS * Order::groups);
  WF_SHARED(typename Spec::State, lasts, 2 * WARPS * Order::groups);
  const u32 used = *list.used;
  u32 place = 0;
#pragma unroll 1
  for (u32 unit = blockIdx.x; unit < used; unit += gridDim.x) {
    const u64 number = list.parts[unit].segment;
    const auto segment = Segment<Order, Odd, FIXED>::of(offsets, number, list.elements);
    if (segment.odd) {
      scan_long_segment<Spec, Odd, WARPS, EXCLUSIVE, REVERSE>(args, results, list.elements, number, segment, totals, lasts, place);
    } else {
      scan_long_segment<Spec, Order, WARPS, EXCLUSIVE, REVERSE>(args, results, list.elements, number, segment, totals, lasts, place);
    }
  }
}

}  // namespace wf
