// char1 ... double4: one to four numbers with element-wise operators, on both sides.
#pragma once

#include <hip/hip_common.h>

#if defined(__cplusplus)
#if defined(__HIP__)
#define WAVEMMA_VECTOR static inline __attribute__((host)) __attribute__((device)) constexpr
#define WAVEMMA_MEMBER __attribute__((host)) __attribute__((device)) constexpr
#else
#define WAVEMMA_VECTOR static inline constexpr
#define WAVEMMA_MEMBER constexpr
#endif

namespace wavemma_detail {
template <bool condition, typename T = void> struct enabled {};
template <typename T> struct enabled<true, T> {
  using type = T;
};
// The alignment of two and four numbers is their whole size; of three that of one.
constexpr unsigned long vector_align(unsigned long bytes, unsigned count) {
  return count == 3 ? bytes : (bytes * count > 16 ? 16 : bytes * count);
}
} // namespace wavemma_detail

template <typename T, unsigned count> struct HIP_vector_type;

template <typename T> struct alignas(sizeof(T)) HIP_vector_type<T, 1> {
  using value_type = T;
  T x;
  HIP_vector_type() = default;
  WAVEMMA_MEMBER HIP_vector_type(T x_) : x(x_) {}
  WAVEMMA_MEMBER T &operator[](unsigned) { return x; }
  WAVEMMA_MEMBER const T &operator[](unsigned) const { return x; }
  template <typename F> WAVEMMA_MEMBER HIP_vector_type map(F f, const HIP_vector_type &o) const {
    return HIP_vector_type(f(x, o.x));
  }
};

template <typename T> struct alignas(wavemma_detail::vector_align(sizeof(T), 2)) HIP_vector_type<T, 2> {
  using value_type = T;
  T x, y;
  HIP_vector_type() = default;
  WAVEMMA_MEMBER explicit HIP_vector_type(T all) : x(all), y(all) {}
  template <typename A, typename B>
  WAVEMMA_MEMBER HIP_vector_type(A x_, B y_) : x(static_cast<T>(x_)), y(static_cast<T>(y_)) {}
  WAVEMMA_MEMBER T &operator[](unsigned i) { return i == 0 ? x : y; }
  WAVEMMA_MEMBER const T &operator[](unsigned i) const { return i == 0 ? x : y; }
  template <typename F> WAVEMMA_MEMBER HIP_vector_type map(F f, const HIP_vector_type &o) const {
    return HIP_vector_type(f(x, o.x), f(y, o.y));
  }
};

template <typename T> struct HIP_vector_type<T, 3> {
  using value_type = T;
  T x, y, z;
  HIP_vector_type() = default;
  WAVEMMA_MEMBER explicit HIP_vector_type(T all) : x(all), y(all), z(all) {}
  template <typename A, typename B, typename C>
  WAVEMMA_MEMBER HIP_vector_type(A x_, B y_, C z_)
      : x(static_cast<T>(x_)), y(static_cast<T>(y_)), z(static_cast<T>(z_)) {}
  WAVEMMA_MEMBER T &operator[](unsigned i) { return i == 0 ? x : i == 1 ? y : z; }
  WAVEMMA_MEMBER const T &operator[](unsigned i) const { return i == 0 ? x : i == 1 ? y : z; }
  template <typename F> WAVEMMA_MEMBER HIP_vector_type map(F f, const HIP_vector_type &o) const {
    return HIP_vector_type(f(x, o.x), f(y, o.y), f(z, o.z));
  }
};

template <typename T> struct alignas(wavemma_detail::vector_align(sizeof(T), 4)) HIP_vector_type<T, 4> {
  using value_type = T;
  T x, y, z, w;
  HIP_vector_type() = default;
  WAVEMMA_MEMBER explicit HIP_vector_type(T all) : x(all), y(all), z(all), w(all) {}
  template <typename A, typename B, typename C, typename D>
  WAVEMMA_MEMBER HIP_vector_type(A x_, B y_, C z_, D w_)
      : x(static_cast<T>(x_)), y(static_cast<T>(y_)), z(static_cast<T>(z_)),
        w(static_cast<T>(w_)) {}
  WAVEMMA_MEMBER T &operator[](unsigned i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  WAVEMMA_MEMBER const T &operator[](unsigned i) const {
    return i == 0 ? x : i == 1 ? y : i == 2 ? z : w;
  }
  template <typename F> WAVEMMA_MEMBER HIP_vector_type map(F f, const HIP_vector_type &o) const {
    return HIP_vector_type(f(x, o.x), f(y, o.y), f(z, o.z), f(w, o.w));
  }
};

// A vector with a vector, and a vector with a number on either side.
#define WAVEMMA_VECTOR_OPERATOR(op, name)                                                       \
  namespace wavemma_detail {                                                                    \
  struct name {                                                                                 \
    template <typename T> WAVEMMA_MEMBER T operator()(T a, T b) const {                         \
      return static_cast<T>(a op b);                                                            \
    }                                                                                           \
  };                                                                                            \
  }                                                                                             \
  template <typename T, unsigned n>                                                             \
  WAVEMMA_VECTOR HIP_vector_type<T, n> operator op(const HIP_vector_type<T, n> &a,              \
                                                   const HIP_vector_type<T, n> &b) {            \
    return a.map(wavemma_detail::name{}, b);                                                    \
  }                                                                                             \
  template <typename T, unsigned n, typename U,                                                 \
            typename = typename wavemma_detail::enabled<__is_arithmetic(U)>::type>              \
  WAVEMMA_VECTOR HIP_vector_type<T, n> operator op(const HIP_vector_type<T, n> &a, U b) {       \
    return a.map(wavemma_detail::name{}, HIP_vector_type<T, n>(static_cast<T>(b)));             \
  }                                                                                             \
  template <typename T, unsigned n, typename U,                                                 \
            typename = typename wavemma_detail::enabled<__is_arithmetic(U)>::type>              \
  WAVEMMA_VECTOR HIP_vector_type<T, n> operator op(U a, const HIP_vector_type<T, n> &b) {       \
    return HIP_vector_type<T, n>(static_cast<T>(a)).map(wavemma_detail::name{}, b);             \
  }                                                                                             \
  template <typename T, unsigned n, typename U>                                                 \
  WAVEMMA_VECTOR HIP_vector_type<T, n> &operator op##=(HIP_vector_type<T, n> &a, const U &b) {  \
    return a = a op b;                                                                          \
  }

WAVEMMA_VECTOR_OPERATOR(+, plus)
WAVEMMA_VECTOR_OPERATOR(-, minus)
WAVEMMA_VECTOR_OPERATOR(*, times)
WAVEMMA_VECTOR_OPERATOR(/, over)
WAVEMMA_VECTOR_OPERATOR(%, modulo)
WAVEMMA_VECTOR_OPERATOR(&, both)
WAVEMMA_VECTOR_OPERATOR(|, either)
WAVEMMA_VECTOR_OPERATOR(^, one)
WAVEMMA_VECTOR_OPERATOR(<<, up)
WAVEMMA_VECTOR_OPERATOR(>>, down)
#undef WAVEMMA_VECTOR_OPERATOR

template <typename T, unsigned n>
WAVEMMA_VECTOR HIP_vector_type<T, n> operator-(const HIP_vector_type<T, n> &a) {
  return HIP_vector_type<T, n>(static_cast<T>(-0.0)) - a;
}
template <typename T, unsigned n>
WAVEMMA_VECTOR HIP_vector_type<T, n> operator+(const HIP_vector_type<T, n> &a) {
  return a;
}
template <typename T, unsigned n>
WAVEMMA_VECTOR HIP_vector_type<T, n> operator~(const HIP_vector_type<T, n> &a) {
  return a ^ HIP_vector_type<T, n>(static_cast<T>(~T(0)));
}
template <typename T, unsigned n>
WAVEMMA_VECTOR bool operator==(const HIP_vector_type<T, n> &a, const HIP_vector_type<T, n> &b) {
  for (unsigned i = 0; i < n; ++i)
    if (!(a[i] == b[i]))
      return false;
  return true;
}
template <typename T, unsigned n>
WAVEMMA_VECTOR bool operator!=(const HIP_vector_type<T, n> &a, const HIP_vector_type<T, n> &b) {
  return !(a == b);
}
template <typename T, unsigned n>
WAVEMMA_VECTOR HIP_vector_type<T, n> &operator++(HIP_vector_type<T, n> &a) {
  return a = a + T(1);
}
template <typename T, unsigned n>
WAVEMMA_VECTOR HIP_vector_type<T, n> &operator--(HIP_vector_type<T, n> &a) {
  return a = a - T(1);
}

#define WAVEMMA_VECTOR_TYPE(name, T)                                                        \
  using name##1 = HIP_vector_type<T, 1>;                                                    \
  using name##2 = HIP_vector_type<T, 2>;                                                    \
  using name##3 = HIP_vector_type<T, 3>;                                                    \
  using name##4 = HIP_vector_type<T, 4>;                                                    \
  WAVEMMA_VECTOR name##1 make_##name##1(T x) { return name##1(x); }                         \
  WAVEMMA_VECTOR name##2 make_##name##2(T x, T y) { return name##2(x, y); }                 \
  WAVEMMA_VECTOR name##3 make_##name##3(T x, T y, T z) { return name##3(x, y, z); }         \
  WAVEMMA_VECTOR name##4 make_##name##4(T x, T y, T z, T w) { return name##4(x, y, z, w); }

#else
#define WAVEMMA_VECTOR_TYPE(name, T)  \
  typedef struct name##1 {            \
    T x;                              \
  } name##1;                          \
  typedef struct name##2 {            \
    T x, y;                           \
  } __attribute__((aligned(2 * sizeof(T)))) name##2; \
  typedef struct name##3 {            \
    T x, y, z;                        \
  } name##3;                          \
  typedef struct name##4 {            \
    T x, y, z, w;                     \
  } __attribute__((aligned(sizeof(T) > 4 ? 16 : 4 * sizeof(T)))) name##4;
#endif

WAVEMMA_VECTOR_TYPE(char, signed char)
WAVEMMA_VECTOR_TYPE(uchar, unsigned char)
WAVEMMA_VECTOR_TYPE(short, short)
WAVEMMA_VECTOR_TYPE(ushort, unsigned short)
WAVEMMA_VECTOR_TYPE(int, int)
WAVEMMA_VECTOR_TYPE(uint, unsigned int)
WAVEMMA_VECTOR_TYPE(long, long)
WAVEMMA_VECTOR_TYPE(ulong, unsigned long)
WAVEMMA_VECTOR_TYPE(longlong, long long)
WAVEMMA_VECTOR_TYPE(ulonglong, unsigned long long)
WAVEMMA_VECTOR_TYPE(float, float)
WAVEMMA_VECTOR_TYPE(double, double)
#undef WAVEMMA_VECTOR_TYPE
