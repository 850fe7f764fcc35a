// SPDX-License-Identifier: Apache-2.0
//
// Shared memory of one compute unit: banks of 4-byte words, as many as lanes; loads, stores and
// atomic operations of whole warps.
//
// A warp, whose addresses have been checked, enters in beats of Lanes lanes. Beats stay in order in
// the pipeline:
//
//   faa_shared_front   K to S, and the queue before X
//     K     faa_shared_keys      keys: bank and row of each lane
//     SORT  faa_lanes_sort       lanes of one word become neighbours, in lane order
//     G     faa_shared_group     groups: the lanes that one bank operation serves
//     SCAN  faa_lanes_scan       combines the operands of a group
//           faa_shared_steps     numbers of steps (INC, DEC)
//     S     faa_shared_sums      sums of relaxed floating-point additions
//           faa_shared_crowd     words that are worth watching
//   X     faa_shared_chain       groups on hot words are combined with those of the next beats
//   I     faa_shared_items       operations are compacted in the order of their banks
//   faa_shared_banks   D to A
//     D     faa_shared_pass      x 2: operations enter the queues of half of the banks, 4 of a bank
//                                per cycle
//     Q     faa_shared_queue     one per bank: one operation leaves per cycle, of any warp
//     bank  faa_shared_pair      two banks and their arithmetic
//           faa_shared_choose    CAS of lanes that compare with several values
//     A     faa_shared_answers   one per bank: answers wait
//           faa_shared_window    x 2: finds complete passes
//   faa_shared_back    C to R
//     C     faa_shared_collect   answers go to the operations of the beat
//           faa_lanes_expand     ... and to the positions of their groups
//     F     faa_shared_fix       each lane gets its own answer
//     R     faa_lanes_unsort     answers go to their lanes
//           faa_shared_results   ... and wait until they are taken
//
// The pipeline never stalls between two queues: the sender has reserved room.
//
// Throughput: one beat per cycle while banks keep up. Latency, stalls and hazards:
// Documentation/compute-unit.rst.

`include "faa_assert.svh"
`include "shared/faa_shared_bundle.svh"

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
  localparam int unsigned BankW      = LaneW;
  localparam int unsigned WordW      = 5 + RowW;
  localparam int unsigned PassW      = Lanes > 4 ? LaneW - 2 : 1;
  localparam int unsigned ItemW      = 71 + RowW;      // with its bank
  localparam int unsigned BankItemW  = ItemW - BankW;
  localparam int unsigned TicketRowW = faa_shared_pkg::TICKET_BITS - faa_shared_pkg::TICKET_ROW;
  localparam int unsigned Slots      = Chains == 0 ? 1 : Chains;
  localparam int unsigned Levels     = faa_lanes_pkg::sort_levels(Lanes);
  localparam int unsigned Warps      = 128;  // in the unit
  localparam int unsigned Front      = 128;  // beats between the entry and stage X
  localparam int unsigned Ahead      = Lanes > 4 ? 32 : 16;   // beats between stages X and D
  localparam int unsigned Records    = 64;   // beats between stage X and C
  localparam int unsigned AheadW     = $clog2(Ahead + 1);
  localparam int unsigned RecordsW   = $clog2(Records + 1);

  // -----------------------------------------------------------------------------------------------
  // K to S: warps enter while the unit has room for them

  typedef `FAA_SHARED_SORTED(Lanes, WordW) sorted_t;

  faa_shared_pkg::beat_t        warp;
  logic                         room, warp_begins, warp_ends, enter, swaps_valid;
  logic                         f_valid, f_ready, front_idle;
  logic [Lanes-1:0]             swap;
  logic [Levels-1:0][Lanes-1:0] swaps;
  sorted_t                      f_sorted;

  assign warp = {warp_func_i, warp_op_i, warp_typ_i, warp_mod_i, warp_result_i, 3'b000};
  // Answers of its first beat may leave before its last beat enters.
  assign warp_begins = warp_valid_i && warp_ready_o && warp_part_i.number == 3'd0;
  assign warp_ends   = warp_valid_i && warp_ready_o && warp_part_i.last;

  faa_shared_front #(
    .Lanes (Lanes),
    .RowW  (RowW),
    .OwnerW(OwnerW),
    .F32   (F32),
    .Sums  (Sums),
    .Depth (Front)
  ) u_front (
    .clk_i,
    .rst_ni,
    .room_i       (room),
    .warp_valid_i,
    .warp_ready_o,
    .warp_part_i,
    .warp_mask_i,
    .warp_i       (warp),
    .warp_owner_i,
    .warp_addr_i,
    .warp_b_i,
    .warp_c_i,
    .enter_o      (enter),
    .swap_o       (swap),
    .swaps_valid_o(swaps_valid),
    .swaps_o      (swaps),
    .valid_o      (f_valid),
    .ready_i      (f_ready),
    .sorted_o     (f_sorted),
    .ev_passes_o,
    .ev_owner_o,
    .ev_groups_o,
    .ev_stall_window_o,
    .idle_o       (front_idle)
  );

  // -----------------------------------------------------------------------------------------------
  // X: a beat leaves only when the later stages have room for it

  typedef `FAA_SHARED_CHOICES(Lanes) choices_t;
  typedef `FAA_SHARED_RECORD(Lanes, Slots) record_t;

  logic                        x_valid, x_go_q, x_pass, x_hold, choices_valid;
  choices_t                    choices;
  record_t                     x_record;
  logic [Lanes-1:0][WordW-1:0] x_word;
  logic [Lanes-1:0]            x_send, x_load;
  logic [Lanes-1:0][31:0]      x_value;
  logic                        ahead_take, i_valid, i_any, collected;
  logic [AheadW-1:0]           ahead_q, ahead_d;
  logic [RecordsW-1:0]         records_q, records_d;

  faa_shared_chain #(
    .Lanes (Lanes),
    .Chains(Chains),
    .WordW (WordW)
  ) u_chain (
    .clk_i,
    .rst_ni,
    .valid_i       (f_valid),
    .ready_o       (f_ready),
    .beat_i        (f_sorted.beat),
    .word_i        (f_sorted.word),
    .member_i      (f_sorted.member),
    .first_i       (f_sorted.first),
    .last_i        (f_sorted.last),
    .crowd_i       (f_sorted.crowd),
    .value_i       (f_sorted.value),
    .other_i       (f_sorted.other),
    .choice_i      (f_sorted.choice),
    .next_i        (f_sorted.next),
    .end_i         (f_sorted.ends),
    .go_i          (x_go_q),
    .pass_o        (x_pass),
    .choice_valid_o(choices_valid),
    .choice_first_o(choices.first),
    .choice_b_o    (choices.b),
    .choice_c_o    (choices.c),
    .choice_end_o  (choices.ends),
    .valid_o       (x_valid),
    .beat_o        (x_record.beat),
    .word_o        (x_word),
    .member_o      (x_record.member),
    .first_o       (x_record.first),
    .send_o        (x_send),
    .load_o        (x_load),
    .value_o       (x_value),
    .before_o      (x_record.prefix),
    .other_o       (x_record.other),
    .choice_o      (x_record.choice),
    .next_o        (x_record.next),
    .chained_o     (x_record.chained),
    .base_o        (x_record.base),
    .hold_o        (x_hold)
  );

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

  typedef `FAA_SHARED_PLACES(Lanes, PassW) places_t;

  faa_shared_pkg::beat_t           i_beat;
  logic [Lanes-1:0][ItemW-1:0]     i_item;
  logic [Lanes-1:0][BankItemW-1:0] i_bank_item;
  logic [Banks-1:0][LaneW:0]       i_stop;
  places_t                         i_places;
  logic [TicketRowW-1:0]           choice_row, x_row;

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
    .beat_i  (x_record.beat),
    .word_i  (x_word),
    .send_i  (x_send),
    .load_i  (x_load),
    .choice_i(x_record.choice),
    .value_i (x_value),
    .other_i (x_record.other),
    .row_i   (x_row),
    .valid_o (i_valid),
    .beat_o  (i_beat),
    .any_o   (i_places.items),
    .item_o  (i_item),
    .stop_o  (i_stop),
    .pass_o  (i_places.pass),
    .passes_o(i_places.passes),
    .below_o (i_places.below)
  );

  assign i_any = i_places.passes != '0;

  for (genvar p = 0; p < Lanes; p++) begin : g_item
    assign i_places.bank[p] = i_item[p][ItemW-1 -: BankW];
    assign i_bank_item[p]   = i_item[p][BankItemW-1:0];
  end

  logic unused_beat;
  assign unused_beat = ^i_beat;

  // -----------------------------------------------------------------------------------------------
  // D to A

  logic [1:0]                  complete, leave;
  logic [Banks-1:0][3:0][31:0] answer;
  logic                        banks_idle;

  faa_shared_banks #(
    .Lanes(Lanes),
    .RowW (RowW),
    .Ahead(Ahead),
    .F32  (F32),
    .F64  (F64),
    .X2   (X2)
  ) u_banks (
    .clk_i,
    .rst_ni,
    .valid_i        (i_valid && i_any),
    .info_i         ({i_beat.op, i_beat.typ, i_beat.mod[0]}),
    .item_i         (i_bank_item),
    .stop_i         (i_stop),
    .passes_i       (i_places.passes),
    .taken_o        (ahead_take),
    .choices_valid_i(choices_valid),
    .choices_i      (choices),
    .choice_row_o   (choice_row),
    .complete_o     (complete),
    .leave_i        (leave),
    .answer_o       (answer),
    .ev_ops_o       (ev_bank_ops_o),
    .ev_stall_bank_o,
    .ev_stall_queue_o,
    .ev_stall_hazard_o,
    .idle_o         (banks_idle)
  );

  // -----------------------------------------------------------------------------------------------
  // C to R

  logic back_idle;

  faa_shared_back #(
    .Lanes  (Lanes),
    .Slots  (Slots),
    .UserW  (UserW),
    .F32    (F32),
    .Sums   (Sums),
    .Warps  (Warps),
    .Front  (Front),
    .Records(Records)
  ) u_back (
    .clk_i,
    .rst_ni,
    .room_o        (room),
    .warp_begins_i (warp_begins),
    .warp_ends_i   (warp_ends),
    .warp_result_i,
    .warp_user_i,
    .enter_i       (enter),
    .swap_i        (swap),
    .swaps_valid_i (swaps_valid),
    .swaps_i       (swaps),
    .record_valid_i(x_valid),
    .record_i      (x_record),
    .hold_i        (x_hold),
    .places_valid_i(i_valid),
    .places_i      (i_places),
    .collected_o   (collected),
    .complete_i    (complete),
    .leave_o       (leave),
    .answer_i      (answer),
    .result_valid_o,
    .result_ready_i,
    .result_part_o,
    .result_o,
    .result_user_o,
    .done_valid_o,
    .done_user_o,
    .idle_o        (back_idle)
  );

  // -----------------------------------------------------------------------------------------------

  assign ev_stall_result_o = result_valid_o && !result_ready_i;
  assign idle_o            = back_idle && front_idle && records_q == '0;

  `FAA_ASSUME(warp_has_a_lane, !(warp_valid_i && warp_mask_i == '0))
  `FAA_ASSUME_STABLE(warp_stable, warp_valid_i, warp_ready_o,
                     {warp_part_i, warp_mask_i, warp_func_i, warp_op_i, warp_typ_i, warp_mod_i,
                      warp_result_i, warp_user_i})
  `FAA_ASSERT(idle_is_empty, !idle_o || banks_idle)
  `FAA_COVER(stall_s4, warp_valid_i && !room)
  `FAA_COVER(stall_s5, ev_stall_result_o)

endmodule
