// Data and timing of the CUB peers, and the ceilings of the card.

#include <algorithm>
#include <cstdio>
#include <map>

#include "common.cuh"

namespace {

template <class T>
__global__ void make(T* out, uint64_t count) {
    for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < count; i += uint64_t(gridDim.x) * blockDim.x)
        out[i] = Element<T>::at(uint32_t(i));
}

__global__ void make_second(float* out, float scale, uint64_t count) {
    for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < count; i += uint64_t(gridDim.x) * blockDim.x)
        out[i] = scale * unit(uint32_t(i) + SECOND);
}

// A buffer that grows when a cell needs more of it.
struct Kept {
    std::unique_ptr<Memory> memory;
    uint64_t count = 0;
};

template <class T>
const void* kept_elements(Kept& kept, uint64_t count) {
    if (kept.count < count) {
        kept.memory.reset();
        kept.memory = std::make_unique<Memory>(count * sizeof(T));
        kept.count = count;
        make<<<1056, 256>>>(kept.memory->as<T>(), count);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
    }
    return kept.memory->at;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

__global__ void copy_kernel(const float4* from, float4* to, uint64_t count) {
    uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x;
    if (i < count) to[i] = from[i];
}

// Eight independent 16-byte loads a thread are in flight; the sum keeps them alive.
__global__ void read_kernel(const float4* from, float* to, uint64_t count) {
    float total = 0;
    uint64_t stride = uint64_t(gridDim.x) * blockDim.x;
    for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < count; i += 8 * stride) {
        float4 v[8];
#pragma unroll
        for (int k = 0; k < 8; k++) v[k] = i + k * stride < count ? from[i + k * stride] : float4{0, 0, 0, 0};
#pragma unroll
        for (int k = 0; k < 8; k++) total += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    to[blockIdx.x * uint64_t(blockDim.x) + threadIdx.x] = total;
}

__global__ void empty_kernel() {}

// Keeps the GPU busy while the host enqueues the launch that is timed: nobody's host time is counted.
__global__ void spin(long long cycles) {
    long long begin = clock64();
    while (clock64() - begin < cycles) {}
}
constexpr long long SPIN = 400000;

}  // namespace

const void* elements(const std::string& dtype, uint64_t count) {
    static std::map<std::string, Kept> kept;
    if (dtype == "f16") return kept_elements<__half>(kept[dtype], count);
    if (dtype == "f32") return kept_elements<float>(kept[dtype], count);
    if (dtype == "f64") return kept_elements<double>(kept[dtype], count);
    if (dtype == "i8") return kept_elements<int8_t>(kept[dtype], count);
    if (dtype == "i16") return kept_elements<int16_t>(kept[dtype], count);
    if (dtype == "i32") return kept_elements<int32_t>(kept[dtype], count);
    throw std::runtime_error("elements of type " + dtype);
}

const float* second(bool halved, uint64_t count) {
    static Kept kept[2];
    Kept& buffer = kept[halved];
    if (buffer.count < count) {
        buffer.memory.reset();
        buffer.memory = std::make_unique<Memory>(count * sizeof(float));
        buffer.count = count;
        make_second<<<1056, 256>>>(buffer.memory->as<float>(), halved ? 0.5f : 1.0f, count);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
    }
    return buffer.memory->as<float>();
}

std::vector<double> time_single(const std::function<void(cudaStream_t)>& launch, int launches) {
    std::vector<cudaEvent_t> events(2 * launches);
    for (auto& event : events) CHECK(cudaEventCreate(&event));
    launch(nullptr);
    for (int i = 0; i < launches; i++) {
        spin<<<1, 1>>>(SPIN);
        CHECK(cudaEventRecord(events[2 * i]));
        launch(nullptr);
        CHECK(cudaEventRecord(events[2 * i + 1]));
        // One at a time, so that no launch runs in the shadow of the one before.
        CHECK(cudaEventSynchronize(events[2 * i + 1]));
    }
    std::vector<double> times;
    for (int i = 0; i < launches; i++) {
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, events[2 * i], events[2 * i + 1]));
        times.push_back(1e3 * ms);
    }
    for (auto& event : events) cudaEventDestroy(event);
    return times;
}

cudaGraphExec_t record(const std::function<void(cudaStream_t)>& launch, int inner) {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < inner; i++) launch(stream);
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t ready;
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    return ready;
}

std::vector<double> time_graph(cudaGraphExec_t graph, int inner, int launches) {
    auto times = time_single([&](cudaStream_t) { CHECK(cudaGraphLaunch(graph, nullptr)); }, launches);
    for (double& us : times) us /= inner;
    return times;
}

std::string ceilings() {
    constexpr uint64_t bytes = uint64_t(1) << 30;
    auto from = static_cast<const float4*>(elements("f32", bytes / 4));
    Memory to(bytes);
    constexpr uint64_t count = bytes / 16;
    constexpr int rounds = 30;
    double copy_engine = median(time_single(
        [&](cudaStream_t s) { CHECK(cudaMemcpyAsync(to.at, from, bytes, cudaMemcpyDeviceToDevice, s)); }, rounds));
    double copy = median(time_single(
        [&](cudaStream_t s) { copy_kernel<<<count / 512, 512, 0, s>>>(from, to.as<float4>(), count); }, rounds));
    double read = 1e30;
    for (int blocks : {132 * 4, 132 * 8, 132 * 16, 132 * 64}) {
        read = std::min(read, median(time_single(
            [&](cudaStream_t s) { read_kernel<<<blocks, 256, 0, s>>>(from, to.as<float>(), count); }, rounds)));
    }
    auto graph = record([](cudaStream_t s) { empty_kernel<<<1, 32, 0, s>>>(); }, INNER);
    double empty = median(time_graph(graph, INNER, rounds));
    cudaGraphExecDestroy(graph);
    CHECK(cudaGetLastError());
    char text[160];
    std::snprintf(text, sizeof text, "{\"copy_gb_s\": %.1f, \"read_gb_s\": %.1f, \"empty_kernel_us\": %.3f}",
                  2e-3 * bytes / std::min(copy, copy_engine), 1e-3 * bytes / read, empty);
    return text;
}
