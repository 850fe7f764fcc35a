// SPDX-License-Identifier: Apache-2.0
//
// Stage C0 of one port: responses of the L2, which come in any order, wait in a RAM under their tags until theirs is the oldest operation
// of the port, and go on with it in the order of sending.
//
// Latency: 2 cycles. Throughput: one line operation per cycle.

`include "faa_assert.svh"

module faa_global_answers (
  input  logic         clk_i,
  input  logic         rst_ni,

  // Responses
  input  logic         rsp_valid_i,
  input  logic [7:0]   rsp_tag_i,
  input  logic [511:0] rsp_data_i,
  input  logic         rsp_err_i,

  // The oldest operation (faa_global_lines)
  input  logic         op_valid_i,
  output logic         op_take_o,
  input  logic         op_last_i,
  input  logic         op_result_i,
  input  logic [4:0]   op_leader_i,
  input  logic [4:0]   op_rank_i,
  input  logic [51:6]  op_line_i,

  // It is answered
  output logic         valid_o,
  input  logic         ready_i,
  output logic         last_o,     // of its warp, at this port
  output logic [4:0]   leader_o,
  output logic [4:0]   rank_o,
  output logic [51:6]  line_o,
  output logic         failed_o,   // with an error
  output logic [511:0] data_o      // where answers are wanted
);

  logic [255:0] arrived_q, arrived_d, error_q;
  logic [7:0]   tag_q;
  logic         take;

  assign take      = op_valid_i && arrived_q[tag_q] && (!valid_o || ready_i);
  assign op_take_o = take;

  always_comb begin
    arrived_d = arrived_q;
    if (take) arrived_d = arrived_d & ~(256'd1 << tag_q);
    if (rsp_valid_i) arrived_d = arrived_d | (256'd1 << rsp_tag_i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arrived_q <= '0;
      tag_q     <= '0;
      valid_o   <= 1'b0;
    end else begin
      if (take || rsp_valid_i) arrived_q <= arrived_d;
      if (take) tag_q <= tag_q + 8'd1;
      if (!valid_o || ready_i) valid_o <= take;
    end
    if (rsp_valid_i) error_q <= rsp_err_i ? error_q | (256'd1 << rsp_tag_i) : error_q & ~(256'd1 << rsp_tag_i);
    if (take) begin
      last_o   <= op_last_i;
      leader_o <= op_leader_i;
      rank_o   <= op_rank_i;
      line_o   <= op_line_i;
      failed_o <= error_q[tag_q];
    end
  end

  faa_ram_1r1w #(
    .Width(512),
    .Depth(256)
  ) u_lines (
    .clk_i,
    .we_i   (rsp_valid_i),
    .waddr_i(rsp_tag_i),
    .wdata_i(rsp_data_i),
    .re_i   (take && op_result_i),
    .raddr_i(tag_q),
    .rdata_o(data_o)
  );

  `FAA_ASSUME(response_answers_an_operation, !rsp_valid_i || !arrived_q[rsp_tag_i])
  `FAA_COVER(hazard_h3, op_valid_i && !arrived_q[tag_q] && arrived_q != '0)
  `FAA_COVER(hazard_h4, take && rsp_valid_i)

endmodule
