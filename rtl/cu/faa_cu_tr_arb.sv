// SPDX-License-Identifier: Apache-2.0
//
// Lends the one translation port of a compute unit to its clients, request by request. Responses
// come in the order of the requests and go to the client that made the request. A client with
// several requests in flight gets its responses in order.
//
// Clients by priority: 0 access, 1 operands, 2 fetch, 3 surfaces. Latency: one cycle to choose,
// none for access if it announces its requests a cycle before it makes them. With Late responses
// come a cycle later, from registers. Throughput: of access, a request per cycle. Stalls: ARB-S1
// (the port is lent).

`include "faa_assert.svh"

module faa_cu_tr_arb #(
  parameter bit Late = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         access_next_i,  // the port may be lent to access in the next cycle
  input  logic [3:0]   valid_i,
  output logic [3:0]   ready_o,
  input  faa_bundle_pkg::tr_req_t [3:0] req_i,
  output logic [3:0]   rsp_valid_o,
  output faa_bundle_pkg::tr_rsp_t rsp_o,
  output logic         idle_o,         // no request has been chosen or is unanswered

  output logic         tr_valid_o,
  input  logic         tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic         tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i
);

  logic       lent_q, sent, waiting, room;
  logic [1:0] owner_q, asker;
  logic [3:0] next, rsp_valid;
  logic [$clog2(faa_cu_pkg::TRANSLATIONS+1)-1:0] count;

  // Clients other than access leave a cycle between two requests: in the cycle of a transfer they
  // still show the request that is sent.
  assign sent = tr_valid_o && tr_ready_i;
  assign next = {valid_i[3:1] & ~(sent ? 3'(4'd1 << owner_q >> 1) : 3'd0), access_next_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) lent_q <= 1'b0;
    else if (!tr_valid_o || sent) lent_q <= |next;
    if (!tr_valid_o || sent) owner_q <= next[0] ? 2'd0 : next[1] ? 2'd1 : next[2] ? 2'd2 : 2'd3;
  end

  // Clients, in the order of the requests. The FIFO has room for all that the TLB takes.
  faa_fifo #(.Width(2), .Depth(faa_cu_pkg::TRANSLATIONS)) u_askers (
    .clk_i, .rst_ni, .valid_i(sent), .ready_o(room), .data_i(owner_q), .valid_o(waiting), .ready_i(tr_rsp_valid_i), .data_o(asker),
    .count_o(count)
  );

  assign tr_valid_o  = lent_q && |(valid_i & 4'd1 << owner_q);
  assign tr_req_o    = req_i[owner_q];
  // Independent of the owner's valid, to keep it out of the path of ready.
  assign ready_o     = lent_q && tr_ready_i ? 4'd1 << owner_q : 4'd0;
  assign rsp_valid   = tr_rsp_valid_i ? 4'd1 << asker : 4'd0;

  // A request that a client is about to make shows in the client: idle_o ignores it.
  if (Late) begin : gen_late
    always_ff @(posedge clk_i) begin
      rsp_valid_o <= rst_ni ? rsp_valid : '0;
      rsp_o       <= tr_rsp_i;
    end
    assign idle_o = !waiting && !lent_q && rsp_valid_o == '0;
  end else begin : gen_now
    assign rsp_valid_o = rsp_valid;
    assign rsp_o       = tr_rsp_i;
    assign idle_o      = !waiting && !lent_q;
  end

  logic unused;
  assign unused = ^count;

  `FAA_ASSERT_STABLE(request_stable, tr_valid_o, tr_ready_i, tr_req_o)
  `FAA_ASSERT(response_was_asked_for, !tr_rsp_valid_i || waiting)
  `FAA_ASSERT(askers_fit, !sent || room)
  `FAA_COVER(request_per_cycle, sent && owner_q == 2'd0 && waiting)
  `FAA_COVER(two_clients_wait, tr_rsp_valid_i && sent && owner_q != asker)
  `FAA_COVER(stall_x1, lent_q && |(valid_i & ~(4'd1 << owner_q)))

endmodule
