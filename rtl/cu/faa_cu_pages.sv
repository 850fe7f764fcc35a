// SPDX-License-Identifier: Apache-2.0
//
// Translations of the pages of a command's operand streams: for each of the three slots the current
// page and up to three following ones, requested ahead.
//
// A page that is looked up and not found is requested at once, and the slot's other pages are
// dropped: they belong to another part of memory. A page that fails ahead of its use is dropped as
// well; the stream requests it again when it gets there.
//
// Latency: a known page in the same cycle, also that of the next page. Stalls: TRL-S1 (the page is
// being translated).
// Hazard: an invalidation makes the pages stale: drop_i, while idle_o.

`include "faa_assert.svh"

module faa_cu_pages (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         start_i,      // a command begins: each slot keeps its current page
  input  logic         drop_i,       // forget all pages
  input  logic         stop_i,       // request nothing new
  input  logic [2:0]   ahead_i,      // per slot: the stream visits neighbouring pages in turn,
  input  logic [2:0]   down_i,       // downwards,
  input  logic [155:0] last_i,       // and this is the last page (52 bits a slot)
  output logic         idle_o,       // no translation is in flight

  input  logic         look_i,
  input  logic [1:0]   slot_i,
  input  logic [51:0]  page_i,
  output logic         known_o,      // of page_i, without look_i
  output logic [39:0]  pa_o,
  output logic         sparse_o,
  input  logic         may_i,        // the page is taken if it is known, and sparse or ready_i:
  input  logic         ready_i,
  output logic         take_o,       // earlier pages are not needed
  output logic         fail_o,       // one cycle, after the answer: the page looked up is bad
  output logic [7:0]   error_o,      // enum error
  output logic [63:0]  error_pa_o,   // of the table entry that a bus error hit

  output logic         tr_valid_o,
  input  logic         tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic         tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i
);

  // Four pages a slot, a ring from head_q on.
  logic [51:0] va_q [16];
  logic [39:0] pa_q [16];
  logic [15:0] sparse_q;
  logic [1:0]  head_q [4], next_q [4];   // next_q: the one after the head
  logic [2:0]  count_q [4];
  logic [2:0]  used_q;        // the first page is that of this command
  logic [2:0]  stopped_q;     // a page ahead was bad

  logic        asking_q, sent_q, demand_q;
  logic [1:0]  ask_slot_q;
  logic [51:0] ask_page_q;

  logic [3:0]  at0, at1, end_at, ahead_tail;
  logic        same0, same1, hit0, hit1, go0, go1, demand, pop, push, ahead;
  logic [1:0]  ahead_slot;
  logic [2:0]  want;
  logic [51:0] ahead_page;

  assign at0  = {slot_i, head_q[slot_i]};
  assign at1  = {slot_i, next_q[slot_i]};
  faa_equal #(.Width(52)) u_same0 (.a_i(va_q[at0]), .b_i(page_i), .equal_o(same0));
  faa_equal #(.Width(52)) u_same1 (.a_i(va_q[at1]), .b_i(page_i), .equal_o(same1));
  assign hit0 = count_q[slot_i] != 3'd0 && same0;
  assign hit1 = count_q[slot_i] > 3'd1 && same1;

  assign known_o  = hit0 || hit1;
  assign pa_o     = hit0 ? pa_q[at0] : pa_q[at1];
  assign sparse_o = hit0 ? sparse_q[at0] : sparse_q[at1];

  assign demand = look_i && !known_o && !asking_q && !fail_o && !stop_i;
  // Whether the page is taken, were it either, is determined beside which one it is.
  assign go0    = look_i && may_i && (sparse_q[at0] || ready_i);
  assign go1    = look_i && may_i && (sparse_q[at1] || ready_i);
  assign take_o = hit0 ? go0 : hit1 && go1;
  assign pop    = go1 && hit1 && !hit0;
  assign push   = asking_q && tr_rsp_valid_i && tr_rsp_i.error == faa_pkg::ERROR_SUCCESS;
  assign end_at = {ask_slot_q, head_q[ask_slot_q] + count_q[ask_slot_q][1:0]};

  // The lowest slot with room for a page ahead.
  for (genvar s = 0; s < 3; s++) begin : g_ahead
    logic at_last;
    faa_equal #(.Width(52)) u_at_last (
      .a_i(va_q[{2'(s), head_q[s] + count_q[s][1:0] - 2'd1}]), .b_i(last_i[s*52 +: 52]),
      .equal_o(at_last)
    );
    assign want[s] = !asking_q && !fail_o && !stop_i && ahead_i[s] && used_q[s] && !stopped_q[s] &&
                     count_q[s] != 3'd0 && count_q[s] != 3'd4 && !at_last;
  end
  assign ahead      = want != '0 && !demand;
  assign ahead_slot = want[0] ? 2'd0 : want[1] ? 2'd1 : 2'd2;
  assign ahead_tail = {ahead_slot, head_q[ahead_slot] + count_q[ahead_slot][1:0] - 2'd1};
  assign ahead_page = |(down_i & 3'd1 << ahead_slot) ? va_q[ahead_tail] - 52'd1 : va_q[ahead_tail] + 52'd1;

  // All sums are made before it is known which one counts.
  logic [2:0] count [3];
  for (genvar s = 0; s < 3; s++) begin : g_count
    logic more, less;
    assign more     = push && ask_slot_q == 2'(s);
    assign less     = pop && slot_i == 2'(s);
    assign count[s] = ({3{more && !less}} & (count_q[s] + 3'd1)) |
                      ({3{less && !more}} & (count_q[s] - 3'd1)) |
                      ({3{more == less}} & count_q[s]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      asking_q  <= 1'b0;
      fail_o    <= 1'b0;
      sent_q    <= 1'b0;
      used_q    <= '0;
      stopped_q <= '0;
      for (int s = 0; s < 4; s++) begin
        head_q[s]  <= 2'd0;
        next_q[s]  <= 2'd1;
        count_q[s] <= '0;
      end
    end else begin
      if (demand || ahead) asking_q <= 1'b1;
      else if (tr_rsp_valid_i) asking_q <= 1'b0;
      fail_o <= asking_q && demand_q && tr_rsp_valid_i && !push;
      if (!asking_q) sent_q <= 1'b0;
      else if (tr_ready_i) sent_q <= 1'b1;

      for (int s = 0; s < 3; s++) begin
        if (drop_i || (demand && slot_i == 2'(s))) begin
          count_q[s] <= '0;
        end else if (start_i) begin
          if (count_q[s] != '0) count_q[s] <= 3'd1;
        end else begin
          count_q[s] <= count[s];
        end
        if (pop && slot_i == 2'(s)) begin
          head_q[s] <= next_q[s];
          next_q[s] <= next_q[s] + 2'd1;
        end
        if (start_i || drop_i) used_q[s] <= 1'b0;
        else if (take_o && slot_i == 2'(s)) used_q[s] <= 1'b1;
        if (start_i || drop_i || (demand && slot_i == 2'(s))) stopped_q[s] <= 1'b0;
        else if (asking_q && tr_rsp_valid_i && !push && ask_slot_q == 2'(s)) stopped_q[s] <= 1'b1;
      end
    end

    if (demand || ahead) begin
      demand_q   <= demand;
      ask_slot_q <= demand ? slot_i : ahead_slot;
      ask_page_q <= demand ? page_i : ahead_page;
    end
    if (tr_rsp_valid_i && asking_q) begin
      error_o    <= tr_rsp_i.error;
      error_pa_o <= tr_rsp_i.pa;
    end
    if (push) begin
      va_q[end_at]     <= ask_page_q;
      pa_q[end_at]     <= tr_rsp_i.pa[51:12];
      sparse_q[end_at] <= tr_rsp_i.sparse;
    end
  end

  assign idle_o     = !asking_q && !fail_o;
  assign tr_valid_o = asking_q && !sent_q;
  assign tr_req_o    = '{va: {ask_page_q, 12'b0}, write: 1'b0, atomic: 1'b0};

  `FAA_ASSERT(pages_at_rest, !(start_i || drop_i) || !asking_q)
  `FAA_ASSERT(taken_is_known, take_o == (look_i && may_i && known_o && (sparse_o || ready_i)))
  for (genvar s = 0; s < 3; s++) begin : g_heads
    `FAA_ASSERT(next_is_after_the_head, next_q[s] == head_q[s] + 2'd1)
  end
  `FAA_ASSERT(pages_fit, !push || pop || count_q[ask_slot_q] != 3'd4)
  logic unused;
  assign unused = tr_rsp_i.big;

  `FAA_ASSERT_STABLE(request_stable, tr_valid_o, tr_ready_i, tr_req_o)
  `FAA_COVER(page_ahead_hit, pop)
  `FAA_COVER(page_ahead_bad, asking_q && !demand_q && tr_rsp_valid_i && !push)
  `FAA_COVER(stall_t1, look_i && !known_o)

endmodule
