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

}  // namespace wf
