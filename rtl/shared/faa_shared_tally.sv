// SPDX-License-Identifier: Apache-2.0
//
// Groups and passes of the beats that pass by: how many groups, and how many the bank has that has most.

module faa_shared_tally #(
  parameter int unsigned Lanes = 32
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               take_i,
  input  logic [Lanes-1:0]   last_i,   // last positions of groups
  input  logic [Lanes*8-1:0] rank_i,

  output logic [5:0]         passes_o, // in the cycle after take_i, else 0
  output logic [5:0]         groups_o
);

  // Of lanes p to p + 2^level - 1 at lane p, level after level: a tree
  logic [Lanes*6-1:0] passes, groups;

  always_comb begin
    passes = '0;
    groups = '0;
    for (int unsigned p = 0; p < Lanes; p++) begin
      if (take_i && last_i[p]) begin
        passes[p*6 +: 6] = rank_i[p*8 +: 6] + 6'd1;
        groups[p*6 +: 6] = 6'd1;
      end
    end
    for (int unsigned size = 1; size < Lanes; size = 2 * size) begin
      for (int unsigned p = 0; p < Lanes; p = p + 2 * size) begin
        if (passes[(p+size)*6 +: 6] > passes[p*6 +: 6]) passes[p*6 +: 6] = passes[(p+size)*6 +: 6];
        groups[p*6 +: 6] = groups[p*6 +: 6] + groups[(p+size)*6 +: 6];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      passes_o <= '0;
      groups_o <= '0;
    end else begin
      passes_o <= passes[5:0];
      groups_o <= groups[5:0];
    end
  end

endmodule
