// SPDX-License-Identifier: Apache-2.0
//
// One port of line requests onto the read and the write port of the AXI master.
//
// Latency: none. Stalls: the port that the request is for. Responses of both directions come on one
// port: reads go first; with one beat a line, where reads can wait, the directions alternate while
// both have a response.

`include "bundle/faa_line.svh"

module faa_line_split #(
  parameter int unsigned DataWidth = 512,
  parameter int unsigned TagW = 8,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam type req_t = `FAA_LINE_REQ(LineBytes, TagW),
  localparam type rsp_t = `FAA_LINE_RSP(LineBytes, TagW)
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic                 req_valid_i,
  output logic                 req_ready_o,
  input  req_t                 req_i,
  output logic                 rsp_valid_o,
  output rsp_t                 rsp_o,

  // As in faa_axi_master.
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

  assign rd_req_valid_o = req_valid_i && !req_i.write;
  assign wr_req_valid_o = req_valid_i && req_i.write;
  assign req_ready_o    = req_i.write ? wr_req_ready_i : rd_req_ready_i;
  assign rd_req_addr_o  = req_i.addr;
  assign rd_req_tag_o   = req_i.tag;
  assign wr_req_addr_o  = req_i.addr;
  assign wr_req_data_o  = req_i.data;
  assign wr_req_strb_o  = req_i.strb;
  assign wr_req_tag_o   = req_i.tag;

  // A write's response that has waited goes next.
  logic wr_turn_q, read;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wr_turn_q <= 1'b0;
    else wr_turn_q <= wr_rsp_valid_i && !wr_rsp_ready_o;
  end

  assign rd_rsp_ready_o = DataWidth != LineW || !(wr_turn_q && wr_rsp_valid_i);
  assign read           = rd_rsp_valid_i && rd_rsp_ready_o;
  assign wr_rsp_ready_o = !read;
  assign rsp_valid_o    = read || wr_rsp_valid_i;
  assign rsp_o          = '{tag: read ? rd_rsp_tag_i : wr_rsp_tag_i, data: rd_rsp_data_i,
                            err: read ? rd_rsp_err_i : wr_rsp_err_i};

  logic unused;
  assign unused = req_i.direct;

endmodule
