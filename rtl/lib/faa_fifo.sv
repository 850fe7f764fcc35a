// SPDX-License-Identifier: Apache-2.0
//
// First-in first-out queue in registers. data_o has the oldest item while valid_o is 1.
//
// Latency: 1 cycle through an empty queue. Throughput: 1 item per cycle, also when full (if Depth >
// 1). Hazards: none; ready_o and valid_o come from registers, so no combinational path crosses the
// queue.

`include "faa_assert.svh"

module faa_fifo #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              valid_i,
  output logic              ready_o,
  input  logic [Width-1:0]  data_i,

  output logic              valid_o,
  input  logic              ready_i,
  output logic [Width-1:0]  data_o,

  // Items in the queue.
  output logic [CountW-1:0] count_o
);

`ifndef YOSYS
  if (Depth < 2) begin : gen_bad_depth
    $error("faa_fifo: Depth is %0d, at least 2 is needed", Depth);
  end
`endif

  localparam int unsigned PtrW = $clog2(Depth);
  localparam logic [PtrW-1:0] Last = PtrW'(Depth - 1);

  logic [Width-1:0]  mem [Depth];
  logic [PtrW-1:0]   head_q, tail_q;
  logic [CountW-1:0] count_q;
  logic              push, pop;

  assign ready_o = count_q != CountW'(Depth);
  assign valid_o = count_q != '0;
  assign data_o  = mem[head_q];
  assign count_o = count_q;
  assign push    = valid_i && ready_o;
  assign pop     = valid_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (push) mem[tail_q] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (push) tail_q <= (tail_q == Last) ? '0 : tail_q + PtrW'(1);
      if (pop)  head_q <= (head_q == Last) ? '0 : head_q + PtrW'(1);
      if (push && !pop) count_q <= count_q + CountW'(1);
      if (pop && !push) count_q <= count_q - CountW'(1);
    end
  end

  `FAA_ASSERT(FifoCount, count_q <= CountW'(Depth))
  `FAA_ASSERT_STABLE(FifoOut, valid_o, ready_i, data_o)
  `FAA_COVER(FifoFull, count_q == CountW'(Depth))

`ifdef FORMAL
  // Any one item is followed through the queue: it leaves once, unchanged, after exactly those that
  // were ahead of it.
  (* anyseq *) logic f_pick;
  logic              f_tracked_q = 1'b0;
  logic [CountW-1:0] f_ahead_q;
  logic [Width-1:0]  f_data_q;
  logic [CountW:0]   f_place, f_tail;
  assign f_place = (CountW+1)'(head_q) + (CountW+1)'(f_ahead_q);
  assign f_tail  = (CountW+1)'(head_q) + (CountW+1)'(count_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_tracked_q <= 1'b0;
    end else if (f_tracked_q) begin
      if (pop && f_ahead_q == '0) f_tracked_q <= 1'b0;
      if (pop) f_ahead_q <= f_ahead_q - CountW'(1);
    end else if (push && f_pick) begin
      f_tracked_q <= 1'b1;
      f_ahead_q   <= count_q - CountW'(pop);
      f_data_q    <= data_i;
    end
  end
  `FAA_ASSERT(FifoPointers, head_q <= Last && tail_q <= Last &&
              (f_tail == (CountW+1)'(tail_q) || f_tail == (CountW+1)'(tail_q) + (CountW+1)'(Depth)))
  `FAA_ASSERT(FifoTracked, !f_tracked_q || f_ahead_q < count_q)
  `FAA_ASSERT(FifoKept, !f_tracked_q ||
              mem[(f_place >= (CountW+1)'(Depth)) ? PtrW'(f_place - (CountW+1)'(Depth)) : PtrW'(f_place)] == f_data_q)
  `FAA_ASSERT(FifoOrder, !(f_tracked_q && f_ahead_q == '0) || data_o == f_data_q)
`endif

endmodule
