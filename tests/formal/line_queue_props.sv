// SPDX-License-Identifier: Apache-2.0
//
// A queue with a bypass. Any accepted request is followed: it leaves once, unchanged, after exactly
// those that were accepted before it, and as many leave as are accepted.

`include "formal.svh"

module line_queue_props #(
  parameter int unsigned Width = 3,
  parameter int unsigned Depth = 4
) (
  input logic             clk_i,
  input logic             run_i,
  input logic             valid_i,
  input logic [Width-1:0] data_i,
  input logic             ready_i,
  input logic             pick_i
);

  `FORMAL_RESET

  localparam int unsigned CountW = $clog2(Depth + 1) + 1;

  logic              ready, valid, idle, tracked_q;
  logic [Width-1:0]  data, data_q;
  logic [CountW-1:0] there_q, ahead_q;

  faa_line_queue #(.Width(Width), .Depth(Depth)) u_queue (
    .clk_i, .rst_ni, .valid_i, .ready_o(ready), .data_i, .valid_o(valid), .ready_i, .data_o(data), .idle_o(idle)
  );

  logic enters, leaves, leaves_tracked;
  assign enters         = valid_i && ready;
  assign leaves         = valid && ready_i;
  assign leaves_tracked = tracked_q && leaves && ahead_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      there_q   <= '0;
      tracked_q <= 1'b0;
    end else begin
      there_q <= there_q + CountW'(enters) - CountW'(leaves);
      if (tracked_q) begin
        if (leaves_tracked) tracked_q <= 1'b0;
        if (leaves) ahead_q <= ahead_q - CountW'(1);
      end else if (enters && pick_i && !(there_q == '0 && leaves)) begin
        tracked_q <= 1'b1;
        ahead_q   <= there_q - CountW'(leaves);
        data_q    <= data_i;
      end
    end
  end

  `FAA_ASSERT(LeavesUnchanged, !leaves_tracked || data == data_q)
  // A request that leaves in the cycle in which it comes is unchanged.
  `FAA_ASSERT(PassesUnchanged, !(leaves && there_q == '0) || (enters && data == data_i))
  `FAA_ASSERT(NoneMadeOrLost, valid == (valid_i || there_q != '0) && there_q <= CountW'(Depth) && (!tracked_q || ahead_q < there_q))
  `FAA_ASSERT(IdleIsEmpty, idle == (there_q == '0))
  `FAA_ASSERT(TakesWithRoom, ready == (there_q != CountW'(Depth)))
  // As an offer at the input port is stable, so is the offer to the slice.
  `FAA_ASSUME_STABLE(RequestStays, valid_i, ready, data_i)
  `FAA_ASSERT_STABLE(OfferStays, valid, ready_i, data)

endmodule
