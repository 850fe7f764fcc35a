// SPDX-License-Identifier: Apache-2.0
//
// Line requests to AXI4 bursts. A line is one INCR burst of LineBytes * 8 / DataWidth beats at a
// multiple of LineBytes, so no burst crosses 4 KiB. Reads and writes have ports of their own and
// never wait for each other. Every request takes a slot of its direction, whose number is the AXI
// ID, so responses may come in any order and read data of different bursts may be interleaved.
// SLVERR and DECERR become an error of the response.
//
// Latency: 1 cycle to AR, AW and W; 0 (one beat a line) or 2 cycles from the last beat to the
// response. Throughput: one line per LineBytes * 8 / DataWidth cycles in each direction, both at
// once, with WriteLines = 2 also where a memory takes data only after its address. With Late every
// input and output is a register: 2 cycles more to a read response, 1 to a write response, and at
// most a line every other cycle. Stalls: no free slot; the address channel not ready; WriteLines
// lines whose beats are still being sent, for a further write; a response that is not taken.

`include "faa_assert.svh"

module faa_axi_master #(
  parameter int unsigned DataWidth = 512,
  parameter int unsigned TagW = 8,
  parameter int unsigned IdWidth = 5,
  // Lines of writes whose data wait or are being sent: 1 or 2.
  parameter int unsigned WriteLines = 2,
  parameter bit Late = 1'b0,                 // fewer levels; lines of two or more beats
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned StrbWidth = DataWidth / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Reads. With more than one beat a line, responses are always taken.
  input  logic                 rd_req_valid_i,
  output logic                 rd_req_ready_o,
  input  logic [63:OffW]       rd_req_addr_i,
  input  logic [TagW-1:0]      rd_req_tag_i,
  output logic                 rd_rsp_valid_o,
  input  logic                 rd_rsp_ready_i,
  output logic [TagW-1:0]      rd_rsp_tag_o,
  output logic [LineW-1:0]     rd_rsp_data_o,
  output logic                 rd_rsp_err_o,

  // Writes.
  input  logic                 wr_req_valid_i,
  output logic                 wr_req_ready_o,
  input  logic [63:OffW]       wr_req_addr_i,
  input  logic [LineW-1:0]     wr_req_data_i,
  input  logic [LineBytes-1:0] wr_req_strb_i,
  input  logic [TagW-1:0]      wr_req_tag_i,
  output logic                 wr_rsp_valid_o,
  input  logic                 wr_rsp_ready_i,
  output logic [TagW-1:0]      wr_rsp_tag_o,
  output logic                 wr_rsp_err_o,

  // 1: no request is outstanding.
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
  if (DataWidth > LineW) begin : gen_bad_line
    $error("faa_axi_master: DataWidth is %0d, a line has %0d bits: at most that is possible",
           DataWidth, LineW);
  end
  if (WriteLines != 1 && WriteLines != 2) begin : gen_bad_lines
    $error("faa_axi_master: WriteLines is %0d; 1 and 2 are possible", WriteLines);
  end
`endif

  localparam int unsigned Beats = LineW / DataWidth;
  localparam int unsigned BeatW = (Beats > 1) ? $clog2(Beats) : 1;
  localparam logic [BeatW-1:0] LastBeat = BeatW'(Beats - 1);

  logic               rd_slot_free, wr_slot_free, rd_take, wr_take, ar_free, aw_free, w_free;
  logic [IdWidth-1:0] rd_slot, wr_slot;
  logic               rd_done, wr_done;
  logic [IdWidth-1:0] rd_done_slot, wr_done_slot;
  logic               rd_idle, wr_idle, rd_late;  // rd_late: a response after its slot's end
  logic [TagW-1:0]    rd_done_tag;

  assign rd_req_ready_o = rd_slot_free && ar_free;
  assign wr_req_ready_o = wr_slot_free && aw_free && w_free;
  assign rd_take        = rd_req_valid_i && rd_req_ready_o;
  assign wr_take        = wr_req_valid_i && wr_req_ready_o;

  // ---- Slots ----

  faa_slots #(.SlotW(IdWidth), .DataW(TagW), .Late(1'b1)) u_rd_slots (
    .clk_i, .rst_ni, .free_o(rd_slot_free), .slot_o(rd_slot), .take_i(rd_take), .data_i(rd_req_tag_i),
    .done_i(rd_done), .done_slot_i(rd_done_slot), .done_data_o(rd_done_tag), .idle_o(rd_idle)
  );
  faa_slots #(.SlotW(IdWidth), .DataW(TagW), .Late(1'b1)) u_wr_slots (
    .clk_i, .rst_ni, .free_o(wr_slot_free), .slot_o(wr_slot), .take_i(wr_take), .data_i(wr_req_tag_i),
    .done_i(wr_done), .done_slot_i(wr_done_slot), .done_data_o(wr_rsp_tag_o), .idle_o(wr_idle)
  );
  assign idle_o = rd_idle && wr_idle && !rd_late;

  // ---- Write address ----

  logic               aw_valid_q;
  logic [IdWidth-1:0] aw_id_q;
  logic [63:OffW]     aw_addr_q;

  assign aw_free = !aw_valid_q || (!Late && m_axi_awready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) aw_valid_q <= 1'b0;
    else if (!aw_valid_q || m_axi_awready_i) aw_valid_q <= wr_take;
    if (wr_take) begin
      aw_id_q   <= wr_slot;
      aw_addr_q <= wr_req_addr_i;
    end
  end

  // ---- Write data: the line that is being sent, and the next one ----

  logic             w_valid_q, w_last, w_leaves, w_open, w_load, next_valid;
  logic [LineW-1:0]     w_data_q, load_data;
  logic [LineBytes-1:0] w_strb_q, load_strb;
  logic [BeatW-1:0]     w_beat_q;

  assign w_last   = w_beat_q == LastBeat;
  assign w_leaves = w_valid_q && m_axi_wready_i && w_last;
  assign w_open   = !w_valid_q || w_leaves;
  assign w_load   = w_open && (next_valid || wr_take);

  if (WriteLines == 2) begin : gen_next
    logic         next_valid_q;
    logic [LineW-1:0]     next_data_q;
    logic [LineBytes-1:0] next_strb_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) next_valid_q <= 1'b0;
      else if (w_open) next_valid_q <= next_valid_q && wr_take;
      else if (wr_take) next_valid_q <= 1'b1;
      if (wr_take && (!w_open || next_valid_q)) begin
        next_data_q <= wr_req_data_i;
        next_strb_q <= wr_req_strb_i;
      end
    end
    assign next_valid = next_valid_q;
    assign w_free     = !next_valid_q || (!Late && w_leaves);
    assign load_data  = next_valid_q ? next_data_q : wr_req_data_i;
    assign load_strb  = next_valid_q ? next_strb_q : wr_req_strb_i;
    `FAA_ASSERT(AxiNextBehind, w_valid_q || !next_valid_q)
    `FAA_COVER(AxiNextLine, next_valid_q && wr_take)
  end else begin : gen_one
    assign next_valid = 1'b0;
    assign w_free     = Late ? !w_valid_q : w_open;
    assign load_data  = wr_req_data_i;
    assign load_strb  = wr_req_strb_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_valid_q <= 1'b0;
      w_beat_q  <= '0;
    end else begin
      if (w_open) w_valid_q <= w_load;
      if (w_valid_q && m_axi_wready_i) w_beat_q <= w_last ? '0 : w_beat_q + BeatW'(1);
    end
  end

  // The next beat to send is in the low bits.
  always_ff @(posedge clk_i) begin
    if (w_load) begin
      w_data_q <= load_data;
      w_strb_q <= load_strb;
    end else if (m_axi_wready_i && w_valid_q) begin
      w_data_q <= w_data_q >> DataWidth;
      w_strb_q <= w_strb_q >> StrbWidth;
    end
  end

  assign m_axi_awvalid_o = aw_valid_q;
  assign m_axi_awid_o    = aw_id_q;
  assign m_axi_awaddr_o  = {aw_addr_q, OffW'(0)};
  assign m_axi_awlen_o   = 8'(Beats - 1);
  assign m_axi_awsize_o  = 3'($clog2(StrbWidth));
  assign m_axi_awburst_o = 2'b01;
  assign m_axi_awlock_o  = 1'b0;
  assign m_axi_awcache_o = 4'b0011;
  assign m_axi_awprot_o  = 3'b000;
  assign m_axi_awqos_o   = 4'd0;
  assign m_axi_wvalid_o  = w_valid_q;
  assign m_axi_wdata_o   = w_data_q[DataWidth-1:0];
  assign m_axi_wstrb_o   = w_strb_q[StrbWidth-1:0];
  assign m_axi_wlast_o   = w_last;

  // ---- Read address ----

  logic               ar_valid_q;
  logic [IdWidth-1:0] ar_id_q;
  logic [63:OffW]     ar_addr_q;

  assign ar_free = !ar_valid_q || (!Late && m_axi_arready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ar_valid_q <= 1'b0;
    else if (!ar_valid_q || m_axi_arready_i) ar_valid_q <= rd_take;
    if (rd_take) begin
      ar_id_q   <= rd_slot;
      ar_addr_q <= rd_req_addr_i;
    end
  end

  assign m_axi_arvalid_o = ar_valid_q;
  assign m_axi_arid_o    = ar_id_q;
  assign m_axi_araddr_o  = {ar_addr_q, OffW'(0)};
  assign m_axi_arlen_o   = 8'(Beats - 1);
  assign m_axi_arsize_o  = 3'($clog2(StrbWidth));
  assign m_axi_arburst_o = 2'b01;
  assign m_axi_arlock_o  = 1'b0;
  assign m_axi_arcache_o = 4'b0011;
  assign m_axi_arprot_o  = 3'b000;
  assign m_axi_arqos_o   = 4'd0;

  // ---- Read data ----

  if (Beats == 1) begin : gen_direct
    assign m_axi_rready_o = rd_rsp_ready_i;
    assign rd_rsp_valid_o = m_axi_rvalid_i;
    assign rd_done_slot   = m_axi_rid_i;
    assign rd_rsp_err_o   = m_axi_rresp_i[1];
    assign rd_rsp_data_o  = m_axi_rdata_i;
    assign rd_rsp_tag_o   = rd_done_tag;
    assign rd_done        = rd_rsp_valid_o && rd_rsp_ready_i;
    assign rd_late        = 1'b0;
  end else begin : gen_collect
    logic                 beat_valid, beat_err, line_valid, line_err;
    logic [IdWidth-1:0]   beat_id;
    logic [DataWidth-1:0] beat;
    logic [LineW-1:0]     line;

    faa_axi_collect #(.DataWidth(DataWidth), .IdWidth(IdWidth), .LineW(LineW)) u_collect (
      .clk_i, .rst_ni,
      .beat_valid_i(beat_valid), .beat_id_i(beat_id), .beat_data_i(beat), .beat_err_i(beat_err),
      .line_valid_o(line_valid), .line_id_o(rd_done_slot), .line_data_o(line), .line_err_o(line_err)
    );
    assign m_axi_rready_o = 1'b1;
    assign rd_done        = line_valid;

    if (Late) begin : gen_late
      always_ff @(posedge clk_i) begin
        beat_valid     <= rst_ni && m_axi_rvalid_i;
        beat_id        <= m_axi_rid_i;
        beat           <= m_axi_rdata_i;
        beat_err       <= m_axi_rresp_i[1];
        rd_rsp_valid_o <= rst_ni && line_valid;
        rd_rsp_tag_o   <= rd_done_tag;
        rd_rsp_data_o  <= line;
        rd_rsp_err_o   <= line_err;
      end
      assign rd_late = rd_rsp_valid_o;
    end else begin : gen_now
      assign beat_valid     = m_axi_rvalid_i;
      assign beat_id        = m_axi_rid_i;
      assign beat           = m_axi_rdata_i;
      assign beat_err       = m_axi_rresp_i[1];
      assign rd_rsp_valid_o = line_valid;
      assign rd_rsp_tag_o   = rd_done_tag;
      assign rd_rsp_data_o  = line;
      assign rd_rsp_err_o   = line_err;
      assign rd_late        = 1'b0;
    end
    `FAA_ASSUME(AxiReadTaken, !rd_rsp_valid_o || rd_rsp_ready_i)
  end

  // ---- Write responses ----

  if (Late) begin : gen_late_b
    faa_skid #(.Width(IdWidth + 1), .HalfRate(1'b1)) u_b (
      .clk_i, .rst_ni,
      .valid_i(m_axi_bvalid_i), .ready_o(m_axi_bready_o), .data_i({m_axi_bid_i, m_axi_bresp_i[1]}),
      .valid_o(wr_rsp_valid_o), .ready_i(wr_rsp_ready_i), .data_o({wr_done_slot, wr_rsp_err_o})
    );
  end else begin : gen_now_b
    assign m_axi_bready_o = wr_rsp_ready_i;
    assign wr_rsp_valid_o = m_axi_bvalid_i;
    assign wr_rsp_err_o   = m_axi_bresp_i[1];
    assign wr_done_slot   = m_axi_bid_i;
  end
  assign wr_done = wr_rsp_valid_o && wr_rsp_ready_i;

  // The counted beats decide; RLAST must agree. The low bit of a response only distinguishes OKAY
  // from EXOKAY.
  logic unused;
  assign unused = ^{m_axi_rlast_i, m_axi_rresp_i[0], m_axi_bresp_i[0]};

  `FAA_ASSERT_STABLE(AxiAw, m_axi_awvalid_o, m_axi_awready_i, {m_axi_awaddr_o, m_axi_awid_o})
  `FAA_ASSERT_STABLE(AxiAr, m_axi_arvalid_o, m_axi_arready_i, {m_axi_araddr_o, m_axi_arid_o})
  `FAA_ASSERT_STABLE(AxiW, m_axi_wvalid_o, m_axi_wready_i, {m_axi_wdata_o, m_axi_wstrb_o, m_axi_wlast_o})
  `FAA_ASSERT(AxiNo4k, 13'({1'b0, m_axi_awaddr_o[11:0]}) + (13'(m_axi_awlen_o) + 13'd1) * 13'(StrbWidth) <= 13'd4096)

  `FAA_COVER(AxiReadSlots, rd_req_valid_i && !rd_slot_free)
  `FAA_COVER(AxiWriteSlots, wr_req_valid_i && !wr_slot_free)
  `FAA_COVER(AxiAwWaits, wr_req_valid_i && !aw_free)
  `FAA_COVER(AxiWWaits, wr_req_valid_i && aw_free && !w_free)

endmodule
