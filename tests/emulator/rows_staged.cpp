// Short rows folded by one lane each: the bits of the group of lanes that the order names.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/rows_reduce.cuh"
#include "../../runtime/kernels/rows_staged.cuh"

template <class Spec, class Element, int V, int LANES, int TURNS, int COLS> void rows(u64 rows) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  Guarded<Element> x(rows * COLS);
  for (u64 i = 0; i < x.count; i++) x[i] = sizeof(Element) == 1 ? Element(random_bits(i)) : Element(random_float(i));
  Guarded<typename Spec::Result> out(rows);
  emulator::launch(unsigned((rows + 63) / 64), 64, 2, [&] {
    wf::rows_reduce_staged<Spec, Order, COLS, 2, sizeof(Element)>({x.data()}, {out.data()}, {rows, COLS, COLS, 1});
  });
  CHECK(out.intact() && x.intact(), "%llu x %d", rows, COLS);
  for (u64 r = 0; r < rows; r++) {
    auto mapped = [&](u64 i) { return Spec::template map<1>({{{x[r * COLS + i]}}}, {}, 0, {r, COLS, 0}, {x.data()}, i); };
    const auto total = order::reduce<Spec>({V, LANES, TURNS, 1}, COLS, [&](u64 i) { return Spec::lift(mapped(i), i); }, mapped);
    CHECK(same(out[r], Spec::finish(wf::with_init<Spec>(total), {r, COLS, 0}, {x.data()})), "row %llu of %llu x %d", r, rows, COLS);
  }
}

// Two parameters, one per column, ragged.
template <int COLS> void ragged(u64 rows) {
  using Order = wf::TileOrder<2, 16, 2>;
  Guarded<float> x(rows * COLS), gamma(COLS, 1), sum(rows);
  Guarded<double> y(rows * COLS);
  Guarded<u32> live(rows);
  Guarded<u64> row(rows);
  for (u64 i = 0; i < x.count; i++) { x[i] = random_float(i); y[i] = random_float(i + 77); }
  for (u64 c = 0; c < COLS; c++) gamma[c] = random_float(c + 999);
  for (u64 r = 0; r < rows; r++) live[r] = random_bits(r) % (COLS + 3);
  emulator::launch(unsigned((rows + 31) / 32), 32, 2, [&] {
    wf::rows_reduce_staged<Ragged, Order, COLS, 1, 12>({x.data(), y.data(), gamma.data(), live.data()}, {sum.data(), row.data()}, {rows, COLS, COLS, 1});
  });
  for (u64 r = 0; r < rows; r++) {
    auto state = [&](u64 i) { return x[r * COLS + i] * gamma[i] + float(y[r * COLS + i]); };
    const float want = order::reduce<Ragged>({2, 16, 2, 1}, std::min<u64>(live[r], COLS), state, state);
    CHECK(same(sum[r], want) && row[r] == r + live[r], "ragged row %llu of %llu x %d", r, rows, COLS);
  }
}

int main() {
  for (u64 r : {1, 3, 31, 32, 33, 64, 100}) {
    rows<Sum, float, 4, 8, 1, 21>(r);
    rows<OrderedSum, float, 4, 16, 1, 33>(r);
    rows<InOrder, unsigned char, 16, 4, 1, 63>(r);
    rows<InOrder, unsigned char, 4, 4, 3, 47>(r);
    rows<Sum, float, 4, 2, 3, 23>(r);
    rows<Softmax, float, 4, 8, 2, 61>(r);
    rows<Sum, float, 4, 1, 1, 1>(r);
    ragged<61>(r);
  }
  std::printf("%ld checks\n", checks);
}
