// SPDX-License-Identifier: Apache-2.0
//
// Stage R: answers go from their positions to their lanes, and the beats of a warp are put together.
//
// Latency: 1 cycle. Throughput: one beat per cycle.

`include "faa_assert.svh"

module faa_global_return #(
  parameter int unsigned Lanes = 32
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic                  first_i,    // first and last beat of the warp
  input  logic                  last_i,
  input  logic [Lanes*32-1:0]   place_i,
  input  logic [Lanes*32-1:0]   low_i,
  input  logic [Lanes*32-1:0]   high_i,

  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [2047:0]         result_o
);

  localparam int unsigned Beats = 32 / Lanes;
  localparam int unsigned LaneW = $clog2(Lanes);

  logic                   valid_q, take;
  logic [1:0]             number_q;
  logic [LaneW*Lanes-1:0] position;   // bit b of lane l's position at b * Lanes + l
  logic [Lanes-1:0]       lane;
  logic [Lanes*64-1:0]    part;

  assign ready_o = !valid_q || ready_i;
  assign take    = valid_i && ready_o;
  assign valid_o = valid_q;

  // Where each lane is, for all lanes at once. Inactive lanes have a position too; it holds 0.
  always_comb begin
    position = '0;
    lane     = '0;
    if (take) begin
      for (int p = 0; p < Lanes; p++) begin
        lane = Lanes'(1) << place_i[p*32 + faa_shared_pkg::PLACE_LANE +: LaneW];
        for (int b = 0; b < LaneW; b++) begin
          if (((p >> b) & 1) != 0) position[b*Lanes +: Lanes] = position[b*Lanes +: Lanes] | lane;
        end
      end
    end
  end

  logic [LaneW-1:0] at;
  always_comb begin
    part = '0;
    at   = '0;
    if (take) begin
      for (int l = 0; l < Lanes; l++) begin
        for (int b = 0; b < LaneW; b++) at[b] = position[b*Lanes + l];
        part[l*64 +: 32]      = low_i[{at, 5'b0} +: 32];
        part[l*64 + 32 +: 32] = high_i[{at, 5'b0} +: 32];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      number_q <= 2'd0;
    end else if (ready_o) begin
      valid_q <= valid_i && last_i;
      if (valid_i) number_q <= last_i ? 2'd0 : number_q + 2'd1;
    end
  end

  for (genvar n = 0; n < Beats; n++) begin : g_part
    always_ff @(posedge clk_i) if (take && number_q == 2'(n)) result_o[n*Lanes*64 +: Lanes*64] <= part;
  end

  `FAA_ASSERT(beats_in_order, !take || (first_i == (number_q == 2'd0)))

endmodule
