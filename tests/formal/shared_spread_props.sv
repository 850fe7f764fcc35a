// SPDX-License-Identifier: Apache-2.0
//
// Stage D with any beats in front, whose ranks are as stage X gives them (shared_chain_inside.svh proves it), and any room behind.
// What it has to do: shared_spread_inside.svh.

`include "formal.svh"

module shared_spread_props #(
  parameter int unsigned Lanes = 8,
  parameter int unsigned Push = 2
) (
  input logic                   clk_i,
  input logic                   run_i,
  input logic                   valid_i,
  input faa_shared_pkg::beat_t  beat_i,
  input logic [Lanes*32-1:0]    place_i,
  input logic [Lanes-1:0]       send_i,
  input logic [Lanes-1:0]       load_i,
  input logic [Lanes*8-1:0]     rank_i,
  input logic [Lanes*32-1:0]    value_i,
  input logic [Lanes*32-1:0]    other_i,
  input logic [Lanes*32-1:0]    value_high_i,
  input logic [Lanes*32-1:0]    other_high_i,
  input logic [Lanes-1:0]       choice_i,
  input logic [5:0]             row_i,
  input logic                   window_room_i,
  input logic [Push*32-1:0]     room_i
);

  `FORMAL_RESET

  faa_shared_spread #(.Lanes(Lanes), .Push(Push)) u_spread (
    .clk_i, .rst_ni, .valid_i, .ready_o(), .beat_i, .place_i, .send_i, .load_i, .rank_i, .value_i, .other_i, .value_high_i,
    .other_high_i, .choice_i, .row_i, .window_room_i, .leave_o(), .room_i, .push_o(), .any_o(), .where_o(), .beat_o(), .place_o(), .load_o(),
    .choice_o(), .value_o(), .other_o(), .value_high_o(), .other_high_o(), .stall_bank_o(), .stall_queue_o(), .stall_window_o(), .busy_o()
  );

endmodule
