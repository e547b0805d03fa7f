// array_filter.cuh: what an array keeps, in order, in one pass over the data.
//
//   array_filter<Spec, Order, LOAD, WARPS>(args, results, count, shape, relay)
//     Order::lanes = 32. Blocks of WARPS warps draw batches of WARPS tiles by ticket. shape.rows = 1; shape.cols may be 0.
//     count: one u64 on the device, how many are kept; results have room for shape.cols. Not in place. Nothing is kept from
//     `live` on.
//     Grid: any, at least 1; as many blocks as run at a time are enough. blockDim = 32 * WARPS.
//     relay.words: one word a batch, ceil(tiles / WARPS).
//
//   array_filter_resident<Spec, Order, LOAD, WARPS>(args, results, count, shape, relay)
//     The same for arrays so small that all their blocks run at once: a block takes the batch of its index and reads what
//     all blocks before have published. Blocks wait for each other, so the launch is cooperative.
//     Grid: ceil(tiles / WARPS), at least 1, all of which run at once.
//
// `Indices<Spec>` keeps where the elements stood instead of what they were.
#pragma once

namespace wf {

template <class Spec> struct Indices : Spec {
  using Result = u64;
  struct Results {
    u64* r0;
  };
  template <int V>
  static WF_FN u64 kept(const typename Spec::template Items<V>&, const typename Spec::template Columns<V>&, int, const typename Spec::Row&,
                        const typename Spec::Args&, u64 index) {
    return index;
  }
  template <int V, class W> static WF_FN void store(const Results& results, const u64 (&values)[V], const W& write) {
    Pack<u64, V> p;
#pragma unroll
    for (int i = 0; i < V; i++) p.v[i] = values[i];
    write.template put<V>(results.r0, p);
  }
};

// A tile of which is known what it keeps, and where among what it keeps.
template <class Spec, class Order> struct KeptTile {
  using Result = typename Spec::Result;
  Tile<Spec, Order> tile;
  bool keeps[Order::turns][Order::v];
  Ranks<Order> ranks[Order::turns];
  u32 total;

  template <Load LOAD> WF_FN void read(const typename Spec::Args& args, const typename Spec::Row& row, const Spot& spot) {
    const int left = live_in_tile<Spec, Order>(row, spot);
    read_tile<Spec, Order, LOAD, false>(tile, args, spot, left);
    total = 0;
#pragma unroll
    for (int t = 0; t < Order::turns; t++) {
      const int p = slot_zero<Order>(t);
#pragma unroll
      for (int s = 0; s < Order::v; s++) {
        keeps[t][s] = p + s < left && Spec::template keeps<Order::v>(tile.items[t], tile.columns[t], s, row, args, index_of<false>(spot, p + s));
      }
      ranks[t] = rank_slots<Order>(keeps[t]);
      total += ranks[t].total;
    }
  }
  // Stores what is kept from result `to` on, gathered turn by turn in `own`, Order::turn results of the warp's own.
  WF_FN void store(Result* own, u64 to, const typename Spec::Results& results, const typename Spec::Args& args, const typename Spec::Row& row,
                   const Spot& spot) const {
#pragma unroll
    for (int t = 0; t < Order::turns; t++) {
      u32 at = ranks[t].before;
#pragma unroll
      for (int s = 0; s < Order::v; s++) {
        if (keeps[t][s]) {
          own[at++] = Spec::template kept<Order::v>(tile.items[t], tile.columns[t], s, row, args, index_of<false>(spot, slot_zero<Order>(t) + s));
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
};

template <class Spec, class Order, Load LOAD, int WARPS>
WF_FN void array_filter(const typename Spec::Args& args, const typename Spec::Results& results, u64* count, const RowShape& shape,
                        const Relay& relay) {
  static_assert(Order::lanes == 32, "a warp takes a tile");
  using Result = typename Spec::Result;
  // A warp gathers what a turn keeps, and stores it side by side.
  WF_SHARED(Result, gathered, WARPS* Order::turn);
  WF_SHARED(u32, of_warps, WARPS);
  WF_SHARED(u64, start, 1);
  WF_SHARED(u32, ticket, 1);
  const u64 batches = (shape.cols + WARPS * Order::size - 1) / (WARPS * Order::size);
  const u32 number = launch_number(relay);
  const typename Spec::Row row = Spec::row(args, 0, shape.cols);
  const u32 warp = warp_in_block();
  Result* const own = gathered + warp * Order::turn;
  // Warp 0 keeps how many the batches before `done` keep.
  u64 done = 0, before = 0;
  if (batches == 0 && blockIdx.x == 0 && threadIdx.x == 0) *count = 0;
  u32 next_ticket = threadIdx.x == 0 ? add_relaxed(relay.control, 1) : 0;
#pragma unroll 1
  for (;;) {
    if (threadIdx.x == 0) ticket[0] = next_ticket;
    __syncthreads();
    const u64 batch = ticket[0];
    if (batch >= batches) break;
    const Spot spot = {0, (batch * WARPS + warp) * Order::size, shape.cols, shape.cols, true};
    KeptTile<Spec, Order> tile;
    tile.template read<LOAD>(args, row, spot);
    if (lane() == 0) of_warps[warp] = tile.total;
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
      if (lane() == 0 && batch + 1 == batches) *count = before + all;
      // Drawn while the batch is stored, and not before: whoever waits for the next batch would wait for this one.
      if (lane() == 0) next_ticket = add_relaxed(relay.control, 1);
    }
    __syncthreads();
    tile.store(own, to + start[0], results, args, row, spot);
  }
  leave_relay(relay, number);
}

template <class Spec, class Order, Load LOAD, int WARPS>
WF_FN void array_filter_resident(const typename Spec::Args& args, const typename Spec::Results& results, u64* count, const RowShape& shape,
                                 const Relay& relay) {
  static_assert(Order::lanes == 32, "a warp takes a tile");
  using Result = typename Spec::Result;
  WF_SHARED(Result, gathered, WARPS* Order::turn);
  WF_SHARED(u32, of_warps, WARPS);
  WF_SHARED(u64, of_batches, WARPS);
  const u32 batch = blockIdx.x, warp = warp_in_block();
  const u32 number = launch_number(relay);
  const typename Spec::Row row = Spec::row(args, 0, shape.cols);
  const Spot spot = {0, (static_cast<u64>(batch) * WARPS + warp) * Order::size, shape.cols, shape.cols, true};
  KeptTile<Spec, Order> tile;
  tile.template read<LOAD>(args, row, spot);
  if (lane() == 0) of_warps[warp] = tile.total;
  __syncthreads();
  u64 to = 0, all = 0;
#pragma unroll
  for (u32 w = 0; w < WARPS; w++) {
    to += w < warp ? of_warps[w] : 0;
    all += of_warps[w];
  }
  if (threadIdx.x == 0) Record<u32>::publish(relay.records, batch, static_cast<u32>(all), number);
  const bool last_block = threadIdx.x == 0 && last_to_come(relay, number);
  u64 before = 0;
#pragma unroll 1
  for (u32 at = threadIdx.x; at < batch; at += WARPS * 32) before += Record<u32>::await(relay.records, at, number);
  __syncwarp();
#pragma unroll
  for (u32 k = 16; k > 0; k /= 2) before += shuffle_xor<32>(before, k);
  if (lane() == 0) of_batches[warp] = before;
  __syncthreads();
#pragma unroll
  for (u32 w = 0; w < WARPS; w++) to += of_batches[w];
  if (threadIdx.x == 0 && batch + 1 == gridDim.x) *count = to + all;
  tile.store(gathered + warp * Order::turn, to, results, args, row, spot);
  leave_resident(relay, number, last_block);
}

}  // namespace wf
