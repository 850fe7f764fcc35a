// SPDX-License-Identifier: Apache-2.0
//
// Whether two vectors are equal: three bits a look-up table, then a carry chain.
//
// Combinational, two levels for any width. No stalls, no hazards.

module faa_equal #(
  parameter int unsigned Width = 32
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic             equal_o
);

  localparam int unsigned Groups = (Width + 2) / 3;

  logic [Width-1:0]    bits;
  logic [3*Groups-1:0] differs;
  logic [Groups-1:0]   same;
  logic [Groups:0]     carry;

  assign bits    = a_i ^ b_i;
  assign differs = (3*Groups)'(bits);
  for (genvar g = 0; g < Groups; g++) begin : g_group
    assign same[g] = differs[3*g +: 3] == '0;
  end
  assign carry   = {1'b0, same} + (Groups+1)'(1);
  assign equal_o = carry[Groups];

  logic unused;
  assign unused = ^carry[Groups-1:0];

endmodule
