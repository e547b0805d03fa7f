// rows_apply_cluster.cuh: one result an element of rows that no block can hold: a cluster of blocks holds one together.
//
//   rows_apply_cluster<Spec, Order, LOAD, STORE, WARPS, GROUPS, STAGES, BYTES, PARAMETERS>(args, results, shape, relay)
//     Each element is read once. Clusters draw rows by ticket; each of their blocks copies its part of a row, WARPS tiles,
//     and of up to STAGES rows ahead, into shared memory, wherever rows start. GROUPS groups of WARPS warps take rows in
//     turn. A warp holds its tile in registers; the warps of a block tell all blocks of the cluster their states, and one folds
//     what it is told, as `rows_apply_block` folds; other groups work while it waits.
//     Rows of 1 to CLUSTER * WARPS tiles; shape.rows < 2^32 - 2 * clusters; Order::lanes = 32; at least one plain parameter.
//     BYTES: of one element of all plain parameters, of which there are PARAMETERS. In place is allowed.
//     Dynamic shared memory: STAGES * (WARPS * Order::size * BYTES + 32 * PARAMETERS).
//     Grid: a multiple of CLUSTER, its clusters of as many blocks, one a multiprocessor. blockDim = 32 * (1 + GROUPS * WARPS).
//     relay.words may be 0.
#pragma once

namespace wf {

// Starts to copy the granules of 16 bytes that hold `count` elements from `first` on of each plain parameter, of `length`
// elements; a reader of a spec's `items`, which asks for each parameter once. What shares its granule with something else
// than elements of the parameter is copied one by one. One thread calls.
template <u32 ROOM> struct PartCopier {
  u64 first, length;
  u32 count;
  Barrier& there;
  mutable char* to;
  mutable u32 bytes;   // under way
  mutable bool alone;  // whether elements were copied one by one

  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    const u64 from = reinterpret_cast<u64>(base + first), end = reinterpret_cast<u64>(base + first + count);
    const u64 begin = from / 16 * 16, edge = (end + 15) / 16 * 16;
    const u64 low = begin < reinterpret_cast<u64>(base) ? begin + 16 : begin;
    const u64 last = edge > reinterpret_cast<u64>(base + length) ? edge - 16 : edge;
    const u64 high = last > low ? last : low;
    if (low < high) start_bulk_copy(to + (low - begin), reinterpret_cast<const char*>(low), static_cast<u32>(high - low), there);
    bytes += static_cast<u32>(high - low);
    for (u64 at = from; at < least(low, end); at += sizeof(T)) copy_one<T>(at, begin);
    for (u64 at = high > from ? high : from; at < end; at += sizeof(T)) copy_one<T>(at, begin);
    to += ROOM * sizeof(T) + 32;
    return {};
  }

 private:
  template <class T> WF_FN void copy_one(u64 at, u64 begin) const {
    *reinterpret_cast<T*>(to + (at - begin)) = fetch(reinterpret_cast<const T*>(at));
    alone = true;
  }
};

// Reads packs of what PartCopier brought from the same `first` on: slot s is element `at + s`, which exists.
template <u32 ROOM, Load LOAD> struct PartReader {
  u64 first;
  u32 at;
  mutable const char* from;

  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    constexpr int EACH = Wide<T, V>::each;
    const T* const pack = reinterpret_cast<const T*>(from + reinterpret_cast<u64>(base + first) % 16) + at;
    from += ROOM * sizeof(T) + 32;
    Pack<T, V> r;
    if constexpr (LOAD != Load::any && Wide<T, EACH>::power) {
#pragma unroll
      for (int piece = 0; piece < V; piece += EACH) {
        // By value: of a reference the compiler does not know how it is aligned.
        const typename Granule<Wide<T, EACH>::granule>::Type whole = *reinterpret_cast<const typename Granule<Wide<T, EACH>::granule>::Type*>(pack + piece);
        const Pack<T, EACH> p = copy_bits<Pack<T, EACH>>(whole);
#pragma unroll
        for (int s = 0; s < EACH; s++) r.v[piece + s] = p.v[s];
      }
    } else {
#pragma unroll
      for (int s = 0; s < V; s++) r.v[s] = pack[s];
    }
    return r;
  }
};

template <class Spec, class Order, Load LOAD, Load STORE, int WARPS, int GROUPS, int STAGES> struct ClusterRing {
  using State = typename Spec::State;
  static constexpr u32 ROOM = WARPS * Order::size;
  static constexpr u32 WORDS = (sizeof(State) + 3) / 4;
  // What a block tells of a row: its tiles' states, in messages of four words.
  static constexpr u32 MESSAGES = (WARPS * WORDS + 3) / 4;
  // What is kept of a row is still read when its stage holds the next: twice as many places.
  static constexpr u32 PLACES = 2 * STAGES;
  static_assert(Order::lanes == 32, "a warp takes a tile");
  static_assert(GROUPS < STAGES, "a row is drawn ahead of those that all groups are at");

  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const RowShape& shape;
  u32* const tickets;
  const u32 rank, stage_bytes;
  // Shared, by stage: the parts of rows.
  char* const stages;
  Barrier *const landed, *const free;
  // Shared, by place: the rows' numbers, as they were sent and as they are used.
  Barrier* const drawn;
  u32 *const sent, *const row_at;
  // Shared, two a group: the states of the block's tiles, and those of all blocks, as they were told.
  Barrier* const told;
  uint4 *const own, *const states;
  // Shared, one a group: what a row comes to.
  State* const totals;

  WF_FN u32 tiles() const { return static_cast<u32>((shape.cols + Order::size - 1) / Order::size); }
  // Of the block's part of a row: its first element, and how many it has.
  // Which part that is goes round with the rows, as the last ones may have less, or nothing. Not where there are per-column
  // elements: those of always the same part stay in the L1 cache.
  WF_FN u32 part_at(u32 turn) const { return Spec::has_columns ? rank : (rank + turn) % CLUSTER; }
  WF_FN u64 part_start(u32 part) const { return static_cast<u64>(part) * ROOM; }
  WF_FN u32 part_count(u32 part) const { return shape.cols > part_start(part) ? static_cast<u32>(least(shape.cols - part_start(part), ROOM)) : 0; }

  // One thread.
  WF_FN void begin() const {
    for (u32 s = 0; s < STAGES; s++) {
      landed[s].begin(1);
      free[s].begin(WARPS);
    }
    for (u32 place = 0; place < PLACES; place++) drawn[place].begin(1);
    for (u32 k = 0; k < 2 * GROUPS; k++) told[k].begin(1);
    show_barriers();
  }

  // One lane. The first block draws, a row ahead. Warps of a group are at most a row of theirs apart over all blocks, as each
  // waits for all others' states: by the time that the first block has a stage free again, the others have used what was
  // sent to the place of the row after it.
  WF_FN void fetch() const {
    const u64 length = (shape.rows - 1) * shape.stride + shape.cols;
    u32 drawing = 0, next = 0, row = 0;
    if (rank == 0) {
      drawing = add_relaxed(tickets, 1);
      next = add_relaxed(tickets, 1);
      tell_row(0, drawing);
    }
    u32 over = 0;
#pragma unroll 1
    for (u32 turn = 0; over < GROUPS; turn++) {
      const u32 s = turn % STAGES, place = turn % PLACES;
      free[s].wait((turn / STAGES & 1) ^ 1);
      // Nobody may be sent anything that he does not wait for: nothing after the first row that there is not.
      if (rank == 0 && drawing < shape.rows) {
        drawing = next;
        tell_row((turn + 1) % PLACES, drawing);
        next = add_relaxed(tickets, 1);
      }
      if (over == 0) {
        drawn[place].expect(4);
        drawn[place].wait(turn / PLACES & 1);
        row = sent[place];
      }
      row_at[place] = row;
      if (row >= shape.rows) {
        // Each group has to be told.
        landed[s].arrive();
        over++;
        continue;
      }
      const u32 part = part_at(turn);
      const PartCopier<ROOM> copy = {row * shape.stride + part_start(part), length, part_count(part), landed[s], stages + s * stage_bytes, 0, false};
      if (copy.count > 0) Spec::template items<Order::v>(args, copy);
      // The next copy into the stage is to come after what was written here.
      if (copy.alone) show_to_copies();
      landed[s].expect(copy.bytes);
    }
  }
  WF_FN void tell_row(u32 place, u32 row) const {
    for (u32 r = 0; r < CLUSTER; r++) send(sent + place, row, r, drawn[place]);
  }

  // What the states of all tiles of a row come to, from what was told.
  WF_FN State total(const uint4* words) const {
    constexpr u32 SPANS = (CLUSTER * WARPS + 31) / 32;
    const u32 all = tiles();
    State spans = Spec::identity();
#pragma unroll
    for (u32 span = 0; span < SPANS; span++) {
      if (span * 32 >= all) break;
      const u32 count = all - span * 32 < 32 ? all - span * 32 : 32;
      State s = Spec::identity();
      if (lane() < count) {
        const u32 tile = span * 32 + lane();
        const u32* const at = reinterpret_cast<const u32*>(words + tile / WARPS * MESSAGES) + tile % WARPS * WORDS;
        u32 w[WORDS];
#pragma unroll
        for (u32 i = 0; i < WORDS; i++) w[i] = at[i];
        memcpy(&s, w, sizeof(State));
      }
      s = shuffle_lane<32>(fold_states<Spec, 32>(s, count, all > 32), 0);
      if (all <= 32 || lane() == span) spans = s;
    }
    if (all > 32) spans = shuffle_lane<32>(fold_states<Spec, 32>(spans, (all + 31) / 32, false), 0);
    return with_init<Spec>(spans);
  }

  // Reads the warp's tile of the part that was copied from `first` on. All packs, one address for all of them, as those that do
  // not exist have their place too, with anything in it: to choose another place for these takes seven instructions a pack, a
  // sixth of all that a warp does where packs are single elements.
  WF_FN void read_part(Tile<Spec, Order>& tile, u32 warp, u64 first, const char* stage) const {
    const u32 own = warp * Order::size + static_cast<u32>(slot_zero<Order>(0));
#pragma unroll
    for (int t = 0; t < Order::turns; t++) {
      tile.items[t] = Spec::template items<Order::v>(args, PartReader<ROOM, LOAD>{first, own + t * Order::turn, stage});
    }
  }

  WF_FN void apply(u32 group, u32 warp) const {
    const u64 length = (shape.rows - 1) * shape.stride + shape.cols;
    u32 half = 0, parity = 0;
#pragma unroll 1
    for (u32 turn = group;; turn += GROUPS) {
      const u32 s = turn % STAGES;
      landed[s].wait(turn / STAGES & 1);
      const u64 r = row_at[turn % PLACES];
      if (r >= shape.rows) break;
      const u32 part = part_at(turn), mine = part * WARPS + warp;
      const bool exists = mine < tiles();
      Barrier& there = told[2 * group + half];
      uint4* const mine_of_block = own + (2 * group + half) * MESSAGES;
      uint4* const words = states + (2 * group + half) * (CLUSTER * MESSAGES);
      const typename Spec::Row row = Spec::row(args, r, shape.cols);
      const Spot spot = {r * shape.stride, static_cast<u64>(mine) * Order::size, shape.cols, length, exists};
      const int left = left_in_tile<Order>(spot, shape.cols);
      Tile<Spec, Order> tile;
      if (exists) {
        read_part(tile, warp, spot.offset + part_start(part), stages + s * stage_bytes);
        if constexpr (Spec::has_columns) {
          if (left == Order::size) {
            read_columns<Spec, Order, LOAD, false, Sure::full>(tile, args, spot, left);
          } else {
            read_columns<Spec, Order, LOAD, false, Sure::inside>(tile, args, spot, left);
          }
        }
      }
      __syncwarp();
      if (lane() == 0) free[s].arrive();
      if (exists) {
        const State state = fold_likely_full<Spec, Order, LOAD, false, false, true>(tile, row, args, spot, live_in_tile<Spec, Order>(row, spot));
        u32 w[WORDS] = {};
        memcpy(w, &state, sizeof(State));
        if (lane() == 0) {
#pragma unroll
          for (u32 i = 0; i < WORDS; i++) reinterpret_cast<u32*>(mine_of_block)[warp * WORDS + i] = w[i];
        }
      }
      // Blocks without a tile tell as well, so that nobody is more than a row ahead of them.
      sync_warps(1 + group, 32 * WARPS);
      if (warp == 0 && lane() == 0) there.expect(CLUSTER * MESSAGES * 16);
#pragma unroll 1
      for (u32 to = warp; to < CLUSTER; to += WARPS) {
        for (u32 i = lane(); i < MESSAGES; i += 32) send(words + part * MESSAGES + i, mine_of_block[i], to, there);
      }
      // One warp folds for all of its group: the others leave it their turns.
      State* const total_of_row = totals + group;
      if (warp == 0) {
        there.wait(parity);
        const State all = total(words);
        if (lane() == 0) *total_of_row = all;
      }
      parity ^= half;
      half ^= 1;
      sync_warps(1 + group, 32 * WARPS);
      const State all = *total_of_row;
      if (exists) apply_tile<Spec, Order, LOAD, STORE, true>(tile, all, row, args, results, spot, r * shape.out_stride, left);
    }
  }
};

template <class Spec, class Order, Load LOAD, Load STORE, int WARPS, int GROUPS, int STAGES, int BYTES, int PARAMETERS>
WF_FN void rows_apply_cluster(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape, const Relay& relay) {
  using Ring = ClusterRing<Spec, Order, LOAD, STORE, WARPS, GROUPS, STAGES>;
  constexpr u32 STAGE = Ring::ROOM * BYTES + 32 * PARAMETERS;
  WF_DYNAMIC(stages, STAGES * STAGE);
  WF_SHARED(Barrier, landed, STAGES);
  WF_SHARED(Barrier, free, STAGES);
  WF_SHARED(Barrier, drawn, Ring::PLACES);
  WF_SHARED(Barrier, told, 2 * GROUPS);
  WF_SHARED(u32, sent, Ring::PLACES);
  WF_SHARED(u32, row_at, Ring::PLACES);
  WF_SHARED(uint4, own, 2 * GROUPS * Ring::MESSAGES);
  WF_SHARED(uint4, states, 2 * GROUPS * CLUSTER * Ring::MESSAGES);
  WF_SHARED(typename Spec::State, totals, GROUPS);
  const u32 number = launch_number(relay);
  const Ring ring = {args, results, shape, relay.control, rank_in_cluster(), STAGE, stages, landed, free, drawn, sent, row_at, told, own, states, totals};
  if (threadIdx.x == 0) ring.begin();
  sync_cluster();
  if (warp_in_block() > 0) {
    ring.apply((warp_in_block() - 1) / WARPS, (warp_in_block() - 1) % WARPS);
  } else if (lane() == 0) {
    ring.fetch();
  }
  __syncwarp();
  sync_cluster();
  leave_relay(relay, number);
}

}  // namespace wf
