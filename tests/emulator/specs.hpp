// Specs written by hand, for kernels to be tested with: what the compiler emits, in few lines. The warp steps are loops
// over the plans' offsets; the emitted ones are unrolled from the same plans.
//
// The same text compiles with NVRTC, where every function is a device function by an option.
#pragma once
#ifdef WARPFOLD_EMULATE
#include "emulator.hpp"
#include "../../runtime/kernels/scalar.cuh"
#include "../../runtime/kernels/shuffle.cuh"
#endif

using wf::i64;
using wf::u32;
using wf::u64;

// The steps of a warp, from `Self::combine`.
template <class Self, class State, bool ANY> struct Steps {
  template <int W> static State reduce_all(State s, wf::Width<W>) {
    for (int k = ANY ? W / 2 : 1; ANY ? k > 0 : k < W; k = ANY ? k / 2 : k * 2) {
      const State o = wf::shuffle_xor<W>(s, u32(k));
      s = !ANY && (wf::lane() & u32(k)) ? Self::combine(o, s) : Self::combine(s, o);
    }
    return s;
  }
  template <int W> static State reduce_first(State s, wf::Width<W>) {
    for (int k = ANY ? W / 2 : 1; ANY ? k > 0 : k < W; k = ANY ? k / 2 : k * 2) s = Self::combine(s, wf::shuffle_down<W>(s, u32(k)));
    return s;
  }
  template <int W> static State scan_inclusive(State s, wf::Width<W>) {
    for (u32 k = 1; k < W; k *= 2) {
      const State o = wf::shuffle_up<W>(s, k);
      if (wf::lane_in_group<W>() >= k) s = Self::combine(o, s);
    }
    return s;
  }
  template <int W> static State shift_from_lower(State s, wf::Width<W>) { return wf::shuffle_up<W>(s, 1); }
};

// What most specs share: one plain parameter, nothing lifted, finished or applied.
template <class Self, class Element, class StateType, bool ANY> struct Plain : Steps<Self, StateType, ANY> {
  using State = StateType;
  using Mapped = State;
  using Result = State;
  static constexpr wf::Fold fold = ANY ? wf::Fold::striped : wf::Fold::blocked;
  static constexpr bool any_order = ANY, has_init = false, has_apply = false, has_live = false, has_columns = false;
  struct Args { const Element* x; };
  struct Row { u64 row, len; u32 live; };
  static Row row(const Args&, u64 row, u64 len) { return {row, len, 0}; }
  template <int V> struct Items { wf::Pack<Element, V> x; };
  template <int V> struct Columns {};
  template <int V, class R> static Items<V> items(const Args& a, const R& read) { return {read.template get<V>(a.x)}; }
  template <int V, class R> static Columns<V> columns(const Args&, const R&) { return {}; }
  static State lift(const Mapped& m, u64) { return m; }
  static State init() { return Self::identity(); }
  static Result finish(const State& s, const Row&, const Args&) { return s; }
  template <int V> static Result finish_at(const State& s, const Items<V>&, const Columns<V>&, int, const Row&, const Args&, u64) { return s; }
  struct Results { Result* r0; };
  template <int V, class W> static void store(const Results& r, const Result (&values)[V], const W& write) {
    wf::Pack<Result, V> p;
    for (int i = 0; i < V; i++) p.v[i] = values[i];
    write.template put<V>(r.r0, p);
  }
  template <int V> static Mapped map(const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, u64 index) {
    return Self::of(x.x.v[i], index);
  }
};

// The sum of floats: the order shows in the bits.
struct Sum : Plain<Sum, float, float, true> {
  static float of(float x, u64) { return x; }
  static float identity() { return -0.0f; }
  static float combine(float a, float b) { return a + b; }
};

// The same in the order of the elements, with an init.
struct OrderedSum : Plain<OrderedSum, float, float, false> {
  static constexpr bool has_init = true;
  static float of(float x, u64) { return x; }
  static float identity() { return -0.0f; }
  static float init() { return 0.625f; }
  static float combine(float a, float b) { return a + b; }
};

// Sums of narrow integers, with an init: kept as words, of elements as they are in memory or, where MAPPED, of what they become.
template <class T, bool MAPPED> struct NarrowSum : Plain<NarrowSum<T, MAPPED>, T, T, true> {
  using Base = Plain<NarrowSum<T, MAPPED>, T, T, true>;
  static constexpr bool has_init = true, neutral = true, regroups = true;
  static T of(T x, u64 index) { return MAPPED ? T(x - T(index)) : x; }
  static T identity() { return 0; }
  static T init() { return -77; }
  static T combine(T a, T b) { return T(a + b); }
  struct Words : Steps<Words, u32, true> {
    using State = u32;
    static u32 combine(u32 a, u32 b) { return a + b; }
  };
  template <int V, bool READ = !MAPPED, class = std::enable_if_t<READ>>
  static const wf::Pack<T, V>& as_read(const typename Base::template Items<V>& items) { return items.x; }
};

// The largest element so far: any grouping gives it.
struct Largest : Plain<Largest, wf::i8, wf::i8, true> {
  static constexpr bool neutral = true, regroups = true;
  static wf::i8 of(wf::i8 x, u64) { return x; }
  static wf::i8 identity() { return -128; }
  static wf::i8 combine(wf::i8 a, wf::i8 b) { return a < b ? b : a; }
};

// The sum of floats, of which it is known that its identity changes no bit.
struct NeutralSum : Plain<NeutralSum, float, float, true> {
  static constexpr bool neutral = true;
  static float of(float x, u64) { return x; }
  static float identity() { return -0.0f; }
  static float combine(float a, float b) { return a + b; }
};

// Whether states are combined in order, without a gap or a repetition: a run of positions, with a hash of what they held.
struct Run { u64 from, to; u32 hash; u32 good; };
namespace wf {
template <class M> Run exchange(const Run& x, const M& move) {
  return {exchange(x.from, move), exchange(x.to, move), exchange(x.hash, move), exchange(x.good, move)};
}
} // namespace wf
struct InOrder : Plain<InOrder, unsigned char, Run, false> {
  static Run of(unsigned char x, u64 index) { return {index, index + 1, x + 1u, 1}; }
  static Run identity() { return {0, 0, 0, 1}; }
  static u32 power(u32 base, u64 n) {
    u32 r = 1;
    for (; n; n /= 2, base *= base) if (n & 1) r *= base;
    return r;
  }
  static Run combine(const Run& a, const Run& b) {
    if (a.from == a.to) return {b.from, b.to, b.hash, a.good & b.good};
    if (b.from == b.to) return {a.from, a.to, a.hash, a.good & b.good};
    const bool up = a.to == b.from, down = b.to == a.from;
    return {up ? a.from : b.from, up ? b.to : a.to, a.hash * power(0x01000193u, b.to - b.from) + b.hash, a.good & b.good & u32(up || down)};
  }
};

// Two plain parameters of different sizes, ragged rows, a per-column one, and a tuple that comes apart.
struct Ragged : Plain<Ragged, float, float, true> {
  static constexpr bool has_live = true, has_columns = true;
  struct Args { const float* x; const double* y; const float* gamma; const u32* live; };
  struct Row { u64 row, len; u32 live; };
  static Row row(const Args& a, u64 row, u64 len) { return {row, len, a.live[row]}; }
  template <int V> struct Items { wf::Pack<float, V> x; wf::Pack<double, V> y; };
  template <int V> struct Columns { wf::Pack<float, V> gamma; };
  template <int V, class R> static Items<V> items(const Args& a, const R& read) { return {read.template get<V>(a.x), read.template get<V>(a.y)}; }
  template <int V, class R> static Columns<V> columns(const Args& a, const R& read) { return {read.template get<V>(a.gamma)}; }
  static float identity() { return -0.0f; }
  static float combine(float a, float b) { return a + b; }
  template <int V> static float map(const Items<V>& x, const Columns<V>& c, int i, const Row&, const Args&, u64) {
    return x.x.v[i] * c.gamma.v[i] + float(x.y.v[i]);
  }
  struct Pair { float sum; u64 row; };
  using Result = Pair;
  static Result finish(const float& s, const Row& r, const Args&) { return {s, r.row + r.live}; }
  struct Results { float* r0; u64* r1; };
  template <int V, class W> static void store(const Results& r, const Result (&values)[V], const W& write) {
    wf::Pack<float, V> p;
    wf::Pack<u64, V> q;
    for (int i = 0; i < V; i++) { p.v[i] = values[i].sum; q.v[i] = values[i].row; }
    write.template put<V>(r.r0, p);
    write.template put<V>(r.r1, q);
  }
};

// The table's softmax: a lane folds its elements its own way.
struct MaxSum { float max, sum; };
namespace wf {
template <class M> MaxSum exchange(const MaxSum& x, const M& move) { return {exchange(x.max, move), exchange(x.sum, move)}; }
} // namespace wf
struct Softmax : Plain<Softmax, float, MaxSum, true> {
  static constexpr wf::Fold fold = wf::Fold::lane;
  static constexpr bool votes = false;
  static constexpr bool has_apply = true;
  using Mapped = float;
  using Result = float;
  static MaxSum lift(float x, u64) { return {x, 1.0f}; }
  static MaxSum identity() { return {-wf::infinity<float>(), 0.0f}; }
  static float part(float m, const MaxSum& p) { return p.max == m ? p.sum : p.sum * expf(p.max - m); }
  static MaxSum combine(const MaxSum& a, const MaxSum& b) {
    const float m = a.max > b.max ? a.max : b.max;
    return {m, part(m, a) + part(m, b)};
  }
  template <int V> static float map(const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, u64) { return x.x.v[i]; }
  template <int T, int V> static MaxSum fold_lane(const float (&m)[T][V], u64 first, u64 stride, u64 limit) {
    MaxSum r = identity();
    for (int t = 0; t < T; t++) for (int s = 0; s < V; s++) if (first + u64(t) * stride + u64(s) < limit && m[t][s] > r.max) r.max = m[t][s];
    for (int t = 0; t < T; t++) for (int s = 0; s < V; s++) if (first + u64(t) * stride + u64(s) < limit) r.sum += m[t][s] == r.max ? 1.0f : expf(m[t][s] - r.max);
    return r;
  }
  template <int V, class D> static float apply(const D&, const MaxSum& t, const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, u64) {
    return expf(x.x.v[i] - t.max) / t.sum;
  }
  struct Results { float* r0; };
  template <int V, class W> static void store(const Results& r, const float (&values)[V], const W& write) {
    wf::Pack<float, V> p;
    for (int i = 0; i < V; i++) p.v[i] = values[i];
    write.template put<V>(r.r0, p);
  }
  static float finish(const MaxSum& s, const Row&, const Args&) { return s.max; }
};

// Keeps positive numbers.
struct Positive : Plain<Positive, float, float, true> {
  static float of(float x, u64) { return x; }
  static float identity() { return 0.0f; }
  static float combine(float a, float b) { return a + b; }
  template <int V> static bool keeps(const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, u64) { return x.x.v[i] > 0.0f; }
  template <int V> static float kept(const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, u64) { return x.x.v[i]; }
};

// Divides by the sum of the row, and tells where: a result of two arrays with a per-column parameter.
struct Share : Ragged {
  using Result = Pair;
  static constexpr bool has_apply = true;
  template <int V, class D> static Pair apply(const D&, const float& total, const Items<V>& x, const Columns<V>& c, int i, const Row& r, const Args&, u64 index) {
    return {x.x.v[i] * c.gamma.v[i] / total, r.row * 100000 + index};
  }
};

// Every lane takes the value of the lane 3 above it in its group, where there is one.
struct Down3 : Plain<Down3, int, int, true> {
  static int of(int x, u64) { return x * 2; }
  static int identity() { return 0; }
  static int combine(int a, int b) { return a + b; }
  template <int W> static int exchange(int s, wf::Width<W>, u32 live) {
    const int received = wf::shuffle_down<W>(s, 3);
    return wf::lane_in_group<W>() + 3 < (live < W ? live : W) ? received : s;
  }
};
