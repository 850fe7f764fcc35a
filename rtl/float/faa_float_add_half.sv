// SPDX-License-Identifier: Apache-2.0
//
// Sum of two numbers of 16 bits, BF16 if bf16_i, else F16, rounded to nearest, ties to even.
//
// Latency: faa_float_pkg::ADD_LATENCY cycles; throughput one per cycle; no stall. See
// faa_float_add_core.
//
// Both formats use one adder with the exponent of BF16 and the fraction of F16. Exponents keep the
// bias of their format, except that F16's 31 (infinity, NaN) is mapped to 255 and back; BF16's
// fraction is left-aligned and rounded 3 bits higher. Nothing is rounded twice.

module faa_float_add_half (
  input  logic        clk_i,

  input  logic        valid_i,
  input  logic        bf16_i,
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  input  logic        ftz_i,      // denormal terms and sums count as zero of their sign

  output logic [15:0] sum_o
);

  logic [faa_float_pkg::ADD_LATENCY-1:0] bf16_q;
  logic [18:0]                           sum;

  function automatic logic [18:0] widen(input logic [15:0] x, input logic bf16);
    if (bf16) widen = {x, 3'b0};
    else widen = {x[15], {3{&x[14:10]}}, x[14:0]};
  endfunction

  // An exponent of 31 or more is infinity, or NaN, in F16; after an overflow to infinity the
  // fraction is undefined.
  function automatic logic [15:0] narrow(input logic [18:0] x, input logic bf16);
    if (bf16) narrow = x[18:3];
    else if (&x[17:10]) narrow = {x[18], x[14:0]};
    else if (x[17:10] >= 8'd31) narrow = {x[18], 5'd31, 10'd0};
    else narrow = {x[18], x[14:0]};
  endfunction

  faa_float_add_core #(
    .ExpW(8),
    .ManW(10),
    .Cut (3)
  ) u_core (
    .clk_i,
    .valid_i,
    .a_i    (widen(a_i, bf16_i)),
    .b_i    (widen(b_i, bf16_i)),
    .ftz_i,
    .short_i(bf16_i),
    .sum_o  (sum)
  );

  always_ff @(posedge clk_i) bf16_q <= {bf16_q[faa_float_pkg::ADD_LATENCY-2:0], bf16_i};

  assign sum_o = narrow(sum, bf16_q[faa_float_pkg::ADD_LATENCY-1]);

endmodule
