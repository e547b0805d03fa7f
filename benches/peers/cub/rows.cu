// Rows as segments of equal length: DeviceSegmentedReduce with offsets and with a fixed size, DeviceSegmentedScan.

#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_segmented_scan.cuh>
#include <cuda/iterator>
#include <cuda/std/utility>

#include "common.cuh"

namespace {

// Where a row starts: offsets that are computed, not loaded, so that the peer does not pay for reading them.
struct RowStart {
    int64_t stride, skip;
    __host__ __device__ int64_t operator()(int64_t row) const { return row * stride + skip; }
};

auto starts(const Cell& cell, uint64_t skip) {
    return cuda::make_transform_iterator(cuda::counting_iterator<int64_t>(0),
                                         RowStart{int64_t(cell.stride), int64_t(skip)});
}

struct ToFloat {
    __device__ float operator()(__half value) const { return __half2float(value); }
};

using Keep = std::vector<std::unique_ptr<Memory>>;

// Asks `call` for the size of its scratch, allocates it, and returns what launches it.
template <class Call>
std::function<void(cudaStream_t)> with_scratch(Keep& keep, Call call) {
    size_t bytes = 0;
    CHECK(call(nullptr, bytes, nullptr));
    keep.push_back(std::make_unique<Memory>(bytes));
    void* scratch = keep.back()->at;
    return [=](cudaStream_t stream) mutable { CHECK(call(scratch, bytes, stream)); };
}

void* results(Keep& keep, size_t bytes) {
    keep.push_back(std::make_unique<Memory>(bytes));
    CHECK(cudaMemset(keep.back()->at, 0xff, bytes));  // NaN, or an index that cannot be
    return keep.back()->at;
}

template <class T, class Op>
void reduce(std::vector<Run>& runs, const Cell& cell, Keep& keep, Op op, T initial) {
    auto in = static_cast<const T*>(elements(cell.dtype, cell.rows * cell.stride));
    auto length = [rows = cell.rows] { return rows; };
    auto begin = starts(cell, 0), end = starts(cell, cell.cols);
    int64_t rows = int64_t(cell.rows);
    auto out = static_cast<T*>(results(keep, cell.rows * sizeof(T)));
    runs.push_back({"cub_segments", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                        return cub::DeviceSegmentedReduce::Reduce(scratch, bytes, in, out, rows, begin, end, op, initial, s);
                    }), out, cell.dtype, length});
    if (cell.stride != cell.cols) return;
    auto fixed = static_cast<T*>(results(keep, cell.rows * sizeof(T)));
    int cols = int(cell.cols);
    runs.push_back({"cub_fixed", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                        return cub::DeviceSegmentedReduce::Reduce(scratch, bytes, in, fixed, rows, cols, op, initial, s);
                    }), fixed, cell.dtype, length});
}

void sum_half(std::vector<Run>& runs, const Cell& cell, Keep& keep) {
    auto halves = static_cast<const __half*>(elements(cell.dtype, cell.rows * cell.stride));
    auto in = cuda::make_transform_iterator(halves, ToFloat{});
    auto out = static_cast<float*>(results(keep, cell.rows * sizeof(float)));
    int64_t rows = int64_t(cell.rows);
    int cols = int(cell.cols);
    runs.push_back({"cub_fixed", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                        return cub::DeviceSegmentedReduce::Sum(scratch, bytes, in, out, rows, cols, s);
                    }), out, "f32", [rows] { return uint64_t(rows); }});
}

void running_sum(std::vector<Run>& runs, const Cell& cell, Keep& keep) {
    auto in = static_cast<const float*>(elements(cell.dtype, cell.rows * cell.stride));
    if (cell.stride != cell.cols) return;  // results are dense: no segments of one layout for both
    auto out = static_cast<float*>(results(keep, cell.rows * cell.cols * sizeof(float)));
    auto begin = starts(cell, 0), end = starts(cell, cell.cols);
    int64_t rows = int64_t(cell.rows);
    runs.push_back({"cub_segments", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                        return cub::DeviceSegmentedScan::InclusiveSegmentedSum(scratch, bytes, in, out, begin, end, rows, s);
                    }), out, "f32", [n = cell.rows * cell.cols] { return n; }});
}


// CUB writes pairs of index and value; the index alone is checked, through a copy made after the launch.
__global__ void take_index(const cuda::std::pair<int, float>* pairs, int32_t* out, int64_t rows) {
    int64_t row = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
    if (row < rows) out[row] = pairs[row].first;
}

void argmax(std::vector<Run>& runs, const Cell& cell, Keep& keep) {
    if (cell.stride != cell.cols) return;
    auto in = static_cast<const float*>(elements(cell.dtype, cell.rows * cell.stride));
    using Pair = cuda::std::pair<int, float>;
    auto pairs = static_cast<Pair*>(results(keep, cell.rows * sizeof(Pair)));
    auto out = static_cast<int32_t*>(results(keep, cell.rows * sizeof(int32_t)));
    int64_t rows = int64_t(cell.rows);
    int cols = int(cell.cols);
    runs.push_back({"cub_fixed", with_scratch(keep, [=](void* scratch, size_t& bytes, cudaStream_t s) {
                        return cub::DeviceSegmentedReduce::ArgMax(scratch, bytes, in, pairs, rows, cols, s);
                    }), out, "i32", [=] {
                        take_index<<<unsigned((rows + 255) / 256), 256>>>(pairs, out, rows);
                        CHECK(cudaGetLastError());
                        return uint64_t(rows);
                    }});
}

}  // namespace

std::vector<Run> rows(const Cell& cell, Keep& keep) {
    std::vector<Run> runs;
    bool sum = cell.work == "sum", max = cell.work == "max";
    if (cell.dtype == "f32") {
        if (sum) reduce<float>(runs, cell, keep, cuda::std::plus<>{}, 0.0f);
        if (max) reduce<float>(runs, cell, keep, cuda::maximum<>{}, -INFINITY);
        if (cell.work == "running_sum") running_sum(runs, cell, keep);
        if (cell.work == "argmax") argmax(runs, cell, keep);
    } else if (cell.dtype == "f64") {
        if (sum) reduce<double>(runs, cell, keep, cuda::std::plus<>{}, 0.0);
        if (max) reduce<double>(runs, cell, keep, cuda::maximum<>{}, -double(INFINITY));
    } else if (cell.dtype == "f16" && sum) {
        sum_half(runs, cell, keep);
    }
    return runs;
}
