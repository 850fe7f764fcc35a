// SPDX-License-Identifier: Apache-2.0
//
// faa_lanes_compact followed by faa_lanes_expand. Each kept item of a beat comes out once,
// unchanged, in order, in the lowest positions; and each position gets back the item of the next
// kept position at or after its own. The module asserts that no two items meet (items_do_not_meet).
// Latency is fixed: beats in flight are kept in registers and checked when they come out.

`include "formal.svh"

module lanes_compact_props #(
  parameter int unsigned Lanes = 8,
  parameter int unsigned DataW = 2,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input logic                        clk_i,
  input logic                        run_i,
  input logic                        valid_i,
  input logic [Lanes-1:0]            keep_i,
  input logic [Lanes-1:0][DataW-1:0] data_i
);

  localparam int unsigned Steps  = (LaneW + 1) / 2;
  localparam int unsigned There  = 2 + Steps;      // latency of compact
  localparam int unsigned Cycles = There + Steps;  // latency of both

  logic                        c_valid, e_valid;
  logic [Lanes-1:0]            c_any;
  logic [Lanes-1:0][DataW-1:0] c_data, e_data;
  logic [Lanes-1:0][LaneW-1:0] c_below;
  `FORMAL_RESET

  faa_lanes_compact #(.Lanes(Lanes), .DataW(DataW)) u_compact (
    .clk_i, .rst_ni, .valid_i, .keep_i, .data_i, .valid_o(c_valid), .any_o(c_any), .data_o(c_data), .below_o(c_below)
  );

  faa_lanes_expand #(.Lanes(Lanes), .DataW(DataW)) u_expand (
    .clk_i, .rst_ni, .valid_i(c_valid), .below_i(c_below), .data_i(c_data), .valid_o(e_valid), .data_o(e_data)
  );

  logic [Cycles:1]             valid_q;
  logic [Lanes-1:0]            keep_q [Cycles+1];
  logic [Lanes-1:0][DataW-1:0] sent_q [Cycles+1];
  assign keep_q[0] = keep_i;
  assign sent_q[0] = data_i;
  for (genvar n = 1; n <= Cycles; n++) begin : g_beat
    always_ff @(posedge clk_i) begin
      valid_q[n] <= rst_ni && (n == 1 ? valid_i : valid_q[n == 1 ? 1 : n-1]);
      keep_q[n]  <= keep_q[n-1];
      sent_q[n]  <= sent_q[n-1];
    end
  end

  // Expected output of compact and expand
  logic [LaneW:0] number, below;
  logic           items, ways, back, next;
  logic [DataW-1:0] item;
  always_comb begin
    number = '0;
    below  = '0;
    items  = 1'b1;
    ways   = 1'b1;
    for (int p = 0; p < Lanes; p++) begin
      if (c_below[p] != LaneW'(below)) ways = 1'b0;
      for (int n = 0; n < Lanes; n++) if (keep_q[There][p] && number == (LaneW+1)'(n) && c_data[n] != sent_q[There][p]) items = 1'b0;
      if (keep_q[There][p]) number = number + (LaneW+1)'(1);
      else below = below + (LaneW+1)'(1);
    end
    back = 1'b1;
    next = 1'b0;
    item = '0;
    for (int p = Lanes - 1; p >= 0; p--) begin
      if (keep_q[Cycles][p]) begin
        next = 1'b1;
        item = sent_q[Cycles][p];
      end
      if (next && e_data[p] != item) back = 1'b0;
    end
  end

  `FAA_ASSERT(BeatsComeInTime, c_valid == valid_q[There] && e_valid == valid_q[Cycles])
  `FAA_ASSERT(AsManyAsAreKept, !c_valid || c_any == Lanes'(((Lanes+1)'(1) << number) - (Lanes+1)'(1)))
  `FAA_ASSERT(ItemsInOrder, !c_valid || items)
  `FAA_ASSERT(WaysAreKnown, !c_valid || ways)
  `FAA_ASSERT(ItemsComeBack, !e_valid || back)

endmodule
