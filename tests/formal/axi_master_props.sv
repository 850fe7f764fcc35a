// SPDX-License-Identifier: Apache-2.0
//
// The AXI4 master with any requesters and any well-behaved memory. Proves the burst rules: one
// burst of the right length at a line's address, no 4 KiB crossing, WLAST on the last beat, data
// only for requests taken, in their order, no ID used twice.

`include "faa_assert.svh"

module axi_master_props #(
  parameter int unsigned DataWidth = 128,
  parameter int unsigned WriteLines = 2,
  parameter bit Late = 1'b0
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 rd_valid_i,
  input logic [63:6]          rd_addr_i,
  input logic                 wr_valid_i,
  input logic [63:6]          wr_addr_i,
  input logic [511:0]         wr_data_i,
  input logic [3:0]           wr_tag_i,
  input logic                 wr_rsp_ready_i,
  input logic                 awready_i,
  input logic                 wready_i,
  input logic                 arready_i,
  input logic [1:0]           bid_i,
  input logic                 bvalid_i
);

  localparam int unsigned Beats = 512 / DataWidth;

  logic                 rd_ready, wr_ready, wr_rsp_valid, awvalid, wvalid, wlast, arvalid, bready, wr_fire, aw_fire, w_fire, b_fire, done;
  logic [3:0]           wr_rsp_tag;
  logic [1:0]           awid;
  logic [63:0]          awaddr, araddr;
  logic [7:0]           awlen, arlen;
  logic [2:0]           awsize, arsize;
  logic [DataWidth-1:0] wdata;

  faa_axi_master #(.DataWidth(DataWidth), .TagW(4), .IdWidth(2), .WriteLines(WriteLines),
                   .Late(Late)) u_master (
    .clk_i, .rst_ni, .rd_req_valid_i(rd_valid_i), .rd_req_ready_o(rd_ready), .rd_req_addr_i(rd_addr_i), .rd_req_tag_i(4'd0),
    .rd_rsp_valid_o(), .rd_rsp_ready_i(1'b1), .rd_rsp_tag_o(), .rd_rsp_data_o(), .rd_rsp_err_o(),
    .wr_req_valid_i(wr_valid_i), .wr_req_ready_o(wr_ready), .wr_req_addr_i(wr_addr_i), .wr_req_data_i(wr_data_i), .wr_req_strb_i('0),
    .wr_req_tag_i(wr_tag_i), .wr_rsp_valid_o(wr_rsp_valid), .wr_rsp_ready_i, .wr_rsp_tag_o(wr_rsp_tag), .wr_rsp_err_o(), .idle_o(),
    .m_axi_awid_o(awid), .m_axi_awaddr_o(awaddr), .m_axi_awlen_o(awlen), .m_axi_awsize_o(awsize), .m_axi_awburst_o(),
    .m_axi_awlock_o(), .m_axi_awcache_o(), .m_axi_awprot_o(), .m_axi_awqos_o(),
    .m_axi_awvalid_o(awvalid), .m_axi_awready_i(awready_i),
    .m_axi_wdata_o(wdata), .m_axi_wstrb_o(), .m_axi_wlast_o(wlast), .m_axi_wvalid_o(wvalid), .m_axi_wready_i(wready_i),
    .m_axi_bid_i(bid_i), .m_axi_bresp_i(2'b00), .m_axi_bvalid_i(bvalid_i), .m_axi_bready_o(bready),
    .m_axi_arid_o(), .m_axi_araddr_o(araddr), .m_axi_arlen_o(arlen), .m_axi_arsize_o(arsize), .m_axi_arburst_o(),
    .m_axi_arlock_o(), .m_axi_arcache_o(), .m_axi_arprot_o(), .m_axi_arqos_o(), .m_axi_arvalid_o(arvalid),
    .m_axi_arready_i(arready_i),
    .m_axi_rid_i(2'd0), .m_axi_rdata_i('0), .m_axi_rresp_i(2'b00), .m_axi_rlast_i(1'b0), .m_axi_rvalid_i(1'b0),
    .m_axi_rready_o()
  );

  assign wr_fire = wr_valid_i && wr_ready;
  assign aw_fire = awvalid && awready_i;
  assign w_fire  = wvalid && wready_i;
  assign b_fire  = bvalid_i && bready;

  assign done    = w_fire && beat_q == 8'(Beats - 1);

  // Counts since reset: requests taken, addresses, data, responses. IDs whose address was sent, and
  // the number of that address.
  logic [3:0]  open_q;
  logic [7:0]  taken_q, aw_q, w_q, beat_q, b_q;
  logic [31:0] number_q;
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
      if (aw_fire) begin
        open_q[awid]             <= 1'b1;
        number_q[awid*8 +: 8]    <= aw_q;
      end
      taken_q <= taken_q + 8'(wr_fire);
      aw_q    <= aw_q + 8'(aw_fire);
      b_q     <= b_q + 8'(b_fire);
      if (w_fire) beat_q <= (beat_q == 8'(Beats - 1)) ? '0 : beat_q + 8'd1;
      w_q     <= w_q + 8'(done);
    end
  end

  // Of each request taken, by number: bit 0 of its first and last data beats, bit 6 of its address,
  // and its tag.
  logic [7:0]  first_q, last_q, addr_q;
  logic [31:0] tag_q;
  always_ff @(posedge clk_i) begin
    if (wr_fire) begin
      first_q[taken_q[2:0]]      <= wr_data_i[0];
      last_q[taken_q[2:0]]       <= wr_data_i[512-DataWidth];
      addr_q[taken_q[2:0]]       <= wr_addr_i[6];
      tag_q[taken_q[2:0]*4 +: 4] <= wr_tag_i;
    end
  end

  // The memory answers a write only when it has its address and all its data, which come in address
  // order.
  `FAA_ASSUME(BAllowed, !bvalid_i || (open_q[bid_i] && number_q[bid_i*8 +: 8] < w_q))

  `FAA_ASSERT(AwLine, !awvalid || (awaddr[5:0] == '0 && (8'd1 << awsize) == 8'(DataWidth / 8) && awlen == 8'(Beats - 1)))
  `FAA_ASSERT(ArLine, !arvalid || (araddr[5:0] == '0 && (8'd1 << arsize) == 8'(DataWidth / 8) && arlen == 8'(Beats - 1)))
  `FAA_ASSERT(WLast, !wvalid || wlast == (beat_q == 8'(Beats - 1)))
  `FAA_ASSERT(AwOnce, aw_q <= taken_q && aw_q + 8'd1 >= taken_q)
  `FAA_ASSERT(WOnce, w_q <= taken_q && w_q + 8'(WriteLines) >= taken_q)
  `FAA_ASSERT(AwOrder, !awvalid || (aw_q < taken_q && awaddr[6] == addr_q[aw_q[2:0]]))
  `FAA_ASSERT(WOrder, !wvalid || (w_q < taken_q && (beat_q != '0 || wdata[0] == first_q[w_q[2:0]]) && (!wlast || wdata[0] == last_q[w_q[2:0]])))
  `FAA_ASSERT(AwNewId, !awvalid || !open_q[awid])
  if (Late) begin : gen_late
    // A response is held until it is taken; the next one comes later.
    logic       held_q;
    logic [2:0] held_number_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) held_q <= 1'b0;
      else held_q <= held_q ? !wr_rsp_ready_i : bvalid_i;
      if (b_fire) held_number_q <= number_q[bid_i*8 +: 3];
    end
    `FAA_ASSERT(OneResponse, wr_rsp_valid == held_q && bready == !held_q)
    `FAA_ASSERT(TagBack, !wr_rsp_valid || wr_rsp_tag == tag_q[held_number_q*4 +: 4])
  end else begin : gen_now
    `FAA_ASSERT(OneResponse, wr_rsp_valid == bvalid_i && bready == wr_rsp_ready_i)
    `FAA_ASSERT(TagBack, !wr_rsp_valid || wr_rsp_tag == tag_q[number_q[bid_i*8 +: 3]*4 +: 4])
  end

endmodule
