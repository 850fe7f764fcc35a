// SPDX-License-Identifier: Apache-2.0
//
// Stage R: answers wait here until they are taken, in beats of Lanes lanes. The two words of 64-bit
// items come in two beats; swap_i, known since the beat entered the unit, tells which word is the
// low one.
//
// Latency: 3 cycles. Throughput: one beat per cycle. The sender reserves room for Depth beats
// (took_o: one has left). Stalls: SHM-S5 (a beat is not taken).

`include "faa_assert.svh"

module faa_shared_results #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Depth = 64,
  parameter int unsigned Warps = 128
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // A beat that wants answers enters the unit: lanes whose low word is in the odd bank
  input  logic                   enter_i,
  input  logic [Lanes-1:0]       swap_i,

  input  logic                   valid_i,
  input  faa_shared_pkg::beat_t  beat_i,
  input  logic [Lanes-1:0][31:0] word_i,    // of its lanes
  output logic                   took_o,

  output logic                   valid_o,
  input  logic                   ready_i,
  output faa_cu_pkg::part_t      part_o,
  output logic [Lanes-1:0][63:0] result_o
);

  localparam int unsigned Beats = 32 / Lanes;

  logic                   head_valid, room, last, odd, wide, even, take, leaves;
  logic                   swap_valid, swap_room;
  logic [Lanes-1:0][31:0] word, even_q;
  logic [Lanes-1:0]       swap;
  faa_cu_pkg::beat_no_t   number_q;

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

  faa_fifo_ram #(
    .Width(Lanes),
    .Depth(Warps * Beats)
  ) u_swaps (
    .clk_i,
    .rst_ni,
    .valid_i(enter_i),
    .ready_o(swap_room),
    .data_i (swap_i),
    .valid_o(swap_valid),
    .ready_i(leaves),
    .data_o (swap)
  );

  // Words of even banks wait for those of odd banks, which come next: meanwhile the answers of the
  // beat before may be taken.
  assign even   = wide && !odd;
  assign take   = head_valid && (even || !valid_o || ready_i);
  assign leaves = take && !even;
  assign took_o = take;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_o  <= 1'b0;
      number_q <= 3'd0;
    end else begin
      if (leaves) valid_o <= 1'b1;
      else if (ready_i) valid_o <= 1'b0;
      if (leaves) number_q <= last ? 3'd0 : number_q + 3'd1;
    end
    if (take && even) even_q <= word;
    if (leaves) part_o <= '{last: last, number: number_q};
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_lane
    always_ff @(posedge clk_i) begin
      if (leaves) begin
        result_o[p][31:0]  <= wide && !swap[p] ? even_q[p] : word[p];
        result_o[p][63:32] <= !wide ? 32'd0 : swap[p] ? even_q[p] : word[p];
      end
    end
  end

  logic unused;
  assign unused = ^beat_i;

  `FAA_ASSERT(answers_have_room, !valid_i || room)
  `FAA_ASSERT(beats_have_room, !enter_i || swap_room)
  `FAA_ASSERT(answers_belong_to_a_beat, !leaves || swap_valid)
  `FAA_ASSERT(last_beat_is_the_last, !leaves || last == (number_q == 3'(Beats - 1)))

endmodule
