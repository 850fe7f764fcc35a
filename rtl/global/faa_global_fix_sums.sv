// SPDX-License-Identifier: Apache-2.0
//
// Stage F for ADD on F32 with RELAXED: the word as it was plus the sum of the group's earlier lanes, from 32 adders.
//
// Latency: that of the adder + 1. Throughput: one beat per cycle. Room for the results of all beats inside is kept.

`include "faa_assert.svh"

module faa_global_fix_sums #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Depth = 8
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                valid_i,
  output logic                ready_o,
  input  logic                ftz_i,
  input  logic                first_beat_i,
  input  logic                last_beat_i,
  input  logic [Lanes*32-1:0] place_i,
  input  logic [Lanes-1:0]    member_i,
  input  logic [Lanes-1:0]    first_i,
  input  logic [Lanes*32-1:0] before_i,
  input  logic [Lanes*32-1:0] m_i,

  output logic                valid_o,
  input  logic                ready_i,
  output logic                first_beat_o,
  output logic                last_beat_o,
  output logic [Lanes*32-1:0] place_o,
  output logic [Lanes*32-1:0] low_o,
  output logic                empty_o
);

  localparam int unsigned CountW = $clog2(Depth + 1);

  logic                added, result_room, record_valid, unused_tag;
  logic [Lanes*32-1:0] result;
  logic [CountW-1:0]   records, unused_count;

  assign empty_o = records == '0;

  faa_shared_relaxed_fix #(
    .Lanes(Lanes),
    .TagW (1)
  ) u_add (
    .clk_i,
    .rst_ni,
    .valid_i (valid_i && ready_o),
    .old_i   (m_i),
    .prefix_i(before_i),
    .first_i,
    .active_i(member_i),
    .ftz_i,
    .tag_i   (1'b0),
    .valid_o (added),
    .result_o(result),
    .tag_o   (unused_tag)
  );

  // A record stays until its result leaves, so results always have room.
  faa_fifo #(
    .Width(Lanes * 32 + 2),
    .Depth(Depth)
  ) u_records (
    .clk_i,
    .rst_ni,
    .valid_i,
    .ready_o,
    .data_i ({first_beat_i, last_beat_i, place_i}),
    .valid_o(record_valid),
    .ready_i(valid_o && ready_i),
    .data_o ({first_beat_o, last_beat_o, place_o}),
    .count_o(records)
  );

  faa_fifo #(
    .Width(Lanes * 32),
    .Depth(Depth)
  ) u_results (
    .clk_i,
    .rst_ni,
    .valid_i(added),
    .ready_o(result_room),
    .data_i (result),
    .valid_o,
    .ready_i,
    .data_o (low_o),
    .count_o(unused_count)
  );

  `FAA_ASSERT(results_have_room, !added || result_room)
  `FAA_ASSERT(results_have_a_record, !valid_o || record_valid)

endmodule
