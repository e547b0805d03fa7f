// rows_staged.cuh: short dense rows whose starts are not aligned: one result a row, or one an element.
//
// Promises: a warp copies 32 rows into shared memory as they stand, 16 bytes at a time, and each lane folds or scans one
// row there, playing the lanes of the order one after the other; results an element go out as the rows came in. The bits
// are those of `rows_reduce`, `rows_apply` and `rows_scan`.
//
//   rows_reduce_staged<Spec, Order, COLS, WARPS, BYTES>(args, results, shape)
//   rows_apply_staged<Spec, Order, COLS, WARPS, BYTES, OUT>(args, results, shape)
//   rows_scan_staged<Spec, Order, COLS, WARPS, BYTES, OUT, EXCLUSIVE, REVERSE>(args, results, shape)
//     rows of exactly COLS columns in one tile, 1 to 64; shape.stride = COLS, and shape.out_stride = COLS but for `reduce`;
//     every plain parameter and all that `apply` and `scan` write start at a multiple of 16 bytes. BYTES: the room of one
//     element, which is what each plain parameter takes, added up, and from OUT on what each result of an element takes.
//     OUT = 0: the only result takes the place of the first parameter, whose elements are as wide.
//     WARPS * 32 * COLS * BYTES at most 48 KiB. Pays where no row is a multiple of 16 bytes: otherwise the lanes meet in
//     few banks. blockDim = 32 * WARPS. Grid: ceil(rows / 32) warps; rows >= 1.
#pragma once

namespace wf {

// Copies `count` elements from `first` on of each parameter it is asked for, one parameter behind the other.
template <int ROOM> struct Stage {
  char* to;
  u64 first;
  int count;
  mutable u32 used;

  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    const char* const from = reinterpret_cast<const char*>(base + first);
    char* const here = to + used;
    const int bytes = count * static_cast<int>(sizeof(T));
    for (int at = static_cast<int>(lane()) * 16; at + 16 <= bytes; at += 512) start_copy(here + at, from + at);
    // What the last rows leave over is less than one copy.
    const int over = bytes / 16 * 16 / static_cast<int>(sizeof(T)) + static_cast<int>(lane());
    if (over < count) reinterpret_cast<T*>(here)[over] = base[first + static_cast<u64>(over)];
    used += ROOM * static_cast<u32>(sizeof(T));
    return {};
  }
};

// Reads slots at element `at` of the staged rows; the leading `live` exist.
template <int ROOM> struct Staged {
  const char* from;
  int at, live;
  mutable u32 used;

  template <int V, class T> WF_FN Pack<T, V> get(const T*) const {
    const T* const here = reinterpret_cast<const T*>(from + used);
    Pack<T, V> r = {};
#pragma unroll
    for (int s = 0; s < V; s++) {
      if (s < live) r.v[s] = here[at + s];
    }
    used += ROOM * static_cast<u32>(sizeof(T));
    return r;
  }
};

// Writes element `at` of the staged rows, one result behind the other.
template <int ROOM> struct StagedWriter {
  char* to;
  int at;
  mutable u32 used;

  template <int V, class T> WF_FN void put(T*, const Pack<T, V>& values) const {
    static_assert(V == 1, "one element at a time");
    reinterpret_cast<T*>(to + used)[at] = values.v[0];
    used += ROOM * static_cast<u32>(sizeof(T));
  }
};

// Copies `count` elements of each result from where they were staged to `first` on, whatever values it is given.
template <int ROOM> struct Unstage {
  const char* from;
  u64 first;
  int count;
  mutable u32 used;

  template <int V, class T> WF_FN void put(T* base, const Pack<T, V>&) const {
    char* const to = reinterpret_cast<char*>(base + first);
    const char* const here = from + used;
    const int bytes = count * static_cast<int>(sizeof(T));
    for (int at = static_cast<int>(lane()) * 16; at + 16 <= bytes; at += 512) {
      __stcs(reinterpret_cast<uint4*>(to + at), *reinterpret_cast<const uint4*>(here + at));
    }
    const int over = bytes / 16 * 16 / static_cast<int>(sizeof(T)) + static_cast<int>(lane());
    if (over < count) base[first + static_cast<u64>(over)] = reinterpret_cast<const T*>(here)[over];
    used += ROOM * static_cast<u32>(sizeof(T));
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
template <class Spec, class Order, int COLS>
WF_FN typename Spec::State fold_played_tile(const typename Spec::Args& args, const char* room, int at, const typename Spec::Row& row, int live) {
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
      const auto items = Spec::template items<Order::v>(args, Staged<32 * COLS>{room, at + p, COLS - p, 0});
      const auto columns = Spec::template columns<Order::v>(args, Reader<Load::any, false, Sure::ask>{p, 0, COLS - p});
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

// The state of the row whose elements are staged from `at` on; the leading `limit` count.
template <class Spec, class Order, int COLS>
WF_FN typename Spec::State fold_staged(const typename Spec::Args& args, const char* room, int at, const typename Spec::Row& row, int limit) {
  using State = typename Spec::State;
  if constexpr (Spec::fold == Fold::tile) {
    return fold_played_tile<Spec, Order, COLS>(args, room, at, row, limit);
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
          const auto items = Spec::template items<Order::v>(args, Staged<32 * COLS>{room, at + p, COLS - p, 0});
          const auto columns = Spec::template columns<Order::v>(args, Reader<Load::any, false, Sure::ask>{p, 0, COLS - p});
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

// Copies the warp's rows in, lets each lane do `work.row(number, room, at)` with one of them, its elements staged from `at`
// on, and copies out what it left there where OUT says so (negative: nothing).
template <class Spec, class Order, int COLS, int WARPS, int BYTES, int OUT, class Work>
WF_FN void stage_rows(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape, const Work& work) {
  constexpr int ROOM = 32 * COLS;
  static_assert(COLS <= Order::size, "one tile a row");
  WF_SHARED(uint4, staged, WARPS* ROOM* BYTES / 16);
  const u64 first = (static_cast<u64>(blockIdx.x) * WARPS + warp_in_block()) * 32;
  if (first >= shape.rows) return;
  char* const room = reinterpret_cast<char*>(staged) + warp_in_block() * (ROOM * BYTES);
  const int rows = static_cast<int>(least(shape.rows - first, 32));
  (void)Spec::template items<Order::v>(args, Stage<ROOM>{room, first * COLS, rows * COLS, 0});
  await_copies();
  __syncwarp();
  const int own = static_cast<int>(lane());
  if (own < rows) work.row(first + lane(), room, own * COLS);
  if constexpr (OUT >= 0) {
    __syncwarp();
    const typename Spec::Result nothing[1] = {};
    Spec::template store<1>(results, nothing, Unstage<ROOM>{room + OUT * ROOM, first * COLS, rows * COLS, 0});
  }
}

template <class Spec, class Order, int COLS> struct ReduceStaged {
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const u64 out_stride;
  WF_FN void row(u64 r, char* room, int at) const {
    const typename Spec::Row row = Spec::row(args, r, COLS);
    const auto total = fold_staged<Spec, Order, COLS>(args, room, at, row, static_cast<int>(live_columns<Spec>(row, COLS)));
    store_result<Spec>(results, total, row, args, r * out_stride);
  }
};

template <class Spec, class Order, int COLS, int WARPS, int BYTES>
WF_FN void rows_reduce_staged(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  stage_rows<Spec, Order, COLS, WARPS, BYTES, -1>(args, results, shape, ReduceStaged<Spec, Order, COLS>{args, results, shape.out_stride});
}

template <class Spec, class Order, int COLS, int OUT> struct ApplyStaged {
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  WF_FN void row(u64 r, char* room, int at) const {
    const typename Spec::Row row = Spec::row(args, r, COLS);
    const auto total = with_init<Spec>(fold_staged<Spec, Order, COLS>(args, room, at, row, static_cast<int>(live_columns<Spec>(row, COLS))));
#pragma unroll
    for (int p = 0; p < COLS; p++) {
      const auto items = Spec::template items<1>(args, Staged<32 * COLS>{room, at + p, 1, 0});
      const auto columns = Spec::template columns<1>(args, Reader<Load::any, false, Sure::full>{p, 0, 1});
      const Swiftly swiftly;
      typename Spec::Result one[1] = {Spec::template apply<1>(swiftly, total, items, columns, 0, row, args, static_cast<u64>(p))};
      if (swiftly.unsure) one[0] = Spec::template apply<1>(Exactly{}, total, items, columns, 0, row, args, static_cast<u64>(p));
      Spec::template store<1>(results, one, StagedWriter<32 * COLS>{room + OUT * 32 * COLS, at + p, 0});
    }
  }
};

template <class Spec, class Order, int COLS, int WARPS, int BYTES, int OUT>
WF_FN void rows_apply_staged(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  stage_rows<Spec, Order, COLS, WARPS, BYTES, OUT>(args, results, shape, ApplyStaged<Spec, Order, COLS, OUT>{args, results});
}

template <class Spec, class Order, int COLS, int OUT, bool EXCLUSIVE, bool REVERSE> struct ScanStaged {
  using State = typename Spec::State;
  const typename Spec::Args& args;
  const typename Spec::Results& results;

  WF_FN void row(u64 r, char* room, int at) const {
    constexpr int LANES = Order::lanes, V = Order::v;
    const typename Spec::Row row = Spec::row(args, r, COLS);
    const int live = static_cast<int>(live_columns<Spec>(row, COLS));
    const auto prefix = initial<Spec>(args);
    State before = prefix.state, total = Spec::identity();
#pragma unroll
    for (int t = 0; t < Order::turns; t++) {
      State value[LANES][V], lanes[LANES];
#pragma unroll
      for (int l = 0; l < LANES; l++) {
#pragma unroll
        for (int s = 0; s < V; s++) {
          const int p = (t * LANES + l) * V + s, element = REVERSE ? COLS - 1 - p : p;
          State one = Spec::identity();
          if (p < COLS && element < live) {
            const auto items = Spec::template items<1>(args, Staged<32 * COLS>{room, at + element, 1, 0});
            const auto columns = Spec::template columns<1>(args, Reader<Load::any, false, Sure::full>{element, 0, 1});
            const u64 index = static_cast<u64>(element);
            one = Spec::lift(Spec::template map<1>(items, columns, 0, row, args, index), index);
          }
          value[l][s] = s == 0 ? one : Spec::combine(value[l][s - 1], one);
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
#pragma unroll
        for (int s = 0; s < V; s++) {
          const int p = (t * LANES + l) * V + s, element = REVERSE ? COLS - 1 - p : p;
          if (p >= COLS) continue;
          State v = l > 0 ? Spec::combine(lanes[l - 1], value[l][s]) : value[l][s];
          v = join<Spec>(prefix, t > 0 ? Spec::combine(total, v) : v);
          store_at(EXCLUSIVE ? before : v, row, room, at, element);
          before = v;
        }
      }
      total = t > 0 ? Spec::combine(total, lanes[LANES - 1]) : lanes[LANES - 1];
    }
  }

 private:
  WF_FN void store_at(const State& v, const typename Spec::Row& row, char* room, int at, int element) const {
    const auto items = Spec::template items<1>(args, Staged<32 * COLS>{room, at + element, 1, 0});
    const auto columns = Spec::template columns<1>(args, Reader<Load::any, false, Sure::full>{element, 0, 1});
    const typename Spec::Result one[1] = {Spec::template finish_at<1>(v, items, columns, 0, row, args, static_cast<u64>(element))};
    Spec::template store<1>(results, one, StagedWriter<32 * COLS>{room + OUT * 32 * COLS, at + element, 0});
  }
};

template <class Spec, class Order, int COLS, int WARPS, int BYTES, int OUT, bool EXCLUSIVE, bool REVERSE>
WF_FN void rows_scan_staged(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  stage_rows<Spec, Order, COLS, WARPS, BYTES, OUT>(args, results, shape, ScanStaged<Spec, Order, COLS, OUT, EXCLUSIVE, REVERSE>{args, results});
}

}  // namespace wf
