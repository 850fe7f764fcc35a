// SPDX-License-Identifier: Apache-2.0
//
// Page table walker: several concurrent walks, each with one outstanding read of memory
// (Documentation/mmu.rst). A walk begins with a table whose level is known, reads one entry a
// level, and stops at the first leaf or error. The line of each entry that it reads of the levels
// 0, 1 and 2 is offered to the shared TLB.
//
// A request makes no walk if another walk of its VM reads the request's line or is about to find
// its table of level 0. It waits for that walk, then it is returned for another look-up.
//
// Latency: per level one memory read and 2 cycles. Stalls: no free walk; the memory; for an answer,
// done_ready_i. Hazards: the walker caches nothing. Two walks whose requests came at different
// levels may read the same line: both fill it, and the sector is kept once.

`include "faa_assert.svh"

module faa_ptw #(
  parameter int unsigned Walks = 8,
  parameter int unsigned InfoW = 4,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned AddrW = 64 - OffW,
  // Entries of tables in a line.
  localparam int unsigned Entries = LineBytes / 8,
  localparam int unsigned PlaceW = $clog2(Entries)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // A request, with the table to begin with: taken while there is a free walk.
  input  logic                start_valid_i,
  output logic                start_ready_o,
  input  logic [InfoW-1:0]    start_info_i,
  input  logic [7:0]          start_vmid_i,
  input  logic [47:12]        start_page_i,
  input  logic [1:0]          start_level_i,
  input  logic [63:12]        start_base_i,

  // Returned requests: the walk that the request waited for has advanced.
  output logic                again_valid_o,
  input  logic                again_ready_i,
  output logic [InfoW-1:0]    again_info_o,
  output logic [7:0]          again_vmid_o,
  output logic [47:12]        again_page_o,

  // Answer: the leaf {sparse, atomic, writable, address}, or an error and the DMA address of the
  // entry that caused it.
  output logic                done_valid_o,
  input  logic                done_ready_i,
  output logic [InfoW-1:0]    done_info_o,
  output logic [7:0]          done_error_o,
  output logic [63:0]         done_addr_o,
  output logic [42:0]         done_leaf_o,
  output logic                done_big_o,

  // A line for the shared TLB: always taken.
  output logic                  fill_o,
  output logic [1:0]            fill_level_o,
  output logic [7:0]            fill_vmid_o,
  output logic [47:PlaceW+12]   fill_page_o,
  output logic [Entries-1:0]    fill_mask_o,
  output logic [Entries*44-1:0] fill_entries_o,

  // Memory: reads only, walk n in slice n, one at a time each. At most one response in a cycle.
  output logic [Walks-1:0]       mem_req_valid_o,
  input  logic [Walks-1:0]       mem_req_ready_i,
  output logic [Walks*AddrW-1:0] mem_req_addr_o,
  input  logic [Walks-1:0]       mem_rsp_valid_i,
  input  logic [LineW-1:0]       mem_rsp_rdata_i,
  input  logic [Walks-1:0]       mem_rsp_err_i,

  output logic                idle_o
);

  localparam int unsigned WalkW = Walks > 1 ? $clog2(Walks) : 1;

  // StFollow: waits for the walk leader_q; deep_q: the leader's line of level 0 is this request's.
  typedef enum logic [2:0] {StFree, StRead, StWait, StDone, StFollow, StAgain} state_e;
  state_e           state_q  [Walks];
  logic [InfoW-1:0] info_q   [Walks];
  logic [7:0]       vmid_q   [Walks];
  logic [47:12]     page_q   [Walks];
  logic [63:12]     base_q   [Walks];   // the table; when done, in bits 51..12 the leaf's address
  logic [1:0]       level_q  [Walks];
  logic [WalkW-1:0] leader_q [Walks];
  logic [Walks-1:0] deep_q;
  logic [7:0]       error_q  [Walks];
  logic [2:0]       flags_q  [Walks];   // {sparse, atomic, writable} of the leaf

  logic [Walks-1:0] asks_q;             // state_q is StRead

  logic [Walks-1:0] free, reads, done, again;

  for (genvar n = 0; n < Walks; n++) begin : gen_state
    assign free[n]  = state_q[n] == StFree;
    assign reads[n] = state_q[n] == StRead || state_q[n] == StWait;
    assign done[n]  = state_q[n] == StDone;
    assign again[n] = state_q[n] == StAgain;
  end
  assign start_ready_o = free != '0;
  assign idle_o        = free == '1;

  // Index of the entry in a table of a level.
  function automatic logic [8:0] index_of(input logic [47:12] page, input logic [1:0] level);
    unique case (level)
      2'd3:    index_of = page[47:39];
      2'd2:    index_of = page[38:30];
      2'd1:    index_of = page[29:21];
      default: index_of = page[20:12];
    endcase
  endfunction

  // ---- A request, and the walk that it can wait for ----

  logic [Walks-1:0] slot, ahead;
  logic [WalkW-1:0] leader;
  logic             start;

  assign start = start_valid_i && start_ready_o;
  assign slot  = free & (~free + Walks'(1));
  always_comb begin
    ahead  = '0;
    leader = '0;
    if (start_valid_i) begin
      for (int n = Walks - 1; n >= 0; n--) begin
        ahead[n] = reads[n] && vmid_q[n] == start_vmid_i && page_q[n][47:21] == start_page_i[47:21] &&
                   (level_q[n] != 2'd0 || page_q[n][20:PlaceW+12] == start_page_i[20:PlaceW+12]);
        if (ahead[n]) leader = WalkW'(n);
      end
    end
  end

  // ---- Memory ----

  for (genvar n = 0; n < Walks; n++) begin : gen_mem
    assign mem_req_valid_o[n]         = asks_q[n];
    assign mem_req_addr_o[n*AddrW +: AddrW] =
        {base_q[n], (9-PlaceW)'(index_of(page_q[n], level_q[n]) >> PlaceW)};
  end

  // ---- Check of a line: its entries, and the requested one ----

  logic             check_q, err_q;
  logic [WalkW-1:0]      who_q, who;
  logic [LineW-1:0]      line_q;
  logic [1:0]            level;
  logic [PlaceW-1:0]     place;
  logic [Entries-1:0]    good, valid;
  logic [Entries*44-1:0] entries;
  logic [43:0]           entry;
  logic [7:0]            error;
  logic             ends;

  always_comb begin
    who = '0;
    for (int n = 0; n < Walks; n++) if (mem_rsp_valid_i[n]) who = who | WalkW'(n);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) check_q <= 1'b0;
    else check_q <= mem_rsp_valid_i != '0;
    if (mem_rsp_valid_i != '0) begin
      line_q <= mem_rsp_rdata_i;
      err_q  <= (mem_rsp_valid_i & mem_rsp_err_i) != '0;
      who_q  <= who;
    end
  end

  assign level = level_q[who_q];
  assign place = PlaceW'(index_of(page_q[who_q], level));

  // line_q changes only when a line comes, so this costs no simulation time otherwise.
  for (genvar n = 0; n < Entries; n++) begin : gen_entry
    logic [63:0] pte;
    logic        leaf, bad;
    assign pte  = line_q[n*64 +: 64];
    assign leaf = pte[faa_pkg::PTE_LEAF_LSB];
    always_comb begin
      bad = (pte & faa_pkg::PTE_RESERVED) != '0 || pte[faa_pkg::PTE_REGION_LSB];
      if (leaf) bad = bad || level >= 2'd2 || (level == 2'd1 && pte[20:12] != '0);
      else bad = bad || level == 2'd0 || pte[faa_pkg::PTE_WRITABLE_LSB] || pte[faa_pkg::PTE_ATOMIC_LSB] || pte[faa_pkg::PTE_SPARSE_LSB];
    end
    assign valid[n]            = pte[faa_pkg::PTE_VALID_LSB];
    assign good[n]             = valid[n] && !bad;
    assign entries[n*44 +: 44] = {leaf, pte[faa_pkg::PTE_SPARSE_LSB], pte[faa_pkg::PTE_ATOMIC_LSB], pte[faa_pkg::PTE_WRITABLE_LSB],
                                  pte[faa_pkg::PTE_ADDRESS_LSB +: 40]};
  end
  assign entry = entries[32'(place) * 44 +: 44];

  always_comb begin
    error = faa_pkg::ERROR_SUCCESS;
    if (err_q) error = faa_pkg::ERROR_BUS_ERROR;
    else if (!valid[place]) error = faa_pkg::ERROR_NOT_MAPPED;
    else if (!good[place]) error = faa_pkg::ERROR_BAD_PAGE_TABLE;
  end
  assign ends = error != faa_pkg::ERROR_SUCCESS || entry[43];

  assign fill_o         = check_q && !err_q && level != 2'd3;
  assign fill_level_o   = level;
  assign fill_vmid_o    = vmid_q[who_q];
  assign fill_page_o    = page_q[who_q][47:PlaceW+12];
  assign fill_mask_o    = good;
  assign fill_entries_o = entries;

  // ---- Answers, and returned requests: in turn ----

  logic [Walks-1:0] done_grant, again_grant;
  logic [WalkW-1:0] done_who, again_who;
  logic [8:0]       done_index;

  faa_arb_rr #(.N(Walks)) u_done (.clk_i, .rst_ni, .req_i(done), .grant_o(done_grant), .advance_i(done_ready_i));
  faa_arb_rr #(.N(Walks)) u_again (.clk_i, .rst_ni, .req_i(again), .grant_o(again_grant), .advance_i(again_ready_i));

  always_comb begin
    done_who  = '0;
    again_who = '0;
    for (int n = 0; n < Walks; n++) begin
      if (done_grant[n]) done_who = done_who | WalkW'(n);
      if (again_grant[n]) again_who = again_who | WalkW'(n);
    end
  end
  assign done_valid_o  = done != '0;
  assign done_info_o   = info_q[done_who];
  assign done_error_o  = error_q[done_who];
  assign done_index    = index_of(page_q[done_who], level_q[done_who]);
  assign done_addr_o   = {base_q[done_who], done_index, 3'd0};
  assign done_leaf_o   = {flags_q[done_who], base_q[done_who][51:12]};
  assign done_big_o    = level_q[done_who] == 2'd1;
  assign again_valid_o = again != '0;
  assign again_info_o  = info_q[again_who];
  assign again_vmid_o  = vmid_q[again_who];
  assign again_page_o  = page_q[again_who];

  // ---- Walks ----

  for (genvar n = 0; n < Walks; n++) begin : gen_walk
    logic mine, awaits;
    assign mine   = check_q && who_q == WalkW'(n);
    assign awaits = reads[leader_q[n]] && (level_q[leader_q[n]] != 2'd0 || deep_q[n]);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        state_q[n] <= StFree;
        asks_q[n]  <= 1'b0;
      end else begin
        asks_q[n] <= asks_q[n] ? !mem_req_ready_i[n] :
                     (start && slot[n] && ahead == '0) || (state_q[n] == StWait && mine && !ends);
        unique case (state_q[n])
          StFree:   if (start && slot[n]) state_q[n] <= ahead != '0 ? StFollow : StRead;
          StRead:   if (mem_req_ready_i[n]) state_q[n] <= StWait;
          StWait:   if (mine) state_q[n] <= ends ? StDone : StRead;
          StDone:   if (done_grant[n] && done_ready_i) state_q[n] <= StFree;
          StFollow: if (!awaits) state_q[n] <= StAgain;
          StAgain:  if (again_grant[n] && again_ready_i) state_q[n] <= StFree;
          default:  state_q[n] <= StFree;
        endcase
      end
      if (start && slot[n]) begin
        info_q[n]   <= start_info_i;
        vmid_q[n]   <= start_vmid_i;
        page_q[n]   <= start_page_i;
        base_q[n]   <= start_base_i;
        level_q[n]  <= start_level_i;
        leader_q[n] <= leader;
        deep_q[n]   <= level_q[leader] == 2'd0;
      end
      if (mine) begin
        error_q[n] <= error;
        flags_q[n] <= entry[42:40];
        if (error == faa_pkg::ERROR_SUCCESS) base_q[n] <= {12'd0, entry[39:0]};
        if (!ends) level_q[n] <= level - 2'd1;
      end
    end

    `FAA_ASSERT(ptw_expected, !mem_rsp_valid_i[n] || (state_q[n] == StWait && !mine))
    `FAA_ASSERT(ptw_asks, asks_q[n] == (state_q[n] == StRead))
    `FAA_ASSERT(ptw_leads, state_q[n] != StFollow || leader_q[n] != WalkW'(n))
  end

  `FAA_ASSERT(ptw_one_response, (mem_rsp_valid_i & (mem_rsp_valid_i - Walks'(1))) == '0)
  `FAA_COVER(ptw_all_walk, reads == '1)
  `FAA_COVER(ptw_response_per_cycle, check_q && mem_rsp_valid_i != '0)
  `FAA_COVER(ptw_follows_line, start && ahead != '0 && level_q[leader] == 2'd0)
  `FAA_COVER(ptw_follows_table, start && ahead != '0 && level_q[leader] != 2'd0)
  `FAA_COVER(ptw_answer_waits, done_valid_o && !done_ready_i)
  `FAA_COVER(ptw_answers_meet, (done & (done - Walks'(1))) != '0)
  `FAA_COVER(ptw_no_free_walk, start_valid_i && !start_ready_o)

endmodule
