// SPDX-License-Identifier: Apache-2.0
//
// Part of faa_shared_chain. Two memories follow one word, chosen during reset: one executes the
// operations of every beat, the other those that stage X sends. They are equal whenever no chain
// holds the word, and every lane's answer is that of the first memory, computed from the answer of
// the second. Effects of operations that are not combined on the word are the solver's choice.

  // ---- A beat as the stages before give it. A group of combined operations is all lanes of a
  // word. Lanes of a group are adjacent, groups are in the order of words, and inactive lanes come
  // last.

  function automatic logic f_sorted(input faa_shared_pkg::beat_t beat, input logic [Lanes-1:0][WordW-1:0] word,
                                    input logic [Lanes-1:0] member, input logic [Lanes-1:0] first, input logic [Lanes-1:0] last);
    logic prior, same, ahead;
    f_sorted = (first & ~member) == '0 && (last & ~member) == '0;
    for (int p = 0; p < Lanes; p++) begin
      prior = p != 0 && member[(p+Lanes-1)%Lanes];
      same  = prior && word[(p+Lanes-1)%Lanes] == word[p];
      ahead = p != Lanes - 1 && member[(p+1)%Lanes] && word[(p+1)%Lanes] == word[p];
      if (faa_shared_pkg::is_combined(beat) && member[p]) begin
        if (p != 0 && (!prior || word[(p+Lanes-1)%Lanes] > word[p])) f_sorted = 1'b0;
        if (first[p] == same || last[p] == ahead) f_sorted = 1'b0;
      end
    end
  endfunction

  `FAA_ASSUME(BeatsComeSorted, !valid_i || f_sorted(beat_i, word_i, member_i, first_i, last_i))

  // The two words that may be watched: any two groups, or one, or none.
  `FAA_ASSUME(CrowdsAreGroups, !valid_i || ((crowd_i[0] != '0 || crowd_i[1] == '0) && ((crowd_i[0] | crowd_i[1]) & ~last_i) == '0 &&
              (crowd_i[0] & crowd_i[1]) == '0 && (crowd_i[0] & (crowd_i[0] - Lanes'(1))) == '0 &&
              (crowd_i[1] & (crowd_i[1] - Lanes'(1))) == '0))

  // ---- The content of a beat, when it leaves

  record_t f_1_q, f_2_q, f_in;
  always_ff @(posedge clk_i) begin
    f_1_q <= g_chains.s_q;
    f_2_q <= f_1_q;
    f_in  <= f_2_q;
  end

  // ---- The word and its two memories

  logic [WordW-1:0]     f_word_q;
  logic [31:0]          f_any, f_golden_q, f_golden, f_sent_q, f_sent, f_total;
  logic [Slots-1:0][31:0] f_base_q;
  logic [Lanes-1:0]     f_mine, f_right;
  logic [31:0]          f_m, f_answer, f_expected;
  logic                 f_pass, f_combined, f_sign, f_unchanged;
  logic [2:0]           f_count;

  assign f_any      = other_i[0];
  assign f_pass     = valid_o;
  assign f_combined = faa_shared_pkg::is_combined(beat_o);
  assign f_sign     = beat_o.typ == faa_pkg::TYPE_S32;

  // The operations of the beat, and those that are sent; at most one for a combined beat.
  always_comb begin
    f_mine      = '0;
    f_total     = '0;
    f_golden    = f_golden_q;
    f_sent      = f_sent_q;
    f_count     = '0;
    f_unchanged = 1'b1;
    for (int p = 0; p < Lanes; p++) begin
      f_mine[p] = member_o[p] && word_o[p] == f_word_q;
      if (f_mine[p] && f_in.last[p]) f_total = f_in.value[p];
      if (f_mine[p] && send_o[p]) f_count = f_count + 3'd1;
      if (f_mine[p] && (send_o[p] != f_in.last[p] || load_o[p] || value_o[p] != f_in.value[p])) f_unchanged = 1'b0;
    end
    if (f_pass && f_combined && f_mine != '0) begin
      f_golden = faa_shared_pkg::combine(beat_o.op, f_sign, f_golden_q, f_total);
      for (int p = 0; p < Lanes; p++) begin
        if (f_mine[p] && send_o[p] && !load_o[p]) begin
          f_sent = faa_shared_pkg::combine(beat_o.op, f_sign, f_sent_q, value_o[p]);
        end
      end
    end else if (f_pass && f_mine != '0) begin
      f_golden = f_any;
      f_sent   = f_any;
    end
  end

  // Answers: the word before the beat's operations, or at the beginning of the chain, combined with
  // the operations before.
  always_comb begin
    f_right    = '1;
    f_m        = '0;
    f_answer   = '0;
    f_expected = '0;
    for (int p = 0; p < Lanes; p++) begin
      f_m = f_sent_q;
      for (int c = 0; c < Slots; c++) if (chained_o[c][p]) f_m = f_base_q[c];
      f_answer   = first_o[p] ? f_m : faa_shared_pkg::combine(beat_o.op, f_sign, f_m, before_o[p]);
      f_expected = f_in.first[p] ? f_golden_q :
                   faa_shared_pkg::combine(beat_o.op, f_sign, f_golden_q, f_in.value[(p+Lanes-1)%Lanes]);
      f_right[p] = !f_mine[p] || f_answer == f_expected;
    end
  end

  logic [4:0] f_run_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_word_q   <= word_i[0];
      f_golden_q <= value_i[0];
      f_sent_q   <= value_i[0];
      f_run_q    <= '0;
    end else begin
      f_golden_q <= f_golden;
      f_sent_q   <= f_sent;
      if (f_pass) f_run_q <= hold_o ? f_run_q + 5'd1 : '0;
    end
    for (int c = 0; c < Slots; c++) begin
      if (f_pass && (base_o[c] & f_mine) != '0) f_base_q[c] <= f_sent_q;
    end
  end

  `FAA_ASSERT(SameWord, !(f_pass && !hold_o) || f_sent == f_golden)
  `FAA_ASSERT(RightAnswers, !(f_pass && f_combined && beat_o.result) || &f_right)
  `FAA_ASSERT(OthersPassUnchanged, !(f_pass && !f_combined) || (f_sent_q == f_golden_q && f_unchanged))
  `FAA_ASSERT(OneOperation, !(f_pass && f_combined) || f_count <= 3'd1)
  // A warp is held for a bounded number of beats.
  `FAA_ASSERT(HeldForBoundedTime, f_run_q <= 5'(Longest))

  // ---- The beat in P, and the words that are watched

  if (Chains != 0) begin : g_formal
    logic [Chains-1:0]            f_known;
    logic [Chains-1:0][WordW-1:0] f_watched;
    logic                         f_apart;
    for (genvar c = 0; c < Chains; c++) begin : g_formal_chain
      assign f_known[c]   = g_chains.g_watch[c].u_watch.known_q;
      assign f_watched[c] = g_chains.g_watch[c].u_watch.word_q;
      // Positions with the word: all of the beat
      logic [Lanes-1:0] f_has;
      for (genvar p = 0; p < Lanes; p++) begin : g_has
        assign f_has[p] = g_chains.p_q.member[p] && g_chains.p_q.word[p] == f_watched[c];
      end
      `FAA_ASSERT(MaskIsWord, !g_chains.p_valid_q || g_chains.p_mask_q[c] == '0 ||
                  (f_known[c] && faa_shared_pkg::is_combined(g_chains.p_q.beat) && g_chains.p_mask_q[c] == f_has))
    end
    always_comb begin
      f_apart = 1'b1;
      for (int c = 0; c < Chains; c++) begin
        for (int d = 0; d < c; d++) if (f_known[c] && f_known[d] && f_watched[c] == f_watched[d]) f_apart = 1'b0;
      end
    end
    `FAA_ASSERT(WordsAreApart, f_apart)
    `FAA_ASSERT(StaysSorted, !g_chains.p_valid_q || f_sorted(g_chains.p_q.beat, g_chains.p_q.word, g_chains.p_q.member,
                                                             g_chains.p_q.first, g_chains.p_q.last))
  end
