// SPDX-License-Identifier: Apache-2.0
//
// Test top: the adders of all formats, and MIN and MAX by order keys, on one pair of operands per
// cycle.

module faa_test_float (
  input  logic        clk_i,

  input  logic        valid_i,
  input  logic        ftz_i,
  input  logic [63:0] a_i,        // F64; low 32 bits F32; low 16 bits F16 and BF16
  input  logic [63:0] b_i,

  output logic [63:0] sum_f64_o,
  output logic [31:0] sum_f32_o,
  output logic [15:0] sum_f16_o,
  output logic [15:0] sum_bf16_o,

  // In the same cycle: index 0 MIN, 1 MAX.
  output logic [127:0] best_f64_o,
  output logic [63:0]  best_f32_o,
  output logic [31:0]  best_f16_o,
  output logic [31:0]  best_bf16_o
);

  faa_float_add #(.ExpW(11), .ManW(52)) u_f64 (
    .clk_i, .valid_i, .a_i(a_i), .b_i(b_i), .ftz_i, .sum_o(sum_f64_o)
  );

  faa_float_add #(.ExpW(8), .ManW(23)) u_f32 (
    .clk_i, .valid_i, .a_i(a_i[31:0]), .b_i(b_i[31:0]), .ftz_i, .sum_o(sum_f32_o)
  );

  faa_float_add_half u_f16 (
    .clk_i, .valid_i, .bf16_i(1'b0), .a_i(a_i[15:0]), .b_i(b_i[15:0]), .ftz_i,
    .sum_o(sum_f16_o)
  );

  faa_float_add_half u_bf16 (
    .clk_i, .valid_i, .bf16_i(1'b1), .a_i(a_i[15:0]), .b_i(b_i[15:0]), .ftz_i,
    .sum_o(sum_bf16_o)
  );

  for (genvar m = 0; m < 2; m++) begin : g_best
    localparam logic Max = m == 1;
    logic [63:0] a64, b64;
    logic [31:0] a32, b32;
    logic [15:0] a16, b16, abf, bbf;

    assign a64 = faa_float_pkg::f64_key(a_i, ftz_i, Max);
    assign b64 = faa_float_pkg::f64_key(b_i, ftz_i, Max);
    assign a32 = faa_float_pkg::f32_key(a_i[31:0], ftz_i, Max);
    assign b32 = faa_float_pkg::f32_key(b_i[31:0], ftz_i, Max);
    assign a16 = faa_float_pkg::f16_key(a_i[15:0], ftz_i, Max);
    assign b16 = faa_float_pkg::f16_key(b_i[15:0], ftz_i, Max);
    assign abf = faa_float_pkg::bf16_key(a_i[15:0], ftz_i, Max);
    assign bbf = faa_float_pkg::bf16_key(b_i[15:0], ftz_i, Max);

    assign best_f64_o[m*64 +: 64]  = faa_float_pkg::f64_unkey(($signed(a64) < $signed(b64)) ^ Max ? a64 : b64, Max);
    assign best_f32_o[m*32 +: 32]  = faa_float_pkg::f32_unkey(($signed(a32) < $signed(b32)) ^ Max ? a32 : b32, Max);
    assign best_f16_o[m*16 +: 16]  = faa_float_pkg::f16_unkey(($signed(a16) < $signed(b16)) ^ Max ? a16 : b16, Max);
    assign best_bf16_o[m*16 +: 16] = faa_float_pkg::bf16_unkey(($signed(abf) < $signed(bbf)) ^ Max ? abf : bbf, Max);
  end

endmodule
