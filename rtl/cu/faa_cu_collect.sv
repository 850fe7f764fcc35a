// SPDX-License-Identifier: Apache-2.0
//
// Assembles the beats of a warp, for a module that takes warps as a whole: earlier beats are kept
// here until the last one, which passes through, is offered.
//
// No latency; a beat per cycle. Stalls and hazards: none of its own; flush_i drops the beats kept.

`include "faa_assert.svh"

module faa_cu_collect #(
  parameter int unsigned Lanes = 32,     // 32, 16, 8 or 4
  parameter int unsigned Width = 64      // bits of a lane
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   flush_i,
  input  logic                   valid_i,
  output logic                   ready_o,
  input  faa_cu_pkg::part_t      part_i,
  input  logic [Lanes*Width-1:0] data_i,

  output logic                   valid_o,
  input  logic                   ready_i,
  output logic [32*Width-1:0]    data_o
);

  localparam int unsigned Beats = 32 / Lanes;

  assign valid_o = valid_i && part_i.last;
  assign ready_o = ready_i || !part_i.last;

  for (genvar n = 0; n < Beats; n++) begin : g_beat
    if (n == Beats - 1) begin : g_last
      assign data_o[n*Lanes*Width +: Lanes*Width] = data_i;
    end else begin : g_kept
      logic [Lanes*Width-1:0] data_q;
      always_ff @(posedge clk_i) if (valid_i && part_i.number == 3'(n)) data_q <= data_i;
      assign data_o[n*Lanes*Width +: Lanes*Width] = data_q;
    end
  end

  faa_cu_pkg::beat_no_t next_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) next_q <= 3'd0;
    else if (valid_i && ready_o) next_q <= part_i.last ? 3'd0 : next_q + 3'd1;
  end

  `FAA_ASSERT(beats_in_order, !valid_i || flush_i || part_i.number == next_q)

endmodule
