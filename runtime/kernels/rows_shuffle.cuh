// rows_shuffle.cuh: what each element's lane receives from another lane of its group.
//
//   rows_shuffle<Spec, WIDTH, SETS>(args, results, shape)
//     rows of any number of columns, group of WIDTH columns by group; SETS * 32 columns a warp in flight. A lane whose
//     source is past the end of the group or of the row keeps its own value. In place is allowed. rows, cols >= 1;
//     rows * ceil(cols / 32) < 2^63. Grid: any; warps take pieces in strides of the grid.
#pragma once

namespace wf {

template <class Spec, int WIDTH, int SETS>
WF_FN void rows_shuffle(const typename Spec::Args& args, const typename Spec::Results& results, const RowShape& shape) {
  const u64 pieces = (shape.cols + 31) / 32, all = shape.rows * pieces;
  const u64 warps = static_cast<u64>(gridDim.x) * (blockDim.x / 32);
  const u64 first = (static_cast<u64>(blockIdx.x) * (blockDim.x / 32) + warp_in_block()) * SETS;
#pragma unroll 1
  for (u64 piece = first; piece < all; piece += warps * SETS) {
    typename Spec::template Items<1> items[SETS];
    typename Spec::template Columns<1> columns[SETS];
    u64 rows[SETS], at[SETS];
#pragma unroll
    for (int k = 0; k < SETS; k++) {
      const u64 p = least(piece + k, all - 1);
      rows[k] = p / pieces;
      at[k] = p % pieces * 32 + lane();
      const bool exists = at[k] < shape.cols;
      items[k] = Spec::template items<1>(args, Element{rows[k] * shape.stride + at[k], exists});
      columns[k] = Spec::template columns<1>(args, Element{at[k], exists});
    }
#pragma unroll
    for (int k = 0; k < SETS; k++) {
      const typename Spec::Row row = Spec::row(args, rows[k], shape.cols);
      const u64 group = at[k] / WIDTH * WIDTH;
      const u32 live = group < shape.cols ? static_cast<u32>(least(shape.cols - group, WIDTH)) : 0;
      const auto own = Spec::template map<1>(items[k], columns[k], 0, row, args, at[k]);
      const typename Spec::Result one[1] = {Spec::exchange(own, Width<WIDTH>{}, live)};
      if (at[k] < shape.cols && piece + k < all) Spec::template store<1>(results, one, One{rows[k] * shape.out_stride + at[k]});
    }
  }
}

}  // namespace wf
