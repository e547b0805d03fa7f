// ops.cuh: the operators of the table, each as a type with `identity`, `lift`, `combine` and, where it folds a block of
// elements its own way, either `fold_lane` (of one lane) or the parts of a tile's fold.
//
// Promises: `combine(identity, s) == s == combine(s, identity)`; the rules for NaN, ties and signed zeros are those of
// the table; the CPU back end has the same operations in the same order, so equal inputs give equal bits wherever the
// arithmetic is exact. `fold_lane` takes the mapped elements of one lane by turn and slot: element [t][s] stands at
// index first + t * stride + s and counts if that is below `limit`. Indices grow with t and s, so [0][0] counts if any
// does. A float accumulator per slot runs over the turns, then the slots are added from left to right.
//
// A tile's fold in parts, for lanes that talk twice: `look` gives what a lane has to share (and may rewrite its
// elements: the next part sees them), `share` joins that of two lanes; `weigh` gives a lane's part, knowing what all
// share and the tile's first element, `add_parts` joins two; `join` makes the state of the tile from its first element,
// what is shared, the sum of the parts, the count of its live elements and the index of its first.
// `one_by_one`: what is rare may be weighed element by element, see `Softmax`.
#pragma once

namespace wf {

// Operators whose state is what map returns.
template <class T> struct Plainly {
  using State = T;
  static WF_FN T lift(T x, u64) { return x; }
};
// Sums of floats start from -0.0, the only neutral element of addition.
template <class T> struct Sum : Plainly<T> {
  static WF_FN T identity() {
    if constexpr (Traits<T>::whole) {
      return T(0);
    } else {
      return from_bits<T>(static_cast<Unsigned<T>>(Unsigned<T>(1) << (Traits<T>::bits - 1)));
    }
  }
  static WF_FN T combine(T left, T right) { return add(left, right); }
};
template <class T> struct Product : Plainly<T> {
  static WF_FN T identity() {
    if constexpr (Traits<T>::whole) {
      return T(1);
    } else {
      return one<T>();
    }
  }
  static WF_FN T combine(T left, T right) { return mul(left, right); }
};
// A NaN loses to everything, the identity too: lifted to it, so that a row of NaN alone gives the identity.
template <class T> struct Max : Plainly<T> {
  static WF_FN T identity() { return lowest<T>(); }
  static WF_FN T lift(T x, u64) {
    if constexpr (Traits<T>::whole) {
      return x;
    } else if constexpr (sizeof(T) == 8) {
      return is_nan(x) ? identity() : x;  // the hardware has no `max` of f64
    } else {
      return max(identity(), x);
    }
  }
  static WF_FN T combine(T left, T right) { return max(left, right); }
};
template <class T> struct Min : Plainly<T> {
  static WF_FN T identity() { return highest<T>(); }
  static WF_FN T lift(T x, u64) {
    if constexpr (Traits<T>::whole) {
      return x;
    } else if constexpr (sizeof(T) == 8) {
      return is_nan(x) ? identity() : x;  // the hardware has no `min` of f64
    } else {
      return min(identity(), x);
    }
  }
  static WF_FN T combine(T left, T right) { return min(left, right); }
};
template <class T> struct Maximum : Plainly<T> {
  static WF_FN T identity() { return lowest<T>(); }
  static WF_FN T combine(T left, T right) { return maximum(left, right); }
};
template <class T> struct Minimum : Plainly<T> {
  static WF_FN T identity() { return highest<T>(); }
  static WF_FN T combine(T left, T right) { return minimum(left, right); }
};
template <class T> struct And : Plainly<T> {
  static WF_FN T identity() { return bit_not(T(0)); }
  static WF_FN T combine(T left, T right) { return bit_and(left, right); }
};
template <class T> struct Or : Plainly<T> {
  static WF_FN T identity() { return T(0); }
  static WF_FN T combine(T left, T right) { return bit_or(left, right); }
};
template <class T> struct Xor : Plainly<T> {
  static WF_FN T identity() { return T(0); }
  static WF_FN T combine(T left, T right) { return bit_xor(left, right); }
};

// What a lane must know to tell which of its elements count, in 32 bits: a tile is never longer than that.
struct Counting {
  u32 stride, left, start;
  int solid = 0;       // every element of the turns below counts: constants, so that nothing is asked of them
  bool whole = false;  // the slots of a pack count together
  WF_FN bool operator()(int t, int s) const {
    return t < solid || static_cast<u32>(t) * stride + (whole ? 0 : static_cast<u32>(s)) < left;
  }
};
WF_FN Counting counting(u64 first, u64 stride, u64 limit) {
  const u64 left = first < limit ? limit - first : 0;
  return {static_cast<u32>(stride), left < 0xffffffffu ? static_cast<u32>(left) : 0xffffffffu, 0};
}
// The same of a tile whose leading `live` positions count; the lane's slot 0 stands at position `start` of it.
WF_FN Counting counting_in_tile(int start, int stride, int live, int solid = 0, bool whole = false) {
  return {static_cast<u32>(stride), live > start ? static_cast<u32>(live - start) : 0, static_cast<u32>(start), solid, whole};
}

// Votes.
struct Any {
  using State = bool;
  static WF_FN bool identity() { return false; }
  static WF_FN bool lift(bool x, u64) { return x; }
  static WF_FN bool combine(bool left, bool right) { return left || right; }
  template <int TURNS, int V> static WF_FN bool fold_lane(const bool (&m)[TURNS][V], u64 first, u64 stride, u64 limit) {
    const Counting counts = counting(first, stride, limit);
    bool found = false;
#pragma unroll
    for (int t = 0; t < TURNS; ++t) {
#pragma unroll
      for (int s = 0; s < V; ++s) found |= m[t][s] && counts(t, s);
    }
    return found;
  }
};
struct All {
  using State = bool;
  static WF_FN bool identity() { return true; }
  static WF_FN bool lift(bool x, u64) { return x; }
  static WF_FN bool combine(bool left, bool right) { return left && right; }
  template <int TURNS, int V> static WF_FN bool fold_lane(const bool (&m)[TURNS][V], u64 first, u64 stride, u64 limit) {
    const Counting counts = counting(first, stride, limit);
    bool held = true;
#pragma unroll
    for (int t = 0; t < TURNS; ++t) {
#pragma unroll
      for (int s = 0; s < V; ++s) held &= m[t][s] || !counts(t, s);
    }
    return held;
  }
};
struct Count {
  using State = u64;
  static WF_FN u64 identity() { return 0; }
  static WF_FN u64 lift(bool x, u64) { return x; }
  static WF_FN u64 combine(u64 left, u64 right) { return left + right; }

  static constexpr bool one_by_one = false;
  using Shared = bool;  // nothing is
  using Part = u32;
  static WF_FN u32 add_parts(u32 left, u32 right) { return left + right; }
  template <int TURNS, int V> static WF_FN u32 weigh(const bool (&m)[TURNS][V], const Counting& counts, bool, u32, bool) {
    u32 found = 0;
#pragma unroll
    for (int t = 0; t < TURNS; ++t) {
#pragma unroll
      for (int s = 0; s < V; ++s) found += m[t][s] && counts(t, s);
    }
    return found;
  }
  static WF_FN u64 join(bool, bool, u32 part, u32, u64) { return part; }

  // The state of up to 32 elements that a group of W lanes voted on, V of each lane.
  template <int W, int V> static WF_FN u64 of_votes(u32 votes, u64) { return static_cast<u64>(__popc(votes)); }
};
// Bit i of the state says what element i, below 32, voted.
struct Ballot {
  using State = u32;
  static WF_FN u32 identity() { return 0; }
  static WF_FN u32 lift(bool x, u64 index) { return static_cast<u32>(x) << (index & 31); }
  static WF_FN u32 combine(u32 left, u32 right) { return left | right; }
  // The same of the elements from `first` on, V neighbours in each of the W lanes that voted.
  template <int W, int V> static WF_FN u32 of_votes(u32 votes, u64 first) { return by_lanes<W, V>(votes) << (first & 31); }
  template <int TURNS, int V> static WF_FN u32 fold_lane(const bool (&m)[TURNS][V], u64 first, u64 stride, u64 limit) {
    u32 votes = 0;
#pragma unroll
    for (int t = 0; t < TURNS; ++t) {
#pragma unroll
      for (int s = 0; s < V; ++s) {
        const u64 index = first + t * stride + s;
        votes |= index < limit ? lift(m[t][s], index) : 0;
      }
    }
    return votes;
  }
};

// The lowest index among the best; a NaN is better than all else, the first of them the best.
template <class T, bool Greatest> struct ArgBest {
  using State = Tuple<T, u64>;
  static WF_FN State identity() { return {Greatest ? lowest<T>() : highest<T>(), ~u64(0)}; }
  static WF_FN State lift(T x, u64 index) { return {x, index}; }
  // Whether x replaces a value `than` that stands before it. No `||` here, which the compiler makes branches of: those take
  // longer than what they save, in a chain of combinations most of all.
  static WF_FN bool better(T x, T than) {
    const bool by_value = Greatest ? x > than : x < than;
    if constexpr (Traits<T>::whole) {
      return by_value;
    } else {
      return by_value | (is_nan(x) & !is_nan(than));
    }
  }
  static WF_FN bool equal(T x, T y) {
    if constexpr (Traits<T>::whole) {
      return x == y;
    } else {
      return (x == y) | (is_nan(x) & is_nan(y));
    }
  }
  static WF_FN State combine(const State& left, const State& right) {
    const bool take = better(right.f0, left.f0) | (equal(right.f0, left.f0) & (right.f1 < left.f1));
    return {take ? right.f0 : left.f0, take ? right.f1 : left.f1};
  }
  // The tile's best value, then the lowest position among those equal to it. A position goes with the sign of what
  // stands there, because -0.0 equals 0.0.
  static constexpr bool one_by_one = false;
  using Shared = T;
  using Part = u32;
  static WF_FN T share(T a, T b) {
    if constexpr (sizeof(T) == 4 || Traits<T>::whole) {
      return Greatest ? maximum(a, b) : minimum(a, b);
    } else {
      return better(b, a) ? b : a;
    }
  }
  static WF_FN u32 add_parts(u32 left, u32 right) { return left < right ? left : right; }
  // Whether any of the elements that share `best` may replace what elements before them came to, which shared `before`.
  static WF_FN bool beats(T best, T before) { return better(best, before); }
  static WF_FN T shared_by(const State& s) { return s.f0; }
  template <int TURNS, int V> static WF_FN T look(T (&x)[TURNS][V], const Counting& counts, T) {
    // Narrow numbers are compared in words: between two comparisons nothing is cut to their width. In one chain they would
    // all be taken out of their packs before the first is compared; whole numbers may be compared in any order.
    constexpr int CHAINS = narrow<T> && V >= 4 ? 4 : 1;
    decltype(in_words(T())) best[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) best[c] = in_words(identity().f0);
#pragma unroll
    for (int t = 0; t < TURNS; ++t) {
#pragma unroll
      for (int s = 0; s < V; ++s) {
        x[t][s] = counts(t, s) ? x[t][s] : identity().f0;
        best[s % CHAINS] = share_words(best[s % CHAINS], in_words(x[t][s]));
      }
    }
#pragma unroll
    for (int c = 1; c < CHAINS; ++c) best[0] = share_words(best[0], best[c]);
    return static_cast<T>(best[0]);
  }
  static WF_FN auto in_words(T x) {
    if constexpr (narrow<T>) {
      return static_cast<i32>(x);
    } else {
      return x;
    }
  }
  template <class Word> static WF_FN Word share_words(Word a, Word b) {
    if constexpr (narrow<T>) {
      return Greatest ? max_of_words(a, b) : min_of_words(a, b);
    } else {
      return share(a, b);
    }
  }
  // Dead elements look like the identity and stand behind the live ones: the lowest position is live if any is. Only
  // among NaN and zeros does it take more than `==` to tell who is the best, and how it is spelled.
  template <int TURNS, int V> static WF_FN u32 weigh(const T (&x)[TURNS][V], const Counting& counts, T best, u32, T) {
    constexpr u32 none = TURNS * V;
    u32 lowest = none;
    if (unmistakable(best)) {
#pragma unroll
      for (int t = TURNS - 1; t >= 0; --t) {
#pragma unroll
        for (int s = V - 1; s >= 0; --s) lowest = x[t][s] == best ? t * V + s : lowest;
      }
      return lowest == none ? ~0u : 2 * (counts.start + lowest / V * counts.stride + lowest % V) + sign(best);
    }
    u32 signs = 0;
#pragma unroll
    for (int t = TURNS - 1; t >= 0; --t) {
#pragma unroll
      for (int s = V - 1; s >= 0; --s) {
        const bool good = equal(x[t][s], best);
        lowest = good ? t * V + s : lowest;
        signs = good ? sign(x[t][s]) : signs;
      }
    }
    return lowest == none ? ~0u : 2 * (counts.start + lowest / V * counts.stride + lowest % V) + signs;
  }
  // Whether what equals x has its bits.
  static WF_FN bool unmistakable(T x) {
    if constexpr (Traits<T>::whole) {
      return true;
    } else {
      return !is_nan(x) && static_cast<Unsigned<T>>(to_bits(x) << 1) != 0;
    }
  }
  static WF_FN u32 sign(T x) {
    if constexpr (Traits<T>::whole) {
      return 0;
    } else {
      return is_sign_negative(x);
    }
  }
  static WF_FN State join(T, T best, u32 part, u32 live, u64 start) {
    if (live == 0) return identity();
    if constexpr (!Traits<T>::whole) {
      constexpr int top = Traits<T>::bits - 1;
      if (static_cast<Unsigned<T>>(to_bits(best) << 1) == 0) best = from_bits<T>(static_cast<Unsigned<T>>(Unsigned<T>(part & 1) << top));
    }
    return {best, start + part / 2};
  }
  // The same of elements that stand `by` further.
  static WF_FN State moved(State s, u64 by) { return {s.f0, s.f1 == ~0ull ? s.f1 : s.f1 + by}; }
};
template <class T> using Argmax = ArgBest<T, true>;
template <class T> using Argmin = ArgBest<T, false>;

// The first and the last element; the flag says whether there is one.
template <class T> struct First {
  using State = Tuple<bool, T>;
  static WF_FN State identity() { return {false, T{}}; }
  static WF_FN State lift(const T& x, u64) { return {true, x}; }
  static WF_FN State combine(const State& left, const State& right) { return left.f0 ? left : right; }
};
template <class T> struct Last {
  using State = Tuple<bool, T>;
  static WF_FN State identity() { return {false, T{}}; }
  static WF_FN State lift(const T& x, u64) { return {true, x}; }
  static WF_FN State combine(const State& left, const State& right) { return right.f0 ? right : left; }
};

// Adds up acc[0] + acc[1] + …, left to right.
template <class T, int V> WF_FN T add_slots(const T (&acc)[V]) {
  T total = acc[0];
#pragma unroll
  for (int s = 1; s < V; ++s) total = total + acc[s];
  return total;
}

// The greatest x and the sum of exp(x - max). One exp an element: the maximum of the tile is known first. An infinite
// maximum, which must not meet itself in a difference, has terms without exp.
template <class T> struct Softmax {
  using State = Tuple<T, T>;
  static WF_FN State identity() { return {-infinity<T>(), T(0)}; }
  static WF_FN State lift(T x, u64) { return {x, T(1)}; }
  // Only the side with the lesser maximum has to be scaled; which is added to which changes no bit.
  static WF_FN State combine(const State& left, const State& right) {
    const T m = max(left.f0, right.f0);
    const bool first = left.f0 == m;
    const State kept = first ? left : right, other = first ? right : left;
    return {m, kept.f1 + (other.f0 == m ? other.f1 : other.f1 * exp(other.f0 - m))};
  }
  // Where `usual` does not hold of what lanes share, elements may be weighed one by one, in any order.
  static constexpr bool one_by_one = true;
  using Shared = T;
  using Part = T;
  static WF_FN T share(T a, T b) { return max(a, b); }
  static WF_FN T add_parts(T left, T right) { return left + right; }
  template <int TURNS, int V> static WF_FN T look(T (&x)[TURNS][V], const Counting& counts, T) {
    T m = -infinity<T>();
#pragma unroll
    for (int t = 0; t < TURNS; ++t) {
#pragma unroll
      for (int s = 0; s < V; ++s) m = max(m, counts(t, s) ? x[t][s] : -infinity<T>());
    }
    return m;
  }
  static WF_FN bool usual(T m) { return is_finite(m); }
  // A sum of ones, so that its order changes no bit.
  static WF_FN T weigh_one(T x, T m) { return x == m ? T(1) : is_nan(x) ? x : T(0); }
  // USUAL: or else what comes out is not used.
  template <bool USUAL = false, int TURNS, int V> static WF_FN T weigh(const T (&x)[TURNS][V], const Counting& counts, T m, u32, T) {
    T acc[V];
#pragma unroll
    for (int s = 0; s < V; ++s) acc[s] = T(0);
    // In front of the question, so that an `apply` that asks for the same exp can have it.
#pragma unroll
    for (int t = 0; t < TURNS; ++t) {
#pragma unroll
      for (int s = 0; s < V; ++s) {
        const T term = exp(x[t][s] - m);
        acc[s] = acc[s] + (counts(t, s) ? term : T(0));
      }
    }
    if (!USUAL && !usual(m)) {
#pragma unroll
      for (int s = 0; s < V; ++s) acc[s] = T(0);
#pragma unroll
      for (int t = 0; t < TURNS; ++t) {
#pragma unroll
        for (int s = 0; s < V; ++s) {
          const T term = weigh_one(x[t][s], m);
          acc[s] = acc[s] + (counts(t, s) ? term : T(0));
        }
      }
    }
    return add_slots(acc);
  }
  static WF_FN State join(T, T m, T sum, u32, u64) { return {m, sum}; }
};

// Count, mean and sum of squared distances from it (Welford; merged as by Chan, Golub and LeVeque). A tile's elements
// are taken relative to its first one, then relative to their mean, so that large means cost no digits.
template <class T> struct Welford {
  using State = Tuple<T, T, T>;
  static WF_FN State identity() { return {T(0), T(0), T(0)}; }
  static WF_FN State lift(T x, u64) { return {T(1), x, T(0)}; }
  static WF_FN State combine(const State& left, const State& right) {
    const T n = left.f0 + right.f0, delta = right.f1 - left.f1, share = right.f0 / n;
    const State merged = {n, left.f1 + delta * share, (left.f2 + right.f2) + delta * delta * (left.f0 * share)};
    return left.f0 == T(0) ? right : right.f0 == T(0) ? left : merged;
  }
  static constexpr bool one_by_one = false;
  using Shared = T;
  using Part = T;
  static WF_FN T share(T a, T b) { return a + b; }
  static WF_FN T add_parts(T left, T right) { return left + right; }
  template <int TURNS, int V> static WF_FN T look(T (&x)[TURNS][V], const Counting& counts, T pivot) {
    T acc[V];
#pragma unroll
    for (int s = 0; s < V; ++s) acc[s] = T(0);
#pragma unroll
    for (int t = 0; t < TURNS; ++t) {
#pragma unroll
      for (int s = 0; s < V; ++s) {
        acc[s] = acc[s] + (counts(t, s) ? x[t][s] - pivot : T(0));
      }
    }
    return add_slots(acc);
  }
  template <int TURNS, int V> static WF_FN T weigh(const T (&x)[TURNS][V], const Counting& counts, T sum, u32 live, T pivot) {
    const T shift = sum / static_cast<T>(live);
    // Distances are taken again: that costs less than the registers to keep them.
    const T from = once_more(pivot);
    T acc[V];
#pragma unroll
    for (int s = 0; s < V; ++s) acc[s] = T(0);
#pragma unroll
    for (int t = 0; t < TURNS; ++t) {
#pragma unroll
      for (int s = 0; s < V; ++s) {
        const T distance = counts(t, s) ? (x[t][s] - from) - shift : T(0);
        acc[s] = acc[s] + distance * distance;
      }
    }
    return add_slots(acc);
  }
  static WF_FN State join(T pivot, T sum, T m2, u32 live, u64) {
    if (live == 0) return identity();
    const T n = static_cast<T>(live);
    return {n, pivot + sum / n, m2};
  }
};

// The map h -> a * h + b; `left` is applied first.
template <class T> struct Affine {
  using State = Tuple<T, T>;
  static WF_FN State lift(const State& x, u64) { return x; }
  static WF_FN State identity() { return {Product<T>::identity(), T(0)}; }
  static WF_FN State combine(const State& left, const State& right) {
    return {mul(left.f0, right.f0), add(mul(right.f0, left.f1), right.f1)};
  }
};

}  // namespace wf
