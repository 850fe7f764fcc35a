// SPDX-License-Identifier: Apache-2.0
//
// The AXI4 master with any requester in front and any well-behaved memory behind it. Proves the burst rules: one burst of the right
// length at a line's address, no 4 KiB crossing, WLAST on the last beat, data only for addresses taken, no ID used twice.

`include "faa_assert.svh"

module axi_master_props #(
  parameter int unsigned DataWidth = 128
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 req_valid_i,
  input logic                 req_write_i,
  input logic [63:6]          req_addr_i,
  input logic [3:0]           req_tag_i,
  input logic                 awready_i,
  input logic                 wready_i,
  input logic                 arready_i,
  input logic [1:0]           bid_i,
  input logic                 bvalid_i
);

  localparam int unsigned Beats = 512 / DataWidth;

  logic         req_ready, rsp_valid, awvalid, wvalid, wlast, arvalid, bready, wr_fire, aw_fire, w_fire, b_fire;
  logic [1:0]   awid;
  logic [63:0]  awaddr, araddr;
  logic [7:0]   awlen, arlen;
  logic [2:0]   awsize, arsize;

  faa_axi_master #(.DataWidth(DataWidth), .TagW(4), .IdWidth(2)) u_master (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_write_i, .req_addr_i, .req_wdata_i('0), .req_wstrb_i('0),
    .req_tag_i, .rsp_valid_o(rsp_valid), .rsp_tag_o(), .rsp_rdata_o(), .rsp_err_o(), .idle_o(),
    .m_axi_awid_o(awid), .m_axi_awaddr_o(awaddr), .m_axi_awlen_o(awlen), .m_axi_awsize_o(awsize), .m_axi_awburst_o(),
    .m_axi_awlock_o(), .m_axi_awcache_o(), .m_axi_awprot_o(), .m_axi_awqos_o(), .m_axi_awatop_o(),
    .m_axi_awvalid_o(awvalid), .m_axi_awready_i(awready_i),
    .m_axi_wdata_o(), .m_axi_wstrb_o(), .m_axi_wlast_o(wlast), .m_axi_wvalid_o(wvalid), .m_axi_wready_i(wready_i),
    .m_axi_bid_i(bid_i), .m_axi_bresp_i(2'b00), .m_axi_bvalid_i(bvalid_i), .m_axi_bready_o(bready),
    .m_axi_arid_o(), .m_axi_araddr_o(araddr), .m_axi_arlen_o(arlen), .m_axi_arsize_o(arsize), .m_axi_arburst_o(),
    .m_axi_arlock_o(), .m_axi_arcache_o(), .m_axi_arprot_o(), .m_axi_arqos_o(), .m_axi_arvalid_o(arvalid),
    .m_axi_arready_i(arready_i),
    .m_axi_rid_i(2'd0), .m_axi_rdata_i('0), .m_axi_rresp_i(2'b00), .m_axi_rlast_i(1'b0), .m_axi_rvalid_i(1'b0),
    .m_axi_rready_o()
  );

  assign wr_fire = req_valid_i && req_ready && req_write_i;
  assign aw_fire = awvalid && awready_i;
  assign w_fire  = wvalid && wready_i;
  assign b_fire  = bvalid_i && bready;

  // IDs of writes whose address has gone and whose data are complete; counts since reset.
  logic [3:0] open_q;
  logic [7:0] taken_q, aw_q, w_q, beat_q, b_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q  <= '0;
      taken_q <= '0;
      aw_q    <= '0;
      w_q     <= '0;
      beat_q  <= '0;
      b_q     <= '0;
    end else begin
      if (b_fire) open_q[bid_i] <= 1'b0;
      if (aw_fire) open_q[awid] <= 1'b1;
      taken_q <= taken_q + 8'(wr_fire);
      aw_q    <= aw_q + 8'(aw_fire);
      b_q     <= b_q + 8'(b_fire);
      if (w_fire) beat_q <= (beat_q == 8'(Beats - 1)) ? '0 : beat_q + 8'd1;
      w_q     <= w_q + 8'(w_fire && beat_q == 8'(Beats - 1));
    end
  end

  // The memory answers a write only when it has its address and all its data.
  `FAA_ASSUME(BAllowed, !bvalid_i || (open_q[bid_i] && b_q < aw_q && b_q < w_q))

  `FAA_ASSERT(AwLine, !awvalid || (awaddr[5:0] == '0 && (8'd1 << awsize) == 8'(DataWidth / 8) && awlen == 8'(Beats - 1)))
  `FAA_ASSERT(ArLine, !arvalid || (araddr[5:0] == '0 && (8'd1 << arsize) == 8'(DataWidth / 8) && arlen == 8'(Beats - 1)))
  `FAA_ASSERT(WLast, !wvalid || wlast == (beat_q == 8'(Beats - 1)))
  `FAA_ASSERT(AwOnce, aw_q <= taken_q && aw_q + 8'd1 >= taken_q)
  `FAA_ASSERT(WOnce, w_q <= taken_q && w_q + 8'd1 >= taken_q)
  `FAA_ASSERT(AwNewId, !awvalid || !open_q[awid])
  `FAA_ASSERT(OneResponse, rsp_valid == b_fire)

endmodule
