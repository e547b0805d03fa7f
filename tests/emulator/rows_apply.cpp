// Row results an element on the emulator against the order spelled out, in place and out of place.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/rows_reduce.cuh"
#include "../../runtime/kernels/rows_apply.cuh"
#include "../../runtime/kernels/record.cuh"
#include "../../runtime/kernels/bulk.cuh"
#include "../../runtime/kernels/cluster.cuh"
#include "../../runtime/kernels/rows_apply_cluster.cuh"

using wf::Load;

enum class Entry { kept, block, again, totals, cluster };

// The same operator combined in order, as a closure is.
struct Closure : Plain<Closure, float, MaxSum, false> {
  static constexpr bool has_apply = true;
  using Mapped = float;
  using Result = float;
  using Results = Softmax::Results;
  static MaxSum lift(float x, u64 index) { return Softmax::lift(x, index); }
  static MaxSum identity() { return Softmax::identity(); }
  static MaxSum combine(const MaxSum& a, const MaxSum& b) { return Softmax::combine(a, b); }
  template <int V> static float map(const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, u64) { return x.x.v[i]; }
  template <int V, class D> static float apply(const D&, const MaxSum& t, const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, u64) {
    return expf(x.x.v[i] - t.max) / t.sum;
  }
  template <int V, class W> static void store(const Results& r, const float (&values)[V], const W& write) { Softmax::store<V>(r, values, write); }
  static float finish(const MaxSum& s, const Row&, const Args&) { return s.max; }
};

template <class Spec, class Order, int COLS, int TILES, Load LOAD, Load STORE, int SETS>
void run(Entry entry, const typename Spec::Args& args, const typename Spec::Results& results, wf::RowShape shape) {
  const u64 tiles = (shape.cols + Order::size - 1) / Order::size;
  if (entry == Entry::kept) {
    const u64 warps = (shape.rows + SETS * Order::groups - 1) / (SETS * Order::groups);
    emulator::launch(unsigned((warps + 1) / 2), 64, 2, [&] { wf::rows_apply<Spec, Order, COLS, TILES, LOAD, STORE, SETS>(args, results, shape); });
  } else if (entry == Entry::block) {
    const u64 warps = (tiles + Order::groups - 1) / Order::groups;
    emulator::launch(2, unsigned(warps * 32), 2, [&] { wf::rows_apply_block<Spec, Order, LOAD, STORE>(args, results, shape); });
  } else if (entry == Entry::again) {
    emulator::launch(2, 96, 2, [&] { wf::rows_apply_again<Spec, Order, LOAD, STORE, 3>(args, results, shape); });
  } else if (entry == Entry::cluster) {
    if constexpr (Order::lanes == 32 && LOAD != Load::aligned) {
      Guarded<u64> records(1);
      Guarded<u32> control(4);
      for (u64 i = 0; i < 4; i++) control[i] = 0;
      const wf::Relay relay = {records.data(), 0, control.data()};
      const unsigned clusters = unsigned(shape.rows % 3 + 1);
      // In place there is nothing left to read for a second launch.
      for (u32 launch = 1; launch <= (results.r0 == args.x ? 1 : 2); launch++) {
        emulator::bytes_read() = 0;
        emulator::launch(clusters * 8, 32 * (1 + SETS * TILES), (clusters + 1) / 2 * 8, [&] { wf::rows_apply_cluster<Spec, Order, LOAD, STORE, TILES, SETS, SETS + 1, 4, 1>(args, results, shape, relay); }, 8);
        CHECK(control[0] == 0 && control[1] == 0 && control[2] == launch, "the relay is not ready for the next launch");
      }
      CHECK(records.intact() && control.intact(), "relay");
    }
  } else {
    using Sums = wf::Totals<Spec>;
    const u64 bytes = wf::Slot<MaxSum>::bytes;
    Guarded<unsigned char> totals(shape.rows * bytes), states(shape.rows * wf::scratch_slots(tiles, 8) * bytes);
    Guarded<u32> tickets(shape.rows);
    for (u64 r = 0; r < shape.rows; r++) tickets[r] = 0;
    emulator::launch(5, 64, 3, [&] { wf::rows_reduce_parts<Sums, Order, LOAD, 2, 8>(args, {totals.data()}, {shape.rows, shape.cols, shape.stride, 1}, {states.data(), tickets.data()}); });
    emulator::launch(5, 64, 3, [&] { wf::rows_apply_totals<Spec, Order, LOAD, STORE>(args, results, shape, totals.data()); });
    CHECK(totals.intact() && states.intact(), "scratch");
  }
}

template <int V, int LANES, int TURNS, int TILES, Load LOAD, Load STORE, int SETS, int COLS = 0, class Spec = Softmax>
void rows(Entry entry, u64 rows, u64 cols, u64 stride, u64 out_stride, u64 shift, bool in_place = false) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  const u64 tiles = std::max<u64>(1, (cols + Order::size - 1) / Order::size);
  Guarded<float> x((rows - 1) * stride + cols, shift), y((rows - 1) * out_stride + cols, (shift * 3) % 4);
  for (u64 i = 0; i < x.count; i++) x[i] = 8 * random_float(i);
  std::vector<float> was(x.data(), x.data() + x.count);
  for (u64 i = 0; i < y.count; i++) y[i] = -7.0f;
  float* out = in_place ? x.data() : y.data();
  emulator::bytes_read() = 0;
  run<Spec, Order, COLS, TILES, LOAD, STORE, SETS>(entry, {x.data()}, {out}, {rows, cols, stride, out_stride});
  // A row that stays in registers or shared memory is read once, but for what lies across the edges of the loads and what is read in the
  // place of elements past its end; a longer one twice.
  const u64 elements = rows * cols * sizeof(float);
  const bool once = entry == Entry::kept || entry == Entry::block || entry == Entry::cluster;
  if (cols >= 500) CHECK((emulator::bytes_read() < elements * 3 / 2) == once && emulator::bytes_read() >= elements, "%llu bytes read of %llu", (unsigned long long)emulator::bytes_read(), elements);
  CHECK(x.intact() && y.intact(), "%llu x %llu", rows, cols);
  for (u64 r = 0; r < rows; r++) {
    auto mapped = [&](u64 i) { return was[r * stride + i]; };
    const MaxSum total = order::reduce<Spec>({V, LANES, TURNS, tiles}, cols, [&](u64 i) { return Spec::lift(mapped(i), i); }, mapped);
    for (u64 c = 0; c < out_stride && (r + 1 < rows || c < cols); c++) {
      const float want = c < cols ? expf(was[r * stride + c] - total.max) / total.sum : in_place ? was[r * stride + c] : -7.0f;
      CHECK(same(out[r * out_stride + c], want), "row %llu, column %llu of %llu x %llu, strides %llu, %llu, shift %llu", r, c, rows, cols, stride, out_stride, shift);
    }
  }
}

// Results of two arrays, of which one is wider than its pack: nothing but the values is checked.
void shares(u64 rows, u64 cols) {
  using Order = wf::TileOrder<2, 8, 4>;
  Guarded<float> x(rows * cols, 1), gamma(cols, 3), share(rows * cols, 2);
  Guarded<double> y(rows * cols, 1);
  Guarded<u32> live(rows);
  Guarded<u64> where(rows * cols, 1);
  for (u64 i = 0; i < x.count; i++) { x[i] = random_float(i); y[i] = random_float(i + 77); }
  for (u64 c = 0; c < cols; c++) gamma[c] = random_float(c + 999);
  for (u64 r = 0; r < rows; r++) live[r] = random_bits(r) % (u32(cols) + 1);
  Share::Args args{x.data(), y.data(), gamma.data(), live.data()};
  emulator::launch(1, 64, 1, [&] { wf::rows_apply<Share, Order, 0, 1, Load::any, Load::any, 1>(args, {share.data(), where.data()}, {rows, cols, cols, cols}); });
  for (u64 r = 0; r < rows; r++) {
    auto state = [&](u64 i) { return x[r * cols + i] * gamma[i] + float(y[r * cols + i]); };
    const float total = order::reduce<Ragged>({2, 8, 4, 1}, std::min<u64>(live[r], cols), state, state);
    for (u64 c = 0; c < cols; c++) {
      CHECK(same(share[r * cols + c], x[r * cols + c] * gamma[c] / total) && where[r * cols + c] == r * 100000 + c, "share %llu, %llu", r, c);
    }
  }
  CHECK(share.intact() && where.intact(), "shares");
}

int main() {
  for (u64 c = 1; c <= 32; c++) {
    for (u64 shift = 0; shift < 4; shift++) {
      rows<4, 8, 1, 1, Load::any, Load::any, 2>(Entry::kept, 19, c, c, c, shift);
      rows<4, 8, 1, 1, Load::any, Load::any, 2>(Entry::kept, 19, c, c, c, shift, true);
    }
    rows<4, 8, 1, 1, Load::aligned, Load::aligned, 4>(Entry::kept, 70, c, 32, 36, 0);
    if (c % 4 == 0) rows<4, 8, 1, 1, Load::whole, Load::whole, 4>(Entry::kept, 70, c, c, c, 0, true);
  }
  rows<4, 8, 1, 1, Load::any, Load::any, 4, 21>(Entry::kept, 133, 21, 21, 21, 1);
  rows<4, 32, 8, 1, Load::any, Load::any, 1>(Entry::kept, 3, 1021, 1022, 1023, 1);
  for (u64 c : {257, 300, 383, 384}) rows<4, 32, 1, 3, Load::any, Load::any, 1>(Entry::kept, 5, c, c, c, 1, true);
  rows<4, 8, 2, 4, Load::any, Load::any, 2>(Entry::kept, 9, 255, 255, 257, 1);
  for (u64 c : {65, 95, 96}) {
    rows<1, 32, 3, 1, Load::whole, Load::whole, 4>(Entry::kept, 21, c, c, c, 1, true);
    rows<1, 32, 2, 1, Load::whole, Load::whole, 1>(Entry::block, 5, c, c, c, 3);
  }
  rows<1, 32, 20, 1, Load::whole, Load::whole, 1>(Entry::kept, 5, 513, 513, 513, 3);
  rows<1, 32, 20, 1, Load::whole, Load::whole, 1, 0, Closure>(Entry::kept, 5, 513, 513, 513, 3);
  rows<1, 32, 24, 1, Load::whole, Load::whole, 1, 0, Closure>(Entry::block, 3, 2049, 2049, 2049, 1, true);
  rows<4, 32, 8, 1, Load::any, Load::any, 1, 0, Closure>(Entry::again, 3, 5000, 5000, 5000, 1);
  for (u64 c = 1; c <= 32; c++) {
    rows<4, 8, 1, 1, Load::any, Load::any, 4, 0, Closure>(Entry::kept, 39, c, c, c, 1, true);
    rows<4, 8, 1, 1, Load::aligned, Load::aligned, 2, 0, Closure>(Entry::kept, 23, c, 32, 36, 0);
    rows<1, 32, 1, 1, Load::whole, Load::whole, 4, 0, Closure>(Entry::kept, 11, c, c, c, 3);
  }
  rows<1, 32, 24, 1, Load::whole, Load::whole, 1>(Entry::block, 3, 2049, 2049, 2049, 1, true);
  rows<1, 32, 2, 1, Load::whole, Load::whole, 1>(Entry::again, 3, 2049, 2049, 2049, 1, true);
  rows<1, 32, 2, 1, Load::whole, Load::whole, 1>(Entry::totals, 3, 2049, 2049, 2049, 1);
  for (u64 c : {65, 129, 500, 1000, 4096}) {
    if (c > 128) rows<4, 32, 1, 1, Load::any, Load::any, 1>(Entry::block, 5, c, c, c, 1, true);
    if (c <= 2048) rows<4, 8, 2, 1, Load::any, Load::any, 1>(Entry::block, 5, c, c + 1, c, 2);
    rows<4, 32, 1, 1, Load::any, Load::any, 1>(Entry::again, 5, c, c, c, 3, true);
    rows<4, 32, 1, 1, Load::any, Load::any, 1>(Entry::totals, 5, c, c, c + 1, 3);
  }
  for (u64 c : {4097, 9000}) {
    rows<4, 32, 1, 1, Load::any, Load::any, 1>(Entry::again, 3, c, c, c, 3, true);
    rows<4, 8, 4, 1, Load::any, Load::any, 1>(Entry::again, 3, c, c, c, 3);
    rows<4, 32, 1, 1, Load::any, Load::any, 1>(Entry::totals, 3, c, c, c, 1, true);
  }
  // A tile is 128 elements: rows that end in each block, in its first tile and its last, and in the middle of one.
  for (u64 c : {4, 128, 132, 640, 1000, 2044, 2048}) {
    for (u64 shift = 0; shift < 4; shift++) rows<4, 32, 1, 2, Load::any, Load::any, 2>(Entry::cluster, 9, c, c, c, shift, shift % 2 == 0);
    rows<4, 32, 1, 2, Load::whole, Load::whole, 3>(Entry::cluster, 20, c, c + 4, c + 8, 0);
    rows<4, 32, 1, 2, Load::any, Load::any, 1>(Entry::cluster, 7, c, c + 3, c + 5, 1);
  }
  for (u64 c : {65, 1023, 1025, 3071}) {
    for (u64 rows_of : {1, 2, 31}) rows<1, 32, 4, 3, Load::whole, Load::whole, 3>(Entry::cluster, rows_of, c, c, c, c % 4, rows_of == 2);
    rows<1, 32, 2, 6, Load::any, Load::any, 1, 0, Closure>(Entry::cluster, 11, c, c + 1, c, 3);
    rows<1, 32, 4, 3, Load::whole, Load::whole, 5>(Entry::cluster, 37, c, c, c, 1);
  }
  rows<4, 32, 2, 16, Load::whole, Load::whole, 1>(Entry::cluster, 3, 32768, 32768, 32768, 0, true);
  for (u64 c : {1, 7, 33, 64}) shares(7, c);
  std::printf("%ld checks\n", checks);
}
