// SPDX-License-Identifier: Apache-2.0
//
// An L2 slice with the executor of scope SYS in front of it, for sys_tb.

module faa_test_sys #(
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned TagW = 6
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic                 req_valid_i,
  output logic                 req_ready_o,
  input  logic                 req_sys_i,
  input  logic [2:0]           req_func_i,
  input  logic [7:0]           req_op_i,
  input  logic [3:0]           req_typ_i,
  input  logic                 req_ftz_i,
  input  logic                 req_want_i,
  input  logic [51:OffW]       req_addr_i,
  input  logic [LineBytes-1:0] req_strb_i,
  input  logic [LineW-1:0]     req_b_i,
  input  logic [LineW-1:0]     req_c_i,
  input  logic [TagW-1:0]      req_tag_i,
  output logic                 rsp_valid_o,
  input  logic                 rsp_ready_i,
  output logic [TagW-1:0]      rsp_tag_o,
  output logic [LineW-1:0]     rsp_data_o,
  output logic                 rsp_err_o,

  output logic             at_valid_o,
  input  logic             at_ready_i,
  output logic [1:0]       at_op_o,
  output logic             at_wide_o,
  output logic [51:2]      at_addr_o,
  output logic [63:0]      at_data_o,
  output logic [63:0]      at_compare_o,
  output logic [3:0]       at_tag_o,
  input  logic             at_rsp_valid_i,
  input  logic [3:0]       at_rsp_tag_i,
  input  logic [63:0]      at_rsp_data_i,
  input  logic             at_rsp_err_i,

  output logic                 mem_rd_valid_o,
  input  logic                 mem_rd_ready_i,
  output logic [51:OffW]       mem_rd_addr_o,
  output logic [2:0]           mem_rd_tag_o,
  input  logic                 mem_rd_rsp_valid_i,
  input  logic [2:0]           mem_rd_rsp_tag_i,
  input  logic [LineW-1:0]     mem_rd_rsp_data_i,
  input  logic                 mem_rd_rsp_err_i,
  output logic                 mem_wr_valid_o,
  input  logic                 mem_wr_ready_i,
  output logic [51:OffW]       mem_wr_addr_o,
  output logic [LineW-1:0]     mem_wr_data_o,
  output logic [LineBytes-1:0] mem_wr_strb_o,
  output logic [2:0]           mem_wr_tag_o,
  input  logic                 mem_wr_rsp_valid_i,
  input  logic [2:0]           mem_wr_rsp_tag_i,

  output logic             idle_o
);

  logic           valid, ready, ftz, want, rsp_valid, rsp_ready, rsp_err, l2_idle, sys_idle, stall;
  logic [2:0]           func;
  logic [7:0]           op;
  logic [3:0]           typ;
  logic [51:OffW]       addr;
  logic [LineBytes-1:0] strb;
  logic [LineW-1:0]     b, c, rsp_data;
  logic [TagW:0]        tag, rsp_tag;
  logic           hit, merge, miss, read, write, lost_valid;
  logic [51:OffW] lost_addr;
  logic [6:0]     l2_stall;

  faa_l2_sys #(
    .TagW(TagW), .LineBytes(LineBytes)
  ) u_sys (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_sys_i, .req_func_i, .req_op_i, .req_typ_i, .req_ftz_i, .req_want_i,
    .req_addr_i, .req_strb_i, .req_b_i, .req_c_i, .req_tag_i, .rsp_valid_o, .rsp_ready_i, .rsp_tag_o, .rsp_data_o, .rsp_err_o,
    .l2_req_valid_o(valid), .l2_req_ready_i(ready), .l2_req_func_o(func), .l2_req_op_o(op), .l2_req_typ_o(typ),
    .l2_req_ftz_o(ftz), .l2_req_want_o(want), .l2_req_addr_o(addr), .l2_req_strb_o(strb), .l2_req_b_o(b), .l2_req_c_o(c),
    .l2_req_tag_o(tag), .l2_rsp_valid_i(rsp_valid), .l2_rsp_ready_o(rsp_ready), .l2_rsp_tag_i(rsp_tag), .l2_rsp_data_i(rsp_data),
    .l2_rsp_err_i(rsp_err),
    .at_valid_o, .at_ready_i, .at_op_o, .at_wide_o, .at_addr_o, .at_data_o, .at_compare_o, .at_tag_o, .at_rsp_valid_i,
    .at_rsp_tag_i, .at_rsp_data_i, .at_rsp_err_i, .idle_o(sys_idle), .ev_stall_o(stall)
  );

  faa_l2 #(
    .Sets(4), .Ways(2), .Mshrs(8), .ListSlots(8), .WbEntries(8), .AluWords(LineBytes / 4),
    .TagW(TagW + 1),
    .LineBytes(LineBytes)
  ) u_l2 (
    .clk_i, .rst_ni, .req_valid_i(valid), .req_ready_o(ready), .req_func_i(func), .req_op_i(op), .req_typ_i(typ),
    .req_ftz_i(ftz), .req_want_i(want), .req_addr_i(addr), .req_strb_i(strb), .req_b_i(b), .req_c_i(c), .req_tag_i(tag),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_tag_o(rsp_tag), .rsp_data_o(rsp_data), .rsp_err_o(rsp_err),
    .mem_rd_valid_o, .mem_rd_ready_i, .mem_rd_addr_o, .mem_rd_tag_o, .mem_rd_rsp_valid_i, .mem_rd_rsp_tag_i, .mem_rd_rsp_data_i,
    .mem_rd_rsp_err_i,
    .mem_wr_valid_o, .mem_wr_ready_i, .mem_wr_addr_o, .mem_wr_data_o, .mem_wr_strb_o, .mem_wr_tag_o, .mem_wr_rsp_valid_i,
    .mem_wr_rsp_tag_i, .mem_wr_rsp_err_i(1'b0), .lost_valid_o(lost_valid), .lost_addr_o(lost_addr), .idle_o(l2_idle), .ev_hit_o(hit), .ev_merge_o(merge), .ev_miss_o(miss),
    .ev_read_o(read), .ev_write_o(write), .ev_stall_o(l2_stall)
  );

  assign idle_o = sys_idle && l2_idle;

  logic unused;
  assign unused = ^{lost_valid, lost_addr, hit, merge, miss, read, write, l2_stall, stall};

endmodule
