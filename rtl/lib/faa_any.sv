// SPDX-License-Identifier: Apache-2.0
//
// Whether any bit of a vector is set: six bits a look-up table, then a carry chain.
//
// Combinational, two levels for any width. No stalls, no hazards.

module faa_any #(
  parameter int unsigned Width = 32
) (
  input  logic [Width-1:0] bits_i,
  output logic             any_o
);

  localparam int unsigned Groups = (Width + 5) / 6;

  logic [6*Groups-1:0] bits;
  logic [Groups-1:0]   some;
  logic [Groups:0]     carry;

  assign bits = (6*Groups)'(bits_i);
  for (genvar g = 0; g < Groups; g++) begin : g_group
    assign some[g] = bits[6*g +: 6] != '0;
  end
  assign carry = {1'b0, some} + {1'b0, {Groups{1'b1}}};
  assign any_o = carry[Groups];

  logic unused;
  assign unused = ^carry[Groups-1:0];

endmodule
