// math.cuh: the numeric methods of Rust's primitives, under Rust's own names.
//
// Promises: a method without rounding freedom gives Rust's answer to the bit; where Rust panics it gives the value that
// the table of methods states (x.div_euclid(0) is 0, x.rem_euclid(0) is x, 0.ilog2() is 0, a wrapped result on
// overflow). Transcendental functions are CUDA's accurate ones, but for the exp of f64.
#pragma once

namespace wf {

// Order and signs.
template <class T> WF_FN T clamp(T x, T low, T high) { return less(x, low) ? low : less(high, x) ? high : x; }
WF_FN float abs(float x) { return fabsf(x); }
WF_FN double abs(double x) { return fabs(x); }
template <class T> WF_FN T abs(T x) { return less(x, T(0)) ? neg(x) : x; }
template <class T> WF_FN T copysign(T x, T sign) {
  constexpr Unsigned<T> bit = static_cast<Unsigned<T>>(Unsigned<T>(1) << (Traits<T>::bits - 1));
  return from_bits<T>(static_cast<Unsigned<T>>((to_bits(x) & ~bit) | (to_bits(sign) & bit)));
}
// 1.0, whose exponent is the bias.
template <class T> WF_FN T one() {
  constexpr int m = Traits<T>::mantissa, b = Traits<T>::bits;
  return from_bits<T>(static_cast<Unsigned<T>>(((Unsigned<T>(1) << (b - 2 - m)) - 1) << m));
}
template <class T> WF_FN T signum(T x) {
  if constexpr (Traits<T>::whole) {
    return static_cast<T>((x > T(0)) - (x < T(0)));
  } else {
    return is_nan(x) ? x : copysign(one<T>(), x);
  }
}
template <class T> WF_FN bool is_positive(T x) { return x > T(0); }
template <class T> WF_FN bool is_negative(T x) { return x < T(0); }
template <class T> WF_FN bool is_sign_positive(T x) { return !is_sign_negative(x); }
template <class T> WF_FN Unsigned<T> abs_diff(T a, T b) {
  return static_cast<Unsigned<T>>(less(a, b) ? Wrap<T>(b) - Wrap<T>(a) : Wrap<T>(a) - Wrap<T>(b));
}
template <class T> WF_FN Unsigned<T> unsigned_abs(T x) { return static_cast<Unsigned<T>>(abs(x)); }

// Classes of floats.
template <class T> WF_FN Unsigned<T> exponent_bits(T x) {
  constexpr int m = Traits<T>::mantissa;
  return static_cast<Unsigned<T>>(to_bits(x) >> m & ((Unsigned<T>(1) << (Traits<T>::bits - 1 - m)) - 1));
}
template <class T> WF_FN bool is_finite(T x) { return exponent_bits(x) != exponent_bits(infinity<T>()); }
template <class T> WF_FN bool is_infinite(T x) { return !is_finite(x) && !is_nan(x); }
template <class T> WF_FN bool is_normal(T x) { return is_finite(x) && exponent_bits(x) != 0; }

// Functions of CUDA under Rust's names: one line each for f32 and f64.
#define WF_UNARY(rust, f32_name, f64_name)                   \
  WF_FN float rust(float x) { return ::f32_name(x); }        \
  WF_FN double rust(double x) { return ::f64_name(x); }
#define WF_BINARY(rust, f32_name, f64_name)                             \
  WF_FN float rust(float x, float y) { return ::f32_name(x, y); }       \
  WF_FN double rust(double x, double y) { return ::f64_name(x, y); }
WF_UNARY(floor, floorf, floor)
WF_UNARY(ceil, ceilf, ceil)
WF_UNARY(round, roundf, round)
WF_UNARY(round_ties_even, rintf, rint)
WF_UNARY(trunc, truncf, trunc)
WF_UNARY(sqrt, sqrtf, sqrt)
WF_UNARY(exp2, exp2f, exp2)
WF_UNARY(exp_m1, expm1f, expm1)
WF_UNARY(ln, logf, log)
WF_UNARY(ln_1p, log1pf, log1p)
WF_UNARY(log2, log2f, log2)
WF_UNARY(log10, log10f, log10)
WF_UNARY(cbrt, cbrtf, cbrt)
WF_UNARY(sin, sinf, sin)
WF_UNARY(cos, cosf, cos)
WF_UNARY(tan, tanf, tan)
WF_UNARY(asin, asinf, asin)
WF_UNARY(acos, acosf, acos)
WF_UNARY(atan, atanf, atan)
WF_UNARY(sinh, sinhf, sinh)
WF_UNARY(cosh, coshf, cosh)
WF_UNARY(tanh, tanhf, tanh)
WF_UNARY(asinh, asinhf, asinh)
WF_UNARY(acosh, acoshf, acosh)
WF_UNARY(atanh, atanhf, atanh)
WF_BINARY(powf, powf, pow)
WF_BINARY(hypot, hypotf, hypot)
WF_BINARY(atan2, atan2f, atan2)
#undef WF_UNARY
#undef WF_BINARY
WF_FN float mul_add(float x, float y, float z) { return fmaf(x, y, z); }
WF_FN double mul_add(double x, double y, double z) { return fma(x, y, z); }
template <class T> WF_FN T fract(T x) { return x - trunc(x); }
template <class T> WF_FN T recip(T x) { return div(T(1), x); }
template <class T> WF_FN T log(T x, T base) { return div(ln(x), ln(base)); }
WF_FN float to_degrees(float x) { return x * 57.29577951308232f; }
WF_FN double to_degrees(double x) { return x * (180.0 / 3.14159265358979323846); }
WF_FN float to_radians(float x) { return x * (3.14159265358979323846f / 180.0f); }
WF_FN double to_radians(double x) { return x * (3.14159265358979323846 / 180.0); }
// By squaring, the reciprocal last, as the run-time library that Rust calls does it.
template <class T> WF_FN T powi(T x, i32 n) {
  T result = T(1);
  for (u32 rest = unsigned_abs(n); rest != 0; rest >>= 1) {
    if (rest & 1) result = result * x;
    x = x * x;
  }
  return n < 0 ? div(T(1), result) : result;
}

WF_FN float exp(float x) { return ::expf(x); }
// 2^k for -1022 <= k <= 1023.
WF_FN double power_of_two(i32 k) { return from_bits<double>(static_cast<u64>(static_cast<u32>(1023 + k) << 20) << 32); }
// Within 1 ulp, without a branch: the one of CUDA's keeps the exps of neighbouring elements apart, each with its constants. The
// polynomial is the minimax one of (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2; the scale goes on in two steps, for subnormals.
WF_FN double exp(double x) {
  // From 746 on the answer is 0 or infinite; a NaN stays.
  x = abs(x) > 746.0 ? copysign(746.0, x) : x;
  const double shifted = fma(x, 0x1.71547652b82fep+0, 0x1.8p52);
  const double whole = shifted - 0x1.8p52;
  const double r = fma(whole, -0x1.abc9e3b39803fp-56, fma(whole, -0x1.62e42fefa39efp-1, x));
  double p = 0x1.af635cab91497p-26;
  p = fma(p, r, 0x1.2891a96730357p-22);
  p = fma(p, r, 0x1.71ddf699753a1p-19);
  p = fma(p, r, 0x1.a019b8eec83c5p-16);
  p = fma(p, r, 0x1.a01a01b0158f2p-13);
  p = fma(p, r, 0x1.6c16c17893b36p-10);
  p = fma(p, r, 0x1.111111110f7f0p-7);
  p = fma(p, r, 0x1.5555555553d4fp-5);
  p = fma(p, r, 0x1.5555555555558p-3);
  p = fma(p, r, 0x1.0000000000001p-1);
  p = fma(p, r, 1.0);
  p = fma(p, r, 1.0);
  const i32 k = static_cast<i32>(static_cast<u32>(to_bits(shifted)));
  const i32 half = k >> 1;
  // Products, not sums of exponents: of a NaN k is anything, and a NaN has to stay one.
  return p * power_of_two(half) * power_of_two(k - half);
}

// The same value, of which the compiler does not know that: what is computed with it is computed again.
#ifdef WARPFOLD_EMULATE
template <class T> WF_FN T once_more(T x) { return x; }
#else
WF_FN float once_more(float x) {
  asm("mov.b32 %0, %1;" : "=f"(x) : "f"(x));
  return x;
}
WF_FN double once_more(double x) {
  asm("mov.b64 %0, %1;" : "=d"(x) : "d"(x));
  return x;
}
#endif

// Division of many by a value that they share, in an `apply`: `Exactly` divides; `Swiftly` does it by the reciprocal, which
// the compiler computes once, and a residual, with the same bits: or it says that it is `unsure` (`rare`).
struct Exactly {
  template <class T> WF_FN T operator()(T x, T by) const { return div(x, by); }
  WF_FN f16 to_f16(float x, float by) const { return f16_from(div(x, by)); }
};

// The limits of a divisor and a dividend within which nothing below over- or underflows, residuals included.
template <class T> struct Swift;
template <> struct Swift<float> {
  static constexpr float low = 0x1p-40f, high = 0x1p40f, least = 0x1p-100f, most = 0x1p87f;
};
template <> struct Swift<double> {
  static constexpr double low = 0x1p-300, high = 0x1p300, least = 0x1p-900, most = 0x1p700;
};
struct Swiftly {
  mutable bool unsure = false;  // in rows of everyday
  mutable bool rare = false;    // the same, of what hardly any row has

  template <class T> WF_FN T operator()(T x, T by) const {
    const T least = max(Swift<T>::least, Swift<T>::least * by);
    const bool outside = beyond(x, by) | ((abs(x) < least) & (x != T(0)));
    // An f32 is too small from e^-69 on, which a softmax has; an f64 from e^-623 on.
    if constexpr (sizeof(T) == 4) {
      unsure |= outside;
    } else {
      rare |= outside;
    }
    return quotient(x, by);
  }
  // Rounded to f16 at once: what an x that is too small gives is far below the least f16, with the sign of x.
  WF_FN f16 to_f16(float x, float by) const {
    rare |= beyond(x, by);
    return f16_from(quotient(x, by));
  }

 private:
  // A NaN is not: it stays one.
  template <class T> static WF_FN bool beyond(T x, T by) { return (by < Swift<T>::low) | (by > Swift<T>::high) | (abs(x) > Swift<T>::most); }
  // A quotient from the reciprocal in two words, then Markstein's step: q + r * (x - q * by) is the quotient, correctly
  // rounded, if q is next to it, r the nearest to 1 / by, and the residual exact. `over` is rounded down, so that `rest`
  // is no less than 0 and zeros keep their signs.
  template <class T> static WF_FN T quotient(T x, T by) {
    const T nearest = by >= Swift<T>::low && by <= Swift<T>::high ? T(1) / by : nan<T>();
    const Unsigned<T> above = to_bits(mul_add(-nearest, by, T(1))) >> (Traits<T>::bits - 1);
    const T over = from_bits<T>(to_bits(nearest) - above);
    const T rest = mul_add(-over, by, T(1)) * nearest;
    const T q = mul_add(x, over, x * rest);
    return mul_add(mul_add(q, by, -x), -nearest, q);
  }
};

// Integer arithmetic that says what it does on overflow.
template <class T> WF_FN T pow(T x, u32 n) {
  T result = T(1);
  for (; n != 0; n >>= 1) {
    if (n & 1) result = mul(result, x);
    x = mul(x, x);
  }
  return result;
}
template <class T> WF_FN T wrapping_add(T a, T b) { return add(a, b); }
template <class T> WF_FN T wrapping_sub(T a, T b) { return sub(a, b); }
template <class T> WF_FN T wrapping_mul(T a, T b) { return mul(a, b); }
template <class T> WF_FN T wrapping_div(T a, T b) { return div(a, b); }
template <class T> WF_FN T wrapping_rem(T a, T b) { return rem(a, b); }
template <class T> WF_FN T wrapping_neg(T a) { return neg(a); }
template <class T> WF_FN T wrapping_abs(T a) { return abs(a); }
template <class T> WF_FN T wrapping_pow(T a, u32 n) { return pow(a, n); }
template <class T> WF_FN T wrapping_shl(T a, u32 by) { return shl(a, by); }
template <class T> WF_FN T wrapping_shr(T a, u32 by) { return shr(a, by); }
template <class T> WF_FN T saturating_add(T a, T b) {
  const T sum = add(a, b);
  if constexpr (Traits<T>::is_signed) {
    return (b < T(0)) == (sum < a) ? sum : b < T(0) ? min_value<T>() : max_value<T>();
  } else {
    return sum < a ? max_value<T>() : sum;
  }
}
template <class T> WF_FN T saturating_sub(T a, T b) {
  const T difference = sub(a, b);
  if constexpr (Traits<T>::is_signed) {
    return (b > T(0)) == (difference < a) ? difference : b > T(0) ? min_value<T>() : max_value<T>();
  } else {
    return less(a, b) ? T(0) : difference;
  }
}
template <class T> WF_FN T saturating_mul(T a, T b) {
  const T product = mul(a, b);
  const bool wrapped = a != T(0) && (div(product, a) != b || (Traits<T>::is_signed && a == T(-1) && b == min_value<T>()));
  return !wrapped ? product : Traits<T>::is_signed && (a < T(0)) != (b < T(0)) ? min_value<T>() : max_value<T>();
}

// Division that rounds its own way.
template <class T> WF_FN T div_euclid(T a, T b) {
  if constexpr (!Traits<T>::is_signed) {
    return div(a, b);
  } else if constexpr (Traits<T>::whole) {
    const T q = div(a, b);
    return b == T(0) || rem(a, b) >= T(0) ? q : b > T(0) ? sub(q, T(1)) : add(q, T(1));
  } else {
    const T q = trunc(div(a, b));
    return !(rem(a, b) < T(0)) ? q : b > T(0) ? q - T(1) : q + T(1);
  }
}
template <class T> WF_FN T rem_euclid(T a, T b) {
  const T r = rem(a, b);
  if constexpr (!Traits<T>::is_signed) {
    return r;
  } else if constexpr (Traits<T>::whole) {
    return b == T(0) || r >= T(0) ? r : add(r, abs(b));
  } else {
    return r < T(0) ? r + abs(b) : r;
  }
}
template <class T> WF_FN T div_ceil(T a, T b) { return add(div(a, b), static_cast<T>(b != T(0) && rem(a, b) != T(0))); }

// Bits.
#ifdef WARPFOLD_EMULATE
WF_FN u32 zeros_before(u32 x) { return x == 0 ? 32 : static_cast<u32>(__builtin_clz(x)); }
WF_FN u32 ones_in(u32 x) { return static_cast<u32>(__builtin_popcount(x)); }
WF_FN u32 mirror(u32 x) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i) r |= (x >> i & 1u) << (31 - i);
  return r;
}
#else
WF_FN u32 zeros_before(u32 x) { return static_cast<u32>(__clz(static_cast<int>(x))); }
WF_FN u32 ones_in(u32 x) { return static_cast<u32>(__popc(x)); }
WF_FN u32 mirror(u32 x) { return __brev(x); }
#endif
WF_FN u32 zeros_before(u64 x) {
  const u32 high = static_cast<u32>(x >> 32);
  return high != 0 ? zeros_before(high) : 32 + zeros_before(static_cast<u32>(x));
}
WF_FN u32 ones_in(u64 x) { return ones_in(static_cast<u32>(x)) + ones_in(static_cast<u32>(x >> 32)); }
WF_FN u64 mirror(u64 x) { return static_cast<u64>(mirror(static_cast<u32>(x))) << 32 | mirror(static_cast<u32>(x >> 32)); }
// The bits of x, and nothing above them, in a 32- or 64-bit word.
template <class T> WF_FN Wrap<T> word_of(T x) { return static_cast<Wrap<T>>(static_cast<Unsigned<T>>(x)); }
template <class T> constexpr u32 spare_bits = 8 * u32(sizeof(Wrap<T>)) - u32(Traits<T>::bits);

template <class T> WF_FN u32 count_ones(T x) { return ones_in(word_of(x)); }
template <class T> WF_FN u32 count_zeros(T x) { return Traits<T>::bits - count_ones(x); }
template <class T> WF_FN u32 leading_zeros(T x) { return zeros_before(word_of(x)) - spare_bits<T>; }
template <class T> WF_FN T reverse_bits(T x) { return static_cast<T>(mirror(word_of(x)) >> spare_bits<T>); }
template <class T> WF_FN u32 trailing_zeros(T x) { return leading_zeros(reverse_bits(x)); }
template <class T> WF_FN u32 leading_ones(T x) { return leading_zeros(static_cast<T>(~x)); }
template <class T> WF_FN u32 trailing_ones(T x) { return trailing_zeros(static_cast<T>(~x)); }
template <class T> WF_FN T rotate_left(T x, u32 by) {
  constexpr u32 last = Traits<T>::bits - 1;
  return static_cast<T>(word_of(x) << (by & last) | word_of(x) >> ((0u - by) & last));
}
template <class T> WF_FN T rotate_right(T x, u32 by) { return rotate_left(x, 0u - by); }
template <class T> WF_FN T swap_bytes(T x) {
  Wrap<T> from = word_of(x), to = 0;
  for (u32 i = 0; i < sizeof(T); ++i) {
    to = to << (sizeof(T) == 1 ? 0 : 8) | (from & 0xff);
    from >>= 8;
  }
  return static_cast<T>(to);
}
template <class T> WF_FN bool is_power_of_two(T x) { return count_ones(x) == 1; }
template <class T> WF_FN T next_power_of_two(T x) {
  if (x <= T(1)) return T(1);
  const u32 zeros = leading_zeros(static_cast<T>(x - T(1)));
  return zeros == 0 ? T(0) : static_cast<T>(Wrap<T>(1) << (Traits<T>::bits - zeros));
}
template <class T> WF_FN u32 ilog2(T x) { return x == T(0) ? 0 : Traits<T>::bits - 1 - leading_zeros(x); }

}  // namespace wf
