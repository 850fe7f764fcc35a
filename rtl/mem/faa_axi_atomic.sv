// SPDX-License-Identifier: Apache-2.0
//
// Inserts atomic transactions between the reads and writes of an AXI4 master: AtomicLoad ADD,
// AtomicSwap and AtomicCompare of AXI5 on 4 and 8 bytes, which a bridge to PCI Express converts to
// FetchAdd, Swap and CAS.
//
// A transaction is sent between two lines of the master. While one waits, the master first
// completes lines whose address or data have been sent; then both of its channels stall until
// address and data of the transaction have been taken. The ID of a transaction has the top bit set,
// and requester and tag below, so each requester has up to 16 in flight. The answer is given when
// both responses, R and B, have come, in either order.
//
// Latency: none for the master; 1 cycle to AW and W, 1 from the last response to the answer.
// Throughput: one transaction per 2 cycles where AW and W are taken at once. Stalls: a line of the
// master is being sent; AW or W not ready; the last responses of two transactions in one cycle (B
// waits). Hazards: R and B of a transaction come in either order, or in one cycle: the last one
// triggers the answer.

`include "faa_assert.svh"

module faa_axi_atomic #(
  parameter int unsigned DataWidth = 512,
  // Requesters, 1..8.
  parameter int unsigned N = 2,
  // ID of the master; the ports of the bus have one bit more.
  parameter int unsigned IdWidth = 7,
  localparam int unsigned StrbWidth = DataWidth / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Requests: requester n in slice n. At most one with a tag is outstanding
  input  logic [N-1:0]         req_valid_i,
  output logic [N-1:0]         req_ready_o,
  input  logic [N*2-1:0]       req_op_i,       // faa_l2_pkg::AT_*
  input  logic [N-1:0]         req_wide_i,     // 8 bytes, else 4
  input  logic [N*50-1:0]      req_addr_i,     // [51:2]
  input  logic [N*64-1:0]      req_data_i,
  input  logic [N*64-1:0]      req_compare_i,
  input  logic [N*4-1:0]       req_tag_i,
  output logic [N-1:0]         rsp_valid_o,
  output logic [3:0]           rsp_tag_o,
  // Old value in memory; for 4 bytes the upper half is undefined
  output logic [63:0]          rsp_data_o,
  output logic                 rsp_err_o,

  output logic                 idle_o,

  // The master
  input  logic [IdWidth-1:0]   s_awid_i,
  input  logic [63:0]          s_awaddr_i,
  input  logic [7:0]           s_awlen_i,
  input  logic [2:0]           s_awsize_i,
  input  logic [1:0]           s_awburst_i,
  input  logic                 s_awvalid_i,
  output logic                 s_awready_o,
  input  logic [DataWidth-1:0] s_wdata_i,
  input  logic [StrbWidth-1:0] s_wstrb_i,
  input  logic                 s_wlast_i,
  input  logic                 s_wvalid_i,
  output logic                 s_wready_o,
  output logic                 s_bvalid_o,
  input  logic                 s_bready_i,
  output logic                 s_rvalid_o,
  input  logic                 s_rready_i,

  // The bus. IDs, data and responses of B and R go to the master unchanged
  output logic [IdWidth:0]     m_awid_o,
  output logic [63:0]          m_awaddr_o,
  output logic [7:0]           m_awlen_o,
  output logic [2:0]           m_awsize_o,
  output logic [1:0]           m_awburst_o,
  output logic [5:0]           m_awatop_o,
  output logic                 m_awvalid_o,
  input  logic                 m_awready_i,
  output logic [DataWidth-1:0] m_wdata_o,
  output logic [StrbWidth-1:0] m_wstrb_o,
  output logic                 m_wlast_o,
  output logic                 m_wvalid_o,
  input  logic                 m_wready_i,
  input  logic [IdWidth:0]     m_bid_i,
  input  logic [1:0]           m_bresp_i,
  input  logic                 m_bvalid_i,
  output logic                 m_bready_o,
  input  logic [IdWidth:0]     m_rid_i,
  input  logic [DataWidth-1:0] m_rdata_i,
  input  logic [1:0]           m_rresp_i,
  input  logic                 m_rvalid_i,
  output logic                 m_rready_o
);

  localparam int unsigned NumW = (N > 1) ? $clog2(N) : 1;
  localparam int unsigned SlotW = NumW + 4;
  localparam int unsigned Slots = 2 ** SlotW;
  localparam logic [1:0] INCR = 2'b01, WRAP = 2'b10;

  // ---- Arbitration between master and transactions ----

  // Lines of the master: addresses taken without all of their data, or data without their address.
  // A channel that has been offered is held.
  logic       want, mine_q, even, aw_held_q, w_held_q, w_inside_q, aw_pass, w_pass;
  logic [7:0] ahead_q;   // signed: addresses less lines of data
  logic       s_aw_take, s_line_take;
  logic       aw_valid_q, w_valid_q, done;

  assign even        = ahead_q == '0;
  assign aw_pass     = aw_held_q || !want || (!even && ahead_q[7]);
  assign w_pass      = w_held_q || w_inside_q || !want || (!even && !ahead_q[7]);
  assign s_aw_take   = s_awvalid_i && s_awready_o;
  assign s_line_take = s_wvalid_i && s_wready_o && s_wlast_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ahead_q    <= '0;
      aw_held_q  <= 1'b0;
      w_held_q   <= 1'b0;
      w_inside_q <= 1'b0;
    end else begin
      ahead_q   <= ahead_q + 8'(s_aw_take) - 8'(s_line_take);
      aw_held_q <= !mine_q && s_awvalid_i && aw_pass && !m_awready_i;
      w_held_q  <= !mine_q && s_wvalid_i && w_pass && !m_wready_i;
      if (s_wvalid_i && s_wready_o) w_inside_q <= !s_wlast_i;
    end
  end

  // ---- The transaction ----

  logic [N-1:0]    grant;
  logic [1:0]      op, op_q;
  logic            wide, wide_q, start, w_beat_q, two_beats, compares;
  logic [51:2]     addr, addr_q;
  logic [63:0]     data, data_q, compare, compare_q;
  logic [3:0]      tag;
  logic [NumW-1:0] number;
  logic [SlotW-1:0] slot_q;

  faa_arb_rr #(.N(N)) u_arb (
    .clk_i, .rst_ni, .req_i(req_valid_i), .grant_o(grant), .advance_i(start)
  );

  always_comb begin
    op      = '0;
    wide    = 1'b0;
    addr    = '0;
    data    = '0;
    compare = '0;
    tag     = '0;
    number  = '0;
    for (int unsigned n = 0; n < N; n++) begin
      if (grant[n]) begin
        op      = op | req_op_i[n*2 +: 2];
        wide    = wide | req_wide_i[n];
        addr    = addr | req_addr_i[n*50 +: 50];
        data    = data | req_data_i[n*64 +: 64];
        compare = compare | req_compare_i[n*64 +: 64];
        tag     = tag | req_tag_i[n*4 +: 4];
        number  = number | NumW'(n);
      end
    end
  end

  // The module has the channels from the cycle after the one in which no access of the master is
  // incomplete.
  assign want        = |req_valid_i || mine_q;
  assign start       = |req_valid_i && !mine_q && even && !w_inside_q && !aw_held_q && !w_held_q && !s_aw_take && !s_line_take &&
                       !(s_wvalid_i && w_pass) && !(s_awvalid_i && aw_pass);
  assign req_ready_o = start ? grant : '0;
  assign done        = (!aw_valid_q || m_awready_i) && (!w_valid_q || (m_wready_i && m_wlast_o));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mine_q     <= 1'b0;
      aw_valid_q <= 1'b0;
      w_valid_q  <= 1'b0;
      w_beat_q   <= 1'b0;
    end else begin
      if (start) begin
        mine_q     <= 1'b1;
        aw_valid_q <= 1'b1;
        w_valid_q  <= 1'b1;
        w_beat_q   <= 1'b0;
      end else if (mine_q) begin
        mine_q <= !done;
        if (m_awready_i) aw_valid_q <= 1'b0;
        if (m_wready_i && w_valid_q) begin
          w_beat_q  <= !m_wlast_o;
          w_valid_q <= !m_wlast_o;
        end
      end
    end
    if (start) begin
      op_q      <= op;
      wide_q    <= wide;
      addr_q    <= addr;
      data_q    <= data;
      compare_q <= compare;
      slot_q    <= {number, tag};
    end
  end

  assign compares  = op_q == faa_l2_pkg::AT_CAS;
  assign two_beats = compares && wide_q && DataWidth == 64;

  // ---- Address and data ----

  logic upper;
  assign upper = compares && (wide_q ? addr_q[3] : addr_q[2]);

  assign m_awvalid_o = mine_q ? aw_valid_q : s_awvalid_i && aw_pass;
  assign m_awid_o    = mine_q ? {1'b1, IdWidth'(slot_q)} : {1'b0, s_awid_i};
  assign m_awaddr_o  = mine_q ? {12'b0, addr_q, 2'b0} : s_awaddr_i;
  assign m_awlen_o   = mine_q ? {7'b0, two_beats} : s_awlen_i;
  assign m_awsize_o  = mine_q ? 3'd2 + 3'(wide_q) + 3'(compares && !two_beats) : s_awsize_i;
  assign m_awburst_o = mine_q ? (upper ? WRAP : INCR) : s_awburst_i;
  assign m_awatop_o  = !mine_q ? 6'h00 : op_q == faa_l2_pkg::AT_ADD ? 6'h20 : compares ? 6'h31 : 6'h30;
  assign s_awready_o = !mine_q && aw_pass && m_awready_i;

  // The value to compare is at the address, the value to store in the other half; with two beats
  // the latter is the second.
  logic [127:0]         window;
  logic [15:0]          lanes;
  logic [StrbWidth-1:0] strb;
  logic [DataWidth-1:0] wdata;

  always_comb begin
    for (int unsigned k = 0; k < 4; k++) begin
      if (!compares || two_beats) window[k*32 +: 32] = !wide_q || k % 2 == 0 ? data_q[31:0] : data_q[63:32];
      else if (wide_q) window[k*32 +: 32] = (k / 2 == 1) == addr_q[3] ? compare_q[(k%2)*32 +: 32] : data_q[(k%2)*32 +: 32];
      else window[k*32 +: 32] = (k % 2 == 1) == addr_q[2] ? compare_q[31:0] : data_q[31:0];
      lanes[k*4 +: 4] = (wide_q && compares) || k / 2 == 32'(addr_q[3]) && (wide_q || compares || k % 2 == 32'(addr_q[2])) ? 4'hf : 4'h0;
    end
    if (two_beats && !w_beat_q) window = {2{compare_q}};
  end

  if (DataWidth == 64) begin : gen_narrow
    assign strb  = lanes[7:0] | lanes[15:8];
    assign wdata = window[63:0];
    logic unused_window;
    assign unused_window = ^window[127:64];
  end else begin : gen_wide
    assign wdata = {(DataWidth / 128){window}};
    always_comb begin
      strb = '0;
      for (int unsigned n = 0; n < StrbWidth / 16; n++) begin
        if (StrbWidth == 16 || 32'(addr_q[5:4]) % (StrbWidth / 16) == n) strb[n*16 +: 16] = lanes;
      end
    end
  end

  assign m_wvalid_o = mine_q ? w_valid_q : s_wvalid_i && w_pass;
  assign m_wdata_o  = mine_q ? wdata : s_wdata_i;
  assign m_wstrb_o  = mine_q ? strb : s_wstrb_i;
  assign m_wlast_o  = mine_q ? !two_beats || w_beat_q : s_wlast_i;
  assign s_wready_o = !mine_q && w_pass && m_wready_i;

  // ---- Responses ----

  logic              r_mine, b_mine, r_take, b_take, r_last, b_last, answer_q, stored_q, err_q;
  logic [SlotW-1:0]  r_slot, b_slot, answer_slot_q;
  // One of the two responses has come; it was an error
  logic [Slots-1:0]  under_way_q, got_q, bad_q;
  logic [63:0]       r_item, item_q, stored;
  logic [51:2]       r_addr;
  logic [Slots*4-1:0] place_q;                    // bits 5..2 of the address of each

  assign r_mine = m_rid_i[IdWidth];
  assign b_mine = m_bid_i[IdWidth];
  assign r_slot = m_rid_i[SlotW-1:0];
  assign b_slot = m_bid_i[SlotW-1:0];

  // When both responses of a transaction come in one cycle, R is the first.
  assign m_rready_o = r_mine || s_rready_i;
  assign m_bready_o = b_mine ? !(m_rvalid_i && r_mine) : s_bready_i;
  assign s_rvalid_o = m_rvalid_i && !r_mine;
  assign s_bvalid_o = m_bvalid_i && !b_mine;
  assign r_take     = m_rvalid_i && r_mine;
  assign b_take     = m_bvalid_i && b_mine && m_bready_o;
  assign r_last     = r_take && got_q[r_slot];
  assign b_last     = b_take && got_q[b_slot];

  // The item is in the lanes of its address.
  assign r_addr = {46'b0, place_q[32'(r_slot)*4 +: 4]};
  if (DataWidth == 64) begin : gen_item_narrow
    assign r_item = {m_rdata_i[63:32], r_addr[2] ? m_rdata_i[63:32] : m_rdata_i[31:0]};
  end else begin : gen_item_wide
    localparam int unsigned LaneW = $clog2(DataWidth / 64);
    logic [63:0] pair;
    assign pair   = m_rdata_i[32'(r_addr[3 +: LaneW])*64 +: 64];
    assign r_item = {pair[63:32], r_addr[2] ? pair[63:32] : pair[31:0]};
  end

  faa_ram_1r1w #(
    .Width(64),
    .Depth(2 ** SlotW)
  ) u_items (
    .clk_i,
    .we_i   (r_take && !r_last),
    .waddr_i(r_slot),
    .wdata_i(r_item),
    .re_i   (b_last),
    .raddr_i(b_slot),
    .rdata_o(stored)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      under_way_q <= '0;
      got_q       <= '0;
      answer_q    <= 1'b0;
    end else begin
      answer_q <= r_last || b_last;
      if (start) under_way_q[{number, tag}] <= 1'b1;
      if (r_take) got_q[r_slot] <= !r_last;
      if (b_take) got_q[b_slot] <= !b_last;
      if (r_last) under_way_q[r_slot] <= 1'b0;
      if (b_last) under_way_q[b_slot] <= 1'b0;
    end
    if (start) place_q[32'({number, tag})*4 +: 4] <= addr[5:2];
    if (r_take && !r_last) bad_q[r_slot] <= m_rresp_i[1];
    if (b_take && !b_last) bad_q[b_slot] <= m_bresp_i[1];
    if (r_last || b_last) begin
      answer_slot_q <= r_last ? r_slot : b_slot;
      err_q         <= r_last ? m_rresp_i[1] || bad_q[r_slot] : m_bresp_i[1] || bad_q[b_slot];
      stored_q      <= !r_last;
      item_q        <= r_item;
    end
  end

  for (genvar n = 0; n < N; n++) begin : gen_answer
    assign rsp_valid_o[n] = answer_q && (N == 1 || answer_slot_q[SlotW-1:4] == NumW'(n));
  end
  assign rsp_tag_o  = answer_slot_q[3:0];
  assign rsp_data_o = stored_q ? stored : item_q;
  assign rsp_err_o  = err_q;
  assign idle_o     = !mine_q && under_way_q == '0 && !answer_q;

  logic unused;
  assign unused = ^{m_rresp_i[0], m_bresp_i[0], r_addr};

  `FAA_ASSERT_STABLE(AtomicAw, m_awvalid_o, m_awready_i, {m_awaddr_o, m_awid_o, m_awatop_o})
  `FAA_ASSERT_STABLE(AtomicW, m_wvalid_o, m_wready_i, {m_wdata_o, m_wstrb_o, m_wlast_o})
  `FAA_ASSERT(AtomicTagFree, !start || !under_way_q[{number, tag}])
  `FAA_ASSERT(AtomicAnswered, !(r_take && !under_way_q[r_slot]) && !(b_take && !under_way_q[b_slot]))
  `FAA_ASSERT(AtomicBetweenLines, !mine_q || (even && !w_inside_q))
  `FAA_COVER(atomic_beside_lines, want && !mine_q && !even)
  `FAA_COVER(atomic_b_last, b_last)
  `FAA_COVER(atomic_r_last, r_last)
  `FAA_COVER(atomic_both, r_take && m_bvalid_i && b_mine)

endmodule
