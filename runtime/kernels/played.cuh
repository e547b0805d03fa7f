// played.cuh: one thread that plays the lanes of a group, over elements that stand in shared memory.
//
// Promises: the bits are those of fold.cuh and scan.cuh, for lines of one tile: the same combinations in the same tree, the
// lanes one after the other. `cols` may be known only to the launch.
#pragma once

namespace wf {

// Shared memory for ELEMENTS elements of each parameter, one parameter behind the other. PADDED: 4 bytes are left out after
// every 128, so that lanes whose elements are a power of two apart meet in few banks.
template <int ELEMENTS, bool PADDED> struct Room {
  static constexpr bool packs = false;
  template <class T> static WF_FN int place(int i) {
    if constexpr (PADDED && Wide<T, 1>::power) {
      constexpr u32 line = 128 / sizeof(T), gap = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
      return i + static_cast<int>(static_cast<u32>(i) / line * gap);
    } else {
      return i;
    }
  }
  // At most 9/8 of what the elements take, where PADDED, and 16 bytes.
  template <class T> static WF_FN u32 bytes() {
    constexpr u32 all = ELEMENTS * static_cast<u32>(sizeof(T));
    if constexpr (!PADDED) return all;
    return (all + all / 128 * (sizeof(T) < 4 ? 4 : static_cast<u32>(sizeof(T))) + 15) / 16 * 16;
  }
};

// A pack of 16 bytes of shared memory, in one access.
template <class T, int V> WF_FN Pack<T, V> read_pack(const T* here) {
  static_assert(sizeof(T) * V == 16, "a pack is one access");
  return copy_bits<Pack<T, V>>(load_shared(here));
}

// Reads slots at element `at` of a room; the leading `live` may be read. Where the room holds packs, `at` is the start of one.
template <class Room> struct Staged {
  const char* from;
  int at, live;
  mutable u32 used;

  template <int V, class T> WF_FN Pack<T, V> get(const T*) const {
    const T* const here = reinterpret_cast<const T*>(from + used);
    used += Room::template bytes<T>();
    if constexpr (Room::packs && V > 1) {
      if (live >= V) return read_pack<T, V>(here + Room::template place<T>(at));
    }
    Pack<T, V> r = {};
#pragma unroll
    for (int s = 0; s < V; s++) {
      if (s < live) r.v[s] = here[Room::template place<T>(at + s)];
    }
    return r;
  }
};

// Writes element `at` of a room, one result behind the other.
template <class Room> struct StagedWriter {
  char* to;
  int at;
  mutable u32 used;

  template <int V, class T> WF_FN void put(T*, const Pack<T, V>& values) const {
    static_assert(V == 1, "one element at a time");
    reinterpret_cast<T*>(to + used)[Room::template place<T>(at)] = values.v[0];
    used += Room::template bytes<T>();
  }
};

// Writes the leading `live` slots of a pack at element `at` of a room, one result behind the other. REVERSE: slot s goes to `at - s`.
template <class Room, bool REVERSE> struct PackWriter {
  char* to;
  int at, live;
  mutable u32 used;

  template <int V, class T> WF_FN void put(T*, const Pack<T, V>& values) const {
    T* const here = reinterpret_cast<T*>(to + used);
    used += Room::template bytes<T>();
    if constexpr (Room::packs && sizeof(T) * V == 16 && V > 1 && !REVERSE) {
      if (live >= V) return store_shared(here + Room::template place<T>(at), copy_bits<uint4>(values));
    }
#pragma unroll
    for (int s = 0; s < V; s++) {
      if (s < live) here[Room::template place<T>(REVERSE ? at - s : at + s)] = values.v[s];
    }
  }
};

// The states of a group's lanes, folded in one thread as their lane 0 gets them. They come in the order of the tree's
// leaves, and a state that has its partner is combined at once: few are alive at a time.
template <class Spec, int LANES> struct Played {
  typename Spec::State waiting[6];

  // The lane whose state comes `i`th.
  static constexpr int lane_of(int i) {
    if (!Spec::any_order) return i;
    int l = 0;
    for (int step = 1; step < LANES; step *= 2) l = l * 2 + (i / step) % 2;
    return l;
  }
  // After the last one the answer is given back.
  WF_FN typename Spec::State add(int i, typename Spec::State s) {
#pragma unroll
    for (int k = 0; k < 5; k++) {
      if ((i + 1) % (2 << k) != 0) {
        waiting[k] = s;
        break;
      }
      s = Spec::combine(waiting[k], s);
      if ((2 << k) == LANES) break;
    }
    return s;
  }
};

// The same of states that are all there.
template <class Spec, int LANES> WF_FN typename Spec::State fold_played(const typename Spec::State (&s)[LANES]) {
  Played<Spec, LANES> played;
  typename Spec::State r = s[0];
#pragma unroll
  for (int i = 0; i < LANES; i++) r = played.add(i, s[Played<Spec, LANES>::lane_of(i)]);
  return r;
}

// The tile's fold in parts, each played for all lanes before the next.
template <class Spec, class Order, class Room>
WF_FN typename Spec::State fold_played_tile(const typename Spec::Args& args, const char* room, int at, const typename Spec::Row& row, int live, int cols, int held) {
  using Table = typename Spec::Table;
  constexpr int LANES = Order::lanes;
  typename Spec::Mapped x[LANES][Order::turns][Order::v];
  typename Table::Shared shared[LANES] = {};
  typename Table::Part parts[LANES];
#pragma unroll
  for (int l = 0; l < LANES; l++) {
#pragma unroll
    for (int t = 0; t < Order::turns; t++) {
      const int p = (t * LANES + l) * Order::v;
      const auto items = Spec::template items<Order::v>(args, Staged<Room>{room, at + p, held - p, 0});
      const auto columns = Spec::template columns<Order::v>(args, Reader<Load::any, false, Sure::ask>{p, 0, cols - p});
#pragma unroll
      for (int s = 0; s < Order::v; s++) x[l][t][s] = Spec::template map<Order::v>(items, columns, s, row, args, static_cast<u64>(p + s));
    }
  }
  const typename Spec::Mapped pivot = x[0][0][0];
  if constexpr (Spec::shares) {
#pragma unroll
    for (int l = 0; l < LANES; l++) shared[l] = Table::look(x[l], counting_in_tile(l * Order::v, Order::turn, live), pivot);
    shared[0] = fold_played<typename Spec::Share, LANES>(shared);
  }
#pragma unroll
  for (int l = 0; l < LANES; l++) parts[l] = Table::weigh(x[l], counting_in_tile(l * Order::v, Order::turn, live), shared[0], static_cast<u32>(live), pivot);
  return Table::join(pivot, shared[0], fold_played<typename Spec::Parts, LANES>(parts), static_cast<u32>(live), 0);
}

// The state of the line of `cols` elements that are staged from `at` on; the leading `limit` count, and `held` may be read.
template <class Spec, class Order, class Room>
WF_FN typename Spec::State fold_staged(const typename Spec::Args& args, const char* room, int at, const typename Spec::Row& row, int limit, int cols, int held) {
  using State = typename Spec::State;
  if constexpr (Spec::fold == Fold::tile) {
    return fold_played_tile<Spec, Order, Room>(args, room, at, row, limit, cols, held);
  } else {
    State total = Spec::identity();
    Played<Spec, Order::lanes> played;
    // In order each turn is folded over the lanes; else a lane's turns first.
    constexpr bool IN_ORDER = Spec::fold == Fold::blocked;
    constexpr int TURNS = IN_ORDER ? 1 : Order::turns, HELD = IN_ORDER ? power_of_two_from(Order::turns) : 1;
    Played<Spec, HELD> turns;
#pragma unroll
    for (int from = 0; from < Order::turns; from += TURNS) {
      State turn = Spec::identity();
#pragma unroll
      for (int i = 0; i < Order::lanes; i++) {
        const int l = Played<Spec, Order::lanes>::lane_of(i);
        State own_state;
        typename Spec::Mapped mapped[TURNS][Order::v];
        State acc[Order::v];
        const int start = (from * Order::lanes + l) * Order::v;
#pragma unroll
        for (int t = 0; t < TURNS; t++) {
          const int p = start + t * Order::turn;
          const auto items = Spec::template items<Order::v>(args, Staged<Room>{room, at + p, held - p, 0});
          const auto columns = Spec::template columns<Order::v>(args, Reader<Load::any, false, Sure::ask>{p, 0, cols - p});
#pragma unroll
          for (int s = 0; s < Order::v; s++) {
            const u64 index = static_cast<u64>(p + s);
            mapped[t][s] = Spec::template map<Order::v>(items, columns, s, row, args, index);
            const State one = p + s < limit ? Spec::lift(mapped[t][s], index) : Spec::identity();
            acc[s] = t == 0 ? one : Spec::combine(acc[s], one);
          }
        }
        if constexpr (Spec::fold == Fold::lane) {
          own_state = Spec::template fold_lane<TURNS, Order::v>(mapped, static_cast<u64>(start), Order::turn, static_cast<u64>(limit));
        } else {
#pragma unroll
          for (int s = 1; s < Order::v; s++) acc[0] = Spec::combine(acc[0], acc[s]);
          own_state = acc[0];
        }
        turn = played.add(i, own_state);
      }
      total = turns.add(from / TURNS, turn);
    }
#pragma unroll
    for (int none = Order::turns / TURNS; none < HELD; none++) total = turns.add(none, Spec::identity());
    return total;
  }
}

// Scans the line whose elements are staged from `at` on, and leaves the results in `out`, in the same places.
template <class Spec, class Order, class Room, bool EXCLUSIVE, bool REVERSE> struct ScanPlayed {
  using State = typename Spec::State;
  const typename Spec::Args& args;
  const typename Spec::Results& results;

  // Whether lines start at packs that are read and written in one access.
  static constexpr bool PACKS = Room::packs && Order::v > 1 && !REVERSE;

  WF_FN void line(const typename Spec::Row& row, char* room, char* out, int at, int cols) const {
    constexpr int LANES = Order::lanes, V = Order::v;
    const int live = static_cast<int>(live_columns<Spec>(row, static_cast<u64>(cols)));
    const auto prefix = initial<Spec>(args);
    State before = prefix.state, total = Spec::identity();
#pragma unroll
    for (int t = 0; t < Order::turns; t++) {
      State value[LANES][V], lanes[LANES];
#pragma unroll
      for (int l = 0; l < LANES; l++) {
        if constexpr (PACKS) {
          const int p = (t * LANES + l) * V;
          const auto items = Spec::template items<V>(args, Staged<Room>{room, at + p, V, 0});
          const auto columns = Spec::template columns<V>(args, Reader<Load::any, false, Sure::ask>{p, 0, cols - p});
#pragma unroll
          for (int s = 0; s < V; s++) {
            const u64 index = static_cast<u64>(p + s);
            const State one = p + s < live ? Spec::lift(Spec::template map<V>(items, columns, s, row, args, index), index) : Spec::identity();
            value[l][s] = s == 0 ? one : Spec::combine(value[l][s - 1], one);
          }
        } else {
#pragma unroll
          for (int s = 0; s < V; s++) {
            const int p = (t * LANES + l) * V + s, element = REVERSE ? cols - 1 - p : p;
            State one = Spec::identity();
            if (p < cols && element < live) {
              const auto items = Spec::template items<1>(args, Staged<Room>{room, at + element, 1, 0});
              const auto columns = Spec::template columns<1>(args, Reader<Load::any, false, Sure::full>{element, 0, 1});
              const u64 index = static_cast<u64>(element);
              one = Spec::lift(Spec::template map<1>(items, columns, 0, row, args, index), index);
            }
            value[l][s] = s == 0 ? one : Spec::combine(value[l][s - 1], one);
          }
        }
        lanes[l] = value[l][V - 1];
      }
      // The plan of `scan_inclusive`: at each distance every lane takes the one so far below.
#pragma unroll
      for (int step = 0; step < 5; step++) {
#pragma unroll
        for (int l = LANES - 1; l > 0; l--) {
          if (l >> step > 0) lanes[l] = Spec::combine(lanes[l - (1 << step)], lanes[l]);
        }
      }
#pragma unroll
      for (int l = 0; l < LANES; l++) {
        const int first = (t * LANES + l) * V;
        State out_of[V];
#pragma unroll
        for (int s = 0; s < V; s++) {
          if (first + s >= cols) continue;
          State v = l > 0 ? Spec::combine(lanes[l - 1], value[l][s]) : value[l][s];
          v = join<Spec>(prefix, t > 0 ? Spec::combine(total, v) : v);
          out_of[s] = EXCLUSIVE ? before : v;
          if constexpr (!PACKS) store_at(out_of[s], row, room, out, at, REVERSE ? cols - 1 - first - s : first + s);
          before = v;
        }
        if constexpr (PACKS) store_pack(out_of, row, room, out, at, first, cols);
      }
      total = t > 0 ? Spec::combine(total, lanes[LANES - 1]) : lanes[LANES - 1];
    }
  }

 private:
  WF_FN void store_pack(const State (&v)[Order::v], const typename Spec::Row& row, const char* room, char* out, int at, int first, int cols) const {
    constexpr int V = Order::v;
    const auto items = Spec::template items<V>(args, Staged<Room>{room, at + first, V, 0});
    const auto columns = Spec::template columns<V>(args, Reader<Load::any, false, Sure::ask>{first, 0, cols - first});
    typename Spec::Result pack[V];
#pragma unroll
    for (int s = 0; s < V; s++) pack[s] = Spec::template finish_at<V>(v[s], items, columns, s, row, args, static_cast<u64>(first + s));
    Spec::template store<V>(results, pack, PackWriter<Room, false>{out, at + first, cols - first, 0});
  }
  WF_FN void store_at(const State& v, const typename Spec::Row& row, const char* room, char* out, int at, int element) const {
    const auto items = Spec::template items<1>(args, Staged<Room>{room, at + element, 1, 0});
    const auto columns = Spec::template columns<1>(args, Reader<Load::any, false, Sure::full>{element, 0, 1});
    const typename Spec::Result one[1] = {Spec::template finish_at<1>(v, items, columns, 0, row, args, static_cast<u64>(element))};
    Spec::template store<1>(results, one, StagedWriter<Room>{out, at + element, 0});
  }
};

}  // namespace wf
