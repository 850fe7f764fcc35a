// SPDX-License-Identifier: Apache-2.0
//
// Lends the one translation port of a compute unit to its clients, for one request and its response at a time; to access as long as
// its next request comes with the response.
//
// Clients by priority: 0 access, 1 operands, 2 fetch. Latency: one cycle to choose. Throughput: of access, a request per cycle. Stall: X1
// the port is lent.

`include "faa_assert.svh"

module faa_cu_tr_arb (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic [2:0]   valid_i,
  output logic [2:0]   ready_o,
  input  logic [63:0]  va0_i,
  input  logic [63:0]  va1_i,
  input  logic [63:0]  va2_i,
  input  logic         write0_i,
  input  logic         atomic0_i,
  output logic [2:0]   rsp_valid_o,
  output logic         idle_o,

  output logic         tr_valid_o,
  input  logic         tr_ready_i,
  output logic [63:0]  tr_va_o,
  output logic         tr_write_o,
  output logic         tr_atomic_o,
  input  logic         tr_rsp_valid_i
);

  logic       lent_q, sent_q, again;
  logic [1:0] owner_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lent_q <= 1'b0;
      sent_q <= 1'b0;
    end else if (!lent_q) begin
      lent_q <= |valid_i;
      sent_q <= 1'b0;
    end else begin
      if (tr_valid_o && tr_ready_i) sent_q <= 1'b1;
      else if (tr_rsp_valid_i) sent_q <= 1'b0;
      if (tr_rsp_valid_i && !again) lent_q <= 1'b0;
    end
    if (!lent_q) owner_q <= valid_i[0] ? 2'd0 : valid_i[1] ? 2'd1 : 2'd2;
  end

  // The others leave a cycle between a response and their next request.
  assign again       = owner_q == 2'd0 && valid_i[0] && tr_rsp_valid_i;
  assign tr_valid_o  = lent_q && (!sent_q || again);
  assign tr_va_o     = owner_q == 2'd0 ? va0_i : owner_q == 2'd1 ? va1_i : va2_i;
  assign tr_write_o  = owner_q == 2'd0 && write0_i;
  assign tr_atomic_o = owner_q == 2'd0 && atomic0_i;
  assign ready_o     = tr_valid_o && tr_ready_i ? 3'd1 << owner_q : 3'd0;
  assign rsp_valid_o = tr_rsp_valid_i ? 3'd1 << owner_q : 3'd0;
  assign idle_o      = !lent_q && valid_i == '0;

  `FAA_ASSERT_STABLE(request_stable, tr_valid_o, tr_ready_i, {tr_va_o, tr_write_o, tr_atomic_o})
  `FAA_ASSERT(response_was_asked_for, !tr_rsp_valid_i || (lent_q && sent_q))
  `FAA_COVER(request_per_cycle, again && tr_ready_i)
  `FAA_COVER(stall_x1, lent_q && |(valid_i & ~(3'd1 << owner_q)))

endmodule
