// What the CUB peers share: the data of the benches, the checks of results, and one implementation of a cell.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t status_ = (call);                                                          \
        if (status_ != cudaSuccess)                                                            \
            throw std::runtime_error(std::string(#call ": ") + cudaGetErrorString(status_));   \
    } while (0)

// A cell as it came in the request.
struct Cell {
    std::string family, work;
    uint64_t rows, cols, stride;
    std::string dtype;
    bool graph;
    std::vector<uint64_t> positions;

    double kept() const { return work == "filter_1" ? 0.01 : work == "filter_99" ? 0.99 : 0.5; }
};

// Device memory that frees itself.
struct Memory {
    void* at = nullptr;
    explicit Memory(size_t bytes) { CHECK(cudaMalloc(&at, bytes ? bytes : 1)); }
    Memory(const Memory&) = delete;
    ~Memory() { cudaFree(at); }
    template <class T>
    T* as() const { return static_cast<T*>(at); }
};

// One implementation, ready to be launched and checked.
struct Run {
    std::string name;
    std::function<void(cudaStream_t)> launch;
    // The results: where, of what type, how many. `length` is read after the first launch (filters).
    const void* results;
    std::string type;
    std::function<uint64_t()> length;
};

// ---- data: src/data.rs has the formula and the reasons

constexpr uint32_t SECOND = 0x40000000u;

__host__ __device__ inline uint32_t hash(uint32_t h) {
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ (h >> 16);
}

__device__ inline float unit(uint32_t position) { return float(hash(position) >> 8) * (1.0f / 8388608.0f) - 1.0f; }

template <class T>
struct Element {
    static __device__ T at(uint32_t position) { return T(unit(position)); }
};
template <>
struct Element<__half> {
    static __device__ __half at(uint32_t position) { return __float2half_rn(unit(position)); }
};
template <>
struct Element<int8_t> {
    static __device__ int8_t at(uint32_t position) { return int8_t(int(hash(position) & 0xff) - 128); }
};
template <>
struct Element<int16_t> {
    static __device__ int16_t at(uint32_t position) { return int16_t(int(hash(position) & 0xff) - 128); }
};
template <>
struct Element<int32_t> {
    static __device__ int32_t at(uint32_t position) { return int(hash(position) & 0xff) - 128; }
};

// The first `count` elements of a type, made once and kept: every cell uses a part of them.
const void* elements(const std::string& dtype, uint64_t count);
// The second array (f32 alone), scaled by a half for the recurrence.
const float* second(bool halved, uint64_t count);

// The implementations of each family (none where CUB has none).
std::vector<Run> rows(const Cell& cell, std::vector<std::unique_ptr<Memory>>& keep);
std::vector<Run> arrays(const Cell& cell, std::vector<std::unique_ptr<Memory>>& keep);
std::vector<Run> segments(const Cell& cell, std::vector<std::unique_ptr<Memory>>& keep);

// {"copy_gb_s", "read_gb_s", "empty_kernel_us"} as JSON.
std::string ceilings();

// ---- timing

// The times of `launches` launches, one by one between events, after one that is not counted.
std::vector<double> time_single(const std::function<void(cudaStream_t)>& launch, int launches);
// A graph of `inner` launches.
cudaGraphExec_t record(const std::function<void(cudaStream_t)>& launch, int inner);
// The times of one launch inside replays of such a graph.
std::vector<double> time_graph(cudaGraphExec_t graph, int inner, int launches);

// Launches in one graph.
constexpr int INNER = 20;
