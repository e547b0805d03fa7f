// array_filter_bulk.cuh: filters of large arrays at the memory's pace, with the results of array_filter.cuh. sm_90 and later.
//
//   array_filter_bulk<Spec, Order, LOAD, TILES, REDUCERS, STAGES, CHUNK, BYTES>(args, results, count, shape, relay)
//     Blocks draw batches of TILES tiles by ticket into a ring of STAGES stages. Warps have roles, as in array_scan_bulk.cuh:
//       0            fetches
//       1            looks ahead: how many all batches before keep, from what their blocks have published
//       2 …          REDUCERS warps count what each tile keeps, publish it for the batch and wait for nobody
//       2 + REDUCERS … TILES warps store what a tile each keeps, CHUNK turns at a time: side by side in shared memory first,
//                    at the place within 16 bytes that they get in the results, so that they leave as aligned granules
//     shape.rows = 1, cols >= 1, batches < 2^32 - 2 * grid; no `live` and no per-column parameters; one array of results,
//     of elements of 1, 2, 4, 8 or 16 bytes. Every plain parameter and the results start at a multiple of 16 bytes. Not in place.
//     BYTES: of one element of all plain parameters. Dynamic shared memory: STAGES * TILES * Order::size * BYTES, and
//     TILES times 16 bytes and CHUNK turns of results.
//     Grid: any; one block a multiprocessor is enough. blockDim = 32 * (2 + REDUCERS + TILES).
//     relay.words: one word a batch, ceil(tiles / TILES).
#pragma once

namespace wf {

// Writes 16 bytes at element `at`, a multiple of 16 bytes.
struct Aligned {
  u64 at;
  template <int V, class T> WF_FN void put(T* base, const Pack<T, V>& values) const {
    static_assert(sizeof(T) * V == 16, "one granule");
    *reinterpret_cast<uint4*>(base + at) = copy_bits<uint4>(values);
  }
};

WF_FN u32 sum_of_lanes(u32 x) {
#if WF_REDUX
  return redux_add(x);
#else
#pragma unroll
  for (u32 k = 16; k > 0; k /= 2) x += shuffle_xor<32>(x, k);
  return x;
#endif
}

template <class Spec, class Order, Load LOAD, int TILES, int REDUCERS, int STAGES, int CHUNK, int BYTES>
struct FilterRing : Ring<Spec, Order, LOAD, TILES, STAGES, BYTES, false> {
  using Result = typename Spec::Result;
  using Kept = Record<u32>;
  using Base = Ring<Spec, Order, LOAD, TILES, STAGES, BYTES, false>;
  using Base::args, Base::cols, Base::landed, Base::free, Base::batch_at, Base::batches, Base::whole, Base::spot;
  static constexpr u32 PLACES = Base::PLACES;
  // Some turns of a tile are an order of their own.
  using Part = TileOrder<Order::v, 32, CHUNK>;
  static constexpr u32 PARTS = Order::turns / CHUNK;
  // Results of a granule; of a warp's part of shared memory.
  static constexpr u32 EACH = 16 / sizeof(Result), OWN = Part::size + EACH;
  static_assert(EACH * sizeof(Result) == 16, "results of 1, 2, 4, 8 or 16 bytes");
  static_assert(Order::turns % CHUNK == 0, "a warp takes a tile in equal parts");
  static_assert(TILES <= 32 && (TILES & (TILES - 1)) == 0 && TILES % REDUCERS == 0, "the counts of a batch are scanned by a warp");

  const typename Spec::Results& results;
  const typename Spec::Row row;
  u64* const records;
  const u32 number;
  // Shared, by place: how many a tile keeps, how many those before it in its batch, the batch, all batches before it.
  Barrier *const counted, *const placed;
  u32 *const of_tiles, *const before, *const of_batch;
  u64* const starts;
  // Shared: OWN results a warp.
  Result* const gathered;

  WF_FN void begin() const {
    if (threadIdx.x == 0) {
      Base::begin(REDUCERS + TILES);
      for (u32 m = 0; m < PLACES; m++) {
        counted[m].begin(1);
        placed[m].begin(1);
      }
      show_barriers();
    }
  }

  WF_FN bool keeps(const Tile<Spec, Part>& tile, int t, int s, int left, const Spot& here) const {
    const int p = slot_zero<Part>(t) + s;
    return p < left && Spec::template keeps<Order::v>(tile.items[t], tile.columns[t], s, row, args, index_of<false>(here, p));
  }

  // How many a tile keeps.
  template <bool WHOLE> WF_FN u32 count(u64 batch, u32 stage, u32 at) const {
    u32 own = 0;
#pragma unroll 1
    for (u32 part = 0; part < PARTS; part++) {
      const Spot here = spot(batch, at, part * CHUNK);
      const int left = WHOLE ? int(Part::size) : left_in_tile<Part>(here, cols);
      Tile<Spec, Part> tile;
      this->template read<Part, WHOLE>(tile, here, left, stage, at, part * CHUNK);
#pragma unroll
      for (int t = 0; t < Part::turns; t++) {
#pragma unroll
        for (int s = 0; s < Order::v; s++) own += keeps(tile, t, s, left, here) ? 1u : 0u;
      }
    }
    return sum_of_lanes(own);
  }

  WF_FN void reduce(u32 reducer) const {
    constexpr u32 EACH_REDUCER = TILES / REDUCERS;
#pragma unroll 1
    for (u32 turn = 0;; turn++) {
      const u32 stage = turn % STAGES, place = turn % PLACES;
      landed[stage].wait(turn / STAGES & 1);
      const u64 batch = batch_at[place];
      if (batch >= batches()) {
        if (reducer == 0 && lane() == 0) counted[place].arrive();
        break;
      }
#pragma unroll 1
      for (u32 k = 0; k < EACH_REDUCER; k++) {
        const u32 at = reducer * EACH_REDUCER + k;
        const u32 kept = whole(batch) ? count<true>(batch, stage, at) : count<false>(batch, stage, at);
        if (lane() == 0) of_tiles[place * TILES + at] = kept;
      }
      __syncwarp();
      if (lane() == 0) free[stage].arrive();
      sync_warps(1, REDUCERS * 32);
      if (reducer == turn % REDUCERS) {
        const u32 mine = lane() < TILES ? of_tiles[place * TILES + lane()] : 0;
        u32 up_to = mine;
#pragma unroll
        for (u32 k = 1; k < TILES; k *= 2) {
          const u32 lower = shuffle_up<32>(up_to, k);
          if (lane() >= k) up_to += lower;
        }
        if (lane() == TILES - 1) {
          Kept::publish(records, batch, up_to, number);
          of_batch[place] = up_to;
        }
        if (lane() < TILES) before[place * TILES + lane()] = up_to - mine;
        __syncwarp();
        if (lane() == 0) counted[place].arrive();
      }
    }
  }

  // How many the batches `done` .. `batch` keep. All records are looked at before the first is waited for.
  WF_FN u64 gather(u64 done, u64 batch) const {
    constexpr u32 LOOKS = 5;
    u64 kept = 0;
#pragma unroll 1
    for (; done < batch; done += LOOKS * 32) {
      typename Kept::Seen seen[LOOKS] = {};
      bool all;
      do {
        all = true;
#pragma unroll
        for (u32 k = 0; k < LOOKS; k++) {
          const u64 at = done + k * 32 + lane();
          if (at < batch && !Kept::there(seen[k], number)) seen[k] = Kept::look(records, at);
        }
#pragma unroll
        for (u32 k = 0; k < LOOKS; k++) all = all && (done + k * 32 + lane() >= batch || Kept::there(seen[k], number));
      } while (!all);
      __syncwarp();
      u32 own = 0;
#pragma unroll
      for (u32 k = 0; k < LOOKS; k++) own += Kept::value(seen[k]);
      kept += sum_of_lanes(own);
    }
    return kept;
  }

  WF_FN void look_ahead(u64* count) const {
    u64 done = 0, kept = 0;
#pragma unroll 1
    for (u32 turn = 0;; turn++) {
      const u32 place = turn % PLACES;
      counted[place].wait(turn / PLACES & 1);
      const u64 batch = batch_at[place];
      if (batch >= batches()) break;
      kept += gather(done, batch);
      done = batch;
      if (lane() == 0) {
        starts[place] = kept;
        if (batch + 1 == batches()) *count = kept + of_batch[place];
        placed[place].arrive();
      }
    }
  }

  // Stores the slots `from` .. `end` of the warp's part, whose slot 0 is the result `base`, a multiple of EACH; `from` < EACH.
  WF_FN void store(const Result* own, u64 base, u32 from, u32 end) const {
    const u32 first = from > 0 ? EACH : 0;
#pragma unroll 2
    for (u32 j = first + lane() * EACH; j + EACH <= end; j += 32 * EACH) {
      const auto granule = copy_bits<Pack<Result, EACH>>(*reinterpret_cast<const uint4*>(own + j));
      Spec::template store<EACH>(results, granule.v, Aligned{base + j});
    }
    // What shares its granule with others.
    const u32 rest = end / EACH * EACH > first ? end / EACH * EACH : first;
    const u32 head = lane(), tail = rest + lane();
    if (head >= from && head < first && head < end) {
      const Result one[1] = {own[head]};
      Spec::template store<1>(results, one, One{base + head});
    }
    if (lane() < EACH && tail < end) {
      const Result one[1] = {own[tail]};
      Spec::template store<1>(results, one, One{base + tail});
    }
  }

  template <bool WHOLE> WF_FN void keep(u64 batch, u32 stage, u32 place, u32 at, u32 parity, Result* own) const {
    u64 to = 0;
#pragma unroll 1
    for (u32 part = 0; part < PARTS; part++) {
      const Spot here = spot(batch, at, part * CHUNK);
      const int left = WHOLE ? int(Part::size) : left_in_tile<Part>(here, cols);
      Tile<Spec, Part> tile;
      this->template read<Part, WHOLE>(tile, here, left, stage, at, part * CHUNK);
      if (part + 1 == PARTS) {
        __syncwarp();
        if (lane() == 0) free[stage].arrive();
      }
      bool kept[Part::turns][Order::v];
      Ranks<Part> ranks[Part::turns];
#pragma unroll
      for (int t = 0; t < Part::turns; t++) {
#pragma unroll
        for (int s = 0; s < Order::v; s++) kept[t][s] = keeps(tile, t, s, left, here);
        ranks[t] = rank_slots<Part>(kept[t]);
      }
      if (part == 0) {
        placed[place].wait(parity);
        to = starts[place] + before[place * TILES + at];
      }
      const u32 from = static_cast<u32>(to % EACH);
      u32 end = from;
#pragma unroll
      for (int t = 0; t < Part::turns; t++) {
        u32 slot = end + ranks[t].before;
#pragma unroll
        for (int s = 0; s < Order::v; s++) {
          if (kept[t][s]) {
            const u64 index = index_of<false>(here, slot_zero<Part>(t) + s);
            own[slot++] = Spec::template kept<Order::v>(tile.items[t], tile.columns[t], s, row, args, index);
          }
        }
        end += ranks[t].total;
      }
      __syncwarp();
      store(own, to - from, from, end);
      __syncwarp();
      to += end - from;
    }
  }

  WF_FN void place(u32 at) const {
    Result* const own = gathered + at * OWN;
#pragma unroll 1
    for (u32 turn = 0;; turn++) {
      const u32 stage = turn % STAGES, place = turn % PLACES, parity = turn / PLACES & 1;
      landed[stage].wait(turn / STAGES & 1);
      const u64 batch = batch_at[place];
      if (batch >= batches()) break;
      if (whole(batch)) {
        keep<true>(batch, stage, place, at, parity, own);
      } else {
        keep<false>(batch, stage, place, at, parity, own);
      }
    }
  }
};

template <class Spec, class Order, Load LOAD, int TILES, int REDUCERS, int STAGES, int CHUNK, int BYTES>
WF_FN void array_filter_bulk(const typename Spec::Args& args, const typename Spec::Results& results, u64* count, const RowShape& shape,
                             const Relay& relay) {
  using Result = typename Spec::Result;
  using Roles = FilterRing<Spec, Order, LOAD, TILES, REDUCERS, STAGES, CHUNK, BYTES>;
  constexpr u32 PLACES = Roles::PLACES;
  WF_DYNAMIC(stages, STAGES * Roles::STAGE + TILES * Roles::OWN * sizeof(Result));
  WF_SHARED(Barrier, landed, STAGES);
  WF_SHARED(Barrier, free, STAGES);
  WF_SHARED(Barrier, counted, PLACES);
  WF_SHARED(Barrier, placed, PLACES);
  WF_SHARED(u64, batch_at, PLACES);
  WF_SHARED(u64, starts, PLACES);
  WF_SHARED(u32, of_tiles, PLACES* TILES);
  WF_SHARED(u32, before, PLACES* TILES);
  WF_SHARED(u32, of_batch, PLACES);
  const u32 number = launch_number(relay);
  const Roles roles = {{args, shape.cols, relay.control, stages, landed, free, batch_at},
                       results, Spec::row(args, 0, shape.cols), relay.records, number, counted, placed, of_tiles, before, of_batch, starts,
                       reinterpret_cast<Result*>(stages + STAGES * Roles::STAGE)};
  roles.begin();
  __syncthreads();
  const u32 warp = warp_in_block();
  if (warp == 0) {
    if (lane() == 0) roles.fetch();
  } else if (warp == 1) {
    roles.look_ahead(count);
  } else if (warp < 2 + REDUCERS) {
    roles.reduce(warp - 2);
  } else {
    roles.place(warp - 2 - REDUCERS);
  }
  leave_relay(relay, number);
}

}  // namespace wf
