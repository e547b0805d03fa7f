// Specs as the compiler emits them, in the kernels as they are, on the emulator: with the order spelled out, whose plans
// are written independently of the emitted steps, they must agree to the bit.
#include "check.hpp"
#include "emulator.hpp"
#include "../../runtime/kernels/scalar.cuh"
#include "../../runtime/kernels/half.cuh"
#include "../../runtime/kernels/math.cuh"
#include "../../runtime/kernels/shuffle.cuh"
#include "../../runtime/kernels/ops.cuh"
#define wf_spec golden_variance
#include "../../codegen/tests/goldens/variance.cu"
#undef wf_spec
#define wf_spec golden_top
#include "../../codegen/tests/goldens/top.cu"
#undef wf_spec
#define wf_spec golden_softmax
#include "../../codegen/tests/goldens/softmax.cu"
#undef wf_spec
#define wf_spec golden_welford
#include "../../codegen/tests/goldens/welford.cu"
#undef wf_spec
#define wf_spec golden_offsets
#include "../../codegen/tests/goldens/offsets.cu"
#undef wf_spec
#define wf_spec golden_recurrence
#include "../../codegen/tests/goldens/recurrence.cu"
#undef wf_spec
#define wf_spec golden_positive
#include "../../codegen/tests/goldens/positive.cu"
#undef wf_spec
#define wf_spec golden_partner
#include "../../codegen/tests/goldens/partner.cu"
#undef wf_spec
#define wf_spec golden_ballot
#include "../../codegen/tests/goldens/ballot.cu"
#undef wf_spec
#define wf_spec golden_count
#include "../../codegen/tests/goldens/count.cu"
#undef wf_spec
#define wf_spec golden_any
#include "../../codegen/tests/goldens/any.cu"
#undef wf_spec
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/rows_reduce.cuh"
#include "../../runtime/kernels/array_reduce.cuh"
#include "../../runtime/kernels/rows_apply.cuh"
#include "../../runtime/kernels/scan.cuh"
#include "../../runtime/kernels/rows_scan.cuh"
#include "../../runtime/kernels/rows_filter.cuh"
#include "../../runtime/kernels/played.cuh"
#include "../../runtime/kernels/rows_staged.cuh"
#include "../../runtime/kernels/columns_reduce.cuh"
#include "../../runtime/kernels/rows_shuffle.cuh"

using wf::Load;
using wf::TileOrder;

// The state of a row's element i, and what map gives for it.
template <class Spec> struct Elements {
  typename Spec::Args args;
  u64 row, cols;
  typename Spec::Mapped mapped(u64 i) const {
    const wf::Element read = {row * cols + i, true};
    return Spec::template map<1>(Spec::template items<1>(args, read), {}, 0, Spec::row(args, row, cols), args, i);
  }
  typename Spec::State state(u64 i) const { return Spec::lift(mapped(i), i); }
  typename Spec::State total(order::Of of) const {
    return order::reduce<Spec>(of, cols, [&](u64 i) { return state(i); }, [&](u64 i) { return mapped(i); });
  }
};

template <int TURNS> void reductions(u64 rows, u64 cols, unsigned threads) {
  {
    using Spec = golden_variance::Spec;
    Guarded<wf::bf16> x(rows * cols, 1);
    for (u64 i = 0; i < x.count; i++) x[i] = wf::bf16_from(random_float(i));
    Guarded<float> mean(rows), variance(rows);
    const Spec::Args args = {x.data()};
    emulator::launch(unsigned(rows), threads, 2, [&] { wf::rows_reduce_tiles<Spec, TileOrder<8, 32, TURNS>, Load::any>(args, {mean.data(), variance.data()}, {rows, cols, cols, 1}); });
    for (u64 r = 0; r < rows; r++) {
      const auto s = Elements<Spec>{args, r, cols}.total({8, 32, TURNS, (cols + 256 * TURNS - 1) / (256 * TURNS)});
      CHECK(same(mean[r], s.mean) && same(variance[r], s.m2 / s.n), "variance of row %llu of %llu x %llu", r, rows, cols);
    }
  }
  Guarded<float> x(rows * cols, 1), y(rows * cols, 3), best(rows);
  Guarded<u64> where(rows);
  for (u64 i = 0; i < x.count; i++) x[i] = float(random_bits(i) % 50) - 25.0f;
  {
    using Spec = golden_top::Spec;
    const Spec::Args args = {x.data()};
    emulator::launch(unsigned(rows), threads, 2, [&] { wf::rows_reduce_tiles<Spec, TileOrder<4, 32, TURNS>, Load::any>(args, {best.data(), where.data()}, {rows, cols, cols, 1}); });
    for (u64 r = 0; r < rows; r++) {
      u64 want = 0;
      for (u64 c = 1; c < cols; c++) if (x[r * cols + c] > x[r * cols + want]) want = c;
      CHECK(where[r] == want && best[r] == x[r * cols + want], "argmax of row %llu of %llu x %llu", r, rows, cols);
    }
  }
  using Spec = golden_softmax::Spec;
  const Spec::Args args = {x.data()};
  emulator::launch(2, 64, 2, [&] { wf::rows_apply_again<Spec, TileOrder<4, 32, TURNS>, Load::any, Load::any, 2>(args, {y.data()}, {rows, cols, cols, cols}); });
  for (u64 r = 0; r < rows; r++) {
    const Elements<Spec> row = {args, r, cols};
    const auto s = row.total({4, 32, TURNS, (cols + 128 * TURNS - 1) / (128 * TURNS)});
    double all = 0;
    for (u64 c = 0; c < cols; c++) {
      const Spec::Items<1> items = Spec::items<1>(args, wf::Element{r * cols + c, true});
      CHECK(same(y[r * cols + c], Spec::apply<1>(wf::Exactly{}, s, items, {}, 0, Spec::row(args, r, cols), args, c)), "softmax of %llu, %llu", r, c);
      all += double(y[r * cols + c]);
    }
    CHECK(all > 0.9999 && all < 1.0001, "softmax of row %llu sums to %f", r, all);
  }
}

// Arrays whose warps pass over tiles that change nothing.
template <int V, int TURNS, int WARPS, class Fill> void passed_over(u64 n, unsigned grid, const Fill& fill) {
  using Spec = golden_top::Spec;
  using Order = TileOrder<V, 32, TURNS>;
  Guarded<float> x(n, 1), best(1);
  Guarded<u64> where(1);
  Guarded<unsigned char> states(wf::scratch_slots((n + Order::size - 1) / Order::size, 32) * wf::Slot<Spec::State>::bytes);
  Guarded<u32> tickets(1);
  for (u64 i = 0; i < n; i++) x[i] = fill(i);
  tickets[0] = 0;
  emulator::launch(grid, WARPS * 32, 2, [&] {
    wf::array_reduce<Spec, Order, Load::any, WARPS>({x.data()}, {best.data(), where.data()}, {1, n, n, 1}, {states.data(), tickets.data()});
  });
  u64 want = 0;
  for (u64 i = 1; i < n; i++) {
    const float mine = fill(i), than = fill(want);
    if (mine > than || (mine != mine && than == than)) want = i;
  }
  CHECK(states.intact() && tickets.intact() && x.intact() && tickets[0] == 0, "scratch of %llu elements", n);
  CHECK(where[0] == want, "argmax of %llu elements: %llu, not %llu", n, where[0], want);
  CHECK(fill(want) != fill(want) ? best[0] != best[0] : same(best[0], fill(want)), "the greatest of %llu elements", n);
}
template <int V, int TURNS, int WARPS> void champions(u64 n, unsigned grid) {
  const float infinite = wf::infinity<float>();
  passed_over<V, TURNS, WARPS>(n, grid, [](u64 i) { return float(i); });
  passed_over<V, TURNS, WARPS>(n, grid, [](u64 i) { return -float(i); });
  passed_over<V, TURNS, WARPS>(n, grid, [](u64 i) { return float(random_bits(i) % 50); });
  passed_over<V, TURNS, WARPS>(n, grid, [](u64 i) { return random_float(i); });
  passed_over<V, TURNS, WARPS>(n, grid, [=](u64) { return -infinite; });
  passed_over<V, TURNS, WARPS>(n, grid, [](u64 i) { return i % 3 == 1 ? 0.0f : -0.0f; });
  passed_over<V, TURNS, WARPS>(n, grid, [=](u64 i) { return i % 7777 == 7776 ? wf::float_from_bits(0x7fc00000u) : i == 5 ? infinite : random_float(i); });
}
// What a lane looks for first, of numbers narrower than a word.
template <class T, bool GREATEST> void looks() {
  T x[2][16], want = 0;
  for (u64 i = 0; i < 32; i++) x[i / 16][i % 16] = T(random_bits(i + sizeof(T)));
  for (u64 i = 0; i < 29; i++) {
    const T mine = x[i / 16][i % 16];
    if (i == 0 || (GREATEST ? mine > want : mine < want)) want = mine;
  }
  const T found = wf::ArgBest<T, GREATEST>::look(x, wf::counting_in_tile(0, 16, 29), x[0][0]);
  CHECK(found == want, "%d, not %d", int(found), int(want));
}

// The same rows by groups that have four of them in flight, where a row is one tile of no fewer turns than it needs: a lane
// stores one of the four.
template <class Order> bool goes_beside(u64 cols) {
  return Order::lanes >= 4 && cols <= u64(Order::size) && cols > u64(Order::size - Order::turn);
}
template <class Spec, class Order> void beside(const typename Spec::Args& args, const typename Spec::Results& out, u64 rows, u64 cols) {
  if constexpr (Order::lanes >= 4) {
    emulator::launch(unsigned((rows + 4 * Order::groups - 1) / (4 * Order::groups)), 32, 2, [&] {
      wf::rows_reduce<Spec, Order, 0, Load::any, 4>(args, out, {rows, cols, cols, 1});
    });
  }
}

// Ballots, by groups whose lanes have an element a turn and by others.
template <int V, int LANES, int TURNS> void balloted(u64 rows, u64 cols) {
  using Order = TileOrder<V, LANES, TURNS>;
  Guarded<double> x(rows * cols);
  Guarded<u32> signs(rows);
  for (u64 i = 0; i < x.count; i++) x[i] = random_bits(i + 9) % 3 == 0 ? -0.0 : 1.0;
  emulator::launch(unsigned(rows), 64, 2, [&] {
    wf::rows_reduce_tiles<golden_ballot::Spec, Order, Load::any>({x.data()}, {signs.data()}, {rows, cols, cols, 1});
  });
  for (int sets = 1; sets <= 4; sets += 3) {
    for (u64 r = 0; r < rows; r++) {
      u32 want = 0;
      for (u64 c = 0; c < cols; c++) want |= u32(std::signbit(x[r * cols + c])) << c;
      CHECK(signs[r] == want, "ballot of row %llu of %llu, %d lanes of %d times %d, %d sets", r, cols, LANES, TURNS, V, sets);
      signs[r] = ~want;
    }
    if (!goes_beside<Order>(cols)) break;
    beside<golden_ballot::Spec, Order>({x.data()}, {signs.data()}, rows, cols);
  }
}

// Operators that vote, by groups of every width: with few elements a lane and with many. Only one row says yes, at its end.
template <int V, int LANES, int TURNS> void voted(u64 rows, u64 cols) {
  using Order = TileOrder<V, LANES, TURNS>;
  Guarded<wf::i8> x(rows * cols, 1);
  Guarded<wf::u8> y(rows * cols, 3);
  Guarded<u64> counts(rows);
  Guarded<bool> found(rows);
  for (u64 i = 0; i < x.count; i++) x[i] = wf::i8(random_bits(i)), y[i] = wf::u8(i + 1 == x.count ? 0x11 : 0xee);
  emulator::launch(unsigned(rows), 64, 2, [&] {
    wf::rows_reduce_tiles<golden_count::Spec, Order, Load::any>({x.data()}, {counts.data()}, {rows, cols, cols, 1});
    wf::rows_reduce_tiles<golden_any::Spec, Order, Load::any>({y.data(), 1}, {found.data()}, {rows, cols, cols, 1});
  });
  for (int sets = 1; sets <= 4; sets += 3) {
    for (u64 r = 0; r < rows; r++) {
      u64 want = 0;
      for (u64 c = 0; c < cols; c++) want += x[r * cols + c] >= 0;
      CHECK(counts[r] == want, "count of row %llu of %llu, %d lanes of %d times %d, %d sets", r, cols, LANES, TURNS, V, sets);
      CHECK(found[r] == (r + 1 == rows), "any of row %llu of %llu, %d lanes of %d times %d, %d sets", r, cols, LANES, TURNS, V, sets);
      counts[r] = 999, found[r] = !found[r];
    }
    if (!goes_beside<Order>(cols)) break;
    beside<golden_count::Spec, Order>({x.data()}, {counts.data()}, rows, cols);
    beside<golden_any::Spec, Order>({y.data(), 1}, {found.data()}, rows, cols);
  }
}

// The sum that an operator with `apply` folds, as a result.
float told(const wf::Tuple<float, float>& s) { return s.f1; }
float told(const wf::Tuple<float, float, float>& s) { return s.f1 + s.f2; }
template <class Spec> struct Told : Spec {
  using Result = float;
  struct Results { float* r0; };
  static float finish(const typename Spec::State& s, const typename Spec::Row&, const typename Spec::Args&) { return told(s); }
  template <int V, class W> static void store(const Results& r, const float (&values)[V], const W& write) {
    write.template put<V>(r.r0, wf::Pack<float, V>{{values[0]}});
  }
};

// Operators that fold a tile in two steps, in the kernels that play the lanes: rows in one thread, columns in a block.
template <class Spec, int LANES, int TURNS, int COLS> void played(u64 lines) {
  using Order = TileOrder<4, LANES, TURNS>;
  Guarded<float> x(lines * COLS), turned(lines * COLS), first(lines);
  Guarded<u64> where(lines);
  for (u64 i = 0; i < x.count; i++) {
    x[i] = i % 7 == 0 ? -0.0f : float(random_bits(i) % 9) - 7.5f;
    if (i / COLS % 5 == 3) x[i] = i % 3 ? wf::infinity<float>() : -wf::infinity<float>();
    if (i / COLS % 5 == 4) x[i] = i % 4 ? 0.0f : -0.0f;
    turned[i % COLS * lines + i / COLS] = x[i];
  }
  const typename Spec::Args rows = {x.data()}, columns = {turned.data()};
  for (int side = 0; side < 2; side++) {
    for (u64 r = 0; r < lines; r++) first[r] = 7.25f;
    emulator::launch(unsigned((lines + 31) / 32), 64, 2, [&] {
      typename Spec::Results out = {};
      out.r0 = first.data();
      if constexpr (!std::is_same_v<typename Spec::Result, float>) out.r1 = where.data();
      if (side == 0) wf::rows_reduce_staged<Spec, Order, COLS, 1, 2, 4>(rows, out, {lines, COLS, COLS, 1});
      else wf::columns_reduce<Spec, Order, 2, 32>(columns, out, {COLS, lines, lines, 1}, {});
    });
    for (u64 r = 0; r < lines; r++) {
      const auto want = Spec::finish(Elements<Spec>{rows, r, COLS}.total({4, LANES, TURNS, 1}), Spec::row(rows, r, COLS), rows);
      if constexpr (std::is_same_v<typename Spec::Result, float>) {
        CHECK(same(first[r], want), "line %llu of %llu x %d, side %d", r, lines, COLS, side);
      } else {
        CHECK(same(first[r], want.f0) && std::signbit(first[r]) == std::signbit(want.f0) && where[r] == want.f1, "line %llu of %llu x %d, side %d", r, lines, COLS, side);
      }
    }
  }
}

template <int TURNS> void scans(u64 rows, u64 cols) {
  Guarded<u32> counts(rows * cols, 1), offsets(rows * cols, 2);
  for (u64 i = 0; i < counts.count; i++) counts[i] = random_bits(i) % 100;
  emulator::launch(2, 64, 2, [&] {
    wf::rows_scan_tiles<golden_offsets::Spec, TileOrder<4, 32, TURNS>, Load::any, Load::any, 2, true, false>({counts.data()}, {offsets.data()}, {rows, cols, cols, cols});
  });
  for (u64 r = 0; r < rows; r++) {
    u32 sum = 0;
    for (u64 c = 0; c < cols; sum += counts[r * cols + c++]) CHECK(offsets[r * cols + c] == sum, "offset %llu, %llu", r, c);
  }
  using Spec = golden_recurrence::Spec;
  Guarded<float> a(rows * cols, 1), b(rows * cols, 2), h(rows * cols, 3);
  for (u64 i = 0; i < a.count; i++) { a[i] = random_float(i); b[i] = random_float(i + 5); }
  const Spec::Args args = {a.data(), b.data()};
  emulator::launch(2, 64, 2, [&] { wf::rows_scan_tiles<Spec, TileOrder<4, 32, TURNS>, Load::any, Load::any, 2, false, true>(args, {h.data()}, {rows, cols, cols, cols}); });
  for (u64 r = 0; r < rows; r++) {
    const Elements<Spec> row = {args, r, cols};
    const auto want = order::scan<Spec>({4, 32, TURNS, (cols + 128 * TURNS - 1) / (128 * TURNS)}, cols, false, [&](u64 q) { return row.state(cols - 1 - q); });
    for (u64 q = 0; q < cols; q++) CHECK(same(h[r * cols + cols - 1 - q], want[q].f1), "recurrence %llu, %llu", r, q);
  }
}

void elements(u64 rows, u64 cols) {
  Guarded<float> x(rows * cols), y(rows * cols);
  Guarded<u64> counts(rows);
  Guarded<int> from(rows * cols), to(rows * cols);
  for (u64 i = 0; i < x.count; i++) { x[i] = random_float(i); from[i] = int(random_bits(i)); }
  emulator::launch(unsigned(rows), 32, 2, [&] { wf::rows_filter<golden_positive::Spec, TileOrder<4, 32, 2>, Load::any>({x.data()}, {y.data()}, counts.data(), {rows, cols, cols, cols}); });
  emulator::launch(2, 64, 2, [&] { wf::rows_shuffle<golden_partner::Spec, 16, 2>({from.data()}, {to.data()}, {rows, cols, cols, cols}); });
  for (u64 r = 0; r < rows; r++) {
    u64 kept = 0;
    for (u64 c = 0; c < cols; c++) {
      if (x[r * cols + c] > 0.0f) CHECK(y[r * cols + kept++] == x[r * cols + c], "filter %llu, %llu", r, c);
      const bool there = c % 16 + 3 < 16 && c + 3 < cols;
      CHECK(to[r * cols + c] == from[r * cols + c + (there ? 3 : 0)], "partner %llu, %llu of %llu", r, c, cols);
    }
    CHECK(counts[r] == kept, "count %llu", r);
  }
}

int main() {
  for (u64 c : {1, 5, 200, 256, 1000, 4000}) {
    reductions<1>(3, c, 32);
    reductions<3>(2, c, 32);
    scans<2>(3, c);
  }
  for (u64 c : {1, 3, 16, 17, 33, 300}) elements(3, c);
  voted<4, 1, 1>(40, 3), voted<4, 2, 1>(37, 7), voted<2, 4, 2>(19, 13), voted<1, 8, 3>(9, 24), voted<4, 8, 1>(9, 29), voted<2, 16, 1>(9, 31), voted<2, 8, 2>(9, 32), voted<4, 16, 1>(5, 64);
  for (u64 c : {1, 31, 100, 128, 129, 400}) voted<4, 32, 1>(5, c), voted<1, 32, 4>(5, c), voted<4, 32, 4>(5, c);
  for (u64 c : {1, 2, 7, 8}) balloted<1, 8, 1>(9, c), balloted<1, 1, 8>(9, c), balloted<2, 4, 1>(9, c), balloted<4, 2, 1>(9, c);
  for (u64 c : {1, 8, 9, 15, 16}) balloted<1, 16, 1>(9, c), balloted<1, 8, 2>(9, c), balloted<2, 8, 1>(9, c), balloted<1, 4, 2>(9, c);
  for (u64 c : {1, 16, 17, 24, 31, 32}) {
    balloted<1, 32, 1>(5, c), balloted<1, 16, 2>(5, c), balloted<1, 8, 4>(5, c), balloted<1, 8, 3>(5, c), balloted<2, 16, 1>(5, c);
    balloted<4, 8, 1>(5, c), balloted<2, 8, 2>(5, c), balloted<16, 2, 1>(5, c), balloted<2, 32, 1>(5, c);
  }
  for (u64 n : {4097, 5000, 20000, 140000}) {
    champions<4, 1, 2>(n, 3);
    if (n > 8192) champions<1, 8, 4>(n, 2), champions<8, 1, 2>(n, 1);
  }
  champions<4, 8, 4>(200003, 3), champions<8, 8, 2>(140001, 2);
  looks<wf::i8, true>(), looks<wf::i8, false>(), looks<wf::u8, true>(), looks<wf::i16, true>(), looks<wf::u16, false>();
  played<golden_top::Spec, 8, 1, 21>(40);
  played<golden_top::Spec, 8, 2, 61>(5);
  played<Told<golden_softmax::Spec>, 8, 1, 21>(40);
  played<Told<golden_softmax::Spec>, 4, 3, 47>(33);
  played<Told<golden_welford::Spec>, 8, 1, 21>(40);
  played<Told<golden_welford::Spec>, 8, 2, 61>(33);
  std::printf("%ld checks\n", checks);
}
