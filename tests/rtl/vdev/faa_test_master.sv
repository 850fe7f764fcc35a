// SPDX-License-Identifier: Apache-2.0
//
// A small device with the ports of faa_top, to test the environment of faa_top: it copies LINES
// lines of 64 bytes from SRC to DST, each as one burst in and one burst out with the next ID, then
// requests vector 3.
//
// Registers (byte offsets): 0x00 magic, 0x04 scratch, 0x08 SRC low, 0x0c SRC high, 0x10 DST low,
// 0x14 DST high, 0x18 LINES, 0x1c write: go, read: bit 0 busy; 0x20 responses that were not OKAY. A
// register access takes 3 cycles.

module faa_test_master #(
  parameter int unsigned AxiDataWidth = 512,
  localparam int unsigned IdWidth = 4,
  localparam int unsigned StrbWidth = AxiDataWidth / 8,
  localparam int unsigned Beats = 512 / AxiDataWidth
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [19:0]             s_axil_awaddr_i,
  input  logic                    s_axil_awvalid_i,
  output logic                    s_axil_awready_o,
  input  logic [31:0]             s_axil_wdata_i,
  input  logic [3:0]              s_axil_wstrb_i,
  input  logic                    s_axil_wvalid_i,
  output logic                    s_axil_wready_o,
  output logic [1:0]              s_axil_bresp_o,
  output logic                    s_axil_bvalid_o,
  input  logic                    s_axil_bready_i,
  input  logic [19:0]             s_axil_araddr_i,
  input  logic                    s_axil_arvalid_i,
  output logic                    s_axil_arready_o,
  output logic [31:0]             s_axil_rdata_o,
  output logic [1:0]              s_axil_rresp_o,
  output logic                    s_axil_rvalid_o,
  input  logic                    s_axil_rready_i,
  output logic [IdWidth-1:0]      m_axi_awid_o,
  output logic [63:0]             m_axi_awaddr_o,
  output logic [7:0]              m_axi_awlen_o,
  output logic [2:0]              m_axi_awsize_o,
  output logic [1:0]              m_axi_awburst_o,
  output logic [5:0]              m_axi_awatop_o,
  output logic                    m_axi_awvalid_o,
  input  logic                    m_axi_awready_i,
  output logic [AxiDataWidth-1:0] m_axi_wdata_o,
  output logic [StrbWidth-1:0]    m_axi_wstrb_o,
  output logic                    m_axi_wlast_o,
  output logic                    m_axi_wvalid_o,
  input  logic                    m_axi_wready_i,
  input  logic [IdWidth-1:0]      m_axi_bid_i,
  input  logic [1:0]              m_axi_bresp_i,
  input  logic                    m_axi_bvalid_i,
  output logic                    m_axi_bready_o,
  output logic [IdWidth-1:0]      m_axi_arid_o,
  output logic [63:0]             m_axi_araddr_o,
  output logic [7:0]              m_axi_arlen_o,
  output logic [2:0]              m_axi_arsize_o,
  output logic [1:0]              m_axi_arburst_o,
  output logic                    m_axi_arvalid_o,
  input  logic                    m_axi_arready_i,
  input  logic [IdWidth-1:0]      m_axi_rid_i,
  input  logic [AxiDataWidth-1:0] m_axi_rdata_i,
  input  logic [1:0]              m_axi_rresp_i,
  input  logic                    m_axi_rlast_i,
  input  logic                    m_axi_rvalid_i,
  output logic                    m_axi_rready_o,
  output logic                    msix_valid_o,
  output logic [7:0]              msix_vector_o,
  input  logic                    msix_ready_i,
  output logic                    idle_o
);

  typedef enum logic [2:0] {Idle, ReadAddr, ReadData, WriteAddr, WriteData, WriteResp, Msix} state_e;
  state_e state_q;
  logic [63:0] src_q, dst_q;
  logic [31:0] scratch_q, lines_q, line_q, errors_q;
  logic [3:0] id_q;
  logic [7:0] beat_q;
  logic go;

  logic [AxiDataWidth-1:0] data_q [Beats];

  // Registers.
  logic wr_q, rd_q, bvalid_q, rvalid_q;
  logic [31:0] rdata_q;
  assign s_axil_awready_o = wr_q;
  assign s_axil_wready_o = wr_q;
  assign s_axil_arready_o = rd_q;
  assign s_axil_bvalid_o = bvalid_q;
  assign s_axil_bresp_o = 2'b00;
  assign s_axil_rvalid_o = rvalid_q;
  assign s_axil_rdata_o = rdata_q;
  assign s_axil_rresp_o = 2'b00;
  assign go = wr_q && s_axil_awaddr_i == 20'h1c && s_axil_wstrb_i == 4'hf;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q <= 1'b0;
      rd_q <= 1'b0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
      rdata_q <= '0;
      src_q <= '0;
      dst_q <= '0;
      lines_q <= '0;
      scratch_q <= '0;
    end else begin
      wr_q <= s_axil_awvalid_i && s_axil_wvalid_i && !wr_q && !bvalid_q;
      rd_q <= s_axil_arvalid_i && !rd_q && !rvalid_q;
      if (wr_q) begin
        bvalid_q <= 1'b1;
        case (s_axil_awaddr_i)
          20'h04: scratch_q <= s_axil_wdata_i;
          20'h08: src_q[31:0] <= s_axil_wdata_i;
          20'h0c: src_q[63:32] <= s_axil_wdata_i;
          20'h10: dst_q[31:0] <= s_axil_wdata_i;
          20'h14: dst_q[63:32] <= s_axil_wdata_i;
          20'h18: lines_q <= s_axil_wdata_i;
          default: ;
        endcase
      end else if (s_axil_bready_i) begin
        bvalid_q <= 1'b0;
      end
      if (rd_q) begin
        rvalid_q <= 1'b1;
        case (s_axil_araddr_i)
          20'h00: rdata_q <= 32'h7e57da7a;
          20'h04: rdata_q <= scratch_q;
          20'h1c: rdata_q <= {31'b0, state_q != Idle};
          20'h20: rdata_q <= errors_q;
          default: rdata_q <= '1;
        endcase
      end else if (s_axil_rready_i) begin
        rvalid_q <= 1'b0;
      end
    end
  end

  // Copy.
  assign m_axi_arvalid_o = state_q == ReadAddr;
  assign m_axi_arid_o = id_q;
  assign m_axi_araddr_o = src_q + {26'b0, line_q, 6'b0};
  assign m_axi_arlen_o = 8'(Beats - 1);
  assign m_axi_arsize_o = 3'($clog2(StrbWidth));
  assign m_axi_arburst_o = 2'b01;
  assign m_axi_rready_o = state_q == ReadData;
  assign m_axi_awvalid_o = state_q == WriteAddr;
  assign m_axi_awid_o = id_q;
  assign m_axi_awaddr_o = dst_q + {26'b0, line_q, 6'b0};
  assign m_axi_awlen_o = 8'(Beats - 1);
  assign m_axi_awsize_o = 3'($clog2(StrbWidth));
  assign m_axi_awburst_o = 2'b01;
  assign m_axi_awatop_o = 6'b0;
  assign m_axi_wvalid_o = state_q == WriteData;
  assign m_axi_wdata_o = data_q[Beats > 1 ? beat_q : 0];
  assign m_axi_wstrb_o = '1;
  assign m_axi_wlast_o = beat_q == 8'(Beats - 1);
  assign m_axi_bready_o = state_q == WriteResp;
  assign msix_valid_o = state_q == Msix;
  assign msix_vector_o = 8'd3;
  assign idle_o = state_q == Idle;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
      line_q <= '0;
      id_q <= '0;
      beat_q <= '0;
      errors_q <= '0;
    end else begin
      case (state_q)
        Idle: if (go) begin
          line_q <= '0;
          state_q <= lines_q == 0 ? Msix : ReadAddr;
        end
        ReadAddr: if (m_axi_arready_i) begin
          beat_q <= '0;
          state_q <= ReadData;
        end
        ReadData: if (m_axi_rvalid_i) begin
          data_q[Beats > 1 ? beat_q : 0] <= m_axi_rdata_i;
          beat_q <= beat_q + 1;
          errors_q <= errors_q + 32'(m_axi_rresp_i != 0 || m_axi_rid_i != id_q);
          if (m_axi_rlast_i) state_q <= WriteAddr;
        end
        WriteAddr: if (m_axi_awready_i) begin
          beat_q <= '0;
          state_q <= WriteData;
        end
        WriteData: if (m_axi_wready_i) begin
          beat_q <= beat_q + 1;
          if (m_axi_wlast_o) state_q <= WriteResp;
        end
        WriteResp: if (m_axi_bvalid_i) begin
          errors_q <= errors_q + 32'(m_axi_bresp_i != 0 || m_axi_bid_i != id_q);
          id_q <= id_q + 1;
          line_q <= line_q + 1;
          state_q <= line_q + 1 == lines_q ? Msix : ReadAddr;
        end
        default: if (msix_ready_i) state_q <= Idle;
      endcase
    end
  end

endmodule
