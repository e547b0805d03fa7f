// A small CUDA machine on the CPU, strict where the hardware is lenient.
//
// Promise: a kernel that runs here without a complaint names every lane it exchanges with, meets all of them at every
// exchange and barrier, reads no lane that it did not name, and makes progress when only `resident` blocks of the grid
// run at a time. Threads are fibers of one host thread and take turns in an order that repeats; now and then one warp of a
// block is held back as long as the others can go on, so that a missing barrier shows.
//
// Compile a kernel with `-DWARPFOLD_EMULATE` and this header in front of it; start it with `emulator::launch`.
#pragma once
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <ucontext.h>
#include <vector>

struct dim3 { unsigned x = 1, y = 1, z = 1; };
static dim3 threadIdx, blockIdx, blockDim, gridDim;
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };

#define __device__
#define __forceinline__ inline
#define __global__
#define __grid_constant__
#define __launch_bounds__(...)
#define __host__
#define __align__(n) alignas(n)

namespace emulator {

[[noreturn]] inline void fail(const std::string& what) {
    std::fprintf(stderr, "emulator: block %u, thread %u: %s\n", blockIdx.x, threadIdx.x, what.c_str());
    std::exit(1);
}

// What a lane brings to an exchange of its warp.
struct Offer { bool pending = false; const char* kind = ""; unsigned mask = 0; uint64_t value = 0; };

struct Fiber {
    ucontext_t context;
    jmp_buf here;
    std::unique_ptr<char[]> stack;
    bool started = false, done = false, ready = true, spinning = false;
    int at = 0;            // thread number within the block
    int barrier = -1;      // the block barrier it waits at
    Offer offer;
    uint64_t seen[32];     // what the lanes of the last exchange brought
    struct Block* block = nullptr;
};

struct Block {
    unsigned index = 0;
    std::vector<Fiber> fibers;
    struct Shared { std::unique_ptr<char[]> place; char* begin; size_t bytes; };
    std::map<const void*, Shared> shared;
    std::map<int, int> waiting;   // barrier number -> threads that arrived
    int left = 0;                 // threads still running
};

static const size_t stack_bytes = 256 * 1024;
static jmp_buf scheduler;
static Fiber* current = nullptr;
static const std::function<void()>* body = nullptr;
static std::vector<std::unique_ptr<Block>> running;
// Blocks of a cluster, which run together; by cluster, how often its threads have come to its barrier.
static unsigned cluster = 1;
static std::map<unsigned, unsigned long> arrivals;

inline void yield() {
    if (_setjmp(current->here) == 0) _longjmp(scheduler, 1);
}
inline void start() {
    (*body)();
    current->done = true;
    current->block->left--;
    _longjmp(scheduler, 1);
}
inline void resume(Fiber& f) {
    current = &f;
    const unsigned at = unsigned(f.at), x = blockDim.x, y = blockDim.y;
    threadIdx = {at % x, at / x % y, at / (x * y)};
    blockIdx = {f.block->index, 0, 0};
    if (_setjmp(scheduler) != 0) return;
    if (f.started) _longjmp(f.here, 1);
    f.started = true;
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = stack_bytes;
    f.context.uc_link = nullptr;
    makecontext(&f.context, start, 0);
    setcontext(&f.context);
}

inline int lane() { return current->at % 32; }
// Lets other threads run before a value is read again.
inline void spin() { current->spinning = true; yield(); current->spinning = false; }

// Waits until every lane of `mask` has come with the same kind of exchange and the same mask.
inline const uint64_t* meet(const char* kind, unsigned mask, uint64_t value) {
    Fiber& me = *current;
    auto& all = me.block->fibers;
    const int base = me.at / 32 * 32;
    if (!(mask >> lane() & 1)) fail(std::string(kind) + ": the calling lane is not in its own mask");
    me.offer = {true, kind, mask, value};
    bool complete = true;
    for (int l = 0; l < 32; l++) {
        if (!(mask >> l & 1)) continue;
        if (base + l >= int(all.size())) fail(std::string(kind) + ": the mask names lane " + std::to_string(l) + ", which does not exist");
        Fiber& f = all[base + l];
        if (f.done) fail(std::string(kind) + ": the mask names lane " + std::to_string(l) + ", which has left");
        if (f.barrier >= 0) fail(std::string(kind) + ": lane " + std::to_string(l) + " waits at a block barrier");
        if (!f.offer.pending) { complete = false; continue; }
        if (f.offer.mask != mask || std::strcmp(f.offer.kind, kind) != 0)
            fail(std::string(kind) + ": lane " + std::to_string(l) + " came to " + f.offer.kind + " with another mask or exchange");
    }
    if (complete) {
        uint64_t values[32] = {};
        for (int l = 0; l < 32; l++) if (mask >> l & 1) values[l] = all[base + l].offer.value;
        for (int l = 0; l < 32; l++) if (mask >> l & 1) {
            std::memcpy(all[base + l].seen, values, sizeof values);
            all[base + l].offer.pending = false;
            all[base + l].ready = true;
        }
    } else {
        me.ready = false;
        yield();
    }
    return me.seen;
}

template <class T> uint64_t pack(T v) {
    static_assert(sizeof(T) <= 8, "the hardware exchanges words");
    uint64_t w = 0;
    std::memcpy(&w, &v, sizeof v);
    return w;
}
template <class T> T unpack(uint64_t w) { T v; std::memcpy(&v, &w, sizeof v); return v; }

template <class T> T from(const char* kind, unsigned mask, T v, int source, bool own) {
    const uint64_t* seen = meet(kind, mask, pack(v));
    if (own) return v;
    // The short last warp of a block: a lane that does not exist has no value, so whoever looks gets rubbish.
    if (current->at / 32 * 32 + source >= int(current->block->fibers.size())) return unpack<T>(0x5DEADBEEFDEADBEEull);
    if (!(mask >> source & 1)) fail(std::string(kind) + ": reads lane " + std::to_string(source) + ", which the mask does not name");
    return unpack<T>(seen[source]);
}

inline void barrier(int id, int count) {
    Block& b = *current->block;
    if (++b.waiting[id] == count) {
        b.waiting[id] = 0;
        for (Fiber& f : b.fibers) if (f.barrier == id) { f.barrier = -1; f.ready = true; }
        return;
    }
    current->barrier = id;
    current->ready = false;
    yield();
}

// Shared memory of the running block; `key` is unique to the declaration.
template <class T> T* shared(const void* key, size_t count) {
    auto& it = current->block->shared[key];
    if (!it.place) {
        it.bytes = count * sizeof(T);
        it.place.reset(new char[it.bytes + 128]);
        std::memset(it.place.get(), 0xA5, it.bytes + 128);
        it.begin = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(it.place.get()) + 127) / 128 * 128);
    }
    return reinterpret_cast<T*>(it.begin);
}

// Waits for all threads of the cluster.
inline void sync_cluster() {
    unsigned long& come = arrivals[current->block->index / cluster];
    const unsigned long all = static_cast<unsigned long>(cluster) * blockDim.x, goal = (come++ / all + 1) * all;
    while (come < goal) spin();
}
// The same place of shared memory in another block of the cluster.
template <class T> T* of_rank(T* own, unsigned rank) {
    const unsigned index = current->block->index / cluster * cluster + rank;
    if (rank >= cluster) fail("sends to a block outside its cluster");
    const char* const at = reinterpret_cast<const char*>(own);
    for (auto& it : current->block->shared) {
        if (at < it.second.begin || at >= it.second.begin + it.second.bytes) continue;
        for (auto& b : running) {
            if (b->index != index) continue;
            const auto that = b->shared.find(it.first);
            if (that == b->shared.end()) fail("sends to a block that has not begun");
            for (const Fiber& f : b->fibers) if (f.done) fail("sends to a block that leaves");
            return reinterpret_cast<T*>(that->second.begin + (at - it.second.begin));
        }
        fail("sends to a block that has left");
    }
    fail("sends what is not in shared memory");
}
template <class T, class Barrier> void send(T* at, const T& value, unsigned rank, Barrier& there) {
    if (reinterpret_cast<uintptr_t>(at) % sizeof(T) != 0) fail("sends to where words are not aligned");
    *of_rank(at, rank) = value;
    Barrier* const that = of_rank(&there, rank);
    that->bytes -= int64_t(sizeof(T));
    that->settle();
}

// Memory with an edge: kernels may read `from` .. `to`, and nothing else of `begin` .. `end`.
struct Zone { const char *begin, *end, *from, *to; };
inline std::vector<Zone>& zones() { static std::vector<Zone> all; return all; }
// A wide access: hardware faults where it is not aligned to its size.
inline void aligned(const void* p, size_t bytes) {
    if (reinterpret_cast<uintptr_t>(p) % bytes != 0) fail("an access that is not aligned");
}

// Bytes that kernels read from memory, as often as they read them; a test may set it back to 0.
inline uint64_t& bytes_read() { static uint64_t all = 0; return all; }
inline void reads(const void* p, size_t bytes) {
    bytes_read() += bytes;
    const char* at = static_cast<const char*>(p);
    for (const Zone& z : zones())
        if (at + bytes > z.begin && at < z.end && (at < z.from || at + bytes > z.to)) fail("reads outside the elements");
}

// Runs a grid, `resident` blocks at a time, in clusters of `together` that begin at once, of threads in up to three dimensions.
inline void launch(unsigned grid, dim3 shape, unsigned resident, const std::function<void()>& kernel, unsigned together = 1) {
    static std::vector<std::unique_ptr<char[]>> stacks;
    gridDim = {grid, 1, 1};
    blockDim = shape;
    const unsigned threads = shape.x * shape.y * shape.z;
    body = &kernel;
    cluster = together;
    arrivals.clear();
    if (grid % together != 0 || resident < together) fail("no whole clusters");
    unsigned next = 0;
    long idle = 0, pass = 0;
    while (next < grid || !running.empty()) {
        while (next < grid && (running.size() < resident / together * together) && (next % together != 0 || running.size() + together <= resident)) {
            auto b = std::make_unique<Block>();
            b->index = next++;
            b->left = int(threads);
            b->fibers.resize(threads);
            for (unsigned t = 0; t < threads; t++) {
                Fiber& f = b->fibers[t];
                f.at = int(t);
                f.block = b.get();
                if (stacks.empty()) stacks.emplace_back(new char[stack_bytes]);
                f.stack = std::move(stacks.back());
                stacks.pop_back();
            }
            running.push_back(std::move(b));
        }
        bool ran = false, worked = false, held = false;
        pass++;
        for (size_t k = 0; k < running.size(); k++) {
            for (Fiber& f : running[k]->fibers) {
                if (f.done || !f.ready) continue;
                const unsigned warps = (threads + 31) / 32, late = unsigned(pass / 64 * 2654435761u >> 7) % (warps + 1);
                if (warps > 1 && unsigned(f.at) / 32 == late) { held = true; continue; }
                ran = true;
                resume(f);
                worked = worked || f.done || !f.spinning;
            }
        }
        for (size_t k = running.size(); k-- > 0;) {
            if (running[k]->left != 0) continue;
            for (Fiber& f : running[k]->fibers) stacks.push_back(std::move(f.stack));
            running.erase(running.begin() + long(k));
        }
        if (!ran && held) pass += 64;
        idle = worked || held ? 0 : idle + 1;
        if (!running.empty() && !ran && !held) {
            for (auto& b : running) for (Fiber& f : b->fibers) if (!f.done && !f.ready) {
                current = &f;
                threadIdx.x = unsigned(f.at);
                blockIdx.x = b->index;
                fail(f.barrier >= 0 ? "waits at a block barrier for threads that never come"
                                    : std::string("waits in ") + f.offer.kind + " for lanes that never come");
            }
        }
        if (idle > 100000) fail("all threads spin and none makes progress");
    }
}

inline void launch(unsigned grid, unsigned threads, unsigned resident, const std::function<void()>& kernel, unsigned together = 1) {
    launch(grid, dim3{threads, 1, 1}, resident, kernel, together);
}

} // namespace emulator

// The names of CUDA that kernels use.
#define WF_LOGICAL_SOURCE(width) int l = emulator::lane(), first = l / (width) * (width)
template <class T> T __shfl_sync(unsigned m, T v, int source, int width = 32) {
    WF_LOGICAL_SOURCE(width);
    return emulator::from("shfl", m, v, first + (source & (width - 1)), false);
}
template <class T> T __shfl_up_sync(unsigned m, T v, unsigned k, int width = 32) {
    WF_LOGICAL_SOURCE(width);
    return emulator::from("shfl.up", m, v, l - int(k), l - int(k) < first);
}
template <class T> T __shfl_down_sync(unsigned m, T v, unsigned k, int width = 32) {
    WF_LOGICAL_SOURCE(width);
    return emulator::from("shfl.down", m, v, l + int(k), l + int(k) >= first + width);
}
template <class T> T __shfl_xor_sync(unsigned m, T v, int k, int width = 32) {
    WF_LOGICAL_SOURCE(width);
    return emulator::from("shfl.xor", m, v, l ^ k, (l ^ k) >= first + width);
}
#undef WF_LOGICAL_SOURCE
inline unsigned __ballot_sync(unsigned m, int p) {
    const uint64_t* seen = emulator::meet("ballot", m, p != 0);
    unsigned r = 0;
    for (int l = 0; l < 32; l++) if (m >> l & 1 && seen[l]) r |= 1u << l;
    return r;
}
inline unsigned __match_any_sync(unsigned m, unsigned x) {
    const uint64_t* seen = emulator::meet("match", m, x);
    unsigned r = 0;
    for (int l = 0; l < 32; l++) if (m >> l & 1 && seen[l] == x) r |= 1u << l;
    return r;
}
inline int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
inline int __all_sync(unsigned m, int p) { return __ballot_sync(m, p) == m; }
inline void __syncwarp(unsigned m = ~0u) { emulator::meet("syncwarp", m, 0); }
inline void __syncthreads() { emulator::barrier(0, int(blockDim.x * blockDim.y * blockDim.z)); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selectors) {
    const uint64_t both = uint64_t(b) << 32 | a;
    unsigned r = 0;
    for (unsigned i = 0; i < 4; i++) r |= unsigned(both >> (selectors >> 4 * i & 7) * 8 & 255) << 8 * i;
    return r;
}
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
    return unsigned(((uint64_t(hi) << 32) | lo) >> (s & 31));
}
template <class T> T __ldcs(const T* p) { emulator::aligned(p, sizeof(T)); emulator::reads(p, sizeof(T)); return *p; }
template <class T> T __ldcg(const T* p) { emulator::reads(p, sizeof(T)); return *p; }
template <class T> T __ldg(const T* p) { return *p; }
template <class T> void __stcs(T* p, T v) { emulator::aligned(p, sizeof(T)); *p = v; }
template <class T> void __stcg(T* p, T v) { *p = v; }
