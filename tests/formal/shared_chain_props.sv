// SPDX-License-Identifier: Apache-2.0
//
// Stage X with any sorted beats, of four words. Properties: shared_chain_inside.svh.

`include "formal.svh"

module shared_chain_props #(
  parameter int unsigned Lanes = 4,
  parameter int unsigned Chains = 2,
  parameter int unsigned Longest = 3
) (
  input logic                         clk_i,
  input logic                         run_i,
  input logic                         valid_i,
  input faa_shared_pkg::beat_t        beat_i,
  input logic [Lanes-1:0][1:0]        word_i,
  input logic [Lanes-1:0]             member_i,
  input logic [Lanes-1:0]             first_i,
  input logic [Lanes-1:0]             last_i,
  input logic [1:0][Lanes-1:0]        crowd_i,
  input logic [Lanes-1:0][31:0]       value_i,
  input logic [Lanes-1:0][31:0]       other_i,
  input logic [Lanes-1:0]             choice_i,
  input logic [Lanes-1:0][$clog2(Lanes)-1:0] next_i,
  input logic [Lanes-1:0][$clog2(Lanes)-1:0] end_i,
  input logic                         go_i
);

  logic [Lanes-1:0][31:0] value, other;
  `FORMAL_RESET

  for (genvar p = 0; p < Lanes; p++) begin : g_word
    assign value[p] = value_i[p] & shared_chain_formal_pkg::WORD_MASK;
    assign other[p] = other_i[p] & shared_chain_formal_pkg::WORD_MASK;
  end

  faa_shared_chain #(.Lanes(Lanes), .Chains(Chains), .Longest(Longest), .WordW(2)) u_chain (
    .clk_i, .rst_ni, .valid_i, .ready_o(), .beat_i, .word_i, .member_i, .first_i, .last_i, .crowd_i,
    .value_i(value), .other_i(other), .choice_i, .next_i, .end_i, .go_i, .pass_o(), .choice_valid_o(),
    .choice_first_o(), .choice_b_o(), .choice_c_o(), .choice_end_o(), .valid_o(), .beat_o(), .word_o(),
    .member_o(), .first_o(), .send_o(), .load_o(), .value_o(), .before_o(), .other_o(), .choice_o(),
    .next_o(), .chained_o(), .base_o(), .hold_o()
  );

endmodule
