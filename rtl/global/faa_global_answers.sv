// SPDX-License-Identifier: Apache-2.0
//
// Stage C0 of one port: responses of the L2, which come in any order, wait in a RAM at their tags
// until they belong to the oldest operation of the port, and leave in the order of sending.
//
// Tags are given out as a ring. Each tag has a flag that a response sets to the parity of the round
// of its tag; so a flag of the round before means that no response has come. The flags are
// initialised after reset, which takes a cycle for each tag (ready_o).
//
// Latency: 2 cycles. Throughput: one line operation per cycle. With Late responses and flags are
// evaluated a cycle later, and at most one operation in three cycles leaves.

`include "faa_assert.svh"

module faa_global_answers #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter bit          Late = 1'b0,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  output logic             ready_o,     // operations may be sent

  // Responses
  input  logic             rsp_valid_i,
  input  logic [7:0]       rsp_tag_i,
  input  logic [LineBytes*8-1:0] rsp_data_i,
  input  logic             rsp_err_i,

  // The oldest operation (faa_global_pack)
  input  logic             op_valid_i,
  output logic             op_take_o,
  input  logic             op_last_i,
  input  logic             op_result_i,
  input  logic [LaneW-1:0] op_leader_i,
  input  logic [LaneW-1:0] op_rank_i,
  input  logic [51:OffW]      op_line_i,

  // The oldest operation is answered
  output logic             valid_o,
  input  logic             ready_i,
  output logic             last_o,      // of its part, at this port
  output logic [LaneW-1:0] leader_o,
  output logic [LaneW-1:0] rank_o,
  output logic [51:OffW]      line_o,
  output logic             failed_o,    // with an error
  output logic [LineBytes*8-1:0] data_o       // where answers are wanted
);

  logic [1:0] flags [256];              // {the round is odd, error}
  logic [7:0] clear_q, tag_q;
  logic       round_q, put, odd, arrived, failed, take;
  logic [7:0] put_tag;
  logic [1:0] put_flags;

  logic                   rsp_valid, rsp_err;
  logic [7:0]             rsp_tag;
  logic [LineBytes*8-1:0] rsp_data;

  if (Late) begin : gen_late
    always_ff @(posedge clk_i) begin
      rsp_valid <= rst_ni && rsp_valid_i;
      rsp_tag   <= rsp_tag_i;
      rsp_data  <= rsp_data_i;
      rsp_err   <= rsp_err_i;
      // The state of the tag after one that is taken is not yet known.
      arrived   <= !take && flags[tag_q][1] == round_q;
      failed    <= flags[tag_q][0];
    end
  end else begin : gen_now
    assign rsp_valid = rsp_valid_i;
    assign rsp_tag   = rsp_tag_i;
    assign rsp_data  = rsp_data_i;
    assign rsp_err   = rsp_err_i;
    assign arrived   = flags[tag_q][1] == round_q;
    assign failed    = flags[tag_q][0];
  end

  // A tag below the oldest one belongs to the next round.
  assign odd       = round_q ^ (rsp_tag < tag_q);
  assign put       = rsp_valid || !ready_o;
  assign put_tag   = ready_o ? rsp_tag : clear_q;
  assign put_flags = ready_o ? {odd, rsp_err} : 2'b10;

  assign take      = op_valid_i && arrived && (!valid_o || (!Late && ready_i));
  assign op_take_o = take;

  always_ff @(posedge clk_i) if (put) flags[put_tag] <= put_flags;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ready_o <= 1'b0;
      clear_q <= '0;
      tag_q   <= '0;
      round_q <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      if (!ready_o) clear_q <= clear_q + 8'd1;
      if (clear_q == '1) ready_o <= 1'b1;
      if (take) {round_q, tag_q} <= {round_q, tag_q} + 9'd1;
      if (!valid_o || ready_i) valid_o <= take;
    end
    if (take) begin
      last_o   <= op_last_i;
      leader_o <= op_leader_i;
      rank_o   <= op_rank_i;
      line_o   <= op_line_i;
      failed_o <= failed;
    end
  end

  faa_ram_1r1w #(
    .Width(LineBytes * 8),
    .Depth(256)
  ) u_lines (
    .clk_i,
    .we_i   (rsp_valid),
    .waddr_i(rsp_tag),
    .wdata_i(rsp_data),
    .re_i   (take && op_result_i),
    .raddr_i(tag_q),
    .rdata_o(data_o)
  );

  `FAA_ASSUME(response_answers_an_operation,
              !rsp_valid || (ready_o && flags[rsp_tag][1] != odd))
  `FAA_COVER(hazard_h3, op_valid_i && !arrived && flags[tag_q+8'd1][1] == (round_q ^ (tag_q == '1)))
  `FAA_COVER(hazard_h4, take && rsp_valid)

endmodule
