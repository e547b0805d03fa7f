// bulk.cuh: copies of whole tiles into shared memory, and the barriers that say when they are there. sm_90 and later.
//
// Promises: a barrier's phase ends when as many arrived as it was begun with and all bytes that they announced have
// landed; who waits for a phase sees what was written before it ended. Addresses and sizes of copies are multiples of 16.
#pragma once

namespace wf {

// Lives in shared memory. Phases have the parities 0, 1, 0, …; whoever waits is at most one phase behind.
struct Barrier {
#ifdef WARPFOLD_EMULATE
  u32 count, pending, phase;
  i64 bytes;
  void settle() {
    if (pending != 0 || bytes != 0) return;
    pending = count;
    phase ^= 1;
  }
  void begin(u32 arrivals) {
    count = pending = arrivals;
    phase = 0;
    bytes = 0;
  }
  void arrive() { expect(0); }
  void expect(u32 more) {
    bytes += more;
    pending--;
    settle();
  }
  void wait(u32 parity) {
    while (phase == parity) emulator::spin();
  }
#else
  u64 word;
  WF_FN u32 at() const { return static_cast<u32>(__cvta_generic_to_shared(&word)); }
  WF_FN void begin(u32 arrivals) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(at()), "r"(arrivals) : "memory"); }
  WF_FN void arrive() { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(at()) : "memory"); }
  // Arrives, and announces bytes that are to land.
  WF_FN void expect(u32 more) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(at()), "r"(more) : "memory");
  }
  WF_FN void wait(u32 parity) {
    u32 ended;
    do {
      asm volatile(
          "{\n  .reg .pred p;\n  mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n  selp.u32 %0, 1, 0, p;\n}"
          : "=r"(ended)
          : "r"(at()), "r"(parity)
          : "memory");
    } while (ended == 0);
  }
#endif
};

// After the barriers were begun, and before the block's next __syncthreads.
WF_FN void show_barriers() {
#ifndef WARPFOLD_EMULATE
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
#endif
}

// Starts to copy `bytes` into shared memory; they count for `there` as they land.
WF_FN void start_bulk_copy(char* shared, const void* global, u32 bytes, Barrier& there) {
#ifdef WARPFOLD_EMULATE
  emulator::reads(global, bytes);
  if (reinterpret_cast<uintptr_t>(global) % 16 != 0 || reinterpret_cast<uintptr_t>(shared) % 16 != 0 || bytes % 16 != 0) emulator::fail("a bulk copy that is not aligned");
  memcpy(shared, global, bytes);
  there.bytes -= bytes;
  there.settle();
#else
  const u32 to = static_cast<u32>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               :
               : "r"(to), "l"(global), "r"(bytes), "r"(there.at())
               : "memory");
#endif
}

// Orders what the thread has written to shared memory before copies into the same place that are started later.
WF_FN void show_to_copies() {
#ifndef WARPFOLD_EMULATE
  asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
}

// A barrier of some warps of a block: `threads` of them, all of which give the same `number`, 1 to 15.
WF_FN void sync_warps(u32 number, u32 threads) {
#ifdef WARPFOLD_EMULATE
  emulator::barrier(static_cast<int>(number), static_cast<int>(threads));
#else
  asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(threads) : "memory");
#endif
}

// Starts the copies of ELEMENTS elements of each plain parameter, one parameter behind the other; a reader of a spec's
// `items`, which asks for each parameter once. One thread calls.
template <u32 ELEMENTS> struct StageCopier {
  u64 first;
  Barrier& there;
  mutable char* to;
  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    start_bulk_copy(to, base + first, ELEMENTS * sizeof(T), there);
    to += ELEMENTS * sizeof(T);
    return {};
  }
};

// Reads packs of what StageCopier brought: slot s stands at position `first + s` of the stage, from its end with REVERSE.
template <u32 ELEMENTS, bool REVERSE> struct StageReader {
  u32 first;
  mutable const char* from;
  template <int V, class T> WF_FN Pack<T, V> get(const T*) const {
    constexpr int EACH = Wide<T, V>::each;
    const T* const pack = reinterpret_cast<const T*>(from) + (REVERSE ? ELEMENTS - V - first : first);
    from += ELEMENTS * sizeof(T);
    if constexpr (EACH == V && !REVERSE) {
      // In one piece: the compiler takes apart what is copied element by element.
      return piece<EACH>(pack);
    } else {
      Pack<T, V> r;
#pragma unroll
      for (int at = 0; at < V; at += EACH) {
        const Pack<T, EACH> p = piece<EACH>(pack + at);
#pragma unroll
        for (int s = 0; s < EACH; s++) r.v[REVERSE ? V - 1 - at - s : at + s] = p.v[s];
      }
      return r;
    }
  }

 private:
  template <int EACH, class T> static WF_FN Pack<T, EACH> piece(const T* p) {
    if constexpr (Wide<T, EACH>::power) {
      const auto whole = *reinterpret_cast<const typename Granule<Wide<T, EACH>::granule>::Type*>(p);
      return copy_bits<Pack<T, EACH>>(whole);
    } else {
      static_assert(EACH == 1, "elements that do not travel together");
      return {{*p}};
    }
  }
};

}  // namespace wf
