// segments_short.cuh: segments of few elements, a lane each.
//
// Promises: a warp takes up to 256 neighbouring segments, reads their offsets once, copies the elements of short ones (at
// most MOST) into shared memory as they stand, many at a time, and each lane folds or scans a segment there, playing the lanes
// of its order. The bits are those of any other way; in place is allowed. The other segments of the warp go the way of
// segments_reduce.cuh, 32 at a time.
//
//   segments_reduce_short<Spec, Order, Odd, Offset, WARPS, MOST, BYTES>(args, results, offsets, list)
//     In place of segments_reduce<…, LIGHT>, and with its list. Grid: any; ceil(segments / (32 * list.groups)) warps are
//     enough. blockDim = 32 * WARPS.
//
//   MOST   a power of two, at most 64, and a multiple of a pack
//   BYTES  of one element, which is what each plain parameter takes, added up, and from OUT on what each result of an
//          element takes. OUT = 0: the only result takes the place of the first parameter. OUT < 0: one result a segment.
//          16 * MOST * BYTES at most 4 KiB.
#pragma once

namespace wf {

template <int WARPS, int MOST, int BYTES, int OUT> struct ShortRoom {
  static constexpr int most = MOST, groups = 8;
  static constexpr int held = 4096 / BYTES / 32 * 32;  // elements at a time
  // Lanes read a whole tree's worth, whatever their segment has.
  using Elements = Room<held + 64, true>;
  static constexpr u32 out = OUT <= 0 ? 0 : ((held + 64) * static_cast<u32>(OUT) / 8 * 9 + 63) / 16 * 16;
  static constexpr u32 bytes = ((held + 64) * static_cast<u32>(BYTES) / 8 * 9 + 159) / 16 * 16;
  static_assert(16 * MOST <= held && held % 32 == 0, "half of the lanes' segments always fit");
};

// Copies `count` elements from `first` on of each parameter it is asked for to `to` on.
template <class Room> struct CopyIn {
  char* room;
  u64 first;
  int to, count;
  mutable u32 used;
  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    T* const here = reinterpret_cast<T*>(room + used);
#pragma unroll 4
    for (int p = static_cast<int>(lane()); p < count; p += 32) start_copy_one(here + Room::template place<T>(to + p), base + first + static_cast<u64>(p));
    used += Room::template bytes<T>();
    return {};
  }
};
// Copies `count` results of each kind from `from` on to `first` on.
template <class Room> struct CopyOut {
  const char* room;
  u64 first;
  int from, count;
  mutable u32 used;
  template <int V, class T> WF_FN void put(T* base, const Pack<T, V>&) const {
    const T* const here = reinterpret_cast<const T*>(room + used);
#pragma unroll 4
    for (int p = static_cast<int>(lane()); p < count; p += 32) base[first + static_cast<u64>(p)] = here[Room::template place<T>(from + p)];
    used += Room::template bytes<T>();
  }
};

// Calls `run(from, count, to)` for each run of segments whose bits are set: `count` segments from number `from` of those 32
// on, of which `to` elements stand before. `starts` says where the segments start.
template <class Run> WF_FN void each_run(u32 mask, const u32* starts, const Run& run) {
  u32 rest = mask, to = 0;
#pragma unroll 1
  while (rest != 0) {
    const u32 from = static_cast<u32>(__ffs(static_cast<int>(rest))) - 1;
    const u32 after = ~mask & ~((1u << from) - 1);
    const u32 end = after == 0 ? 32 : static_cast<u32>(__ffs(static_cast<int>(after))) - 1;
    run(from, end - from, to);
    to += starts[end] - starts[from];
    rest = end == 32 ? 0 : rest & ~((1u << end) - 1);
  }
}

// An offset relative to `begin`, or FAR where it is not within 32 bits above it.
constexpr u32 FAR = 0xffffffffu;
template <class Offset> WF_FN u32 offset_from(Offset offset, u64 begin, u64 elements) {
  if constexpr (sizeof(Offset) == 4) {
    const u32 at = offset < Offset(0) ? 0 : static_cast<u32>(offset), last = static_cast<u32>(least(elements, FAR));
    const u32 low = static_cast<u32>(begin), cut = at < last ? at : last;
    return cut < low ? FAR : cut - low;
  } else {
    const u64 at = offset < Offset(0) ? 0 : least(static_cast<u64>(offset), elements);
    return at < begin ? FAR : static_cast<u32>(least(at - begin, FAR));
  }
}

// One warp's segments, `first` and those after it.
template <class Spec, class Order, class Sizes> struct Shorts {
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  char* const room;
  u32* const starts;
  const u64 first, begin;
  const u32 count;

  WF_FN u32 length(u32 i) const { return starts[i + 1] - starts[i]; }
  // Whether segment i is short, and stands where those before it end.
  WF_FN bool is_short(u32 i) const { return i < count && starts[i + 1] != FAR && starts[i] <= starts[i + 1] && length(i) <= Sizes::most; }

  // Those from `at` on: of the next ones as many as are copied at a time. `alike`: all are short. Gives how many it has dealt with.
  template <bool EACH, class Work> WF_FN u32 some(const Work& work, u32 at, bool alike) const {
    using Elements = typename Sizes::Elements;
    u32 take = 0, mask = full;
    if (alike && at == 0 && starts[count] <= static_cast<u32>(Sizes::held)) take = count;
#pragma unroll 1
    while (at + take < count) {
      const u32 next = at + take + 32 < count ? take + 32 : count - at;
      const bool good = alike || at + take + lane() >= count || is_short(at + take + lane());
      if (!all<32>(good) || starts[at + next] - starts[at] > static_cast<u32>(Sizes::held)) break;
      take = next;
    }
    if (take == 0) {
      // Other segments stand between, or there are too many elements for 32 segments.
      take = count - at < 32 ? count - at : 32;
      const bool mine = is_short(at + lane());
      mask = ballot<32>(mine);
      u32 elements = mine ? length(at + lane()) : 0;
#pragma unroll
      for (u32 k = 16; k > 0; k /= 2) elements += shuffle_xor<32>(elements, k);
      if (elements > static_cast<u32>(Sizes::held)) take = 16, mask &= 0xffffu;
      if (mask == 0) return take;
    }
    const auto copies = [&](const auto& copy) {
      if (mask == full) {
        copy(starts[at], static_cast<int>(starts[at + take] - starts[at]), 0);
      } else {
        each_run(mask, starts + at, [&](u32 from, u32 segments, u32 to) {
          copy(starts[at + from], static_cast<int>(starts[at + from + segments] - starts[at + from]), static_cast<int>(to));
        });
      }
    };
    u32 skipped = starts[at];
    copies([&](u32 from, int elements, int to) {
      (void)Spec::template items<Order::v>(args, CopyIn<Elements>{room, begin + from, to, elements, 0});
    });
    if (mask != full) {
      each_run(mask, starts + at, [&](u32 from, u32 segments, u32 to) {
        if (lane() >= from && lane() < from + segments) skipped = starts[at + from] - to;
      });
    }
    await_copies();
    __syncwarp();
#pragma unroll 1
    for (u32 k = lane(); k < take; k += 32) {
      if ((mask >> lane() & 1) != 0) {
        const u32 i = at + k;
        work.one(first + i, static_cast<int>(length(i)), static_cast<int>(starts[i] - skipped));
      }
    }
    __syncwarp();
    if constexpr (EACH) {
      copies([&](u32 from, int elements, int to) {
        const typename Spec::Result nothing[1] = {};
        Spec::template store<1>(results, nothing, CopyOut<Elements>{room + Sizes::out, begin + from, to, elements, 0});
      });
      __syncwarp();
    }
    return take;
  }

  // Moves the numbers of those that are not short to the front of `starts`, and gives how many there are.
  WF_FN u32 others() const {
    u32 found = 0;
#pragma unroll 1
    for (u32 at = 0; at < count; at += 32) {
      const u32 i = at + lane();
      const bool other = i < count && !is_short(i);
      const u32 votes = ballot<32>(other);
      if (votes != 0) {
        // They are read already, and none of those to come is before `at + 32`.
        __syncwarp();
        if (other) starts[found + static_cast<u32>(__popc(votes & ((1u << lane()) - 1)))] = i;
        __syncwarp();
        found += static_cast<u32>(__popc(votes));
      }
    }
    return found;
  }
};

// Runs `works(room)` on each short segment, in the warp's room, and `wide` on the other light ones, and puts the
// long ones on as many places of the list as `places` says.
template <class Spec, class Order, class Odd, class Offset, int WARPS, class Sizes, bool EACH, class Works, class Wide, class Places>
WF_FN void work_on_short_segments(const typename Spec::Args& args, const typename Spec::Results& results, const Works& works, const Wide& wide,
                                  const Places& places, const Offset* offsets, const SegmentList& list) {
  constexpr u32 GROUPS = Sizes::groups;
  WF_SHARED(uint4, rooms, WARPS* Sizes::bytes / 16);
  WF_SHARED(u32, all_starts, WARPS * (GROUPS * 32 + 1));
  char* const room = reinterpret_cast<char*>(rooms) + warp_in_block() * Sizes::bytes;
  u32* const starts = all_starts + warp_in_block() * (GROUPS * 32 + 1);
  const u64 chunk = list.groups * 32ull, stride = static_cast<u64>(gridDim.x) * WARPS * chunk;
#pragma unroll 1
  for (u64 first = (static_cast<u64>(blockIdx.x) * WARPS + warp_in_block()) * chunk; first < list.segments; first += stride) {
    const u32 count = static_cast<u32>(least(list.segments - first, chunk));
    Offset read[GROUPS + 1];
#pragma unroll
    for (u32 k = 0; k <= GROUPS; k++) {
      if (k * 32 + lane() <= count) read[k] = offsets[first + k * 32 + lane()];
    }
    const u64 begin = least(shuffle_lane<32>(read[0] < Offset(0) ? 0 : static_cast<u64>(read[0]), 0), list.elements);
#pragma unroll
    for (u32 k = 0; k <= GROUPS; k++) {
      if (k * 32 + lane() <= count) starts[k * 32 + lane()] = offset_from(read[k], begin, list.elements);
    }
    __syncwarp();
    const Shorts<Spec, Order, Sizes> shorts = {args, results, room, starts, first, begin, count};
    bool alike = true;
#pragma unroll 1
    for (u32 i = lane(); i < count; i += 32) alike = alike && shorts.is_short(i);
    alike = all<32>(alike);
#pragma unroll 1
    for (u32 done = 0; done < count;) done += shorts.template some<EACH>(works(room), done, alike);
    const u32 others = alike ? 0 : shorts.others();
#pragma unroll 1
    for (u32 k = 0; k < others; k += 32) {
      const bool exists = k + lane() < others;
      const u64 number = first + starts[exists ? k + lane() : k];
      const auto mine = Segment<Order, Odd, false>::of(offsets, number, list.elements);
      sort_segments(places, number, mine, exists, list);
      choose_all_segments<true>(wide, [=](u32 who) { return first + starts[k + who]; }, mine, exists, reinterpret_cast<u32*>(room));
    }
    __syncwarp();
  }
}

// The state of a short segment of n elements that are staged from `at` on, of which `live` count.
template <class Spec, class Sizes, int V, int LANES = 1>
WF_FN typename Spec::State fold_short(const typename Spec::Args& args, const char* room, int at, const typename Spec::Row& row, int live, int n) {
  using Own = TileOrder<V, LANES, 1>;
  using Elements = typename Sizes::Elements;
  if constexpr (V > 1 && LANES == 1) {
    if (n <= 1) return fold_staged<Spec, Own, Elements>(args, room, at, row, live, n, 1);
  }
  if constexpr (Own::size >= Sizes::most) {
    return fold_staged<Spec, Own, Elements>(args, room, at, row, live, n, Own::size);
  } else {
    if (n <= Own::size) return fold_staged<Spec, Own, Elements>(args, room, at, row, live, n, Own::size);
    return fold_short<Spec, Sizes, V, 2 * LANES>(args, room, at, row, live, n);
  }
}

template <class Spec, class Order, class Sizes> struct ReduceShort {
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const char* const room;
  WF_FN void one(u64 number, int n, int at) const {
    const typename Spec::Row row = Spec::row(args, number, static_cast<u64>(n));
    const int live = static_cast<int>(live_columns<Spec>(row, static_cast<u64>(n)));
    store_result<Spec>(results, fold_short<Spec, Sizes, Order::v>(args, room, at, row, live, n), row, args, number);
  }
};

template <class Spec, class Order, class Sizes, bool EXCLUSIVE, bool REVERSE> struct ScanShort {
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  char* const room;
  WF_FN void one(u64 number, int n, int at) const { played<1>(Spec::row(args, number, static_cast<u64>(n)), n, at); }
  template <int LANES> WF_FN void played(const typename Spec::Row& row, int n, int at) const {
    using Own = TileOrder<Order::v, LANES, 1>;
    const ScanPlayed<Spec, Own, typename Sizes::Elements, EXCLUSIVE, REVERSE> scan = {args, results};
    if constexpr (Own::size >= Sizes::most) {
      scan.line(row, room, room + Sizes::out, at, n);
    } else {
      if (n <= Own::size) {
        scan.line(row, room, room + Sizes::out, at, n);
      } else {
        played<2 * LANES>(row, n, at);
      }
    }
  }
};

template <class Spec, class Order, class Odd, class Offset, int WARPS, int MOST, int BYTES>
WF_FN void segments_reduce_short(const typename Spec::Args& args, const typename Spec::Results& results, const void* given, const SegmentList& list) {
  using Sizes = ShortRoom<WARPS, MOST, BYTES, -1>;
  const auto places = [](const Segment<Order, Odd, false>& segment) { return scratch_slots(segment.tiles, 32); };
  const auto works = [&](char* room) { return ReduceShort<Spec, Order, Sizes>{args, results, room}; };
  work_on_short_segments<Spec, Order, Odd, Offset, WARPS, Sizes, false>(args, results, works, ReduceSegments<Spec>{args, results, list}, places,
                                                                       static_cast<const Offset*>(given), list);
}

}  // namespace wf
