// SPDX-License-Identifier: Apache-2.0
//
// Stages C to R of the shared memory unit: answers of the banks go to the operations of their beat,
// to the positions of their groups, and to their lanes. A warp is done when stage C has collected
// its beats.
//
// It holds what a beat needs here while the banks work: its record of stage X, the places of its
// operations, and the exchanges of its sort. The sender reserves room for Records beats
// (collected_o: one has left).
//
// Throughput: one beat per cycle. Latency from collected_o to result_valid_o: (log2(Lanes) + 1) / 2
// + 6 + (Levels + 1) / 2 + 3 cycles, Levels of the sort. Stalls: SHM-S5 (answers are not taken).

`include "faa_assert.svh"
`include "shared/faa_shared_bundle.svh"

module faa_shared_back #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Slots = 2,      // of faa_shared_chain
  parameter int unsigned UserW = 4,
  parameter bit          F32 = 1'b1,
  parameter bit          Sums = 1'b1,
  parameter int unsigned Warps = 128,    // in the unit
  parameter int unsigned Front = 128,    // beats between the entry and stage X
  parameter int unsigned Records = 64,   // beats between stage X and C
  localparam int unsigned Banks = Lanes,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned PassW = Lanes > 4 ? LaneW - 2 : 1,
  localparam int unsigned Levels = faa_lanes_pkg::sort_levels(Lanes),
  localparam type        record_t = `FAA_SHARED_RECORD(Lanes, Slots),
  localparam type        places_t = `FAA_SHARED_PLACES(Lanes, PassW)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  // A warp enters the unit: its first beat, and its last one
  output logic                         room_o,
  input  logic                         warp_begins_i,
  input  logic                         warp_ends_i,
  input  logic                         warp_result_i,
  input  logic [UserW-1:0]             warp_user_i,

  // From faa_shared_front
  input  logic                         enter_i,
  input  logic [Lanes-1:0]             swap_i,
  input  logic                         swaps_valid_i,
  input  logic [Levels-1:0][Lanes-1:0] swaps_i,

  // A beat leaves stage X, and stage I
  input  logic                         record_valid_i,
  input  record_t                      record_i,
  input  logic                         hold_i,           // it is done only with a later beat
  input  logic                         places_valid_i,
  input  places_t                      places_i,
  output logic                         collected_o,

  // From faa_shared_banks
  input  logic [1:0]                   complete_i,
  output logic [1:0]                   leave_o,
  input  logic [Banks-1:0][3:0][31:0]  answer_i,

  output logic                         result_valid_o,
  input  logic                         result_ready_i,
  output faa_cu_pkg::part_t            result_part_o,
  output logic [Lanes*64-1:0]          result_o,
  output logic [UserW-1:0]             result_user_o,

  output logic                         done_valid_o,
  output logic [UserW-1:0]             done_user_o,
  output logic                         idle_o            // no warp is in the unit
);

  localparam int unsigned BankW      = LaneW;
  localparam int unsigned HalfBanks  = Banks / 2;
  localparam int unsigned BeatW      = $bits(faa_shared_pkg::beat_t);
  localparam int unsigned RecordW    = $bits(record_t);
  localparam int unsigned Results    = 64;   // answered beats between C and the exit
  localparam int unsigned ResultsW   = $clog2(Results + 1);
  localparam int unsigned WarpCountW = $clog2(Warps + 1);

  // -----------------------------------------------------------------------------------------------
  // Warps in the unit

  logic                  user_room, result_user_room, result_user_valid, users_idle;
  logic [WarpCountW-1:0] results_pending;

  assign room_o = user_room && result_user_room;
  assign idle_o = users_idle && results_pending == '0;

  faa_fifo #(
    .Width(UserW),
    .Depth(Warps)
  ) u_result_users (
    .clk_i,
    .rst_ni,
    .valid_i(warp_begins_i && warp_result_i),
    .ready_o(result_user_room),
    .data_i (warp_user_i),
    .valid_o(result_user_valid),
    .ready_i(result_valid_o && result_ready_i && result_part_o.last),
    .data_o (result_user_o),
    .count_o(results_pending)
  );

  // -----------------------------------------------------------------------------------------------
  // C

  record_t                     r_record;
  logic                        place_space, record_space, place_valid, record_valid, r_hold;
  logic                        results_room_q, took;
  logic [1:0]                  half_space, needed, full;
  logic [Lanes-1:0]            i_odd, r_odd;
  logic [Lanes-1:0][BankW-2:0] i_half_bank;
  logic [Lanes-1:0][LaneW-1:0] r_below;
  logic [Lanes-1:0][31:0]      a_word;
  logic [1:0][Lanes-1:0][31:0] half_word;
  logic [ResultsW-1:0]         results_q, results_d;

  for (genvar p = 0; p < Lanes; p++) begin : g_place
    assign i_odd[p]       = places_i.bank[p][0];
    assign i_half_bank[p] = places_i.bank[p][BankW-1:1];
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
      assign word[n] = answer_i[2*n+h];
    end

    faa_fifo_ram #(
      .Width(Lanes * (BankW + PassW) + PassW + 1),
      .Depth(Records)
    ) u_places (
      .clk_i,
      .rst_ni,
      .valid_i(places_valid_i && places_i.passes[h] != '0),
      .ready_o(half_space[h]),
      .data_i ({h == 1 ? places_i.items & i_odd : places_i.items & ~i_odd, i_half_bank,
                places_i.pass, places_i.passes[h]}),
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
      .complete_i(complete_i[h]),
      .leave_o   (leave_o[h]),
      .word_i    (word),
      .full_o    (full[h]),
      .word_o    (half_word[h]),
      .take_i    (collected_o && needed[h])
    );
  end

  faa_fifo_ram #(
    .Width(2 + Lanes * (1 + LaneW)),
    .Depth(Records)
  ) u_places (
    .clk_i,
    .rst_ni,
    .valid_i(places_valid_i),
    .ready_o(place_space),
    .data_i ({places_i.passes[1] != '0, places_i.passes[0] != '0, i_odd, places_i.below}),
    .valid_o(place_valid),
    .ready_i(collected_o),
    .data_o ({needed, r_odd, r_below})
  );

  faa_fifo_ram #(
    .Width(1 + RecordW),
    .Depth(Records)
  ) u_records (
    .clk_i,
    .rst_ni,
    .valid_i(record_valid_i),
    .ready_o(record_space),
    .data_i ({hold_i, record_i}),
    .valid_o(record_valid),
    .ready_i(collected_o),
    .data_o ({r_hold, r_record})
  );

  // A beat leaves when each half that it needs has its words.
  assign collected_o = place_valid && record_valid && (needed & ~full) == '0 &&
                       (results_room_q || !r_record.beat.result);

  faa_shared_done #(
    .UserW(UserW),
    .Warps(Warps)
  ) u_done (
    .clk_i,
    .rst_ni,
    .user_valid_i(warp_ends_i),
    .user_ready_o(user_room),
    .user_i      (warp_user_i),
    .beat_i      (collected_o),
    .last_i      (r_record.beat.last),
    .hold_i      (r_hold),
    .done_valid_o,
    .done_user_o,
    .idle_o      (users_idle)
  );

  // Room for an answer is reserved until it is taken.
  assign results_d = results_q + ResultsW'(collected_o && r_record.beat.result) - ResultsW'(took);

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

  record_t                      e_record;
  faa_shared_pkg::beat_t        o_beat, u_beat;
  logic                         e_valid, o_valid, u_valid, swaps_valid, swaps_space;
  logic [Lanes-1:0][31:0]       e_word, o_word, u_word;
  logic [Levels-1:0][Lanes-1:0] o_swaps;

  faa_lanes_expand #(
    .Lanes(Lanes),
    .DataW(32)
  ) u_expand (
    .clk_i,
    .rst_ni,
    .valid_i(collected_o && r_record.beat.result),
    .below_i(r_below),
    .data_i (a_word),
    .valid_o(e_valid),
    .data_o (e_word)
  );

  faa_lanes_delay #(
    .Width (RecordW),
    .Cycles((LaneW + 1) / 2)
  ) u_expand_record (
    .clk_i,
    .rst_ni,
    .data_i(r_record),
    .data_o(e_record)
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
    .beat_i   (e_record.beat),
    .member_i (e_record.member),
    .first_i  (e_record.first),
    .before_i (e_record.prefix),
    .other_i  (e_record.other),
    .choice_i (e_record.choice),
    .next_i   (e_record.next),
    .chained_i(e_record.chained),
    .base_i   (e_record.base),
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
    .valid_i(swaps_valid_i),
    .ready_o(swaps_space),
    .data_i (swaps_i),
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
    .enter_i,
    .swap_i,
    .valid_i (u_valid),
    .beat_i  (u_beat),
    .word_i  (u_word),
    .took_o  (took),
    .valid_o (result_valid_o),
    .ready_i (result_ready_i),
    .part_o  (result_part_o),
    .result_o
  );

  `FAA_ASSERT_STABLE(result_stable, result_valid_o, result_ready_i,
                     {result_part_o, result_o, result_user_o})
  `FAA_ASSERT(result_belongs_to_a_warp, !result_valid_o || result_user_valid)
  `FAA_ASSERT(records_have_room, (!record_valid_i || record_space) &&
                                 (!places_valid_i || (place_space && &half_space)))
  `FAA_ASSERT(swaps_have_room, !swaps_valid_i || swaps_space)
  `FAA_ASSERT(swaps_are_there, !o_valid || swaps_valid)
  `FAA_COVER(results_back_to_back, result_valid_o && result_ready_i && took)

endmodule
