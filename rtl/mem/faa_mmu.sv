// SPDX-License-Identifier: Apache-2.0
//
// Translation that all compute units share: second-level TLB and walker (Documentation/mmu.rst).
// Requests of the units' TLBs are taken one per cycle, round robin, looked up, and answered, or
// queued for a walk. Answers come in any order, with the number that the TLB gave its request.
//
// Latency: 4 cycles of a hit from the request. Throughput: one request and one answer per cycle. No
// deadlock: each request has room in the queue, so look-ups never wait; walks wait for memory
// alone.
//
// Stalls:
//   MMU-S1: another unit's request, or a repeated look-up, goes first
//   MMU-S2: the answer of a walk waits for a free cycle
//   MMU-S3: a line is filled, one cycle
//   MMU-S4: an invalidation
// Hazards:
//   MMU-H1: the result of a walk that began before an invalidation must not be kept after it; first
//           all requests are answered, then the sectors are dropped

`include "faa_assert.svh"

module faa_mmu #(
  parameter int unsigned N = 2,
  // Outstanding requests of a TLB: a power of two.
  parameter int unsigned Slots = 8,
  parameter int unsigned Walks = 8,
  // Sets of the levels 0, 1 and 2, ways of all.
  parameter int unsigned Sets0 = 128,
  parameter int unsigned Sets1 = 16,
  parameter int unsigned Sets2 = 4,
  parameter int unsigned Ways = 4,
  // Few cells: one array for the three levels, of Sets0 sets of 2 ways, looked up one by one
  // (faa_tlb_serial); an invalidation drops all entries of its VM.
  parameter bit Compact = 1'b0,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned AddrW = 64 - OffW,
  localparam int unsigned SlotW = $clog2(Slots)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // TLB n in slice n; its VM and root table are stable while it has outstanding requests.
  input  logic [N*8-1:0]      vmid_i,
  input  logic [N*64-1:0]     pt_base_i,
  input  logic [N-1:0]        walk_valid_i,
  output logic [N-1:0]        walk_ready_o,
  input  logic [N*36-1:0]     walk_page_i,       // address bits 47..12
  input  logic [N*SlotW-1:0]  walk_slot_i,
  // Always taken. A leaf {sparse, atomic, writable, address}, or an error and the DMA address of
  // the entry that caused it.
  output logic [N-1:0]        walk_rsp_valid_o,
  output logic [SlotW-1:0]    walk_rsp_slot_o,
  output logic [7:0]          walk_rsp_error_o,
  output logic [63:0]         walk_rsp_addr_o,
  output logic [42:0]         walk_rsp_leaf_o,
  output logic                walk_rsp_big_o,
  output logic                walk_rsp_walked_o, // the request has made a walk

  // Memory: as in faa_ptw.
  output logic [Walks-1:0]       mem_req_valid_o,
  input  logic [Walks-1:0]       mem_req_ready_i,
  output logic [Walks*AddrW-1:0] mem_req_addr_o,
  input  logic [Walks-1:0]       mem_rsp_valid_i,
  input  logic [LineW-1:0]       mem_rsp_rdata_i,
  input  logic [Walks-1:0]       mem_rsp_err_i,

  // Invalidation: requested until done (one cycle).
  input  logic                inv_valid_i,
  output logic                inv_done_o,
  input  logic [7:0]          inv_vmid_i,
  input  logic [63:0]         inv_first_i,
  input  logic [63:0]         inv_last_i,

  output logic                idle_o
);

  // Entries of tables in a line.
  localparam int unsigned Entries = LineBytes / 8;
  localparam int unsigned PlaceW = $clog2(Entries);
  localparam int unsigned OwnerW = N > 1 ? $clog2(N) : 1;
  // A request: {repeated look-up because of a wait, unit, slot}
  localparam int unsigned InfoW = 1 + OwnerW + SlotW;
  localparam int unsigned StampW = 4;
  // Queue: {number of filled lines at the look-up, level, table, info, VM, page}
  localparam int unsigned QueueW = StampW + 2 + 40 + InfoW + 8 + 36;

  // ---- Units ----

  logic [N-1:0]      grant;
  logic              open, take;
  logic [7:0]        take_vmid;
  logic [47:12]      take_page;
  logic [InfoW-1:0]  take_info;

  faa_arb_rr #(.N(N)) u_units (.clk_i, .rst_ni, .req_i(walk_valid_i), .grant_o(grant), .advance_i(take));
  assign walk_ready_o = take ? grant : '0;

  always_comb begin
    take_vmid = '0;
    take_page = '0;
    take_info = '0;
    for (int unsigned n = 0; n < N; n++) begin
      if (grant[n]) begin
        take_vmid = take_vmid | vmid_i[n*8 +: 8];
        take_page = take_page | walk_page_i[n*36 +: 36];
        take_info = take_info | {1'b0, OwnerW'(n), walk_slot_i[n*SlotW +: SlotW]};
      end
    end
  end

  // ---- Look-ups: requests returned by walks, then the head of the queue, then requests of units
  // ----

  logic             again_valid, again_ready, head_again, look_valid, look_ready;
  logic [InfoW-1:0] again_info, head_info, look_info;
  logic [7:0]       again_vmid, head_vmid, look_vmid;
  logic [47:12]     again_page, head_page, look_page;
  logic             done_valid;

  assign look_valid  = again_valid || head_again || (open && walk_valid_i != '0);
  assign take        = open && look_ready && !again_valid && !head_again;
  assign again_ready = look_ready;
  always_comb begin
    {look_info, look_vmid, look_page} = {take_info, take_vmid, take_page};
    if (head_again) {look_info, look_vmid, look_page} = {1'b1, head_info[InfoW-2:0], head_vmid, head_page};
    if (again_valid) {look_info, look_vmid, look_page} = {again_info, again_vmid, again_page};
  end

  logic             res_valid, res_hit, res_big, tlb_quiet, tlb_sweeping, sweep, fill;
  logic [42:0]           res_leaf;
  logic [1:0]            res_level, fill_level;
  logic [InfoW-1:0]      res_info;
  logic [7:0]            res_vmid, fill_vmid;
  logic [Entries-1:0]    fill_mask;
  logic [47:12]          res_page;
  logic [47:PlaceW+12]   fill_page;
  logic [Entries*44-1:0] fill_entries;

  if (Compact) begin : gen_serial
    faa_tlb_serial #(
      .InfoW(InfoW), .Sets(Sets0), .Ways(2), .Entries(Entries)
    ) u_tlb (
      .clk_i, .rst_ni, .look_valid_i(look_valid), .look_ready_o(look_ready),
      .look_info_i(look_info), .look_vmid_i(look_vmid), .look_page_i(look_page),
      .res_valid_o(res_valid), .res_hit_o(res_hit), .res_big_o(res_big), .res_leaf_o(res_leaf),
      .res_level_o(res_level), .res_info_o(res_info), .res_vmid_o(res_vmid), .res_page_o(res_page),
      .fill_i(fill), .fill_level_i(fill_level), .fill_vmid_i(fill_vmid), .fill_page_i(fill_page),
      .fill_mask_i(fill_mask), .fill_entries_i(fill_entries), .sweep_i(sweep),
      .sweep_vmid_i(inv_vmid_i), .quiet_o(tlb_quiet), .sweeping_o(tlb_sweeping)
    );
    logic unused_range;
    assign unused_range = ^{inv_first_i, inv_last_i};
  end else begin : gen_shared
    faa_tlb_shared #(
      .InfoW(InfoW), .Sets0(Sets0), .Sets1(Sets1), .Sets2(Sets2), .Ways(Ways), .Entries(Entries)
    ) u_tlb (
      .clk_i, .rst_ni, .look_valid_i(look_valid), .look_ready_o(look_ready),
      .look_info_i(look_info), .look_vmid_i(look_vmid), .look_page_i(look_page),
      .res_valid_o(res_valid), .res_hit_o(res_hit), .res_big_o(res_big), .res_leaf_o(res_leaf),
      .res_level_o(res_level), .res_info_o(res_info), .res_vmid_o(res_vmid), .res_page_o(res_page),
      .fill_i(fill), .fill_level_i(fill_level), .fill_vmid_i(fill_vmid), .fill_page_i(fill_page),
      .fill_mask_i(fill_mask), .fill_entries_i(fill_entries), .sweep_i(sweep),
      .sweep_vmid_i(inv_vmid_i), .sweep_first_i(inv_first_i), .sweep_last_i(inv_last_i),
      .quiet_o(tlb_quiet), .sweeping_o(tlb_sweeping)
    );
  end

  // ---- Queue of misses ----

  logic              miss, queue_ready, queue_valid, queue_pop, start_ready;
  logic [StampW-1:0] stamp_q, head_stamp;
  logic [1:0]        head_level;
  logic [39:0]       head_table;
  logic [63:12]      head_base;
  logic [$clog2(N*Slots+1)-1:0] queue_count;

  assign miss = res_valid && !res_hit;
  faa_fifo #(.Width(QueueW), .Depth(N * Slots)) u_misses (
    .clk_i, .rst_ni, .valid_i(miss), .ready_o(queue_ready), .data_i({stamp_q, res_level, res_leaf[39:0], res_info, res_vmid, res_page}),
    .valid_o(queue_valid), .ready_i(queue_pop),
    .data_o({head_stamp, head_level, head_table, head_info, head_vmid, head_page}), .count_o(queue_count)
  );

  // Lines were filled since its look-up: it is repeated, once.
  assign head_again = queue_valid && !head_info[InfoW-1] && head_stamp != stamp_q;
  assign queue_pop  = head_again ? look_ready && !again_valid : start_ready;

  always_comb begin
    head_base = {12'd0, head_table};
    if (head_level == 2'd3) begin
      head_base = '0;
      for (int unsigned n = 0; n < N; n++) begin
        if (head_info[SlotW +: OwnerW] == OwnerW'(n)) head_base = head_base | pt_base_i[n*64 + 12 +: 52];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) stamp_q <= '0;
    else if (fill) stamp_q <= stamp_q + StampW'(1);
  end

  // ---- Walks ----

  logic             done_ready, done_big, ptw_idle;
  logic [InfoW-1:0] done_info;
  logic [7:0]       done_error;
  logic [63:0]      done_addr;
  logic [42:0]      done_leaf;

  faa_ptw #(.Walks(Walks), .InfoW(InfoW), .LineBytes(LineBytes)) u_ptw (
    .clk_i, .rst_ni,
    .start_valid_i(queue_valid && !head_again), .start_ready_o(start_ready), .start_info_i(head_info), .start_vmid_i(head_vmid),
    .start_page_i(head_page), .start_level_i(head_level), .start_base_i(head_base),
    .again_valid_o(again_valid), .again_ready_i(again_ready), .again_info_o(again_info), .again_vmid_o(again_vmid),
    .again_page_o(again_page),
    .done_valid_o(done_valid), .done_ready_i(done_ready), .done_info_o(done_info), .done_error_o(done_error),
    .done_addr_o(done_addr), .done_leaf_o(done_leaf), .done_big_o(done_big),
    .fill_o(fill), .fill_level_o(fill_level), .fill_vmid_o(fill_vmid), .fill_page_o(fill_page), .fill_mask_o(fill_mask),
    .fill_entries_o(fill_entries),
    .mem_req_valid_o, .mem_req_ready_i, .mem_req_addr_o, .mem_rsp_valid_i, .mem_rsp_rdata_i, .mem_rsp_err_i, .idle_o(ptw_idle)
  );

  // ---- Answers: hits first; while a walk's answer waits, no unit's request is taken ----

  logic             hit, answer;
  logic [InfoW-2:0] answer_info;

  assign hit         = res_valid && res_hit;
  assign done_ready  = !hit;
  assign answer      = hit || done_valid;
  assign answer_info = hit ? res_info[InfoW-2:0] : done_info[InfoW-2:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      walk_rsp_valid_o <= '0;
    end else begin
      walk_rsp_valid_o <= '0;
      for (int unsigned n = 0; n < N; n++) walk_rsp_valid_o[n] <= answer && answer_info[SlotW +: OwnerW] == OwnerW'(n);
    end
    if (answer) begin
      walk_rsp_slot_o   <= answer_info[SlotW-1:0];
      walk_rsp_error_o  <= hit ? faa_pkg::ERROR_SUCCESS : done_error;
      walk_rsp_addr_o   <= done_addr;
      walk_rsp_leaf_o   <= hit ? res_leaf : done_leaf;
      walk_rsp_big_o    <= hit ? res_big : done_big;
      walk_rsp_walked_o <= !hit;
    end
  end

  // ---- Invalidation ----

  typedef enum logic [1:0] {StOpen, StEmpty, StSweep, StEnd} state_e;
  state_e state_q;
  logic   empty;

  assign empty      = tlb_quiet && !queue_valid && ptw_idle;
  assign open       = state_q == StOpen && !inv_valid_i && !done_valid;
  assign sweep      = state_q == StEmpty && empty && !tlb_sweeping;
  assign inv_done_o = state_q == StEnd;
  // The clock may stop during the sweep after reset.
  assign idle_o     = state_q == StOpen && empty && walk_valid_i == '0 && walk_rsp_valid_o == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StOpen;
    end else begin
      unique case (state_q)
        StOpen:  if (inv_valid_i) state_q <= StEmpty;
        StEmpty: if (sweep) state_q <= StSweep;
        StSweep: if (!tlb_sweeping) state_q <= StEnd;
        default: state_q <= StOpen;
      endcase
    end
  end

  logic unused;
  assign unused = ^{queue_count, done_info[InfoW-1]};

  `FAA_ASSERT(mmu_queue_has_room, !miss || queue_ready)
  `FAA_ASSERT(mmu_sweep_alone, state_q == StOpen || state_q == StEmpty || (ptw_idle && !queue_valid && !res_valid && !fill))
  `FAA_ASSERT(mmu_inv_kept, inv_valid_i || state_q == StOpen)
  `FAA_COVER(mmu_m1, walk_valid_i != '0 && open && look_ready && (again_valid || head_again))
  `FAA_COVER(mmu_m2, walk_valid_i != '0 && done_valid)
  `FAA_COVER(mmu_m4, walk_valid_i != '0 && inv_valid_i)
  `FAA_COVER(mmu_inv_awaits_walks, inv_valid_i && !ptw_idle)
  `FAA_COVER(mmu_looked_up_again, head_again && queue_pop)
  `FAA_COVER(mmu_again_hits, hit && res_info[InfoW-1])
  `FAA_COVER(mmu_again_misses, miss && res_info[InfoW-1])
  `FAA_COVER(mmu_hit_behind_walks, hit && !ptw_idle)
  `FAA_COVER(mmu_answer_per_cycle, answer && walk_rsp_valid_o != '0)

endmodule
