// any_set: #[warp_reduce(op = any, land = all)]
//
// fn any_set(x: u8, #[uniform] mask: u8) -> bool { x &mask != 0 }
//
// Each lane folds its elements by the operator's own rule.
// Shuffles are unrolled from plans that were proved for every associative operator.
namespace wf_spec {
// What each element becomes.
WF_FN bool any_set(wf::u8 x, wf::u8 mask) {
  return wf::bit_and(x, mask) != wf::u8(0);
}

struct Spec {
  using Mapped = bool;
  using State = bool;
  using Result = bool;
  static constexpr wf::Fold fold = wf::Fold::lane;
  static constexpr bool any_order = true;
  static constexpr bool has_init = false;
  static constexpr bool has_apply = false;
  static constexpr bool has_live = false;
  static constexpr bool has_columns = false;
  static constexpr bool exclusive = false;
  static constexpr bool reverse = false;
  static constexpr int width = 0;  // 0: the schedule's choice

  // What a launch passes, in the order of the function's parameters.
  struct Args {
    const wf::u8* x;
    wf::u8 mask;
  };
  // What is the same for a whole row: its number, its elements, its own values.
  struct Row {
    wf::u64 row;
    wf::u64 len;
  };
  static WF_FN Row row(const Args&, wf::u64 row, wf::u64 len) {
    return {row, len};
  }

  template <int V>
  struct Items {
    wf::Pack<wf::u8, V> x;
  };
  template <int V, class Reader>
  static WF_FN Items<V> items(const Args& args, const Reader& read) {
    Items<V> packs;
    packs.x = read.template get<V>(args.x);
    return packs;
  }

  template <int V>
  struct Columns {
  };
  template <int V, class Reader>
  static WF_FN Columns<V> columns(const Args&, const Reader&) {
    return {};
  }

  template <int V>
  static WF_FN Mapped map(const Items<V>& items, const Columns<V>& columns, int i,
                          const Row& row, const Args& args, wf::u64 index) {
    return wf_spec::any_set(items.x.v[i], args.mask);
  }

  static WF_FN State lift(const Mapped& mapped, wf::u64 index) { return wf::Any::lift(mapped, index); }
  static WF_FN State identity() { return false; }
  static WF_FN State init() { return identity(); }
  static WF_FN State combine(const State& left, const State& right) { return wf::Any::combine(left, right); }
  template <int TURNS, int V>
  static WF_FN State fold_lane(const Mapped (&m)[TURNS][V], wf::u64 first, wf::u64 stride, wf::u64 limit) {
    return wf::Any::fold_lane(m, first, stride, limit);
  }

  static WF_FN Result finish(const State& state, const Row& row, const Args& args) {
    return state;
  }

  struct Results {
    bool* r0;
  };
  template <int V, class Writer>
  static WF_FN void store(const Results& results, const Result (&values)[V], const Writer& write) {
    wf::Pack<bool, V> p0;
#pragma unroll
    for (int i = 0; i < V; ++i) {
      p0.v[i] = values[i];
    }
    write.template put<V>(results.r0, p0);
  }

  // Every group of 1: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<1>) {
    return wf::any<1>(s);  // vote
  }
  // Every group of 1: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<1> width) {
    return reduce_all(s, width);
  }

  // Every group of 2: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<2>) {
    return wf::any<2>(s);  // vote
  }
  // Every group of 2: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<2> width) {
    return reduce_all(s, width);
  }

  // Every group of 4: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<4>) {
    return wf::any<4>(s);  // vote
  }
  // Every group of 4: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<4> width) {
    return reduce_all(s, width);
  }

  // Every group of 8: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<8>) {
    return wf::any<8>(s);  // vote
  }
  // Every group of 8: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<8> width) {
    return reduce_all(s, width);
  }

  // Every group of 16: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<16>) {
    return wf::any<16>(s);  // vote
  }
  // Every group of 16: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<16> width) {
    return reduce_all(s, width);
  }

  // Every group of 32: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<32>) {
    return wf::any<32>(s);  // vote
  }
  // Every group of 32: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<32> width) {
    return reduce_all(s, width);
  }

  // A warp whose lanes from `live` on do not exist: its first lane gets the result.
  static WF_FN State reduce_first_of(State s, wf::u32 live) {
    return wf::any_masked<32>(wf::prefix(live), s);  // vote
  }

  static constexpr bool votes = false;

  // The spec's warp step for kernels of your own: reduce to all lanes, in order, groups of 32.
  // All 32 lanes of the warp must call it.
  static WF_FN State warp(State s) {
    return wf::any<32>(s);  // vote
  }
};

}  // namespace wf_spec
