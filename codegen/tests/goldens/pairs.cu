// pairs: #[warp_filter(keep)]
//
// fn pairs(a: f32, b: f32, #[index] i: u64) -> bool { a < b &&! (a.is_nan() || b == 0.0) }
//
// Shuffles are unrolled from plans that were proved for every associative operator.
namespace wf_spec {
// What each element becomes.
WF_FN bool pairs(float a, float b, wf::u64 i) {
  return a < b && !(wf::is_nan(a) || b == 0.0f);
}

// What is stored of an element that is kept.
WF_FN wf::Tuple<float, wf::u64> keep(float a, wf::u64 i) {
  return wf::Tuple<float, wf::u64>{a * 2.0f, i};
}

struct Spec {
  using Mapped = bool;
  using Result = wf::Tuple<float, wf::u64>;
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
    const float* a;
    const float* b;
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
    wf::Pack<float, V> a;
    wf::Pack<float, V> b;
  };
  template <int V, class Reader>
  static WF_FN Items<V> items(const Args& args, const Reader& read) {
    Items<V> packs;
    packs.a = read.template get<V>(args.a);
    packs.b = read.template get<V>(args.b);
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
    return wf_spec::pairs(items.a.v[i], items.b.v[i], index);
  }
  template <int V>
  static WF_FN Result kept(const Items<V>& items, const Columns<V>& columns, int i,
                           const Row& row, const Args& args, wf::u64 index) {
    return wf_spec::keep(items.a.v[i], index);
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
};

}  // namespace wf_spec
