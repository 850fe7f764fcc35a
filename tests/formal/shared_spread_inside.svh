// SPDX-License-Identifier: Apache-2.0
//
// Goes into faa_shared_spread. One bank, chosen during reset, gets each operation of a beat that is its own exactly once, in the
// order of ranks, and nothing else; and a beat leaves when there has been room often enough.

  // A position's rank is the number of operations of its bank at lower positions. 64-bit operations name the even bank.
  function automatic logic f_ranks_count(input logic wide, input logic [Lanes*32-1:0] place, input logic [Lanes-1:0] send,
                                         input logic [Lanes*8-1:0] rank);
    logic [5:0] below;
    f_ranks_count = 1'b1;
    for (int p = 0; p < Lanes; p++) begin
      below = '0;
      for (int q = 0; q < p; q++) begin
        if (send[q] && place[q*32 + faa_shared_pkg::PLACE_BANK +: 5] == place[p*32 + faa_shared_pkg::PLACE_BANK +: 5]) begin
          below = below + 6'd1;
        end
      end
      if (send[p] && (rank[p*8 +: 6] != below || (wide && place[p*32 + faa_shared_pkg::PLACE_BANK]))) f_ranks_count = 1'b0;
    end
  endfunction

  `FAA_ASSUME(RanksComeCounted, !valid_i || f_ranks_count(wide_i, place_i, send_i, rank_i))
  `FAA_ASSERT(RanksStay, !valid_q || f_ranks_count(wide_q, place_o, send_q, rank_q))

  logic [4:0]       f_bank_q;
  logic [5:0]       f_sent_q, f_now, f_all, f_highest, f_due, f_good_q;
  logic [Lanes-1:0] f_mine;
  logic [Push-1:0]  f_any, f_right, f_room;
  logic [31:0]      f_room_all, f_had_q, f_had;

  // The bank's operations: how many there are, were pushed before this cycle and are pushed in it.
  always_comb begin
    f_mine    = '0;
    f_all     = '0;
    f_highest = '0;
    for (int p = 0; p < Lanes; p++) begin
      f_mine[p] = send_q[p] && (place_o[p*32 + faa_shared_pkg::PLACE_BANK +: 5] == f_bank_q ||
                                (wide_q && (place_o[p*32 + faa_shared_pkg::PLACE_BANK +: 5] | 5'd1) == f_bank_q));
      f_all     = f_all + 6'(f_mine[p]);
      if (send_q[p] && rank_q[p*8 +: 6] > f_highest) f_highest = rank_q[p*8 +: 6];
    end
  end

  logic [4:0] f_at;
  always_comb begin
    f_now   = '0;
    f_right = '1;
    f_at    = '0;
    for (int r = 0; r < Push; r++) begin
      f_any[r]  = any_o[r*32 + f_bank_q];
      f_room[r] = room_i[r*32 + f_bank_q];
      for (int k = 0; k < 5; k++) f_at[k] = where_o[(r*5+k)*32 + f_bank_q];
      if (push_o[f_bank_q]) f_now = f_now + 6'(f_any[r]);
      // It is the next one.
      f_right[r] = 1'b0;
      for (int p = 0; p < Lanes; p++) begin
        if (f_at == 5'(p) && f_mine[p] && rank_q[p*8 +: 6] == f_sent_q + 6'(r)) f_right[r] = 1'b1;
      end
    end
  end

  always_comb begin
    f_room_all = '1;
    for (int r = 0; r < Push; r++) f_room_all = f_room_all & room_i[r*32 +: 32];
  end

  // Banks that have had room in this step; cycles of the beat in which all had.
  assign f_had = f_had_q | (window_room_i ? f_room_all : 32'b0);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_bank_q <= place_i[4:0];
      f_sent_q <= '0;
      f_good_q <= '0;
      f_had_q  <= '0;
    end else if (leave_o) begin
      f_sent_q <= '0;
      f_good_q <= '0;
      f_had_q  <= '0;
    end else if (valid_q) begin
      f_sent_q <= f_sent_q + f_now;
      f_good_q <= f_good_q + 6'(window_room_i && &f_room_all);
      f_had_q  <= step_done ? 32'b0 : f_had;
    end
  end

  // Each once, in order, none invented
  `FAA_ASSERT(PushesTheNext, !push_o[f_bank_q] || (f_any & ~f_right) == '0)
  `FAA_ASSERT(PushesDense, !push_o[f_bank_q] || (f_any[0] && (f_any & (f_any + Push'(1))) == '0))
  `FAA_ASSERT(PushesWithRoom, !push_o[f_bank_q] || (window_room_i && (f_any & ~f_room) == '0))
  `FAA_ASSERT(PushesOfABeat, valid_q || push_o == '0)
  `FAA_ASSERT(LeavesComplete, !leave_o || f_sent_q + f_now == f_all)
  // Both banks of a pair have the same operations due at the same places.
  logic f_pairs;
  always_comb begin
    f_pairs = 1'b1;
    for (int n = 0; n < Push * 16; n++) if (any_o[2*n] != any_o[2*n + 1]) f_pairs = 1'b0;
    for (int n = 0; n < Push * 80; n++) if (where_o[2*n] != where_o[2*n + 1]) f_pairs = 1'b0;
  end
  `FAA_ASSERT(PairsAgree, !wide_q || f_pairs)

  // Progress: one step for each cycle in which all banks have room; and a step ends, at the latest, when the last of its banks
  // has had room. So a beat leaves within 1 + highest rank / Push of either.
  `FAA_ASSERT(StepsInTime, !valid_q || f_good_q <= f_highest / 6'(Push))
  `FAA_ASSERT(TakesWithRoom, (any_o[31:0] & f_had_q & ~pushed_q) == '0)
  `FAA_ASSERT(StepEnds, !(valid_q && window_room_i && (any_o[31:0] & ~f_had) == '0) || step_done)
  `FAA_ASSERT(LastStepLeaves, !(valid_q && step_done && f_highest < base_q + 6'(Push)) || leave_o)

  // What is pushed is of the beat that came.
  faa_shared_pkg::beat_t f_beat_q;
  logic [Lanes*32-1:0]   f_place_q, f_other_q, f_value_q;
  logic [Lanes-1:0]      f_load_q, f_send_q, f_choice_q;
  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) begin
      f_beat_q   <= beat_i;
      f_place_q  <= place_i;
      f_value_q  <= value_i;
      f_load_q   <= load_i;
      f_send_q   <= send_i;
      f_choice_q <= choice_i;
      // A choice brings its ticket.
      for (int p = 0; p < Lanes; p++) f_other_q[p*32 +: 32] <= choice_i[p] ? {21'b0, row_i, 5'(p)} : other_i[p*32 +: 32];
    end
  end
  `FAA_ASSERT(BeatStays, !valid_q || {beat_o, place_o, other_o, load_o, send_q, choice_o} ==
              {f_beat_q, f_place_q, f_other_q, f_load_q, f_send_q, f_choice_q})
  `FAA_ASSERT(ValueStays, !valid_q || value_o == f_value_q || faa_shared_pkg::is_f32_order(f_beat_q))

  // Induction: what the registers say of the bank
  assign f_due = base_q + (pushed_q[f_bank_q] ? 6'(Push) : 6'd0);
  `FAA_ASSERT(WideIsWide, !valid_q || wide_q == faa_cu_pkg::is_wide(beat_o.typ))
  `FAA_ASSERT(SentIsBase, f_sent_q == (!valid_q ? 6'd0 : f_due < f_all ? f_due : f_all))
  `FAA_ASSERT(PushedWasDue, (pushed_q & ~any_o[31:0]) == '0)
  `FAA_ASSERT(BaseIsStep, base_q % 6'(Push) == '0 && (base_q == '0 || (valid_q && base_q <= f_highest)))
  `FAA_ASSERT(GoodIsBase, valid_q ? f_good_q * 6'(Push) <= base_q : f_good_q == '0 && f_had_q == '0 && pushed_q == '0)
  `FAA_COVER(SecondStep, leave_o && base_q != '0)
