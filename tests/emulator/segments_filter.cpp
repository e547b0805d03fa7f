// Filters of segments on the emulator: kept values one behind the other, and where each segment's part starts.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/rows_filter.cuh"
#include "../../runtime/kernels/record.cuh"
#include "../../runtime/kernels/segments.cuh"
#include "../../runtime/kernels/segments_filter.cuh"

using wf::Load;

// Keeps what is above its segment's limit where its column is wanted, ragged; stores what and where.
struct Placed : Ragged {
  struct Args { const float* x; const float* wanted; const float* limit; const u32* live; u64 rows; };
  struct Row { u64 row, len; u32 live; float limit; };
  static Row row(const Args& a, u64 row, u64 len) {
    CHECK(row < a.rows, "row %llu of %llu is read", row, a.rows);
    return {row, len, a.live[row], a.limit[row]};
  }
  template <int V> struct Items { wf::Pack<float, V> x; };
  template <int V> struct Columns { wf::Pack<float, V> wanted; };
  template <int V, class R> static Items<V> items(const Args& a, const R& read) { return {read.template get<V>(a.x)}; }
  template <int V, class R> static Columns<V> columns(const Args& a, const R& read) { return {read.template get<V>(a.wanted)}; }
  template <int V> static bool keeps(const Items<V>& x, const Columns<V>& c, int i, const Row& r, const Args&, u64) { return x.x.v[i] > r.limit && c.wanted.v[i] > 0.0f; }
  template <int V> static Pair kept(const Items<V>& x, const Columns<V>&, int i, const Row& r, const Args&, u64 index) { return {x.x.v[i], (r.row * 1000 + r.len) * 100000 + index}; }
};

struct Scratch {
  Guarded<u64> records{1000}, ranks{4000}, count{1};
  Guarded<u32> control{4}, votes{40000};
  Scratch() { std::memset(records.data(), 0, 8000), std::memset(control.data(), 0, 16); }
  wf::Relay relay() { return {records.data(), records.count, control.data()}; }
  wf::SegmentMarks marks(u64 segments, u64 elements) { return {segments, elements, ranks.data(), votes.data(), count.data()}; }
  bool intact() const { return records.intact() && ranks.intact() && count.intact() && control.intact() && votes.intact(); }
};
static Scratch& scratch() {
  static Scratch one;
  return one;
}

template <class Offset> std::vector<Offset> lengths(u64 seed, u64 segments, u64 most) {
  std::vector<Offset> offsets{Offset(seed % 7)};
  for (u64 i = 0; i < segments; i++) {
    const u64 kind = random_bits(seed + 3 * i) % 6, bits = random_bits(seed + 3 * i + 1);
    offsets.push_back(Offset(u64(offsets.back()) + (kind < 2 ? 0 : kind < 4 ? bits % 9 : kind == 4 ? bits % 100 : bits % most)));
  }
  return offsets;
}

template <class Offset, int V, int TURNS, Load LOAD> void plain(const std::vector<Offset>& offsets, u64 elements, u64 shift, int percent, unsigned resident) {
  using Order = wf::TileOrder<V, 32, TURNS>;
  const u64 segments = offsets.size() - 1;
  Guarded<float> x(elements, shift), y(elements, 1);
  Guarded<Offset> starts(segments + 1);
  for (u64 i = 0; i < elements; i++) x[i] = random_bits(i) % 100 < unsigned(percent) ? 1.0f + float(i) : -1.0f;
  Scratch& s = scratch();
  const auto marks = s.marks(segments, elements);
  s.count[0] = ~0ull;
  emulator::launch(3, 64, resident, [&] { wf::segments_filter<Positive, Order, LOAD, Offset, false, 2>({x.data()}, {y.data()}, offsets.data(), marks, s.relay()); });
  emulator::launch(2, 64, resident, [&] { wf::segments_filter_offsets<Positive, Order, Offset>({x.data()}, {y.data()}, offsets.data(), marks, starts.data()); });
  u64 kept = 0;
  for (u64 r = 0; r < segments; r++) {
    CHECK(u64(starts[r]) == kept, "segment %llu starts at %llu, want %llu", r, u64(starts[r]), kept);
    for (u64 i = u64(offsets[r]); i < u64(offsets[r + 1]); i++) if (x[i] > 0.0f) CHECK(y[kept++] == x[i], "element %llu of segment %llu", i, r);
  }
  CHECK(u64(starts[segments]) == kept && s.count[0] == kept, "%llu kept, want %llu", s.count[0], kept);
  CHECK(y.intact() && starts.intact() && s.intact(), "%llu segments of %llu", segments, elements);
}

template <class Offset, int TURNS> void placed(const std::vector<Offset>& offsets, u64 elements, unsigned resident) {
  using Order = wf::TileOrder<1, 32, TURNS>;
  const u64 segments = offsets.size() - 1;
  u64 longest = 0;
  for (u64 r = 0; r < segments; r++) longest = std::max(longest, u64(offsets[r + 1]) - u64(offsets[r]));
  Guarded<float> x(elements, 1), y(elements, 1), wanted(longest), limit(std::max<u64>(segments, 1));
  Guarded<u64> where(elements, 1);
  Guarded<u32> live(std::max<u64>(segments, 1));
  Guarded<Offset> starts(segments + 1);
  for (u64 i = 0; i < elements; i++) x[i] = random_float(i);
  for (u64 i = 0; i < longest; i++) wanted[i] = random_bits(i + 5) % 3 ? 1.0f : 0.0f;
  for (u64 r = 0; r < segments; r++) limit[r] = random_float(r + 9), live[r] = random_bits(r) % 4 ? 1000000 : random_bits(r + 1) % 40;
  Scratch& s = scratch();
  const auto marks = s.marks(segments, elements);
  const Placed::Args args = {x.data(), wanted.data(), limit.data(), live.data(), segments};
  emulator::launch(3, 64, resident, [&] { wf::segments_filter<Placed, Order, Load::any, Offset, true, 2>(args, {y.data(), where.data()}, offsets.data(), marks, s.relay()); });
  emulator::launch(2, 64, resident, [&] { wf::segments_filter_offsets<Placed, Order, Offset>(args, {y.data(), where.data()}, offsets.data(), marks, starts.data()); });
  u64 kept = 0;
  for (u64 r = 0; r < segments; r++) {
    const u64 from = u64(offsets[r]), n = u64(offsets[r + 1]) - from;
    CHECK(u64(starts[r]) == kept, "segment %llu starts at %llu, want %llu", r, u64(starts[r]), kept);
    for (u64 i = 0; i < n && i < live[r]; i++) {
      if (!(x[from + i] > limit[r] && wanted[i] > 0.0f)) continue;
      CHECK(y[kept] == x[from + i] && where[kept] == (r * 1000 + n) * 100000 + i, "element %llu of segment %llu", i, r);
      kept++;
    }
  }
  CHECK(u64(starts[segments]) == kept && s.count[0] == kept, "%llu kept, want %llu", s.count[0], kept);
  CHECK(y.intact() && where.intact() && starts.intact() && s.intact(), "%llu segments of %llu", segments, elements);
}

int main() {
  for (u64 seed = 1; seed < 6; seed++) {
    const auto offsets = lengths<u32>(seed * 100, 60, 900);
    const auto wide = lengths<wf::i64>(seed * 100, 90, 300);
    for (int percent : {0, 40, 100}) {
      plain<u32, 4, 2, Load::any>(offsets, offsets.back() + seed % 3, seed % 4, percent, unsigned(seed % 3 + 1));
      plain<wf::i64, 2, 3, Load::any>(wide, u64(wide.back()), 1, percent, 2);
    }
    placed<u32, 4>(offsets, offsets.back() + seed % 3, 2);
    placed<wf::i64, 8>(wide, u64(wide.back()) + 40, 1);
  }
  // All empty, none at all, and elements behind the last segment.
  plain<u32, 4, 1, Load::any>({0, 0, 0, 0}, 0, 0, 50, 1);
  plain<u32, 4, 1, Load::any>({3, 3, 3}, 200, 0, 50, 1);
  plain<wf::u64, 4, 1, Load::any>({0}, 100, 0, 50, 1);
  plain<u32, 4, 2, Load::whole>({0, 1024, 2048}, 2048, 0, 50, 3);
  placed<u32, 1>({5, 5, 70}, 100, 2);
  placed<u32, 1>({0}, 100, 1);  // no row has values of its own to read
  // Offsets that fall or pass the end: nothing is read or written outside.
  Guarded<float> x(100), y(100), wanted(100), limit(3);
  Guarded<u64> where(100);
  Guarded<u32> live(3);
  for (u64 r = 0; r < 3; r++) limit[r] = -9.0f, live[r] = 99;
  for (const std::vector<wf::i32>& offsets : {std::vector<wf::i32>{0, 60, 20, 100}, {-5, 10, 200, 100}, {90, 50, 10, 0}}) {
    Guarded<wf::i32> starts(4);
    Scratch& s = scratch();
    const Placed::Args args = {x.data(), wanted.data(), limit.data(), live.data(), 3};
    emulator::launch(1, 32, 1, [&] { wf::segments_filter<Placed, wf::TileOrder<1, 32, 2>, Load::any, wf::i32, true, 1>(args, {y.data(), where.data()}, offsets.data(), s.marks(3, 100), s.relay()); });
    emulator::launch(1, 32, 1, [&] { wf::segments_filter_offsets<Placed, wf::TileOrder<1, 32, 2>, wf::i32>(args, {y.data(), where.data()}, offsets.data(), s.marks(3, 100), starts.data()); });
    CHECK(x.intact() && y.intact() && where.intact() && starts.intact() && wanted.intact() && s.intact(), "outside");
  }
  std::printf("%ld checks\n", checks);
}
