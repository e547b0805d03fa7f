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

// What the group's lane 0 gets from the states of its lanes, all in one thread.
template <class Spec, int LANES> WF_FN typename Spec::State fold_played(typename Spec::State (&s)[LANES]) {
#pragma unroll
  for (int step = 1; step < LANES; step *= 2) {
    const int by = Spec::any_order ? LANES / 2 / step : step;
#pragma unroll
    for (int l = 0; l + by < LANES; l++) {
      if (Spec::any_order ? l < by : l % (2 * by) == 0) s[l] = Spec::combine(s[l], s[l + by]);
    }
  }
  return s[0];
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

  State total = Spec::identity();
  State lanes[Order::lanes];
  // In order each turn is folded over the lanes; else a lane's turns first.
  constexpr bool IN_ORDER = Spec::fold == Fold::blocked;
  constexpr int TURNS = IN_ORDER ? 1 : Order::turns;
#pragma unroll
  for (int from = 0; from < Order::turns; from += TURNS) {
#pragma unroll
    for (int l = 0; l < Order::lanes; l++) {
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
        lanes[l] = Spec::template fold_lane<TURNS, Order::v>(mapped, static_cast<u64>(start), Order::turn, static_cast<u64>(limit));
      } else {
#pragma unroll
        for (int s = 1; s < Order::v; s++) acc[0] = Spec::combine(acc[0], acc[s]);
        lanes[l] = acc[0];
      }
    }
    const State turn = fold_played<Spec, Order::lanes>(lanes);
    total = from == 0 ? turn : Spec::combine(total, turn);
  }
  store_result<Spec>(results, total, row, args, (first + lane()) * shape.out_stride);
}

}  // namespace wf
