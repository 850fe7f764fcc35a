// SPDX-License-Identifier: Apache-2.0
//
// Goes into each bank of faa_shared_answers. Any answer is followed from the bank until it is taken: it is the item that it has
// to be, behind exactly those that came before it, unchanged. With room reserved no answer is lost and none overflows.

  logic [PtrW:0]   f_there_q;   // answers that have come and not been taken
  logic [Push-1:0] f_any;
  for (genvar r = 0; r < Push; r++) begin : g_formal_any
    assign f_any[r] = any_i[r*32 + k];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_there_q <= '0;
    else f_there_q <= f_there_q + (PtrW+1)'(valid_i[k]) - (PtrW+1)'(number);
  end

  // Operations leave their queue with credit (shared_queues_inside.svh), their answers come two cycles later
  // (shared_pair_inside.svh); stage C takes answers of complete beats (shared_complete_inside.svh), without gaps.
  `FAA_ASSUME(ReserveHasCredit, !reserve_i[k] || credit_o[k])
  `FAA_ASSUME(AnswerIsReserved, !valid_i[k] || f_there_q < reserved_q)
  `FAA_ASSUME(TakenIsThere, !take_i || ((f_any & (f_any + Push'(1))) == '0 && (PtrW+1)'(number) <= f_there_q))

  `FAA_ASSERT(NoneIsLost, f_there_q <= reserved_q && reserved_q <= (PtrW+1)'(Depth))
  `FAA_ASSERT(CreditIsRoom, credit_o[k] == (reserved_q < (PtrW+1)'(Depth)))
  `FAA_ASSERT(Pointers, PtrW'(tail_q - head_q) == f_there_q[PtrW-1:0])

  if (k == 0) begin : g_formal
    logic            f_pick, f_tracked_q;
    logic [PtrW:0]   f_ahead_q;
    logic [31:0]     f_word_q;
    logic [PtrW-1:0] f_place;
    logic [Push-1:0] f_right, f_kept;

    formal_any #(.WIDTH(1)) u_any (.Y(f_pick));

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        f_tracked_q <= 1'b0;
      end else if (f_tracked_q) begin
        if ((PtrW+1)'(number) > f_ahead_q) f_tracked_q <= 1'b0;
        f_ahead_q <= f_ahead_q - (PtrW+1)'(number);
      end else if (valid_i[k] && f_pick) begin
        f_tracked_q <= 1'b1;
        f_ahead_q   <= f_there_q - (PtrW+1)'(number);
        f_word_q    <= word_i[k*32 +: 32];
      end
    end

    for (genvar r = 0; r < Push; r++) begin : g_item
      assign f_right[r] = !(take_i && f_any[r] && f_ahead_q == (PtrW+1)'(r)) || word_o[r*1024 + k*32 +: 32] == f_word_q;
    end
    `FAA_ASSERT(TakenInOrder, !f_tracked_q || &f_right)
    `FAA_ASSERT(StaysUntilTaken, !f_tracked_q || f_ahead_q < f_there_q)

    // Induction: where the answer is kept
    assign f_place = head_q + f_ahead_q[PtrW-1:0];
    for (genvar n = 0; n < Push; n++) begin : g_kept
      assign f_kept[n] = f_place % PtrW'(Push) != PtrW'(n) || g_column[n].mem[f_place[PtrW-1:$clog2(Push)]] == f_word_q;
    end
    `FAA_ASSERT(Kept, !f_tracked_q || &f_kept)
  end
