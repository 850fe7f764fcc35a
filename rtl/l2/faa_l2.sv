// SPDX-License-Identifier: Apache-2.0
//
// L2 slice: loads, stores and atomic operations on lines of LineBytes bytes at the memory's side
// (Documentation/l2.rst). Operations on a line take effect in the order of requests; responses come
// in any order.
//
// T0, T1, R, Y, X, W: a hit is answered 6 cycles after its request. Throughput: one line operation
// per cycle, hit or miss, also on one line (additions of floating-point types on one line: one in
// faa_float_pkg::ADD_LATENCY cycles), as long as there are MSHRs for the latency of a read and
// entries of the write-back buffer for that of a write. Stalls (L2-S) and hazards (L2-H):
// Documentation/l2.rst.

`include "faa_assert.svh"

module faa_l2 #(
  parameter int unsigned Sets = 256,
  parameter int unsigned Ways = 4,
  parameter int unsigned Mshrs = 128,
  parameter int unsigned ListSlots = 64,
  parameter int unsigned WbEntries = 128,
  parameter int unsigned AluWords = 16,
  parameter int unsigned TagW = 8,
  parameter logic        F32 = 1'b1,
  parameter logic        F64 = 1'b1,
  parameter logic        X2 = 1'b1,
  // Few cells: a hit in three cycles, a miss in four, no lines are forwarded.
  parameter bit Compact = 1'b0,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned MshrW = $clog2(Mshrs),
  localparam int unsigned WbW = $clog2(WbEntries)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // Line operations; a request may be withdrawn or replaced until it is taken
  input  logic                 req_valid_i,
  output logic                 req_ready_o,
  input  logic [2:0]           req_func_i,   // faa_l2_pkg::FUNC_*
  input  logic [7:0]           req_op_i,     // enum atom_op
  input  logic [3:0]           req_typ_i,    // enum type
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

  // Memory
  output logic                 mem_rd_valid_o,
  input  logic                 mem_rd_ready_i,
  output logic [51:OffW]       mem_rd_addr_o,
  output logic [MshrW-1:0]     mem_rd_tag_o,
  input  logic                 mem_rd_rsp_valid_i,
  input  logic [MshrW-1:0]     mem_rd_rsp_tag_i,
  input  logic [LineW-1:0]     mem_rd_rsp_data_i,
  input  logic                 mem_rd_rsp_err_i,
  output logic                 mem_wr_valid_o,
  input  logic                 mem_wr_ready_i,
  output logic [51:OffW]       mem_wr_addr_o,
  output logic [LineW-1:0]     mem_wr_data_o,
  output logic [LineBytes-1:0] mem_wr_strb_o,
  output logic [WbW-1:0]       mem_wr_tag_o,
  input  logic                 mem_wr_rsp_valid_i,
  input  logic [WbW-1:0]       mem_wr_rsp_tag_i,
  input  logic                 mem_wr_rsp_err_i,

  // A write was answered with an error: its line
  output logic             lost_valid_o,
  output logic [51:OffW]   lost_addr_o,

  output logic             idle_o,
  output logic             ev_hit_o,
  output logic             ev_merge_o,
  output logic             ev_miss_o,
  output logic             ev_read_o,
  output logic             ev_write_o,
  output logic [6:0]       ev_stall_o    // L2-S1 to L2-S6, L2-S8
);

  localparam int unsigned Words = LineBytes / 4;

`ifndef YOSYS
  if (Ways != 1 && Ways != 2 && Ways != 4 && Ways != 8) begin : gen_bad_ways
    $error("faa_l2: Ways is %0d; 1, 2, 4 and 8 are possible", Ways);
  end
  if (LineBytes != 16 && LineBytes != 32 && LineBytes != 64) begin : gen_bad_line
    $error("faa_l2: LineBytes is %0d; 16, 32 and 64 are possible", LineBytes);
  end
  if (AluWords < 2 || AluWords > Words || 2 ** $clog2(AluWords) != AluWords) begin : gen_bad_words
    $error("faa_l2: AluWords is %0d; powers of two from 2 to %0d are possible", AluWords, Words);
  end
  if (Sets < 2 || 2 ** $clog2(Sets) != Sets || Mshrs < 2 || 2 ** MshrW != Mshrs || WbEntries < 2 || 2 ** WbW != WbEntries ||
      ListSlots < 2 || 2 ** $clog2(ListSlots) != ListSlots) begin : gen_bad_size
    $error("faa_l2: Sets (%0d), Mshrs (%0d), ListSlots (%0d) and WbEntries (%0d) have to be powers of two from 2 on", Sets, Mshrs,
           ListSlots, WbEntries);
  end
`endif

`include "faa_l2_types.svh"

  localparam int unsigned SetW = $clog2(Sets);
  localparam int unsigned PlaceW = $clog2(Sets * Ways);
  localparam int unsigned Blocks = Sets < 16 ? 1 : Sets / 16;
  localparam int unsigned LineAddrW = 52 - OffW;
  localparam int unsigned Groups = Words / AluWords;
  localparam int unsigned GroupW = (Groups > 1) ? $clog2(Groups) : 1;
  localparam int unsigned RequestW = TagW + LineAddrW + $bits(op_t);

  // ---- T0 ----

  op_t                  req_op, t0_op, t1_op_q;
  logic                 t0_valid, t1_ready, t1_valid_q, t1_known, t1_leaves;
  logic [LineAddrW-1:0] t0_la, t1_la_q;
  logic [TagW-1:0]      t0_tag, t1_tag_q;

  always_comb begin
    req_op.func = req_func_i;
    req_op.op   = req_op_i;
    req_op.typ  = req_typ_i;
    req_op.ftz  = req_ftz_i;
    req_op.want = req_want_i;
    req_op.strb = req_strb_i;
    req_op.b    = req_b_i;
    req_op.c    = req_c_i;
  end

  // T0 also has the set, except with Compact.
  localparam int unsigned T0SetW = Compact ? 0 : SetW;
  logic [SetW-1:0]            set, t0_set;
  logic [RequestW+T0SetW-1:0] request, t0_request;

  faa_l2_set #(.Sets(Sets), .LineAddrW(LineAddrW)) u_set (
    .la_i(Compact ? t0_la : req_addr_i), .set_o(set)
  );
  if (Compact) begin : gen_set
    assign request = {req_tag_i, req_addr_i, req_op};
    assign t0_set  = set;
  end else begin : gen_set_t0
    assign request = {set, req_tag_i, req_addr_i, req_op};
    assign t0_set  = t0_request[RequestW +: SetW];
  end
  assign {t0_tag, t0_la, t0_op} = t0_request[RequestW-1:0];

  faa_skid #(
    .Width(RequestW + T0SetW),
    .HalfRate(Compact)
  ) u_t0 (
    .clk_i,
    .rst_ni,
    .valid_i(req_valid_i),
    .ready_o(req_ready_o),
    .data_i (request),
    .valid_o(t0_valid),
    .ready_i(t1_ready),
    .data_o (t0_request)
  );

  // ---- T1 ----

  logic                 match, awaited, match_dirty, victim_ok, victim_dirty, cam_hit, cam_busy;
  logic                 match_comes, new_phase, arrive_phase, appends, miss_late, miss_goes;
  logic [PlaceW-1:0]    match_place, new_place, victim_place, arrive_place;
  logic [LineAddrW-1:0] victim_la;
  logic                 mshr_free, list_free, wb_free, misses_idle, wb_idle, execute_idle;
  logic [MshrW-1:0]     mshr, match_mshr;
  logic [WbW-1:0]       wb_id;
  logic                 sweeps, t1_sweep, t1_line, stores, hit, merge, miss, whole, reads, r_ready;
  logic                 r_passed, t1_ok, miss_open, miss_could;
  logic                 sweep_done, sweeping, sweep_walks, sweep_read, sweep_evict, sweep_evicted;
  logic                 sweep_passes, sweep_dirty, sweep_more, sweep_invalidate;
  logic                 enters;
  logic [SetW-1:0]      sweep_set;
  logic [Blocks-1:0]    dirty_blocks;
  logic                 arrive, arrive_drop;
  faa_l2_pkg::kind_t    t1_kind;
  logic [Words-1:0]     t1_words;      // with items; 0 unless it computes

  // Values that depend on the operation alone, from registers: with Compact they are valid when
  // those of the tags are, else from the first cycle on
  typedef struct packed {
    faa_l2_pkg::kind_t kind;
    logic [Words-1:0]  words;
    logic              sweeps;
    logic              line;
    logic              stores;
    logic              whole;
  } facts_t;
  facts_t facts_d, facts;
  op_t    facts_op;

  assign facts_op = Compact ? t1_op_q : t0_op;
  logic unused_facts;
  assign unused_facts = ^facts_op;

  always_comb begin
    facts_d.kind = faa_l2_pkg::kind_of(facts_op.func, facts_op.op, facts_op.typ);
    for (int unsigned w = 0; w < Words; w++) begin
      facts_d.words[w] = facts_d.kind.computes && |facts_op.strb[w*4 +: 4];
    end
    if (!F32 && !F64 && !X2) facts_d.kind.adds = 1'b0;
    facts_d.sweeps = faa_l2_pkg::is_sweep(facts_op.func);
    facts_d.line   = facts_op.func == faa_l2_pkg::FUNC_EVICT;
    facts_d.stores = facts_op.func == faa_l2_pkg::FUNC_STORE ||
                     facts_op.func == faa_l2_pkg::FUNC_ATOMIC;
    facts_d.whole  = facts_op.func == faa_l2_pkg::FUNC_STORE && &facts_op.strb && !facts_op.want;
  end
  if (Compact) begin : gen_facts_late
    always_ff @(posedge clk_i) facts <= facts_d;
  end else begin : gen_facts
    always_ff @(posedge clk_i) if (enters) facts <= facts_d;
  end

  assign t1_kind  = facts.kind;
  assign t1_words = facts.words;
  assign sweeps   = facts.sweeps;
  assign t1_sweep = t1_known && sweeps;
  assign t1_line  = facts.line;
  assign stores   = facts.stores;
  assign hit      = t1_known && !sweeps && match && !awaited;
  assign merge    = t1_known && !sweeps && match && awaited;
  assign miss     = t1_known && !sweeps && !match;
  assign whole    = facts.whole;
  assign reads    = !whole || cam_hit;

  assign appends    = merge && list_free;
  // match comes late.
  assign miss_could = miss_open && r_passed && victim_ok && (!reads || mshr_free) &&
                      (!victim_dirty || wb_free) && !cam_busy;
  assign miss_goes  = miss_could && !match;
  assign t1_ok      = match ? t1_known && !sweeps && (awaited ? list_free : r_ready) : miss_could;
  assign t1_leaves  = t1_ok || (t1_sweep && sweep_done);
  assign t1_ready   = !t1_valid_q || (!Compact && t1_leaves);
  assign enters     = t0_valid && t1_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) t1_valid_q <= 1'b0;
    else if (t1_ready || t1_leaves) t1_valid_q <= enters;
    if (enters) begin
      t1_op_q  <= t0_op;
      t1_la_q  <= t0_la;
      t1_tag_q <= t0_tag;
    end
  end

  // The tags' outputs are about the operation in T1, with Compact from its second cycle, and the
  // victim from the third. A line that was absent one cycle ago is still absent.
  if (Compact) begin : gen_late
    logic new_q, miss_q;
    always_ff @(posedge clk_i) begin
      new_q  <= enters;
      miss_q <= miss;
    end
    assign t1_known  = t1_valid_q && !new_q;
    assign miss_open = t1_known && miss_q;
    `FAA_ASSERT(miss_stays, !miss_open || miss)
  end else begin : gen_early
    assign t1_known  = t1_valid_q;
    assign miss_open = t1_known && !sweeps;
  end
  assign miss_late = miss_open && !match;
  `FAA_ASSERT(t1_leaves_by, t1_ok == ((hit && r_ready) || appends || miss_goes))

  faa_l2_tags #(
    .Late(Compact),
    .Sets(Sets),
    .Ways(Ways),
    .MshrW(MshrW),
    .LineAddrW(LineAddrW)
  ) u_tags (
    .clk_i,
    .rst_ni,
    .read_i            (enters || sweep_read),
    .read_set_i        (t0_set),
    .read_tag_i        (t0_la[LineAddrW-1:SetW]),
    .read_sweep_i      (sweep_walks),
    .sweep_set_i       (sweep_set),
    .tag_i             (t1_la_q[LineAddrW-1:SetW]),
    .match_o           (match),
    .awaited_o         (awaited),
    .dirty_o           (match_dirty),
    .match_place_o     (match_place),
    .match_mshr_o      (match_mshr),
    .match_comes_o     (match_comes),
    .victim_ok_o       (victim_ok),
    .victim_dirty_o    (victim_dirty),
    .new_place_o       (new_place),
    .new_phase_o       (new_phase),
    .victim_place_o    (victim_place),
    .victim_la_o       (victim_la),
    .touch_i           ((hit && r_ready) || appends),
    .touch_dirty_i     (stores),
    .allocate_i        (miss_goes),
    .allocate_awaited_i(reads),
    .allocate_mshr_i   (mshr),
    .sweep_i           (sweeping),
    .sweep_line_i      (t1_line),
    .sweep_take_i      (sweep_evicted),
    .sweep_dirty_o     (sweep_dirty),
    .sweep_more_o      (sweep_more),
    .dirty_blocks_o    (dirty_blocks),
    .cleaned_i         (sweep_done && !t1_line),
    .invalidate_i      (sweep_invalidate),
    .arrive_i          (arrive),
    .arrive_drop_i     (arrive_drop),
    .arrive_phase_i    (arrive_phase),
    .arrive_place_i    (arrive_place)
  );

  // ---- CLEAN and FLUSH ----

  logic wr_err_q, r_valid_q, r_clean_q, same_r, room;

  // A sweep begins when no other operation is in flight, so R has at most an eviction of the sweep,
  // and D has nothing: this is r_ready, with fewer levels.
  assign sweep_passes  = (!r_valid_q || (!Compact && !same_r && (!r_clean_q || room))) && wb_free;
  assign sweep_evicted = sweep_evict && sweep_passes;

  faa_l2_sweep #(
    .Sets(Sets),
    .Late(Compact)
  ) u_sweep (
    .clk_i,
    .rst_ni,
    .run_i        (t1_sweep),
    .flush_i      (t1_op_q.func == faa_l2_pkg::FUNC_FLUSH),
    .line_i       (t1_line),
    .line_dirty_i (match_dirty),
    .done_o       (sweep_done),
    .quiet_i      (misses_idle && !r_valid_q),
    .settled_i    (wb_idle && !r_valid_q),
    .dirty_blocks_i(dirty_blocks),
    .sweeping_o   (sweeping),
    .walks_o      (sweep_walks),
    .read_o       (sweep_read),
    .read_set_o   (sweep_set),
    .evict_o      (sweep_evict),
    .evict_ready_i(sweep_passes),
    .dirty_i      (sweep_dirty),
    .more_i       (sweep_more),
    .invalidate_o (sweep_invalidate)
  );

  // A write was answered with an error since the last CLEAN or FLUSH.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wr_err_q <= 1'b0;
    else if (lost_valid_o) wr_err_q <= 1'b1;
    else if (sweep_done && !t1_line) wr_err_q <= 1'b0;
  end

  // ---- R ----

  logic              r_oper_q, r_evict_q, r_err_q;
  logic [PlaceW-1:0] r_place_q;
  logic [WbW-1:0]    r_wb_q;
  op_t               r_op_q;
  faa_l2_pkg::kind_t r_kind_q;
  logic [TagW-1:0]   r_tag_q;
  logic [Groups-1:0] r_rest_q, r_step, t1_groups;
  logic              r_begun_q;
  logic [GroupW-1:0] r_group;
  logic              r_last, r_mid, r_exec, r_before, r_first, r_alone;
  logic              r_instead, r_turn, r_go, r_leaves, r_load, r_loads_op, r_executes;
  logic [2:0]        d_waited_q;   // operations of R that went before that of D

  logic              d_valid, d_fill, d_err, d_first, d_last, d_behind, d_could, d_go;
  logic [PlaceW-1:0] d_place;
  logic [GroupW-1:0] d_group;
  faa_l2_pkg::kind_t d_kind;
  logic              same_d;

  assign r_loads_op = hit || (miss_late && !reads) || sweep_done;
  assign r_load = (hit && r_ready) || (miss_goes && (!reads || victim_dirty)) || sweep_evicted ||
                  (t1_sweep && sweep_done);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) r_valid_q <= 1'b0;
    else if (r_ready || r_leaves) r_valid_q <= r_load;
    if (r_load) begin
      r_oper_q  <= r_loads_op;
      r_evict_q <= (miss_late && victim_dirty) || sweep_evicted;
      r_clean_q <= sweep_evicted && t1_op_q.func == faa_l2_pkg::FUNC_CLEAN;
      r_err_q   <= sweep_done && !t1_line && wr_err_q;
      r_place_q <= hit ? match_place : victim_place;
      r_wb_q    <= wb_id;
      r_op_q    <= t1_op_q;
      r_kind_q  <= t1_kind;
      r_tag_q   <= t1_tag_q;
    end
    if (r_load) r_rest_q <= t1_groups;
    else if (r_go) r_rest_q <= r_rest_q & ~r_step;
    if (r_ready) r_begun_q <= 1'b0;
    else if (r_go) r_begun_q <= 1'b1;
  end

  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) t1_groups[g] = |t1_words[g*AluWords +: AluWords];
    if (t1_groups == '0) t1_groups[0] = 1'b1;
    r_step  = r_rest_q & (~r_rest_q + Groups'(1));
    r_group = '0;
    for (int unsigned g = 0; g < Groups; g++) if (r_step[g]) r_group = r_group | GroupW'(g);
  end

  // Steps of an operation are consecutive; no other operation comes between them.
  assign r_last = !r_oper_q || r_rest_q == r_step;
  assign r_mid  = r_valid_q && r_begun_q;

  // An operation in R goes before that in D for at most seven cycles, since R is empty when T1 has
  // a miss. Unfinished steps, and operations that are older than D's line, go first. An eviction
  // alone does not execute: it runs together with D's fill.
  assign r_exec    = r_valid_q && (r_oper_q || r_clean_q);
  // same_r and same_d come late, so each of the terms has them once.
  assign r_before  = r_exec && d_first && d_waited_q != '1;
  assign r_first   = r_before && !same_r;
  assign d_behind  = r_valid_q && r_place_q == d_place;
  assign d_could   = d_valid && room && !d_behind && !r_mid;
  assign d_go      = d_could && !same_d && !r_first;
  assign r_alone   = r_exec ? room && (!d_valid || d_behind || r_mid || r_before) :
                              !d_could || d_fill;
  assign r_instead = r_exec ? room && d_first : 1'b1;
  assign r_turn    = !same_r && (r_alone || (r_instead && same_d));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !d_valid || d_go) d_waited_q <= '0;
    else if (r_first && room) d_waited_q <= d_waited_q + 3'd1;
  end

  assign r_go       = r_valid_q && r_turn;
  assign r_executes = r_go && r_oper_q;
  assign r_leaves = r_go && r_last;
  // With Compact T1 takes several cycles anyway, so it need not know that R is left.
  assign r_ready  = !r_valid_q || (!Compact && r_leaves);
  // An operation that only waits for a line passes R, unless R uses the place that the line gets.
  assign r_passed = r_ready || (reads && !victim_dirty && r_place_q != new_place);

  // ---- Outstanding lines ----

  op_t             list_op;
  logic [TagW-1:0]  list_tag;
  logic [LineW-1:0] fill;
  logic            release_valid;
  logic [MshrW-1:0] release_mshr;

  faa_l2_misses #(
    .Mshrs    (Mshrs),
    .ListSlots(ListSlots),
    .AluWords (AluWords),
    .Hold     (Compact),
    .LineBytes(LineBytes),
    .PlaceW   (PlaceW),
    .TagW     (TagW)
  ) u_misses (
    .clk_i,
    .rst_ni,
    .mshr_free_o       (mshr_free),
    .mshr_o            (mshr),
    .list_free_o       (list_free),
    .alloc_i           (miss_goes && reads),
    .append_i          (appends),
    .blocked_i         (cam_hit),
    .place_i           (new_place),
    .phase_i           (new_phase),
    .append_mshr_i     (match_mshr),
    .append_here_i     (match_comes),
    .others_wait_i     (r_valid_q),
    .la_i              (t1_la_q),
    .op_i              (t1_op_q),
    .kind_i            (t1_kind),
    .groups_i          (t1_groups),
    .tag_i             (t1_tag_q),
    .hold_i            (r_load && r_loads_op),
    .held_go_i         (r_executes),
    .release_i         (release_valid),
    .release_mshr_i    (release_mshr),
    .mem_rd_valid_o,
    .mem_rd_ready_i,
    .mem_rd_la_o       (mem_rd_addr_o),
    .mem_rd_tag_o,
    .mem_rd_rsp_valid_i,
    .mem_rd_rsp_tag_i,
    .mem_rd_rsp_data_i,
    .mem_rd_rsp_err_i,
    .d_valid_o         (d_valid),
    .d_fill_o          (d_fill),
    .d_err_o           (d_err),
    .d_kind_o          (d_kind),
    .d_place_o         (d_place),
    .d_group_o         (d_group),
    .d_first_o         (d_first),
    .d_last_o          (d_last),
    .d_go_i            (d_go),
    .op_o              (list_op),
    .tag_o             (list_tag),
    .fill_o            (fill),
    .arrive_o          (arrive),
    .arrive_drop_o     (arrive_drop),
    .arrive_phase_o    (arrive_phase),
    .arrive_place_o    (arrive_place),
    .idle_o            (misses_idle)
  );

  // ---- Y, X, W ----

  logic              victim_valid;
  logic [WbW-1:0]    victim_id;
  line_t             victim_line;

  faa_l2_execute #(
    .PlaceW  (PlaceW),
    .AluWords(AluWords),
    .Compact (Compact),
    .LineBytes(LineBytes),
    .WbW     (WbW),
    .TagW    (TagW),
    .F32     (F32),
    .F64     (F64),
    .X2      (X2)
  ) u_execute (
    .clk_i,
    .rst_ni,
    .r_place_i     (r_place_q),
    .d_place_i     (d_place),
    .same_r_o      (same_r),
    .same_d_o      (same_d),
    .room_o        (room),
    .go_i          (d_go || r_executes),
    .go_list_i     (d_go),
    .go_fill_i     (d_go && d_fill),
    .go_err_i      (d_go ? d_err : r_err_q),
    .go_kind_i     (d_go ? d_kind : r_kind_q),
    .go_group_i    (d_go ? d_group : r_group),
    .go_first_i    (d_go ? d_first : !r_begun_q),
    .go_last_i     (d_go ? d_last : r_last),
    .r_op_i        (r_op_q),
    .r_tag_i       (r_tag_q),
    .evict_i       (r_go && r_evict_q),
    .evict_clean_i (r_clean_q),
    .evict_id_i    (r_wb_q),
    .read_i        (r_go || (d_go && !d_fill)),
    .read_place_i  (r_go ? r_place_q : d_place),
    .go_place_i    (d_go ? d_place : r_place_q),
    .list_op_i     (list_op),
    .list_tag_i    (list_tag),
    .fill_i        (fill),
    .victim_valid_o(victim_valid),
    .victim_id_o   (victim_id),
    .victim_line_o (victim_line),
    .rsp_valid_o,
    .rsp_ready_i,
    .rsp_tag_o,
    .rsp_data_o,
    .rsp_err_o,
    .idle_o        (execute_idle)
  );

  // ---- Lines in flight to memory ----

  faa_l2_writeback #(
    .WbEntries(WbEntries),
    .Alone    (Compact),
    .LineBytes(LineBytes),
    .MshrW    (MshrW)
  ) u_writeback (
    .clk_i,
    .rst_ni,
    .free_o            (wb_free),
    .id_o              (wb_id),
    .alloc_i           ((miss_goes && victim_dirty) || sweep_evicted),
    .alloc_la_i        (victim_la),
    .look_i            (enters),
    .look_la_i         (t0_la),
    .hit_o             (cam_hit),
    .busy_o            (cam_busy),
    .wait_i            (miss_goes && cam_hit),
    .wait_mshr_i       (mshr),
    .data_valid_i      (victim_valid),
    .data_id_i         (victim_id),
    .data_line_i       (victim_line),
    .release_o         (release_valid),
    .release_mshr_o    (release_mshr),
    .lost_o            (lost_valid_o),
    .lost_la_o         (lost_addr_o),
    .mem_wr_valid_o,
    .mem_wr_ready_i,
    .mem_wr_la_o       (mem_wr_addr_o),
    .mem_wr_data_o,
    .mem_wr_strb_o,
    .mem_wr_tag_o,
    .mem_wr_rsp_valid_i,
    .mem_wr_rsp_tag_i,
    .mem_wr_rsp_err_i,
    .idle_o            (wb_idle)
  );

  // ---- Status ----

  logic s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11;

  assign s1  = merge && !list_free;
  assign s2  = miss && reads && !mshr_free;
  assign s3  = miss && !victim_ok;
  assign s4  = (((miss && victim_dirty) || sweep_evict) && !wb_free) || (miss && cam_busy);
  assign s5  = (hit && !r_ready) || (miss && !r_passed);
  assign s6  = t1_sweep && !sweep_done;
  assign s7  = (r_valid_q && !same_r && !r_turn && d_go) || (d_valid && r_first);
  assign s8  = (r_valid_q && same_r) || (d_valid && same_d);
  assign s9  = (r_valid_q || d_valid) && !room;
  assign s10 = d_valid && d_behind;
  assign s11 = (r_go && !r_leaves) || (d_go && !d_last);

  assign idle_o     = !t0_valid && !t1_valid_q && !r_valid_q && misses_idle && wb_idle && execute_idle;
  assign ev_hit_o   = hit && r_ready;
  assign ev_merge_o = appends;
  assign ev_miss_o  = miss_goes;
  assign ev_read_o  = mem_rd_valid_o && mem_rd_ready_i;
  assign ev_write_o = mem_wr_valid_o && mem_wr_ready_i;
  assign ev_stall_o = {s8, s6, s5, s4, s3, s2, s1};

  `FAA_ASSUME(request_func, !req_valid_i || req_func_i <= faa_l2_pkg::FUNC_EVICT)
  `FAA_ASSERT_STABLE(response, rsp_valid_o, rsp_ready_i, {rsp_tag_o, rsp_err_o})
  `FAA_ASSERT_STABLE(read_request, mem_rd_valid_o, mem_rd_ready_i, {mem_rd_addr_o, mem_rd_tag_o})
  `FAA_ASSERT(one_read_port, !(r_go && d_go && !d_fill))
  `FAA_ASSERT(one_operation, !(r_executes && d_go))
  `FAA_ASSERT(hazard_h10, !(d_valid && d_behind && r_oper_q))
  `FAA_ASSERT(clean_alone, !(r_go && r_clean_q && d_go))
  `FAA_ASSERT(flush_quiet, !sweep_invalidate || misses_idle)
  `FAA_ASSERT(sweep_has_r, !(sweep_done && !r_ready))
  `FAA_ASSERT(sweep_passes_r, !sweep_evict || sweep_passes == (r_ready && wb_free))
  `FAA_COVER(stall_s1, s1)
  `FAA_COVER(stall_s2, s2)
  `FAA_COVER(stall_s3, s3)
  `FAA_COVER(stall_s4, s4)
  `FAA_COVER(stall_s5, s5)
  `FAA_COVER(stall_s6, s6)
  `FAA_COVER(stall_s7, s7)
  `FAA_COVER(stall_s8, s8)
  `FAA_COVER(stall_s9, s9)
  `FAA_COVER(stall_s10, s10)
  if (Groups > 1) begin : gen_cover_steps
    `FAA_COVER(stall_s11, s11)
  end
  `FAA_COVER(hazard_h8, miss_goes && whole && cam_hit)
  `FAA_COVER(hazard_h9, d_valid && d_behind && !r_oper_q)
  `FAA_COVER(stall_s4_digest, miss && cam_busy)
  `FAA_COVER(hazard_h14, !mshr_free && !list_free && !wb_free)
  `FAA_COVER(store_whole_line, miss_goes && !reads)

  logic unused;
  assign unused = ^{s7, s9, s10, s11};

endmodule
