// SPDX-License-Identifier: Apache-2.0
//
// CAS and CAST whose lanes of one word compare with several values: finds which lane can succeed
// after which.
//
// When lane i of a word succeeds, the word becomes c of lane i; the next lane to succeed is the
// first later lane of the word that compares with this value. That does not depend on memory, so
// the first success determines all successes on the word. It is the first lane that compares equal
// with the old word.
//
// A word is left to the simple rule (only the first lane can succeed) if all lanes compare with one
// value and no lane stores it for a later one; all others are choice words. Combinational; all
// outputs are 0 while en_i is 0.

module faa_shared_links #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                   en_i,
  input  logic [Lanes-1:0]       joins_i,   // has the word of the position before
  input  logic [Lanes*32-1:0]    b_i,
  input  logic [Lanes*32-1:0]    c_i,

  output logic [Lanes-1:0]       choice_o,  // positions of choice words
  output logic [Lanes*LaneW-1:0] next_o     // their next success; itself if none
);

  localparam logic [Lanes-1:0] All = '1;

  // Positions that break the simple rule
  logic [Lanes-1:0] breaks;
  always_comb begin
    breaks = '0;
    if (en_i) begin
      for (int p = 1; p < Lanes; p++) begin
        breaks[p] = joins_i[p] && (b_i[p*32 +: 32] != b_i[(p-1)*32 +: 32] || c_i[(p-1)*32 +: 32] == b_i[p*32 +: 32]);
      end
    end
  end

  always_comb begin
    choice_o = '0;
    if (breaks != '0) begin
      choice_o = Lanes'(faa_shared_pkg::seen_above(faa_shared_pkg::seen_below(32'(breaks), 32'(joins_i)), 32'(joins_i) >> 1));
    end
  end

  // q descends, so that the lowest match remains. Position q has the word of p if all positions
  // from p + 1 to q join.
  always_comb begin
    next_o = '0;
    if (breaks != '0) begin
      for (int p = 0; p < Lanes; p++) begin
        next_o[p*LaneW +: LaneW] = LaneW'(p);
        if (choice_o[p]) begin
          for (int q = Lanes - 1; q > p; q--) begin
            if (b_i[q*32 +: 32] == c_i[p*32 +: 32] && (joins_i | ~((All << (p+1)) & ~(All << (q+1)))) == All) begin
              next_o[p*LaneW +: LaneW] = LaneW'(q);
            end
          end
        end
      end
    end
  end

endmodule
