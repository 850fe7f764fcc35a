// SPDX-License-Identifier: Apache-2.0
//
// Two operands of lanes that follow each other, as one: one look-up table and one carry cell a bit. Combinational.

module faa_lanes_combine #(
  parameter int unsigned Width = 32
) (
  input  logic [2:0]       op_i,  // faa_lanes_pkg::COMBINE_*
  input  logic [Width-1:0] a_i,   // the older one
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] y_o
);

  logic [Width-1:0] term, base;

  always_comb begin
    base = '0;
    case (op_i)
      faa_lanes_pkg::COMBINE_ADD: begin
        term = b_i;
        base = a_i;
      end
      faa_lanes_pkg::COMBINE_AND: term = a_i & b_i;
      faa_lanes_pkg::COMBINE_OR:  term = a_i | b_i;
      faa_lanes_pkg::COMBINE_XOR: term = a_i ^ b_i;
      faa_lanes_pkg::COMBINE_OLDER: term = a_i;
      default: term = b_i;
    endcase
  end

  assign y_o = base + term;

endmodule
