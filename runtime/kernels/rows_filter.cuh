// rows_filter.cuh: what a row keeps, in order, at the start of its results; the rest of the row's results is default.
//
//   rows_filter<Spec, Order, LOAD>(args, results, counts, shape)
//     rows of any number of columns: a group of Order::lanes lanes a row. counts: one a row, how many it keeps.
//     Grid: ceil(rows / (32 / Order::lanes)) warps; rows >= 1. Not in place.
#pragma once

namespace wf {

// How many of a group's slots at one turn are kept before the lane's slot 0, and how many altogether.
template <class Order> struct Ranks {
  u32 before, total;
};
template <class Order> WF_FN Ranks<Order> rank_slots(const bool (&keeps)[Order::v]) {
  const u32 below = (1u << lane_in_group<Order::lanes>()) - 1;
  Ranks<Order> r = {0, 0};
#pragma unroll
  for (int s = 0; s < Order::v; s++) {
    const u32 votes = ballot<Order::lanes>(keeps[s]);
    r.before += static_cast<u32>(__popc(votes & below));
    r.total += static_cast<u32>(__popc(votes));
  }
  return r;
}

template <class Spec, class Order, Load LOAD>
WF_FN void rows_filter(const typename Spec::Args& args, const typename Spec::Results& results, u64* counts, const RowShape& shape) {
  const u64 first = (static_cast<u64>(blockIdx.x) * (blockDim.x / 32) + warp_in_block()) * Order::groups;
  if (first >= shape.rows) return;
  const u64 r = first + lane() / Order::lanes;
  const u64 n = least(r, shape.rows - 1);
  const typename Spec::Row row = Spec::row(args, n, shape.cols);
  const u64 length = (shape.rows - 1) * shape.stride + shape.cols;
  const u64 out = n * shape.out_stride;
  u64 kept = 0;
#pragma unroll 1
  for (u64 start = 0; start < shape.cols; start += Order::size) {
    const Spot spot = {n * shape.stride, start, shape.cols, length, r < shape.rows};
    const int left = live_in_tile<Spec, Order>(row, spot);
    Tile<Spec, Order> tile;
    read_tile<Spec, Order, LOAD, false>(tile, args, spot, left);
#pragma unroll
    for (int t = 0; t < Order::turns; t++) {
      const int p = slot_zero<Order>(t);
      bool keeps[Order::v];
#pragma unroll
      for (int s = 0; s < Order::v; s++) {
        keeps[s] = p + s < left && Spec::template keeps<Order::v>(tile.items[t], tile.columns[t], s, row, args, index_of<false>(spot, p + s));
      }
      const Ranks<Order> ranks = rank_slots<Order>(keeps);
      u64 to = out + kept + ranks.before;
#pragma unroll
      for (int s = 0; s < Order::v; s++) {
        if (keeps[s]) {
          const typename Spec::Result one[1] = {Spec::template kept<Order::v>(tile.items[t], tile.columns[t], s, row, args, index_of<false>(spot, p + s))};
          Spec::template store<1>(results, one, One{to});
          to++;
        }
      }
      kept += ranks.total;
    }
  }
  if (r >= shape.rows) return;
  const typename Spec::Result nothing[1] = {};
  for (u64 c = kept + lane_in_group<Order::lanes>(); c < shape.cols; c += Order::lanes) Spec::template store<1>(results, nothing, One{out + c});
  if (lane_in_group<Order::lanes>() == 0) counts[r] = kept;
}

}  // namespace wf
