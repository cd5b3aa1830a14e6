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
template <bool condition, typename T_ = void> struct enabled {};
template <typename T_> struct enabled<true, T_> {
  using type = T_;
};
// The alignment of two and four numbers is their whole size; of three that of one.
constexpr unsigned long vector_align(unsigned long bytes, unsigned count) {
  return count == 3 ? bytes : (bytes * count > 16 ? 16 : bytes * count);
}
} // namespace wavemma_detail

template <typename T_, unsigned count> struct HIP_vector_type;

template <typename T_> struct alignas(sizeof(T_)) HIP_vector_type<T_, 1> {
  using value_type = T_;
  T_ x;
  HIP_vector_type() = default;
  WAVEMMA_MEMBER HIP_vector_type(T_ x_) : x(x_) {}
  WAVEMMA_MEMBER T_ &operator[](unsigned) { return x; }
  WAVEMMA_MEMBER const T_ &operator[](unsigned) const { return x; }
  template <typename F_> WAVEMMA_MEMBER HIP_vector_type map(F_ f, const HIP_vector_type &o) const {
    return HIP_vector_type(f(x, o.x));
  }
};

template <typename T_> struct alignas(wavemma_detail::vector_align(sizeof(T_), 2)) HIP_vector_type<T_, 2> {
  using value_type = T_;
  T_ x, y;
  HIP_vector_type() = default;
  WAVEMMA_MEMBER explicit HIP_vector_type(T_ all) : x(all), y(all) {}
  template <typename A_, typename B_>
  WAVEMMA_MEMBER HIP_vector_type(A_ x_, B_ y_) : x(static_cast<T_>(x_)), y(static_cast<T_>(y_)) {}
  WAVEMMA_MEMBER T_ &operator[](unsigned i) { return i == 0 ? x : y; }
  WAVEMMA_MEMBER const T_ &operator[](unsigned i) const { return i == 0 ? x : y; }
  template <typename F_> WAVEMMA_MEMBER HIP_vector_type map(F_ f, const HIP_vector_type &o) const {
    return HIP_vector_type(f(x, o.x), f(y, o.y));
  }
};

template <typename T_> struct HIP_vector_type<T_, 3> {
  using value_type = T_;
  T_ x, y, z;
  HIP_vector_type() = default;
  WAVEMMA_MEMBER explicit HIP_vector_type(T_ all) : x(all), y(all), z(all) {}
  template <typename A_, typename B_, typename C_>
  WAVEMMA_MEMBER HIP_vector_type(A_ x_, B_ y_, C_ z_)
      : x(static_cast<T_>(x_)), y(static_cast<T_>(y_)), z(static_cast<T_>(z_)) {}
  WAVEMMA_MEMBER T_ &operator[](unsigned i) { return i == 0 ? x : i == 1 ? y : z; }
  WAVEMMA_MEMBER const T_ &operator[](unsigned i) const { return i == 0 ? x : i == 1 ? y : z; }
  template <typename F_> WAVEMMA_MEMBER HIP_vector_type map(F_ f, const HIP_vector_type &o) const {
    return HIP_vector_type(f(x, o.x), f(y, o.y), f(z, o.z));
  }
};

template <typename T_> struct alignas(wavemma_detail::vector_align(sizeof(T_), 4)) HIP_vector_type<T_, 4> {
  using value_type = T_;
  T_ x, y, z, w;
  HIP_vector_type() = default;
  WAVEMMA_MEMBER explicit HIP_vector_type(T_ all) : x(all), y(all), z(all), w(all) {}
  template <typename A_, typename B_, typename C_, typename D_>
  WAVEMMA_MEMBER HIP_vector_type(A_ x_, B_ y_, C_ z_, D_ w_)
      : x(static_cast<T_>(x_)), y(static_cast<T_>(y_)), z(static_cast<T_>(z_)),
        w(static_cast<T_>(w_)) {}
  WAVEMMA_MEMBER T_ &operator[](unsigned i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  WAVEMMA_MEMBER const T_ &operator[](unsigned i) const {
    return i == 0 ? x : i == 1 ? y : i == 2 ? z : w;
  }
  template <typename F_> WAVEMMA_MEMBER HIP_vector_type map(F_ f, const HIP_vector_type &o) const {
    return HIP_vector_type(f(x, o.x), f(y, o.y), f(z, o.z), f(w, o.w));
  }
};

// A vector with a vector, and a vector with a number on either side.
#define WAVEMMA_VECTOR_OPERATOR(op, name)                                                       \
  namespace wavemma_detail {                                                                    \
  struct name {                                                                                 \
    template <typename T_> WAVEMMA_MEMBER T_ operator()(T_ a, T_ b) const {                         \
      return static_cast<T_>(a op b);                                                            \
    }                                                                                           \
  };                                                                                            \
  }                                                                                             \
  template <typename T_, unsigned n>                                                             \
  WAVEMMA_VECTOR HIP_vector_type<T_, n> operator op(const HIP_vector_type<T_, n> &a,              \
                                                   const HIP_vector_type<T_, n> &b) {            \
    return a.map(wavemma_detail::name{}, b);                                                    \
  }                                                                                             \
  template <typename T_, unsigned n, typename U_,                                                 \
            typename = typename wavemma_detail::enabled<__is_arithmetic(U_)>::type>              \
  WAVEMMA_VECTOR HIP_vector_type<T_, n> operator op(const HIP_vector_type<T_, n> &a, U_ b) {       \
    return a.map(wavemma_detail::name{}, HIP_vector_type<T_, n>(static_cast<T_>(b)));             \
  }                                                                                             \
  template <typename T_, unsigned n, typename U_,                                                 \
            typename = typename wavemma_detail::enabled<__is_arithmetic(U_)>::type>              \
  WAVEMMA_VECTOR HIP_vector_type<T_, n> operator op(U_ a, const HIP_vector_type<T_, n> &b) {       \
    return HIP_vector_type<T_, n>(static_cast<T_>(a)).map(wavemma_detail::name{}, b);             \
  }                                                                                             \
  template <typename T_, unsigned n, typename U_>                                                 \
  WAVEMMA_VECTOR HIP_vector_type<T_, n> &operator op##=(HIP_vector_type<T_, n> &a, const U_ &b) {  \
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

template <typename T_, unsigned n>
WAVEMMA_VECTOR HIP_vector_type<T_, n> operator-(const HIP_vector_type<T_, n> &a) {
  return HIP_vector_type<T_, n>(static_cast<T_>(-0.0)) - a;
}
template <typename T_, unsigned n>
WAVEMMA_VECTOR HIP_vector_type<T_, n> operator+(const HIP_vector_type<T_, n> &a) {
  return a;
}
template <typename T_, unsigned n>
WAVEMMA_VECTOR HIP_vector_type<T_, n> operator~(const HIP_vector_type<T_, n> &a) {
  return a ^ HIP_vector_type<T_, n>(static_cast<T_>(~T_(0)));
}
template <typename T_, unsigned n>
WAVEMMA_VECTOR bool operator==(const HIP_vector_type<T_, n> &a, const HIP_vector_type<T_, n> &b) {
  for (unsigned i = 0; i < n; ++i)
    if (!(a[i] == b[i]))
      return false;
  return true;
}
template <typename T_, unsigned n>
WAVEMMA_VECTOR bool operator!=(const HIP_vector_type<T_, n> &a, const HIP_vector_type<T_, n> &b) {
  return !(a == b);
}
template <typename T_, unsigned n>
WAVEMMA_VECTOR HIP_vector_type<T_, n> &operator++(HIP_vector_type<T_, n> &a) {
  return a = a + T_(1);
}
template <typename T_, unsigned n>
WAVEMMA_VECTOR HIP_vector_type<T_, n> &operator--(HIP_vector_type<T_, n> &a) {
  return a = a - T_(1);
}

#define WAVEMMA_VECTOR_TYPE(name, T_)                                                        \
  using name##1 = HIP_vector_type<T_, 1>;                                                    \
  using name##2 = HIP_vector_type<T_, 2>;                                                    \
  using name##3 = HIP_vector_type<T_, 3>;                                                    \
  using name##4 = HIP_vector_type<T_, 4>;                                                    \
  WAVEMMA_VECTOR name##1 make_##name##1(T_ x) { return name##1(x); }                         \
  WAVEMMA_VECTOR name##2 make_##name##2(T_ x, T_ y) { return name##2(x, y); }                 \
  WAVEMMA_VECTOR name##3 make_##name##3(T_ x, T_ y, T_ z) { return name##3(x, y, z); }         \
  WAVEMMA_VECTOR name##4 make_##name##4(T_ x, T_ y, T_ z, T_ w) { return name##4(x, y, z, w); }

#else
#define WAVEMMA_VECTOR_TYPE(name, T_)  \
  typedef struct name##1 {            \
    T_ x;                              \
  } name##1;                          \
  typedef struct name##2 {            \
    T_ x, y;                           \
  } __attribute__((aligned(2 * sizeof(T_)))) name##2; \
  typedef struct name##3 {            \
    T_ x, y, z;                        \
  } name##3;                          \
  typedef struct name##4 {            \
    T_ x, y, z, w;                     \
  } __attribute__((aligned(sizeof(T_) > 4 ? 16 : 4 * sizeof(T_)))) name##4;
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
