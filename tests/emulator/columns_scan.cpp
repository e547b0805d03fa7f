// Column scans on the emulator: the bits of the transposed matrix's rows.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/scan.cuh"
#include "../../runtime/kernels/columns_scan.cuh"
#include "../../runtime/kernels/record.cuh"
#include "../../runtime/kernels/columns_scan_tiles.cuh"

// Scratch that all launches share, as launches on one stream do.
struct Area {
  Guarded<u64> records{400000};
  Guarded<u32> control{4};
  Area() {
    std::memset(records.data(), 0, records.count * 8);
    std::memset(control.data(), 0, 16);
    control[2] = 0xfffffff0u;  // launches are counted past the last number
  }
  wf::Relay relay() { return {records.data(), records.count, control.data()}; }
};
Area& area() {
  static Area all;
  return all;
}

// WARPS: those of a block; or, below zero, the columns of a block of the kernel that goes tile by tile.
template <class Spec, class Element, int V, int LANES, int TURNS, int WARPS, bool MANY, bool EXCLUSIVE, bool REVERSE>
void columns(u64 rows, u64 cols, u64 stride, u64 out_stride, unsigned grid) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  using Result = typename Spec::Result;
  const u64 tiles = std::max<u64>(1, (rows + Order::size - 1) / Order::size);
  CHECK(MANY || tiles == 1, "one tile");
  Guarded<Element> x((rows - 1) * stride + cols, 1);
  Guarded<Result> y((rows - 1) * out_stride + cols, 1);
  for (u64 i = 0; i < x.count; i++) x[i] = sizeof(Element) == 1 ? Element(random_bits(i)) : Element(random_float(i));
  std::memset(static_cast<void*>(y.data()), 0x55, y.count * sizeof(Result));
  if constexpr (WARPS > 0) {
    emulator::launch(grid, WARPS * 32, 2, [&] { wf::columns_scan<Spec, Order, WARPS, MANY, EXCLUSIVE, REVERSE>({x.data()}, {y.data()}, {rows, cols, stride, out_stride}); });
  } else {
    constexpr unsigned words = wf::Record<wf::Handed<typename Spec::State, EXCLUSIVE>>::words;
    CHECK(wf::column_scan_words((cols - WARPS - 1) / -WARPS * -WARPS, tiles, words) <= area().records.count, "the area is too small for the test");
    emulator::launch(grid, -WARPS * LANES, 1 + grid % 3, [&] {
      wf::columns_scan_tiles<Spec, Order, -WARPS, EXCLUSIVE, REVERSE>({x.data()}, {y.data()}, {rows, cols, stride, out_stride}, area().relay());
    });
    CHECK(area().records.intact() && area().control.intact() && area().control[0] == 0 && area().control[1] == 0, "the control words are not reset");
  }
  CHECK(x.intact() && y.intact(), "%llu x %llu", rows, cols);
  for (u64 c = 0; c < cols; c++) {
    auto at = [&](u64 q) { return REVERSE ? rows - 1 - q : q; };
    auto state = [&](u64 q) { return Spec::lift(Spec::template map<1>({{{x[at(q) * stride + c]}}}, {}, 0, {c, rows, 0}, {x.data()}, at(q)), at(q)); };
    const auto want = order::scan<Spec>({V, LANES, TURNS, tiles}, rows, EXCLUSIVE, state);
    for (u64 q = 0; q < rows; q++) CHECK(same(y[at(q) * out_stride + c], want[q]), "column %llu, row %llu of %llu x %llu, exclusive %d, reverse %d", c, at(q), rows, cols, EXCLUSIVE, REVERSE);
  }
  for (u64 r = 0; r + 1 < rows; r++) for (u64 c = cols; c < out_stride; c++) CHECK(reinterpret_cast<unsigned char*>(&y[r * out_stride + c])[0] == 0x55, "a gap is written");
}

template <class Spec, class Element, int V, int LANES, int TURNS, int WARPS, bool MANY> void all(u64 rows, u64 cols, unsigned grid) {
  columns<Spec, Element, V, LANES, TURNS, WARPS, MANY, false, false>(rows, cols, cols + 1, cols, grid);
  columns<Spec, Element, V, LANES, TURNS, WARPS, MANY, true, false>(rows, cols, cols, cols + 2, grid);
  columns<Spec, Element, V, LANES, TURNS, WARPS, MANY, false, true>(rows, cols, cols, cols, grid);
  columns<Spec, Element, V, LANES, TURNS, WARPS, MANY, true, true>(rows, cols, cols + 3, cols, grid);
}

int main() {
  for (u64 c : {3, 70}) {
    for (u64 r : {1, 31, 32}) {
      all<Sum, float, 4, 8, 1, 8, false>(r, c, 2);
      all<OrderedSum, float, 4, 8, 2, 4, true>(r, c, 1);
      all<InOrder, unsigned char, 2, 32, 1, 8, false>(r, c, 2);
    }
    all<OrderedSum, float, 4, 1, 1, 8, false>(3, c, 1);
    all<OrderedSum, float, 1, 2, 2, 8, true>(150, c, 1);
    all<InOrder, unsigned char, 4, 32, 2, 8, true>(600, c, 3);
    all<Sum, float, 4, 32, 2, 8, true>(400, c, 2);
  }
  // More than one span of 32 tiles.
  all<OrderedSum, float, 2, 8, 2, 8, true>(1100, 5, 1);
  all<InOrder, unsigned char, 2, 16, 1, 16, true>(1100, 40, 1);
  all<Sum, float, 1, 4, 2, 4, true>(300, 9, 1);
  // Tile by tile: around the ends of tiles and of a span, whole blocks of columns and not.
  for (u64 r : {1, 255, 256, 300}) all<OrderedSum, float, 4, 32, 2, -16, true>(r, 19, 2);
  for (u64 r : {64, 65, 300}) {
    all<InOrder, unsigned char, 1, 16, 2, -16, true>(r, 5, 1);
    all<Sum, float, 2, 32, 1, -8, true>(r, 17, 4);
  }
  for (u64 r : {512, 513, 1100}) {
    all<OrderedSum, float, 2, 8, 1, -8, true>(r, 9, 7);
    all<InOrder, unsigned char, 1, 8, 2, -8, true>(r, 3, 3);
  }
  std::printf("%ld checks\n", checks);
}
