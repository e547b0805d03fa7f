// segments_whole.cuh: scans of segments that are long, but not so long that one block would hold up the others.
//
//   segments_scan_whole<Spec, Order, Odd, Offset, WARPS, BYTES, OUT, EXCLUSIVE, REVERSE>(args, results, offsets, list)
//     After segments_scan_short: takes the segments of `middles` that are long, of at most list.whole tiles. Each is one
//     block's, which waits for nobody: it keeps what stands before a batch of WARPS tiles to itself, and while it scans and
//     stores one batch the elements of its next are on their way into shared memory. Results leave as neighbours wherever a
//     segment starts. The bits are those of any other way; in place is allowed. list.longest is zero before: blocks
//     draw segments by it. Grid: any. blockDim = 32 * WARPS.
//
//   BYTES, OUT  of one element, as segments_short.cuh has it. All plain parameters have packs of 16 bytes, and there are no
//               per-column ones. Order::lanes = 32. Dynamic shared memory: 2 * whole_stage_elements(elements of a batch) * BYTES.
#pragma once

namespace wf {

// Elements that a stage holds: those of a batch, which begins anywhere among 16.
WF_FN constexpr int whole_stage_elements(int batch) { return (batch + 16 + 127) / 128 * 128; }

// A segment that a block has drawn, if there was one.
struct WholeSegment {
  u64 number, from, length, tiles;
  u32 turns;
  bool some, odd;
};

template <class Spec, class Order, class Odd, class Offset, int WARPS, int BYTES, int OUT, bool EXCLUSIVE, bool REVERSE> struct WholeScan {
  using State = typename Spec::State;
  using Lines = Segment<Order, Odd, false>;
  static constexpr u32 THREADS = WARPS * 32;
  static constexpr int V = Order::v;
  static constexpr int largest(int a, int b) { return a > b ? a : b; }
  static constexpr int ELEMENTS = whole_stage_elements(WARPS * largest(Order::size, Odd::size));
  static constexpr u32 STAGE = ELEMENTS * BYTES, RESULTS = OUT > 0 ? OUT * ELEMENTS : 0;
  using Room = Stage<ELEMENTS, true>;
  static_assert(Order::lanes == 32 && WARPS <= 32 && (WARPS & (WARPS - 1)) == 0, "a batch is part of one span, a tile a warp");
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const Offset* const offsets;
  const SegmentList& list;
  // Shared: two of each, by turns.
  char* const stages;
  WholeSegment* const segments;
  State *const totals, *const lasts;  // of the batch's tiles

  // Finds the next segment. One thread calls, and the others know after the next barrier.
  WF_FN void draw(WholeSegment& own) const {
    const u64 filled = least(*list.middling, list.middle_places);
    own.some = false;
#pragma unroll 1
    for (;;) {
      const u64 ticket = add_relaxed(list.longest, 1);
      if (ticket >= filled) return;
      const u64 number = list.middles[ticket];
      const auto segment = Segment<Order, Odd, false>::of(offsets, number, list.elements);
      if (!segment.is_long()) continue;
      own = {number, segment.from, segment.length, segment.tiles, segment.turns, true, segment.odd};
      return;
    }
  }

  // The elements of a batch, and where they stand in their stage.
  struct Run {
    u64 start, first;  // in the segment, in memory
    u32 count, to;
    bool wide;
  };
  static WF_FN Run run_of(const SegmentList& list, const WholeSegment& own, u32 batch) {
    const u32 size = WARPS * own.turns * (own.odd ? Odd::turn : Order::turn);
    const u64 start = static_cast<u64>(batch) * size;
    const u32 count = static_cast<u32>(least(own.length - start, size));
    const u64 first = own.from + (REVERSE ? own.length - start - count : start);
    // Packs are read as such: those that stand between two in memory are moved.
    const bool wide = list.aligned != 0 && (own.odd || first % V == 0);
    return {start, first, count, wide || own.odd ? static_cast<u32>(first % 16) : 0, wide};
  }

  WF_FN void fetch(u32 turn, const WholeSegment& own, u32 batch) const {
    if (!own.some) return;
    const Run run = run_of(list, own, batch);
    (void)Spec::template items<V>(args, CopyIn<Room, THREADS>{stages + turn * STAGE, run.first, list.elements, run.to, run.count, run.wide, threadIdx.x, 0});
  }

  // What stands before a batch, of which each warp keeps its own copy: the prefixes of its tiles, and what an exclusive scan
  // gives at its first position.
  struct Known {
    Prefixes<Spec> prefixes;
    State before;
    WF_FN void begin(const typename Spec::Args& args) {
      prefixes.begin(args);
      before = prefixes.carry.state;
    }
  };

  static WF_FN bool more(const WholeSegment& own, u32 batch) { return (batch + 1) * WARPS < own.tiles; }

  // Scans and stores a batch of segment `at`, which stands in stage `turn`. After its last one the first of the segment that is
  // drawn meanwhile is fetched.
  template <class Own> WF_FN void scan(u32 turn, u32 at, u32 batch, Known& known) const {
    const WholeSegment& own = segments[at];
    char* const stage = stages + turn * STAGE;
    const u32 mine = warp_in_block(), base = batch * WARPS % 32;
    const int turns = static_cast<int>(own.turns), ahead = static_cast<int>(mine) * turns * Own::turn;
    const Run run = run_of(list, own, batch);
    const typename Spec::Row row = Spec::row(args, own.number, own.length);
    const Spot spot = {own.from, run.start + static_cast<u64>(ahead), own.length, list.elements, batch * WARPS + mine < own.tiles};
    const int left = bounded(static_cast<int>(run.count) - ahead, 0, turns * Own::turn);
    // Where position 0 of the tile stands.
    const int zero = static_cast<int>(run.to) + (REVERSE ? static_cast<int>(run.count) - 1 - ahead : ahead);
    Tile<Spec, Own> tile;
#pragma unroll
    for (int t = 0; t < Own::turns; t++) {
      const int p = slot_zero<Own>(t);
      tile.items[t] = Spec::template items<Own::v>(args, StagePack<Room, REVERSE, true>{stage, REVERSE ? zero - p : zero + p, left - p, 0});
    }
    Scan<Spec, Own> scan;
    scan_tile<Spec, Own, REVERSE>(scan, tile, row, args, spot, left, {Spec::identity(), false}, turns);
    if (lane() == 0) totals[mine] = scan.total;
    if constexpr (EXCLUSIVE) {
#pragma unroll
      for (int t = 0; t < Own::turns; t++) {
        if (t + 1 == turns && lane() == 31) lasts[mine] = scan.value[t][Own::v - 1];
      }
    }
    __syncthreads();
    if (!more(own, batch)) fetch(turn ^ 1, segments[at ^ 1], 0);
    const bool of_batch = lane() >= base && lane() < base + WARPS;
    known.prefixes.add(of_batch ? totals[lane() - base] : Spec::identity(), of_batch);
    State first = known.before;
    if constexpr (EXCLUSIVE) {
      const auto lower = known.prefixes.at(base + (mine > 0 ? mine - 1 : 0));
      if (mine > 0) first = join<Spec>(lower, lasts[mine - 1]);
      known.before = join<Spec>(known.prefixes.at(base + WARPS - 1), lasts[WARPS - 1]);
    }
    emit_scan_by<Spec, Own, EXCLUSIVE, REVERSE>(scan, tile, known.prefixes.at(base + mine), first, row, args, results, spot, [&](int t) {
      const int p = slot_zero<Own>(t);
      return PackWriter<Room, REVERSE>{stage + RESULTS, REVERSE ? zero - p : zero + p, left - p, 0};
    });
    if (base + WARPS == 32) known.prefixes.next_span();
    __syncthreads();
    const Run out = run_of(list, own, batch);
    const typename Spec::Result nothing[1] = {};
    Spec::template store<1>(results, nothing, CopyOut<Room, THREADS>{stage + RESULTS, out.first, out.to, out.count, out.wide, threadIdx.x, 0});
  }

  WF_FN void run() const {
    // One of the last warp, which has nothing to scan in most last batches.
    const bool draws = threadIdx.x == THREADS - 32;
    if (draws) draw(segments[0]);
    __syncthreads();
    fetch(0, segments[0], 0);
    Known known;
    known.begin(args);
    u32 at = 0, batch = 0;
#pragma unroll 1
    for (u32 turn = 0;; turn ^= 1) {
      await_copies();
      // Also keeps what is written from here on until all have done with what was there.
      __syncthreads();
      const WholeSegment& own = segments[at];
      if (!own.some) break;
      if (more(own, batch)) {
        fetch(turn ^ 1, own, batch + 1);
      } else if (draws) {
        draw(segments[at ^ 1]);
      }
      __syncwarp();
      if (own.odd) {
        scan<Odd>(turn, at, batch, known);
      } else {
        scan<Order>(turn, at, batch, known);
      }
      if (more(own, batch)) {
        batch++;
      } else {
        batch = 0;
        at ^= 1;
        known.begin(args);
      }
    }
  }
};

template <class Spec, class Order, class Odd, class Offset, int WARPS, int BYTES, int OUT, bool EXCLUSIVE, bool REVERSE>
WF_FN void segments_scan_whole(const typename Spec::Args& args, const typename Spec::Results& results, const void* given, const SegmentList& list) {
  using Work = WholeScan<Spec, Order, Odd, Offset, WARPS, BYTES, OUT, EXCLUSIVE, REVERSE>;
  using State = typename Spec::State;
  WF_DYNAMIC(stages, 2 * Work::STAGE);
  WF_SHARED(WholeSegment, segments, 2);
  WF_SHARED(State, totals, WARPS);
  WF_SHARED(State, lasts, EXCLUSIVE ? WARPS : 1);
  const Work work = {args, results, static_cast<const Offset*>(given), list, stages, segments, totals, lasts};
  work.run();
}

}  // namespace wf
