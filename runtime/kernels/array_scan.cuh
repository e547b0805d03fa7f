// array_scan.cuh: scans of whole arrays, and of few long rows, by many blocks in one pass over the data.
//
//   array_scan<Spec, Order, LOAD, STORE, WARPS, EXCLUSIVE, REVERSE>(args, results, shape, relay)
//     Blocks of WARPS warps draw batches of WARPS * 32 / Order::lanes tiles (a power of two, at most 32) by ticket. A batch
//     publishes the totals of its tiles, the last batch of a span of 32 tiles the span's total; who comes later looks
//     ahead to those. An array is one row. In place is allowed. rows, cols >= 1; rows * batches < 2^32 - grid.
//     Grid: any; as many blocks as run at a time are enough. blockDim = 32 * WARPS.
//     relay.words: scan_words(rows, tiles, batch, 32-bit words of a state).
#pragma once

namespace wf {

// Words of the records: a total a tile, a total a span, and the last value of each batch.
WF_FN constexpr u64 scan_words(u64 rows, u64 tiles, u64 batch, u64 words) {
  return rows * words * (tiles + (tiles + 31) / 32 + (tiles + batch - 1) / batch);
}

template <class Given, class Order, Load LOAD, Load STORE, int WARPS, bool EXCLUSIVE, bool REVERSE>
WF_FN void array_scan(const typename Given::Args& args, const typename Given::Results& results, const RowShape& shape, const Relay& relay) {
  using Spec = Scanned<Given>;
  using State = typename Spec::State;
  using Kept = Record<State>;
  constexpr bool LASTS = hands_on_lasts<Spec, Order, EXCLUSIVE>();
  constexpr u32 BATCH = WARPS * Order::groups;
  static_assert(BATCH <= 32 && (BATCH & (BATCH - 1)) == 0, "a batch is part of one span");
  WF_SHARED(State, totals, BATCH);
  WF_SHARED(State, lasts, BATCH);
  WF_SHARED(State, inclusive, 32);
  WF_SHARED(Maybe<State>, carried, 1);
  WF_SHARED(State, first_value, 1);
  WF_SHARED(u32, ticket, 1);
  const u64 length = (shape.rows - 1) * shape.stride + shape.cols;
  const u64 tiles = (shape.cols + Order::size - 1) / Order::size;
  const u64 spans = (tiles + 31) / 32, batches = (tiles + BATCH - 1) / BATCH;
  u64* const of_tiles = relay.records;
  u64* const of_spans = of_tiles + shape.rows * tiles * Kept::words;
  u64* const of_batches = of_spans + shape.rows * spans * Kept::words;
  const u32 number = launch_number(relay);
  const u32 mine = warp_in_block() * Order::groups + lane() / Order::lanes;
  const bool leads = lane_in_group<Order::lanes>() == 0;
  // Warp 0 keeps what the spans of the row come to, up to `done`: its tickets only grow.
  u64 of_row = ~0ull, done = 0;
  Prefixes<Spec> prefixes;
  prefixes.begin(args);
  u32 next_ticket = threadIdx.x == 0 ? add_relaxed(relay.control, 1) : 0;
#pragma unroll 1
  for (;;) {
    // The first barrier of a batch also keeps it from overwriting what the batch before still reads.
    if (threadIdx.x == 0) ticket[0] = next_ticket;
    __syncthreads();
    const u64 unit = ticket[0];
    if (unit >= shape.rows * batches) break;
    const u64 r = unit / batches, batch = unit % batches;
    const typename Spec::Row row = Spec::row(args, r, shape.cols);
    const Spot spot = {r * shape.stride, (batch * BATCH + mine) * Order::size, shape.cols, length, batch * BATCH + mine < tiles};
    const int left = left_in_tile<Order>(spot, shape.cols);
    Tile<Spec, Order> tile;
    read_tile<Spec, Order, LOAD, REVERSE>(tile, args, spot, left);
    Scan<Spec, Order> scan;
    scan_tile<Spec, Order, REVERSE>(scan, tile, row, args, spot, left);
    if (leads) totals[mine] = scan.total;
    if constexpr (LASTS) {
      const State last = last_value<Spec, Order>(scan);
      if (leads) lasts[mine] = last;
    }
    __syncthreads();
    const u32 base = static_cast<u32>(batch * BATCH % 32);
    if (warp_in_block() == 0) {
      const u64 span = batch * BATCH / 32;
      if (r != of_row) {
        prefixes.begin(args);
        of_row = r;
        done = 0;
      }
      const bool own = lane() >= base && lane() < base + BATCH;
      const u64 at = r * tiles + span * 32 + lane();
      State total = own ? totals[lane() - base] : Spec::identity();
      if (own && span * 32 + lane() < tiles) Kept::publish(of_tiles, at, total, number);
      if (lane() < base) total = Kept::await(of_tiles, at, number);
      __syncwarp();
      prefixes.add(total, true);
      const State whole = shuffle_lane<32>(prefixes.inclusive, 31);
      if (base + BATCH == 32 && lane() == 0 && span < spans) Kept::publish(of_spans, r * spans + span, whole, number);
#pragma unroll 1
      while (done < span) {
        const u32 count = static_cast<u32>(least(span - done, 32));
        State next = Spec::identity();
        if (lane() < count) next = Kept::await(of_spans, r * spans + done + lane(), number);
        __syncwarp();
#pragma unroll 1
        for (u32 k = 0; k < count; k++) prefixes.carry = {join<Spec>(prefixes.carry, shuffle_lane<32>(next, k)), true};
        done += count;
      }
      inclusive[lane()] = prefixes.inclusive;
      if (lane() == 0) carried[0] = prefixes.carry;
      if constexpr (LASTS) {
        // The last value of this batch for the next, before waiting for that of the batch before.
        const auto prefix = prefixes.at(base + BATCH - 1);
        if (lane() == 0) {
          if (batch + 1 < batches) Kept::publish(of_batches, r * batches + batch, join<Spec>(prefix, lasts[BATCH - 1]), number);
          first_value[0] = batch > 0 ? Kept::await(of_batches, r * batches + batch - 1, number) : initial<Spec>(args).state;
        }
        __syncwarp();
      }
      // Drawn while the batch is stored, and not before: whoever waits for the next batch would wait for this one.
      if (lane() == 0) next_ticket = add_relaxed(relay.control, 1);
    }
    __syncthreads();
    if (warp_in_block() != 0) {
      prefixes.inclusive = inclusive[lane()];
      prefixes.carry = carried[0];
    }
    const auto prefix = prefixes.at(base + mine);
    State first = Spec::identity();
    if constexpr (LASTS) {
      const auto lower = prefixes.at(base + (mine > 0 ? mine - 1 : 0));
      first = mine > 0 ? join<Spec>(lower, lasts[mine - 1]) : first_value[0];
    }
    emit_scan<Spec, Order, EXCLUSIVE, REVERSE, STORE>(scan, tile, prefix, first, row, args, results, spot, r * shape.out_stride, left);
  }
  leave_relay(relay, number);
}

}  // namespace wf
