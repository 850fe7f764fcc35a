// SPDX-License-Identifier: Apache-2.0
//
// Offers a warp in beats from RAMs that have the rows of two warps: the beats of one are offered
// while the rows of the next one are written. Used in builds of fewer than 32 lanes.
//
// Latency: 1 cycle, that of the RAMs. Throughput: a beat per cycle, also from warp to warp. Stalls
// and hazards: none of its own; flush_i drops the warp that is offered.

`include "faa_assert.svh"

module faa_cu_deal #(
  parameter int unsigned Lanes = 8,       // of a beat: 16, 8 or 4
  localparam int unsigned BeatW = $clog2(32 / Lanes)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              flush_i,

  // The rows of a warp are complete; no warp is being offered, or its last beat is taken
  input  logic              begin_i,
  output logic              busy_o,
  output logic              done_o,        // the last beat is taken
  output logic              all_read_o,    // with busy_o: the rows are free for another warp
  output logic              near_end_o,    // with busy_o: one row at most has not been read

  // The RAMs: the half that the next begin_i reads, and the row of the current warp that is read
  output logic              next_warp_o,
  output logic              read_o,
  output logic              read_warp_o,
  output logic [BeatW-1:0]  read_beat_o,

  // A beat, which the RAMs show
  output logic              valid_o,
  input  logic              ready_i,
  output faa_cu_pkg::part_t part_o
);

  logic           in_q, out_q;
  logic [BeatW:0] next_q;   // the beat that is read next

  assign done_o       = valid_o && ready_i && part_o.last;
  assign all_read_o   = next_q[BeatW];
  assign near_end_o   = next_q[BeatW] || next_q[BeatW-1:0] == '1;
  assign read_o       = begin_i || (busy_o && !next_q[BeatW] && (!valid_o || ready_i));
  assign read_beat_o  = begin_i ? '0 : next_q[BeatW-1:0];
  assign read_warp_o  = begin_i ? in_q : out_q;
  assign next_warp_o  = in_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) begin
      busy_o  <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      if (begin_i) busy_o <= 1'b1;
      else if (done_o) busy_o <= 1'b0;
      if (read_o) valid_o <= 1'b1;
      else if (ready_i) valid_o <= 1'b0;
    end
    if (!rst_ni) in_q <= 1'b0;
    else if (begin_i) in_q <= !in_q;
    if (begin_i) out_q <= in_q;
    if (read_o) begin
      next_q        <= {1'b0, read_beat_o} + (BeatW+1)'(1);
      part_o.number <= 3'(read_beat_o);
      part_o.last   <= read_beat_o == '1;
    end
  end

  `FAA_ASSERT(begins_at_rest, !begin_i || !busy_o || done_o || flush_i)
  `FAA_ASSERT(beat_of_a_warp, !valid_o || busy_o)
  `FAA_COVER(warps_without_a_gap, begin_i && busy_o)

endmodule
