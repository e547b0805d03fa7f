// rotated: #[warp_shuffle(width = 8, from = rotate(5))]
//
// fn rotated(x: f64) -> (f64, bool) { (x, x > 1.0) }
//
// Shuffles are unrolled from plans that were proved for every associative operator.
namespace wf_spec {
// What each element becomes.
WF_FN wf::Tuple<double, bool> rotated(double x) {
  return wf::Tuple<double, bool>{x, x > 1.0};
}

struct Spec {
  using Mapped = wf::Tuple<double, bool>;
  using State = wf::Tuple<double, bool>;
  using Result = wf::Tuple<double, bool>;
  static constexpr wf::Fold fold = wf::Fold::blocked;
  static constexpr bool any_order = false;
  static constexpr bool has_init = false;
  static constexpr bool has_apply = false;
  static constexpr bool has_live = false;
  static constexpr bool has_columns = false;
  static constexpr bool exclusive = false;
  static constexpr bool reverse = false;
  static constexpr int width = 8;  // 0: the schedule's choice

  // What a launch passes, in the order of the function's parameters.
  struct Args {
    const double* x;
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
    wf::Pack<double, V> x;
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
    return wf_spec::rotated(items.x.v[i]);
  }

  struct Results {
    double* r0;
    bool* r1;
  };
  template <int V, class Writer>
  static WF_FN void store(const Results& results, const Result (&values)[V], const Writer& write) {
    wf::Pack<double, V> p0;
    wf::Pack<bool, V> p1;
#pragma unroll
    for (int i = 0; i < V; ++i) {
      p0.v[i] = values[i].f0;
      p1.v[i] = values[i].f1;
    }
    write.template put<V>(results.r0, p0);
    write.template put<V>(results.r1, p1);
  }

  // rotate 5 in every group of 8: a lane whose source is not below `live` keeps its own.
  static WF_FN State exchange(State s, wf::Width<8>, wf::u32 live) {
    const wf::u32 lane = wf::lane_in_group<8>();
    {
      const State received = wf::shuffle_rotate<8>(s, 5);  // rotate 5
      if (((lane + 5) & 7) < live) s = received;
    }
    return s;
  }

  // The spec's warp step for kernels of your own: exchange, rotate 5, groups of 8.
  // All 32 lanes of the warp must call it.
  static WF_FN State warp(State s) {
    const wf::u32 lane = wf::lane_in_group<8>();
    s = wf::shuffle_rotate<8>(s, 5);  // rotate 5
    return s;
  }
};

}  // namespace wf_spec
