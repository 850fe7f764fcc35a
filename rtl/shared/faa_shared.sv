// SPDX-License-Identifier: Apache-2.0
//
// Shared memory of one compute unit: 32 banks of 4-byte words, loads, stores and atomic operations of whole warps.
//
// A warp comes in with addresses that have been checked, in beats of Lanes lanes. A beat goes down a pipeline that never changes
// the order of anything:
//
//   K     faa_shared_keys      keys: bank and row of each lane
//   SORT  faa_shared_sort      lanes of one word stand side by side, in lane order
//   P     faa_shared_order     operands follow
//   G     faa_shared_group     groups, what one bank operation serves
//   SCAN  faa_shared_scan      what the lanes of a group do together; rank of each group in its bank
//   S     faa_shared_sums      sums of relaxed floating-point additions
//   X     faa_shared_chain     groups on hot words are combined with those of the next beats
//   D     faa_shared_spread    operations go to the queues of their banks, Push per bank and cycle
//   Q     faa_shared_queues    one operation per bank and cycle leaves, whatever its warp
//   bank  faa_shared_pair      two banks and their arithmetic; faa_shared_choose: CAS of lanes that compare with several values
//   A     faa_shared_answers   answers wait, complete beats are found by faa_shared_complete
//   C     faa_shared_collect   answers go to the positions of the beat
//   F     faa_shared_fix_kinds each lane gets its own
//   R     faa_shared_return    answers go to their lanes
//
// Throughput: one beat per cycle while banks keep up. Latency, stalls and hazards: "Shared memory unit" of the documentation.

`include "faa_assert.svh"

module faa_shared #(
  parameter int unsigned SharedBytes = 65536,
  parameter int unsigned Lanes = 32,     // taken per cycle: 8, 16 or 32
  parameter int unsigned Push = 4,       // operations of a beat that one bank takes per cycle: 1, 2 or 4
  parameter int unsigned Chains = 2,     // hot words combined across beats
  parameter int unsigned UserW = 4,
  parameter int unsigned Owners = 1,     // whose warps come
  parameter bit          F32 = 1'b1,
  parameter bit          F64 = 1'b1,
  parameter bit          X2 = 1'b1,
  parameter bit          Relaxed = 1'b1,  // with F32 and 32 lanes
  localparam int unsigned OwnerW = Owners > 1 ? $clog2(Owners) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // A warp
  input  logic             warp_valid_i,
  output logic             warp_ready_o,
  input  logic [31:0]      warp_mask_i,    // active lanes, at least one
  input  logic [1:0]       warp_func_i,    // faa_cu_pkg::SHARED_*
  input  logic [7:0]       warp_op_i,      // SHARED_ATOMIC: enum atoms_op
  input  logic [3:0]       warp_typ_i,     // enum type
  input  logic [1:0]       warp_mod_i,     // enum float_mode: bit 0 FTZ, bit 1 RELAXED
  input  logic             warp_result_i,  // answers are wanted
  input  logic [UserW-1:0] warp_user_i,    // given back with its answers and when it is done
  input  logic [OwnerW-1:0] warp_owner_i,  // whose it is
  input  logic [767:0]     warp_addr_i,    // 24 bits a lane, aligned, below SharedBytes
  input  logic [2047:0]    warp_b_i,       // 64 bits a lane
  input  logic [2047:0]    warp_c_i,

  // Answers of the warps that want them, in order: 64 bits a lane, 0 in lanes that were not active
  output logic             result_valid_o,
  input  logic             result_ready_i,
  output logic [2047:0]    result_o,
  output logic [UserW-1:0] result_user_o,

  // Every warp, in order, when its operations have had their effect. Answers that are not taken keep later warps from being done.
  output logic             done_valid_o,
  output logic [UserW-1:0] done_user_o,

  // Events, counted per cycle
  output logic [5:0]       ev_passes_o,
  output logic [OwnerW-1:0] ev_owner_o,      // whose passes these are
  output logic [5:0]       ev_groups_o,
  output logic [5:0]       ev_bank_ops_o,
  output logic             ev_stall_bank_o,
  output logic             ev_stall_queue_o,
  output logic             ev_stall_result_o,
  output logic             ev_stall_hazard_o,
  output logic             ev_stall_window_o,
  output logic             idle_o
);

  // The lanes of a warp are summed, so the sums need all of them in one beat.
  localparam bit          Sums       = Relaxed && F32 && Lanes == 32;
  localparam int unsigned RowW       = $clog2(SharedBytes) - 7;
  localparam int unsigned LaneW      = $clog2(Lanes);
  localparam int unsigned TicketRowW = faa_shared_pkg::TICKET_BITS - faa_shared_pkg::TICKET_ROW;
  localparam int unsigned Slots      = Chains == 0 ? 1 : Chains;
  localparam int unsigned Window     = 32;   // beats between stage D and their completion
  localparam int unsigned Warps      = 64;   // warps in the unit
  localparam int unsigned QueueDepth = 32;
  localparam int unsigned AnswerDepth = 64;
  localparam int unsigned WarpCountW = $clog2(Warps + 1);

  // -------------------------------------------------------------------------------------------------------------
  // Warps enter

  faa_shared_pkg::beat_t warp, k_beat;
  logic                  warp_room, keys_ready, user_ready, result_user_ready, result_user_valid, complete_idle;
  logic                  k_valid, k_ready, k_pass, sort_ready, order_room;
  logic [Lanes*32-1:0]   k_key, k_place;
  logic [Lanes*64-1:0]   k_b, k_c;
  logic [WarpCountW-1:0] results_pending;

  assign warp = {warp_func_i, warp_op_i, warp_typ_i, warp_mod_i, warp_result_i, 2'b00};
  // Room for every warp in the lists of warps
  assign warp_room    = user_ready && result_user_ready;
  assign warp_ready_o = keys_ready && warp_room;

  faa_shared_keys #(
    .Lanes(Lanes)
  ) u_keys (
    .clk_i,
    .rst_ni,
    .warp_valid_i(warp_valid_i && warp_room),
    .warp_ready_o(keys_ready),
    .warp_mask_i,
    .warp_i      (warp),
    .warp_addr_i,
    .warp_b_i,
    .warp_c_i,
    .valid_o     (k_valid),
    .ready_i     (k_ready),
    .beat_o      (k_beat),
    .key_o       (k_key),
    .place_o     (k_place),
    .b_o         (k_b),
    .c_o         (k_c)
  );

  assign k_ready = sort_ready && order_room;
  assign k_pass  = k_valid && k_ready;

  faa_fifo #(
    .Width(UserW),
    .Depth(Warps)
  ) u_result_users (
    .clk_i,
    .rst_ni,
    .valid_i(warp_valid_i && warp_ready_o && warp_result_i),
    .ready_o(result_user_ready),
    .data_i (warp_user_i),
    .valid_o(result_user_valid),
    .ready_i(result_valid_o && result_ready_i),
    .data_o (result_user_o),
    .count_o(results_pending)
  );

  // -------------------------------------------------------------------------------------------------------------
  // SORT, P, G, SCAN, S, X

  faa_shared_pkg::beat_t  s_beat, p_beat, g_beat, n_beat, m_beat, x_beat;
  logic                   s_valid, s_ready, p_valid, p_ready, g_valid, g_ready, n_valid, n_ready, x_valid, x_ready;
  logic                   m_valid, m_ready, stall_mode;
  logic [Lanes*32-1:0]    s_key, p_place, p_b, p_c, p_b_high, p_c_high;
  logic [Lanes*32-1:0]    g_place, g_value, g_other, g_value_high, g_other_high;
  logic [Lanes*32-1:0]    n_place, n_value, n_other, n_value_high, n_other_high;
  logic [Lanes*32-1:0]    m_place, m_value;
  logic [Lanes*32-1:0]    x_place, x_value, x_before, x_other, x_value_high, x_other_high;
  logic [Lanes-1:0]       g_member, g_first, g_last, g_bank_first, n_member, n_first, n_last;
  logic [Lanes-1:0]       m_member, m_first, m_last;
  logic [Lanes-1:0]       x_member, x_first, x_send, x_load;
  logic [Lanes-1:0]       g_choice, n_choice, x_choice;
  logic [Lanes*LaneW-1:0] g_next, n_next, n_end, x_next, x_end;
  logic [Lanes*8-1:0]     n_rank, m_rank, x_rank;
  logic [Slots*Lanes-1:0] x_chained, x_base;
  logic                   x_hold;

  faa_shared_sort #(
    .Lanes(Lanes)
  ) u_sort (
    .clk_i,
    .rst_ni,
    .valid_i(k_valid && order_room),
    .ready_o(sort_ready),
    .beat_i (k_beat),
    .key_i  (k_key),
    .valid_o(s_valid),
    .ready_i(s_ready),
    .beat_o (s_beat),
    .key_o  (s_key)
  );

  faa_shared_order #(
    .Lanes(Lanes)
  ) u_order (
    .clk_i,
    .rst_ni,
    .put_i      (k_pass),
    .room_o     (order_room),
    .put_place_i(k_place),
    .put_b_i    (k_b),
    .put_c_i    (k_c),
    .valid_i    (s_valid),
    .ready_o    (s_ready),
    .beat_i     (s_beat),
    .key_i      (s_key),
    .valid_o    (p_valid),
    .ready_i    (p_ready),
    .beat_o     (p_beat),
    .place_o    (p_place),
    .b_o        (p_b),
    .c_o        (p_c),
    .b_high_o   (p_b_high),
    .c_high_o   (p_c_high)
  );

  faa_shared_group #(
    .Lanes  (Lanes),
    .F32    (F32),
    .Relaxed(Sums)
  ) u_group (
    .clk_i,
    .rst_ni,
    .valid_i     (p_valid),
    .ready_o     (p_ready),
    .beat_i      (p_beat),
    .place_i     (p_place),
    .b_i         (p_b),
    .c_i         (p_c),
    .b_high_i    (p_b_high),
    .c_high_i    (p_c_high),
    .valid_o     (g_valid),
    .ready_i     (g_ready),
    .beat_o      (g_beat),
    .place_o     (g_place),
    .member_o    (g_member),
    .first_o     (g_first),
    .last_o      (g_last),
    .bank_first_o(g_bank_first),
    .value_o     (g_value),
    .other_o     (g_other),
    .value_high_o(g_value_high),
    .other_high_o(g_other_high),
    .choice_o    (g_choice),
    .next_o      (g_next)
  );

  faa_shared_scan #(
    .Lanes(Lanes)
  ) u_scan (
    .clk_i,
    .rst_ni,
    .valid_i     (g_valid),
    .ready_o     (g_ready),
    .beat_i      (g_beat),
    .place_i     (g_place),
    .member_i    (g_member),
    .first_i     (g_first),
    .last_i      (g_last),
    .bank_first_i(g_bank_first),
    .value_i     (g_value),
    .other_i     (g_other),
    .value_high_i(g_value_high),
    .other_high_i(g_other_high),
    .choice_i    (g_choice),
    .next_i      (g_next),
    .valid_o     (n_valid),
    .ready_i     (n_ready),
    .beat_o      (n_beat),
    .place_o     (n_place),
    .member_o    (n_member),
    .first_o     (n_first),
    .last_o      (n_last),
    .rank_o      (n_rank),
    .value_o     (n_value),
    .other_o     (n_other),
    .value_high_o(n_value_high),
    .other_high_o(n_other_high),
    .choice_o    (n_choice),
    .next_o      (n_next),
    .end_o       (n_end)
  );

  faa_shared_tally #(
    .Lanes(Lanes)
  ) u_tally (
    .clk_i,
    .rst_ni,
    .take_i  (n_valid && n_ready),
    .last_i  (n_last),
    .rank_i  (n_rank),
    .passes_o(ev_passes_o),
    .groups_o(ev_groups_o)
  );

  // Whose warp the beat is that is counted. A warp of several beats may be counted before it has been taken entirely: then no other one is in front of it.
  if (Owners > 1) begin : gen_owners
    logic              owner_valid, unused_ready;
    logic [OwnerW-1:0] owner;
    logic [WarpCountW-1:0] unused_count;

    faa_fifo #(
      .Width(OwnerW),
      .Depth(Warps)
    ) u_owners (
      .clk_i,
      .rst_ni,
      .valid_i(warp_valid_i && warp_ready_o),
      .ready_o(unused_ready),
      .data_i (warp_owner_i),
      .valid_o(owner_valid),
      .ready_i(n_valid && n_ready && n_beat.last),
      .data_o (owner),
      .count_o(unused_count)
    );

    always_ff @(posedge clk_i) ev_owner_o <= owner_valid ? owner : warp_owner_i;

    logic unused_owner;
    assign unused_owner = ^{unused_ready, unused_count};
    `FAA_ASSERT(owner_is_known, !(n_valid && n_ready && n_beat.last) || owner_valid)
  end else begin : gen_one_owner
    assign ev_owner_o = '0;
    logic unused_owner;
    assign unused_owner = ^warp_owner_i;
  end

  faa_shared_sums #(
    .Lanes  (Lanes),
    .Relaxed(Sums)
  ) u_sums (
    .clk_i,
    .rst_ni,
    .valid_i     (n_valid),
    .ready_o     (n_ready),
    .beat_i      (n_beat),
    .place_i     (n_place),
    .member_i    (n_member),
    .first_i     (n_first),
    .last_i      (n_last),
    .rank_i      (n_rank),
    .value_i     (n_value),
    .valid_o     (m_valid),
    .ready_i     (m_ready),
    .beat_o      (m_beat),
    .place_o     (m_place),
    .member_o    (m_member),
    .first_o     (m_first),
    .last_o      (m_last),
    .rank_o      (m_rank),
    .value_o     (m_value),
    .stall_mode_o(stall_mode)
  );

  // The other operands of a relaxed addition are not used.
  faa_shared_chain #(
    .Lanes (Lanes),
    .Chains(Chains)
  ) u_chain (
    .clk_i,
    .rst_ni,
    .valid_i     (m_valid),
    .ready_o     (m_ready),
    .beat_i      (m_beat),
    .place_i     (m_place),
    .member_i    (m_member),
    .first_i     (m_first),
    .last_i      (m_last),
    .rank_i      (m_rank),
    .value_i     (m_value),
    .other_i     (n_other),
    .value_high_i(n_value_high),
    .other_high_i(n_other_high),
    .choice_i    (n_choice),
    .next_i      (n_next),
    .end_i       (n_end),
    .valid_o     (x_valid),
    .ready_i     (x_ready),
    .beat_o      (x_beat),
    .place_o     (x_place),
    .member_o    (x_member),
    .first_o     (x_first),
    .send_o      (x_send),
    .load_o      (x_load),
    .rank_o      (x_rank),
    .value_o     (x_value),
    .before_o    (x_before),
    .other_o     (x_other),
    .value_high_o(x_value_high),
    .other_high_o(x_other_high),
    .choice_o    (x_choice),
    .next_o      (x_next),
    .end_o       (x_end),
    .chained_o   (x_chained),
    .base_o      (x_base),
    .hold_o      (x_hold)
  );

  // -------------------------------------------------------------------------------------------------------------
  // D, Q

  faa_shared_pkg::beat_t d_beat;
  logic                  window_room, leave, d_hold_q, x_pass;
  logic [Push*32-1:0]    queue_room, any;
  logic [Push*160-1:0]   where;
  logic [31:0]           push;
  logic [Lanes*32-1:0]   d_place, d_value, d_other, d_value_high, d_other_high;
  logic [Lanes-1:0]      d_load, d_choice;
  logic [TicketRowW-1:0] choice_row;
  logic                  d_busy, queues_empty, stall_window;

  assign x_pass = x_valid && x_ready;
  always_ff @(posedge clk_i) if (x_pass) d_hold_q <= x_hold;

  faa_shared_spread #(
    .Lanes(Lanes),
    .Push (Push),
    .F32  (F32)
  ) u_spread (
    .clk_i,
    .rst_ni,
    .valid_i       (x_valid),
    .ready_o       (x_ready),
    .beat_i        (x_beat),
    .place_i       (x_place),
    .send_i        (x_send),
    .load_i        (x_load),
    .rank_i        (x_rank),
    .value_i       (x_value),
    .other_i       (x_other),
    .value_high_i  (x_value_high),
    .other_high_i  (x_other_high),
    .choice_i      (x_choice),
    .row_i         (choice_row),
    .window_room_i (window_room),
    .leave_o       (leave),
    .room_i        (queue_room),
    .push_o        (push),
    .any_o         (any),
    .where_o       (where),
    .beat_o        (d_beat),
    .place_o       (d_place),
    .load_o        (d_load),
    .choice_o      (d_choice),
    .value_o       (d_value),
    .other_o       (d_other),
    .value_high_o  (d_value_high),
    .other_high_o  (d_other_high),
    .stall_bank_o  (ev_stall_bank_o),
    .stall_queue_o (ev_stall_queue_o),
    .stall_window_o(stall_window),
    .busy_o        (d_busy)
  );

  logic [31:0]        credit, head_valid, head_ready, head_want, head_swap;
  logic [63:0]        head_func, head_mod, head_byte;
  logic [255:0]       head_op;
  logic [127:0]       head_typ;
  logic [32*RowW-1:0] head_row;
  logic [1023:0]      head_b, head_c;

  faa_shared_queues #(
    .Lanes(Lanes),
    .Push (Push),
    .Depth(QueueDepth),
    .RowW (RowW)
  ) u_queues (
    .clk_i,
    .rst_ni,
    .room_o      (queue_room),
    .push_i      (push),
    .any_i       (any),
    .where_i     (where),
    .beat_i      (d_beat),
    .place_i     (d_place),
    .load_i      (d_load),
    .choice_i    (d_choice),
    .value_i     (d_value),
    .other_i     (d_other),
    .value_high_i(d_value_high),
    .other_high_i(d_other_high),
    .credit_i    (credit),
    .head_valid_o(head_valid),
    .head_ready_i(head_ready),
    .head_func_o (head_func),
    .head_op_o   (head_op),
    .head_typ_o  (head_typ),
    .head_mod_o  (head_mod),
    .head_want_o (head_want),
    .head_swap_o (head_swap),
    .head_row_o  (head_row),
    .head_byte_o (head_byte),
    .head_b_o    (head_b),
    .head_c_o    (head_c),
    .empty_o     (queues_empty)
  );

  // -------------------------------------------------------------------------------------------------------------
  // Banks

  logic [31:0]   rsp_valid, rsp_want, popped;
  logic [1023:0] rsp_word, stage_b_word;
  logic [15:0]   hazard;
  logic [31:0]   choice_req, choice_grant, choice_word;

  faa_shared_choose #(
    .Lanes(Lanes)
  ) u_choose (
    .clk_i,
    .rst_ni,
    .put_i   (x_pass && x_choice != '0),
    .first_i (x_first),
    .b_i     (x_other),
    .c_i     (x_value),
    .end_i   (x_end),
    .row_o   (choice_row),
    .req_i   (choice_req),
    .ticket_i(head_b),
    .grant_o (choice_grant),
    .word_i  (stage_b_word),
    .word_o  (choice_word)
  );

  for (genvar p = 0; p < 16; p++) begin : g_pair
    faa_shared_pair #(
      .RowW(RowW),
      .F32 (F32),
      .F64 (F64),
      .X2  (X2)
    ) u_pair (
      .clk_i,
      .rst_ni,
      .head_valid_i  (head_valid[p*2 +: 2]),
      .head_ready_o  (head_ready[p*2 +: 2]),
      .head_func_i   (head_func[p*4 +: 4]),
      .head_op_i     (head_op[p*16 +: 16]),
      .head_typ_i    (head_typ[p*8 +: 8]),
      .head_mod_i    (head_mod[p*4 +: 4]),
      .head_want_i   (head_want[p*2 +: 2]),
      .head_swap_i   (head_swap[p*2 +: 2]),
      .head_row_i    (head_row[p*2*RowW +: 2*RowW]),
      .head_byte_i   (head_byte[p*4 +: 4]),
      .head_b_i      (head_b[p*64 +: 64]),
      .head_c_i      (head_c[p*64 +: 64]),
      .rsp_valid_o   (rsp_valid[p*2 +: 2]),
      .rsp_want_o    (rsp_want[p*2 +: 2]),
      .rsp_word_o    (rsp_word[p*64 +: 64]),
      .choice_req_o  (choice_req[p*2 +: 2]),
      .choice_grant_i(choice_grant[p*2 +: 2]),
      .word_o        (stage_b_word[p*64 +: 64]),
      .choice_i      (choice_word),
      .ev_hazard_o   (hazard[p])
    );
    // A 64-bit operation counts once.
    assign popped[p*2]     = head_valid[p*2] && head_ready[p*2];
    assign popped[p*2 + 1] = head_valid[p*2+1] && head_ready[p*2+1] && !faa_cu_pkg::is_wide(head_typ[p*8+4 +: 4]);
  end

  assign ev_stall_hazard_o = |hazard;

  logic [5:0] bank_ops;
  always_comb begin
    bank_ops = '0;
    if (popped != '0) begin
      for (int k = 0; k < 32; k++) bank_ops = bank_ops + 6'(popped[k]);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ev_bank_ops_o <= '0;
    else ev_bank_ops_o <= bank_ops;
  end

  // -------------------------------------------------------------------------------------------------------------
  // A, C, F, R

  logic                   complete, collect_ready, answer_take;
  logic [Push*32-1:0]     answer_any;
  logic [Push*1024-1:0]   answer_word;
  faa_shared_pkg::beat_t  c_beat;
  logic                   c_valid, c_ready, f_valid, f_ready, f_first, f_last;
  logic [Lanes*32-1:0]    c_place, c_before, c_other, c_m, c_m_high, f_place, f_low, f_high;
  logic [Lanes-1:0]       c_member, c_first, c_choice;
  logic [Lanes*LaneW-1:0] c_next;
  logic [Slots*Lanes-1:0] c_chained, c_base;

  faa_shared_complete #(
    .Push  (Push),
    .Window(Window),
    .UserW (UserW),
    .Users (Warps)
  ) u_complete (
    .clk_i,
    .rst_ni,
    .push_i      (push),
    .any_i       (any),
    .leave_i     (leave),
    .result_i    (d_beat.result),
    .hold_i      (d_hold_q),
    .last_i      (d_beat.last),
    .room_o      (window_room),
    .executed_i  (rsp_valid),
    .valid_o     (complete),
    .ready_i     (collect_ready),
    .user_valid_i(warp_valid_i && warp_ready_o),
    .user_ready_o(user_ready),
    .user_i      (warp_user_i),
    .done_valid_o,
    .done_user_o,
    .idle_o      (complete_idle)
  );

  faa_shared_answers #(
    .Push (Push),
    .Depth(AnswerDepth)
  ) u_answers (
    .clk_i,
    .rst_ni,
    .reserve_i(head_valid & head_ready & head_want),
    .credit_o (credit),
    .valid_i  (rsp_valid & rsp_want),
    .word_i   (rsp_word),
    .take_i   (answer_take),
    .any_i    (answer_any),
    .word_o   (answer_word)
  );

  faa_shared_collect #(
    .Lanes(Lanes),
    .Push (Push),
    .Slots(Slots),
    .Depth(Window + 2)
  ) u_collect (
    .clk_i,
    .rst_ni,
    .put_i     (x_pass && x_beat.result),
    .beat_i    (x_beat),
    .place_i   (x_place),
    .member_i  (x_member),
    .first_i   (x_first),
    .send_i    (x_send),
    .rank_i    (x_rank),
    .before_i  (x_before),
    .other_i   (x_other),
    .choice_i  (x_choice),
    .next_i    (x_next),
    .chained_i (x_chained),
    .base_i    (x_base),
    .complete_i(complete),
    .ready_o   (collect_ready),
    .take_o    (answer_take),
    .any_o     (answer_any),
    .word_i    (answer_word),
    .valid_o   (c_valid),
    .ready_i   (c_ready),
    .beat_o    (c_beat),
    .place_o   (c_place),
    .member_o  (c_member),
    .first_o   (c_first),
    .before_o  (c_before),
    .other_o   (c_other),
    .choice_o  (c_choice),
    .next_o    (c_next),
    .chained_o (c_chained),
    .base_o    (c_base),
    .m_o       (c_m),
    .m_high_o  (c_m_high)
  );

  faa_shared_fix_kinds #(
    .Lanes(Lanes),
    .Slots(Slots),
    .F32  (F32),
    .Sums (Sums)
  ) u_fix (
    .clk_i,
    .rst_ni,
    .valid_i  (c_valid),
    .ready_o  (c_ready),
    .beat_i   (c_beat),
    .place_i  (c_place),
    .member_i (c_member),
    .first_i  (c_first),
    .before_i (c_before),
    .other_i  (c_other),
    .choice_i (c_choice),
    .next_i   (c_next),
    .chained_i(c_chained),
    .base_i   (c_base),
    .m_i      (c_m),
    .m_high_i (c_m_high),
    .valid_o  (f_valid),
    .ready_i  (f_ready),
    .first_o  (f_first),
    .last_o   (f_last),
    .place_o  (f_place),
    .low_o    (f_low),
    .high_o   (f_high)
  );

  faa_shared_return #(
    .Lanes(Lanes)
  ) u_return (
    .clk_i,
    .rst_ni,
    .valid_i (f_valid),
    .ready_o (f_ready),
    .first_i (f_first),
    .last_i  (f_last),
    .place_i (f_place),
    .low_i   (f_low),
    .high_i  (f_high),
    .valid_o (result_valid_o),
    .ready_i (result_ready_i),
    .result_o
  );

  assign ev_stall_result_o = result_valid_o && !result_ready_i;
  assign ev_stall_window_o = stall_window || stall_mode || (warp_valid_i && !warp_room);
  assign idle_o            = complete_idle && results_pending == '0 && !k_valid;

  `FAA_ASSUME(warp_has_a_lane, !(warp_valid_i && warp_mask_i == '0))
  `FAA_ASSUME_STABLE(warp_stable, warp_valid_i, warp_ready_o,
                     {warp_mask_i, warp_func_i, warp_op_i, warp_typ_i, warp_mod_i, warp_result_i, warp_user_i})
  `FAA_ASSERT_STABLE(result_stable, result_valid_o, result_ready_i, {result_o, result_user_o})
  `FAA_ASSERT(result_belongs_to_a_warp, !result_valid_o || result_user_valid)
  `FAA_ASSERT(idle_is_empty, !idle_o || (!d_busy && queues_empty))
  `FAA_COVER(stall_s4, warp_valid_i && !warp_room)
  `FAA_COVER(stall_s5, ev_stall_result_o)
  `FAA_COVER(back_to_back, warp_valid_i && warp_ready_o && k_valid)
  `FAA_COVER(results_back_to_back, result_valid_o && result_ready_i && f_valid)

endmodule
