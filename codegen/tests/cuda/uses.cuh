// uses.cuh: kernels that call everything a spec offers, so that a compiler sees all of it.
// FORM says which form the spec has: 1 reduce, 2 reduce with apply, 3 scan, 4 filter, 5 shuffle;
// FOLDS_LANES and FOLDS_TILES whether its operator folds a lane's or a tile's elements its own way.

#if FOLDS_TILES && FORM <= 2
template <class S, int W, int V> WF_FN typename S::State tile(typename S::Mapped (&x)[1][V], wf::u32 live) {
  using Table = typename S::Table;
  const wf::Width<W> width;
  const wf::Counting counts = wf::counting_in_tile(static_cast<int>(wf::lane()) * V, W * V, static_cast<int>(live));
  typename S::Mapped pivot = x[0][0];
  if constexpr (S::pivots) pivot = S::Share::of_first(pivot, width);
  typename Table::Shared shared = {};
  if constexpr (S::shares) shared = S::Share::reduce_all(Table::look(x, counts, pivot), width);
  const typename Table::Part part = Table::weigh(x, counts, shared, live, pivot);
  return S::combine(Table::join(pivot, shared, S::Parts::reduce_all(part, width), live, 0),
                    Table::join(pivot, shared, S::Parts::reduce_first(part, width), live, 0));
}
#endif
#if FOLDS_LANES + FOLDS_TILES > 0 && FORM <= 2
template <class S, int V> WF_FN typename S::State voted(const bool (&x)[V], wf::u64 at) {
  wf::u32 said = S::ballot(x, wf::Width<8>()) ^ S::ballot(x, wf::Width<16>());
  const bool one[1] = {x[0]};
  said ^= S::ballot(one, wf::Width<32>());
  return S::template of_votes<8, V>(said, at);
}
#endif
struct Read {
  wf::u64 at;
  template <int V, class T> WF_FN wf::Pack<T, V> get(const T* from) const {
    wf::Pack<T, V> pack;
    for (int i = 0; i < V; ++i) pack.v[i] = from[at + i];
    return pack;
  }
};
struct Write {
  wf::u64 at;
  template <int V, class T> WF_FN void put(T* to, const wf::Pack<T, V>& pack) const {
    for (int i = 0; i < V; ++i) to[at + i] = pack.v[i];
  }
};

using wf_spec::Spec;

#if FORM <= 3
template <int V> WF_FN Spec::State fold(const Spec::Args& args, const Spec::Items<V>& items, const Spec::Columns<V>& columns,
                                       const Spec::Row& row, wf::u64 at) {
  Spec::Mapped mapped[1][V];
  for (int i = 0; i < V; ++i) mapped[0][i] = Spec::map(items, columns, i, row, args, at + i);
  Spec::State s = Spec::identity();
  for (int i = 0; i < V; ++i) s = Spec::combine(s, Spec::lift(mapped[0][i], at + i));
#if FOLDS_LANES
  s = Spec::combine(s, Spec::fold_lane(mapped, at, wf::u64(V), row.len));
#endif
#if FOLDS_LANES + FOLDS_TILES > 0 && FORM <= 2
  if constexpr (Spec::votes) s = Spec::combine(s, voted<Spec>(mapped[0], at));
#endif
#if FOLDS_TILES && FORM <= 2
  s = Spec::combine(s, tile<Spec, 1>(mapped, 1));
  s = Spec::combine(s, tile<Spec, 32>(mapped, static_cast<wf::u32>(row.len)));
#endif
  return s;
}
template <int W> WF_FN Spec::State steps(Spec::State s) {
  s = Spec::reduce_all(s, wf::Width<W>());
  s = Spec::reduce_first(s, wf::Width<W>());
#if FORM == 3
  s = Spec::scan_inclusive(s, wf::Width<W>());
  s = Spec::shift_from_lower(s, wf::Width<W>());
#endif
  return s;
}
#endif

template <int V> WF_FN void use(const Spec::Args& args, const Spec::Results& results, wf::u64 n) {
  const wf::u64 at = wf::thread_rank() * wf::u64(V);
  const Spec::Row row = Spec::row(args, blockIdx.x, n);
  const Spec::Items<V> items = Spec::items<V>(args, Read{at});
  [[maybe_unused]] const Spec::Columns<V> columns = Spec::columns<V>(args, Read{at});
  Spec::Result values[V];
#if FORM <= 3
  Spec::State s = fold<V>(args, items, columns, row, at);
  if constexpr (Spec::has_init) s = Spec::combine(Spec::init(), s);
  s = steps<1>(steps<2>(steps<4>(steps<8>(steps<16>(steps<32>(s))))));
  s = Spec::warp(s);
  s = wf::block_reduce<Spec>(s);
#endif
  for (int i = 0; i < V; ++i) {
#if FORM == 1
    values[i] = Spec::finish(s, row, args);
#elif FORM == 2
    const wf::Swiftly swiftly;
    values[i] = Spec::apply(swiftly, s, items, columns, i, row, args, at + i);
    if (swiftly.unsure) values[i] = Spec::apply(wf::Exactly{}, s, items, columns, i, row, args, at + i);
#elif FORM == 3
    s = wf::block_scan<Spec>(s);
    values[i] = Spec::finish_at(s, items, columns, i, row, args, at + i);
#elif FORM == 4
    const bool kept = Spec::keeps(items, columns, i, row, args, at + i);
    values[i] = kept ? Spec::kept(items, columns, i, row, args, at + i) : Spec::Result{};
#else
    values[i] = Spec::exchange(Spec::map(items, columns, i, row, args, at + i), wf::Width<Spec::width>(), 7);
    values[i] = Spec::warp(values[i]);
#endif
  }
  Spec::store(results, values, Write{at});
}

extern "C" __global__ void use_all(const __grid_constant__ Spec::Args args, const __grid_constant__ Spec::Results results, wf::u64 n) {
  use<2>(args, results, n);
}
