// record.cuh: states that blocks of one launch hand to each other while they run.
//
// Promises: a record is read whole or not at all. Each 32-bit word of it travels with the number of the launch, so that
// it says itself whether it is there: no flag, no fence, no clearing between launches, and two launches that share a
// scratch area one after the other cannot mistake each other's records. Blocks draw their work by ticket, so that whoever
// waits waits for a block that runs already, however few of the grid run at a time.
#pragma once

namespace wf {

// One area of scratch, all zero before its first launch and of one launch at a time. `words` counts all of `records`.
struct Relay {
  u64* records;
  u64 words;
  u32* control;  // four words: tickets drawn, blocks done, launches so far, unused
};

// How many launches the area has seen. Asked for in front of the reads of a tile, whose way it shares. What the compiler knows to
// be the same in all lanes it puts into a register of the warp's as soon as it has asked for it, and the reads behind wait for
// that: so it is not told that all lanes ask for one word.
WF_FN u32 launches_before(const Relay& relay) { return load_relaxed(relay.control + 2 + lane() / 32); }
// The number of this launch: the same in all its blocks, never zero.
WF_FN u32 launch_number(const Relay& relay) { return launches_before(relay) + 1; }

// Ends a block's part in the launch; all its threads call, after their last use of the relay. The block that comes last
// makes the area ready for the next launch. Numbers start again where they are used up, with no old record left.
WF_FN void leave_relay(const Relay& relay, u32 number) {
  WF_SHARED(u32, last, 1);
  __syncthreads();
  if (threadIdx.x == 0) last[0] = add_acquire_release(relay.control + 1, 1) == gridDim.x - 1 ? 1u : 0u;
  __syncthreads();
  if (last[0] == 0) return;
  if (number == 0xffffffffu) {
    for (u64 i = threadIdx.x; i < relay.words; i += blockDim.x) store_relaxed(relay.records + i, 0);
  }
  if (threadIdx.x == 0) {
    relay.control[0] = 0;
    relay.control[1] = 0;
    relay.control[2] = number == 0xffffffffu ? 0 : number;
  }
}

// Counts a block in, so that the last may say at its end that the launch is over: all blocks know the launch's number by
// then. One thread calls, with a number that it has looked at.
WF_FN bool last_to_come(const Relay& relay, u32 number) {
  // Where records are cleared nobody may still read them: the end of the kernel is the time to count.
  return number != 0xffffffffu && add_relaxed(relay.control + 1, 1) == gridDim.x - 1;
}
// Ends a block's part. All its threads call; `last` counts in the thread that counted.
WF_FN void leave_resident(const Relay& relay, u32 number, bool last) {
  if (number == 0xffffffffu) {
    leave_relay(relay, number);
  } else if (last) {
    relay.control[1] = 0;
    relay.control[2] = number;
  }
}

template <class T> struct Record {
  static constexpr int words = (int(sizeof(T)) + 3) / 4;
  // Words that travel in one access: areas of records begin at multiples of 16 bytes, so that each of an even count does.
  static constexpr int EACH = words % 2 == 0 ? 2 : 1;

  static WF_FN void publish(u64* records, u64 at, const T& value, u32 number) {
    u32 w[words] = {};
    memcpy(w, &value, sizeof(T));
    const u64 mark = static_cast<u64>(number) << 32;
#pragma unroll
    for (int i = 0; i < words; i += EACH) {
      if constexpr (EACH == 2) {
        store_relaxed_pair(records + at * words + i, mark | w[i], mark | w[i + 1]);
      } else {
        store_relaxed(records + at * words + i, mark | w[i]);
      }
    }
  }
  // A record as it was found, whole or not; all bits zero is one that is not there.
  struct Seen {
    u64 word[words];
  };
  static WF_FN Seen look(const u64* records, u64 at) {
    Seen seen;
#pragma unroll
    for (int i = 0; i < words; i += EACH) {
      if constexpr (EACH == 2) {
        u64 pair[2];
        load_relaxed_pair(records + at * words + i, pair);
        seen.word[i] = pair[0];
        seen.word[i + 1] = pair[1];
      } else {
        seen.word[i] = load_relaxed(records + at * words + i);
      }
    }
    return seen;
  }
  static WF_FN bool there(const Seen& seen, u32 number) {
    bool all = true;
#pragma unroll
    for (int i = 0; i < words; i++) all = all & (static_cast<u32>(seen.word[i] >> 32) == number);
    return all;
  }
  static WF_FN T value(const Seen& seen) {
    u32 w[words];
#pragma unroll
    for (int i = 0; i < words; i++) w[i] = static_cast<u32>(seen.word[i]);
    T value;
    memcpy(&value, w, sizeof(T));
    return value;
  }
  // Waits until the record is there.
  static WF_FN T await(const u64* records, u64 at, u32 number) {
    Seen seen;
    do {
      seen = look(records, at);
    } while (!there(seen, number));
    return value(seen);
  }
};

}  // namespace wf
