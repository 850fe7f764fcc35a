// SPDX-License-Identifier: Apache-2.0
//
// Accesses to global memory of one compute unit: warps of LD, ST and ATOM with physical addresses become line operations for the L2
// (Documentation/l2.rst), whose answers become those of the lanes.
//
// A warp goes down a pipeline that never changes the order of anything:
//
//   L, K  faa_global_leaders   which lanes share a line; keys
//   SORT  faa_global_sort      lanes of one line, and of one item in it, stand side by side, in lane order
//   P     faa_global_order     operands follow
//   G     faa_global_group     groups: lanes on one item whose operation is done as one
//   SCAN  faa_global_scan      what the lanes of a group do together; rank of each group on its item
//   S     faa_global_sums      sums of relaxed floating-point additions
//         faa_global_deal      each port gets the lanes on its lines
//   T     faa_global_lines     groups of one line go into one line operation, one operation per cycle and port
//   B, O  faa_global_pack      operands stand where their items stand; the operation is offered
//   C     faa_global_answers   responses of a port, in any order, are put into the order of sending
//         faa_global_collect   all ports' go to the positions of their warp
//   F     faa_global_fix       each lane gets its own answer
//   R     faa_global_return    answers go to their lanes
//
// Throughput: one warp per cycle whose lanes make one line operation for each port, else one line operation per cycle and port; 256 of each port may
// be unanswered. Each port has its own share of the L2 slices, so operations on a line leave in order.
// Stalls S1..S10 and hazards: "Atomic unit for global memory" of the documentation.

`include "faa_assert.svh"

module faa_global #(
  parameter int unsigned UserW = 4,
  // Line operations per cycle, a power of two up to 8 and to Slices: slices of the L2, as of faa_memory.
  parameter int unsigned Ports = 1,
  parameter int unsigned Slices = 1,
  parameter bit          F32 = 1'b1,
  parameter bit          F64 = 1'b1,
  parameter bit          X2 = 1'b1,
  parameter bit          Relaxed = 1'b1   // with F32
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // A warp
  input  logic             warp_valid_i,
  output logic             warp_ready_o,
  input  logic [31:0]      warp_mask_i,    // active lanes, at least one
  input  logic [31:0]      warp_sparse_i,  // those on sparse pages: M = 0, nothing is stored
  input  logic [1:0]       warp_func_i,    // faa_cu_pkg::SHARED_*; loads want answers, stores do not
  input  logic [7:0]       warp_op_i,      // of ATOMIC: enum atom_op
  input  logic [3:0]       warp_typ_i,     // enum type
  input  logic [1:0]       warp_mod_i,     // of ATOMIC: enum float_mode: bit 0 FTZ, bit 1 RELAXED
  input  logic             warp_result_i,  // answers are wanted
  input  logic             warp_sys_i,     // scope SYS
  input  logic [UserW-1:0] warp_user_i,    // given back with its answers, its errors and when it is done
  input  logic [32*52-1:0] warp_pa_i,      // physical byte addresses, 52 bits a lane, naturally aligned
  input  logic [2047:0]    warp_b_i,       // 64 bits a lane
  input  logic [2047:0]    warp_c_i,

  // Answers of the warps that want them, in order: 64 bits a lane, extended by the type's sign, 0 in lanes that were not active
  output logic             result_valid_o,
  input  logic             result_ready_i,
  output logic [2047:0]    result_o,
  output logic [UserW-1:0] result_user_o,

  // Every warp, in order, when its operations have had their effect and its answers, if wanted, are taken
  output logic             done_valid_o,
  output logic [UserW-1:0] done_user_o,

  // A line operation was answered with an error: it has changed nothing, answers of its lanes mean nothing. Before its warp is done
  output logic             error_valid_o,
  output logic [51:6]      error_address_o,
  output logic [UserW-1:0] error_user_o,

  // Line operations for the L2: port n in slice n of each vector
  output logic [Ports-1:0]     mem_valid_o,
  input  logic [Ports-1:0]     mem_ready_i,
  output logic [Ports-1:0]     mem_sys_o,      // scope SYS
  output logic [Ports*3-1:0]   mem_func_o,     // LOAD, STORE or ATOMIC (faa_l2_pkg)
  output logic [Ports*8-1:0]   mem_op_o,       // enum atom_op
  output logic [Ports*4-1:0]   mem_typ_o,
  output logic [Ports-1:0]     mem_ftz_o,
  output logic [Ports-1:0]     mem_want_o,
  output logic [Ports*46-1:0]  mem_line_o,
  output logic [Ports*64-1:0]  mem_strb_o,
  output logic [Ports*512-1:0] mem_b_o,
  output logic [Ports*512-1:0] mem_c_o,
  output logic [Ports*8-1:0]   mem_tag_o,
  input  logic [Ports-1:0]     mem_rsp_valid_i,  // always taken, any order
  input  logic [Ports*8-1:0]   mem_rsp_tag_i,
  input  logic [Ports*512-1:0] mem_rsp_data_i,
  input  logic [Ports-1:0]     mem_rsp_err_i,

  // Events, counted per cycle
  output logic [8:0]       ev_groups_o,        // items of the operations ATOMIC sent
  output logic [3:0]       ev_lines_o,         // operations ATOMIC sent
  output logic             ev_stall_lines_o,   // a warp has further line operations
  output logic             ev_stall_memory_o,  // the L2 does not take one
  output logic             ev_stall_tag_o,     // too many operations or warps are unanswered
  output logic             ev_stall_mode_o,    // relaxed sums and others take turns
  output logic             ev_stall_result_o,  // answers are not taken
  output logic             idle_o
);

  localparam bit          Sums    = Relaxed && F32;
  localparam int unsigned Warps   = 128;   // between the entry and stage T
  localparam int unsigned Ops     = 256;   // of a port: line operations without a response, as many as tags
  localparam int unsigned Notes   = 256;   // warps that are not answered
  localparam int unsigned Records = 128;   // warps whose answers are under way
  localparam int unsigned Dones   = 32;    // warps that wait for the answers of an older one to be taken
  localparam int unsigned LinesW  = 32 * faa_global_pkg::LINE_W;
  localparam int unsigned BeatW   = $bits(faa_shared_pkg::beat_t);

  // -------------------------------------------------------------------------------------------------------------
  // Warps enter

  faa_shared_pkg::beat_t warp, k_beat, s_beat, p_beat, g_beat, n_beat, m_beat;
  logic                  warp_room, leaders_ready, queued_valid, queued_take, queued_sys;
  logic [UserW-1:0]      queued_user;
  logic                  atomic;
  logic [LinesW-1:0]     lines, queued_lines;

  assign atomic       = warp_func_i == faa_cu_pkg::SHARED_ATOMIC;
  assign warp         = {warp_func_i, atomic ? warp_op_i : 8'(faa_pkg::ATOM_OP_ADD), warp_typ_i, atomic ? warp_mod_i : 2'b0, warp_result_i, 3'b110};
  assign warp_ready_o = leaders_ready && warp_room;

  for (genvar l = 0; l < 32; l++) begin : g_line
    assign lines[l*faa_global_pkg::LINE_W +: faa_global_pkg::LINE_W] = warp_pa_i[l*52 + 6 +: faa_global_pkg::LINE_W];
  end

  faa_global_queue #(
    .Width(1 + UserW + LinesW),
    .Depth(Warps)
  ) u_warps (
    .clk_i,
    .rst_ni,
    .valid_i(warp_valid_i && leaders_ready),
    .ready_o(warp_room),
    .data_i ({warp_sys_i, warp_user_i, lines}),
    .valid_o(queued_valid),
    .ready_i(queued_take),
    .data_o ({queued_sys, queued_user, queued_lines})
  );

  logic          put, order_room, k_valid, sort_ready, s_valid, s_ready, p_valid, p_ready;
  logic [1023:0] put_place, k_key, s_key, p_place, p_b, p_c, p_b_high, p_c_high;
  logic [2047:0] put_b, put_c;

  faa_global_leaders #(
    .Ports (Ports),
    .Slices(Slices)
  ) u_leaders (
    .clk_i,
    .rst_ni,
    .warp_valid_i (warp_valid_i && warp_room),
    .warp_ready_o (leaders_ready),
    .warp_mask_i,
    .warp_sparse_i,
    .warp_i       (warp),
    .warp_pa_i,
    .warp_b_i,
    .warp_c_i,
    .put_o        (put),
    .room_i       (order_room),
    .place_o      (put_place),
    .b_o          (put_b),
    .c_o          (put_c),
    .valid_o      (k_valid),
    .ready_i      (sort_ready),
    .beat_o       (k_beat),
    .key_o        (k_key)
  );

  // -------------------------------------------------------------------------------------------------------------
  // SORT, P, G, SCAN, S

  faa_global_sort #(
    .Lanes(32)
  ) u_sort (
    .clk_i,
    .rst_ni,
    .valid_i(k_valid),
    .ready_o(sort_ready),
    .beat_i (k_beat),
    .key_i  (k_key),
    .valid_o(s_valid),
    .ready_i(s_ready),
    .beat_o (s_beat),
    .key_o  (s_key)
  );

  faa_global_order #(
    .Lanes(32)
  ) u_order (
    .clk_i,
    .rst_ni,
    .put_i      (put),
    .room_o     (order_room),
    .put_place_i(put_place),
    .put_b_i    (put_b),
    .put_c_i    (put_c),
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

  logic          g_valid, g_ready, n_valid, n_ready, m_valid, m_ready;
  logic [31:0]   g_member, g_first, g_last, g_item_first, n_member, n_first, n_last, m_member, m_first, m_last;
  logic [1023:0] g_place, g_value, g_other, g_value_high, g_other_high;
  logic [1023:0] n_place, n_value, n_other, n_value_high, n_other_high, m_place, m_value;
  logic [255:0]  n_rank, m_rank;
  logic [31:0]   unused_choice;
  logic [159:0]  unused_next, unused_end;

  faa_global_group #(
    .F32 (F32),
    .Sums(Sums)
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
    .item_first_o(g_item_first),
    .value_o     (g_value),
    .other_o     (g_other),
    .value_high_o(g_value_high),
    .other_high_o(g_other_high)
  );

  // Ranks are counted for each item; there are no words with a choice.
  faa_global_scan #(
    .Lanes(32)
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
    .bank_first_i(g_item_first | ~g_member),
    .value_i     (g_value),
    .other_i     (g_other),
    .value_high_i(g_value_high),
    .other_high_i(g_other_high),
    .choice_i    (32'b0),
    .next_i      (160'b0),
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
    .choice_o    (unused_choice),
    .next_o      (unused_next),
    .end_o       (unused_end)
  );

  faa_global_sums #(
    .Lanes  (32),
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
    .stall_mode_o(ev_stall_mode_o)
  );

  // -------------------------------------------------------------------------------------------------------------
  // What is known of a warp from here on

  logic                  note_put, note_room, record_put, record_room, deal_stalls;
  logic [Ports-1:0]      note_ports, port_valid, port_ready, port_stall_lines, port_stall_tag;
  logic [Ports*32-1:0]   port_last;
  logic [1023:0]         record_place, record_before, send_b, send_c;

  // The other operands of a relaxed addition are not used.
  faa_global_deal #(
    .Ports(Ports),
    .F32  (F32)
  ) u_deal (
    .clk_i,
    .rst_ni,
    .valid_i        (m_valid),
    .ready_o        (m_ready),
    .beat_i         (m_beat),
    .place_i        (m_place),
    .first_i        (m_first),
    .last_i         (m_last),
    .rank_i         (m_rank),
    .value_i        (m_value),
    .other_i        (n_other),
    .note_put_o     (note_put),
    .note_room_i    (note_room),
    .note_ports_o   (note_ports),
    .record_put_o   (record_put),
    .record_room_i  (record_room),
    .record_place_o (record_place),
    .record_before_o(record_before),
    .port_valid_o   (port_valid),
    .port_ready_i   (port_ready),
    .port_last_o    (port_last),
    .b_o            (send_b),
    .c_o            (send_c),
    .stall_o        (deal_stalls)
  );

  assign queued_take = m_valid && m_ready;

  logic                  oldest_valid, oldest_take, oldest_result, record_valid, record_take;
  logic [Ports-1:0]      oldest_ports;
  logic [UserW-1:0]      oldest_user;
  faa_shared_pkg::beat_t answer_beat;
  logic [1023:0]         answer_place, answer_before, answer_other;

  faa_global_queue #(
    .Width(Ports + 1 + UserW),
    .Depth(Notes)
  ) u_notes (
    .clk_i,
    .rst_ni,
    .valid_i(note_put),
    .ready_o(note_room),
    .data_i ({note_ports, m_beat.result, queued_user}),
    .valid_o(oldest_valid),
    .ready_i(oldest_take),
    .data_o ({oldest_ports, oldest_result, oldest_user})
  );

  faa_global_queue #(
    .Width(BeatW + 3 * 1024),
    .Depth(Records)
  ) u_records (
    .clk_i,
    .rst_ni,
    .valid_i(record_put),
    .ready_o(record_room),
    .data_i ({m_beat, record_place, record_before, n_other}),
    .valid_o(record_valid),
    .ready_i(record_take),
    .data_o ({answer_beat, answer_place, answer_before, answer_other})
  );

  // -------------------------------------------------------------------------------------------------------------
  // Ports: T, B, O, and what comes back

  logic [Ports-1:0]     answered_valid, answered_ready, answered_last, answered_failed;
  logic [Ports*5-1:0]   answered_leader, answered_rank;
  logic [Ports*46-1:0]  answered_line;
  logic [Ports*512-1:0] answered_data;
  logic [Ports*6-1:0]   items;

  for (genvar n = 0; n < Ports; n++) begin : g_port
    logic                  op_put, op_room, op_last, op_result, send_valid, send_ready, send_new, send_sys;
    logic                  head_valid, head_take, head_last, head_result;
    logic [4:0]            op_leader, op_rank, head_leader, head_rank;
    logic [51:6]           op_line, send_line, head_line;
    faa_shared_pkg::beat_t send_beat;
    logic [31:0]           send_select;
    logic [191:0]          send_byte;
    logic [1023:0]         t_b, t_b_high, t_c, t_c_high;

    faa_global_lines u_lines (
      .clk_i,
      .rst_ni,
      .valid_i      (port_valid[n]),
      .ready_o      (port_ready[n]),
      .beat_i       (m_beat),
      .sys_i        (queued_sys),
      .lines_i      (queued_lines),
      .place_i      (m_place),
      .last_i       (port_last[n*32 +: 32]),
      .rank_i       (m_rank),
      .b_i          (send_b),
      .c_i          (send_c),
      .b_high_i     (n_value_high),
      .c_high_i     (n_other_high),
      .op_put_o     (op_put),
      .op_room_i    (op_room),
      .op_last_o    (op_last),
      .op_result_o  (op_result),
      .op_leader_o  (op_leader),
      .op_rank_o    (op_rank),
      .op_line_o    (op_line),
      .send_valid_o (send_valid),
      .send_ready_i (send_ready),
      .send_new_o   (send_new),
      .send_select_o(send_select),
      .send_line_o  (send_line),
      .send_beat_o  (send_beat),
      .send_sys_o   (send_sys),
      .send_byte_o  (send_byte),
      .send_b_o     (t_b),
      .send_b_high_o(t_b_high),
      .send_c_o     (t_c),
      .send_c_high_o(t_c_high),
      .stall_lines_o(port_stall_lines[n]),
      .stall_tag_o  (port_stall_tag[n])
    );

    faa_global_pack u_pack (
      .clk_i,
      .rst_ni,
      .valid_i    (send_valid),
      .ready_o    (send_ready),
      .new_i      (send_new),
      .select_i   (send_select),
      .line_i     (send_line),
      .beat_i     (send_beat),
      .sys_i      (send_sys),
      .byte_i     (send_byte),
      .b_i        (t_b),
      .b_high_i   (t_b_high),
      .c_i        (t_c),
      .c_high_i   (t_c_high),
      .mem_valid_o(mem_valid_o[n]),
      .mem_ready_i(mem_ready_i[n]),
      .mem_sys_o  (mem_sys_o[n]),
      .mem_func_o (mem_func_o[n*3 +: 3]),
      .mem_op_o   (mem_op_o[n*8 +: 8]),
      .mem_typ_o  (mem_typ_o[n*4 +: 4]),
      .mem_ftz_o  (mem_ftz_o[n]),
      .mem_want_o (mem_want_o[n]),
      .mem_line_o (mem_line_o[n*46 +: 46]),
      .mem_strb_o (mem_strb_o[n*64 +: 64]),
      .mem_b_o    (mem_b_o[n*512 +: 512]),
      .mem_c_o    (mem_c_o[n*512 +: 512]),
      .mem_tag_o  (mem_tag_o[n*8 +: 8]),
      .mem_items_o(items[n*6 +: 6])
    );

    faa_global_queue #(
      .Width(2 + 10 + faa_global_pkg::LINE_W),
      .Depth(Ops)
    ) u_ops (
      .clk_i,
      .rst_ni,
      .valid_i(op_put),
      .ready_o(op_room),
      .data_i ({op_last, op_result, op_leader, op_rank, op_line}),
      .valid_o(head_valid),
      .ready_i(head_take),
      .data_o ({head_last, head_result, head_leader, head_rank, head_line})
    );

    faa_global_answers u_answers (
      .clk_i,
      .rst_ni,
      .rsp_valid_i(mem_rsp_valid_i[n]),
      .rsp_tag_i  (mem_rsp_tag_i[n*8 +: 8]),
      .rsp_data_i (mem_rsp_data_i[n*512 +: 512]),
      .rsp_err_i  (mem_rsp_err_i[n]),
      .op_valid_i (head_valid),
      .op_take_o  (head_take),
      .op_last_i  (head_last),
      .op_result_i(head_result),
      .op_leader_i(head_leader),
      .op_rank_i  (head_rank),
      .op_line_i  (head_line),
      .valid_o    (answered_valid[n]),
      .ready_i    (answered_ready[n]),
      .last_o     (answered_last[n]),
      .leader_o   (answered_leader[n*5 +: 5]),
      .rank_o     (answered_rank[n*5 +: 5]),
      .line_o     (answered_line[n*46 +: 46]),
      .failed_o   (answered_failed[n]),
      .data_o     (answered_data[n*512 +: 512])
    );

    `FAA_ASSERT_STABLE(operation_stable, mem_valid_o[n], mem_ready_i[n],
                       {mem_sys_o[n], mem_func_o[n*3 +: 3], mem_op_o[n*8 +: 8], mem_typ_o[n*4 +: 4], mem_ftz_o[n], mem_want_o[n], mem_line_o[n*46 +: 46],
                        mem_strb_o[n*64 +: 64], mem_b_o[n*512 +: 512], mem_c_o[n*512 +: 512], mem_tag_o[n*8 +: 8]})
    `FAA_ASSERT(operation_has_items, !mem_valid_o[n] || mem_strb_o[n*64 +: 64] != '0)
  end

  // -------------------------------------------------------------------------------------------------------------
  // C

  faa_shared_pkg::beat_t c_beat;
  logic [1023:0]         c_place, c_before, c_other, c_m, c_m_high;
  logic [31:0]           c_member, c_first;
  logic                  done, done_room, done_result, c_valid, c_ready;
  logic [UserW-1:0]      done_user, list_user;

  faa_global_collect #(
    .Ports(Ports),
    .UserW(UserW)
  ) u_collect (
    .clk_i,
    .rst_ni,
    .op_valid_i     (answered_valid),
    .op_ready_o     (answered_ready),
    .op_last_i      (answered_last),
    .op_leader_i    (answered_leader),
    .op_rank_i      (answered_rank),
    .op_line_i      (answered_line),
    .op_failed_i    (answered_failed),
    .op_data_i      (answered_data),
    .note_valid_i   (oldest_valid),
    .note_take_o    (oldest_take),
    .note_ports_i   (oldest_ports),
    .note_result_i  (oldest_result),
    .note_user_i    (oldest_user),
    .record_valid_i (record_valid),
    .record_take_o  (record_take),
    .record_beat_i  (answer_beat),
    .record_place_i (answer_place),
    .record_before_i(answer_before),
    .record_other_i (answer_other),
    .done_o         (done),
    .done_room_i    (done_room),
    .done_result_o  (done_result),
    .done_user_o    (done_user),
    .error_valid_o,
    .error_address_o,
    .error_user_o,
    .valid_o        (c_valid),
    .ready_i        (c_ready),
    .beat_o         (c_beat),
    .place_o        (c_place),
    .member_o       (c_member),
    .first_o        (c_first),
    .before_o       (c_before),
    .other_o        (c_other),
    .m_o            (c_m),
    .m_high_o       (c_m_high)
  );

  // -------------------------------------------------------------------------------------------------------------
  // F, R. Warps without answers wait in the list until those of the warps before are taken.

  logic                  f_valid, f_ready, r_valid, list_valid, list_result;
  logic [1023:0]         f_place, f_low, f_high;
  logic [5:0]            done_count;

  faa_global_fix #(
    .F32 (F32),
    .Sums(Sums)
  ) u_fix (
    .clk_i,
    .rst_ni,
    .valid_i (c_valid),
    .ready_o (c_ready),
    .beat_i  (c_beat),
    .place_i (c_place),
    .member_i(c_member),
    .first_i (c_first),
    .before_i(c_before),
    .other_i (c_other),
    .m_i     (c_m),
    .m_high_i(c_m_high),
    .valid_o (f_valid),
    .ready_i (f_ready),
    .place_o (f_place),
    .low_o   (f_low),
    .high_o  (f_high)
  );

  faa_global_return #(
    .Lanes(32)
  ) u_return (
    .clk_i,
    .rst_ni,
    .valid_i (f_valid),
    .ready_o (f_ready),
    .first_i (1'b1),
    .last_i  (1'b1),
    .place_i (f_place),
    .low_i   (f_low),
    .high_i  (f_high),
    .valid_o (r_valid),
    .ready_i (result_valid_o && result_ready_i),
    .result_o
  );

  faa_fifo #(
    .Width(1 + UserW),
    .Depth(Dones)
  ) u_done (
    .clk_i,
    .rst_ni,
    .valid_i(done),
    .ready_o(done_room),
    .data_i ({done_result, done_user}),
    .valid_o(list_valid),
    .ready_i(done_valid_o),
    .data_o ({list_result, list_user}),
    .count_o(done_count)
  );

  assign result_valid_o = r_valid && list_valid && list_result;
  assign result_user_o  = list_user;
  assign done_valid_o   = list_valid && (!list_result || (result_valid_o && result_ready_i));
  assign done_user_o    = list_user;

  // -------------------------------------------------------------------------------------------------------------
  // Events

  logic [9:0] inside_q;   // warps between their entry and done_valid_o
  logic       enters;
  assign enters = warp_valid_i && warp_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) inside_q <= '0;
    else if (enters != done_valid_o) inside_q <= enters ? inside_q + 10'd1 : inside_q - 10'd1;
  end

  always_comb begin
    ev_lines_o  = '0;
    ev_groups_o = '0;
    for (int unsigned n = 0; n < Ports; n++) begin
      if (mem_valid_o[n] && mem_ready_i[n] && mem_func_o[n*3 +: 3] == faa_l2_pkg::FUNC_ATOMIC) begin
        ev_lines_o  = ev_lines_o + 4'd1;
        ev_groups_o = ev_groups_o + 9'(items[n*6 +: 6]);
      end
    end
  end

  assign idle_o            = inside_q == '0;
  assign ev_stall_lines_o  = port_stall_lines != '0;
  assign ev_stall_memory_o = (mem_valid_o & ~mem_ready_i) != '0;
  assign ev_stall_tag_o    = deal_stalls || port_stall_tag != '0;
  assign ev_stall_result_o = result_valid_o && !result_ready_i;

  logic unused;
  assign unused = ^{m_member, unused_choice, unused_next, unused_end};

`ifndef YOSYS
  if (Ports < 1 || Ports > 2 ** faa_global_pkg::PORT_W || 2 ** $clog2(Ports) != Ports || Ports > Slices) begin : gen_bad_ports
    $error("faa_global: Ports is %0d, powers of two up to 8 and to the slices are possible", Ports);
  end
`endif

  `FAA_ASSERT(warp_is_known, !m_valid || queued_valid)
  `FAA_ASSUME(warp_has_a_lane, !(warp_valid_i && warp_mask_i == '0))
  `FAA_ASSUME(sparse_lanes_are_active, !warp_valid_i || (warp_sparse_i & ~warp_mask_i) == '0)
  `FAA_ASSUME(operation_is_legal, !warp_valid_i || !atomic || faa_pkg::atom_legal(warp_op_i, warp_typ_i))
  `FAA_ASSUME(load_is_answered, !warp_valid_i || atomic || warp_result_i == (warp_func_i == faa_cu_pkg::SHARED_LOAD))
  `FAA_ASSUME(type_is_in_the_build, !warp_valid_i || !((!F32 && warp_typ_i == faa_pkg::TYPE_F32) ||
              (!F64 && warp_typ_i == faa_pkg::TYPE_F64) ||
              (!X2 && (warp_typ_i == faa_pkg::TYPE_F16 || warp_typ_i == faa_pkg::TYPE_F16X2 ||
                       warp_typ_i == faa_pkg::TYPE_BF16X2))))
  `FAA_ASSUME_STABLE(warp_stable, warp_valid_i, warp_ready_o,
                     {warp_mask_i, warp_sparse_i, warp_func_i, warp_op_i, warp_typ_i, warp_mod_i, warp_result_i, warp_user_i})
  `FAA_ASSERT_STABLE(result_stable, result_valid_o, result_ready_i, {result_o, result_user_o})
  `FAA_COVER(stall_s1, warp_valid_i && !warp_room)
  `FAA_COVER(stall_s6, ev_stall_mode_o)
  `FAA_COVER(stall_s10, ev_stall_result_o)
  `FAA_COVER(hazard_h9, list_valid && !done_valid_o && done_count > 6'd1)
  `FAA_COVER(back_to_back, enters && k_valid)
  `FAA_COVER(load_behind_store, enters && warp_func_i == faa_cu_pkg::SHARED_LOAD && k_valid && k_beat.func == faa_cu_pkg::SHARED_STORE)
  `FAA_COVER(results_back_to_back, result_valid_o && result_ready_i && f_valid)

endmodule
