// SPDX-License-Identifier: Apache-2.0
//
// Round-robin arbiter: grants the first requester after the one that was served last.
//
// Combinational from req_i to grant_o; the turn passes on in cycles with advance_i. A requester that keeps requesting is
// served after at most N - 1 others. A request may be withdrawn at any time.

`include "faa_assert.svh"

module faa_arb_rr #(
  parameter int unsigned N = 2
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic [N-1:0] req_i,
  // One-hot, or 0 without a request.
  output logic [N-1:0] grant_o,
  // 1: the granted requester has been served.
  input  logic         advance_i
);

  // Requesters above the last one served: these come first.
  logic [N-1:0] mask_q, masked;

  assign masked  = req_i & mask_q;
  assign grant_o = (masked != '0) ? (masked & (~masked + N'(1))) : (req_i & (~req_i + N'(1)));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) mask_q <= '1;
    else if (advance_i && req_i != '0) mask_q <= ~(grant_o | (grant_o - N'(1)));
  end

  `FAA_ASSERT(ArbOneHot, (grant_o & (grant_o - N'(1))) == '0)
  `FAA_ASSERT(ArbGrantsRequest, (grant_o & ~req_i) == '0)
  `FAA_ASSERT(ArbWorks, (req_i == '0) == (grant_o == '0))

endmodule
