// Array filters on the emulator: kept values and where they stood, in order, for any number of blocks at a time.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/rows_filter.cuh"
#include "../../runtime/kernels/record.cuh"
#include "../../runtime/kernels/array_filter.cuh"

using wf::Load;

template <int V, int TURNS, Load LOAD, int WARPS> void array(u64 n, u64 shift, int percent, unsigned grid, unsigned resident) {
  using Order = wf::TileOrder<V, 32, TURNS>;
  static Guarded<u64> records(1000);
  static Guarded<u32> control(4);
  static bool first = true;
  if (first) {
    std::memset(records.data(), 0, 8000);
    std::memset(control.data(), 0, 16);
    first = false;
  }
  Guarded<float> x(n, shift), y(n, 1);
  Guarded<u64> at(n, 1), count(1);
  for (u64 i = 0; i < n; i++) x[i] = random_bits(i) % 100 < unsigned(percent) ? 1.0f + float(i) : -1.0f;
  const wf::Relay relay = {records.data(), records.count, control.data()};
  const wf::RowShape shape = {1, n, n, n};
  std::vector<u64> want;
  for (u64 i = 0; i < n; i++) if (x[i] > 0.0f) want.push_back(i);
  count[0] = ~0ull;
  emulator::launch(grid, WARPS * 32, resident, [&] { wf::array_filter<Positive, Order, LOAD, WARPS>({x.data()}, {y.data()}, count.data(), shape, relay); });
  CHECK(count[0] == want.size(), "kept %llu of %llu, want %zu", count[0], n, want.size());
  for (u64 k = 0; k < want.size(); k++) CHECK(y[k] == x[want[k]], "value %llu of %llu", k, n);
  count[0] = ~0ull;
  emulator::launch(grid, WARPS * 32, resident, [&] {
    wf::array_filter<wf::Indices<Positive>, Order, LOAD, WARPS>({x.data()}, {at.data()}, count.data(), shape, relay);
  });
  CHECK(count[0] == want.size(), "indices: kept %llu of %llu, want %zu", count[0], n, want.size());
  for (u64 k = 0; k < want.size(); k++) CHECK(at[k] == want[k], "index %llu of %llu", k, n);
  CHECK(y.intact() && at.intact() && count.intact() && records.intact() && control.intact(), "n = %llu", n);
}

int main() {
  for (unsigned resident : {1, 3}) {
    for (int percent : {0, 1, 50, 100}) {
      for (u64 n : {0, 1, 31, 32, 33, 127, 128, 129, 1000, 5000, 20000}) {
        array<4, 1, Load::any, 2>(n, 1, percent, 5, resident);
        array<4, 2, Load::any, 4>(n, 0, percent, 2, resident);
      }
    }
  }
  array<4, 8, Load::whole, 8>(65536, 0, 50, 3, 2);
  std::printf("%ld checks\n", checks);
}
