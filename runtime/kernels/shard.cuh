// shard.cuh: arrays of which each rank of a group holds a shard. One state a rank travels, in a message of its own.
//
// Entries, beside those of rows_reduce.cuh and array_scan*.cuh for the specs below:
//
//   shard_result<Spec>(args, results, place, messages)
//     the result of the array from the states of all shards, first to last, folded as those of neighbouring tiles are:
//     init, then finish. Overwrites states. One block of 32 threads.
//
//   shard_carry<Spec>(args, results, place, messages)
//     what stands before a shard, init included, into results.slots: a `ShardCarry`. messages.first is the shard that is
//     met first, messages.count how many, messages.step the way to the next. Empty ones are left out. One block of 32 threads.
#pragma once

namespace wf {

// What stands before a shard, if anything does.
template <class State> struct ShardCarry {
  Slot<State> state;
  u32 some;
};

// Where a shard stands in the array, and what stands before it: a `ShardCarry`.
struct ShardPlace {
  u64 first, total;
  const void* before;
};

// One message a rank. At byte 24 the elements of the shard, at 64 a slot with its state (see Slot).
struct ShardMessages {
  void* bytes;
  u64 first, count;
  i64 step;
  static constexpr u64 each = 128, length_at = 24, state_at = 64;

  WF_FN char* of(u64 k) const { return static_cast<char*>(bytes) + (first + k * static_cast<u64>(step)) * each; }
  WF_FN bool empty(u64 k) const { return *reinterpret_cast<const u64*>(of(k) + length_at) == 0; }
  template <class Spec> WF_FN typename Spec::State state(u64 k) const {
    return empty(k) ? Spec::identity() : Slot<typename Spec::State>::load(of(k) + state_at, 0);
  }
};

// A state whose positions count from the start of the shard, as it is in the array.
template <class Spec> WF_FN auto moved(const typename Spec::State& s, u64 by, int) -> decltype(Spec::Table::moved(s, by)) {
  return Spec::Table::moved(s, by);
}
template <class Spec> WF_FN typename Spec::State moved(const typename Spec::State& s, u64, long) { return s; }

// A spec over a shard: `index` and `len` are those of the array. What its total has no part in is init.
template <class Base> struct Shard : Base {
  static constexpr bool has_init = false;
  struct Args {
    typename Base::Args own;
    ShardPlace place;
  };
  using Row = typename Base::Row;
  template <int V> using Items = typename Base::template Items<V>;
  template <int V> using Columns = typename Base::template Columns<V>;

  static WF_FN Row row(const Args& args, u64 row, u64) { return Base::row(args.own, row, args.place.total); }
  template <int V, class Reader> static WF_FN Items<V> items(const Args& args, const Reader& read) {
    return Base::template items<V>(args.own, read);
  }
  template <int V, class Reader> static WF_FN Columns<V> columns(const Args& args, const Reader& read) {
    return Base::template columns<V>(args.own, read);
  }
  template <int V>
  static WF_FN typename Base::Mapped map(const Items<V>& items, const Columns<V>& columns, int i, const Row& row, const Args& args, u64 index) {
    return Base::template map<V>(items, columns, i, row, args.own, args.place.first + index);
  }
};

// Its total, into a slot.
template <class Base> struct ShardTotal : Shard<Base> {
  using Result = typename Base::State;
  struct Results {
    void* slots;
  };
  static WF_FN Result finish(const Result& s, const typename Base::Row&, const typename Shard<Base>::Args& args) {
    return moved<Base>(s, args.place.first, 0);
  }
  template <int V, class W> static WF_FN void store(const Results& results, const Result (&values)[V], const W& write) {
    Slot<Result>::of(values[0]).store(results.slots, write.at);
  }
};

// The same of a scan, which offers no fold of its own.
template <class Base> struct ScanTotal : ShardTotal<Base> {
  static constexpr Fold fold = Base::fold == Fold::striped ? Fold::striped : Fold::blocked;
};

// Its scan, which goes on from what stands before it.
template <class Base> struct ShardScan : Shard<Base> {
  using Args = typename Shard<Base>::Args;
  // Operators that keep positions learn them when an element is lifted.
  struct Mapped {
    typename Base::Mapped own;
    u64 first;
  };
  template <int V>
  static WF_FN Mapped map(const typename Base::template Items<V>& items, const typename Base::template Columns<V>& columns, int i,
                          const typename Base::Row& row, const Args& args, u64 index) {
    return {Shard<Base>::template map<V>(items, columns, i, row, args, index), args.place.first};
  }
  static WF_FN typename Base::State lift(const Mapped& mapped, u64 index) { return Base::lift(mapped.own, mapped.first + index); }
  template <int V>
  static WF_FN typename Base::Result finish_at(const typename Base::State& s, const typename Base::template Items<V>& items,
                                               const typename Base::template Columns<V>& columns, int i, const typename Base::Row& row,
                                               const Args& args, u64 index) {
    return Base::template finish_at<V>(s, items, columns, i, row, args.own, args.place.first + index);
  }
  static WF_FN Maybe<typename Base::State> before(const Args& args) {
    const auto* carry = static_cast<const ShardCarry<typename Base::State>*>(args.place.before);
    return carry->some != 0 ? Maybe<typename Base::State>{carry->state.state(), true} : Maybe<typename Base::State>{Base::identity(), false};
  }
};

template <class Spec>
WF_FN void shard_result(const typename Spec::Args& args, const typename Spec::Results& results, const ShardPlace& place, const ShardMessages& messages) {
  using Kept = Slot<typename Spec::State>;
  u64 count = messages.count;
  // A level of groups of 32 takes the places of the first states of the level below, which are read by then.
  bool below = true;
  const auto state = [&](u64 k) {
    if (below) return messages.state<Spec>(k);
    return Kept::load(messages.of(k) + ShardMessages::state_at, 0);
  };
  while (count > 32) {
    const u64 groups = (count + 31) / 32;
#pragma unroll 1
    for (u64 g = 0; g < groups; g++) {
      const u64 at = g * 32 + lane();
      const typename Spec::State s = Spec::reduce_first(at < count ? state(at) : Spec::identity(), Width<32>{});
      __syncwarp();
      if (lane() == 0) Kept::of(s).store(messages.of(g) + ShardMessages::state_at, 0);
      __syncwarp();
    }
    below = false;
    count = groups;
  }
  const typename Spec::State s = fold_states<Spec, 32>(lane() < count ? state(lane()) : Spec::identity(), count, false);
  if (lane() == 0) store_result<Spec>(results, s, Spec::row(args, 0, place.total), args, 0);
}

template <class Spec>
WF_FN void shard_carry(const typename Spec::Args&, const typename ShardTotal<Spec>::Results& results, const ShardPlace&, const ShardMessages& messages) {
  if (lane() != 0) return;
  Maybe<typename Spec::State> carry = {Spec::identity(), false};
  if constexpr (Spec::has_init) carry = {Spec::init(), true};
#pragma unroll 1
  for (u64 k = 0; k < messages.count; k++) {
    if (!messages.empty(k)) carry = {join<Spec>(carry, messages.state<Spec>(k)), true};
  }
  auto* to = static_cast<ShardCarry<typename Spec::State>*>(results.slots);
  to->state = Slot<typename Spec::State>::of(carry.state);
  to->some = carry.some ? 1 : 0;
}

}  // namespace wf
