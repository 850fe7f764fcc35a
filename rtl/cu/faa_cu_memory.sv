// SPDX-License-Identifier: Apache-2.0
//
// Merges the memory accesses of a compute unit into its one port and returns the responses.
//
// Clients by priority: 0 load, 1 store, 2 operands, 3 fetch, 4 context, 5 surfaces. Each request
// gets a free tag of the port; the client and the client's own tag are stored under it. Contexts
// and polls of SEM_WAIT go past the L2 (mem_req_direct_o). Latency: one cycle for the request, none
// for the response; one request per cycle. The port's ready has no combinational path to the
// clients.
//
// With Late, requests of the context wait in a register, one per two cycles, and all clients but
// the context get their answers a cycle later. With HalfRate, which implies Late, the client is
// chosen one cycle before, and a request is taken when the previous one has left: latency two
// cycles, one request per two cycles, and ready_o comes from registers.
// Stalls: MEM-S1 (another client goes first), MEM-S2 (all 2^UsedTagW tags are in use), MEM-S3 (the
// port is not ready).

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_cu_memory #(
  parameter int unsigned MemTagW = 7,
  parameter int unsigned UsedTagW = MemTagW,   // of it in use: 2^UsedTagW requests are in flight
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  parameter bit HalfRate = 1'b0,
  parameter bit Late = HalfRate,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam type line_req_t = `FAA_LINE_REQ(LineBytes, MemTagW),
  localparam type line_rsp_t = `FAA_LINE_RSP(LineBytes, MemTagW)
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

  // Answers: for the context (its data come beside the slot) without delay, and for the others
  output logic               context_rsp_valid_o,
  output logic [3:0]         context_rsp_tag_o,
  output logic [5:0]         rsp_valid_o,   // one bit per client
  output logic [6:0]         rsp_tag_o,
  output logic [LineW-1:0]   rsp_data_o,
  output logic               rsp_err_o,
  output logic               idle_o,        // nothing is sent or unanswered; a client that offers
                                            // a request says itself that it is not idle

  output logic               mem_req_valid_o,
  input  logic               mem_req_ready_i,
  output line_req_t          mem_req_o,
  input  logic               mem_rsp_valid_i,
  input  line_rsp_t          mem_rsp_i
);

  // Requests of the clients; that of the context after its register
  logic [5:0]         client_valid, client_ready, rsp_valid;
  logic               context_write;
  logic [63:OffW]     context_line;
  logic [LineW-1:0]   context_data;
  logic [3:0]         context_tag;
  logic               take, may_take, free, slots_idle, slot_free, slots_unused, port_ready;
  logic [63:OffW]        addr;
  logic [UsedTagW-1:0] slot;
  line_req_t          request;
  logic [5:0]         lowest, first;
  logic [2:0]         client;
  logic [6:0]         client_tag;
  logic [9:0]         rsp_data;

  if (Late) begin : gen_context_register
    // mem_req_ready_i has no combinational path to the context's ready.
    logic context_ready;
    faa_skid #(
      .Width   (1 + 64 - OffW + LineW + 4),
      .HalfRate(1'b1)
    ) u_context (
      .clk_i,
      .rst_ni,
      .valid_i(valid_i[4]),
      .ready_o(context_ready),
      .data_i ({context_write_i, context_line_i, context_data_i, context_tag_i}),
      .valid_o(client_valid[4]),
      .ready_i(client_ready[4]),
      .data_o ({context_write, context_line, context_data, context_tag})
    );
    assign ready_o = {client_ready[5], context_ready, client_ready[3:0]};
  end else begin : gen_context
    assign client_valid[4] = valid_i[4];
    assign ready_o         = client_ready;
    assign {context_write, context_line, context_data, context_tag} =
           {context_write_i, context_line_i, context_data_i, context_tag_i};
  end
  assign {client_valid[5], client_valid[3:0]} = {valid_i[5], valid_i[3:0]};

  // The lowest bit set
  assign lowest = client_valid & -client_valid;

  if (HalfRate) begin : gen_half
    logic [5:0] chosen_q;
    // A client chosen in the cycle in which its request leaves is not chosen again: the port is in
    // use.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) chosen_q <= '0;
      else chosen_q <= lowest;
    end
    assign first    = chosen_q;
    assign may_take = free && port_ready;
    assign take     = may_take && |(first & client_valid);
    assign client_ready = may_take ? first : 6'd0;
  end else begin : gen_full
    assign first    = lowest;
    assign may_take = free && port_ready;
    assign take     = may_take && |client_valid;
    assign client_ready = take ? first : 6'd0;
  end

  always_comb begin
    client = '0;
    for (int unsigned n = 1; n < 6; n++) if (first[n]) client = client | 3'(n);
    client_tag = (first[0] ? 7'(load_tag_i) : '0) | (first[1] ? 7'(store_tag_i) : '0) |
                 (first[2] ? operand_tag_i : '0) | (first[4] ? 7'(context_tag) : '0);
    addr       = (first[0] ? (64-OffW)'(load_line_i) : '0) |
                 (first[1] ? (64-OffW)'(store_line_i) : '0) |
                 (first[2] ? (64-OffW)'(operand_line_i) : '0) | (first[3] ? fetch_line_i : '0) |
                 (first[4] ? context_line : '0) | (first[5] ? (64-OffW)'(surface_line_i) : '0);
  end

  faa_slots #(
    .SlotW(UsedTagW),
    .DataW(10),
    .Late (HalfRate)
  ) u_slots (
    .clk_i,
    .rst_ni,
    .free_o     (slot_free),
    .slot_o     (slot),
    .take_i     (take),
    .data_i     ({client, client_tag}),
    .done_i     (mem_rsp_valid_i),
    .done_slot_i(mem_rsp_i.tag[UsedTagW-1:0]),
    .done_data_o(rsp_data),
    .idle_o     (slots_unused)
  );

  // Whether a slot is free, and whether all are, from registers that change with the slots
  if (HalfRate) begin : gen_of_slots
    assign free       = slot_free;
    assign slots_idle = slots_unused;
  end else begin : gen_counted
    logic [UsedTagW:0] unused_count;
    logic              some, all;

    faa_in_flight #(
      .Max(1 << UsedTagW)
    ) u_in_flight (
      .clk_i,
      .rst_ni,
      .take_i (take),
      .done_i (mem_rsp_valid_i),
      .count_o(unused_count),
      .some_o (some),
      .full_o (all)
    );
    assign free       = !all;
    assign slots_idle = !some;

    `FAA_ASSERT(slots_are_counted, free == slot_free && slots_idle == slots_unused)
  end

  assign request = '{write: first[1] || (first[4] && context_write),
                     direct: first[4] || (first[0] && load_direct_i),
                     addr: addr, data: first[1] ? store_data_i : context_data,
                     strb: first[1] ? store_strobe_i : '1, tag: MemTagW'(slot)};

  faa_skid #(
    .Width   ($bits(line_req_t)),
    .HalfRate(HalfRate)
  ) u_request (
    .clk_i,
    .rst_ni,
    .valid_i(take),
    .ready_o(port_ready),
    .data_i (request),
    .valid_o(mem_req_valid_o),
    .ready_i(mem_req_ready_i),
    .data_o (mem_req_o)
  );

  // The client of an answer is looked up by its tag.
  assign rsp_valid           = mem_rsp_valid_i ? 6'd1 << rsp_data[9:7] : 6'd0;
  assign context_rsp_valid_o = rsp_valid[4];
  assign context_rsp_tag_o   = rsp_data[3:0];

  if (Late) begin : gen_late
    always_ff @(posedge clk_i) begin
      rsp_valid_o <= rst_ni ? rsp_valid : '0;
      rsp_tag_o   <= rsp_data[6:0];
      rsp_data_o  <= mem_rsp_i.data;
      rsp_err_o   <= mem_rsp_i.err;
    end
    assign idle_o = slots_idle && !client_valid[4] && rsp_valid_o == '0;
  end else begin : gen_now
    assign rsp_valid_o = rsp_valid;
    assign rsp_tag_o   = rsp_data[6:0];
    assign rsp_data_o  = mem_rsp_i.data;
    assign rsp_err_o   = mem_rsp_i.err;
    assign idle_o      = slots_idle;
  end

  if (UsedTagW < MemTagW) begin : gen_few
    logic unused_tag;
    assign unused_tag = ^mem_rsp_i.tag[MemTagW-1:UsedTagW];
  end

  `FAA_ASSERT_STABLE(request_stable, mem_req_valid_o, mem_req_ready_i,
                     {mem_req_o.write, mem_req_o.addr, mem_req_o.tag})
  `FAA_ASSERT(client_stays, (client_ready & ~client_valid) == '0)
  `FAA_COVER(stall_m2, |client_valid && !free)
  `FAA_COVER(stall_m3, |client_valid && free && !may_take)

endmodule
