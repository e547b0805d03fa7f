// segments.cuh: where segments start, and which segment an element is of.
//
// Promises: offsets that fall or pass the end are cut off, so that nothing outside is read.
#pragma once

namespace wf {

// An offset, cut off at the ends.
template <class Offset> WF_FN u64 offset_within(Offset at, u64 elements) { return at < Offset(0) ? 0 : least(static_cast<u64>(at), elements); }
template <class Offset> WF_FN u64 offset_at(const Offset* offsets, u64 i, u64 elements) { return offset_within(offsets[i], elements); }

// The first of the offsets from `low` up to `high` that lies past `position`.
template <class Offset> WF_FN u64 offset_past(const Offset* offsets, u64 low, u64 high, u64 position, u64 elements) {
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if (offset_at(offsets, middle, elements) <= position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Brings elements `first` up to `first + count` of each parameter into the L2 cache, for whoever reads them soon: what they wait
// for is then as near as that. One thread calls. Whole pieces of 16 bytes, so that nothing outside is touched.
struct Bringer {
  u64 first, count;
  template <int V, class T> WF_FN Pack<T, V> get(const T* base) const {
    const u64 begin = (reinterpret_cast<u64>(base + first) + 15) / 16 * 16, end = reinterpret_cast<u64>(base + (first + count)) / 16 * 16;
    if (end > begin) prefetch(begin, static_cast<u32>(end - begin));
    return {};
  }
};
template <class Spec> WF_FN void bring(const typename Spec::Args& args, u64 first, u64 count) { (void)Spec::template items<1>(args, Bringer{first, count}); }

}  // namespace wf
