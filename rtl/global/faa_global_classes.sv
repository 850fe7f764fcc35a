// SPDX-License-Identifier: Apache-2.0
//
// Classes of a beat: groups of one line that have the same rank on their item go into one line
// operation, so its items are distinct, and the groups of an item run in lane order.
//
// pair_o: positions i < j have the same leader and rank: bit j * (j - 1) / 2 + i. name_o: first
// positions of groups that are the lowest of their class.
//
// Latency: 3 cycles. Throughput: one beat per cycle. It never stops.

module faa_global_classes #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Pairs = Lanes * (Lanes - 1) / 2
) (
  input  logic                        clk_i,

  input  logic [Lanes-1:0][LaneW-1:0] leader_i,
  input  logic [Lanes-1:0][LaneW-1:0] rank_i,
  input  logic [Lanes-1:0]            first_i,

  output logic [Pairs-1:0]            pair_o,
  output logic [Lanes-1:0]            name_o
);

  logic [Pairs-1:0] pair_q, pair_2_q;
  logic [Lanes-1:0] first_q, name_d, name_q;

  for (genvar j = 1; j < Lanes; j++) begin : g_upper
    for (genvar i = 0; i < j; i++) begin : g_pair
      always_ff @(posedge clk_i) begin
        pair_q[j*(j-1)/2 + i] <= {leader_i[i], rank_i[i]} == {leader_i[j], rank_i[j]};
      end
    end
  end

  always_comb begin
    name_d = first_q;
    for (int unsigned j = 1; j < Lanes; j++) begin
      for (int unsigned i = 0; i < j; i++) begin
        if (first_q[i] && pair_q[j*(j-1)/2 + i]) name_d[j] = 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    first_q  <= first_i;
    pair_2_q <= pair_q;
    name_q   <= name_d;
    pair_o   <= pair_2_q;
    name_o   <= name_q;
  end

endmodule
