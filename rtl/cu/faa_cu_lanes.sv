// SPDX-License-Identifier: Apache-2.0
//
// An affine sequence: base + lane * step modulo 2^Width for each lane. Combinational.
//
// The multiple for an even lane is that of half the lane, shifted. The multiple for an odd lane is
// one adder away from the nearest power of two. So there are Lanes / 2 - 1 adders for the
// multiples, at most two in series, and one more per lane for the base.

module faa_cu_lanes #(
  parameter int unsigned Lanes = 32,   // a power of two
  parameter int unsigned Width = 64
) (
  input  logic [Width-1:0]       base_i,
  input  logic [Width-1:0]       step_i,
  output logic [Lanes*Width-1:0] value_o
);

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    // The powers of two at or below the lane, and above it
    localparam int unsigned Log   = l == 0 ? 0 : $clog2(l + 1) - 1;
    localparam int unsigned Above = l - (1 << Log);
    localparam int unsigned Below = (2 << Log) - l;
    logic [Width-1:0] multiple;

    if (l == 0) begin : g_none
      assign multiple = '0;
    end else if (l == 1) begin : g_one
      assign multiple = step_i;
    end else if (l % 2 == 0) begin : g_even
      assign multiple = g_lane[l/2].multiple << 1;
    end else if (Above <= Below) begin : g_above
      assign multiple = (step_i << Log) + g_lane[Above].multiple;
    end else begin : g_below
      assign multiple = (step_i << (Log + 1)) - g_lane[Below].multiple;
    end
    assign value_o[l*Width +: Width] = base_i + multiple;
  end

  logic unused;
  assign unused = ^step_i;   // of one lane

endmodule
