// Reductions, scans and `apply` of segments on the emulator: each has the bits of a row of its length, whatever lies beside it.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/rows_reduce.cuh"
#include "../../runtime/kernels/rows_apply.cuh"
#include "../../runtime/kernels/scan.cuh"
#include "../../runtime/kernels/record.cuh"
#include "../../runtime/kernels/segments.cuh"
#include "../../runtime/kernels/played.cuh"
#include "../../runtime/kernels/segments_reduce.cuh"
#include "../../runtime/kernels/segments_each.cuh"
#include "../../runtime/kernels/stage.cuh"
#include "../../runtime/kernels/segments_stage.cuh"
#include "../../runtime/kernels/segments_short.cuh"
#include "../../runtime/kernels/segments_whole.cuh"
#include "../../runtime/kernels/bulk.cuh"
#include "../../runtime/kernels/bulk_runs.cuh"
#include "../../runtime/kernels/segments_bulk.cuh"

// A list for one call, with memory that held something else before.
struct List {
  Guarded<wf::LongPart> parts;
  Guarded<char> states;
  Guarded<u64> longest{1}, used{1}, middles{600};
  Guarded<u32> wrong{1}, middling{1}, drawn{2};
  Guarded<u64> records;
  Guarded<u32> control{4};
  u32 groups = 1, aligned = 0;
  u64 whole = 0;
  explicit List(u64 places = 4000, u64 words = 40000) : parts(places), states(places * 32), records(words) {
    longest[0] = 0, wrong[0] = 0, used[0] = 0, middling[0] = 0, drawn[0] = drawn[1] = 0;
    std::memset(records.data(), 0, 8 * records.count), std::memset(control.data(), 0, 16);
  }
  wf::Relay relay() { return {records.data(), records.count, control.data()}; }
  wf::SegmentList of(u64 segments, u64 elements) { return {segments, elements, parts.data(), states.data(), parts.count, longest.data(), used.data(), wrong.data(), middling.data(), groups, aligned, middles.data(), middles.count, whole, drawn.data()}; }
  bool intact() const { return parts.intact() && states.intact() && records.intact() && used.intact() && wrong.intact() && middling.intact() && drawn.intact() && middles.intact() && control.intact(); }
};

// FEW: 0, or 1 where segments take few lanes, 2 where they have packs wherever they start as well.
template <class Order, int FEW> using Most = std::conditional_t<FEW == 2, wf::AlwaysPacks<wf::FewLanes<Order>>, std::conditional_t<FEW == 1, wf::FewLanes<Order>, Order>>;

// Elements of the longest that goes through shared memory there.
template <class Order, class Odd, int MOST> constexpr int widest() {
  if (MOST == 0) return 0;
  int most = 256;
  while (most > Order::size || most > 32 * Odd::turns || (Order::few && most > 64 * Order::v)) most /= 2;
  return most;
}
// The launch for light segments by segments_short.cuh, where MOST says so.
template <class Spec, class Order, class Odd, class Offset, bool FIXED, int MOST, int BYTES> void light(const typename Spec::Args& args, const typename Spec::Results& results, const Offset* offsets, const wf::SegmentList& list, unsigned resident) {
  const unsigned blocks = unsigned((list.segments + 64 * list.groups - 1) / (64 * list.groups));
  if constexpr (MOST > 0) {
    emulator::launch(blocks, 64, resident, [&] { wf::segments_reduce_short<Spec, Order, Odd, Offset, 2, MOST, widest<Order, Odd, MOST>(), BYTES, Order::v * BYTES == 16>(args, results, offsets, list); });
  } else {
    emulator::launch(blocks, 64, resident, [&] { wf::segments_reduce<Spec, Order, Odd, Offset, FIXED, 2, true>(args, results, offsets, list); });
  }
}

template <class Spec, class Element, class Offset, int V, int LANES, int TURNS, int ODD, bool FIXED, int MOST = 0, int FEW = 0> void one(const std::vector<Offset>& offsets, u64 elements, u64 shift, unsigned resident) {
  using Order = Most<wf::TileOrder<V, LANES, TURNS>, FEW>;
  using Odd = wf::TileOrder<1, LANES, ODD>;
  const u64 segments = offsets.size() - 1;
  Guarded<Element> x(elements, shift);
  Guarded<typename Spec::Result> y(segments);
  for (u64 i = 0; i < elements; i++) x[i] = sizeof(Element) == 1 ? Element(random_bits(i)) : Element(random_float(i));
  List memory;
  memory.groups = 1 + resident % 4;
  memory.aligned = shift * sizeof(Element) % 16 == 0;
  const wf::SegmentList list = memory.of(segments, elements);
  emulator::launch(3, 64, 2, [&] { wf::segments_check<Spec, Order, Offset>({x.data()}, {y.data()}, offsets.data(), list); });
  CHECK(memory.wrong[0] == 0, "good offsets are called wrong");
  light<Spec, Order, Odd, Offset, FIXED, MOST, sizeof(Element)>({x.data()}, {y.data()}, offsets.data(), list, resident);
  emulator::launch(1, 64, resident, [&] { wf::segments_reduce<Spec, Order, Odd, Offset, FIXED, 2, false, widest<Order, Odd, MOST>()>({x.data()}, {y.data()}, offsets.data(), list); });
  emulator::launch(3, 64, resident, [&] { wf::segments_reduce_long<Spec, Order, Odd, Offset, FIXED, 2>({x.data()}, {y.data()}, offsets.data(), list); });
  CHECK(x.intact() && y.intact() && memory.intact(), "%llu segments", segments);
  u64 longest = 0;
  for (u64 r = 0; r < segments; r++) {
    const u64 from = u64(offsets[r]), n = u64(offsets[r + 1]) - from;
    longest = std::max(longest, n);
    auto state = [&](u64 q) { return Spec::lift(Spec::template map<1>({{{x[from + q]}}}, {}, 0, {r, n, 0}, {x.data()}, q), q); };
    auto mapped = [&](u64 q) { return Spec::template map<1>({{{x[from + q]}}}, {}, 0, {r, n, 0}, {x.data()}, q); };
    auto want = order::reduce<Spec>(order::of_line(n, V, TURNS, ODD, FIXED ? LANES : 0, FEW > 0, FEW == 2), n, state, mapped);
    if (Spec::has_init) want = Spec::combine(Spec::init(), want);
    CHECK(same(y[r], want), "segment %llu of %llu elements, %d lanes, fixed %d", r, n, LANES, FIXED);
  }
  CHECK(memory.longest[0] == longest, "the longest segment");
}

// Lengths of every kind, in an order without a pattern; the first segment starts after some elements that are in none.
template <class Offset> std::vector<Offset> lengths(u64 seed, u64 segments, u64 most) {
  std::vector<Offset> offsets{Offset(seed % 7)};
  for (u64 i = 0; i < segments; i++) {
    const u64 kind = random_bits(seed + 3 * i) % 8, bits = random_bits(seed + 3 * i + 1);
    const u64 n = kind == 0 ? 0 : kind < 4 ? bits % 20 : kind < 6 ? bits % 140 : kind == 6 ? bits % (most / 4) : bits % most;
    offsets.push_back(Offset(u64(offsets.back()) + n));
  }
  return offsets;
}

template <class Spec, class Element, class Offset, int V, int LANES, int TURNS, int ODD, bool FIXED, int MOST = 0, int FEW = 0> void all(u64 segments, u64 most) {
  for (u64 seed = 1; seed < 5; seed++) {
    const auto offsets = lengths<Offset>(seed * 1000, segments, most);
    one<Spec, Element, Offset, V, LANES, TURNS, ODD, FIXED, MOST, FEW>(offsets, u64(offsets.back()) + seed % 3, seed % 4, unsigned(seed));
  }
}

// Elements and results of different sizes.
struct ByteSum : Plain<ByteSum, unsigned char, float, false> {
  static float of(unsigned char x, u64) { return 0.37f * float(x) - 31.0f; }
  static float identity() { return -0.0f; }
  static float combine(float a, float b) { return a + b; }
};

// WHOLE: tiles up to which a block has a long segment to itself. BULK: whether long ones are copied in bulk, where all is aligned.
template <class Spec, class Element, class Offset, int V, int LANES, int TURNS, int ODD, bool FIXED, bool EXCLUSIVE, bool REVERSE, int MOST = 0, int WHOLE = 0, bool BULK = false>
void scan(const std::vector<Offset>& offsets, u64 elements, u64 shift, bool in_place, unsigned resident) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  using Odd = wf::TileOrder<1, LANES, ODD>;
  using Result = typename Spec::Result;
  const u64 segments = offsets.size() - 1;
  Guarded<Element> x(elements, shift);
  Guarded<Result> y(elements, shift == 0 ? 0 : 1);
  for (u64 i = 0; i < elements; i++) x[i] = sizeof(Element) == 1 ? Element(random_bits(i)) : Element(random_float(i));
  std::memset(static_cast<void*>(y.data()), 0x55, elements * sizeof(Result));
  const std::vector<Element> was(x.data(), x.data() + elements);
  Result* const out = in_place ? reinterpret_cast<Result*>(x.data()) : y.data();
  List memory(4000, 4000 * 4 * wf::Record<typename Spec::State>::words);  // batches of two tiles
  memory.groups = 1 + resident % 4;
  memory.aligned = (in_place || shift == 0) && shift * sizeof(Element) % 16 == 0;
  memory.whole = WHOLE;
  const wf::SegmentList list = memory.of(segments, elements);
  const unsigned blocks = unsigned((segments + 64 * memory.groups - 1) / (64 * memory.groups));
  constexpr int BYTES = sizeof(Element) == sizeof(Result) ? sizeof(Element) : sizeof(Element) + sizeof(Result), OUT = sizeof(Element) == sizeof(Result) ? 0 : sizeof(Element);
  if constexpr (MOST > 0) {
    emulator::launch(blocks, 64, resident, [&] { wf::segments_scan_short<Spec, Order, Odd, Offset, 2, 2, MOST, widest<Order, Odd, MOST>(), BYTES, OUT, Order::v * sizeof(Element) == 16, EXCLUSIVE, REVERSE>({x.data()}, {out}, offsets.data(), list); });
  } else {
    emulator::launch(blocks, 64, resident, [&] { wf::segments_scan<Spec, Order, Odd, Offset, FIXED, 2, true, 2, EXCLUSIVE, REVERSE>({x.data()}, {out}, offsets.data(), list); });
  }
  if constexpr (WHOLE > 0) {
    emulator::launch(3, 64, resident, [&] { wf::segments_scan_whole<Spec, Order, Odd, Offset, 2, BYTES, OUT, EXCLUSIVE, REVERSE>({x.data()}, {out}, offsets.data(), list); });
  }
  emulator::launch(1, 64, resident, [&] { wf::segments_scan<Spec, Order, Odd, Offset, FIXED, 2, false, 2, EXCLUSIVE, REVERSE, widest<Order, Odd, MOST>()>({x.data()}, {out}, offsets.data(), list); });
  if constexpr (BULK) {
    emulator::launch(3, 256, resident, [&] { wf::segments_scan_bulk<Spec, Order, Odd, Offset, 2, 2, 4, 4, sizeof(Element), REVERSE>({x.data()}, {out}, offsets.data(), list, memory.relay()); });
  } else {
    emulator::launch(3, 64, resident, [&] { wf::segments_scan_long<Spec, Order, Odd, Offset, FIXED, 2, EXCLUSIVE, REVERSE>({x.data()}, {out}, offsets.data(), list, memory.relay()); });
  }
  CHECK(x.intact() && y.intact() && memory.intact(), "%llu segments", segments);
  CHECK(memory.control[0] == 0 && memory.control[1] == 0, "the control words are not reset");
  for (u64 r = 0; r < segments; r++) {
    const u64 from = u64(offsets[r]), n = u64(offsets[r + 1]) - from;
    auto at = [&](u64 q) { return REVERSE ? n - 1 - q : q; };
    auto state = [&](u64 q) { return Spec::lift(Spec::template map<1>({{{was[from + at(q)]}}}, {}, 0, {r, n, 0}, {x.data()}, at(q)), at(q)); };
    const auto want = order::scan<Spec>(order::of_line(n, V, TURNS, ODD, FIXED ? LANES : 0), n, EXCLUSIVE, state);
    for (u64 q = 0; q < n; q++) CHECK(same(out[from + at(q)], want[q]), "segment %llu of %llu elements, position %llu, exclusive %d, reverse %d", r, n, q, EXCLUSIVE, REVERSE);
  }
  for (u64 i = 0; i < elements && !in_place; i++) {
    if (i < u64(offsets[0]) || i >= u64(offsets[segments])) CHECK(reinterpret_cast<unsigned char*>(&y[i])[0] == 0x55, "element %llu is in no segment", i);
  }
}
// Long segments a block each, and others beside them: of every kind, aligned and between two packs, of several batches and spans.
template <class Spec, class Element, int V, int TURNS, int ODD, int MOST> static void wholes() {
  using Offset = u32;
  constexpr u32 tile = 32 * V * TURNS;
  constexpr bool place = std::is_same_v<Element, typename Spec::Result>;
  for (u32 seed = 0; seed < 4; seed++) {
    std::vector<Offset> offsets{seed % 2 * 3};
    for (u32 i = 0; i < 14; i++) {
      const u32 bits = u32(random_bits(100 * seed + i));
      const u32 tiles[] = {0, 5, 6, 9, 33, 39, 40, 45};
      // Odd ones, such as fill packs, a tile or a batch to the last element, and short ones.
      offsets.push_back(offsets.back() + (i % 5 == 4 ? bits % 300 : tiles[bits % 8] * tile + (bits / 8 % 3 == 0 ? 0 : bits / 64 % tile / (bits / 32 % 2 ? V : 1) * (bits / 32 % 2 ? V : 1))));
    }
    const u64 elements = offsets.back() + seed, shift = seed % 2;
    scan<Spec, Element, Offset, V, 32, TURNS, ODD, false, false, false, MOST, 40>(offsets, elements, shift, place, 2);
    scan<Spec, Element, Offset, V, 32, TURNS, ODD, false, true, false, MOST, 40>(offsets, elements, shift, false, 1);
    scan<Spec, Element, Offset, V, 32, TURNS, ODD, false, false, true, MOST, 40>(offsets, elements, shift, false, 3);
    scan<Spec, Element, Offset, V, 32, TURNS, ODD, false, true, true, MOST, 40>(offsets, elements, shift, place, 2);
  }
}
// The same with bulk copies: segments that start anywhere among 16 bytes, and end there.
template <class Spec, class Element, int V, int TURNS, int ODD, int MOST> static void bulks() {
  constexpr u32 tile = 32 * V * TURNS;
  constexpr bool place = std::is_same_v<Element, typename Spec::Result>;
  for (u32 seed = 0; seed < 6; seed++) {
    std::vector<u32> offsets{seed};
    for (u32 i = 0; i < 9; i++) {
      const u32 bits = u32(random_bits(100 * seed + i));
      const u32 tiles[] = {0, 5, 6, 9, 33, 39, 70, 5};
      offsets.push_back(offsets.back() + (i % 5 == 4 ? bits % 300 : tiles[bits % 8] * tile + (bits / 8 % 3 == 0 ? 0 : bits / 64 % tile / (bits / 32 % 2 ? V : 1) * (bits / 32 % 2 ? V : 1))));
    }
    const u64 elements = offsets.back() + seed % 3;
    scan<Spec, Element, u32, V, 32, TURNS, ODD, false, false, false, MOST, 0, true>(offsets, elements, 0, place && seed % 2 == 1, 1 + seed % 3);
    scan<Spec, Element, u32, V, 32, TURNS, ODD, false, false, true, MOST, 0, true>(offsets, elements, 0, place && seed % 2 == 0, 1 + seed % 3);
  }
}
template <class Spec, class Element, class Offset, int V, int LANES, int TURNS, int ODD, bool FIXED, int MOST = 0> void scans(u64 segments, u64 most) {
  constexpr bool place = std::is_same_v<Element, typename Spec::Result>;
  for (u64 seed = 1; seed < 3; seed++) {
    const auto offsets = lengths<Offset>(seed * 1000, segments, most);
    const u64 elements = u64(offsets.back()) + seed;
    scan<Spec, Element, Offset, V, LANES, TURNS, ODD, FIXED, false, false, MOST>(offsets, elements, seed - 1, place, 2);
    scan<Spec, Element, Offset, V, LANES, TURNS, ODD, FIXED, true, false, MOST>(offsets, elements, seed - 1, false, 1);
    scan<Spec, Element, Offset, V, LANES, TURNS, ODD, FIXED, false, true, MOST>(offsets, elements, seed - 1, false, 3);
    scan<Spec, Element, Offset, V, LANES, TURNS, ODD, FIXED, true, true, MOST>(offsets, elements, seed - 1, place, 2);
  }
}

// Offsets that fall make segments overlap, so that there may be more long ones than the list has places: those that do not
// fit are left out, the others are right, and nothing outside is touched.
template <int MOST> static void overlapping(u64 segments, u64 places) {
  using Order = wf::TileOrder<1, 32, 1>;
  using Odd = wf::TileOrder<1, 32, 1>;
  constexpr u64 elements = 2100;
  std::vector<u32> offsets;
  for (u64 i = 0; i <= segments; i++) offsets.push_back(i % 2 == 0 ? u32(i % 3) : u32(elements - i % 5));
  Guarded<float> x(elements, 1), y(segments, 1), z(elements, 2);
  for (u64 i = 0; i < elements; i++) x[i] = random_float(i);
  [[maybe_unused]] const unsigned grid = unsigned((segments + 63) / 64);
  {
    List memory(places);
    const wf::SegmentList list = memory.of(segments, elements);
    light<OrderedSum, Order, Odd, u32, false, MOST, 4>({x.data()}, {y.data()}, offsets.data(), list, 2);
    emulator::launch(3, 64, 2, [&] { wf::segments_reduce_long<OrderedSum, Order, Odd, u32, false, 2>({x.data()}, {y.data()}, offsets.data(), list); });
    CHECK(memory.intact() && x.intact() && y.intact(), "%llu overlapping segments on %llu places", segments, places);
    const u64 from = offsets[0], n = offsets[1] - from;
    auto state = [&](u64 q) { return x[from + q]; };
    if (memory.parts[0].segment == 0) CHECK(same(y[0], OrderedSum::combine(OrderedSum::init(), order::reduce<OrderedSum>(order::of_line(n, 1, 1, 1, 0), n, state, state))), "the first segment fits");
  }
  List memory(places, 4 * places);  // batches of two tiles, states of a word
  const wf::SegmentList list = memory.of(segments, elements);
  emulator::launch(grid, 64, 2, [&] { wf::segments_scan<OrderedSum, Order, Odd, u32, false, 2, true, 2, true, false>({x.data()}, {z.data()}, offsets.data(), list); });
  emulator::launch(3, 64, 2, [&] { wf::segments_scan_long<OrderedSum, Order, Odd, u32, false, 2, true, false>({x.data()}, {z.data()}, offsets.data(), list, memory.relay()); });
  CHECK(memory.intact() && x.intact() && z.intact(), "%llu overlapping segments on %llu places", segments, places);
}

template <int V, int LANES, int TURNS, int ODD, bool FIXED, bool FEW, int SHORT = 0> void apply(u64 segments, u64 most, bool in_place) {
  using Order = Most<wf::TileOrder<V, LANES, TURNS>, FEW>;
  using Odd = wf::TileOrder<1, LANES, ODD>;
  using Sums = wf::Totals<Softmax>;
  const auto offsets = lengths<u32>(7000, segments, most);
  const u64 elements = offsets.back() + 2;
  Guarded<float> x(elements, 1), y(elements, 2);
  Guarded<unsigned char> totals(segments * wf::Slot<MaxSum>::bytes);
  for (u64 i = 0; i < elements; i++) x[i] = 8 * random_float(i), y[i] = -7.0f;
  const std::vector<float> was(x.data(), x.data() + elements);
  float* const out = in_place ? x.data() : y.data();
  List memory;
  const wf::SegmentList list = memory.of(segments, elements);
  [[maybe_unused]] const unsigned grid = unsigned((segments + 63) / 64);
  if constexpr (SHORT > 0) {
    emulator::launch(unsigned((segments + 64 * list.groups - 1) / (64 * list.groups)), 64, 2, [&] { wf::segments_reduce_short<Sums, Order, Odd, u32, 2, V, SHORT, 4, V == 4>({x.data()}, {totals.data()}, offsets.data(), list); });
  } else {
    emulator::launch(grid, 64, 2, [&] { wf::segments_reduce<Sums, Order, Odd, u32, FIXED, 2, true>({x.data()}, {totals.data()}, offsets.data(), list); });
  }
  emulator::launch(grid, 64, 2, [&] { wf::segments_reduce<Sums, Order, Odd, u32, FIXED, 2, false, SHORT>({x.data()}, {totals.data()}, offsets.data(), list); });
  emulator::launch(3, 64, 2, [&] { wf::segments_reduce_long<Sums, Order, Odd, u32, FIXED, 2>({x.data()}, {totals.data()}, offsets.data(), list); });
  emulator::launch(grid, 64, 2, [&] { wf::segments_apply<Softmax, Order, Odd, u32, FIXED, 2, true>({x.data()}, {out}, offsets.data(), list, totals.data()); });
  emulator::launch(grid, 64, 2, [&] { wf::segments_apply<Softmax, Order, Odd, u32, FIXED, 2, false>({x.data()}, {out}, offsets.data(), list, totals.data()); });
  emulator::launch(3, 64, 2, [&] { wf::segments_apply_long<Softmax, Order, Odd, u32, FIXED, 2>({x.data()}, {out}, offsets.data(), list, totals.data()); });
  CHECK(x.intact() && y.intact() && totals.intact(), "%llu segments", segments);
  std::vector<float> want(was);
  if (!in_place) want.assign(elements, -7.0f);
  for (u64 r = 0; r < segments; r++) {
    const u64 from = offsets[r], n = offsets[r + 1] - from;
    auto mapped = [&](u64 i) { return was[from + i]; };
    const MaxSum total = order::reduce<Softmax>(order::of_line(n, V, TURNS, ODD, FIXED ? LANES : 0, FEW), n, [&](u64 i) { return Softmax::lift(mapped(i), i); }, mapped);
    for (u64 i = 0; i < n; i++) want[from + i] = expf(was[from + i] - total.max) / total.sum;
  }
  for (u64 i = 0; i < elements; i++) CHECK(same(out[i], want[i]), "element %llu, fixed %d", i, FIXED);
}

// Short segments a lane each: between others, at the ends of what a warp takes, many at a time.
template <class Spec, class Element, class Offset, int V, int TURNS, int ODD, int MOST, int FEW = 0> void shorts() {
  all<Spec, Element, Offset, V, 32, TURNS, ODD, false, MOST, FEW>(300, 900);
  for (const u64 most : {1, 2, 9, 65}) {
    for (unsigned seed = 0; seed < 9; seed++) {
      std::vector<Offset> offsets{Offset(seed)};
      const u64 segments = 1 + random_bits(seed) % 600;
      for (u64 i = 0; i < segments; i++) offsets.push_back(Offset(u64(offsets.back()) + (seed < 3 ? most - 1 : random_bits(seed + 9 * i) % most)));
      one<Spec, Element, Offset, V, 32, TURNS, ODD, false, MOST, FEW>(offsets, u64(offsets.back()) + seed % 2, seed % 3, 1 + seed);
    }
  }
}

// Elements of 12 bytes, which stand anywhere among the 16 bytes that a copy moves.
struct Triple {
  float a, b, c;
  Triple() = default;
  explicit Triple(float x) : a(x), b(2 * x), c(1 - x) {}
};
struct TripleSum : Plain<TripleSum, Triple, float, true> {
  static float of(const Triple& x, u64) { return x.a + x.b * x.c; }
  static float identity() { return -0.0f; }
  static float combine(float a, float b) { return a + b; }
};

// Two plain parameters of different sizes, a `#[per_column]` one and ragged segments, by way of shared memory.
static void ragged(u64 seed, u64 segments, bool aligned) {
  using Order = wf::TileOrder<2, 32, 4>;
  using Odd = wf::TileOrder<1, 32, 8>;
  const auto offsets = lengths<u64>(seed, segments, 300);
  const u64 elements = offsets.back() + 1;
  Guarded<float> x(elements, aligned ? 0 : 1), gamma(400), sums(segments);
  Guarded<double> y(elements, 0);
  Guarded<u32> live(segments);
  Guarded<u64> rows(segments);
  for (u64 i = 0; i < elements; i++) x[i] = random_float(i), y[i] = random_float(i + 9000);
  for (u64 i = 0; i < 400; i++) gamma[i] = random_float(i + 500);
  for (u64 r = 0; r < segments; r++) live[r] = u32(random_bits(seed + r) % 200);
  List memory;
  memory.groups = 1 + u32(seed % 4), memory.aligned = aligned;
  const wf::SegmentList list = memory.of(segments, elements);
  const Ragged::Args args = {x.data(), y.data(), gamma.data(), live.data()};
  const unsigned blocks = unsigned((segments + 64 * memory.groups - 1) / (64 * memory.groups));
  emulator::launch(blocks, 64, 2, [&] { wf::segments_reduce_short<Ragged, Order, Odd, u64, 2, 16, 256, 12, false>(args, {sums.data(), rows.data()}, offsets.data(), list); });
  emulator::launch(1, 64, 1, [&] { wf::segments_reduce<Ragged, Order, Odd, u64, false, 2, false, 256>(args, {sums.data(), rows.data()}, offsets.data(), list); });
  CHECK(x.intact() && y.intact() && sums.intact() && rows.intact() && memory.intact(), "%llu ragged segments", segments);
  for (u64 r = 0; r < segments; r++) {
    const u64 from = offsets[r], n = offsets[r + 1] - from;
    auto state = [&](u64 q) { return q < live[r] ? x[from + q] * gamma[q] + float(y[from + q]) : Ragged::identity(); };
    CHECK(same(sums[r], order::reduce<Ragged>(order::of_line(n, 2, 4, 8, 0), n, state, state)) && rows[r] == r + live[r], "ragged segment %llu of %llu elements, %u live", r, n, live[r]);
  }
}

int main() {
  shorts<TripleSum, Triple, u32, 1, 8, 8, 16>();
  for (u64 seed = 1; seed < 5; seed++) ragged(seed * 31, 40 + 100 * seed, seed % 2 == 0);
  shorts<Sum, float, u32, 4, 2, 8, 128>();
  shorts<OrderedSum, float, u64, 4, 2, 8, 16>();
  shorts<InOrder, unsigned char, wf::i32, 16, 1, 8, 64>();
  shorts<OrderedSum, float, wf::i64, 1, 8, 8, 32>();
  // By few lanes: of eight, four and two turns, of narrow elements, of wide ones.
  shorts<OrderedSum, float, u32, 4, 8, 32, 32, true>();
  shorts<OrderedSum, float, u64, 4, 4, 16, 16, true>();
  shorts<OrderedSum, float, u32, 4, 2, 8, 16, true>();
  shorts<InOrder, unsigned char, u32, 16, 8, 16, 64, true>();
  shorts<OrderedSum, float, u32, 1, 8, 8, 8, true>();
  // With packs wherever they start.
  shorts<OrderedSum, float, u32, 4, 8, 32, 32, 2>();
  shorts<InOrder, unsigned char, u32, 16, 8, 16, 64, 2>();
  all<OrderedSum, float, u64, 4, 32, 2, 8, false, 0, 2>(90, 900);
  all<OrderedSum, float, u32, 4, 32, 8, 32, false, 0, true>(90, 3000);
  all<OrderedSum, float, u64, 4, 32, 2, 8, false, 0, true>(90, 900);
  all<OrderedSum, float, u32, 1, 32, 4, 4, false, 0, true>(90, 900);
  all<InOrder, unsigned char, u32, 16, 32, 8, 16, false, 0, true>(90, 5000);
  scans<Sum, float, u32, 4, 32, 2, 8, false, 16>(300, 900);
  scans<OrderedSum, float, u64, 4, 32, 2, 8, false, 64>(90, 3000);
  scans<InOrder, unsigned char, wf::i32, 2, 32, 3, 6, false, 8>(300, 500);
  scans<Sum, float, u32, 4, 32, 2, 8, false>(70, 3000);
  scans<OrderedSum, float, u64, 4, 32, 2, 8, false>(33, 9000);
  scans<InOrder, unsigned char, wf::i32, 2, 32, 3, 6, false>(40, 1500);
  scans<OrderedSum, float, wf::i64, 4, 8, 4, 16, true>(31, 3000);
  scans<NarrowSum<wf::i8, false>, wf::i8, u32, 4, 32, 2, 8, false, 16>(60, 700);
  scans<NarrowSum<wf::i8, true>, wf::i8, u32, 4, 32, 2, 8, false>(20, 3000);
  scans<NeutralSum, float, u32, 4, 32, 2, 8, false>(20, 3000);
  // Tiles of so many turns that a warp scans some at a time.
  scans<OrderedSum, float, u32, 4, 32, 8, 32, false, 16>(30, 6000);
  scans<NarrowSum<wf::i8, true>, wf::i8, u32, 4, 32, 8, 32, false>(12, 6000);
  // Giants among dwarfs: more than one span of 32 tiles, by several blocks; odd ones too.
  scan<OrderedSum, float, u32, 1, 32, 1, 1, false, true, false>({2, 5, 3000, 3000, 3001, 4300}, 4301, 0, true, 3);
  scan<InOrder, unsigned char, u32, 1, 32, 2, 2, false, false, true>({2, 5, 5000, 5000, 5001}, 5003, 0, false, 2);
  scan<Sum, float, u32, 2, 32, 1, 2, false, true, true>({0, 2501, 2502, 4502}, 4502, 0, true, 1);
  wholes<OrderedSum, float, 4, 2, 8, 16>();
  wholes<Sum, float, 4, 2, 6, 8>();
  wholes<ByteSum, unsigned char, 16, 1, 16, 32>();
  bulks<OrderedSum, float, 4, 4, 16, 16>();
  bulks<InOrder, unsigned char, 16, 1, 16, 16>();
  bulks<NarrowSum<wf::i8, true>, wf::i8, 16, 2, 16, 16>();
  apply<4, 32, 2, 8, false, false>(90, 9000, false);
  apply<4, 32, 8, 32, false, true>(90, 9000, false);
  apply<4, 32, 4, 16, false, true>(90, 9000, true);
  apply<4, 32, 8, 32, false, true, 64>(90, 9000, false);
  apply<4, 32, 2, 8, false, true, 64>(300, 900, true);
  apply<4, 32, 8, 32, false, false, 256>(90, 9000, false);
  apply<2, 32, 8, 16, false, true, 32>(300, 900, false);
  apply<2, 4, 2, 4, true, false>(31, 300, false);
  all<Sum, float, u32, 4, 32, 2, 8, false>(70, 3000);
  all<OrderedSum, float, u64, 4, 32, 2, 8, false>(33, 5000);
  all<InOrder, unsigned char, wf::i32, 2, 32, 1, 2, false>(40, 1500);
  all<Sum, float, wf::i64, 4, 8, 2, 8, true>(31, 3000);
  all<OrderedSum, float, u32, 2, 1, 2, 3, true>(31, 300);
  // Groups of a warp with turns of different numbers.
  all<OrderedSum, float, u32, 4, 8, 8, 32, true>(64, 900);
  // As many odd ones as there are lengths, and one that no block folds alone.
  for (u64 n = 65; n < 300; n += 7) one<Sum, float, u32, 4, 32, 8, 32, false>({1, u32(n + 1), u32(2 * n), u32(2 * n + 9)}, 2 * n + 9, 1, 2);
  one<OrderedSum, float, u32, 4, 32, 1, 2, false>({0, 3, 70006, 70071}, 70075, 0, 3);
  // One giant: more than 32 parts, so that the parts' states are folded in two levels.
  one<Sum, float, u32, 1, 32, 1, 1, false>({0, 3, 40000, 40000, 40001}, 40001, 0, 3);
  for (u64 places : {1, 2, 3, 5, 8, 40, 100}) overlapping<0>(64, places), overlapping<32>(64, places), overlapping<0>(9, places), overlapping<16>(9, places);
  // Offsets that fall or pass the end, and where no element is read outside.
  List memory;
  Guarded<float> x(10), y(3);
  for (const auto& [offsets, wrong] : {std::pair{std::vector<wf::i32>{0, 5, 4, 10}, 1u}, {{-1, 5, 6, 10}, 1u}, {{0, 5, 6, 11}, 2u}, {{0, 5, 6, 10}, 0u}}) {
    memory.wrong[0] = 0;
    const auto list = memory.of(3, 10);
    emulator::launch(1, 32, 1, [&] { wf::segments_check<Sum, wf::TileOrder<4, 32, 2>, wf::i32>({x.data()}, {y.data()}, offsets.data(), list); });
    CHECK(memory.wrong[0] == wrong, "offsets to %d", offsets.back());
    emulator::launch(1, 32, 1, [&] { wf::segments_reduce<Sum, wf::TileOrder<4, 32, 2>, wf::TileOrder<1, 32, 8>, wf::i32, false, 1, true>({x.data()}, {y.data()}, offsets.data(), list); });
    emulator::launch(1, 32, 1, [&] { wf::segments_reduce_short<Sum, wf::TileOrder<4, 32, 2>, wf::TileOrder<1, 32, 8>, wf::i32, 1, 16, 256, 4, true>({x.data()}, {y.data()}, offsets.data(), list); });
    emulator::launch(1, 32, 1, [&] { wf::segments_reduce<Sum, wf::TileOrder<4, 32, 2>, wf::TileOrder<1, 32, 8>, wf::i32, false, 1, false>({x.data()}, {y.data()}, offsets.data(), list); });
    CHECK(x.intact() && y.intact(), "outside");
  }
  std::printf("%ld checks\n", checks);
}
