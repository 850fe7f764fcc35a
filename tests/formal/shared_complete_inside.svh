// SPDX-License-Identifier: Apache-2.0
//
// Goes into faa_shared_complete. Any beat is followed from stage D to its completion, with the operations of one bank, chosen
// during reset. Beats complete in order; none completes while the bank owes an operation of it or of an earlier beat; one whose
// operations are executed does. Warps that are done are those whose last beat is complete, and none is lost.

  localparam int unsigned Owing = 64;   // operations between stage D and execution, per bank: more than a queue and its bank hold
  localparam int unsigned Beat  = 32;   // operations of one beat for one bank

  // ---- The environment: stage D (shared_spread_inside.svh), queues and banks

  logic [31:0] f_executed_early, f_too_many;
  for (genvar k = 0; k < 32; k++) begin : g_formal
    assign f_executed_early[k] = executed_i[k] && g_bank[k].received_q == g_bank[k].executed_q;
    assign f_too_many[k]       = push_i[k] && g_bank[k].received_q - g_bank[k].executed_q > CountW'(Owing - Push);
  end
  `FAA_ASSUME(ExecutesWhatItHas, f_executed_early == '0)
  `FAA_ASSUME(QueuesAreBounded, f_too_many == '0)
  `FAA_ASSUME(LeavesWithRoom, !leave_i || room_o)

  // ---- One bank, one beat

  localparam int unsigned PlaceW = $clog2(Window);
  localparam int unsigned f_bank_q = 7;
  logic               f_pick, f_tracked_q, f_new_q, f_pop, f_executes;
  logic [2:0]         f_number, f_flags_q;
  logic [11:0]        f_out_q, f_owed_q, f_since_q, f_beyond_q, f_beat_q;
  logic [NumberW-1:0] f_ahead_q, f_later;
  logic [15:0]        f_received, f_executed;

  formal_any #(.WIDTH(1)) u_any (.Y(f_pick));

  assign f_pop      = f_tracked_q && beat_ready;
  assign f_executes = executed_i[f_bank_q];
  assign f_received = received[f_bank_q*CountW +: CountW];
  assign f_executed = executed[f_bank_q*CountW +: CountW];

  always_comb begin
    f_number = '0;
    for (int r = 0; r < Push; r++) f_number = f_number + 3'(push_i[f_bank_q] && any_i[r*32 + f_bank_q]);
  end

  `FAA_ASSUME(ABeatIsBounded, f_beat_q + 12'(f_number) <= 12'(Beat))
  // Others may complete meanwhile, the bank that is followed executes what it has.
  `FAA_ASSUME(ExecutesWhatTheBankHas, !f_executes || f_out_q != '0)

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_tracked_q <= 1'b0;
      f_out_q     <= '0;
      f_beat_q    <= '0;
    end else begin
      // Received and not executed; of the beat that has not left yet
      f_out_q  <= f_out_q + 12'(f_number) - 12'(f_executes);
      f_beat_q <= leave_i ? '0 : f_beat_q + 12'(f_number);
      f_new_q  <= 1'b0;
      if (!f_tracked_q) begin
        if (leave_i && f_pick) begin
          f_tracked_q <= 1'b1;
          f_new_q     <= 1'b1;
          f_ahead_q   <= beats + NumberW'(left_q) - NumberW'(beat_ready);
          f_flags_q   <= {result_i, hold_i, last_i};
          f_owed_q    <= f_out_q + 12'(f_number) - 12'(f_executes);
          f_since_q   <= '0;
          f_beyond_q  <= '0;
        end
      end else begin
        // Owed by the bank until the beat is complete; received since, executed of that
        f_since_q <= f_since_q + 12'(f_number);
        if (f_executes && f_owed_q != '0) f_owed_q <= f_owed_q - 12'd1;
        if (f_executes && f_owed_q == '0) f_beyond_q <= f_beyond_q + 12'd1;
        if (f_pop) f_ahead_q <= f_ahead_q - NumberW'(1);
        if (f_pop && f_ahead_q == '0) f_tracked_q <= 1'b0;
      end
    end
  end

  logic        f_head, f_lacks;
  logic [31:0] f_lacking;
  assign f_head  = f_tracked_q && f_ahead_q == '0 && !f_new_q;
  assign f_lacks = 16'(f_executed - noted[f_bank_q*CountW +: CountW]) >= 16'h8000;
  for (genvar k = 0; k < 32; k++) begin : g_formal_lacks
    assign f_lacking[k] = 16'(executed[k*CountW +: CountW] - noted[k*CountW +: CountW]) >= 16'h8000;
  end

  `FAA_ASSERT(NotBeforeItsOperations, !(f_head && (beat_ready || valid_o)) || f_owed_q == '0)
  `FAA_ASSERT(OwesIsLacks, !f_head || (beat_valid && f_lacks == (f_owed_q != '0)))
  `FAA_ASSERT(CompleteWhenNoneLacks, reached == (beat_valid && f_lacking == '0))
  `FAA_ASSERT(CompleteGoesOn, (valid_o == (reached && beat_result)) && (beat_ready == (reached && (ready_i || !beat_result))))
  `FAA_ASSERT(IsTheBeat, !f_head || {beat_result, beat_hold, beat_last} == f_flags_q)
  `FAA_ASSERT(StaysUntilComplete, !f_tracked_q || (f_new_q ? left_q && f_ahead_q == beats : f_ahead_q < beats))

  // Induction: what is noted of the beat, in these terms
  logic [PlaceW-1:0]     f_place;
  logic [32*CountW+2:0]  f_record;
  logic [15:0]           f_noted;
  assign f_place  = u_beats.head_q + PlaceW'(f_ahead_q);   // Window is a power of two here
  assign f_record = u_beats.mem[f_place];
  assign f_noted  = f_new_q ? f_received : f_record[f_bank_q*CountW +: CountW];
  assign f_later  = beats + NumberW'(left_q) - f_ahead_q - NumberW'(1);
  `FAA_ASSERT(OutIsCounted, f_out_q == 12'(f_received - f_executed) && f_received - f_executed <= 16'(Owing) &&
              f_beat_q <= 12'(Beat))
  `FAA_ASSERT(NotedIsCounted, !f_tracked_q || f_noted == f_received - 16'(f_since_q))
  `FAA_ASSERT(OwedIsCounted, !f_tracked_q || (f_out_q == f_owed_q + f_since_q - f_beyond_q && f_beyond_q <= f_since_q &&
              (f_owed_q == '0 || f_beyond_q == '0) && f_owed_q <= 12'(Owing) && (!f_new_q || f_since_q == '0)))
  `FAA_ASSERT(SinceIsBounded, !f_tracked_q || f_since_q <= 12'(Beat) * 12'(f_later) + f_beat_q)
  `FAA_ASSERT(FlagsAreKept, !f_tracked_q || f_flags_q == (f_new_q ? {left_result_q, left_hold_q, left_last_q} :
              f_record[32*CountW +: 3]))
  `FAA_ASSERT(WindowIsCounted, 8'(beats) + 8'(left_q) <= 8'(Window) &&
              PlaceW'(u_beats.tail_q - u_beats.head_q) == PlaceW'(beats))

  // ---- Warps: each is before its last beat, in the window, held, or done and about to be told

  logic [7:0]          f_before_q, f_lasts;
  logic [PlaceW-1:0]   f_slot;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_before_q <= '0;
    else f_before_q <= f_before_q + 8'(user_valid_i && user_ready_o) - 8'(leave_i && last_i);
  end
  `FAA_ASSUME(LastBeatOfAWarp, !(leave_i && last_i) || f_before_q != '0)

  always_comb begin
    f_lasts = 8'(left_q && left_last_q);
    f_slot  = '0;
    for (int n = 0; n < Window; n++) begin
      f_slot = u_beats.head_q + PlaceW'(n);
      if (NumberW'(n) < beats) f_lasts = f_lasts + 8'(u_beats.mem[f_slot][32*CountW]);
    end
  end
  `FAA_ASSERT(WarpsAreCounted, 8'(users) == f_before_q + f_lasts + 8'(held_q) + 8'(done_q))
  `FAA_ASSERT(WarpsFit, users <= UserCountW'(Users) && f_before_q <= 8'(Users) &&
              2'(u_users.tail_q - u_users.head_q) == 2'(users) && held_q <= UserCountW'(Users) && done_q <= UserCountW'(Users))
  `FAA_ASSERT(HeldAreNotDone, !(beat_ready && beat_hold) || done_more == '0)
