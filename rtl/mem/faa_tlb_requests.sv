// SPDX-License-Identifier: Apache-2.0
//
// Translation port of a compute unit in a build without a first-level TLB (faa_tlb): each request
// goes to the shared part (faa_mmu). Checks canonical form and permissions. Several requests may be
// in flight; the answers come in the order of the requests.
//
// Latency: that of the shared part and 3 cycles. Throughput: one request per two cycles.
// Stalls: TLB-S1, and
//   TLB-S3: the shared part takes another request
// Hazards: none; no translation is kept, so an invalidation ends in the cycle after its start.

`include "faa_assert.svh"

module faa_tlb_requests #(
  // Requests in flight: a power of two.
  parameter int unsigned Slots = 8,
  localparam int unsigned SlotW = $clog2(Slots)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

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

  // Invalidation: flush_i and flush_done_o are pulses.
  input  logic             flush_i,
  output logic             flush_done_o,

  // 1: no translation is in flight.
  output logic             idle_o,
  // As in faa_tlb.
  output logic [1:0]       hits_o,
  output logic             miss_o
);

  // ---- The request that was taken: it goes to the shared part, or is known to be bad ----

  logic        ask_q, write_q, atomic_q, canonical, asked, pop, full;
  logic [63:0] va_q;

  typedef struct packed {
    logic        write;
    logic        atomic;
    logic [20:0] va;
  } request_t;
  // The address of a leaf, or of the table entry that caused a bus error.
  typedef struct packed {
    logic [7:0]  error;
    logic        big;
    logic        sparse;
    logic        atomic;
    logic        writable;
    logic [63:3] addr;
  } answer_t;

  request_t         request_mem [Slots];
  answer_t          answer_mem [Slots];
  request_t         request;
  answer_t          answer;
  logic [Slots-1:0] known_q, bad_q;     // answered; not canonical
  logic [SlotW-1:0] head_q, tail_q;
  logic [SlotW:0]   count_q;

  assign canonical    = va_q[63:48] == '0;
  assign walk_valid_o = ask_q && canonical;
  assign walk_page_o  = va_q[47:12];
  assign walk_slot_o  = tail_q;
  assign asked        = ask_q && (!canonical || walk_ready_i);
  // The answer in the register still counts as in flight, so one slot is not used.
  assign full         = count_q == (SlotW+1)'(Slots - 1);
  assign tr_ready_o   = !ask_q && !full;
  assign pop          = count_q != '0 && known_q[head_q];

  always_ff @(posedge clk_i) begin
    if (asked) begin
      known_q[tail_q]     <= !canonical;
      bad_q[tail_q]       <= !canonical;
      request_mem[tail_q] <= '{write: write_q, atomic: atomic_q, va: va_q[20:0]};
    end
    if (walk_rsp_valid_i) begin
      known_q[walk_rsp_slot_i]    <= 1'b1;
      answer_mem[walk_rsp_slot_i] <= '{
        error: walk_rsp_error_i, big: walk_rsp_big_i, sparse: walk_rsp_leaf_i[42],
        atomic: walk_rsp_leaf_i[41], writable: walk_rsp_leaf_i[40],
        addr: walk_rsp_error_i == faa_pkg::ERROR_BUS_ERROR ?
              walk_rsp_addr_i[63:3] : {12'd0, walk_rsp_leaf_i[39:0], 9'd0}
      };
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ask_q   <= 1'b0;
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      ask_q <= ask_q ? !asked : tr_valid_i && tr_ready_o;
      if (pop) head_q <= head_q + SlotW'(1);
      if (asked) tail_q <= tail_q + SlotW'(1);
      count_q <= count_q + (SlotW+1)'(asked) - (SlotW+1)'(pop);
    end
    if (!ask_q) begin
      va_q     <= tr_req_i.va;
      write_q  <= tr_req_i.write;
      atomic_q <= tr_req_i.atomic;
    end
  end

  // ---- Answer: of the oldest request, from a register ----

  logic [7:0]  error;
  logic [63:0] pa;

  assign request = request_mem[head_q];
  assign answer  = answer_mem[head_q];

  always_comb begin
    error = answer.error;
    if (answer.error == faa_pkg::ERROR_SUCCESS) begin
      if (request.write && !answer.writable) error = faa_pkg::ERROR_NOT_WRITABLE;
      else if (request.atomic && !answer.atomic) error = faa_pkg::ERROR_NOT_ATOMIC;
    end
    if (bad_q[head_q]) error = faa_pkg::ERROR_NON_CANONICAL;
    pa = {answer.addr[63:21], answer.big ? request.va[20:12] : answer.addr[20:12],
          request.va[11:0]};
    if (answer.error == faa_pkg::ERROR_BUS_ERROR && !bad_q[head_q]) pa = {answer.addr, 3'd0};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tr_rsp_valid_o <= 1'b0;
      flush_done_o   <= 1'b0;
    end else begin
      tr_rsp_valid_o <= pop;
      flush_done_o   <= flush_i;
    end
    tr_rsp_o <= '{error: error, pa: pa, sparse: answer.sparse, big: answer.big};
  end

  assign idle_o = !ask_q && count_q == '0 && !tr_rsp_valid_o && !flush_done_o;
  assign hits_o = 2'(walk_rsp_valid_i && !walk_rsp_walked_i);
  assign miss_o = walk_rsp_valid_i && walk_rsp_walked_i;

  logic unused;
  assign unused = ^walk_rsp_addr_i[2:0];

  `FAA_ASSERT(tlb_requests_expected, !walk_rsp_valid_i || !known_q[walk_rsp_slot_i])
  `FAA_ASSERT(tlb_requests_flush_quiet, !flush_i || idle_o)
  `FAA_COVER(tlb_requests_t1, tr_valid_i && full)
  `FAA_COVER(tlb_requests_t3, walk_valid_o && !walk_ready_i)
  `FAA_COVER(tlb_requests_out_of_order, walk_rsp_valid_i && walk_rsp_slot_i != head_q)

endmodule
