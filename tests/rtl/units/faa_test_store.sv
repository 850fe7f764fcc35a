// SPDX-License-Identifier: Apache-2.0
//
// The store unit that works lane by lane, with the ports of faa_cu_store, of one lane each, for its
// C++ test. Addresses take effect with the last one.

module faa_test_store #(
  parameter int unsigned LineBytes = 16,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   addr_valid_i,
  output logic                   addr_ready_o,
  input  logic [5:0]             addr_part_i,   // {last, lane}
  input  logic                   mask_i,
  input  logic                   sparse_i,
  input  logic [127:0]           pa_i,          // only the low bits are used
  input  logic [1:0]             size_i,
  input  logic [3:0]             tag_i,
  input  logic                   data_valid_i,
  output logic                   data_ready_o,
  input  logic [127:0]           data_i,
  output logic                   idle_o,
  output logic                   writing_o,
  output logic                   done_o,
  output logic [3:0]             done_tag_o,
  output logic                   error_o,
  output logic [63:0]            error_address_o,
  input  logic                   fetch_idle_i,
  output logic                   mem_valid_o,
  input  logic                   mem_ready_i,
  output logic [51:OffW]         mem_line_o,
  output logic [8*LineBytes-1:0] mem_data_o,
  output logic [LineBytes-1:0]   mem_strobe_o,
  output logic [4:0]             mem_tag_o,
  input  logic                   mem_rsp_valid_i,
  input  logic [4:0]             mem_rsp_tag_i,
  input  logic                   mem_rsp_err_i
);

  faa_cu_store_serial #(.LineBytes(LineBytes)) u_store (
    .clk_i, .rst_ni, .ready_o(addr_ready_o), .addr_valid_i, .addr_lane_i(addr_part_i[4:0]),
    .live_i(mask_i && !sparse_i), .pa_i(pa_i[51:0]), .commit_i(addr_valid_i && addr_part_i[5]),
    .size_i, .tag_i, .data_valid_i, .data_ready_o, .data_i(data_i[63:0]), .idle_o, .writing_o,
    .done_o, .done_tag_o, .error_o, .error_address_o, .fetch_idle_i, .mem_valid_o, .mem_ready_i,
    .mem_line_o, .mem_data_o, .mem_strobe_o, .mem_tag_o, .mem_rsp_valid_i, .mem_rsp_tag_i,
    .mem_rsp_err_i
  );

  logic unused;
  assign unused = ^{pa_i[127:52], data_i[127:64]};

endmodule
