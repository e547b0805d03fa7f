// fold.cuh: the order of combining, carried out by a group of lanes.
//
// Promises: a position that holds no element counts as the identity; a tile is folded as `Spec::fold` says, and the states of
// tiles in groups of 32. Which warp does it, and when, is the caller's placement and changes no bit.
#pragma once

namespace wf {

// Folds the states of `count` tiles or turns, held by the leading lanes of a group of LANES (at least as many), into its lane
// 0; the other lanes bring anything. The steps are those of the power of two that holds them, or of 32 where they are part of
// more (`part`).
template <class Spec, int LANES, int WIDTH = LANES>
WF_FN typename Spec::State fold_states(typename Spec::State s, u64 count, bool part) {
  if constexpr (WIDTH == 1) {
    return s;
  } else {
    if (part || count > WIDTH / 2) {
      if (lane_in_group<LANES>() >= count) s = Spec::identity();
      return Spec::reduce_first(s, Width<WIDTH>{});
    }
    return fold_states<Spec, LANES, WIDTH / 2>(s, count, false);
  }
}

WF_FN constexpr int power_of_two_from(int n) {
  int p = 1;
  while (p < n) p *= 2;
  return p;
}

// One step of the in-order plan on two folds at once: of each pair of lanes that far apart, the lower one goes on with the
// fold `low`, the upper one with `high`. On one fold, given twice, it is the step itself.
template <class Spec, int LANES> WF_FN typename Spec::State meet(typename Spec::State low, typename Spec::State high, u32 distance) {
  const bool upper = (lane() & distance) != 0;
  // Assignments, not `?:`, whose operands the compiler would keep in memory to choose between their places.
  typename Spec::State given = high;
  if (upper) given = low;
  const typename Spec::State received = shuffle_xor<LANES>(given, distance);
  if (upper) low = received;
  if (!upper) high = received;
  return Spec::combine(low, high);
}
// The folds K * 2^LEVEL and the 2^LEVEL - 1 after it, LEVEL steps on.
template <class Spec, int LANES, int LEVEL, int K, int COUNT> WF_FN typename Spec::State met(const typename Spec::State (&folds)[COUNT]) {
  if constexpr (LEVEL == 0) {
    return folds[K];
  } else {
    constexpr int HALF = 1 << (LEVEL - 1);
    const typename Spec::State low = met<Spec, LANES, LEVEL - 1, 2 * K>(folds);
    if constexpr ((2 * K + 1) * HALF >= COUNT) {
      return meet<Spec, LANES>(low, low, HALF);
    } else {
      return meet<Spec, LANES>(low, met<Spec, LANES, LEVEL - 1, 2 * K + 1>(folds), HALF);
    }
  }
}
// COUNT folds over the lanes of a group by the in-order plan, a state of each in every lane: in place of one after the other,
// which takes a combination a step and fold, lanes share them out. Lane l gets the one whose number ends as l does, counted in
// as many bits as numbers have, or one that is not asked for where there is none. COUNT is at most LANES.
template <class Spec, int LANES, int COUNT> WF_FN typename Spec::State fold_together(const typename Spec::State (&folds)[COUNT]) {
  static_assert(COUNT <= LANES, "a lane has one of them at the end");
  constexpr int HELD = power_of_two_from(COUNT);
  constexpr int LEVEL = HELD == 1 ? 0 : HELD == 2 ? 1 : HELD == 4 ? 2 : HELD == 8 ? 3 : HELD == 16 ? 4 : 5;
  typename Spec::State s = met<Spec, LANES, LEVEL, 0>(folds);
#pragma unroll
  for (int step = HELD; step < LANES; step *= 2) s = meet<Spec, LANES>(s, s, static_cast<u32>(step));
  return s;
}

// The slots of a turn, in order.
template <class Spec, class Order, bool REVERSE>
WF_FN typename Spec::State fold_slots(const Tile<Spec, Order>& tile, int t, const Counting& counts, const typename Spec::Row& row,
                                      const typename Spec::Args& args, const Spot& spot) {
  typename Spec::State acc = Spec::identity();
#pragma unroll
  for (int s = 0; s < Order::v; s++) {
    const typename Spec::State one = counts(t, s) ? state_at<Spec, Order, REVERSE>(tile, t, s, row, args, spot) : Spec::identity();
    acc = s == 0 ? one : Spec::combine(acc, one);
  }
  return acc;
}

// Folds what the lanes of a group hold of each turn over the lanes, and then the turns, of which there are `turns`.
template <class Spec, class Order, bool ALL>
WF_FN typename Spec::State fold_turns(typename Spec::State (&of_turns)[Order::turns], int turns) {
  using Group = Width<Order::lanes>;
  if constexpr (Order::turns == 1) {
    return ALL ? Spec::reduce_all(of_turns[0], Group{}) : Spec::reduce_first(of_turns[0], Group{});
  } else if constexpr (Order::turns <= Order::lanes) {
    constexpr int HELD = power_of_two_from(Order::turns);
    typename Spec::State s = fold_together<Spec, Order::lanes>(of_turns);
    if constexpr (Order::groups == 1) {
      s = fold_states<Spec, Order::lanes, HELD>(s, static_cast<u64>(turns), false);
    } else {
      // Groups of a warp may have turns of different numbers, and all lanes have to come to each exchange.
      if (lane_in_group<Order::lanes>() >= static_cast<u32>(turns)) s = Spec::identity();
#pragma unroll
      for (int step = 1; step < HELD; step *= 2) {
        const typename Spec::State both = Spec::combine(s, shuffle_down<Order::lanes>(s, static_cast<u32>(step)));
        if (step < turns) s = both;
      }
    }
    return ALL ? shuffle_lane<Order::lanes>(s, 0) : s;
  } else {
    constexpr int HELD = power_of_two_from(Order::turns);
    typename Spec::State s[HELD];
#pragma unroll
    for (int t = 0; t < HELD; t++) {
      s[t] = Spec::identity();
      if (t < Order::turns) {
        const typename Spec::State all = ALL ? Spec::reduce_all(of_turns[t], Group{}) : Spec::reduce_first(of_turns[t], Group{});
        if (t < turns) s[t] = all;
      }
    }
#pragma unroll
    for (int step = 1; step < HELD; step *= 2) {
#pragma unroll
      for (int t = 0; t < HELD; t += 2 * step) {
        if (step < turns) s[t] = Spec::combine(s[t], s[t + step]);
      }
    }
    return s[0];
  }
}

// Whether the lanes of a group vote on a tile's elements, for an operator that can be told from the votes: where these fit one
// word. The lanes of a longer tile fold their own elements first, by an instruction an element; a vote and the count of its bits
// take several.
template <class Spec, class Order> WF_FN constexpr bool votes_on_tile() {
  if constexpr (Spec::fold == Fold::tile || Spec::fold == Fold::lane) {
    return Spec::votes && Order::lanes >= 8 && Order::size <= 32 && (Order::v == 1 || Order::turns == 1);
  } else {
    return false;
  }
}
// What the lanes of a group say of a tile's elements, one slot of one turn after the other; and the state that tells, where
// `first` is the index of the tile's first element.
template <class Spec, class Order>
WF_FN u32 votes_of_tile(const Tile<Spec, Order>& tile, const Counting& counts, const typename Spec::Row& row, const typename Spec::Args& args,
                        const Spot& spot) {
  bool says[Order::turns * Order::v];
#pragma unroll
  for (int t = 0; t < Order::turns; t++) {
#pragma unroll
    for (int s = 0; s < Order::v; s++) {
      const u64 index = index_of<false>(spot, slot_zero<Order>(t) + s);
      says[t * Order::v + s] = Spec::template map<Order::v>(tile.items[t], tile.columns[t], s, row, args, index) && counts(t, s);
    }
  }
  return Spec::ballot(says, Width<Order::lanes>{});
}
template <class Spec, class Order> WF_FN typename Spec::State state_of_votes(u32 said, u64 first) {
  return Spec::template of_votes<Order::lanes, Order::v>(said, first);
}

// What the elements of a tile become.
template <class Spec, class Order>
WF_FN void map_tile(typename Spec::Mapped (&x)[Order::turns][Order::v], const Tile<Spec, Order>& tile, const typename Spec::Row& row,
                    const typename Spec::Args& args, const Spot& spot) {
#pragma unroll
  for (int t = 0; t < Order::turns; t++) {
#pragma unroll
    for (int s = 0; s < Order::v; s++) {
      const u64 index = index_of<false>(spot, slot_zero<Order>(t) + s);
      x[t][s] = Spec::template map<Order::v>(tile.items[t], tile.columns[t], s, row, args, index);
    }
  }
}

// What a lane weighs of a tile. AGAIN: its elements still stand in memory as they were read, so that what is rare may be done by a
// loop that reads them again. Written out for every element it would be as long as all the rest of a kernel, which then waits for
// its own instructions.
template <class Spec, class Order, bool AGAIN>
WF_FN typename Spec::Table::Part weigh_tile(const typename Spec::Mapped (&x)[Order::turns][Order::v], const Counting& counts,
                                            const typename Spec::Table::Shared& shared, int left, const typename Spec::Mapped& pivot,
                                            const typename Spec::Row& row, const typename Spec::Args& args, const Spot& spot) {
  using Table = typename Spec::Table;
  if constexpr (AGAIN && Table::one_by_one) {
    typename Table::Part part = Table::template weigh<true>(x, counts, shared, static_cast<u32>(left), pivot);
    if (!Table::usual(shared)) {
      part = typename Table::Part(0);
#pragma unroll 1
      for (int e = 0; e < Order::turns * Order::v; e++) {
        const int p = slot_zero<Order>(e / Order::v) + e % Order::v;
        if (p >= left) break;
        const u64 index = index_of<false>(spot, p);
        const typename Spec::template Items<1> items = Spec::template items<1>(args, Element{spot.offset + index, true});
        const typename Spec::template Columns<1> columns = Spec::template columns<1>(args, Element{index, true});
        part = Table::add_parts(part, Table::weigh_one(Spec::template map<1>(items, columns, 0, row, args, index), shared));
      }
    }
    return part;
  } else {
    return Table::weigh(x, counts, shared, static_cast<u32>(left), pivot);
  }
}

// Folds a lane's part of a tile, then the group's lanes. `left`: the leading positions that hold elements. ALL: every
// lane of the group gets the state of the tile, else lane 0 does; the bits are the same. A tile may have fewer turns than
// the order, where only the launch knows how many: `left` then ends with them. REVERSE: the element that stands last is met
// first, where elements are combined as they are met. SOLID: leading turns that are known to hold elements throughout; where
// they do not (a row that does not exist), nobody may use the state. WHOLE: so are the packs of the other turns, or they hold none.
// AGAIN: as `weigh_tile` has it.
template <class Spec, class Order, bool ALL, bool REVERSE = false, int SOLID = 0, bool WHOLE = false, bool AGAIN = false>
WF_FN typename Spec::State fold_tile(const Tile<Spec, Order>& tile, const typename Spec::Row& row,
                                     const typename Spec::Args& args, const Spot& spot, int left, int turns = Order::turns) {
  using State = typename Spec::State;
  using Group = Width<Order::lanes>;
  static_assert(!REVERSE || Spec::fold == Fold::blocked, "other folds may take their elements in any order");
  const Counting counts = counting_in_tile(slot_zero<Order>(0), Order::turn, left, SOLID, WHOLE);
  if constexpr (votes_on_tile<Spec, Order>()) {
    return state_of_votes<Spec, Order>(votes_of_tile<Spec, Order>(tile, counts, row, args, spot), spot.start);
  } else if constexpr (Spec::fold == Fold::tile) {
    using Table = typename Spec::Table;
    typename Spec::Mapped x[Order::turns][Order::v];
    map_tile<Spec, Order>(x, tile, row, args, spot);
    const u32 live = static_cast<u32>(left);
    typename Spec::Mapped pivot = x[0][0];
    if constexpr (Spec::pivots) pivot = Spec::Share::of_first(pivot, Group{});
    typename Table::Shared shared = {};
    if constexpr (Spec::shares) shared = Spec::Share::reduce_all(Table::look(x, counts, pivot), Group{});
    const typename Table::Part part = weigh_tile<Spec, Order, AGAIN>(x, counts, shared, left, pivot, row, args, spot);
    return Table::join(pivot, shared, ALL ? Spec::Parts::reduce_all(part, Group{}) : Spec::Parts::reduce_first(part, Group{}), live, spot.start);
  } else if constexpr (Spec::fold == Fold::lane) {
    typename Spec::Mapped mapped[Order::turns][Order::v];
    map_tile<Spec, Order>(mapped, tile, row, args, spot);
    const u64 first = index_of<false>(spot, slot_zero<Order>(0));
    const State s = Spec::template fold_lane<Order::turns, Order::v>(mapped, first, Order::turn, spot.start + static_cast<u64>(left));
    return ALL ? Spec::reduce_all(s, Group{}) : Spec::reduce_first(s, Group{});
  } else if constexpr (Spec::fold == Fold::striped) {
    State acc[Order::v];
#pragma unroll
    for (int t = 0; t < Order::turns; t++) {
#pragma unroll
      for (int s = 0; s < Order::v; s++) {
        const State one = counts(t, s) ? state_at<Spec, Order, false>(tile, t, s, row, args, spot) : Spec::identity();
        if (t == 0) {
          acc[s] = one;
        } else if (t < turns) {
          acc[s] = Spec::combine(acc[s], one);
        }
      }
    }
#pragma unroll
    for (int s = 1; s < Order::v; s++) acc[0] = Spec::combine(acc[0], acc[s]);
    return ALL ? Spec::reduce_all(acc[0], Group{}) : Spec::reduce_first(acc[0], Group{});
  } else {
    State of_turns[Order::turns];
#pragma unroll
    for (int t = 0; t < Order::turns; t++) of_turns[t] = fold_slots<Spec, Order, REVERSE>(tile, t, counts, row, args, spot);
    return fold_turns<Spec, Order, ALL>(of_turns, turns);
  }
}

// Whether a tile's elements are taken relative to its first one.
template <class Spec> WF_FN constexpr bool has_pivot() {
  if constexpr (Spec::fold == Fold::tile) {
    return Spec::pivots;
  } else {
    return false;
  }
}

// Whether a tile is folded in parts by lanes that talk in between.
template <class Spec, class Order> WF_FN constexpr bool folds_in_parts() { return Spec::fold == Fold::tile && !votes_on_tile<Spec, Order>(); }

// Folds COUNT tiles of different rows, each as `fold_tile` does, their elements still in memory as they were read. Where lanes talk in
// between they do so for all tiles at once: a fold asks what is rare on the way, behind which the exchanges of the next would wait
// for those of the one before. Not so with a pivot, for which nothing is rare: then it takes registers and gives nothing.
template <class Spec, class Order, bool ALL, int SOLID, bool WHOLE, int COUNT>
WF_FN void fold_tiles(typename Spec::State (&states)[COUNT], const Tile<Spec, Order> (&tiles)[COUNT], const typename Spec::Row (&rows)[COUNT],
                      const typename Spec::Args& args, const Spot (&spots)[COUNT], const int (&left)[COUNT]) {
  if constexpr (folds_in_parts<Spec, Order>() && !has_pivot<Spec>()) {
    using Group = Width<Order::lanes>;
    using Table = typename Spec::Table;
    typename Spec::Mapped x[COUNT][Order::turns][Order::v], pivots[COUNT];
    typename Table::Shared shared[COUNT];
    typename Table::Part parts[COUNT];
    const auto counts = [&](int k) { return counting_in_tile(slot_zero<Order>(0), Order::turn, left[k], SOLID, WHOLE); };
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
      map_tile<Spec, Order>(x[k], tiles[k], rows[k], args, spots[k]);
      pivots[k] = x[k][0][0];
      shared[k] = {};
      if constexpr (Spec::shares) shared[k] = Table::look(x[k], counts(k), pivots[k]);
    }
    if constexpr (Spec::shares) {
#pragma unroll
      for (int k = 0; k < COUNT; k++) shared[k] = Spec::Share::reduce_all(shared[k], Group{});
    }
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
      parts[k] = weigh_tile<Spec, Order, true>(x[k], counts(k), shared[k], left[k], pivots[k], rows[k], args, spots[k]);
    }
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
      parts[k] = ALL ? Spec::Parts::reduce_all(parts[k], Group{}) : Spec::Parts::reduce_first(parts[k], Group{});
    }
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
      states[k] = Table::join(pivots[k], shared[k], parts[k], static_cast<u32>(left[k]), spots[k].start);
    }
  } else {
#pragma unroll
    for (int k = 0; k < COUNT; k++) states[k] = fold_tile<Spec, Order, ALL, false, SOLID, WHOLE, true>(tiles[k], rows[k], args, spots[k], left[k]);
  }
}

// Turns of a row of one tile that hold elements throughout, but for ragged rows: all but one, or where the order has turns
// of few kinds, all but those that may be empty as well.
template <class Spec, class Order, int COLS> WF_FN constexpr int solid_turns() {
  constexpr int others = Order::turns <= 8 ? 1 : Order::turns <= 16 ? 2 : 4;
  return Spec::has_live ? 0 : COLS == Order::size ? Order::turns : Order::turns - others;
}
// Whether packs hold elements throughout or none.
template <class Spec, Load LOAD> WF_FN constexpr bool whole_packs() { return LOAD == Load::whole && !Spec::has_live; }

// Whether rows of one turn, several a group, are folded over the lanes together.
template <class Spec, class Order> WF_FN constexpr bool folds_together() { return Spec::fold == Fold::blocked && Order::turns == 1; }
// What a lane has of such a row.
template <class Spec, class Order, int SOLID, bool WHOLE>
WF_FN typename Spec::State fold_only_turn(const Tile<Spec, Order>& tile, const typename Spec::Row& row, const typename Spec::Args& args,
                                          const Spot& spot, int left) {
  return fold_slots<Spec, Order, false>(tile, 0, counting_in_tile(slot_zero<Order>(0), Order::turn, left, SOLID, WHOLE), row, args, spot);
}

// Folds one of many tiles, most of which are full: twice as much code then, which with a pivot costs too many registers.
template <class Spec, class Order, Load LOAD, bool ALL, bool REVERSE = false, bool AGAIN = false>
WF_FN typename Spec::State fold_likely_full(const Tile<Spec, Order>& tile, const typename Spec::Row& row,
                                            const typename Spec::Args& args, const Spot& spot, int left) {
  if constexpr (Order::lanes == 32 && !has_pivot<Spec>()) {
    // The warp goes one way together.
    if (left == Order::size) return fold_tile<Spec, Order, ALL, REVERSE, Order::turns, false, AGAIN>(tile, row, args, spot, left);
  }
  return fold_tile<Spec, Order, ALL, REVERSE, 0, whole_packs<Spec, LOAD>(), AGAIN>(tile, row, args, spot, left);
}

// The state of a whole row: init is folded in once, on the left.
template <class Spec> WF_FN typename Spec::State with_init(const typename Spec::State& total) {
  if constexpr (Spec::has_init) {
    return Spec::combine(Spec::init(), total);
  } else {
    return total;
  }
}

// States in global memory, in slots of 4 or 8 bytes or of a multiple of 16, so that each moves in few accesses.
template <class State> struct Slot {
  static constexpr int bytes = sizeof(State) <= 4 ? 4 : sizeof(State) <= 8 ? 8 : (int(sizeof(State)) + 15) / 16 * 16;
  static constexpr int each = bytes > 16 ? 16 : bytes;
  using Piece = typename Granule<each>::Type;
  Piece piece[bytes / each];

  static WF_FN Slot of(const State& s) {
    Slot r = {};
    memcpy(&r, &s, sizeof(State));
    return r;
  }
  WF_FN State state() const {
    State s;
    memcpy(&s, this, sizeof(State));
    return s;
  }
  // Past the L1 cache: other multiprocessors write and read.
  WF_FN void store(void* slots, u64 at) const {
    Piece* p = static_cast<Piece*>(slots) + at * (bytes / each);
#pragma unroll
    for (int i = 0; i < bytes / each; i++) __stcg(p + i, piece[i]);
  }
  static WF_FN State load(const void* slots, u64 at) {
    const Piece* p = static_cast<const Piece*>(slots) + at * (bytes / each);
    Slot r;
#pragma unroll
    for (int i = 0; i < bytes / each; i++) r.piece[i] = __ldcg(p + i);
    return r.state();
  }
};

}  // namespace wf
