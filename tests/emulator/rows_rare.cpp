// What hardly any row has, and a loop does that reads its elements again: a softmax whose maximum is infinite, divisions by what is
// far from 1. Results go by the same way as in rows of everyday, also in the place of the elements.
#include "check.hpp"
#include "emulator.hpp"
#include "../../runtime/kernels/scalar.cuh"
#include "../../runtime/kernels/half.cuh"
#include "../../runtime/kernels/math.cuh"
#include "../../runtime/kernels/shuffle.cuh"
#include "../../runtime/kernels/ops.cuh"
#define wf_spec golden_softmax
#include "../../codegen/tests/goldens/softmax.cu"
#undef wf_spec
#define wf_spec golden_narrow_share
#include "../../codegen/tests/goldens/narrow_share.cu"
#undef wf_spec
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/rows_reduce.cuh"
#include "../../runtime/kernels/rows_apply.cuh"
#include "../../runtime/kernels/record.cuh"
#include "../../runtime/kernels/bulk.cuh"
#include "../../runtime/kernels/cluster.cuh"
#include "../../runtime/kernels/rows_apply_cluster.cuh"

using wf::Load;
using wf::TileOrder;

// The sum that a softmax keeps.
struct Weight : golden_softmax::Spec {
  static Result finish(const State& s, const Row&, const Args&) { return s.f1; }
};
// Each element by the sum of its row.
struct Ratio : Plain<Ratio, double, double, true> {
  static constexpr bool has_apply = true;
  static double of(double x, u64) { return x; }
  static double identity() { return -0.0; }
  static double combine(double a, double b) { return a + b; }
  template <int V, class D> static double apply(const D& divide, const double& total, const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, u64) {
    return divide(x.x.v[i], total);
  }
};

// Rows by turns: ordinary, with a positive infinity or more, all negative infinity, with a NaN as well, and one negative infinity.
static float logit(u64 r, u64 c) {
  const float inf = wf::infinity<float>();
  switch (r % 5) {
    case 1: return c % 3 == r / 5 % 3 ? inf : random_float(r * 1000 + c);
    case 2: return -inf;
    case 3: return c == 2 ? wf::nan<float>() : c % 2 ? inf : -inf;
    case 4: return c == 1 ? -inf : 3 * random_float(r * 1000 + c);
    default: return 3 * random_float(r * 1000 + c);
  }
}

enum class By { warps, block, cluster };

template <int V, int LANES, int TURNS, int COLS, Load LOAD, int SETS> void softmax(u64 rows, u64 cols, By by) {
  using Order = TileOrder<V, LANES, TURNS>;
  Guarded<float> x(rows * cols), y(rows * cols), sums(rows);
  for (u64 r = 0; r < rows; r++) for (u64 c = 0; c < cols; c++) x[r * cols + c] = logit(r, c);
  const wf::RowShape shape = {rows, cols, cols, cols};
  if (by == By::cluster) {
    if constexpr (LANES == 32) {
      Guarded<u32> control(4);
      for (u64 i = 0; i < 4; i++) control[i] = 0;
      // In place: what is rare is read again, before anybody has written there.
      for (u64 i = 0; i < rows * cols; i++) y[i] = x[i];
      const wf::Relay relay = {nullptr, 0, control.data()};
      emulator::launch(16, 32 * (1 + 2 * SETS), 16, [&] { wf::rows_apply_cluster<golden_softmax::Spec, Order, LOAD, LOAD, 2, SETS, SETS + 1, 4, 1>({y.data()}, {y.data()}, shape, relay); }, 8);
      CHECK(control.intact(), "control");
    }
  } else if (by == By::block) {
    emulator::launch(3, unsigned(32 * ((cols + Order::size - 1) / Order::size)), 2, [&] { wf::rows_apply_block<golden_softmax::Spec, Order, LOAD, LOAD>({x.data()}, {y.data()}, shape); });
    emulator::launch(3, 64, 2, [&] { wf::rows_reduce_parts<Weight, Order, LOAD, 2, 32>({x.data()}, {sums.data()}, {rows, cols, cols, 1}, {nullptr, nullptr}); });
  } else {
    const unsigned warps = unsigned((rows + SETS * 32 / LANES - 1) / (SETS * 32 / LANES));
    emulator::launch(warps, 32, 2, [&] { wf::rows_apply<golden_softmax::Spec, Order, COLS, 1, LOAD, LOAD, SETS>({x.data()}, {y.data()}, shape); });
    emulator::launch(warps, 32, 2, [&] { wf::rows_reduce<Weight, Order, COLS, LOAD, SETS>({x.data()}, {sums.data()}, {rows, cols, cols, 1}); });
  }
  CHECK(x.intact() && y.intact() && sums.intact(), "%llu x %llu", rows, cols);
  for (u64 r = 0; r < rows; r++) {
    float max = -wf::infinity<float>(), count = 0;
    bool numbers = true;
    for (u64 c = 0; c < cols; c++) {
      if (x[r * cols + c] > max) max = x[r * cols + c];
      numbers &= !wf::is_nan(x[r * cols + c]);
    }
    for (u64 c = 0; c < cols; c++) count += x[r * cols + c] == max;
    const bool infinite = !wf::is_finite(max);
    if (by != By::cluster && infinite) CHECK(numbers ? sums[r] == count : wf::is_nan(sums[r]), "row %llu of %llu x %llu sums to %a, not %a", r, rows, cols, sums[r], count);
    double all = 0;
    for (u64 c = 0; c < cols; c++) {
      const float got = y[r * cols + c], had = x[r * cols + c];
      all += got;
      if (infinite) CHECK(!numbers || had == max ? wf::is_nan(got) : got == 0, "element %llu of row %llu of %llu x %llu is %a", c, r, rows, cols, got);
    }
    if (!infinite) CHECK(all > 0.9999 && all < 1.0001, "row %llu of %llu x %llu sums to %f", r, rows, cols, all);
  }
}

// Sums that are ordinary, tiny, huge, zero, infinite, and no number; elements that are.
static double scaled(u64 r, u64 c, double tiny, double huge) {
  const double x = 1.5 + random_float(r * 1000 + c);
  switch (r % 8) {
    case 1: return x * tiny;
    case 2: return x * huge;
    case 3: return c % 2 ? x : -double(1.5 + random_float(r * 1000 + c + 1));
    case 4: return c == 5 ? double(wf::infinity<double>()) : x;
    case 5: return c == 3 ? wf::nan<double>() : x;
    case 6: return c % 7 == 1 ? x * tiny : x;
    case 7: return 0;
    default: return x;
  }
}

template <int V, int LANES, int TURNS, Load LOAD, int SETS> void ratios(u64 rows, u64 cols) {
  using Order = TileOrder<V, LANES, TURNS>;
  Guarded<double> x(rows * cols);
  for (u64 r = 0; r < rows; r++) for (u64 c = 0; c < cols; c++) x[r * cols + c] = scaled(r, c, 0x1p-1010, 0x1p1000);
  const std::vector<double> was(x.data(), x.data() + x.count);
  const unsigned warps = unsigned((rows + SETS * 32 / LANES - 1) / (SETS * 32 / LANES));
  emulator::launch(warps, 32, 2, [&] { wf::rows_apply<Ratio, Order, 0, 1, LOAD, LOAD, SETS>({x.data()}, {x.data()}, {rows, cols, cols, cols}); });
  CHECK(x.intact(), "%llu x %llu", rows, cols);
  for (u64 r = 0; r < rows; r++) {
    auto state = [&](u64 i) { return was[r * cols + i]; };
    const double total = order::reduce<Ratio>({V, LANES, TURNS, 1}, cols, state, state);
    for (u64 c = 0; c < cols; c++) {
      const double want = was[r * cols + c] / total, got = x[r * cols + c];
      CHECK(got == want || (wf::is_nan(got) && wf::is_nan(want)), "element %llu of row %llu is %a, not %a", c, r, got, want);
    }
  }
}

template <int V, int LANES, int TURNS, Load LOAD, int SETS> void shares(u64 rows, u64 cols) {
  using Spec = golden_narrow_share::Spec;
  using Order = TileOrder<V, LANES, TURNS>;
  Guarded<float> x(rows * cols), gamma(cols);
  Guarded<wf::f16> y(rows * cols);
  for (u64 c = 0; c < cols; c++) gamma[c] = 1 + random_float(c + 99) / 4;
  for (u64 r = 0; r < rows; r++) for (u64 c = 0; c < cols; c++) x[r * cols + c] = float(scaled(r, c, 0x1p-120, 0x1p110));
  const unsigned warps = unsigned((rows + SETS * 32 / LANES - 1) / (SETS * 32 / LANES));
  const Spec::Args args = {x.data(), gamma.data()};
  emulator::launch(warps, 32, 2, [&] { wf::rows_apply<Spec, Order, 0, 1, LOAD, LOAD, SETS>(args, {y.data()}, {rows, cols, cols, cols}); });
  CHECK(x.intact() && y.intact(), "%llu x %llu", rows, cols);
  for (u64 r = 0; r < rows; r++) {
    auto state = [&](u64 i) { return x[r * cols + i] * gamma[i]; };
    const float total = order::reduce<Spec>({V, LANES, TURNS, 1}, cols, state, state);
    for (u64 c = 0; c < cols; c++) {
      const wf::f16 want = wf::f16_from(x[r * cols + c] * gamma[c] / total), got = y[r * cols + c];
      CHECK(got.bits == want.bits || (wf::is_nan(got) && wf::is_nan(want)), "element %llu of row %llu is %04x, not %04x", c, r, got.bits, want.bits);
    }
  }
}

int main() {
  softmax<4, 8, 1, 20, Load::aligned, 4>(43, 20, By::warps);
  softmax<4, 8, 1, 32, Load::whole, 4>(37, 32, By::warps);
  softmax<4, 8, 4, 0, Load::whole, 1>(11, 100, By::warps);
  softmax<1, 32, 3, 0, Load::any, 1>(10, 70, By::warps);
  softmax<4, 32, 1, 0, Load::whole, 1>(10, 384, By::block);
  softmax<1, 32, 2, 0, Load::any, 1>(10, 150, By::block);
  softmax<4, 32, 1, 0, Load::whole, 2>(23, 1028, By::cluster);
  softmax<1, 32, 2, 0, Load::whole, 3>(43, 1001, By::cluster);
  ratios<2, 8, 2, Load::whole, 2>(33, 32), ratios<2, 8, 4, Load::whole, 1>(33, 50), ratios<1, 32, 4, Load::any, 1>(17, 101);
  shares<4, 8, 2, Load::whole, 1>(33, 64), shares<4, 8, 1, Load::any, 2>(33, 27), shares<1, 32, 4, Load::any, 1>(17, 101);
  std::printf("%ld checks\n", checks);
}
