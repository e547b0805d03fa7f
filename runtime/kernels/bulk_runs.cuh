// bulk_runs.cuh: runs of elements that start anywhere, into shared memory by bulk copies, and from registers back by a warp. sm_90 and later.
//
// Promises: where all pointers start at multiples of 16 bytes every access is 16 bytes wide, but for a few elements at the ends of a
// parameter and of what a warp writes: what stands between two packs in memory is put together from the two. Nothing outside a
// parameter is read, and nothing written but what is given.
#pragma once

namespace wf {

// Elements that a stage holds: those of a batch, which begins anywhere among 16, and 16 at either end.
WF_FN constexpr int bulk_stage_elements(int batch) { return (batch + 48 + 127) / 128 * 128; }

// 16 of the 32 bytes of two neighbours, from byte `at` on, which is a multiple of SIZE.
template <int SIZE> WF_FN uint4 straddle(const uint4& low, const uint4& high, u32 at) {
  const u32 words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
  u32 out[5];
#pragma unroll
  for (int i = 0; i < 5; i++) {
    const u32 two = (at & 8) != 0 ? words[i + 2 < 8 ? i + 2 : 7] : words[i];
    const u32 three = (at & 8) != 0 ? words[i + 3 < 8 ? i + 3 : 7] : words[i + 1];
    out[i] = (at & 4) != 0 ? three : two;
  }
  if constexpr (SIZE < 4) {
    const u32 bits = at % 4 * 8;
#pragma unroll
    for (int i = 0; i < 4; i++) out[i] = static_cast<u32>((static_cast<u64>(out[i + 1]) << 32 | out[i]) >> bits);
  }
  return {out[0], out[1], out[2], out[3]};
}

// Copies elements `first` up to `first + count` of each parameter to `to` on, which is as far past a multiple of 16 as `first` is,
// and counts the bytes that are to land. One thread calls.
template <int ELEMENTS> struct RunCopier {
  char* room;
  u64 first, length;
  u32 to, count;
  Barrier& there;
  mutable u32 used, bytes;
  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    constexpr u64 size = sizeof(T);
    char* const here = room + used;
    used += ELEMENTS * sizeof(T);
    // The last bytes of the parameter may be less than 16.
    const u64 whole = length * size / 16 * 16, begin = first * size / 16 * 16, end = least(((first + count) * size + 15) / 16 * 16, whole);
    if (end > begin) {
      start_bulk_copy(here + to * size / 16 * 16, reinterpret_cast<const char*>(base) + begin, static_cast<u32>(end - begin), there);
      bytes += static_cast<u32>(end - begin);
    }
    T* const slots = reinterpret_cast<T*>(here) + to;
#pragma unroll 1
    for (u64 e = whole / size > first ? whole / size : first; e < first + count; e++) slots[e - first] = fetch(base + e);
    return {};
  }
};

// Reads the pack whose slot 0 stands at `at`, of which `live` slots exist; the others hold anything. SURE: all of them do.
template <int ELEMENTS, bool REVERSE, bool SURE> struct RunPack {
  const char* room;
  int at, live;
  mutable u32 used;
  template <int V, class T> WF_FN Pack<T, V> get(const T*) const {
    const char* const here = room + used;
    used += ELEMENTS * sizeof(T);
    Pack<T, V> r = {};
    if (!SURE && live <= 0) return r;
    if constexpr (V == 1) {
      r.v[0] = reinterpret_cast<const T*>(here)[at];
    } else {
      static_assert(V * sizeof(T) == 16, "packs of 16 bytes");
      const u32 first = static_cast<u32>(REVERSE ? at - (V - 1) : at) * sizeof(T), over = first % 16;
      uint4 own = load_shared(here + (first - over));
      if (over != 0) own = straddle<sizeof(T)>(own, load_shared(here + (first - over) + 16), over);
      const auto p = copy_bits<Pack<T, V>>(own);
#pragma unroll
      for (int s = 0; s < V; s++) r.v[s] = p.v[REVERSE ? V - 1 - s : s];
    }
    return r;
  }
};

// Writes one turn of a warp, all of which exists, slots as in `Writer`: lanes whose packs stand between two in memory make up one of
// their own and of their neighbour's. All 32 lanes call.
template <bool REVERSE> struct RunWriter {
  i64 first;
  template <int V, class T> WF_FN void put(T* base, const Pack<T, V>& values) const {
    if constexpr (V > 1 && V * sizeof(T) == 16) {
      constexpr u32 size = sizeof(T);
      T* const lowest = base + (REVERSE ? first - (V - 1) : first);
      const u32 over = static_cast<u32>(reinterpret_cast<u64>(lowest) % 16);
      Pack<T, V> own;
#pragma unroll
      for (int s = 0; s < V; s++) own.v[s] = values.v[REVERSE ? V - 1 - s : s];
      uint4 word = copy_bits<uint4>(own);
      if (over != 0) {
        const u32 who = (lane() + (REVERSE ? 1 : 31)) % 32;
        const uint4 lower = {shuffle_lane<32>(word.x, who), shuffle_lane<32>(word.y, who), shuffle_lane<32>(word.z, who), shuffle_lane<32>(word.w, who)};
        word = straddle<size>(lower, word, 16 - over);
      }
      const bool begins = lane() == (REVERSE ? 31 : 0), ends = lane() == (REVERSE ? 0 : 31);
      if (over == 0 || !begins) __stcs(reinterpret_cast<uint4*>(reinterpret_cast<char*>(lowest) - over), word);
      if (over != 0 && (begins || ends)) {
        const int kept = V - static_cast<int>(over / size);
#pragma unroll
        for (int s = 0; s < V; s++) {
          if (s < kept ? begins : ends) lowest[s] = own.v[s];
        }
      }
    } else {
      Writer<Load::any, REVERSE>{first, V}.put(base, values);
    }
  }
};

}  // namespace wf
