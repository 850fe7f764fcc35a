// SPDX-License-Identifier: Apache-2.0
//
// Stage T of one port: a warp's groups on the port's lines are put into line operations, one per cycle.
//
// The lowest group that remains names the line; with it go the groups of that line that have the same rank on their item, so the items of
// one operation are distinct and the groups of an item follow each other in lane order. Lines take turns: one that was just sent, with this
// warp or the one before, comes again when no other one remains, since sums on one line wait for each other in the L2. Three bits of
// the address tell lines apart for that. Each operation is noted for the answers (op_*), in the order of sending.
//
// Latency: 1 cycle. Throughput: one line operation per cycle. Stalls: S2 further operations of the warp, S3 as many operations are not
// answered as there are tags.

`include "faa_assert.svh"

module faa_global_lines (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic                  sys_i,          // scope SYS
  input  logic [32*46-1:0]      lines_i,        // of the lanes
  input  logic [1023:0]         place_i,
  input  logic [31:0]           last_i,         // groups of this port, by their last positions: at least one
  input  logic [32*8-1:0]       rank_i,
  input  logic [1023:0]         b_i,
  input  logic [1023:0]         c_i,
  input  logic [1023:0]         b_high_i,
  input  logic [1023:0]         c_high_i,

  // Notes for the answers
  output logic                  op_put_o,
  input  logic                  op_room_i,
  output logic                  op_last_o,      // of its warp, at this port
  output logic                  op_result_o,
  output logic [4:0]            op_leader_o,    // which positions it serves: these with this leader
  output logic [4:0]            op_rank_o,      // and this rank
  output logic [51:6]           op_line_o,

  // To stage B: what is sent
  output logic                  send_valid_o,
  input  logic                  send_ready_i,
  output logic                  send_new_o,     // first operation of its warp: operands come with it
  output logic [31:0]           send_select_o,  // positions whose operands go into the line
  output logic [51:6]           send_line_o,
  output faa_shared_pkg::beat_t send_beat_o,
  output logic                  send_sys_o,
  output logic [32*6-1:0]       send_byte_o,
  output logic [1023:0]         send_b_o,
  output logic [1023:0]         send_b_high_o,
  output logic [1023:0]         send_c_o,
  output logic [1023:0]         send_c_high_o,

  output logic                  stall_lines_o,
  output logic                  stall_tag_o
);

  faa_shared_pkg::beat_t beat_q;
  logic             valid_q, fresh_q, sys_q, take, pass, is_last;
  logic [31:0]      remaining_q, others, select, line_of;
  logic [2:0]       colour_q;   // of the line that was sent last
  logic [1023:0]    place_q, b_q, c_q, b_high_q, c_high_q;
  logic [32*46-1:0] lines_q;
  logic [159:0]     rank_q;
  logic [4:0]       head, leader, rank;

  assign ready_o = !valid_q || (pass && is_last);
  assign take    = valid_i && ready_o;

  // -------------------------------------------------------------------------------------------------------------
  // The next operation

  always_comb begin
    others = '0;
    if (valid_q) begin
      for (int p = 0; p < 32; p++) others[p] = remaining_q[p] && place_q[p*32 + faa_global_pkg::PLACE_COLOUR +: 3] != colour_q;
    end
  end

  assign head   = faa_cu_pkg::lowest(others != '0 ? others : remaining_q);
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
  assign pass    = valid_q && op_room_i && send_ready_i;
  assign line_of = 32'd1 << leader;

  always_comb begin
    op_line_o = '0;
    if (valid_q) begin
      for (int l = 0; l < 32; l++) if (line_of[l]) op_line_o = op_line_o | lines_q[l*46 +: 46];
    end
  end

  assign op_put_o      = pass;
  assign op_last_o     = is_last;
  assign op_result_o   = beat_q.result;
  assign op_leader_o   = leader;
  assign op_rank_o     = rank;
  assign stall_lines_o = pass && !is_last;
  assign stall_tag_o   = valid_q && !op_room_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      fresh_q  <= 1'b0;
      colour_q <= '0;
    end else begin
      if (ready_o) valid_q <= valid_i;
      if (ready_o || pass) fresh_q <= take;
      if (pass) colour_q <= op_line_o[8:6];
    end
    if (take) remaining_q <= last_i;
    else if (pass) remaining_q <= remaining_q & ~select;
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      beat_q  <= beat_i;
      sys_q   <= sys_i;
      lines_q <= lines_i;
      place_q <= place_i;
      b_q     <= b_i;
      c_q     <= c_i;
      for (int p = 0; p < 32; p++) rank_q[p*5 +: 5] <= rank_i[p*8 +: 5];
    end
    if (take && faa_cu_pkg::is_wide(beat_i.typ)) begin
      b_high_q <= b_high_i;
      c_high_q <= c_high_i;
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // What is sent

  assign send_valid_o  = valid_q && op_room_i;
  assign send_new_o    = fresh_q;
  assign send_select_o = select;
  assign send_line_o   = op_line_o;
  assign send_beat_o   = beat_q;
  assign send_sys_o    = sys_q;
  assign send_b_o      = b_q;
  assign send_c_o      = c_q;
  assign send_b_high_o = b_high_q;
  assign send_c_high_o = c_high_q;

  for (genvar p = 0; p < 32; p++) begin : g_byte
    assign send_byte_o[p*6 +: 6] = place_q[p*32 + faa_global_pkg::PLACE_BYTE +: 6];
  end

  logic unused;
  assign unused = ^rank_i;

  `FAA_ASSERT(share_has_a_group, !valid_q || remaining_q != '0)
  `FAA_COVER(stall_s2, stall_lines_o)
  `FAA_COVER(stall_s3, valid_q && !op_room_i)
  `FAA_COVER(hazard_h1, pass && rank != '0)
  `FAA_COVER(lines_take_turns, pass && others != '0 && others != remaining_q)

endmodule
