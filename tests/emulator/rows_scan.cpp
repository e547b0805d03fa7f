// Row scans on the emulator against the order spelled out: both kinds, both directions, in place and out of place.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/scan.cuh"
#include "../../runtime/kernels/rows_scan.cuh"

using wf::Load;

template <class Spec, class Element, int V, int LANES, int TURNS, Load LOAD, Load STORE, int SETS, int WARPS, bool EXCLUSIVE, bool REVERSE, int COLS>
void one(u64 rows, u64 cols, u64 stride, u64 shift, bool in_place) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  using Result = typename Spec::Result;
  const u64 tiles = std::max<u64>(1, (cols + Order::size - 1) / Order::size);
  Guarded<Element> x((rows - 1) * stride + cols, shift);
  Guarded<Result> y((rows - 1) * stride + cols, shift);
  for (u64 i = 0; i < x.count; i++) x[i] = sizeof(Element) == 1 ? Element(random_bits(i)) : Element(random_float(i));
  for (u64 i = 0; i < y.count; i++) std::memset(&y[i], 0x7A, sizeof(Result));
  const std::vector<Element> was(x.data(), x.data() + x.count);
  Result* out = in_place ? reinterpret_cast<Result*>(x.data()) : y.data();
  const wf::RowShape shape = {rows, cols, stride, stride};
  if (WARPS == 0) {
    const u64 warps = (rows + SETS * Order::groups - 1) / (SETS * Order::groups);
    emulator::launch(unsigned((warps + 1) / 2), 64, 2, [&] { wf::rows_scan<Spec, Order, 0, LOAD, STORE, SETS, EXCLUSIVE, REVERSE>({x.data()}, {out}, shape); });
  } else {
    constexpr int W = WARPS > 0 ? WARPS : 1;
    emulator::launch(2, W * 32, 2, [&] { wf::rows_scan_tiles<Spec, Order, LOAD, STORE, W, EXCLUSIVE, REVERSE, COLS>({x.data()}, {out}, shape); });
  }
  CHECK(x.intact() && y.intact(), "%llu x %llu", rows, cols);
  for (u64 r = 0; r < rows; r++) {
    auto element = [&](u64 q) { return REVERSE ? cols - 1 - q : q; };
    auto state = [&](u64 q) { return Spec::lift(Spec::template map<1>({{{was[r * stride + element(q)]}}}, {}, 0, {r, cols, 0}, {x.data()}, element(q)), element(q)); };
    const auto want = order::scan<Spec>({V, LANES, TURNS, tiles}, cols, EXCLUSIVE, state);
    for (u64 q = 0; q < cols; q++) {
      CHECK(same(out[r * stride + element(q)], want[q]), "row %llu, position %llu of %llu x %llu, stride %llu, shift %llu, exclusive %d, reverse %d",
            r, q, rows, cols, stride, shift, EXCLUSIVE, REVERSE);
    }
    for (u64 c = cols; c < stride && r + 1 < rows; c++) {
      const unsigned char* gap = reinterpret_cast<const unsigned char*>(&out[r * stride + c]);
      CHECK(in_place ? same(out[r * stride + c], *reinterpret_cast<const Result*>(&was[r * stride + c])) : gap[0] == 0x7A, "gap after row %llu", r);
    }
  }
}

template <class Spec, class Element, int V, int LANES, int TURNS, Load LOAD, Load STORE, int SETS, int WARPS, int COLS = 0>
void rows(u64 rows, u64 cols, u64 stride, u64 shift, bool in_place = false) {
  one<Spec, Element, V, LANES, TURNS, LOAD, STORE, SETS, WARPS, false, false, COLS>(rows, cols, stride, shift, in_place);
  one<Spec, Element, V, LANES, TURNS, LOAD, STORE, SETS, WARPS, true, false, COLS>(rows, cols, stride, shift, in_place);
  if (LOAD != Load::aligned) {
    constexpr Load L = LOAD == Load::aligned ? Load::any : LOAD, S = STORE == Load::aligned ? Load::any : STORE;
    one<Spec, Element, V, LANES, TURNS, L, S, SETS, WARPS, false, true, COLS>(rows, cols, stride, shift, in_place);
    one<Spec, Element, V, LANES, TURNS, L, S, SETS, WARPS, true, true, COLS>(rows, cols, stride, shift, in_place);
  }
}

int main() {
  for (u64 c = 1; c <= 32; c++) {
    rows<Sum, float, 4, 8, 1, Load::any, Load::any, 2, 0>(19, c, c, c % 4, c % 2 != 0);
    rows<InOrder, unsigned char, 4, 8, 1, Load::any, Load::any, 2, 0>(19, c, c + 1, 1);
    rows<Sum, float, 4, 8, 1, Load::aligned, Load::aligned, 4, 0>(37, c, 32, 0, true);
    if (c % 4 == 0) rows<OrderedSum, float, 4, 8, 1, Load::whole, Load::whole, 2, 0>(37, c, c, 0, true);
  }
  for (u64 c : {900, 1023, 1024}) {
    rows<Sum, float, 4, 32, 8, Load::any, Load::any, 1, 0>(3, c, c, 1, true);
    rows<OrderedSum, float, 4, 32, 8, Load::any, Load::any, 1, 0>(3, c, c + 1, 2);
  }
  for (u64 c : {65, 95, 96}) {
    rows<Sum, float, 1, 32, 3, Load::whole, Load::whole, 4, 0>(21, c, c, 1, true);
    rows<InOrder, unsigned char, 1, 32, 3, Load::whole, Load::whole, 2, 0>(21, c, c + 1, 3);
    rows<OrderedSum, float, 1, 32, 2, Load::whole, Load::whole, 1, 2>(5, c, c, 3, true);
  }
  rows<Sum, float, 1, 32, 20, Load::whole, Load::whole, 1, 0>(3, 513, 513, 1, true);
  rows<OrderedSum, float, 1, 32, 10, Load::whole, Load::whole, 1, 2>(3, 1033, 1033, 2);
  for (u64 c : {1, 127, 128, 129, 1000, 4096, 4097, 9000}) {
    rows<Sum, float, 4, 32, 1, Load::any, Load::any, 1, 1>(3, c, c, 1, true);
    rows<Sum, float, 4, 32, 1, Load::any, Load::any, 1, 4>(3, c, c, 3);
    rows<OrderedSum, float, 4, 8, 2, Load::any, Load::any, 1, 2>(3, c, c, 2, true);
    rows<InOrder, unsigned char, 16, 32, 1, Load::any, Load::any, 1, 2>(2, c, c, 5);
    rows<NarrowSum<wf::i8, false>, wf::i8, 16, 32, 1, Load::any, Load::any, 1, 2>(3, c, c, 1, true);
    rows<NeutralSum, float, 4, 32, 1, Load::any, Load::any, 1, 4>(3, c, c, 3);
    rows<InOrder, unsigned char, 4, 32, 1, Load::any, Load::any, 1, 8>(2, c, c, 5);
  }
  // Columns that fill a block once, and it knows.
  rows<Sum, float, 4, 32, 2, Load::whole, Load::whole, 1, 2, 512>(5, 512, 520, 0, true);
  rows<OrderedSum, float, 4, 32, 1, Load::whole, Load::whole, 1, 4, 512>(3, 512, 512, 0);
  rows<InOrder, unsigned char, 16, 8, 1, Load::whole, Load::whole, 1, 2, 1024>(3, 1024, 1040, 0);
  rows<NarrowSum<wf::i8, false>, wf::i8, 16, 32, 1, Load::whole, Load::whole, 1, 2, 1024>(3, 1024, 1024, 0, true);
  rows<OrderedSum, float, 4, 32, 8, Load::any, Load::any, 1, 4>(1, 40000, 40000, 1, true);
  std::printf("%ld checks\n", checks);
}
