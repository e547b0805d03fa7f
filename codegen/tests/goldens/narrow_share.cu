// narrow_share: #[warp_reduce(op = sum, land = all, apply)]
//
// fn narrow_share(x: f32, #[per_column] gamma: f32) -> f32 { x * gamma }
//
// Elements may change places on the way.
// Shuffles are unrolled from plans that were proved for every associative operator.
namespace wf_spec {
// What each element becomes.
WF_FN float narrow_share(float x, float gamma) {
  return x * gamma;
}

// What each element becomes once the row's state is known.
template <class Divide>
WF_FN wf::f16 apply(const Divide& divide, float total, float x, float gamma) {
  return divide.to_f16(x * gamma, total);
}

struct Spec {
  using Mapped = float;
  using State = float;
  using Result = wf::f16;
  static constexpr wf::Fold fold = wf::Fold::striped;
  static constexpr bool any_order = true;
  static constexpr bool has_init = false;
  static constexpr bool has_apply = true;
  static constexpr bool has_live = false;
  static constexpr bool has_columns = true;
  static constexpr bool exclusive = false;
  static constexpr bool reverse = false;
  static constexpr int width = 0;  // 0: the schedule's choice

  // What a launch passes, in the order of the function's parameters.
  struct Args {
    const float* x;
    const float* gamma;
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
    wf::Pack<float, V> x;
  };
  template <int V, class Reader>
  static WF_FN Items<V> items(const Args& args, const Reader& read) {
    Items<V> packs;
    packs.x = read.template get<V>(args.x);
    return packs;
  }

  template <int V>
  struct Columns {
    wf::Pack<float, V> gamma;
  };
  template <int V, class Reader>
  static WF_FN Columns<V> columns(const Args& args, const Reader& read) {
    Columns<V> packs;
    packs.gamma = read.template get<V>(args.gamma);
    return packs;
  }

  template <int V>
  static WF_FN Mapped map(const Items<V>& items, const Columns<V>& columns, int i,
                          const Row& row, const Args& args, wf::u64 index) {
    return wf_spec::narrow_share(items.x.v[i], columns.gamma.v[i]);
  }

  static WF_FN State lift(const Mapped& mapped, wf::u64 index) { return wf::Sum<float>::lift(mapped, index); }
  static WF_FN State identity() { return -0.0f; }
  static WF_FN State init() { return identity(); }
  static WF_FN State combine(const State& left, const State& right) { return wf::Sum<float>::combine(left, right); }

  template <int V, class Divide>
  static WF_FN Result apply(const Divide& divide, const State& total, const Items<V>& items, const Columns<V>& columns, int i,
                            const Row& row, const Args& args, wf::u64 index) {
    return wf_spec::apply(divide, total, items.x.v[i], columns.gamma.v[i]);
  }

  struct Results {
    wf::f16* r0;
  };
  template <int V, class Writer>
  static WF_FN void store(const Results& results, const Result (&values)[V], const Writer& write) {
    wf::Pack<wf::f16, V> p0;
#pragma unroll
    for (int i = 0; i < V; ++i) {
      p0.v[i] = values[i];
    }
    write.template put<V>(results.r0, p0);
  }

  // Every group of 1: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<1>) {
    return s;
  }
  // Every group of 1: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<1>) {
    return s;
  }

  // Every group of 2: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<2>) {
    s = combine(s, wf::shuffle_xor<2>(s, 1));  // xor 1
    return s;
  }
  // Every group of 2: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<2>) {
    s = combine(s, wf::shuffle_down<2>(s, 1));  // down 1
    return s;
  }

  // Every group of 4: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<4>) {
    s = combine(s, wf::shuffle_xor<4>(s, 2));  // xor 2
    s = combine(s, wf::shuffle_xor<4>(s, 1));  // xor 1
    return s;
  }
  // Every group of 4: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<4>) {
    s = combine(s, wf::shuffle_down<4>(s, 2));  // down 2
    s = combine(s, wf::shuffle_down<4>(s, 1));  // down 1
    return s;
  }

  // Every group of 8: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<8>) {
    s = combine(s, wf::shuffle_xor<8>(s, 4));  // xor 4
    s = combine(s, wf::shuffle_xor<8>(s, 2));  // xor 2
    s = combine(s, wf::shuffle_xor<8>(s, 1));  // xor 1
    return s;
  }
  // Every group of 8: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<8>) {
    s = combine(s, wf::shuffle_down<8>(s, 4));  // down 4
    s = combine(s, wf::shuffle_down<8>(s, 2));  // down 2
    s = combine(s, wf::shuffle_down<8>(s, 1));  // down 1
    return s;
  }

  // Every group of 16: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<16>) {
    s = combine(s, wf::shuffle_xor<16>(s, 8));  // xor 8
    s = combine(s, wf::shuffle_xor<16>(s, 4));  // xor 4
    s = combine(s, wf::shuffle_xor<16>(s, 2));  // xor 2
    s = combine(s, wf::shuffle_xor<16>(s, 1));  // xor 1
    return s;
  }
  // Every group of 16: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<16>) {
    s = combine(s, wf::shuffle_down<16>(s, 8));  // down 8
    s = combine(s, wf::shuffle_down<16>(s, 4));  // down 4
    s = combine(s, wf::shuffle_down<16>(s, 2));  // down 2
    s = combine(s, wf::shuffle_down<16>(s, 1));  // down 1
    return s;
  }

  // Every group of 32: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<32>) {
    s = combine(s, wf::shuffle_xor<32>(s, 16));  // xor 16
    s = combine(s, wf::shuffle_xor<32>(s, 8));  // xor 8
    s = combine(s, wf::shuffle_xor<32>(s, 4));  // xor 4
    s = combine(s, wf::shuffle_xor<32>(s, 2));  // xor 2
    s = combine(s, wf::shuffle_xor<32>(s, 1));  // xor 1
    return s;
  }
  // Every group of 32: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<32>) {
    s = combine(s, wf::shuffle_down<32>(s, 16));  // down 16
    s = combine(s, wf::shuffle_down<32>(s, 8));  // down 8
    s = combine(s, wf::shuffle_down<32>(s, 4));  // down 4
    s = combine(s, wf::shuffle_down<32>(s, 2));  // down 2
    s = combine(s, wf::shuffle_down<32>(s, 1));  // down 1
    return s;
  }

  // A warp whose lanes from `live` on do not exist: its first lane gets the result.
  static WF_FN State reduce_first_of(State s, wf::u32 live) {
    const wf::u32 lane = wf::lane_in_group<32>();
    const wf::u32 mask = wf::prefix(live);
    {
      const State received = wf::shuffle_down_masked<32>(mask, s, 16);  // down 16
      if (lane + 16 < live) s = combine(s, received);
    }
    {
      const State received = wf::shuffle_down_masked<32>(mask, s, 8);  // down 8
      if (lane + 8 < live) s = combine(s, received);
    }
    {
      const State received = wf::shuffle_down_masked<32>(mask, s, 4);  // down 4
      if (lane + 4 < live) s = combine(s, received);
    }
    {
      const State received = wf::shuffle_down_masked<32>(mask, s, 2);  // down 2
      if (lane + 2 < live) s = combine(s, received);
    }
    {
      const State received = wf::shuffle_down_masked<32>(mask, s, 1);  // down 1
      if (lane + 1 < live) s = combine(s, received);
    }
    return s;
  }

  // The spec's warp step for kernels of your own: reduce to all lanes, any order, groups of 32.
  // All 32 lanes of the warp must call it.
  static WF_FN State warp(State s) {
    s = combine(s, wf::shuffle_xor<32>(s, 16));  // xor 16
    s = combine(s, wf::shuffle_xor<32>(s, 8));  // xor 8
    s = combine(s, wf::shuffle_xor<32>(s, 4));  // xor 4
    s = combine(s, wf::shuffle_xor<32>(s, 2));  // xor 2
    s = combine(s, wf::shuffle_xor<32>(s, 1));  // xor 1
    return s;
  }
};

}  // namespace wf_spec
