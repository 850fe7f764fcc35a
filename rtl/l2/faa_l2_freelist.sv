// SPDX-License-Identifier: Apache-2.0
//
// Free numbers 0 .. N-1. Per cycle one is taken and one returned, in any order.
//
// A returned number can be taken in the next cycle. Numbers that were never taken come first, so no
// table has to be filled after reset.
// filled after reset.

`include "faa_assert.svh"

module faa_l2_freelist #(
  parameter int unsigned N = 4,
  localparam int unsigned IdW = $clog2(N)
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  output logic           free_o,     // a number is free: id_o
  output logic [IdW-1:0] id_o,
  input  logic           take_i,
  input  logic           give_i,
  input  logic [IdW-1:0] give_id_i,

  output logic           idle_o      // all are free
);

  logic [IdW:0]   fresh_q, used_q;
  logic           back_valid, is_fresh;
  logic [IdW-1:0] back_id;
  logic           unused_ready;
  logic [$clog2(N+1)-1:0] unused_count;

  faa_fifo #(
    .Width(IdW),
    .Depth(N)
  ) u_back (
    .clk_i,
    .rst_ni,
    .valid_i(give_i),
    .ready_o(unused_ready),
    .data_i (give_id_i),
    .valid_o(back_valid),
    .ready_i(take_i && !is_fresh),
    .data_o (back_id),
    .count_o(unused_count)
  );

  assign is_fresh = fresh_q != (IdW+1)'(N);
  assign free_o   = is_fresh || back_valid;
  assign id_o     = is_fresh ? fresh_q[IdW-1:0] : back_id;
  assign idle_o   = used_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fresh_q <= '0;
      used_q  <= '0;
    end else begin
      if (take_i && is_fresh) fresh_q <= fresh_q + (IdW+1)'(1);
      used_q <= used_q + (IdW+1)'(take_i) - (IdW+1)'(give_i);
    end
  end

  `FAA_ASSERT(freelist_takes_free, !take_i || free_o)
  `FAA_ASSERT(freelist_gives_used, !give_i || used_q != '0)
  `FAA_ASSERT(freelist_bound, used_q <= (IdW+1)'(N))
  `FAA_COVER(freelist_empty, !free_o)

`ifdef FORMAL
  // Any one number: while it is taken it is not given out again.
  (* anyconst *) logic [IdW-1:0] f_id;
  logic f_taken_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_taken_q <= 1'b0;
    else if (take_i && id_o == f_id) f_taken_q <= 1'b1;
    else if (give_i && give_id_i == f_id) f_taken_q <= 1'b0;
  end
  `FAA_ASSUME(freelist_take, !take_i || free_o)
  `FAA_ASSUME(freelist_give, !give_i || give_id_i != f_id || f_taken_q)
  `FAA_ASSUME(freelist_give_used, !give_i || used_q != '0)
  `FAA_ASSERT(freelist_once, !(take_i && id_o == f_id && f_taken_q))
`endif

endmodule
