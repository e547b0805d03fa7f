// Reductions and scans of a block, over emitted specs: blocks of every number of threads up to 100 and some larger, one
// call after another without a barrier in between. The operator does not commute and is exact, so that any mistake of
// order shows. The emulator refuses a mask that names a lane which does not exist.
#include "check.hpp"
#include "../../runtime/kernels/scalar.cuh"
#include "../../runtime/kernels/half.cuh"
#include "../../runtime/kernels/math.cuh"
#include "../../runtime/kernels/shuffle.cuh"
#include "../../runtime/kernels/ops.cuh"
#include "../../runtime/kernels/block.cuh"
#define wf_spec affine_spec
#include "../../codegen/tests/goldens/affine.cu"
#undef wf_spec
#define wf_spec affine_back_spec
#include "../../codegen/tests/goldens/affine_back.cu"
#undef wf_spec

using State = wf::Tuple<wf::u32, wf::u32>;

static State element(unsigned call, unsigned i) { return {random_bits(call * 5000 + i) | 1u, random_bits(call * 7000 + i)}; }

// What a thread must get, one state after the other.
template <class Spec> static State expected(unsigned call, unsigned threads, unsigned i) {
  State s = Spec::identity();
  for (unsigned k = 0; k < threads; k++) {
    const unsigned at = Spec::reverse ? threads - 1 - k : k;
    if (Spec::exclusive && at == i) return s;
    s = Spec::combine(s, element(call, at));
    if (!Spec::exclusive && at == i) return s;
  }
  return s;
}

template <class Spec> static void blocks(unsigned threads) {
  constexpr unsigned CALLS = 3;
  std::vector<State> totals(threads * CALLS), scans(threads * CALLS);
  emulator::launch(1, threads, 1, [&] {
    const unsigned i = threadIdx.x;
    for (unsigned call = 0; call < CALLS; call++) {
      totals[call * threads + i] = wf::block_reduce<Spec>(element(call, i));
      scans[call * threads + i] = wf::block_scan<Spec>(element(call, i));
    }
  });
  for (unsigned call = 0; call < CALLS; call++) {
    State all = Spec::identity();
    for (unsigned i = 0; i < threads; i++) all = Spec::combine(all, element(call, i));
    for (unsigned i = 0; i < threads; i++) {
      const State want = expected<Spec>(call, threads, i);
      CHECK(same(totals[call * threads + i], all), "reduce, %u threads, call %u, thread %u", threads, call, i);
      CHECK(same(scans[call * threads + i], want), "scan, %u threads, call %u, thread %u", threads, call, i);
    }
  }
}

int main() {
  for (unsigned threads = 1; threads <= 100; threads++) {
    blocks<affine_spec::Spec>(threads);
    blocks<affine_back_spec::Spec>(threads);
  }
  for (unsigned threads : {256u, 1000u, 1023u, 1024u}) {
    blocks<affine_spec::Spec>(threads);
    blocks<affine_back_spec::Spec>(threads);
  }
  std::printf("%ld checks\n", checks);
}
