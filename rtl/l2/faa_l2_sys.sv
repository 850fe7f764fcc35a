// SPDX-License-Identifier: Apache-2.0
//
// Accesses of scope SYS in front of an L2 slice. They are done in the host's memory, atomic
// operations by one or more atomic transactions for each item.
//
// All other requests pass. A LOAD of scope SYS first evicts its line from the slice, so it reads
// the content of memory. A STORE evicts its line after the write, and is answered when memory has
// its bytes. An ATOMIC, after the eviction of its line, does its items concurrently (an item is a
// word; of 64-bit types a pair; halves of a word together):
//
//   ADD SUB INCU DECU PREDEC on 32 and 64 bits   FetchAdd
//   EXCH on 32 and 64 bits                       Swap
//   CAS CAST on 32 and 64 bits                   CAS
//   others                                       CAS of the assumed content of memory (at first 0)
//                                                with the result, until the assumption is right; no
//                                                transaction if a known value would not change
//
// The answer of an item is the content of memory at its last transaction. Meanwhile no other
// request enters the slice: the order of requests includes operations of scope SYS, and a line is
// read again only after the last transaction.
//
// Latency: that of an eviction; for an ATOMIC also of a transaction and 4 cycles for each try; an
// item begins every 4 cycles (floating-point sums: 5 + faa_float_pkg::ADD_LATENCY), one more after
// a later try with CAS of the assumed content. Hazards: none, one operation at a time. Stalls:
//   SYS-S1: a request waits for an operation of scope SYS
//   SYS-S2: the transaction is not taken

`include "faa_assert.svh"

module faa_l2_sys #(
  parameter int unsigned TagW = 8,
  parameter logic        F32 = 1'b1,
  parameter logic        F64 = 1'b1,
  parameter logic        X2 = 1'b1,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // Requests
  input  logic                 req_valid_i,
  output logic                 req_ready_o,
  input  logic                 req_sys_i,       // with function LOAD, STORE or ATOMIC
  input  logic [2:0]           req_func_i,
  input  logic [7:0]           req_op_i,
  input  logic [3:0]           req_typ_i,
  input  logic                 req_ftz_i,
  input  logic                 req_want_i,
  input  logic [51:OffW]       req_addr_i,
  input  logic [LineBytes-1:0] req_strb_i,
  input  logic [LineW-1:0]     req_b_i,
  input  logic [LineW-1:0]     req_c_i,
  input  logic [TagW-1:0]      req_tag_i,
  output logic                 rsp_valid_o,
  input  logic                 rsp_ready_i,
  output logic [TagW-1:0]      rsp_tag_o,
  output logic [LineW-1:0]     rsp_data_o,
  output logic                 rsp_err_o,

  // The slice: the top bit of a tag is 1 for requests of this module
  output logic                 l2_req_valid_o,
  input  logic                 l2_req_ready_i,
  output logic [2:0]           l2_req_func_o,
  output logic [7:0]           l2_req_op_o,
  output logic [3:0]           l2_req_typ_o,
  output logic                 l2_req_ftz_o,
  output logic                 l2_req_want_o,
  output logic [51:OffW]       l2_req_addr_o,
  output logic [LineBytes-1:0] l2_req_strb_o,
  output logic [LineW-1:0]     l2_req_b_o,
  output logic [LineW-1:0]     l2_req_c_o,
  output logic [TagW:0]        l2_req_tag_o,
  input  logic                 l2_rsp_valid_i,
  output logic                 l2_rsp_ready_o,
  input  logic [TagW:0]        l2_rsp_tag_i,
  input  logic [LineW-1:0]     l2_rsp_data_i,
  input  logic                 l2_rsp_err_i,

  // Atomic transactions: tag is the word's place in the line; answers are always taken, in any
  // order
  output logic             at_valid_o,
  input  logic             at_ready_i,
  output logic [1:0]       at_op_o,         // faa_l2_pkg::AT_*
  output logic             at_wide_o,       // 64 bits, else 32
  output logic [51:2]      at_addr_o,
  output logic [63:0]      at_data_o,       // term, or value to store
  output logic [63:0]      at_compare_o,    // CAS
  output logic [3:0]       at_tag_o,
  input  logic             at_rsp_valid_i,
  input  logic [3:0]       at_rsp_tag_i,
  // Old value in memory; for 32 bits the upper half is undefined
  input  logic [63:0]      at_rsp_data_i,
  input  logic             at_rsp_err_i,

  output logic             idle_o,
  output logic             ev_stall_o       // SYS-S1
);

`include "faa_l2_types.svh"

  localparam int unsigned Words = LineBytes / 4;
  localparam int unsigned WordW = $clog2(Words);
  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;

  localparam logic [2:0] PASS = 3'd0, STORE = 3'd1, EVICT = 3'd2, LOAD = 3'd3, ITEMS = 3'd4, ANSWER = 3'd5;

  // ---- The operation ----

  logic [2:0]      state_q;
  logic            take, mine, evicted, finished;
  op_t             op_q;
  logic [51:OffW]  addr_q;
  logic [TagW-1:0] tag_q;
  logic            wide, native, adds, asked_q;
  logic            stored_q;  // a STORE has been answered by the slice
  logic            err_q;

  assign take   = state_q == PASS && req_valid_i && req_sys_i;
  assign wide   = faa_l2_pkg::item_size(op_q.typ) == 2'd3;
  assign adds   = op_q.op == faa_pkg::ATOM_OP_ADD && faa_l2_pkg::is_float(op_q.typ);
  assign native = faa_l2_pkg::item_size(op_q.typ) != 2'd1 && !adds &&
                  (faa_l2_pkg::at_adds(op_q.op) || op_q.op == faa_pkg::ATOM_OP_EXCH || op_q.op == faa_pkg::ATOM_OP_CAS ||
                   op_q.op == faa_pkg::ATOM_OP_CAST);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= PASS;
      asked_q <= 1'b0;
    end else begin
      unique case (state_q)
        PASS:    if (take) state_q <= req_func_i == faa_l2_pkg::FUNC_STORE ? STORE : EVICT;
        STORE:   if (l2_req_ready_i) state_q <= EVICT;
        EVICT:   if (evicted) state_q <= op_q.func == faa_l2_pkg::FUNC_LOAD ? LOAD : op_q.func == faa_l2_pkg::FUNC_STORE ? ANSWER : ITEMS;
        LOAD:    if (l2_req_ready_i) state_q <= PASS;
        ITEMS:   if (finished) state_q <= ANSWER;
        default: if (rsp_ready_i) state_q <= PASS;
      endcase
      if (take) asked_q <= 1'b0;
      else if (state_q == EVICT && l2_req_ready_i) asked_q <= 1'b1;
      if (take) stored_q <= 1'b0;
      else if (mine) stored_q <= 1'b1;
    end
    if (take) begin
      op_q.func <= req_func_i;
      op_q.op   <= req_op_i;
      op_q.typ  <= req_typ_i;
      op_q.ftz  <= req_ftz_i;
      op_q.want <= req_want_i;
      op_q.strb <= req_strb_i;
      op_q.b    <= req_b_i;
      op_q.c    <= req_c_i;
      addr_q    <= req_addr_i;
      tag_q     <= req_tag_i;
    end
  end

  // ---- The slice ----

  // The first answer to a STORE is the store's own.
  assign mine           = l2_rsp_valid_i && l2_rsp_tag_i[TagW];
  assign evicted        = mine && (op_q.func != faa_l2_pkg::FUNC_STORE || stored_q);
  assign req_ready_o    = state_q == PASS && (req_sys_i || l2_req_ready_i);
  assign l2_req_valid_o = state_q == PASS ? req_valid_i && !req_sys_i : state_q == STORE || state_q == LOAD || (state_q == EVICT && !asked_q);
  assign l2_req_func_o  = state_q == PASS ? req_func_i : state_q == EVICT ? faa_l2_pkg::FUNC_EVICT : op_q.func;
  assign l2_req_op_o    = req_op_i;
  assign l2_req_typ_o   = req_typ_i;
  assign l2_req_ftz_o   = req_ftz_i;
  assign l2_req_want_o  = state_q == PASS ? req_want_i : op_q.want && state_q == LOAD;
  assign l2_req_addr_o  = state_q == PASS ? req_addr_i : addr_q;
  assign l2_req_strb_o  = state_q == PASS ? req_strb_i : state_q == STORE ? op_q.strb : '0;
  assign l2_req_b_o     = state_q == STORE ? op_q.b : req_b_i;
  assign l2_req_c_o     = req_c_i;
  assign l2_req_tag_o   = state_q == PASS ? {1'b0, req_tag_i} : {state_q != LOAD, tag_q};

  // The slice answers an EVICT after all that came before it, so there is no other answer of the
  // slice together with one for this module.
  assign rsp_valid_o    = state_q == ANSWER || (l2_rsp_valid_i && !mine);
  assign l2_rsp_ready_o = mine || (state_q != ANSWER && rsp_ready_i);

  // ---- Items ----

  // For each word: to be handled, done (neither: in flight); its content in memory is known.
  logic [Words-1:0] present, todo_q, done_q, known_q;
  logic [LineW-1:0] m_q, answer_q;

  always_comb begin
    for (int unsigned w = 0; w < Words; w++) begin
      present[w] = |req_strb_i[w*4 +: 4] &&
                   !(faa_l2_pkg::item_size(req_typ_i) == 2'd3 && w % 2 == 1);
    end
  end

  // One word at a time is handled: chosen, computed (Latency cycles later, sums one more), then
  // sent or finished.
  logic               busy_q, ready, settled, send_q, known, told, same, tells, at_take, success;
  logic               check_q, value_same;
  logic [WordW-1:0]   word, word_q;
  logic [Latency+1:0] wait_q;
  logic [3:0]         starts;    // segments of 16 bits that begin an item
  logic [63:0]        m, b, c, value, results, answers, sum, term;
  logic [63:0]        value_q, asked_m_q;
  logic [7:0]         strb, wrote;

  always_comb begin
    word = '0;
    for (int unsigned w = Words; w > 0; w--) if (todo_q[w-1]) word = WordW'(w - 1);
  end

  assign ready = state_q == ITEMS && (!busy_q || same) && todo_q != '0;

  assign starts = {faa_l2_pkg::item_size(op_q.typ) == 2'd1, !wide,
                   faa_l2_pkg::item_size(op_q.typ) == 2'd1, 1'b1};

  assign m = m_q[32'(word_q[WordW-1:1])*64 +: 64];
  assign b = op_q.b[32'(word_q[WordW-1:1])*64 +: 64];
  assign c = op_q.c[32'(word_q[WordW-1:1])*64 +: 64];

  // The bytes of the pair that belong to this word.
  always_comb begin
    strb = op_q.strb[32'(word_q[WordW-1:1])*8 +: 8];
    if (!wide) strb = strb & (word_q[0] ? 8'hf0 : 8'h0f);
  end

  faa_l2_pair #(
    .F32(F32),
    .F64(F64),
    .X2 (X2)
  ) u_pair (
    .clk_i,
    .valid_i (busy_q),
    .adds_i  (adds),
    .op_i    (op_q.op),
    .typ_i   (op_q.typ),
    .ftz_i   (op_q.ftz),
    .strb_i  (strb),
    .b_i     (b),
    .c_i     (c),
    .m_i     (m),
    .new_o   (results),
    .wrote_o (wrote),
    .sum_o   (sum)
  );

  // The result for the pair, and the answer of the word. The operands are prepared in the cycle
  // after the word was chosen; the sum comes Latency cycles later.
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      value[i*8 +: 8] = adds && strb[i] ? sum[i*8 +: 8] : !adds && wrote[i] ? results[i*8 +: 8] : m[i*8 +: 8];
    end
    answers = op_q.op == faa_pkg::ATOM_OP_PREDEC ? results : m;
    if (op_q.op == faa_pkg::ATOM_OP_CAST) begin
      for (int unsigned i = 0; i < 4; i++) answers[i*16 +: 16] = 16'(starts[i] && wrote[i*2]);
    end
  end

  function automatic logic [63:0] item(input logic [63:0] pair, input logic high, input logic both);
    item = both ? pair : {32'b0, high ? pair[63:32] : pair[31:0]};
  endfunction

  // ---- Transactions ----

  logic high;
  assign high    = word_q[0];
  assign term    = op_q.op == faa_pkg::ATOM_OP_SUB ? -item(b, high, wide) :
                   op_q.op == faa_pkg::ATOM_OP_INCU ? 64'd1 :
                   op_q.op == faa_pkg::ATOM_OP_ADD ? item(b, high, wide) : {64{1'b1}};
  assign settled = busy_q && (adds ? wait_q[Latency+1] : wait_q[Latency]) && !send_q;
  assign known   = known_q[word_q];
  // Nothing is sent if an answer is known already, or a known value would not change: this is
  // compared in the next cycle.
  assign told    = settled && native && known;
  assign same    = check_q && value_same;
  assign at_take = at_valid_o && at_ready_i;

  assign at_valid_o   = send_q;
  assign at_op_o      = !native || op_q.op == faa_pkg::ATOM_OP_CAS || op_q.op == faa_pkg::ATOM_OP_CAST ? faa_l2_pkg::AT_CAS :
                        op_q.op == faa_pkg::ATOM_OP_EXCH ? faa_l2_pkg::AT_SWAP : faa_l2_pkg::AT_ADD;
  assign at_wide_o    = wide;
  assign at_addr_o    = {addr_q, word_q};
  assign at_data_o    = !native ? item(value_q, high, wide) : at_op_o == faa_l2_pkg::AT_ADD ? term :
                        item(at_op_o == faa_l2_pkg::AT_SWAP ? b : c, high, wide);
  assign at_compare_o = item(native ? b : asked_m_q, high, wide);
  assign at_tag_o     = 4'(word_q);

  faa_equal #(.Width(64)) u_same (.a_i(value_q), .b_i(asked_m_q), .equal_o(value_same));

  // The value that the oldest try of each word was compared with is still in m_q, which only its
  // answer changes.
  logic [WordW-1:0] came;
  logic [63:0]      came_m, came_pair;
  assign came      = at_rsp_tag_i[WordW-1:0];
  assign came_m    = item(m_q[32'(came[WordW-1:1])*64 +: 64], came[0], wide);
  assign came_pair = wide ? at_rsp_data_i : {2{at_rsp_data_i[31:0]}};
  assign success   = !native && item(at_rsp_data_i, 1'b0, wide) == came_m;
  assign tells     = at_rsp_valid_i && (success || at_rsp_err_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      send_q  <= 1'b0;
      check_q <= 1'b0;
      todo_q  <= '0;
      done_q  <= '0;
    end else if (take) begin
      busy_q  <= 1'b0;
      send_q  <= 1'b0;
      check_q <= 1'b0;
      todo_q  <= present;
      done_q  <= ~present;
    end else begin
      if (ready) begin
        busy_q       <= 1'b1;
        todo_q[word] <= 1'b0;
      end
      check_q <= settled && !native && known;
      if (settled && !known) send_q <= 1'b1;
      if (check_q) send_q <= !same;
      if (at_take) send_q <= 1'b0;
      if (at_take || told || same) busy_q <= ready;
      if (told || same) done_q[word_q] <= 1'b1;
      if (at_rsp_valid_i) begin
        if (tells) done_q[came] <= 1'b1;
        else todo_q[came] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    wait_q <= {wait_q[Latency:0], ready};
    if (ready) word_q <= word;
    if (settled) begin
      value_q   <= value;
      asked_m_q <= m;
    end
    if (take) begin
      m_q     <= '0;
      known_q <= '0;
      err_q   <= 1'b0;
    end else if (mine && !evicted) begin
      err_q   <= l2_rsp_err_i;
    end else if (at_rsp_valid_i) begin
      known_q[came] <= 1'b1;
      err_q         <= err_q || at_rsp_err_i;
      if (wide || !came[0]) m_q[32'(came[WordW-1:1])*64 +: 32] <= came_pair[31:0];
      if (wide || came[0]) m_q[32'(came[WordW-1:1])*64 + 32 +: 32] <= came_pair[63:32];
    end
    // A successful try returns the assumed M.
    if (settled) begin
      for (int unsigned i = 0; i < 8; i++) begin
        if (strb[i]) answer_q[32'(word_q[WordW-1:1])*64 + i*8 +: 8] <= answers[i*8 +: 8];
      end
    end
  end

  assign finished = done_q == '1;

  // ---- Answers ----

  assign rsp_tag_o  = state_q == ANSWER ? tag_q : l2_rsp_tag_i[TagW-1:0];
  assign rsp_data_o = state_q == ANSWER ? (op_q.want && !err_q && op_q.func == faa_l2_pkg::FUNC_ATOMIC ? answer_q : '0) : l2_rsp_data_i;
  assign rsp_err_o  = state_q == ANSWER ? err_q : l2_rsp_err_i;

  assign idle_o     = state_q == PASS;
  assign ev_stall_o = req_valid_i && state_q != PASS;

  logic unused;
  assign unused = ^at_rsp_tag_i;

  `FAA_ASSUME(sys_access, !(req_valid_i && req_sys_i) || req_func_i <= faa_l2_pkg::FUNC_ATOMIC)
  `FAA_ASSUME(sys_store_without_answer, !(req_valid_i && req_sys_i) || req_func_i != faa_l2_pkg::FUNC_STORE || !req_want_i)
  `FAA_ASSERT_STABLE(transaction, at_valid_o, at_ready_i, {at_op_o, at_wide_o, at_addr_o, at_data_o, at_compare_o, at_tag_o})
  `FAA_ASSERT(sys_answer_awaited, !at_rsp_valid_i || (state_q == ITEMS && !todo_q[came] && !done_q[came]))
  `FAA_ASSERT(sys_alone, !(state_q == ITEMS || state_q == ANSWER) || !l2_rsp_valid_i)
  `FAA_COVER(stall_s1, req_valid_i && state_q != PASS)
  `FAA_COVER(stall_s2, at_valid_o && !at_ready_i)
  `FAA_COVER(sys_first_guess, at_rsp_valid_i && success && !known_q[came])
  `FAA_COVER(sys_lost_race, at_rsp_valid_i && !tells && !native && known_q[came])
  `FAA_COVER(sys_nothing_to_do, same)
  `FAA_COVER(sys_error, at_rsp_valid_i && at_rsp_err_i)
  `FAA_COVER(sys_load, state_q == LOAD)
  `FAA_COVER(sys_store, evicted && op_q.func == faa_l2_pkg::FUNC_STORE)
  `FAA_COVER(sys_store_error, mine && !evicted && l2_rsp_err_i)
  `FAA_COVER(sys_many, state_q == ITEMS && $countones(~todo_q & ~done_q) >= Words / 2)

endmodule
