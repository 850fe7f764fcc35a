// SPDX-License-Identifier: Apache-2.0
//
// Part of faa_shared_queue. Any operation is followed from its pass to its answer: it reaches the
// head once, unchanged, after exactly those that were put before it (by passes; in a pass by
// columns, from the first one on), and its answer is directed to its column. Meanwhile the queue
// reports that it owes answers, and when the operation is the oldest one without an answer, that it
// owes an answer of its pass.

  // ---- The environment: passes as faa_shared_pass makes them (shared_pass_props.sv), answers in
  // the order in which operations are taken, and passes that leave when no answer of them is owed
  // (shared_window_props.sv)

  logic               f_issue, f_leave, f_pop, f_pick;
  logic [1:0]         f_rank;
  logic [3:0]         f_columns;
  logic [NumberW-1:0] f_next_q, f_oldest_q;
  logic [NumberW:0]   f_inside_q;
  // Items put and not taken; taken and not answered
  logic [7:0]         f_there_q, f_pending_q, f_put;

  formal_any #(.WIDTH(5)) u_any (.Y({f_issue, f_leave, f_pick, f_rank}));

  assign f_pop = head_valid_o && head_ready_i;
  assign f_put = entry_i ? 8'(entry_number_i) : 8'd0;
  always_comb begin
    f_columns = '0;
    for (int c = 0; c < 4; c++) f_columns[c] = {1'b0, 2'(c) - entry_first_i} < entry_number_i;
  end

  `FAA_ASSUME(PassIsDense, entry_i ? entry_number_i != '0 && entry_number_i <= 3'd4 && put_i == f_columns : put_i == '0)
  `FAA_ASSUME(EntryIsOfAPass, !entry_i || (f_issue && pass_i == f_next_q))
  `FAA_ASSUME(PassesAreBounded, !f_issue || f_inside_q < (NumberW+1)'(Depth))
  `FAA_ASSUME(LeavesWhenNothingIsOwed, !f_leave || (f_inside_q != '0 && !(owes_o && owes_pass_o == f_oldest_q)))
  `FAA_ASSUME(AnswersWhatWasTaken, !answer_i || f_pending_q != '0)

  // ---- The operation that is followed

  logic               f_tracked_q, f_waits_q, f_waited_q;
  logic [7:0]         f_ahead_q, f_owing_q;    // to be taken, and to be answered, before it
  logic [1:0]         f_column, f_column_q;
  logic [ItemW-1:0]   f_data_q;
  logic [InfoW-1:0]   f_info_q;
  logic [NumberW-1:0] f_pass_q, f_entry_q, f_slot_q;

  assign f_column = entry_first_i + f_rank;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_next_q    <= '0;
      f_oldest_q  <= '0;
      f_inside_q  <= '0;
      f_there_q   <= '0;
      f_pending_q <= '0;
      f_tracked_q <= 1'b0;
      f_waits_q   <= 1'b0;
      f_waited_q  <= 1'b0;
    end else begin
      if (f_issue) f_next_q <= f_next_q + NumberW'(1);
      if (f_leave) f_oldest_q <= f_oldest_q + NumberW'(1);
      f_inside_q  <= f_inside_q + (NumberW+1)'(f_issue) - (NumberW+1)'(f_leave);
      f_there_q   <= f_there_q + f_put - 8'(f_pop);
      f_pending_q <= f_pending_q + 8'(f_pop) - 8'(answer_i);
      f_waited_q  <= f_there_q > 8'(f_pop);
      if (f_tracked_q) begin
        if (f_pop) f_ahead_q <= f_ahead_q - 8'd1;
        if (f_pop && f_ahead_q == '0) f_waits_q <= 1'b0;
        if (answer_i) f_owing_q <= f_owing_q - 8'd1;
        if (answer_i && f_owing_q == '0) f_tracked_q <= 1'b0;
      end else if (entry_i && f_pick && {1'b0, f_rank} < entry_number_i) begin
        f_tracked_q <= 1'b1;
        f_waits_q   <= 1'b1;
        f_ahead_q   <= f_there_q + 8'(f_rank) - 8'(f_pop);
        f_owing_q   <= f_there_q + f_pending_q + 8'(f_rank) - 8'(answer_i);
        f_column_q  <= f_column;
        f_data_q    <= item_i[f_column];
        f_info_q    <= info_i;
        f_pass_q    <= pass_i;
        f_entry_q   <= tail_q;
        f_slot_q    <= write_q[f_column];
      end
    end
  end

  `FAA_ASSERT(LeavesInOrder, !(f_tracked_q && f_waits_q && f_ahead_q == '0 && head_valid_o) ||
              (head_item_o == f_data_q && head_info_o == f_info_q))
  `FAA_ASSERT(NoneMadeOrLost, !head_valid_o || f_there_q != '0)
  `FAA_ASSERT(HeadComes, !f_waited_q || head_valid_o)
  `FAA_ASSERT(AnswerGoesHome, !(f_tracked_q && answer_i && f_owing_q == '0) || answer_column_o == 4'd1 << f_column_q)
  `FAA_ASSERT(AnswersOnly, answer_i || answer_column_o == '0)
  `FAA_ASSERT(OwesWhatIsOwed, owes_o == (f_there_q != '0 || f_pending_q != '0))
  `FAA_ASSERT(OwesTheOldest, !(f_tracked_q && f_owing_q == '0) || owes_pass_o == f_pass_q)

  // ---- Induction: entries from the one that waits for answers on, and the columns that they name

  entry_t             f_entry [Depth];
  logic [7:0]         f_all, f_unfetched, f_before, f_before_slot;
  logic [NumberW-1:0] f_in_column [4];
  // The first entry that is not fetched; the followed one
  logic [NumberW:0]   f_first, f_index;
  logic               f_numbers, f_passes, f_columns_agree, f_has;
  logic [NumberW-1:0] f_place, f_prior;

  for (genvar i = 0; i < Depth; i++) begin : g_formal
    assign f_entry[i] = order[NumberW'(owe_q + NumberW'(i))];
  end
  assign f_first = owed_q - entries_q;
  assign f_index = {1'b0, NumberW'(f_entry_q - owe_q)};

  always_comb begin
    f_all           = '0;
    f_unfetched     = '0;
    f_before        = '0;
    f_before_slot   = '0;
    f_numbers       = 1'b1;
    f_passes        = 1'b1;
    f_columns_agree = 1'b1;
    f_has           = 1'b0;
    f_place         = '0;
    f_prior         = '0;
    for (int c = 0; c < 4; c++) f_in_column[c] = '0;
    for (int i = 0; i < Depth; i++) begin
      if ((NumberW+1)'(i) < owed_q) begin
        f_place = f_entry[i].pass - f_oldest_q;
        if (f_entry[i].number == '0 || f_entry[i].number > 3'd4) f_numbers = 1'b0;
        if ({1'b0, f_place} >= f_inside_q || (i != 0 && f_place <= f_prior)) f_passes = 1'b0;
        f_prior = f_place;
        f_all   = f_all + 8'(f_entry[i].number);
        if ((NumberW+1)'(i) < f_index) f_before = f_before + 8'(f_entry[i].number);
        if ((NumberW+1)'(i) >= f_first) begin
          f_unfetched = f_unfetched + 8'(f_entry[i].number);
          for (int c = 0; c < 4; c++) begin
            f_has = {1'b0, 2'(c) - f_entry[i].first} < f_entry[i].number &&
                    ((NumberW+1)'(i) != f_first || 2'(c) - f_entry[i].first >= fetched_q);
            f_in_column[c] = f_in_column[c] + NumberW'(f_has);
            if (f_has && 2'(c) == f_column_q && (NumberW+1)'(i) < f_index) f_before_slot = f_before_slot + 8'd1;
          end
        end
      end
    end
    for (int c = 0; c < 4; c++) if (NumberW'(write_q[c] - read_q[c]) != f_in_column[c]) f_columns_agree = 1'b0;
  end

  `FAA_ASSERT(Pointers, tail_q == NumberW'(owe_q + NumberW'(owed_q)) && tail_q == NumberW'(fetch_q + NumberW'(entries_q)) &&
              entries_q <= owed_q && owed_q <= (NumberW+1)'(Depth) && f_inside_q <= (NumberW+1)'(Depth) &&
              f_next_q == NumberW'(f_oldest_q + NumberW'(f_inside_q)))
  `FAA_ASSERT(EntriesAreSound, f_numbers && f_passes)
  `FAA_ASSERT(AtWork, (entries_q != '0 ? {1'b0, fetched_q} < fetching.number : fetched_q == '0) &&
              (owed_q != '0 ? {1'b0, answered_q} < owing.number : answered_q == '0))
  `FAA_ASSERT(Counted, f_there_q == f_unfetched - 8'(fetched_q) + 8'(head_valid_o) && f_there_q + f_pending_q == f_all - 8'(answered_q) &&
              f_pending_q <= 8'(4 * Depth) && f_there_q <= 8'(4 * Depth))
  `FAA_ASSERT(ColumnsAgree, f_columns_agree)

  logic [1:0]       f_at;
  logic             f_is_head;
  logic [ItemW-1:0] f_kept;
  assign f_at      = f_column_q - order[f_entry_q].first;
  assign f_is_head = head_valid_o && f_ahead_q == '0;
  always_comb begin
    case (f_column_q)
      2'd0:    f_kept = column_0[f_slot_q];
      2'd1:    f_kept = column_1[f_slot_q];
      2'd2:    f_kept = column_2[f_slot_q];
      default: f_kept = column_3[f_slot_q];
    endcase
  end
  `FAA_ASSERT(EntryIsKept, !f_tracked_q || (f_index < owed_q && {1'b0, f_at} < order[f_entry_q].number &&
              order[f_entry_q].pass == f_pass_q && order[f_entry_q].info == f_info_q))
  `FAA_ASSERT(AheadIsCounted, !f_tracked_q || (f_owing_q == f_before + 8'(f_at) - 8'(answered_q) &&
              (f_waits_q ? f_owing_q == f_ahead_q + f_pending_q && f_ahead_q < f_there_q : f_owing_q < f_pending_q)))
  `FAA_ASSERT(ItemIsKept, !(f_tracked_q && f_waits_q) || (f_is_head ? head_item_o == f_data_q && head_info_o == f_info_q :
              f_index >= f_first && f_kept == f_data_q && NumberW'(f_slot_q - read_q[f_column_q]) == NumberW'(f_before_slot)))
