// SPDX-License-Identifier: Apache-2.0
//
// Shared memory of one compute unit: banks of 4-byte words, as many as lanes; loads, stores and
// atomic operations of whole warps.
//
// A warp, whose addresses have been checked, enters in beats of Lanes lanes. Beats stay in order in
// the pipeline:
//
//   K     faa_shared_keys      keys: bank and row of each lane
//   SORT  faa_lanes_sort       lanes of one word become neighbours, in lane order
//   G     faa_shared_group     groups: the lanes that one bank operation serves
//   SCAN  faa_lanes_scan       combines the operands of a group
//         faa_shared_steps     numbers of steps (INC, DEC)
//   S     faa_shared_sums      sums of relaxed floating-point additions
//         faa_shared_crowd     words that are worth watching
//   X     faa_shared_chain     groups on hot words are combined with those of the next beats
//   I     faa_shared_items     operations are compacted in the order of their banks
//   D     faa_shared_pass      x 2: operations enter the queues of half of the banks, 4 of a bank
//                              per cycle
//   Q     faa_shared_queue     one per bank: one operation leaves per cycle, of any warp
//   bank  faa_shared_pair      two banks and their arithmetic
//         faa_shared_choose    CAS of lanes that compare with several values
//   A     faa_shared_answers   one per bank: answers wait
//         faa_shared_window    x 2: finds complete passes
//   C     faa_shared_collect   answers go to the operations of the beat
//         faa_lanes_expand     ... and to the positions of their groups
//   F     faa_shared_fix       each lane gets its own answer
//   R     faa_lanes_unsort     answers go to their lanes
//         faa_shared_results   ... and wait until they are taken
//
// The pipeline never stalls between two queues: the sender has reserved room.
//
// Throughput: one beat per cycle while banks keep up. Latency, stalls and hazards:
// Documentation/compute-unit.rst.

`include "faa_assert.svh"

module faa_shared #(
  parameter int unsigned SharedBytes = 65536,
  parameter int unsigned Lanes = 32,     // taken per cycle: 4, 8, 16 or 32
  parameter int unsigned Chains = 2,     // hot words combined across beats
  parameter int unsigned UserW = 4,
  parameter int unsigned Owners = 1,     // slots that send warps
  parameter bit          F32 = 1'b1,
  parameter bit          F64 = 1'b1,
  parameter bit          X2 = 1'b1,
  parameter bit          Relaxed = 1'b1,  // with F32 and 32 lanes
  localparam int unsigned OwnerW = Owners > 1 ? $clog2(Owners) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // Beats of a warp, which are consecutive
  input  logic             warp_valid_i,
  output logic             warp_ready_o,
  input  faa_cu_pkg::part_t warp_part_i,
  input  logic [31:0]      warp_mask_i,    // active lanes of the warp, at least one
  input  logic [1:0]       warp_func_i,    // faa_cu_pkg::SHARED_*
  input  logic [7:0]       warp_op_i,      // SHARED_ATOMIC: enum atoms_op
  input  logic [3:0]       warp_typ_i,     // enum type
  input  logic [1:0]       warp_mod_i,     // enum float_mode: bit 0 FTZ, bit 1 RELAXED
  input  logic             warp_result_i,  // answers are wanted
  input  logic [UserW-1:0] warp_user_i,    // returned with its answers and when it is done
  input  logic [OwnerW-1:0] warp_owner_i,  // its slot
  input  logic [Lanes*24-1:0] warp_addr_i, // 24 bits a lane, aligned, below SharedBytes
  input  logic [Lanes*64-1:0] warp_b_i,    // 64 bits a lane
  input  logic [Lanes*64-1:0] warp_c_i,

  // Answers of the warps that want them, in order, in beats: 64 bits a lane, 0 in lanes that were
  // not active
  output logic             result_valid_o,
  input  logic             result_ready_i,
  output faa_cu_pkg::part_t result_part_o,
  output logic [Lanes*64-1:0] result_o,
  output logic [UserW-1:0] result_user_o,

  // Every warp, in order, when its operations have taken effect. Later warps are not done while
  // answers are not taken.
  output logic             done_valid_o,
  output logic [UserW-1:0] done_user_o,

  // Events, counted per cycle
  output logic [5:0]       ev_passes_o,
  output logic [OwnerW-1:0] ev_owner_o,      // slot of these passes
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
  localparam int unsigned Banks      = Lanes;
  localparam int unsigned HalfBanks  = Banks / 2;
  localparam int unsigned BankW      = LaneW;
  localparam int unsigned WordW      = 5 + RowW;
  localparam int unsigned KeyW       = 6 + RowW + LaneW;
  localparam int unsigned PassW      = Lanes > 4 ? LaneW - 2 : 1;
  localparam int unsigned ItemW      = 71 + RowW;      // with its bank
  localparam int unsigned BankItemW  = ItemW - BankW;
  localparam int unsigned BankRowW   = WordW - BankW;
  localparam int unsigned InfoW      = 13;
  localparam int unsigned BeatW      = $bits(faa_shared_pkg::beat_t);
  localparam int unsigned TicketRowW = faa_shared_pkg::TICKET_BITS - faa_shared_pkg::TICKET_ROW;
  localparam int unsigned Slots      = Chains == 0 ? 1 : Chains;
  localparam int unsigned Levels     = faa_lanes_pkg::sort_levels(Lanes);
  localparam int unsigned ScanCycles = 2 * LaneW + 3;
  localparam int unsigned Warps      = 128;  // in the unit
  localparam int unsigned Front      = 128;  // beats between the entry and stage X
  localparam int unsigned Ahead      = Lanes > 4 ? 32 : 16;   // beats between stages X and D
  localparam int unsigned Records    = 64;   // beats between stage X and C
  localparam int unsigned Window     = Lanes > 4 ? 32 : 16;   // passes of half of the banks
  localparam int unsigned Results    = 64;   // answered beats between C and the exit
  localparam int unsigned FrontW     = $clog2(Front + 1);
  localparam int unsigned AheadW     = $clog2(Ahead + 1);
  localparam int unsigned RecordsW   = $clog2(Records + 1);
  localparam int unsigned ResultsW   = $clog2(Results + 1);
  localparam int unsigned NumberW    = $clog2(Window);
  localparam int unsigned WarpCountW = $clog2(Warps + 1);

  // -----------------------------------------------------------------------------------------------
  // K: warps enter while the unit has room for them

  faa_shared_pkg::beat_t       warp, k_beat;
  logic                        warp_taken, warp_begins;
  logic                        go, enters, user_room, result_user_room, result_user_valid, relaxed, mode_q;
  logic                        k_valid, front_room_q, front_take, summed;
  logic [OwnerW-1:0]           k_owner;
  logic [Lanes-1:0][KeyW-1:0]  k_key;
  logic [Lanes-1:0][63:0]      k_data;
  logic [FrontW-1:0]           front_q, front_d, relaxed_q;
  logic [WarpCountW-1:0]       results_pending;
  logic [Lanes-1:0]            k_swap;

  assign warp    = {warp_func_i, warp_op_i, warp_typ_i, warp_mod_i, warp_result_i, 3'b000};
  assign relaxed = Sums && faa_shared_pkg::is_relaxed(warp);
  // Relaxed sums take longer: other warps wait until none is in flight.
  assign go      = front_room_q && user_room && result_user_room && (relaxed || !mode_q);
  assign enters  = warp_valid_i && go;
  assign warp_taken = warp_valid_i && warp_ready_o && warp_part_i.last;
  // Answers of its first beat may leave before its last beat enters.
  assign warp_begins = warp_valid_i && warp_ready_o && warp_part_i.number == 3'd0;

  faa_shared_keys #(
    .Lanes (Lanes),
    .RowW  (RowW),
    .OwnerW(OwnerW)
  ) u_keys (
    .clk_i,
    .rst_ni,
    .go_i        (go),
    .warp_valid_i,
    .warp_ready_o,
    .warp_part_i,
    .warp_mask_i,
    .warp_i      (warp),
    .warp_owner_i,
    .warp_addr_i,
    .warp_b_i,
    .warp_c_i,
    .valid_o     (k_valid),
    .beat_o      (k_beat),
    .owner_o     (k_owner),
    .swap_o      (k_swap),
    .key_o       (k_key),
    .data_o      (k_data)
  );

  assign front_d = front_q + FrontW'(enters) - FrontW'(front_take);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      front_q      <= '0;
      front_room_q <= 1'b0;
      relaxed_q    <= '0;
      mode_q       <= 1'b0;
    end else begin
      front_q      <= front_d;
      front_room_q <= front_d < FrontW'(Front);
      relaxed_q    <= relaxed_q + FrontW'(enters && relaxed) - FrontW'(summed);
      mode_q       <= (enters && relaxed) || relaxed_q > FrontW'(summed);
    end
  end

  faa_fifo #(
    .Width(UserW),
    .Depth(Warps)
  ) u_result_users (
    .clk_i,
    .rst_ni,
    .valid_i(warp_begins && warp_result_i),
    .ready_o(result_user_room),
    .data_i (warp_user_i),
    .valid_o(result_user_valid),
    .ready_i(result_valid_o && result_ready_i && result_part_o.last),
    .data_o (result_user_o),
    .count_o(results_pending)
  );

  // -----------------------------------------------------------------------------------------------
  // SORT, G

  faa_shared_pkg::beat_t        s_beat, g_beat;
  logic                         s_valid, g_valid;
  logic [OwnerW-1:0]            s_owner, g_owner;
  logic [Lanes-1:0][KeyW-1:0]   s_key;
  logic [Lanes-1:0][63:0]       s_data;
  logic [Levels-1:0][Lanes-1:0] s_swaps;
  logic [Lanes-1:0][WordW-1:0]  g_word;
  logic [Lanes-1:0]             g_member, g_first, g_last, g_bank_first, g_choice, g_scan;
  logic [Lanes-1:0][31:0]       g_value, g_other;
  logic [Lanes-1:0][LaneW-1:0]  g_next;

  faa_lanes_sort #(
    .Lanes(Lanes),
    .KeyW (KeyW),
    .DataW(64)
  ) u_sort (
    .clk_i,
    .rst_ni,
    .valid_i(k_valid),
    .key_i  (k_key),
    .data_i (k_data),
    .valid_o(s_valid),
    .key_o  (s_key),
    .data_o (s_data),
    .swaps_o(s_swaps)
  );

  faa_lanes_delay #(
    .Width (BeatW + OwnerW),
    .Cycles(Levels + 1)
  ) u_sort_beat (
    .clk_i,
    .rst_ni,
    .data_i({k_beat, k_owner}),
    .data_o({s_beat, s_owner})
  );

  faa_shared_group #(
    .Lanes  (Lanes),
    .RowW   (RowW),
    .F32    (F32),
    .Relaxed(Sums)
  ) u_group (
    .clk_i,
    .rst_ni,
    .valid_i     (s_valid),
    .beat_i      (s_beat),
    .key_i       (s_key),
    .data_i      (s_data),
    .valid_o     (g_valid),
    .beat_o      (g_beat),
    .word_o      (g_word),
    .member_o    (g_member),
    .first_o     (g_first),
    .last_o      (g_last),
    .bank_first_o(g_bank_first),
    .choice_o    (g_choice),
    .scan_o      (g_scan),
    .value_o     (g_value),
    .other_o     (g_other),
    .next_o      (g_next)
  );

  faa_lanes_delay #(
    .Width (OwnerW),
    .Cycles(2)
  ) u_group_owner (
    .clk_i,
    .rst_ni,
    .data_i(s_owner),
    .data_o(g_owner)
  );

  // A beat of odd words has the groups of the beat before it.
  faa_shared_tally #(
    .Lanes (Lanes),
    .OwnerW(OwnerW)
  ) u_tally (
    .clk_i,
    .rst_ni,
    .take_i      (g_valid && !g_beat.odd),
    .owner_i     (g_owner),
    .last_i      (g_last),
    .bank_first_i(g_bank_first),
    .passes_o    (ev_passes_o),
    .groups_o    (ev_groups_o),
    .owner_o     (ev_owner_o)
  );

  // -----------------------------------------------------------------------------------------------
  // SCAN, S

  localparam int unsigned FlagsW = BeatW + Lanes * (WordW + 6 + 2 * LaneW + 32);

  faa_shared_pkg::beat_t       n_beat, c_beat;
  logic                        c_valid, n_valid, m_valid;
  logic [Lanes-1:0][WordW-1:0] n_word;
  logic [Lanes-1:0]            n_member, n_first, n_last, n_choice;
  logic [Lanes-1:0][31:0]      c_value, c_other, n_value, n_other, m_value;
  logic [Lanes-1:0][LaneW-1:0] n_next, n_end;
  logic [1:0][Lanes-1:0]       g_crowd, n_crowd;
  logic [FlagsW-1:0]           n_record, m_record;

  faa_lanes_scan #(
    .Lanes(Lanes)
  ) u_scan (
    .clk_i,
    .rst_ni,
    .valid_i(g_valid),
    .how_i  (faa_shared_pkg::how_of(g_beat)),
    .open_i (g_scan),
    .value_i(g_value),
    .valid_o(c_valid),
    .value_o(c_value)
  );

  // Operands of the division of steps, three cycles before the rest
  faa_lanes_delay #(
    .Width (BeatW + Lanes * 32),
    .Cycles(ScanCycles - 3)
  ) u_scan_other (
    .clk_i,
    .rst_ni,
    .data_i({g_beat, g_other}),
    .data_o({c_beat, c_other})
  );

  faa_shared_steps #(
    .Lanes(Lanes)
  ) u_steps (
    .clk_i,
    .rst_ni,
    .valid_i(c_valid),
    .steps_i(faa_shared_pkg::is_step_group(c_beat)),
    .value_i(c_value),
    .bound_i(c_other),
    .valid_o(n_valid),
    .value_o(n_value)
  );

  faa_lanes_delay #(
    .Width (BeatW + Lanes * 32),
    .Cycles(3)
  ) u_steps_other (
    .clk_i,
    .rst_ni,
    .data_i({c_beat, c_other}),
    .data_o({n_beat, n_other})
  );

  faa_lanes_delay #(
    .Width (Lanes * (WordW + 4)),
    .Cycles(ScanCycles)
  ) u_scan_flags (
    .clk_i,
    .rst_ni,
    .data_i({g_word, g_member, g_first, g_last, g_choice}),
    .data_o({n_word, n_member, n_first, n_last, n_choice})
  );

  faa_shared_ends #(
    .Lanes (Lanes),
    .Cycles(ScanCycles)
  ) u_ends (
    .clk_i,
    .rst_ni,
    .valid_i(g_valid && g_choice != '0),
    .next_i (g_next),
    .next_o (n_next),
    .end_o  (n_end)
  );

  faa_shared_crowd #(
    .Lanes(Lanes)
  ) u_crowd (
    .clk_i,
    .valid_i(g_valid),
    .first_i(g_first),
    .last_i (g_last),
    .crowd_o(g_crowd)
  );

  faa_lanes_delay #(
    .Width (2 * Lanes),
    .Cycles(ScanCycles - 1)
  ) u_scan_crowd (
    .clk_i,
    .rst_ni,
    .data_i(g_crowd),
    .data_o(n_crowd)
  );

  assign n_record = {n_beat, n_word, n_member, n_first, n_last, n_choice, n_next, n_end, n_crowd,
                     n_other};

  faa_shared_sums #(
    .Lanes  (Lanes),
    .Relaxed(Sums),
    .RecordW(FlagsW),
    .Depth  (Front)
  ) u_sums (
    .clk_i,
    .rst_ni,
    .valid_i  (n_valid),
    .relaxed_i(faa_shared_pkg::is_relaxed(n_beat)),
    .ftz_i    (n_beat.mod[0]),
    .record_i (n_record),
    .member_i (n_member),
    .first_i  (n_first),
    .value_i  (n_value),
    .valid_o  (m_valid),
    .record_o (m_record),
    .value_o  (m_value),
    .summed_o (summed)
  );

  // -----------------------------------------------------------------------------------------------
  // X

  faa_shared_pkg::beat_t       f_beat, x_beat;
  logic                        front_space, f_valid, f_ready, x_valid, x_go_q, x_pass, x_hold;
  logic                        choice_put;
  logic [Lanes-1:0][WordW-1:0] f_word, x_word;
  logic [Lanes-1:0]            f_member, f_first, f_last, f_choice, x_member, x_first, x_send, x_load, x_choice;
  logic [1:0][Lanes-1:0]       f_crowd;
  logic [Lanes-1:0][31:0]      f_value, f_other, x_value, x_before, x_other;
  logic [Lanes-1:0][LaneW-1:0] f_next, f_end, x_next;
  logic [Slots-1:0][Lanes-1:0] x_chained, x_base;
  logic [Lanes-1:0]            choice_first;
  logic [Lanes-1:0][31:0]      choice_b, choice_c;
  logic [Lanes-1:0][LaneW-1:0] choice_end;

  faa_fifo_ram #(
    .Width(FlagsW + Lanes * 32),
    .Depth(Front)
  ) u_front (
    .clk_i,
    .rst_ni,
    .valid_i(m_valid),
    .ready_o(front_space),
    .data_i ({m_record, m_value}),
    .valid_o(f_valid),
    .ready_i(f_ready),
    .data_o ({f_beat, f_word, f_member, f_first, f_last, f_choice, f_next, f_end, f_crowd, f_other,
              f_value})
  );

  assign front_take = f_valid && f_ready;

  faa_shared_chain #(
    .Lanes (Lanes),
    .Chains(Chains),
    .WordW (WordW)
  ) u_chain (
    .clk_i,
    .rst_ni,
    .valid_i       (f_valid),
    .ready_o       (f_ready),
    .beat_i        (f_beat),
    .word_i        (f_word),
    .member_i      (f_member),
    .first_i       (f_first),
    .last_i        (f_last),
    .crowd_i       (f_crowd),
    .value_i       (f_value),
    .other_i       (f_other),
    .choice_i      (f_choice),
    .next_i        (f_next),
    .end_i         (f_end),
    .go_i          (x_go_q),
    .pass_o        (x_pass),
    .choice_valid_o(choice_put),
    .choice_first_o(choice_first),
    .choice_b_o    (choice_b),
    .choice_c_o    (choice_c),
    .choice_end_o  (choice_end),
    .valid_o       (x_valid),
    .beat_o        (x_beat),
    .word_o        (x_word),
    .member_o      (x_member),
    .first_o       (x_first),
    .send_o        (x_send),
    .load_o        (x_load),
    .value_o       (x_value),
    .before_o      (x_before),
    .other_o       (x_other),
    .choice_o      (x_choice),
    .next_o        (x_next),
    .chained_o     (x_chained),
    .base_o        (x_base),
    .hold_o        (x_hold)
  );

  // A beat leaves X only when the later stages have room for it.
  logic                ahead_take, i_valid, i_any, collected;
  logic [AheadW-1:0]   ahead_q, ahead_d;
  logic [RecordsW-1:0] records_q, records_d;

  assign ahead_d   = ahead_q + AheadW'(x_pass) - AheadW'(ahead_take) - AheadW'(i_valid && !i_any);
  assign records_d = records_q + RecordsW'(x_pass) - RecordsW'(collected);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ahead_q   <= '0;
      records_q <= '0;
      x_go_q    <= 1'b0;
    end else begin
      ahead_q   <= ahead_d;
      records_q <= records_d;
      x_go_q    <= ahead_d < AheadW'(Ahead) && records_d < RecordsW'(Records);
    end
  end

  // -----------------------------------------------------------------------------------------------
  // I

  faa_shared_pkg::beat_t       i_beat;
  logic [Lanes-1:0]            i_items;
  logic [Lanes-1:0][ItemW-1:0] i_item;
  logic [Banks-1:0][LaneW:0]   i_stop;
  logic [Lanes-1:0][PassW-1:0] i_pass;
  logic [1:0][PassW:0]         i_passes;
  logic [Lanes-1:0][LaneW-1:0] i_below;
  logic [Lanes-1:0][BankW-1:0] i_bank;
  logic [TicketRowW-1:0]       choice_row, x_row;

  // The table of choice words took the beat in stage 1 of X.
  faa_lanes_delay #(
    .Width (TicketRowW),
    .Cycles(Chains == 0 ? 0 : 3)
  ) u_choice_row (
    .clk_i,
    .rst_ni,
    .data_i(choice_row),
    .data_o(x_row)
  );

  faa_shared_items #(
    .Lanes(Lanes),
    .RowW (RowW),
    .F32  (F32)
  ) u_items (
    .clk_i,
    .rst_ni,
    .valid_i (x_valid),
    .beat_i  (x_beat),
    .word_i  (x_word),
    .send_i  (x_send),
    .load_i  (x_load),
    .choice_i(x_choice),
    .value_i (x_value),
    .other_i (x_other),
    .row_i   (x_row),
    .valid_o (i_valid),
    .beat_o  (i_beat),
    .any_o   (i_items),
    .item_o  (i_item),
    .stop_o  (i_stop),
    .pass_o  (i_pass),
    .passes_o(i_passes),
    .below_o (i_below)
  );

  assign i_any = i_passes != '0;

  logic unused_beat;
  assign unused_beat = ^i_beat;

  // -----------------------------------------------------------------------------------------------
  // D: each half of the banks takes its operations of a beat

  logic                            d_valid, ahead_space;
  logic [InfoW-1:0]                d_info;
  logic [Lanes-1:0][BankItemW-1:0] i_bank_item, d_item;
  logic [Banks-1:0][LaneW:0]       d_stop;
  logic [1:0][PassW:0]             d_passes;
  logic [1:0]                      wants, loads, loaded_q, complete, leave, half_stall_bank, half_stall_window, half_idle;

  for (genvar p = 0; p < Lanes; p++) begin : g_bank_item
    assign i_bank[p]      = i_item[p][ItemW-1 -: BankW];
    assign i_bank_item[p] = i_item[p][BankItemW-1:0];
  end

  faa_fifo_ram #(
    .Width(InfoW + Lanes * BankItemW + Banks * (LaneW + 1) + 2 * (PassW + 1)),
    .Depth(Ahead)
  ) u_ahead (
    .clk_i,
    .rst_ni,
    .valid_i(i_valid && i_any),
    .ready_o(ahead_space),
    .data_i ({i_beat.op, i_beat.typ, i_beat.mod[0], i_bank_item, i_stop, i_passes}),
    .valid_o(d_valid),
    .ready_i(ahead_take),
    .data_o ({d_info, d_item, d_stop, d_passes})
  );

  assign wants      = {d_passes[1] != '0, d_passes[0] != '0} & ~loaded_q;
  assign ahead_take = d_valid && (wants & ~loads) == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || ahead_take) loaded_q <= '0;
    else loaded_q <= loaded_q | loads;
  end

  // -----------------------------------------------------------------------------------------------
  // Q, banks, A

  logic [Banks-1:0]               head_valid, head_ready, rsp_valid;
  logic [Banks-1:0]               choice_req, choice_grant, popped;
  logic [Banks-1:0][31:0]         head_b, head_c, head_word, rsp_word;
  logic [Banks-1:0][InfoW-1:0]    head_info;
  logic [Banks-1:0][1:0]          head_func;
  logic [Banks-1:0][BankRowW-1:0] head_row;
  logic [Banks-1:0][3:0]          need;
  logic [Banks-1:0][3:0][31:0]    answer;
  logic [HalfBanks-1:0]           hazard;
  logic [31:0]                    choice_word;

  for (genvar h = 0; h < 2; h++) begin : g_half
    logic [HalfBanks-1:0][3:0]                put;
    logic [HalfBanks-1:0][3:0][BankItemW-1:0] item;
    logic [HalfBanks-1:0]                     entry, owes;
    logic [HalfBanks-1:0][1:0]                entry_first;
    logic [HalfBanks-1:0][2:0]                entry_number;
    logic [HalfBanks-1:0][3:0]                half_need;
    logic [HalfBanks-1:0][NumberW-1:0]        owes_pass;
    logic [NumberW-1:0]                       pass;
    logic [InfoW-1:0]                         info;
    logic                                     issued;

    faa_shared_pass #(
      .Lanes (Lanes),
      .ItemW (BankItemW),
      .InfoW (InfoW),
      .Window(Window),
      .Half  (h)
    ) u_pass (
      .clk_i,
      .rst_ni,
      .valid_i       (d_valid && wants[h]),
      .load_o        (loads[h]),
      .info_i        (d_info),
      .item_i        (d_item),
      .stop_i        (d_stop),
      .passes_i      (d_passes[h]),
      .put_o         (put),
      .item_o        (item),
      .entry_o       (entry),
      .entry_first_o (entry_first),
      .entry_number_o(entry_number),
      .pass_o        (pass),
      .info_o        (info),
      .issued_o      (issued),
      .leave_i       (leave[h]),
      .need_o        (half_need),
      .stall_bank_o  (half_stall_bank[h]),
      .stall_window_o(half_stall_window[h]),
      .idle_o        (half_idle[h])
    );

    faa_shared_window #(
      .Window(Window),
      .Banks (HalfBanks)
    ) u_window (
      .clk_i,
      .rst_ni,
      .issued_i   (issued),
      .owes_i     (owes),
      .owes_pass_i(owes_pass),
      .complete_o (complete[h]),
      .leave_i    (leave[h])
    );

    for (genvar n = 0; n < HalfBanks; n++) begin : g_bank
      localparam int unsigned Bank = 2 * n + h;
      logic [3:0] answer_column;

      assign need[Bank] = leave[h] ? half_need[n] : 4'b0;

      faa_shared_queue #(
        .ItemW(BankItemW),
        .InfoW(InfoW),
        .Depth(Window)
      ) u_queue (
        .clk_i,
        .rst_ni,
        .put_i          (put[n]),
        .item_i         (item[n]),
        .entry_i        (entry[n]),
        .entry_first_i  (entry_first[n]),
        .entry_number_i (entry_number[n]),
        .pass_i         (pass),
        .info_i         (info),
        .head_valid_o   (head_valid[Bank]),
        .head_ready_i   (head_ready[Bank]),
        .head_item_o    ({head_func[Bank], head_row[Bank], head_c[Bank], head_b[Bank]}),
        .head_info_o    (head_info[Bank]),
        .answer_i       (rsp_valid[Bank]),
        .answer_column_o(answer_column),
        .owes_o         (owes[n]),
        .owes_pass_o    (owes_pass[n])
      );

      faa_shared_answers #(
        .Depth(Window)
      ) u_answers (
        .clk_i,
        .rst_ni,
        .put_i (answer_column),
        .word_i(rsp_word[Bank]),
        .take_i(need[Bank]),
        .word_o(answer[Bank])
      );
    end
  end

  for (genvar n = 0; n < HalfBanks; n++) begin : g_pair
    logic [1:0]  swaps, unused_want;
    logic [1:0][1:0] mod, bytes;
    logic [1:0][7:0] op;
    logic [1:0][3:0] typ;

    for (genvar h = 0; h < 2; h++) begin : g_head
      assign {op[h], typ[h], mod[h][0]} = head_info[2*n+h];
      assign mod[h][1] = 1'b0;
      assign swaps[h]  = faa_shared_pkg::row_swaps(17'(head_row[2*n+h][RowW-1:0]));
      // Stores of 8 and 16 bits carry the address of their byte in c.
      assign bytes[h]  = faa_cu_pkg::size_log2(typ[h]) < 2'd2 ? head_c[2*n+h][1:0] : 2'b0;
    end

    faa_shared_pair #(
      .RowW(BankRowW),
      .F32 (F32),
      .F64 (F64),
      .X2  (X2)
    ) u_pair (
      .clk_i,
      .rst_ni,
      .head_valid_i  (head_valid[2*n +: 2]),
      .head_ready_o  (head_ready[2*n +: 2]),
      .head_func_i   (head_func[2*n +: 2]),
      .head_op_i     (op),
      .head_typ_i    (typ),
      .head_mod_i    (mod),
      .head_want_i   (2'b0),
      .head_swap_i   (swaps),
      .head_row_i    (head_row[2*n +: 2]),
      .head_byte_i   (bytes),
      .head_b_i      (head_b[2*n +: 2]),
      .head_c_i      (head_c[2*n +: 2]),
      .rsp_valid_o   (rsp_valid[2*n +: 2]),
      .rsp_want_o    (unused_want),
      .rsp_word_o    (rsp_word[2*n +: 2]),
      .choice_req_o  (choice_req[2*n +: 2]),
      .choice_grant_i(choice_grant[2*n +: 2]),
      .word_o        (head_word[2*n +: 2]),
      .choice_i      (choice_word),
      .ev_hazard_o   (hazard[n])
    );

    // A 64-bit operation counts once.
    assign popped[2*n]   = head_valid[2*n] && head_ready[2*n];
    assign popped[2*n+1] = head_valid[2*n+1] && head_ready[2*n+1] && !faa_cu_pkg::is_wide(typ[1]);
  end

  faa_shared_choose #(
    .Lanes(Lanes)
  ) u_choose (
    .clk_i,
    .rst_ni,
    .put_i   (choice_put),
    .first_i (choice_first),
    .b_i     (choice_b),
    .c_i     (choice_c),
    .end_i   (choice_end),
    .row_o   (choice_row),
    .req_i   (choice_req),
    .ticket_i(head_b),
    .grant_o (choice_grant),
    .word_i  (head_word),
    .word_o  (choice_word)
  );

  logic [5:0] bank_ops;
  always_comb begin
    bank_ops = '0;
    if (popped != '0) begin
      for (int unsigned k = 0; k < Banks; k++) bank_ops = bank_ops + 6'(popped[k]);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ev_bank_ops_o <= '0;
    else ev_bank_ops_o <= bank_ops;
  end

  // -----------------------------------------------------------------------------------------------
  // C

  localparam int unsigned RecordW = BeatW + 1 + Lanes * (3 + 64 + LaneW) + 2 * Slots * Lanes;

  faa_shared_pkg::beat_t       r_beat;
  logic                        place_space, record_space, place_valid, record_valid, r_hold, results_room_q, took, users_idle;
  logic [1:0]                  half_space, needed, full;
  logic [Lanes-1:0]            i_odd, r_odd, r_member, r_first, r_choice;
  logic [Lanes-1:0][BankW-2:0] i_half_bank;
  logic [Lanes-1:0][LaneW-1:0] r_below, r_next;
  logic [Lanes-1:0][31:0]      r_before, r_other, a_word;
  logic [Slots-1:0][Lanes-1:0] r_chained, r_base;
  logic [1:0][Lanes-1:0][31:0] half_word;
  logic [ResultsW-1:0]         results_q, results_d;

  for (genvar p = 0; p < Lanes; p++) begin : g_place
    assign i_odd[p]       = i_bank[p][0];
    assign i_half_bank[p] = i_bank[p][BankW-1:1];
    assign a_word[p]      = half_word[r_odd[p]][p];
  end

  for (genvar h = 0; h < 2; h++) begin : g_collect
    logic                        valid, ready;
    logic [Lanes-1:0]            mine;
    logic [Lanes-1:0][BankW-2:0] bank;
    logic [Lanes-1:0][PassW-1:0] pass;
    logic [PassW:0]              passes;
    logic [HalfBanks-1:0][3:0][31:0] word;

    for (genvar n = 0; n < HalfBanks; n++) begin : g_bank
      assign word[n] = answer[2*n+h];
    end

    faa_fifo_ram #(
      .Width(Lanes * (BankW + PassW) + PassW + 1),
      .Depth(Records)
    ) u_places (
      .clk_i,
      .rst_ni,
      .valid_i(i_valid && i_passes[h] != '0),
      .ready_o(half_space[h]),
      .data_i ({h == 1 ? i_items & i_odd : i_items & ~i_odd, i_half_bank, i_pass, i_passes[h]}),
      .valid_o(valid),
      .ready_i(ready),
      .data_o ({mine, bank, pass, passes})
    );

    faa_shared_collect #(
      .Lanes(Lanes)
    ) u_collect (
      .clk_i,
      .rst_ni,
      .valid_i   (valid),
      .ready_o   (ready),
      .mine_i    (mine),
      .bank_i    (bank),
      .pass_i    (pass),
      .passes_i  (passes),
      .complete_i(complete[h]),
      .leave_o   (leave[h]),
      .word_i    (word),
      .full_o    (full[h]),
      .word_o    (half_word[h]),
      .take_i    (collected && needed[h])
    );
  end

  faa_fifo_ram #(
    .Width(2 + Lanes * (1 + LaneW)),
    .Depth(Records)
  ) u_places (
    .clk_i,
    .rst_ni,
    .valid_i(i_valid),
    .ready_o(place_space),
    .data_i ({i_passes[1] != '0, i_passes[0] != '0, i_odd, i_below}),
    .valid_o(place_valid),
    .ready_i(collected),
    .data_o ({needed, r_odd, r_below})
  );

  faa_fifo_ram #(
    .Width(RecordW),
    .Depth(Records)
  ) u_records (
    .clk_i,
    .rst_ni,
    .valid_i(x_valid),
    .ready_o(record_space),
    .data_i ({x_beat, x_hold, x_member, x_first, x_choice, x_before, x_other, x_next, x_chained, x_base}),
    .valid_o(record_valid),
    .ready_i(collected),
    .data_o ({r_beat, r_hold, r_member, r_first, r_choice, r_before, r_other, r_next, r_chained, r_base})
  );

  // A beat leaves when each half that it needs has its words.
  assign collected = place_valid && record_valid && (needed & ~full) == '0 && (results_room_q || !r_beat.result);

  faa_shared_done #(
    .UserW(UserW),
    .Warps(Warps)
  ) u_done (
    .clk_i,
    .rst_ni,
    .user_valid_i(warp_taken),
    .user_ready_o(user_room),
    .user_i      (warp_user_i),
    .beat_i      (collected),
    .last_i      (r_beat.last),
    .hold_i      (r_hold),
    .done_valid_o,
    .done_user_o,
    .idle_o      (users_idle)
  );

  // Room for an answer is reserved until it is taken.
  assign results_d = results_q + ResultsW'(collected && r_beat.result) - ResultsW'(took);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      results_q      <= '0;
      results_room_q <= 1'b0;
    end else begin
      results_q      <= results_d;
      results_room_q <= results_d < ResultsW'(Results);
    end
  end

  // -----------------------------------------------------------------------------------------------
  // F, R

  localparam int unsigned FixW = RecordW - 1;

  faa_shared_pkg::beat_t        e_beat, o_beat, u_beat;
  logic                         e_valid, o_valid, u_valid, swaps_valid, swaps_space;
  logic [Lanes-1:0]             e_member, e_first, e_choice;
  logic [Lanes-1:0][31:0]       e_before, e_other, e_word, o_word, u_word;
  logic [Lanes-1:0][LaneW-1:0]  e_next;
  logic [Slots-1:0][Lanes-1:0]  e_chained, e_base;
  logic [Levels-1:0][Lanes-1:0] o_swaps;

  faa_lanes_expand #(
    .Lanes(Lanes),
    .DataW(32)
  ) u_expand (
    .clk_i,
    .rst_ni,
    .valid_i(collected && r_beat.result),
    .below_i(r_below),
    .data_i (a_word),
    .valid_o(e_valid),
    .data_o (e_word)
  );

  faa_lanes_delay #(
    .Width (FixW),
    .Cycles((LaneW + 1) / 2)
  ) u_expand_record (
    .clk_i,
    .rst_ni,
    .data_i({r_beat, r_member, r_first, r_choice, r_before, r_other, r_next, r_chained, r_base}),
    .data_o({e_beat, e_member, e_first, e_choice, e_before, e_other, e_next, e_chained, e_base})
  );

  faa_shared_fix #(
    .Lanes(Lanes),
    .Slots(Slots),
    .F32  (F32),
    .Sums (Sums)
  ) u_fix (
    .clk_i,
    .rst_ni,
    .valid_i  (e_valid),
    .beat_i   (e_beat),
    .member_i (e_member),
    .first_i  (e_first),
    .before_i (e_before),
    .other_i  (e_other),
    .choice_i (e_choice),
    .next_i   (e_next),
    .chained_i(e_chained),
    .base_i   (e_base),
    .m_i      (e_word),
    .valid_o  (o_valid),
    .beat_o   (o_beat),
    .low_o    (o_word)
  );

  // Exchanges of the sort, of beats that are answered
  faa_fifo_ram #(
    .Width(Levels * Lanes),
    .Depth(2 * Front)
  ) u_swaps (
    .clk_i,
    .rst_ni,
    .valid_i(s_valid && s_beat.result),
    .ready_o(swaps_space),
    .data_i (s_swaps),
    .valid_o(swaps_valid),
    .ready_i(o_valid),
    .data_o (o_swaps)
  );

  faa_lanes_unsort #(
    .Lanes(Lanes),
    .DataW(32)
  ) u_unsort (
    .clk_i,
    .rst_ni,
    .valid_i(o_valid),
    .data_i (o_word),
    .swaps_i(o_swaps),
    .valid_o(u_valid),
    .data_o (u_word)
  );

  faa_lanes_delay #(
    .Width (BeatW),
    .Cycles((Levels + 1) / 2)
  ) u_unsort_beat (
    .clk_i,
    .rst_ni,
    .data_i(o_beat),
    .data_o(u_beat)
  );

  faa_shared_results #(
    .Lanes(Lanes),
    .Depth(Results),
    .Warps(Warps)
  ) u_results (
    .clk_i,
    .rst_ni,
    .enter_i (k_valid && k_beat.result && !k_beat.odd),
    .swap_i  (k_swap),
    .valid_i (u_valid),
    .beat_i  (u_beat),
    .word_i  (u_word),
    .took_o  (took),
    .valid_o (result_valid_o),
    .ready_i (result_ready_i),
    .part_o  (result_part_o),
    .result_o
  );

  // -----------------------------------------------------------------------------------------------

  assign ev_stall_bank_o   = |half_stall_bank;
  assign ev_stall_queue_o  = |half_stall_window;
  assign ev_stall_result_o = result_valid_o && !result_ready_i;
  assign ev_stall_hazard_o = |hazard;
  assign ev_stall_window_o = warp_valid_i && !go;
  assign idle_o            = users_idle && results_pending == '0 && front_q == '0 && records_q == '0;

  `FAA_ASSUME(warp_has_a_lane, !(warp_valid_i && warp_mask_i == '0))
  `FAA_ASSUME_STABLE(warp_stable, warp_valid_i, warp_ready_o,
                     {warp_part_i, warp_mask_i, warp_func_i, warp_op_i, warp_typ_i, warp_mod_i,
                      warp_result_i, warp_user_i})
  `FAA_ASSERT_STABLE(result_stable, result_valid_o, result_ready_i,
                     {result_part_o, result_o, result_user_o})
  `FAA_ASSERT(result_belongs_to_a_warp, !result_valid_o || result_user_valid)
  `FAA_ASSERT(front_has_room, !m_valid || front_space)
  `FAA_ASSERT(ahead_has_room, !(i_valid && i_any) || ahead_space)
  `FAA_ASSERT(records_have_room, (!x_valid || record_space) && (!i_valid || (place_space && &half_space)))
  `FAA_ASSERT(swaps_have_room, !(s_valid && s_beat.result) || swaps_space)
  `FAA_ASSERT(swaps_are_there, !o_valid || swaps_valid)
  `FAA_ASSERT(idle_is_empty, !idle_o || (half_idle == 2'b11 && !d_valid))
  `FAA_COVER(stall_s4, warp_valid_i && !(user_room && result_user_room))
  `FAA_COVER(stall_s5, ev_stall_result_o)
  `FAA_COVER(stall_s6, warp_valid_i && !relaxed && mode_q)
  `FAA_COVER(back_to_back, warp_valid_i && warp_ready_o && k_valid)
  `FAA_COVER(results_back_to_back, result_valid_o && result_ready_i && took)

endmodule
