// SPDX-License-Identifier: Apache-2.0
//
// Stage T: a warp's groups are put into line operations, one per cycle.
//
// The lowest group that remains names the line; with it go the groups of that line that have the same rank on their item, so the items of
// one operation are distinct and the groups of an item follow each other in lane order. Each operation is noted for the answers
// (op_*), in the order of sending, and each warp that is to be answered once (record_*). A warp without any group is noted as an
// operation that is not sent.
//
// Latency: 1 cycle. Throughput: one line operation per cycle. Stalls: S2 further operations of the warp, S3 as many operations are not
// answered as there are tags, S4 as many warps that want answers are not answered as there are records.

`include "faa_assert.svh"

module faa_global_lines #(
  parameter bit          F32 = 1'b1,
  parameter int unsigned UserW = 4
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic [1023:0]         place_i,
  input  logic [31:0]           first_i,
  input  logic [31:0]           last_i,
  input  logic [32*8-1:0]       rank_i,
  input  logic [1023:0]         value_i,
  input  logic [1023:0]         other_i,
  input  logic [1023:0]         value_high_i,
  input  logic [1023:0]         other_high_i,

  // The warps between the entry and this stage: user, lines of the lanes
  input  logic                  warp_valid_i,
  output logic                  warp_take_o,
  input  logic [UserW-1:0]      warp_user_i,
  input  logic [32*46-1:0]      warp_lines_i,

  // Notes for the answers
  output logic                  op_put_o,
  input  logic                  op_room_i,
  output logic                  op_none_o,      // it is not sent
  output logic                  op_last_o,      // of its warp
  output logic                  op_result_o,
  output logic [4:0]            op_leader_o,    // which positions it serves: these with this leader
  output logic [4:0]            op_rank_o,      // and this rank
  output logic [51:6]           op_line_o,
  output logic [UserW-1:0]      op_user_o,
  output logic                  record_put_o,
  input  logic                  record_room_i,
  output faa_shared_pkg::beat_t record_beat_o,
  output logic [1023:0]         record_place_o,
  output logic [1023:0]         record_before_o, // what the earlier lanes of the group did
  output logic [1023:0]         record_other_o,

  // To stage B: what is sent
  output logic                  send_valid_o,
  input  logic                  send_ready_i,
  output logic                  send_new_o,     // first operation of its warp: operands come with it
  output logic [31:0]           send_select_o,  // positions whose operands go into the line
  output logic [51:6]           send_line_o,
  output faa_shared_pkg::beat_t send_beat_o,
  output logic [32*6-1:0]       send_byte_o,
  output logic [1023:0]         send_b_o,
  output logic [1023:0]         send_b_high_o,
  output logic [1023:0]         send_c_o,
  output logic [1023:0]         send_c_high_o,

  output logic                  stall_lines_o,
  output logic                  stall_tag_o
);

  faa_shared_pkg::beat_t beat_q;
  logic          valid_q, fresh_q, take, room, pass, none, is_last;
  logic [31:0]   remaining_q, first_q, select;
  logic [1023:0] place_q, value_q, other_q, value_high_q, other_high_q;
  logic [159:0]  rank_q;
  logic [4:0]    head, leader, rank;

  assign ready_o = !valid_q || (pass && is_last);
  assign take    = valid_i && ready_o;

  // -------------------------------------------------------------------------------------------------------------
  // The next operation

  assign none   = remaining_q == '0;
  assign head   = faa_cu_pkg::lowest(remaining_q);
  assign leader = place_q[{head, 5'(faa_global_pkg::PLACE_LEADER)} +: 5];

  always_comb begin
    rank = '0;
    if (valid_q) begin
      for (int p = 0; p < 32; p++) if (head == 5'(p)) rank = rank_q[p*5 +: 5];
    end
  end

  always_comb begin
    select = '0;
    if (valid_q) begin
      for (int p = 0; p < 32; p++) begin
        select[p] = remaining_q[p] && place_q[p*32 + faa_global_pkg::PLACE_LEADER +: 5] == leader && rank_q[p*5 +: 5] == rank;
      end
    end
  end

  assign is_last = (remaining_q & ~select) == '0;
  assign room    = op_room_i && (!fresh_q || !beat_q.result || record_room_i);
  assign pass    = valid_q && room && (none || send_ready_i);

  logic [31:0] line_of;
  always_comb begin
    op_line_o = '0;
    if (valid_q) begin
      for (int l = 0; l < 32; l++) if (line_of[l]) op_line_o = op_line_o | warp_lines_i[l*46 +: 46];
    end
  end
  assign line_of = 32'd1 << leader;

  assign op_put_o     = pass;
  assign op_none_o    = none;
  assign op_last_o    = is_last;
  assign op_result_o  = beat_q.result;
  assign op_leader_o  = leader;
  assign op_rank_o    = rank;
  assign op_user_o    = warp_user_i;
  assign warp_take_o  = pass && is_last;
  assign record_put_o = pass && fresh_q && beat_q.result;
  assign stall_lines_o = pass && !is_last;
  assign stall_tag_o   = valid_q && !room;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      fresh_q <= 1'b0;
    end else begin
      if (ready_o) valid_q <= valid_i;
      if (ready_o || pass) fresh_q <= take;
    end
    if (take) remaining_q <= last_i;
    else if (pass) remaining_q <= remaining_q & ~select;
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      beat_q       <= beat_i;
      place_q      <= place_i;
      first_q      <= first_i;
      value_q      <= value_i;
      other_q      <= other_i;
      value_high_q <= value_high_i;
      other_high_q <= other_high_i;
      for (int p = 0; p < 32; p++) rank_q[p*5 +: 5] <= rank_i[p*8 +: 5];
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // What the answers need: the value of the position before, as the group's earlier lanes left it; with PLACE_AFTER the position's own.

  always_comb begin
    record_place_o  = place_q;
    record_before_o = value_q << 32;
    if (record_put_o) begin
      for (int p = 0; p < 32; p++) begin
        record_place_o[p*32 + faa_global_pkg::PLACE_FIRST]     = first_q[p] && !place_q[p*32 + faa_global_pkg::PLACE_AFTER];
        record_place_o[p*32 + faa_global_pkg::PLACE_RANK +: 5] = rank_q[p*5 +: 5];
        if (place_q[p*32 + faa_global_pkg::PLACE_AFTER]) record_before_o[p*32 +: 32] = value_q[p*32 +: 32];
      end
    end
  end
  assign record_beat_o  = beat_q;
  assign record_other_o = other_q;

  // -------------------------------------------------------------------------------------------------------------
  // Operands of the line operation: 16-bit items in their half of the word

  logic new_here, counted, keys;
  assign new_here = send_valid_o && send_new_o;
  assign counted  = faa_shared_pkg::is_step_group(beat_q);
  assign keys     = F32 && faa_shared_pkg::is_f32_order(beat_q);

  assign send_valid_o  = valid_q && room && !none;
  assign send_new_o    = fresh_q;
  assign send_select_o = select;
  assign send_line_o   = op_line_o;
  assign send_beat_o   = beat_q;
  assign send_b_high_o = value_high_q;
  assign send_c_high_o = other_high_q;

  function automatic logic [31:0] placed(input logic [15:0] item, input logic high);
    placed = high ? {item, 16'b0} : {16'b0, item};
  endfunction

  always_comb begin
    send_b_o    = value_q;
    send_c_o    = other_q;
    send_byte_o = '0;
    if (new_here) begin
      for (int p = 0; p < 32; p++) send_byte_o[p*6 +: 6] = place_q[p*32 + faa_global_pkg::PLACE_BYTE +: 6];
      if (counted) begin
        send_b_o = other_q;
        send_c_o = value_q;
      end
      if (keys) begin
        for (int p = 0; p < 32; p++) begin
          send_b_o[p*32 +: 32] = faa_float_pkg::f32_unkey(value_q[p*32 +: 32], beat_q.op == faa_pkg::ATOM_OP_MAX);
        end
      end
      if (faa_global_pkg::is_half(beat_q.typ)) begin
        for (int p = 0; p < 32; p++) begin
          send_b_o[p*32 +: 32] = placed(value_q[p*32 +: 16], send_byte_o[p*6 + 1]);
          send_c_o[p*32 +: 32] = placed(other_q[p*32 +: 16], send_byte_o[p*6 + 1]);
        end
      end
    end
  end

  logic unused;
  assign unused = ^rank_i;

  `FAA_ASSERT(warp_is_known, !valid_q || warp_valid_i)
  `FAA_COVER(stall_s2, stall_lines_o)
  `FAA_COVER(stall_s3, valid_q && !op_room_i)
  `FAA_COVER(stall_s4, valid_q && op_room_i && !room)
  `FAA_COVER(hazard_h1, pass && !none && rank != '0)
  `FAA_COVER(hazard_h6, pass && none)

endmodule
