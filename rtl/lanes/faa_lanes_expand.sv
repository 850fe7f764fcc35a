// SPDX-License-Identifier: Apache-2.0
//
// Inverse of faa_lanes_compact: each position gets the item below_i positions lower. A position
// that was not kept gets the item of the next kept one above it.
//
// Two binary digits per cycle, high digits first. Latency: (log2(Lanes) + 1) / 2 cycles.
// Throughput: one beat per cycle. It never stalls.

`include "faa_assert.svh"

module faa_lanes_expand #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned DataW = 32,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        valid_i,
  input  logic [Lanes-1:0][LaneW-1:0] below_i,
  input  logic [Lanes-1:0][DataW-1:0] data_i,

  output logic                        valid_o,
  output logic [Lanes-1:0][DataW-1:0] data_o
);

  localparam int unsigned Steps = (LaneW + 1) / 2;

  logic [Steps:0]              valid;
  logic [Steps-1:0]            valid_q;
  logic [Lanes-1:0][LaneW-1:0] way [Steps+1];
  logic [Lanes-1:0][DataW-1:0] data [Steps+1];

  assign valid   = {valid_q, valid_i};
  assign way[0]  = below_i;
  assign data[0] = data_i;
  assign valid_o = valid[Steps];
  assign data_o  = data[Steps];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid[Steps-1:0];
  end

  for (genvar s = 0; s < Steps; s++) begin : g_step
    localparam int unsigned Digit = 2 * (Steps - 1 - s);
    localparam int unsigned Unit  = 1 << Digit;

    for (genvar p = 0; p < Lanes; p++) begin : g_position
      logic [1:0]       digits;
      logic [DataW-1:0] next;

      if (Digit + 1 < LaneW) assign digits = way[s][p][Digit +: 2];
      else assign digits = {1'b0, way[s][p][Digit]};

      always_comb begin
        case (digits)
          2'd1: next = data[s][(p+Lanes-Unit)%Lanes];
          2'd2: next = data[s][(p+2*Lanes-2*Unit)%Lanes];
          2'd3: next = data[s][(p+3*Lanes-3*Unit)%Lanes];
          default: next = data[s][p];
        endcase
      end

      always_ff @(posedge clk_i) begin
        if (valid[s]) begin
          way[s+1][p]  <= way[s][p];
          data[s+1][p] <= next;
        end
      end
    end
  end

  logic unused;
  assign unused = ^way[Steps];

  // No item is below position 0.
  logic reached;
  always_comb begin
    reached = 1'b1;
    if (valid_i) begin
      for (int unsigned p = 0; p < Lanes; p++) if (32'(below_i[p]) > p) reached = 1'b0;
    end
  end
  `FAA_ASSERT(ways_stay_inside, reached)

endmodule
