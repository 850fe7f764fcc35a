// SPDX-License-Identifier: Apache-2.0
//
// Floating-point formats of the device: layout, canonical NaN, and keys that turn MIN and MAX into
// integer comparisons.
//
// FORMAT_key(x, ftz, is_max): a word whose SIGNED order is the order of MIN (is_max = 0) or MAX
// (is_max = 1). -0 comes before +0. A NaN gets the key that never wins: the largest for MIN, the
// smallest for MAX; no number has these keys. With ftz a denormal counts as zero of its sign.
//
// FORMAT_unkey(key, is_max): the number back, flushed if the key was made with ftz; the canonical
// NaN for the key of a NaN. FORMAT is f32, f64, f16 or bf16; is_max has to be the same in both
// functions.

// Modules that are checked alone use part of the package.
/* verilator lint_off UNUSEDPARAM */
package faa_float_pkg;

  // Cycles from the terms of faa_float_add and faa_float_add_half to their sum.
  localparam int unsigned ADD_LATENCY = 2;

  // IEEE binary32: sign, 8 bits of exponent, 23 bits of fraction.
  localparam logic [31:0] F32_NAN = 32'h7fc00000;

  function automatic logic [31:0] f32_key(input logic [31:0] x, input logic ftz, input logic is_max);
    if (&x[30:23] && |x[22:0]) f32_key = {is_max, {31{!is_max}}};
    else if (ftz && !(|x[30:23])) f32_key = {32{x[31]}};
    else f32_key = {x[31], x[30:0] ^ {31{x[31]}}};
  endfunction

  function automatic logic [31:0] f32_unkey(input logic [31:0] key, input logic is_max);
    if (key == {is_max, {31{!is_max}}}) f32_unkey = F32_NAN;
    else f32_unkey = {key[31], key[30:0] ^ {31{key[31]}}};
  endfunction

  // IEEE binary64: sign, 11 bits of exponent, 52 bits of fraction.
  localparam logic [63:0] F64_NAN = 64'h7ff8000000000000;

  function automatic logic [63:0] f64_key(input logic [63:0] x, input logic ftz, input logic is_max);
    if (&x[62:52] && |x[51:0]) f64_key = {is_max, {63{!is_max}}};
    else if (ftz && !(|x[62:52])) f64_key = {64{x[63]}};
    else f64_key = {x[63], x[62:0] ^ {63{x[63]}}};
  endfunction

  function automatic logic [63:0] f64_unkey(input logic [63:0] key, input logic is_max);
    if (key == {is_max, {63{!is_max}}}) f64_unkey = F64_NAN;
    else f64_unkey = {key[63], key[62:0] ^ {63{key[63]}}};
  endfunction

  // IEEE binary16: sign, 5 bits of exponent, 10 bits of fraction.
  localparam logic [15:0] F16_NAN = 16'h7e00;

  function automatic logic [15:0] f16_key(input logic [15:0] x, input logic ftz, input logic is_max);
    if (&x[14:10] && |x[9:0]) f16_key = {is_max, {15{!is_max}}};
    else if (ftz && !(|x[14:10])) f16_key = {16{x[15]}};
    else f16_key = {x[15], x[14:0] ^ {15{x[15]}}};
  endfunction

  function automatic logic [15:0] f16_unkey(input logic [15:0] key, input logic is_max);
    if (key == {is_max, {15{!is_max}}}) f16_unkey = F16_NAN;
    else f16_unkey = {key[15], key[14:0] ^ {15{key[15]}}};
  endfunction

  // bfloat16: sign, 8 bits of exponent, 7 bits of fraction.
  localparam logic [15:0] BF16_NAN = 16'h7fc0;

  function automatic logic [15:0] bf16_key(input logic [15:0] x, input logic ftz, input logic is_max);
    if (&x[14:7] && |x[6:0]) bf16_key = {is_max, {15{!is_max}}};
    else if (ftz && !(|x[14:7])) bf16_key = {16{x[15]}};
    else bf16_key = {x[15], x[14:0] ^ {15{x[15]}}};
  endfunction

  function automatic logic [15:0] bf16_unkey(input logic [15:0] key, input logic is_max);
    if (key == {is_max, {15{!is_max}}}) bf16_unkey = BF16_NAN;
    else bf16_unkey = {key[15], key[14:0] ^ {15{key[15]}}};
  endfunction

endpackage
/* verilator lint_on UNUSEDPARAM */
