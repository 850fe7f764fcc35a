// SPDX-License-Identifier: Apache-2.0
//
// Counts a stream's warps in the atomic unit: those that read memory and those that write it. A
// warp that does both is in both counts.
//
// Latency: a warp counts from the cycle after its entry to the cycle in which it is done. Whether
// none is in flight comes from registers, which change together with the counts.

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

  localparam int unsigned Most = 1022;   // more than faa_global takes

  logic [9:0]        unused_reads, unused_writes;
  logic              reads_some, writes_some, unused_reads_full, unused_writes_full;
  logic              read_enters, read_ends, write_enters, write_ends;

  assign read_enters  = enter_i && enter_reads_i;
  assign read_ends    = done_i && done_reads_i;
  assign write_enters = enter_i && enter_writes_i;
  assign write_ends   = done_i && done_writes_i;

  faa_in_flight #(
    .Max(Most)
  ) u_reads (
    .clk_i,
    .rst_ni,
    .take_i (read_enters),
    .done_i (read_ends),
    .count_o(unused_reads),
    .some_o (reads_some),
    .full_o (unused_reads_full)
  );
  faa_in_flight #(
    .Max(Most)
  ) u_writes (
    .clk_i,
    .rst_ni,
    .take_i (write_enters),
    .done_i (write_ends),
    .count_o(unused_writes),
    .some_o (writes_some),
    .full_o (unused_writes_full)
  );

  assign reads_idle_o  = !reads_some;
  assign writes_idle_o = !writes_some;

  `FAA_ASSERT(done_was_entered, !done_i || ((!done_reads_i || !reads_idle_o) && (!done_writes_i || !writes_idle_o)))
  `FAA_COVER(reads_back_writes_not, reads_idle_o && !writes_idle_o)

endmodule
