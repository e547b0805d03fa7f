// Data and comparison for the emulated kernels.
#pragma once
#include "emulator.hpp"
#include <algorithm>

// Memory whose ends are guarded: the elements start `shift` elements after a 16-byte boundary, and a read or write outside them is found.
template <class T> struct Guarded {
  std::vector<unsigned char> bytes;
  size_t count, from;
  explicit Guarded(size_t n, size_t shift = 0) : bytes((n + shift) * sizeof(T) + 96, 0xC3), count(n) {
    const size_t base = reinterpret_cast<uintptr_t>(bytes.data());
    from = (base + 32 + 15) / 16 * 16 - base + shift * sizeof(T);
    const char* begin = reinterpret_cast<const char*>(bytes.data());
    emulator::zones().push_back({begin, begin + bytes.size(), begin + from, begin + from + n * sizeof(T)});
  }
  ~Guarded() {
    auto& all = emulator::zones();
    for (size_t k = all.size(); k-- > 0;) if (all[k].begin == reinterpret_cast<const char*>(bytes.data())) all.erase(all.begin() + long(k));
  }
  Guarded(const Guarded&) = delete;
  T* data() { return reinterpret_cast<T*>(bytes.data() + from); }
  T& operator[](size_t i) { return data()[i]; }
  bool intact() const {
    for (size_t i = 0; i < bytes.size(); i++) if ((i < from || i >= from + count * sizeof(T)) && bytes[i] != 0xC3) return false;
    return true;
  }
};

inline uint32_t random_bits(uint64_t i) {
  i = (i + 1) * 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 31)) * 0xBF58476D1CE4E5B9ull;
  i = (i ^ (i >> 29)) * 0x94D049BB133111EBull;
  return uint32_t(i >> 32);
}
// A float of 24 random bits: sums of these show their order.
inline float random_float(uint64_t i) { return float(random_bits(i) >> 8) / 16777216.0f - 0.5f; }

template <class T> bool same(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }

static long checks = 0;
#define CHECK(condition, ...)                           \
  do {                                                  \
    checks++;                                           \
    if (!(condition)) {                                 \
      std::fprintf(stderr, "failed: %s: ", #condition); \
      std::fprintf(stderr, __VA_ARGS__);                \
      std::fprintf(stderr, "\n");                       \
      std::exit(1);                                     \
    }                                                   \
  } while (0)
