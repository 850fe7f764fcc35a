// SPDX-License-Identifier: Apache-2.0
//
// Combines the operands of two consecutive lanes: the sum of the terms that
// faa_lanes_pkg::COMBINE_* selects of each. Combinational: one or two look-up tables and one carry
// cell per bit.

module faa_lanes_combine #(
  parameter int unsigned Width = 32
) (
  input  logic [2:0]       op_i,  // faa_lanes_pkg::COMBINE_*
  input  logic [Width-1:0] a_i,   // the older one
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] y_o
);

  logic [Width-1:0] a, b;

  // Each of the two depends on two bits of op_i, so a look-up table of four inputs is enough.
  always_comb begin
    case (op_i[2:1])
      2'b10:   a = a_i & b_i;
      2'b11:   a = a_i & ~b_i;
      default: a = a_i;
    endcase
    case (op_i[1:0])
      2'b00:   b = b_i & ~a_i;
      2'b01:   b = '0;
      2'b10:   b = b_i;
      default: b = b_i & ~a_i;
    endcase
  end

  assign y_o = a + b;

endmodule
