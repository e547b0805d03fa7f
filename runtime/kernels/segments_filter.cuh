// segments_filter.cuh: what segments keep, in order, one behind the other, and where each segment's part starts.
//
// Promises: the data is read once, and the work follows the elements and the offsets, not how they are spread: tiles are of
// elements, wherever segments start, and each new offset is found by a thread of its own. Offsets that fall or pass the
// end are cut off, so that nothing outside is read. Two launches, one after another on a stream:
//
//   segments_filter<Spec, Order, LOAD, Offset, LOCATED, WARPS>(args, results, offsets, marks, relay)
//     Order::lanes = 32. Blocks of WARPS warps draw batches of WARPS tiles by ticket. LOCATED: each element looks for its
//     segment, which the spec asks for; Order::v = 1 then. results have room for all elements. Not in place.
//     Grid: any, at least 1; as many blocks as run at a time are enough. blockDim = 32 * WARPS.
//     relay.words: one word a batch. marks.ranks: one word a turn of every tile; marks.votes: v words a turn.
//   segments_filter_offsets<Spec, Order, Offset>(args, results, offsets, marks, kept)
//     Writes the segments + 1 new offsets. Grid: any.
#pragma once

namespace wf {

// What the first launch leaves for the second: how many are kept before each turn, and which of the turn.
struct SegmentMarks {
  u64 segments, elements;
  u64* ranks;
  u32* votes;
  u64* count;  // how many are kept altogether
};

// Where the filter stands at one element.
template <class Spec> struct Located {
  typename Spec::Row row;
  u64 index;
  bool some;
};

// Finds elements among the segments from number `low` up to `high`.
template <class Spec, class Offset, bool LOCATED> struct Locator {
  const typename Spec::Args& args;
  const Offset* offsets;
  const SegmentMarks& marks;
  u64 begin, end;  // of all segments
  u64 low, high;

  // Narrows the search to a tile's positions.
  WF_FN void tile(u64 first, u64 last) {
    if constexpr (LOCATED) {
      low = offset_past(offsets, 0, marks.segments + 1, first, marks.elements);
      high = offset_past(offsets, low, marks.segments + 1, last, marks.elements);
    }
  }
  WF_FN Located<Spec> at(u64 position) const {
    if constexpr (LOCATED) {
      const u64 next = offset_past(offsets, low, high, position, marks.elements);
      if (next == 0 || next > marks.segments) return {typename Spec::Row{}, 0, false};
      const u64 from = offset_at(offsets, next - 1, marks.elements), to = offset_at(offsets, next, marks.elements);
      const bool some = from <= position && position < to;
      const u64 length = some ? to - from : 0, index = some ? position - from : 0;
      const typename Spec::Row row = Spec::row(args, next - 1, length);
      return {row, index, some && index < live_columns<Spec>(row, length)};
    } else {
      return {Spec::row(args, 0, marks.elements), position, begin <= position && position < end};
    }
  }
};

template <class Spec, class Order, Load LOAD, class Offset, bool LOCATED, int WARPS>
WF_FN void segments_filter(const typename Spec::Args& args, const typename Spec::Results& results, const void* given, const SegmentMarks& marks,
                           const Relay& relay) {
  static_assert(Order::lanes == 32, "a warp takes a tile");
  static_assert(!LOCATED || Order::v == 1, "neighbours may be of different segments");
  using Result = typename Spec::Result;
  constexpr int V = Order::v;
  const Offset* const offsets = static_cast<const Offset*>(given);
  // A warp gathers what a turn keeps, and stores it side by side.
  WF_SHARED(Result, gathered, WARPS* Order::turn);
  WF_SHARED(u32, of_warps, WARPS);
  WF_SHARED(u64, start, 1);
  WF_SHARED(u32, ticket, 1);
  const u64 batches = (marks.elements + WARPS * Order::size - 1) / (WARPS * Order::size);
  const u32 number = launch_number(relay);
  const u32 warp = warp_in_block();
  Result* const own = gathered + warp * Order::turn;
  Locator<Spec, Offset, LOCATED> locate = {args, offsets, marks, offset_at(offsets, 0, marks.elements),
                                           offset_at(offsets, marks.segments, marks.elements), 0, marks.segments + 1};
  // Warp 0 keeps how many the batches before `done` keep.
  u64 done = 0, before = 0;
  if (batches == 0 && blockIdx.x == 0 && threadIdx.x == 0) *marks.count = 0;
  u32 next_ticket = threadIdx.x == 0 ? add_relaxed(relay.control, 1) : 0;
#pragma unroll 1
  for (;;) {
    if (threadIdx.x == 0) ticket[0] = next_ticket;
    __syncthreads();
    const u64 batch = ticket[0];
    if (batch >= batches) break;
    const u64 tile_number = batch * WARPS + warp;
    const Spot spot = {0, tile_number * Order::size, marks.elements, marks.elements, true};
    const int left = left_in_tile<Order>(spot, marks.elements);
    Tile<Spec, Order> tile;
    if constexpr (LOCATED) {
#pragma unroll
      for (int t = 0; t < Order::turns; t++) {
        const int p = slot_zero<Order>(t);
        tile.items[t] = Spec::template items<V>(args, Element{spot.start + static_cast<u64>(p), p < left});
      }
    } else {
      read_tile<Spec, Order, LOAD, false>(tile, args, spot, left);
    }
    locate.tile(spot.start, spot.start + Order::size - 1);
    bool keeps[Order::turns][V];
    Ranks<Order> ranks[Order::turns];
    u32 of_tile = 0;
#pragma unroll
    for (int t = 0; t < Order::turns; t++) {
      const int p = slot_zero<Order>(t);
      u32 votes = 0;  // lane s has those of slot s
#pragma unroll
      for (int s = 0; s < V; s++) {
        keeps[t][s] = false;
        if (p + s < left) {
          const Located<Spec> here = locate.at(spot.start + static_cast<u64>(p + s));
          if constexpr (LOCATED) tile.columns[t] = Spec::template columns<V>(args, Element{here.index, here.some});
          keeps[t][s] = here.some && Spec::template keeps<V>(tile.items[t], tile.columns[t], s, here.row, args, here.index);
        }
        const u32 of_slot = ballot<32>(keeps[t][s]);
        if (lane() == static_cast<u32>(s)) votes = of_slot;
      }
      if (lane() < static_cast<u32>(V) && left > 0) marks.votes[(tile_number * Order::turns + static_cast<u64>(t)) * V + lane()] = votes;
      ranks[t] = rank_slots<Order>(keeps[t]);
      of_tile += ranks[t].total;
    }
    if (lane() == 0) of_warps[warp] = of_tile;
    __syncthreads();
    u64 to = 0;
#pragma unroll
    for (u32 w = 0; w < WARPS; w++) to += w < warp ? of_warps[w] : 0;
    if (warp == 0) {
      u32 all = 0;
#pragma unroll
      for (u32 w = 0; w < WARPS; w++) all += of_warps[w];
      if (lane() == 0) Record<u32>::publish(relay.records, batch, all, number);
#pragma unroll 1
      while (done < batch) {
        const u32 ahead = static_cast<u32>(least(batch - done, 32));
        u32 kept = lane() < ahead ? Record<u32>::await(relay.records, done + lane(), number) : 0;
        __syncwarp();
#pragma unroll
        for (u32 k = 16; k > 0; k /= 2) kept += shuffle_xor<32>(kept, k);
        before += kept;
        done += ahead;
      }
      if (lane() == 0) start[0] = before;
      if (lane() == 0 && batch + 1 == batches) *marks.count = before + all;
      // Drawn while the batch is stored, and not before: whoever waits for the next batch would wait for this one.
      if (lane() == 0) next_ticket = add_relaxed(relay.control, 1);
    }
    __syncthreads();
    to += start[0];
#pragma unroll
    for (int t = 0; t < Order::turns; t++) {
      if (lane() == 0 && left > 0) marks.ranks[tile_number * Order::turns + static_cast<u64>(t)] = to;
      u32 at = ranks[t].before;
#pragma unroll
      for (int s = 0; s < V; s++) {
        if (keeps[t][s]) {
          const Located<Spec> here = locate.at(spot.start + static_cast<u64>(slot_zero<Order>(t) + s));
          own[at++] = Spec::template kept<V>(tile.items[t], tile.columns[t], s, here.row, args, here.index);
        }
      }
      __syncwarp();
#pragma unroll 1
      for (u32 k = lane(); k < ranks[t].total; k += 32) {
        const Result one[1] = {own[k]};
        Spec::template store<1>(results, one, One{to + k});
      }
      __syncwarp();
      to += ranks[t].total;
    }
  }
  leave_relay(relay, number);
}

template <class Spec, class Order, class Offset>
WF_FN void segments_filter_offsets(const typename Spec::Args&, const typename Spec::Results&, const void* given, const SegmentMarks& marks,
                                   void* kept) {
  const Offset* const offsets = static_cast<const Offset*>(given);
  constexpr u64 V = Order::v;
#pragma unroll 1
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i <= marks.segments; i += static_cast<u64>(gridDim.x) * blockDim.x) {
    const u64 at = offset_at(offsets, i, marks.elements);
    u64 rank = *marks.count;
    if (at < marks.elements) {
      const u64 turn = at / Order::turn;
      const u32 in_turn = static_cast<u32>(at % Order::turn), lane_of = in_turn / V, slot = in_turn % V;
      rank = marks.ranks[turn];
#pragma unroll
      for (u32 s = 0; s < V; s++) {
        const u32 votes = marks.votes[turn * V + s];
        rank += static_cast<u32>(__popc(votes & ((1u << lane_of) - 1))) + (s < slot ? votes >> lane_of & 1u : 0u);
      }
    }
    static_cast<Offset*>(kept)[i] = static_cast<Offset>(rank);
  }
}

}  // namespace wf
