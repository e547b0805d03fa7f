// load.cuh: how elements come out of memory and results go into it.
//
// Promises: an element stays with the lane that the order gives it, wherever its row starts. Accesses are as wide as what
// is known of the data allows, at most 16 bytes; packs of which nothing is known go element by element. Nothing outside
// the parameter's elements is read or written.
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
WF_FN int bounded(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

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
// One access that leaves what it met in the caches: the next may share its 32 bytes. Elements that are read once are no
// exception: told to go first, they leave the cache to what others left there before, and take up to 5 % longer.
template <class T> WF_FN T fetch(const T* p) {
#ifdef WARPFOLD_EMULATE
  emulator::aligned(p, alignof(T));
  emulator::reads(p, sizeof(T));
#endif
  return *p;
}

template <class To, class From> WF_FN To copy_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "a copy keeps every byte");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

// Whether packs of V elements of T travel in wide accesses, and of how many elements each.
template <class T, int V> struct Wide {
  static constexpr int bytes = int(sizeof(T)) * V;
  static constexpr bool power = (sizeof(T) & (sizeof(T) - 1)) == 0 && sizeof(T) <= 16;
  static constexpr int granule = bytes > 16 ? 16 : bytes;
  static constexpr int each = power ? granule / int(sizeof(T)) : 1;
  static constexpr int pieces = V / each;
  // One scalar, whose neighbours in memory go to other lanes of the same access.
  static constexpr bool single = V == 1 && alignof(T) == sizeof(T);
};

// How much is known about a pack before it is read.
//   full    it exists
//   inside  where it does not exist something else may be read in its place that does
//   ask     nothing: each access asks, and what does not exist is zero bytes
enum class Sure { full, inside, ask };

// EACH elements of T at `base[at]`, all of which exist.
template <Load LOAD, int EACH, class T> WF_FN Pack<T, EACH> read_sure(const T* base, i64 at) {
  using Form = Wide<T, EACH>;
  if constexpr (Form::power && LOAD != Load::any && !Form::single) {
    using Whole = typename Granule<Form::granule>::Type;
    return copy_bits<Pack<T, EACH>>(fetch(reinterpret_cast<const Whole*>(base + at)));
  } else {
    Pack<T, EACH> r;
#pragma unroll
    for (int s = 0; s < EACH; s++) r.v[s] = fetch(base + (at + s));
    return r;
  }
}

// The elements `from` .. `to` of the EACH elements at `base[at]`; the others are zero bytes. Packs at the ends of the
// input come here, and those of a row of `#[per_column]` elements, which mostly are whole and aligned all the same.
template <int EACH, class T> WF_FN Pack<T, EACH> read_asking(const T* base, i64 at, int from, int to) {
  using Form = Wide<T, EACH>;
  if constexpr (Form::power) {
    const T* const p = base + at;
    if (from == 0 && to == EACH && reinterpret_cast<u64>(p) % Form::granule == 0) {
      return copy_bits<Pack<T, EACH>>(fetch(reinterpret_cast<const typename Granule<Form::granule>::Type*>(p)));
    }
  }
  Pack<T, EACH> r = {};
#pragma unroll
  for (int s = 0; s < EACH; s++) {
    if (s >= from && s < to) r.v[s] = fetch(base + (at + s));
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
    const i64 start = SURE == Sure::inside && !ASK && live <= 0 ? instead : first;
    if constexpr (EACH == V && !REVERSE) {
      // In one piece: the compiler takes apart what is copied element by element.
      return piece<ASK, EACH>(base, start, 0);
    } else {
      Pack<T, V> r;
#pragma unroll
      for (int at = 0; at < V; at += EACH) {
        const Pack<T, EACH> p = piece<ASK, EACH>(base, REVERSE ? start - at - (EACH - 1) : start + at, at);
#pragma unroll
        for (int s = 0; s < EACH; s++) r.v[at + s] = p.v[REVERSE ? EACH - 1 - s : s];
      }
      return r;
    }
  }

 private:
  // The EACH slots from `slot` on, which stand from `base[at]` on.
  template <bool ASK, int EACH, class T> WF_FN Pack<T, EACH> piece(const T* base, i64 at, int slot) const {
    if constexpr (ASK && EACH == 1) {
      return slot < live ? read_sure<LOAD, 1>(base, at) : Pack<T, 1>{};
    } else if constexpr (ASK) {
      const int from = REVERSE ? bounded(slot + EACH - live, 0, EACH) : 0;
      const int to = REVERSE ? EACH : bounded(live - slot, 0, EACH);
      return read_asking<EACH>(base, at, from, to);
    } else {
      return read_sure<LOAD, EACH>(base, at);
    }
  }
};

// Writes packs of one row, slots as in `Reader`. `ahead` counts the elements from slot 0 to the end of the row (0 or
// less: none of this pack). `wide`: packs stand aligned though LOAD does not say so.
template <Load LOAD, bool REVERSE> struct Writer {
  i64 first;
  int ahead;
  bool wide = false;

  template <int V, class T> WF_FN void put(T* base, const Pack<T, V>& values) const {
    constexpr int EACH = Wide<T, V>::each;
#pragma unroll
    for (int piece = 0; piece < V; piece += EACH) put_piece<V, EACH>(base, values, piece);
  }

 private:
  template <int V, int EACH, class T> WF_FN void put_piece(T* base, const Pack<T, V>& values, int piece) const {
    constexpr bool WIDE = Wide<T, EACH>::power && !Wide<T, EACH>::single;
    if constexpr (WIDE) {
      if ((LOAD != Load::any || wide) && ahead >= piece + EACH) {
        Pack<T, EACH> p;
#pragma unroll
        for (int s = 0; s < EACH; s++) p.v[s] = values.v[piece + (REVERSE ? EACH - 1 - s : s)];
        using Whole = typename Granule<Wide<T, EACH>::granule>::Type;
        __stcs(reinterpret_cast<Whole*>(base + (REVERSE ? first - piece - (EACH - 1) : first + piece)), copy_bits<Whole>(p));
        return;
      }
    }
    // Where packs are whole, there is this one or none.
    if constexpr (!WIDE || LOAD != Load::whole) {
#pragma unroll
      for (int s = 0; s < EACH; s++) {
        if (piece + s < ahead) base[REVERSE ? first - piece - s : first + piece + s] = values.v[piece + s];
      }
    }
  }
};

// Reads one element, or zero bytes where it does not exist.
struct Element {
  u64 at;
  bool exists;
  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    static_assert(V == 1, "one element a lane");
    Pack<T, 1> r = {};
    if (exists) r.v[0] = base[at];
    return r;
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
