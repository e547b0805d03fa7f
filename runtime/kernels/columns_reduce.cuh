// columns_reduce.cuh: one result a column, with the bits that the row of the transposed matrix would have.
//
// Promises: lanes read side by side along the rows, so that the matrix is read once at full width; the lanes of the order
// are played one after the other, each by a whole warp for as many columns, and change places through shared memory
// before they are folded.
//
//   columns_reduce<Spec, Order, WARPS, PART>(args, results, shape, scratch)
//     Order: that of shape.rows elements. Blocks of WARPS warps (1 to 8) take parts of PART tiles (a power of two, 1 to
//     32) of `column_block<State>` columns, in strides of the grid. `#[row]`, `#[per_row]` and `#[live]` belong to the column that
//     is folded, `#[per_column]` and `#[index]` to the position down it. parts = ceil(tiles / PART).
//     Where parts > 1: scratch.states has cols * scratch_slots(tiles, PART) slots, scratch.tickets one word for each block
//     of columns, zero before the first launch and again after each. rows may be 0 (every column gives the identity's
//     result); cols >= 1.
#pragma once

namespace wf {

// Columns of a block: fewer where the states of 32 lanes of each would not fit into shared memory.
template <class State> constexpr int column_block = sizeof(State) <= 32 ? 32 : 16;

// One column's part of the lane `own` at turns FROM .. FROM + TURNS of a tile. All its elements are read before the
// first is used. WHOLE: none is past `limit`. Else in place of one that is, another is read and not used: to keep for each
// whether it was read takes the registers of two more blocks.
template <class Spec, class Order, int TURNS, bool WHOLE>
WF_FN typename Spec::State fold_column_lane(const typename Spec::Args& args, const typename Spec::Row& row, u64 tile, int from, int own,
                                            u64 column, u64 stride, u64 limit) {
  using State = typename Spec::State;
  typename Spec::template Items<1> items[TURNS][Order::v];
  typename Spec::template Columns<1> columns[TURNS][Order::v];
  const u64 first = tile * Order::size + static_cast<u64>((from * Order::lanes + own) * Order::v);
  const int left = limit > first ? static_cast<int>(least(limit - first, Order::size)) : 0;
  const u64 start = limit > first ? first : 0;
#pragma unroll
  for (int t = 0; t < TURNS; t++) {
#pragma unroll
    for (int s = 0; s < Order::v; s++) {
      const int p = t * int(Order::turn) + s;
      const u64 i = start + static_cast<u64>(WHOLE || p < left ? p : 0);
      items[t][s] = Spec::template items<1>(args, Element{i * stride + column, true});
      columns[t][s] = Spec::template columns<1>(args, Element{i, true});
    }
  }
  if constexpr (Spec::fold == Fold::lane) {
    typename Spec::Mapped mapped[TURNS][Order::v];
#pragma unroll
    for (int t = 0; t < TURNS; t++) {
#pragma unroll
      for (int s = 0; s < Order::v; s++) {
        mapped[t][s] = Spec::template map<1>(items[t][s], columns[t][s], 0, row, args, first + static_cast<u64>(t * Order::turn + s));
      }
    }
    return Spec::template fold_lane<TURNS, Order::v>(mapped, first, Order::turn, limit);
  } else {
    State acc[Order::v];
#pragma unroll
    for (int t = 0; t < TURNS; t++) {
#pragma unroll
      for (int s = 0; s < Order::v; s++) {
        const int p = t * int(Order::turn) + s;
        const u64 i = first + static_cast<u64>(p);
        const State one = WHOLE || p < left ? Spec::lift(Spec::template map<1>(items[t][s], columns[t][s], 0, row, args, i), i) : Spec::identity();
        acc[s] = t == 0 ? one : Spec::combine(acc[s], one);
      }
    }
#pragma unroll
    for (int s = 1; s < Order::v; s++) acc[0] = Spec::combine(acc[0], acc[s]);
    return acc[0];
  }
}

// What map gives for one column's part of the lane `own` of a tile.
template <class Spec, class Order>
WF_FN void map_column_lane(typename Spec::Mapped (&mapped)[Order::turns][Order::v], const typename Spec::Args& args,
                           const typename Spec::Row& row, u64 start, int own, u64 column, u64 stride, u64 limit) {
  const u64 first = start + static_cast<u64>(own * Order::v);
#pragma unroll
  for (int t = 0; t < Order::turns; t++) {
#pragma unroll
    for (int s = 0; s < Order::v; s++) {
      const u64 i = first + static_cast<u64>(t * Order::turn + s);
      const auto items = Spec::template items<1>(args, Element{i * stride + column, i < limit});
      const auto columns = Spec::template columns<1>(args, Element{i, i < limit});
      mapped[t][s] = Spec::template map<1>(items, columns, 0, row, args, i);
    }
  }
}

// Folds over the lanes what each has left for `columns` columns, into the first row of `of_lanes`.
template <class Part, class Order, int WARPS, int BLOCK> WF_FN void fold_columns(typename Part::State* of_lanes) {
  __syncthreads();
#pragma unroll 1
  for (int c = static_cast<int>(warp_in_block()); c < BLOCK; c += WARPS) {
    const typename Part::State own = of_lanes[static_cast<int>(lane() % Order::lanes) * (BLOCK + 1) + c];
    const typename Part::State s = Part::reduce_first(own, Width<Order::lanes>{});
    // Groups beside the first read the same places.
    __syncwarp();
    if (lane() == 0) of_lanes[c] = s;
  }
  __syncthreads();
}

// The states of a tile of BLOCK columns, by an operator that folds a tile in two steps; each lane has a column, and gets
// its state. The second step reads the elements again, from the cache.
template <class Spec, class Order, int WARPS, int BLOCK>
WF_FN typename Spec::State fold_column_tile(const typename Spec::Args& args, const typename Spec::Row& row, u64 tile, u64 column, u64 stride, u64 limit) {
  using Table = typename Spec::Table;
  WF_SHARED(typename Table::Shared, shares, Order::lanes*(BLOCK + 1));
  WF_SHARED(typename Table::Part, parts, Order::lanes*(BLOCK + 1));
  const int c = static_cast<int>(lane()), warp = static_cast<int>(warp_in_block());
  const u64 start = tile * Order::size;
  const u32 live = limit > start ? static_cast<u32>(least(limit - start, Order::size)) : 0;
  typename Spec::Mapped mapped[Order::turns][Order::v];
  typename Spec::Mapped pivot = {};
  typename Table::Shared shared = {};
  if constexpr (Spec::pivots) {
    const auto items = Spec::template items<1>(args, Element{start * stride + column, live > 0});
    pivot = Spec::template map<1>(items, Spec::template columns<1>(args, Element{start, live > 0}), 0, row, args, start);
  }
  if constexpr (Spec::shares) {
#pragma unroll 1
    for (int own = warp; own < Order::lanes; own += WARPS) {
      map_column_lane<Spec, Order>(mapped, args, row, start, own, column, stride, limit);
      const typename Table::Shared s = Table::look(mapped, counting_in_tile(own * Order::v, Order::turn, static_cast<int>(live)), pivot);
      if (c < BLOCK) shares[own * (BLOCK + 1) + c] = s;
    }
    fold_columns<typename Spec::Share, Order, WARPS, BLOCK>(shares);
    if (c < BLOCK) shared = shares[c];
  }
#pragma unroll 1
  for (int own = warp; own < Order::lanes; own += WARPS) {
    map_column_lane<Spec, Order>(mapped, args, row, start, own, column, stride, limit);
    const Counting counts = counting_in_tile(own * Order::v, Order::turn, static_cast<int>(live));
    if constexpr (Spec::shares) (void)Table::look(mapped, counts, pivot);
    const typename Table::Part part = Table::weigh(mapped, counts, shared, live, pivot);
    if (c < BLOCK) parts[own * (BLOCK + 1) + c] = part;
  }
  fold_columns<typename Spec::Parts, Order, WARPS, BLOCK>(parts);
  return c < BLOCK ? Table::join(pivot, shared, parts[c], live, start) : Spec::identity();
}

template <class Spec, class Order, int WARPS, int PART>
WF_FN void columns_reduce(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape, const RowScratch& scratch) {
  using State = typename Spec::State;
  using Kept = Slot<State>;
  constexpr int BLOCK = column_block<State>;
  constexpr int EACH = (BLOCK + WARPS - 1) / WARPS;  // columns that a warp folds over the lanes
  // In order, every turn is folded over the lanes; else all turns of a tile at once.
  constexpr int TURNS = Spec::fold == Fold::blocked ? 1 : Order::turns;
  WF_SHARED(State, of_lanes, Order::lanes*(BLOCK + 1));
  WF_SHARED(u32, ticket, 1);
  const u64 tiles = (shape.rows + Order::size - 1) / Order::size;
  const u64 parts = tiles > PART ? (tiles + PART - 1) / PART : 1;
  const u64 slots = scratch_slots(tiles, PART);
  const u64 blocks = (shape.cols + BLOCK - 1) / BLOCK;
  const u32 warp = warp_in_block();
#pragma unroll 1
  for (u64 unit = blockIdx.x; unit < blocks * parts; unit += gridDim.x) {
    // Neighbouring blocks read the same rows.
    const u64 block = unit % blocks, part = unit / blocks;
    const u64 column = block * BLOCK + lane();
    const bool exists = lane() < BLOCK && column < shape.cols;
    const typename Spec::Row row = Spec::row(args, least(column, shape.cols - 1), shape.rows);
    const u64 limit = exists ? live_columns<Spec>(row, shape.rows) : 0;
    const u32 count = static_cast<u32>(least(tiles - part * PART, PART));
    State states[EACH];  // lane k: of tile k of the part
#pragma unroll
    for (int j = 0; j < EACH; j++) states[j] = Spec::identity();
#pragma unroll 1
    for (u32 k = 0; k < count; k++) {
      if constexpr (Spec::fold == Fold::tile) {
        const State state = fold_column_tile<Spec, Order, WARPS, BLOCK>(args, row, part * PART + k, column, shape.stride, limit);
#pragma unroll
        for (int j = 0; j < EACH; j++) {
          const State s = shuffle_lane<32>(state, warp + static_cast<u32>(j * WARPS));
          if (lane() == k) states[j] = s;
        }
        __syncthreads();
      } else {
        const u64 tile = part * PART + k;
        const bool whole = !Spec::has_live && (block + 1) * BLOCK <= shape.cols && BLOCK == 32 && (tile + 1) * Order::size <= shape.rows;
        State acc[EACH];  // lane 0, and in order lane t of turn t
#pragma unroll 1
        for (int t = 0; t < Order::turns; t += TURNS) {
#pragma unroll 1
          for (int own = static_cast<int>(warp); own < Order::lanes; own += WARPS) {
            const u64 at = least(column, shape.cols - 1);
            const State s = whole ? fold_column_lane<Spec, Order, TURNS, true>(args, row, tile, t, own, at, shape.stride, limit)
                                  : fold_column_lane<Spec, Order, TURNS, false>(args, row, tile, t, own, at, shape.stride, limit);
            if (lane() < BLOCK) of_lanes[own * (BLOCK + 1) + static_cast<int>(lane())] = s;
          }
          __syncthreads();
#pragma unroll
          for (int j = 0; j < EACH; j++) {
            const int c = static_cast<int>(warp) + j * WARPS;
            State s = Spec::identity();
            if (lane() < Order::lanes && c < BLOCK) s = of_lanes[static_cast<int>(lane()) * (BLOCK + 1) + c];
            s = Spec::reduce_first(s, Width<Order::lanes>{});
            if constexpr (TURNS < Order::turns) s = shuffle_lane<32>(s, 0);
            if (t == 0 || static_cast<int>(lane()) == t) acc[j] = s;
          }
          __syncthreads();
        }
#pragma unroll
        for (int j = 0; j < EACH; j++) {
          if constexpr (TURNS < Order::turns) acc[j] = fold_states<Spec, 32>(acc[j], Order::turns, false);
          const State s = shuffle_lane<32>(acc[j], 0);
          if (lane() == k) states[j] = s;
        }
      }
    }
#pragma unroll
    for (int j = 0; j < EACH; j++) {
      const u64 c = block * BLOCK + warp + static_cast<u64>(j) * WARPS;
      if (c >= shape.cols || warp + j * WARPS >= BLOCK) continue;
      char* of_column = static_cast<char*>(scratch.states) + c * slots * Kept::bytes;
      if (PART < 32 && parts > 1) {
        if (lane() < count) Kept::of(states[j]).store(of_column, part * PART + lane());
      } else {
        const State s = fold_states<Spec, 32>(states[j], count, parts > 1);
        if (lane() == 0 && parts > 1) Kept::of(s).store(of_column, part);
        if (lane() == 0 && parts == 1) store_result<Spec>(results, s, Spec::row(args, c, shape.rows), args, c);
      }
    }
    if (parts == 1) continue;
    __syncthreads();
    if (threadIdx.x == 0) ticket[0] = add_acquire_release(scratch.tickets + block, 1);
    __syncthreads();
    if (ticket[0] == parts - 1) {
      // A warp a column: what a block would do for one column waits for the memory, and columns are many.
#pragma unroll 1
      for (u64 c = block * BLOCK + warp; c < least((block + 1) * BLOCK, shape.cols); c += WARPS) {
        char* of_column = static_cast<char*>(scratch.states) + c * slots * Kept::bytes;
        const State s = fold_scratch<Spec, 1>(of_column, PART == 32 ? parts : tiles);
        if (lane() == 0) store_result<Spec>(results, s, Spec::row(args, c, shape.rows), args, c);
      }
      if (threadIdx.x == 0) scratch.tickets[block] = 0;
    }
    __syncthreads();
  }
}

}  // namespace wf
