// SPDX-License-Identifier: Apache-2.0
//
// Completion of beats with any operations in front and any banks behind. What has to hold: shared_complete_inside.svh.

`include "formal.svh"

module shared_complete_props #(
  parameter int unsigned Push = 2,
  parameter int unsigned Window = 4,
  parameter int unsigned Users = 4
) (
  input logic               clk_i,
  input logic               run_i,
  input logic [31:0]        push_i,
  input logic [Push*32-1:0] any_i,
  input logic               leave_i,
  input logic               result_i,
  input logic               hold_i,
  input logic               last_i,
  input logic [31:0]        executed_i,
  input logic               ready_i,
  input logic               user_valid_i,
  input logic [1:0]         user_i
);

  `FORMAL_RESET

  faa_shared_complete #(.Push(Push), .Window(Window), .UserW(2), .Users(Users)) u_complete (
    .clk_i, .rst_ni, .push_i, .any_i, .leave_i, .result_i, .hold_i, .last_i, .room_o(), .executed_i, .valid_o(), .ready_i,
    .user_valid_i, .user_ready_o(), .user_i, .done_valid_o(), .done_user_o(), .idle_o()
  );

endmodule
