// The kernels of groups on the emulator: shards of an array, their messages, and what is made of them, against the order
// spelled out element by element.
#include "check.hpp"
#include "order.hpp"
#include "../../runtime/kernels/sync.cuh"
#include "../../runtime/kernels/scan.cuh"
#include "../../runtime/kernels/rows_reduce.cuh"
#include "../../runtime/kernels/array_reduce.cuh"
#include "../../runtime/kernels/shard.cuh"
#include "../../runtime/kernels/record.cuh"
#include "../../runtime/kernels/array_scan.cuh"

using wf::Load;

// The messages of a group and where each shard starts.
struct Messages {
  std::vector<u64> bytes;
  std::vector<u64> starts;
  Messages(const std::vector<u64>& lengths) : bytes(lengths.size() * 16, 0xabababababababab), starts(1, 0) {
    for (u64 r = 0; r < lengths.size(); r++) {
      bytes[r * 16 + 3] = lengths[r];
      starts.push_back(starts.back() + lengths[r]);
    }
  }
  u64 count() const { return starts.size() - 1; }
  u64 length(u64 r) const { return starts[r + 1] - starts[r]; }
  void* slot(u64 r) { return bytes.data() + r * 16 + 8; }
};

template <class Order> u64 tiles_of(u64 n) { return (n + Order::size - 1) / Order::size; }

// Leaves the state of every shard that is not empty in its message.
template <class Total, class Order, bool REVERSE, class Element> void totals(Messages& m, const Element* x) {
  using State = typename Total::Result;
  for (u64 r = 0; r < m.count(); r++) {
    if (m.length(r) == 0) continue;
    std::vector<char> states(wf::scratch_slots(tiles_of<Order>(m.length(r)), 4) * sizeof(wf::Slot<State>));
    u32 ticket = 0;
    emulator::launch(3, 64, 2, [&] {
      wf::rows_reduce_parts<Total, Order, Load::any, 2, 4, REVERSE>({{x + m.starts[r]}, {m.starts[r], m.starts.back(), nullptr}}, {m.slot(r)},
                                                                   {1, m.length(r), m.length(r), 1}, {states.data(), &ticket});
    });
    CHECK(ticket == 0, "the ticket of shard %llu is not reset", r);
    if constexpr (!REVERSE && Order::lanes == 32) {
      if (tiles_of<Order>(m.length(r)) <= 32) continue;
      // As an array of many tiles: the same state, to the bit.
      wf::Slot<State> own;
      emulator::launch(3, 64, 2, [&] {
        wf::array_reduce<Total, Order, Load::any, 2>({{x + m.starts[r]}, {m.starts[r], m.starts.back(), nullptr}}, {&own}, {1, m.length(r), m.length(r), 1},
                                                     {states.data(), &ticket});
      });
      CHECK(ticket == 0 && same(own.state(), wf::Slot<State>::load(m.slot(r), 0)), "shard %llu as an array", r);
    }
  }
}

template <class Spec, class Element, int V, int LANES, int TURNS> void reduce(const std::vector<u64>& lengths) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  Messages m(lengths);
  const u64 n = m.starts.back();
  std::vector<Element> x(n + 1);
  for (u64 i = 0; i < n; i++) x[i] = random_float(i);
  totals<wf::ShardTotal<Spec>, Order, false>(m, x.data());
  // What the order says: a shard as an array, the states of shards as those of tiles.
  std::vector<typename Spec::State> states;
  for (u64 r = 0; r < m.count(); r++) {
    const u64 length = m.length(r);
    if (length == 0) {
      states.push_back(Spec::identity());
      continue;
    }
    auto state = [&](u64 p) { return Spec::of(x[m.starts[r] + p], m.starts[r] + p); };
    states.push_back(order::reduce<Spec>({V, LANES, TURNS, tiles_of<Order>(length)}, length, state, state));
  }
  const auto want = wf::with_init<Spec>(order::tree<Spec>(states));
  Guarded<typename Spec::Result> out(1);
  emulator::launch(1, 32, 1, [&] { wf::shard_result<Spec>({x.data()}, {out.data()}, {0, n, nullptr}, {m.bytes.data(), 0, m.count(), 1}); });
  CHECK(out.intact() && same(out[0], want), "%llu shards of %llu elements", m.count(), n);
}

template <class Spec, class Element, int V, int LANES, int TURNS, bool EXCLUSIVE, bool REVERSE> void scan(const std::vector<u64>& lengths) {
  using Order = wf::TileOrder<V, LANES, TURNS>;
  using State = typename Spec::State;
  Messages m(lengths);
  const u64 n = m.starts.back();
  std::vector<Element> x(n + 1);
  for (u64 i = 0; i < n; i++) x[i] = Element(random_bits(i));
  totals<wf::ScanTotal<Spec>, Order, REVERSE && wf::ScanTotal<Spec>::fold == wf::Fold::blocked>(m, x.data());
  auto element = [&](u64 q) { return REVERSE ? n - 1 - q : q; };
  auto state = [&](u64 q) { return Spec::of(x[element(q)], element(q)); };
  // The operator knows where each element stands and rounds nothing: left to right is the answer, however it was grouped.
  std::vector<State> want(n);
  State before = Spec::has_init ? Spec::init() : Spec::identity();
  for (u64 q = 0; q < n; q++) {
    const State next = q == 0 && !Spec::has_init ? state(q) : Spec::combine(before, state(q));
    want[element(q)] = EXCLUSIVE ? before : next;
    before = next;
  }
  std::vector<u64> records(4000);
  u32 control[4] = {};
  for (u64 r = 0; r < m.count(); r++) {
    const u64 length = m.length(r);
    if (length == 0) continue;
    wf::ShardCarry<State> carry;
    const wf::ShardMessages before = REVERSE ? wf::ShardMessages{m.bytes.data(), m.count() - 1, m.count() - 1 - r, -1} : wf::ShardMessages{m.bytes.data(), 0, r, 1};
    emulator::launch(1, 32, 1, [&] { wf::shard_carry<Spec>({x.data()}, {&carry}, {}, before); });
    Guarded<State> out(length);
    const wf::Relay relay = {records.data(), records.size(), control};
    emulator::launch(2, 64, 2, [&] {
      wf::array_scan<wf::ShardScan<Spec>, Order, Load::any, Load::any, 2, EXCLUSIVE, REVERSE>({{x.data() + m.starts[r]}, {m.starts[r], n, &carry}}, {out.data()},
                                                                                             {1, length, length, length}, relay);
    });
    CHECK(out.intact(), "shard %llu wrote beside its results", r);
    for (u64 i = 0; i < length; i++) {
      CHECK(same(out[i], want[m.starts[r] + i]), "element %llu of shard %llu of %llu, exclusive %d, reverse %d", i, r, m.count(), EXCLUSIVE, REVERSE);
    }
  }
}

template <class Spec, class Element> void scans(const std::vector<u64>& lengths) {
  scan<Spec, Element, 4, 32, 2, false, false>(lengths);
  scan<Spec, Element, 4, 32, 2, true, false>(lengths);
  scan<Spec, Element, 2, 8, 1, false, true>(lengths);
  scan<Spec, Element, 4, 32, 2, true, true>(lengths);
}

int main() {
  std::vector<std::vector<u64>> ways = {{1}, {0, 5}, {1000, 0, 257, 1}, {0, 0, 0}, {300, 300, 300}};
  ways.push_back(std::vector<u64>(33, 7));
  ways.push_back(std::vector<u64>(70, 3));
  ways.push_back(std::vector<u64>(1100, 1));
  const std::vector<u64> many = {9000, 300, 16500};
  reduce<Sum, float, 4, 32, 2>(many);
  reduce<OrderedSum, float, 4, 32, 2>(many);
  for (const auto& lengths : ways) {
    reduce<Sum, float, 4, 32, 2>(lengths);
    reduce<Sum, float, 4, 8, 1>(lengths);
    reduce<OrderedSum, float, 4, 32, 2>(lengths);
  }
  for (const auto& lengths : std::vector<std::vector<u64>>(ways.begin(), ways.end() - 2)) {
    scans<InOrder, unsigned char>(lengths);
  }
  std::printf("%ld checks\n", checks);
}
