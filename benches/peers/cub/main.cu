// The CUB peer: answers the requests that src/peer.rs documents, one JSON line a request.

#include <cub/version.cuh>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>

#include "common.cuh"

namespace {

template <class T>
double number(T value) { return double(value); }
double number(__half value) { return double(__half2float(value)); }

template <class T>
__device__ double to_double(T value) { return double(value); }
template <>
__device__ double to_double<__half>(__half value) { return double(__half2float(value)); }

template <class T>
__global__ void add_up(const T* results, uint64_t length, double* sums) {
    double total = 0, magnitude = 0;
    for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < length; i += uint64_t(gridDim.x) * blockDim.x) {
        double value = to_double(results[i]);
        total += value;
        magnitude += fabs(value);
    }
    atomicAdd(&sums[0], total);
    atomicAdd(&sums[1], magnitude);
}

std::string json(double value) {
    if (!std::isfinite(value)) return "null";
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n') { out += "\\n"; continue; }
        out += c;
    }
    return out + "\"";
}

template <class T>
std::string check(const Run& run, const Cell& cell) {
    uint64_t length = run.length();
    Memory sums(16);
    CHECK(cudaMemset(sums.at, 0, 16));
    auto results = static_cast<const T*>(run.results);
    add_up<<<264, 512>>>(results, length, sums.as<double>());
    CHECK(cudaGetLastError());
    double host[2];
    CHECK(cudaMemcpy(host, sums.at, 16, cudaMemcpyDeviceToHost));
    std::string at;
    for (uint64_t place : cell.positions) {
        T value{};
        if (place < length) CHECK(cudaMemcpy(&value, results + place, sizeof(T), cudaMemcpyDeviceToHost));
        at += (at.empty() ? "" : ", ") + (place < length ? json(number(value)) : std::string("null"));
    }
    return "{\"name\": " + quoted(run.name) + ", \"at\": [" + at + "], \"total\": " + json(host[0]) +
           ", \"magnitude\": " + json(host[1]) + "}";
}

std::string check(const Run& run, const Cell& cell) {
    if (run.type == "f16") return check<__half>(run, cell);
    if (run.type == "f32") return check<float>(run, cell);
    if (run.type == "f64") return check<double>(run, cell);
    if (run.type == "i8") return check<int8_t>(run, cell);
    if (run.type == "i16") return check<int16_t>(run, cell);
    if (run.type == "i32") return check<int32_t>(run, cell);
    if (run.type == "i64") return check<int64_t>(run, cell);
    throw std::runtime_error("results of type " + run.type);
}

// What is prepared at the moment.
struct Current {
    std::vector<std::unique_ptr<Memory>> keep;
    std::map<std::string, Run> runs;
    std::map<std::string, cudaGraphExec_t> graphs;
    bool graph = false;

    void release() {
        for (auto& [name, graph] : graphs) cudaGraphExecDestroy(graph);
        graphs.clear();
        runs.clear();
        keep.clear();
    }
};

Cell read_cell(std::istream& words) {
    Cell cell;
    std::string positions;
    int graph = 0;
    words >> cell.family >> cell.work >> cell.rows >> cell.cols >> cell.stride >> cell.dtype >> graph >> positions;
    cell.graph = graph != 0;
    std::istringstream list(positions);
    for (std::string place; std::getline(list, place, ',');) cell.positions.push_back(std::stoull(place));
    return cell;
}

std::string prepare(std::istream& words, Current& current) {
    current.release();
    Cell cell = read_cell(words);
    std::vector<Run> runs;
    if (cell.family == "rows") runs = rows(cell, current.keep);
    if (cell.family == "arrays") runs = arrays(cell, current.keep);
    if (cell.family == "segments") runs = segments(cell, current.keep);
    current.graph = cell.graph;
    std::string reply;
    for (Run& run : runs) {
        reply += reply.empty() ? "" : ", ";
        try {
            run.launch(nullptr);
            CHECK(cudaDeviceSynchronize());
            reply += check(run, cell);
            if (cell.graph) current.graphs[run.name] = record(run.launch, INNER);
            current.runs.emplace(run.name, run);
        } catch (const std::exception& error) {
            cudaGetLastError();
            reply += "{\"name\": " + quoted(run.name) + ", \"error\": " + quoted(error.what()) + "}";
        }
    }
    return "{\"peers\": [" + reply + "]}";
}

std::string time(std::istream& words, Current& current) {
    std::string name;
    int launches = 1;
    words >> name >> launches;
    auto run = current.runs.find(name);
    if (run == current.runs.end()) throw std::runtime_error("nothing prepared under the name " + name);
    auto times = current.graph ? time_graph(current.graphs.at(name), INNER, launches)
                               : time_single(run->second.launch, launches);
    std::string list;
    for (double us : times) list += (list.empty() ? "" : ", ") + json(us);
    return "{\"us\": [" + list + "]}";
}

std::string versions() {
    int driver = 0;
    CHECK(cudaDriverGetVersion(&driver));
    cudaDeviceProp card;
    CHECK(cudaGetDeviceProperties(&card, 0));
    auto dotted = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
    std::string cub = std::to_string(CUB_VERSION / 100000) + "." + std::to_string(CUB_VERSION / 100 % 1000);
    return "{\"versions\": {\"card\": " + quoted(card.name) + ", \"cub\": " + quoted(cub) + ", \"cuda driver\": " +
           quoted(dotted(driver)) + ", \"nvcc\": " + quoted(dotted(CUDART_VERSION)) + "}}";
}

}  // namespace

int main() {
    Current current;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string verb, reply;
        words >> verb;
        try {
            if (verb == "prepare") reply = prepare(words, current);
            else if (verb == "time") reply = time(words, current);
            else if (verb == "versions") reply = versions();
            else if (verb == "ceilings") reply = ceilings();
            else if (verb == "release") current.release(), reply = "{}";
            else reply = "{\"error\": \"unknown request; there are prepare, time, release, versions, ceilings\"}";
        } catch (const std::exception& error) {
            cudaGetLastError();
            reply = "{\"error\": " + quoted(error.what()) + "}";
        }
        std::cout << reply << std::endl;
    }
    current.release();
}
