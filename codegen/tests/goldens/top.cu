// top: #[warp_reduce(op = argmax)]
//
// fn top(x: f32) -> f32 { x }
//
// The elements of a group of lanes are folded by the operator's own rule.
// Shuffles are unrolled from plans that were proved for every associative operator.
namespace wf_spec {
// What each element becomes.
WF_FN float top(float x) {
  return x;
}

struct Spec {
  using Mapped = float;
  using State = wf::Tuple<float, wf::u64>;
  using Result = wf::Tuple<float, wf::u64>;
  static constexpr wf::Fold fold = wf::Fold::tile;
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
    const float* x;
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
  };
  template <int V, class Reader>
  static WF_FN Columns<V> columns(const Args&, const Reader&) {
    return {};
  }

  template <int V>
  static WF_FN Mapped map(const Items<V>& items, const Columns<V>& columns, int i,
                          const Row& row, const Args& args, wf::u64 index) {
    return wf_spec::top(items.x.v[i]);
  }

  static WF_FN State lift(const Mapped& mapped, wf::u64 index) { return wf::Argmax<float>::lift(mapped, index); }
  static WF_FN State identity() { return wf::Tuple<float, wf::u64>{-wf::infinity<float>(), 18446744073709551615ull}; }
  static WF_FN State init() { return identity(); }
  static WF_FN State combine(const State& left, const State& right) { return wf::Argmax<float>::combine(left, right); }
  using Table = wf::Argmax<float>;

  static WF_FN Result finish(const State& state, const Row& row, const Args& args) {
    return state;
  }

  struct Results {
    float* r0;
    wf::u64* r1;
  };
  template <int V, class Writer>
  static WF_FN void store(const Results& results, const Result (&values)[V], const Writer& write) {
    wf::Pack<float, V> p0;
    wf::Pack<wf::u64, V> p1;
#pragma unroll
    for (int i = 0; i < V; ++i) {
      p0.v[i] = values[i].f0;
      p1.v[i] = values[i].f1;
    }
    write.template put<V>(results.r0, p0);
    write.template put<V>(results.r1, p1);
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

  static constexpr bool votes = false;

  static constexpr bool shares = true;
  static constexpr bool pivots = false;
  // What the lanes of a group share of their elements.
  struct Share {
    using State = Table::Shared;
    static constexpr bool any_order = true;
    static WF_FN State combine(State left, State right) { return Table::share(left, right); }

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
  };
  // What they make of their elements then.
  struct Parts {
    using State = Table::Part;
    static constexpr bool any_order = true;
    static WF_FN State combine(State left, State right) { return Table::add_parts(left, right); }

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
#if WF_REDUX
      return wf::redux_min(s);  // redux: all 32 lanes, any order
#else
      s = combine(s, wf::shuffle_xor<32>(s, 16));  // xor 16
      s = combine(s, wf::shuffle_xor<32>(s, 8));  // xor 8
      s = combine(s, wf::shuffle_xor<32>(s, 4));  // xor 4
      s = combine(s, wf::shuffle_xor<32>(s, 2));  // xor 2
      s = combine(s, wf::shuffle_xor<32>(s, 1));  // xor 1
      return s;
#endif
    }
    // Every group of 32: its first lane gets the result, with the same bits.
    static WF_FN State reduce_first(State s, wf::Width<32> width) {
      return reduce_all(s, width);
    }
  };

  // The spec's warp step for kernels of your own: reduce to lane 0, any order, groups of 32.
  // All 32 lanes of the warp must call it.
  static WF_FN State warp(State s) {
    s = combine(s, wf::shuffle_down<32>(s, 16));  // down 16
    s = combine(s, wf::shuffle_down<32>(s, 8));  // down 8
    s = combine(s, wf::shuffle_down<32>(s, 4));  // down 4
    s = combine(s, wf::shuffle_down<32>(s, 2));  // down 2
    s = combine(s, wf::shuffle_down<32>(s, 1));  // down 1
    return s;
  }
};

}  // namespace wf_spec
