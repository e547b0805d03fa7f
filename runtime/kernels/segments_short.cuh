// segments_short.cuh: segments of few elements, by way of shared memory.
//
// Promises: a block takes up to 4 neighbouring segments a thread, reads their offsets once, and copies the elements of the
// short ones (at most WIDEST) into shared memory as they stand, so that it waits for one run of memory whatever their
// lengths. Then it takes those of one kind after the other: of up to MOST elements a lane each, which plays the lanes
// of its order; the others by groups of lanes. The bits are those of any other way; in place is allowed. Longer segments go on
// the list of segments_reduce.cuh or are told of there.
//
//   segments_reduce_short<Spec, Order, Odd, Offset, WARPS, MOST, WIDEST, BYTES, PACKS>(args, results, offsets, list)
//   segments_scan_short<Spec, Order, Odd, Offset, WARPS, LONG_WARPS, MOST, WIDEST, BYTES, OUT, PACKS, EXCLUSIVE, REVERSE>(…)
//     In place of segments_reduce<…, LIGHT> and segments_scan<…, LIGHT>, and with their list; those not LIGHT that follow
//     are told WIDEST as ABOVE. Grid: ceil(segments / (32 * WARPS * list.groups)). blockDim = 32 * WARPS.
//
//   MOST    a power of two, at most 128, and a multiple of a pack
//   WIDEST  a power of two, from MOST and 16 packs up to 256; at most a tile of Order and of Odd. Where segments take few lanes
//           it is at most 64 packs, and MOST at most 8.
//   BYTES   of one element, which is what each plain parameter takes, added up, and from OUT on what each result of an
//           element takes. OUT = 0: the only result takes the place of the first parameter. At most 64.
//   PACKS   whether all plain parameters have packs of 16 bytes, and results are as wide as 1, 2, 4, 8 or 16 bytes
#pragma once

namespace wf {

// Runs `work` on the short segments, and puts the long ones on as many places of the list as `places` says.
template <class Spec, class Order, class Odd, class Offset, class Sizes, bool PACKS, class Work, class OfPlaces>
WF_FN void work_on_short_segments(const typename Spec::Args& args, const typename Spec::Results& results, const Work& work, const OfPlaces& places,
                                  const Offset* offsets, const SegmentList& list) {
  using Block = ShortBlock<Spec, Order, Odd, Offset, Sizes, PACKS, Work>;
  using Memory = ShortMemory<typename Block::Places, Sizes::bytes>;
  WF_SHARED(Memory, declared, 1);
  Memory& memory = *in_register(declared);
  const u64 chunk = list.groups * static_cast<u64>(Sizes::threads), first = blockIdx.x * chunk;
  if (first >= list.segments) return;
  if (threadIdx.x == 0) memory.at.kinds = 0;
  if (threadIdx.x < KINDS) memory.at.counts[threadIdx.x] = 0;
  __syncthreads();
  const Block block = {args, results, work, list, memory.at, reinterpret_cast<char*>(memory.room), first, static_cast<u32>(least(list.segments - first, chunk))};
  auto own = block.read(offsets);
  const u32 kinds = block.look(own);
  if ((kinds & (BETWEEN - 1)) == 1) return block.work_alone(own, offsets);
  block.write_down(own, offsets, kinds);
  if ((kinds & OTHERS) != 0) block.sort_others(places);
  if ((kinds & (OTHERS - 1)) == 0) return;
  if (PACKS && (kinds & BETWEEN) == 0) {
    block.template run<PACKS>(Block::are_alike(kinds));
  } else {
    block.template run<false>(Block::are_alike(kinds));
  }
}

// One element of each parameter, or zero bytes.
struct AloneReader {
  u64 at;
  bool exists;
  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    Pack<T, V> r = {};
    if (exists) r.v[0] = fetch(base + at);
    return r;
  }
};

template <class Spec, class Order, bool REVERSE> struct ShortWork {
  using Only = TileOrder<Order::v, 1, 1>;
  using Alone = typename Spec::template Items<Order::v>;
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const SegmentList& list;

  WF_FN Alone read_alone(u64 at, bool exists) const { return Spec::template items<Order::v>(args, AloneReader{at, exists}); }
  // The tile of a segment of `n` elements, at most one, and its spot.
  WF_FN Tile<Spec, Only> only_tile(const Alone& items, Spot& spot, u64 from, u32 n, bool some) const {
    Tile<Spec, Only> tile;
    tile.items[0] = items;
    spot = {from, 0, n, list.elements, some};
    if constexpr (Spec::has_columns) read_columns<Spec, Only, Load::any, false, Sure::ask>(tile, args, spot, static_cast<int>(n));
    return tile;
  }
  static WF_FN Spot spot_of(const Found& found) { return {0, 0, static_cast<u64>(found.n), static_cast<u64>(found.n), found.some}; }
  // How many turns a group's segment has.
  template <class Own> static WF_FN int turns_of(int n) { return Own::turns == 1 ? 1 : (n + Own::turn - 1) / Own::turn; }
};

template <class Spec, class Order> struct ReduceShort : ShortWork<Spec, Order, false> {
  static constexpr bool each = false;
  using Base = ShortWork<Spec, Order, false>;
  using Base::args, Base::results;

  WF_FN void alone(const typename Base::Alone& items, u64 number, u64 from, u32 n, bool some) const {
    Spot spot;
    const auto tile = this->only_tile(items, spot, from, n, some);
    const typename Spec::Row row = Spec::row(args, number, n);
    const auto total = fold_tile<Spec, typename Base::Only, true>(tile, row, args, spot, live_columns<Spec>(row, n) > 0 ? 1 : 0);
    if (some) store_result<Spec>(results, total, row, args, number);
  }
  template <class Own, class Room> WF_FN void lane(const char* room, const Found& found, bool single) const {
    const typename Spec::Row row = Spec::row(args, found.number, static_cast<u64>(found.n));
    const int live = static_cast<int>(live_columns<Spec>(row, static_cast<u64>(found.n)));
    const auto total = fold_staged<Spec, Own, Room>(args, room, found.at, row, live, found.n, single ? 1 : Own::size);
    store_result<Spec>(results, total, row, args, found.number);
  }
  template <class Own, class Room> WF_FN void group(const char* room, const Found& found) const {
    const typename Spec::Row row = Spec::row(args, found.number, static_cast<u64>(found.n));
    const Spot spot = Base::spot_of(found);
    Tile<Spec, Own> tile;
    read_staged<Spec, Own, Room, false, false>(tile, args, room, found.at, spot);
    const int live = static_cast<int>(live_columns<Spec>(row, static_cast<u64>(found.n)));
    const auto total = fold_tile<Spec, Own, true>(tile, row, args, spot, live, Base::template turns_of<Own>(found.n));
    if (found.some && lane_in_group<Own::lanes>() == 0) store_result<Spec>(results, total, row, args, found.number);
  }
};

template <class Spec, class Order, class Sizes, bool EXCLUSIVE, bool REVERSE> struct ScanShort : ShortWork<Spec, Order, REVERSE> {
  static constexpr bool each = true;
  using Base = ShortWork<Spec, Order, REVERSE>;
  using Base::args, Base::results;

  WF_FN void alone(const typename Base::Alone& items, u64 number, u64 from, u32 n, bool some) const {
    using Only = typename Base::Only;
    Spot spot;
    const auto tile = this->only_tile(items, spot, from, n, some);
    const typename Spec::Row row = Spec::row(args, number, n);
    const auto prefix = initial<Spec>(args);
    const int left = some && n > 0 ? 1 : 0;
    Scan<Spec, Only> scan;
    scan_tile<Spec, Only, REVERSE>(scan, tile, row, args, spot, left);
    emit_scan<Spec, Only, EXCLUSIVE, REVERSE, Load::any>(scan, tile, prefix, prefix.state, row, args, results, spot, from, left);
  }
  template <class Own, class Room> WF_FN void lane(char* room, const Found& found, bool) const {
    const ScanPlayed<Spec, Own, Room, EXCLUSIVE, REVERSE> scan = {args, results};
    scan.line(Spec::row(args, found.number, static_cast<u64>(found.n)), room, room + Sizes::out, found.at, found.n);
  }
  template <class Own, class Room> WF_FN void group(char* room, const Found& found) const {
    const int at = found.at, n = found.n, exist = found.some ? n : 0;
    const typename Spec::Row row = Spec::row(args, found.number, static_cast<u64>(n));
    const Spot spot = Base::spot_of(found);
    const auto prefix = initial<Spec>(args);
    Tile<Spec, Own> tile;
    read_staged<Spec, Own, Room, REVERSE, true>(tile, args, room, at, spot);
    Scan<Spec, Own> scan;
    scan_tile<Spec, Own, REVERSE>(scan, tile, row, args, spot, n, {Spec::identity(), false}, Base::template turns_of<Own>(n));
    emit_scan_by<Spec, Own, EXCLUSIVE, REVERSE>(scan, tile, prefix, prefix.state, row, args, results, spot, [&](int t) {
      const int p = slot_zero<Own>(t);
      return PackWriter<Room, REVERSE>{room + Sizes::out, REVERSE ? at + n - 1 - p : at + p, exist - p, 0};
    });
  }
};

template <class Spec, class Order, class Odd, class Offset, int WARPS, int MOST, int WIDEST, int BYTES, bool PACKS>
WF_FN void segments_reduce_short(const typename Spec::Args& args, const typename Spec::Results& results, const void* given, const SegmentList& list) {
  using Sizes = ShortSizes<WARPS, MOST, WIDEST, BYTES, -1>;
  const auto places = [](const Segment<Order, Odd, false>& segment) { return scratch_slots(segment.tiles, 32); };
  const ReduceShort<Spec, Order> work = {{args, results, list}};
  work_on_short_segments<Spec, Order, Odd, Offset, Sizes, PACKS>(args, results, work, places, static_cast<const Offset*>(given), list);
}

template <class Spec, class Order, class Odd, class Offset, int WARPS, int LONG_WARPS, int MOST, int WIDEST, int BYTES, int OUT, bool PACKS, bool EXCLUSIVE,
          bool REVERSE>
WF_FN void segments_scan_short(const typename Spec::Args& args, const typename Spec::Results& results, const void* given, const SegmentList& list) {
  using Sizes = ShortSizes<WARPS, MOST, WIDEST, BYTES, OUT>;
  constexpr u64 BATCH = LONG_WARPS * Order::groups;
  const auto places = [](const Segment<Order, Odd, false>& segment) { return (segment.tiles + BATCH - 1) / BATCH; };
  const ScanShort<Spec, Order, Sizes, EXCLUSIVE, REVERSE> work = {{args, results, list}};
  work_on_short_segments<Spec, Order, Odd, Offset, Sizes, PACKS>(args, results, work, places, static_cast<const Offset*>(given), list);
}

}  // namespace wf
