// SPDX-License-Identifier: Apache-2.0
//
// Test top: the chain that sums the lanes of a word, and the row of adders that makes results of
// the sums.

module faa_test_relaxed (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          valid_i,
  output logic          ready_o,
  input  logic [1023:0] x_i,
  input  logic [31:0]   first_i,
  input  logic [31:0]   active_i,
  input  logic          ftz_i,
  input  logic [7:0]    tag_i,
  output logic          valid_o,
  input  logic          ready_i,
  output logic [1023:0] sum_o,
  output logic [7:0]    tag_o,

  input  logic          fix_valid_i,
  input  logic [1023:0] fix_old_i,
  input  logic [1023:0] fix_prefix_i,
  input  logic [31:0]   fix_first_i,
  input  logic [31:0]   fix_active_i,
  input  logic          fix_ftz_i,
  input  logic [7:0]    fix_tag_i,
  output logic          fix_valid_o,
  output logic [1023:0] fix_result_o,
  output logic [7:0]    fix_tag_o
);

  faa_shared_relaxed #(.TagW(8)) u_chain (
    .clk_i, .rst_ni, .valid_i, .ready_o, .x_i, .first_i, .active_i, .ftz_i, .tag_i, .valid_o, .ready_i, .sum_o, .tag_o
  );

  faa_shared_relaxed_fix #(.TagW(8)) u_fix (
    .clk_i,
    .rst_ni,
    .valid_i (fix_valid_i),
    .old_i   (fix_old_i),
    .prefix_i(fix_prefix_i),
    .first_i (fix_first_i),
    .active_i(fix_active_i),
    .ftz_i   (fix_ftz_i),
    .tag_i   (fix_tag_i),
    .valid_o (fix_valid_o),
    .result_o(fix_result_o),
    .tag_o   (fix_tag_o)
  );

endmodule
