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

  /* verilator no_inline_module */

  // Significand with its leading bit, then guard, round and sticky bit; one more bit on top for the carry of the sum.
  localparam int unsigned SigW = ManW + 1;
  localparam int unsigned SumW = SigW + 4;
  localparam int unsigned ZeroW = $clog2(SumW + 1);
  localparam int unsigned NormW = 2 ** ZeroW;

  // One bit per stage 1, 2, 3.
  logic [2:0]        valid_q;
  logic [2:0]        ftz_q, short_q, nan_q, inf_q;
  logic [2:0]        sign_q;
  logic              subtract_q;
  logic [ExpW-1:0]   exp_1_q, exp_2_q, exp_3_q, distance_q;
  logic [SigW-1:0]   big_q, little_q;
  logic [SumW-1:0]   sum_2_q, norm_q;
  logic [W-1:0]      sum_q;

  // Conditions keep what is not used from being computed, and there are no functions, of which the simulation would keep a copy for
  // each of its many instances.

  // Stage 1: the terms ordered by magnitude. An infinity is always the larger term, so its sign is the result's.
  logic [W-2:0]      x, y, big, little;
  logic [ExpW-1:0]   big_exp, little_exp;    // denormals: 1
  logic              less, nan, inf;

  always_comb begin
    x          = '0;
    y          = '0;
    less       = 1'b0;
    big        = '0;
    little     = '0;
    big_exp    = '0;
    little_exp = '0;
    inf        = 1'b0;
    nan        = 1'b0;
    if (valid_i) begin
      x          = a_i[W-2:0];
      y          = b_i[W-2:0];
      if (ftz_i && !(|x[W-2:ManW])) x = '0;
      if (ftz_i && !(|y[W-2:ManW])) y = '0;
      less       = x < y;
      big        = less ? y : x;
      little     = less ? x : y;
      inf        = &big[W-2:ManW];
      nan        = inf && (|big[ManW-1:0] || (&little[W-2:ManW] && a_i[W-1] != b_i[W-1]));
      big_exp    = big[W-2:ManW] | ExpW'(!(|big[W-2:ManW]));
      little_exp = little[W-2:ManW] | ExpW'(!(|little[W-2:ManW]));
    end
  end

  // Stage 2: the smaller term shifted to the larger one's place, what falls off kept as a sticky bit; sum or difference.
  logic [SumW-1:0]   all_ones, spread, aligned, sum_2;

  always_comb begin
    all_ones = '1;
    spread   = '0;
    aligned  = '0;
    sum_2    = '0;
    if (valid_q[0]) begin
      spread     = {1'b0, little_q, 3'b0};
      aligned    = spread >> distance_q;
      aligned[0] = aligned[0] || |(spread & ~(all_ones << distance_q));
      if (subtract_q) sum_2 = {1'b0, big_q, 3'b0} - aligned;
      else sum_2 = {1'b0, big_q, 3'b0} + aligned;
    end
  end

  // Stage 3: leading zeros of the sum, but at most so many that the exponent does not get too small: a marker stands there.
  logic [SumW-1:0]   marker;
  logic [NormW-1:0]  zeros_of;
  logic [ZeroW-1:0]  shift;

  always_comb begin
    marker         = '0;
    marker[SumW-1] = 1'b1;
    zeros_of       = '0;
    shift          = '0;
    if (valid_q[1]) begin
      zeros_of = {sum_2_q | (marker >> exp_2_q), {(NormW - SumW){1'b0}}};
      for (int n = 0; n < ZeroW; n++) begin
        if ((zeros_of >> (NormW - NormW / 2 ** (n + 1))) == '0) begin
          shift[ZeroW - 1 - n] = 1'b1;
          zeros_of = zeros_of << (NormW / 2 ** (n + 1));
        end
      end
    end
  end

  // Stage 4: a significand that has its leading bit on top (a denormal: not) rounded, and packed below its sign.
  logic [W-2:0]      packed_sum;
  logic              up;

  always_comb begin
    packed_sum = '0;
    up         = 1'b0;
    if (valid_q[2]) begin
      packed_sum = {exp_3_q & {ExpW{norm_q[SumW-1]}}, norm_q[SumW-2:4]};
      if (Cut != 0 && short_q[2]) begin
        up         = norm_q[3+Cut] && (norm_q[4+Cut] || |norm_q[2+Cut:0]);
        packed_sum = ((packed_sum >> Cut) + (W-1)'(up)) << Cut;
      end else begin
        up         = norm_q[3] && (norm_q[4] || |norm_q[2:0]);
        packed_sum = packed_sum + (W-1)'(up);
      end
      if (&packed_sum[W-2:ManW]) packed_sum[ManW-1:0] = '0;
      if (ftz_q[2] && !(|packed_sum[W-2:ManW])) packed_sum[ManW-1:0] = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    valid_q <= {valid_q[1:0], valid_i};

    if (valid_i) begin
      nan_q[0]   <= nan;
      inf_q[0]   <= inf;
      sign_q[0]  <= less ? b_i[W-1] : a_i[W-1];
      subtract_q <= a_i[W-1] ^ b_i[W-1];
      exp_1_q    <= big_exp;
      big_q      <= {|big[W-2:ManW], big[ManW-1:0]};
      little_q   <= {|little[W-2:ManW], little[ManW-1:0]};
      distance_q <= big_exp - little_exp;
      ftz_q[0]   <= ftz_i;
      short_q[0] <= short_i;
    end

    if (valid_q[0]) begin
      sum_2_q    <= sum_2;
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
      else sum_q <= {sign_q[2], packed_sum};
    end
  end

  assign sum_o = sum_q;

endmodule
