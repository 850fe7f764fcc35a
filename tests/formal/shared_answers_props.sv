// SPDX-License-Identifier: Apache-2.0
//
// Answers of one bank. Properties: shared_answers_inside.svh.

`include "formal.svh"

module shared_answers_props #(
  parameter int unsigned Depth = 4
) (
  input logic        clk_i,
  input logic        run_i,
  input logic [3:0]  put_i,
  input logic [31:0] word_i,
  input logic [3:0]  take_i
);

  `FORMAL_RESET

  // A bank answers one operation per cycle (answer_column_o of faa_shared_queue).
  `FAA_ASSUME(OneAnswer, (put_i & (put_i - 4'd1)) == '0)

  faa_shared_answers #(.Depth(Depth)) u_answers (.clk_i, .rst_ni, .put_i, .word_i, .take_i, .word_o());

endmodule
