// The order of combining, spelled out element by element: what every kernel must agree with, to the bit.
#pragma once
#include "specs.hpp"
#include "../../runtime/kernels/half.cuh"
#include "../../runtime/kernels/math.cuh"
#include "../../runtime/kernels/ops.cuh"
#include "../../runtime/kernels/load.cuh"
#include "../../runtime/kernels/tile.cuh"
#include "../../runtime/kernels/fold.cuh"

namespace order {

// The shape of a tile and how many there are, from the columns and types.
struct Of { u64 v, lanes, turns, tiles; };
constexpr int more_turns(int turns) { return turns < 8 ? turns + 1 : turns < 16 ? turns + 2 : turns + 4; }
constexpr int most_turns(int v) { return v == 1 ? 32 : 8; }
// `few`: of a reduction that folds in order, or by tile.
inline Of of(u64 n, u64 v, u64 max_turns, u64 width = 0, bool few = false) {
  u64 g = width;
  if (!g) for (g = 1; g < 32 && g * v < n; g *= 2) {}
  if (!width && few && g > 8) for (g = 8; g < 32 && g * std::min({max_turns, u64(8), 32 / v}) * v < n; g *= 2) {}
  const u64 chunks = (n + g * v - 1) / (g * v);
  const u64 tiles = std::max<u64>(1, (chunks + max_turns - 1) / max_turns);
  u64 turns = tiles > 32 ? max_turns : std::max<u64>(1, (chunks + tiles - 1) / tiles);
  while (turns > 8 && turns % (turns > 16 ? 4 : 2) != 0) turns++;
  return {v, g, turns, std::max<u64>(1, (chunks + turns - 1) / turns)};
}

// The same of a row that may start anywhere: where many elements do not fill packs, there are none, but `always`.
inline Of of_line(u64 n, u64 v, u64 max_turns, u64 max_odd, u64 width = 0, bool few = false, bool always = false) {
  return !always && n > 64 && n % v != 0 ? of(n, 1, max_odd, width, few) : of(n, v, max_turns, width, few);
}

// The reduce plan over a group's states: the value of lane 0.
template <class Spec> typename Spec::State plan(std::vector<typename Spec::State> s) {
  const size_t g = s.size();
  for (size_t k = Spec::any_order ? g / 2 : 1; Spec::any_order ? k > 0 : k < g; k = Spec::any_order ? k / 2 : k * 2) {
    auto next = s;
    for (size_t l = 0; l + k < g; l++) next[l] = Spec::combine(s[l], s[l + k]);
    s = next;
  }
  return s[0];
}

// The fold of tile states in groups of 32.
template <class Spec> typename Spec::State tree(std::vector<typename Spec::State> s) {
  while (s.size() > 1) {
    size_t width = 1;
    while (width < 32 && width < s.size()) width *= 2;
    std::vector<typename Spec::State> next;
    for (size_t at = 0; at < s.size(); at += width) {
      std::vector<typename Spec::State> group(width, Spec::identity());
      for (size_t k = 0; k < width && at + k < s.size(); k++) group[k] = s[at + k];
      next.push_back(plan<Spec>(group));
    }
    s = next;
  }
  return s[0];
}

// An operator's own fold of the lane whose first element is `first`, called for the shape of the order.
template <class Spec, int TURNS, int V, class Map> typename Spec::State lane_fold(const Of& o, u64 first, u64 n, const Map& mapped) {
  if constexpr (V > 16) {
    return Spec::identity();
  } else if (o.v != V) {
    return lane_fold<Spec, TURNS, V * 2>(o, first, n, mapped);
  } else if constexpr (TURNS > most_turns(V)) {
    return Spec::identity();
  } else if (o.turns != TURNS) {
    return lane_fold<Spec, more_turns(TURNS), V>(o, first, n, mapped);
  } else {
    typename Spec::Mapped m[TURNS][V] = {};
    const u64 turn = o.lanes * o.v;
    for (int t = 0; t < TURNS; t++) for (int s = 0; s < V; s++) {
      const u64 i = first + u64(t) * turn + u64(s);
      if (i < n) m[t][s] = mapped(i);
    }
    return Spec::template fold_lane<TURNS, V>(m, first, turn, n);
  }
}

// An operator's own fold of a tile: what its lanes share, then their parts, each over the lanes by the any-order plan.
template <class Spec, int TURNS, int V, class Map> typename Spec::State tile_fold(const Of& o, u64 start, u64 n, const Map& mapped) {
  if constexpr (V > 16) {
    return Spec::identity();
  } else if (o.v != V) {
    return tile_fold<Spec, TURNS, V * 2>(o, start, n, mapped);
  } else if constexpr (TURNS > most_turns(V)) {
    return Spec::identity();
  } else if (o.turns != TURNS) {
    return tile_fold<Spec, more_turns(TURNS), V>(o, start, n, mapped);
  } else {
    using Table = typename Spec::Table;
    const int turn = int(o.lanes * o.v), live = int(n > start ? std::min<u64>(n - start, TURNS * o.lanes * o.v) : 0);
    typename Spec::Mapped m[32][TURNS][V] = {};
    for (int l = 0; l < int(o.lanes); l++) for (int t = 0; t < TURNS; t++) for (int s = 0; s < V; s++) {
      const int p = t * turn + l * V + s;
      if (p < live) m[l][t][s] = mapped(start + u64(p));
    }
    const typename Spec::Mapped pivot = m[0][0][0];
    typename Table::Shared shared = {};
    if constexpr (Spec::shares) {
      std::vector<typename Table::Shared> lanes;
      for (int l = 0; l < int(o.lanes); l++) lanes.push_back(Table::look(m[l], wf::counting_in_tile(l * V, turn, live), pivot));
      shared = plan<typename Spec::Share>(lanes);
    }
    std::vector<typename Table::Part> parts;
    for (int l = 0; l < int(o.lanes); l++) parts.push_back(Table::weigh(m[l], wf::counting_in_tile(l * V, turn, live), shared, u32(live), pivot));
    return Table::join(pivot, shared, plan<typename Spec::Parts>(parts), u32(live), start);
  }
}

// The state of a row of n elements; `state(i)` is that of element i, `mapped(i)` what map returns for it.
template <class Spec, class State, class Map> typename Spec::State reduce(const Of& o, u64 n, const State& state, const Map& mapped) {
  const u64 size = o.turns * o.lanes * o.v;
  std::vector<typename Spec::State> tiles;
  for (u64 tile = 0; tile < o.tiles; tile++) {
    auto at = [&](u64 t, u64 l, u64 s) { const u64 i = tile * size + (t * o.lanes + l) * o.v + s; return i < n ? state(i) : Spec::identity(); };
    std::vector<typename Spec::State> lanes;
    typename Spec::State total = Spec::identity();
    if constexpr (Spec::fold == wf::Fold::blocked) {
      std::vector<typename Spec::State> turns;
      for (u64 t = 0; t < o.turns; t++) {
        lanes.clear();
        for (u64 l = 0; l < o.lanes; l++) {
          auto acc = at(t, l, 0);
          for (u64 s = 1; s < o.v; s++) acc = Spec::combine(acc, at(t, l, s));
          lanes.push_back(acc);
        }
        turns.push_back(plan<Spec>(lanes));
      }
      while (turns.size() & (turns.size() - 1)) turns.push_back(Spec::identity());
      total = plan<Spec>(turns);
    } else if constexpr (Spec::fold == wf::Fold::striped) {
      for (u64 l = 0; l < o.lanes; l++) {
        std::vector<typename Spec::State> acc;
        for (u64 s = 0; s < o.v; s++) {
          acc.push_back(at(0, l, s));
          for (u64 t = 1; t < o.turns; t++) acc[s] = Spec::combine(acc[s], at(t, l, s));
        }
        for (u64 s = 1; s < o.v; s++) acc[0] = Spec::combine(acc[0], acc[s]);
        lanes.push_back(acc[0]);
      }
      total = plan<Spec>(lanes);
    } else if constexpr (Spec::fold == wf::Fold::tile) {
      total = tile_fold<Spec, 1, 1>(o, tile * size, n, mapped);
    } else {
      for (u64 l = 0; l < o.lanes; l++) {
        const u64 first = tile * size + l * o.v;
        lanes.push_back(lane_fold<Spec, 1, 1>(o, first, n, mapped));
      }
      total = plan<Spec>(lanes);
    }
    tiles.push_back(total);
  }
  return tree<Spec>(tiles);
}

// The scan plan over a group's states.
template <class Spec> std::vector<typename Spec::State> scan_plan(std::vector<typename Spec::State> s) {
  for (size_t k = 1; k < s.size(); k *= 2) {
    auto next = s;
    for (size_t l = k; l < s.size(); l++) next[l] = Spec::combine(s[l - k], s[l]);
    s = next;
  }
  return s;
}

// The inclusive or exclusive scan of a row whose position q holds `state(q)`.
template <class Spec, class State> std::vector<typename Spec::State> scan(const Of& o, u64 n, bool exclusive, const State& state) {
  using S = typename Spec::State;
  std::vector<S> inclusive, totals;
  bool some = Spec::has_init;
  S carry = Spec::has_init ? Spec::init() : Spec::identity();
  const u64 size = o.turns * o.lanes * o.v;
  for (u64 tile = 0; tile < o.tiles; tile++) {
    bool any = some;
    S prefix = carry;
    if (tile % 32 != 0) {
      std::vector<S> span(32, Spec::identity());
      for (u64 k = 0; k < tile % 32; k++) span[k] = totals[tile - tile % 32 + k];
      const S below = scan_plan<Spec>(span)[tile % 32 - 1];
      prefix = some ? Spec::combine(carry, below) : below;
      any = true;
    }
    S total = Spec::identity();
    for (u64 t = 0; t < o.turns; t++) {
      std::vector<std::vector<S>> slots;
      std::vector<S> lanes;
      for (u64 l = 0; l < o.lanes; l++) {
        slots.emplace_back();
        for (u64 s = 0; s < o.v; s++) {
          const u64 q = tile * size + (t * o.lanes + l) * o.v + s;
          const S one = q < n ? state(q) : Spec::identity();
          slots[l].push_back(s == 0 ? one : Spec::combine(slots[l][s - 1], one));
        }
        lanes.push_back(slots[l].back());
      }
      lanes = scan_plan<Spec>(lanes);
      for (u64 l = 0; l < o.lanes; l++) for (u64 s = 0; s < o.v; s++) {
        S value = slots[l][s];
        if (l > 0) value = Spec::combine(lanes[l - 1], value);
        if (t > 0) value = Spec::combine(total, value);
        inclusive.push_back(any ? Spec::combine(prefix, value) : value);
      }
      total = t == 0 ? lanes.back() : Spec::combine(total, lanes.back());
    }
    totals.push_back(total);
    if (tile % 32 == 31) {
      const S all = scan_plan<Spec>(std::vector<S>(totals.end() - 32, totals.end()))[31];
      carry = some ? Spec::combine(carry, all) : all;
      some = true;
    }
  }
  inclusive.resize(n);
  if (exclusive && n > 0) {
    inclusive.insert(inclusive.begin(), Spec::has_init ? Spec::init() : Spec::identity());
    inclusive.pop_back();
  }
  return inclusive;
}

} // namespace order
