// positive: #[warp_filter]
//
// fn positive(x: f32) -> bool { x > 0.0 }
//
// Shuffles are unrolled from plans that were proved for every associative operator.
namespace wf_spec {
// What each element becomes.
WF_FN bool positive(float x) {
  return x > 0.0f;
}

struct Spec {
  using Mapped = bool;
  using Result = float;
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
  static WF_FN bool keeps(const Items<V>& items, const Columns<V>& columns, int i,
                          const Row& row, const Args& args, wf::u64 index) {
    return wf_spec::positive(items.x.v[i]);
  }
  template <int V>
  static WF_FN Result kept(const Items<V>& items, const Columns<V>& columns, int i,
                           const Row& row, const Args& args, wf::u64 index) {
    return items.x.v[i];
  }

  struct Results {
    float* r0;
  };
  template <int V, class Writer>
  static WF_FN void store(const Results& results, const Result (&values)[V], const Writer& write) {
    wf::Pack<float, V> p0;
#pragma unroll
    for (int i = 0; i < V; ++i) {
      p0.v[i] = values[i];
    }
    write.template put<V>(results.r0, p0);
  }
};

}  // namespace wf_spec
