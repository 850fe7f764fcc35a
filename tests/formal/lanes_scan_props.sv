// SPDX-License-Identifier: Apache-2.0
//
// faa_lanes_scan: each position gets the combination of its segment from the first position up to
// this one, as a loop from left to right computes it, for every operation. Latency is fixed: beats
// in flight are kept in registers.

`include "formal.svh"

module lanes_scan_props #(
  parameter int unsigned Lanes = 4,
  parameter int unsigned Width = 3
) (
  input logic                        clk_i,
  input logic                        run_i,
  input logic                        valid_i,
  input faa_lanes_pkg::combine_t     how_i,
  input logic [Lanes-1:0]            open_i,
  input logic [Lanes-1:0][Width-1:0] value_i
);

  localparam int unsigned Cycles = 2 * $clog2(Lanes);

  logic                        valid;
  logic [Lanes-1:0][Width-1:0] value;
  `FORMAL_RESET

  faa_lanes_scan #(.Lanes(Lanes), .Width(Width)) u_scan (
    .clk_i, .rst_ni, .valid_i, .how_i, .open_i, .value_i, .valid_o(valid), .value_o(value)
  );

  function automatic logic [Width-1:0] together(input faa_lanes_pkg::combine_t how, input logic [Width-1:0] a,
                                                input logic [Width-1:0] b);
    logic less;
    less = how.sign ? $signed(a) < $signed(b) : a < b;
    if (how.order) together = less == how.max ? b : a;
    else begin
      case (how.op)
        faa_lanes_pkg::COMBINE_ADD:   together = a + b;
        faa_lanes_pkg::COMBINE_AND:   together = a & b;
        faa_lanes_pkg::COMBINE_XOR:   together = a ^ b;
        faa_lanes_pkg::COMBINE_OLDER: together = a;
        faa_lanes_pkg::COMBINE_YOUNGER: together = b;
        default:                      together = a | b;  // COMBINE_OR, and undefined values
      endcase
    end
  endfunction

  logic [Cycles:1]             valid_q;
  faa_lanes_pkg::combine_t     how_q [Cycles+1];
  logic [Lanes-1:0]            open_q [Cycles+1];
  logic [Lanes-1:0][Width-1:0] sent_q [Cycles+1];
  assign how_q[0]  = how_i;
  assign open_q[0] = open_i;
  assign sent_q[0] = value_i;
  for (genvar n = 1; n <= Cycles; n++) begin : g_beat
    always_ff @(posedge clk_i) begin
      valid_q[n] <= rst_ni && (n == 1 ? valid_i : valid_q[n == 1 ? 1 : n-1]);
      how_q[n]   <= how_q[n-1];
      open_q[n]  <= open_q[n-1];
      sent_q[n]  <= sent_q[n-1];
    end
  end

  logic [Lanes-1:0][Width-1:0] expected;
  always_comb begin
    expected[0] = sent_q[Cycles][0];
    for (int p = 1; p < Lanes; p++) begin
      expected[p] = open_q[Cycles][p] ? together(how_q[Cycles], expected[p-1], sent_q[Cycles][p]) : sent_q[Cycles][p];
    end
  end

  `FAA_ASSERT(BeatsComeInTime, valid == valid_q[Cycles])
  `FAA_ASSERT(AsTheLoop, !valid || value == expected)

endmodule
