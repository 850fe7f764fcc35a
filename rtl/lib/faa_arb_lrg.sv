// SPDX-License-Identifier: Apache-2.0
//
// Least-recently-granted arbiter: round robin that is also fair to requesters whose requests come
// and go, because a requester keeps its place in the order until it is granted.
//
// Combinational from req_i to grant_o; in cycles with advance_i the granted one moves to the end of
// the order.

`include "faa_assert.svh"

module faa_arb_lrg #(
  parameter int unsigned N = 2
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic [N-1:0] req_i,
  // One-hot, or 0 without a request.
  output logic [N-1:0] grant_o,
  input  logic         advance_i
);

  // Bit i*N+j: i comes before j. Kept for both (i, j) and (j, i); the diagonal stays 0.
  logic [N*N-1:0] before_q, before_d;

  for (genvar i = 0; i < N; i++) begin : gen_row
    logic [N-1:0] rivals;
    for (genvar j = 0; j < N; j++) begin : gen_column
      assign rivals[j] = req_i[j] && before_q[j*N+i];
      if (i == j) begin : gen_diagonal
        assign before_d[i*N+j] = 1'b0;
      end else begin : gen_pair
        assign before_d[i*N+j] = (before_q[i*N+j] || grant_o[j]) && !grant_o[i];
      end
    end
    assign grant_o[i] = req_i[i] && rivals == '0;
  end

  // At reset lower numbers come first.
  for (genvar i = 0; i < N; i++) begin : gen_state_row
    for (genvar j = 0; j < N; j++) begin : gen_state
      always_ff @(posedge clk_i) begin
        if (!rst_ni) before_q[i*N+j] <= i < j;
        else if (advance_i) before_q[i*N+j] <= before_d[i*N+j];
      end
    end
  end

  logic ordered;
  always_comb begin
    ordered = 1'b1;
    for (int unsigned i = 0; i < N; i++) begin
      for (int unsigned j = 0; j < N; j++) begin
        if ((i == j) ? before_q[i*N+j] : (before_q[i*N+j] == before_q[j*N+i])) ordered = 1'b0;
      end
    end
  end
  `FAA_ASSERT(LrgAntisymmetric, ordered)
  `FAA_ASSERT(LrgOneHot, (grant_o & (grant_o - N'(1))) == '0)
  `FAA_ASSERT(LrgWorks, (req_i == '0) == (grant_o == '0))

`ifdef FORMAL
  // Any requester: grants to others while it requested, and requesters that still come before it.
  // Its request may come and go.
  localparam int unsigned CountW = $clog2(N + 1) + 1;
  (* anyconst *) logic [$clog2(N)-1:0] f_who;
  logic [CountW-1:0] f_waited_q = '0;
  logic [CountW-1:0] f_before;
  logic              f_transitive;
  always_comb begin
    f_before     = '0;
    f_transitive = 1'b1;
    for (int unsigned i = 0; i < N; i++) begin
      f_before = f_before + CountW'(before_q[i*N + 32'(f_who)]);
      for (int unsigned j = 0; j < N; j++) begin
        for (int unsigned k = 0; k < N; k++) begin
          if (before_q[i*N+j] && before_q[j*N+k] && !before_q[i*N+k]) f_transitive = 1'b0;
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_waited_q <= '0;
    else if (advance_i && grant_o[f_who]) f_waited_q <= '0;
    else if (advance_i && req_i[f_who]) f_waited_q <= f_waited_q + CountW'(1);
  end
  `FAA_ASSUME(LrgWho, CountW'(f_who) < CountW'(N))
  `FAA_ASSERT(LrgOrder, f_transitive)
  `FAA_ASSERT(LrgFair, f_waited_q <= CountW'(N - 1) && f_waited_q + f_before <= CountW'(N - 1))
`endif

endmodule
