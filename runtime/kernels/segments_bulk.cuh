// segments_bulk.cuh: inclusive scans of long segments at the memory's pace, with the bits of segments_scan_long. sm_90 and later.
//
//   segments_scan_bulk<Spec, Order, Odd, Offset, TILES, GROUPS, STAGES, CHUNK, BYTES, REVERSE>(args, results, offsets, list, relay)
//     In place of segments_scan_long, with its list, of which an entry is a batch of TILES tiles. Blocks draw batches by ticket and keep
//     STAGES of them under way in shared memory; warps have roles, as in array_scan_bulk.cuh:
//       0            fetches: draws, starts the copies
//       1            looks ahead: what all batches of the segment before come to
//       2 …          TILES warps publish the totals of each batch as soon as it has landed, and wait for nobody
//       2 + TILES …  GROUPS times TILES warps, a group a batch by turns, scan a tile each, CHUNK elements of a lane at a time, and store
//     All that parameters and results point to starts at multiples of 16 bytes (list.aligned), plain parameters have packs of
//     16 bytes, and there are no per-column ones and no `live`. Order::lanes = 32. STAGES is a multiple of GROUPS. In place is allowed.
//     BYTES: of one element of all plain parameters. Dynamic shared memory: STAGES * bulk_stage_elements(TILES * elements of the
//     larger tile) * BYTES. relay.words: those of TILES + 1 records for each place of the list. Grid: any; one block a multiprocessor
//     is enough. blockDim = 32 * (2 + TILES * (1 + GROUPS)).
#pragma once

namespace wf {

// A batch in its place.
struct BulkBatch {
  u64 segment, from, length, tiles;  // NO_SEGMENT: there are no more
  u32 start, batch, turns, odd;  // its segment's first entry, the batch's number there
  u32 count, to;                 // elements, and where they stand in the stage
};

template <class Spec, class Order, class Odd, int TILES, int GROUPS, int STAGES, int CHUNK, int BYTES, bool REVERSE> struct SegmentRing {
  using State = typename Spec::State;
  using Kept = Record<State>;
  using Seen = typename Kept::Seen;
  static constexpr int LARGEST = Order::size > Odd::size ? Order::size : Odd::size, ELEMENTS = bulk_stage_elements(TILES * LARGEST);
  static constexpr u32 STAGE = ELEMENTS * BYTES, PLACES = 2 * STAGES;
  // Elements that a lane of a reducing warp holds at a time, and such numbers for odd tiles: with more code, of which each warp runs
  // another part, all wait for instructions.
  static constexpr int TOTAL = 32, ODD_CHUNK = 4, ODD_TOTAL = 16;
  static_assert(STAGES % GROUPS == 0, "a group waits for each turn of its stages");
  static_assert(Order::lanes == 32, "a warp takes a tile");
  static_assert(TILES <= 32 && (TILES & (TILES - 1)) == 0, "a batch is part of one span");

  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const SegmentList& list;
  const u32 filled, number;
  u32* const tickets;
  u64 *const of_tiles, *const of_batches;
  // Shared: by stage, then by place.
  char* const stages;
  Barrier *const landed, *const free, *const reduced, *const placed;
  BulkBatch* const batches;
  State* const totals;
  Maybe<State>* const prefixes;

  WF_FN void begin() const {
    if (threadIdx.x == 0) {
      for (u32 s = 0; s < STAGES; s++) {
        landed[s].begin(1);
        free[s].begin(2 * TILES);
      }
      for (u32 m = 0; m < PLACES; m++) {
        reduced[m].begin(1);
        placed[m].begin(1);
      }
      show_barriers();
    }
  }

  // One lane. The ticket after the next is drawn while the next is looked up: both take a way to memory and back.
  WF_FN void fetch() const {
    u32 ticket = add_relaxed(tickets, 1), after = add_relaxed(tickets, 1), turn = 0;
    LongPart part = {};
    if (ticket < filled) part = list.parts[ticket];
    u64 of_segment = NO_SEGMENT;
    auto segment = Segment<Order, Odd, false>::at(0, 0);
    const auto draw = [&] {
      ticket = after;
      after = add_relaxed(tickets, 1);
      if (ticket < filled) part = list.parts[ticket];
    };
#pragma unroll 1
    for (;; draw()) {
      if (ticket >= filled) break;
      if (part.segment == NO_SEGMENT) continue;
      if (part.segment != of_segment) segment = Segment<Order, Odd, false>::at(part.from, part.length);
      of_segment = part.segment;
      const u32 batch = ticket - part.first, size = TILES * segment.turns * static_cast<u32>(segment.odd ? Odd::turn : Order::turn);
      const u64 start = static_cast<u64>(batch) * size;
      const u32 count = segment.length > start ? static_cast<u32>(least(segment.length - start, size)) : 0;
      const u64 first = segment.from + (REVERSE ? segment.length - start - count : start);
      const u32 to = static_cast<u32>(first % 16) + 16, s = turn % STAGES;
      free[s].wait((turn / STAGES & 1) ^ 1);
      batches[turn % PLACES] = {part.segment, segment.from, segment.length, segment.tiles, part.first, batch, segment.turns, segment.odd ? 1u : 0u, count, to};
      // A few elements at the end of a parameter were written by this lane, and copies follow in their place.
      show_to_copies();
      const RunCopier<ELEMENTS> copier = {stages + s * STAGE, first, list.elements, to, count, landed[s], 0, 0};
      (void)Spec::template items<Order::v>(args, copier);
      landed[s].expect(copier.bytes);
      turn++;
    }
    // Tells each group that there are no more.
#pragma unroll 1
    for (u32 k = 0; k < GROUPS; k++, turn++) {
      free[turn % STAGES].wait((turn / STAGES & 1) ^ 1);
      batches[turn % PLACES].segment = NO_SEGMENT;
      landed[turn % STAGES].arrive();
    }
  }

  // The tile of a batch that a warp takes, and where its position 0 stands in the stage.
  struct Place {
    Spot spot;
    int left, zero;
  };
  template <class Own> static WF_FN Place place_of(const SegmentList& list, const BulkBatch& own, u32 at, u32 turn, int turns) {
    const int ahead = static_cast<int>((at * own.turns + turn) * Own::turn);
    const u64 start = static_cast<u64>(own.batch) * (TILES * own.turns * Own::turn) + static_cast<u64>(ahead);
    const int size = turns * Own::turn, left = bounded(static_cast<int>(own.count) - ahead, 0, size);
    return {{own.from, start, own.length, list.elements, left > 0}, left, static_cast<int>(own.to) + (REVERSE ? static_cast<int>(own.count) - 1 - ahead : ahead)};
  }
  template <class Part, bool SURE> WF_FN void read(Tile<Spec, Part>& tile, const char* stage, const Place& here) const {
#pragma unroll
    for (int t = 0; t < Part::turns; t++) {
      const int p = slot_zero<Part>(t);
      tile.items[t] = Spec::template items<Part::v>(args, RunPack<ELEMENTS, REVERSE, SURE>{stage, REVERSE ? here.zero - p : here.zero + p, here.left - p, 0});
    }
  }

  // Some turns of a tile are an order of their own. SURE: all of them exist. Of single elements nobody asks that.
  static constexpr int least_of(int a, int b) { return a < b ? a : b; }
  template <class Line> static constexpr int part_turns(int elements) { return least_of(Line::turns, Line::v < elements ? elements / Line::v : 1); }
  template <class Line> static constexpr bool in_packs() { return Line::v > 1; }

  template <class Part, bool SURE> WF_FN void total_part(const BulkBatch& own, const Place& here, const char* stage, int t, Maybe<State>& so_far) const {
    const typename Spec::Row row = Spec::row(args, own.segment, own.length);
    Tile<Spec, Part> tile;
    read<Part, SURE>(tile, stage, here);
    const TileTotal<Spec> of_part = total_of_tile<Spec, Part, false, REVERSE>(tile, row, args, here.spot, SURE ? int(Part::size) : here.left, so_far,
                                                                              SURE ? int(Part::turns) : static_cast<int>(own.turns) - t);
    so_far = {of_part.total, true};
  }
  template <class Line> WF_FN void total(const BulkBatch& own, const char* stage, u32 place, u32 at) const {
    constexpr int TURNS = part_turns<Line>(in_packs<Line>() ? TOTAL : ODD_TOTAL);
    using Part = TileOrder<Line::v, 32, TURNS>;
    const int turns = static_cast<int>(own.turns);
    Maybe<State> so_far = {Spec::identity(), false};
#pragma unroll 1
    for (int t = 0; t < turns; t += TURNS) {
      const Place here = place_of<Line>(list, own, at, static_cast<u32>(t), turns - t < TURNS ? turns - t : TURNS);
      if (in_packs<Line>() && here.left == Part::size) {
        total_part<Part, in_packs<Line>()>(own, here, stage, t, so_far);
      } else {
        total_part<Part, false>(own, here, stage, t, so_far);
      }
    }
    if (lane() == 31) totals[place * TILES + at] = so_far.state;
  }

  WF_FN void reduce(u32 at) const {
#pragma unroll 1
    for (u32 turn = 0;; turn++) {
      const u32 s = turn % STAGES, place = turn % PLACES;
      landed[s].wait(turn / STAGES & 1);
      const BulkBatch& own = batches[place];
      if (own.segment == NO_SEGMENT) {
        if (at == 0 && lane() == 0) reduced[place].arrive();
        break;
      }
      const u32 exist = static_cast<u32>(least(own.tiles - static_cast<u64>(own.batch) * TILES, TILES));
      if (at >= exist) {
        if (lane() == 0) totals[place * TILES + at] = Spec::identity();
      } else if (own.odd != 0) {
        total<Odd>(own, stages + s * STAGE, place, at);
      } else {
        total<Order>(own, stages + s * STAGE, place, at);
      }
      const u64 entry = static_cast<u64>(own.start) + own.batch;
      __syncwarp();
      if (lane() == 0) free[s].arrive();
      sync_warps(1, TILES * 32);
      if (at == turn % TILES) {
        const State mine = lane() < TILES ? totals[place * TILES + lane()] : Spec::identity();
        const State all = Spec::scan_inclusive(mine, Width<TILES>{});
        if (lane() == TILES - 1) Kept::publish(of_batches, entry, all, number);
        if (lane() < exist) Kept::publish(of_tiles, entry * TILES + lane(), mine, number);
        __syncwarp();
        if (lane() == 0) reduced[place].arrive();
      }
    }
  }

  // Folds the totals of the spans `done` .. `span` of the segment whose entries begin at `start` into the carry, and gives the totals
  // of 32 tiles of which the leading `known` are asked for. All records are looked at before the first is waited for.
  WF_FN State gather(Prefixes<Spec>& to, u64& done, u64 span, u64 start, u32 known) const {
    constexpr int LOOKS = 5;
    constexpr u32 BATCHES = 32 / TILES;  // of a span
    Seen tile = {};
    do {
      Seen seen[LOOKS] = {};
      bool all;
      do {
        if (lane() < known && !Kept::there(tile, number)) tile = Kept::look(of_tiles, start * TILES + span * 32 + lane());
#pragma unroll
        for (int k = 0; k < LOOKS; k++) {
          const u64 at = done * BATCHES + k * 32 + lane();
          if (at < span * BATCHES && !Kept::there(seen[k], number)) seen[k] = Kept::look(of_batches, start + at);
        }
        all = lane() >= known || Kept::there(tile, number);
#pragma unroll
        for (int k = 0; k < LOOKS; k++) {
          const u64 at = done * BATCHES + k * 32 + lane();
          all = all && (at >= span * BATCHES || Kept::there(seen[k], number));
        }
      } while (!all);
      __syncwarp();
#pragma unroll
      for (int k = 0; k < LOOKS; k++) {
        if (done >= span) break;
        // Aligned parts of a span's scan: its last lane has what the scan of all its tiles has there.
        const State of_spans = Spec::scan_inclusive(Kept::value(seen[k]), Width<BATCHES>{});
        const u32 count = static_cast<u32>(least(span - done, TILES));
        if (count == TILES) {
          State next[TILES];
#pragma unroll
          for (u32 i = 0; i < TILES; i++) next[i] = shuffle_lane<32>(of_spans, i * BATCHES + BATCHES - 1);
#pragma unroll
          for (u32 i = 0; i < TILES; i++) to.carry = {join<Spec>(to.carry, next[i]), true};
        } else {
#pragma unroll 1
          for (u32 i = 0; i < count; i++) to.carry = {join<Spec>(to.carry, shuffle_lane<32>(of_spans, i * BATCHES + BATCHES - 1)), true};
        }
        done += count;
      }
    } while (done < span);
    return lane() < known ? Kept::value(tile) : Spec::identity();
  }

  WF_FN void look_ahead() const {
    // What the spans of a segment up to `done` come to. Tickets only grow: who has gone on to another segment never comes back.
    u64 done = 0, of_segment = NO_SEGMENT;
    Prefixes<Spec> so_far;
    so_far.begin(args);
#pragma unroll 1
    for (u32 turn = 0;; turn++) {
      const u32 place = turn % PLACES;
      reduced[place].wait(turn / PLACES & 1);
      const BulkBatch& own = batches[place];
      if (own.segment == NO_SEGMENT) break;
      if (own.segment != of_segment) {
        so_far.begin(args);
        of_segment = own.segment;
        done = 0;
      }
      const u64 span = static_cast<u64>(own.batch) * TILES / 32;
      const u32 base = own.batch * TILES % 32;
      const State known = gather(so_far, done, span, own.start, base);
      const bool mine = lane() >= base && lane() < base + TILES;
      so_far.totals = lane() < base ? known : mine ? totals[place * TILES + lane() - base] : Spec::identity();
      so_far.inclusive = Spec::scan_inclusive(so_far.totals, Width<32>{});
      const Maybe<State> prefix = so_far.at((base + lane()) % 32);
      if (lane() < TILES) prefixes[place * TILES + lane()] = prefix;
      __syncwarp();
      if (lane() == 0) placed[place].arrive();
    }
  }

  // What a warp knows while it scans a tile.
  struct Progress {
    Maybe<State> so_far, prefix;
    int turns;
    u32 s, place, at, parity;
  };
  // Scans some turns of a tile, from `t` on. SURE: all of them exist.
  template <class Part, bool SURE> WF_FN void scan_part(const BulkBatch& own, const Place& here, int t, Progress& known) const {
    const typename Spec::Row row = Spec::row(args, own.segment, own.length);
    const int left = SURE ? int(Part::size) : here.left;
    Tile<Spec, Part> tile;
    read<Part, SURE>(tile, stages + known.s * STAGE, here);
    if (t + Part::turns >= known.turns) {
      __syncwarp();
      if (lane() == 0) free[known.s].arrive();
    }
    Scan<Spec, Part> scan;
    scan_tile<Spec, Part, REVERSE>(scan, tile, row, args, here.spot, left, known.so_far, SURE ? int(Part::turns) : known.turns - t);
    known.so_far = {scan.total, true};
    if (t == 0) {
      placed[known.place].wait(known.parity);
      known.prefix = prefixes[known.place * TILES + known.at];
    }
    const Own<Part, REVERSE> out(static_cast<i64>(own.from + index_of<REVERSE>(here.spot, 0)), left);
    emit_scan_by<Spec, Part, false, REVERSE>(scan, tile, known.prefix, known.prefix.state, row, args, results, here.spot, [&](int t) {
      if constexpr (SURE) {
        return RunWriter<REVERSE>{out.first(t)};
      } else {
        return Writer<Load::any, REVERSE>{out.first(t), out.left(t)};
      }
    });
  }
  template <class Line> WF_FN void scan_one(const BulkBatch& own, Progress& known) const {
    constexpr int TURNS = part_turns<Line>(in_packs<Line>() ? CHUNK : ODD_CHUNK);
    using Part = TileOrder<Line::v, 32, TURNS>;
#pragma unroll 1
    for (int t = 0; t < known.turns; t += TURNS) {
      const Place here = place_of<Line>(list, own, known.at, static_cast<u32>(t), known.turns - t < TURNS ? known.turns - t : TURNS);
      if (in_packs<Line>() && here.left == Part::size) {
        scan_part<Part, in_packs<Line>()>(own, here, t, known);
      } else {
        scan_part<Part, false>(own, here, t, known);
      }
    }
  }

  WF_FN void scan(u32 warp) const {
    const u32 at = warp % TILES;
#pragma unroll 1
    for (u32 turn = warp / TILES;; turn += GROUPS) {
      const u32 s = turn % STAGES, place = turn % PLACES;
      landed[s].wait(turn / STAGES & 1);
      const BulkBatch& own = batches[place];
      if (own.segment == NO_SEGMENT) break;
      Progress known = {{Spec::identity(), false}, {Spec::identity(), false}, static_cast<int>(own.turns), s, place, at, turn / PLACES & 1};
      if (static_cast<u64>(own.batch) * TILES + at >= own.tiles) {
        if (lane() == 0) free[s].arrive();
      } else if (own.odd != 0) {
        scan_one<Odd>(own, known);
      } else {
        scan_one<Order>(own, known);
      }
    }
  }
};

template <class Spec, class Order, class Odd, class Offset, int TILES, int GROUPS, int STAGES, int CHUNK, int BYTES, bool REVERSE>
WF_FN void segments_scan_bulk(const typename Spec::Args& args, const typename Spec::Results& results, const void*, const SegmentList& list, const Relay& relay) {
  using State = typename Spec::State;
  using Roles = SegmentRing<Spec, Order, Odd, TILES, GROUPS, STAGES, CHUNK, BYTES, REVERSE>;
  constexpr u32 PLACES = Roles::PLACES;
  WF_DYNAMIC(stages, STAGES * Roles::STAGE);
  WF_SHARED(Barrier, landed, STAGES);
  WF_SHARED(Barrier, free, STAGES);
  WF_SHARED(Barrier, reduced, PLACES);
  WF_SHARED(Barrier, placed, PLACES);
  WF_SHARED(BulkBatch, batches, PLACES);
  WF_SHARED(State, totals, PLACES* TILES);
  WF_SHARED(Maybe<State>, prefixes, PLACES* TILES);
  const u32 number = launch_number(relay), filled = list.filled();
  u64* const of_batches = relay.records + list.places * TILES * Record<State>::words;
  const Roles roles = {args, results, list, filled, number, relay.control, relay.records, of_batches, stages, landed, free, reduced, placed, batches, totals, prefixes};
  roles.begin();
  __syncthreads();
  const u32 warp = warp_in_block();
  if (warp == 0) {
    if (lane() == 0) roles.fetch();
  } else if (warp == 1) {
    roles.look_ahead();
  } else if (warp < 2 + TILES) {
    roles.reduce(warp - 2);
  } else {
    roles.scan(warp - 2 - TILES);
  }
  leave_relay(relay, number);
}

}  // namespace wf
