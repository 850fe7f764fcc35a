// SPDX-License-Identifier: Apache-2.0
//
// Queue of line requests of one unit before one L2 slice, which they pass by while it is empty: a slice that has no room in a cycle does not
// hold up what the unit asks the others for.
//
// Latency: none through an empty queue. Throughput: one request per cycle. Hazards: none; ready_o comes from a register.

`include "faa_assert.svh"

module faa_line_queue #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4,   // power of two
  localparam int unsigned PtrW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o,

  output logic             idle_o    // empty
);

  logic [Width-1:0] mem [Depth];
  logic [PtrW-1:0]  head_q, tail_q;
  logic [PtrW:0]    count_q;
  logic             push, pop;

  assign idle_o  = count_q == '0;
  assign ready_o = count_q != (PtrW+1)'(Depth);
  assign valid_o = valid_i || !idle_o;
  assign data_o  = idle_o ? data_i : mem[head_q];
  assign push    = valid_i && ready_o && !(idle_o && ready_i);
  assign pop     = !idle_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (pop) head_q <= head_q + PtrW'(1);
      if (push) tail_q <= tail_q + PtrW'(1);
      if (push != pop) count_q <= push ? count_q + (PtrW+1)'(1) : count_q - (PtrW+1)'(1);
    end
    if (push) mem[tail_q] <= data_i;
  end

  `FAA_COVER(line_queue_full, valid_i && !ready_o)
  `FAA_COVER(line_queue_passed, valid_i && idle_o && ready_i)

endmodule
