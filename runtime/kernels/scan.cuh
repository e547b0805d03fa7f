// scan.cuh: the order of scans, carried out by a group of lanes.
//
// Promises: the value at a position is combine(tile's prefix, combine(turn's prefix, combine(lane's prefix, slot's
// value))), with those that do not exist left out and never replaced by the identity; an exclusive scan gives the
// inclusive value of the position before, and init or the identity at the first, bit for bit. With REVERSE position q is
// element cols - 1 - q, so that `left` is the element met first. Where the spec says that any grouping gives the same bits
// (`regroups`), all that comes before a lane's pack is combined first, and an element costs two combinations.
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

// Whether the identity in front of any state is that state, bit for bit but for which NaN it is: so it is with those of the table,
// floats too.
template <class Spec> WF_FN constexpr auto neutral_of(int) -> decltype(Spec::neutral) { return Spec::neutral; }
template <class Spec> WF_FN constexpr bool neutral_of(long) { return false; }
// A state to be joined with many: where that changes no bit the identity stands in for a state that is absent.
template <class Spec> WF_FN Maybe<typename Spec::State> settled(const Maybe<typename Spec::State>& before) {
  if constexpr (neutral_of<Spec>(0)) {
    Maybe<typename Spec::State> some = {before.state, true};
    if (!before.some) some.state = Spec::identity();
    return some;
  } else {
    return before;
  }
}

// A spec that makes no use of that, where ASKS.
template <class Spec, bool ASKS> struct Asking {
  using Type = Spec;
};
template <class Spec> struct Asking<Spec, true> {
  struct Type : Spec {
    static constexpr bool neutral = false;
  };
};

// Whether all groupings of the operator's operands give the same bits: those of the table, on integers.
template <class Spec> WF_FN constexpr auto regroups_of(int) -> decltype(Spec::regroups) { return Spec::regroups; }
template <class Spec> WF_FN constexpr bool regroups_of(long) { return false; }
// Packs of one element have nothing to share: to keep what comes before each would double the registers.
template <class Spec, class Order> WF_FN constexpr bool regroups() { return Order::v > 1 && regroups_of<Spec>(0); }
// Whether an exclusive scan hands the value before a tile on besides what is known of the tiles: where the operator regroups, a tile's
// prefix is that value.
template <class Spec, class Order, bool EXCLUSIVE> WF_FN constexpr bool hands_on_lasts() { return EXCLUSIVE && !regroups<Spec, Order>(); }

// A spec whose sums of narrow integers are kept in words (`Given::Words`): the low bits of a word's sum are the sum, so that
// nothing is cut off on the way.
template <class Given> struct InWords : Given {
  using State = u32;
  using Words = typename Given::Words;
  using Narrow = typename Given::State;
  static constexpr bool in_words = true;
  static WF_FN State lift(const typename Given::Mapped& mapped, u64 index) { return static_cast<u32>(Given::lift(mapped, index)); }
  static WF_FN State identity() { return 0; }
  static WF_FN State init() { return static_cast<u32>(Given::init()); }
  static WF_FN State combine(const State& left, const State& right) { return Words::combine(left, right); }
  template <int W> static WF_FN State scan_inclusive(State s, Width<W> width) { return Words::scan_inclusive(s, width); }
  template <int W> static WF_FN State shift_from_lower(State s, Width<W> width) { return Words::shift_from_lower(s, width); }
  template <int V, class Items, class Columns>
  static WF_FN typename Given::Result finish_at(const State& state, const Items& items, const Columns& columns, int i, const typename Given::Row& row,
                                                const typename Given::Args& args, u64 index) {
    return Given::template finish_at<V>(static_cast<Narrow>(state), items, columns, i, row, args, index);
  }
};
// Of the four bytes, or two halves, of a word those that `ones` has a one for in its bytes, added to `sum`.
template <int BYTES> WF_FN u32 add_of_word(u32 word, u32 ones, u32 sum) {
  static_assert(BYTES == 1 || BYTES == 2, "narrow elements");
#ifdef WARPFOLD_EMULATE
  for (int k = 0; k < 4 / BYTES; k++) sum += (word >> (8 * BYTES * k) & (BYTES == 1 ? 0xffu : 0xffffu)) * (ones >> (8 * k) & 0xffu);
  return sum;
#else
  return BYTES == 1 ? __dp4a(word, ones, sum) : __dp2a_lo(word, ones, sum);
#endif
}
// Whether a spec in words adds its elements as they are in memory (`Given::as_read`), so that a word of them takes no more
// instructions than it has sums.
template <class Spec, class Order>
WF_FN constexpr auto adds_packs_of(int) -> decltype(Spec::template as_read<Order::v>(typename Spec::template Items<Order::v>()), bool(Spec::in_words)) {
  return Order::v > 1 && !Spec::has_live && sizeof(typename Spec::Mapped) * Order::v % 4 == 0;
}
template <class Spec, class Order> WF_FN constexpr bool adds_packs_of(long) { return false; }
template <class Spec, class Order> WF_FN constexpr bool adds_packs() { return adds_packs_of<Spec, Order>(0); }

template <class Spec, class Order> struct PackSums {
  using Narrow = typename Spec::Mapped;
  static constexpr int EACH = 4 / int(sizeof(Narrow)), WORDS = Order::v / EACH;
  struct Words {
    u32 word[WORDS];
  };
  // Slots past the last element hold anything: they come after all that exist, and nobody asks for what they lead to.
  static WF_FN Words words(const typename Spec::template Items<Order::v>& items) { return copy_bits<Words>(Spec::template as_read<Order::v>(items)); }
  // The sums of the slots up to each.
  static WF_FN void scan(u32 (&value)[Order::v], const Words& of) {
#pragma unroll
    for (int s = 0; s < Order::v; s++) {
      value[s] = add_of_word<sizeof(Narrow)>(of.word[s / EACH], 0x01010101u >> (24 - 8 * (s % EACH)), s < EACH ? 0 : value[s / EACH * EACH - 1]);
    }
  }
  static WF_FN u32 total(const Words& of, u32 sum) {
#pragma unroll
    for (int w = 0; w < WORDS; w++) sum = add_of_word<sizeof(Narrow)>(of.word[w], 0x01010101u, sum);
    return sum;
  }
};
template <class Spec, class Words> struct ScannedAs {
  using Type = InWords<Spec>;
};
template <class Spec> struct ScannedAs<Spec, void> {
  using Type = Spec;
};
template <class Spec> WF_FN auto words_of(int) -> typename Spec::Words;
template <class Spec> WF_FN void words_of(long);
// What the kernels scan by in the spec's place.
template <class Spec> using Scanned = typename ScannedAs<Spec, decltype(words_of<Spec>(0))>::Type;

// A tile scanned on its own, or some turns of it after others that come to `turns`. A tile may have fewer turns than the
// order, `count`, where only the launch knows how many. OPEN: nobody asks what positions past the last element lead to, which come
// after all that exist: then nothing is asked of them, and they count as whatever was read in their place.
template <class Spec, class Order> struct Scan {
  // Where the operator regroups, of a lane's pack alone, behind what `below` has.
  typename Spec::State value[Order::turns][Order::v];
  typename Spec::State below[regroups<Spec, Order>() ? Order::turns : 1];
  typename Spec::State total;  // of the tile, in every lane of the group
};

template <class Spec, class Order, bool REVERSE, bool OPEN = false>
WF_FN void scan_tile(Scan<Spec, Order>& scan, const Tile<Spec, Order>& tile, const typename Spec::Row& row,
                     const typename Spec::Args& args, const Spot& spot, int left, const Maybe<typename Spec::State>& turns = {},
                     int count = Order::turns) {
  using State = typename Spec::State;
  using Group = Width<Order::lanes>;
  const u64 live = live_columns<Spec>(row, spot.cols);
  const int own_left = left - slot_zero<Order>(0);
  const Maybe<State> before = settled<Spec>(turns);
#pragma unroll
  for (int t = 0; t < Order::turns; t++) {
    if constexpr (adds_packs<Spec, Order>()) {
      using Sums = PackSums<Spec, Order>;
      Sums::scan(scan.value[t], Sums::words(tile.items[t]));
    } else {
#pragma unroll
      for (int s = 0; s < Order::v; s++) {
        const int p = slot_zero<Order>(t) + s;
        const bool exists = (OPEN || t * Order::turn + s < own_left) && (!Spec::has_live || index_of<REVERSE>(spot, p) < live);
        const State one = exists ? state_at<Spec, Order, REVERSE>(tile, t, s, row, args, spot) : Spec::identity();
        scan.value[t][s] = s == 0 ? one : Spec::combine(scan.value[t][s - 1], one);
      }
    }
    const State lanes = Spec::scan_inclusive(scan.value[t][Order::v - 1], Group{});
    const State lower = Spec::shift_from_lower(lanes, Group{});
    const Maybe<State> below = settled<Spec>({lower, lane_in_group<Order::lanes>() > 0});
    if constexpr (regroups<Spec, Order>()) {
      scan.below[t] = t > 0 ? Spec::combine(scan.total, below.state) : join<Spec>(before, below.state);
    } else {
#pragma unroll
      for (int s = 0; s < Order::v; s++) {
        scan.value[t][s] = join<Spec>(below, scan.value[t][s]);
        scan.value[t][s] = t > 0 ? Spec::combine(scan.total, scan.value[t][s]) : join<Spec>(before, scan.value[t][s]);
      }
    }
    const State all = shuffle_lane<Order::lanes>(lanes, Order::lanes - 1);
    if (t == 0) {
      scan.total = join<Spec>(before, all);
    } else if (t < count) {
      scan.total = Spec::combine(scan.total, all);
    }
  }
}

// What a tile comes to, in every lane, and the value at its last position, in the last one and where it is asked for: the
// bits that scan_tile gives, in a fraction of its steps. Where the last value is not asked for, some turns of a tile may come after others
// that come to `turns`, and be fewer than the order's, `count`.
template <class Spec> struct TileTotal {
  typename Spec::State total, last;
};
template <class Spec, class Order, bool EXCLUSIVE, bool REVERSE>
WF_FN TileTotal<Spec> total_of_tile(const Tile<Spec, Order>& tile, const typename Spec::Row& row, const typename Spec::Args& args,
                                    const Spot& spot, int left, const Maybe<typename Spec::State>& turns = {}, int count = Order::turns) {
  using State = typename Spec::State;
  static_assert(Order::lanes == 32, "a warp takes a tile");
  if constexpr (adds_packs<Spec, Order>()) {
    using Sums = PackSums<Spec, Order>;
    u32 of_lanes[1] = {0};
#pragma unroll
    for (int t = 0; t < Order::turns; t++) of_lanes[0] = Sums::total(Sums::words(tile.items[t]), of_lanes[0]);
    const State all = join<Spec>(turns, fold_together<Spec, 32>(of_lanes));
    return {all, all};
  }
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
  if constexpr (regroups<Spec, Order>()) {
    // Turns of other lanes may come between: the order of the table's operators on integers does not matter either.
#pragma unroll
    for (int t = 1; t < Order::turns; t++) own[0] = Spec::combine(own[0], own[t]);
    const State of_lanes[1] = {own[0]};
    const State all = join<Spec>(turns, fold_together<Spec, 32>(of_lanes));
    return {all, all};
  }
  // The last lane of a scan has what a fold in order comes to, of which the lanes take a turn each.
  const State of_turn = fold_together<Spec, 32>(own);
  State last = own[Order::turns - 1];
  if constexpr (EXCLUSIVE) last = Spec::combine(Spec::shift_from_lower(Spec::scan_inclusive(last, Width<32>{}), Width<32>{}), last);
  State total = join<Spec>(turns, shuffle_lane<32>(of_turn, 0));
#pragma unroll
  for (int t = 1; t < Order::turns; t++) {
    if (EXCLUSIVE && t == Order::turns - 1) last = Spec::combine(total, last);
    const State both = Spec::combine(total, shuffle_lane<32>(of_turn, static_cast<u32>(t)));
    if (t < count) total = both;
  }
  return {total, last};
}

// The value at the last position of a scanned tile, in every lane of the group.
template <class Spec, class Order> WF_FN typename Spec::State last_value(const Scan<Spec, Order>& scan, int count = Order::turns) {
  const auto ended = [&](int t) {
    const typename Spec::State own = scan.value[t][Order::v - 1];
    return regroups<Spec, Order>() ? Spec::combine(scan.below[regroups<Spec, Order>() ? t : 0], own) : own;
  };
  typename Spec::State last = ended(Order::turns - 1);
#pragma unroll
  for (int t = 0; t + 1 < Order::turns; t++) {
    if (t == count - 1) last = ended(t);
  }
  return shuffle_lane<Order::lanes>(last, Order::lanes - 1);
}

// Puts the tile's prefix in front, finishes, and stores by the writer that `make` makes for each turn. `before`: what an
// exclusive scan gives at the tile's first position. All 32 lanes call; lane 0 gets what an exclusive scan gives after the
// tile's last position. Where the operator regroups nobody asks for either.
template <class Spec, class Order, bool EXCLUSIVE, bool REVERSE, class Make>
WF_FN typename Spec::State emit_scan_by(Scan<Spec, Order>& scan, const Tile<Spec, Order>& tile, const Maybe<typename Spec::State>& prefix,
                                        const typename Spec::State& before, const typename Spec::Row& row, const typename Spec::Args& args,
                                        const typename Spec::Results& results, const Spot& spot, const Make& make) {
  using State = typename Spec::State;
  State from_last = before;
  const Maybe<State> front = settled<Spec>(prefix);
#pragma unroll
  for (int t = 0; t < Order::turns; t++) {
    State value[Order::v];
    if constexpr (regroups<Spec, Order>()) {
      const State below = join<Spec>(front, scan.below[t]);
      if constexpr (EXCLUSIVE) value[0] = below;
#pragma unroll
      for (int s = EXCLUSIVE ? 1 : 0; s < Order::v; s++) value[s] = Spec::combine(below, scan.value[t][EXCLUSIVE ? s - 1 : s]);
    } else {
#pragma unroll
      for (int s = 0; s < Order::v; s++) value[s] = join<Spec>(front, scan.value[t][s]);
    }
    if constexpr (EXCLUSIVE && !regroups<Spec, Order>()) {
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
template <class Spec> WF_FN Maybe<typename Spec::State> initial(const typename Spec::Args& args) {
  const auto before = initial_of<Spec>(args, 0);
  return {static_cast<typename Spec::State>(before.state), before.some};
}

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
