// rows_reduce.cuh: one result a row, row r's at r * shape.out_stride.
//
// Entries, each for blocks of any number of whole warps; `shape.rows` and `shape.cols` are at least 1 except that
// `rows_reduce` takes rows without columns:
//
//   rows_reduce<Spec, Order, COLS, LOAD, SETS>(args, results, shape)
//     rows of one tile. A group of Order::lanes lanes folds a row and has SETS rows in flight.
//     COLS: the columns where they are known while compiling, else 0. SETS: 1, 2, 4 or 8, at most Order::lanes
//     where Order::lanes >= 8. Grid: ceil(rows / (SETS * 32 / Order::lanes)) warps.
//
//   rows_reduce_tiles<Spec, Order, LOAD>(args, results, shape)
//     rows of 1 to Order::lanes tiles: a group of lanes folds a row, tile after tile. Grid: ceil(rows / (32 / Order::lanes)) warps.
//
//   rows_reduce_parts<Spec, Order, LOAD, WARPS, PART, REVERSE = false>(args, results, shape, scratch)
//     rows of any number of tiles, and whole arrays as one row: blocks of WARPS warps take parts of PART tiles
//     (a power of two, 1 to 32) in strides of the grid. parts = ceil(tiles / PART) a row; rows * parts < 2^63.
//     Where parts > 1: scratch.states has rows * scratch_slots(tiles, PART) slots (see Slot), scratch.tickets has one
//     word a row, zero before the first launch and again after each. REVERSE: from the last element to the first.
#pragma once

namespace wf {

struct RowScratch {
  void* states;
  u32* tickets;
};

template <class Spec> WF_FN void store_result(const typename Spec::Results& results, const typename Spec::State& total,
                                              const typename Spec::Row& row, const typename Spec::Args& args, u64 at) {
  const typename Spec::Result one[1] = {Spec::finish(with_init<Spec>(total), row, args)};
  Spec::template store<1>(results, one, One{at});
}

template <class Spec, class Order, int COLS, Load LOAD, int SETS>
WF_FN void rows_reduce(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  // A group of 8 lanes or more takes SETS rows that follow each other: its leading lanes then store side by side.
  // Smaller groups take every `groups`-th row, so that the warp reads without gaps.
  constexpr bool BESIDE = Order::lanes >= 8 && SETS > 1;
  static_assert(!BESIDE || SETS <= Order::lanes, "a lane stores at most one result");
  constexpr int GROUPS = Order::groups;
  const u64 cols = COLS > 0 ? COLS : shape.cols;
  const u64 first = (static_cast<u64>(blockIdx.x) * (blockDim.x / 32) + warp_in_block()) * (GROUPS * SETS);
  if (first >= shape.rows) return;
  const u32 group = lane() / Order::lanes, own = lane_in_group<Order::lanes>();
  const u64 length = (shape.rows - 1) * shape.stride + cols;

  Tile<Spec, Order> tiles[SETS];
  typename Spec::Row rows[SETS];
  Spot spots[SETS];
  int left[SETS];
  // Rows count from the warp's first one, so that little is computed in 64 bits.
  const u64 offset = first * shape.stride;
  const u32 last = static_cast<u32>(least(shape.rows - 1 - first, GROUPS * SETS));
#pragma unroll
  for (int k = 0; k < SETS; k++) {
    const u32 r = BESIDE ? group * SETS + k : k * GROUPS + group;
    const u32 row = r < last ? r : last;
    rows[k] = Spec::row(args, first + row, cols);
    // A row that does not exist is the last one again, so that where the columns are known nothing is asked of any.
    spots[k] = Spot{offset + row * shape.stride, 0, cols, length, true};
    left[k] = live_in_tile<Spec, Order>(rows[k], spots[k]);
  }
  read_tiles<Spec, Order, LOAD, false, SETS>(tiles, args, spots, left);
  typename Spec::State totals[SETS];
  constexpr int SOLID = solid_turns<Spec, Order, COLS>();
  // Rows of one turn, in order: the lanes fold them together, and each that stores has its row at the end.
  constexpr bool TOGETHER = BESIDE && folds_together<Spec, Order>();
  // Of votes likewise: a lane makes a state of those on its own row alone.
  constexpr bool VOTES = BESIDE && votes_on_tile<Spec, Order>();
  u32 said = 0;
  if constexpr (TOGETHER) {
#pragma unroll
    for (int k = 0; k < SETS; k++) {
      totals[k] = fold_only_turn<Spec, Order, SOLID, whole_packs<Spec, LOAD>()>(tiles[k], rows[k], args, spots[k], left[k]);
    }
  } else if constexpr (VOTES) {
#pragma unroll
    for (int k = 0; k < SETS; k++) {
      const Counting counts = counting_in_tile(slot_zero<Order>(0), Order::turn, left[k], SOLID, whole_packs<Spec, LOAD>());
      const u32 on_row = votes_of_tile<Spec, Order>(tiles[k], counts, rows[k], args, spots[k]);
      if (own == static_cast<u32>(k)) said = on_row;
    }
  } else {
    fold_tiles<Spec, Order, BESIDE, SOLID, whole_packs<Spec, LOAD>()>(totals, tiles, rows, args, spots, left);
  }

  if constexpr (BESIDE) {
    typename Spec::State total;
    if constexpr (TOGETHER) {
      total = fold_together<Spec, Order::lanes>(totals);
    } else if constexpr (VOTES) {
      total = state_of_votes<Spec, Order>(said, 0);
    } else {
      total = totals[0];
#pragma unroll
      for (int k = 1; k < SETS; k++) {
        if (own == static_cast<u32>(k)) total = totals[k];
      }
    }
    const u64 r = first + group * SETS + own;
    if (own < SETS && group * SETS + own <= last) store_result<Spec>(results, total, Spec::row(args, r, cols), args, r * shape.out_stride);
  } else {
#pragma unroll
    for (int k = 0; k < SETS; k++) {
      if (own == 0 && k * GROUPS + group <= last) store_result<Spec>(results, totals[k], rows[k], args, (first + k * GROUPS + group) * shape.out_stride);
    }
  }
}

// Reads and folds one tile. SPLIT: one that is whole goes a way of its own, in which no element asks whether it exists; for
// kernels whose time is in the folding.
template <class Spec, class Order, Load LOAD, bool ALL, bool REVERSE = false, bool SPLIT = false>
WF_FN typename Spec::State reduce_tile(const typename Spec::Args& args, const typename Spec::Row& row, const Spot& spot) {
  const int left = live_in_tile<Spec, Order>(row, spot);
  Tile<Spec, Order> tile;
  read_tile<Spec, Order, LOAD, REVERSE>(tile, args, spot, left);
  if constexpr (SPLIT) {
    if (left == Order::size) return fold_tile<Spec, Order, ALL, REVERSE, Order::turns, false, true>(tile, row, args, spot, left);
  }
  return fold_tile<Spec, Order, ALL, REVERSE, 0, whole_packs<Spec, LOAD>(), true>(tile, row, args, spot, left);
}

template <class Spec, class Order, Load LOAD>
WF_FN void rows_reduce_tiles(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  const u64 first = (static_cast<u64>(blockIdx.x) * (blockDim.x / 32) + warp_in_block()) * Order::groups;
  if (first >= shape.rows) return;
  const u32 own = lane_in_group<Order::lanes>();
  const u64 r = first + lane() / Order::lanes;
  const u64 n = least(r, shape.rows - 1);
  const typename Spec::Row row = Spec::row(args, n, shape.cols);
  const u64 length = (shape.rows - 1) * shape.stride + shape.cols;
  const u32 tiles = static_cast<u32>((shape.cols + Order::size - 1) / Order::size);
  typename Spec::State states = Spec::identity();
#pragma unroll 1
  for (u32 k = 0; k < tiles; k++) {
    const Spot spot = {n * shape.stride, static_cast<u64>(k) * Order::size, shape.cols, length, r < shape.rows};
    const typename Spec::State s = reduce_tile<Spec, Order, LOAD, true, false, Order::lanes == 32>(args, row, spot);
    if (own == k) states = s;
  }
  const typename Spec::State total = fold_states<Spec, Order::lanes>(states, tiles, false);
  if (own == 0 && r < shape.rows) store_result<Spec>(results, total, row, args, r * shape.out_stride);
}

// States of one row in scratch: those that its parts leave, and the levels of groups of 32 above them.
WF_FN constexpr u64 scratch_slots(u64 tiles, u64 part) {
  u64 level = part == 32 ? (tiles + 31) / 32 : tiles, slots = level;
  while (level > 32) {
    level = (level + 31) / 32;
    slots += level;
  }
  return slots;
}

// Folds `count` states, at least 2, at the start of `slots`; the levels above them follow. All warps of the block call; lane 0 of
// warp 0 gets the state. With WARPS 1 each warp that calls folds states of its own, and its lane 0 gets theirs. EARLY: states are
// read while those before are folded, for a kernel that has the registers.
template <class Spec, int WARPS, bool EARLY = false> WF_FN typename Spec::State fold_scratch(void* slots, u64 count) {
  using State = typename Spec::State;
  using Kept = Slot<State>;
  constexpr int AHEAD = sizeof(State) <= 8 ? 4 : 1;
  const u32 warp = WARPS == 1 ? 0 : warp_in_block();
  char* level = static_cast<char*>(slots);
  while (count > 32) {
    char* above = level + count * Kept::bytes;
    const u64 groups = (count + 31) / 32;
    const auto load = [&](State (&s)[AHEAD], u64 g) {
#pragma unroll
      for (int k = 0; k < AHEAD; k++) {
        const u64 at = (g + k * WARPS) * 32 + lane();
        s[k] = Spec::identity();
        if (at < count) s[k] = Kept::load(level, at);
      }
    };
    [[maybe_unused]] State next[AHEAD];
    if constexpr (EARLY) load(next, warp);
#pragma unroll 1
    for (u64 g = warp; g < groups; g += WARPS * AHEAD) {
      State s[AHEAD];
      if constexpr (EARLY) {
#pragma unroll
        for (int k = 0; k < AHEAD; k++) s[k] = next[k];
        load(next, g + WARPS * AHEAD);
      } else {
        load(s, g);
      }
#pragma unroll
      for (int k = 0; k < AHEAD; k++) {
        s[k] = Spec::reduce_first(s[k], Width<32>{});
        if (lane() == 0 && g + k * WARPS < groups) Kept::of(s[k]).store(above, g + k * WARPS);
      }
    }
    if constexpr (WARPS == 1) {
      __syncwarp();
    } else {
      __syncthreads();
    }
    level = above;
    count = groups;
  }
  State s = Spec::identity();
  if (warp == 0) {
    if (lane() < count) s = Kept::load(level, lane());
    s = fold_states<Spec, 32>(s, count, false);
  }
  return s;
}

template <class Spec, class Order, Load LOAD, int WARPS, int PART, bool REVERSE = false>
WF_FN void rows_reduce_parts(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape,
                             const RowScratch& scratch) {
  using State = typename Spec::State;
  using Kept = Slot<State>;
  WF_SHARED(State, of_tiles, PART);
  WF_SHARED(u32, ticket, 1);
  const u64 length = (shape.rows - 1) * shape.stride + shape.cols;
  const u64 tiles = (shape.cols + Order::size - 1) / Order::size;
  const u64 parts = (tiles + PART - 1) / PART;
  const u64 slots = scratch_slots(tiles, PART);
#pragma unroll 1
  for (u64 unit = blockIdx.x; unit < shape.rows * parts; unit += gridDim.x) {
    const u64 r = unit / parts, part = unit % parts;
    const typename Spec::Row row = Spec::row(args, r, shape.cols);
    const u32 count = static_cast<u32>(least(tiles - part * PART, PART));
#pragma unroll 1
    for (u32 k = warp_in_block() * Order::groups; k < count; k += WARPS * Order::groups) {
      const u32 mine = k + lane() / Order::lanes;
      const Spot spot = {r * shape.stride, (part * PART + mine) * Order::size, shape.cols, length, mine < count};
      const State s = reduce_tile<Spec, Order, LOAD, false, REVERSE, Order::lanes == 32>(args, row, spot);
      if (lane_in_group<Order::lanes>() == 0 && mine < count) of_tiles[mine] = s;
    }
    __syncthreads();
    char* of_row = static_cast<char*>(scratch.states) + r * slots * Kept::bytes;
    if (warp_in_block() == 0) {
      State s = lane() < count ? of_tiles[lane()] : Spec::identity();
      if (PART < 32 && parts > 1) {
        if (lane() < count) Kept::of(s).store(of_row, part * PART + lane());
      } else {
        s = fold_states<Spec, 32>(s, count, parts > 1);
        if (lane() == 0 && parts > 1) Kept::of(s).store(of_row, part);
        if (lane() == 0 && parts == 1) store_result<Spec>(results, s, row, args, r * shape.out_stride);
      }
      if (parts > 1) {
        __syncwarp();
        if (lane() == 0) ticket[0] = add_acquire_release(scratch.tickets + r, 1);
      }
    }
    // Also keeps the next part from overwriting `of_tiles` too early.
    __syncthreads();
    if (parts > 1 && ticket[0] == parts - 1) {
      const State s = fold_scratch<Spec, WARPS>(of_row, PART == 32 ? parts : tiles);
      if (threadIdx.x == 0) {
        store_result<Spec>(results, s, row, args, r * shape.out_stride);
        scratch.tickets[r] = 0;
      }
      __syncthreads();
    }
  }
}

}  // namespace wf
