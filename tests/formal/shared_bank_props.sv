// SPDX-License-Identifier: Apache-2.0
//
// A bank of shared memory under any sequence of operations: every operation sees what the operations before it left in its
// row, whatever is still in the pipeline. A ghost word follows one row, which the solver chooses.

`include "faa_assert.svh"

module shared_bank_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        rd_en_i,
  input logic [1:0]  rd_row_i,
  input logic        wr_en_i,
  input logic [31:0] wr_word_i
);

  (* anyconst *) logic [1:0] row;
  logic        b_valid_q, known_q;
  logic [1:0]  b_row_q;
  logic [31:0] word, golden_q;
  logic        at_row;

  faa_shared_bank #(.RowW(2)) u_bank (
    .clk_i, .rst_ni, .rd_en_i, .rd_row_i, .word_o(word), .wr_en_i, .wr_word_i
  );

  assign at_row = b_valid_q && b_row_q == row;

  // The row's value is known from the first operation on it.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_valid_q <= 1'b0;
      known_q   <= 1'b0;
    end else begin
      b_valid_q <= rd_en_i;
      if (at_row) known_q <= 1'b1;
    end
    b_row_q <= rd_row_i;
    if (at_row) golden_q <= wr_en_i ? wr_word_i : word;
  end

  `FAA_ASSERT(SeesAllBefore, !(at_row && known_q) || word == golden_q)
  `FAA_COVER(BackToBack, at_row && known_q && rd_en_i && rd_row_i == row)

endmodule
