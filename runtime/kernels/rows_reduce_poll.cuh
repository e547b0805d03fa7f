// rows_reduce_poll.cuh: one result a row, for few rows of few tiles, where the way between blocks is what takes the time.
//
//   rows_reduce_poll<Spec, Order, LOAD, WARPS>(args, results, shape, relay)
//     rows of more than WARPS / 2 tiles, at most 2048, and whole arrays as one row; Order::lanes = 32. A warp folds a tile and a
//     block what its warps have; its tiles are those of a span that meet in the first steps of the plan. It publishes one
//     state, and the block of a row that began last waits for those of the others, which all run by then: no fence and one
//     way through memory between the last element and the result.
//     Grid: rows * poll_blocks(tiles, WARPS). blockDim = 32 * WARPS.
//     relay.relay.words: a state's 32-bit words for each block. relay.tickets: one word a row, zero before the first launch
//     and again after each.
#pragma once

namespace wf {

struct RowRelay {
  Relay relay;
  u32* tickets;
};

// Lanes of the plan that folds a span of a row of so many tiles.
WF_FN constexpr u32 poll_width(u64 tiles) { return tiles > 32 ? 32 : static_cast<u32>(power_of_two_from(static_cast<int>(tiles))); }
// Blocks of a row: as many for each span, so that they divide the steps of its plan evenly.
WF_FN constexpr u64 poll_blocks(u64 tiles, u32 warps) { return (tiles + 31) / 32 * (poll_width(tiles) / warps); }

// Folds what COUNT parts of a group of lanes came to, as the last steps of its plan do.
template <class Spec, int COUNT, int FROM = 0, int STEP = 1, int ALL> WF_FN typename Spec::State fold_parts(const typename Spec::State (&parts)[ALL]) {
  if constexpr (COUNT == 1) {
    return parts[FROM];
  } else {
    // In any order the plan joins the farthest first and neighbours last, in order the other way around.
    constexpr int HALF = COUNT / 2, NEXT = Spec::any_order ? STEP : HALF * STEP, WITHIN = Spec::any_order ? 2 * STEP : STEP;
    const typename Spec::State low = fold_parts<Spec, HALF, FROM, WITHIN>(parts);
    return Spec::combine(low, fold_parts<Spec, HALF, FROM + NEXT, WITHIN>(parts));
  }
}

// What the blocks of spans `first + lane` came to, of which there are `spans`, in ROUNDS further steps of 32: SHARES records a
// span, those of neighbouring spans side by side. Narrow ones are all looked at before the first is waited for.
template <class Spec, int SHARES, int ROUNDS>
WF_FN void await_spans(typename Spec::State (&of_spans)[ROUNDS], const u64* records, u32 spans, u32 number) {
  using Kept = Record<typename Spec::State>;
  constexpr bool AT_ONCE = ROUNDS * SHARES * Kept::words <= 32;
  constexpr int AHEAD = AT_ONCE ? ROUNDS : 1;
#pragma unroll
  for (int first = 0; first < ROUNDS; first += AHEAD) {
    typename Kept::Seen seen[AHEAD][SHARES] = {};
    bool all;
    // One warp looks, and mostly once: all of them again is less code than those that were missing.
    do {
      all = true;
#pragma unroll
      for (int i = 0; i < AHEAD; i++) {
        const u32 span = static_cast<u32>(first + i) * 32 + lane();
        if (span < spans) {
#pragma unroll
          for (int k = 0; k < SHARES; k++) seen[i][k] = Kept::look(records, static_cast<u32>(k) * spans + span);
#pragma unroll
          for (int k = 0; k < SHARES; k++) all = Kept::there(seen[i][k], number) & all;
        }
      }
    } while (!all);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
      typename Spec::State parts[SHARES];
#pragma unroll
      for (int k = 0; k < SHARES; k++) parts[k] = Kept::value(seen[i][k]);
      of_spans[first + i] = fold_parts<Spec, SHARES>(parts);
    }
  }
}

// Reads and folds one tile. Nearly all are full: those ask nothing of any pack, not even where it is read from, so that they are
// read as soon as the block runs. With a pivot twice as much code costs too many registers.
template <class Spec, class Order, Load LOAD>
WF_FN typename Spec::State reduce_likely_full(const typename Spec::Args& args, const typename Spec::Row& row, const Spot& spot) {
  if constexpr (!has_pivot<Spec>()) {
    if (live_in_tile<Spec, Order>(row, spot) == Order::size) {
      Tile<Spec, Order> tile;
      read_tile<Spec, Order, LOAD, false>(tile, args, spot, Order::size);
      return fold_tile<Spec, Order, false, false, Order::turns>(tile, row, args, spot, Order::size);
    }
  }
  return reduce_tile<Spec, Order, LOAD, false>(args, row, spot);
}

template <class Spec, class Order, Load LOAD, int WARPS>
WF_FN void rows_reduce_poll(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape, const RowRelay& relay) {
  using State = typename Spec::State;
  using Kept = Record<State>;
  static_assert(Order::lanes == 32, "a warp takes a tile");
  static_assert(WARPS <= 32 && (WARPS & (WARPS - 1)) == 0, "blocks divide a span");
  // Blocks of a span, where there are several.
  constexpr u32 SHARES = 32 / WARPS;
  WF_SHARED(State, of_warps, WARPS);
  WF_SHARED(u32, drawn, 1);
  const u64 length = (shape.rows - 1) * shape.stride + shape.cols;
  const u64 tiles = (shape.cols + Order::size - 1) / Order::size;
  const u32 spans = static_cast<u32>((tiles + 31) / 32), shares = poll_width(tiles) / WARPS, blocks = spans * shares;
  u64 r = 0;
  u32 block = blockIdx.x;
  // A whole array is one row: no division stands before its reads.
  if (shape.rows > 1) {
    r = block / blocks;
    block %= blocks;
  }
  const u32 span = spans > 1 ? block / SHARES : 0, share = spans > 1 ? block % SHARES : block, warp = warp_in_block();
  const u64 mine = span * 32 + (Spec::any_order ? warp * shares + share : share * WARPS + warp);
  const typename Spec::Row row = Spec::row(args, r, shape.cols);
  const Spot spot = {r * shape.stride, mine * Order::size, shape.cols, length, mine < tiles};
  // Under way together with the tile.
  const u32 ticket = threadIdx.x == 0 ? add_relaxed(relay.tickets + r, 1) : 0;
  const u32 before = launches_before(relay.relay);
  const State own = reduce_likely_full<Spec, Order, LOAD>(args, row, spot);
  const u32 number = before + 1;
  if (lane() == 0) {
    of_warps[warp] = Spec::identity();
    if (mine < tiles) of_warps[warp] = own;
  }
  if (threadIdx.x == 0) drawn[0] = ticket;
  __syncthreads();
  if (warp != 0) return;
  u64* const of_row = relay.relay.records + r * blocks * Kept::words;
  State s = Spec::identity();
  if (lane() < WARPS) s = of_warps[lane()];
  s = Spec::reduce_first(s, Width<WARPS>{});
  // The records of neighbouring spans stand side by side, as neighbouring lanes read them.
  if (lane() == 0) Kept::publish(of_row, share * spans + span, s, number);
  if (drawn[0] + 1 != blocks) return;

  if (spans == 1) {
    s = Spec::identity();
    if (lane() < shares) s = Kept::await(of_row, lane(), number);
    __syncwarp();
    s = fold_states<Spec, 32, SHARES>(s, shares, false);
  } else {
    // A lane has the span of its number, and the one 32 further on.
    if (spans <= 32) {
      State of_spans[1];
      await_spans<Spec, SHARES, 1>(of_spans, of_row, spans, number);
      s = fold_states<Spec, 32>(of_spans[0], spans, false);
    } else {
      State of_spans[2];
      await_spans<Spec, SHARES, 2>(of_spans, of_row, spans, number);
      s = Spec::reduce_first(of_spans[0], Width<32>{});
      s = Spec::combine(s, fold_states<Spec, 32>(of_spans[1], spans - 32, true));
    }
  }
  if (lane() != 0) return;
  store_result<Spec>(results, s, row, args, r * shape.out_stride);
  relay.tickets[r] = 0;
  // Every record of the row was seen, so every block of it knows the number. The last row makes the area ready.
  u32* const control = relay.relay.control;
  if (shape.rows > 1 && add_acquire_release(control + 1, 1) + 1 != shape.rows) return;
  if (number == 0xffffffffu) {
#pragma unroll 1
    for (u64 i = 0; i < relay.relay.words; i++) store_relaxed(relay.relay.records + i, 0);
  }
  control[1] = 0;
  control[2] = number == 0xffffffffu ? 0 : number;
}

}  // namespace wf
