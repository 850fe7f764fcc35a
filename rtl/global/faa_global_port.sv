// SPDX-License-Identifier: Apache-2.0
//
// One port of the atomic unit for global memory, stages T to C0: line operations of the parts that
// have lines of the port, and their answers in the order of sending.
//
// A queue has a note of each outstanding operation. It has as many places as there are tags.

`include "faa_assert.svh"

module faa_global_port #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter bit          Late = 1'b0,          // fewer levels, a third of the rate
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Pairs = Lanes * (Lanes - 1) / 2,
  localparam int unsigned ColourW = faa_global_pkg::COLOUR_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // A part of a warp (faa_global_part)
  input  logic                          valid_i,
  output logic                          ready_o,
  input  faa_global_pkg::job_t          job_i,
  input  logic [Lanes-1:0]              names_i,
  input  logic [Lanes-1:0][LaneW-1:0]   leader_i,
  input  logic [Lanes-1:0][OffW-1:0]         byte_i,
  input  logic [Lanes-1:0][LaneW-1:0]   rank_i,
  input  logic [Lanes-1:0][ColourW-1:0] colour_i,
  input  logic [Lanes-1:0]              last_i,
  input  logic [Pairs-1:0]              pair_i,
  input  logic [Lanes-1:0][51:OffW]        lines_i,
  input  logic [Lanes-1:0][31:0]        x_i,
  input  logic [Lanes-1:0][31:0]        y_i,
  input  logic [Lanes-1:0][31:0]        x_odd_i,
  input  logic [Lanes-1:0][31:0]        y_odd_i,

  // Line operations
  output logic                          mem_valid_o,
  input  logic                          mem_ready_i,
  output logic                          mem_sys_o,
  output logic [2:0]                    mem_func_o,
  output logic [7:0]                    mem_op_o,
  output logic [3:0]                    mem_typ_o,
  output logic                          mem_ftz_o,
  output logic                          mem_want_o,
  output logic [51:OffW]                   mem_line_o,
  output logic [LineBytes-1:0]          mem_strb_o,
  output logic [LineBytes*8-1:0]        mem_b_o,
  output logic [LineBytes*8-1:0]        mem_c_o,
  output logic [7:0]                    mem_tag_o,
  input  logic                          mem_rsp_valid_i,
  input  logic [7:0]                    mem_rsp_tag_i,
  input  logic [LineBytes*8-1:0]        mem_rsp_data_i,
  input  logic                          mem_rsp_err_i,

  // Answered operations (faa_global_answers)
  output logic                          valid_o,
  input  logic                          ready_i,
  output logic                          last_o,
  output logic [LaneW-1:0]              leader_o,
  output logic [LaneW-1:0]              rank_o,
  output logic [51:OffW]                   line_o,
  output logic                          failed_o,
  output logic [LineBytes*8-1:0]        data_o,

  output logic [5:0]                    items_o,      // of an ATOMIC that is taken, else 0
  output logic                          prepared_o,   // operations may be sent
  output logic                          stall_lines_o,
  output logic                          stall_tag_o
);

  localparam int unsigned Ops = 256;

  logic                   send, go, is_new, is_last;
  logic                   op_put, op_room, op_last, op_result;
  logic                   head_valid, head_take, head_last, head_result;
  logic [LaneW-1:0]       leader, rank, op_leader, op_rank, head_leader, head_rank;
  logic [51:OffW]            op_line, head_line;
  logic [Lanes-1:0]       select;
  logic [5:0]             items;
  faa_global_pkg::job_t   job;
  logic [Lanes-1:0][OffW-1:0]  place;
  logic [Lanes-1:0][51:OffW] lines;
  logic [Lanes-1:0][31:0] x, y, x_odd, y_odd;

  faa_global_lines #(
    .Lanes(Lanes),
    .LineBytes(LineBytes),
    .Ops  (Ops),
    .Late (Late)
  ) u_lines (
    .clk_i,
    .rst_ni,
    .valid_i,
    .ready_o,
    .job_i,
    .names_i,
    .leader_i,
    .byte_i,
    .rank_i,
    .colour_i,
    .last_i,
    .pair_i,
    .lines_i,
    .x_i,
    .y_i,
    .x_odd_i,
    .y_odd_i,
    .answers_ready_i(prepared_o),
    .answered_i     (head_take),
    .go_i           (go),
    .valid_o        (send),
    .new_o          (is_new),
    .last_o         (is_last),
    .leader_o       (leader),
    .rank_o         (rank),
    .select_o       (select),
    .job_o          (job),
    .byte_o         (place),
    .lines_o        (lines),
    .x_o            (x),
    .y_o            (y),
    .x_odd_o        (x_odd),
    .y_odd_o        (y_odd),
    .stall_lines_o,
    .stall_tag_o
  );

  faa_global_pack #(
    .Lanes(Lanes),
    .LineBytes(LineBytes),
    .Turns(Lanes <= 8),
    .Late (Late)
  ) u_pack (
    .clk_i,
    .rst_ni,
    .valid_i    (send),
    .go_o       (go),
    .new_i      (is_new),
    .last_i     (is_last),
    .leader_i   (leader),
    .rank_i     (rank),
    .select_i   (select),
    .job_i      (job),
    .byte_i     (place),
    .lines_i    (lines),
    .x_i        (x),
    .y_i        (y),
    .x_odd_i    (x_odd),
    .y_odd_i    (y_odd),
    .op_put_o   (op_put),
    .op_last_o  (op_last),
    .op_result_o(op_result),
    .op_leader_o(op_leader),
    .op_rank_o  (op_rank),
    .op_line_o  (op_line),
    .mem_valid_o,
    .mem_ready_i,
    .mem_sys_o,
    .mem_func_o,
    .mem_op_o,
    .mem_typ_o,
    .mem_ftz_o,
    .mem_want_o,
    .mem_line_o,
    .mem_strb_o,
    .mem_b_o,
    .mem_c_o,
    .mem_tag_o,
    .mem_items_o(items)
  );

  assign items_o = mem_valid_o && mem_ready_i && mem_func_o == faa_l2_pkg::FUNC_ATOMIC ? items : '0;

  faa_fifo_ram #(
    .Width(2 + 2 * LaneW + 52 - OffW),
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

  faa_global_answers #(
    .Lanes(Lanes),
    .LineBytes(LineBytes),
    .Late (Late)
  ) u_answers (
    .clk_i,
    .rst_ni,
    .ready_o    (prepared_o),
    .rsp_valid_i(mem_rsp_valid_i),
    .rsp_tag_i  (mem_rsp_tag_i),
    .rsp_data_i (mem_rsp_data_i),
    .rsp_err_i  (mem_rsp_err_i),
    .op_valid_i (head_valid),
    .op_take_o  (head_take),
    .op_last_i  (head_last),
    .op_result_i(head_result),
    .op_leader_i(head_leader),
    .op_rank_i  (head_rank),
    .op_line_i  (head_line),
    .valid_o,
    .ready_i,
    .last_o,
    .leader_o,
    .rank_o,
    .line_o,
    .failed_o,
    .data_o
  );

  `FAA_ASSERT(operations_have_room, !op_put || op_room)
  `FAA_ASSERT_STABLE(operation_stable, mem_valid_o, mem_ready_i,
                     {mem_sys_o, mem_func_o, mem_op_o, mem_typ_o, mem_ftz_o, mem_want_o, mem_line_o,
                      mem_strb_o, mem_b_o, mem_c_o, mem_tag_o})
  `FAA_ASSERT(operation_has_items, !mem_valid_o || mem_strb_o != '0)

endmodule
