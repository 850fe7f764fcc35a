// SPDX-License-Identifier: Apache-2.0
//
// Stages SCAN: segmented inclusive prefix of the values of each group, and the rank of each group among those of its bank.
//
// At position p value_o is what the lanes of its group up to p do together; rank_o counts the groups of its bank before its own
// (8 bits a position). In choice words nothing is combined; end_o is the last of the successes that begin at a position. Two
// levels per register: 3 cycles for 32 lanes, 2 for 16 and 8; a beat per cycle.

`include "faa_assert.svh"

module faa_global_scan #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned LaneW = $clog2(Lanes)
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
  input  logic [Lanes-1:0]      bank_first_i,
  input  logic [Lanes*32-1:0]   value_i,
  input  logic [Lanes*32-1:0]   other_i,
  input  logic [Lanes*32-1:0]   value_high_i,
  input  logic [Lanes*32-1:0]   other_high_i,
  input  logic [Lanes-1:0]      choice_i,
  input  logic [Lanes*LaneW-1:0] next_i,

  output logic                  valid_o,
  input  logic                  ready_i,
  output faa_shared_pkg::beat_t beat_o,
  output logic [Lanes*32-1:0]   place_o,
  output logic [Lanes-1:0]      member_o,
  output logic [Lanes-1:0]      first_o,
  output logic [Lanes-1:0]      last_o,
  output logic [Lanes*8-1:0]    rank_o,
  output logic [Lanes*32-1:0]   value_o,
  output logic [Lanes*32-1:0]   other_o,
  output logic [Lanes*32-1:0]   value_high_o,
  output logic [Lanes*32-1:0]   other_high_o,
  output logic [Lanes-1:0]      choice_o,
  output logic [Lanes*LaneW-1:0] next_o,
  output logic [Lanes*LaneW-1:0] end_o
);

  localparam int unsigned Stages = ($clog2(Lanes) + 1) / 2;
  localparam int unsigned BeatW  = $bits(faa_shared_pkg::beat_t);
  localparam int unsigned CarryW = Lanes * (99 + LaneW);

  logic [Stages:0]                valid, ready;
  logic [(Stages+1)*BeatW-1:0]    beat;
  logic [(Stages+1)*CarryW-1:0]   carry;
  logic [(Stages+1)*Lanes-1:0]    open, rank_open;
  logic [(Stages+1)*Lanes*8-1:0]  rank;
  logic [(Stages+1)*Lanes*32-1:0] value, other;
  logic [(Stages+1)*Lanes-1:0]    choice;
  logic [(Stages+1)*Lanes*LaneW-1:0] link;

  assign valid[0]               = valid_i;
  assign ready_o                = ready[0];
  assign beat[0 +: BeatW]       = beat_i;
  assign carry[0 +: CarryW]     = {member_i, first_i, last_i, place_i, value_high_i, other_high_i, next_i};
  // faa_global_sums adds up relaxed sums.
  assign open[0 +: Lanes]       = faa_shared_pkg::is_relaxed(beat_i) ? '0 : member_i & ~first_i & ~choice_i;
  assign rank_open[0 +: Lanes]  = ~bank_first_i;
  assign value[0 +: Lanes*32]   = value_i;
  assign other[0 +: Lanes*32]   = other_i;
  assign choice[0 +: Lanes]     = choice_i;
  assign link[0 +: Lanes*LaneW] = next_i;

  // A bank's first group has rank 0.
  for (genvar p = 0; p < Lanes; p++) begin : g_rank
    assign rank[p*8 +: 8] = {7'b0, first_i[p] && !bank_first_i[p]};
  end

  for (genvar s = 0; s < Stages; s++) begin : g_stage
    faa_global_scan_stage #(
      .Lanes (Lanes),
      .Far   (4 ** s),
      .CarryW(CarryW)
    ) u_stage (
      .clk_i,
      .rst_ni,
      .valid_i    (valid[s]),
      .ready_o    (ready[s]),
      .beat_i     (beat[s*BeatW +: BeatW]),
      .carry_i    (carry[s*CarryW +: CarryW]),
      .open_i     (open[s*Lanes +: Lanes]),
      .rank_open_i(rank_open[s*Lanes +: Lanes]),
      .rank_i     (rank[s*Lanes*8 +: Lanes*8]),
      .value_i    (value[s*Lanes*32 +: Lanes*32]),
      .other_i    (other[s*Lanes*32 +: Lanes*32]),
      .choice_i   (choice[s*Lanes +: Lanes]),
      .link_i     (link[s*Lanes*LaneW +: Lanes*LaneW]),
      .valid_o    (valid[s+1]),
      .ready_i    (ready[s+1]),
      .beat_o     (beat[(s+1)*BeatW +: BeatW]),
      .carry_o    (carry[(s+1)*CarryW +: CarryW]),
      .open_o     (open[(s+1)*Lanes +: Lanes]),
      .rank_open_o(rank_open[(s+1)*Lanes +: Lanes]),
      .rank_o     (rank[(s+1)*Lanes*8 +: Lanes*8]),
      .value_o    (value[(s+1)*Lanes*32 +: Lanes*32]),
      .other_o    (other[(s+1)*Lanes*32 +: Lanes*32]),
      .choice_o   (choice[(s+1)*Lanes +: Lanes]),
      .link_o     (link[(s+1)*Lanes*LaneW +: Lanes*LaneW])
    );
  end

  assign valid_o       = valid[Stages];
  assign ready[Stages] = ready_i;
  assign beat_o        = beat[Stages*BeatW +: BeatW];
  assign rank_o        = rank[Stages*Lanes*8 +: Lanes*8];
  assign value_o       = value[Stages*Lanes*32 +: Lanes*32];
  assign other_o       = other[Stages*Lanes*32 +: Lanes*32];
  assign choice_o      = choice[Stages*Lanes +: Lanes];
  assign end_o         = link[Stages*Lanes*LaneW +: Lanes*LaneW];
  assign {member_o, first_o, last_o, place_o, value_high_o, other_high_o, next_o} = carry[Stages*CarryW +: CarryW];

  logic unused;
  assign unused = ^rank_open[Stages*Lanes +: Lanes];

  // Every span has reached the beginning of its group.
  `FAA_ASSERT(scan_is_complete, !valid_o || open[Stages*Lanes +: Lanes] == '0)

endmodule
