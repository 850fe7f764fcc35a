// SPDX-License-Identifier: Apache-2.0
//
// Queue of the requests of one port of a unit for one L2 slice, with a bypass while it is empty: a
// slice that has no room in a cycle does not stall the unit's requests to other slices.
//
// Latency: none through an empty queue. Throughput: one request per cycle. Hazards: none; ready_o
// is a register's output. Single: a register instead, with 1 cycle and a request per two cycles.

`include "faa_assert.svh"

module faa_line_queue #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4,
  parameter bit Single = 1'b0
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

  if (Single) begin : gen_single
    faa_skid #(.Width(Width), .HalfRate(1'b1)) u_request (
      .clk_i, .rst_ni, .valid_i, .ready_o, .data_i, .valid_o, .ready_i, .data_o
    );
    assign idle_o = !valid_o;
  end else begin : gen_queue
    logic                       queued, passes, enters, leaves, room, full_q;
    logic [Width-1:0]           oldest;
    logic [$clog2(Depth+1)-1:0] count;

    assign idle_o  = !queued;
    assign valid_o = valid_i || queued;
    assign data_o  = queued ? oldest : data_i;
    assign passes  = !queued && ready_i;
    assign enters  = valid_i && !passes;
    assign leaves  = queued && ready_i;
    assign ready_o = !full_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) full_q <= 1'b0;
      else full_q <= !leaves && (full_q || (enters && 32'(count) == Depth - 1));
    end

    faa_fifo #(.Width(Width), .Depth(Depth)) u_queue (
      .clk_i, .rst_ni, .valid_i(enters), .ready_o(room), .data_i, .valid_o(queued), .ready_i,
      .data_o(oldest), .count_o(count)
    );

    `FAA_ASSERT(line_queue_room, room == !full_q)
    `FAA_COVER(line_queue_full, valid_i && !ready_o)
    `FAA_COVER(line_queue_passed, valid_i && passes)
  end

endmodule
