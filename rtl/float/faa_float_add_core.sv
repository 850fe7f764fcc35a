// SPDX-License-Identifier: Apache-2.0
//
// Pipelined floating-point sum, rounded to nearest, ties to even; shared by faa_float_add and
// faa_float_add_half.
//
// Latency: terms in cycle t, sum in cycle t + faa_float_pkg::ADD_LATENCY (a register); throughput
// one per cycle; no stall. Stages: 1 order the terms by magnitude, 2 align and add, 3 normalize, 4
// round and pack. With a latency of 4 each stage ends in registers, with 2 the even ones do: a bank
// adds to one word once per latency. A stage's registers change only when it has a sum. There is no
// reset: the user of the sum knows when it comes. Denormals are kept, or, with ftz_i, terms and
// sums that are denormal become zeros of their sign. A NaN sum is the canonical NaN; an exact zero
// is +0 unless both terms are -0.

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
  input  logic         short_i,       // ManW - Cut bits, left-aligned: the low Cut bits are 0

  output logic [W-1:0] sum_o
);

  /* verilator no_inline_module */

  // Significand with its leading bit, then guard, round and sticky bit; one more bit on top for the
  // carry of the sum.
  localparam int unsigned SigW = ManW + 1;
  localparam int unsigned SumW = SigW + 4;
  localparam int unsigned ZeroW = $clog2(SumW + 1);
  localparam int unsigned NormW = 2 ** ZeroW;

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;

  if (Latency != 2 && Latency != 4) begin : gen_latency
    $error("faa_float_add_core: the adder takes 2 or 4 cycles, not %0d", Latency);
  end

  // Registers after stages 1, 2 and 3.
  typedef struct packed {
    logic            ftz;
    logic            half;        // a fraction without its low Cut bits
    logic            nan;
    logic            inf;
    logic            sign;
    logic            subtract;
    logic [ExpW-1:0] exponent;
    logic [ExpW-1:0] distance;
  } ordered_t;

  typedef struct packed {
    logic            ftz;
    logic            half;
    logic            nan;
    logic            inf;
    logic            sign;
    logic [ExpW-1:0] exponent;
    logic [SumW-1:0] sum;
  } summed_t;

  ordered_t          ordered_d, ordered;
  logic [SigW-1:0]   big_d, big_sig, little_d, little_sig;
  summed_t           summed_d, summed_q, normal_d, normal;
  logic              ordered_valid, summed_valid_q, normal_valid;
  logic [W-1:0]      sum_q;

  // Conditions avoid the evaluation of unused values. There are no functions, since the simulator
  // would copy them for each of the many instances.

  // Stage 1: the terms ordered by magnitude. An infinity is always the larger term, so its sign is
  // the result's.
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

  always_comb begin
    ordered_d = '0;
    big_d     = '0;
    little_d  = '0;
    if (valid_i) begin
      ordered_d.ftz      = ftz_i;
      ordered_d.half     = short_i;
      ordered_d.nan      = nan;
      ordered_d.inf      = inf;
      ordered_d.sign     = less ? b_i[W-1] : a_i[W-1];
      ordered_d.subtract = a_i[W-1] ^ b_i[W-1];
      ordered_d.exponent = big_exp;
      ordered_d.distance = big_exp - little_exp;
      big_d              = {|big[W-2:ManW], big[ManW-1:0]};
      little_d           = {|little[W-2:ManW], little[ManW-1:0]};
    end
  end

  // Stage 2: the smaller term aligned to the larger one, with the bits shifted out as a sticky bit;
  // sum or difference.
  logic [SumW-1:0]   all_ones, spread, aligned;

  always_comb begin
    all_ones = '1;
    spread   = '0;
    aligned  = '0;
    summed_d = '0;
    if (ordered_valid) begin
      spread            = {1'b0, little_sig, 3'b0};
      aligned           = spread >> ordered.distance;
      aligned[0]        = aligned[0] || |(spread & ~(all_ones << ordered.distance));
      summed_d.ftz      = ordered.ftz;
      summed_d.half     = ordered.half;
      summed_d.nan      = ordered.nan;
      summed_d.inf      = ordered.inf;
      summed_d.exponent = ordered.exponent;
      // Equal terms of different signs leave +0.
      summed_d.sign     = ordered.sign &&
                          !(ordered.subtract && big_sig == little_sig && ordered.distance == '0);
      if (ordered.subtract) summed_d.sum = {1'b0, big_sig, 3'b0} - aligned;
      else summed_d.sum = {1'b0, big_sig, 3'b0} + aligned;
    end
  end

  // Stage 3: leading zeros of the sum, up to a marker bit, so that the exponent does not become too
  // small.
  logic [SumW-1:0]   marker;
  logic [NormW-1:0]  zeros_of;
  logic [ZeroW-1:0]  shift;

  always_comb begin
    marker         = '0;
    marker[SumW-1] = 1'b1;
    zeros_of       = '0;
    shift          = '0;
    normal_d       = summed_q;
    if (summed_valid_q) begin
      zeros_of = {summed_q.sum | (marker >> summed_q.exponent), {(NormW - SumW){1'b0}}};
      for (int n = 0; n < ZeroW; n++) begin
        if ((zeros_of >> (NormW - NormW / 2 ** (n + 1))) == '0) begin
          shift[ZeroW - 1 - n] = 1'b1;
          zeros_of = zeros_of << (NormW / 2 ** (n + 1));
        end
      end
      normal_d.sum      = summed_q.sum << shift;
      normal_d.exponent = summed_q.exponent + ExpW'(1) - ExpW'(shift);
    end
  end

  // Stage 4: a significand with its leading bit on top (a denormal: without) rounded, and packed
  // below its sign.
  logic [W-2:0]      packed_sum;
  logic              up;

  always_comb begin
    packed_sum = '0;
    up         = 1'b0;
    if (normal_valid) begin
      packed_sum = {normal.exponent & {ExpW{normal.sum[SumW-1]}}, normal.sum[SumW-2:4]};
      if (Cut != 0 && normal.half) begin
        up         = normal.sum[3+Cut] && (normal.sum[4+Cut] || |normal.sum[2+Cut:0]);
        packed_sum = ((packed_sum >> Cut) + (W-1)'(up)) << Cut;
      end else begin
        up         = normal.sum[3] && (normal.sum[4] || |normal.sum[2:0]);
        packed_sum = packed_sum + (W-1)'(up);
      end
      if (&packed_sum[W-2:ManW]) packed_sum[ManW-1:0] = '0;
      if (normal.ftz && !(|packed_sum[W-2:ManW])) packed_sum[ManW-1:0] = '0;
    end
  end

  if (Latency == 4) begin : gen_four
    ordered_t        ordered_q;
    logic [SigW-1:0] big_q, little_q;
    summed_t         normal_q;
    logic            ordered_valid_q, normal_valid_q;

    always_ff @(posedge clk_i) begin
      ordered_valid_q <= valid_i;
      normal_valid_q  <= summed_valid_q;
      if (valid_i) begin
        ordered_q <= ordered_d;
        big_q     <= big_d;
        little_q  <= little_d;
      end
      if (summed_valid_q) normal_q <= normal_d;
    end

    assign ordered       = ordered_q;
    assign big_sig       = big_q;
    assign little_sig    = little_q;
    assign ordered_valid = ordered_valid_q;
    assign normal        = normal_q;
    assign normal_valid  = normal_valid_q;
  end else begin : gen_two
    assign ordered       = ordered_d;
    assign big_sig       = big_d;
    assign little_sig    = little_d;
    assign ordered_valid = valid_i;
    assign normal        = normal_d;
    assign normal_valid  = summed_valid_q;
  end

  always_ff @(posedge clk_i) begin
    summed_valid_q <= ordered_valid;
    if (ordered_valid) summed_q <= summed_d;

    if (normal_valid) begin
      if (normal.nan) sum_q <= {1'b0, {(ExpW + 1){1'b1}}, {(ManW - 1){1'b0}}};
      else if (normal.inf) sum_q <= {normal.sign, {ExpW{1'b1}}, {ManW{1'b0}}};
      else sum_q <= {normal.sign, packed_sum};
    end
  end

  assign sum_o = sum_q;

endmodule
