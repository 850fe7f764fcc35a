// SPDX-License-Identifier: Apache-2.0
//
// Cuts a warp that is offered as a whole into beats of Lanes lanes, from lane 0 on.
//
// No latency; a beat per cycle. The warp stays until its last beat is taken. Stalls and hazards:
// none of its own.

`include "faa_assert.svh"

module faa_cu_cut #(
  parameter int unsigned Lanes = 32,     // 32, 16, 8 or 4
  parameter int unsigned Width = 64      // bits of a lane
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   valid_i,
  output logic                   ready_o,   // the last beat is taken
  input  logic [32*Width-1:0]    data_i,

  output logic                   valid_o,
  input  logic                   ready_i,
  output faa_cu_pkg::part_t      part_o,
  output logic [Lanes*Width-1:0] data_o
);

  localparam int unsigned Beats = 32 / Lanes;

  faa_cu_beats #(
    .Lanes(Lanes)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .step_i(valid_i && ready_i),
    .part_o
  );

  if (Beats == 1) begin : gen_whole
    assign data_o = data_i;
  end else begin : gen_cut
    logic [Beats-1:0][Lanes*Width-1:0] beats;
    assign beats  = data_i;
    assign data_o = beats[part_o.number[$clog2(Beats)-1:0]];
  end

  assign valid_o = valid_i;
  assign ready_o = ready_i && part_o.last;

  `FAA_ASSERT_NEXT(warp_stays, valid_i && !ready_o, valid_i)
  `FAA_COVER(further_beat, valid_i && part_o.number != 3'd0)

endmodule
