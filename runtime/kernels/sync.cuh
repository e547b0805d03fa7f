// sync.cuh: barriers and the atomic operations between blocks.
//
// Promises: one name an operation, whatever carries it out, so that the same kernels run under the emulator. The
// memory order is part of the name; every operation between blocks has the scope of the device.
#pragma once

namespace wf {

// Declares NAME, the block's dynamic shared memory of BYTES bytes, aligned to 128.
#ifdef WARPFOLD_EMULATE
#define WF_DYNAMIC(NAME, BYTES) \
  static char NAME##_key;       \
  char* const NAME = emulator::shared<char>(&NAME##_key, BYTES)
#else
#define WF_DYNAMIC(NAME, BYTES) extern __shared__ __align__(128) char NAME[]
#endif

// Words that other blocks write while this one looks.
WF_FN u64 load_relaxed(const u64* p) {
#ifdef WARPFOLD_EMULATE
  emulator::spin();
  return *p;
#else
  u64 v;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
  return v;
#endif
}
WF_FN u32 load_relaxed(const u32* p) {
#ifdef WARPFOLD_EMULATE
  return *p;
#else
  u32 v;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
#endif
}
WF_FN void store_relaxed(u64* p, u64 v) {
#ifdef WARPFOLD_EMULATE
  *p = v;
#else
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
#endif
}
// Two neighbouring words in one access, each on its own as if moved alone; the first stands at a multiple of 16 bytes.
WF_FN void load_relaxed_pair(const u64* p, u64 (&v)[2]) {
#ifdef WARPFOLD_EMULATE
  v[0] = load_relaxed(p);
  v[1] = load_relaxed(p + 1);
#else
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(v[0]), "=l"(v[1]) : "l"(p) : "memory");
#endif
}
WF_FN void store_relaxed_pair(u64* p, u64 first, u64 second) {
#ifdef WARPFOLD_EMULATE
  store_relaxed(p, first);
  store_relaxed(p + 1, second);
#else
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" : : "l"(p), "l"(first), "l"(second) : "memory");
#endif
}

// Each gives the value before. `acquire_release`: what the block wrote before is seen by whoever adds after it.
WF_FN u32 add_relaxed(u32* p, u32 v) {
#ifdef WARPFOLD_EMULATE
  const u32 before = *p;
  *p += v;
  return before;
#else
  u32 before;
  asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(p), "r"(v) : "memory");
  return before;
#endif
}
WF_FN u64 add_relaxed(u64* p, u64 v) {
#ifdef WARPFOLD_EMULATE
  const u64 before = *p;
  *p += v;
  return before;
#else
  u64 before;
  asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;" : "=l"(before) : "l"(p), "l"(v) : "memory");
  return before;
#endif
}
WF_FN u32 add_acquire_release(u32* p, u32 v) {
#ifdef WARPFOLD_EMULATE
  const u32 before = *p;
  *p += v;
  return before;
#else
  u32 before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(p), "r"(v) : "memory");
  return before;
#endif
}

// The largest, and all bits, of what was given; a later launch reads it.
WF_FN void raise(u64* p, u64 v) {
#ifdef WARPFOLD_EMULATE
  if (*p < v) *p = v;
#else
  asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
#endif
}
WF_FN void add_bits(u32* p, u32 v) {
#ifdef WARPFOLD_EMULATE
  *p |= v;
#else
  asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
#endif
}

// The same of words of shared memory.
WF_FN u32 add_shared(u32* p, u32 v) {
#ifdef WARPFOLD_EMULATE
  const u32 before = *p;
  *p += v;
  return before;
#else
  u32 before;
  asm volatile("atom.relaxed.cta.shared.add.u32 %0, [%1], %2;" : "=r"(before) : "r"(static_cast<u32>(__cvta_generic_to_shared(p))), "r"(v) : "memory");
  return before;
#endif
}
WF_FN void add_shared_bits(u32* p, u32 v) {
#ifdef WARPFOLD_EMULATE
  *p |= v;
#else
  asm volatile("red.relaxed.cta.shared.or.b32 [%0], %1;" : : "r"(static_cast<u32>(__cvta_generic_to_shared(p))), "r"(v) : "memory");
#endif
}

// Starts to copy 16 bytes into shared memory; both addresses are multiples of 16. `await_copies` waits for all that the
// thread has started; other threads see them after the next barrier with it.
WF_FN void start_copy(char* shared, const char* global) {
#if !defined(WARPFOLD_EMULATE) && __CUDA_ARCH__ >= 800
  const u32 to = static_cast<u32>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(to), "l"(global) : "memory");
#else
  *reinterpret_cast<uint4*>(shared) = __ldcs(reinterpret_cast<const uint4*>(global));
#endif
}
// The same for one value of any type; where it travels in no such access it is there at once.
template <class T> WF_FN void start_copy_one(T* shared, const T* global) {
#if !defined(WARPFOLD_EMULATE) && __CUDA_ARCH__ >= 800
  if constexpr (alignof(T) == sizeof(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)) {
    const u32 to = static_cast<u32>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(to), "l"(global), "n"(sizeof(T)) : "memory");
    return;
  }
#endif
#ifdef WARPFOLD_EMULATE
  emulator::reads(global, sizeof(T));
#endif
  *shared = *global;
}
// Asks for `bytes` from `global` on, both multiples of 16, to be brought into the L2 cache; nobody waits for them.
WF_FN void prefetch(u64 global, u32 bytes) {
#if !defined(WARPFOLD_EMULATE) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" : : "l"(global), "r"(bytes) : "memory");
#endif
}
// 16 bytes of shared memory in one access, at a multiple of 16: the compiler takes such apart where some of it may not be wanted.
WF_FN uint4 load_shared(const void* p) {
#ifdef WARPFOLD_EMULATE
  return *static_cast<const uint4*>(p);
#else
  uint4 v;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(static_cast<u32>(__cvta_generic_to_shared(p)))
               : "memory");
  return v;
#endif
}
WF_FN void store_shared(void* p, const uint4& v) {
#ifdef WARPFOLD_EMULATE
  *static_cast<uint4*>(p) = v;
#else
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" : : "r"(static_cast<u32>(__cvta_generic_to_shared(p))), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
#endif
}
// The same address, which the compiler takes for an unknown one of shared memory: it stays in a register. Of memory that a kernel
// declares the compiler finds the address again at each access, by three instructions of which one takes long.
template <class T> WF_FN T* in_register(T* shared) {
#ifdef WARPFOLD_EMULATE
  return shared;
#else
  u32 address = static_cast<u32>(__cvta_generic_to_shared(shared));
  asm volatile("" : "+r"(address));
  return static_cast<T*>(__cvta_shared_to_generic(address));
#endif
}
// The same number, of which the compiler knows nothing: what follows from it is computed where it is asked for, and not kept in
// registers from before a loop.
WF_FN u64 asked_again(u64 x) {
#ifndef WARPFOLD_EMULATE
  asm volatile("" : "+l"(x));
#endif
  return x;
}
WF_FN void await_copies() {
#if !defined(WARPFOLD_EMULATE) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

WF_FN u32 warp_in_block() { return threadIdx.x / 32; }

}  // namespace wf
