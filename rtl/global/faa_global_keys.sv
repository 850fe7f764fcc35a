// SPDX-License-Identifier: Apache-2.0
//
// Stage K: beats of warps become beats of words, with the inputs of the sort and of its keys.
//
// The path of operands is 32 bits wide: a beat of 64-bit items is taken twice, for the high words
// (odd), then for the low words. Answers of lanes on sparse pages are computed here.
//
// Latency: 1 cycle. Throughput: one beat per cycle. It takes a beat whenever go_i is 1.

`include "faa_assert.svh"

module faa_global_keys #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic                       go_i,
  input  logic                       warp_valid_i,
  output logic                       warp_ready_o,  // taken, of 64-bit items for the second time
  output logic                       warp_first_o,  // a warp begins
  input  faa_cu_pkg::part_t          warp_part_i,
  input  logic [31:0]                warp_mask_i,
  input  logic [31:0]                warp_sparse_i,
  input  faa_global_pkg::job_t       warp_i,        // first, last and odd are not used
  input  logic [Lanes*52-1:0]        warp_pa_i,     // of the beat, like the next ones
  input  logic [Lanes*64-1:0]        warp_b_i,
  input  logic [Lanes*64-1:0]        warp_c_i,

  output logic                       valid_o,
  output faa_global_pkg::job_t       job_o,
  output logic [Lanes-1:0]           active_o,      // on memory
  output logic [Lanes-1:0]           one_o,         // on a sparse page, but answers: 1 or -1
  output logic [Lanes-1:0]           zero_o,        // the item b is 0
  output logic [Lanes-1:0][51:OffW]     line_o,
  output logic [Lanes-1:0][OffW-1:0]      byte_o,
  output logic [Lanes-1:0][31:0]     b_o,
  output logic [Lanes-1:0][31:0]     c_o
);

  localparam int unsigned Beats = 32 / Lanes;

  logic [Lanes-1:0][51:0]      pas;
  logic [Lanes-1:0][1:0][31:0] bs, cs;
  logic                        low_q;         // the high words have been taken
  logic                        take, wide, half, high;

  assign pas = warp_pa_i;
  assign bs  = warp_b_i;
  assign cs  = warp_c_i;

  assign wide         = faa_cu_pkg::is_wide(warp_i.beat.typ);
  assign half         = faa_global_pkg::is_half(warp_i.beat.typ);
  assign high         = wide && !low_q;
  assign take         = warp_valid_i && go_i;
  assign warp_ready_o = go_i && !high;
  assign warp_first_o = take && warp_part_i.number == 3'd0 && !low_q;

  // A lane on a sparse page answers 0, with two exceptions: PREDEC answers -1, and CAST that
  // compares with 0 answers 1.
  logic ones, compares;
  assign ones     = warp_i.beat.op == faa_pkg::ATOM_OP_PREDEC;
  assign compares = warp_i.beat.op == faa_pkg::ATOM_OP_CAST;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      low_q   <= 1'b0;
    end else begin
      valid_o <= take;
      if (take) low_q <= high;
    end
    if (take) begin
      job_o            <= warp_i;
      job_o.beat.first <= warp_first_o;
      job_o.beat.last  <= warp_part_i.last && !high;
      job_o.beat.odd   <= high;
    end
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_lane
    logic        active, sparse, zero, high_zero_q;
    logic [31:0] b, c;

    always_comb begin
      active = warp_mask_i[p];
      sparse = warp_sparse_i[p];
      for (int unsigned n = 1; n < Beats; n++) begin
        if (warp_part_i.number == 3'(n)) begin
          active = warp_mask_i[(n*Lanes + p) % 32];
          sparse = warp_sparse_i[(n*Lanes + p) % 32];
        end
      end
    end

    assign b = bs[p][high];
    assign c = cs[p][high];
    assign zero = b[15:0] == '0 && (half || b[31:16] == '0) && (!low_q || high_zero_q);

    always_ff @(posedge clk_i) begin
      if (take) begin
        active_o[p] <= active && !sparse;
        one_o[p]    <= active && sparse && (ones || (compares && zero && !high));
        zero_o[p]   <= zero;
        line_o[p]   <= pas[p][51:OffW];
        byte_o[p]   <= pas[p][OffW-1:0];
        b_o[p]      <= b;
        c_o[p]      <= c;
        high_zero_q <= b == '0;
      end
    end
  end

endmodule
