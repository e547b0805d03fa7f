// Short rows folded or scanned by one lane each: the bits of the group of lanes that the order names.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/scan.cuh"
#include "../../runtime/kernels/rows_reduce.cuh"
#include "../../runtime/kernels/played.cuh"
#include "../../runtime/kernels/rows_staged.cuh"

template <class Spec, class Element, int V, int LANES, int TURNS, int COLS, int EACH = 1> void rows(u64 rows) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  Guarded<Element> x(rows * COLS);
  for (u64 i = 0; i < x.count; i++) x[i] = sizeof(Element) == 1 ? Element(random_bits(i)) : Element(random_float(i));
  Guarded<typename Spec::Result> out(rows);
  emulator::launch(unsigned((rows + 64 * EACH - 1) / (64 * EACH)), 64, 2, [&] {
    wf::rows_reduce_staged<Spec, Order, COLS, EACH, 2, sizeof(Element)>({x.data()}, {out.data()}, {rows, COLS, COLS, 1});
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
    wf::rows_reduce_staged<Ragged, Order, COLS, 1, 1, 12>({x.data(), y.data(), gamma.data(), live.data()}, {sum.data(), row.data()}, {rows, COLS, COLS, 1});
  });
  for (u64 r = 0; r < rows; r++) {
    auto state = [&](u64 i) { return x[r * COLS + i] * gamma[i] + float(y[r * COLS + i]); };
    const float want = order::reduce<Ragged>({2, 16, 2, 1}, std::min<u64>(live[r], COLS), state, state);
    CHECK(same(sum[r], want) && row[r] == r + live[r], "ragged row %llu of %llu x %d", r, rows, COLS);
  }
}

// Scans, each kind in each direction; in place where the results are as wide as the elements.
template <class Spec, class Element, int V, int LANES, int TURNS, int COLS, bool EXCLUSIVE, bool REVERSE, int EACH = 1> void scan(u64 rows) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  using Result = typename Spec::Result;
  constexpr bool over = std::is_same_v<Element, Result>;
  constexpr int bytes = over ? sizeof(Element) : sizeof(Element) + sizeof(Result), from = over ? 0 : sizeof(Element);
  Guarded<Element> x(rows * COLS);
  Guarded<Result> y(rows * COLS);
  for (u64 i = 0; i < x.count; i++) x[i] = sizeof(Element) == 1 ? Element(random_bits(i)) : Element(random_float(i));
  const std::vector<Element> was(x.data(), x.data() + x.count);
  Result* const out = over ? reinterpret_cast<Result*>(x.data()) : y.data();
  emulator::launch(unsigned((rows + 64 * EACH - 1) / (64 * EACH)), 64, 2, [&] {
    wf::rows_scan_staged<Spec, Order, COLS, EACH, 2, bytes, from, EXCLUSIVE, REVERSE>({x.data()}, {out}, {rows, COLS, COLS, COLS});
  });
  CHECK(x.intact() && y.intact(), "%llu x %d", rows, COLS);
  for (u64 r = 0; r < rows; r++) {
    auto element = [&](u64 q) { return REVERSE ? COLS - 1 - q : q; };
    auto state = [&](u64 q) { return Spec::lift(Spec::template map<1>({{{was[r * COLS + element(q)]}}}, {}, 0, {r, COLS, 0}, {x.data()}, element(q)), element(q)); };
    const auto want = order::scan<Spec>({V, LANES, TURNS, 1}, COLS, EXCLUSIVE, state);
    for (u64 q = 0; q < COLS; q++) CHECK(same(out[r * COLS + element(q)], want[q]), "row %llu, position %llu of %llu x %d, exclusive %d, reverse %d", r, q, rows, COLS, EXCLUSIVE, REVERSE);
  }
}
template <class Spec, class Element, int V, int LANES, int TURNS, int COLS, int EACH = 1> void scans(u64 rows) {
  scan<Spec, Element, V, LANES, TURNS, COLS, false, false, EACH>(rows);
  scan<Spec, Element, V, LANES, TURNS, COLS, true, false, EACH>(rows);
  scan<Spec, Element, V, LANES, TURNS, COLS, false, true, EACH>(rows);
  scan<Spec, Element, V, LANES, TURNS, COLS, true, true, EACH>(rows);
}

// One result an element, in the place of the elements.
template <int V, int LANES, int TURNS, int COLS, int EACH = 1> void applied(u64 rows) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  Guarded<float> x(rows * COLS);
  for (u64 i = 0; i < x.count; i++) x[i] = 8 * random_float(i);
  const std::vector<float> was(x.data(), x.data() + x.count);
  emulator::launch(unsigned((rows + 64 * EACH - 1) / (64 * EACH)), 64, 2, [&] { wf::rows_apply_staged<Softmax, Order, COLS, EACH, 2, 4, 0>({x.data()}, {x.data()}, {rows, COLS, COLS, COLS}); });
  CHECK(x.intact(), "%llu x %d", rows, COLS);
  for (u64 r = 0; r < rows; r++) {
    auto mapped = [&](u64 i) { return was[r * COLS + i]; };
    const MaxSum total = order::reduce<Softmax>({V, LANES, TURNS, 1}, COLS, [&](u64 i) { return Softmax::lift(mapped(i), i); }, mapped);
    for (u64 c = 0; c < COLS; c++) CHECK(same(x[r * COLS + c], expf(was[r * COLS + c] - total.max) / total.sum), "row %llu, column %llu of %llu x %d", r, c, rows, COLS);
  }
}

// The same of two parameters, ragged, with two results that are not as wide as they.
template <int COLS> void shares(u64 rows) {
  using Order = wf::TileOrder<2, 16, 2>;
  Guarded<float> x(rows * COLS), gamma(COLS, 1), share(rows * COLS);
  Guarded<double> y(rows * COLS);
  Guarded<u32> live(rows);
  Guarded<u64> where(rows * COLS);
  for (u64 i = 0; i < x.count; i++) { x[i] = random_float(i); y[i] = random_float(i + 77); }
  for (u64 c = 0; c < COLS; c++) gamma[c] = random_float(c + 999);
  for (u64 r = 0; r < rows; r++) live[r] = random_bits(r) % (COLS + 3);
  emulator::launch(unsigned((rows + 31) / 32), 32, 2, [&] {
    wf::rows_apply_staged<Share, Order, COLS, 1, 1, 24, 12>({x.data(), y.data(), gamma.data(), live.data()}, {share.data(), where.data()}, {rows, COLS, COLS, COLS});
  });
  CHECK(share.intact() && where.intact(), "shares");
  for (u64 r = 0; r < rows; r++) {
    auto state = [&](u64 i) { return x[r * COLS + i] * gamma[i] + float(y[r * COLS + i]); };
    const float total = order::reduce<Ragged>({2, 16, 2, 1}, std::min<u64>(live[r], COLS), state, state);
    for (u64 c = 0; c < COLS; c++) {
      CHECK(same(share[r * COLS + c], x[r * COLS + c] * gamma[c] / total) && where[r * COLS + c] == r * 100000 + c, "share %llu, %llu", r, c);
    }
  }
}

int main() {
  for (u64 r : {1, 3, 31, 32, 33, 64, 100, 300, 517}) {
    rows<Sum, float, 4, 8, 1, 21>(r);
    rows<OrderedSum, float, 4, 16, 1, 33>(r);
    rows<InOrder, unsigned char, 16, 4, 1, 63>(r);
    rows<InOrder, unsigned char, 4, 4, 3, 47>(r);
    rows<Sum, float, 4, 2, 3, 23>(r);
    rows<Softmax, float, 4, 8, 2, 61>(r);
    rows<Sum, float, 4, 1, 1, 1, 8>(r);
    rows<InOrder, unsigned char, 16, 1, 1, 3, 2>(r);
    ragged<61>(r);
    scans<Sum, float, 4, 8, 1, 21>(r);
    scans<OrderedSum, float, 4, 16, 1, 33>(r);
    scans<InOrder, unsigned char, 16, 4, 1, 63>(r);
    scans<OrderedSum, float, 4, 4, 3, 47>(r);
    scans<Sum, float, 4, 1, 1, 1, 8>(r);
    scans<InOrder, unsigned char, 16, 1, 1, 2, 4>(r);
    applied<4, 8, 1, 21>(r);
    applied<4, 16, 1, 33>(r);
    applied<4, 2, 3, 23>(r);
    applied<4, 1, 1, 3, 2>(r);
    shares<45>(r);
  }
  std::printf("%ld checks\n", checks);
}
