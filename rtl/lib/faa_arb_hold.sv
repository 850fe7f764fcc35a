// SPDX-License-Identifier: Apache-2.0
//
// Round-robin arbiter whose requesters hold their requests until they are served; it holds a grant
// until then.
//
// Combinational from req_i to grant_o while there is no grant. A requester that keeps requesting is
// served after at most N - 1 others.

`include "faa_assert.svh"

module faa_arb_hold #(
  parameter int unsigned N = 2
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic [N-1:0] req_i,     // kept until served
  output logic [N-1:0] grant_o,   // one-hot, or 0 without a request
  input  logic         served_i
);

  if (N == 1) begin : gen_one
    assign grant_o = req_i;
    logic unused;
    assign unused = ^{clk_i, rst_ni, served_i};
  end else begin : gen_several
    logic [N-1:0] held_q;

    faa_arb_rr #(.N(N)) u_arb (
      .clk_i, .rst_ni, .req_i(held_q != '0 ? held_q : req_i), .grant_o, .advance_i(served_i)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) held_q <= '0;
      else held_q <= served_i ? '0 : grant_o;
    end

    `FAA_ASSERT_STABLE(HoldStays, grant_o != '0, served_i, grant_o)
    `FAA_ASSUME(HoldKept, (held_q & ~req_i) == '0)
    `FAA_COVER(HoldOthersWait, held_q != '0 && (req_i & ~held_q) != '0)
  end

endmodule
