// SPDX-License-Identifier: Apache-2.0
//
// The queues of the banks: one bank's with any pushes that stage D may make, and any pair behind. Stage D pushes what there is
// room for, without gaps (shared_spread_inside.svh proves it). What they have to do: shared_queues_inside.svh.

`include "formal.svh"

module shared_queues_props #(
  parameter int unsigned Lanes = 4,
  parameter int unsigned Push = 2,
  parameter int unsigned Depth = 4
) (
  input logic                  clk_i,
  input logic                  run_i,
  input logic [31:0]           push_i,
  input logic [Push*32-1:0]    any_i,
  input logic [Push*160-1:0]   where_i,
  input faa_shared_pkg::beat_t beat_i,
  input logic [Lanes*32-1:0]   place_i,
  input logic [Lanes-1:0]      load_i,
  input logic [Lanes-1:0]      choice_i,
  input logic [Lanes*32-1:0]   value_i,
  input logic [Lanes*32-1:0]   other_i,
  input logic [Lanes*32-1:0]   value_high_i,
  input logic [Lanes*32-1:0]   other_high_i,
  input logic [31:0]           credit_i,
  input logic [31:0]           head_ready_i
);

  `FORMAL_RESET

  faa_shared_queues #(.Lanes(Lanes), .Push(Push), .Depth(Depth), .RowW(2)) u_queues (
    .clk_i, .rst_ni, .room_o(), .push_i, .any_i, .where_i, .beat_i, .place_i, .load_i, .choice_i, .value_i, .other_i,
    .value_high_i, .other_high_i, .credit_i, .head_valid_o(), .head_ready_i, .head_func_o(), .head_op_o(), .head_typ_o(),
    .head_mod_o(), .head_want_o(), .head_swap_o(), .head_row_o(), .head_byte_o(), .head_b_o(), .head_c_o(), .empty_o()
  );

endmodule
