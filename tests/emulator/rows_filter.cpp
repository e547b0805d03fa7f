// Row filters on the emulator: kept values in order, the rest default, the counts.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/rows_filter.cuh"

using wf::Load;

template <int V, int LANES, int TURNS, Load LOAD> void rows(u64 rows, u64 cols, u64 stride, u64 shift, int percent) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  Guarded<float> x((rows - 1) * stride + cols, shift), y(rows * cols, 1);
  Guarded<u64> counts(rows);
  for (u64 i = 0; i < x.count; i++) x[i] = random_bits(i) % 100 < unsigned(percent) ? 1.0f + float(i) : -1.0f;
  for (u64 i = 0; i < y.count; i++) y[i] = -7.0f;
  const u64 warps = (rows + Order::groups - 1) / Order::groups;
  emulator::launch(unsigned((warps + 1) / 2), 64, 2, [&] { wf::rows_filter<Positive, Order, LOAD>({x.data()}, {y.data()}, counts.data(), {rows, cols, stride, cols}); });
  CHECK(y.intact() && counts.intact(), "%llu x %llu", rows, cols);
  for (u64 r = 0; r < rows; r++) {
    u64 kept = 0;
    for (u64 c = 0; c < cols; c++) {
      if (x[r * stride + c] > 0.0f) CHECK(y[r * cols + kept++] == x[r * stride + c], "row %llu, column %llu of %llu x %llu", r, c, rows, cols);
    }
    CHECK(counts[r] == kept, "the count of row %llu of %llu x %llu", r, rows, cols);
    for (; kept < cols; kept++) CHECK(same(y[r * cols + kept], 0.0f), "the rest of row %llu", r);
  }
}

int main() {
  for (int percent : {0, 3, 50, 100}) {
    for (u64 c : {1, 2, 7, 8, 31, 32, 33, 1000, 1024, 2500}) {
      rows<4, 8, 1, Load::any>(9, c, c, 1, percent);
      rows<4, 32, 8, Load::any>(3, c, c + 1, 2, percent);
      rows<4, 1, 1, Load::any>(67, c, c, 0, percent);
      if (c % 4 == 0) rows<4, 32, 2, Load::whole>(3, c, c, 0, percent);
    }
  }
  rows<4, 8, 1, Load::any>(9, 0, 0, 0, 50);
  std::printf("%ld checks\n", checks);
}
