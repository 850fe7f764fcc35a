// SPDX-License-Identifier: Apache-2.0
//
// Segmented inclusive prefix: at each position the combination of the operands of its segment up to
// its own, from left to right. open_i[p]: position p continues the segment of the position before.
//
// Sklansky's network, two cycles per level: comparison, then choice or sum (faa_lanes_node).
// Latency: 2 * log2(Lanes) cycles. Throughput: one beat per cycle. It never stalls.

module faa_lanes_scan #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Width = 32,
  localparam int unsigned Levels = $clog2(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        valid_i,
  input  faa_lanes_pkg::combine_t     how_i,
  input  logic [Lanes-1:0]            open_i,
  input  logic [Lanes-1:0][Width-1:0] value_i,

  output logic                        valid_o,
  output logic [Lanes-1:0][Width-1:0] value_o
);

  logic [2*Levels:0]           valid;
  logic [2*Levels-1:0]         valid_q;
  faa_lanes_pkg::combine_t     how [Levels+1];
  // open: the prefix of a position does not yet begin at the first one of its segment
  logic [Lanes-1:0]            open [Levels+1];
  logic [Lanes-1:0][Width-1:0] value [Levels+1];

  assign valid    = {valid_q, valid_i};
  assign how[0]   = how_i;
  assign open[0]  = open_i;
  assign value[0] = value_i;
  assign valid_o  = valid[2*Levels];
  assign value_o  = value[Levels];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid[2*Levels-1:0];
  end

  for (genvar s = 0; s < Levels; s++) begin : g_level
    faa_lanes_pkg::combine_t how_q;
    logic [Lanes-1:0]        open_d, open_q;

    always_ff @(posedge clk_i) begin
      if (valid[2*s]) begin
        how_q  <= how[s];
        open_q <= open_d;
      end
      if (valid[2*s+1]) begin
        how[s+1]  <= how_q;
        open[s+1] <= open_q;
      end
    end

    for (genvar p = 0; p < Lanes; p++) begin : g_position
      if ((p >> s) % 2 == 1) begin : g_node
        localparam int unsigned Below = (p >> s << s) - 1;

        assign open_d[p] = open[s][p] & open[s][Below];

        faa_lanes_node #(
          .Width(Width)
        ) u_node (
          .clk_i,
          .en_i  (valid[2*s +: 2]),
          .how_i (how[s]),
          .open_i(open[s][p]),
          .a_i   (value[s][Below]),
          .b_i   (value[s][p]),
          .y_o   (value[s+1][p])
        );
      end else begin : g_pass
        logic [Width-1:0] wait_q;

        assign open_d[p] = open[s][p];

        always_ff @(posedge clk_i) begin
          if (valid[2*s]) wait_q <= value[s][p];
          if (valid[2*s+1]) value[s+1][p] <= wait_q;
        end
      end
    end
  end

  logic unused;
  assign unused = ^{how[Levels], open[Levels]};

endmodule
