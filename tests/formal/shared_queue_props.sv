// SPDX-License-Identifier: Apache-2.0
//
// The queue of one bank with any passes and any bank. Properties: shared_queue_inside.svh.

`include "formal.svh"

module shared_queue_props #(
  parameter int unsigned Depth = 4,
  parameter int unsigned ItemW = 2
) (
  input logic                     clk_i,
  input logic                     run_i,
  input logic [3:0]               put_i,
  input logic [3:0][ItemW-1:0]    item_i,
  input logic                     entry_i,
  input logic [1:0]               entry_first_i,
  input logic [2:0]               entry_number_i,
  input logic [$clog2(Depth)-1:0] pass_i,
  input logic                     info_i,
  input logic                     head_ready_i,
  input logic                     answer_i
);

  `FORMAL_RESET

  faa_shared_queue #(.ItemW(ItemW), .InfoW(1), .Depth(Depth)) u_queue (
    .clk_i, .rst_ni, .put_i, .item_i, .entry_i, .entry_first_i, .entry_number_i, .pass_i, .info_i, .head_valid_o(), .head_ready_i,
    .head_item_o(), .head_info_o(), .answer_i, .answer_column_o(), .owes_o(), .owes_pass_o()
  );

endmodule
