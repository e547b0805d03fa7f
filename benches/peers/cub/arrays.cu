// Whole arrays: DeviceReduce, DeviceScan, DeviceSelect.

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>
#include <cuda/iterator>
#include <cuda/stream_ref>
#include <cuda/std/tuple>

#include "common.cuh"

namespace {

using Keep = std::vector<std::unique_ptr<Memory>>;

template <class Call>
std::function<void(cudaStream_t)> with_scratch(Keep& keep, Call call) {
    size_t bytes = 0;
    CHECK(call(nullptr, bytes, nullptr));
    keep.push_back(std::make_unique<Memory>(bytes));
    void* scratch = keep.back()->at;
    return [=](cudaStream_t stream) mutable { CHECK(call(scratch, bytes, stream)); };
}

template <class T>
T* results(Keep& keep, uint64_t count) {
    keep.push_back(std::make_unique<Memory>(count * sizeof(T)));
    CHECK(cudaMemset(keep.back()->at, 0xff, count * sizeof(T)));
    return keep.back()->as<T>();
}

std::function<uint64_t()> fixed(uint64_t length) {
    return [=] { return length; };
}

struct Positive {
    __device__ int64_t operator()(float x) const { return x > 0.0f ? 1 : 0; }
};

struct ToFloat {
    __device__ float operator()(__half x) const { return __half2float(x); }
};

struct Product {
    template <class Pair>
    __device__ float operator()(const Pair& pair) const { return cuda::std::get<0>(pair) * cuda::std::get<1>(pair); }
};

struct MaxSum {
    float max, sum;
};

struct Lift {
    __device__ MaxSum operator()(float x) const { return {x, 1.0f}; }
};

struct MergeMaxSum {
    __device__ MaxSum operator()(const MaxSum& p, const MaxSum& q) const {
        float m = fmaxf(p.max, q.max);
        float left = p.max == m ? p.sum : p.sum * expf(p.max - m);
        float right = q.max == m ? q.sum : q.sum * expf(q.max - m);
        return {m, left + right};
    }
};

struct Summary {
    float low, high, sum;
    unsigned count;
};

struct Summarize {
    __device__ Summary operator()(float x) const { return {x, x, x, 1}; }
};

struct MergeSummaries {
    __device__ Summary operator()(const Summary& p, const Summary& q) const {
        return {fminf(p.low, q.low), fmaxf(p.high, q.high), p.sum + q.sum, p.count + q.count};
    }
};

__global__ void finish_summary(const Summary* state, float* out) {
    *out = state->high - state->low + state->sum / float(state->count);
}

__global__ void finish_log(const MaxSum* state, float* out) { *out = state->max + logf(state->sum); }

struct Affine {
    float a, b;
};

struct MakeAffine {
    template <class Pair>
    __device__ Affine operator()(const Pair& pair) const { return {cuda::std::get<0>(pair), cuda::std::get<1>(pair)}; }
};

struct Compose {
    __device__ Affine operator()(const Affine& p, const Affine& q) const { return {p.a * q.a, q.a * p.b + q.b}; }
};

struct TakeB {
    __host__ __device__ float operator()(const Affine& state) const { return state.b; }
};

template <class T>
struct Below {
    T limit;
    __device__ bool operator()(T x) const { return x < limit; }
};

template <class T>
void argmax(std::vector<Run>& runs, const Cell& cell, Keep& keep, const T* in) {
    int64_t n = int64_t(cell.cols);
    auto value = results<T>(keep, 1);
    auto index = results<int64_t>(keep, 1);
    runs.push_back({"cub", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                        return cub::DeviceReduce::ArgMax(scratch, bytes, in, value, index, n, s);
                    }), index, "i64", fixed(1)});
}

// The sum with an order that no device changes.
template <class T>
void fixed_order_sum(std::vector<Run>& runs, const Cell& cell, Keep& keep, const T* in) {
    int64_t n = int64_t(cell.cols);
    auto out = results<T>(keep, 1);
    runs.push_back({"cub_gpu_to_gpu", [=](cudaStream_t stream) {
                        auto same = cuda::execution::require(cuda::execution::determinism::gpu_to_gpu);
                        auto env = cuda::std::execution::env{cuda::stream_ref{stream}, same};
                        CHECK(cub::DeviceReduce::Reduce(in, out, n, cuda::std::plus<T>{}, T(0), env));
                    }, out, cell.dtype, fixed(1)});
}

// What CUB does on any of the numeric types.
template <class T>
void plain(std::vector<Run>& runs, const Cell& cell, Keep& keep) {
    auto in = static_cast<const T*>(elements(cell.dtype, cell.cols));
    int64_t n = int64_t(cell.cols);
    auto add = [&](auto call, const void* out, uint64_t length) {
        runs.push_back({"cub", with_scratch(keep, call), out, cell.dtype, fixed(length)});
    };
    if (cell.work == "sum" && sizeof(T) >= 4) {
        auto out = results<T>(keep, 1);
        add([=](void* scratch, size_t& bytes, cudaStream_t s) {
            return cub::DeviceReduce::Sum(scratch, bytes, in, out, n, s);
        }, out, 1);
        if constexpr (std::is_floating_point_v<T>) fixed_order_sum(runs, cell, keep, in);
    } else if (cell.work == "max") {
        auto out = results<T>(keep, 1);
        add([=](void* scratch, size_t& bytes, cudaStream_t s) {
            return cub::DeviceReduce::Max(scratch, bytes, in, out, n, s);
        }, out, 1);
    } else if (cell.work == "argmax") {
        argmax(runs, cell, keep, in);
    } else if (cell.work == "running_sum") {
        auto out = results<T>(keep, cell.cols);
        add([=](void* scratch, size_t& bytes, cudaStream_t s) {
            return cub::DeviceScan::InclusiveScan(scratch, bytes, in, out, cuda::std::plus<T>{}, n, s);
        }, out, cell.cols);
    } else if (cell.work == "running_sum_exclusive") {
        auto out = results<T>(keep, cell.cols);
        add([=](void* scratch, size_t& bytes, cudaStream_t s) {
            return cub::DeviceScan::ExclusiveScan(scratch, bytes, in, out, cuda::std::plus<T>{}, T(0), n, s);
        }, out, cell.cols);
    } else if (cell.work == "running_max") {
        auto out = results<T>(keep, cell.cols);
        add([=](void* scratch, size_t& bytes, cudaStream_t s) {
            return cub::DeviceScan::InclusiveScan(scratch, bytes, in, out, cuda::maximum<T>{}, n, s);
        }, out, cell.cols);
    } else if (cell.work.rfind("filter", 0) == 0) {
        auto out = results<T>(keep, cell.cols);
        auto count = results<int64_t>(keep, 1);
        double limit = std::is_floating_point_v<T> ? 2 * cell.kept() - 1 : double(int64_t(256 * cell.kept())) - 128;
        Below<T> below{T(limit)};
        runs.push_back({"cub", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                            return cub::DeviceSelect::If(scratch, bytes, in, out, count, n, below, s);
                        }), out, cell.dtype, [=] {
                            int64_t kept = 0;
                            CHECK(cudaMemcpy(&kept, count, 8, cudaMemcpyDeviceToHost));
                            return uint64_t(kept);
                        }});
    }
}

// What needs operators or inputs of its own: f32 alone.
void special(std::vector<Run>& runs, const Cell& cell, Keep& keep) {
    auto in = static_cast<const float*>(elements("f32", cell.cols));
    int64_t n = int64_t(cell.cols);
    if (cell.work == "count") {
        auto out = results<int64_t>(keep, 1);
        runs.push_back({"cub", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                            return cub::DeviceReduce::TransformReduce(scratch, bytes, in, out, n,
                                                                      cuda::std::plus<int64_t>{}, Positive{}, int64_t(0), s);
                        }), out, "i64", fixed(1)});
    } else if (cell.work == "dot") {
        auto pairs = cuda::make_zip_iterator(in, second(false, cell.cols));
        auto out = results<float>(keep, 1);
        runs.push_back({"cub", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                            return cub::DeviceReduce::TransformReduce(scratch, bytes, pairs, out, n,
                                                                      cuda::std::plus<float>{}, Product{}, 0.0f, s);
                        }), out, "f32", fixed(1)});
    } else if (cell.work == "log_sum_exp") {
        auto state = results<MaxSum>(keep, 1);
        auto out = results<float>(keep, 1);
        runs.push_back({"cub", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                            return cub::DeviceReduce::TransformReduce(scratch, bytes, in, state, n, MergeMaxSum{}, Lift{},
                                                                      MaxSum{-INFINITY, 0.0f}, s);
                        }), out, "f32", [=] {
                            finish_log<<<1, 1>>>(state, out);
                            CHECK(cudaGetLastError());
                            return uint64_t(1);
                        }});
    } else if (cell.work == "summary") {
        auto state = results<Summary>(keep, 1);
        auto out = results<float>(keep, 1);
        runs.push_back({"cub", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                            return cub::DeviceReduce::TransformReduce(scratch, bytes, in, state, n, MergeSummaries{},
                                                                      Summarize{}, Summary{INFINITY, -INFINITY, 0.0f, 0u}, s);
                        }), out, "f32", [=] {
                            finish_summary<<<1, 1>>>(state, out);
                            CHECK(cudaGetLastError());
                            return uint64_t(1);
                        }});
    } else if (cell.work == "recurrence") {
        auto maps = cuda::make_transform_iterator(cuda::make_zip_iterator(second(true, cell.cols), in), MakeAffine{});
        auto out = results<float>(keep, cell.cols);
        auto values = cuda::make_transform_output_iterator(out, TakeB{});
        runs.push_back({"cub", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                            return cub::DeviceScan::InclusiveScan(scratch, bytes, maps, values, Compose{}, n, s);
                        }), out, "f32", fixed(cell.cols)});
    }
}

void sum_half(std::vector<Run>& runs, const Cell& cell, Keep& keep) {
    auto in = static_cast<const __half*>(elements("f16", cell.cols));
    int64_t n = int64_t(cell.cols);
    auto out = results<float>(keep, 1);
    runs.push_back({"cub", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                        return cub::DeviceReduce::TransformReduce(scratch, bytes, in, out, n, cuda::std::plus<float>{},
                                                                  ToFloat{}, 0.0f, s);
                    }), out, "f32", fixed(1)});
}

}  // namespace

std::vector<Run> arrays(const Cell& cell, Keep& keep) {
    std::vector<Run> runs;
    if (cell.dtype == "f32") plain<float>(runs, cell, keep), special(runs, cell, keep);
    if (cell.dtype == "f64") plain<double>(runs, cell, keep);
    if (cell.dtype == "i32") plain<int32_t>(runs, cell, keep);
    if (cell.dtype == "i16" && cell.work == "running_sum") plain<int16_t>(runs, cell, keep);
    if (cell.dtype == "i8") plain<int8_t>(runs, cell, keep);
    if (cell.dtype == "f16" && cell.work == "sum") sum_half(runs, cell, keep);
    return runs;
}
