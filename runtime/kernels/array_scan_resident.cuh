// array_scan_resident.cuh: scans of arrays so small that all their blocks run at once, with the bits of array_scan.cuh.
//
//   array_scan_resident<Spec, Order, LOAD, STORE, WARPS, EXCLUSIVE, REVERSE>(args, results, shape, relay)
//     A block takes the WARPS tiles of its index, publishes their totals and reads those of all tiles before: one way
//     through memory between blocks. Blocks wait for each other, so the launch is cooperative.
//     shape.rows = 1; 1 to 2048 tiles; Order::lanes = 32; WARPS a power of two, 2 to 32. In place is allowed.
//     Grid: ceil(tiles / WARPS), all of which run at once. blockDim = 32 * WARPS.
//     relay.words: resident_words(tiles, WARPS, 32-bit words of a state).
#pragma once

namespace wf {

// Words of the records: a total a tile, a last value a batch.
WF_FN constexpr u64 resident_words(u64 tiles, u64 batch, u64 words) { return words * (tiles + (tiles + batch - 1) / batch); }

// What spans `from` to `to` come to behind `before`: one combination after the other, which every warp waits for, so that nothing
// is asked on the way.
template <class Spec>
WF_FN Maybe<typename Spec::State> after_spans(const Maybe<typename Spec::State>& before, const typename Spec::State* of_spans, u32 from, u32 to) {
  using State = typename Spec::State;
  constexpr u32 AHEAD = 8;
  if (from == to) return before;
  State carry = join<Spec>(before, of_spans[from]);
  u32 s = from + 1;
#pragma unroll 1
  for (; s + AHEAD <= to; s += AHEAD) {
    State next[AHEAD];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) next[k] = of_spans[s + k];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) carry = Spec::combine(carry, next[k]);
  }
  if (s == to) return {carry, true};
  State last[AHEAD];
#pragma unroll
  for (u32 k = 0; k < AHEAD; k++) last[k] = of_spans[s + k < to ? s + k : s];
#pragma unroll
  for (u32 k = 0; k < AHEAD; k++) {
    const State further = Spec::combine(carry, last[k]);
    if (s + k < to) carry = further;
  }
  return {carry, true};
}

// A block's part. WHOLE: all elements of its tiles exist, and nothing is asked of any on the way.
template <class Spec, class Order, Load LOAD, Load STORE, int WARPS, bool EXCLUSIVE, bool REVERSE, bool WHOLE>
WF_FN void scan_resident(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape, const Relay& relay) {
  using State = typename Spec::State;
  using Kept = Record<State>;
  constexpr bool LASTS = hands_on_lasts<Spec, Order, EXCLUSIVE>();
  static_assert(Order::lanes == 32 && WARPS > 1 && WARPS <= 32 && (WARPS & (WARPS - 1)) == 0, "a batch is part of one span");
  constexpr u32 AHEAD = sizeof(State) <= 8 ? 4 : 1, SPANS = 64;
  // Others wait for the totals: where warps are many, each folds its own before it scans.
  constexpr bool EARLY = WARPS >= 8;
  WF_SHARED(State, totals, WARPS);
  WF_SHARED(State, lasts, WARPS);
  WF_SHARED(State, lower, 32);
  WF_SHARED(State, of_spans, SPANS);
  WF_SHARED(State, before_last, 1);
  WF_SHARED(State, last_before, 1);
  const u64 cols = shape.cols, tiles = (cols + Order::size - 1) / Order::size;
  const u32 batch = blockIdx.x, warp = warp_in_block(), mine = batch * WARPS + warp;
  const u32 span = batch * WARPS / 32, base = batch * WARPS % 32;
  u64 *const of_tiles = relay.records, *const of_lasts = of_tiles + tiles * Kept::words;
  const u32 number = launch_number(relay);
  const typename Spec::Row row = Spec::row(args, 0, cols);
  const Spot spot = {0, static_cast<u64>(mine) * Order::size, cols, cols, WHOLE || mine < tiles};
  const int left = WHOLE ? int(Order::size) : left_in_tile<Order>(spot, cols);
  Tile<Spec, Order> tile;
  if constexpr (WHOLE) {
    read_items<Spec, Order, LOAD, REVERSE, Sure::full>(tile, args, spot, left);
    if constexpr (Spec::has_columns) read_columns<Spec, Order, LOAD, REVERSE, Sure::full>(tile, args, spot, left);
  } else {
    read_tile<Spec, Order, LOAD, REVERSE>(tile, args, spot, left);
  }
  const auto publish = [&](const State& total, const State& last) {
    if (WHOLE || mine < tiles) Kept::publish(of_tiles, mine, total, number);
    totals[warp] = total;
    if constexpr (LASTS) {
      if (warp == WARPS - 1 && mine + 1 < tiles) Kept::publish(of_lasts, batch, last, number);
      lasts[warp] = last;
    }
  };
  Scan<Spec, Order> scan;
  if constexpr (EARLY) {
    const TileTotal<Spec> of_tile = total_of_tile<Spec, Order, LASTS, REVERSE>(tile, row, args, spot, left);
    if (lane() == 31) publish(of_tile.total, of_tile.last);
    scan_tile<Spec, Order, REVERSE>(scan, tile, row, args, spot, left);
  } else {
    scan_tile<Spec, Order, REVERSE>(scan, tile, row, args, spot, left);
    State last = scan.total;
    if constexpr (LASTS) last = last_value<Spec, Order>(scan);
    if (lane() == 0) publish(scan.total, last);
  }
  const bool last_block = threadIdx.x == 0 && last_to_come(relay, number);

  // What the spans before come to, and the tiles before in this one.
#pragma unroll 1
  for (u32 s = warp; s < span; s += WARPS * AHEAD) {
    typename Kept::Seen seen[AHEAD] = {};
    bool all;
    do {
      all = true;
#pragma unroll
      for (u32 k = 0; k < AHEAD; k++) {
        if (s + k * WARPS < span && !Kept::there(seen[k], number)) seen[k] = Kept::look(of_tiles, (s + k * WARPS) * 32 + lane());
      }
#pragma unroll
      for (u32 k = 0; k < AHEAD; k++) all = all && (s + k * WARPS >= span || Kept::there(seen[k], number));
    } while (!all);
    __syncwarp();
    State folds[AHEAD];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      folds[k] = Kept::value(seen[k]);
      if (LASTS && s + k * WARPS + 1 == span) {
        const State scanned = Spec::scan_inclusive(folds[k], Width<32>{});
        if (lane() == 30) before_last[0] = scanned;
      }
    }
    // The last lane of a scan has what a fold in order comes to.
    const State of_span = fold_together<Spec, 32>(folds);
    if (lane() < AHEAD && s + lane() * WARPS < span) of_spans[s + lane() * WARPS] = of_span;
  }
  // The last value of the batch before is asked for by a lane that no tile before needs.
  const bool of_lower = lane() < base, of_last = LASTS && lane() == 31 && batch > 0;
  if (warp == WARPS - 1 && (of_lower || of_last)) {
    const State seen = Kept::await(of_last ? of_lasts : of_tiles, of_last ? batch - 1 : span * 32 + lane(), number);
    if (of_last) last_before[0] = seen;
    if (!of_last) lower[lane()] = seen;
  }
  __syncthreads();

  Prefixes<Spec> prefixes;
  prefixes.begin(args);
  [[maybe_unused]] Maybe<State> before = prefixes.carry;
  if constexpr (LASTS) {
    if (span > 0) before = after_spans<Spec>(before, of_spans, 0, span - 1);
    prefixes.carry = after_spans<Spec>(before, of_spans, span > 0 ? span - 1 : 0, span);
  } else {
    prefixes.carry = after_spans<Spec>(prefixes.carry, of_spans, 0, span);
  }
  // Assignments, not `?:`, whose operands the compiler would keep in memory to choose between their places.
  State of_tile = Spec::identity();
  if (lane() < base) {
    of_tile = lower[lane()];
  } else if (lane() < base + WARPS) {
    of_tile = totals[lane() - base];
  }
  prefixes.add(of_tile, true);
  const auto prefix = prefixes.at(base + warp);
  State first = Spec::identity();
  if constexpr (LASTS) {
    const auto below = prefixes.at(base + warp > 0 ? base + warp - 1 : 0);
    if (mine == 0) {
      first = initial<Spec>(args).state;
    } else {
      // Where a span begins, the value before it needs the tiles of the span before.
      State lowest = last_before[0];
      if (warp > 0) lowest = lasts[warp - 1];
      first = base + warp > 0 ? join<Spec>(below, lowest) : Spec::combine(join<Spec>(before, before_last[0]), lowest);
    }
  }
  emit_scan<Spec, Order, EXCLUSIVE, REVERSE, STORE>(scan, tile, prefix, first, row, args, results, spot, 0, left);
  leave_resident(relay, number, last_block);
}

template <class Given, class Order, Load LOAD, Load STORE, int WARPS, bool EXCLUSIVE, bool REVERSE>
WF_FN void array_scan_resident(const typename Given::Args& args, const typename Given::Results& results, const RowShape& shape, const Relay& relay) {
  using Spec = Scanned<Given>;
  const u64 end = (static_cast<u64>(blockIdx.x) + 1) * (WARPS * Order::size);
  if (end <= shape.cols) {
    scan_resident<Spec, Order, LOAD, STORE, WARPS, EXCLUSIVE, REVERSE, true>(args, results, shape, relay);
  } else {
    scan_resident<Spec, Order, LOAD, STORE, WARPS, EXCLUSIVE, REVERSE, false>(args, results, shape, relay);
  }
}

}  // namespace wf
