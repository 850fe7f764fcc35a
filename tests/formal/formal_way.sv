// SPDX-License-Identifier: Apache-2.0
//
// Beats on a way of Latency cycles that nothing holds up: how many there are, and whether one
// arrives.

module formal_way #(
  parameter int unsigned Latency = 2,
  parameter int unsigned CountW = 8
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              enters_i,
  output logic              arrives_o,
  output logic [CountW-1:0] count_o
);

  logic [Latency-1:0] way_q;
  always_ff @(posedge clk_i) way_q <= !rst_ni ? '0 : {way_q[Latency-2:0], enters_i};
  always_comb begin
    count_o = '0;
    for (int n = 0; n < Latency; n++) count_o = count_o + CountW'(way_q[n]);
  end
  assign arrives_o = way_q[Latency-1];

endmodule
