// SPDX-License-Identifier: Apache-2.0
//
// The page table walker with any requests, tables and order of memory's answers. Assumptions and
// properties: ptw_inside.svh.

`include "formal.svh"

module ptw_props #(
  parameter int unsigned Walks = 3,
  parameter int unsigned InfoW = 2
) (
  input logic             clk_i,
  input logic             run_i,
  input logic             start_valid_i,
  input logic [InfoW-1:0] start_info_i,
  input logic [7:0]       start_vmid_i,
  input logic [35:0]      start_page_i,
  input logic [1:0]       start_level_i,
  input logic [51:0]      start_base_i,
  input logic             again_ready_i,
  input logic             done_ready_i,
  input logic [Walks-1:0] mem_req_ready_i,
  input logic [Walks-1:0] mem_rsp_valid_i,
  input logic [511:0]     mem_rsp_rdata_i,
  input logic [Walks-1:0] mem_rsp_err_i
);

  `FORMAL_RESET

  faa_ptw #(.Walks(Walks), .InfoW(InfoW)) u_ptw (
    .clk_i, .rst_ni, .start_valid_i, .start_ready_o(), .start_info_i, .start_vmid_i, .start_page_i, .start_level_i, .start_base_i,
    .again_valid_o(), .again_ready_i, .again_info_o(), .again_vmid_o(), .again_page_o(),
    .done_valid_o(), .done_ready_i, .done_info_o(), .done_error_o(), .done_addr_o(), .done_leaf_o(), .done_big_o(),
    .fill_o(), .fill_level_o(), .fill_vmid_o(), .fill_page_o(), .fill_mask_o(), .fill_entries_o(),
    .mem_req_valid_o(), .mem_req_ready_i, .mem_req_addr_o(), .mem_rsp_valid_i, .mem_rsp_rdata_i, .mem_rsp_err_i, .idle_o()
  );

endmodule
