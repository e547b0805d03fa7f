// tile.cuh: the order of a row, and the elements of its tiles in registers.
//
// Promises: position p = (turn * lanes + lane) * v + slot of tile k is element k * size + p, or nothing past the end. All packs of a
// tile are read before the first is used, and asked about only where the answer is not known. Which warp does it, and when, is the
// caller's placement.
#pragma once

namespace wf {

// The order of a row, from its columns and types alone: `v` elements a pack, `lanes` a group, `turns` packs a lane.
template <int V, int LANES, int TURNS> struct TileOrder {
  static constexpr int v = V, lanes = LANES, turns = TURNS;
  static constexpr int turn = V * LANES, size = turn * TURNS;
  static constexpr int groups = 32 / LANES;  // of a warp
  static constexpr bool few = false, always = false;
};
// The same of segments that take few lanes, as `Order::takes_few` of the runtime has it.
template <class Order> struct FewLanes : Order {
  static constexpr bool few = true;
};
// The same of segments that have packs wherever they start, as `Order::always_packs` has it.
template <class Order> struct AlwaysPacks : Order {
  static constexpr bool always = true;
};

// One tile of one row.
struct Spot {
  u64 offset;  // of the row's element 0 from a plain parameter's pointer
  u64 start;   // position of the tile's first element in the row
  u64 cols;    // elements of the row
  u64 length;  // elements behind a plain parameter's pointer
  bool exists; // otherwise the lanes only keep the others company
};

// What a lane holds of a tile.
template <class Spec, class Order> struct Tile {
  typename Spec::template Items<Order::v> items[Order::turns];
  typename Spec::template Columns<Order::v> columns[Order::turns];
};

// Elements of the row from the tile's first position on, at most a tile; none where the tile does not exist.
template <class Order> WF_FN int left_in_tile(const Spot& spot, u64 limit) {
  if (!spot.exists || limit <= spot.start) return 0;
  return static_cast<int>(least(limit - spot.start, Order::size));
}

// The position of the lane's slot 0 at `turn`, in its tile.
template <class Order> WF_FN int slot_zero(int turn) {
  return (turn * Order::lanes + static_cast<int>(lane_in_group<Order::lanes>())) * Order::v;
}

// Position -> index of the element in its row.
template <bool REVERSE> WF_FN u64 index_of(const Spot& spot, int position) {
  return REVERSE ? spot.cols - 1 - spot.start - static_cast<u64>(position) : spot.start + static_cast<u64>(position);
}

// A lane's packs of a tile whose position 0 stands at `zero` in memory and whose leading `left` positions exist: where the
// pack of each turn begins, and how many elements from there on exist. Turns are a constant apart, so that one address and
// one count serve all of them.
template <class Order, bool REVERSE> struct Own {
  i64 begin;
  int exist;
  WF_FN Own(i64 zero, int left) {
    const int p = slot_zero<Order>(0);
    begin = REVERSE ? zero - p : zero + p;
    exist = left - p;
  }
  WF_FN i64 first(int turn) const { return REVERSE ? begin - turn * Order::turn : begin + turn * Order::turn; }
  WF_FN int left(int turn) const { return exist - turn * Order::turn; }
};

// What is known of the packs of a tile whose leading `left` positions exist, in parameters of `length` elements of which
// the row's first stands at `offset`.
template <class Order, Load LOAD, bool REVERSE> WF_FN Sure sure_of_tile(const Spot& spot, u64 offset, u64 length, int left) {
  if (left <= 0) return Sure::ask;
  const i64 packed = (left + Order::v - 1) / Order::v * Order::v;
  const i64 low = static_cast<i64>(offset + (REVERSE ? spot.cols - spot.start - static_cast<u64>(packed) : spot.start));
  if (LOAD != Load::whole && (low < 0 || static_cast<u64>(low + packed) > length)) return Sure::ask;
  // To ask for a single element takes no more than to choose another in its place.
  return left == Order::size ? Sure::full : Order::v == 1 ? Sure::ask : Sure::inside;
}

template <class Spec, class Order, Load LOAD, bool REVERSE, Sure SURE>
WF_FN void read_items(Tile<Spec, Order>& tile, const typename Spec::Args& args, const Spot& spot, int left) {
  const Own<Order, REVERSE> own(static_cast<i64>(spot.offset + index_of<REVERSE>(spot, 0)), left);
  const i64 instead = static_cast<i64>(spot.offset + (REVERSE ? spot.cols - 1 : 0));  // the row's first pack exists
#pragma unroll
  for (int t = 0; t < Order::turns; t++) {
    const Reader<LOAD, REVERSE, SURE> read = {own.first(t), instead, own.left(t)};
    tile.items[t] = Spec::template items<Order::v>(args, read);
  }
}
template <class Spec, class Order, Load LOAD, bool REVERSE, Sure SURE>
WF_FN void read_columns(Tile<Spec, Order>& tile, const typename Spec::Args& args, const Spot& spot, int left) {
  const Own<Order, REVERSE> own(static_cast<i64>(index_of<REVERSE>(spot, 0)), left);
  const i64 instead = static_cast<i64>(REVERSE ? spot.cols - 1 : 0);
#pragma unroll
  for (int t = 0; t < Order::turns; t++) {
    const Reader<LOAD, REVERSE, SURE> read = {own.first(t), instead, own.left(t)};
    tile.columns[t] = Spec::template columns<Order::v>(args, read);
  }
}

// Reads the leading `left` positions of COUNT tiles, which may belong to different rows; the other positions hold anything.
// Where the answer is known for all of them no question is asked on the way, so that all loads are under way at once.
template <class Spec, class Order, Load LOAD, bool REVERSE, int COUNT>
WF_FN void read_tiles(Tile<Spec, Order> (&tiles)[COUNT], const typename Spec::Args& args, const Spot (&spots)[COUNT], const int (&left)[COUNT]) {
  if constexpr (LOAD == Load::whole && Order::v > 1) {
    // A pack is there or it is not, and the row's first one always is: nothing to ask.
    if (spots[0].cols > 0) {
#pragma unroll
      for (int k = 0; k < COUNT; k++) {
        read_items<Spec, Order, LOAD, REVERSE, Sure::inside>(tiles[k], args, spots[k], left[k]);
        if constexpr (Spec::has_columns) read_columns<Spec, Order, LOAD, REVERSE, Sure::inside>(tiles[k], args, spots[k], left[k]);
      }
    }
  } else {
    Sure items = Sure::full, columns = Sure::full;
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
      const Sure i = sure_of_tile<Order, LOAD, REVERSE>(spots[k], spots[k].offset, spots[k].length, left[k]);
      const Sure c = sure_of_tile<Order, LOAD, REVERSE>(spots[k], 0, spots[k].cols, left[k]);
      items = i > items ? i : items;
      columns = c > columns ? c : columns;
    }
    if (items == Sure::full) {
#pragma unroll
      for (int k = 0; k < COUNT; k++) read_items<Spec, Order, LOAD, REVERSE, Sure::full>(tiles[k], args, spots[k], left[k]);
    } else if (items == Sure::inside) {
#pragma unroll
      for (int k = 0; k < COUNT; k++) read_items<Spec, Order, LOAD, REVERSE, Sure::inside>(tiles[k], args, spots[k], left[k]);
    } else {
#pragma unroll
      for (int k = 0; k < COUNT; k++) read_items<Spec, Order, LOAD, REVERSE, Sure::ask>(tiles[k], args, spots[k], left[k]);
    }
    if constexpr (Spec::has_columns) {
      if (columns == Sure::full) {
#pragma unroll
        for (int k = 0; k < COUNT; k++) read_columns<Spec, Order, LOAD, REVERSE, Sure::full>(tiles[k], args, spots[k], left[k]);
      } else if (columns == Sure::inside) {
#pragma unroll
        for (int k = 0; k < COUNT; k++) read_columns<Spec, Order, LOAD, REVERSE, Sure::inside>(tiles[k], args, spots[k], left[k]);
      } else {
#pragma unroll
        for (int k = 0; k < COUNT; k++) read_columns<Spec, Order, LOAD, REVERSE, Sure::ask>(tiles[k], args, spots[k], left[k]);
      }
    }
  }
}
template <class Spec, class Order, Load LOAD, bool REVERSE>
WF_FN void read_tile(Tile<Spec, Order>& tile, const typename Spec::Args& args, const Spot& spot, int left) {
  Tile<Spec, Order> one[1];
  const Spot spots[1] = {spot};
  const int lefts[1] = {left};
  read_tiles<Spec, Order, LOAD, REVERSE, 1>(one, args, spots, lefts);
  tile = one[0];
}

// The same of a tile whose positions all exist.
template <class Spec, class Order, Load LOAD, bool REVERSE>
WF_FN void read_full_tile(Tile<Spec, Order>& tile, const typename Spec::Args& args, const Spot& spot) {
  read_items<Spec, Order, LOAD, REVERSE, Sure::full>(tile, args, spot, Order::size);
  if constexpr (Spec::has_columns) read_columns<Spec, Order, LOAD, REVERSE, Sure::full>(tile, args, spot, Order::size);
}

// The state of the element at slot s of turn t.
template <class Spec, class Order, bool REVERSE>
WF_FN typename Spec::State state_at(const Tile<Spec, Order>& tile, int t, int s, const typename Spec::Row& row,
                                    const typename Spec::Args& args, const Spot& spot) {
  const u64 index = index_of<REVERSE>(spot, slot_zero<Order>(t) + s);
  return Spec::lift(Spec::template map<Order::v>(tile.items[t], tile.columns[t], s, row, args, index), index);
}

// How many leading elements of a row carry a state of their own.
template <class Spec> WF_FN u64 live_columns(const typename Spec::Row& row, u64 cols) {
  if constexpr (Spec::has_live) {
    return least(row.live, cols);
  } else {
    return cols;
  }
}

// How many positions of a tile carry states: all that exist, but for ragged rows.
template <class Spec, class Order> WF_FN int live_in_tile(const typename Spec::Row& row, const Spot& spot) {
  return left_in_tile<Order>(spot, live_columns<Spec>(row, spot.cols));
}

}  // namespace wf
