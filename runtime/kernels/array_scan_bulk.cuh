// array_scan_bulk.cuh: scans of large arrays at the memory's pace, with the bits of array_scan.cuh. sm_90 and later.
//
//   array_scan_bulk<Spec, Order, LOAD, STORE, TILES, REDUCERS, STAGES, CHUNK, BYTES, EXCLUSIVE, REVERSE>(args, results, shape, relay)
//     Blocks draw batches of TILES tiles by ticket and keep STAGES of them under way in shared memory. Warps have roles:
//       0            fetches: draws tickets, starts the copies
//       1            looks ahead: what all batches before come to, from the totals that their blocks have published
//       2 …          REDUCERS warps publish the totals of each batch as soon as it has landed, and wait for nobody
//       2 + REDUCERS … TILES warps scan a tile each, CHUNK turns at a time, and store
//     Nobody publishes what others have to wait for after waiting himself, so that a batch costs one look between blocks.
//     shape.rows = 1, cols >= 1, batches < 2^32 - 2 * grid; Order::lanes = 32; no `live` and no per-column parameters. Every
//     plain parameter starts at a multiple of 16 bytes; with REVERSE cols is a multiple of 16. In place is allowed.
//     BYTES: of one element of all plain parameters. Dynamic shared memory: STAGES * TILES * Order::size * BYTES.
//     Grid: any; one block a multiprocessor is enough. blockDim = 32 * (2 + REDUCERS + TILES).
//     relay.words: scan_bulk_words(tiles, TILES, 32-bit words of a state).
#pragma once

namespace wf {

// Words of the records: a total a tile, a total and a last value a batch.
WF_FN constexpr u64 scan_bulk_words(u64 tiles, u64 batch, u64 words) { return words * (tiles + 2 * ((tiles + batch - 1) / batch)); }

template <class Spec, class Order, Load LOAD, Load STORE, int TILES, int REDUCERS, int STAGES, int CHUNK, int BYTES, bool EXCLUSIVE, bool REVERSE>
struct ScanRing : Ring<Spec, Order, LOAD, TILES, STAGES, BYTES, REVERSE> {
  using State = typename Spec::State;
  using Kept = Record<State>;
  using Seen = typename Kept::Seen;
  // Some turns of a tile are an order of their own.
  using Part = TileOrder<Order::v, 32, CHUNK>;
  using Base = Ring<Spec, Order, LOAD, TILES, STAGES, BYTES, REVERSE>;
  using Base::args, Base::cols, Base::stages, Base::landed, Base::free, Base::batch_at;
  using Base::tiles, Base::batches, Base::whole, Base::spot;
  static constexpr u32 PLACES = Base::PLACES;
  static constexpr bool LASTS = hands_on_lasts<Spec, Order, EXCLUSIVE>();
  static_assert(Order::turns % CHUNK == 0, "a warp takes a tile in equal parts");
  static_assert(TILES <= 32 && (TILES & (TILES - 1)) == 0 && TILES % REDUCERS == 0, "a batch is part of one span");

  const typename Spec::Results& results;
  const typename Spec::Row row;
  u64 *const of_tiles, *const of_batches, *const of_lasts;
  const u32 number;
  // Shared, by place.
  Barrier *const reduced, *const placed;
  State *const totals, *const lasts;
  Maybe<State>* const prefixes;
  State* const firsts;

  WF_FN void begin() const {
    if (threadIdx.x == 0) {
      Base::begin(REDUCERS + TILES);
      for (u32 m = 0; m < PLACES; m++) {
        reduced[m].begin(1);
        placed[m].begin(1);
      }
      show_barriers();
    }
  }

  // The total of a tile and the value at its last position.
  template <bool WHOLE> WF_FN void total(u64 batch, u32 stage, u32 place, u32 at) const {
    const Spot here = spot(batch, at, 0);
    const int left = WHOLE ? int(Order::size) : left_in_tile<Order>(here, cols);
    Tile<Spec, Order> tile;
    this->template read<Order, WHOLE>(tile, here, left, stage, at, 0);
    const TileTotal<Spec> of_tile = total_of_tile<Spec, Order, LASTS, REVERSE>(tile, row, args, here, left);
    if (lane() == 31) {
      totals[place * TILES + at] = of_tile.total;
      if constexpr (LASTS) lasts[place * TILES + at] = of_tile.last;
    }
  }

  WF_FN void reduce(u32 reducer) const {
    constexpr u32 EACH = TILES / REDUCERS;
#pragma unroll 1
    for (u32 turn = 0;; turn++) {
      const u32 stage = turn % STAGES, place = turn % PLACES;
      landed[stage].wait(turn / STAGES & 1);
      const u64 batch = batch_at[place];
      if (batch >= batches()) {
        if (reducer == 0 && lane() == 0) reduced[place].arrive();
        break;
      }
#pragma unroll 1
      for (u32 k = 0; k < EACH; k++) {
        if (whole(batch)) {
          total<true>(batch, stage, place, reducer * EACH + k);
        } else {
          total<false>(batch, stage, place, reducer * EACH + k);
        }
      }
      __syncwarp();
      if (lane() == 0) free[stage].arrive();
      sync_warps(1, REDUCERS * 32);
      if (reducer == turn % REDUCERS) {
        const State mine = lane() < TILES ? totals[place * TILES + lane()] : Spec::identity();
        const State all = Spec::scan_inclusive(mine, Width<TILES>{});
        if (lane() == TILES - 1) Kept::publish(of_batches, batch, all, number);
        if (lane() < TILES && batch * TILES + lane() < tiles()) Kept::publish(of_tiles, batch * TILES + lane(), mine, number);
        if constexpr (LASTS) {
          if (lane() == TILES - 1) Kept::publish(of_lasts, batch, lasts[place * TILES + lane()], number);
        }
        __syncwarp();
        if (lane() == 0) reduced[place].arrive();
      }
    }
  }

  // Folds the totals of the spans `done` .. `span` into the carry, and gives the totals of 32 tiles of which the leading
  // `known` are asked for, and in `last` what was seen of record `batch - 1` of the last values, where that is wanted.
  // All records are looked at before the first is waited for: one way to memory and back a batch.
  WF_FN State gather(Prefixes<Spec>& prefixes, Maybe<State>& before, u64& done, u64 span, u64 first_tile, u32 known, Seen& last, u64 batch) const {
    constexpr int LOOKS = 5;
    constexpr u32 BATCHES = 32 / TILES;  // of a span
    Seen tile = {};
    do {
      Seen seen[LOOKS] = {};
      bool all;
      do {
        if (LASTS && batch > 0 && !Kept::there(last, number)) last = Kept::look(of_lasts, batch - 1);
        if (lane() < known && !Kept::there(tile, number)) tile = Kept::look(of_tiles, first_tile + lane());
#pragma unroll
        for (int k = 0; k < LOOKS; k++) {
          const u64 at = done * BATCHES + k * 32 + lane();
          if (at < span * BATCHES && !Kept::there(seen[k], number)) seen[k] = Kept::look(of_batches, at);
        }
        all = (lane() >= known || Kept::there(tile, number)) && (!LASTS || batch == 0 || Kept::there(last, number));
#pragma unroll
        for (int k = 0; k < LOOKS; k++) {
          const u64 at = done * BATCHES + k * 32 + lane();
          all = all && (at >= span * BATCHES || Kept::there(seen[k], number));
        }
      } while (!all);
      __syncwarp();
#pragma unroll
      for (int k = 0; k < LOOKS; k++) {
        if (done >= span) break;
        // Aligned parts of a span's scan: its last lane has what the scan of all its tiles has there.
        const State of_spans = Spec::scan_inclusive(Kept::value(seen[k]), Width<BATCHES>{});
        const u32 count = static_cast<u32>(least(span - done, TILES));
        if (count == TILES) {
          State next[TILES];
#pragma unroll
          for (u32 i = 0; i < TILES; i++) next[i] = shuffle_lane<32>(of_spans, i * BATCHES + BATCHES - 1);
#pragma unroll
          for (u32 i = 0; i < TILES; i++) {
            before = prefixes.carry;
            prefixes.carry = {join<Spec>(before, next[i]), true};
          }
        } else {
#pragma unroll 1
          for (u32 i = 0; i < count; i++) {
            const State next = shuffle_lane<32>(of_spans, i * BATCHES + BATCHES - 1);
            before = prefixes.carry;
            prefixes.carry = {join<Spec>(before, next), true};
          }
        }
        done += count;
      }
    } while (done < span);
    return lane() < known ? Kept::value(tile) : Spec::identity();
  }

  WF_FN void look_ahead() const {
    // What the spans up to `done` come to, and what they came to before the last of them.
    u64 done = 0;
    Prefixes<Spec> prefixes;
    prefixes.begin(args);
    Maybe<State> before = prefixes.carry;
#pragma unroll 1
    for (u32 turn = 0;; turn++) {
      const u32 place = turn % PLACES;
      reduced[place].wait(turn / PLACES & 1);
      const u64 batch = batch_at[place];
      if (batch >= batches()) break;
      const u64 span = batch * TILES / 32;
      const u32 base = static_cast<u32>(batch * TILES % 32);
      // Where a span begins the value before it needs the tiles of the span before.
      const bool opens = LASTS && base == 0 && span > 0;
      const u64 first_tile = (opens ? span - 1 : span) * 32;
      Seen last = {};
      const State known = gather(prefixes, before, done, span, first_tile, opens ? 32 : base, last, batch);
      const bool own = lane() >= base && lane() < base + TILES;
      const bool lower = lane() < base;
      prefixes.totals = lower ? known : own ? totals[place * TILES + lane() - base] : Spec::identity();
      prefixes.inclusive = Spec::scan_inclusive(prefixes.totals, Width<32>{});
      [[maybe_unused]] State last_before = initial<Spec>(args).state;
      if constexpr (LASTS) {
        // A batch has more than one tile, so the tile before is not the first of its span.
        if (opens) {
          const State scanned = Spec::scan_inclusive(known, Width<32>{});
          last_before = Spec::combine(join<Spec>(before, shuffle_lane<32>(scanned, 30)), Kept::value(last));
        } else if (batch > 0) {
          last_before = Spec::combine(join<Spec>(prefixes.carry, shuffle_lane<32>(prefixes.inclusive, base - 2)), Kept::value(last));
        }
      }
      const Maybe<State> prefix = prefixes.at((base + lane()) % 32);
      if (lane() < TILES) prefixes_at(place, lane()) = prefix;
      if constexpr (LASTS) {
        const State below = shuffle_up<32>(prefix.state, 1);
        const Maybe<State> of_lower = {below, base + lane() > 1 || prefixes.carry.some};
        if (lane() < TILES) {
          const State ended = lane() > 0 ? lasts[place * TILES + lane() - 1] : Spec::identity();
          firsts[place * TILES + lane()] = lane() > 0 ? join<Spec>(of_lower, ended) : last_before;
        }
      }
      __syncwarp();
      if (lane() == 0) placed[place].arrive();
    }
  }
  WF_FN Maybe<State>& prefixes_at(u32 place, u32 tile) const { return prefixes[place * TILES + tile]; }

  template <bool WHOLE> WF_FN void scan_one(u64 batch, u32 stage, u32 place, u32 at, u32 parity) const {
    constexpr u32 PARTS = Order::turns / CHUNK;
    Maybe<State> turns = {Spec::identity(), false};
    Maybe<State> prefix = {Spec::identity(), false};
    State first = Spec::identity();
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
      Scan<Spec, Part> scan;
      scan_tile<Spec, Part, REVERSE>(scan, tile, row, args, here, left, turns);
      turns = {scan.total, true};
      if (part == 0) {
        placed[place].wait(parity);
        prefix = prefixes_at(place, at);
        if constexpr (LASTS) first = firsts[place * TILES + at];
      }
      first = emit_scan<Spec, Part, EXCLUSIVE, REVERSE, STORE>(scan, tile, prefix, first, row, args, results, here, 0, left);
    }
  }

  WF_FN void scan(u32 at) const {
#pragma unroll 1
    for (u32 turn = 0;; turn++) {
      const u32 stage = turn % STAGES, place = turn % PLACES;
      landed[stage].wait(turn / STAGES & 1);
      const u64 batch = batch_at[place];
      if (batch >= batches()) break;
      if (whole(batch)) {
        scan_one<true>(batch, stage, place, at, turn / PLACES & 1);
      } else {
        scan_one<false>(batch, stage, place, at, turn / PLACES & 1);
      }
    }
  }
};

template <class Given, class Order, Load LOAD, Load STORE, int TILES, int REDUCERS, int STAGES, int CHUNK, int BYTES, bool EXCLUSIVE, bool REVERSE>
WF_FN void array_scan_bulk(const typename Given::Args& args, const typename Given::Results& results, const RowShape& shape, const Relay& relay) {
  // An inclusive scan of floats is 1 % slower with the identity in the place of a choice, at the memory's pace.
  using Spec = typename Asking<Scanned<Given>, !EXCLUSIVE && !regroups<Scanned<Given>, Order>()>::Type;
  using State = typename Spec::State;
  using Roles = ScanRing<Spec, Order, LOAD, STORE, TILES, REDUCERS, STAGES, CHUNK, BYTES, EXCLUSIVE, REVERSE>;
  constexpr u32 PLACES = Roles::PLACES;
  constexpr bool LASTS = Roles::LASTS;
  WF_DYNAMIC(stages, STAGES * Roles::STAGE);
  WF_SHARED(Barrier, landed, STAGES);
  WF_SHARED(Barrier, free, STAGES);
  WF_SHARED(Barrier, reduced, PLACES);
  WF_SHARED(Barrier, placed, PLACES);
  WF_SHARED(u64, batch_at, PLACES);
  WF_SHARED(State, totals, PLACES* TILES);
  WF_SHARED(State, lasts, LASTS ? PLACES * TILES : 1);
  WF_SHARED(Maybe<State>, prefixes, PLACES* TILES);
  WF_SHARED(State, firsts, LASTS ? PLACES * TILES : 1);
  const u64 tiles = (shape.cols + Order::size - 1) / Order::size, batches = (tiles + TILES - 1) / TILES;
  u64* const of_batches = relay.records + tiles * Record<State>::words;
  const u32 number = launch_number(relay);
  const Roles roles = {{args, shape.cols, relay.control, stages, landed, free, batch_at},
                       results, Spec::row(args, 0, shape.cols), relay.records, of_batches, of_batches + batches * Record<State>::words, number,
                       reduced, placed, totals, lasts, prefixes, firsts};
  roles.begin();
  __syncthreads();
  const u32 warp = warp_in_block();
  if (warp == 0) {
    if (lane() == 0) roles.fetch();
  } else if (warp == 1) {
    roles.look_ahead();
  } else if (warp < 2 + REDUCERS) {
    roles.reduce(warp - 2);
  } else {
    roles.scan(warp - 2 - REDUCERS);
  }
  leave_relay(relay, number);
}

}  // namespace wf
