// SPDX-License-Identifier: Apache-2.0
//
// CLEAN and FLUSH: writes every dirty line back, drops all lines (FLUSH), and gives done when
// memory has acknowledged all writes. EVICT: the same for the one line that has been looked up.
//
// run_i is held until done_o. Waits until quiet_i (no operation waits for a line, none is in R),
// then reads the sets of the blocks that may have dirty lines, one per cycle and eviction; a block
// of 16 sets without them takes a cycle. evict_o requests the eviction of the lowest dirty way of
// the set that was read. At last it waits for settled_i: all lines are written. The set of an EVICT
// has been read already, for its line. With Late the result of a read is known in the third cycle
// after it, the effect of an eviction in the second, and no set is read in the cycle of an
// eviction.

`include "faa_assert.svh"

module faa_l2_sweep #(
  parameter int unsigned Sets = 256,
  parameter bit Late = 1'b0,
  localparam int unsigned SetW = $clog2(Sets),
  localparam int unsigned Block = Sets < 16 ? Sets : 16,
  localparam int unsigned Blocks = Sets / Block
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic            run_i,
  input  logic            flush_i,
  input  logic            line_i,         // EVICT
  input  logic            line_dirty_i,   // the line is there, and dirty
  output logic            done_o,

  input  logic            quiet_i,
  input  logic            settled_i,
  input  logic [Blocks-1:0] dirty_blocks_i,
  output logic            sweeping_o,     // the tags are the sweep's
  output logic            walks_o,        // it reads sets, or waits with one
  output logic            read_o,
  output logic [SetW-1:0] read_set_o,
  output logic            evict_o,
  input  logic            evict_ready_i,
  input  logic            dirty_i,        // a way of the set that was read is dirty (not of a line)
  input  logic            more_i,         // ... and another one
  output logic            invalidate_o
);

  localparam int unsigned BlockW = $clog2(Block);

  localparam logic [1:0] IDLE = 2'd0, VISIT = 2'd1, EVICT = 2'd2, SETTLE = 2'd3;

  logic [1:0]      state_q, state_d;
  logic [SetW:0]   set_q, set_d;
  logic            block_dirty, evicted, next;
  // The set was read one or two cycles ago, or changed one cycle ago; it was read one cycle ago.
  logic            new_q, read_q;

  assign evicted     = evict_o && evict_ready_i;
  assign next        = state_q == VISIT || (state_q == EVICT && !new_q && !dirty_i) ||
                       (!Late && evicted && !more_i);
  // A line that was dirty stays dirty.
  assign evict_o     = state_q == EVICT && !new_q && (line_i || dirty_i);
  assign sweeping_o  = state_q != IDLE;
  assign walks_o     = state_q == VISIT || state_q == EVICT;
  assign read_set_o  = set_q[SetW-1:0];
  assign done_o      = state_q == SETTLE && settled_i;
  assign invalidate_o = done_o && (flush_i || line_i);

  assign block_dirty = dirty_blocks_i[32'(set_q[SetW-1:0]) / Block];

  // In VISIT, and when a set has no further line to evict, set_q is the next set to visit.
  always_comb begin
    state_d = state_q;
    set_d   = set_q;
    read_o  = 1'b0;
    if (state_q == IDLE) begin
      set_d = '0;
      if (run_i && quiet_i) state_d = !line_i ? VISIT : line_dirty_i ? EVICT : SETTLE;
    end else if (state_q == SETTLE) begin
      if (settled_i) state_d = IDLE;
    end else if (line_i) begin
      if (evicted) state_d = SETTLE;
    end else if (next) begin
      state_d = VISIT;
      if (set_q[SetW]) begin
        state_d = SETTLE;
      end else if (block_dirty) begin
        read_o  = 1'b1;
        state_d = EVICT;
        set_d   = set_q + (SetW+1)'(1);
      end else begin
        set_d = set_q + (SetW+1)'(Block);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
    end else begin
      state_q <= state_d;
    end
    set_q <= set_d;
    new_q <= Late && (read_o || read_q || evicted);
    read_q <= read_o;
  end
  logic unused;
  assign unused = Late ? more_i : read_q;

  `FAA_ASSERT(sweep_runs, run_i || !sweeping_o)
  `FAA_ASSERT(sweep_walks, walks_o || !read_o)
  `FAA_COVER(hazard_h12, run_i && !quiet_i)
  `FAA_COVER(evict_dirty, evicted && line_i)
  `FAA_COVER(evict_clean, state_q == IDLE && run_i && quiet_i && line_i && !line_dirty_i)
  `FAA_COVER(hazard_h13, state_q == SETTLE && !settled_i)
  `FAA_COVER(sweep_several_ways, evicted && more_i)
  `FAA_ASSERT(sweep_blocks, !(next && !line_i && !set_q[SetW] && !block_dirty) ||
              set_q[BlockW-1:0] == '0)
  `FAA_COVER(sweep_skips, next && !line_i && !set_q[SetW] && !block_dirty)
  `FAA_COVER(sweep_clean_set, state_q == EVICT && !dirty_i)

endmodule
