// SPDX-License-Identifier: Apache-2.0
//
// Round-robin arbiter: grants the first requester after the one that was served last.
//
// Combinational from req_i to grant_o; the turn advances in cycles with advance_i. A requester that
// keeps requesting is served after at most N - 1 others. A request may be withdrawn at any time.

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

`ifdef FORMAL
  // Any requester: how often others were served since it began to wait, and how many may still come
  // before it.
  localparam int unsigned CountW = $clog2(N + 1) + 1;
  (* anyconst *) logic [$clog2(N)-1:0] f_who;
  logic [CountW-1:0] f_waited_q = '0;
  logic [CountW-1:0] f_next, f_before;
  always_comb begin
    f_next = '0;
    for (int unsigned n = 0; n < N; n++) f_next = f_next + CountW'(!mask_q[n]);
    if (f_next == CountW'(N)) f_next = '0;
    f_before = (CountW'(f_who) >= f_next) ? CountW'(f_who) - f_next : CountW'(f_who) + CountW'(N) - f_next;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !req_i[f_who]) f_waited_q <= '0;
    else if (advance_i) f_waited_q <= grant_o[f_who] ? '0 : f_waited_q + CountW'(1);
  end
  `FAA_ASSUME(ArbWho, CountW'(f_who) < CountW'(N))
  `FAA_ASSERT(ArbMaskForm, (~mask_q & (~mask_q + N'(1))) == '0)
  `FAA_ASSERT(ArbFair, f_waited_q <= CountW'(N - 1) && f_waited_q + f_before <= CountW'(N - 1))
`endif

endmodule
