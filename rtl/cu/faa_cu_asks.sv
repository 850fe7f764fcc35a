// SPDX-License-Identifier: Apache-2.0
//
// Requests of a warp to the TLB, several of which are in flight. Lanes and page of each are kept
// until its response; responses come in the order of the requests.
//
// A request stays until it is taken; others may follow while it is in flight. After the first error
// nothing is granted.
//
// Latency: none. Throughput: one request per cycle. Stalls: TRL-S1 (waiting for the TLB, part of
// STALL_GLOBAL).

`include "faa_assert.svh"

module faa_cu_asks (
  input  logic         clk_i,
  input  logic         rst_ni,

  // Page by page: next_i: request these lanes of this page; no error has been found
  input  logic         run_i,
  input  logic         next_i,
  input  logic [31:0]  lanes_i,
  input  logic [63:12] page_i,
  input  logic         failed_i,   // an error has been found
  output logic         asking_o,   // the last request is not taken yet: lanes and page stay
  output logic         asked_o,    // taken in this cycle
  output logic         quiet_o,    // from the next cycle on nothing is requested or awaited,
                                   // but for a request of next_i

  // A response: its lanes and page; it is good, or the first error
  output logic         granted_o,
  output logic         fails_o,
  output logic [31:0]  lanes_o,
  output logic [63:12] page_o,

  // Translation port
  output logic         tr_valid_o,
  input  logic         tr_ready_i,
  input  logic         tr_rsp_valid_i,
  input  logic [7:0]   tr_rsp_error_i
);

  logic room, waiting, good;
  logic [$clog2(faa_cu_pkg::TRANSLATIONS+1)-1:0] requests;

  assign tr_valid_o = run_i && (asking_o || (next_i && room));
  assign asked_o    = tr_valid_o && tr_ready_i;
  assign good       = tr_rsp_error_i == faa_pkg::ERROR_SUCCESS;
  assign granted_o  = waiting && tr_rsp_valid_i && !failed_i && good;
  assign fails_o    = waiting && tr_rsp_valid_i && !failed_i && !good;
  assign quiet_o    = !(run_i && asking_o) && (!waiting || (tr_rsp_valid_i && requests == 1));

  faa_fifo #(.Width(32 + 52), .Depth(faa_cu_pkg::TRANSLATIONS)) u_asked (
    .clk_i, .rst_ni, .valid_i(asked_o), .ready_o(room), .data_i({lanes_i, page_i}), .valid_o(waiting),
    .ready_i(tr_rsp_valid_i && waiting), .data_o({lanes_o, page_o}), .count_o(requests)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) asking_o <= 1'b0;
    else asking_o <= tr_valid_o && !tr_ready_i;
  end

  `FAA_ASSERT(response_is_awaited, !waiting || run_i)
  `FAA_COVER(stall_t1, waiting && !tr_rsp_valid_i)
  `FAA_COVER(request_per_cycle, asked_o && granted_o)
  `FAA_COVER(asked_behind_an_error, fails_o && tr_valid_o)
  `FAA_COVER(asked_ahead, fails_o && requests > 1)

endmodule
