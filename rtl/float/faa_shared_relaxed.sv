// SPDX-License-Identifier: Apache-2.0
//
// Sums of the lanes that add to one word (ADD on F32 with RELAXED): a chain of adders, one for each
// position of a sorted beat.
//
// A beat has the values x in the order of {word, lane}, inactive positions last; first_i marks the
// first position of each word. sum_o of an active position is x of its word's first position plus
// each x up to its own, from left to right, each sum rounded (and flushed, with ftz_i); of an
// inactive position it is undefined. A first x that is a NaN may come out as another NaN, and with
// ftz_i flushed; neither changes a later sum with the same ftz.
//
// Throughput: one beat per cycle. Latency: ADD_LATENCY * (Lanes - 1) + 4 cycles, in order. Up to
// Depth beats are inside; values that wait for this or a later adder are in a RAM of each position
// instead of shift registers. The chain never stalls: finished beats are held in the RAMs until
// ready_i.

`include "faa_assert.svh"

module faa_shared_relaxed #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned TagW = 8,
  parameter int unsigned Depth = 256  // power of two; less than the latency costs throughput
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                valid_i,
  output logic                ready_o,
  input  logic [Lanes*32-1:0] x_i,
  input  logic [Lanes-1:0]    first_i,
  input  logic [Lanes-1:0]    active_i,
  input  logic                ftz_i,
  input  logic [TagW-1:0]     tag_i,

  output logic                valid_o,
  input  logic                ready_i,
  output logic [Lanes*32-1:0] sum_o,
  output logic [TagW-1:0]     tag_o
);

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;
  localparam int unsigned PtrW = $clog2(Depth);
  // Cycles until the last sum is valid, counted from the first cycle in the chain.
  localparam int unsigned Last = 1 + Latency * (Lanes - 1);
  localparam logic [31:0] MinusZero = 32'h80000000;  // adds nothing, not even to -0

  logic                accept, fetch;
  logic [PtrW-1:0]     in_q, out_q;
  logic [PtrW:0]       level_q, done_q;  // beats in the chain and the RAMs; finished beats
  logic [Last:0]       valid_q, ftz_q;   // bit n: a beat in its cycle n
  logic [31:0]         x_0_q, x_1_q;     // position 0 in cycles 0 and 1
  logic [Lanes*32-1:0] sum;              // position p in cycle 1 + Latency * p

  assign ready_o = level_q != (PtrW+1)'(Depth);
  assign accept  = valid_i && ready_o;
  assign fetch   = done_q != '0 && (!valid_o || ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q    <= '0;
      out_q   <= '0;
      level_q <= '0;
      done_q  <= '0;
      valid_q <= '0;
      valid_o <= 1'b0;
    end else begin
      if (accept) in_q <= in_q + PtrW'(1);
      if (fetch) out_q <= out_q + PtrW'(1);
      if (accept != fetch) level_q <= accept ? level_q + (PtrW+1)'(1) : level_q - (PtrW+1)'(1);
      if (valid_q[Last] != fetch) done_q <= fetch ? done_q - (PtrW+1)'(1) : done_q + (PtrW+1)'(1);
      if (accept || |valid_q) valid_q <= {valid_q[Last-1:0], accept};
      if (fetch) valid_o <= 1'b1;
      else if (ready_i) valid_o <= 1'b0;
    end
    if (accept || |valid_q) ftz_q <= {ftz_q[Last-1:0], ftz_i};
    if (accept) x_0_q <= x_i[31:0];
    if (valid_q[0]) x_1_q <= x_0_q;
  end

  assign sum[31:0] = x_1_q;

  for (genvar p = 1; p < Lanes; p++) begin : g_add
    // The cycle in which x is read; it is added in the next
    localparam int unsigned Start = Latency * (p - 1);

    logic [PtrW-1:0] slot_q;
    logic            active, first;
    logic [31:0]     x;

    faa_ram_1r1w #(
      .Width(34),
      .Depth(Depth)
    ) u_x (
      .clk_i,
      .we_i   (accept),
      .waddr_i(in_q),
      .wdata_i({active_i[p], first_i[p], x_i[p*32 +: 32]}),
      .re_i   (valid_q[Start]),
      .raddr_i(slot_q),
      .rdata_o({active, first, x})
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) slot_q <= '0;
      else if (valid_q[Start]) slot_q <= slot_q + PtrW'(1);
    end

    faa_float_add #(
      .ExpW(8),
      .ManW(23)
    ) u_add (
      .clk_i,
      .valid_i(valid_q[Start+1] && active),
      .a_i    (first ? MinusZero : sum[(p-1)*32 +: 32]),
      .b_i    (x),
      .ftz_i  (ftz_q[Start+1]),
      .sum_o  (sum[p*32 +: 32])
    );
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_sum
    logic [PtrW-1:0] slot_q;

    faa_ram_1r1w #(
      .Width(32),
      .Depth(Depth)
    ) u_sum (
      .clk_i,
      .we_i   (valid_q[1 + Latency*p]),
      .waddr_i(slot_q),
      .wdata_i(sum[p*32 +: 32]),
      .re_i   (fetch),
      .raddr_i(out_q),
      .rdata_o(sum_o[p*32 +: 32])
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) slot_q <= '0;
      else if (valid_q[1 + Latency*p]) slot_q <= slot_q + PtrW'(1);
    end
  end

  faa_ram_1r1w #(
    .Width(TagW),
    .Depth(Depth)
  ) u_tag (
    .clk_i,
    .we_i   (accept),
    .waddr_i(in_q),
    .wdata_i(tag_i),
    .re_i   (fetch),
    .raddr_i(out_q),
    .rdata_o(tag_o)
  );

  // Position 0 begins a word, and after an inactive position none is active.
  `FAA_ASSERT(first_is_first, !valid_i || !active_i[0] || first_i[0])
  `FAA_ASSERT(inactive_are_last, !valid_i || (active_i & (active_i + Lanes'(1))) == '0)
  `FAA_ASSERT(done_are_inside, done_q <= level_q)

endmodule
