// SPDX-License-Identifier: Apache-2.0
//
// A unit that slots share. The unit is a list of the warps that it has taken, each with the slot
// number that came with it and, as a ghost, the slot whose offer was taken. It answers warps that
// want an answer, and finishes them, one of each per cycle, in any order.

`include "formal.svh"

module cu_lend_props #(
  parameter int unsigned Slots = 3,
  parameter int unsigned Most = 3
) (
  input logic               clk_i,
  input logic               run_i,
  input logic [Slots-1:0]   valid_i,
  input logic [Slots-1:0]   beat_last_i,  // the slot gives the last beat of its warp
  input logic [Slots-1:0]   result_i,
  input logic [Slots*2-1:0] warp_i,
  input logic [Slots-1:0]   result_ready_i,
  input logic               warp_ready_i,
  input logic [Most-1:0]    answer_i,     // entry of the list that gets a beat of its answers
  input logic               last_i,       // ... the last beat
  input logic [Most-1:0]    done_i,
  input logic [1:0]         who_i         // during reset: the slot that is checked for fairness
);

  `FORMAL_RESET

  logic [Slots-1:0] ready, result_valid, done, idle, home, answer_home, done_home;
  logic             warp_valid, result_ready;
  logic [1:0]       warp, warp_slot, answer_number, done_number, who_q;

  logic [Most-1:0]  owes_done_q, owes_answer_q, listed, free;
  logic [Most*2-1:0]     number_q;
  logic [Most*Slots-1:0] home_q;

  faa_cu_lend #(.Slots(Slots), .WarpW(2)) u_lend (
    .clk_i, .rst_ni, .valid_i, .ready_o(ready), .last_i(beat_last_i), .result_i, .warp_i,
    .result_valid_o(result_valid), .result_ready_i, .done_o(done), .idle_o(idle),
    .warp_valid_o(warp_valid), .warp_ready_i, .warp_o(warp), .warp_slot_o(warp_slot), .result_valid_i(answer_i != '0),
    .result_ready_o(result_ready), .result_last_i(last_i), .result_slot_i(answer_number),
    .done_i(done_i != '0), .done_slot_i(done_number)
  );

  // ---- The unit ----

  assign listed = owes_done_q | owes_answer_q;
  assign free   = ~listed & (listed + Most'(1));
  assign home   = valid_i & ready;

  always_comb begin
    {answer_number, done_number, answer_home, done_home} = '0;
    for (int unsigned n = 0; n < Most; n++) begin
      if (answer_i[n]) {answer_number, answer_home} = {number_q[n*2 +: 2], home_q[n*Slots +: Slots]};
      if (done_i[n]) {done_number, done_home} = {number_q[n*2 +: 2], home_q[n*Slots +: Slots]};
    end
  end

  // Beats of a warp follow each other.
  logic [Slots-1:0] open_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= '0;
    else if (home != '0) open_q <= home & ~beat_last_i;
  end

  // The unit owes answers from the first beat of a warp, and its done from the last beat.
  logic            first, last, wants;
  // The entry of a warp that wants answers and whose last beat has not been taken
  logic [Most-1:0] open_entry_q, entry;

  assign first = home != '0 && open_q == '0;
  assign last  = warp_valid && warp_ready_i && (home & beat_last_i) != '0;
  assign wants = (result_i & home) != '0;
  assign entry = open_entry_q != '0 ? open_entry_q : free;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owes_done_q   <= '0;
      owes_answer_q <= '0;
      open_entry_q  <= '0;
      who_q         <= who_i;
    end else begin
      owes_done_q   <= (owes_done_q | (last ? entry : '0)) & ~done_i;
      owes_answer_q <= (owes_answer_q | (first && wants ? entry : '0)) &
                       ~(result_ready && last_i ? answer_i : '0);
      if (last) open_entry_q <= '0;
      else if (first && wants) open_entry_q <= entry;
    end
    for (int unsigned n = 0; n < Most; n++) begin
      if (entry[n] && ((first && wants) || last)) {number_q[n*2 +: 2], home_q[n*Slots +: Slots]} <= {warp_slot, home};
    end
  end

  `FAA_ASSUME(UnitHasRoom, !warp_ready_i || listed != '1 || open_entry_q != '0)
  `FAA_ASSUME(LastAnswerAfterLastBeat, !last_i || (answer_i & open_entry_q) == '0)
  `FAA_ASSUME(AnswersItsWarps, (answer_i & ~owes_answer_q) == '0 && (answer_i & (answer_i - Most'(1))) == '0)
  `FAA_ASSUME(IsDoneOnce, (done_i & ~owes_done_q) == '0 && (done_i & (done_i - Most'(1))) == '0)

  // ---- The slots ----

  logic [Slots-1:0] waits_q;
  logic [1:0]       others_q;
  logic [Slots-1:0] in_unit;

  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni ? valid_i & ~(ready & beat_last_i) : '0;
    if (!rst_ni || !valid_i[who_q] || (ready[who_q] && beat_last_i[who_q])) others_q <= '0;
    else if (last) others_q <= others_q + 2'd1;
  end

  `FAA_ASSUME(WhoExists, 32'(who_q) < Slots)
  `FAA_ASSUME(WarpsStay, (waits_q & ~valid_i) == '0)
  `FAA_ASSUME_STABLE(WarpsStayAsTheyAre, valid_i != '0, 1'b0, warp_i)

  for (genvar n = 0; n < Slots; n++) begin : gen_slot
    logic [Most-1:0] mine;
    for (genvar i = 0; i < Most; i++) begin : gen_mine
      assign mine[i] = listed[i] && home_q[i*Slots + n];
    end
    assign in_unit[n] = mine != '0;
    `FAA_ASSERT(WarpIsItsOwn, !home[n] || (warp == warp_i[n*2 +: 2] && 32'(warp_slot) == n))
  end

  `FAA_ASSERT(OneIsTaken, (home & (home - Slots'(1))) == '0 && (home != '0) == (warp_valid && warp_ready_i))
  `FAA_ASSERT(WarpStaysTogether, open_q == '0 || home == '0 || home == open_q)
  `FAA_ASSERT(NoneIsKeptBack, warp_valid == (valid_i != '0))
  `FAA_ASSERT_STABLE(OfferStays, warp_valid, warp_ready_i, {warp, warp_slot})
  // Answers and done reach only the slot that gave the warp; an answer is taken when that slot
  // takes it.
  `FAA_ASSERT(AnswerGoesHome, result_valid == answer_home && result_ready == ((answer_home & result_ready_i) != '0))
  `FAA_ASSERT(DoneGoesHome, done == done_home)
  // A slot sees the unit idle when none of its warps is in it.
  `FAA_ASSERT(IdleIsItsOwn, idle == ~in_unit)
  `FAA_ASSERT(ServedInTurn, others_q < 2'(Slots))

endmodule
