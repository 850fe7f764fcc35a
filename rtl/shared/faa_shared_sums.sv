// SPDX-License-Identifier: Apache-2.0
//
// Stage S: beats of ADD on F32 with RELAXED get the sums of their groups from a chain of adders;
// all others pass by. The record of a beat waits in a queue meanwhile.
//
// A beat passes by only when no sums are in flight (faa_shared admits no other warp then), so beats
// stay in order.
//
// Latency: 0 for beats that pass by, else that of faa_shared_relaxed. Throughput: one beat per
// cycle. It never stalls.

`include "faa_assert.svh"

module faa_shared_sums #(
  parameter int unsigned Lanes = 32,
  parameter bit          Relaxed = 1'b1,
  parameter int unsigned RecordW = 8,
  parameter int unsigned Depth = 128     // at least the beats that faa_shared admits
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   valid_i,
  input  logic                   relaxed_i,
  input  logic                   ftz_i,
  input  logic [RecordW-1:0]     record_i,
  input  logic [Lanes-1:0]       member_i,
  input  logic [Lanes-1:0]       first_i,
  input  logic [Lanes-1:0][31:0] value_i,

  output logic                   valid_o,
  output logic [RecordW-1:0]     record_o,
  output logic [Lanes-1:0][31:0] value_o,
  output logic                   summed_o   // it is one of relaxed sums
);

  if (Relaxed) begin : g_sums
    logic                   put, chain_ready, record_ready, sum_valid, record_valid, unused_tag;
    logic [RecordW-1:0]     oldest;
    logic [Lanes-1:0][31:0] sum;

    assign put = valid_i && relaxed_i;

    faa_shared_relaxed #(
      .Lanes(Lanes),
      .TagW (1),
      .Depth(Depth)
    ) u_chain (
      .clk_i,
      .rst_ni,
      .valid_i (put),
      .ready_o (chain_ready),
      .x_i     (value_i),
      .first_i,
      .active_i(member_i),
      .ftz_i,
      .tag_i   (1'b0),
      .valid_o (sum_valid),
      .ready_i (1'b1),
      .sum_o   (sum),
      .tag_o   (unused_tag)
    );

    faa_fifo_ram #(
      .Width(RecordW),
      .Depth(Depth)
    ) u_records (
      .clk_i,
      .rst_ni,
      .valid_i(put),
      .ready_o(record_ready),
      .data_i (record_i),
      .valid_o(record_valid),
      .ready_i(sum_valid),
      .data_o (oldest)
    );

    assign summed_o = sum_valid;
    assign valid_o  = sum_valid || (valid_i && !relaxed_i);
    assign record_o = sum_valid ? oldest : record_i;
    assign value_o  = sum_valid ? sum : value_i;

    `FAA_ASSERT(sums_have_room, !put || (chain_ready && record_ready))
    `FAA_ASSERT(sums_have_a_beat, !sum_valid || record_valid)
    `FAA_ASSERT(one_kind_at_a_time, !(sum_valid && valid_i && !relaxed_i))
  end else begin : g_pass
    logic unused;
    assign unused   = ^{clk_i, rst_ni, relaxed_i, ftz_i, member_i, first_i, 32'(Depth)};
    assign summed_o = 1'b0;
    assign valid_o  = valid_i;
    assign record_o = record_i;
    assign value_o  = value_i;
  end

endmodule
