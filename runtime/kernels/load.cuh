// load.cuh: how elements come out of memory and results go into it.
//
// Promises: an element stays with the lane that the order gives it, wherever its row starts. Accesses are as wide as the
// data allow, at most 16 bytes: a row that starts at an odd address is read and written as aligned granules, and what of a
// granule belongs to the neighbouring lane travels by shuffle. Nothing outside the parameter's elements is read or
// written: granules that straddle an end of it go element by element.
#pragma once

namespace wf {

// The shape of a launch: element (r, c) of a plain parameter stands at r * stride + c, its result at r * out_stride + c.
struct RowShape {
  u64 rows, cols, stride, out_stride;
};

// What the host knows of the packs of a launch, of every pointer in it.
//   whole    each pack is aligned to its size (at most 16 bytes), and the columns are a multiple of a pack
//   aligned  each pack is aligned to its size; the last of a row may be partial. Not for `reverse`, whose packs count from the end
//   any      nothing
enum class Load { whole, aligned, any };

WF_FN u64 least(u64 a, u64 b) { return a < b ? a : b; }
WF_FN int bounded(i64 x, int low, int high) { return x < low ? low : x > high ? high : static_cast<int>(x); }

// Memory in one access of B bytes; `stream` marks it as used once.
template <int B> struct Granule;
template <> struct Granule<16> {
  using Type = uint4;
};
template <> struct Granule<8> {
  using Type = uint2;
};
template <> struct Granule<4> {
  using Type = u32;
};
template <> struct Granule<2> {
  using Type = u16;
};
template <> struct Granule<1> {
  using Type = u8;
};
template <int B> struct Words {
  static constexpr int count = B / 4;
  u32 w[count];
};

// One access, kept in the L1 cache: the row's or the tile's neighbour reads the granule between them as well.
template <class Whole> WF_FN Whole read_granule(const char* at) {
  const Whole* p = reinterpret_cast<const Whole*>(at);
#ifdef WARPFOLD_EMULATE
  emulator::reads(p, sizeof(Whole));
#endif
  return *p;
}

template <class To, class From> WF_FN To copy_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "a copy keeps every byte");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

// Bytes `by` .. `by + B` of the 2 * B bytes `low`, `high`; `by` < B, a multiple of UNIT.
template <int B, int UNIT> WF_FN Words<B> realign(const Words<B>& low, const Words<B>& high, u32 by) {
  constexpr int N = Words<B>::count;
  u32 w[2 * N];
#pragma unroll
  for (int i = 0; i < N; i++) {
    w[i] = low.w[i];
    w[N + i] = high.w[i];
  }
#pragma unroll
  for (int step = N / 2; step > 0; step /= 2) {
    const bool shift = (by & (4u * step)) != 0;
#pragma unroll
    for (int i = 0; i + step < 2 * N; i++) w[i] = shift ? w[i + step] : w[i];
  }
  Words<B> r;
#pragma unroll
  for (int i = 0; i < N; i++) r.w[i] = UNIT % 4 == 0 ? w[i] : __funnelshift_r(w[i], w[i + 1], (by & 3u) * 8);
  return r;
}

// Whether packs of V elements of T travel in wide accesses, and of how many elements each.
template <class T, int V> struct Wide {
  static constexpr int bytes = int(sizeof(T)) * V;
  static constexpr bool power = (sizeof(T) & (sizeof(T) - 1)) == 0 && sizeof(T) <= 16;
  static constexpr int granule = bytes > 16 ? 16 : bytes;
  static constexpr int each = power ? granule / int(sizeof(T)) : 1;
  static constexpr int pieces = V / each;
  // A scalar is never misaligned by part of itself; a struct may be.
  static constexpr bool scalar = alignof(T) == sizeof(T);
  // Realigning pays from one word on: less is two elements at most.
  static constexpr bool realigns = power && scalar && each > 1 && granule >= 4;
};

// How much is known about a pack before it is read.
//   full    it exists, and so do the granules around it
//   inside  where it does not exist something else may be read in its place that does, with the granules around it
//   ask     nothing: each access asks, and what does not exist is zero bytes
enum class Sure { full, inside, ask };

// EACH elements of T at `base[at]` by aligned granules that all exist.
template <Load LOAD, int EACH, class T> WF_FN Pack<T, EACH> read_sure(const T* base, i64 at) {
  using Form = Wide<T, EACH>;
  if constexpr (Form::power && (LOAD != Load::any || (EACH == 1 && Form::scalar))) {
    using Whole = typename Granule<Form::granule>::Type;
    return copy_bits<Pack<T, EACH>>(__ldcs(reinterpret_cast<const Whole*>(base + at)));
  } else {
    Pack<T, EACH> r;
#pragma unroll
    for (int s = 0; s < EACH; s++) r.v[s] = base[at + s];
    return r;
  }
}

// The elements `from` .. `to` of the EACH elements at `base[at]`; the others are zero bytes. Packs at the ends of the
// input come here, and those of a row of `#[per_column]` elements, which mostly are whole and aligned all the same.
template <int EACH, class T> WF_FN Pack<T, EACH> read_asking(const T* base, i64 at, int from, int to) {
  using Form = Wide<T, EACH>;
  if constexpr (Form::power && EACH > 1) {
    const T* const p = base + at;
    if (from == 0 && to == EACH && reinterpret_cast<u64>(p) % Form::granule == 0) {
      return copy_bits<Pack<T, EACH>>(read_granule<typename Granule<Form::granule>::Type>(reinterpret_cast<const char*>(p)));
    }
  }
  Pack<T, EACH> r = {};
#pragma unroll
  for (int s = 0; s < EACH; s++) {
    if (s >= from && s < to) r.v[s] = base[at + s];
  }
  return r;
}

// Reads packs of one row: slot s stands at element first + s, or first - s with REVERSE. The leading `live` slots exist.
// Where SURE is `inside` a pack without any is read at `instead`, which does exist, in place of `first`.
template <Load LOAD, bool REVERSE, Sure SURE> struct Reader {
  i64 first;
  i64 instead;
  int live;

  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    constexpr int EACH = Wide<T, V>::each;
    // A pack of a type that does not travel in one access counts its pieces on its own.
    constexpr bool ASK = SURE == Sure::ask || (SURE == Sure::inside && EACH != V);
    const i64 start = SURE == Sure::inside && live <= 0 ? instead : first;
    Pack<T, V> r;
#pragma unroll
    for (int piece = 0; piece < V; piece += EACH) {
      Pack<T, EACH> p;
      const i64 at = REVERSE ? start - piece - (EACH - 1) : start + piece;
      if constexpr (ASK) {
        const int from = REVERSE ? bounded(piece + EACH - live, 0, EACH) : 0;
        const int to = REVERSE ? EACH : bounded(live - piece, 0, EACH);
        p = read_asking<EACH>(base, REVERSE ? first - piece - (EACH - 1) : first + piece, from, to);
      } else {
        p = read_sure<LOAD, EACH>(base, at);
      }
#pragma unroll
      for (int s = 0; s < EACH; s++) r.v[piece + s] = p.v[REVERSE ? EACH - 1 - s : s];
    }
    return r;
  }
};

// Reads the granules that hold the first bytes of packs, all known to exist, into words that lie one parameter behind the
// other. Parameters that do not realign are left for `Realigner`.
template <int WORDS> struct GranuleReader {
  u32 (&words)[WORDS];
  i64 at;  // of the pack's first element in memory
  mutable int used;

  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    if constexpr (Wide<T, V>::realigns && Wide<T, V>::each == V) {
      constexpr int B = Wide<T, V>::granule;
      const char* const pack = reinterpret_cast<const char*>(base + at);
      const auto granule = copy_bits<Words<B>>(read_granule<typename Granule<B>::Type>(pack - reinterpret_cast<u64>(pack) % B));
#pragma unroll
      for (int i = 0; i < Words<B>::count; i++) words[used + i] = granule.w[i];
      used += Words<B>::count;
    }
    return {};
  }
};

// Packs from those words: what a pack lacks stands in the granule of the lane that is next in memory, and for the last such
// lane in the granule that the first one holds of the next turn in memory, `beyond`. All 32 lanes call together. The
// shuffles carry bytes of memory, not states.
template <bool REVERSE, int LANES, int WORDS, class Direct> struct Realigner {
  const u32 (&words)[WORDS];
  const u32 (&beyond)[WORDS];
  i64 at;
  Direct direct;  // for parameters that do not realign
  mutable int used;

  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    if constexpr (Wide<T, V>::realigns && Wide<T, V>::each == V) {
      constexpr int B = Wide<T, V>::granule;
      const u32 own = lane_in_group<LANES>();
      const bool first = own == (REVERSE ? LANES - 1 : 0);
      const u32 next = (own + (REVERSE ? LANES - 1 : 1)) % LANES;
      Words<B> low, high;
#pragma unroll
      for (int i = 0; i < Words<B>::count; i++) {
        low.w[i] = words[used + i];
        const u32 sent = first ? beyond[used + i] : low.w[i];
        high.w[i] = LANES > 1 ? shuffle_lane<LANES>(sent, next) : sent;
      }
      used += Words<B>::count;
      const u32 off = static_cast<u32>(reinterpret_cast<u64>(base + at) % B);
      const auto p = copy_bits<Pack<T, V>>(realign<B, int(sizeof(T))>(low, high, off));
      Pack<T, V> r;
#pragma unroll
      for (int s = 0; s < V; s++) r.v[s] = p.v[REVERSE ? V - 1 - s : s];
      return r;
    } else {
      return direct.template get<V>(base);
    }
  }
};

// What the last lane of a group wrote at the turn before, for the first lane to complete its granule with: packs of
// V results.
template <class Result, int V> struct Seam {
  u32 words[(int(sizeof(Result)) * V + 3) / 4];
};

// Writes packs of one row, slots as in `Reader`. `ahead` counts the elements from slot 0 to the end of the row (0 or
// less: none of this pack). LANES lanes in a row hold consecutive packs, and all 32 lanes of the warp call together, turn
// after turn, of which this one `begins` or `ends` the tile.
template <Load LOAD, bool REVERSE, int LANES, class Seam> struct Writer {
  i64 first;
  i64 ahead;
  Seam& seam;
  bool begins, ends;
  mutable int used;

  template <int V, class T> WF_FN void put(T* base, const Pack<T, V>& values) const {
    constexpr int EACH = Wide<T, V>::each;
    if constexpr (LOAD == Load::any && Wide<T, V>::realigns && EACH == V && LANES > 1) {
      put_realigned<V>(base, values);
    } else {
#pragma unroll
      for (int piece = 0; piece < V; piece += EACH) put_piece<V, EACH>(base, values, piece);
    }
  }

 private:
  template <int V, int EACH, class T> WF_FN void put_piece(T* base, const Pack<T, V>& values, int piece) const {
    if constexpr (LOAD != Load::any && Wide<T, EACH>::power) {
      if (ahead >= piece + EACH) {
        Pack<T, EACH> p;
#pragma unroll
        for (int s = 0; s < EACH; s++) p.v[s] = values.v[piece + (REVERSE ? EACH - 1 - s : s)];
        using Whole = typename Granule<Wide<T, EACH>::granule>::Type;
        __stcs(reinterpret_cast<Whole*>(base + (REVERSE ? first - piece - (EACH - 1) : first + piece)), copy_bits<Whole>(p));
        return;
      }
    }
#pragma unroll
    for (int s = 0; s < EACH; s++) {
      if (piece + s < ahead) base[REVERSE ? first - piece - s : first + piece + s] = values.v[piece + s];
    }
  }

  // The granule that a lane stores ends within its own pack: `shared` elements of it belong to the neighbour before.
  template <int V, class T> WF_FN void put_realigned(T* base, const Pack<T, V>& values) const {
    constexpr int B = Wide<T, V>::granule;
    using Whole = typename Granule<B>::Type;
    Pack<T, V> p;  // in the order of memory
#pragma unroll
    for (int s = 0; s < V; s++) p.v[s] = values.v[REVERSE ? V - 1 - s : s];
    const i64 at = REVERSE ? first - (V - 1) : first;
    const u32 off = static_cast<u32>((reinterpret_cast<u64>(base) + static_cast<u64>(at) * sizeof(T)) % B);
    const int shared = static_cast<int>(off / sizeof(T));
    const auto own = copy_bits<Words<B>>(p);
    const int own_lane = static_cast<int>(lane_in_group<LANES>());
    // The pack before in memory; the first lane's was written at the turn before, or with REVERSE is yet to come.
    Words<B> before;
#pragma unroll
    for (int i = 0; i < Words<B>::count; i++) {
      const u32 other = shuffle_lane<LANES>(own.w[i], static_cast<u32>(own_lane + (REVERSE ? 1 : LANES - 1)) % LANES);
      before.w[i] = !REVERSE && own_lane == 0 ? seam.words[used + i] : other;
      seam.words[used + i] = other;
    }
    used += Words<B>::count;
    // Which elements of the pack exist, in the order of memory; what the granules at its two ends cover.
    const int from = REVERSE ? bounded(V - ahead, 0, V) : 0;
    const int to = REVERSE ? V : bounded(ahead, 0, V);
    const bool mine = REVERSE ? own_lane + 1 < LANES && ahead - V >= shared : (own_lane > 0 || !begins) && ahead >= V - shared;
    const bool next = REVERSE ? own_lane > 0 && ahead >= shared : (own_lane + 1 < LANES || !ends) && ahead - V >= V - shared;
    if (shared == 0 ? (ahead >= V) : mine) {
      const auto granule = shared == 0 ? own : realign<B, int(sizeof(T))>(before, own, B - off);
      __stcs(reinterpret_cast<Whole*>(base + (at - shared)), copy_bits<Whole>(granule));
    }
#pragma unroll
    for (int s = 0; s < V; s++) {
      const bool stored = shared == 0 ? ahead >= V : s < V - shared ? mine : next;
      if (s >= from && s < to && !stored) base[at + s] = p.v[s];
    }
  }
};

// Writes one value a calling lane, at element `at`.
struct One {
  u64 at;
  template <int V, class T> WF_FN void put(T* base, const Pack<T, V>& values) const {
    static_assert(V == 1, "one value a lane");
    base[at] = values.v[0];
  }
};

}  // namespace wf
