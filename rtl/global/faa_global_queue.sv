// SPDX-License-Identifier: Apache-2.0
//
// First-in first-out queue of many wide items, in a RAM.
//
// Latency: 2 cycles through an empty queue. Throughput: 1 item per cycle. Hazards: none; an item is read from the RAM at the earliest in
// the cycle after it was written.

`include "faa_assert.svh"

module faa_global_queue #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 128,   // power of two
  localparam int unsigned PtrW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  logic [PtrW-1:0] head_q, tail_q;
  logic [PtrW:0]   count_q, stored_q;   // items; those of them that are not at the output yet
  logic            valid_q, push, pop, fetch;

  assign ready_o = count_q != (PtrW+1)'(Depth);
  assign valid_o = valid_q;
  assign push    = valid_i && ready_o;
  assign pop     = valid_q && ready_i;
  assign fetch   = stored_q != '0 && (!valid_q || ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q   <= '0;
      tail_q   <= '0;
      count_q  <= '0;
      stored_q <= '0;
      valid_q  <= 1'b0;
    end else begin
      if (push) tail_q <= tail_q + PtrW'(1);
      if (fetch) head_q <= head_q + PtrW'(1);
      if (push != pop) count_q <= push ? count_q + (PtrW+1)'(1) : count_q - (PtrW+1)'(1);
      if (push != fetch) stored_q <= push ? stored_q + (PtrW+1)'(1) : stored_q - (PtrW+1)'(1);
      if (fetch) valid_q <= 1'b1;
      else if (ready_i) valid_q <= 1'b0;
    end
  end

  faa_ram_1r1w #(
    .Width(Width),
    .Depth(Depth)
  ) u_ram (
    .clk_i,
    .we_i   (push),
    .waddr_i(tail_q),
    .wdata_i(data_i),
    .re_i   (fetch),
    .raddr_i(head_q),
    .rdata_o(data_o)
  );

  `FAA_ASSERT(stored_are_counted, count_q == stored_q + (PtrW+1)'(valid_q) && count_q <= (PtrW+1)'(Depth))

endmodule
