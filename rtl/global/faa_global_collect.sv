// SPDX-License-Identifier: Apache-2.0
//
// Stage C: answers of the ports are put to the positions of the oldest part. When all its ports
// have answered all its operations, its record leaves with the words of each position; high words
// of 64-bit items are a beat of their own, which comes first.
//
// A port whose oldest answer is for a later part waits. Of two errors in one cycle that of the
// lower port is reported first.
//
// Latency: 4 cycles. Throughput: one line operation per cycle and port, one beat per cycle. With
// Late operations are chosen in one cycle and taken in the next: half of that. Stalls: GLB-S7
// (answers are not taken), GLB-S8 (the list of done warps is full), GLB-S9.

`include "faa_assert.svh"

module faa_global_collect #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter int unsigned Ports = 1,
  parameter bit          Late = 1'b0,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned StepW = LaneW + 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Answers of each port (faa_global_answers)
  input  logic [Ports-1:0]            op_valid_i,
  output logic [Ports-1:0]            op_ready_o,
  input  logic [Ports-1:0]            op_last_i,
  input  logic [Ports-1:0][LaneW-1:0] op_leader_i,
  input  logic [Ports-1:0][LaneW-1:0] op_rank_i,
  input  logic [Ports-1:0][51:OffW]      op_line_i,
  input  logic [Ports-1:0]            op_failed_i,
  input  logic [Ports-1:0][LineBytes*8-1:0] op_data_i,

  // The oldest part (faa_global_part)
  input  logic                        note_valid_i,
  output logic                        note_take_o,
  input  logic [Ports-1:0]            note_ports_i,
  input  logic                        note_result_i,
  input  logic                        note_last_i,    // of its warp

  // The oldest record with answers
  input  logic                        record_valid_i,
  output logic                        record_take_o,
  input  faa_global_pkg::job_t        record_job_i,
  input  logic [Lanes-1:0][LaneW-1:0] record_leader_i,
  input  logic [Lanes-1:0][LaneW-1:0] record_rank_i,
  input  logic [Lanes-1:0][OffW-1:0]       record_byte_i,
  input  logic [Lanes-1:0]            record_member_i,
  input  logic [Lanes-1:0]            record_first_i,
  input  logic [Lanes-1:0][StepW-1:0] record_steps_i,
  input  logic [Lanes-1:0][31:0]      record_x_i,

  // A warp's last operation has been answered
  output logic                        done_o,
  input  logic                        done_room_i,

  output logic                        error_valid_o,
  output logic [51:OffW]                 error_address_o,

  // Beats with the words of each position
  input  logic                        room_i,         // for two beats
  output logic                        valid_o,
  output faa_global_pkg::job_t        job_o,
  output logic [Lanes-1:0]            member_o,       // positions that answer
  output logic [Lanes-1:0]            first_o,        // answer the old M
  output logic [Lanes-1:0][31:0]      before_o,       // result of the earlier lanes of the group
  output logic [Lanes-1:0][31:0]      other_o,        // bounds; of parts of words, the byte
  output logic [Lanes-1:0][31:0]      m_o
);

  // -----------------------------------------------------------------------------------------------
  // Ports that advance

  localparam int unsigned Pairs = LineBytes / 8;   // of words in a line

  logic [Ports-1:0] finished_q, mine, fails, chosen, pass;
  logic             beats_room, ends_room, ends, complete, merge, wide_q;

  assign mine       = note_valid_i ? op_valid_i & note_ports_i & ~finished_q : '0;
  assign fails      = mine & op_failed_i;
  // The beat of low words of the part before goes first.
  assign beats_room = !note_result_i || (room_i && !wide_q);
  assign ends_room  = beats_room && (!note_last_i || done_room_i);
  // The lowest one of the failing operations
  assign chosen     = mine & (~op_last_i | {Ports{ends_room}}) & ~(fails & (fails - Ports'(1)));
  assign ends       = note_valid_i && ends_room &&
                      (note_ports_i & ~finished_q & ~(chosen & op_last_i)) == '0;

  if (Late) begin : gen_late
    // In the next cycle the chosen operations are still present, and there is still room: no other
    // module fills the queues of answers and of warps that are done.
    logic [Ports-1:0] pass_q;
    logic             complete_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || complete_q || pass_q != '0) begin
        pass_q     <= '0;
        complete_q <= 1'b0;
      end else begin
        pass_q     <= chosen;
        complete_q <= ends;
      end
    end
    assign pass     = pass_q;
    assign complete = complete_q;
  end else begin : gen_now
    assign pass     = chosen;
    assign complete = ends;
  end

  assign op_ready_o = pass;
  assign merge      = pass != '0 && note_result_i;

  assign done_o        = complete && note_last_i;
  assign note_take_o   = complete;
  assign record_take_o = complete && note_result_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || complete) finished_q <= '0;
    else finished_q <= finished_q | (pass & op_last_i);
  end

  always_comb begin
    error_address_o = '0;
    for (int unsigned n = 0; n < Ports; n++) begin
      if (pass[n] && op_failed_i[n]) error_address_o = error_address_o | op_line_i[n];
    end
  end
  assign error_valid_o = (pass & op_failed_i) != '0;

  // -----------------------------------------------------------------------------------------------
  // The pair of words with an item goes to the item's positions. The selection is known a cycle
  // before, so a bit takes a sum of products, one for each pair.

  logic                     merge_q;
  logic [Ports-1:0][LineBytes*8-1:0] data_q;
  logic [Lanes-1:0][31:0]   even_q, odd_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) merge_q <= 1'b0;
    else merge_q <= merge;
    if (merge) data_q <= op_data_i;
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_pair
    logic [Ports-1:0]      served;
    logic [Ports-1:0][Pairs-1:0] pick, pick_q;   // of a port's line: one pair, or none
    logic [31:0]           even_d, odd_d;

    for (genvar n = 0; n < Ports; n++) begin : g_port
      assign served[n] = pass[n] && record_leader_i[p] == op_leader_i[n] &&
                         record_rank_i[p] == op_rank_i[n];
      assign pick[n]   = Pairs'(served[n]) << record_byte_i[p][OffW-1:3];
    end

    always_comb begin
      even_d = '0;
      odd_d  = '0;
      for (int unsigned n = 0; n < Ports; n++) begin
        for (int unsigned w = 0; w < Pairs; w++) begin
          even_d = even_d | ({32{pick_q[n][w]}} & data_q[n][w*64 +: 32]);
          odd_d  = odd_d | ({32{pick_q[n][w]}} & data_q[n][w*64+32 +: 32]);
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (merge) pick_q <= pick;
      if (merge_q && pick_q != '0) begin
        even_q[p] <= even_d;
        odd_q[p]  <= odd_d;
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Beats

  // The record of a part, until the last words are at their positions
  faa_global_pkg::job_t        late_q, job_q;
  logic [Lanes-1:0]            late_member_q, late_first_q, member_q, first_q;
  logic [Lanes-1:0][OffW-1:0]       late_byte_q, byte_q;
  logic [Lanes-1:0][StepW-1:0] late_steps_q, steps_q;
  logic [Lanes-1:0][31:0]      late_x_q, x_q, prior, other, low_q;
  logic                        late_valid_q, valid_q, second_q, part, counted, both;

  // Halves of ATOM are selected like those of a load: each lane is a group of its own.
  assign part    = job_q.beat.func == faa_cu_pkg::SHARED_LOAD ||
                   faa_global_pkg::is_half(job_q.beat.typ);
  assign counted = faa_shared_pkg::is_step_group(job_q.beat);
  assign both    = valid_q && faa_cu_pkg::is_wide(job_q.beat.typ);
  assign wide_q  = late_valid_q && faa_cu_pkg::is_wide(late_q.beat.typ);

  for (genvar p = 0; p < Lanes; p++) begin : g_before
    localparam int unsigned Below = p == 0 ? 0 : p - 1;

    always_comb begin
      prior[p] = job_q.after ? x_q[p] : x_q[Below];
      if (counted) prior[p][5:0] = 6'(steps_q[Below]);
      other[p] = x_q[p];
      if (part) other[p][1:0] = byte_q[p][1:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      late_valid_q <= 1'b0;
      valid_q      <= 1'b0;
      second_q     <= 1'b0;
      valid_o      <= 1'b0;
    end else begin
      late_valid_q <= record_take_o;
      valid_q      <= late_valid_q;
      second_q     <= both;
      valid_o      <= valid_q || second_q;
    end
    if (record_take_o) begin
      late_q        <= record_job_i;
      late_member_q <= record_member_i;
      late_first_q  <= record_first_i;
      late_byte_q   <= record_byte_i;
      late_steps_q  <= record_steps_i;
      late_x_q      <= record_x_i;
    end
    if (late_valid_q) begin
      job_q    <= late_q;
      member_q <= late_member_q;
      first_q  <= late_first_q;
      byte_q   <= late_byte_q;
      steps_q  <= late_steps_q;
      x_q      <= late_x_q;
    end
    if (valid_q) begin
      job_o          <= job_q;
      job_o.beat.odd <= both;
      member_o       <= member_q;
      first_o        <= job_q.after ? '0 : first_q;
      before_o       <= prior;
      other_o        <= other;
      if (part) job_o.beat.func <= faa_cu_pkg::SHARED_LOAD;
    end
    if (second_q) job_o.beat.odd <= 1'b0;
    for (int unsigned p = 0; p < Lanes; p++) begin
      if (both) low_q[p] <= even_q[p];
      if (valid_q || second_q) begin
        m_o[p] <= second_q ? low_q[p] : both || byte_q[p][2] ? odd_q[p] : even_q[p];
      end
    end
  end

  logic unused;
  assign unused = ^byte_q;

  `FAA_ASSERT(record_is_there, !(merge || record_take_o) || record_valid_i)
  `FAA_ASSERT(one_beat_at_a_time, !(valid_q && second_q))
  `FAA_ASSERT(one_error, (pass & op_failed_i & ((pass & op_failed_i) - Ports'(1))) == '0)
  `FAA_COVER(stall_s7, (mine & op_last_i) != '0 && note_result_i && !room_i)
  `FAA_COVER(stall_s8, (mine & op_last_i) != '0 && beats_room && !ends_room)
  `FAA_COVER(stall_s9, (mine & op_last_i) != '0 && note_result_i && room_i && wide_q)
  `FAA_COVER(hazard_h8, error_valid_o && note_result_i)
  if (Ports > 1) begin : g_ports
    `FAA_COVER(hazard_h10, note_valid_i && (op_valid_i & ~mine) != '0)
    `FAA_COVER(hazard_h11, (fails & (fails - Ports'(1))) != '0)
  end

endmodule
