// Division by a value that a row shares: wherever `Swiftly` is sure of its quotient it is the one of `/`, to the bit, and it
// is sure of what rows usually hold.
#include "emulator.hpp"
#include "../../runtime/kernels/scalar.cuh"
#include "../../runtime/kernels/half.cuh"
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
  if constexpr (sizeof(T) == 4) {
    // Rounded to f16, of which more dividends are sure.
    const Swiftly to_half;
    const f16 half = to_half.to_f16(x, by), right = f16_from(exact);
    CHECK(to_half.rare || half.bits == right.bits || (is_nan(half) && is_nan(right)), "%a / %a is %04x as a half, not %04x", double(x),
          double(by), half.bits, right.bits);
    CHECK(divide.unsure || !to_half.rare, "%a / %a is sure, but not as a half", double(x), double(by));
  }
  if (divide.unsure || divide.rare) return false;
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
  // So is a NaN, with which whole rows are filled.
  CHECK(swift(nan<T>(), T(3)) && swift(nan<T>(), nan<T>()) && swift(T(3), nan<T>()), "a NaN is not sure");
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

// The exp of f64: within 1 ulp wherever it is a number, and exact at its ends.
static void exps() {
  const double inf = infinity<double>();
  CHECK(wf::exp(0.0) == 1 && wf::exp(-0.0) == 1 && wf::exp(inf) == inf && wf::exp(-inf) == 0 && is_nan(wf::exp(nan<double>())), "an end of exp is wrong");
  // A NaN stays one whatever else its bits say.
  for (u64 bits = 1; bits < u64(1) << 52; bits = bits * 3 + 2) {
    for (const u64 sign : {u64(0), u64(1) << 63}) CHECK(is_nan(wf::exp(from_bits<double>(sign | 0x7ff0000000000000 | bits))), "exp of a NaN, %llx", static_cast<unsigned long long>(bits));
  }
  CHECK(is_nan(wf::exp(from_bits<double>(0xfffffffffffff7ff))), "exp of a NaN that was no longer one");
  CHECK(wf::exp(709.79) == inf && wf::exp(1e300) == inf && wf::exp(-745.2) == 0 && wf::exp(-1e300) == 0, "exp beyond its ends");
  CHECK(wf::exp(-745.1) == from_bits<double>(1) && wf::exp(-708.4) < 0x1p-1022, "exp of what is barely above 0");
  for (int k = 0; k < 400000; k++) {
    const double unit = static_cast<double>(random_word() >> 11) * 0x1p-53;
    for (double x : {-745.0 + 1454.5 * unit, 2 * unit - 1, -40 * unit, unit * 1e-9, -708 - 37 * unit}) {
      const long double exact = expl(static_cast<long double>(x));
      const double nearest = static_cast<double>(exact);
      const long double ulp = from_bits<double>(to_bits(nearest) + 1) - nearest;
      const long double off = (static_cast<long double>(wf::exp(x)) - exact) / ulp;
      CHECK(off <= 1 && off >= -1, "exp(%a) is off by %Lg", x, off);
    }
  }
}

int main() {
  exps();
  of_type<float>(0x1p-126f);
  of_type<double>(0x1p-1022);
  // The hardest divisors, whose reciprocals lie next to the middle between two floats, by every 31st dividend, and some others.
  for (u32 k = 0; k < 40; k++) {
    const float by = k < 8 ? float_from_bits(0x3fffffffu - k) : k < 12 ? float_from_bits(0x3f800000u + k - 8) : significand<float>(random_word());
    for (u32 m = u32(random_word() % 31); m < 1u << 23; m += 31) CHECK(swift(float_from_bits(0x3f800000u + m), by), "not sure of %a", double(by));
  }
  return 0;
}
