// SPDX-License-Identifier: Apache-2.0
//
// Line requests to AXI4 bursts. A line is one INCR burst of 512 / DataWidth beats at a 64-byte boundary, so no burst
// crosses 4 KiB. Every request takes a slot, whose number is the AXI ID, so responses may come in any order and read
// data of different bursts may be interleaved. SLVERR and DECERR become rsp_err_o. AWATOP is 0 (no AXI5 atomics yet).
//
// Latency: 1 cycle to AR, AW and W; 0 (one beat a line) or 2 cycles from the last beat to the response.
// Throughput: one line per 512 / DataWidth cycles in each direction. Stalls: no free slot; the address channel not ready;
// a write behind one whose beats are still being sent; B waits in a cycle in which a read response is given, R with one-beat
// lines every other cycle while B waits.

`include "faa_assert.svh"

module faa_axi_master #(
  parameter int unsigned DataWidth = 512,
  parameter int unsigned TagW = 8,
  parameter int unsigned IdWidth = 5,
  localparam int unsigned StrbWidth = DataWidth / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Line requests and responses.
  input  logic                 req_valid_i,
  output logic                 req_ready_o,
  input  logic                 req_write_i,
  input  logic [63:6]          req_addr_i,
  input  logic [511:0]         req_wdata_i,
  input  logic [63:0]          req_wstrb_i,
  input  logic [TagW-1:0]      req_tag_i,
  output logic                 rsp_valid_o,
  output logic [TagW-1:0]      rsp_tag_o,
  output logic [511:0]         rsp_rdata_o,
  output logic                 rsp_err_o,

  // 1: nothing is outstanding.
  output logic                 idle_o,

  // AXI4 master, write address, data and response.
  output logic [IdWidth-1:0]   m_axi_awid_o,
  output logic [63:0]          m_axi_awaddr_o,
  output logic [7:0]           m_axi_awlen_o,
  output logic [2:0]           m_axi_awsize_o,
  output logic [1:0]           m_axi_awburst_o,
  output logic                 m_axi_awlock_o,
  output logic [3:0]           m_axi_awcache_o,
  output logic [2:0]           m_axi_awprot_o,
  output logic [3:0]           m_axi_awqos_o,
  output logic [5:0]           m_axi_awatop_o,
  output logic                 m_axi_awvalid_o,
  input  logic                 m_axi_awready_i,
  output logic [DataWidth-1:0] m_axi_wdata_o,
  output logic [StrbWidth-1:0] m_axi_wstrb_o,
  output logic                 m_axi_wlast_o,
  output logic                 m_axi_wvalid_o,
  input  logic                 m_axi_wready_i,
  input  logic [IdWidth-1:0]   m_axi_bid_i,
  input  logic [1:0]           m_axi_bresp_i,
  input  logic                 m_axi_bvalid_i,
  output logic                 m_axi_bready_o,

  // Read address and data.
  output logic [IdWidth-1:0]   m_axi_arid_o,
  output logic [63:0]          m_axi_araddr_o,
  output logic [7:0]           m_axi_arlen_o,
  output logic [2:0]           m_axi_arsize_o,
  output logic [1:0]           m_axi_arburst_o,
  output logic                 m_axi_arlock_o,
  output logic [3:0]           m_axi_arcache_o,
  output logic [2:0]           m_axi_arprot_o,
  output logic [3:0]           m_axi_arqos_o,
  output logic                 m_axi_arvalid_o,
  input  logic                 m_axi_arready_i,
  input  logic [IdWidth-1:0]   m_axi_rid_i,
  input  logic [DataWidth-1:0] m_axi_rdata_i,
  input  logic [1:0]           m_axi_rresp_i,
  input  logic                 m_axi_rlast_i,
  input  logic                 m_axi_rvalid_i,
  output logic                 m_axi_rready_o
);

`ifndef YOSYS
  if (DataWidth != 64 && DataWidth != 128 && DataWidth != 256 && DataWidth != 512) begin : gen_bad_width
    $error("faa_axi_master: DataWidth is %0d; 64, 128, 256 and 512 are possible", DataWidth);
  end
`endif

  localparam int unsigned Beats = 512 / DataWidth;
  localparam int unsigned BeatW = (Beats > 1) ? $clog2(Beats) : 1;
  localparam logic [BeatW-1:0] LastBeat = BeatW'(Beats - 1);

  logic                 rd_slot_free, wr_slot_free, rd_take, wr_take, ar_free, w_free;
  logic [IdWidth-1:0]   rd_slot, wr_slot;
  logic                 rd_done, wr_done;
  logic [IdWidth-1:0]   rd_done_slot;
  logic                 rd_rsp_valid, rd_rsp_err;
  logic [TagW-1:0]      rd_rsp_tag, wr_rsp_tag;
  logic                 rd_idle, wr_idle;

  assign req_ready_o = req_write_i ? (wr_slot_free && w_free) : (rd_slot_free && ar_free);
  assign rd_take     = req_valid_i && req_ready_o && !req_write_i;
  assign wr_take     = req_valid_i && req_ready_o && req_write_i;

  // ---- Slots ----

  faa_slots #(.SlotW(IdWidth), .DataW(TagW)) u_rd_slots (
    .clk_i, .rst_ni, .free_o(rd_slot_free), .slot_o(rd_slot), .take_i(rd_take), .data_i(req_tag_i),
    .done_i(rd_done), .done_slot_i(rd_done_slot), .done_data_o(rd_rsp_tag), .idle_o(rd_idle)
  );
  faa_slots #(.SlotW(IdWidth), .DataW(TagW)) u_wr_slots (
    .clk_i, .rst_ni, .free_o(wr_slot_free), .slot_o(wr_slot), .take_i(wr_take), .data_i(req_tag_i),
    .done_i(wr_done), .done_slot_i(m_axi_bid_i), .done_data_o(wr_rsp_tag), .idle_o(wr_idle)
  );
  assign idle_o = rd_idle && wr_idle;

  // ---- Write address and data ----

  logic               aw_valid_q, w_valid_q;
  logic [IdWidth-1:0] aw_id_q;
  logic [63:6]        aw_addr_q;
  logic [511:0]       w_data_q;
  logic [63:0]        w_strb_q;
  logic [BeatW-1:0]   w_beat_q;
  logic               w_last;

  assign w_last = w_beat_q == LastBeat;
  assign w_free = (!aw_valid_q || m_axi_awready_i) && (!w_valid_q || (m_axi_wready_i && w_last));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_valid_q <= 1'b0;
      w_valid_q  <= 1'b0;
      w_beat_q   <= '0;
    end else begin
      if (m_axi_awready_i) aw_valid_q <= 1'b0;
      if (m_axi_wready_i && w_valid_q) begin
        w_beat_q <= w_last ? '0 : w_beat_q + BeatW'(1);
        if (w_last) w_valid_q <= 1'b0;
      end
      if (wr_take) begin
        aw_valid_q <= 1'b1;
        w_valid_q  <= 1'b1;
      end
    end
  end

  // The beat to send is at the bottom.
  always_ff @(posedge clk_i) begin
    if (wr_take) begin
      aw_id_q   <= wr_slot;
      aw_addr_q <= req_addr_i;
      w_data_q  <= req_wdata_i;
      w_strb_q  <= req_wstrb_i;
    end else if (m_axi_wready_i && w_valid_q) begin
      w_data_q  <= w_data_q >> DataWidth;
      w_strb_q  <= w_strb_q >> StrbWidth;
    end
  end

  assign m_axi_awvalid_o = aw_valid_q;
  assign m_axi_awid_o    = aw_id_q;
  assign m_axi_awaddr_o  = {aw_addr_q, 6'd0};
  assign m_axi_awlen_o   = 8'(Beats - 1);
  assign m_axi_awsize_o  = 3'($clog2(StrbWidth));
  assign m_axi_awburst_o = 2'b01;
  assign m_axi_awlock_o  = 1'b0;
  assign m_axi_awcache_o = 4'b0011;
  assign m_axi_awprot_o  = 3'b000;
  assign m_axi_awqos_o   = 4'd0;
  assign m_axi_awatop_o  = 6'd0;
  assign m_axi_wvalid_o  = w_valid_q;
  assign m_axi_wdata_o   = w_data_q[DataWidth-1:0];
  assign m_axi_wstrb_o   = w_strb_q[StrbWidth-1:0];
  assign m_axi_wlast_o   = w_last;

  // ---- Read address ----

  logic               ar_valid_q;
  logic [IdWidth-1:0] ar_id_q;
  logic [63:6]        ar_addr_q;

  assign ar_free = !ar_valid_q || m_axi_arready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ar_valid_q <= 1'b0;
    else if (ar_free) ar_valid_q <= rd_take;
    if (rd_take) begin
      ar_id_q   <= rd_slot;
      ar_addr_q <= req_addr_i;
    end
  end

  assign m_axi_arvalid_o = ar_valid_q;
  assign m_axi_arid_o    = ar_id_q;
  assign m_axi_araddr_o  = {ar_addr_q, 6'd0};
  assign m_axi_arlen_o   = 8'(Beats - 1);
  assign m_axi_arsize_o  = 3'($clog2(StrbWidth));
  assign m_axi_arburst_o = 2'b01;
  assign m_axi_arlock_o  = 1'b0;
  assign m_axi_arcache_o = 4'b0011;
  assign m_axi_arprot_o  = 3'b000;
  assign m_axi_arqos_o   = 4'd0;

  // ---- Read data ----

  if (Beats == 1) begin : gen_direct
    // R and B share the response port; they alternate when both wait.
    logic b_turn_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) b_turn_q <= 1'b0;
      else b_turn_q <= m_axi_bvalid_i && !m_axi_bready_o;
    end
    assign m_axi_rready_o = !(b_turn_q && m_axi_bvalid_i);
    assign rd_done        = m_axi_rvalid_i && m_axi_rready_o;
    assign rd_done_slot   = m_axi_rid_i;
    assign rd_rsp_valid   = rd_done;
    assign rd_rsp_err     = m_axi_rresp_i[1];
    assign rsp_rdata_o    = m_axi_rdata_i;
  end else begin : gen_collect
    faa_axi_collect #(.DataWidth(DataWidth), .IdWidth(IdWidth)) u_collect (
      .clk_i, .rst_ni,
      .beat_valid_i(m_axi_rvalid_i), .beat_id_i(m_axi_rid_i), .beat_data_i(m_axi_rdata_i),
      .beat_err_i(m_axi_rresp_i[1]),
      .line_valid_o(rd_rsp_valid), .line_id_o(rd_done_slot), .line_data_o(rsp_rdata_o), .line_err_o(rd_rsp_err)
    );
    assign m_axi_rready_o = 1'b1;
    assign rd_done        = rd_rsp_valid;
  end

  // ---- Responses ----

  assign m_axi_bready_o = !rd_rsp_valid;
  assign wr_done        = m_axi_bvalid_i && m_axi_bready_o;
  assign rsp_valid_o    = rd_rsp_valid || wr_done;
  assign rsp_tag_o      = rd_rsp_valid ? rd_rsp_tag : wr_rsp_tag;
  assign rsp_err_o      = rd_rsp_valid ? rd_rsp_err : m_axi_bresp_i[1];

  // The counted beats decide; RLAST must agree, and the low bit of a response only tells OKAY from EXOKAY.
  logic unused;
  assign unused = ^{m_axi_rlast_i, m_axi_rresp_i[0], m_axi_bresp_i[0]};

  `FAA_ASSERT_STABLE(AxiAw, m_axi_awvalid_o, m_axi_awready_i, {m_axi_awaddr_o, m_axi_awid_o})
  `FAA_ASSERT_STABLE(AxiAr, m_axi_arvalid_o, m_axi_arready_i, {m_axi_araddr_o, m_axi_arid_o})
  `FAA_ASSERT_STABLE(AxiW, m_axi_wvalid_o, m_axi_wready_i, {m_axi_wdata_o, m_axi_wstrb_o, m_axi_wlast_o})
  `FAA_ASSERT(AxiNo4k, 13'({1'b0, m_axi_awaddr_o[11:0]}) + (13'(m_axi_awlen_o) + 13'd1) * 13'(StrbWidth) <= 13'd4096)

endmodule
