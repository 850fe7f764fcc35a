// SPDX-License-Identifier: Apache-2.0
//
// First-level TLB of a compute unit: fully associative, 4 KiB and 2 MiB pages, tagged with the VM. Behind it are the lines of level 0
// tables that were read last (faa_tlb_lines): their eight entries serve the pages beside the one that was asked for, and the next
// walk in their table begins there. All else goes to the shared walker. Checks canonical form and permissions; only good leaves are kept.
//
// Latency: 1 cycle on a hit, 3 from a line, a page walk on a miss. Throughput: one hit per cycle. Replacement: round robin.
// Stalls: a miss (one at a time); an invalidation, one cycle per entry.
// Hazards: a walk that began before an invalidation must not fill after it. The unit therefore asks for a flush only
// when no translation is pending.

`include "faa_assert.svh"

module faa_tlb #(
  parameter int unsigned Entries = 16,
  localparam int unsigned IndexW = $clog2(Entries)
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // VM and table of the running job; stable while requests are pending.
  input  logic [7:0]  vmid_i,
  input  logic [63:0] pt_base_i,

  // Requests of the compute unit (rtl/faa_cu_interface.rst).
  input  logic        tr_valid_i,
  output logic        tr_ready_o,
  input  logic [63:0] tr_va_i,
  input  logic        tr_write_i,
  input  logic        tr_atomic_i,
  output logic        tr_rsp_valid_o,
  output logic [7:0]  tr_rsp_error_o,
  output logic [63:0] tr_rsp_pa_o,
  output logic        tr_rsp_sparse_o,
  output logic        tr_rsp_big_o,

  // Walker. The response carries the leaf, or an error and the DMA address of the entry that caused it.
  output logic        walk_valid_o,
  input  logic        walk_ready_i,
  output logic [47:0] walk_va_o,
  output logic [63:0] walk_base_o,
  output logic        walk_table_o,
  input  logic        walk_rsp_valid_i,
  input  logic [7:0]  walk_rsp_error_i,
  input  logic [63:0] walk_rsp_addr_i,
  input  logic [63:0] walk_rsp_pte_i,
  input  logic        walk_rsp_big_i,
  input  logic [63:0] walk_rsp_base_i,
  input  logic [511:0] walk_rsp_line_i,

  // Drops every entry of VM flush_vmid_i that overlaps [flush_first_i, flush_last_i]; flush_i is a pulse, flush_done_o as well.
  input  logic        flush_i,
  input  logic [7:0]  flush_vmid_i,
  input  logic [63:0] flush_first_i,
  input  logic [63:0] flush_last_i,
  output logic        flush_done_o,

  // 1: no translation and no flush is pending.
  output logic        idle_o,
  // One cycle per translation answered from an entry or a line, or by the walker.
  output logic        hit_o,
  output logic        miss_o
);

  // An entry: {sparse, atomic, writable, big, vmid, va[47:12], dma[51:12]}; big ignores the low 9 bits of both page numbers.
  localparam int unsigned EntryW = 4 + 8 + 36 + 40;

  logic [Entries-1:0]        valid_q;
  logic [Entries*EntryW-1:0] entry_q;
  logic [IndexW-1:0]         victim_q;

  typedef enum logic [2:0] {StIdle, StLookup, StLine, StLineFill, StWalk, StWalkWait} state_e;
  state_e      state_q, state_d;
  logic [63:0] va_q;
  logic        write_q, atomic_q;

  // ---- Lookup ----

  // The lowest match counts: tables that a driver changed without an invalidation must not mix two entries.
  logic [Entries-1:0] match, first;
  logic [EntryW-1:0]  found;
  assign first = match & (~match + Entries'(1));
  for (genvar n = 0; n < Entries; n++) begin : gen_match
    logic [44:0] key;
    assign key      = entry_q[n*EntryW + 40 +: 45];
    assign match[n] = valid_q[n] && key[43:36] == vmid_i && key[35:9] == va_q[47:21] &&
                      (key[44] || key[8:0] == va_q[20:12]);
  end
  always_comb begin
    found = '0;
    for (int unsigned n = 0; n < Entries; n++) begin
      if (first[n]) found = found | entry_q[n*EntryW +: EntryW];
    end
  end

  // ---- Answer, from an entry or from the walker ----

  logic        canonical, hit, answer;
  logic        leaf_sparse, leaf_atomic, leaf_writable, leaf_big;
  logic [39:0] leaf_page;
  logic [7:0]  leaf_error;
  logic [EntryW-1:0] fresh;
  logic              line_hit, table_hit, walked;
  logic [63:0]       pte, line_pte, table_base;

  assign canonical = va_q[63:48] == '0;
  assign pte       = state_q == StLineFill ? line_pte : walk_rsp_pte_i;
  assign fresh     = {pte[faa_pkg::PTE_SPARSE_LSB], pte[faa_pkg::PTE_ATOMIC_LSB], pte[faa_pkg::PTE_WRITABLE_LSB],
                      state_q == StWalkWait && walk_rsp_big_i, vmid_i, va_q[47:12], pte[faa_pkg::PTE_ADDRESS_LSB +: 40]};
  assign hit       = state_q == StLookup && canonical && match != '0;
  assign answer    = state_q == StLookup && (!canonical || match != '0);

  assign {leaf_sparse, leaf_atomic, leaf_writable, leaf_big} = (state_q == StLookup) ? found[87:84] : fresh[87:84];
  assign leaf_page = (state_q == StLookup) ? found[39:0] : fresh[39:0];

  always_comb begin
    leaf_error = faa_pkg::ERROR_SUCCESS;
    if (write_q && !leaf_writable) leaf_error = faa_pkg::ERROR_NOT_WRITABLE;
    else if (atomic_q && !leaf_atomic) leaf_error = faa_pkg::ERROR_NOT_ATOMIC;
  end

  always_comb begin
    tr_rsp_valid_o  = answer || state_q == StLineFill || walked;
    tr_rsp_error_o  = leaf_error;
    tr_rsp_sparse_o = leaf_sparse;
    tr_rsp_big_o    = leaf_big;
    tr_rsp_pa_o     = {12'd0, leaf_page[39:9], leaf_big ? va_q[20:12] : leaf_page[8:0], va_q[11:0]};
    if (state_q == StLookup && !canonical) begin
      tr_rsp_error_o = faa_pkg::ERROR_NON_CANONICAL;
    end else if (state_q == StWalkWait && walk_rsp_error_i != faa_pkg::ERROR_SUCCESS) begin
      tr_rsp_error_o = walk_rsp_error_i;
      tr_rsp_pa_o    = walk_rsp_addr_i;
    end
  end

  // ---- Control ----

  logic              take, flushing_q;
  logic [IndexW-1:0] flush_index_q;

  assign tr_ready_o   = !flushing_q && (state_q == StIdle || tr_rsp_valid_o);
  assign take         = tr_valid_i && tr_ready_o;
  assign walk_valid_o = state_q == StWalk;
  assign walk_va_o    = va_q[47:0];
  assign walk_base_o  = table_hit ? table_base : pt_base_i;
  assign walk_table_o = table_hit;
  assign walked       = state_q == StWalkWait && walk_rsp_valid_i;
  assign idle_o       = state_q == StIdle && !flushing_q;
  assign hit_o        = hit || state_q == StLineFill;
  assign miss_o       = walked;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:     if (take) state_d = StLookup;
      StLookup:   if (answer) state_d = take ? StLookup : StIdle;
                  else state_d = StLine;
      StLine:     state_d = line_hit ? StLineFill : StWalk;
      StLineFill: state_d = take ? StLookup : StIdle;
      StWalk:     if (walk_ready_i) state_d = StWalkWait;
      StWalkWait: if (walk_rsp_valid_i) state_d = take ? StLookup : StIdle;
      default:    state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
    if (take) begin
      va_q     <= tr_va_i;
      write_q  <= tr_write_i;
      atomic_q <= tr_atomic_i;
    end
  end

  // ---- Entries: filled by walks, dropped one by one by a flush ----

  logic              fill, flush_hit;
  logic [EntryW-1:0] flush_entry;
  logic [47:0]       flush_low, flush_high;

  assign fill        = state_q == StLineFill || (walked && walk_rsp_error_i == faa_pkg::ERROR_SUCCESS);
  assign flush_low   = {flush_entry[75:49], flush_entry[84] ? 9'd0 : flush_entry[48:40], 12'd0};
  assign flush_high  = {flush_entry[75:49], flush_entry[84] ? 9'h1ff : flush_entry[48:40], 12'hfff};
  assign flush_hit   = flush_entry[83:76] == flush_vmid_i && {16'd0, flush_low} <= flush_last_i &&
                       {16'd0, flush_high} >= flush_first_i;
  assign flush_done_o = flushing_q && flush_index_q == IndexW'(Entries - 1);

  always_comb begin
    flush_entry = '0;
    for (int unsigned n = 0; n < Entries; n++) begin
      if (flush_index_q == IndexW'(n)) flush_entry = flush_entry | entry_q[n*EntryW +: EntryW];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q       <= '0;
      victim_q      <= '0;
      flushing_q    <= 1'b0;
      flush_index_q <= '0;
    end else begin
      if (fill) begin
        valid_q[victim_q] <= 1'b1;
        victim_q          <= (victim_q == IndexW'(Entries - 1)) ? '0 : victim_q + IndexW'(1);
      end
      if (flushing_q) begin
        if (flush_hit) valid_q[flush_index_q] <= 1'b0;
        flush_index_q <= flush_done_o ? '0 : flush_index_q + IndexW'(1);
        flushing_q    <= !flush_done_o;
      end else begin
        flushing_q    <= flush_i;
      end
    end
  end

  faa_tlb_lines u_lines (
    .clk_i, .rst_ni, .clear_i(flush_i), .look_i(state_q == StLine), .vmid_i, .page_i(va_q[47:12]),
    .hit_o(line_hit), .pte_o(line_pte), .table_hit_o(table_hit), .table_o(table_base),
    .fill_i(walked && walk_rsp_error_i == faa_pkg::ERROR_SUCCESS && !walk_rsp_big_i), .fill_table_i(walk_rsp_base_i),
    .fill_line_i(walk_rsp_line_i)
  );

  for (genvar n = 0; n < Entries; n++) begin : gen_fill
    always_ff @(posedge clk_i) begin
      if (fill && victim_q == IndexW'(n)) entry_q[n*EntryW +: EntryW] <= fresh;
    end
  end

  logic unused;
  assign unused = ^{found[83:40], fresh[83:40], flush_entry[87:85], flush_entry[39:0], pte};

  `FAA_ASSERT(TlbFlushQuiet, !flush_i || idle_o)

endmodule
