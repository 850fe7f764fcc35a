// SPDX-License-Identifier: Apache-2.0
//
// Merges the memory accesses of a compute unit into its one port and brings the responses back.
//
// Clients by priority: 0 load, 1 store, 2 operands, 3 fetch, 4 context, 5 surfaces. Each request gets
// a free tag of the port; the client and the client's own tag are kept beside it. Contexts and polls
// of SEM_WAIT go past the L2 (mem_req_direct_o). Latency: one cycle for the request, none for the
// response; one request per cycle.
//
// With HalfRate the client is chosen one cycle before, and a request is taken when the one before has
// gone: latency two cycles, one request per two cycles, and ready_o comes from registers.
// Stalls: M1 another client goes first; M2 all 2^UsedTagW tags are in use; M3 the port is not ready.

`include "faa_assert.svh"

module faa_cu_memory #(
  parameter int unsigned MemTagW = 7,
  parameter int unsigned UsedTagW = MemTagW,   // of it in use: 2^UsedTagW requests are in flight
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  parameter bit HalfRate = 1'b0,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic [5:0]         valid_i,
  output logic [5:0]         ready_o,
  input  logic [51:OffW]        load_line_i,
  input  logic [4:0]         load_tag_i,
  input  logic               load_direct_i,  // a poll
  input  logic [51:OffW]        store_line_i,
  input  logic [LineW-1:0]       store_data_i,
  input  logic [LineBytes-1:0] store_strobe_i,
  input  logic [4:0]         store_tag_i,
  input  logic [51:OffW]        operand_line_i,
  input  logic [6:0]         operand_tag_i,
  input  logic [63:OffW]        fetch_line_i,
  input  logic               context_write_i,
  input  logic [63:OffW]        context_line_i,
  input  logic [LineW-1:0]       context_data_i,
  input  logic [3:0]         context_tag_i,
  input  logic [51:OffW]        surface_line_i,

  output logic [5:0]         rsp_valid_o,   // one bit per client
  output logic [6:0]         rsp_tag_o,
  output logic               idle_o,        // nothing to send, nothing unanswered

  output logic               mem_req_valid_o,
  input  logic               mem_req_ready_i,
  output logic               mem_req_write_o,
  output logic               mem_req_direct_o,
  output logic [63:OffW]        mem_req_addr_o,
  output logic [LineW-1:0]       mem_req_wdata_o,
  output logic [LineBytes-1:0] mem_req_wstrb_o,
  output logic [MemTagW-1:0] mem_req_tag_o,
  input  logic               mem_rsp_valid_i,
  input  logic [MemTagW-1:0] mem_rsp_tag_i
);

  logic               valid_q, write_q, direct_q, take, may_take, free, slots_idle;
  logic [63:OffW]        addr_q, addr;
  logic [LineW-1:0]       wdata_q;
  logic [LineBytes-1:0] wstrb_q;
  logic [UsedTagW-1:0] tag_q, slot;
  logic [5:0]         lowest, first;
  logic [2:0]         client;
  logic [6:0]         client_tag;
  logic [9:0]         rsp_data;

  // The lowest bit that is set
  assign lowest = valid_i & -valid_i;

  if (HalfRate) begin : gen_half
    logic [5:0] chosen_q;
    // One that is chosen in the cycle in which it goes cannot go again: the port is in use.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) chosen_q <= '0;
      else chosen_q <= lowest;
    end
    assign first    = chosen_q;
    assign may_take = free && !valid_q;
    assign take     = may_take && |(first & valid_i);
    assign ready_o  = may_take ? first : 6'd0;
  end else begin : gen_full
    assign first    = lowest;
    assign may_take = free && (!valid_q || mem_req_ready_i);
    assign take     = may_take && |valid_i;
    assign ready_o  = take ? first : 6'd0;
  end

  always_comb begin
    client = '0;
    for (int unsigned n = 1; n < 6; n++) if (first[n]) client = client | 3'(n);
    client_tag = (first[0] ? 7'(load_tag_i) : '0) | (first[1] ? 7'(store_tag_i) : '0) |
                 (first[2] ? operand_tag_i : '0) | (first[4] ? 7'(context_tag_i) : '0);
    addr       = (first[0] ? (64-OffW)'(load_line_i) : '0) |
                 (first[1] ? (64-OffW)'(store_line_i) : '0) |
                 (first[2] ? (64-OffW)'(operand_line_i) : '0) | (first[3] ? fetch_line_i : '0) |
                 (first[4] ? context_line_i : '0) | (first[5] ? (64-OffW)'(surface_line_i) : '0);
  end

  faa_slots #(
    .SlotW(UsedTagW),
    .DataW(10),
    .Late (HalfRate)
  ) u_slots (
    .clk_i,
    .rst_ni,
    .free_o     (free),
    .slot_o     (slot),
    .take_i     (take),
    .data_i     ({client, client_tag}),
    .done_i     (mem_rsp_valid_i),
    .done_slot_i(mem_rsp_tag_i[UsedTagW-1:0]),
    .done_data_o(rsp_data),
    .idle_o     (slots_idle)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (take) valid_q <= 1'b1;
    else if (mem_req_ready_i) valid_q <= 1'b0;
    if (take) begin
      addr_q  <= addr;
      tag_q   <= slot;
      write_q <= first[1] || (first[4] && context_write_i);
      direct_q <= first[4] || (first[0] && load_direct_i);
      if (first[1]) begin
        wdata_q <= store_data_i;
        wstrb_q <= store_strobe_i;
      end else begin
        wdata_q <= context_data_i;
        wstrb_q <= '1;
      end
    end
  end

  assign mem_req_valid_o = valid_q;
  assign mem_req_write_o = write_q;
  assign mem_req_direct_o = direct_q;
  assign mem_req_addr_o  = addr_q;
  assign mem_req_wdata_o = wdata_q;
  assign mem_req_wstrb_o = wstrb_q;
  assign mem_req_tag_o   = MemTagW'(tag_q);
  assign rsp_valid_o     = mem_rsp_valid_i ? 6'd1 << rsp_data[9:7] : 6'd0;
  assign rsp_tag_o       = rsp_data[6:0];
  assign idle_o          = slots_idle && valid_i == '0;

  if (UsedTagW < MemTagW) begin : gen_few
    logic unused_tag;
    assign unused_tag = ^mem_rsp_tag_i[MemTagW-1:UsedTagW];
  end

  `FAA_ASSERT_STABLE(request_stable, mem_req_valid_o, mem_req_ready_i, {mem_req_write_o, mem_req_addr_o, mem_req_tag_o})
  `FAA_ASSERT(client_stays, (ready_o & ~valid_i) == '0)
  `FAA_COVER(stall_m2, |valid_i && !free)
  `FAA_COVER(stall_m3, |valid_i && free && !may_take)

endmodule
