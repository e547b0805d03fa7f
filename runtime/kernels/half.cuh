// half.cuh: f16 and bf16, as Rust's `half` crate has them: 16 bits of storage, arithmetic through f32.
//
// Promises: every conversion rounds once, to nearest even, subnormals included; an operator on two halves is the f32
// operator on both, rounded back. PTX converts where the architecture can; integers do where it cannot (bf16 before
// sm_80), and in the emulator.
#pragma once

namespace wf {

struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
template <> struct Traits<f16> : Real<u16, 10> {};
template <> struct Traits<bf16> : Real<u16, 7> {};
template <> struct FromBits<f16> {
  static WF_FN f16 of(u16 b) { return {b}; }
};
template <> struct FromBits<bf16> {
  static WF_FN bf16 of(u16 b) { return {b}; }
};
WF_FN u16 to_bits(f16 x) { return x.bits; }
WF_FN u16 to_bits(bf16 x) { return x.bits; }

// Rounds the bits of an f64 to a narrower format with `Mantissa` explicit bits and exponents up to `Bias`.
template <int Mantissa, int Bias> WF_FN u16 round_to_half(u64 bits) {
  constexpr u16 infinite = static_cast<u16>(((2 * Bias + 1)) << Mantissa);
  const u16 sign = static_cast<u16>(bits >> 63 << 15);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023 + Bias;
  u64 fraction = bits & ((u64(1) << 52) - 1);
  if (exponent == 1024 + Bias) {  // infinity and NaN
    return static_cast<u16>(sign | infinite | (fraction ? u16(1) << (Mantissa - 1) : 0));
  }
  if (exponent >= 2 * Bias + 1) return static_cast<u16>(sign | infinite);
  if (exponent < -Mantissa) return sign;
  int drop = 52 - Mantissa;
  u64 kept = static_cast<u64>(exponent) << Mantissa;
  if (exponent <= 0) {  // subnormal: the leading bit becomes explicit
    fraction |= u64(1) << 52;
    drop += 1 - exponent;
    kept = 0;
  }
  kept += fraction >> drop;
  const u64 rest = fraction & ((u64(1) << drop) - 1), middle = u64(1) << (drop - 1);
  kept += rest > middle || (rest == middle && (kept & 1));  // a carry runs into the exponent, up to infinity
  return static_cast<u16>(sign | kept);
}

// The value of a half, exactly, from its bits.
template <int Mantissa, int Bias> WF_FN float widen_half(u16 bits) {
  const u32 sign = static_cast<u32>(bits & 0x8000) << 16;
  const u32 exponent = bits >> Mantissa & (2 * Bias + 1), fraction = bits & ((1u << Mantissa) - 1);
  if (exponent == 2 * Bias + 1) return float_from_bits(sign | 0x7f800000u | fraction << (23 - Mantissa));
  if (exponent != 0) return float_from_bits(sign | (exponent + 127 - Bias) << 23 | fraction << (23 - Mantissa));
  // A subnormal is its fraction times a power of two; both factors and the product are exact.
  const float unit = float_from_bits(static_cast<u32>(128 - Bias - Mantissa) << 23);
  return float_from_bits(sign | to_bits(static_cast<float>(fraction) * unit));
}

WF_FN float to_f32(bf16 x) { return float_from_bits(static_cast<u32>(x.bits) << 16); }
#ifdef WARPFOLD_EMULATE
WF_FN float to_f32(f16 x) { return widen_half<10, 15>(x.bits); }
WF_FN f16 f16_from(float x) { return {round_to_half<10, 15>(to_bits(static_cast<double>(x)))}; }
WF_FN f16 f16_from(double x) { return {round_to_half<10, 15>(to_bits(x))}; }
#else
// Of the library that comes with the compiler: it sees through it, and so converts an element once for all who ask.
extern "C" __device__ float __nv_half2float(unsigned short);
WF_FN float to_f32(f16 x) { return __nv_half2float(x.bits); }
WF_FN f16 f16_from(float x) {
  f16 r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r.bits) : "f"(x));
  return r;
}
WF_FN f16 f16_from(double x) {
  f16 r;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(r.bits) : "d"(x));
  return r;
}
#endif
WF_FN bf16 bf16_from(float x) {
#if !defined(WARPFOLD_EMULATE) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  bf16 r;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r.bits) : "f"(x));
  return r;
#else
  const u32 bits = to_bits(x);
  if (x != x) return {static_cast<u16>(bits >> 16 | 0x40)};
  return {static_cast<u16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
#endif
}
// A bf16 has the exponents of an f32: going through an f32 that keeps a sticky last bit rounds once.
WF_FN bf16 bf16_from(double x) {
  u32 bits = to_bits(static_cast<float>(x));
  const double back = static_cast<double>(float_from_bits(bits));
  if (back != x && x == x && (bits & 0x7f800000u) != 0x7f800000u) {
    const bool above = (x < 0 ? -back : back) > (x < 0 ? -x : x);
    if ((bits & 1) == 0) bits = above ? bits - 1 : bits + 1;
  }
  return bf16_from(float_from_bits(bits));
}
WF_FN double to_f64(f16 x) { return static_cast<double>(to_f32(x)); }
WF_FN double to_f64(bf16 x) { return static_cast<double>(to_f32(x)); }

template <class T> struct HalfFrom;
template <> struct HalfFrom<f16> {
  template <class F> static WF_FN f16 of(F x) { return f16_from(x); }
};
template <> struct HalfFrom<bf16> {
  template <class F> static WF_FN bf16 of(F x) { return bf16_from(x); }
};
template <class T> WF_FN T from_f32(float x) { return HalfFrom<T>::of(x); }
template <class T> WF_FN T from_f64(double x) { return HalfFrom<T>::of(x); }

// Casts from and to halves go through a type that holds every half.
template <class To> struct Cast<To, f16> {
  static WF_FN To of(f16 x) { return as_<To>(to_f32(x)); }
};
template <class To> struct Cast<To, bf16> {
  static WF_FN To of(bf16 x) { return as_<To>(to_f32(x)); }
};
template <class From> struct Cast<f16, From> {
  static WF_FN f16 of(From x) { return f16_from(as_<double>(x)); }
};
template <class From> struct Cast<bf16, From> {
  static WF_FN bf16 of(From x) { return bf16_from(as_<double>(x)); }
};
template <> struct Cast<f16, float> {
  static WF_FN f16 of(float x) { return f16_from(x); }
};
template <> struct Cast<bf16, float> {
  static WF_FN bf16 of(float x) { return bf16_from(x); }
};
template <> struct Cast<f16, f16> {
  static WF_FN f16 of(f16 x) { return x; }
};
template <> struct Cast<bf16, bf16> {
  static WF_FN bf16 of(bf16 x) { return x; }
};
template <> struct Cast<f16, bf16> {
  static WF_FN f16 of(bf16 x) { return f16_from(to_f32(x)); }
};
template <> struct Cast<bf16, f16> {
  static WF_FN bf16 of(f16 x) { return bf16_from(to_f32(x)); }
};

// The greater and the lesser of two: of a NaN and a number the number, and -0.0 is below 0.0. Exact, so that the instruction of
// halves has the bits of the one of f32.
#if !defined(WARPFOLD_EMULATE) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WF_HALF_ORDER(H, name, instruction)                                         \
  WF_FN H name(H a, H b) {                                                          \
    H r;                                                                            \
    asm(instruction " %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));      \
    return r;                                                                       \
  }
WF_HALF_ORDER(f16, greater_half, "max.f16")
WF_HALF_ORDER(f16, lesser_half, "min.f16")
WF_HALF_ORDER(bf16, greater_half, "max.bf16")
WF_HALF_ORDER(bf16, lesser_half, "min.bf16")
#undef WF_HALF_ORDER
#else
template <class H> WF_FN H greater_half(H a, H b) { return from_f32<H>(Order<float>::max(to_f32(a), to_f32(b))); }
template <class H> WF_FN H lesser_half(H a, H b) { return from_f32<H>(Order<float>::min(to_f32(a), to_f32(b))); }
#endif

#define WF_HALF(H)                                                                              \
  WF_FN H operator+(H a, H b) { return from_f32<H>(to_f32(a) + to_f32(b)); }                    \
  WF_FN H operator-(H a, H b) { return from_f32<H>(to_f32(a) - to_f32(b)); }                    \
  WF_FN H operator*(H a, H b) { return from_f32<H>(to_f32(a) * to_f32(b)); }                    \
  WF_FN H quotient(H a, H b) { return from_f32<H>(quotient(to_f32(a), to_f32(b))); }            \
  WF_FN H operator/(H a, H b) { return quotient(a, b); }                                        \
  WF_FN H operator-(H a) { return {static_cast<u16>(a.bits ^ 0x8000)}; }                        \
  WF_FN bool operator==(H a, H b) { return to_f32(a) == to_f32(b); }                            \
  WF_FN bool operator!=(H a, H b) { return to_f32(a) != to_f32(b); }                            \
  WF_FN bool operator<(H a, H b) { return to_f32(a) < to_f32(b); }                              \
  WF_FN bool operator<=(H a, H b) { return to_f32(a) <= to_f32(b); }                            \
  WF_FN bool operator>(H a, H b) { return to_f32(a) > to_f32(b); }                              \
  WF_FN bool operator>=(H a, H b) { return to_f32(a) >= to_f32(b); }                            \
  WF_FN H remainder_of(H a, H b) { return from_f32<H>(remainder_of(to_f32(a), to_f32(b))); }    \
  template <class M> WF_FN H exchange(H x, const M& move) {                                     \
    return {static_cast<u16>(move.word(x.bits))};                                               \
  }                                                                                             \
  template <> struct Order<H> {                                                                 \
    static WF_FN H max(H a, H b) { return greater_half(a, b); }                                 \
    static WF_FN H min(H a, H b) { return lesser_half(a, b); }                                  \
  };
WF_HALF(f16)
WF_HALF(bf16)
#undef WF_HALF

}  // namespace wf
