// scan.cuh: the order of scans, carried out by a group of lanes.
//
// Promises: the value at a position is combine(tile's prefix, combine(turn's prefix, combine(lane's prefix, slot's
// value))), with those that do not exist left out and never replaced by the identity; an exclusive scan gives the
// inclusive value of the position before, and init or the identity at the first, bit for bit. With REVERSE position q is
// element cols - 1 - q, so that `left` is the element met first.
#pragma once

namespace wf {

// A state that may be absent.
template <class State> struct Maybe {
  State state;
  bool some;
};
template <class Spec> WF_FN typename Spec::State join(const Maybe<typename Spec::State>& before, const typename Spec::State& s) {
  // Combined whether or not it is wanted: the compiler puts a combination with inline PTX behind a branch otherwise, and between
  // branches the turns of a tile, whose steps each wait for a shuffle, cannot overlap.
  typename Spec::State joined = Spec::combine(before.state, s);
  if (!before.some) joined = s;
  return joined;
}

// A tile scanned on its own, or some turns of it after others that come to `turns`. A tile may have fewer turns than the
// order, `count`, where only the launch knows how many.
template <class Spec, class Order> struct Scan {
  typename Spec::State value[Order::turns][Order::v];
  typename Spec::State total;  // of the tile, in every lane of the group
};

template <class Spec, class Order, bool REVERSE>
WF_FN void scan_tile(Scan<Spec, Order>& scan, const Tile<Spec, Order>& tile, const typename Spec::Row& row,
                     const typename Spec::Args& args, const Spot& spot, int left, const Maybe<typename Spec::State>& turns = {},
                     int count = Order::turns) {
  using State = typename Spec::State;
  using Group = Width<Order::lanes>;
  const u64 live = live_columns<Spec>(row, spot.cols);
  const int own_left = left - slot_zero<Order>(0);
#pragma unroll
  for (int t = 0; t < Order::turns; t++) {
#pragma unroll
    for (int s = 0; s < Order::v; s++) {
      const int p = slot_zero<Order>(t) + s;
      const bool exists = t * Order::turn + s < own_left && (!Spec::has_live || index_of<REVERSE>(spot, p) < live);
      const State one = exists ? state_at<Spec, Order, REVERSE>(tile, t, s, row, args, spot) : Spec::identity();
      scan.value[t][s] = s == 0 ? one : Spec::combine(scan.value[t][s - 1], one);
    }
    const State lanes = Spec::scan_inclusive(scan.value[t][Order::v - 1], Group{});
    const State lower = Spec::shift_from_lower(lanes, Group{});
    const bool some = lane_in_group<Order::lanes>() > 0;
#pragma unroll
    for (int s = 0; s < Order::v; s++) {
      scan.value[t][s] = join<Spec>({lower, some}, scan.value[t][s]);
      scan.value[t][s] = t > 0 ? Spec::combine(scan.total, scan.value[t][s]) : join<Spec>(turns, scan.value[t][s]);
    }
    const State all = shuffle_lane<Order::lanes>(lanes, Order::lanes - 1);
    if (t == 0) {
      scan.total = join<Spec>(turns, all);
    } else if (t < count) {
      scan.total = Spec::combine(scan.total, all);
    }
  }
}

// What a tile comes to, in every lane, and the value at its last position, in the last one and where it is asked for: the
// bits that scan_tile gives, in a fraction of its steps.
template <class Spec> struct TileTotal {
  typename Spec::State total, last;
};
template <class Spec, class Order, bool EXCLUSIVE, bool REVERSE>
WF_FN TileTotal<Spec> total_of_tile(const Tile<Spec, Order>& tile, const typename Spec::Row& row, const typename Spec::Args& args,
                                    const Spot& spot, int left) {
  using State = typename Spec::State;
  static_assert(Order::lanes == 32, "a warp takes a tile");
  const u64 live = live_columns<Spec>(row, spot.cols);
  State own[Order::turns];
#pragma unroll
  for (int t = 0; t < Order::turns; t++) {
#pragma unroll
    for (int s = 0; s < Order::v; s++) {
      const int p = slot_zero<Order>(t) + s;
      const bool exists = p < left && (!Spec::has_live || index_of<REVERSE>(spot, p) < live);
      const State one = exists ? state_at<Spec, Order, REVERSE>(tile, t, s, row, args, spot) : Spec::identity();
      own[t] = s == 0 ? one : Spec::combine(own[t], one);
    }
  }
  // The last lane of a scan has what a fold in order comes to, of which the lanes take a turn each.
  const State of_turn = fold_together<Spec, 32>(own);
  State last = own[Order::turns - 1];
  if constexpr (EXCLUSIVE) last = Spec::combine(Spec::shift_from_lower(Spec::scan_inclusive(last, Width<32>{}), Width<32>{}), last);
  State total = shuffle_lane<32>(of_turn, 0);
#pragma unroll
  for (int t = 1; t < Order::turns; t++) {
    if (EXCLUSIVE && t == Order::turns - 1) last = Spec::combine(total, last);
    total = Spec::combine(total, shuffle_lane<32>(of_turn, static_cast<u32>(t)));
  }
  return {total, last};
}

// The value at the last position of a scanned tile, in every lane of the group.
template <class Spec, class Order> WF_FN typename Spec::State last_value(const Scan<Spec, Order>& scan, int count = Order::turns) {
  typename Spec::State last = scan.value[Order::turns - 1][Order::v - 1];
#pragma unroll
  for (int t = 0; t + 1 < Order::turns; t++) {
    if (t == count - 1) last = scan.value[t][Order::v - 1];
  }
  return shuffle_lane<Order::lanes>(last, Order::lanes - 1);
}

// Puts the tile's prefix in front, finishes, and stores by the writer that `make` makes for each turn. `before`: what an
// exclusive scan gives at the tile's first position. All 32 lanes call; lane 0 gets what an exclusive scan gives after the
// tile's last position.
template <class Spec, class Order, bool EXCLUSIVE, bool REVERSE, class Make>
WF_FN typename Spec::State emit_scan_by(Scan<Spec, Order>& scan, const Tile<Spec, Order>& tile, const Maybe<typename Spec::State>& prefix,
                                        const typename Spec::State& before, const typename Spec::Row& row, const typename Spec::Args& args,
                                        const typename Spec::Results& results, const Spot& spot, const Make& make) {
  using State = typename Spec::State;
  State from_last = before;
#pragma unroll
  for (int t = 0; t < Order::turns; t++) {
    State value[Order::v];
#pragma unroll
    for (int s = 0; s < Order::v; s++) value[s] = join<Spec>(prefix, scan.value[t][s]);
    if constexpr (EXCLUSIVE) {
      const u32 lane = lane_in_group<Order::lanes>();
      const State lower = shuffle_lane<Order::lanes>(value[Order::v - 1], (lane + Order::lanes - 1) % Order::lanes);
#pragma unroll
      for (int s = Order::v - 1; s > 0; s--) value[s] = value[s - 1];
      value[0] = lane > 0 ? lower : from_last;
      from_last = lower;  // as far as lane 0 is concerned, which looks at it next
    }
    const int p = slot_zero<Order>(t);
    typename Spec::Result finished[Order::v];
#pragma unroll
    for (int s = 0; s < Order::v; s++) {
      finished[s] = Spec::template finish_at<Order::v>(value[s], tile.items[t], tile.columns[t], s, row, args, index_of<REVERSE>(spot, p + s));
    }
    Spec::template store<Order::v>(results, finished, make(t));
  }
  return from_last;
}
// The same, stored from element `out` of the results on. `wide`: as a Writer has it.
template <class Spec, class Order, bool EXCLUSIVE, bool REVERSE, Load STORE>
WF_FN typename Spec::State emit_scan(Scan<Spec, Order>& scan, const Tile<Spec, Order>& tile, const Maybe<typename Spec::State>& prefix,
                                     const typename Spec::State& before, const typename Spec::Row& row, const typename Spec::Args& args,
                                     const typename Spec::Results& results, const Spot& spot, u64 out, int left, bool wide = false) {
  const Own<Order, REVERSE> own(static_cast<i64>(out + index_of<REVERSE>(spot, 0)), left);
  const auto make = [&](int t) { return Writer<STORE, REVERSE>{own.first(t), own.left(t), wide}; };
  return emit_scan_by<Spec, Order, EXCLUSIVE, REVERSE>(scan, tile, prefix, before, row, args, results, spot, make);
}

// What stands before the first element: init, or nothing; where the spec knows more of it, that.
template <class Spec> WF_FN auto initial_of(const typename Spec::Args& args, int) -> decltype(Spec::before(args)) { return Spec::before(args); }
template <class Spec> WF_FN Maybe<typename Spec::State> initial_of(const typename Spec::Args&, long) {
  if constexpr (Spec::has_init) {
    return {Spec::init(), true};
  } else {
    return {Spec::identity(), false};
  }
}
template <class Spec> WF_FN Maybe<typename Spec::State> initial(const typename Spec::Args& args) { return initial_of<Spec>(args, 0); }

// The prefixes of the tiles of a row. Every warp that needs them keeps its own copy: the totals of the tiles of one span
// of 32, a lane each, and what all spans before it come to.
template <class Spec> struct Prefixes {
  using State = typename Spec::State;
  Maybe<State> carry;
  State totals;     // of the span's tiles so far; the lanes above hold anything that is a state
  State inclusive;  // their scan

  WF_FN void begin(const typename Spec::Args& args) {
    carry = initial<Spec>(args);
    totals = inclusive = Spec::identity();
  }
  // Lanes that have a new total bring it.
  WF_FN void add(const State& total, bool mine) {
    if (mine) totals = total;
    inclusive = Spec::scan_inclusive(totals, Width<32>{});
  }
  // The prefix of tile j of the span, j <= 31 and at most as many as were added; j may differ between lanes.
  WF_FN Maybe<State> at(u32 j) const {
    const State below = shuffle_lane<32>(inclusive, (j + 31) % 32);
    return j == 0 ? carry : Maybe<State>{join<Spec>(carry, below), true};
  }
  WF_FN void next_span() { carry = {join<Spec>(carry, shuffle_lane<32>(inclusive, 31)), true}; }
};

}  // namespace wf
