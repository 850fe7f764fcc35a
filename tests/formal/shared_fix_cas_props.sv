// SPDX-License-Identifier: Apache-2.0
//
// Answers of CAS and CAST of a beat that has a choice word, with the links of faa_shared_links and
// any old words: every lane gets what it would get if the lanes of its word executed the operation
// one after the other.

`include "formal.svh"

module shared_fix_cas_props #(
  parameter int unsigned Lanes = 4,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Cycles = (LaneW + 1) / 2 + 2
) (
  input logic                   clk_i,
  input logic                   run_i,
  input logic                   valid_i,
  input logic                   cast_i,
  input logic [Lanes-1:0]       member_i,
  input logic [Lanes-1:1]       joins_i,    // has the word of the position before
  input logic [Lanes-1:0][31:0] b_i,
  input logic [Lanes-1:0][31:0] c_i,
  input logic [Lanes-1:0][31:0] old_i       // old word of each group, at its first position
);

  `FORMAL_RESET

  logic [Lanes-1:0]             joins, choice;
  logic [Lanes-1:0][LaneW-1:0]  next, first_of;
  logic [Lanes-1:0][31:0]       prior, bank_answer, expected, low;
  logic [31:0]                  word;
  logic                         enters;
  logic [Cycles-1:0]            valid_q;
  logic [Lanes-1:0][31:0]       expected_q [Cycles];

  // Inactive lanes come last, each in a group of its own.
  logic [Lanes-1:0] active;
  always_comb begin
    active[0] = member_i[0];
    joins     = '0;
    for (int p = 1; p < Lanes; p++) begin
      active[p] = active[p-1] && member_i[p];
      joins[p]  = active[p] && joins_i[p];
    end
  end

  faa_shared_links #(.Lanes(Lanes)) u_links (
    .en_i(1'b1), .joins_i(joins), .b_i, .c_i, .choice_o(choice), .next_o(next)
  );

  // The lanes, one after the other. The bank answers with the old word; for CAST on a word without
  // a choice it answers whether its first lane has succeeded.
  always_comb begin
    word     = '0;
    first_of = '0;
    expected = '0;
    for (int p = 0; p < Lanes; p++) begin
      first_of[p] = LaneW'(p);
      if (p > 0 && joins[p]) first_of[p] = first_of[(p+Lanes-1)%Lanes];
      else word = old_i[p];
      bank_answer[p] = old_i[first_of[p]];
      if (cast_i && !choice[p]) bank_answer[p] = 32'(old_i[first_of[p]] == b_i[first_of[p]]);
      prior[p] = p == 0 ? '0 : choice[p] ? c_i[(p+Lanes-1)%Lanes] : c_i[first_of[p]];
      if (active[p]) expected[p] = cast_i ? 32'(word == b_i[p]) : word;
      if (word == b_i[p]) word = c_i[p];
    end
  end

  assign enters = valid_i && choice != '0;

  faa_shared_fix_cas #(.Lanes(Lanes)) u_fix (
    .clk_i, .rst_ni, .valid_i(enters), .cast_i, .member_i(active), .first_i(active & ~joins),
    .choice_i(choice), .before_i(prior),
    .other_i(b_i), .next_i(next), .m_i(bank_answer), .low_o(low)
  );

  always_ff @(posedge clk_i) begin
    valid_q       <= !rst_ni ? '0 : Cycles'({valid_q, enters});
    expected_q[0] <= expected;
    for (int n = 1; n < Cycles; n++) expected_q[n] <= expected_q[n-1];
  end

  `FAA_ASSERT(AsTheLoop, !valid_q[Cycles-1] || low == expected_q[Cycles-1])

endmodule
