// Array scans on the emulator: the bits do not depend on how many blocks run, nor on what scratch held before.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/scan.cuh"
#include "../../runtime/kernels/record.cuh"
#include "../../runtime/kernels/array_scan.cuh"
#include "../../runtime/kernels/array_scan_resident.cuh"
#include "../../runtime/kernels/bulk.cuh"
#include "../../runtime/kernels/ring.cuh"
#include "../../runtime/kernels/array_scan_bulk.cuh"

using wf::Load;

// Scratch that all launches share, as launches on one stream do.
struct Area {
  Guarded<u64> records{400000};
  Guarded<u32> control{4};
  Area(u32 number) {
    std::memset(records.data(), 0, records.count * 8);
    std::memset(control.data(), 0, 16);
    control[2] = number;
  }
  wf::Relay relay() { return {records.data(), records.count, control.data()}; }
};

// BULK: turns at a time in the kernel with bulk copies; 0 is the kernel for any size, -1 that whose blocks all run at once.
template <class Spec, class Element, int V, int LANES, int TURNS, Load LOAD, int WARPS, bool EXCLUSIVE, bool REVERSE, int BULK = 0>
void one(Area& area, u64 rows, u64 cols, u64 shift, unsigned grid, unsigned resident, bool in_place) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  using Result = typename Spec::Result;
  const u64 tiles = (cols + Order::size - 1) / Order::size;
  Guarded<Element> x(rows * cols, shift);
  Guarded<Result> y(rows * cols, shift);
  for (u64 i = 0; i < x.count; i++) x[i] = std::is_integral_v<Element> ? Element(random_bits(i)) : Element(random_float(i));
  const std::vector<Element> was(x.data(), x.data() + x.count);
  Result* out = in_place ? reinterpret_cast<Result*>(x.data()) : y.data();
  CHECK(wf::scan_words(rows, tiles, WARPS * Order::groups, wf::Record<typename Spec::State>::words) <= area.records.count, "the area is too small for the test");
  if constexpr (BULK > 0) {
    CHECK(wf::scan_bulk_words(tiles, WARPS, wf::Record<typename Spec::State>::words) <= area.records.count, "the area is too small for the test");
    emulator::launch(grid, (2 + WARPS / 2 + WARPS) * 32, resident, [&] {
      wf::array_scan_bulk<Spec, Order, LOAD, LOAD, WARPS, WARPS / 2, 3, BULK, sizeof(Element), EXCLUSIVE, REVERSE>({x.data()}, {out}, {rows, cols, cols, cols}, area.relay());
    });
  } else if constexpr (BULK < 0) {
    CHECK(wf::resident_words(tiles, WARPS, wf::Record<typename Spec::State>::words) <= area.records.count, "the area is too small for the test");
    const unsigned all = unsigned((tiles + WARPS - 1) / WARPS);
    emulator::launch(all, WARPS * 32, all, [&] {
      wf::array_scan_resident<Spec, Order, LOAD, LOAD, WARPS, EXCLUSIVE, REVERSE>({x.data()}, {out}, {rows, cols, cols, cols}, area.relay());
    });
  } else {
    emulator::launch(grid, WARPS * 32, resident, [&] {
      wf::array_scan<Spec, Order, LOAD, LOAD, WARPS, EXCLUSIVE, REVERSE>({x.data()}, {out}, {rows, cols, cols, cols}, area.relay());
    });
  }
  CHECK(x.intact() && y.intact() && area.records.intact() && area.control.intact(), "%llu x %llu", rows, cols);
  CHECK(area.control[0] == 0 && area.control[1] == 0, "the control words are not reset");
  for (u64 r = 0; r < rows; r++) {
    auto element = [&](u64 q) { return r * cols + (REVERSE ? cols - 1 - q : q); };
    auto state = [&](u64 q) { return Spec::lift(Spec::template map<1>({{{was[element(q)]}}}, {}, 0, {r, cols, 0}, {x.data()}, element(q) - r * cols), 0); };
    const auto want = order::scan<Spec>({V, LANES, TURNS, tiles}, cols, EXCLUSIVE, state);
    for (u64 q = 0; q < cols; q++) {
      CHECK(same(out[element(q)], want[q]), "row %llu, position %llu of %llu x %llu, grid %u, resident %u, exclusive %d, reverse %d", r, q, rows, cols, grid, resident, EXCLUSIVE, REVERSE);
    }
  }
}

template <class Spec, class Element, int V, int LANES, int TURNS, int WARPS> void all(Area& area, u64 rows, u64 cols, unsigned grid, unsigned resident) {
  constexpr bool place = std::is_same_v<Element, typename Spec::Result>;
  one<Spec, Element, V, LANES, TURNS, Load::any, WARPS, false, false>(area, rows, cols, 1, grid, resident, place);
  one<Spec, Element, V, LANES, TURNS, Load::any, WARPS, true, false>(area, rows, cols, 2, grid, resident, false);
  one<Spec, Element, V, LANES, TURNS, Load::any, WARPS, false, true>(area, rows, cols, 3, grid, resident, false);
  one<Spec, Element, V, LANES, TURNS, Load::any, WARPS, true, true>(area, rows, cols, 1, grid, resident, place);
}

// The kernel with bulk copies: inputs that start at 16 bytes, of any length but backwards.
template <class Spec, class Element, int V, int TURNS, int WARPS, int CHUNK> void bulk(Area& area, u64 n, unsigned grid, unsigned resident) {
  constexpr bool place = std::is_same_v<Element, typename Spec::Result>;
  one<Spec, Element, V, 32, TURNS, Load::aligned, WARPS, false, false, CHUNK>(area, 1, n, 0, grid, resident, place);
  one<Spec, Element, V, 32, TURNS, Load::aligned, WARPS, true, false, CHUNK>(area, 1, n, 0, grid, resident, false);
  const u64 m = (n + 15) / 16 * 16;
  one<Spec, Element, V, 32, TURNS, Load::whole, WARPS, false, true, CHUNK>(area, 1, m, 0, grid, resident, false);
  one<Spec, Element, V, 32, TURNS, Load::whole, WARPS, true, true, CHUNK>(area, 1, m, 0, grid, resident, place);
}

// The kernel whose blocks all run at once, at any address.
template <class Spec, class Element, int V, int TURNS, int WARPS> void small(Area& area, u64 n) {
  constexpr bool place = std::is_same_v<Element, typename Spec::Result>;
  one<Spec, Element, V, 32, TURNS, Load::any, WARPS, false, false, -1>(area, 1, n, 1, 0, 0, place);
  one<Spec, Element, V, 32, TURNS, Load::any, WARPS, true, false, -1>(area, 1, n, 2, 0, 0, false);
  one<Spec, Element, V, 32, TURNS, Load::any, WARPS, false, true, -1>(area, 1, n, 3, 0, 0, false);
  one<Spec, Element, V, 32, TURNS, Load::any, WARPS, true, true, -1>(area, 1, n, 1, 0, 0, place);
}

int main() {
  Area area(0);
  for (unsigned resident : {1, 3}) {
    for (u64 n : {1, 129, 1024, 4096, 4097, 9001, 20000, 40961}) {
      bulk<Sum, float, 4, 1, 4, 1>(area, n, 5, resident);
      bulk<OrderedSum, float, 4, 2, 8, 1>(area, n, 2, resident);
    }
    for (u64 n : {3000, 20001}) bulk<InOrder, unsigned char, 4, 2, 4, 2>(area, n, 4, resident);
    for (u64 n : {1, 511, 4095, 4096, 8192, 12289, 20000}) {
      bulk<NarrowSum<wf::i8, false>, wf::i8, 16, 2, 4, 1>(area, n, 3, resident);
      bulk<NarrowSum<wf::i16, true>, wf::i16, 8, 2, 4, 2>(area, n, 3, resident);
      bulk<NarrowSum<wf::i16, false>, wf::i16, 8, 4, 4, 2>(area, n, 3, resident);
      bulk<Largest, wf::i8, 16, 2, 4, 2>(area, n, 3, resident);
      bulk<NeutralSum, float, 4, 4, 4, 2>(area, n, 3, resident);
    }
  }
  for (unsigned resident : {1, 3}) {
    for (u64 n : {1, 127, 128, 129, 1000, 4096, 4097, 9000, 20000}) {
      all<Sum, float, 4, 32, 1, 2>(area, 1, n, 5, resident);
      all<OrderedSum, float, 4, 32, 1, 8>(area, 1, n, 2, resident);
      all<InOrder, unsigned char, 4, 8, 2, 2>(area, 1, n, 4, resident);
      all<NarrowSum<wf::i16, false>, wf::i16, 8, 8, 2, 2>(area, 1, n, 4, resident);
      all<NarrowSum<wf::i8, false>, wf::i8, 16, 32, 2, 4>(area, 1, n, 3, resident);
      all<NeutralSum, float, 4, 8, 2, 2>(area, 1, n, 3, resident);
    }
    all<OrderedSum, float, 4, 32, 2, 4>(area, 3, 9001, 4, resident);
  }
  one<Sum, float, 4, 32, 8, Load::whole, 4, false, false>(area, 1, 131072, 0, 3, 3, true);
  for (u64 n : {1, 127, 128, 129, 1000, 4096, 4097, 9000, 20000}) {
    small<Sum, float, 4, 1, 2>(area, n);
    small<OrderedSum, float, 4, 1, 8>(area, n);
    small<InOrder, unsigned char, 4, 1, 4>(area, n);
    small<NarrowSum<wf::i8, false>, wf::i8, 16, 2, 2>(area, n);
    small<NarrowSum<wf::i16, false>, wf::i16, 8, 1, 8>(area, n);
    small<NarrowSum<wf::i8, true>, wf::i8, 16, 1, 4>(area, n);
    small<Largest, wf::i8, 16, 1, 8>(area, n);
    small<NeutralSum, float, 4, 2, 4>(area, n);
  }
  small<OrderedSum, float, 1, 1, 16>(area, 10273);
  // More spans than a warp has lanes.
  for (u64 n : {32 * 1024 + 1, 32 * 2048}) small<OrderedSum, float, 1, 1, 16>(area, n);
  // The numbers of launches run out: old records must not be taken for new ones.
  Area old(0xfffffffdu);
  for (int k = 0; k < 4; k++) one<Sum, float, 4, 32, 1, Load::any, 2, true, false>(old, 1, 9000 - 1000 * u64(k), 0, 4, 2, false);
  CHECK(old.control[2] == 2, "the number after the last");
  Area again(0xfffffffdu);
  for (int k = 0; k < 4; k++) one<Sum, float, 4, 32, 1, Load::any, 2, true, false, -1>(again, 1, 9000 - 1000 * u64(k), 0, 0, 0, false);
  CHECK(again.control[2] == 2, "the number after the last");
  std::printf("%ld checks\n", checks);
}
