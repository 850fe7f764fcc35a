// SPDX-License-Identifier: Apache-2.0
//
// Stages C to R of the atomic unit for global memory: answered line operations of all ports become
// the answers of warps, errors, and the order in which warps are done.
//
// The pipeline never stops after stage C: answers are made when there is room for them. Warps
// without answers wait in a list until those of the warps before are taken.
//
// Latency from the last answered operation of a warp to its answers: 4 + 5 + (Levels + 1) / 2 + 3
// cycles, Levels of the sort. Throughput: one beat per cycle.

`include "faa_assert.svh"

module faa_global_back #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter int unsigned Ports = 1,
  parameter int unsigned UserW = 4,
  parameter bit          F32 = 1'b1,
  parameter bit          Sums = 1'b1,
  parameter bit          Late = 1'b0,
  parameter int unsigned Notes = 256,    // parts of warps that are outstanding
  parameter int unsigned Records = 128,  // parts of these whose answers are wanted
  parameter int unsigned Beats = 512,    // beats whose answers are outstanding
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned StepW = LaneW + 1,
  localparam int unsigned Levels = faa_lanes_pkg::sort_levels(Lanes)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  // A warp enters the unit
  input  logic                         user_valid_i,
  output logic                         user_ready_o,
  input  logic [UserW-1:0]             user_i,

  // A beat with answers has been sorted (faa_global_front)
  input  logic                         sorted_i,
  input  logic [Levels-1:0][Lanes-1:0] swaps_i,
  input  logic [Lanes-1:0]             one_i,

  // A part is distributed (faa_global_part)
  input  logic                         note_i,
  output logic                         note_room_o,
  input  logic [Ports-1:0]             note_ports_i,
  input  logic                         record_i,
  output logic                         record_room_o,
  input  faa_global_pkg::job_t         job_i,
  input  logic [Lanes-1:0][LaneW-1:0]  leader_i,
  input  logic [Lanes-1:0][LaneW-1:0]  rank_i,
  input  logic [Lanes-1:0][OffW-1:0]        byte_i,
  input  logic [Lanes-1:0]             member_i,
  input  logic [Lanes-1:0]             first_i,
  input  logic [Lanes-1:0][31:0]       y_i,         // steps of INC, DEC
  input  logic [Lanes-1:0][31:0]       x_i,

  // Answered line operations (faa_global_port)
  input  logic [Ports-1:0]             op_valid_i,
  output logic [Ports-1:0]             op_ready_o,
  input  logic [Ports-1:0]             op_last_i,
  input  logic [Ports-1:0][LaneW-1:0]  op_leader_i,
  input  logic [Ports-1:0][LaneW-1:0]  op_rank_i,
  input  logic [Ports-1:0][51:OffW]       op_line_i,
  input  logic [Ports-1:0]             op_failed_i,
  input  logic [Ports-1:0][LineBytes*8-1:0] op_data_i,

  output logic                         result_valid_o,
  input  logic                         result_ready_i,
  output faa_cu_pkg::part_t            result_part_o,
  output logic [Lanes*64-1:0]          result_o,
  output logic [UserW-1:0]             result_user_o,
  output logic                         done_valid_o,
  output logic [UserW-1:0]             done_user_o,
  output logic                         error_valid_o,
  output logic [51:OffW]                  error_address_o,
  output logic [UserW-1:0]             error_user_o
);

  localparam int unsigned Results  = 64;   // beats between C and the exit
  localparam int unsigned Dones    = 32;   // warps that wait for answers of older ones to be taken
  localparam int unsigned ResultsW = $clog2(Results + 1);

  // -----------------------------------------------------------------------------------------------
  // Notes

  logic                        note_valid, note_take, note_result, note_last;
  logic                        record_valid, record_take, user_valid, done, done_room;
  logic [Ports-1:0]            note_ports;
  faa_global_pkg::job_t        r_job;
  logic [Lanes-1:0][LaneW-1:0] r_leader, r_rank;
  logic [Lanes-1:0][OffW-1:0]       r_byte;
  logic [Lanes-1:0]            r_member, r_first;
  logic [Lanes-1:0][StepW-1:0] steps, r_steps;
  logic [Lanes-1:0][31:0]      r_x;

  faa_fifo_ram #(
    .Width(UserW),
    .Depth(Notes)
  ) u_users (
    .clk_i,
    .rst_ni,
    .valid_i(user_valid_i),
    .ready_o(user_ready_o),
    .data_i (user_i),
    .valid_o(user_valid),
    .ready_i(done),
    .data_o (error_user_o)
  );

  faa_fifo_ram #(
    .Width(Ports + 2),
    .Depth(Notes)
  ) u_notes (
    .clk_i,
    .rst_ni,
    .valid_i(note_i),
    .ready_o(note_room_o),
    .data_i ({note_ports_i, job_i.beat.result, job_i.beat.last}),
    .valid_o(note_valid),
    .ready_i(note_take),
    .data_o ({note_ports, note_result, note_last})
  );

  for (genvar p = 0; p < Lanes; p++) begin : g_steps
    assign steps[p] = y_i[p][StepW-1:0];
  end

  faa_fifo_ram #(
    .Width(faa_global_pkg::JOB_W + Lanes * (2 * LaneW + OffW + 2 + StepW + 32)),
    .Depth(Records)
  ) u_records (
    .clk_i,
    .rst_ni,
    .valid_i(record_i),
    .ready_o(record_room_o),
    .data_i ({job_i, leader_i, rank_i, byte_i, member_i, first_i, steps, x_i}),
    .valid_o(record_valid),
    .ready_i(record_take),
    .data_o ({r_job, r_leader, r_rank, r_byte, r_member, r_first, r_steps, r_x})
  );

  // -----------------------------------------------------------------------------------------------
  // C. Answers have room until they are taken.

  faa_global_pkg::job_t   c_job;
  logic                   c_valid, results_room_q, took;
  logic [1:0]             beats_q;
  logic [ResultsW-1:0]    results_q, results_d;
  logic [Lanes-1:0]       c_member, c_first;
  logic [Lanes-1:0][31:0] c_before, c_other, c_m;

  faa_global_collect #(
    .Lanes(Lanes),
    .LineBytes(LineBytes),
    .Ports(Ports),
    .Late (Late)
  ) u_collect (
    .clk_i,
    .rst_ni,
    .op_valid_i,
    .op_ready_o,
    .op_last_i,
    .op_leader_i,
    .op_rank_i,
    .op_line_i,
    .op_failed_i,
    .op_data_i,
    .note_valid_i   (note_valid),
    .note_take_o    (note_take),
    .note_ports_i   (note_ports),
    .note_result_i  (note_result),
    .note_last_i    (note_last),
    .record_valid_i (record_valid),
    .record_take_o  (record_take),
    .record_job_i   (r_job),
    .record_leader_i(r_leader),
    .record_rank_i  (r_rank),
    .record_byte_i  (r_byte),
    .record_member_i(r_member),
    .record_first_i (r_first),
    .record_steps_i (r_steps),
    .record_x_i     (r_x),
    .done_o         (done),
    .done_room_i    (done_room),
    .error_valid_o,
    .error_address_o,
    .room_i         (results_room_q),
    .valid_o        (c_valid),
    .job_o          (c_job),
    .member_o       (c_member),
    .first_o        (c_first),
    .before_o       (c_before),
    .other_o        (c_other),
    .m_o            (c_m)
  );

  // Beats are counted a cycle after they are taken, so at most two come before the count shows that
  // there is no room.
  assign results_d = results_q + ResultsW'(beats_q) - ResultsW'(took);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beats_q        <= 2'd0;
      results_q      <= '0;
      results_room_q <= 1'b0;
    end else begin
      beats_q        <= 2'd0;
      if (record_take) beats_q <= faa_cu_pkg::is_wide(r_job.beat.typ) ? 2'd2 : 2'd1;
      results_q      <= results_d;
      results_room_q <= results_d <= ResultsW'(Results - 4);
    end
  end

  // -----------------------------------------------------------------------------------------------
  // F, R. A lane on a sparse page that does not answer 0 gets its answer here.

  faa_global_pkg::job_t         f_job;
  faa_shared_pkg::beat_t        u_beat;
  logic                         f_valid, u_valid, swaps_valid, swaps_room, r_valid;
  logic [Levels-1:0][Lanes-1:0] f_swaps;
  logic [Lanes-1:0]             f_one, u_one;
  logic [Lanes-1:0][31:0]       f_word, u_word, word;
  logic [31:0]                  sparse;

  faa_global_fix #(
    .Lanes(Lanes),
    .F32  (F32),
    .Sums (Sums)
  ) u_fix (
    .clk_i,
    .rst_ni,
    .valid_i (c_valid),
    .job_i   (c_job),
    .member_i(c_member),
    .first_i (c_first),
    .before_i(c_before),
    .other_i (c_other),
    .m_i     (c_m),
    .valid_o (f_valid),
    .job_o   (f_job),
    .low_o   (f_word)
  );

  faa_fifo_ram #(
    .Width(Levels * Lanes + Lanes),
    .Depth(Beats)
  ) u_swaps (
    .clk_i,
    .rst_ni,
    .valid_i(sorted_i),
    .ready_o(swaps_room),
    .data_i ({swaps_i, one_i}),
    .valid_o(swaps_valid),
    .ready_i(f_valid),
    .data_o ({f_swaps, f_one})
  );

  faa_lanes_unsort #(
    .Lanes(Lanes),
    .DataW(32)
  ) u_unsort (
    .clk_i,
    .rst_ni,
    .valid_i(f_valid),
    .data_i (f_word),
    .swaps_i(f_swaps),
    .valid_o(u_valid),
    .data_o (u_word)
  );

  faa_lanes_delay #(
    .Width ($bits(faa_shared_pkg::beat_t) + Lanes),
    .Cycles((Levels + 1) / 2)
  ) u_unsort_beat (
    .clk_i,
    .rst_ni,
    .data_i({f_job.beat, f_one}),
    .data_o({u_beat, u_one})
  );

  always_comb begin
    sparse = '1;
    if (faa_global_pkg::is_half(u_beat.typ)) sparse[31:16] = '0;
    if (u_beat.op == faa_pkg::ATOM_OP_CAST) sparse = 32'd1;
    for (int unsigned l = 0; l < Lanes; l++) word[l] = u_word[l] | (u_one[l] ? sparse : '0);
  end

  faa_global_results #(
    .Lanes(Lanes),
    .Depth(Results),
    .Late (Late)
  ) u_results (
    .clk_i,
    .rst_ni,
    .valid_i (u_valid),
    .beat_i  (u_beat),
    .word_i  (word),
    .took_o  (took),
    .valid_o (r_valid),
    .ready_i (result_valid_o && result_ready_i),
    .part_o  (result_part_o),
    .result_o
  );

  // -----------------------------------------------------------------------------------------------
  // Done

  logic             list_valid, list_result, waits_q;
  logic [UserW-1:0] list_user;

  faa_fifo_ram #(
    .Width(1 + UserW),
    .Depth(Dones)
  ) u_done (
    .clk_i,
    .rst_ni,
    .valid_i(done),
    .ready_o(done_room),
    .data_i ({note_result, error_user_o}),
    .valid_o(list_valid),
    .ready_i(done_valid_o),
    .data_o ({list_result, list_user})
  );

  assign result_valid_o = r_valid && list_valid && list_result;
  assign result_user_o  = list_user;
  assign done_valid_o   = list_valid && (!list_result || (result_valid_o && result_ready_i &&
                                                         result_part_o.last));
  assign done_user_o    = list_user;

  // The oldest warp waited for its answers to be taken.
  always_ff @(posedge clk_i) waits_q <= rst_ni && list_valid && !done_valid_o;

  logic unused;
  assign unused = ^{f_job, y_i};

  `FAA_ASSERT(warp_is_known, !note_valid || user_valid)
  `FAA_ASSERT(swaps_have_room, !sorted_i || swaps_room)
  `FAA_ASSERT(swaps_are_there, !f_valid || swaps_valid)
  `FAA_ASSERT_STABLE(result_stable, result_valid_o, result_ready_i,
                     {result_part_o, result_o, result_user_o})
  `FAA_COVER(stall_s11, result_valid_o && !result_ready_i)
  `FAA_COVER(hazard_h9, waits_q && done && !note_result)
  if (Lanes == 32) begin : g_whole
    `FAA_COVER(results_back_to_back, result_valid_o && result_ready_i && took)
  end

endmodule
