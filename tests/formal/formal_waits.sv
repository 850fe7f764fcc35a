// SPDX-License-Identifier: Apache-2.0
//
// Whether something has lasted for Longest cycles in a row.

module formal_waits #(
  parameter int unsigned Longest = 32
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic waits_i,
  output logic long_o
);

  localparam int unsigned CountW = $clog2(Longest + 1);

  logic [CountW-1:0] count_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !waits_i) count_q <= '0;
    else count_q <= count_q + CountW'(!long_o);
  end
  assign long_o = count_q == CountW'(Longest);

endmodule
