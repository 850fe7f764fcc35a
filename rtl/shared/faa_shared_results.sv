// SPDX-License-Identifier: Apache-2.0
//
// Stage R: answers wait here until they are taken; the beats of a warp are put together. Of 64-bit items the two words come in two
// beats: which of them is the low one is known since the warp entered.
//
// Latency: 3 cycles. Throughput: one beat per cycle. Who sends keeps room for Depth beats (took_o: one less is there).

`include "faa_assert.svh"

module faa_shared_results #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Depth = 64,
  parameter int unsigned Warps = 128
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // A warp that wants answers enters the unit: lanes whose low word is in the odd bank
  input  logic                   warp_i,
  input  logic [31:0]            swap_i,

  input  logic                   valid_i,
  input  faa_shared_pkg::beat_t  beat_i,
  input  logic [Lanes-1:0][31:0] word_i,    // of its lanes
  output logic                   took_o,

  output logic                   valid_o,
  input  logic                   ready_i,
  output logic [2047:0]          result_o
);

  localparam int unsigned Beats  = 32 / Lanes;
  localparam int unsigned CountW = $clog2(Warps + 1);

  logic                   head_valid, room, last, odd, wide, even, take, leaves, swap_valid, swap_room;
  logic [Lanes-1:0][31:0] word, even_q;
  logic [31:0]            swap;
  logic [1:0]             number_q;
  logic [CountW-1:0]      unused_count;

  faa_fifo_ram #(
    .Width(3 + Lanes * 32),
    .Depth(Depth)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .valid_i,
    .ready_o(room),
    .data_i ({beat_i.last, beat_i.odd, faa_cu_pkg::is_wide(beat_i.typ), word_i}),
    .valid_o(head_valid),
    .ready_i(take),
    .data_o ({last, odd, wide, word})
  );

  faa_fifo #(
    .Width(32),
    .Depth(Warps)
  ) u_swaps (
    .clk_i,
    .rst_ni,
    .valid_i(warp_i),
    .ready_o(swap_room),
    .data_i (swap_i),
    .valid_o(swap_valid),
    .ready_i(take && last),
    .data_o (swap),
    .count_o(unused_count)
  );

  // Words of even banks wait for those of odd banks, which come next: meanwhile the answers of the warp before may be
  // taken.
  assign even   = wide && !odd;
  assign take   = head_valid && (even || !valid_o || ready_i);
  assign leaves = take && !even;
  assign took_o = take;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_o  <= 1'b0;
      number_q <= 2'd0;
    end else begin
      if (leaves) valid_o <= last;
      else if (ready_i) valid_o <= 1'b0;
      if (leaves) number_q <= last ? 2'd0 : number_q + 2'd1;
    end
    if (take && even) even_q <= word;
  end

  for (genvar l = 0; l < 32; l++) begin : g_lane
    always_ff @(posedge clk_i) begin
      if (leaves && number_q == 2'(l / Lanes)) begin
        if (!wide) result_o[l*64 +: 64] <= {32'b0, word[l%Lanes]};
        else if (swap[l]) result_o[l*64 +: 64] <= {even_q[l%Lanes], word[l%Lanes]};
        else result_o[l*64 +: 64] <= {word[l%Lanes], even_q[l%Lanes]};
      end
    end
  end

  logic unused;
  assign unused = ^{beat_i, 32'(Beats)};

  `FAA_ASSERT(answers_have_room, !valid_i || room)
  `FAA_ASSERT(warps_have_room, !warp_i || swap_room)
  `FAA_ASSERT(answers_belong_to_a_warp, !take || swap_valid)

endmodule
