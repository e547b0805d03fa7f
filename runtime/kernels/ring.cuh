// ring.cuh: the tiles of a large array, drawn by ticket and copied into a ring of stages in shared memory. sm_90 and later.
//
// Promises: a batch of TILES tiles stands in its stage, one plain parameter behind the other, once `landed` says so, and
// until all READERS warps have told `free`; a batch that is not whole is read from where it is. One warp fetches, and
// draws no ticket before a stage is free for it. A batch past the end tells every role to stop.
#pragma once

namespace wf {

template <class Spec, class Order, Load LOAD, int TILES, int STAGES, int BYTES, bool REVERSE> struct Ring {
  static constexpr u32 ELEMENTS = TILES * Order::size, STAGE = ELEMENTS * BYTES;
  // What is kept of a batch is still read when its stage holds the next: twice as many places.
  static constexpr u32 PLACES = 2 * STAGES;
  static_assert(Order::lanes == 32, "a warp takes a tile");

  const typename Spec::Args& args;
  const u64 cols;
  u32* const tickets;
  // Shared: by stage, then by place.
  char* const stages;
  Barrier *const landed, *const free;
  u64* const batch_at;

  WF_FN u64 tiles() const { return (cols + Order::size - 1) / Order::size; }
  WF_FN u64 batches() const { return (cols + ELEMENTS - 1) / ELEMENTS; }
  WF_FN bool whole(u64 batch) const { return (batch + 1) * ELEMENTS <= cols; }

  // One thread.
  WF_FN void begin(u32 readers) const {
    for (u32 s = 0; s < STAGES; s++) {
      landed[s].begin(1);
      free[s].begin(readers);
    }
  }

  // One lane.
  WF_FN void fetch() const {
    u32 next = add_relaxed(tickets, 1);
#pragma unroll 1
    for (u32 turn = 0;; turn++) {
      const u32 s = turn % STAGES;
      free[s].wait((turn / STAGES & 1) ^ 1);
      const u64 batch = next;
      batch_at[turn % PLACES] = batch;
      if (batch < batches() && whole(batch)) {
        landed[s].expect(STAGE);
        const u64 first = REVERSE ? cols - (batch + 1) * ELEMENTS : batch * ELEMENTS;
        Spec::template items<Order::v>(args, StageCopier<ELEMENTS>{first, landed[s], stages + s * STAGE});
      } else {
        landed[s].arrive();
      }
      if (batch >= batches()) break;
      next = add_relaxed(tickets, 1);
    }
  }

  // Some turns of tile `tile` of a batch, from `turn` on.
  WF_FN Spot spot(u64 batch, u32 tile, u32 turn) const {
    const u64 start = (batch * TILES + tile) * Order::size + turn * Order::turn;
    return {0, start, cols, cols, start < cols};
  }
  template <class Turns, bool WHOLE> WF_FN void read(Tile<Spec, Turns>& to, const Spot& spot, int left, u32 stage, u32 tile, u32 turn) const {
    if constexpr (WHOLE) {
#pragma unroll
      for (int t = 0; t < Turns::turns; t++) {
        const u32 first = tile * Order::size + turn * Order::turn + static_cast<u32>(slot_zero<Turns>(t));
        to.items[t] = Spec::template items<Order::v>(args, StageReader<ELEMENTS, REVERSE>{first, stages + stage * STAGE});
      }
    } else {
      read_tile<Spec, Turns, LOAD, REVERSE>(to, args, spot, left);
    }
  }
};

}  // namespace wf
