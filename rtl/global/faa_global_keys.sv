// SPDX-License-Identifier: Apache-2.0
//
// Stage K: a warp is taken in beats of Lanes lanes.
//
// The path of operands is 32 bits wide: of 64-bit types each part of the warp is two beats, low
// words, then high words (odd). What lanes on sparse pages answer is known here.
//
// Latency: 1 cycle. Throughput: one beat per cycle. It takes a beat whenever go_i is 1.

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

  localparam int unsigned Beats   = 32 / Lanes;
  localparam int unsigned NumberW = Beats > 1 ? $clog2(Beats) : 1;

  logic [Beats-1:0][Lanes-1:0]       masks, sparses;
  logic [Beats-1:0][Lanes-1:0][51:0] pas;
  logic [Beats-1:0][Lanes-1:0][63:0] bs, cs;
  logic [NumberW-1:0]                number;
  logic [1:0]                        number_q;
  logic                              odd_q, take, wide, half, is_last;

  assign masks   = warp_mask_i;
  assign sparses = warp_sparse_i;
  assign pas     = warp_pa_i;
  assign bs      = warp_b_i;
  assign cs      = warp_c_i;
  assign number  = NumberW'(number_q);

  assign wide         = faa_cu_pkg::is_wide(warp_i.beat.typ);
  assign half         = faa_global_pkg::is_half(warp_i.beat.typ);
  assign take         = warp_valid_i && go_i;
  assign is_last      = number_q == 2'(Beats - 1) && (!wide || odd_q);
  assign warp_ready_o = go_i && is_last;
  assign warp_first_o = take && number_q == 2'd0 && !odd_q;

  // What lanes on sparse pages answer that do not answer 0: -1, or 1 where the item compares with 0.
  logic ones, compares;
  assign ones     = warp_i.beat.op == faa_pkg::ATOM_OP_PREDEC;
  assign compares = warp_i.beat.op == faa_pkg::ATOM_OP_CAST;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_o  <= 1'b0;
      number_q <= 2'd0;
      odd_q    <= 1'b0;
    end else begin
      valid_o <= take;
      if (take) begin
        odd_q <= wide && !odd_q;
        if (!wide || odd_q) number_q <= is_last ? 2'd0 : number_q + 2'd1;
      end
    end
    if (take) begin
      job_o            <= warp_i;
      job_o.beat.first <= warp_first_o;
      job_o.beat.last  <= is_last;
      job_o.beat.odd   <= odd_q;
    end
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_lane
    logic        zero;
    logic [51:0] pa;
    logic [63:0] b, c;

    // Lane p of this beat
    assign pa   = pas[number][p];
    assign b    = bs[number][p];
    assign c    = cs[number][p];
    assign zero = b[15:0] == '0 && (half || b[31:16] == '0) && (!wide || b[63:32] == '0);

    always_ff @(posedge clk_i) begin
      if (take) begin
        active_o[p] <= masks[number][p] && !sparses[number][p];
        one_o[p]    <= masks[number][p] && sparses[number][p] && 
                   (ones || (compares && zero));
        zero_o[p]   <= zero;
        line_o[p]   <= pa[51:6];
        byte_o[p]   <= pa[5:0];
        b_o[p]      <= odd_q ? b[63:32] : b[31:0];
        c_o[p]      <= odd_q ? c[63:32] : c[31:0];
      end
    end
  end

endmodule
