// SPDX-License-Identifier: Apache-2.0
//
// Choice words (faa_shared_links): follows the link of each position, to its next success, up to
// the last one.
//
// Latency: Cycles, at least (log2(Lanes) + 1) / 2. Throughput: one beat per cycle. It never stalls.

module faa_shared_ends #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Cycles = 13,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        valid_i,
  input  logic [Lanes-1:0][LaneW-1:0] next_i,
  output logic [Lanes-1:0][LaneW-1:0] next_o,
  output logic [Lanes-1:0][LaneW-1:0] end_o
);

  localparam int unsigned Hops = (LaneW + 1) / 2;

  logic [Hops:0]               valid;
  logic [Hops-1:0]             valid_q;
  logic [Lanes-1:0][LaneW-1:0] link [Hops+1];

  assign valid   = {valid_q, valid_i};
  assign link[0] = next_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid[Hops-1:0];
  end

  for (genvar s = 0; s < Hops; s++) begin : g_hop
    logic [Lanes-1:0]            unused_set;
    logic [Lanes-1:0][LaneW-1:0] link_d;

    faa_shared_follow #(
      .Lanes(Lanes)
    ) u_follow (
      .en_i  (valid[s]),
      .set_i ('0),
      .link_i(link[s]),
      .set_o (unused_set),
      .link_o(link_d)
    );

    always_ff @(posedge clk_i) if (valid[s]) link[s+1] <= link_d;
  end

  logic unused;
  assign unused = valid[Hops];

  faa_lanes_delay #(
    .Width (Lanes * LaneW),
    .Cycles(Cycles - Hops)
  ) u_end (
    .clk_i,
    .rst_ni,
    .data_i(link[Hops]),
    .data_o(end_o)
  );

  faa_lanes_delay #(
    .Width (Lanes * LaneW),
    .Cycles(Cycles)
  ) u_next (
    .clk_i,
    .rst_ni,
    .data_i(next_i),
    .data_o(next_o)
  );

endmodule
