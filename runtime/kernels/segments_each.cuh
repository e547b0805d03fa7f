// segments_each.cuh: one result an element, by segments: scans, and `apply` once each segment's state is known.
//
// The results stand where their elements do; elements in no segment are left alone. In place is allowed. Both kinds take
// the list of segments_reduce.cuh, and three launches one after the other on a stream, like segments_reduce:
//
//   segments_apply<Spec, Order, Odd, Offset, FIXED, WARPS, LIGHT>(args, results, offsets, list, totals)
//   segments_apply_long<…>(args, results, offsets, list, totals)
//     After segments_reduce<Totals<Spec>, …> and segments_reduce_long<Totals<Spec>, …> with the same list, which left a
//     slot a segment in `totals`.
//   segments_scan<Spec, Order, Odd, Offset, FIXED, WARPS, LIGHT, LONG_WARPS, EXCLUSIVE, REVERSE>(args, results, offsets, list)
//     as segments_reduce; in place of the first segments_scan_short<Spec, Order, Odd, Offset, WARPS, LONG_WARPS, MOST, BYTES,
//     OUT, EXCLUSIVE, REVERSE>, as segments_short.cuh has it. Long ones are put on the list, an entry for each batch of LONG_WARPS * 32 / Order::lanes tiles (a
//     power of two, at most 32).
//   segments_scan_long<Spec, Order, Odd, Offset, FIXED, LONG_WARPS, EXCLUSIVE, REVERSE>(args, results, offsets, list, relay)
//     Blocks draw batches by ticket, and hand on what stands before them as array_scan.cuh has it, so that many blocks
//     work on a giant. relay.words: those of batch + 2 records for each entry. Grid: any. blockDim = 32 * LONG_WARPS.
//     Not those of at most list.whole tiles, which segments_whole.cuh takes.
#pragma once

namespace wf {

// The row of a segment, and the tile of it that a group of lanes reads. `aligned`: whether it stands in wide accesses.
template <class Spec, class Order, bool REVERSE>
WF_FN int read_segment_tile(Tile<Spec, Order>& tile, Spot& spot, const typename Spec::Args& args, const SegmentList& list, u64 from, u64 length,
                            u64 k, u32 turns, bool exists, bool& aligned) {
  const u64 size = turns * Order::turn;
  spot = {from, k * size, length, list.elements, exists};
  const int left[1] = {exists && length > spot.start ? static_cast<int>(least(length - spot.start, size)) : 0};
  const Spot spots[1] = {spot};
  Tile<Spec, Order> tiles[1];
  aligned = stands_aligned<Order, REVERSE>(list, from, length, exists);
  read_segment_tiles<Spec, Order, REVERSE, 1>(tiles, args, spots, left, aligned);
  tile = tiles[0];
  return left[0];
}

template <class Spec> struct ApplySegments {
  static constexpr bool halves = false;
  static constexpr u32 at_once = 8;
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const SegmentList& list;
  const void* const totals;
  template <class Own> WF_FN void one(u64 number, u64 from, u64 length, u64 k, u32 turns, bool some) const {
    const typename Spec::Row row = Spec::row(args, number, length);
    Tile<Spec, Own> tile;
    Spot spot;
    bool aligned;
    const int left = read_segment_tile<Spec, Own, false>(tile, spot, args, list, from, length, k, turns, some, aligned);
    const typename Spec::State total = Slot<typename Spec::State>::load(totals, number);
    apply_tile<Spec, Own, Load::any, Load::any>(tile, total, row, args, results, spot, from, left, aligned);
  }
  template <class Own, int SETS, class Segment> WF_FN void run(const Taken<Segment> (&taken)[SETS]) const {
    if constexpr (Own::groups == 1 && SETS == 1) {
      const Segment& segment = taken[0].segment;
#pragma unroll 1
      for (u32 k = 0; k < segment.tiles; k++) {
        one<Own>(taken[0].number, segment.from, segment.length, k, segment.turns, taken[0].some);
      }
    } else {
      // Groups that share a warp have one tile each.
      Tile<Spec, Own> tiles[SETS];
      Spot spots[SETS];
      int left[SETS];
      read_taken<Spec, Own, false, SETS>(tiles, spots, left, args, list.elements, taken);
#pragma unroll
      for (int j = 0; j < SETS; j++) {
        const typename Spec::Row row = Spec::row(args, taken[j].number, taken[j].segment.length);
        const typename Spec::State total = Slot<typename Spec::State>::load(totals, taken[j].number);
        apply_tile<Spec, Own, Load::any, Load::any>(tiles[j], total, row, args, results, spots[j], taken[j].segment.from, left[j]);
      }
    }
  }
};

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS, bool LIGHT>
WF_FN void segments_apply(const typename Spec::Args& args, const typename Spec::Results& results, const void* given, const SegmentList& list,
                          const void* totals) {
  // The long ones are on the list already.
  const auto places = [](const Segment<Order, Odd, FIXED>&) { return 0ull; };
  const ApplySegments<Spec> work = {args, results, list, totals};
  work_on_segments<LIGHT, 0, Order, Odd, Offset, FIXED, WARPS>(work, places, static_cast<const Offset*>(given), list);
}

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS>
WF_FN void segments_apply_long(const typename Spec::Args& args, const typename Spec::Results& results, const void*, const SegmentList& list,
                               const void* totals) {
  const ApplySegments<Spec> work = {args, results, list, totals};
  const u32 filled = list.filled();
#pragma unroll 1
  for (u32 unit = blockIdx.x; unit < filled; unit += gridDim.x) {
    const LongPart own = list.parts[unit];
    const u64 number = own.segment, part = unit - own.first;
    if (number == NO_SEGMENT) continue;
    const auto segment = Segment<Order, Odd, FIXED>::at(own.from, own.length);
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
  // More code would not stay in the instruction caches. Few segments a draw: a scan takes long.
  static constexpr bool halves = false;
  static constexpr u32 at_once = 4;
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const SegmentList& list;
  template <class Own, int SETS, class Segment> WF_FN void run(const Taken<Segment> (&taken)[SETS]) const {
    if constexpr (Own::groups == 1 && SETS == 1) {
      whole<Own>(taken[0]);
    } else {
      // Groups that share a warp have one tile each.
      Tile<Spec, Own> tiles[SETS];
      Spot spots[SETS];
      int left[SETS];
      read_taken<Spec, Own, REVERSE, SETS>(tiles, spots, left, args, list.elements, taken);
#pragma unroll
      for (int j = 0; j < SETS; j++) {
        const typename Spec::Row row = Spec::row(args, taken[j].number, taken[j].segment.length);
        const auto prefix = initial<Spec>(args);
        Scan<Spec, Own> scan;
        scan_tile<Spec, Own, REVERSE>(scan, tiles[j], row, args, spots[j], left[j]);
        emit_scan<Spec, Own, EXCLUSIVE, REVERSE, Load::any>(scan, tiles[j], prefix, prefix.state, row, args, results, spots[j],
                                                            taken[j].segment.from, left[j]);
      }
    }
  }
  // Turns of which a warp holds the elements at a time, and of how many elements a lane.
  static constexpr int PART = 16;
  template <class Own> static constexpr int some_turns() { return Own::v * Own::turns <= PART ? Own::turns : Own::v < PART ? PART / Own::v : 1; }
  // A segment of a few tiles, one after the other, and some turns of each at a time: a short one runs through no more code, and
  // few registers let many warps wait for the memory.
  template <class Own, class Segment> WF_FN void whole(const Taken<Segment>& taken) const {
    using State = typename Spec::State;
    using Part = TileOrder<Own::v, Own::lanes, some_turns<Own>()>;
    const Segment& segment = taken.segment;
    const typename Spec::Row row = Spec::row(args, taken.number, segment.length);
    Prefixes<Spec> prefixes;
    prefixes.begin(args);
    State before = prefixes.carry.state;
    const u32 count = static_cast<u32>(segment.tiles);
    const int length = static_cast<int>(segment.length), turns = static_cast<int>(segment.turns);
    const bool aligned = stands_aligned<Own, REVERSE>(list, segment.from, segment.length, taken.some);
    // Where a part is, and how many of its positions exist.
    const auto locate = [&](Spot& spot, int start, int last) {
      spot = {segment.from, static_cast<u64>(start), segment.length, list.elements, taken.some};
      return taken.some ? bounded((last < length ? last : length) - start, 0, Part::size) : 0;
    };
#pragma unroll 1
    for (u32 k = 0; k < count; k++) {
      const auto prefix = k > 0 ? prefixes.at(k) : prefixes.carry;
      const int end = static_cast<int>(k + 1) * turns * Own::turn;
      Maybe<State> so_far = {Spec::identity(), false};
#pragma unroll 1
      for (int t = 0; t < turns; t += Part::turns) {
        Tile<Spec, Part> tiles[1];
        Spot spots[1];
        const int left[1] = {locate(spots[0], end - (turns - t) * Own::turn, end)};
        read_segment_tiles<Spec, Part, REVERSE, 1>(tiles, args, spots, left, aligned);
        Scan<Spec, Part> scan;
        scan_tile<Spec, Part, REVERSE>(scan, tiles[0], row, args, spots[0], left[0], so_far, turns - t);
        State last = before;
        if constexpr (EXCLUSIVE) last = join<Spec>(prefix, last_value<Spec, Part>(scan, turns - t));
        emit_scan<Spec, Part, EXCLUSIVE, REVERSE, Load::any>(scan, tiles[0], prefix, before, row, args, results, spots[0], segment.from, left[0], aligned);
        before = last;
        so_far = {scan.total, true};
      }
      if (count > 1) prefixes.add(so_far.state, lane() == k);
    }
  }
};

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS, bool LIGHT, int LONG_WARPS, bool EXCLUSIVE, bool REVERSE, int ABOVE = 0>
WF_FN void segments_scan(const typename Spec::Args& args, const typename Spec::Results& results, const void* given, const SegmentList& list) {
  constexpr u64 BATCH = LONG_WARPS * Order::groups;
  const auto places = [](const Segment<Order, Odd, FIXED>& segment) { return (segment.tiles + BATCH - 1) / BATCH; };
  const ScanSegments<Spec, EXCLUSIVE, REVERSE> work = {args, results, list};
  work_on_segments<LIGHT, ABOVE, Order, Odd, Offset, FIXED, WARPS>(work, places, static_cast<const Offset*>(given), list);
}

// What the threads of a block share while it scans batches.
template <class Spec, int BATCH> struct BatchRoom {
  typename Spec::State totals[BATCH], lasts[BATCH], inclusive[32], first_value;
  Maybe<typename Spec::State> carried;
  u32 ticket;
  LongPart part;
};

// The next batch of a block, as its first thread knows it.
struct DrawnBatch {
  u32 ticket;
  LongPart part;
  WF_FN void draw(const SegmentList& list, const Relay& relay, u32 filled) {
    ticket = add_relaxed(relay.control, 1);
    if (ticket < filled) part = list.parts[ticket];
  }
};

// Has what some block scans a round after batch `batch` brought nearer: blocks read, scan and wait for each other in step, and the
// memory would rest. All threads of the block call, before they read their own, while registers are free.
template <class Spec, class Order, class Odd, int WARPS, bool REVERSE, class Segment>
WF_FN void bring_later(const typename Spec::Args& args, const Segment& segment, u32 batch) {
  if (threadIdx.x != 32 * WARPS - 32) return;
  const u64 size = static_cast<u64>(WARPS * Order::groups * (segment.odd ? Odd::turn : Order::turn)) * segment.turns, start = (batch + static_cast<u64>(gridDim.x)) * size;
  if (start >= segment.length) return;
  const u64 count = least(segment.length - start, size);
  bring<Spec>(args, segment.from + (REVERSE ? segment.length - start - count : start), count);
}

// Scans batch `batch` of a segment whose entries begin at `start`. `prefixes` are what warp 0 knows of the segment: what its
// spans come to, up to `done`. All threads of the block call; `next` is thread 0's.
template <class Spec, class Own, int WARPS, bool EXCLUSIVE, bool REVERSE, class Segment, class Room>
WF_FN void scan_batch(const typename Spec::Args& args, const typename Spec::Results& results, const SegmentList& list, u64 segment_number,
                      const Segment& segment, u64 start, u64 batch, Room& room, Prefixes<Spec>& prefixes, u64& done, const Relay& relay,
                      u32 number, u32 filled, DrawnBatch& next) {
  using State = typename Spec::State;
  using Kept = Record<State>;
  constexpr u32 BATCH = WARPS * Own::groups;
  static_assert(BATCH <= 32 && (BATCH & (BATCH - 1)) == 0, "a batch is part of one span");
  const u32 mine = warp_in_block() * Own::groups + lane() / Own::lanes;
  const bool leads = lane_in_group<Own::lanes>() == 0;
  [[maybe_unused]] const u64 batches = (segment.tiles + BATCH - 1) / BATCH;
  // Where the records of a tile, a span and a batch's last value are.
  const auto of_tile = [&](u64 k) { return (start + k / BATCH) * (BATCH + 2) + k % BATCH; };
  const auto of_span = [&](u64 k) { return (start + (k + 1) * (32 / BATCH) - 1) * (BATCH + 2) + BATCH; };
  [[maybe_unused]] const auto of_batch = [&](u64 k) { return (start + k) * (BATCH + 2) + BATCH + 1; };
  const typename Spec::Row row = Spec::row(args, segment_number, segment.length);
  Tile<Spec, Own> tile;
  Spot spot;
  bool aligned;
  const int left = read_segment_tile<Spec, Own, REVERSE>(tile, spot, args, list, segment.from, segment.length, batch * BATCH + mine,
                                                         segment.turns, batch * BATCH + mine < segment.tiles, aligned);
  Scan<Spec, Own> scan;
  scan_tile<Spec, Own, REVERSE>(scan, tile, row, args, spot, left, {Spec::identity(), false}, static_cast<int>(segment.turns));
  if (leads) room.totals[mine] = scan.total;
  if constexpr (EXCLUSIVE) {
    const State last = last_value<Spec, Own>(scan, static_cast<int>(segment.turns));
    if (leads) room.lasts[mine] = last;
  }
  __syncthreads();
  const u32 base = static_cast<u32>(batch * BATCH % 32);
  if (warp_in_block() == 0) {
    const u64 span = batch * BATCH / 32;
    const bool own = lane() >= base && lane() < base + BATCH;
    State total = own ? room.totals[lane() - base] : Spec::identity();
    if (own && span * 32 + lane() < segment.tiles) Kept::publish(relay.records, of_tile(span * 32 + lane()), total, number);
    if (lane() < base) total = Kept::await(relay.records, of_tile(span * 32 + lane()), number);
    __syncwarp();
    prefixes.add(total, true);
    const State whole = shuffle_lane<32>(prefixes.inclusive, 31);
    if (base + BATCH == 32 && lane() == 0) Kept::publish(relay.records, of_span(span), whole, number);
#pragma unroll 1
    while (done < span) {
      const u32 count = static_cast<u32>(least(span - done, 32));
      State next = Spec::identity();
      if (lane() < count) next = Kept::await(relay.records, of_span(done + lane()), number);
      __syncwarp();
#pragma unroll 1
      for (u32 k = 0; k < count; k++) prefixes.carry = {join<Spec>(prefixes.carry, shuffle_lane<32>(next, k)), true};
      done += count;
    }
    room.inclusive[lane()] = prefixes.inclusive;
    if (lane() == 0) room.carried = prefixes.carry;
    if constexpr (EXCLUSIVE) {
      // The last value of this batch for the next, before waiting for that of the batch before.
      const auto prefix = prefixes.at(base + BATCH - 1);
      if (lane() == 0) {
        if (batch + 1 < batches) Kept::publish(relay.records, of_batch(batch), join<Spec>(prefix, room.lasts[BATCH - 1]), number);
        room.first_value = batch > 0 ? Kept::await(relay.records, of_batch(batch - 1), number) : initial<Spec>(args).state;
      }
      __syncwarp();
    }
    // Drawn while the batch is stored, and not before: whoever waits for the next batch would wait for this one.
    if (lane() == 0) next.draw(list, relay, filled);
  }
  __syncthreads();
  if (warp_in_block() != 0) {
    prefixes.inclusive = room.inclusive[lane()];
    prefixes.carry = room.carried;
  }
  const auto prefix = prefixes.at(base + mine);
  State first = Spec::identity();
  if constexpr (EXCLUSIVE) {
    const auto lower = prefixes.at(base + (mine > 0 ? mine - 1 : 0));
    first = mine > 0 ? join<Spec>(lower, room.lasts[mine - 1]) : room.first_value;
  }
  emit_scan<Spec, Own, EXCLUSIVE, REVERSE, Load::any>(scan, tile, prefix, first, row, args, results, spot, segment.from, left, aligned);
}

template <class Spec, class Order, class Odd, class Offset, bool FIXED, int WARPS, bool EXCLUSIVE, bool REVERSE>
WF_FN void segments_scan_long(const typename Spec::Args& args, const typename Spec::Results& results, const void*, const SegmentList& list,
                              const Relay& relay) {
  using Room = BatchRoom<Spec, WARPS * Order::groups>;
  WF_SHARED(Room, room, 1);
  const u32 filled = list.filled(), number = launch_number(relay);
  // Tickets only grow: who has gone on to another segment never comes back.
  u64 of_segment = ~0ull, done = 0;
  Prefixes<Spec> prefixes;
  prefixes.begin(args);
  DrawnBatch next = {};
  if (threadIdx.x == 0) next.draw(list, relay, filled);
#pragma unroll 1
  for (;;) {
    // The first barrier of a batch also keeps it from overwriting what the batch before still reads.
    if (threadIdx.x == 0) room->ticket = next.ticket, room->part = next.part;
    __syncthreads();
    const u32 unit = room->ticket;
    if (unit >= filled) break;
    const LongPart part = room->part;
    if (part.segment == NO_SEGMENT) {
      if (threadIdx.x == 0) next.draw(list, relay, filled);
      __syncthreads();
      continue;
    }
    if (part.segment != of_segment) {
      prefixes.begin(args);
      of_segment = part.segment;
      done = 0;
    }
    const auto segment = Segment<Order, Odd, FIXED>::at(part.from, part.length);
    // An exclusive scan has no registers left for it.
    if constexpr (!EXCLUSIVE) bring_later<Spec, Order, Odd, WARPS, REVERSE>(args, segment, unit - part.first);
    if (segment.odd) {
      scan_batch<Spec, Odd, WARPS, EXCLUSIVE, REVERSE>(args, results, list, part.segment, segment, part.first, unit - part.first,
                                                       room[0], prefixes, done, relay, number, filled, next);
    } else {
      scan_batch<Spec, Order, WARPS, EXCLUSIVE, REVERSE>(args, results, list, part.segment, segment, part.first, unit - part.first,
                                                         room[0], prefixes, done, relay, number, filled, next);
    }
  }
  leave_relay(relay, number);
}

}  // namespace wf
