// SPDX-License-Identifier: Apache-2.0
//
// First-in first-out queue in a RAM with a registered read. data_o has the oldest item while
// valid_o is 1.
//
// Latency: 2 cycles through an empty queue. Throughput: 1 item per cycle. It holds Depth items and
// one more at its output. Hazards: none; an item is read after it was written, and no combinational
// path crosses the queue.

`include "faa_assert.svh"

module faa_fifo_ram #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 64,  // a power of two
  parameter bit Block = 1'b0,         // as in faa_ram_1r1w
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
  logic [PtrW:0]   count_q;          // in the RAM
  logic            push, read;

  assign ready_o = count_q != (PtrW+1)'(Depth);
  assign push    = valid_i && ready_o;
  assign read    = count_q != '0 && (!valid_o || ready_i);

  faa_ram_1r1w #(
    .Width(Width),
    .Depth(Depth),
    .Block(Block)
  ) u_ram (
    .clk_i,
    .we_i   (push),
    .waddr_i(tail_q),
    .wdata_i(data_i),
    .re_i   (read),
    .raddr_i(head_q),
    .rdata_o(data_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
      valid_o <= 1'b0;
    end else begin
      if (push) tail_q <= tail_q + PtrW'(1);
      if (read) head_q <= head_q + PtrW'(1);
      count_q <= count_q + (PtrW+1)'(push) - (PtrW+1)'(read);
      if (read) valid_o <= 1'b1;
      else if (ready_i) valid_o <= 1'b0;
    end
  end

  `FAA_ASSERT(FifoRamCount, count_q <= (PtrW+1)'(Depth))
  `FAA_ASSERT_STABLE(FifoRamOut, valid_o, ready_i, data_o)
  `FAA_COVER(FifoRamFull, !ready_o)

endmodule
