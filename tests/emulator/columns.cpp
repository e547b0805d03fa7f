// Column reductions and lane exchanges on the emulator: the bits of the transposed matrix's rows.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/rows_reduce.cuh"
#include "../../runtime/kernels/columns_reduce.cuh"
#include "../../runtime/kernels/rows_shuffle.cuh"

template <class Spec, class Element, int V, int LANES, int TURNS, int WARPS, int PART> void columns(u64 rows, u64 cols, u64 stride, unsigned grid) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  using State = typename Spec::State;
  const u64 tiles = std::max<u64>(1, (rows + Order::size - 1) / Order::size), slots = wf::scratch_slots(tiles, PART);
  Guarded<Element> x(rows ? (rows - 1) * stride + cols : 0, 1);
  for (u64 i = 0; i < x.count; i++) x[i] = sizeof(Element) == 1 ? Element(random_bits(i)) : Element(random_float(i));
  Guarded<typename Spec::Result> out(cols);
  Guarded<unsigned char> states(cols * slots * wf::Slot<State>::bytes);
  Guarded<u32> tickets((cols + 15) / 16);
  std::memset(tickets.data(), 0, tickets.count * 4);
  emulator::launch(grid, WARPS * 32, 3, [&] {
    wf::columns_reduce<Spec, Order, WARPS, PART>({x.data()}, {out.data()}, {rows, cols, stride, 1}, {states.data(), tickets.data()});
  });
  CHECK(out.intact() && states.intact() && tickets.intact(), "%llu x %llu", rows, cols);
  for (u64 b = 0; b < tickets.count; b++) CHECK(tickets[b] == 0, "ticket %llu is not reset", b);
  for (u64 c = 0; c < cols; c++) {
    auto mapped = [&](u64 i) { return Spec::template map<1>({{{x[i * stride + c]}}}, {}, 0, {c, rows, 0}, {x.data()}, i); };
    const auto total = order::reduce<Spec>({V, LANES, TURNS, tiles}, rows, [&](u64 i) { return Spec::lift(mapped(i), i); }, mapped);
    CHECK(same(out[c], Spec::finish(wf::with_init<Spec>(total), {c, rows, 0}, {x.data()})), "column %llu of %llu x %llu, stride %llu", c, rows, cols, stride);
  }
}

template <int WIDTH> void shuffle(u64 rows, u64 cols, u64 stride) {
  Guarded<int> x((rows - 1) * stride + cols), y((rows - 1) * stride + cols);
  for (u64 i = 0; i < x.count; i++) { x[i] = int(i) * 7; y[i] = -1; }
  emulator::launch(2, 64, 2, [&] { wf::rows_shuffle<Down3, WIDTH, 4>({x.data()}, {y.data()}, {rows, cols, stride, stride}); });
  for (u64 r = 0; r < rows; r++) for (u64 c = 0; c < cols; c++) {
    const bool there = c % WIDTH + 3 < WIDTH && c + 3 < cols;
    CHECK(y[r * stride + c] == 2 * x[r * stride + c + (there ? 3 : 0)], "shuffle: row %llu, column %llu of %llu x %llu, width %d", r, c, rows, cols, WIDTH);
  }
  CHECK(y.intact(), "shuffle %llu x %llu", rows, cols);
}

int main() {
  for (u64 c : {1, 31, 33, 70}) {
    for (u64 r : {0, 1, 5, 31, 32}) {
      columns<Sum, float, 4, 8, 1, 4, 1>(r, c, c + 1, 2);
      columns<InOrder, unsigned char, 4, 8, 1, 8, 32>(r, c, c, 5);
    }
    for (u64 r : {100, 1024, 5000}) {
      columns<Sum, float, 4, 32, 2, 8, 4>(r, c, c, 5);
      columns<OrderedSum, float, 4, 32, 2, 8, 32>(r, c, c, 5);
      columns<InOrder, unsigned char, 4, 8, 2, 4, 1>(r, c, c + 2, 7);
      columns<Softmax, float, 4, 32, 1, 4, 8>(r, c, c, 3);
    }
  }
  for (u64 r : {65, 1025}) {
    columns<Sum, float, 1, 32, 20, 8, 4>(r, 3, 3, 5);
    columns<InOrder, unsigned char, 1, 32, 4, 8, 4>(r, 3, 3, 5);
  }
  for (u64 c : {1, 3, 4, 31, 32, 33, 100}) {
    shuffle<4>(5, c, c);
    shuffle<16>(5, c, c + 1);
    shuffle<32>(5, c, c);
  }
  std::printf("%ld checks\n", checks);
}
