// Array filters on the emulator: kept values and where they stood, in order, for any number of blocks at a time.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/rows_filter.cuh"
#include "../../runtime/kernels/record.cuh"
#include "../../runtime/kernels/array_filter.cuh"
#include "../../runtime/kernels/bulk.cuh"
#include "../../runtime/kernels/ring.cuh"
#include "../../runtime/kernels/array_filter_bulk.cuh"

using wf::Load;

// A filter whose results are narrower than its elements.
struct Bytes : Positive {
  using Result = unsigned char;
  struct Results { Result* r0; };
  template <int V> static Result kept(const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, u64) { return static_cast<Result>(x.x.v[i]); }
  template <int V, class W> static void store(const Results& r, const Result (&values)[V], const W& write) {
    wf::Pack<Result, V> p;
    for (int i = 0; i < V; i++) p.v[i] = values[i];
    write.template put<V>(r.r0, p);
  }
};

// Ragged: keeps nothing from `live` on.
struct Cut : Positive {
  static constexpr bool has_live = true;
  struct Args { const float* x; u32 live; };
  static Row row(const Args& a, u64 row, u64 len) { return {row, len, a.live}; }
  template <int V, class R> static Items<V> items(const Args& a, const R& read) { return {read.template get<V>(a.x)}; }
  template <int V> static bool keeps(const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, u64) { return x.x.v[i] > 0.0f; }
  template <int V> static float kept(const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, u64) { return x.x.v[i]; }
};

// Scratch that all launches share, as launches on one stream do.
struct Area {
  Guarded<u64> records{1000};
  Guarded<u32> control{4};
  Area() {
    std::memset(records.data(), 0, records.count * 8);
    std::memset(control.data(), 0, 16);
  }
  wf::Relay relay() { return {records.data(), records.count, control.data()}; }
};

// One filter; BULK is turns at a time of the kernel with bulk copies, 0 the kernel for any size, -1 that whose blocks all run at once.
template <class Spec, int V, int TURNS, Load LOAD, int WARPS, int BULK, class Result, class Want>
void one(const char* name, const typename Spec::Args& args, Guarded<float>& x, u64 shift, unsigned grid, unsigned resident, const std::vector<u64>& kept, const Want& want) {
  using Order = wf::TileOrder<V, 32, TURNS>;
  static Area area;
  const u64 n = x.count;
  Guarded<Result> y(n, shift);
  Guarded<u64> count(1);
  count[0] = ~0ull;
  const wf::RowShape shape = {1, n, n, n};
  if constexpr (BULK > 0) {
    emulator::launch(grid, (2 + WARPS / 2 + WARPS) * 32, resident, [&] {
      wf::array_filter_bulk<Spec, Order, LOAD, WARPS, WARPS / 2, 3, BULK, 4>(args, {y.data()}, count.data(), shape, area.relay());
    });
  } else if constexpr (BULK < 0) {
    const unsigned all = unsigned(std::max<u64>(1, (n + WARPS * Order::size - 1) / (WARPS * Order::size)));
    emulator::launch(all, WARPS * 32, all, [&] {
      wf::array_filter_resident<Spec, Order, LOAD, WARPS>(args, {y.data()}, count.data(), shape, area.relay());
    });
  } else {
    emulator::launch(grid, WARPS * 32, resident, [&] {
      wf::array_filter<Spec, Order, LOAD, WARPS>(args, {y.data()}, count.data(), shape, area.relay());
    });
  }
  CHECK(count[0] == kept.size(), "%s: kept %llu of %llu, want %zu", name, count[0], n, kept.size());
  for (u64 k = 0; k < kept.size(); k++) CHECK(y[k] == want(kept[k]), "%s %llu of %llu, bulk %d", name, k, n, BULK);
  for (u64 k = kept.size() * sizeof(Result); k < n * sizeof(Result); k++)
    CHECK(reinterpret_cast<unsigned char*>(y.data())[k] == 0xC3, "%s: wrote past the %zu kept of %llu", name, kept.size(), n);
  CHECK(y.intact() && count.intact() && area.records.intact() && area.control.intact(), "n = %llu", n);
  CHECK(area.control[0] == 0 && area.control[1] == 0, "the control words are not reset");
}

template <int V, int TURNS, Load LOAD, int WARPS, int BULK = 0> void array(u64 n, u64 shift, int percent, unsigned grid, unsigned resident) {
  Guarded<float> x(n, shift);
  for (u64 i = 0; i < n; i++) x[i] = random_bits(i) % 100 < unsigned(percent) ? 1.0f + float(i % 251) : -1.0f;
  std::vector<u64> kept;
  for (u64 i = 0; i < n; i++) if (x[i] > 0.0f) kept.push_back(i);
  const u64 out = BULK > 0 ? 0 : 1;
  one<Positive, V, TURNS, LOAD, WARPS, BULK, float>("value", {x.data()}, x, out, grid, resident, kept, [&](u64 i) { return x[i]; });
  one<wf::Indices<Positive>, V, TURNS, LOAD, WARPS, BULK, u64>("index", {x.data()}, x, out, grid, resident, kept, [&](u64 i) { return i; });
  one<Bytes, V, TURNS, LOAD, WARPS, BULK, unsigned char>("byte", {x.data()}, x, out, grid, resident, kept, [&](u64 i) { return static_cast<unsigned char>(x[i]); });
  // Bulk copies are for arrays without `live`.
  if constexpr (BULK <= 0) {
    for (u64 live : {u64(0), u64(1), u64(33), n / 2, n - (n > 0), n, n + 5}) {
      std::vector<u64> first;
      for (u64 i : kept) if (i < live) first.push_back(i);
      const Cut::Args args = {x.data(), u32(live)};
      one<Cut, V, TURNS, LOAD, WARPS, BULK, float>("live value", args, x, out, grid, resident, first, [&](u64 i) { return x[i]; });
      one<wf::Indices<Cut>, V, TURNS, LOAD, WARPS, BULK, u64>("live index", args, x, out, grid, resident, first, [&](u64 i) { return i; });
    }
  }
}

int main() {
  for (unsigned resident : {1, 3}) {
    for (int percent : {0, 1, 50, 100}) {
      for (u64 n : {0, 1, 31, 32, 33, 127, 128, 129, 1000, 5000, 20000}) {
        array<4, 1, Load::any, 2>(n, 1, percent, 5, resident);
        array<4, 2, Load::any, 4>(n, 0, percent, 2, resident);
        array<4, 1, Load::any, 2, -1>(n, 1, percent, 0, 0);
      }
    }
  }
  array<4, 8, Load::whole, 8>(65536, 0, 50, 3, 2);
  for (unsigned resident : {1, 3}) {
    for (int percent : {0, 1, 50, 99, 100}) {
      for (u64 n : {1, 3, 129, 1024, 4096, 4097, 9001, 40961}) {
        array<4, 1, Load::aligned, 4, 1>(n, 0, percent, 5, resident);
        array<4, 4, Load::aligned, 8, 2>(n, 0, percent, 2, resident);
      }
    }
  }
  std::printf("%ld checks\n", checks);
}
