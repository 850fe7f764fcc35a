// SPDX-License-Identifier: Apache-2.0
//
// Pipelined floating-point sum, rounded to nearest, ties to even; shared by faa_float_add and faa_float_add_half.
//
// Latency: terms in cycle t, sum in cycle t + faa_float_pkg::ADD_LATENCY (a register); throughput one per cycle; no stall.
// Stages: 1 order the terms by magnitude, 2 align and add, 3 normalize, 4 round and pack. A stage's registers change only
// when it has a sum; there is no reset, whoever uses the sum knows when it comes. Denormals are kept, or, with ftz_i, terms and sums that are denormal become zeros of their sign. A sum that is a
// NaN is the canonical one; an exact zero is +0 unless both terms are -0.

module faa_float_add_core #(
  parameter int unsigned ExpW = 8,
  parameter int unsigned ManW = 23,
  parameter int unsigned Cut = 0,     // bits that short_i drops from the fraction
  localparam int unsigned W = 1 + ExpW + ManW
) (
  input  logic         clk_i,

  input  logic         valid_i,
  input  logic [W-1:0] a_i,
  input  logic [W-1:0] b_i,
  input  logic         ftz_i,
  input  logic         short_i,       // fractions of ManW - Cut bits, left-aligned: the low Cut bits are 0

  output logic [W-1:0] sum_o
);

  // Significand with its leading bit, then guard, round and sticky bit; one more bit on top for the carry of the sum.
  localparam int unsigned SigW = ManW + 1;
  localparam int unsigned SumW = SigW + 4;
  localparam int unsigned ZeroW = $clog2(SumW + 1);
  localparam int unsigned NormW = 2 ** ZeroW;

  // {NaN, infinity, sign, subtract, exponent (denormals: 1), significand of the larger term, of the smaller, their distance}
  localparam int unsigned OrderW = 4 + ExpW + 2 * SigW + ExpW;

  // Orders the terms by magnitude. An infinity is always the larger term, so its sign is the result's.
  function automatic logic [OrderW-1:0] order_terms(input logic [W-1:0] a, input logic [W-1:0] b, input logic ftz);
    logic [W-2:0]    x, y, big, little;
    logic [ExpW-1:0] big_exp, little_exp;
    logic            less, nan, inf;
    x = a[W-2:0];
    y = b[W-2:0];
    if (ftz && !(|x[W-2:ManW])) x = '0;
    if (ftz && !(|y[W-2:ManW])) y = '0;
    less       = x < y;
    big        = less ? y : x;
    little     = less ? x : y;
    big_exp    = big[W-2:ManW];
    little_exp = little[W-2:ManW];
    inf        = &big_exp;
    nan        = inf && (|big[ManW-1:0] || (&little_exp && a[W-1] != b[W-1]));
    order_terms = {nan, inf, less ? b[W-1] : a[W-1], a[W-1] ^ b[W-1], big_exp | ExpW'(!(|big_exp)),
                   |big_exp, big[ManW-1:0], |little_exp, little[ManW-1:0],
                   (big_exp | ExpW'(!(|big_exp))) - (little_exp | ExpW'(!(|little_exp)))};
  endfunction

  // Shifts the smaller term to the larger one's place, what falls off kept as a sticky bit, and adds or subtracts it.
  function automatic logic [SumW-1:0] add_aligned(input logic [SigW-1:0] big, input logic [SigW-1:0] little,
                                                  input logic [ExpW-1:0] distance, input logic subtract);
    logic [SumW-1:0] all_ones, spread, aligned;
    all_ones   = '1;
    spread     = {1'b0, little, 3'b0};
    aligned    = spread >> distance;
    aligned[0] = aligned[0] || |(spread & ~(all_ones << distance));
    if (subtract) add_aligned = {1'b0, big, 3'b0} - aligned;
    else add_aligned = {1'b0, big, 3'b0} + aligned;
  endfunction

  // Leading zeros of the sum, but at most `most`: a marker stands where the exponent would get too small.
  function automatic logic [ZeroW-1:0] leading_zeros(input logic [SumW-1:0] sum, input logic [ExpW-1:0] most);
    logic [NormW-1:0] x;
    logic [SumW-1:0]  top;
    int unsigned      n;
    top           = '0;
    top[SumW-1]   = 1'b1;
    x             = {sum | (top >> most), {(NormW - SumW){1'b0}}};
    leading_zeros = '0;
    for (n = 0; n < ZeroW; n = n + 1) begin
      if ((x >> (NormW - NormW / 2 ** (n + 1))) == '0) begin
        leading_zeros[ZeroW - 1 - n] = 1'b1;
        x = x << (NormW / 2 ** (n + 1));
      end
    end
  endfunction

  // Rounds a significand that has its leading bit on top (a denormal: not), and packs it below its sign.
  function automatic logic [W-1:0] round_and_pack(input logic sign, input logic [ExpW-1:0] exp,
                                                  input logic [SumW-1:0] norm, input logic ftz, input logic cut);
    logic [W-2:0] packed_sum;
    logic         up;
    packed_sum = {exp & {ExpW{norm[SumW-1]}}, norm[SumW-2:4]};
    if (Cut != 0 && cut) begin
      up         = norm[3+Cut] && (norm[4+Cut] || |norm[2+Cut:0]);
      packed_sum = ((packed_sum >> Cut) + (W-1)'(up)) << Cut;
    end else begin
      up         = norm[3] && (norm[4] || |norm[2:0]);
      packed_sum = packed_sum + (W-1)'(up);
    end
    if (&packed_sum[W-2:ManW]) packed_sum[ManW-1:0] = '0;
    if (ftz && !(|packed_sum[W-2:ManW])) packed_sum[ManW-1:0] = '0;
    round_and_pack = {sign, packed_sum};
  endfunction

  // One bit per stage 1, 2, 3.
  logic [2:0]        valid_q;
  logic [2:0]        ftz_q, short_q, nan_q, inf_q;
  logic [2:0]        sign_q;
  logic              subtract_q;
  logic [ExpW-1:0]   exp_1_q, exp_2_q, exp_3_q, distance_q;
  logic [SigW-1:0]   big_q, little_q;
  logic [SumW-1:0]   sum_2_q, norm_q;
  logic [W-1:0]      sum_q;
  logic [ZeroW-1:0]  shift;

  always_comb begin
    shift = '0;
    if (valid_q[1]) shift = leading_zeros(sum_2_q, exp_2_q);
  end

  always_ff @(posedge clk_i) begin
    valid_q <= {valid_q[1:0], valid_i};

    if (valid_i) begin
      {nan_q[0], inf_q[0], sign_q[0], subtract_q, exp_1_q, big_q, little_q, distance_q} <= order_terms(a_i, b_i, ftz_i);
      ftz_q[0]   <= ftz_i;
      short_q[0] <= short_i;
    end

    if (valid_q[0]) begin
      sum_2_q    <= add_aligned(big_q, little_q, distance_q, subtract_q);
      // Equal terms of different signs leave +0.
      sign_q[1]  <= sign_q[0] && !(subtract_q && big_q == little_q && distance_q == '0);
      exp_2_q    <= exp_1_q;
      nan_q[1]   <= nan_q[0];
      inf_q[1]   <= inf_q[0];
      ftz_q[1]   <= ftz_q[0];
      short_q[1] <= short_q[0];
    end

    if (valid_q[1]) begin
      norm_q     <= sum_2_q << shift;
      exp_3_q    <= exp_2_q + ExpW'(1) - ExpW'(shift);
      sign_q[2]  <= sign_q[1];
      nan_q[2]   <= nan_q[1];
      inf_q[2]   <= inf_q[1];
      ftz_q[2]   <= ftz_q[1];
      short_q[2] <= short_q[1];
    end

    if (valid_q[2]) begin
      if (nan_q[2]) sum_q <= {1'b0, {(ExpW + 1){1'b1}}, {(ManW - 1){1'b0}}};
      else if (inf_q[2]) sum_q <= {sign_q[2], {ExpW{1'b1}}, {ManW{1'b0}}};
      else sum_q <= round_and_pack(sign_q[2], exp_3_q, norm_q, ftz_q[2], short_q[2]);
    end
  end

  assign sum_o = sum_q;

endmodule
