// SPDX-License-Identifier: Apache-2.0
//
// Lines that have arrived, against a bit for each line: lines are requested in any order, each
// again when its response has come, and answered in any order.

`include "formal.svh"

module cu_arrived_props #(
  parameter int unsigned Depth = 4,
  localparam int unsigned IndexW = $clog2(Depth)
) (
  input logic              clk_i,
  input logic              run_i,
  input logic              ask_i,
  input logic [IndexW-1:0] ask_index_i,
  input logic              rsp_i,
  input logic [IndexW-1:0] rsp_index_i,
  input logic              rsp_err_i,
  input logic [IndexW-1:0] at_i
);

  `FORMAL_RESET

  // Lines that were requested at least once, that are not answered, that have an error
  logic [Depth-1:0] known_q, waits_q, bad_q;
  logic             have, bad;

  faa_cu_arrived #(.Depth(Depth)) u_arrived (
    .clk_i, .rst_ni, .ask_i, .ask_index_i, .rsp_i, .rsp_index_i, .rsp_err_i, .at_i, .have_o(have),
    .bad_o(bad)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q <= '0;
      waits_q <= '0;
    end else begin
      if (ask_i) begin
        known_q[ask_index_i] <= 1'b1;
        waits_q[ask_index_i] <= 1'b1;
      end
      if (rsp_i) begin
        waits_q[rsp_index_i] <= 1'b0;
        bad_q[rsp_index_i]   <= rsp_err_i;
      end
    end
  end

  `FAA_ASSUME(AskedForAgainLater, !ask_i || !waits_q[ask_index_i])
  `FAA_ASSUME(AnswersToRequests, !rsp_i || waits_q[rsp_index_i])

  `FAA_ASSERT(ArrivedWhenAnswered, !known_q[at_i] || have == !waits_q[at_i])
  `FAA_ASSERT(ErrorOfTheAnswer, !known_q[at_i] || waits_q[at_i] || bad == bad_q[at_i])

endmodule
