// columns_scan.cuh: one result an element, from the states of the elements before it in its column, with the bits that the
// row of the transposed matrix would have.
//
// Promises: lanes read and write side by side along the rows, so that the matrix moves once at full width; the lanes of the
// order are played one after the other, each by a whole warp for as many columns, and meet in shared memory. What a column
// carries goes down from tile to tile in the block.
//
//   columns_scan<Spec, Order, WARPS, MANY, EXCLUSIVE, REVERSE>(args, results, shape)
//     Order: that of shape.rows elements; MANY: it may have more than one tile. A block of WARPS warps (a power of two)
//     takes `scan_columns<…>` neighbouring columns, in strides of the grid. `#[row]`, `#[per_row]` and `#[live]` belong
//     to the column that is scanned, `#[per_column]` and `#[index]` to the position down it. In place is allowed.
//     Grid: any. blockDim = 32 * WARPS.
#pragma once

namespace wf {

// Columns of a warp: fewer where two states of 32 lanes of each would not fit into shared memory.
template <class State> constexpr int scan_column_block = sizeof(State) <= 16 ? 32 : sizeof(State) <= 32 ? 16 : 8;
// Warps that play the lanes of the same columns.
template <class Order, int WARPS> constexpr int scan_column_players = Order::lanes < WARPS ? Order::lanes : WARPS;
// Columns of a block.
template <class State, class Order, int WARPS>
constexpr int scan_columns = scan_column_block<State> * (WARPS / scan_column_players<Order, WARPS>);

template <class Spec, class Order, int WARPS, bool MANY, bool EXCLUSIVE, bool REVERSE>
WF_FN void columns_scan(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  using State = typename Spec::State;
  constexpr int V = Order::v, LANES = Order::lanes, BLOCK = scan_column_block<State>, PITCH = BLOCK + 1;
  constexpr int PLAYERS = scan_column_players<Order, WARPS>, OWN = LANES / PLAYERS;
  constexpr int COLUMNS = scan_columns<State, Order, WARPS>, EACH = COLUMNS / WARPS;
  // What the lanes of a turn come to, each by itself and scanned.
  WF_SHARED(State, raw, COLUMNS / BLOCK * LANES * PITCH);
  WF_SHARED(State, scanned, COLUMNS / BLOCK * LANES * PITCH);
  WF_SHARED(State, totals, COLUMNS);
  WF_SHARED(Maybe<State>, of_tiles, COLUMNS);
  const int warp = static_cast<int>(warp_in_block()), player = warp % PLAYERS, group = warp / PLAYERS;
  const int c = static_cast<int>(lane());
  const auto place = [&](int own) { return (group * LANES + own) * PITCH + c; };
  const u64 tiles = MANY ? (shape.rows + Order::size - 1) / Order::size : 1;
  // The next turn is on its way while one is scanned, where both fit into the registers.
  constexpr bool AHEAD = sizeof(typename Spec::template Items<1>) * OWN * V <= 64;
#pragma unroll 1
  for (u64 block = blockIdx.x; block * COLUMNS < shape.cols; block += gridDim.x) {
    const u64 column = block * COLUMNS + static_cast<u64>(group * BLOCK + c);
    const bool exists = c < BLOCK && column < shape.cols;
    const typename Spec::Row row = Spec::row(args, least(column, shape.cols - 1), shape.rows);
    const u64 live = live_columns<Spec>(row, shape.rows);
    Prefixes<Spec> prefixes[EACH];  // of the columns warp + j * WARPS
#pragma unroll
    for (int j = 0; MANY && j < EACH; j++) prefixes[j].begin(args);
    Maybe<State> prefix = initial<Spec>(args);
    State before = prefix.state;  // what an exclusive scan stores next, in the warps that play lane 0
    const auto index_at = [&](u64 first, int k, int s) {
      const u64 position = first + static_cast<u64>((player + k * PLAYERS) * V + s);
      return REVERSE ? shape.rows - 1 - position : position;  // wraps where there is none
    };
    typename Spec::template Items<1> items[OWN][V], next_items[OWN][V];
    const auto read = [&](u64 first) {
#pragma unroll
      for (int k = 0; k < OWN; k++) {
#pragma unroll
        for (int s = 0; s < V; s++) {
          const u64 i = index_at(first, k, s);
          next_items[k][s] = Spec::template items<1>(args, Element{i * shape.stride + column, exists && i < shape.rows});
        }
      }
    };
    if constexpr (AHEAD) read(0);
#pragma unroll 1
    for (u64 tile = 0; tile < tiles; tile++) {
      Maybe<State> turns = {Spec::identity(), false};
#pragma unroll 1
      for (int t = 0; t < Order::turns; t++) {
        const u64 first = tile * Order::size + static_cast<u64>(t * Order::turn);
        if (first >= shape.rows) break;
        typename Spec::template Columns<1> columns[OWN][V];
        State value[OWN][V];
        if constexpr (!AHEAD) read(first);
#pragma unroll
        for (int k = 0; k < OWN; k++) {
#pragma unroll
          for (int s = 0; s < V; s++) {
            const u64 i = index_at(first, k, s);
            items[k][s] = next_items[k][s];
            columns[k][s] = Spec::template columns<1>(args, Element{i, i < shape.rows});
          }
        }
        if constexpr (AHEAD) {
          if (first + Order::turn < shape.rows) read(first + Order::turn);
        }
#pragma unroll
        for (int k = 0; k < OWN; k++) {
#pragma unroll
          for (int s = 0; s < V; s++) {
            const u64 i = index_at(first, k, s);
            const bool counts = exists && i < live;
            const State one = counts ? Spec::lift(Spec::template map<1>(items[k][s], columns[k][s], 0, row, args, i), i) : Spec::identity();
            value[k][s] = s == 0 ? one : Spec::combine(value[k][s - 1], one);
          }
        }
        __syncthreads();  // the turn before has been read
        if (c < BLOCK) {
#pragma unroll
          for (int k = 0; k < OWN; k++) raw[place(player + k * PLAYERS)] = value[k][V - 1];
        }
        __syncthreads();
        // Over the lanes: a group of lanes a column.
        constexpr int AT_ONCE = WARPS * Order::groups;
#pragma unroll
        for (int q = 0; q < COLUMNS; q += AT_ONCE) {
          const int own_column = q + warp * Order::groups + c / LANES;
          const int at = (own_column / BLOCK * LANES + c % LANES) * PITCH + own_column % BLOCK;
          const State mine = own_column < COLUMNS ? raw[at] : Spec::identity();
          const State all = Spec::scan_inclusive(mine, Width<LANES>{});
          if (own_column < COLUMNS) scanned[at] = all;
        }
        __syncthreads();
        if (c < BLOCK) {
          State last = before;
#pragma unroll
          for (int k = 0; k < OWN; k++) {
            const int own = player + k * PLAYERS;
            const bool some = own > 0;
            const Maybe<State> lower = {some ? scanned[place(some ? own - 1 : 0)] : Spec::identity(), some};
            State lead = last;
            if constexpr (EXCLUSIVE) {
              if (some) {
                const bool below = own > 1;
                const Maybe<State> lowest = {below ? scanned[place(below ? own - 2 : 0)] : Spec::identity(), below};
                lead = join<Spec>(prefix, join<Spec>(turns, join<Spec>(lowest, raw[place(own - 1)])));
              }
            }
#pragma unroll
            for (int s = 0; s < V; s++) {
              const State here = join<Spec>(prefix, join<Spec>(turns, join<Spec>(lower, value[k][s])));
              const u64 i = index_at(first, k, s);
              if (exists && i < shape.rows) {
                const typename Spec::Result one[1] = {Spec::template finish_at<1>(EXCLUSIVE ? lead : here, items[k][s], columns[k][s], 0, row, args, i)};
                Spec::template store<1>(results, one, One{i * shape.out_stride + column});
              }
              lead = here;
            }
          }
          if constexpr (EXCLUSIVE) {
            const bool below = LANES > 1;
            const Maybe<State> lowest = {below ? scanned[place(below ? LANES - 2 : 0)] : Spec::identity(), below};
            before = join<Spec>(prefix, join<Spec>(turns, join<Spec>(lowest, raw[place(LANES - 1)])));
          }
          turns = {join<Spec>(turns, scanned[place(LANES - 1)]), true};
        }
      }
      if constexpr (MANY) {
        if (c < BLOCK && player == 0) totals[group * BLOCK + c] = turns.state;
        __syncthreads();
        const u32 in_span = static_cast<u32>(tile % 32);
#pragma unroll
        for (int j = 0; j < EACH; j++) {
          const int q = warp + j * WARPS;
          prefixes[j].add(totals[q], lane() == in_span);
          if (in_span == 31) prefixes[j].next_span();
          const Maybe<State> next = prefixes[j].at((in_span + 1) % 32);
          if (lane() == 0) of_tiles[q] = next;
        }
        __syncthreads();
        if (c < BLOCK) prefix = of_tiles[group * BLOCK + c];
      }
    }
  }
}

}  // namespace wf
