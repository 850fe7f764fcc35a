// SPDX-License-Identifier: Apache-2.0
//
// The modules of the lane network, for tests/rtl/lanes_tb.cpp: unsort and expand get their inputs
// from sort and compact.

module faa_test_lanes #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Levels = faa_lanes_pkg::sort_levels(Lanes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   valid_i,
  input  logic [Lanes-1:0][19:0] key_i,
  input  logic [Lanes-1:0][31:0] data_i,
  input  logic [5:0]             how_i,
  input  logic [Lanes-1:0]       open_i,
  input  logic [Lanes-1:0]       keep_i,
  output logic                   sort_valid_o,
  output logic [Lanes-1:0][19:0] sort_key_o,
  output logic [Lanes-1:0][31:0] sort_data_o,
  output logic                   unsort_valid_o,
  output logic [Lanes-1:0][31:0] unsort_o,
  output logic                   scan_valid_o,
  output logic [Lanes-1:0][31:0] scan_o,
  output logic                   compact_valid_o,
  output logic [Lanes-1:0]       compact_any_o,
  output logic [Lanes-1:0][31:0] compact_o,
  output logic                   expand_valid_o,
  output logic [Lanes-1:0][31:0] expand_o
);

  logic [Levels-1:0][Lanes-1:0] swaps;
  logic [Lanes-1:0][LaneW-1:0]  below;

  faa_lanes_sort #(
    .Lanes(Lanes),
    .KeyW (20),
    .DataW(32)
  ) u_sort (
    .clk_i,
    .rst_ni,
    .valid_i,
    .key_i,
    .data_i,
    .valid_o(sort_valid_o),
    .key_o  (sort_key_o),
    .data_o (sort_data_o),
    .swaps_o(swaps)
  );

  faa_lanes_unsort #(
    .Lanes(Lanes),
    .DataW(32)
  ) u_unsort (
    .clk_i,
    .rst_ni,
    .valid_i(sort_valid_o),
    .data_i (sort_data_o),
    .swaps_i(swaps),
    .valid_o(unsort_valid_o),
    .data_o (unsort_o)
  );

  faa_lanes_scan #(
    .Lanes(Lanes),
    .Width(32)
  ) u_scan (
    .clk_i,
    .rst_ni,
    .valid_i,
    .how_i,
    .open_i,
    .value_i(data_i),
    .valid_o(scan_valid_o),
    .value_o(scan_o)
  );

  faa_lanes_compact #(
    .Lanes(Lanes),
    .DataW(32)
  ) u_compact (
    .clk_i,
    .rst_ni,
    .valid_i,
    .keep_i,
    .data_i,
    .valid_o(compact_valid_o),
    .any_o  (compact_any_o),
    .data_o (compact_o),
    .below_o(below)
  );

  faa_lanes_expand #(
    .Lanes(Lanes),
    .DataW(32)
  ) u_expand (
    .clk_i,
    .rst_ni,
    .valid_i(compact_valid_o),
    .below_i(below),
    .data_i (compact_o),
    .valid_o(expand_valid_o),
    .data_o (expand_o)
  );

endmodule
