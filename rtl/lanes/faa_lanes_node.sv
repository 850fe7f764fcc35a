// SPDX-License-Identifier: Apache-2.0
//
// Combines the operands of two consecutive lanes, minimum and maximum included. If open_i is 0, the
// result is the younger operand.
//
// Latency: 2 cycles: the comparison, then the choice or the sum. Throughput: one per cycle. en_i[n]
// enables the registers of cycle n.

module faa_lanes_node #(
  parameter int unsigned Width = 32
) (
  input  logic                    clk_i,
  input  logic [1:0]              en_i,
  input  faa_lanes_pkg::combine_t how_i,
  input  logic                    open_i,
  input  logic [Width-1:0]        a_i,    // the older one
  input  logic [Width-1:0]        b_i,
  output logic [Width-1:0]        y_o
);

  logic             less;
  logic [2:0]       op_q;
  logic [Width-1:0] a_q, b_q, y;

  faa_lanes_less #(
    .Width(Width)
  ) u_less (
    .a_i   ({a_i[Width-1] ^ how_i.sign, a_i[Width-2:0]}),
    .b_i   ({b_i[Width-1] ^ how_i.sign, b_i[Width-2:0]}),
    .less_o(less)
  );

  faa_lanes_combine #(
    .Width(Width)
  ) u_combine (
    .op_i(op_q),
    .a_i (a_q),
    .b_i (b_q),
    .y_o (y)
  );

  always_ff @(posedge clk_i) begin
    if (en_i[0]) begin
      a_q <= a_i;
      b_q <= b_i;
      if (!open_i) op_q <= faa_lanes_pkg::COMBINE_YOUNGER;
      else if (!how_i.order) op_q <= how_i.op;
      else op_q <= less ^ how_i.max ? faa_lanes_pkg::COMBINE_OLDER : faa_lanes_pkg::COMBINE_YOUNGER;
    end
    if (en_i[1]) y_o <= y;
  end

endmodule
