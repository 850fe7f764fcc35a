// SPDX-License-Identifier: Apache-2.0
//
// Accesses of scope SYS in front of a slice, with any requests; items in the first two pairs of a
// line, arithmetic left out. The slice is a list, oldest first, of the requests that it has taken;
// it answers any of them, an EVICT after all that came before it. Memory answers transactions in
// any order.

`include "formal.svh"

module l2_sys_props #(
  parameter int unsigned Most = 3
) (
  input logic            clk_i,
  input logic            run_i,
  input logic            req_valid_i,
  input logic            req_sys_i,
  input logic [2:0]      req_func_i,
  input logic [7:0]      req_op_i,
  input logic [3:0]      req_typ_i,
  input logic            req_want_i,
  input logic [1:0]      req_line_i,
  input logic [15:0]     req_strb_i,
  input logic [1:0]      req_tag_i,
  input logic            rsp_ready_i,
  input logic            l2_ready_i,
  input logic [Most-1:0] l2_answer_i,   // entry of the list that is answered
  input logic            l2_err_i,
  input logic            at_ready_i,
  input logic            at_rsp_valid_i,
  input logic [3:0]      at_rsp_tag_i,
  input logic            at_rsp_bit_i,
  input logic            at_rsp_err_i
);

  `FORMAL_RESET

  logic        req_ready, rsp_valid, l2_valid, l2_ready, l2_rsp_ready, at_valid, idle;
  logic [1:0]  rsp_tag;
  logic [2:0]  l2_func, l2_tag, l2_rsp_tag;
  logic [51:6] l2_addr, req_addr;
  logic [51:2] at_addr;
  logic [3:0]  at_tag;

  assign req_addr = {44'b0, req_line_i};

  faa_l2_sys #(.TagW(2)) u_sys (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_sys_i, .req_func_i, .req_op_i, .req_typ_i, .req_ftz_i(1'b0), .req_want_i, .req_addr_i(req_addr),
    .req_strb_i({48'b0, req_strb_i}), .req_b_i('0), .req_c_i('0), .req_tag_i, .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_tag_o(rsp_tag), .rsp_data_o(),
    .rsp_err_o(), .l2_req_valid_o(l2_valid), .l2_req_ready_i(l2_ready), .l2_req_func_o(l2_func), .l2_req_op_o(), .l2_req_typ_o(), .l2_req_ftz_o(),
    .l2_req_want_o(), .l2_req_addr_o(l2_addr), .l2_req_strb_o(), .l2_req_b_o(), .l2_req_c_o(), .l2_req_tag_o(l2_tag),
    .l2_rsp_valid_i(l2_answer_i != '0), .l2_rsp_ready_o(l2_rsp_ready), .l2_rsp_tag_i(l2_rsp_tag), .l2_rsp_data_i('0), .l2_rsp_err_i(l2_err_i),
    .at_valid_o(at_valid), .at_ready_i, .at_op_o(), .at_wide_o(), .at_addr_o(at_addr), .at_data_o(), .at_compare_o(), .at_tag_o(at_tag), .at_rsp_valid_i,
    .at_rsp_tag_i, .at_rsp_data_i({63'b0, at_rsp_bit_i}), .at_rsp_err_i, .idle_o(idle), .ev_stall_o()
  );

  // ---- The slice ----

  logic [Most-1:0]   in_q, evict_q, leaves, kept;
  logic [Most*3-1:0] tag_q;
  logic              enters;
  assign l2_ready = l2_ready_i && in_q != '1;
  assign enters   = l2_valid && l2_ready;
  assign leaves   = l2_rsp_ready ? l2_answer_i : '0;
  assign kept     = in_q & ~leaves;

  always_comb begin
    l2_rsp_tag = '0;
    for (int unsigned n = 0; n < Most; n++) if (l2_answer_i[n]) l2_rsp_tag = tag_q[n*3 +: 3];
  end

  // Entries after the one that leaves move down; a new entry is the last one.
  logic [Most-1:0] moved, moved_evict, last;
  logic [Most*3-1:0] moved_tag;
  always_comb begin
    {moved, moved_evict, moved_tag} = {kept, evict_q, tag_q};
    for (int unsigned n = 0; n + 1 < Most; n++) begin
      if (leaves != '0 && (leaves >> (n + 1)) == '0) {moved[n], moved_evict[n], moved_tag[n*3 +: 3]} = {in_q[n+1], evict_q[n+1], tag_q[n*3+3 +: 3]};
    end
    if (leaves != '0) moved[Most-1] = 1'b0;
    last = ~moved & (moved + Most'(1));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) in_q <= '0;
    else in_q <= moved | (enters ? last : '0);
    for (int unsigned n = 0; n < Most; n++) begin
      evict_q[n]       <= enters && last[n] ? l2_func == faa_l2_pkg::FUNC_EVICT : moved_evict[n];
      tag_q[n*3 +: 3]  <= enters && last[n] ? l2_tag : moved_tag[n*3 +: 3];
    end
  end

  `FAA_ASSUME(AnswersWhatEntered, (l2_answer_i & ~in_q) == '0 && (l2_answer_i & (l2_answer_i - Most'(1))) == '0)
  `FAA_ASSUME(EvictsBehindOthers, ((l2_answer_i & evict_q) >> 1) == '0)

  // ---- Memory ----

  logic [15:0] busy_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= '0;
    else busy_q <= (busy_q | (at_valid && at_ready_i ? 16'd1 << at_tag : '0)) & ~(at_rsp_valid_i ? 16'd1 << at_rsp_tag_i : '0);
  end
  `FAA_ASSUME(AnswersTransactions, !at_rsp_valid_i || busy_q[at_rsp_tag_i])

  // ---- Outstanding requests, for each tag; the operation of scope SYS ----

  logic [3:0]  out_q, in_slice;
  logic        takes, answers, sys_q, own_answer, store_in_q, stored_q, evict_in_q, evicted_q, own_comes;
  logic [2:0]  func_q;
  logic [1:0]  own_q;
  logic [51:6] addr_q;

  assign takes      = req_valid_i && req_ready;
  assign answers    = rsp_valid && rsp_ready_i;
  assign own_answer = sys_q && rsp_valid && rsp_tag == own_q;
  assign own_comes  = leaves != '0 && l2_rsp_tag[2];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_q <= '0;
      {sys_q, store_in_q, stored_q, evict_in_q, evicted_q} <= '0;
    end else begin
      out_q <= (out_q | (takes ? 4'd1 << req_tag_i : '0)) & ~(answers ? 4'd1 << rsp_tag : '0);
      if (takes && req_sys_i) {sys_q, store_in_q, stored_q, evict_in_q, evicted_q} <= 5'b10000;
      else begin
        if ((own_answer && rsp_ready_i) || (enters && l2_func == faa_l2_pkg::FUNC_LOAD)) sys_q <= 1'b0;
        if (enters && l2_func == faa_l2_pkg::FUNC_STORE) store_in_q <= 1'b1;
        if (enters && l2_func == faa_l2_pkg::FUNC_EVICT) evict_in_q <= 1'b1;
        // Answers of the slice to the operation's own requests come in the order of these requests.
        if (own_comes && (leaves & evict_q) != '0) evicted_q <= 1'b1;
        if (own_comes && (leaves & evict_q) == '0) stored_q <= 1'b1;
      end
    end
    if (takes && req_sys_i) {func_q, own_q, addr_q} <= {req_func_i, req_tag_i, req_addr};
  end

  always_comb begin
    in_slice = '0;
    for (int unsigned n = 0; n < Most; n++) if (in_q[n] && !tag_q[n*3+2]) in_slice = in_slice | 4'd1 << tag_q[n*3 +: 2];
  end

  `FAA_ASSUME(TagsDiffer, !req_valid_i || !out_q[req_tag_i])
  `FAA_ASSUME(FunctionsExist, !req_valid_i || req_func_i <= faa_l2_pkg::FUNC_FLUSH)

  `FAA_ASSERT(OneAnswer, !rsp_valid || out_q[rsp_tag])
  `FAA_ASSERT(NoneIsLost, out_q == (in_slice | (sys_q ? 4'd1 << own_q : '0)))
  `FAA_ASSERT(OthersPass, sys_q || !(takes && !req_sys_i) || (enters && l2_func == req_func_i && l2_addr == req_addr && l2_tag == {1'b0, req_tag_i}))
  // From the time when it is taken until it is done no other request enters the slice.
  `FAA_ASSERT(NothingBetween, !sys_q || !takes)
  `FAA_ASSERT(EntersInOrder, !(sys_q && enters) || (l2_addr == addr_q && l2_tag[1:0] == own_q &&
              ((l2_func == faa_l2_pkg::FUNC_STORE && func_q == faa_l2_pkg::FUNC_STORE && !store_in_q && !evict_in_q) ||
               (l2_func == faa_l2_pkg::FUNC_EVICT && !evict_in_q && (func_q != faa_l2_pkg::FUNC_STORE || store_in_q)) ||
               (l2_func == faa_l2_pkg::FUNC_LOAD && func_q == faa_l2_pkg::FUNC_LOAD))))
  `FAA_ASSERT(LoadBehindEvict, !(sys_q && l2_valid && l2_func == faa_l2_pkg::FUNC_LOAD) || evicted_q)
  `FAA_ASSERT(StoreAnsweredInMemory, !(own_answer && func_q == faa_l2_pkg::FUNC_STORE) || (stored_q && evicted_q))
  `FAA_ASSERT(AtomicBehindEvict, !at_valid || (sys_q && func_q == faa_l2_pkg::FUNC_ATOMIC && evicted_q && at_addr[51:6] == addr_q))
  `FAA_ASSERT(OneTransactionPerWord, !at_valid || !busy_q[at_tag])
  `FAA_ASSERT(AnswerBehindTransactions, !own_answer || busy_q == '0)
  `FAA_ASSERT(IdleIsDone, idle == !sys_q)
  `FAA_ASSERT(NeverLoads, !(sys_q && enters && l2_func == faa_l2_pkg::FUNC_LOAD && answers == 1'b0))
  `FAA_ASSERT(NeverAnswersAtomic, !(own_answer && func_q == faa_l2_pkg::FUNC_ATOMIC && req_valid_i))

endmodule
