// SPDX-License-Identifier: Apache-2.0
//
// Which of Depth lines have arrived since their last request, and whether with an error.
//
// Two RAMs of one write port each hold a bit per line: a request makes the bits differ, the
// response makes them equal. So the state needs no flip-flops and no reset; outputs for a line that
// was never requested are undefined.
//
// Latency: shown in the cycle after the request or the response. Throughput: a request and a
// response per cycle. Hazard: a line must not be requested again before its response.

`include "faa_assert.svh"

module faa_cu_arrived #(
  parameter int unsigned Depth = 128,
  localparam int unsigned IndexW = $clog2(Depth)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              ask_i,
  input  logic [IndexW-1:0] ask_index_i,
  input  logic              rsp_i,
  input  logic [IndexW-1:0] rsp_index_i,
  input  logic              rsp_err_i,

  input  logic [IndexW-1:0] at_i,
  output logic              have_o,
  output logic              bad_o
);

  logic       asked_q [Depth];
  logic [1:0] got_q [Depth];           // {error, arrived}
  logic [1:0] got, got_before;
  logic       asked;

  assign got_before = got_q[ask_index_i];
  assign asked      = asked_q[rsp_index_i];
  assign got        = got_q[at_i];

  always_ff @(posedge clk_i) if (ask_i) asked_q[ask_index_i] <= !got_before[0];
  always_ff @(posedge clk_i) if (rsp_i) got_q[rsp_index_i] <= {rsp_err_i, asked};

  assign have_o = asked_q[at_i] == got[0];
  assign bad_o  = got[1];

  logic unused;
  assign unused = got_before[1];

  `FAA_ASSERT(response_was_asked_for, !rsp_i || asked != got_q[rsp_index_i][0])
  `FAA_COVER(arrives_as_another_is_asked_for, ask_i && rsp_i)

endmodule
