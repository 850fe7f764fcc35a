// SPDX-License-Identifier: Apache-2.0
//
// Stage F: a beat's answers from the words as they were, by the module that can: faa_shared_fix, faa_shared_fix_sums (relaxed sums)
// or faa_shared_fix_cas (CAS and CAST with choice words).
//
// The three have different latencies. A beat of one kind waits until no beat of another kind is inside, so the order stays. CAS and
// CAST without choice words go the way that is occupied, so that they seldom wait for each other.
//
// Throughput: one beat per cycle of one kind. Stalls: kinds take turns (S7).

`include "faa_assert.svh"

module faa_shared_fix_kinds #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Slots = 2,
  parameter bit          F32 = 1'b1,
  parameter bit          Sums = 1'b1,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   valid_i,
  output logic                   ready_o,
  input  faa_shared_pkg::beat_t  beat_i,
  input  logic [Lanes*32-1:0]    place_i,
  input  logic [Lanes-1:0]       member_i,
  input  logic [Lanes-1:0]       first_i,
  input  logic [Lanes*32-1:0]    before_i,
  input  logic [Lanes*32-1:0]    other_i,
  input  logic [Lanes-1:0]       choice_i,
  input  logic [Lanes*LaneW-1:0] next_i,
  input  logic [Slots*Lanes-1:0] chained_i,
  input  logic [Slots*Lanes-1:0] base_i,
  input  logic [Lanes*32-1:0]    m_i,
  input  logic [Lanes*32-1:0]    m_high_i,

  output logic                   valid_o,
  input  logic                   ready_i,
  output logic                   first_o,     // first and last beat of the warp
  output logic                   last_o,
  output logic [Lanes*32-1:0]    place_o,
  output logic [Lanes*32-1:0]    low_o,
  output logic [Lanes*32-1:0]    high_o
);

  logic                is_sums, is_cas, is_plain;
  logic                plain_valid, plain_ready, plain_first, plain_last;
  logic                sums_valid, sums_ready, sums_first, sums_last, sums_empty;
  logic                cas_valid, cas_ready, cas_first, cas_last, cas_empty;
  logic [Lanes*32-1:0] plain_place, plain_low, plain_high, sums_place, sums_low, cas_place, cas_low;

  assign is_sums  = Sums && faa_shared_pkg::is_relaxed(beat_i);
  assign is_cas   = choice_i != '0 || (faa_shared_pkg::is_cas_group(beat_i) && !cas_empty);
  assign is_plain = !is_sums && !is_cas;

  assign ready_o = is_sums ? sums_ready && !plain_valid && cas_empty :
                   is_cas  ? cas_ready && !plain_valid && sums_empty : plain_ready && sums_empty && cas_empty;

  faa_shared_fix #(
    .Lanes(Lanes),
    .Slots(Slots),
    .F32  (F32)
  ) u_fix (
    .clk_i,
    .rst_ni,
    .valid_i (valid_i && is_plain && sums_empty && cas_empty),
    .ready_o (plain_ready),
    .beat_i,
    .place_i,
    .member_i,
    .first_i,
    .before_i,
    .other_i,
    .chained_i,
    .base_i,
    .m_i,
    .m_high_i,
    .valid_o (plain_valid),
    .ready_i,
    .first_o (plain_first),
    .last_o  (plain_last),
    .place_o (plain_place),
    .low_o   (plain_low),
    .high_o  (plain_high)
  );

  faa_shared_fix_cas #(
    .Lanes(Lanes)
  ) u_fix_cas (
    .clk_i,
    .rst_ni,
    .valid_i     (valid_i && is_cas && !plain_valid && sums_empty),
    .ready_o     (cas_ready),
    .cast_i      (beat_i.op == faa_pkg::ATOMS_OP_CAST),
    .first_beat_i(beat_i.first),
    .last_beat_i (beat_i.last),
    .place_i,
    .member_i,
    .first_i,
    .choice_i,
    .before_i,
    .other_i,
    .next_i,
    .m_i,
    .valid_o     (cas_valid),
    .ready_i     (ready_i && !plain_valid),
    .first_beat_o(cas_first),
    .last_beat_o (cas_last),
    .place_o     (cas_place),
    .low_o       (cas_low),
    .empty_o     (cas_empty)
  );

  if (Sums) begin : g_sums
    faa_shared_fix_sums #(
      .Lanes(Lanes)
    ) u_fix_sums (
      .clk_i,
      .rst_ni,
      .valid_i     (valid_i && is_sums && !plain_valid && cas_empty),
      .ready_o     (sums_ready),
      .ftz_i       (beat_i.mod[0]),
      .first_beat_i(beat_i.first),
      .last_beat_i (beat_i.last),
      .place_i,
      .member_i,
      .first_i,
      .before_i,
      .m_i,
      .valid_o     (sums_valid),
      .ready_i     (ready_i && !plain_valid),
      .first_beat_o(sums_first),
      .last_beat_o (sums_last),
      .place_o     (sums_place),
      .low_o       (sums_low),
      .empty_o     (sums_empty)
    );
    `FAA_COVER(sums_wait, valid_i && is_sums && (plain_valid || !cas_empty))
  end else begin : g_no_sums
    assign sums_valid = 1'b0;
    assign sums_ready = 1'b0;
    assign sums_first = 1'b0;
    assign sums_last  = 1'b0;
    assign sums_place = '0;
    assign sums_low   = '0;
    assign sums_empty = 1'b1;
  end

  assign valid_o = plain_valid || sums_valid || cas_valid;
  assign first_o = plain_valid ? plain_first : cas_valid ? cas_first : sums_first;
  assign last_o  = plain_valid ? plain_last : cas_valid ? cas_last : sums_last;
  assign place_o = plain_valid ? plain_place : cas_valid ? cas_place : sums_place;
  assign low_o   = plain_valid ? plain_low : cas_valid ? cas_low : sums_low;
  assign high_o  = plain_valid ? plain_high : '0;

  `FAA_ASSERT(one_kind_at_a_time, 2'(plain_valid) + 2'(!sums_empty) + 2'(!cas_empty) <= 2'd1)
  `FAA_COVER(stall_s7, valid_i && (is_plain ? !(sums_empty && cas_empty) :
                                   plain_valid || !(is_sums ? cas_empty : sums_empty)))
  `FAA_COVER(cas_without_a_choice_follows, valid_i && ready_o && is_cas && choice_i == '0)

endmodule
