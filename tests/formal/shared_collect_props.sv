// SPDX-License-Identifier: Apache-2.0
//
// Stage C of one half of the banks with any beats, any complete passes and any answers. Beats leave
// in order, each once, when as many passes have left as it has. Each item of the beat, one of which
// is chosen during reset, has the word that its bank showed in its column when its pass left. A
// pass leaves whenever it is complete and there is room for its words.

`include "formal.svh"

module shared_collect_props #(
  parameter int unsigned Lanes = 8,
  localparam int unsigned Banks = Lanes / 2,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned PassW = LaneW - 2
) (
  input logic                        clk_i,
  input logic                        run_i,
  input logic                        valid_i,
  input logic [Lanes-1:0]            mine_i,
  input logic [Lanes-1:0][LaneW-2:0] bank_i,
  input logic [Lanes-1:0][PassW-1:0] pass_i,
  input logic [PassW:0]              passes_i,
  input logic                        complete_i,
  input logic [Banks-1:0][3:0][1:0]  word_i,     // two bits of each word
  input logic                        take_i,
  input logic [LaneW-1:0]            item_i
);

  `FORMAL_RESET

  logic                        ready, leave, full;
  logic [Banks-1:0][3:0][31:0] word;
  logic [Lanes-1:0][31:0]      beat_word;
  for (genvar n = 0; n < 4 * Banks; n++) begin : g_word
    assign word[n/4][n%4] = {30'b0, word_i[n/4][n%4]};
  end

  faa_shared_collect #(.Lanes(Lanes)) u_collect (
    .clk_i, .rst_ni, .valid_i, .ready_o(ready), .mine_i, .bank_i, .pass_i, .passes_i, .complete_i, .leave_o(leave), .word_i(word), .full_o(full),
    .word_o(beat_word), .take_i
  );

  // Beats as faa_shared_items gives them; they are held until they are collected. faa_shared takes
  // full ones.
  logic sound;
  always_comb begin
    sound = passes_i != '0 && passes_i <= (PassW+1)'(Lanes / 4);
    for (int p = 0; p < Lanes; p++) if (mine_i[p] && {1'b0, pass_i[p]} >= passes_i) sound = 1'b0;
  end
  `FAA_ASSUME(BeatIsSound, !valid_i || sound)
  `FAA_ASSUME_STABLE(BeatStays, valid_i, ready, {mine_i, bank_i, pass_i, passes_i})
  `FAA_ASSUME(TakesFull, !take_i || full)

  // The checked item: the word that its pass brought, of the beat at work and of the full one
  logic [LaneW-1:0] item_q;
  logic [PassW:0]   given_q;
  logic             got, full_q, at_work_q, has_q, full_has_q;
  logic [1:0]       brought, brought_q, full_word_q;

  assign got     = leave && mine_i[item_q] && {1'b0, pass_i[item_q]} == given_q;
  assign brought = got ? word_i[bank_i[item_q]][item_q[1:0]] : brought_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      item_q    <= item_i;
      given_q   <= '0;
      full_q    <= 1'b0;
      at_work_q <= 1'b0;
      has_q     <= 1'b0;
    end else begin
      at_work_q <= valid_i && !ready;
      if (leave) given_q <= ready ? '0 : given_q + (PassW+1)'(1);
      if (leave) has_q <= !ready && (has_q || got);
      if (ready) full_q <= 1'b1;
      else if (take_i) full_q <= 1'b0;
    end
    brought_q <= brought;
    if (ready) begin
      full_word_q <= brought;
      full_has_q  <= mine_i[item_q];
    end
  end

  `FAA_ASSERT(FullIsABeat, full == full_q)
  `FAA_ASSERT(WordsOfItsPasses, !(full && full_has_q) || beat_word[item_q] == {30'b0, full_word_q})
  `FAA_ASSERT(ReadyWithItsLastPass, ready == (leave && given_q + (PassW+1)'(1) == passes_i))
  `FAA_ASSERT(EachItemOnce, !(ready && mine_i[item_q]) || (has_q ^ got))
  `FAA_ASSERT(LeavesWithRoom, leave == (valid_i && complete_i && (!full || take_i)))

  // Induction
  `FAA_ASSERT(CountsAgree, u_collect.given_q == given_q && (given_q == '0 || (at_work_q && !full)) && (given_q != '0 || !has_q))
  `FAA_ASSERT(GivenIsOfTheBeat, !valid_i || given_q < passes_i)
  `FAA_ASSERT(HasIsPassed, !valid_i || has_q == (mine_i[item_q] && {1'b0, pass_i[item_q]} < given_q))
  `FAA_ASSERT(WordStays, !has_q || beat_word[item_q] == {30'b0, brought_q})

endmodule
