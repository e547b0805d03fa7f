// language: #[warp_reduce(op = combine, identity = 0)]
//
// fn language(float: i32, threadIdx: u8, #[uniform] int: i64) -> i32 { … }
//
// Elements are combined as they stand.
// Shuffles are unrolled from plans that were proved for every associative operator.
namespace wf_spec {
// What each element becomes.
WF_FN wf::i32 language(wf::i32 float_, wf::u8 threadIdx_, wf::i64 int_) {
  wf::i32 total = float_;
  const wf::i32 a = wf::as_<wf::i32>(threadIdx_);
  const wf::i32 b = wf::as_<wf::i32>(int_);
  for (wf::i32 i = 0; i < 4; ++i) {
    total = wf::add(total, wf::shl(a, i));
    if (total > 100) {
      total = wf::sub(total, b);
    } else {
      bool either = total < -100;
      if (!either) {
        const wf::i32 t = wf::mul(total, 2);
        either = t == 6;
      }
      if (either) {
        total = wf::rem(total, 7);
      }
    }
  }
  [[maybe_unused]] const wf::i32 unused = ~total;
  return (total ^ a) | b;
}

// The operator: `left` is met first.
WF_FN wf::i32 combine(wf::i32 p, wf::i32 q) {
  return wf::add(wf::add(wf::wrapping_mul(p, 3), wf::mul(q, 0)), p);
}

struct Spec {
  using Mapped = wf::i32;
  using State = wf::i32;
  using Result = wf::i32;
  static constexpr wf::Fold fold = wf::Fold::blocked;
  static constexpr bool any_order = false;
  static constexpr bool has_init = false;
  static constexpr bool has_apply = false;
  static constexpr bool has_live = false;
  static constexpr bool has_columns = false;
  static constexpr bool exclusive = false;
  static constexpr bool reverse = false;
  static constexpr int width = 0;  // 0: the schedule's choice

  // What a launch passes, in the order of the function's parameters.
  struct Args {
    const wf::i32* float_;
    const wf::u8* threadIdx_;
    wf::i64 int_;
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
    wf::Pack<wf::i32, V> float_;
    wf::Pack<wf::u8, V> threadIdx_;
  };
  template <int V, class Reader>
  static WF_FN Items<V> items(const Args& args, const Reader& read) {
    Items<V> packs;
    packs.float_ = read.template get<V>(args.float_);
    packs.threadIdx_ = read.template get<V>(args.threadIdx_);
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
    return wf_spec::language(items.float_.v[i], items.threadIdx_.v[i], args.int_);
  }

  static WF_FN State lift(const Mapped& mapped, wf::u64) { return mapped; }
  static WF_FN State identity() { return 0; }
  static WF_FN State init() { return identity(); }
  static WF_FN State combine(const State& left, const State& right) { return wf_spec::combine(left, right); }

  static WF_FN Result finish(const State& state, const Row& row, const Args& args) {
    return state;
  }

  struct Results {
    wf::i32* r0;
  };
  template <int V, class Writer>
  static WF_FN void store(const Results& results, const Result (&values)[V], const Writer& write) {
    wf::Pack<wf::i32, V> p0;
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
    const wf::u32 lane = wf::lane_in_group<2>();
    {
      const State received = wf::shuffle_xor<2>(s, 1);  // xor 1
      const bool upper = (lane & 1) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    return s;
  }
  // Every group of 2: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<2>) {
    s = combine(s, wf::shuffle_down<2>(s, 1));  // down 1
    return s;
  }

  // Every group of 4: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<4>) {
    const wf::u32 lane = wf::lane_in_group<4>();
    {
      const State received = wf::shuffle_xor<4>(s, 1);  // xor 1
      const bool upper = (lane & 1) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    {
      const State received = wf::shuffle_xor<4>(s, 2);  // xor 2
      const bool upper = (lane & 2) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    return s;
  }
  // Every group of 4: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<4>) {
    s = combine(s, wf::shuffle_down<4>(s, 1));  // down 1
    s = combine(s, wf::shuffle_down<4>(s, 2));  // down 2
    return s;
  }

  // Every group of 8: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<8>) {
    const wf::u32 lane = wf::lane_in_group<8>();
    {
      const State received = wf::shuffle_xor<8>(s, 1);  // xor 1
      const bool upper = (lane & 1) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    {
      const State received = wf::shuffle_xor<8>(s, 2);  // xor 2
      const bool upper = (lane & 2) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    {
      const State received = wf::shuffle_xor<8>(s, 4);  // xor 4
      const bool upper = (lane & 4) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    return s;
  }
  // Every group of 8: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<8>) {
    s = combine(s, wf::shuffle_down<8>(s, 1));  // down 1
    s = combine(s, wf::shuffle_down<8>(s, 2));  // down 2
    s = combine(s, wf::shuffle_down<8>(s, 4));  // down 4
    return s;
  }

  // Every group of 16: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<16>) {
    const wf::u32 lane = wf::lane_in_group<16>();
    {
      const State received = wf::shuffle_xor<16>(s, 1);  // xor 1
      const bool upper = (lane & 1) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    {
      const State received = wf::shuffle_xor<16>(s, 2);  // xor 2
      const bool upper = (lane & 2) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    {
      const State received = wf::shuffle_xor<16>(s, 4);  // xor 4
      const bool upper = (lane & 4) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    {
      const State received = wf::shuffle_xor<16>(s, 8);  // xor 8
      const bool upper = (lane & 8) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    return s;
  }
  // Every group of 16: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<16>) {
    s = combine(s, wf::shuffle_down<16>(s, 1));  // down 1
    s = combine(s, wf::shuffle_down<16>(s, 2));  // down 2
    s = combine(s, wf::shuffle_down<16>(s, 4));  // down 4
    s = combine(s, wf::shuffle_down<16>(s, 8));  // down 8
    return s;
  }

  // Every group of 32: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<32>) {
    const wf::u32 lane = wf::lane_in_group<32>();
    {
      const State received = wf::shuffle_xor<32>(s, 1);  // xor 1
      const bool upper = (lane & 1) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    {
      const State received = wf::shuffle_xor<32>(s, 2);  // xor 2
      const bool upper = (lane & 2) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    {
      const State received = wf::shuffle_xor<32>(s, 4);  // xor 4
      const bool upper = (lane & 4) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    {
      const State received = wf::shuffle_xor<32>(s, 8);  // xor 8
      const bool upper = (lane & 8) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    {
      const State received = wf::shuffle_xor<32>(s, 16);  // xor 16
      const bool upper = (lane & 16) != 0;
      s = combine(upper ? received : s, upper ? s : received);
    }
    return s;
  }
  // Every group of 32: its first lane gets the result, with the same bits.
  static WF_FN State reduce_first(State s, wf::Width<32>) {
    s = combine(s, wf::shuffle_down<32>(s, 1));  // down 1
    s = combine(s, wf::shuffle_down<32>(s, 2));  // down 2
    s = combine(s, wf::shuffle_down<32>(s, 4));  // down 4
    s = combine(s, wf::shuffle_down<32>(s, 8));  // down 8
    s = combine(s, wf::shuffle_down<32>(s, 16));  // down 16
    return s;
  }

  // A warp whose lanes from `live` on do not exist: its first lane gets the result.
  static WF_FN State reduce_first_of(State s, wf::u32 live) {
    const wf::u32 lane = wf::lane_in_group<32>();
    const wf::u32 mask = wf::prefix(live);
    {
      const State received = wf::shuffle_down_masked<32>(mask, s, 1);  // down 1
      if (lane + 1 < live) s = combine(s, received);
    }
    {
      const State received = wf::shuffle_down_masked<32>(mask, s, 2);  // down 2
      if (lane + 2 < live) s = combine(s, received);
    }
    {
      const State received = wf::shuffle_down_masked<32>(mask, s, 4);  // down 4
      if (lane + 4 < live) s = combine(s, received);
    }
    {
      const State received = wf::shuffle_down_masked<32>(mask, s, 8);  // down 8
      if (lane + 8 < live) s = combine(s, received);
    }
    {
      const State received = wf::shuffle_down_masked<32>(mask, s, 16);  // down 16
      if (lane + 16 < live) s = combine(s, received);
    }
    return s;
  }

  // The spec's warp step for kernels of your own: reduce to lane 0, in order, groups of 32.
  // All 32 lanes of the warp must call it.
  static WF_FN State warp(State s) {
    s = combine(s, wf::shuffle_down<32>(s, 1));  // down 1
    s = combine(s, wf::shuffle_down<32>(s, 2));  // down 2
    s = combine(s, wf::shuffle_down<32>(s, 4));  // down 4
    s = combine(s, wf::shuffle_down<32>(s, 8));  // down 8
    s = combine(s, wf::shuffle_down<32>(s, 16));  // down 16
    return s;
  }
};

}  // namespace wf_spec
