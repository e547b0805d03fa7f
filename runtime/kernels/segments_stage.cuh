// segments_stage.cuh: how a block takes short segments by way of shared memory.
//
// Promises: offsets are read once; the elements of neighbouring short segments are copied as one run wherever segments that
// are not short leave it whole, as many at a time as the stage holds; segments of one kind are worked on together, whatever
// stands between them. Which segment is worked on when changes no bit.
//
// A `work` has: `each`, whether elements have results that go back; `Alone`, `read_alone(at, exists)` and
// `alone(read, number, from, n, some)` for one element or none, in global memory; `lane<Own, Room>(room, found, single)` and
// `group<Own, Room>(room, found)` for staged ones, by a lane, or by the Own::lanes lanes of a group.
#pragma once

namespace wf {

template <int WARPS, int MOST, int WIDEST, int BYTES, int OUT> struct ShortSizes {
  static constexpr int most = MOST, widest = WIDEST, groups = 4, threads = 32 * WARPS;
  static constexpr int elements = 16384 / BYTES / 128 * 128 + 128;  // that stages hold
  // Lanes read a whole tree's worth, whatever their segment has.
  static constexpr u32 limit = elements - 64;
  static constexpr u32 out = OUT <= 0 ? 0 : elements * OUT;
  static constexpr u32 bytes = elements * BYTES;
  static_assert(WIDEST + 47 <= elements - 64 && MOST <= WIDEST, "any short segment fits");
};

// Kinds of segments, which take the same code: 0 has one element or none, 1 + k packs for 2^k lanes in one turn (or for few
// lanes in several).
constexpr u32 SEVERAL_TURNS = 7, SINGLES = 8, MORE_SINGLES = 9, KINDS = 10;
template <class Order> WF_FN u32 kind_of(u32 n) {
  constexpr u32 V = Order::v;
  const u32 packs = (n + V - 1) / V, lanes = 32 - zeros_before(2 * packs - 1);
  // Each is told without a branch: neighbours differ.
  u32 kind = lanes < SEVERAL_TURNS ? lanes : SEVERAL_TURNS;
  if (!Order::always) kind = choose(n > 64 && n % V != 0, n <= 128 ? SINGLES : MORE_SINGLES, kind);
  return choose(n <= 1, 0u, kind);
}
// What else there may be among them: segments that are not short, and such as do not start at packs.
constexpr u32 OTHERS = 1u << 16, BETWEEN = 1u << 17;

// An offset, cut off at the ends.
template <class Offset> struct CutOffset {
  using Type = u64;
  static WF_FN Type of(Offset at, u64 elements) { return offset_within(at, elements); }
};
template <> struct CutOffset<u32> {
  using Type = u32;
  static WF_FN Type of(u32 at, u64 elements) {
    const u32 last = static_cast<u32>(least(elements, 0xffffffffu));
    return at < last ? at : last;
  }
};

// Segments of one kind in a batch from which on lanes take one each, where they have many elements.
constexpr u32 MANY = 32;

// A short segment: its number and elements, and where they stand in the stage; where `some` does not hold it has none, and only
// keeps the others company.
struct Found {
  u64 number;
  int n, at;
  bool some;
};

// What a block knows of its segments.
template <class Cut, int COUNT> struct ShortPlaces {
  Cut from[COUNT + 1];
  u32 where[COUNT + 1];  // among what is staged: as far past a multiple of 16 as `from`
  u16 code[COUNT], order[COUNT];  // the kind, in the highest bits, and which of its kind
  u16 gaps[COUNT];                // which are not short
  u32 sums[COUNT / 32];
  u32 count, gap_count, kinds, counts[KINDS];
  uint4 step;  // the next batch: from which segment up to which, and how many that are not short stand before these
};

// What its threads share.
template <class Places, u32 BYTES> struct ShortMemory {
  uint4 room[BYTES / 16];
  Places at;
};

template <class Spec, class Order, class Odd, class Offset, class Sizes, bool PACKS, class Work> struct ShortBlock {
  static constexpr int V = Order::v;
  static constexpr u32 THREADS = Sizes::threads, WARPS = THREADS / 32;
  using Lines = Segment<Order, Odd, false>;
  // Few lanes for segments of more than half of so many packs, and at most so many, of which a lane holds MOST.
  static constexpr int few_lanes(int packs, int most) { return packs / most < 8 ? 8 : packs / most; }
  template <int EACH, int PACKS_HELD, int MOST> using Few = TileOrder<EACH, few_lanes(PACKS_HELD, MOST), PACKS_HELD / few_lanes(PACKS_HELD, MOST)>;
  using Cut = typename CutOffset<Offset>::Type;
  using Places = ShortPlaces<Cut, Sizes::groups * Sizes::threads>;
  const typename Spec::Args& args;
  const typename Spec::Results& results;
  const Work& work;
  const SegmentList& list;
  Places& at;
  char* const room;
  const u64 first;  // the number of segment 0
  const u32 count;

  WF_FN u32 length(u32 i) const { return at.where[i + 1] - at.where[i]; }

  // Segments of this thread: where they start, where they end, and their kinds, KINDS where they are not short.
  struct Own {
    Cut from[Sizes::groups], to[Sizes::groups];
    u32 kind[Sizes::groups];
    WF_FN bool is_short(int r) const { return to[r] >= from[r] && to[r] - from[r] <= static_cast<Cut>(Sizes::widest); }
  };
  // So many blocks on come those that begin when the first of these end. Where a block has segments of one element or none it
  // has little to read and waits for it twice: what a later one reads is brought nearer, and where that one finds its elements
  // before. Longer runs lose by it.
  static constexpr u64 AHEAD = 1200;
  WF_FN void bring_ahead(const Offset* offsets) const {
    const u64 chunk = list.groups * static_cast<u64>(THREADS), start = first + AHEAD * chunk, later = start + AHEAD * chunk;
    if (threadIdx.x != THREADS - 32 || start + chunk > list.segments) return;
    if (later + chunk <= list.segments) prefetch((reinterpret_cast<u64>(offsets + later) + 15) / 16 * 16, static_cast<u32>((chunk * sizeof(Offset) - 15) / 16 * 16));
    const u64 begin = offset_at(offsets, start, list.elements), end = offset_at(offsets, start + chunk, list.elements);
    if (end > begin && end - begin <= chunk) bring<Spec>(args, begin, end - begin);
  }
  WF_FN Own read(const Offset* offsets) const {
    const Offset* const mine = offsets + first + threadIdx.x;
    Offset from[Sizes::groups] = {}, to[Sizes::groups] = {};
#pragma unroll
    for (u32 r = 0; r < Sizes::groups; r++) {
      if (r * THREADS + threadIdx.x < count) from[r] = mine[r * THREADS], to[r] = mine[r * THREADS + 1];
    }
    Own own;
#pragma unroll
    for (int r = 0; r < Sizes::groups; r++) own.from[r] = CutOffset<Offset>::of(from[r], list.elements), own.to[r] = CutOffset<Offset>::of(to[r], list.elements);
    return own;
  }

  // What kinds there are.
  WF_FN u32 look(Own& own) const {
    bool tiny = true;
#pragma unroll
    for (int r = 0; r < Sizes::groups; r++) {
      tiny = tiny && static_cast<Cut>(own.to[r] - own.from[r]) <= 1;
      own.kind[r] = 0;
    }
    u32 kinds = 1;
    if (!all<32>(tiny)) {
      kinds = 0;
#pragma unroll
      for (u32 r = 0; r < Sizes::groups; r++) {
        const bool exists = r * THREADS + threadIdx.x < count, is_short = own.is_short(r);
        own.kind[r] = choose(is_short, kind_of<Order>(static_cast<u32>(own.to[r] - own.from[r])), KINDS);
        const u32 between = PACKS && own.from[r] % V != 0 ? BETWEEN : 0;
        kinds |= choose(exists, choose(is_short, between | 1u << own.kind[r], OTHERS), 0u);
      }
#pragma unroll
      for (u32 k = 16; k > 0; k /= 2) kinds |= shuffle_xor<32>(kinds, k);
    }
    if (lane() == 0) add_shared_bits(&at.kinds, kinds);
    __syncthreads();
    return at.kinds;
  }

  // Whether all are short and of one kind.
  static WF_FN bool are_alike(u32 kinds) { return (kinds & OTHERS) == 0 && (kinds & (BETWEEN - 1) & ((kinds & (BETWEEN - 1)) - 1)) == 0; }
  // Writes down where segments are, for all threads of the block.
  WF_FN void write_down(const Own& own, const Offset* offsets, u32 kinds) const {
    const Cut begin = CutOffset<Offset>::of(offsets[first], list.elements);
    const u32 start = static_cast<u32>(begin) % 16;
    const bool alike = are_alike(kinds);
#pragma unroll
    for (u32 r = 0; r < Sizes::groups; r++) {
      const u32 i = r * THREADS + threadIdx.x;
      if (i >= count) continue;
      at.from[i] = own.from[r], at.where[i] = start + static_cast<u32>(own.from[r] - begin);
      if (!alike) at.code[i] = static_cast<u16>(own.kind[r] << 12);
      if (i + 1 == count) at.from[count] = own.to[r], at.where[count] = start + static_cast<u32>(own.to[r] - begin), at.count = count, at.gap_count = 0;
    }
    if ((kinds & OTHERS) != 0) close_gaps(own);
    __syncthreads();
  }
  // What follows a segment that is not short is staged next to what stands before it, 16 to 31 elements on. Such segments are few:
  // lanes count them by votes, and then take off what each of them leaves out.
  WF_FN void close_gaps(const Own& own) const {
    constexpr u32 WORDS = Sizes::groups * WARPS;
    static_assert(WORDS <= 32, "a lane a word");
    const auto scan = [](u32 x, u32 lanes) {
#pragma unroll
      for (u32 k = 1; k < lanes; k *= 2) {
        const u32 lower = shuffle_up<32>(x, k);
        if (lane() >= k) x += lower;
      }
      return x;
    };
    u32 votes[Sizes::groups], before[Sizes::groups], removed[Sizes::groups];
#pragma unroll
    for (u32 r = 0; r < Sizes::groups; r++) {
      votes[r] = ballot<32>(r * THREADS + threadIdx.x < count && !own.is_short(r));
      if (lane() == 0) at.sums[r * WARPS + warp_in_block()] = votes[r];
    }
    // Whoever wrote the ends above is past that, too.
    __syncthreads();
    const u32 of_word = lane() < WORDS ? static_cast<u32>(__popc(at.sums[lane()])) : 0, up_to = scan(of_word, WORDS);
    const u32 total = shuffle_lane<32>(up_to, WORDS - 1);
#pragma unroll
    for (u32 r = 0; r < Sizes::groups; r++) {
      before[r] = shuffle_lane<32>(up_to - of_word, r * WARPS + warp_in_block()) + static_cast<u32>(__popc(votes[r] & ((1u << lane()) - 1)));
      if ((votes[r] >> lane() & 1) != 0) at.gaps[before[r]] = static_cast<u16>(r * THREADS + threadIdx.x);
      removed[r] = 0;
    }
    if (threadIdx.x == 0) at.gap_count = total;
    __syncthreads();
    u32 all_removed = 0;
#pragma unroll 1
    for (u32 k = 0; k < total; k += 32) {
      u32 left_out = 0;
      if (k + lane() < total) {
        const u32 i = at.gaps[k + lane()], n = static_cast<u32>(at.from[i + 1] - at.from[i]);
        left_out = n - (n % 16 + 16);
      }
      left_out = scan(left_out, 32);
#pragma unroll
      for (u32 r = 0; r < Sizes::groups; r++) {
        const u32 known = before[r] > k ? (before[r] - k < 32 ? before[r] - k : 32) : 0;
        const u32 up_to_it = shuffle_lane<32>(left_out, known > 0 ? known - 1 : 0);
        removed[r] += known > 0 ? up_to_it : 0;
      }
      all_removed += shuffle_lane<32>(left_out, 31);
    }
#pragma unroll
    for (u32 r = 0; r < Sizes::groups; r++) {
      const u32 i = r * THREADS + threadIdx.x;
      if (i < count) at.where[i] -= removed[r];
    }
    if (threadIdx.x == 0) at.where[count] -= all_removed;
  }

  // Puts long segments on the list, each on as many places as `places` says, and tells of those between.
  template <class OfPlaces> WF_FN void sort_others(const OfPlaces& places) const {
#pragma unroll 1
    for (u32 k = warp_in_block() * 32; k < at.gap_count; k += THREADS) {
      const bool other = k + lane() < at.gap_count;
      const u32 i = at.gaps[other ? k + lane() : k];
      u64 from = 0, length = 0;
      if (other && at.from[i + 1] > at.from[i]) from = at.from[i], length = at.from[i + 1] - at.from[i];
      const auto mine = Segment<Order, Odd, false>::at(from, length);
      const bool listed = mine.is_long() && mine.tiles > list.whole;
      put_on_list(list, first + i, mine, other && listed ? places(mine) : 0);
      const bool middling = length > 0 && !listed;
      const u32 votes = ballot<32>(middling);
      if (votes != 0) {
        u32 place = 0;
        if (lane() == 0) place = add_relaxed(list.middling, static_cast<u32>(__popc(votes)));
        place = shuffle_lane<32>(place, 0) + static_cast<u32>(__popc(votes & ((1u << lane()) - 1)));
        if (middling && place < list.middle_places) list.middles[place] = first + i;
      }
      // Offsets that fall: no elements.
      const bool none = other && length == 0;
      if (any<32>(none)) work.alone(work.read_alone(0, false), first + i, 0, 0, none);
      __syncwarp();
    }
  }

  // Segments of one element each, or none, from where they are: all are under way before one is looked at.
  WF_FN void work_alone(const Own& own, const Offset* offsets) const {
    typename Work::Alone tiles[Sizes::groups];
#pragma unroll
    for (u32 r = 0; r < Sizes::groups; r++) {
      tiles[r] = work.read_alone(own.from[r], r * THREADS + threadIdx.x < count && own.to[r] != own.from[r]);
    }
    bring_ahead(offsets);
#pragma unroll
    for (u32 r = 0; r < Sizes::groups; r++) {
      const u32 i = r * THREADS + threadIdx.x;
      work.alone(tiles[r], first + i, own.from[r], static_cast<u32>(own.to[r] - own.from[r]), i < count);
    }
  }

  // How many segments that are not short stand before `high`, of which `known` are known to.
  WF_FN u32 gaps_before(u32 high, u32 known) const {
    for (;;) {
      const u32 k = known + lane(), more = static_cast<u32>(__popc(ballot<32>(k < at.gap_count && at.gaps[k] < high)));
      known += more;
      if (more < 32) return known;
    }
  }
  // Calls `run(from, end, thread, threads)` for each run of short segments from `low` up to `high`, by so many threads. Before
  // those two there are `gap` and `next_gap` segments that are not short.
  template <class Run> WF_FN void each_run(u32 low, u32 high, u32 gap, u32 next_gap, const Run& run) const {
    if (gap == next_gap) return run(low, high, threadIdx.x, Threads<THREADS>());
    // A warp a run.
#pragma unroll 1
    for (u32 k = gap + warp_in_block(); k <= next_gap; k += WARPS) {
      const u32 from = k == gap ? low : at.gaps[k - 1] + 1, end = k == next_gap ? high : at.gaps[k];
      if (end > from) run(from, end, lane(), Threads<32>());
    }
  }

  // Puts the short ones from `low` up to `high` in the order of their kinds, in two steps between which all threads meet.
  WF_FN void count_kinds(u32 low, u32 high) const {
#pragma unroll 1
    for (u32 k = low; k < high; k += THREADS) {
      const u32 i = k + threadIdx.x;
      const u32 kind = i < high ? at.code[i] >> 12 : KINDS;
      const u32 like = lanes_alike(kind), first_like = static_cast<u32>(__ffs(static_cast<int>(like))) - 1;
      u32 before = 0;
      if (lane() == first_like && kind < KINDS) before = add_shared(&at.counts[kind], static_cast<u32>(__popc(like)));
      before = shuffle_lane<32>(before, first_like) + static_cast<u32>(__popc(like & ((1u << lane()) - 1)));
      if (i < high) at.code[i] = static_cast<u16>(kind << 12 | before);
    }
  }
  // Gives how many there are of the kind that has the lane's number.
  WF_FN u32 order_kinds(u32 low, u32 high) const {
    const u32 own = lane() < KINDS ? at.counts[lane()] : 0;
    u32 before = own;
#pragma unroll
    for (u32 k = 1; k < 16; k *= 2) {
      const u32 lower = shuffle_up<32>(before, k);
      if (lane() >= k) before += lower;
    }
    before -= own;
#pragma unroll 1
    for (u32 k = low; k < high; k += THREADS) {
      const u32 i = k + threadIdx.x;
      const u32 code = i < high ? at.code[i] : 0;
      const u32 place = shuffle_lane<32>(before, code >> 12) + (code & 0xfff);
      if (i < high && code >> 12 < KINDS) at.order[place] = static_cast<u16>(i);
    }
    return own;
  }

  // Which of the batch's segments a kind's are: all, or those that `order` has from `from` on.
  struct Batch {
    u32 low, base;
    bool alike;
    u32 from, tasks;
  };
  // Segment `k` of a kind.
  WF_FN Found find(const Batch& batch, u32 k, u32 those) const {
    const bool some = k < those;
    const u32 own = some ? k : 0, i = batch.alike ? batch.low + own : at.order[batch.from + own];
    return {first + i, some ? static_cast<int>(length(i)) : 0, static_cast<int>(at.where[i] - batch.base), some};
  }
  // Runs `work` on those of one kind, by groups of lanes or a lane each.
  template <u32 KIND, class Own, bool LANE, class Room> WF_FN void deal(Batch& batch, u32 those) const {
    constexpr u32 EACH = LANE ? 32 : Own::groups;
    const u32 tasks = (those + EACH - 1) / EACH, own = LANE ? lane() : lane() / Own::lanes;
#pragma unroll 1
    for (u32 t = (warp_in_block() + WARPS - batch.tasks % WARPS) % WARPS; t < tasks; t += WARPS) {
      const Found found = find(batch, t * EACH + own, those);
      if constexpr (!LANE) {
        work.template group<Own, Room>(room, found);
      } else if (found.some) {
        work.template lane<Own, Room>(room, found, KIND == 0);
      }
    }
    batch.tasks += tasks;
    batch.from += those;
  }
  // `own`: how many there are of the kind that has the lane's number.
  template <u32 KIND, class Room> WF_FN void deal_kinds(Batch& batch, u32 own) const {
    const u32 those = shuffle_lane<32>(own, KIND);
    if (those > 0) {
      if constexpr (KIND <= 6) {
        constexpr int LANES = KIND == 0 ? 1 : 1 << (KIND - 1);
        if constexpr (V * LANES <= Sizes::most && LANES < 8) {
          deal<KIND, TileOrder<V, LANES, 1>, true, Room>(batch, those);
        } else if constexpr (V * LANES <= Sizes::most) {
          // A lane takes as long for one as a warp for many.
          if (those >= MANY) {
            deal<KIND, TileOrder<V, LANES, 1>, true, Room>(batch, those);
          } else {
            deal<KIND, TileOrder<V, LANES, 1>, false, Room>(batch, those);
          }
        } else if constexpr (V * LANES / 2 < Sizes::widest && Order::few && LANES > 8) {
          deal<KIND, Few<V, LANES, Lines::FEW_TURNS>, false, Room>(batch, those);
        } else if constexpr (V * LANES / 2 < Sizes::widest) {
          deal<KIND, TileOrder<V, LANES, 1>, false, Room>(batch, those);
        }
      } else if constexpr (KIND == SEVERAL_TURNS && Sizes::widest > 32 * V && Order::few) {
        static_assert(Sizes::widest <= 64 * V, "groups of one width");
        deal<KIND, Few<V, 64, Lines::FEW_TURNS>, false, Room>(batch, those);
      } else if constexpr (KIND == SINGLES && V > 1 && Sizes::widest > 64 && Order::few) {
        deal<KIND, Few<1, 128, Lines::FEW_ODD_TURNS>, false, Room>(batch, those);
      } else if constexpr (KIND == SEVERAL_TURNS && Sizes::widest > 32 * V) {
        deal<KIND, TileOrder<V, 32, Sizes::widest / (32 * V)>, false, Room>(batch, those);
      } else if constexpr (KIND == SINGLES && V > 1 && Sizes::widest > 64) {
        deal<KIND, TileOrder<1, 32, Sizes::widest < 128 ? Sizes::widest / 32 : 4>, false, Room>(batch, those);
      } else if constexpr (KIND == MORE_SINGLES && V > 1 && Sizes::widest > 128) {
        deal<KIND, TileOrder<1, 32, Sizes::widest / 32>, false, Room>(batch, those);
      }
    }
    if constexpr (KIND + 1 < KINDS) deal_kinds<KIND + 1, Room>(batch, own);
  }

  // How far the batch goes that begins with segment `low`: the lanes ask together, first of every 32nd place.
  WF_FN u32 end_of_batch(u32 low, u32 limit) const {
    const u32 count = at.count;
    if (at.where[count] <= limit) return count;
    const u32 far = low + (lane() + 1) * 32;
    const u32 base = low + 32 * static_cast<u32>(__popc(ballot<32>(far <= count && at.where[far <= count ? far : count] <= limit)));
    const u32 near = base + lane() + 1;
    return base + static_cast<u32>(__popc(ballot<32>(near <= count && at.where[near <= count ? near : count] <= limit)));
  }

  template <bool MOVED> WF_FN void run(bool alike) const {
    using Room = Stage<Sizes::elements, MOVED>;
    const bool wide = list.aligned != 0;
    u32 gap = 0;
    const auto end_of = [&](u32 low) { return end_of_batch(low, at.where[low] / 16 * 16 + Sizes::limit); };
    u32 high = end_of(0), next_gap = alike ? 0 : gaps_before(high, 0);
#pragma unroll 1
    for (u32 low = 0; low < at.count;) {
      const u64 elements = asked_again(list.elements);
      const u32 base = at.where[low] / 16 * 16;
      each_run(low, high, gap, next_gap, [&](u32 from, u32 end, u32 thread, auto threads) {
        (void)Spec::template items<V>(args, CopyIn<Room, decltype(threads)::count>{room, at.from[from], elements, at.where[from] - base,
                                                                                  at.where[end] - at.where[from], wide, thread, 0});
      });
      u32 end = high, end_gap = next_gap;
      if (high < at.count) {
        end = end_of(high);
        if (!alike) end_gap = gaps_before(end, next_gap);
      }
      u32 own = (at.kinds >> lane() & 1) != 0 ? high - low : 0;
      if (!alike) {
        count_kinds(low, high);
        __syncthreads();
        own = order_kinds(low, high);
      }
      await_copies();
      __syncthreads();
      if (threadIdx.x < KINDS) at.counts[threadIdx.x] = 0;
      // Left there, as registers are few.
      if (threadIdx.x == 0) at.step = {high, end, next_gap, end_gap};
      Batch batch = {low, base, alike, 0, 0};
      deal_kinds<0, Room>(batch, own);
      __syncthreads();
      if constexpr (Work::each) {
        each_run(low, high, gap, next_gap, [&](u32 from, u32 end, u32 thread, auto threads) {
          const typename Spec::Result nothing[1] = {};
          Spec::template store<1>(results, nothing, CopyOut<Room, decltype(threads)::count>{room + Sizes::out, at.from[from], at.where[from] - base,
                                                                                           at.where[end] - at.where[from], wide, thread, 0});
        });
        __syncthreads();
      }
      const uint4 step = load_shared(&at.step);
      low = step.x, high = step.y, gap = step.z, next_gap = step.w;
    }
  }
};

}  // namespace wf
