// SPDX-License-Identifier: Apache-2.0
//
// Part of each column of faa_shared_answers. Any answer is followed from the bank until it is
// taken: it shows when all answers that came into its column before it are taken, and stays
// unchanged until it is taken.

    logic [NumberW:0]   f_there_q, f_ahead_q;
    logic               f_pick, f_tracked_q;
    logic [31:0]        f_word_q;
    logic [NumberW-1:0] f_place;

    formal_any #(.WIDTH(1)) u_any (.Y(f_pick));

    // A pass brings a column at most one answer, and at most Depth passes are in flight
    // (PassesAreBounded of shared_pass_props.sv). Only answers that have come are taken: those of a
    // complete pass (NotBeforeItsAnswers of shared_window_props.sv).
    `FAA_ASSUME(PutHasRoom, !put_i[c] || f_there_q < (NumberW+1)'(Depth))
    `FAA_ASSUME(TakenIsThere, !take_i[c] || f_there_q != '0)

    assign f_place = read_q + NumberW'(f_ahead_q);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        f_there_q   <= '0;
        f_tracked_q <= 1'b0;
      end else begin
        f_there_q <= f_there_q + (NumberW+1)'(put_i[c]) - (NumberW+1)'(take_i[c]);
        if (f_tracked_q) begin
          if (take_i[c]) f_ahead_q <= f_ahead_q - (NumberW+1)'(1);
          if (take_i[c] && f_ahead_q == '0) f_tracked_q <= 1'b0;
        end else if (put_i[c] && f_pick) begin
          f_tracked_q <= 1'b1;
          f_ahead_q   <= f_there_q - (NumberW+1)'(take_i[c]);
          f_word_q    <= word_i;
        end
      end
    end

    `FAA_ASSERT(ShowsInOrder, !(f_tracked_q && f_ahead_q == '0) || word_o[c] == f_word_q)

    // Induction: where it is kept
    `FAA_ASSERT(Pointers, NumberW'(write_q - read_q) == NumberW'(f_there_q) && f_there_q <= (NumberW+1)'(Depth))
    `FAA_ASSERT(Kept, !f_tracked_q || (f_ahead_q < f_there_q && mem[f_place] == f_word_q))
