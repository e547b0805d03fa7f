// stage.cuh: runs of neighbouring elements in shared memory and back, by a block.
//
// Promises: where all pointers start at multiples of 16 bytes, copies go 16 bytes at a time wherever a run starts, as a run
// has the same place in 16 elements there and here. Results are stored where the run has elements and nowhere else; what is
// read besides is the rest of the 16 bytes at its ends, inside the parameter.
#pragma once

namespace wf {

// Shared memory for ELEMENTS elements, a multiple of 128, of each parameter, one parameter behind the other. PACKS: all of
// them have packs of 16 bytes and lines start at packs, which are moved about among 8 neighbours, so that lanes whose lines
// are a power of two apart meet in few banks.
template <int ELEMENTS, bool PACKS> struct Stage {
  static_assert(ELEMENTS % 128 == 0, "packs are moved among 8 neighbours");
  static constexpr bool packs = PACKS;
  static WF_FN u32 piece(u32 p) { return PACKS ? p ^ (p >> 3 & 7) : p; }
  template <class T> static WF_FN int place(int i) {
    if constexpr (!PACKS) return i;
    constexpr u32 V = 16 / sizeof(T);
    return static_cast<int>(piece(static_cast<u32>(i) / V) * V + static_cast<u32>(i) % V);
  }
  template <class T> static WF_FN u32 bytes() { return ELEMENTS * static_cast<u32>(sizeof(T)); }
};

// How many threads copy a run.
template <u32 COUNT> struct Threads {
  static constexpr u32 count = COUNT;
};
// Calls `piece(p)` for each piece that is a thread's, of `count`. A warp alone has many, and goes on with four at a time with nothing
// asked between; of a block each thread has few, and all of them soon wait for the memory.
template <u32 THREADS, class Piece> WF_FN void each_piece(u32 thread, u32 count, const Piece& piece) {
  u32 p = thread;
  if constexpr (THREADS > 32) {
#pragma unroll 4
    for (; p < count; p += THREADS) piece(p);
  } else {
#pragma unroll 1
    for (; p + 3 * THREADS < count; p += 4 * THREADS) {
#pragma unroll
      for (u32 k = 0; k < 4; k++) piece(p + k * THREADS);
    }
#pragma unroll
    for (u32 k = 0; k < 3; k++) {
      if (p + k * THREADS < count) piece(p + k * THREADS);
    }
  }
}

// Copies elements `first` up to `first + count` of each parameter it is asked for to `to` on, which is as far past a multiple
// of 16 as `first` is. THREADS call, each with its number. `wide`: pointers start at multiples of 16 bytes.
template <class Stage, u32 THREADS> struct CopyIn {
  char* room;
  u64 first, length;
  u32 to, count;
  bool wide;
  u32 thread;
  mutable u32 used;

  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    constexpr u32 size = sizeof(T);
    char* const here = room + used;
    used += Stage::template bytes<T>();
    u32 done = 0;
    if (wide) {
      // Up to the last 16 bytes of the parameter that are whole.
      const u64 begin = first * size / 16, whole = length * size / 16;
      const u64 end = least(((first + count) * size + 15) / 16, whole);
      const u32 pieces = end > begin ? static_cast<u32>(end - begin) : 0, place = to * size / 16;
      const char* const from = reinterpret_cast<const char*>(base) + begin * 16;
      if constexpr (!Stage::packs || THREADS % 64 == 0) {
        // Pieces of a thread are moved about alike.
        char* const to = here + Stage::piece(place + thread) * 16 - thread * 16;
        each_piece<THREADS>(thread, pieces, [=](u32 p) { start_copy(to + p * 16, from + p * 16ull); });
      } else {
        each_piece<THREADS>(thread, pieces, [=](u32 p) { start_copy(here + Stage::piece(place + p) * 16, from + p * 16ull); });
      }
      done = static_cast<u32>(least(whole * 16 / size > first ? whole * 16 / size - first : 0, count));
    }
    T* const slots = reinterpret_cast<T*>(here);
#pragma unroll 4
    for (u32 p = done + thread; p < count; p += THREADS) start_copy_one(slots + Stage::template place<T>(static_cast<int>(to + p)), base + (first + p));
    return {};
  }
};

// Copies `count` results of each kind from `from` on to `first` on, likewise.
template <class Stage, u32 THREADS> struct CopyOut {
  const char* room;
  u64 first;
  u32 from, count;
  bool wide;
  u32 thread;
  mutable u32 used;

  template <int V, class T> WF_FN void put(T* base, const Pack<T, V>&) const {
    constexpr u32 size = sizeof(T);
    const char* const here = room + used;
    used += Stage::template bytes<T>();
    const T* const slots = reinterpret_cast<const T*>(here);
    u32 head = count, tail = count;  // elements before the whole 16 bytes, and where those after them begin
    const u64 begin = (first * size + 15) / 16, end = (first + count) * size / 16;
    if (wide && begin < end) {
      head = static_cast<u32>((begin * 16 + size - 1) / size - first);
      tail = static_cast<u32>(end * 16 / size - first);
      const u32 pieces = static_cast<u32>(end - begin), place = (from * size + 15) / 16;
      char* const to = reinterpret_cast<char*>(base) + begin * 16;
      if constexpr (!Stage::packs || THREADS % 64 == 0) {
        const char* const from = here + Stage::piece(place + thread) * 16 - thread * 16;
        each_piece<THREADS>(thread, pieces, [=](u32 p) { __stcs(reinterpret_cast<uint4*>(to + p * 16ull), load_shared(from + p * 16)); });
      } else {
        each_piece<THREADS>(thread, pieces, [=](u32 p) { __stcs(reinterpret_cast<uint4*>(to + p * 16ull), load_shared(here + Stage::piece(place + p) * 16)); });
      }
    }
    const auto one = [&](u32 p) { base[first + p] = slots[Stage::template place<T>(static_cast<int>(from + p))]; };
#pragma unroll 1
    for (u32 p = thread; p < head; p += THREADS) one(p);
#pragma unroll 1
    for (u32 p = tail + thread; p < count; p += THREADS) one(p);
  }
};

// Reads a pack that begins at element `at`, of which the leading `live` slots exist; the others hold anything. REVERSE: slot s
// stands at `at - s`. ALONE: what does not exist is not read either, as others may write there.
template <class Stage, bool REVERSE, bool ALONE> struct StagePack {
  const char* room;
  int at, live;
  mutable u32 used;

  template <int V, class T> WF_FN Pack<T, V> get(const T*) const {
    const T* const here = reinterpret_cast<const T*>(room + used);
    used += Stage::template bytes<T>();
    Pack<T, V> r = {};
    if constexpr (Stage::packs && V > 1 && !REVERSE) {
      if (live > 0) r = read_pack<T, V>(here + Stage::template place<T>(at));
    } else {
#pragma unroll
      for (int s = 0; s < V; s++) {
        if (REVERSE || ALONE ? s < live : live > 0) r.v[s] = here[Stage::template place<T>(REVERSE ? at - s : at + s)];
      }
    }
    return r;
  }
};

// Reads the tile of one line of `cols` elements that are staged from `at` on.
template <class Spec, class Order, class Stage, bool REVERSE, bool ALONE>
WF_FN void read_staged(Tile<Spec, Order>& tile, const typename Spec::Args& args, const char* room, int at, const Spot& spot) {
  const int cols = static_cast<int>(spot.cols);
#pragma unroll
  for (int t = 0; t < Order::turns; t++) {
    const int p = slot_zero<Order>(t);
    tile.items[t] = Spec::template items<Order::v>(args, StagePack<Stage, REVERSE, ALONE>{room, REVERSE ? at + cols - 1 - p : at + p, cols - p, 0});
  }
  if constexpr (Spec::has_columns) read_columns<Spec, Order, Load::any, REVERSE, Sure::ask>(tile, args, spot, cols);
}

}  // namespace wf
