// rows_staged.cuh: short dense rows whose starts are not aligned: one result a row, or one an element.
//
// Promises: a warp copies 32 * EACH rows into shared memory as they stand, 16 bytes at a time, and each lane folds or scans
// EACH of them there, playing the lanes of the order one after the other; results an element go out as the rows came in.
// The bits are those of `rows_reduce`, `rows_apply` and `rows_scan`.
//
//   rows_reduce_staged<Spec, Order, COLS, EACH, WARPS, BYTES>(args, results, shape)
//   rows_apply_staged<Spec, Order, COLS, EACH, WARPS, BYTES, OUT>(args, results, shape)
//   rows_scan_staged<Spec, Order, COLS, EACH, WARPS, BYTES, OUT, EXCLUSIVE, REVERSE>(args, results, shape)
//     rows of exactly COLS columns in one tile, 1 to 64; shape.stride = COLS, and shape.out_stride = COLS but for `reduce`;
//     every plain parameter and all that `apply` and `scan` write start at a multiple of 16 bytes. BYTES: the room of one
//     element, which is what each plain parameter takes, added up, and from OUT on what each result of an element takes.
//     OUT = 0: the only result takes the place of the first parameter, whose elements are as wide.
//     WARPS * 32 * EACH * COLS * BYTES at most 48 KiB. Pays where no row is a multiple of 16 bytes: otherwise the lanes meet in
//     few banks. EACH: more than one for rows of so few elements that 32 of them are little to wait for.
//     blockDim = 32 * WARPS. Grid: ceil(rows / (32 * EACH)) warps; rows >= 1.
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

// Copies the warp's rows in, lets each lane do `work.row(number, room, at)` with one of them, its elements staged from `at`
// on, and copies out what it left there where OUT says so (negative: nothing).
template <class Spec, class Order, int COLS, int EACH, int WARPS, int BYTES, int OUT, class Work>
WF_FN void stage_rows(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape, const Work& work) {
  constexpr int ROOM = 32 * EACH * COLS;
  static_assert(COLS <= Order::size, "one tile a row");
  WF_SHARED(uint4, staged, WARPS* ROOM* BYTES / 16);
  const u64 first = (static_cast<u64>(blockIdx.x) * WARPS + warp_in_block()) * (32 * EACH);
  if (first >= shape.rows) return;
  char* const room = reinterpret_cast<char*>(staged) + warp_in_block() * (ROOM * BYTES);
  const int rows = static_cast<int>(least(shape.rows - first, 32 * EACH));
  (void)Spec::template items<Order::v>(args, Stage<ROOM>{room, first * COLS, rows * COLS, 0});
  await_copies();
  __syncwarp();
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    const int own = k * 32 + static_cast<int>(lane());
    if (own < rows) work.row(first + static_cast<u64>(own), room, own * COLS);
  }
  if constexpr (OUT >= 0) {
    __syncwarp();
    const typename Spec::Result nothing[1] = {};
    Spec::template store<1>(results, nothing, Unstage<ROOM>{room + OUT * ROOM, first * COLS, rows * COLS, 0});
  }
}

template <class Spec, class Order, int COLS, int ROOM> struct ReduceStaged {
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const u64 out_stride;
  WF_FN void row(u64 r, char* room, int at) const {
    const typename Spec::Row row = Spec::row(args, r, COLS);
    const auto total = fold_staged<Spec, Order, Room<ROOM, false>>(args, room, at, row, static_cast<int>(live_columns<Spec>(row, COLS)), COLS, COLS);
    store_result<Spec>(results, total, row, args, r * out_stride);
  }
};

template <class Spec, class Order, int COLS, int EACH, int WARPS, int BYTES>
WF_FN void rows_reduce_staged(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  stage_rows<Spec, Order, COLS, EACH, WARPS, BYTES, -1>(args, results, shape, ReduceStaged<Spec, Order, COLS, 32 * EACH * COLS>{args, results, shape.out_stride});
}

template <class Spec, class Order, int COLS, int ROOM, int OUT> struct ApplyStaged {
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  WF_FN void row(u64 r, char* room, int at) const {
    const typename Spec::Row row = Spec::row(args, r, COLS);
    const auto total = with_init<Spec>(fold_staged<Spec, Order, Room<ROOM, false>>(args, room, at, row, static_cast<int>(live_columns<Spec>(row, COLS)), COLS, COLS));
#pragma unroll
    for (int p = 0; p < COLS; p++) {
      const auto items = Spec::template items<1>(args, Staged<Room<ROOM, false>>{room, at + p, 1, 0});
      const auto columns = Spec::template columns<1>(args, Reader<Load::any, false, Sure::full>{p, 0, 1});
      const Swiftly swiftly;
      typename Spec::Result one[1] = {Spec::template apply<1>(swiftly, total, items, columns, 0, row, args, static_cast<u64>(p))};
      if (swiftly.unsure || swiftly.rare) one[0] = Spec::template apply<1>(Exactly{}, total, items, columns, 0, row, args, static_cast<u64>(p));
      Spec::template store<1>(results, one, StagedWriter<Room<ROOM, false>>{room + OUT * ROOM, at + p, 0});
    }
  }
};

template <class Spec, class Order, int COLS, int EACH, int WARPS, int BYTES, int OUT>
WF_FN void rows_apply_staged(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  stage_rows<Spec, Order, COLS, EACH, WARPS, BYTES, OUT>(args, results, shape, ApplyStaged<Spec, Order, COLS, 32 * EACH * COLS, OUT>{args, results});
}

template <class Spec, class Order, int COLS, int ROOM, int OUT, bool EXCLUSIVE, bool REVERSE> struct ScanStaged {
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  WF_FN void row(u64 r, char* room, int at) const {
    const ScanPlayed<Spec, Order, Room<ROOM, false>, EXCLUSIVE, REVERSE> played = {args, results};
    played.line(Spec::row(args, r, COLS), room, room + OUT * ROOM, at, COLS);
  }
};

template <class Spec, class Order, int COLS, int EACH, int WARPS, int BYTES, int OUT, bool EXCLUSIVE, bool REVERSE>
WF_FN void rows_scan_staged(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  stage_rows<Spec, Order, COLS, EACH, WARPS, BYTES, OUT>(args, results, shape, ScanStaged<Spec, Order, COLS, 32 * EACH * COLS, OUT, EXCLUSIVE, REVERSE>{args, results});
}

}  // namespace wf
