// SPDX-License-Identifier: Apache-2.0
//
// Returns the positions of a sorted beat to its lanes: the exchanges of faa_lanes_sort, last level
// first.
//
// Two levels per cycle. Latency: (Levels + 1) / 2 cycles; 8 for 32 lanes, 5 for 16, 3 for 8.
// Throughput: one beat per cycle. It never stalls.

module faa_lanes_unsort #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned DataW = 32,
  localparam int unsigned Levels = faa_lanes_pkg::sort_levels(Lanes)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic                         valid_i,
  input  logic [Lanes-1:0][DataW-1:0]  data_i,
  input  logic [Levels-1:0][Lanes-1:0] swaps_i,

  output logic                         valid_o,
  output logic [Lanes-1:0][DataW-1:0]  data_o
);

  localparam int unsigned Cycles = (Levels + 1) / 2;

  logic [Cycles:0]             valid;
  logic [Cycles-1:0]           valid_q;
  logic [Lanes-1:0][DataW-1:0] data [Cycles+1];

  assign valid   = {valid_q, valid_i};
  assign data[0] = data_i;
  assign valid_o = valid[Cycles];
  assign data_o  = data[Cycles];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid[Cycles-1:0];
  end

  for (genvar n = 0; n < Cycles; n++) begin : g_cycle
    localparam int unsigned Upper = Levels - 1 - 2 * n;
    localparam int unsigned Far   = faa_lanes_pkg::distance_of(Upper);

    logic [Lanes-1:0][DataW-1:0] half, whole;
    logic [Lanes-1:0]            swap;

    faa_lanes_delay #(
      .Width (Lanes),
      .Cycles(n)
    ) u_swap (
      .clk_i,
      .rst_ni,
      .data_i(swaps_i[Upper]),
      .data_o(swap)
    );

    for (genvar x = 0; x < Lanes; x++) begin : g_position
      if (faa_lanes_pkg::exchanges(Lanes, Upper, x)) assign half[x] = swap[x] ? data[n][x+Far] : data[n][x];
      else if (faa_lanes_pkg::is_upper(Lanes, Upper, x)) assign half[x] = swap[x-Far] ? data[n][x-Far] : data[n][x];
      else assign half[x] = data[n][x];
    end

    if (Upper > 0) begin : g_second
      localparam int unsigned Near = faa_lanes_pkg::distance_of(Upper - 1);

      logic [Lanes-1:0] second;

      faa_lanes_delay #(
        .Width (Lanes),
        .Cycles(n)
      ) u_swap (
        .clk_i,
        .rst_ni,
        .data_i(swaps_i[Upper-1]),
        .data_o(second)
      );

      for (genvar x = 0; x < Lanes; x++) begin : g_position
        if (faa_lanes_pkg::exchanges(Lanes, Upper - 1, x)) assign whole[x] = second[x] ? half[x+Near] : half[x];
        else if (faa_lanes_pkg::is_upper(Lanes, Upper - 1, x)) assign whole[x] = second[x-Near] ? half[x-Near] : half[x];
        else assign whole[x] = half[x];
      end
    end else begin : g_last
      assign whole = half;
    end

    always_ff @(posedge clk_i) if (valid[n]) data[n+1] <= whole;
  end

endmodule
