// SPDX-License-Identifier: Apache-2.0
//
// One port of line requests onto the read and the write port of the AXI master.
//
// Latency: none. Stalls: the port that the request is for. Responses of both directions come on one
// port: a read's goes first; with one beat a line, where reads can wait, they take turns while both
// have one.

module faa_line_split #(
  parameter int unsigned DataWidth = 512,
  parameter int unsigned TagW = 8,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic                 req_valid_i,
  output logic                 req_ready_o,
  input  logic                 req_write_i,
  input  logic [63:OffW]       req_addr_i,
  input  logic [LineW-1:0]     req_wdata_i,
  input  logic [LineBytes-1:0] req_wstrb_i,
  input  logic [TagW-1:0]      req_tag_i,
  output logic                 rsp_valid_o,
  output logic [TagW-1:0]      rsp_tag_o,
  output logic [LineW-1:0]     rsp_rdata_o,
  output logic                 rsp_err_o,

  // As of faa_axi_master.
  output logic                 rd_req_valid_o,
  input  logic                 rd_req_ready_i,
  output logic [63:OffW]       rd_req_addr_o,
  output logic [TagW-1:0]      rd_req_tag_o,
  input  logic                 rd_rsp_valid_i,
  output logic                 rd_rsp_ready_o,
  input  logic [TagW-1:0]      rd_rsp_tag_i,
  input  logic [LineW-1:0]     rd_rsp_data_i,
  input  logic                 rd_rsp_err_i,
  output logic                 wr_req_valid_o,
  input  logic                 wr_req_ready_i,
  output logic [63:OffW]       wr_req_addr_o,
  output logic [LineW-1:0]     wr_req_data_o,
  output logic [LineBytes-1:0] wr_req_strb_o,
  output logic [TagW-1:0]      wr_req_tag_o,
  input  logic                 wr_rsp_valid_i,
  output logic                 wr_rsp_ready_o,
  input  logic [TagW-1:0]      wr_rsp_tag_i,
  input  logic                 wr_rsp_err_i
);

  assign rd_req_valid_o = req_valid_i && !req_write_i;
  assign wr_req_valid_o = req_valid_i && req_write_i;
  assign req_ready_o    = req_write_i ? wr_req_ready_i : rd_req_ready_i;
  assign rd_req_addr_o  = req_addr_i;
  assign rd_req_tag_o   = req_tag_i;
  assign wr_req_addr_o  = req_addr_i;
  assign wr_req_data_o  = req_wdata_i;
  assign wr_req_strb_o  = req_wstrb_i;
  assign wr_req_tag_o   = req_tag_i;

  // A write's response has waited: it is its turn.
  logic wr_turn_q, read;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wr_turn_q <= 1'b0;
    else wr_turn_q <= wr_rsp_valid_i && !wr_rsp_ready_o;
  end

  assign rd_rsp_ready_o = DataWidth != LineW || !(wr_turn_q && wr_rsp_valid_i);
  assign read           = rd_rsp_valid_i && rd_rsp_ready_o;
  assign wr_rsp_ready_o = !read;
  assign rsp_valid_o    = read || wr_rsp_valid_i;
  assign rsp_tag_o      = read ? rd_rsp_tag_i : wr_rsp_tag_i;
  assign rsp_rdata_o    = rd_rsp_data_i;
  assign rsp_err_o      = read ? rd_rsp_err_i : wr_rsp_err_i;

endmodule
