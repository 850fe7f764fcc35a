// SPDX-License-Identifier: Apache-2.0
//
// Stages SORT: the lanes of a beat in the order of their keys. Sorts by {bank, row}, lanes of one word stay in lane order,
// inactive lanes come last.
//
// Batcher's odd-even merge network, three levels per register: 5 cycles for 32 lanes, 4 for 16, 2 for 8; a beat per cycle.

`include "faa_assert.svh"

module faa_global_sort #(
  parameter int unsigned Lanes = 32
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic [Lanes*32-1:0]   key_i,

  output logic                  valid_o,
  input  logic                  ready_i,
  output faa_shared_pkg::beat_t beat_o,
  output logic [Lanes*32-1:0]   key_o
);

  localparam int unsigned Levels = $clog2(Lanes) * ($clog2(Lanes) + 1) / 2;
  localparam int unsigned Stages = (Levels + 2) / 3;
  localparam int unsigned BeatW  = $bits(faa_shared_pkg::beat_t);

  logic [Stages:0]                  valid, ready;
  logic [(Stages+1)*BeatW-1:0]      beat;
  logic [(Stages+1)*Lanes*32-1:0]   key;

  assign valid[0]              = valid_i;
  assign ready_o               = ready[0];
  assign beat[0 +: BeatW]      = beat_i;
  assign key[0 +: Lanes*32]    = key_i;
  assign valid_o               = valid[Stages];
  assign ready[Stages]         = ready_i;
  assign beat_o                = beat[Stages*BeatW +: BeatW];
  assign key_o                 = key[Stages*Lanes*32 +: Lanes*32];

  for (genvar s = 0; s < Stages; s++) begin : g_stage
    faa_global_sort_stage #(
      .Lanes(Lanes),
      .Level(s * 3),
      .Count(Levels - s * 3 < 3 ? Levels - s * 3 : 3)
    ) u_stage (
      .clk_i,
      .rst_ni,
      .valid_i(valid[s]),
      .ready_o(ready[s]),
      .beat_i (beat[s*BeatW +: BeatW]),
      .key_i  (key[s*Lanes*32 +: Lanes*32]),
      .valid_o(valid[s+1]),
      .ready_i(ready[s+1]),
      .beat_o (beat[(s+1)*BeatW +: BeatW]),
      .key_o  (key[(s+1)*Lanes*32 +: Lanes*32])
    );
  end

  // Every position holds a larger key than the one before.
  logic sorted;
  always_comb begin
    sorted = 1'b1;
    if (valid_o) begin
      for (int p = 1; p < Lanes; p++) begin
        if (key_o[p*32 +: 32] <= key_o[(p-1)*32 +: 32]) sorted = 1'b0;
      end
    end
  end
  `FAA_ASSERT(keys_ascend, sorted)

endmodule
