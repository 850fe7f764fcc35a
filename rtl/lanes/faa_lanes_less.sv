// SPDX-License-Identifier: Apache-2.0
//
// a < b, unsigned, two bits per cell on one carry chain. Combinational: one look-up table and the
// chain.

module faa_lanes_less #(
  parameter int unsigned Width = 32
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic             less_o
);

  localparam int unsigned Cells = (Width + 1) / 2;

  logic [2*Cells-1:0] a, b;
  logic [Cells-1:0]   less, known;  // of two bits alone: a is smaller, a is not larger
  logic [Cells:0]     sum;

  assign a = (2*Cells)'(a_i);
  assign b = (2*Cells)'(b_i);

  for (genvar n = 0; n < Cells; n++) begin : g_cell
    assign less[n]  = a[2*n +: 2] < b[2*n +: 2];
    assign known[n] = a[2*n +: 2] <= b[2*n +: 2];
  end

  // A cell generates a carry where a is smaller, and propagates one where both are equal.
  assign sum    = {1'b0, less} + {1'b0, known};
  assign less_o = sum[Cells];

  logic unused;
  assign unused = ^sum[Cells-1:0];

endmodule
