// SPDX-License-Identifier: Apache-2.0
//
// Stage K: a warp is taken in beats of Lanes lanes.
//
// The path of operands is 32 bits wide: of 64-bit types each part of the warp is two beats, high
// words (odd), then low words. What lanes on sparse pages answer is known here.
//
// Latency: 1 cycle. Throughput: one beat per cycle. It takes a beat whenever go_i is 1.

`include "faa_assert.svh"

module faa_global_keys #(
  parameter int unsigned Lanes = 32
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic                       go_i,
  input  logic                       warp_valid_i,
  output logic                       warp_ready_o,  // the last beat is taken
  output logic                       warp_first_o,  // the first beat is taken
  input  logic [31:0]                warp_mask_i,
  input  logic [31:0]                warp_sparse_i,
  input  faa_global_pkg::job_t       warp_i,        // first, last and odd are not used
  input  logic [32*52-1:0]           warp_pa_i,
  input  logic [2047:0]              warp_b_i,
  input  logic [2047:0]              warp_c_i,

  output logic                       valid_o,
  output faa_global_pkg::job_t       job_o,
  output logic [Lanes-1:0]           active_o,      // on memory
  output logic [Lanes-1:0]           one_o,         // on a sparse page, but answers: 1 or -1
  output logic [Lanes-1:0]           zero_o,        // the item b is 0
  output logic [Lanes-1:0][51:6]     line_o,
  output logic [Lanes-1:0][5:0]      byte_o,
  output logic [Lanes-1:0][31:0]     b_o,
  output logic [Lanes-1:0][31:0]     c_o
);

  localparam int unsigned Beats = 32 / Lanes;

  logic [Beats-1:0][Lanes-1:0]            masks, sparses;
  logic [Beats-1:0][Lanes-1:0][51:0]      pas;
  logic [Beats-1:0][Lanes-1:0][1:0][31:0] bs, cs;
  logic [Beats-1:0]                       turn_q;        // one of the bits: which beat
  logic                                   low_q;         // the high words have been taken
  logic                                   take, wide, half, high, is_last;

  assign masks   = warp_mask_i;
  assign sparses = warp_sparse_i;
  assign pas     = warp_pa_i;
  assign bs      = warp_b_i;
  assign cs      = warp_c_i;

  assign wide         = faa_cu_pkg::is_wide(warp_i.beat.typ);
  assign half         = faa_global_pkg::is_half(warp_i.beat.typ);
  assign high         = wide && !low_q;
  assign take         = warp_valid_i && go_i;
  assign is_last      = turn_q[Beats-1] && !high;
  assign warp_ready_o = go_i && is_last;
  assign warp_first_o = take && turn_q[0] && !low_q;

  // A lane on a sparse page answers 0, but for two operations: PREDEC answers -1, and CAST that
  // compares with 0 answers 1.
  logic ones, compares;
  assign ones     = warp_i.beat.op == faa_pkg::ATOM_OP_PREDEC;
  assign compares = warp_i.beat.op == faa_pkg::ATOM_OP_CAST;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      turn_q  <= Beats'(1);
      low_q   <= 1'b0;
    end else begin
      valid_o <= take;
      if (take) begin
        low_q <= high;
        if (!high) turn_q <= is_last ? Beats'(1) : turn_q << 1;
      end
    end
    if (take) begin
      job_o            <= warp_i;
      job_o.beat.first <= warp_first_o;
      job_o.beat.last  <= is_last;
      job_o.beat.odd   <= high;
    end
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_lane
    logic        active, sparse, zero, high_zero_q;
    logic [51:0] pa;
    logic [31:0] b, c;

    // Lane p of this beat. One bit of turn_q is set, so these are sums of products.
    always_comb begin
      active = 1'b0;
      sparse = 1'b0;
      pa     = '0;
      b      = '0;
      c      = '0;
      for (int unsigned n = 0; n < Beats; n++) begin
        active = active | (turn_q[n] & masks[n][p]);
        sparse = sparse | (turn_q[n] & sparses[n][p]);
        pa     = pa | ({52{turn_q[n]}} & pas[n][p]);
        b      = b | ({32{turn_q[n] & high}} & bs[n][p][1]) |
                 ({32{turn_q[n] & ~high}} & bs[n][p][0]);
        c      = c | ({32{turn_q[n] & high}} & cs[n][p][1]) |
                 ({32{turn_q[n] & ~high}} & cs[n][p][0]);
      end
    end

    assign zero = b[15:0] == '0 && (half || b[31:16] == '0) && (!low_q || high_zero_q);

    always_ff @(posedge clk_i) begin
      if (take) begin
        active_o[p] <= active && !sparse;
        one_o[p]    <= active && sparse && (ones || (compares && zero && !high));
        zero_o[p]   <= zero;
        line_o[p]   <= pa[51:6];
        byte_o[p]   <= pa[5:0];
        b_o[p]      <= b;
        c_o[p]      <= c;
        high_zero_q <= b == '0;
      end
    end
  end

  `FAA_ASSERT(one_turn, turn_q != '0 && (turn_q & (turn_q - Beats'(1))) == '0)

endmodule
