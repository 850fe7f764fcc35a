// SPDX-License-Identifier: Apache-2.0
//
// Replaces faa_l2_pair: any results.

module faa_l2_pair #(
  parameter logic F32 = 1'b1,
  parameter logic F64 = 1'b1,
  parameter logic X2 = 1'b1
) (
  input  logic        clk_i,
  input  logic        valid_i,
  input  logic        adds_i,
  input  logic [7:0]  op_i,
  input  logic [3:0]  typ_i,
  input  logic        ftz_i,
  input  logic [7:0]  strb_i,
  input  logic [63:0] m_i,
  input  logic [63:0] b_i,
  input  logic [63:0] c_i,
  output logic [63:0] new_o,     // without a driver: the solver's choice
  output logic [7:0]  wrote_o,
  output logic [63:0] sum_o
);
endmodule
