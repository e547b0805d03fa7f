// Row reductions on the emulator against the order spelled out.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/rows_reduce.cuh"
#include "../../runtime/kernels/array_reduce.cuh"
#include "../../runtime/kernels/record.cuh"
#include "../../runtime/kernels/rows_reduce_poll.cuh"

using wf::Load;

enum class Entry { one, tiles, parts, poll, array };

template <class Spec, class Order, int COLS, Load LOAD, int SETS, int WARPS, int PART>
void run(Entry entry, const typename Spec::Args& args, const typename Spec::Results& results, wf::RowShape shape, unsigned grid) {
  const u64 tiles = (shape.cols + Order::size - 1) / Order::size;
  if (entry == Entry::one) {
    const u64 warps = (shape.rows + SETS * Order::groups - 1) / (SETS * Order::groups);
    emulator::launch(unsigned((warps + 1) / 2), 64, 2, [&] { wf::rows_reduce<Spec, Order, COLS, LOAD, SETS>(args, results, shape); });
  } else if (entry == Entry::tiles) {
    const u64 warps = (shape.rows + Order::groups - 1) / Order::groups;
    emulator::launch(unsigned((warps + 1) / 2), 64, 2, [&] { wf::rows_reduce_tiles<Spec, Order, LOAD>(args, results, shape); });
  } else if (entry == Entry::poll) {
    if constexpr (Order::lanes == 32) {
    // One area for all launches, as on a stream; the numbers of launches run out on the way.
    static Guarded<u64> records(8000);
    static Guarded<u32> control(4), tickets(8);
    static bool first = true;
    if (first) {
      std::memset(records.data(), 0, records.count * 8);
      for (u64 k = 0; k < 4; k++) control[k] = k == 2 ? 0xfffffff0u : 0;
      for (u64 k = 0; k < 8; k++) tickets[k] = 0;
      first = false;
    }
    const u64 blocks = shape.rows * wf::poll_blocks(tiles, WARPS);
    CHECK(blocks * wf::Record<typename Spec::State>::words <= records.count && shape.rows <= tickets.count, "the area is too small for the test");
    const wf::RowRelay relay = {{records.data(), records.count, control.data()}, tickets.data()};
    emulator::launch(unsigned(blocks), WARPS * 32, grid, [&] { wf::rows_reduce_poll<Spec, Order, LOAD, WARPS>(args, results, shape, relay); });
    CHECK(records.intact() && control.intact() && tickets.intact(), "scratch of %llu tiles", tiles);
    CHECK(control[0] == 0 && control[1] == 0, "the control words are not reset");
    for (u64 r = 0; r < 8; r++) CHECK(tickets[r] == 0, "the ticket of row %llu is not reset", r);
    }
  } else {
    const u64 slots = wf::scratch_slots(tiles, PART);
    Guarded<unsigned char> states(shape.rows * slots * wf::Slot<typename Spec::State>::bytes);
    Guarded<u32> tickets(shape.rows);
    for (u64 r = 0; r < shape.rows; r++) tickets[r] = 0;
    emulator::launch(grid, WARPS * 32, 3, [&] {
      if constexpr (PART == 32 && Order::lanes == 32) {
        if (entry == Entry::array) return wf::array_reduce<Spec, Order, LOAD, WARPS>(args, results, shape, {states.data(), tickets.data()});
      }
      wf::rows_reduce_parts<Spec, Order, LOAD, WARPS, PART>(args, results, shape, {states.data(), tickets.data()});
    });
    CHECK(states.intact() && tickets.intact(), "scratch of %llu tiles", tiles);
    for (u64 r = 0; r < shape.rows; r++) CHECK(tickets[r] == 0, "the ticket of row %llu is not reset", r);
  }
}

// Rows of one parameter, by one entry and one placement.
template <class Spec, class Element, int V, int LANES, int TURNS, Load LOAD, int SETS, int COLS = 0, int WARPS = 2, int PART = 4>
void rows(Entry entry, u64 rows, u64 cols, u64 stride, u64 shift, unsigned grid = 3) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  const u64 tiles = std::max<u64>(1, (cols + Order::size - 1) / Order::size);
  if (entry == Entry::poll && 2 * tiles <= WARPS) return;
  Guarded<Element> x((rows - 1) * stride + cols, shift);
  for (u64 i = 0; i < x.count; i++) x[i] = sizeof(Element) == 1 ? Element(random_bits(i)) : Element(random_float(i));
  Guarded<typename Spec::Result> out(rows);
  run<Spec, Order, COLS, LOAD, SETS, WARPS, PART>(entry, {x.data()}, {out.data()}, {rows, cols, stride, 1}, grid);
  CHECK(out.intact() && x.intact(), "%llu x %llu", rows, cols);
  for (u64 r = 0; r < rows; r++) {
    auto mapped = [&](u64 i) { return Spec::template map<1>({{{x[r * stride + i]}}}, {}, 0, {r, cols, 0}, {x.data()}, i); };
    const auto total = order::reduce<Spec>({V, LANES, TURNS, tiles}, cols, [&](u64 i) { return Spec::lift(mapped(i), i); }, mapped);
    const auto want = Spec::finish(wf::with_init<Spec>(total), {r, cols, 0}, {x.data()});
    CHECK(same(out[r], want), "row %llu of %llu x %llu, stride %llu, shift %llu", r, rows, cols, stride, shift);
    if constexpr (std::is_same_v<Spec, InOrder>) CHECK(out[r].good && (cols == 0 || (out[r].from == 0 && out[r].to == cols)), "order of %llu columns", cols);
  }
}

// Two parameters of different sizes, per-column and ragged, results of two arrays.
template <int V, int LANES, int TURNS, Load LOAD, int SETS> void ragged(u64 rows, u64 cols, u64 stride, u64 shift) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  Guarded<float> x((rows - 1) * stride + cols, shift), gamma(cols, shift), sum(rows);
  Guarded<double> y((rows - 1) * stride + cols, shift);
  Guarded<u32> live(rows);
  Guarded<u64> row(rows);
  for (u64 i = 0; i < x.count; i++) { x[i] = random_float(i); y[i] = random_float(i + 77); }
  for (u64 c = 0; c < cols; c++) gamma[c] = random_float(c + 999);
  for (u64 r = 0; r < rows; r++) live[r] = r % 3 == 0 ? u32(cols) + 4 : random_bits(r) % (u32(cols) + 1);
  Ragged::Args args{x.data(), y.data(), gamma.data(), live.data()};
  run<Ragged, Order, 0, LOAD, SETS, 1, 1>(Entry::one, args, {sum.data(), row.data()}, {rows, cols, stride, 1}, 1);
  for (u64 r = 0; r < rows; r++) {
    auto state = [&](u64 i) { return x[r * stride + i] * gamma[i] + float(y[r * stride + i]); };
    const float want = order::reduce<Ragged>({V, LANES, TURNS, 1}, std::min<u64>(live[r], cols), state, state);
    CHECK(same(sum[r], want) && row[r] == r + live[r], "ragged row %llu of %llu x %llu", r, rows, cols);
  }
  CHECK(sum.intact() && row.intact(), "ragged %llu x %llu", rows, cols);
}

int main() {
  // One tile: every count of columns up to a turn, aligned or not, with gaps or without.
  for (u64 c = 0; c <= 32; c++) {
    rows<Sum, float, 4, 8, 1, Load::any, 8>(Entry::one, 37, c, c, 0);
    rows<InOrder, unsigned char, 4, 8, 1, Load::any, 1>(Entry::one, 37, c, c + 3, 2);
    rows<InOrder, unsigned char, 4, 8, 1, Load::any, 8>(Entry::one, 75, c, c + 3, 2);
    rows<OrderedSum, float, 4, 8, 1, Load::aligned, 4>(Entry::one, 70, c, 32, 0);
    rows<OrderedSum, float, 1, 32, 1, Load::any, 2>(Entry::one, 21, c, c, 1);
    rows<Sum, float, 4, 8, 1, Load::aligned, 4>(Entry::one, 70, c, 32, 0);
    if (c % 4 == 0) rows<Sum, float, 4, 8, 1, Load::whole, 2>(Entry::one, 65, c, c, 0);
    if (c <= 16) rows<InOrder, unsigned char, 16, 1, 1, Load::any, 4>(Entry::one, 100, c, c, 1);
    if (c <= 8) rows<Sum, float, 4, 2, 1, Load::any, 4>(Entry::one, 100, c, c, 3);
  }
  rows<Sum, float, 4, 8, 1, Load::any, 8, 21>(Entry::one, 133, 21, 21, 1);
  rows<Sum, float, 4, 16, 1, Load::any, 4, 33>(Entry::one, 133, 33, 33, 3);
  for (u64 c : {900, 1023, 1024}) {
    rows<Sum, float, 4, 32, 8, Load::any, 1>(Entry::one, 3, c, c + 1, 1);
    rows<OrderedSum, float, 4, 32, 8, Load::any, 1>(Entry::one, 3, c, c, 2);
    rows<Softmax, float, 4, 32, 8, Load::any, 1>(Entry::one, 3, c, c, 2);
    rows<Sum, float, 4, 32, 8, Load::aligned, 1>(Entry::one, 3, c, 1024, 0);
  }
  rows<Softmax, float, 4, 8, 1, Load::aligned, 8>(Entry::one, 67, 20, 32, 0);
  // Rows without packs: neighbouring lanes read neighbouring elements, wherever the row starts.
  for (u64 c : {65, 95, 96}) {
    rows<Sum, float, 1, 32, 3, Load::whole, 8>(Entry::one, 21, c, c, c % 4);
    rows<InOrder, unsigned char, 1, 32, 3, Load::whole, 4>(Entry::one, 21, c, c + 2, 1);
    rows<OrderedSum, float, 1, 8, 12, Load::whole, 2>(Entry::one, 21, c, c, 3);
  }
  for (u64 c : {513, 639, 640}) {
    rows<Sum, float, 1, 32, 20, Load::whole, 1>(Entry::one, 3, c, c, 1);
    rows<Softmax, float, 1, 32, 20, Load::whole, 1>(Entry::one, 3, c, c + 1, 2);
    rows<OrderedSum, float, 1, 32, 10, Load::whole, 1>(Entry::tiles, 3, c, c, 3);
    rows<InOrder, unsigned char, 1, 32, 10, Load::whole, 1, 0, 2, 4>(Entry::parts, 3, c, c, 3);
  }
  for (u64 c : {1, 5, 63, 64}) {
    ragged<2, 32, 1, Load::any, 2>(9, c, c + 1, 1);
    ragged<2, 32, 1, Load::aligned, 2>(9, c, 64, 0);
    ragged<2, 8, 4, Load::any, 1>(9, c, c, 1);
  }
  // Rows of several tiles, by one group or by parts; a narrow group too.
  for (u64 c : {1, 100, 128, 129, 300, 511, 512}) {
    rows<Sum, float, 4, 32, 1, Load::any, 1>(Entry::tiles, 5, c, c, 1);
    rows<OrderedSum, float, 4, 32, 1, Load::aligned, 1>(Entry::tiles, 5, c, 512, 0);
    rows<InOrder, unsigned char, 4, 8, 2, Load::any, 1>(Entry::tiles, 5, c, c, 1);
  }
  rows<InOrder, unsigned char, 4, 32, 1, Load::any, 1>(Entry::tiles, 2, 4096, 4097, 1);
  for (u64 c : {1, 100, 1000, 4095, 4096, 4097, 9000, 20000}) {
    rows<InOrder, unsigned char, 4, 32, 1, Load::any, 1, 0, 2, 4>(Entry::parts, 2, c, c, 1);
    rows<Sum, float, 4, 32, 1, Load::any, 1, 0, 2, 1>(Entry::parts, 3, c, c, 1, 7);
    rows<Sum, float, 4, 32, 1, Load::any, 1, 0, 4, 32>(Entry::parts, 3, c, c + 2, 1, 2);
    rows<OrderedSum, float, 4, 8, 4, Load::any, 1, 0, 2, 8>(Entry::parts, 1, c, c, 1, 5);
    rows<Softmax, float, 4, 32, 2, Load::any, 1, 0, 2, 8>(Entry::parts, 1, c, c, 1, 5);
  }
  for (u64 c : {1, 129, 1000, 4095, 4096, 4097, 9000, 60000}) {
    for (unsigned resident : {1, 4}) {
      rows<Sum, float, 4, 32, 1, Load::any, 1, 0, 2>(Entry::poll, 3, c, c, 1, resident);
      rows<OrderedSum, float, 4, 32, 1, Load::aligned, 1, 0, 8>(Entry::poll, 1, c, c, 0, resident);
      rows<Softmax, float, 4, 32, 2, Load::any, 1, 0, 4>(Entry::poll, 2, c, c, 1, resident);
    }
  }
  for (u64 c : {33, 1025, 5000}) rows<InOrder, unsigned char, 1, 32, 1, Load::any, 1, 0, 4>(Entry::poll, 2, c, c, 1, 3);
  // More groups of tiles than a warp has lanes, and wide states by blocks that look for several at once.
  for (u64 c : {32 * 1024, 32 * 1025, 32 * 1500 + 7, 32 * 2048}) rows<OrderedSum, float, 1, 32, 1, Load::any, 1, 0, 16>(Entry::poll, 1, c, c, 1, 3);
  for (u64 c : {5000, 20000, 32 * 1024 - 3}) rows<InOrder, unsigned char, 1, 32, 1, Load::any, 1, 0, 16>(Entry::poll, 1, c, c, 1, 3);
  rows<Sum, float, 4, 32, 8, Load::any, 1, 0, 8, 32>(Entry::parts, 1, 40000, 40000, 3, 2);
  rows<InOrder, unsigned char, 1, 32, 1, Load::any, 1, 0, 2, 1>(Entry::parts, 1, 40000, 40000, 3, 9);
  // Blocks that have several spans, one or none.
  for (u64 n : {1025, 2048, 5000, 40000, 70001}) {
    for (unsigned grid : {1, 3, 5}) {
      rows<InOrder, unsigned char, 1, 32, 1, Load::any, 1, 0, 2, 32>(Entry::array, 1, n, n, 3, grid);
      rows<OrderedSum, float, 1, 32, 1, Load::any, 1, 0, 4, 32>(Entry::array, 1, n, n, 1, grid);
      if (n > 4096) rows<Sum, float, 4, 32, 1, Load::aligned, 1, 0, 8, 32>(Entry::array, 1, n, n, 0, grid);
      if (n > 8192) rows<Softmax, float, 4, 32, 2, Load::any, 1, 0, 4, 32>(Entry::array, 1, n, n, 1, grid);
    }
  }
  std::printf("%ld checks\n", checks);
}
