// array_reduce.cuh: one result of an array of many tiles, with the bits of rows_reduce_parts.
//
//   array_reduce<Spec, Order, LOAD, WARPS>(args, results, shape, scratch)
//     Blocks take spans of 32 tiles in strides of the grid, a warp a tile, and fold one while the next is read; each counts
//     once how many it has folded, and the one that counts the last of them folds what all have left. Of an operator that keeps
//     one of its elements warps take tiles in strides, as any tree gives the same bits, and blocks leave one state each.
//     shape.rows = 1; more than 32 tiles; Order::lanes = 32. Grid: any; as many blocks as run at a time are enough.
//     blockDim = 32 * WARPS. scratch: that of rows_reduce_parts with PART = 32.
#pragma once

namespace wf {

// Whether the operator keeps one of its elements, and what a tile shares tells whether that may be one of the tile's
// (`Table::beats`). Such an operator gives the same bits by whatever tree.
template <class Spec, class Shared = typename Spec::Table::Shared>
WF_FN constexpr auto keeps_one(int) -> decltype(Spec::Table::beats(Shared(), Shared())) { return true; }
template <class Spec> WF_FN constexpr bool keeps_one(long) { return false; }

// What a warp's tiles come to, in every lane, for an operator that keeps one element. A whole tile is looked at first, by an
// instruction or two an element, and most hold nothing better than what the warp has met. Tiles of more elements than registers
// hold are looked at in parts, and those that do are read again.
template <class Spec, class Order, Load LOAD, int WARPS>
WF_FN typename Spec::State best_of_tiles(const typename Spec::Args& args, const typename Spec::Row& row, u64 cols, u64 tiles, u32 blocks) {
  using State = typename Spec::State;
  using Table = typename Spec::Table;
  using Shared = typename Table::Shared;
  constexpr int HELD = Order::v >= 32 ? 1 : 32 / Order::v;
  constexpr int TURNS = Order::turns % HELD == 0 ? HELD : Order::turns > HELD ? 1 : Order::turns;
  using Part = TileOrder<Order::v, 32, TURNS>;
  using Turn = TileOrder<Order::v, 32, 1>;
  const auto part_of = [&](u64 start) { return Spot{0, start, cols, cols, start < cols}; };
  State best = Spec::identity();
  bool some = false;
#pragma unroll 1
  for (u64 k = static_cast<u64>(blockIdx.x) * WARPS + warp_in_block(); k < tiles; k += static_cast<u64>(blocks) * WARPS) {
    const u64 start = k * Order::size;
    if (cols - start < Order::size || Spec::has_live) {
#pragma unroll 1
      for (int turn = 0; turn < Order::turns; turn++) {
        best = Spec::combine(best, reduce_tile<Spec, Turn, LOAD, true>(args, row, part_of(start + static_cast<u64>(turn * Order::turn))));
      }
      some = true;
      continue;
    }
    bool beats = !some;
    typename Spec::Mapped x[TURNS][Order::v];
    const Counting all = counting_in_tile(slot_zero<Part>(0), Part::turn, Part::size, TURNS);
    Shared seen;
    const auto look = [&](const Spot& part) {
      Tile<Spec, Part> tile;
      read_tile<Spec, Part, LOAD, false>(tile, args, part, Part::size);
      map_tile<Spec, Part>(x, tile, row, args, part);
      seen = Table::look(x, all, x[0][0]);
    };
#pragma unroll 1
    for (int turn = 0; turn < Order::turns; turn += TURNS) {
      look(part_of(start + static_cast<u64>(turn * Order::turn)));
      beats = beats || Table::beats(seen, Table::shared_by(best));
    }
    if (!any<32>(beats)) continue;
#pragma unroll 1
    for (int turn = 0; turn < Order::turns; turn += TURNS) {
      const u64 at = start + static_cast<u64>(turn * Order::turn);
      if (TURNS < Order::turns) look(part_of(at));
      const Shared shared = Spec::Share::reduce_all(seen, Width<32>{});
      const typename Table::Part part = Spec::Parts::reduce_all(Table::weigh(x, all, shared, Part::size, x[0][0]), Width<32>{});
      best = Spec::combine(best, Table::join(x[0][0], shared, part, Part::size, at));
    }
    some = true;
  }
  return best;
}

template <class Spec, class Order, Load LOAD, int WARPS>
WF_FN void array_best(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape, const RowScratch& scratch) {
  using State = typename Spec::State;
  using Kept = Slot<State>;
  WF_SHARED(State, of_warps, WARPS);
  WF_SHARED(u32, last, 1);
  const u64 cols = shape.cols, tiles = (cols + Order::size - 1) / Order::size;
  const u32 blocks = static_cast<u32>(least(gridDim.x, (tiles + 31) / 32));
  if (blockIdx.x >= blocks) return;
  const typename Spec::Row row = Spec::row(args, 0, cols);
  const State own = best_of_tiles<Spec, Order, LOAD, WARPS>(args, row, cols, tiles, blocks);
  if (lane() == 0) of_warps[warp_in_block()] = own;
  __syncthreads();
  if (warp_in_block() == 0) {
    State s = Spec::identity();
    if (lane() < WARPS) s = of_warps[lane()];
    s = Spec::reduce_first(s, Width<WARPS>{});
    if (lane() == 0) {
      Kept::of(s).store(scratch.states, blockIdx.x);
      last[0] = add_acquire_release(scratch.tickets, 1) + 1 == blocks;
    }
  }
  __syncthreads();
  if (last[0] == 0) return;
  const State s = fold_scratch<Spec, WARPS, true>(scratch.states, blocks);
  if (threadIdx.x == 0) {
    store_result<Spec>(results, s, row, args, 0);
    scratch.tickets[0] = 0;
  }
}

template <class Spec, class Order, Load LOAD, int WARPS>
WF_FN void array_reduce(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape, const RowScratch& scratch) {
  using State = typename Spec::State;
  using Kept = Slot<State>;
  static_assert(Order::lanes == 32, "a warp takes a tile");
  if constexpr (keeps_one<Spec>(0)) return array_best<Spec, Order, LOAD, WARPS>(args, results, shape, scratch);
  constexpr u32 SPAN = 32;
  // Two places, so that a span is folded while the next one is read.
  WF_SHARED(State, of_tiles, 2 * SPAN);
  WF_SHARED(u32, counted, 1);
  const u64 cols = shape.cols, tiles = (cols + Order::size - 1) / Order::size, spans = (tiles + SPAN - 1) / SPAN;
  const typename Spec::Row row = Spec::row(args, 0, cols);
  u32 turn = 0;
#pragma unroll 1
  for (u64 span = blockIdx.x; span < spans; span += gridDim.x) {
    const u32 count = static_cast<u32>(least(tiles - span * SPAN, SPAN));
    State* const own = of_tiles + turn % 2 * SPAN;
#pragma unroll 1
    for (u32 k = warp_in_block(); k < count; k += WARPS) {
      const State s = reduce_tile<Spec, Order, LOAD, false, false, true>(args, row, Spot{0, (span * SPAN + k) * Order::size, cols, cols, true});
      if (lane() == 0) own[k] = s;
    }
    __syncthreads();
    // Whoever writes here again has passed the next barrier, and so has this warp, with its fold done.
    if (warp_in_block() == turn % WARPS) {
      State s = Spec::identity();
      if (lane() < count) s = own[lane()];
      s = fold_states<Spec, 32>(s, count, true);
      if (lane() == 0) Kept::of(s).store(scratch.states, span);
    }
    turn++;
  }
  __syncthreads();
  if (threadIdx.x == 0) counted[0] = add_acquire_release(scratch.tickets, turn) + turn;
  __syncthreads();
  if (turn == 0 || counted[0] != spans) return;
  const State s = fold_scratch<Spec, WARPS, true>(scratch.states, spans);
  if (threadIdx.x == 0) {
    store_result<Spec>(results, s, row, args, 0);
    scratch.tickets[0] = 0;
  }
}

}  // namespace wf
