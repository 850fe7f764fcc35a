// SPDX-License-Identifier: Apache-2.0
//
// One word that faa_shared_chain watches: the positions of a beat that have it, and its replacement
// by one of two words that the beat proposes.
//
// A word that two consecutive beats lack is replaced. Combinational, except for the word.

module faa_shared_watch #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned WordW = 14
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                take_i,        // the beat leaves stage L
  input  logic                usable_i,      // its words may be watched
  input  logic [Lanes-1:0][WordW-1:0] word_i,
  input  logic [Lanes-1:0]    member_i,
  output logic [Lanes-1:0]    match_o,       // positions with the word, of a beat that is usable
  output logic                hit_o,         // some position has it

  // The beat's two words that are shared by most lanes; taken_i: not for this chain
  input  logic [1:0]          has_i,
  input  logic [1:0][WordW-1:0] crowd_i,
  input  logic [1:0]          taken_i,
  output logic [1:0]          is_crowd_o,    // the word that is watched is this one of them
  output logic                adopt_o        // another word is wanted
);

  logic             known_q, missed_q;
  logic [WordW-1:0] word_q;
  logic [1:0]       may;

  assign hit_o   = match_o != '0;
  assign adopt_o = usable_i && !hit_o && (missed_q || !known_q);
  assign may     = has_i & ~taken_i;

  for (genvar p = 0; p < Lanes; p++) begin : g_match
    assign match_o[p] = usable_i && known_q && member_i[p] && word_i[p] == word_q;
  end

  for (genvar k = 0; k < 2; k++) begin : g_crowd
    assign is_crowd_o[k] = known_q && crowd_i[k] == word_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q  <= 1'b0;
      missed_q <= 1'b0;
    end else if (take_i && usable_i) begin
      missed_q <= !hit_o && !adopt_o;
      if (adopt_o) known_q <= may != '0;
    end
    if (take_i && adopt_o) word_q <= may[0] ? crowd_i[0] : crowd_i[1];
  end

endmodule
