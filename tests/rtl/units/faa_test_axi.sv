// SPDX-License-Identifier: Apache-2.0
//
// The AXI master with atomic transactions of two requesters, for axi_tb.

module faa_test_axi #(
  parameter int unsigned DataWidth = 512,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned StrbWidth = DataWidth / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 rd_valid_i,
  output logic                 rd_ready_o,
  input  logic [63:OffW]       rd_addr_i,
  input  logic [5:0]           rd_tag_i,
  output logic                 rd_rsp_valid_o,
  output logic [5:0]           rd_rsp_tag_o,
  output logic [LineW-1:0]     rd_rsp_data_o,
  output logic                 rd_rsp_err_o,
  input  logic                 wr_valid_i,
  output logic                 wr_ready_o,
  input  logic [63:OffW]       wr_addr_i,
  input  logic [LineW-1:0]     wr_data_i,
  input  logic [LineBytes-1:0] wr_strb_i,
  input  logic [5:0]           wr_tag_i,
  output logic                 wr_rsp_valid_o,
  output logic [5:0]           wr_rsp_tag_o,
  output logic                 wr_rsp_err_o,

  input  logic [1:0]           at_valid_i,
  output logic [1:0]           at_ready_o,
  input  logic [3:0]           at_op_i,
  input  logic [1:0]           at_wide_i,
  input  logic [99:0]          at_addr_i,
  input  logic [127:0]         at_data_i,
  input  logic [127:0]         at_compare_i,
  input  logic [7:0]           at_tag_i,
  output logic [1:0]           at_rsp_valid_o,
  output logic [3:0]           at_rsp_tag_o,
  output logic [63:0]          at_rsp_data_o,
  output logic                 at_rsp_err_o,
  output logic                 idle_o,

  output logic [7:0]           m_axi_awid_o,
  output logic [63:0]          m_axi_awaddr_o,
  output logic [7:0]           m_axi_awlen_o,
  output logic [2:0]           m_axi_awsize_o,
  output logic [1:0]           m_axi_awburst_o,
  output logic [5:0]           m_axi_awatop_o,
  output logic                 m_axi_awvalid_o,
  input  logic                 m_axi_awready_i,
  output logic [DataWidth-1:0] m_axi_wdata_o,
  output logic [StrbWidth-1:0] m_axi_wstrb_o,
  output logic                 m_axi_wlast_o,
  output logic                 m_axi_wvalid_o,
  input  logic                 m_axi_wready_i,
  input  logic [7:0]           m_axi_bid_i,
  input  logic [1:0]           m_axi_bresp_i,
  input  logic                 m_axi_bvalid_i,
  output logic                 m_axi_bready_o,
  output logic [7:0]           m_axi_arid_o,
  output logic [63:0]          m_axi_araddr_o,
  output logic [7:0]           m_axi_arlen_o,
  output logic [2:0]           m_axi_arsize_o,
  output logic [1:0]           m_axi_arburst_o,
  output logic                 m_axi_arvalid_o,
  input  logic                 m_axi_arready_i,
  input  logic [7:0]           m_axi_rid_i,
  input  logic [DataWidth-1:0] m_axi_rdata_i,
  input  logic [1:0]           m_axi_rresp_i,
  input  logic                 m_axi_rlast_i,
  input  logic                 m_axi_rvalid_i,
  output logic                 m_axi_rready_o
);

  logic [6:0]           awid, arid;
  logic [63:0]          awaddr;
  logic [7:0]           awlen;
  logic [2:0]           awsize, awprot, arprot;
  logic [1:0]           awburst;
  logic                 awvalid, awready, wvalid, wready, wlast, bvalid, bready, rvalid, rready, awlock, arlock, master_idle, atomic_idle;
  logic [3:0]           awcache, arcache, awqos, arqos;
  logic [DataWidth-1:0] wdata;
  logic [StrbWidth-1:0] wstrb;

  faa_axi_master #(.DataWidth(DataWidth), .TagW(6), .IdWidth(7), .LineBytes(LineBytes)) u_master (
    .clk_i, .rst_ni,
    .rd_req_valid_i(rd_valid_i), .rd_req_ready_o(rd_ready_o), .rd_req_addr_i(rd_addr_i), .rd_req_tag_i(rd_tag_i),
    .rd_rsp_valid_o, .rd_rsp_ready_i(1'b1), .rd_rsp_tag_o, .rd_rsp_data_o, .rd_rsp_err_o,
    .wr_req_valid_i(wr_valid_i), .wr_req_ready_o(wr_ready_o), .wr_req_addr_i(wr_addr_i), .wr_req_data_i(wr_data_i),
    .wr_req_strb_i(wr_strb_i), .wr_req_tag_i(wr_tag_i), .wr_rsp_valid_o, .wr_rsp_ready_i(1'b1), .wr_rsp_tag_o, .wr_rsp_err_o,
    .idle_o(master_idle),
    .m_axi_awid_o(awid), .m_axi_awaddr_o(awaddr), .m_axi_awlen_o(awlen), .m_axi_awsize_o(awsize), .m_axi_awburst_o(awburst),
    .m_axi_awlock_o(awlock), .m_axi_awcache_o(awcache), .m_axi_awprot_o(awprot), .m_axi_awqos_o(awqos),
    .m_axi_awvalid_o(awvalid), .m_axi_awready_i(awready),
    .m_axi_wdata_o(wdata), .m_axi_wstrb_o(wstrb), .m_axi_wlast_o(wlast), .m_axi_wvalid_o(wvalid), .m_axi_wready_i(wready),
    .m_axi_bid_i(m_axi_bid_i[6:0]), .m_axi_bresp_i, .m_axi_bvalid_i(bvalid), .m_axi_bready_o(bready),
    .m_axi_arid_o(arid), .m_axi_araddr_o, .m_axi_arlen_o, .m_axi_arsize_o, .m_axi_arburst_o, .m_axi_arlock_o(arlock),
    .m_axi_arcache_o(arcache), .m_axi_arprot_o(arprot), .m_axi_arqos_o(arqos), .m_axi_arvalid_o, .m_axi_arready_i,
    .m_axi_rid_i(m_axi_rid_i[6:0]), .m_axi_rdata_i, .m_axi_rresp_i, .m_axi_rlast_i, .m_axi_rvalid_i(rvalid), .m_axi_rready_o(rready)
  );

  faa_axi_atomic #(.DataWidth(DataWidth), .N(2), .IdWidth(7)) u_atomic (
    .clk_i, .rst_ni,
    .req_valid_i(at_valid_i), .req_ready_o(at_ready_o), .req_op_i(at_op_i), .req_wide_i(at_wide_i), .req_addr_i(at_addr_i),
    .req_data_i(at_data_i), .req_compare_i(at_compare_i), .req_tag_i(at_tag_i),
    .rsp_valid_o(at_rsp_valid_o), .rsp_tag_o(at_rsp_tag_o), .rsp_data_o(at_rsp_data_o), .rsp_err_o(at_rsp_err_o), .idle_o(atomic_idle),
    .s_awid_i(awid), .s_awaddr_i(awaddr), .s_awlen_i(awlen), .s_awsize_i(awsize), .s_awburst_i(awburst), .s_awvalid_i(awvalid),
    .s_awready_o(awready), .s_wdata_i(wdata), .s_wstrb_i(wstrb), .s_wlast_i(wlast), .s_wvalid_i(wvalid), .s_wready_o(wready),
    .s_bvalid_o(bvalid), .s_bready_i(bready), .s_rvalid_o(rvalid), .s_rready_i(rready),
    .m_awid_o(m_axi_awid_o), .m_awaddr_o(m_axi_awaddr_o), .m_awlen_o(m_axi_awlen_o), .m_awsize_o(m_axi_awsize_o),
    .m_awburst_o(m_axi_awburst_o), .m_awatop_o(m_axi_awatop_o), .m_awvalid_o(m_axi_awvalid_o), .m_awready_i(m_axi_awready_i),
    .m_wdata_o(m_axi_wdata_o), .m_wstrb_o(m_axi_wstrb_o), .m_wlast_o(m_axi_wlast_o), .m_wvalid_o(m_axi_wvalid_o),
    .m_wready_i(m_axi_wready_i), .m_bid_i(m_axi_bid_i), .m_bresp_i(m_axi_bresp_i), .m_bvalid_i(m_axi_bvalid_i),
    .m_bready_o(m_axi_bready_o), .m_rid_i(m_axi_rid_i), .m_rdata_i(m_axi_rdata_i), .m_rresp_i(m_axi_rresp_i),
    .m_rvalid_i(m_axi_rvalid_i), .m_rready_o(m_axi_rready_o)
  );

  assign m_axi_arid_o = {1'b0, arid};
  assign idle_o       = master_idle && atomic_idle;

  logic unused;
  assign unused = ^{awlock, arlock, awcache, arcache, awprot, arprot, awqos, arqos};

endmodule
