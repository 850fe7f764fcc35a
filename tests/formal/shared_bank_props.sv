// SPDX-License-Identifier: Apache-2.0
//
// A bank of shared memory under any sequence of operations and additions: every operation sees what the operations before it
// left in its row, whatever is still in the pipeline or in the adder. A ghost word follows one row, which the solver chooses.

`include "faa_assert.svh"

module shared_bank_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        valid_i,
  input logic        adds_i,
  input logic [1:0]  row_i,
  input logic        wr_en_i,
  input logic [31:0] wr_word_i,
  input logic [31:0] sum_i
);

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;

  (* anyconst *) logic [1:0] row;
  logic             held, take;
  logic             b_valid_q, b_adds_q, known_q;
  logic [1:0]       b_row_q;
  logic [31:0]      word, golden, golden_q;
  logic [Latency:1] summing_q;
  logic             at_row;

  assign take = valid_i && !held;

  faa_shared_bank #(.RowW(2)) u_bank (
    .clk_i, .rst_ni, .rd_en_i(take), .row_i, .adds_i, .held_o(held), .word_o(word), .wr_en_i(wr_en_i && !b_adds_q), .wr_word_i,
    .sum_i
  );

  assign at_row = b_valid_q && b_row_q == row;

  // Sums of the row that are in the adder; the oldest becomes the row's value now.
  assign golden = summing_q[Latency] ? sum_i : golden_q;

  // The row's value is known from the first operation on it.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_valid_q <= 1'b0;
      known_q   <= 1'b0;
      summing_q <= '0;
    end else begin
      b_valid_q <= take;
      summing_q <= {summing_q[Latency-1:1], at_row && b_adds_q};
      if (at_row) known_q <= 1'b1;
    end
    b_row_q  <= row_i;
    b_adds_q <= adds_i;
    if (at_row && !b_adds_q && wr_en_i) golden_q <= wr_word_i;
    else if (at_row && !known_q) golden_q <= word;
    else golden_q <= golden;
  end

  // No operation on the row comes before the sums that it has to see.
  `FAA_ASSERT(WaitsForSums, !at_row || summing_q[Latency-1:1] == '0)
  `FAA_ASSERT(SeesAllBefore, !(at_row && known_q) || word == golden)
  `FAA_COVER(BackToBack, at_row && known_q && take && row_i == row)
  `FAA_COVER(SumToSum, at_row && b_adds_q && summing_q[Latency])

endmodule
