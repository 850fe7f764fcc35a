// SPDX-License-Identifier: Apache-2.0
//
// Stage R: answers wait here until they are taken, in beats of Lanes lanes, extended to 64 bits.
// The two words of 64-bit items come in two beats, the high one first.
//
// Latency: 3 cycles. Throughput: one beat per cycle, with Late one in two. The sender keeps track
// of room for Depth beats (took_o: one beat has left).

`include "faa_assert.svh"

module faa_global_results #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Depth = 64,
  parameter bit          Late = 1'b0       // the next answer does not depend on ready_i
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   valid_i,
  input  faa_shared_pkg::beat_t  beat_i,
  input  logic [Lanes-1:0][31:0] word_i,    // of its lanes
  output logic                   took_o,

  output logic                   valid_o,
  input  logic                   ready_i,
  output faa_cu_pkg::part_t      part_o,
  output logic [Lanes*64-1:0]    result_o
);

  logic                   head_valid, room, last, odd, wide, sign, take, leaves;
  logic [Lanes-1:0][31:0] word, high_q;
  faa_cu_pkg::beat_no_t   number_q;

  faa_fifo_ram #(
    .Width(4 + Lanes * 32),
    .Depth(Depth)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .valid_i,
    .ready_o(room),
    .data_i ({beat_i.last, beat_i.odd, faa_cu_pkg::is_wide(beat_i.typ),
              faa_cu_pkg::is_signed(beat_i.typ), word_i}),
    .valid_o(head_valid),
    .ready_i(take),
    .data_o ({last, odd, wide, sign, word})
  );

  // High words wait for low ones, which come next: meanwhile the answers of the beat before may be
  // taken.
  assign take   = head_valid && (odd || !valid_o || (!Late && ready_i));
  assign leaves = take && !odd;
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
    if (take && odd) high_q <= word;
    if (leaves) part_o <= '{last: last, number: number_q};
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_lane
    always_ff @(posedge clk_i) begin
      if (leaves) begin
        result_o[p*64 +: 64] <= {wide ? high_q[p] : {32{sign && word[p][31]}}, word[p]};
      end
    end
  end

  logic unused;
  assign unused = ^beat_i;

  `FAA_ASSERT(answers_have_room, !valid_i || room)
  `FAA_ASSERT(last_beat_is_the_last, !leaves || last == (number_q == 3'(32 / Lanes - 1)))

endmodule
