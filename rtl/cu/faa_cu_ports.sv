// SPDX-License-Identifier: Apache-2.0
//
// Lends a compute unit's ports for memory, translation and sweeps of the L2 to its slots, request
// by request, round robin. Answers go to the slot that made the request: memory has the slot's
// number in the tag, translations come in the order of the requests.
//
// No latency. Throughput: a request per cycle of each port. Stalls: SLOT-S1 (another slot's request
// goes first). Hazards: none; requests of two slots to one line are not ordered, as those of two
// units are not.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_cu_ports #(
  parameter int unsigned Slots = 2,
  parameter int unsigned SlotTagW = 7,
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  localparam int unsigned SlotW = Slots > 1 ? $clog2(Slots) : 1,
  localparam int unsigned MemTagW = Slots > 1 ? SlotTagW + SlotW : SlotTagW,
  localparam type slot_req_t = `FAA_LINE_REQ(LineBytes, SlotTagW),
  localparam type line_req_t = `FAA_LINE_REQ(LineBytes, MemTagW)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // Slots, number n in slice n of each vector
  input  logic [Slots-1:0]          mem_valid_i,
  output logic [Slots-1:0]          mem_ready_o,
  input  slot_req_t [Slots-1:0]     mem_req_i,
  output logic [Slots-1:0]          mem_rsp_valid_o,
  output logic [SlotTagW-1:0]       mem_rsp_tag_o,
  input  logic [Slots-1:0]          tr_valid_i,
  output logic [Slots-1:0]          tr_ready_o,
  input  faa_bundle_pkg::tr_req_t [Slots-1:0] tr_req_i,
  output logic [Slots-1:0]          tr_rsp_valid_o,
  input  logic [Slots-1:0]          sweep_valid_i,
  input  logic [Slots-1:0]          sweep_drop_i,
  output logic [Slots-1:0]          sweep_done_o,

  // The unit's ports
  output logic                      mem_req_valid_o,
  input  logic                      mem_req_ready_i,
  output line_req_t                 mem_req_o,
  input  logic                      mem_rsp_valid_i,
  input  logic [MemTagW-1:0]        mem_rsp_tag_i,
  output logic                      tr_valid_o,
  input  logic                      tr_ready_i,
  output faa_bundle_pkg::tr_req_t   tr_req_o,
  input  logic                      tr_rsp_valid_i,
  output logic                      sweep_valid_o,
  output logic                      sweep_drop_o,
  input  logic                      sweep_done_i
);

  logic [Slots-1:0] mem_grant, tr_grant, sweep_grant;

  // -------------------------------------------------------------------------------------------------------------
  // Memory

  faa_arb_hold #(.N(Slots)) u_mem_arb (
    .clk_i, .rst_ni, .req_i(mem_valid_i), .grant_o(mem_grant), .served_i(mem_req_valid_o && mem_req_ready_i)
  );

  assign mem_req_valid_o = mem_valid_i != '0;
  assign mem_ready_o     = mem_req_ready_i ? mem_grant : '0;

  // A request with the number of its slot in the tag
  slot_req_t        chosen;
  logic [SlotW-1:0] number;
  always_comb begin
    chosen = mem_req_i[0];
    number = '0;
    for (int unsigned n = 1; n < Slots; n++) begin
      if (mem_grant[n]) begin
        chosen = mem_req_i[n];
        number = SlotW'(n);
      end
    end
    mem_req_o = '{write: chosen.write, direct: chosen.direct, addr: chosen.addr, data: chosen.data,
                  strb: chosen.strb, tag: MemTagW'({number, chosen.tag})};
  end

  for (genvar n = 0; n < Slots; n++) begin : g_mem
    assign mem_rsp_valid_o[n] = mem_rsp_valid_i && (32'(mem_rsp_tag_i) >> SlotTagW) == n;
  end
  assign mem_rsp_tag_o = mem_rsp_tag_i[SlotTagW-1:0];

  // -------------------------------------------------------------------------------------------------------------
  // Translation

  faa_arb_hold #(.N(Slots)) u_tr_arb (
    .clk_i, .rst_ni, .req_i(tr_valid_i), .grant_o(tr_grant), .served_i(tr_valid_o && tr_ready_i)
  );

  assign tr_valid_o  = tr_valid_i != '0;
  assign tr_ready_o  = !tr_ready_i ? '0 : Slots == 1 ? '1 : tr_grant;

  always_comb begin
    tr_req_o = tr_req_i[0];
    for (int unsigned n = 1; n < Slots; n++) if (tr_grant[n]) tr_req_o = tr_req_i[n];
  end

  if (Slots == 1) begin : gen_one
    assign tr_rsp_valid_o = tr_rsp_valid_i;
  end else begin : gen_several
    logic             room, waiting;
    logic [Slots-1:0] asker;
    logic [$clog2(faa_cu_pkg::TRANSLATIONS+1)-1:0] count;

    // Requesting slots, in the order of the requests. The FIFO has room for all that the TLB takes.
    faa_fifo #(.Width(Slots), .Depth(faa_cu_pkg::TRANSLATIONS)) u_askers (
      .clk_i, .rst_ni, .valid_i(tr_valid_o && tr_ready_i), .ready_o(room), .data_i(tr_grant), .valid_o(waiting),
      .ready_i(tr_rsp_valid_i), .data_o(asker), .count_o(count)
    );
    assign tr_rsp_valid_o = tr_rsp_valid_i ? asker : '0;

    logic unused;
    assign unused = ^count;
    `FAA_ASSERT(askers_fit, !(tr_valid_o && tr_ready_i) || room)
    `FAA_ASSERT(translation_was_asked_for, !tr_rsp_valid_i || waiting)
  end

  // -------------------------------------------------------------------------------------------------------------
  // Sweeps: of one slot at a time, since a sweep counts only for a slot that requested before it
  // began

  faa_arb_hold #(.N(Slots)) u_sweep_arb (
    .clk_i, .rst_ni, .req_i(sweep_valid_i), .grant_o(sweep_grant), .served_i(sweep_done_i)
  );

  assign sweep_valid_o = sweep_valid_i != '0;
  assign sweep_drop_o  = (sweep_grant & sweep_drop_i) != '0;
  assign sweep_done_o  = sweep_done_i ? sweep_grant : '0;

  `FAA_ASSERT(response_has_a_slot, !mem_rsp_valid_i || mem_rsp_valid_o != '0)
  `FAA_COVER(stall_y1_memory, (mem_valid_i & ~mem_grant) != '0)
  `FAA_COVER(stall_y1_translation, (tr_valid_i & ~tr_grant) != '0)
  `FAA_COVER(stall_y1_sweep, (sweep_valid_i & ~sweep_grant) != '0)

endmodule
