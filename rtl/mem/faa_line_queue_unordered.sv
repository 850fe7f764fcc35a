// SPDX-License-Identifier: Apache-2.0
//
// faa_line_queue with the defects "line-order" and "load-order", for builds with FAA_DEFECTS: a new
// request overtakes those that wait, except the oldest one; or a load overtakes other loads.
// Without a defect it is a queue like faa_line_queue.
//
// Latency and throughput are those of faa_line_queue.

`include "faa_assert.svh"
`include "faa_defect.svh"

module faa_line_queue_unordered #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             valid_i,
  output logic             ready_o,
  input  logic             load_i,
  input  logic [Width-1:0] data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o,

  output logic             idle_o
);

  localparam int unsigned CountW = $clog2(Depth + 1);

  `FAA_DEFECT(line_order, "line-order")
  `FAA_DEFECT(load_order, "load-order")

  // The oldest request is number 0.
  logic [Width-1:0]  data_q [Depth];
  logic [Depth-1:0]  load_q, load_left;
  logic [CountW-1:0] count_q, left, place;
  logic              push, pop;

  assign idle_o  = count_q == '0;
  assign ready_o = count_q != CountW'(Depth);
  assign valid_o = valid_i || !idle_o;
  assign data_o  = idle_o ? data_i : data_q[0];
  assign pop     = !idle_o && ready_i;
  assign push    = valid_i && ready_o && !(idle_o && ready_i);

  assign left      = count_q - CountW'(pop);
  assign load_left = pop ? load_q >> 1 : load_q;

  // Position of the new request among those that remain.
  always_comb begin
    place = left;
    for (int unsigned i = Depth - 1; i > 0; i--) begin
      if (place == CountW'(i + 1) && (line_order || (load_order && load_i && load_left[i]))) place = CountW'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= left + CountW'(push);
    for (int unsigned i = 0; i < Depth; i++) begin
      if (push && place == CountW'(i)) begin
        data_q[i] <= data_i;
        load_q[i] <= load_i;
      end else if (push && CountW'(i) > place) begin
        if (!pop) begin
          data_q[i] <= data_q[i-1];
          load_q[i] <= load_q[i-1];
        end
      end else if (pop && i + 1 < Depth) begin
        data_q[i] <= data_q[i+1];
        load_q[i] <= load_q[i+1];
      end
    end
  end

  `FAA_COVER(unordered_passes, push && place != left)

endmodule
