// SPDX-License-Identifier: Apache-2.0
//
// A bank of shared memory with any sequence of operations, including late ones. Properties:
// shared_bank_inside.svh.

`include "formal.svh"

module shared_bank_props #(
  parameter int unsigned RowW = 2
) (
  input logic            clk_i,
  input logic            run_i,
  input logic            valid_i,
  input logic            late_i,
  input logic [RowW-1:0] row_i,
  input logic [31:0]     new_i,
  input logic [31:0]     sum_i
);

  logic held;
  `FORMAL_RESET

  faa_shared_bank #(.RowW(RowW)) u_bank (
    .clk_i, .rst_ni, .rd_en_i(valid_i && !held), .row_i, .late_i, .held_o(held), .word_o(), .new_i,
    .sum_i
  );

endmodule
