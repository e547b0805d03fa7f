// segments_reduce.cuh: one result a segment, elements offsets[i] up to offsets[i + 1], however uneven.
//
// A segment has the order of a row of its length, so lanes and turns differ from segment to segment: Order holds the
// most of those with packs and Odd of the others, and with FIXED the lanes. Offsets that fall or pass the end are cut off,
// and long segments that do not fit on the list are left out, so that nothing outside is read or written whatever the
// offsets are. Launches, one after another on a stream:
//
//   segments_check<…, Offset>(args, results, offsets, list)
//     Says in list.wrong whether the offsets fall or pass the end, in list.longest the longest segment; both zero before.
//     Grid: any.
//   segments_reduce<Spec, Order, Odd, Offset, FIXED, WARPS, LIGHT, ABOVE>(args, results, offsets, list)
//     A warp takes 32 neighbouring segments, those that are as wide at once. LIGHT: those of one tile of few turns; long
//     ones are put on the list, and `middling` tells of others; `used`, `middling` and `drawn` are zero before. Not LIGHT, and
//     after it: those others. Grid: any; ceil(segments / 32) warps are enough. blockDim = 32 * WARPS.
//     Where the spec allows it segments_reduce_short (segments_short.cuh) takes the place of LIGHT; what follows then takes
//     the segments of more than ABOVE elements whose numbers that has left in `middles`, so that no warp looks for them.
//   segments_reduce_long<…>(args, results, offsets, list)
//     Blocks take parts of 32 tiles of those on the list. The last block of a segment folds them. Grid: any.
//     blockDim = 32 * WARPS.
//
// The list needs as many places as segments that do not overlap can take, and as many slots of states: the schedule counts
// them (`segment_places`).
#pragma once

namespace wf {

// A place on the list of long segments: those of a segment follow each other, one a part and some for the levels above.
struct LongPart {
  u64 segment;  // or NO_SEGMENT
  u64 from, length;  // of the segment
  u32 first;   // its segment's first place
  u32 ticket;  // of the first place: how many parts are done
};

struct SegmentList {
  u64 segments, elements;
  LongPart* parts;
  void* states;
  u64 places;     // of `parts` and `states`
  u64* longest;   // of segments_check; segments_whole.cuh draws segments by it
  u64* used;      // places that were asked for
  u32* wrong;     // bit 0: offsets fall; bit 1: they pass the end
  u32* middling;  // not zero where a segment is neither light nor long; after segments_short.cuh how many there are
  u32 groups;     // of 32 segments that a warp of segments_short.cuh takes: 1 to 8
  u32 aligned;    // whether all that plain parameters and results point to starts at a multiple of 16 bytes
  u64* middles;   // their numbers, from segments_short.cuh
  u64 middle_places;
  u64 whole = 0;  // tiles up to which segments_whole.cuh takes a long one: its number is among `middles`
  u32* drawn = nullptr;  // two words: places that segments_reduce_long has drawn, and groups of `middles` that warps have

  WF_FN u32 filled() const { return static_cast<u32>(least(*used, places)); }
};

constexpr u64 NO_SEGMENT = ~0ull;

// Puts the segments of a warp's lanes on the list, each on `count` places; none where that is 0. Where offsets fall, segments
// overlap and may be more than it has places for: those that do not fit are left out.
template <class Segment> WF_FN void put_on_list(const SegmentList& list, u64 number, const Segment& of, u64 count) {
  if (!any<32>(count > 0)) return;
  u64 up_to = count;
#pragma unroll
  for (u32 k = 1; k < 32; k *= 2) {
    const u64 lower = shuffle_up<32>(up_to, k);
    if (lane() >= k) up_to += lower;
  }
  u64 first = 0;
  if (lane() == 31) first = add_relaxed(list.used, up_to);
  first = shuffle_lane<32>(first, 31) + (up_to - count);
  const u64 end = first + count;
  const LongPart mine = {end <= list.places ? number : NO_SEGMENT, of.from, of.length, static_cast<u32>(first), 0};
  // All lanes write the places of each: there are many where the segment is a giant.
  u32 rest = ballot<32>(count > 0);
#pragma unroll 1
  while (rest != 0) {
    const u32 who = static_cast<u32>(__ffs(static_cast<int>(rest))) - 1;
    rest &= rest - 1;
    const LongPart part = {shuffle_lane<32>(mine.segment, who), shuffle_lane<32>(mine.from, who), shuffle_lane<32>(mine.length, who),
                           shuffle_lane<32>(mine.first, who), 0};
    const u64 until = least(shuffle_lane<32>(end, who), list.places);
#pragma unroll 1
    for (u64 i = shuffle_lane<32>(first, who) + lane(); i < until; i += 32) list.parts[i] = part;
  }
}

// Where a segment is and how it is folded.
template <class Order, class Odd, bool FIXED> struct Segment {
  static_assert(Odd::v == 1 && Odd::lanes == Order::lanes, "an odd segment has the same lanes, without packs");
  u64 from, length;
  u32 lanes, turns;
  u64 tiles;
  bool odd;

  template <class Offset> static WF_FN Segment of(const Offset* offsets, u64 i, u64 elements) {
    const u64 from = offset_at(offsets, i, elements), end = offset_at(offsets, i + 1, elements);
    return at(from, end > from ? end - from : 0);
  }
  // The smallest group that has a lane for each pack, at most a warp.
  static WF_FN u32 covering(u64 packs) {
    u32 lanes = 1;
    while (lanes < 32 && lanes < packs) lanes *= 2;
    return lanes;
  }
  // Packs that a lane of a short segment holds, at most, where few lanes take it. Those of odd ones are single elements.
  static constexpr int least_of(int a, int b) { return a < b ? a : b; }
  static constexpr int FEW_TURNS = least_of(least_of(8, 32 / Order::v), Order::turns), FEW_ODD_TURNS = least_of(8, Odd::turns);

  // As `Order::of_line` of the runtime has it.
  static WF_FN Segment at(u64 from, u64 length) {
    Segment s;
    s.from = from;
    s.length = length;
    s.odd = !Order::always && s.length > 64 && s.length % Order::v != 0;
    const u64 packs = s.odd ? s.length : (s.length + Order::v - 1) / Order::v;
    s.lanes = Order::lanes;
    if (!FIXED) {
      s.lanes = covering(packs);
      if (Order::few && s.lanes > 8) {
        const int turns = s.odd ? FEW_ODD_TURNS : FEW_TURNS;
        const u32 least = covering((packs + turns - 1) / turns);
        s.lanes = least < 8 ? 8 : least;
      }
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
  static constexpr u64 LONG = FIXED ? 2 : 5;
  // Turns up to which the only tile of a segment is light: kernels for nothing else need few registers, so that many warps
  // wait for the memory at a time.
  static constexpr u32 FEW = Order::turns < 2 ? 1 : 2, ODD_FEW = Odd::turns < 8 ? Odd::turns : 8;

  WF_FN bool is_long() const { return tiles >= LONG; }
  WF_FN bool is_light() const { return tiles == 1 && turns <= (odd ? ODD_FEW : FEW); }
};

// Whether the packs of a segment stand where one access reads each: from the front, or with REVERSE from the end. Holds for
// the whole warp or for none of it.
template <class Order, bool REVERSE> WF_FN bool stands_aligned(const SegmentList& list, u64 from, u64 length, bool exists) {
  if constexpr (Order::v == 1) return false;
  return list.aligned != 0 && all<32>(!exists || (REVERSE ? from + length : from) % Order::v == 0);
}

// Reads tiles of segments, in wide accesses where they stand so.
template <class Spec, class Order, bool REVERSE, int COUNT>
WF_FN void read_segment_tiles(Tile<Spec, Order> (&tiles)[COUNT], const typename Spec::Args& args, const Spot (&spots)[COUNT], const int (&left)[COUNT],
                              bool aligned) {
  // Per-column elements stand in no such order.
  if (Order::v > 1 && !Spec::has_columns && aligned) {
    read_tiles<Spec, Order, Load::aligned, REVERSE, COUNT>(tiles, args, spots, left);
  } else {
    read_tiles<Spec, Order, Load::any, REVERSE, COUNT>(tiles, args, spots, left);
  }
}

// One tile of a segment, by a group of lanes: the state of tile `k` in every lane.
template <class Spec, class Own>
WF_FN typename Spec::State reduce_segment_tile(const typename Spec::Args& args, const typename Spec::Row& row, const SegmentList& list, u64 from,
                                               u64 length, u64 k, u32 turns, bool exists) {
  const u64 size = turns * Own::turn;
  const Spot spots[1] = {{from, k * size, length, list.elements, exists}};
  const u64 live = live_columns<Spec>(row, length);
  const int left[1] = {exists && live > spots[0].start ? static_cast<int>(least(live - spots[0].start, size)) : 0};
  Tile<Spec, Own> tiles[1];
  read_segment_tiles<Spec, Own, false, 1>(tiles, args, spots, left, stands_aligned<Own, false>(list, from, length, exists));
  return fold_tile<Spec, Own, true>(tiles[0], row, args, spots[0], left[0], static_cast<int>(turns));
}

// One segment that a group of lanes has got; where `some` does not hold it only keeps the others company.
template <class Segment> struct Taken {
  u64 number;
  Segment segment;
  bool some;
};

// Calls `work.run<Own, SETS>(taken)` for those of the warp's 32 segments that groups of Own::lanes lanes take, with packs or,
// where ODD, without, and of LEAST turns up to Own::turns. A group gets SETS at a time, so that enough loads are under
// way; where SETS > 1 they have one tile each. `mine` is the calling lane's, and `numbers`
// tells the number of any lane's; of the segments that
// a group gets only `from`, `length`, `turns` and `tiles` are told.
template <class Own, bool ODD, u32 LEAST, int SETS, class Work, class Numbers, class Segment>
WF_FN void choose_segments(const Work& work, const Numbers& numbers, const Segment& mine, bool wanted, u32* chosen) {
  const bool ready = wanted && mine.odd == ODD && mine.lanes == Own::lanes && mine.turns >= LEAST && mine.turns <= Own::turns;
  const u32 votes = ballot<32>(ready);
  if (votes == 0) return;
  if (ready) chosen[__popc(votes & ((1u << lane()) - 1))] = lane();
  __syncwarp();
  const u32 count = static_cast<u32>(__popc(votes));
#pragma unroll 1
  for (u32 k = 0; k < count; k += Own::groups * SETS) {
    Taken<Segment> taken[SETS];
#pragma unroll
    for (int j = 0; j < SETS; j++) {
      const u32 group = k + static_cast<u32>(j * Own::groups) + lane() / Own::lanes;
      const bool some = group < count;
      const u32 who = chosen[some ? group : 0];
      taken[j] = {numbers(who), mine, some};
      taken[j].segment.from = shuffle_lane<32>(mine.from, who);
      taken[j].segment.length = shuffle_lane<32>(mine.length, who);
      taken[j].segment.turns = shuffle_lane<32>(mine.turns, who);
      taken[j].segment.tiles = shuffle_lane<32>(static_cast<u32>(mine.tiles), who);
    }
    work.template run<Own, SETS>(taken);
  }
  __syncwarp();
}
// The same for groups of every width, of segments that are LIGHT, or of the others that are not long. A group below the widest
// has a pack a lane, unless the spec says how wide it is or segments take few lanes.
template <bool LIGHT, int ABOVE, class Order, class Odd, bool FIXED, class Work, class Numbers>
WF_FN void choose_all_segments(const Work& work, const Numbers& numbers, const Segment<Order, Odd, FIXED>& mine, bool exists, u32* chosen) {
  using Own = Segment<Order, Odd, FIXED>;
  constexpr int V = Order::v, LANES = Order::lanes, FEW = Own::FEW, ODD_FEW = Own::ODD_FEW;
  const bool wanted = exists && !mine.is_long() && (ABOVE > 0 ? mine.length > ABOVE : mine.is_light() == LIGHT);
  if constexpr (LIGHT) {
    if constexpr (!FIXED) {
      choose_segments<TileOrder<V, 1, 1>, false, 1, 1>(work, numbers, mine, wanted, chosen);
      choose_segments<TileOrder<V, 2, 1>, false, 1, 2>(work, numbers, mine, wanted, chosen);
      choose_segments<TileOrder<V, 4, 1>, false, 1, 4>(work, numbers, mine, wanted, chosen);
      choose_segments<TileOrder<V, 8, 1>, false, 1, 4>(work, numbers, mine, wanted, chosen);
      choose_segments<TileOrder<V, 16, 1>, false, 1, 4>(work, numbers, mine, wanted, chosen);
    }
    if constexpr (Order::few) {
      if constexpr (FEW > 1) choose_segments<TileOrder<V, 8, FEW>, false, 2, 1>(work, numbers, mine, wanted, chosen);
      if constexpr (FEW > 1) choose_segments<TileOrder<V, 16, FEW>, false, 2, 1>(work, numbers, mine, wanted, chosen);
      if constexpr (V > 1) choose_segments<TileOrder<1, 16, ODD_FEW>, true, 1, 1>(work, numbers, mine, wanted, chosen);
    }
    choose_segments<TileOrder<V, LANES, 1>, false, 1, 4>(work, numbers, mine, wanted, chosen);
    if constexpr (FEW > 1) choose_segments<TileOrder<V, LANES, FEW>, false, 2, 2>(work, numbers, mine, wanted, chosen);
    if constexpr (V > 1) choose_segments<TileOrder<1, LANES, ODD_FEW>, true, 1, 2>(work, numbers, mine, wanted, chosen);
  } else {
    if constexpr (Order::few) {
      constexpr int LEAST = ABOVE > 0 ? 1 : FEW + 1, MOST = Own::FEW_TURNS, ODD_MOST = Own::FEW_ODD_TURNS;
      if constexpr (MOST >= LEAST) choose_segments<TileOrder<V, 8, MOST>, false, LEAST, 1>(work, numbers, mine, wanted, chosen);
      if constexpr (MOST >= LEAST) choose_segments<TileOrder<V, 16, MOST>, false, LEAST, 1>(work, numbers, mine, wanted, chosen);
      if constexpr (V > 1 && ABOVE > 0 && ABOVE < 128) choose_segments<TileOrder<1, 16, ODD_MOST>, true, 1, 1>(work, numbers, mine, wanted, chosen);
    }
    // Those of half as many turns have one tile, and the group gets two of them at a time.
    constexpr int HALF = Work::halves ? Order::turns / 2 : 0, ODD_HALF = Work::halves ? Odd::turns / 2 : 0;
    if constexpr (HALF > FEW) choose_segments<TileOrder<V, LANES, HALF>, false, 1, 2>(work, numbers, mine, wanted, chosen);
    choose_segments<Order, false, (HALF > FEW ? HALF + 1 : 1), 1>(work, numbers, mine, wanted, chosen);
    if constexpr (V > 1 && ODD_HALF > ODD_FEW) choose_segments<TileOrder<1, LANES, ODD_HALF>, true, 1, 2>(work, numbers, mine, wanted, chosen);
    if constexpr (V > 1) choose_segments<Odd, true, (ODD_HALF > ODD_FEW ? ODD_HALF + 1 : 1), 1>(work, numbers, mine, wanted, chosen);
  }
}

// Puts the long segments of a warp on the list, each on as many places as `places` says, and tells of those that are neither
// light nor long.
template <class Segment, class Places> WF_FN void sort_segments(const Places& places, u64 number, const Segment& mine, bool exists, const SegmentList& list) {
  put_on_list(list, number, mine, exists && mine.is_long() ? places(mine) : 0);
  const bool middling = any<32>(exists && !mine.is_long() && !mine.is_light());
  if (middling && lane() == 0 && *list.middling == 0) add_bits(list.middling, 1);
  __syncwarp();
}

// Runs `work` on all segments that are LIGHT, 32 neighbours a warp, and puts the long ones on as many places of the list as `places` says; or else on
// those between, if there are any, by as many warps as there are.
template <bool LIGHT, int ABOVE, class Order, class Odd, class Offset, bool FIXED, int WARPS, class Work, class Places>
WF_FN void work_on_segments(const Work& work, const Places& places, const Offset* offsets, const SegmentList& list) {
  using Own = Segment<Order, Odd, FIXED>;
  WF_SHARED(u32, all_chosen, WARPS * 32);
  u32* const chosen = all_chosen + warp_in_block() * 32;
  if (!LIGHT && *list.middling == 0) return;
  if constexpr (ABOVE > 0) {
    // A few at a time, drawn while others are worked on, so that all warps are done together.
    constexpr u32 EACH = Work::at_once;
    const u64 filled = least(*list.middling, list.middle_places), warps = static_cast<u64>(gridDim.x) * WARPS;
    u64 turn = static_cast<u64>(blockIdx.x) * WARPS + warp_in_block();
#pragma unroll 1
    while (turn * EACH < filled) {
      const u64 first = turn * EACH;
      u32 drawn = 0;
      if (lane() == 0) drawn = add_relaxed(list.drawn + 1, 1);
      const bool exists = lane() < EACH && first + lane() < filled;
      const u64 number = list.middles[exists ? first + lane() : first];
      const auto mine = Own::of(offsets, number, list.elements);
      choose_all_segments<false, ABOVE>(work, [=](u32 who) { return shuffle_lane<32>(number, who); }, mine, exists, chosen);
      turn = warps + shuffle_lane<32>(drawn, 0);
    }
    return;
  }
  const u64 stride = static_cast<u64>(gridDim.x) * (WARPS * 32);
#pragma unroll 1
  for (u64 first = (static_cast<u64>(blockIdx.x) * WARPS + warp_in_block()) * 32; first < list.segments; first += stride) {
    const bool exists = first + lane() < list.segments;
    const u64 number = least(first + lane(), list.segments - 1);
    const auto mine = Own::of(offsets, number, list.elements);
    if constexpr (LIGHT) sort_segments(places, number, mine, exists, list);
    choose_all_segments<LIGHT, ABOVE>(work, [=](u32 who) { return first + who; }, mine, exists, chosen);
  }
}

// Reads the first tiles of the segments that a group has got: all of them are under way before one is looked at.
template <class Spec, class Own, bool REVERSE, int SETS, class Segment>
WF_FN void read_taken(Tile<Spec, Own> (&tiles)[SETS], Spot (&spots)[SETS], int (&left)[SETS], const typename Spec::Args& args, u64 elements,
                      const Taken<Segment> (&taken)[SETS]) {
#pragma unroll
  for (int j = 0; j < SETS; j++) {
    const Segment& segment = taken[j].segment;
    spots[j] = {segment.from, 0, segment.length, elements, taken[j].some};
    left[j] = taken[j].some ? static_cast<int>(least(segment.length, segment.turns * static_cast<u64>(Own::turn))) : 0;
  }
  read_tiles<Spec, Own, Load::any, REVERSE, SETS>(tiles, args, spots, left);
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
  // Whether middling segments of half as many turns have code of their own, and how many a warp draws.
  static constexpr bool halves = true;
  static constexpr u32 at_once = 8;
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const SegmentList& list;
  template <class Own, int SETS, class Segment> WF_FN void run(const Taken<Segment> (&taken)[SETS]) const {
    using State = typename Spec::State;
    if constexpr (Own::groups == 1 && SETS == 1) {
      const Segment& segment = taken[0].segment;
      const typename Spec::Row row = Spec::row(args, taken[0].number, segment.length);
      State states = Spec::identity();
#pragma unroll 1
      for (u32 k = 0; k < segment.tiles; k++) {
        const auto s = reduce_segment_tile<Spec, Own>(args, row, list, segment.from, segment.length, k, segment.turns, taken[0].some);
        if (lane() == k) states = s;
      }
      const State total = fold_states<Spec, 32>(states, segment.tiles, false);
      if (taken[0].some && lane() == 0) store_result<Spec>(results, total, row, args, taken[0].number);
    } else {
      // Groups that share a warp have one tile each.
      Tile<Spec, Own> tiles[SETS];
      Spot spots[SETS];
      int left[SETS];
      read_taken<Spec, Own, false, SETS>(tiles, spots, left, args, list.elements, taken);
#pragma unroll
      for (int j = 0; j < SETS; j++) {
        const typename Spec::Row row = Spec::row(args, taken[j].number, taken[j].segment.length);
        const int live = static_cast<int>(least(static_cast<u64>(left[j]), live_columns<Spec>(row, taken[j].segment.length)));
        const State total = fold_tile<Spec, Own, true>(tiles[j], row, args, spots[j], live, static_cast<int>(taken[j].segment.turns));
        if (taken[j].some && lane_in_group<Own::lanes>() == 0) store_result<Spec>(results, total, row, args, taken[j].number);
      }
    }
  }
};

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS, bool LIGHT, int ABOVE = 0>
WF_FN void segments_reduce(const typename Spec::Args& args, const typename Spec::Results& results, const void* given,
                        const SegmentList& list) {
  const auto places = [](const Segment<Order, Odd, FIXED>& segment) { return scratch_slots(segment.tiles, 32); };
  const ReduceSegments<Spec> work = {args, results, list};
  work_on_segments<LIGHT, ABOVE, Order, Odd, Offset, FIXED, WARPS>(work, places, static_cast<const Offset*>(given), list);
}

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS>
WF_FN void segments_reduce_long(const typename Spec::Args& args, const typename Spec::Results& results, const void*, const SegmentList& list) {
  using State = typename Spec::State;
  using Kept = Slot<State>;
  WF_SHARED(State, of_tiles, 32);
  WF_SHARED(u32, ticket, 1);
  WF_SHARED(u32, coming, 1);
  const u32 filled = list.filled();
  // Parts are drawn, as they are uneven, and looked up a part ahead.
  u32 unit = blockIdx.x, after = unit + gridDim.x;
  LongPart next = {};
  if (unit < filled) next = list.parts[unit];
#pragma unroll 1
  while (unit < filled) {
    const LongPart own = next;
    u32 drawn = 0;
    if (threadIdx.x == 0) drawn = add_relaxed(list.drawn, 1);
    if (after < filled) next = list.parts[after];
    const u64 number = own.segment;
    const u32 start = own.first, part = unit - start;
    const auto segment = Segment<Order, Odd, FIXED>::at(own.from, own.length);
    const u64 parts = (segment.tiles + 31) / 32;
    const u32 count = number != NO_SEGMENT && part < parts ? static_cast<u32>(least(segment.tiles - part * 32ull, 32)) : 0;
    const typename Spec::Row row = Spec::row(args, count > 0 ? number : 0, segment.length);
#pragma unroll 1
    for (u32 k = warp_in_block() * Order::groups; k < count; k += WARPS * Order::groups) {
      const u32 mine = k + lane() / Order::lanes;
      const u64 tile = part * 32ull + mine;
      const State s = segment.odd
        ? reduce_segment_tile<Spec, Odd>(args, row, list, segment.from, segment.length, tile, segment.turns, mine < count)
        : reduce_segment_tile<Spec, Order>(args, row, list, segment.from, segment.length, tile, segment.turns, mine < count);
      if (lane_in_group<Order::lanes>() == 0 && mine < count) of_tiles[mine] = s;
    }
    if (threadIdx.x == 0) coming[0] = 2 * gridDim.x + drawn;
    __syncthreads();
    unit = after, after = coming[0];
    char* const states = static_cast<char*>(list.states) + static_cast<u64>(start) * Kept::bytes;
    if (count > 0 && warp_in_block() == 0) {
      State s = lane() < count ? of_tiles[lane()] : Spec::identity();
      s = fold_states<Spec, 32>(s, count, parts > 1);
      if (lane() == 0 && parts == 1) store_result<Spec>(results, s, row, args, number);
      if (lane() == 0 && parts > 1) {
        Kept::of(s).store(states, part);
        ticket[0] = add_acquire_release(&list.parts[start].ticket, 1);
      }
    }
    // Also keeps the next part from overwriting `of_tiles` and `coming` too early.
    __syncthreads();
    if (count > 0 && parts > 1 && ticket[0] == parts - 1) {
      const State s = fold_scratch<Spec, WARPS>(states, parts);
      if (threadIdx.x == 0) store_result<Spec>(results, s, row, args, number);
      __syncthreads();
    }
  }
}

}  // namespace wf
