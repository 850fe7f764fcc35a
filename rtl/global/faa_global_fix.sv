// SPDX-License-Identifier: Apache-2.0
//
// Stage F: a warp's answers from the items as they were: faa_global_lane_fix, or faa_global_fix_sums for relaxed sums, and their extension
// to 64 bits.
//
// Latency: 1 cycle, of relaxed sums that of the adder + 1. Throughput: one warp per cycle of one kind. Stalls: S7 a warp of the other kind is inside,
// so the order stays.

`include "faa_assert.svh"

module faa_global_fix #(
  parameter bit F32 = 1'b1,
  parameter bit Sums = 1'b1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic [1023:0]         place_i,
  input  logic [31:0]           member_i,
  input  logic [31:0]           first_i,
  input  logic [1023:0]         before_i,
  input  logic [1023:0]         other_i,
  input  logic [1023:0]         m_i,
  input  logic [1023:0]         m_high_i,

  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [1023:0]         place_o,
  output logic [1023:0]         low_o,
  output logic [1023:0]         high_o
);

  logic          is_sums, plain_valid, plain_ready, sums_valid, sums_ready, sums_empty;
  logic [1023:0] plain_place, plain_low, plain_high, sums_place, sums_low;
  logic [1:0]    unused;

  assign is_sums = Sums && faa_shared_pkg::is_relaxed(beat_i);
  assign ready_o = is_sums ? sums_ready && !plain_valid : plain_ready && sums_empty;

  faa_global_lane_fix #(
    .Lanes(32),
    .Slots(1),
    .F32  (F32)
  ) u_fix (
    .clk_i,
    .rst_ni,
    .valid_i  (valid_i && !is_sums && sums_empty),
    .ready_o  (plain_ready),
    .beat_i,
    .place_i,
    .member_i,
    .first_i,
    .before_i,
    .other_i,
    .chained_i(32'b0),
    .base_i   (32'b0),
    .m_i,
    .m_high_i,
    .valid_o  (plain_valid),
    .ready_i,
    .first_o  (unused[0]),
    .last_o   (unused[1]),
    .place_o  (plain_place),
    .low_o    (plain_low),
    .high_o   (plain_high)
  );

  if (Sums) begin : g_sums
    logic [1:0] unused_ends;
    faa_global_fix_sums #(
      .Lanes(32)
    ) u_fix_sums (
      .clk_i,
      .rst_ni,
      .valid_i     (valid_i && is_sums && !plain_valid),
      .ready_o     (sums_ready),
      .ftz_i       (beat_i.mod[0]),
      .first_beat_i(1'b1),
      .last_beat_i (1'b1),
      .place_i,
      .member_i,
      .first_i,
      .before_i,
      .m_i,
      .valid_o     (sums_valid),
      .ready_i     (ready_i && !plain_valid),
      .first_beat_o(unused_ends[0]),
      .last_beat_o (unused_ends[1]),
      .place_o     (sums_place),
      .low_o       (sums_low),
      .empty_o     (sums_empty)
    );
    `FAA_COVER(stall_s7, valid_i && (is_sums ? plain_valid : !sums_empty))
  end else begin : g_no_sums
    assign sums_valid = 1'b0;
    assign sums_ready = 1'b0;
    assign sums_place = '0;
    assign sums_low   = '0;
    assign sums_empty = 1'b1;
  end

  assign valid_o = plain_valid || sums_valid;
  assign place_o = plain_valid ? plain_place : sums_place;
  assign low_o   = plain_valid ? plain_low : sums_low;

  always_comb begin
    high_o = '0;
    if (plain_valid) begin
      high_o = plain_high;
      for (int p = 0; p < 32; p++) begin
        if (plain_place[p*32 + faa_global_pkg::PLACE_SIGN] && plain_low[p*32 + 31]) high_o[p*32 +: 32] = '1;
      end
    end
  end

  `FAA_ASSERT(one_kind_at_a_time, !plain_valid || sums_empty)

endmodule
