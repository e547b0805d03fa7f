// offsets: #[warp_scan(op = sum, kind = exclusive)]
//
// fn offsets(count: u32) -> u32 { count }
//
// Elements may change places on the way.
// Shuffles are unrolled from plans that were proved for every associative operator.
namespace wf_spec {
// What each element becomes.
WF_FN wf::u32 offsets(wf::u32 count) {
  return count;
}

struct Spec {
  using Mapped = wf::u32;
  using State = wf::u32;
  using Result = wf::u32;
  static constexpr wf::Fold fold = wf::Fold::striped;
  static constexpr bool any_order = true;
  static constexpr bool has_init = false;
  static constexpr bool has_apply = false;
  static constexpr bool has_live = false;
  static constexpr bool has_columns = false;
  static constexpr bool exclusive = true;
  static constexpr bool reverse = false;
  static constexpr bool neutral = true;
  static constexpr bool regroups = true;
  static constexpr int width = 0;  // 0: the schedule's choice

  // What a launch passes, in the order of the function's parameters.
  struct Args {
    const wf::u32* count;
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
    wf::Pack<wf::u32, V> count;
  };
  template <int V, class Reader>
  static WF_FN Items<V> items(const Args& args, const Reader& read) {
    Items<V> packs;
    packs.count = read.template get<V>(args.count);
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
    return wf_spec::offsets(items.count.v[i]);
  }

  static WF_FN State lift(const Mapped& mapped, wf::u64 index) { return wf::Sum<wf::u32>::lift(mapped, index); }
  static WF_FN State identity() { return 0u; }
  static WF_FN State init() { return identity(); }
  static WF_FN State combine(const State& left, const State& right) { return wf::Sum<wf::u32>::combine(left, right); }

  template <int V>
  static WF_FN Result finish_at(const State& state, const Items<V>& items, const Columns<V>& columns, int i,
                                const Row& row, const Args& args, wf::u64 index) {
    return state;
  }

  struct Results {
    wf::u32* r0;
  };
  template <int V, class Writer>
  static WF_FN void store(const Results& results, const Result (&values)[V], const Writer& write) {
    wf::Pack<wf::u32, V> p0;
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
  // Every group of 1: lane l gets lanes 0 to l, combined.
  static WF_FN State scan_inclusive(State s, wf::Width<1>) {
    return s;
  }
  // Every group of 1: lane l gets what lane l - 1 holds; lane 0 keeps its own.
  static WF_FN State shift_from_lower(State s, wf::Width<1>) {
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
  // Every group of 2: lane l gets lanes 0 to l, combined.
  static WF_FN State scan_inclusive(State s, wf::Width<2>) {
    const wf::u32 lane = wf::lane_in_group<2>();
    {
      const State received = wf::shuffle_up<2>(s, 1);  // up 1
      if (lane >= 1) s = combine(received, s);
    }
    return s;
  }
  // Every group of 2: lane l gets what lane l - 1 holds; lane 0 keeps its own.
  static WF_FN State shift_from_lower(State s, wf::Width<2>) {
    const wf::u32 lane = wf::lane_in_group<2>();
    {
      const State received = wf::shuffle_up<2>(s, 1);  // up 1
      if (lane >= 1) s = received;
    }
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
  // Every group of 4: lane l gets lanes 0 to l, combined.
  static WF_FN State scan_inclusive(State s, wf::Width<4>) {
    const wf::u32 lane = wf::lane_in_group<4>();
    {
      const State received = wf::shuffle_up<4>(s, 1);  // up 1
      if (lane >= 1) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<4>(s, 2);  // up 2
      if (lane >= 2) s = combine(received, s);
    }
    return s;
  }
  // Every group of 4: lane l gets what lane l - 1 holds; lane 0 keeps its own.
  static WF_FN State shift_from_lower(State s, wf::Width<4>) {
    const wf::u32 lane = wf::lane_in_group<4>();
    {
      const State received = wf::shuffle_up<4>(s, 1);  // up 1
      if (lane >= 1) s = received;
    }
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
  // Every group of 8: lane l gets lanes 0 to l, combined.
  static WF_FN State scan_inclusive(State s, wf::Width<8>) {
    const wf::u32 lane = wf::lane_in_group<8>();
    {
      const State received = wf::shuffle_up<8>(s, 1);  // up 1
      if (lane >= 1) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<8>(s, 2);  // up 2
      if (lane >= 2) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<8>(s, 4);  // up 4
      if (lane >= 4) s = combine(received, s);
    }
    return s;
  }
  // Every group of 8: lane l gets what lane l - 1 holds; lane 0 keeps its own.
  static WF_FN State shift_from_lower(State s, wf::Width<8>) {
    const wf::u32 lane = wf::lane_in_group<8>();
    {
      const State received = wf::shuffle_up<8>(s, 1);  // up 1
      if (lane >= 1) s = received;
    }
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
  // Every group of 16: lane l gets lanes 0 to l, combined.
  static WF_FN State scan_inclusive(State s, wf::Width<16>) {
    const wf::u32 lane = wf::lane_in_group<16>();
    {
      const State received = wf::shuffle_up<16>(s, 1);  // up 1
      if (lane >= 1) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<16>(s, 2);  // up 2
      if (lane >= 2) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<16>(s, 4);  // up 4
      if (lane >= 4) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<16>(s, 8);  // up 8
      if (lane >= 8) s = combine(received, s);
    }
    return s;
  }
  // Every group of 16: lane l gets what lane l - 1 holds; lane 0 keeps its own.
  static WF_FN State shift_from_lower(State s, wf::Width<16>) {
    const wf::u32 lane = wf::lane_in_group<16>();
    {
      const State received = wf::shuffle_up<16>(s, 1);  // up 1
      if (lane >= 1) s = received;
    }
    return s;
  }

  // Every group of 32: all its lanes get the result.
  static WF_FN State reduce_all(State s, wf::Width<32>) {
#if WF_REDUX
    return wf::redux_add(s);  // redux: all 32 lanes, any order
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
  // Every group of 32: lane l gets lanes 0 to l, combined.
  static WF_FN State scan_inclusive(State s, wf::Width<32>) {
    const wf::u32 lane = wf::lane_in_group<32>();
    {
      const State received = wf::shuffle_up<32>(s, 1);  // up 1
      if (lane >= 1) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<32>(s, 2);  // up 2
      if (lane >= 2) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<32>(s, 4);  // up 4
      if (lane >= 4) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<32>(s, 8);  // up 8
      if (lane >= 8) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<32>(s, 16);  // up 16
      if (lane >= 16) s = combine(received, s);
    }
    return s;
  }
  // Every group of 32: lane l gets what lane l - 1 holds; lane 0 keeps its own.
  static WF_FN State shift_from_lower(State s, wf::Width<32>) {
    const wf::u32 lane = wf::lane_in_group<32>();
    {
      const State received = wf::shuffle_up<32>(s, 1);  // up 1
      if (lane >= 1) s = received;
    }
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
  // A warp whose lanes from `live` on do not exist: lane l gets lanes 0 to l, combined.
  static WF_FN State scan_inclusive_of(State s, wf::u32 live) {
    const wf::u32 lane = wf::lane_in_group<32>();
    const wf::u32 mask = wf::prefix(live);
    {
      const State received = wf::shuffle_up_masked<32>(mask, s, 1);  // up 1
      if (lane >= 1) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up_masked<32>(mask, s, 2);  // up 2
      if (lane >= 2) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up_masked<32>(mask, s, 4);  // up 4
      if (lane >= 4) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up_masked<32>(mask, s, 8);  // up 8
      if (lane >= 8) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up_masked<32>(mask, s, 16);  // up 16
      if (lane >= 16) s = combine(received, s);
    }
    return s;
  }
  // Every lane gets what the lane met before it holds; the one that is met first keeps its own.
  static WF_FN State from_before_of(State s, wf::u32 live) {
    const wf::u32 lane = wf::lane_in_group<32>();
    const wf::u32 mask = wf::prefix(live);
    {
      const State received = wf::shuffle_up_masked<32>(mask, s, 1);  // up 1
      if (lane >= 1) s = received;
    }
    return s;
  }

  // The spec's warp step for kernels of your own: exclusive scan, forward, groups of 32.
  // All 32 lanes of the warp must call it.
  static WF_FN State warp(State s) {
    const wf::u32 lane = wf::lane_in_group<32>();
    {
      const State received = wf::shuffle_up<32>(s, 1);  // up 1
      if (lane >= 1) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<32>(s, 2);  // up 2
      if (lane >= 2) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<32>(s, 4);  // up 4
      if (lane >= 4) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<32>(s, 8);  // up 8
      if (lane >= 8) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<32>(s, 16);  // up 16
      if (lane >= 16) s = combine(received, s);
    }
    {
      const State received = wf::shuffle_up<32>(s, 1);  // up 1
      s = lane >= 1 ? received : identity();
    }
    return s;
  }
};

}  // namespace wf_spec
