// SPDX-License-Identifier: Apache-2.0
//
// Stage S: beats of ADD on F32 with RELAXED get the sums of their groups from a chain of adders; all others pass by.
//
// A beat that passes by waits until no sums are under way, so the order stays. What belongs to a beat waits in a queue meanwhile.
//
// Latency: 0 for beats that pass by, else that of faa_shared_relaxed. Throughput: one beat per cycle.
// Stalls: a beat of the other kind follows (stall_mode_o).

`include "faa_assert.svh"

module faa_global_sums #(
  parameter int unsigned Lanes = 32,
  parameter bit          Relaxed = 1'b1,
  parameter int unsigned Depth = 256
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic [Lanes*32-1:0]   place_i,
  input  logic [Lanes-1:0]      member_i,
  input  logic [Lanes-1:0]      first_i,
  input  logic [Lanes-1:0]      last_i,
  input  logic [Lanes*8-1:0]    rank_i,
  input  logic [Lanes*32-1:0]   value_i,

  output logic                  valid_o,
  input  logic                  ready_i,
  output faa_shared_pkg::beat_t beat_o,
  output logic [Lanes*32-1:0]   place_o,
  output logic [Lanes-1:0]      member_o,
  output logic [Lanes-1:0]      first_o,
  output logic [Lanes-1:0]      last_o,
  output logic [Lanes*8-1:0]    rank_o,
  output logic [Lanes*32-1:0]   value_o,

  output logic                  stall_mode_o
);

  if (Relaxed) begin : g_sums
    localparam int unsigned BeatW   = $bits(faa_shared_pkg::beat_t);
    localparam int unsigned RecordW = BeatW + Lanes * 43;
    localparam int unsigned CountW  = $clog2(Depth + 1);

    logic                relaxed, put, chain_ready, record_ready, sum_valid, unused_tag, record_valid;
    logic [CountW-1:0]   count;
    logic [RecordW-1:0]  record, oldest;
    logic [Lanes*32-1:0] sum;

    assign relaxed      = faa_shared_pkg::is_relaxed(beat_i);
    assign put          = valid_i && relaxed && chain_ready && record_ready;
    assign ready_o      = relaxed ? chain_ready && record_ready : count == '0 && ready_i;
    assign stall_mode_o = valid_i && !relaxed && count != '0;
    assign record       = {beat_i, place_i, member_i, first_i, last_i, rank_i};

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
      .ftz_i   (beat_i.mod[0]),
      .tag_i   (1'b0),
      .valid_o (sum_valid),
      .ready_i (ready_i),
      .sum_o   (sum),
      .tag_o   (unused_tag)
    );

    faa_fifo #(
      .Width(RecordW),
      .Depth(Depth)
    ) u_records (
      .clk_i,
      .rst_ni,
      .valid_i(put),
      .ready_o(record_ready),
      .data_i (record),
      .valid_o(record_valid),
      .ready_i(sum_valid && ready_i),
      .data_o (oldest),
      .count_o(count)
    );

    assign valid_o = count == '0 ? valid_i && !relaxed : sum_valid;
    assign value_o = count == '0 ? value_i : sum;
    assign {beat_o, place_o, member_o, first_o, last_o, rank_o} = count == '0 ? record : oldest;

    `FAA_ASSERT(sums_have_a_beat, !sum_valid || record_valid)
    `FAA_COVER(stall_s6, stall_mode_o)
  end else begin : g_pass
    logic unused;
    assign unused       = ^{clk_i, rst_ni, Depth};
    assign ready_o      = ready_i;
    assign valid_o      = valid_i;
    assign value_o      = value_i;
    assign stall_mode_o = 1'b0;
    assign {beat_o, place_o, member_o, first_o, last_o, rank_o} = {beat_i, place_i, member_i, first_i, last_i, rank_i};
  end

endmodule
