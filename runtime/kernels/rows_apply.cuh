// rows_apply.cuh: one result an element, once its row's state is known.
//
// Each element is read once and kept in registers where a block can hold the row, and every entry may work in place.
// STORE says of the results what LOAD says of the parameters. Entries, for blocks of whole warps; rows, cols >= 1:
//
//   rows_apply<Spec, Order, COLS, TILES, LOAD, STORE, SETS>(args, results, shape)
//     rows of exactly TILES tiles, 1 to 4 and at most Order::lanes, by a group of Order::lanes lanes with SETS rows in
//     flight. COLS: the columns where they are known while compiling, else 0.
//     Grid: ceil(rows / (SETS * 32 / Order::lanes)) warps.
//
//   rows_apply_block<Spec, Order, LOAD, STORE>(args, results, shape)
//     rows of 2 to 32 tiles: a block a row, in strides of the grid; 32 lanes a tile at once:
//     blockDim = 32 * ceil(tiles / (32 / Order::lanes)).
//
//   rows_apply_again<Spec, Order, LOAD, STORE, WARPS>(args, results, shape)
//     rows of 2 to 1024 tiles: a block a row, in strides of the grid, reads it twice, the second time from the L2 cache
//     as long as the rows in work fit there. blockDim = 32 * WARPS, WARPS at most 32;
//     16 keep most specs within the registers.
//
//   rows_apply_totals<Spec, Order, LOAD, STORE>(args, results, shape, totals)
//     rows of any number of tiles, with the row's states where `rows_reduce_parts<Totals<Spec>, …>` left them (out_stride 1):
//     a slot a row. Grid: any; warps take tiles in strides.
#pragma once

namespace wf {

// A spec whose result is the state of the row, init included, into slots (see Slot).
template <class Spec> struct Totals : Spec {
  using Result = typename Spec::State;
  struct Results {
    void* slots;
  };
  static WF_FN Result finish(const typename Spec::State& s, const typename Spec::Row&, const typename Spec::Args&) { return s; }
  template <int V, class W> static WF_FN void store(const Results& results, const Result (&values)[V], const W& write) {
    Slot<Result>::of(values[0]).store(results.slots, write.at);
  }
};

// Reads packs of `#[per_column]` elements, which every row wants: through the L1 cache, and where they are whole without
// a question. The leading `live` slots from element `first` on exist; column 0 always does.
template <Load LOAD> struct ColumnReader {
  i64 first;
  int live;

  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    constexpr int EACH = Wide<T, V>::each;
    Pack<T, V> r;
#pragma unroll
    for (int piece = 0; piece < V; piece += EACH) {
      Pack<T, EACH> p;
      if constexpr (V == 1) {
        p.v[0] = fetch(base + (live > 0 ? first : 0));
      } else if constexpr (LOAD == Load::whole && Wide<T, EACH>::power) {
        using Whole = typename Granule<Wide<T, EACH>::granule>::Type;
        const T* const at = base + (live > 0 ? first : 0) + piece;
        p = copy_bits<Pack<T, EACH>>(fetch(reinterpret_cast<const Whole*>(at)));
      } else {
        p = read_asking<EACH>(base, first + piece, 0, bounded(live - piece, 0, EACH));
      }
#pragma unroll
      for (int s = 0; s < EACH; s++) r.v[piece + s] = p.v[s];
    }
    return r;
  }
};

// Applies the state of the row to a tile and stores what comes out. All 32 lanes call. Per-column elements are read here,
// few at a time, so that they hold no registers while the row is folded. `wide`: as a Writer has it. AGAIN: elements still stand in
// memory as they were read, but for those that this lane has stored results of; as `weigh_tile` has it.
template <class Spec, class Order, Load LOAD, Load STORE, bool AGAIN = false>
WF_FN void apply_tile(const Tile<Spec, Order>& tile, const typename Spec::State& total, const typename Spec::Row& row,
                      const typename Spec::Args& args, const typename Spec::Results& results, const Spot& spot, u64 out, int left, bool wide = false) {
  const int own = slot_zero<Order>(0);
  const u64 mine = index_of<false>(spot, own);
  // Turns at a time that ask together whether a division was unsure: 4 elements or a pack.
  constexpr int STEP = Order::v < 4 ? 4 / Order::v : 1;
  u32 again = 0;  // a bit for each first turn of those that are left to the loop below
#pragma unroll
  for (int from = 0; from < Order::turns; from += STEP) {
    typename Spec::template Columns<Order::v> columns[STEP];
    typename Spec::Result values[STEP][Order::v];
    const Swiftly swiftly;
#pragma unroll
    for (int k = 0; k < STEP; k++) {
      const int t = from + k;
      if (t >= Order::turns) break;
      const u64 index = mine + static_cast<u64>(t * Order::turn);
      columns[k] = Spec::template columns<Order::v>(args, ColumnReader<LOAD>{static_cast<i64>(index), left - own - t * Order::turn});
#pragma unroll
      for (int s = 0; s < Order::v; s++) {
        values[k][s] = Spec::template apply<Order::v>(swiftly, total, tile.items[t], columns[k], s, row, args, index + static_cast<u64>(s));
      }
    }
    if (swiftly.unsure || (!AGAIN && swiftly.rare)) {
#pragma unroll
      for (int k = 0; k < STEP; k++) {
        const int t = from + k;
        if (t >= Order::turns) break;
        const u64 index = mine + static_cast<u64>(t * Order::turn);
#pragma unroll
        for (int s = 0; s < Order::v; s++) {
          values[k][s] = Spec::template apply<Order::v>(Exactly{}, total, tile.items[t], columns[k], s, row, args, index + static_cast<u64>(s));
        }
      }
    }
    const bool skip = AGAIN && swiftly.rare;
    if (skip) again |= 1u << from;
#pragma unroll
    for (int k = 0; k < STEP; k++) {
      const int t = from + k;
      if (t >= Order::turns) break;
      const Writer<STORE, false> write = {static_cast<i64>(out + mine) + t * Order::turn, skip ? 0 : left - own - t * Order::turn, wide};
      Spec::template store<Order::v>(results, values[k], write);
    }
  }
  if (AGAIN && again != 0) {
#pragma unroll 1
    for (int e = 0; e < Order::turns * Order::v; e++) {
      const int t = e / Order::v, p = slot_zero<Order>(t) + e % Order::v;
      if (p >= left || (again >> (t / STEP * STEP) & 1) == 0) continue;
      const u64 index = index_of<false>(spot, p);
      const typename Spec::template Items<1> items = Spec::template items<1>(args, Element{spot.offset + index, true});
      const typename Spec::template Columns<1> columns = Spec::template columns<1>(args, Element{index, true});
      const typename Spec::Result one[1] = {Spec::template apply<1>(Exactly{}, total, items, columns, 0, row, args, index)};
      Spec::template store<1>(results, one, One{out + index});
    }
  }
}

template <class Spec, class Order, int COLS, int TILES, Load LOAD, Load STORE, int SETS>
WF_FN void rows_apply(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  const u64 cols = COLS > 0 ? COLS : shape.cols;
  const u64 first = (static_cast<u64>(blockIdx.x) * (blockDim.x / 32) + warp_in_block()) * (Order::groups * SETS);
  if (first >= shape.rows) return;
  const u64 length = (shape.rows - 1) * shape.stride + cols;
  // Tile i of set k stands at k * TILES + i.
  Tile<Spec, Order> tiles[SETS * TILES];
  Spot spots[SETS * TILES];
  int left[SETS * TILES];
  typename Spec::Row rows[SETS];
  // Rows count from the warp's first one, so that little is computed in 64 bits.
  u32 numbers[SETS];
  const u64 offset = first * shape.stride, out = first * shape.out_stride;
  const u32 last = static_cast<u32>(least(shape.rows - 1 - first, Order::groups * SETS));
#pragma unroll
  for (int k = 0; k < SETS; k++) {
    const u32 r = k * Order::groups + lane() / Order::lanes;
    numbers[k] = r < last ? r : last;
    rows[k] = Spec::row(args, first + numbers[k], cols);
#pragma unroll
    for (int i = k * TILES; i < (k + 1) * TILES; i++) {
      // A row that does not exist is the last one again, which is read and folded, so that where the columns are known nothing is
      // asked of any, and not written.
      spots[i] = Spot{offset + numbers[k] * shape.stride, static_cast<u64>(i % TILES) * Order::size, cols, length, true};
      left[i] = left_in_tile<Order>(spots[i], cols);
    }
  }
  read_tiles<Spec, Order, LOAD, false, SETS * TILES>(tiles, args, spots, left);
  constexpr int SOLID = TILES == 1 ? solid_turns<Spec, Order, COLS>() : 0;
  constexpr bool TOGETHER = SETS > 1 && SETS <= Order::lanes && TILES == 1 && folds_together<Spec, Order>();
  typename Spec::State together = Spec::identity();
  if constexpr (TOGETHER) {
    typename Spec::State folds[SETS];
#pragma unroll
    for (int k = 0; k < SETS; k++) {
      folds[k] = fold_only_turn<Spec, Order, SOLID, whole_packs<Spec, LOAD>()>(tiles[k], rows[k], args, spots[k], live_in_tile<Spec, Order>(rows[k], spots[k]));
    }
    together = fold_together<Spec, Order::lanes>(folds);
  }
  typename Spec::State of_rows[SETS];
  if constexpr (TILES == 1 && !TOGETHER) {
    int live[SETS];
#pragma unroll
    for (int k = 0; k < SETS; k++) live[k] = live_in_tile<Spec, Order>(rows[k], spots[k]);
    fold_tiles<Spec, Order, true, SOLID, whole_packs<Spec, LOAD>()>(of_rows, tiles, rows, args, spots, live);
  }
#pragma unroll
  for (int k = 0; k < SETS; k++) {
    typename Spec::State total = Spec::identity();
    if constexpr (TOGETHER) {
      total = shuffle_lane<Order::lanes>(together, static_cast<u32>(k));
    } else if constexpr (TILES == 1) {
      total = of_rows[k];
    } else {
#pragma unroll
      for (int i = k * TILES; i < (k + 1) * TILES; i++) {
        const int live = live_in_tile<Spec, Order>(rows[k], spots[i]);
        const typename Spec::State s = fold_tile<Spec, Order, true, false, SOLID, whole_packs<Spec, LOAD>(), true>(tiles[i], rows[k], args, spots[i], live);
        if (lane_in_group<Order::lanes>() == static_cast<u32>(i % TILES)) total = s;
      }
      total = shuffle_lane<Order::lanes>(fold_states<Spec, Order::lanes>(total, TILES, false), 0);
    }
    total = with_init<Spec>(total);
#pragma unroll
    for (int i = k * TILES; i < (k + 1) * TILES; i++) {
      const int written = k * Order::groups + lane() / Order::lanes <= last ? left[i] : 0;
      apply_tile<Spec, Order, LOAD, STORE, true>(tiles[i], total, rows[k], args, results, spots[i], out + numbers[k] * shape.out_stride, written);
    }
  }
}

template <class Spec, class Order, Load LOAD, Load STORE>
WF_FN void rows_apply_block(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  using State = typename Spec::State;
  WF_SHARED(State, states, 64);
  const u64 length = (shape.rows - 1) * shape.stride + shape.cols;
  const u32 tiles = static_cast<u32>((shape.cols + Order::size - 1) / Order::size);
  const u32 mine = warp_in_block() * Order::groups + lane() / Order::lanes;
  u32 half = 0;  // rows take turns with the two halves of `states`, so that one barrier a row is enough
#pragma unroll 1
  for (u64 r = blockIdx.x; r < shape.rows; r += gridDim.x, half ^= 32) {
    const typename Spec::Row row = Spec::row(args, r, shape.cols);
    const Spot spot = {r * shape.stride, static_cast<u64>(mine) * Order::size, shape.cols, length, mine < tiles};
    const int left = left_in_tile<Order>(spot, shape.cols);
    Tile<Spec, Order> tile;
    read_tile<Spec, Order, LOAD, false>(tile, args, spot, left);
    const State s = fold_likely_full<Spec, Order, LOAD, false, false, true>(tile, row, args, spot, live_in_tile<Spec, Order>(row, spot));
    if (lane_in_group<Order::lanes>() == 0 && mine < tiles) states[half + mine] = s;
    __syncthreads();
    State total = lane() < tiles ? states[half + lane()] : Spec::identity();
    total = with_init<Spec>(shuffle_lane<32>(fold_states<Spec, 32>(total, tiles, false), 0));
    apply_tile<Spec, Order, LOAD, STORE, true>(tile, total, row, args, results, spot, r * shape.out_stride, left);
  }
}

template <class Spec, class Order, Load LOAD, Load STORE, int WARPS>
WF_FN void rows_apply_again(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  using State = typename Spec::State;
  WF_SHARED(State, states, 64);
  const u64 length = (shape.rows - 1) * shape.stride + shape.cols;
  const u32 tiles = static_cast<u32>((shape.cols + Order::size - 1) / Order::size);
  const u32 group = warp_in_block() * Order::groups + lane() / Order::lanes;
  constexpr u32 AT_ONCE = WARPS * Order::groups;
#pragma unroll 1
  for (u64 r = blockIdx.x; r < shape.rows; r += gridDim.x) {
    const typename Spec::Row row = Spec::row(args, r, shape.cols);
    State spans = Spec::identity();
    u32 half = 0;
#pragma unroll 1
    for (u32 span = 0; span * 32 < tiles; span++, half ^= 32) {
#pragma unroll 1
      for (u32 k = 0; k < 32; k += AT_ONCE) {
        const u32 mine = span * 32 + k + group;
        const Spot spot = {r * shape.stride, static_cast<u64>(mine) * Order::size, shape.cols, length, k + group < 32 && mine < tiles};
        const int left = live_in_tile<Spec, Order>(row, spot);
        Tile<Spec, Order> tile;
        read_tile<Spec, Order, LOAD, false>(tile, args, spot, left);
        const State s = fold_likely_full<Spec, Order, LOAD, false, false, true>(tile, row, args, spot, left);
        if (lane_in_group<Order::lanes>() == 0 && spot.exists) states[half + k + group] = s;
      }
      __syncthreads();
      const u32 count = static_cast<u32>(least(tiles - span * 32, 32));
      State s = lane() < count ? states[half + lane()] : Spec::identity();
      s = shuffle_lane<32>(fold_states<Spec, 32>(s, count, tiles > 32), 0);
      if (lane() == span) spans = s;
    }
    const State total = with_init<Spec>(shuffle_lane<32>(fold_states<Spec, 32>(spans, (tiles + 31) / 32, false), 0));
#pragma unroll 1
    for (u32 k = 0; k < tiles; k += AT_ONCE) {
      // Backwards: what was read last is the likeliest to be in the cache.
      const u32 mine = (tiles - 1) / AT_ONCE * AT_ONCE - k + group;
      const Spot spot = {r * shape.stride, static_cast<u64>(mine) * Order::size, shape.cols, length, mine < tiles};
      const int left = left_in_tile<Order>(spot, shape.cols);
      Tile<Spec, Order> tile;
      read_tile<Spec, Order, LOAD, false>(tile, args, spot, left);
      apply_tile<Spec, Order, LOAD, STORE, true>(tile, total, row, args, results, spot, r * shape.out_stride, left);
    }
    // Both halves of `states` are free for the next row once everybody has left this one's last span.
    __syncthreads();
  }
}

template <class Spec, class Order, Load LOAD, Load STORE>
WF_FN void rows_apply_totals(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape,
                             const void* totals) {
  const u64 length = (shape.rows - 1) * shape.stride + shape.cols;
  const u64 tiles = (shape.cols + Order::size - 1) / Order::size;
  const u64 first = (static_cast<u64>(blockIdx.x) * (blockDim.x / 32) + warp_in_block()) * Order::groups;
#pragma unroll 1
  for (u64 k = first; k < shape.rows * tiles; k += static_cast<u64>(gridDim.x) * (blockDim.x / 32) * Order::groups) {
    const u64 unit = k + lane() / Order::lanes;
    const u64 r = least(unit / tiles, shape.rows - 1);
    const typename Spec::Row row = Spec::row(args, r, shape.cols);
    const Spot spot = {r * shape.stride, unit % tiles * Order::size, shape.cols, length, unit < shape.rows * tiles};
    const int left = left_in_tile<Order>(spot, shape.cols);
    Tile<Spec, Order> tile;
    read_tile<Spec, Order, LOAD, false>(tile, args, spot, left);
    const typename Spec::State total = Slot<typename Spec::State>::load(totals, r);
    apply_tile<Spec, Order, LOAD, STORE, true>(tile, total, row, args, results, spot, r * shape.out_stride, left);
  }
}

}  // namespace wf
