// rows_staged.cuh: one result a row, of short dense rows whose starts are not aligned.
//
// Promises: a warp copies 32 rows into shared memory as they stand, 16 bytes at a time, and each lane folds one row there,
// playing the lanes of the order one after the other. The bits are those of `rows_reduce`.
//
//   rows_reduce_staged<Spec, Order, COLS, WARPS, BYTES>(args, results, shape)
//     rows of exactly COLS columns in one tile, 1 to 64; shape.stride = COLS; every plain parameter starts at a multiple
//     of 16 bytes. BYTES: what one element of each plain parameter takes, added up; WARPS * 32 * COLS * BYTES at most 48
//     KiB. Pays where COLS is odd or twice an odd number: otherwise the lanes meet in few banks.
//     blockDim = 32 * WARPS. Grid: ceil(rows / 32) warps; rows >= 1.
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

template <class Spec, class Order, int COLS, int WARPS, int BYTES>
WF_FN void rows_reduce_staged(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  using State = typename Spec::State;
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
  if (own >= rows) return;
  const typename Spec::Row row = Spec::row(args, first + lane(), COLS);
  const int limit = static_cast<int>(live_columns<Spec>(row, COLS));

  if constexpr (Spec::fold == Fold::tile) {
    const State state = fold_played_tile<Spec, Order, COLS>(args, room, own * COLS, row, limit);
    store_result<Spec>(results, state, row, args, (first + lane()) * shape.out_stride);
  } else {
    State total = Spec::identity();
    Played<Spec, Order::lanes> played;
    // In order each turn is folded over the lanes; else a lane's turns first.
    constexpr bool IN_ORDER = Spec::fold == Fold::blocked;
    constexpr int TURNS = IN_ORDER ? 1 : Order::turns;
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
          const auto items = Spec::template items<Order::v>(args, Staged<ROOM>{room, own * COLS + p, COLS - p, 0});
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
      total = from == 0 ? turn : Spec::combine(total, turn);
    }
    store_result<Spec>(results, total, row, args, (first + lane()) * shape.out_stride);
  }
}

}  // namespace wf
