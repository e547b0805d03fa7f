// Segments between offsets: DeviceSegmentedReduce and DeviceSegmentedScan.

#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_segmented_scan.cuh>

#include "common.cuh"

namespace {

using Keep = std::vector<std::unique_ptr<Memory>>;

// src/data.rs has these formulas; the spread is the cell's stride.
uint32_t length(const Cell& cell, uint64_t segment) {
    uint32_t chance = hash(uint32_t(segment));
    switch (cell.stride) {
        case 0: return uint32_t(cell.cols);
        case 1: return (4u << 16) / ((chance >> 16) + 1);
        case 2: return segment == cell.rows / 2 ? 100000000u : chance % 51;
        default: return (chance & 1) * uint32_t(cell.cols);
    }
}

template <class T>
void segmented(std::vector<Run>& runs, const Cell& cell, Keep& keep) {
    std::vector<uint32_t> host(cell.rows + 1, 0);
    for (uint64_t i = 0; i < cell.rows; i++) host[i + 1] = host[i] + length(cell, i);
    uint64_t count = host.back();
    keep.push_back(std::make_unique<Memory>(host.size() * sizeof(uint32_t)));
    auto offsets = keep.back()->as<uint32_t>();
    CHECK(cudaMemcpy(offsets, host.data(), host.size() * sizeof(uint32_t), cudaMemcpyHostToDevice));
    auto in = static_cast<const T*>(elements(cell.dtype, count));
    int64_t rows = int64_t(cell.rows);
    bool sum = cell.work == "sum";
    uint64_t results = sum ? cell.rows : count;
    keep.push_back(std::make_unique<Memory>(results * sizeof(T)));
    CHECK(cudaMemset(keep.back()->at, 0xff, results * sizeof(T)));
    auto out = keep.back()->as<T>();
    auto call = [=](void* scratch, size_t& bytes, cudaStream_t s) {
        return sum ? cub::DeviceSegmentedReduce::Sum(scratch, bytes, in, out, rows, offsets, offsets + 1, s)
                   : cub::DeviceSegmentedScan::InclusiveSegmentedSum(scratch, bytes, in, out, offsets, offsets + 1, rows, s);
    };
    size_t bytes = 0;
    CHECK(call(nullptr, bytes, nullptr));
    keep.push_back(std::make_unique<Memory>(bytes));
    void* scratch = keep.back()->at;
    runs.push_back({"cub_segments", [=](cudaStream_t stream) mutable { CHECK(call(scratch, bytes, stream)); }, out, cell.dtype,
                    [=] { return results; }});
}

}  // namespace

std::vector<Run> segments(const Cell& cell, Keep& keep) {
    std::vector<Run> runs;
    if (cell.work != "sum" && cell.work != "running_sum") return runs;
    if (cell.dtype == "f32") segmented<float>(runs, cell, keep);
    if (cell.dtype == "i32") segmented<int32_t>(runs, cell, keep);
    return runs;
}
