// SPDX-License-Identifier: Apache-2.0
//
// A bank of shared memory under any sequence of operations and additions. What it has to do: shared_bank_inside.svh.

`include "formal.svh"

module shared_bank_props #(
  parameter int unsigned RowW = 2
) (
  input logic            clk_i,
  input logic            run_i,
  input logic            valid_i,
  input logic            adds_i,
  input logic [RowW-1:0] row_i,
  input logic            wr_en_i,
  input logic [31:0]     wr_word_i,
  input logic [31:0]     sum_i
);

  logic held, b_adds_q;
  `FORMAL_RESET

  always_ff @(posedge clk_i) b_adds_q <= adds_i;

  faa_shared_bank #(.RowW(RowW)) u_bank (
    .clk_i, .rst_ni, .rd_en_i(valid_i && !held), .row_i, .adds_i, .held_o(held), .word_o(), .wr_en_i(wr_en_i && !b_adds_q),
    .wr_word_i, .sum_i
  );

endmodule
