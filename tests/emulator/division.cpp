// Division by a value that a row shares: wherever `Swiftly` is sure of its quotient it is the one of `/`, to the bit, and it
// is sure of what rows usually hold.
#include "emulator.hpp"
#include "../../runtime/kernels/scalar.cuh"
#include "../../runtime/kernels/math.cuh"
#include "check.hpp"

using namespace wf;

static u64 random_word() {
  static u64 s = 88172645463325252ull;
  s ^= s << 13;
  s ^= s >> 7;
  s ^= s << 17;
  return s;
}

template <class T> static bool swift(T x, T by) {
  const Swiftly divide;
  const T quotient = divide(x, by), exact = x / by;
  if (divide.unsure) return false;
  CHECK(to_bits(quotient) == to_bits(exact) || (is_nan(quotient) && is_nan(exact)), "%a / %a is %a, not %a", double(x), double(by),
        double(quotient), double(exact));
  return true;
}

template <class T> static T significand(u64 bits) {
  constexpr int m = Traits<T>::mantissa;
  return from_bits<T>(static_cast<Unsigned<T>>(to_bits(T(1)) | (bits & ((u64(1) << m) - 1))));
}

template <class T> static void of_type(T tiny) {
  // Edges, in every pair.
  const T inf = infinity<T>(), ones[] = {T(0), T(1), T(3), T(0.1), from_bits<T>(1), tiny, Swift<T>::least, Swift<T>::low, Swift<T>::high,
                                         Swift<T>::most, inf, nan<T>(), T(7) / T(9)};
  for (T x : ones) {
    for (T by : ones) {
      for (int signs = 0; signs < 4; signs++) swift(signs & 1 ? -x : x, signs & 2 ? -by : by);
    }
  }
  // Zeros of both signs are sure: a row under a mask is full of them.
  CHECK(swift(T(0), T(3)) && swift(-T(0), T(3)), "a zero is not sure");
  for (int k = 0; k < 300000; k++) {
    // Any two patterns of bits.
    swift(from_bits<T>(static_cast<Unsigned<T>>(random_word())), from_bits<T>(static_cast<Unsigned<T>>(random_word())));
    // Significands alone, and with exponents of everyday.
    const T x = significand<T>(random_word()), by = significand<T>(random_word());
    CHECK(swift(x, by), "%a / %a is not sure", double(x), double(by));
    const T scale = T(u64(1) << (random_word() % 30));
    CHECK(swift(-x / scale, by * T(12345)) && swift(x * scale, by / scale), "%a / %a is not sure", double(x), double(by));
  }
}

int main() {
  of_type<float>(0x1p-126f);
  of_type<double>(0x1p-1022);
  // The hardest divisors, whose reciprocals lie next to the middle between two floats, by every 31st dividend, and some others.
  for (u32 k = 0; k < 40; k++) {
    const float by = k < 8 ? float_from_bits(0x3fffffffu - k) : k < 12 ? float_from_bits(0x3f800000u + k - 8) : significand<float>(random_word());
    for (u32 m = u32(random_word() % 31); m < 1u << 23; m += 31) CHECK(swift(float_from_bits(0x3f800000u + m), by), "not sure of %a", double(by));
  }
  return 0;
}
