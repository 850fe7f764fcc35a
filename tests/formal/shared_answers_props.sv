// SPDX-License-Identifier: Apache-2.0
//
// Answers of the banks: any that have been reserved, taken as stage C takes them. What has to hold: shared_answers_inside.svh.

`include "formal.svh"

module shared_answers_props #(
  parameter int unsigned Push = 2,
  parameter int unsigned Depth = 4
) (
  input logic               clk_i,
  input logic               run_i,
  input logic [31:0]        reserve_i,
  input logic [31:0]        valid_i,
  input logic [1023:0]      word_i,
  input logic               take_i,
  input logic [Push*32-1:0] any_i
);

  `FORMAL_RESET

  faa_shared_answers #(.Push(Push), .Depth(Depth)) u_answers (
    .clk_i, .rst_ni, .reserve_i, .credit_o(), .valid_i, .word_i, .take_i, .any_i, .word_o()
  );

endmodule
