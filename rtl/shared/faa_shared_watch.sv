// SPDX-License-Identifier: Apache-2.0
//
// One word that faa_shared_chain watches: which positions of a beat have it, and when another word is to take its place.

module faa_shared_watch #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned WordW = 14
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                take_i,    // a beat whose words may be watched
  input  logic [Lanes-1:0][WordW-1:0] word_i,
  input  logic [Lanes-1:0]    member_i,
  output logic [Lanes-1:0]    match_o,   // positions with the word
  output logic                adopt_o,   // with take_i: another word is looked for
  input  logic [Lanes-1:0]    chosen_i   // its position, or none
);

  logic        known_q, missed_q;
  logic [WordW-1:0] word_q, word_d;

  assign adopt_o = match_o == '0 && (missed_q || !known_q);

  always_comb begin
    match_o = '0;
    if (take_i && known_q) begin
      for (int p = 0; p < Lanes; p++) begin
        match_o[p] = member_i[p] && word_i[p] == word_q;
      end
    end
  end

  always_comb begin
    word_d = '0;
    if (take_i && adopt_o) begin
      for (int p = 0; p < Lanes; p++) begin
        if (chosen_i[p]) word_d = word_d | word_i[p];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q  <= 1'b0;
      missed_q <= 1'b0;
    end else if (take_i) begin
      missed_q <= match_o == '0 && !adopt_o;
      if (adopt_o) known_q <= chosen_i != '0;
    end
    if (take_i && adopt_o) word_q <= word_d;
  end

endmodule
