// columns_scan_tiles.cuh: scans down columns of many elements, tile by tile, with the bits of columns_scan.cuh.
//
// Promises: a thread plays one lane of the order for one column and keeps its elements of a tile between the tile's total
// and its results, so that the matrix is read once. Many blocks go down a column: each tells the totals of its tiles and
// looks ahead to those of the tiles before.
//
//   columns_scan_tiles<Spec, Order, COLUMNS, EXCLUSIVE, REVERSE>(args, results, shape, relay)
//     Order: that of shape.rows elements. A block takes a tile of COLUMNS (4, 8, 16 or 32) neighbouring columns by ticket,
//     those of a tile from left to right before the next tile. `#[row]`, `#[per_row]` and `#[live]` belong to the column
//     that is scanned, `#[per_column]` and `#[index]` to the position down it. In place is allowed. Order::lanes at least
//     32 / COLUMNS; ceil(cols / COLUMNS) * tiles < 2^32 - grid.
//     Grid: any. blockDim = COLUMNS * Order::lanes.
//     relay.words: column_scan_words(columns rounded up to COLUMNS, tiles, 32-bit words of `Handed`).
#pragma once

namespace wf {

// What a tile leaves for those after it, of a column: its total; for exclusive scans also its last value.
template <class State, bool EXCLUSIVE> struct Handed {
  State total;
};
template <class State> struct Handed<State, true> {
  State total;
  State last;
};
// Words of the records: one a tile, and one a span of 32 tiles.
WF_FN constexpr u64 column_scan_words(u64 columns, u64 tiles, u64 words) { return columns * words * (tiles + (tiles + 31) / 32); }

// What stands before a tile of a column.
template <class Spec> struct Ahead {
  Maybe<typename Spec::State> prefix;
  typename Spec::State first;  // what an exclusive scan gives at the tile's first position
};

// Tells what a tile of a column comes to, and what stands before it, from totals alone: nothing depends on when which of
// them are there. A whole warp calls with the same values.
template <class Spec, bool EXCLUSIVE>
WF_FN Ahead<Spec> look_ahead(const Handed<typename Spec::State, EXCLUSIVE>& own, u64 column, u64 tile, u64 tiles, u64* of_tiles, u64* of_spans,
                             const typename Spec::Args& args, u32 number) {
  using State = typename Spec::State;
  using Kept = Record<Handed<State, EXCLUSIVE>>;
  const u32 j = static_cast<u32>(tile % 32);
  const u64 span = tile / 32, spans = (tiles + 31) / 32;
  // The last of a span tells what its span comes to instead.
  if (lane() == 0 && j < 31 && tile + 1 < tiles) Kept::publish(of_tiles, column * tiles + tile, own, number);
  const bool of_tile = lane() < j, of_span = lane() == 31 && span > 0;
  Handed<State, EXCLUSIVE> seen = own;
  if (of_tile || of_span) seen = Kept::await(of_span ? of_spans : of_tiles, of_span ? column * spans + span : column * tiles + span * 32 + lane(), number);
  __syncwarp();
  Prefixes<Spec> prefixes;
  prefixes.begin(args);
  const State carry = shuffle_lane<32>(seen.total, 31);
  if (span > 0) prefixes.carry = {carry, true};
  prefixes.add(of_tile ? seen.total : own.total, lane() <= j);
  Ahead<Spec> ahead = {prefixes.at(j), prefixes.carry.state};
  Handed<State, EXCLUSIVE> next = own;
  if constexpr (EXCLUSIVE) {
    const State lower = shuffle_lane<32>(seen.last, (j + 31) % 32);
    const Maybe<State> below = prefixes.at(j > 0 ? j - 1 : 0);
    if (tile > 0) ahead.first = j > 0 ? join<Spec>(below, lower) : lower;
    next.last = join<Spec>(ahead.prefix, own.last);
  }
  if (j == 31 && tile + 1 < tiles) {
    prefixes.next_span();
    next.total = prefixes.carry.state;
    if (lane() == 0) Kept::publish(of_spans, column * spans + span + 1, next, number);
  }
  return ahead;
}

// Where the elements of a lane stand, one after the other. Products of each with the stride would be kept in registers all
// the while: they are the same for every tile.
template <class Order, bool REVERSE> struct DownColumn {
  u64 at, step, to_turn;
  WF_FN DownColumn(u64 first, u64 column, u64 stride)
      : at(first * stride + column), step(REVERSE ? 0 - stride : stride), to_turn(step * (Order::turn - Order::v + 1)) {}
  WF_FN void next(bool ends_pack) { at += ends_pack ? to_turn : step; }
};

template <class Spec, class Order, int COLUMNS, bool EXCLUSIVE, bool REVERSE>
WF_FN void columns_scan_tiles(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape, const Relay& relay) {
  using State = typename Spec::State;
  constexpr int V = Order::v, LANES = Order::lanes, TURNS = Order::turns, PLACES = TURNS * LANES * COLUMNS;
  constexpr int GROUPS = 32 / LANES;
  static_assert(COLUMNS % GROUPS == 0, "whole warps");
  // What the packs of a turn come to, each by itself and then after those of the lanes below; for exclusive scans the value
  // in the tile before each pack.
  WF_SHARED(State, scanned, PLACES);
  WF_SHARED(State, leads, EXCLUSIVE ? PLACES + COLUMNS : 1);
  WF_SHARED(Ahead<Spec>, before, COLUMNS);
  WF_SHARED(u32, ticket, 1);
  const u32 warp = warp_in_block();
  const int c = static_cast<int>(threadIdx.x) % COLUMNS, own = static_cast<int>(threadIdx.x) / COLUMNS;
  // Of a turn's lane; neither the lanes of a column nor the columns of neighbouring lanes meet in a bank.
  const auto place = [](int turn, int lane, int column) {
    return turn * (LANES * COLUMNS) + lane * COLUMNS + (column ^ (lane % LANES / (32 / COLUMNS) % COLUMNS));
  };
  const u64 tiles = (shape.rows + Order::size - 1) / Order::size;
  const u32 across = static_cast<u32>((shape.cols + COLUMNS - 1) / COLUMNS), units = across * static_cast<u32>(tiles);
  u64 *const of_tiles = relay.records, *const of_spans = of_tiles + across * static_cast<u64>(COLUMNS) * tiles * Record<Handed<State, EXCLUSIVE>>::words;
  const u32 number = launch_number(relay);
  u32 next = threadIdx.x == 0 ? add_relaxed(relay.control, 1) : 0;
#pragma unroll 1
  for (;;) {
    // The barrier also keeps what the tile before reads of shared memory.
    if (threadIdx.x == 0) ticket[0] = next;
    __syncthreads();
    const u32 unit = ticket[0];
    if (unit >= units) break;
    const u64 tile = unit / across, first_column = static_cast<u64>(unit % across) * COLUMNS;
    const u64 column = first_column + static_cast<u64>(c), start = tile * Order::size + static_cast<u64>(own * V);
    // Of the thread's elements, those before here exist.
    const int left = column >= shape.cols || start >= shape.rows ? 0 : static_cast<int>(least(shape.rows - start, Order::size));
    const bool whole = first_column + COLUMNS <= shape.cols && (tile + 1) * Order::size <= shape.rows;
    const typename Spec::Row row = Spec::row(args, least(column, shape.cols - 1), shape.rows);
    const u64 live = live_columns<Spec>(row, shape.rows);
    const auto index_at = [&](int t, int s) {
      const u64 position = start + static_cast<u64>(t * Order::turn + s);
      return REVERSE ? shape.rows - 1 - position : position;  // wraps where there is none
    };
    typename Spec::template Items<1> items[TURNS][V];
    typename Spec::template Columns<1> columns[TURNS][V];
    State value[TURNS][V];
    const auto read = [&](bool sure) {
      DownColumn<Order, REVERSE> at(index_at(0, 0), column, shape.stride);
#pragma unroll
      for (int t = 0; t < TURNS; t++) {
#pragma unroll
        for (int s = 0; s < V; s++) {
          items[t][s] = Spec::template items<1>(args, Element{at.at, sure || t * Order::turn + s < left});
          at.next(s + 1 == V);
        }
      }
    };
    const auto fold = [&](bool sure) {
#pragma unroll
      for (int t = 0; t < TURNS; t++) {
#pragma unroll
        for (int s = 0; s < V; s++) {
          const u64 i = index_at(t, s);
          columns[t][s] = Spec::template columns<1>(args, Element{i, sure || t * Order::turn + s < left});
          const bool counts = (sure || t * Order::turn + s < left) && (!Spec::has_live || i < live);
          const State one = counts ? Spec::lift(Spec::template map<1>(items[t][s], columns[t][s], 0, row, args, i), i) : Spec::identity();
          value[t][s] = s == 0 ? one : Spec::combine(value[t][s - 1], one);
        }
        scanned[place(t, own, c)] = value[t][V - 1];
      }
    };
    if (whole) {
      read(true);
      fold(true);
    } else {
      read(false);
      fold(false);
    }
    __syncthreads();
    // A group of lanes scans a column's packs, turn by turn.
    const int l = static_cast<int>(lane_in_group<LANES>()), mine = static_cast<int>(warp * GROUPS + lane() / LANES);
    // Which lane is the first, so told that the compiler does not part it from the others, shuffles and all.
    [[maybe_unused]] bool is_first = false;
    if constexpr (EXCLUSIVE) is_first = shuffle_lane<LANES>((l + LANES - 1) % LANES, static_cast<u32>(l)) >= l;
    Handed<State, EXCLUSIVE> of_tile;
    of_tile.total = Spec::identity();
    if constexpr (EXCLUSIVE) of_tile.last = of_tile.total;
#pragma unroll
    for (int t = 0; t < TURNS; t++) {
      const int at = place(t, l, mine);
      const State alone = scanned[at];
      const State upto = Spec::scan_inclusive(alone, Width<LANES>{});
      scanned[at] = upto;
      if constexpr (EXCLUSIVE) {
        const State lower = Spec::shift_from_lower(upto, Width<LANES>{});
        const State last = join<Spec>({of_tile.total, t > 0}, join<Spec>({lower, !is_first}, alone));
        leads[place(t, l + 1, mine)] = last;
        of_tile.last = shuffle_lane<LANES>(last, LANES - 1);
      }
      of_tile.total = join<Spec>({of_tile.total, t > 0}, shuffle_lane<LANES>(upto, LANES - 1));
    }
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
      Handed<State, EXCLUSIVE> one = of_tile;
      if constexpr (GROUPS > 1) {
        one.total = shuffle_lane<32>(of_tile.total, g * LANES);
        if constexpr (EXCLUSIVE) one.last = shuffle_lane<32>(of_tile.last, g * LANES);
      }
      const u32 q = warp * GROUPS + g;
      const Ahead<Spec> ahead = look_ahead<Spec, EXCLUSIVE>(one, first_column + q, tile, tiles, of_tiles, of_spans, args, number);
      if (lane() == 0) before[q] = ahead;
    }
    // Drawn while the tile is stored, and not before: whoever waits for the next tile would wait for this one.
    if (threadIdx.x == 0) next = add_relaxed(relay.control, 1);
    __syncthreads();
    const Ahead<Spec> ahead = before[c];
    const auto write = [&](bool sure) {
      DownColumn<Order, REVERSE> at(index_at(0, 0), column, shape.out_stride);
      Maybe<State> turns = {Spec::identity(), false};
#pragma unroll
      for (int t = 0; t < TURNS; t++) {
        const bool some = own > 0;
        const Maybe<State> lower = {scanned[place(t, some ? own - 1 : 0, c)], some};
        State lead = ahead.first;
        if constexpr (EXCLUSIVE) {
          const bool before_any = t == 0 && !some;
          const State last = join<Spec>(ahead.prefix, leads[place(t, before_any ? 1 : own, c)]);
          lead = before_any ? ahead.first : last;
        }
#pragma unroll
        for (int s = 0; s < V; s++) {
          const State here = join<Spec>(ahead.prefix, join<Spec>(turns, join<Spec>(lower, value[t][s])));
          const u64 i = index_at(t, s);
          if (sure || t * Order::turn + s < left) {
            const typename Spec::Result one[1] = {Spec::template finish_at<1>(EXCLUSIVE ? lead : here, items[t][s], columns[t][s], 0, row, args, i)};
            Spec::template store<1>(results, one, One{at.at});
          }
          at.next(s + 1 == V);
          lead = here;
        }
        turns = {join<Spec>(turns, scanned[place(t, LANES - 1, c)]), true};
      }
    };
    if (whole) {
      write(true);
    } else {
      write(false);
    }
  }
  leave_relay(relay, number);
}

}  // namespace wf
