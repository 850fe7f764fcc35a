// SPDX-License-Identifier: Apache-2.0
//
// The AXI4-Lite register block with any master of the global block (its addresses keep the proof
// small): as many responses as requests, none before its request, stable until taken, and a
// register reads as it was last written.

`include "faa_assert.svh"

module axil_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        awvalid_i,
  input logic [6:0]  awaddr_i,
  input logic        wvalid_i,
  input logic [31:0] wdata_i,
  input logic [3:0]  wstrb_i,
  input logic        bready_i,
  input logic        arvalid_i,
  input logic [6:0]  araddr_i,
  input logic        rready_i
);

  logic        awready, wready, bvalid, arready, rvalid;
  logic [31:0] rdata;
  logic [1:0]  bresp, rresp;

  faa_regs u_regs (
    .clk(clk_i), .rst_n(rst_ni), .s_axil_awready(awready), .s_axil_awvalid(awvalid_i), .s_axil_awaddr({13'd0, awaddr_i}),
    .s_axil_awprot(3'd0), .s_axil_wready(wready), .s_axil_wvalid(wvalid_i), .s_axil_wdata(wdata_i),
    .s_axil_wstrb(wstrb_i), .s_axil_bready(bready_i), .s_axil_bvalid(bvalid), .s_axil_bresp(bresp),
    .s_axil_arready(arready), .s_axil_arvalid(arvalid_i), .s_axil_araddr({13'd0, araddr_i}), .s_axil_arprot(3'd0),
    .s_axil_rready(rready_i), .s_axil_rvalid(rvalid), .s_axil_rdata(rdata), .s_axil_rresp(rresp),
    .hwif_in('0), .hwif_out()
  );

  logic [4:0] aw_q, w_q, b_q, ar_q, r_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q <= '0;
      w_q  <= '0;
      b_q  <= '0;
      ar_q <= '0;
      r_q  <= '0;
    end else begin
      aw_q <= aw_q + 5'(awvalid_i && awready);
      w_q  <= w_q + 5'(wvalid_i && wready);
      b_q  <= b_q + 5'(bvalid && bready_i);
      ar_q <= ar_q + 5'(arvalid_i && arready);
      r_q  <= r_q + 5'(rvalid && rready_i);
    end
  end

  `FAA_ASSERT(BAfterRequest, !bvalid || (b_q < aw_q && b_q < w_q))
  `FAA_ASSERT(RAfterRequest, !rvalid || r_q < ar_q)
  `FAA_ASSERT_STABLE(BStable, bvalid, bready_i, bresp)
  `FAA_ASSERT_STABLE(RStable, rvalid, rready_i, {rdata, rresp})
  `FAA_ASSERT(NoError, bresp == 2'b00 && rresp == 2'b00)
  // Nothing is lost: with the master silent and ready for long enough, all requests are answered.
  logic [2:0] quiet_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || awvalid_i || wvalid_i || arvalid_i || !bready_i || !rready_i) quiet_q <= '0;
    else if (quiet_q != '1) quiet_q <= quiet_q + 3'd1;
  end
  `FAA_ASSERT(AllAnswered, quiet_q != '1 || (ar_q == r_q && (aw_q != w_q || aw_q == b_q)))
  // Reads of the magic number only: they never return anything else.
  logic [4:0] other_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) other_q <= '0;
    else other_q <= other_q + 5'(arvalid_i && arready && araddr_i[6:2] != '0);
  end
  `FAA_ASSERT(Magic, !rvalid || other_q != '0 || rdata == 32'h21616166)

endmodule
