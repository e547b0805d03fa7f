// rows_reduce_poll.cuh: one result a row, for few rows of few tiles, where the way between blocks is what takes the time.
//
//   rows_reduce_poll<Spec, Order, LOAD, WARPS>(args, results, shape, relay)
//     rows of 2 to 1024 tiles, or 2048 where WARPS >= 16, and whole arrays as one row; Order::lanes = 32. A warp folds a
//     tile and publishes its state; the block of a row that began last waits for those of the others, which all run by then,
//     and folds them: no fence and one way through memory between the last element and the result.
//     blocks = ceil(tiles / WARPS) a row. Grid: rows * blocks. blockDim = 32 * WARPS.
//     relay.relay.words: rows * tiles * 32-bit words of a state. relay.tickets: one word a row, zero before the first launch
//     and again after each.
#pragma once

namespace wf {

struct RowRelay {
  Relay relay;
  u32* tickets;
};

template <class Spec, class Order, Load LOAD, int WARPS>
WF_FN void rows_reduce_poll(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape, const RowRelay& relay) {
  using State = typename Spec::State;
  using Kept = Record<State>;
  static_assert(Order::lanes == 32, "a warp takes a tile");
  // Groups of 32 tiles whose records a warp looks at before it waits for the first.
  constexpr bool MANY = WARPS >= 16;
  constexpr u32 AHEAD = sizeof(State) <= (MANY ? 16 : 8) ? 4 : 1, GROUPS = MANY ? 64 : 32;
  // A long fold is one piece of code for all of a warp's groups: what one block runs once is fetched as it runs.
  constexpr bool ROLLED = sizeof(State) > 8 && AHEAD > 1;
  WF_SHARED(State, of_groups, GROUPS);
  WF_SHARED(State, seen_states, ROLLED ? WARPS * AHEAD * 32 : 1);
  WF_SHARED(u32, drawn, 1);
  const u64 length = (shape.rows - 1) * shape.stride + shape.cols;
  const u64 tiles = (shape.cols + Order::size - 1) / Order::size, blocks = (tiles + WARPS - 1) / WARPS;
  const u64 r = blockIdx.x / blocks, mine = blockIdx.x % blocks * WARPS + warp_in_block();
  // Under way while the tile is read.
  const u32 ticket = threadIdx.x == 0 ? add_relaxed(relay.tickets + r, 1) : 0;
  const u32 number = launch_number(relay.relay);
  const typename Spec::Row row = Spec::row(args, r, shape.cols);
  const State own = reduce_tile<Spec, Order, LOAD, false>(args, row, Spot{r * shape.stride, mine * Order::size, shape.cols, length, mine < tiles});
  u64* const of_row = relay.relay.records + r * tiles * Kept::words;
  if (lane() == 0 && mine < tiles) Kept::publish(of_row, mine, own, number);
  if (threadIdx.x == 0) drawn[0] = ticket;
  __syncthreads();
  if (drawn[0] + 1 != blocks) return;

  const u32 groups = static_cast<u32>((tiles + 31) / 32);
#pragma unroll 1
  for (u32 g = warp_in_block(); g < groups; g += WARPS * AHEAD) {
    typename Kept::Seen seen[AHEAD] = {};
    bool all;
    do {
      all = true;
#pragma unroll
      for (u32 k = 0; k < AHEAD; k++) {
        const u64 at = static_cast<u64>(g + k * WARPS) * 32 + lane();
        if (at < tiles && !Kept::there(seen[k], number)) seen[k] = Kept::look(of_row, at);
      }
#pragma unroll
      for (u32 k = 0; k < AHEAD; k++) all = all && (static_cast<u64>(g + k * WARPS) * 32 + lane() >= tiles || Kept::there(seen[k], number));
    } while (!all);
    __syncwarp();
    const auto fold = [&](u32 group, State s) {
      if (group * 32 + lane() >= tiles) s = Spec::identity();
      s = groups > 1 ? Spec::reduce_first(s, Width<32>{}) : fold_states<Spec, 32>(s, tiles, false);
      if (lane() == 0 && group < groups) of_groups[group] = s;
    };
    if constexpr (ROLLED) {
      State* const own = seen_states + warp_in_block() * AHEAD * 32 + lane();
#pragma unroll
      for (u32 k = 0; k < AHEAD; k++) own[k * 32] = Kept::value(seen[k]);
#pragma unroll 1
      for (u32 k = 0; k < AHEAD && g + k * WARPS < groups; k++) fold(g + k * WARPS, own[k * 32]);
    } else {
#pragma unroll
      for (u32 k = 0; k < AHEAD; k++) {
        // Short folds overlap where nothing is asked between them.
        if (Spec::fold == Fold::striped || sizeof(State) <= 4 || g + k * WARPS < groups) fold(g + k * WARPS, Kept::value(seen[k]));
      }
    }
  }
  __syncthreads();
  if (warp_in_block() != 0) return;
  u32 count = groups;
  State s = Spec::identity();
  if (lane() < groups) s = of_groups[lane()];
  if (MANY && groups > 32) {
    count = (groups + 31) / 32;
    State level = Spec::identity();
#pragma unroll 1
    for (u32 g = 0; g < count; g++) {
      State next = Spec::identity();
      if (g * 32 + lane() < groups) next = of_groups[g * 32 + lane()];
      const State all = shuffle_lane<32>(Spec::reduce_first(next, Width<32>{}), 0);
      if (lane() == g) level = all;
    }
    s = level;
  }
  if (groups > 1) s = fold_states<Spec, 32>(s, count, false);
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
