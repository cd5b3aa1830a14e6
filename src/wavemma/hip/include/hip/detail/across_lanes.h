// Values of other lanes of the wave.
#pragma once

namespace wavemma_detail {
// Any type of whole 32-bit words, or less than one word, moved word by word.
template <typename T_, typename Move> WAVEMMA_DEVICE T_ moved(T_ value, Move move) {
  constexpr unsigned count = (sizeof(T_) + 3) / 4;
  unsigned words[count] = {};
  __builtin_memcpy(words, &value, sizeof(T_));
  for (unsigned i = 0; i < count; ++i)
    words[i] = move(words[i]);
  __builtin_memcpy(&value, words, sizeof(T_));
  return value;
}
WAVEMMA_DEVICE unsigned from_lane(unsigned word, int lane) {
  int found = __builtin_amdgcn_ds_bpermute(lane << 2, (int)word);
#if defined(__GFX11__)
  // Lanes move among 32 of them there: what the other half has comes through a swap of halves.
  if (__builtin_amdgcn_wavefrontsize() == 64) {
    int other = __builtin_amdgcn_ds_bpermute(lane << 2, (int)__builtin_amdgcn_permlane64(word));
    found = (lane ^ (int)__lane_id()) & 32 ? other : found;
  }
#endif
  return (unsigned)found;
}
template <typename T_> WAVEMMA_DEVICE T_ from_lane_of(T_ value, int lane) {
  return moved(value, [=](unsigned word) { return from_lane(word, lane); });
}
} // namespace wavemma_detail

template <typename T_> WAVEMMA_DEVICE T_ __shfl(T_ value, int lane, int width = warpSize) {
  int self = (int)__lane_id();
  return wavemma_detail::from_lane_of(value, (lane & (width - 1)) + (self & ~(width - 1)));
}
template <typename T_> WAVEMMA_DEVICE T_ __shfl_up(T_ value, unsigned delta, int width = warpSize) {
  int self = (int)__lane_id();
  int other = self - (int)delta;
  return wavemma_detail::from_lane_of(value, other < (self & ~(width - 1)) ? self : other);
}
template <typename T_> WAVEMMA_DEVICE T_ __shfl_down(T_ value, unsigned delta, int width = warpSize) {
  int self = (int)__lane_id();
  int other = self + (int)delta;
  return wavemma_detail::from_lane_of(value,
                                      (self & (width - 1)) + (int)delta >= width ? self : other);
}
template <typename T_> WAVEMMA_DEVICE T_ __shfl_xor(T_ value, int mask, int width = warpSize) {
  int self = (int)__lane_id();
  int other = self ^ mask;
  return wavemma_detail::from_lane_of(value,
                                      other >= ((self + width) & ~(width - 1)) ? self : other);
}
template <typename M_, typename T_>
WAVEMMA_DEVICE T_ __shfl_sync(M_, T_ value, int lane, int width = warpSize) {
  return __shfl(value, lane, width);
}
template <typename M_, typename T_>
WAVEMMA_DEVICE T_ __shfl_up_sync(M_, T_ value, unsigned delta, int width = warpSize) {
  return __shfl_up(value, delta, width);
}
template <typename M_, typename T_>
WAVEMMA_DEVICE T_ __shfl_down_sync(M_, T_ value, unsigned delta, int width = warpSize) {
  return __shfl_down(value, delta, width);
}
template <typename M_, typename T_>
WAVEMMA_DEVICE T_ __shfl_xor_sync(M_, T_ value, int mask, int width = warpSize) {
  return __shfl_xor(value, mask, width);
}

WAVEMMA_DEVICE unsigned long long __ballot(int predicate) {
  return __builtin_amdgcn_ballot_w64(predicate != 0);
}
WAVEMMA_DEVICE unsigned long long __ballot64(int predicate) { return __ballot(predicate); }
WAVEMMA_DEVICE unsigned long long __activemask() { return __ballot(1); }
WAVEMMA_DEVICE int __any(int predicate) { return __ballot(predicate) != 0; }
WAVEMMA_DEVICE int __all(int predicate) { return __ballot(predicate) == __activemask(); }
template <typename M_> WAVEMMA_DEVICE unsigned long long __ballot_sync(M_ mask, int predicate) {
  return __ballot(predicate) & mask;
}
template <typename M_> WAVEMMA_DEVICE int __any_sync(M_ mask, int predicate) {
  return (__ballot(predicate) & mask) != 0;
}
template <typename M_> WAVEMMA_DEVICE int __all_sync(M_ mask, int predicate) {
  return (__ballot(predicate) & mask) == (__activemask() & mask);
}
template <typename T_>
WAVEMMA_DEVICE unsigned long long __match_any(T_ value) {
  unsigned long long left = __activemask(), same = 0;
  while (left) {
    int leader = __builtin_ctzll(left);
    T_ theirs = wavemma_detail::from_lane_of(value, leader);
    unsigned long long equal = __ballot(theirs == value) & left;
    if (theirs == value)
      same = equal;
    left &= ~equal;
  }
  return same;
}
template <typename T_> WAVEMMA_DEVICE unsigned long long __match_all(T_ value, int *same) {
  unsigned long long lanes = __activemask();
  T_ theirs = wavemma_detail::from_lane_of(value, __builtin_ctzll(lanes));
  *same = __ballot(theirs == value) == lanes;
  return *same ? lanes : 0;
}
// The mask must be the lanes that come here, as hardware has no other way.
template <typename M_, typename T_>
WAVEMMA_DEVICE unsigned long long __match_any_sync(M_ mask, T_ value) {
  return __match_any(value) & mask;
}
template <typename M_, typename T_>
WAVEMMA_DEVICE unsigned long long __match_all_sync(M_ mask, T_ value, int *same) {
  return __match_all(value, same) & mask;
}
WAVEMMA_DEVICE unsigned long long __lanemask_eq() { return 1ull << __lane_id(); }
WAVEMMA_DEVICE unsigned long long __lanemask_lt() { return __lanemask_eq() - 1; }
WAVEMMA_DEVICE unsigned long long __lanemask_le() { return __lanemask_lt() | __lanemask_eq(); }
WAVEMMA_DEVICE unsigned long long __lanemask_gt() { return ~__lanemask_le(); }
WAVEMMA_DEVICE unsigned long long __lanemask_ge() { return ~__lanemask_lt(); }
// One number of all lanes of a mask, which must be lanes that come here.
#define WAVEMMA_REDUCE(name, joined)                              \
  template <typename M_, typename T_>                             \
  WAVEMMA_DEVICE T_ __reduce_##name##_sync(M_ mask, T_ value) {   \
    unsigned long long left = (unsigned long long)mask;           \
    T_ a = wavemma_detail::from_lane_of(value, __builtin_ctzll(left)); \
    while (left &= left - 1) {                                    \
      T_ b = wavemma_detail::from_lane_of(value, __builtin_ctzll(left)); \
      a = joined;                                                 \
    }                                                             \
    return a;                                                     \
  }
WAVEMMA_REDUCE(add, a + b)
WAVEMMA_REDUCE(min, b < a ? b : a)
WAVEMMA_REDUCE(max, a < b ? b : a)
WAVEMMA_REDUCE(and, a & b)
WAVEMMA_REDUCE(or, a | b)
WAVEMMA_REDUCE(xor, a ^ b)
#undef WAVEMMA_REDUCE
template <typename T_> WAVEMMA_DEVICE T_ __ldg(const T_ *place) { return *place; }

WAVEMMA_DEVICE int __hip_ds_bpermute(int index, int value) {
  return __builtin_amdgcn_ds_bpermute(index, value);
}
WAVEMMA_DEVICE float __hip_ds_bpermutef(int index, float value) {
  return __int_as_float(__builtin_amdgcn_ds_bpermute(index, __float_as_int(value)));
}
WAVEMMA_DEVICE int __hip_ds_permute(int index, int value) {
  return __builtin_amdgcn_ds_permute(index, value);
}
template <int pattern> WAVEMMA_DEVICE int __hip_ds_swizzle_N(int value) {
  return __builtin_amdgcn_ds_swizzle(value, pattern);
}
#define __hip_ds_swizzle(value, pattern) __hip_ds_swizzle_N<(pattern)>(value)
template <int control, int rows, int banks, bool zero>
WAVEMMA_DEVICE int __hip_move_dpp_N(int value) {
  return __builtin_amdgcn_mov_dpp(value, control, rows, banks, zero);
}
#define __hip_move_dpp(value, control, rows, banks, zero) \
  __hip_move_dpp_N<(control), (rows), (banks), (zero)>(value)
