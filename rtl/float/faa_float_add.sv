// SPDX-License-Identifier: Apache-2.0
//
// IEEE 754 sum of two numbers of one format (ExpW, ManW: 8, 23 for F32; 11, 52 for F64), rounded to
// nearest, ties to even.
//
// Latency: faa_float_pkg::ADD_LATENCY cycles to a register; throughput one per cycle; no stall. See
// faa_float_add_core.

module faa_float_add #(
  parameter int unsigned ExpW = 8,
  parameter int unsigned ManW = 23,
  parameter int unsigned Latency = faa_float_pkg::ADD_LATENCY,  // expected by the user
  localparam int unsigned W = 1 + ExpW + ManW
) (
  input  logic         clk_i,

  input  logic         valid_i,
  input  logic [W-1:0] a_i,
  input  logic [W-1:0] b_i,
  input  logic         ftz_i,     // denormal terms and sums count as zero of their sign

  output logic [W-1:0] sum_o
);

  if (Latency != faa_float_pkg::ADD_LATENCY) begin : gen_latency
    $error("faa_float_add: Latency is %0d, the adder takes %0d cycles", Latency, faa_float_pkg::ADD_LATENCY);
  end

  faa_float_add_core #(
    .ExpW(ExpW),
    .ManW(ManW)
  ) u_core (
    .clk_i, .valid_i, .a_i, .b_i, .ftz_i, .short_i(1'b0), .sum_o
  );

endmodule
