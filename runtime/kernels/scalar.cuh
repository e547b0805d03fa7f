// scalar.cuh: the scalar types of the language, and what Rust's release build does with them.
//
// Promises: integers wrap, shifts mask their amount, `as` saturates, x / 0 is 0, x % 0 is x, MIN / -1 wraps; min and
// max let NaN lose, minimum and maximum let it win, and all four hold -0.0 < 0.0. Nothing here is undefined in C++,
// so no compiler may assume that an input does not occur. No header is included: NVRTC and the driver are enough.
// Under WARPFOLD_EMULATE the same text compiles as host code, with PTX replaced by plain C++.
#pragma once

#define WF_FN __device__ __forceinline__

namespace wf {

using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long long;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;

// How a tile is folded: see the order of a launch. `striped`: slot by slot, for operators that commute; `blocked`: in
// the order of the elements; `lane`: by the operator's own fold of one lane's elements.
enum class Fold { striped, blocked, lane, tile };

// `first ? a : b` where both cost less than a branch, which would also keep neighbouring elements from overlapping.
template <class T> WF_FN T choose(bool first, T a, T b) { return first ? a : b; }

// Consecutive elements that one lane holds.
template <class T, int V, bool BYTES = sizeof(T) == 1 && V % 4 == 0> struct Pack {
  T v[V];
};
// Bytes that are passed on as such are taken out of their words one by one, and put together again.
template <class T, int V> struct Pack<T, V, true> {
  union {
    u32 words[V / 4];
    T v[V];
  };
};

// The width of a group of lanes, as a type to overload on.
template <int W> struct Width {
  static constexpr int lanes = W;
};

// Tuples of the language: `a.0` is `a.f0`.
template <class... T> struct Tuple;
template <class A> struct Tuple<A> {
  A f0;
};
template <class A, class B> struct Tuple<A, B> {
  A f0;
  B f1;
};
template <class A, class B, class C> struct Tuple<A, B, C> {
  A f0;
  B f1;
  C f2;
};
template <class A, class B, class C, class D> struct Tuple<A, B, C, D> {
  A f0;
  B f1;
  C f2;
  D f3;
};

// What the generic code below must know of a type.
template <class T> struct Traits;
template <class U, bool Signed> struct Whole {
  using Unsigned = U;
  static constexpr bool whole = true, is_signed = Signed;
  static constexpr int bits = 8 * int(sizeof(U));
};
template <class U, int Mantissa> struct Real {
  using Unsigned = U;
  static constexpr bool whole = false, is_signed = true;
  static constexpr int bits = 8 * int(sizeof(U)), mantissa = Mantissa;
};
template <> struct Traits<bool> : Whole<u8, false> {};
template <> struct Traits<i8> : Whole<u8, true> {};
template <> struct Traits<i16> : Whole<u16, true> {};
template <> struct Traits<i32> : Whole<u32, true> {};
template <> struct Traits<i64> : Whole<u64, true> {};
template <> struct Traits<u8> : Whole<u8, false> {};
template <> struct Traits<u16> : Whole<u16, false> {};
template <> struct Traits<u32> : Whole<u32, false> {};
template <> struct Traits<u64> : Whole<u64, false> {};
template <> struct Traits<float> : Real<u32, 23> {};
template <> struct Traits<double> : Real<u64, 52> {};
template <class T> using Unsigned = typename Traits<T>::Unsigned;
// The unsigned type in which arithmetic on T wraps: never narrower than `int`, to which C++ would promote.
template <class T> struct WrapIn {
  using Type = u32;
};
template <> struct WrapIn<i64> {
  using Type = u64;
};
template <> struct WrapIn<u64> {
  using Type = u64;
};
template <class T> using Wrap = typename WrapIn<T>::Type;

// Bits of floats.
#ifdef WARPFOLD_EMULATE
template <class To, class From> inline To reinterpret(From from) {
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}
WF_FN u32 to_bits(float x) { return reinterpret<u32>(x); }
WF_FN u64 to_bits(double x) { return reinterpret<u64>(x); }
WF_FN float float_from_bits(u32 b) { return reinterpret<float>(b); }
WF_FN double double_from_bits(u64 b) { return reinterpret<double>(b); }
#else
WF_FN u32 to_bits(float x) { return __float_as_uint(x); }
WF_FN u64 to_bits(double x) { return static_cast<u64>(__double_as_longlong(x)); }
WF_FN float float_from_bits(u32 b) { return __uint_as_float(b); }
WF_FN double double_from_bits(u64 b) { return __longlong_as_double(static_cast<i64>(b)); }
#endif
template <class T> struct FromBits;
template <> struct FromBits<float> {
  static WF_FN float of(u32 b) { return float_from_bits(b); }
};
template <> struct FromBits<double> {
  static WF_FN double of(u64 b) { return double_from_bits(b); }
};
template <class T> WF_FN T from_bits(Unsigned<T> b) { return FromBits<T>::of(b); }

// Limits, as their own bit patterns.
template <class T> WF_FN T min_value() {
  if constexpr (Traits<T>::is_signed) {
    return static_cast<T>(Wrap<T>(1) << (Traits<T>::bits - 1));
  } else {
    return T(0);
  }
}
template <class T> WF_FN T max_value() { return static_cast<T>(static_cast<Unsigned<T>>(~static_cast<Unsigned<T>>(min_value<T>()))); }
template <class T> WF_FN T infinity() {
  constexpr int m = Traits<T>::mantissa, b = Traits<T>::bits;
  return from_bits<T>(static_cast<Unsigned<T>>(((Unsigned<T>(1) << (b - 1 - m)) - 1) << m));
}
template <class T> WF_FN T nan() {
  constexpr int m = Traits<T>::mantissa, b = Traits<T>::bits;
  return from_bits<T>(static_cast<Unsigned<T>>(((Unsigned<T>(1) << (b - m)) - 1) << (m - 1)));
}
// The state that loses against every other of `max` and `maximum` (`min` and `minimum`).
template <class T> WF_FN T lowest() {
  if constexpr (Traits<T>::whole) {
    return min_value<T>();
  } else {
    return -infinity<T>();
  }
}
template <class T> WF_FN T highest() {
  if constexpr (Traits<T>::whole) {
    return max_value<T>();
  } else {
    return infinity<T>();
  }
}

// The low bits of x as a T. Sixteen signed bits are cut off by an instruction that the compiler does not see through: else
// it computes in 16 bits, and ptxas (of CUDA 12 and 13) takes what `neg.s16` makes of -32768 for +32768.
template <class T> WF_FN T cut(Wrap<T> x) {
#ifndef WARPFOLD_EMULATE
  if constexpr (sizeof(T) == 2 && Traits<T>::is_signed) {
    i32 low;
    asm("bfe.s32 %0, %1, 0, 16;" : "=r"(low) : "r"(x));
    return static_cast<T>(low);
  } else
#endif
  {
    return static_cast<T>(x);
  }
}

// Arithmetic. Floats round to nearest even; nothing is fused.
template <class T> WF_FN T add(T a, T b) {
  if constexpr (Traits<T>::whole) {
    return cut<T>(Wrap<T>(a) + Wrap<T>(b));
  } else {
    return a + b;
  }
}
template <class T> WF_FN T sub(T a, T b) {
  if constexpr (Traits<T>::whole) {
    return cut<T>(Wrap<T>(a) - Wrap<T>(b));
  } else {
    return a - b;
  }
}
template <class T> WF_FN T mul(T a, T b) {
  if constexpr (Traits<T>::whole) {
    return cut<T>(Wrap<T>(a) * Wrap<T>(b));
  } else {
    return a * b;
  }
}
template <class T> WF_FN T neg(T a) {
  if constexpr (Traits<T>::whole) {
    return cut<T>(Wrap<T>(0) - Wrap<T>(a));
  } else {
    return -a;
  }
}
// Whether a / b leaves the range of T: MIN / -1.
template <class T> WF_FN bool division_wraps(T a, T b) {
  if constexpr (Traits<T>::is_signed) {
    return b == T(-1) && a == min_value<T>();
  } else {
    return false;
  }
}
// Quotients of floats. Not by `/`: of two numbers that are not below zero the compiler takes it for not below zero either,
// which it is where the divisor is -0.0. It makes a `/` of __ddiv_rn too, and gets the sign told. Not by inline PTX: what a
// whole row shares would be divided again for each element.
#ifdef WARPFOLD_EMULATE
WF_FN float quotient(float a, float b) { return a / b; }
WF_FN double quotient(double a, double b) { return a / b; }
#else
WF_FN float quotient(float a, float b) { return __fdiv_rn(a, b); }
WF_FN double quotient(double a, double b) {
  constexpr u64 sign = 1ull << 63;
  return double_from_bits((to_bits(a / b) & ~sign) | ((to_bits(a) ^ to_bits(b)) & sign));
}
#endif
template <class T> WF_FN T div(T a, T b) {
  if constexpr (Traits<T>::whole) {
    return b == T(0) ? T(0) : division_wraps(a, b) ? a : static_cast<T>(a / b);
  } else {
    return quotient(a, b);
  }
}
WF_FN float remainder_of(float a, float b) { return fmodf(a, b); }
WF_FN double remainder_of(double a, double b) { return fmod(a, b); }
template <class T> WF_FN T rem(T a, T b) {
  if constexpr (Traits<T>::whole) {
    return b == T(0) ? a : division_wraps(a, b) ? T(0) : static_cast<T>(a % b);
  } else {
    return remainder_of(a, b);
  }
}

// Logic and shifts. The amount may be of any integer type; its low bits count, as in a release build.
template <class T> WF_FN T bit_and(T a, T b) { return static_cast<T>(a & b); }
template <class T> WF_FN T bit_or(T a, T b) { return static_cast<T>(a | b); }
template <class T> WF_FN T bit_xor(T a, T b) { return static_cast<T>(a ^ b); }
template <class T> WF_FN T bit_not(T a) { return static_cast<T>(~a); }
WF_FN bool bit_not(bool a) { return !a; }
template <class T, class S> WF_FN T shl(T a, S by) {
  return static_cast<T>(Wrap<T>(a) << (static_cast<u32>(by) & (Traits<T>::bits - 1)));
}
template <class T, class S> WF_FN T shr(T a, S by) { return static_cast<T>(a >> (static_cast<u32>(by) & (Traits<T>::bits - 1))); }

// `as`. A float that does not fit saturates, NaN gives 0. The bounds are powers of two, exact in both float types.
template <class To, class From> struct Cast {
  static WF_FN To of(From x) {
    if constexpr (!Traits<From>::whole && Traits<To>::whole) {
      constexpr int bits = Traits<To>::bits;
      if constexpr (Traits<To>::is_signed) {
        constexpr From bound = static_cast<From>(u64(1) << (bits - 1));
        return x >= bound ? max_value<To>() : x >= -bound ? static_cast<To>(x) : x != x ? To(0) : min_value<To>();
      } else {
        constexpr From bound = static_cast<From>(u64(1) << (bits - 1)) * From(2);
        return x >= bound ? max_value<To>() : x > From(0) ? static_cast<To>(x) : To(0);
      }
    } else {
      return static_cast<To>(x);
    }
  }
};
template <class To, class From> WF_FN To as_(From x) { return Cast<To, From>::of(x); }

// A whole number of at most 16 bits as a word, by an instruction that the compiler does not see through. Else it makes
// `min.s16` and its like of comparisons, and where their result is compared with their operand, ptxas (of CUDA 12 and 13)
// takes the predicate of the empty upper half.
template <class T> constexpr bool narrow = Traits<T>::whole && sizeof(T) <= 2;
template <class T> WF_FN i32 widened(T x) {
  i32 word = static_cast<i32>(x);
#ifndef WARPFOLD_EMULATE
  asm("mov.b32 %0, %0;" : "+r"(word));
#endif
  return word;
}
// `a < b` and `a >= b` of whole numbers that are narrow, or unsigned with a literal 0, about which the compiler warns.
template <class T> WF_FN bool less(T a, T b) {
  if constexpr (narrow<T>) {
    return widened(a) < widened(b);
  } else {
    return a < b;
  }
}
template <class T> WF_FN bool not_less(T a, T b) {
  if constexpr (narrow<T>) {
    return widened(a) >= widened(b);
  } else {
    return a >= b;
  }
}

// Order. One instruction where the hardware has it; its max and min hold -0.0 < 0.0 and drop a NaN.
template <class T> WF_FN bool is_nan(T x) { return x != x; }
template <class T> WF_FN bool is_sign_negative(T x) { return (to_bits(x) >> (Traits<T>::bits - 1)) != 0; }
// Whether a stands before b; neither is NaN.
template <class T> WF_FN bool before(T a, T b) { return a < b || (a == b && is_sign_negative(a) && !is_sign_negative(b)); }

#ifdef WARPFOLD_EMULATE
WF_FN i32 max_of_words(i32 a, i32 b) { return a < b ? b : a; }
WF_FN i32 min_of_words(i32 a, i32 b) { return b < a ? b : a; }
#else
WF_FN i32 max_of_words(i32 a, i32 b) {
  i32 r;
  asm("max.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
WF_FN i32 min_of_words(i32 a, i32 b) {
  i32 r;
  asm("min.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
#endif
template <class T> struct Order {
  static WF_FN T max(T a, T b) {
    if constexpr (narrow<T>) {
      return static_cast<T>(max_of_words(a, b));
    } else if constexpr (Traits<T>::whole) {
      return a < b ? b : a;
    } else {
      return is_nan(a) ? b : is_nan(b) ? a : before(a, b) ? b : a;
    }
  }
  static WF_FN T min(T a, T b) {
    if constexpr (narrow<T>) {
      return static_cast<T>(min_of_words(a, b));
    } else if constexpr (Traits<T>::whole) {
      return b < a ? b : a;
    } else {
      return is_nan(a) ? b : is_nan(b) ? a : before(b, a) ? b : a;
    }
  }
};
#ifndef WARPFOLD_EMULATE
template <> struct Order<float> {
  static WF_FN float max(float a, float b) {
    float r;
    asm("max.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
  }
  static WF_FN float min(float a, float b) {
    float r;
    asm("min.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
  }
};
template <> struct Order<double> {
  static WF_FN double max(double a, double b) {
    double r;
    asm("max.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
    return r;
  }
  static WF_FN double min(double a, double b) {
    double r;
    asm("min.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
    return r;
  }
};
#endif
template <class T> WF_FN T max(T a, T b) { return Order<T>::max(a, b); }
template <class T> WF_FN T min(T a, T b) { return Order<T>::min(a, b); }
template <class T> WF_FN T maximum(T a, T b) {
  if constexpr (Traits<T>::whole) {
    return Order<T>::max(a, b);
  } else {
    return is_nan(a) ? a : is_nan(b) ? b : Order<T>::max(a, b);
  }
}
template <class T> WF_FN T minimum(T a, T b) {
  if constexpr (Traits<T>::whole) {
    return Order<T>::min(a, b);
  } else {
    return is_nan(a) ? a : is_nan(b) ? b : Order<T>::min(a, b);
  }
}
#if !defined(WARPFOLD_EMULATE) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
WF_FN float maximum(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
WF_FN float minimum(float a, float b) {
  float r;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
#endif

}  // namespace wf
