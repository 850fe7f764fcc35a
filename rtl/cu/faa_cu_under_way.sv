// SPDX-License-Identifier: Apache-2.0
//
// Counts a stream's warps in the atomic unit: those that read memory and those that write it. A
// warp that does both is in both counts.
//
// Latency: a warp counts from the cycle after its entry to the cycle in which it is done.

`include "faa_assert.svh"

module faa_cu_under_way (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic enter_i,
  input  logic enter_reads_i,
  input  logic enter_writes_i,
  input  logic done_i,
  input  logic done_reads_i,
  input  logic done_writes_i,

  output logic reads_idle_o,    // none is in flight
  output logic writes_idle_o
);

  localparam int unsigned CountW = 10;   // more than faa_global takes

  logic [CountW-1:0] reads_q, writes_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reads_q  <= '0;
      writes_q <= '0;
    end else begin
      reads_q  <= reads_q + CountW'(enter_i && enter_reads_i) - CountW'(done_i && done_reads_i);
      writes_q <= writes_q + CountW'(enter_i && enter_writes_i) - CountW'(done_i && done_writes_i);
    end
  end

  assign reads_idle_o  = reads_q == '0;
  assign writes_idle_o = writes_q == '0;

  `FAA_ASSERT(done_was_entered, !done_i || ((!done_reads_i || !reads_idle_o) && (!done_writes_i || !writes_idle_o)))
  `FAA_ASSERT(not_too_many, reads_q != '1 && writes_q != '1)
  `FAA_COVER(reads_back_writes_not, reads_idle_o && !writes_idle_o)

endmodule
