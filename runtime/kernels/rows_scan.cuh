// rows_scan.cuh: one result an element, from the states of the elements before it in its row.
//
// In place is allowed. STORE says of the results what LOAD says of the parameters. Entries, for blocks of whole warps;
// rows, cols >= 1:
//
//   rows_scan<Spec, Order, COLS, LOAD, STORE, SETS, EXCLUSIVE, REVERSE>(args, results, shape)
//     rows of one tile, by a group of Order::lanes lanes with SETS rows in flight. COLS: the columns where they are
//     known while compiling, else 0. Grid: ceil(rows / (SETS * 32 / Order::lanes)) warps.
//
//   rows_scan_tiles<Spec, Order, LOAD, STORE, WARPS, EXCLUSIVE, REVERSE, COLS>(args, results, shape)
//     rows of any number of tiles, each read once: a block a row, in strides of the grid, WARPS * 32 / Order::lanes
//     tiles at a time, a power of two of at most 32. blockDim = 32 * WARPS. COLS: the columns where they are whole packs that
//     fill those tiles once, so that nothing is asked of any element and no second look is compiled, else 0.
#pragma once

namespace wf {

template <class Spec, class Order, int COLS, Load LOAD, Load STORE, int SETS, bool EXCLUSIVE, bool REVERSE>
WF_FN void rows_scan(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  const u64 cols = COLS > 0 ? COLS : shape.cols;
  const u64 first = (static_cast<u64>(blockIdx.x) * (blockDim.x / 32) + warp_in_block()) * (Order::groups * SETS);
  if (first >= shape.rows) return;
  const u64 length = (shape.rows - 1) * shape.stride + cols;
  Tile<Spec, Order> tiles[SETS];
  u64 numbers[SETS];
  Spot spots[SETS];
  int left[SETS];
#pragma unroll
  for (int k = 0; k < SETS; k++) {
    const u64 r = first + k * Order::groups + lane() / Order::lanes;
    numbers[k] = least(r, shape.rows - 1);
    spots[k] = Spot{numbers[k] * shape.stride, 0, cols, length, r < shape.rows};
    left[k] = left_in_tile<Order>(spots[k], cols);
  }
  read_tiles<Spec, Order, LOAD, REVERSE, SETS>(tiles, args, spots, left);
#pragma unroll
  for (int k = 0; k < SETS; k++) {
    const typename Spec::Row row = Spec::row(args, numbers[k], cols);
    Scan<Spec, Order> scan;
    scan_tile<Spec, Order, REVERSE, (Order::turns > 1)>(scan, tiles[k], row, args, spots[k], left[k]);
    const auto prefix = initial<Spec>(args);
    emit_scan<Spec, Order, EXCLUSIVE, REVERSE, STORE>(scan, tiles[k], prefix, prefix.state, row, args, results, spots[k],
                                                      numbers[k] * shape.out_stride, left[k]);
  }
}

template <class Spec, class Order, Load LOAD, Load STORE, int WARPS, bool EXCLUSIVE, bool REVERSE, int COLS = 0>
WF_FN void rows_scan_tiles(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  using State = typename Spec::State;
  constexpr u32 BATCH = WARPS * Order::groups;
  static_assert(BATCH <= 32 && (BATCH & (BATCH - 1)) == 0, "a batch is part of one span");
  constexpr bool FULL = COLS > 0;
  static_assert(!FULL || COLS == static_cast<int>(BATCH) * Order::size, "the columns fill a batch");
  // Batches take turns with two places, so that one barrier a batch is enough.
  WF_SHARED(State, totals, 2 * BATCH);
  WF_SHARED(State, lasts, 2 * BATCH);
  const u64 cols = FULL ? COLS : shape.cols;
  const u64 length = (shape.rows - 1) * shape.stride + cols;
  const u64 tiles = (cols + Order::size - 1) / Order::size;
  const u32 mine = warp_in_block() * Order::groups + lane() / Order::lanes;
  const bool leads = lane_in_group<Order::lanes>() == 0;
  u32 place = 0;
#pragma unroll 1
  for (u64 r = blockIdx.x; r < shape.rows; r += gridDim.x) {
    const typename Spec::Row row = Spec::row(args, r, cols);
    Prefixes<Spec> prefixes;
    prefixes.begin(args);
    State before = prefixes.carry.state;
#pragma unroll 1
    for (u64 batch = 0; batch < tiles; batch += BATCH, place ^= BATCH) {
      const Spot spot = {r * shape.stride, (batch + mine) * Order::size, cols, length, FULL || batch + mine < tiles};
      const int left = FULL ? Order::size : left_in_tile<Order>(spot, cols);
      Tile<Spec, Order> tile;
      if constexpr (FULL) {
        read_full_tile<Spec, Order, LOAD, REVERSE>(tile, args, spot);
      } else {
        read_tile<Spec, Order, LOAD, REVERSE>(tile, args, spot, left);
      }
      Scan<Spec, Order> scan;
      scan_tile<Spec, Order, REVERSE, true>(scan, tile, row, args, spot, left);
      if (leads) totals[place + mine] = scan.total;
      if constexpr (EXCLUSIVE) {
        const State last = last_value<Spec, Order>(scan);
        if (leads) lasts[place + mine] = last;
      }
      __syncthreads();
      const u32 base = static_cast<u32>(batch % 32);
      const bool new_lane = lane() >= base && lane() < base + BATCH;
      prefixes.add(new_lane ? totals[place + lane() - base] : Spec::identity(), new_lane);
      const auto prefix = prefixes.at(base + mine);
      State first = before;
      if constexpr (EXCLUSIVE) {
        const auto lower = prefixes.at(base + (mine > 0 ? mine - 1 : 0));
        const auto last = prefixes.at(base + BATCH - 1);
        if (mine > 0) first = join<Spec>(lower, lasts[place + mine - 1]);
        before = join<Spec>(last, lasts[place + BATCH - 1]);
      }
      const Own<Order, REVERSE> own(static_cast<i64>(r * shape.out_stride + index_of<REVERSE>(spot, 0)), left);
      const auto make = [&](int t) { return Writer<STORE, REVERSE>{own.first(t), FULL ? Order::v : own.left(t)}; };
      emit_scan_by<Spec, Order, EXCLUSIVE, REVERSE>(scan, tile, prefix, first, row, args, results, spot, make);
      if (base + BATCH == 32) prefixes.next_span();
    }
  }
}

}  // namespace wf
