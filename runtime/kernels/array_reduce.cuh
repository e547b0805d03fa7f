// array_reduce.cuh: one result of an array of many tiles, with the bits of rows_reduce_parts.
//
//   array_reduce<Spec, Order, LOAD, WARPS>(args, results, shape, scratch)
//     Blocks take spans of 32 tiles in strides of the grid, a warp a tile, and fold one while the next is read; each counts
//     once how many it has folded, and the one that counts the last of them folds what all have left.
//     shape.rows = 1; more than 32 tiles; Order::lanes = 32. Grid: any; as many blocks as run at a time are enough.
//     blockDim = 32 * WARPS. scratch: that of rows_reduce_parts with PART = 32.
#pragma once

namespace wf {

// What a warp has met, tile after tile, where the operator keeps one of its elements, and what a tile shares tells whether
// that may be one of the tile's (`Table::beats`).
template <class Shared> struct Champion {
  static constexpr bool reigns = true;
  Shared best;
  bool some;
};
struct NoChampion {
  static constexpr bool reigns = false;
};
template <class Spec, class Shared = typename Spec::Table::Shared>
WF_FN auto champion_of(int) -> decltype(Spec::Table::beats(Shared(), Shared()), Champion<Shared>()) {
  return {Shared(), false};
}
template <class Spec> WF_FN NoChampion champion_of(long) { return {}; }

// The state of a tile, in lane 0. With a champion a whole tile is looked at first, by an instruction or two an element: most
// change nothing and give the identity; the others are read again, no more elements at a time than registers hold.
template <class Spec, class Order, Load LOAD, class Reigning>
WF_FN typename Spec::State reduce_next(const typename Spec::Args& args, const typename Spec::Row& row, const Spot& spot, Reigning& champion) {
  using State = typename Spec::State;
  constexpr int HELD = 32 / Order::v;
  constexpr int TURNS = HELD == 0 ? 1 : HELD < Order::turns ? HELD : Order::turns;
  if constexpr (!Reigning::reigns || Order::turns % TURNS != 0) {
    return reduce_tile<Spec, Order, LOAD, false, false, true>(args, row, spot);
  } else {
    using Table = typename Spec::Table;
    using Part = TileOrder<Order::v, 32, TURNS>;
    const auto part_of = [&](int turn) {
      const u64 start = spot.start + static_cast<u64>(turn * Order::turn);
      return Spot{spot.offset, start, spot.cols, spot.length, start < spot.cols};
    };
    if (champion.some && live_in_tile<Spec, Order>(row, spot) == Order::size) {
      bool beats = false;
#pragma unroll 1
      for (int turn = 0; turn < Order::turns; turn += TURNS) {
        const Spot part = part_of(turn);
        Tile<Spec, Part> tile;
        read_tile<Spec, Part, LOAD, false>(tile, args, part, Part::size);
        typename Spec::Mapped x[TURNS][Order::v];
        map_tile<Spec, Part>(x, tile, row, args, part);
        const Counting all = counting_in_tile(slot_zero<Part>(0), Part::turn, Part::size, TURNS);
        beats = Table::beats(Table::look(x, all, x[0][0]), champion.best) || beats;
      }
      if (!any<32>(beats)) return Spec::identity();
    }
    State s = Spec::identity();
#pragma unroll 1
    for (int turn = 0; turn < Order::turns; turn += TURNS) s = Spec::combine(s, reduce_tile<Spec, Part, LOAD, false>(args, row, part_of(turn)));
    const typename Table::Shared best = shuffle_lane<32>(Table::shared_by(s), 0);
    if (!champion.some || Table::beats(best, champion.best)) champion.best = best;
    champion.some = true;
    return s;
  }
}

template <class Spec, class Order, Load LOAD, int WARPS>
WF_FN void array_reduce(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape, const RowScratch& scratch) {
  using State = typename Spec::State;
  using Kept = Slot<State>;
  static_assert(Order::lanes == 32, "a warp takes a tile");
  constexpr u32 SPAN = 32;
  // Two places, so that a span is folded while the next one is read.
  WF_SHARED(State, of_tiles, 2 * SPAN);
  WF_SHARED(u32, counted, 1);
  const u64 cols = shape.cols, tiles = (cols + Order::size - 1) / Order::size, spans = (tiles + SPAN - 1) / SPAN;
  const typename Spec::Row row = Spec::row(args, 0, cols);
  auto champion = champion_of<Spec>(0);
  u32 turn = 0;
#pragma unroll 1
  for (u64 span = blockIdx.x; span < spans; span += gridDim.x) {
    const u32 count = static_cast<u32>(least(tiles - span * SPAN, SPAN));
    State* const own = of_tiles + turn % 2 * SPAN;
#pragma unroll 1
    for (u32 k = warp_in_block(); k < count; k += WARPS) {
      const State s = reduce_next<Spec, Order, LOAD>(args, row, Spot{0, (span * SPAN + k) * Order::size, cols, cols, true}, champion);
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
  const State s = fold_scratch<Spec, WARPS>(scratch.states, spans);
  if (threadIdx.x == 0) {
    store_result<Spec>(results, s, row, args, 0);
    scratch.tickets[0] = 0;
  }
}

}  // namespace wf
