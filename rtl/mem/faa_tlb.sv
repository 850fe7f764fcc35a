// SPDX-License-Identifier: Apache-2.0
//
// First-level TLB of a compute unit: fully associative, 4 KiB and 2 MiB pages, tagged with the VM;
// misses go to the shared part (faa_mmu). Checks canonical form and permissions; only good leaves
// are kept. Several requests may be in flight; answers come in the order of requests.
//
// The pages of entries are in registers. They are compared with the page of each request, and with
// that of each answer two cycles after it, since its entry may exist already. All other data is in
// distributed RAM.
//
// Latency of a hit: 2 cycles, as a register lies between the look-up and the answer. Latency of a
// miss: that of the shared part and 3 cycles. Throughput: one hit per cycle. Replacement: round
// robin.
// Stalls:
//   TLB-S1: as many requests are in flight as there are slots
//   TLB-S2: an invalidation, one cycle per entry
// Hazards:
//   TLB-H1: a request that began before an invalidation must not fill after it; the unit requests a
//           flush only when no request is in flight
//   TLB-H2: two requests in flight for one page; the second answer finds the leaf and leaves it

`include "faa_assert.svh"

module faa_tlb #(
  parameter int unsigned Entries = 16,
  // Requests in flight: a power of two.
  parameter int unsigned Slots = 8,
  localparam int unsigned IndexW = $clog2(Entries),
  localparam int unsigned SlotW = $clog2(Slots)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // VM of the running job; stable while requests are in flight.
  input  logic [7:0]       vmid_i,

  // Requests of the compute unit (Documentation/cu-interface.rst).
  input  logic             tr_valid_i,
  output logic             tr_ready_o,
  input  faa_bundle_pkg::tr_req_t tr_req_i,
  output logic             tr_rsp_valid_o,
  output faa_bundle_pkg::tr_rsp_t tr_rsp_o,

  // Shared part: answers in any order; each is taken.
  output logic             walk_valid_o,
  input  logic             walk_ready_i,
  output logic [47:12]     walk_page_o,
  output logic [SlotW-1:0] walk_slot_o,
  input  logic             walk_rsp_valid_i,
  input  logic [SlotW-1:0] walk_rsp_slot_i,
  input  logic [7:0]       walk_rsp_error_i,
  input  logic [63:0]      walk_rsp_addr_i,
  input  logic [42:0]      walk_rsp_leaf_i,
  input  logic             walk_rsp_big_i,
  input  logic             walk_rsp_walked_i,

  // Drops every entry of VM flush_vmid_i that overlaps [flush_first_i, flush_last_i]; flush_i is a
  // pulse, flush_done_o as well.
  input  logic             flush_i,
  input  logic [7:0]       flush_vmid_i,
  input  logic [63:0]      flush_first_i,
  input  logic [63:0]      flush_last_i,
  output logic             flush_done_o,

  // 1: no translation and no flush is in progress.
  output logic             idle_o,
  // Requests that found a leaf, in either level; a request that was answered by a walk.
  output logic [1:0]       hits_o,
  output logic             miss_o
);

  // A leaf: {big, sparse, atomic, writable, address bits 51..12}; big ignores the low 9 bits of
  // both page numbers.
  localparam int unsigned LeafW = 44;

  logic [Entries-1:0] valid_q, big_q;
  logic [7:0]         vmid_q [Entries];
  logic [47:12]       page_q [Entries];
  logic [LeafW-1:0]   leaf_mem [Entries];
  logic [IndexW-1:0]  victim_q;

  // ---- Look-up of the request that came in the cycle before ----

  logic               look_q, write_q, atomic_q, canonical, known, push;
  logic               fill_q, check_q;   // one and two cycles after an answer with a good leaf
  logic [63:0]        va_q;
  logic [LeafW-1:0]   found;
  logic [Entries-1:0] match;
  logic [IndexW-1:0]  index;

  for (genvar n = 0; n < Entries; n++) begin : gen_match
    assign match[n] = valid_q[n] && vmid_q[n] == vmid_i && page_q[n][47:21] == va_q[47:21] &&
                      (big_q[n] || page_q[n][20:12] == va_q[20:12]);
  end
  // The lowest match is used: if a driver changed tables without an invalidation, two entries must
  // not be mixed.
  always_comb begin
    index = '0;
    for (int n = int'(Entries) - 1; n >= 0; n--) if (match[n]) index = IndexW'(n);
  end
  assign found     = leaf_mem[index];
  assign canonical = va_q[63:48] == '0;
  // The request needs no answer of the shared part.
  assign known     = !canonical || match != '0;

  // ---- Requests in flight: a ring from head_q ----

  // Fields of a request, and the answer of the shared part: for errors of walks the address of the
  // entry.
  typedef struct packed {
    logic             write;
    logic             atomic;
    logic             canonical;
    logic [20:0]      va;
    logic [LeafW-1:0] leaf;
  } request_t;
  typedef struct packed {
    logic [7:0]       error;
    logic [63:0]      addr;
    logic [LeafW-1:0] leaf;
  } answer_t;

  request_t         request_mem [Slots];
  answer_t          answer_mem [Slots];
  logic [47:12]     page_mem [Slots];
  request_t         request;
  answer_t          answer;
  logic [Slots-1:0] known_q, walked_q;    // known ones wait only for their turn
  logic [SlotW-1:0] head_q, tail_q, ask_q;
  logic [SlotW:0]   count_q, unasked_q;   // unasked_q: from ask_q on, known or not
  logic             pop, ask_known, asked;

  assign push   = look_q;
  assign pop    = count_q != '0 && known_q[head_q];

  assign ask_known    = known_q[ask_q];
  assign walk_valid_o = unasked_q != '0 && !ask_known;
  assign walk_page_o  = page_mem[ask_q];
  assign walk_slot_o  = ask_q;
  assign asked        = unasked_q != '0 && (ask_known || walk_ready_i);

  always_ff @(posedge clk_i) begin
    if (push) begin
      known_q[tail_q]     <= known;
      walked_q[tail_q]    <= 1'b0;
      page_mem[tail_q]    <= va_q[47:12];
      request_mem[tail_q] <= '{write: write_q, atomic: atomic_q, canonical: canonical,
                               va: va_q[20:0], leaf: found};
    end
    if (walk_rsp_valid_i) begin
      known_q[walk_rsp_slot_i]    <= 1'b1;
      walked_q[walk_rsp_slot_i]   <= 1'b1;
      answer_mem[walk_rsp_slot_i] <= '{error: walk_rsp_error_i, addr: walk_rsp_addr_i,
                                       leaf: {walk_rsp_big_i, walk_rsp_leaf_i}};
    end
  end

  `FAA_ASSERT(tlb_answer_expected, !walk_rsp_valid_i ||
              (!known_q[walk_rsp_slot_i] && !(push && tail_q == walk_rsp_slot_i)))

  logic flushing_q, take, full;
  assign take       = tr_valid_i && tr_ready_o;
  assign full       = count_q[SlotW] || (look_q && count_q[SlotW-1:0] == '1);
  assign tr_ready_o = !flushing_q && !full;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_q    <= 1'b0;
      head_q    <= '0;
      tail_q    <= '0;
      ask_q     <= '0;
      count_q   <= '0;
      unasked_q <= '0;
    end else begin
      look_q <= take;
      if (pop) head_q <= head_q + SlotW'(1);
      if (push) tail_q <= tail_q + SlotW'(1);
      if (asked) ask_q <= ask_q + SlotW'(1);
      if (push != pop) count_q <= push ? count_q + (SlotW+1)'(1) : count_q - (SlotW+1)'(1);
      // asked comes late.
      if (push != asked) unasked_q <= push ? unasked_q + (SlotW+1)'(1) : unasked_q - (SlotW+1)'(1);
    end
    if (take) begin
      va_q     <= tr_req_i.va;
      write_q  <= tr_req_i.write;
      atomic_q <= tr_req_i.atomic;
    end
  end

  // ---- Answer: of the oldest request ----

  logic [LeafW-1:0] leaf;
  logic             sparse_bit, atomic_bit, writable_bit, big_bit, walked;
  logic [7:0]       error;

  assign request = request_mem[head_q];
  assign answer  = answer_mem[head_q];
  assign walked  = walked_q[head_q];
  assign leaf    = walked ? answer.leaf : request.leaf;
  assign {big_bit, sparse_bit, atomic_bit, writable_bit} = leaf[43:40];

  always_comb begin
    if (walked) error = answer.error;
    else if (request.canonical) error = faa_pkg::ERROR_SUCCESS;
    else error = faa_pkg::ERROR_NON_CANONICAL;
    tr_rsp_o.error = error;
    if (error == faa_pkg::ERROR_SUCCESS) begin
      if (request.write && !writable_bit) tr_rsp_o.error = faa_pkg::ERROR_NOT_WRITABLE;
      else if (request.atomic && !atomic_bit) tr_rsp_o.error = faa_pkg::ERROR_NOT_ATOMIC;
    end
    tr_rsp_o.pa = {12'd0, leaf[39:9], big_bit ? request.va[20:12] : leaf[8:0],
                   request.va[11:0]};
    if (walked && error == faa_pkg::ERROR_BUS_ERROR) tr_rsp_o.pa = answer.addr;
    tr_rsp_o.sparse = sparse_bit;
    tr_rsp_o.big    = big_bit;
  end
  assign tr_rsp_valid_o = pop;

  assign idle_o = !look_q && count_q == '0 && !flushing_q;
  assign hits_o = 2'(look_q && canonical && match != '0) + 2'(walk_rsp_valid_i && !walk_rsp_walked_i);
  assign miss_o = walk_rsp_valid_i && walk_rsp_walked_i;

  // ---- Entries: filled by answers, dropped one by one by a flush ----

  typedef struct packed {
    logic         big;
    logic [7:0]   vmid;
    logic [47:12] page;
  } tag_t;

  logic               fill_new;
  logic [SlotW-1:0]   fill_slot_q, check_slot_q;
  logic [7:0]         check_vmid_q;        // the VM may have changed by then
  logic [47:12]       fill_page;
  logic [LeafW-1:0]   fill_leaf;
  logic [Entries-1:0] there;
  tag_t               tag_mem [Entries];   // copy of the registers, for the flush
  tag_t               tag;
  logic               flush_hit;
  logic [47:12]       flush_low, flush_high;
  logic [IndexW-1:0]  flush_index_q;

  // The slot may be free by then, but is not yet used again.
  assign fill_page = page_mem[check_slot_q];
  assign fill_leaf = answer_mem[check_slot_q].leaf;
  assign fill_new  = check_q && there == '0;
  for (genvar n = 0; n < Entries; n++) begin : gen_there
    assign there[n] = valid_q[n] && vmid_q[n] == check_vmid_q &&
                      page_q[n][47:21] == fill_page[47:21] &&
                      ((big_q[n] && fill_leaf[43]) || page_q[n][20:12] == fill_page[20:12]);
  end

  // Addresses have 48 bits, and entries are whole pages.
  assign tag          = tag_mem[flush_index_q];
  assign flush_low    = {tag.page[47:21], tag.big ? 9'd0 : tag.page[20:12]};
  assign flush_high   = {tag.page[47:21], tag.big ? 9'h1ff : tag.page[20:12]};
  assign flush_hit    = tag.vmid == flush_vmid_i &&
                        (flush_last_i[63:48] != '0 || flush_low <= flush_last_i[47:12]) &&
                        flush_first_i[63:48] == '0 && flush_high >= flush_first_i[47:12];
  logic unused;
  assign unused = ^{flush_first_i[11:0], flush_last_i[11:0]};
  assign flush_done_o = flushing_q && flush_index_q == IndexW'(Entries - 1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q       <= '0;
      victim_q      <= '0;
      fill_q        <= 1'b0;
      check_q       <= 1'b0;
      flushing_q    <= 1'b0;
      flush_index_q <= '0;
    end else begin
      fill_q  <= walk_rsp_valid_i && walk_rsp_error_i == faa_pkg::ERROR_SUCCESS;
      check_q <= fill_q;
      if (fill_new) begin
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
    fill_slot_q  <= walk_rsp_slot_i;
    check_slot_q <= fill_slot_q;
    check_vmid_q <= vmid_i;
    if (fill_new) begin
      leaf_mem[victim_q] <= fill_leaf;
      tag_mem[victim_q]  <= '{big: fill_leaf[43], vmid: check_vmid_q, page: fill_page};
    end
  end

  for (genvar n = 0; n < Entries; n++) begin : gen_fill
    always_ff @(posedge clk_i) begin
      if (fill_new && victim_q == IndexW'(n)) begin
        vmid_q[n] <= check_vmid_q;
        page_q[n] <= fill_page;
        big_q[n]  <= fill_leaf[43];
      end
    end
  end

  `FAA_ASSERT(TlbFlushQuiet, !flush_i || idle_o)
  // The last answer's leaf is present when a flush begins.
  `FAA_ASSERT(TlbFillFirst, !flushing_q || !(fill_q || check_q))
  `FAA_COVER(tlb_t1, tr_valid_i && !tr_ready_o && !flushing_q)
  `FAA_COVER(tlb_t2, tr_valid_i && flushing_q)
  `FAA_COVER(tlb_hit_behind_miss, push && known && canonical)
  `FAA_COVER(tlb_out_of_order, walk_rsp_valid_i && walk_rsp_slot_i != head_q)
  `FAA_COVER(tlb_page_is_there, check_q && !fill_new)
  `FAA_COVER(tlb_answer_per_cycle, pop && push)

endmodule
