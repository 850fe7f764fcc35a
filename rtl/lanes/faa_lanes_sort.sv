// SPDX-License-Identifier: Apache-2.0
//
// Sorts the lanes of a beat by their keys, which differ, in ascending order. Data moves with its
// key. swaps_o has the exchanges: faa_lanes_unsort undoes them.
//
// Batcher's odd-even merge network, a level per cycle. Latency: Levels + 1 cycles; 16 for 32 lanes,
// 11 for 16, 7 for 8. Throughput: one beat per cycle. It never stalls: the sender reserves room for
// its output.

`include "faa_assert.svh"

module faa_lanes_sort #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned KeyW = 20,
  parameter int unsigned DataW = 64,
  localparam int unsigned Levels = faa_lanes_pkg::sort_levels(Lanes)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic                         valid_i,
  input  logic [Lanes-1:0][KeyW-1:0]   key_i,
  input  logic [Lanes-1:0][DataW-1:0]  data_i,

  output logic                         valid_o,
  output logic [Lanes-1:0][KeyW-1:0]   key_o,
  output logic [Lanes-1:0][DataW-1:0]  data_o,
  output logic [Levels-1:0][Lanes-1:0] swaps_o
);

  logic [Levels+1:0]           valid;
  logic [Levels:0]             valid_q;
  logic [Lanes-1:0][KeyW-1:0]  key [Levels+1];
  logic [Lanes-1:0][DataW-1:0] data [Levels+1];
  logic [Lanes-1:0][DataW-1:0] first_q;

  // Level x has keys in cycle x, their data in cycle x + 1.
  assign valid   = {valid_q, valid_i};
  assign key[0]  = key_i;
  assign data[0] = first_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid[Levels:0];
    if (valid_i) first_q <= data_i;
  end

  for (genvar x = 0; x < Levels; x++) begin : g_level
    logic [Lanes-1:0] swap;

    faa_lanes_sort_level #(
      .Lanes(Lanes),
      .KeyW (KeyW),
      .DataW(DataW),
      .Level(x)
    ) u_level (
      .clk_i,
      .valid_i (valid[x]),
      .follow_i(valid[x+1]),
      .key_i   (key[x]),
      .data_i  (data[x]),
      .key_o   (key[x+1]),
      .data_o  (data[x+1]),
      .swap_o  (swap)
    );

    // The exchanges are known in cycle x + 1, and needed with the last data.
    faa_lanes_delay #(
      .Width (Lanes),
      .Cycles(Levels - x)
    ) u_swap (
      .clk_i,
      .rst_ni,
      .data_i(swap),
      .data_o(swaps_o[x])
    );
  end

  // The last keys wait for their data.
  always_ff @(posedge clk_i) if (valid[Levels]) key_o <= key[Levels];

  assign valid_o = valid[Levels+1];
  assign data_o  = data[Levels];

  logic ascending;
  always_comb begin
    ascending = 1'b1;
    if (valid_o) begin
      for (int unsigned p = 1; p < Lanes; p++) if (key_o[p] <= key_o[p-1]) ascending = 1'b0;
    end
  end
  `FAA_ASSERT(keys_ascend, ascending)

endmodule
