// partner: #[warp_shuffle(width = 16, from = down(3))]
//
// fn partner(x: i32) -> i32 { x }
//
// Shuffles are unrolled from plans that were proved for every associative operator.
namespace wf_spec {
// What each element becomes.
WF_FN wf::i32 partner(wf::i32 x) {
  return x;
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
  static constexpr int width = 16;  // 0: the schedule's choice

  // What a launch passes, in the order of the function's parameters.
  struct Args {
    const wf::i32* x;
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
    wf::Pack<wf::i32, V> x;
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
    return wf_spec::partner(items.x.v[i]);
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

  // down 3 in every group of 16: a lane whose source is not below `live` keeps its own.
  static WF_FN State exchange(State s, wf::Width<16>, wf::u32 live) {
    const wf::u32 lane = wf::lane_in_group<16>();
    {
      const State received = wf::shuffle_down<16>(s, 3);  // down 3
      if (lane + 3 < live) s = received;
    }
    return s;
  }

  // The spec's warp step for kernels of your own: exchange, down 3, groups of 16.
  // All 32 lanes of the warp must call it.
  static WF_FN State warp(State s) {
    const wf::u32 lane = wf::lane_in_group<16>();
    {
      const State received = wf::shuffle_down<16>(s, 3);  // down 3
      if (lane + 3 < 16) s = received;
    }
    return s;
  }
};

}  // namespace wf_spec
