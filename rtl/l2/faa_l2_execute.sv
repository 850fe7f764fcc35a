// SPDX-License-Identifier: Apache-2.0
//
// Execution of line operations: data RAM, forwarding, arithmetic, responses. Never stalls by
// itself; outputs tell the caller beforehand which operations must not enter.
//
// Entry: in one cycle at most one step of an operation (go_*) and at most one eviction (evict_*).
// Together they read the data RAM at most once (read_place_i): an operation takes the line from the
// fill (go_fill_i) or from the RAM, an eviction from the RAM.
// Y, the next cycle: the line comes from the RAM or the fill, or is forwarded from W or from the
// register after it. The operands come from R or from the list and are prepared (faa_l2_pair).
// X: the line, forwarded from W if the operation in X one cycle before was on it; arithmetic; an
// eviction's line goes out (victim_*).
// W: the RAM is written and the response is queued. A sum's line waits in W and the stages after it
// for its adders, faa_float_pkg::ADD_LATENCY cycles from X; a line whose write would be in the
// cycle of a sum's takes the same path.
//
// Latency: a response 4 cycles after its step has entered. Throughput: one step per cycle. Hazards:
// L2-H1 and L2-H2 (whole lines are forwarded from W to X and to Y, and from the register after W to
// Y); L2-H3 (same_*_o: the operation in Y takes the path of the sums, and its line would be too
// late for forwarding). With Compact instead of all three: same_*_o, an operation in Y, X or W
// writes that place.

`include "faa_assert.svh"
`include "faa_defect.svh"

module faa_l2_execute #(
  parameter int unsigned PlaceW = 10,
  parameter int unsigned AluWords = 16,
  parameter int unsigned WbW = 7,
  parameter int unsigned TagW = 8,
  parameter logic        F32 = 1'b1,
  parameter logic        F64 = 1'b1,
  parameter logic        X2 = 1'b1,
  // No line is forwarded: same_*_o holds back operations that would need it. Responses are queued
  // in block RAM, one cycle more.
  parameter bit          Compact = 1'b0,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OpW = faa_l2_pkg::HEAD_W + LineBytes + 2 * LineW,
  localparam int unsigned Groups = LineBytes / 4 / AluWords,
  localparam int unsigned GroupW = (Groups > 1) ? $clog2(Groups) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Before an operation of R, or of D, enters
  input  logic [PlaceW-1:0]  r_place_i,
  input  logic [PlaceW-1:0]  d_place_i,
  output logic               same_r_o,
  output logic               same_d_o,
  output logic               room_o,        // for a response

  // It enters
  input  logic               go_i,
  input  logic               go_list_i,     // operation of the list: a cycle later on list_op_i;
                                            // with Compact every one is
  input  logic               go_fill_i,
  input  logic               go_err_i,
  input  faa_l2_pkg::kind_t  go_kind_i,
  input  logic [GroupW-1:0]  go_group_i,
  input  logic               go_first_i,
  input  logic               go_last_i,
  input  logic [OpW-1:0]     r_op_i,        // op_t of faa_l2_types.svh
  input  logic [TagW-1:0]    r_tag_i,
  input  logic               evict_i,
  input  logic               evict_clean_i, // the line stays, no longer dirty; not with go_i
  input  logic [WbW-1:0]     evict_id_i,
  input  logic               read_i,
  input  logic [PlaceW-1:0]  read_place_i,
  input  logic [PlaceW-1:0]  go_place_i,

  // Y
  input  logic [OpW-1:0]     list_op_i,
  input  logic [TagW-1:0]    list_tag_i,
  input  logic [LineW-1:0]   fill_i,

  // X
  output logic                       victim_valid_o,
  output logic [WbW-1:0]             victim_id_o,
  output logic [LineBytes+LineW-1:0] victim_line_o,  // line_t

  output logic               rsp_valid_o,
  input  logic               rsp_ready_i,
  output logic [TagW-1:0]    rsp_tag_o,
  output logic [LineW-1:0]   rsp_data_o,
  output logic               rsp_err_o,

  output logic               idle_o
);

`include "faa_l2_types.svh"

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;
  localparam int unsigned StateW = LineBytes + LineW;   // a line with its dirty mask
  localparam int unsigned Bits = AluWords * 32;
  localparam int unsigned Bytes = AluWords * 4;
  localparam int unsigned Responses = 8;
  localparam logic        Adders = F32 || F64 || X2;

  // The group's bytes in the line.
  function automatic logic [LineBytes-1:0] spread(input logic [Bytes-1:0] x,
                                                  input logic [GroupW-1:0] group);
    spread = '0;
    spread[32'(group)*Bytes +: Bytes] = x;
  endfunction

  function automatic logic [LineW-1:0] merged(input logic [LineW-1:0] line,
                                              input logic [LineW-1:0] bytes,
                                              input logic [LineBytes-1:0] mask);
    for (int unsigned i = 0; i < LineBytes; i++) begin
      merged[i*8 +: 8] = mask[i] ? bytes[i*8 +: 8] : line[i*8 +: 8];
    end
  endfunction

  // ---- Into Y ----

  logic              y_go_q, y_list_q, y_fill_q, y_err_q, y_first_q, y_last_q, y_evict_q, y_clean_q;
  logic              y_writes_q;
  faa_l2_pkg::kind_t y_kind_q;
  logic [GroupW-1:0] y_group_q;
  logic [WbW-1:0]    y_evict_id_q;
  logic [PlaceW-1:0] y_place_q, y_read_place_q;
  op_t               y_op_q, y_op;
  logic [TagW-1:0]   y_tag_q, y_tag;

  // A line that just came is written for any operation, and a cleaned line, too.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      y_go_q     <= 1'b0;
      y_evict_q  <= 1'b0;
      y_writes_q <= 1'b0;
    end else begin
      y_go_q     <= go_i;
      y_evict_q  <= evict_i;
      y_writes_q <= go_i ? !go_err_i && (go_fill_i || go_kind_i.stores || go_kind_i.computes) :
                           evict_i && evict_clean_i;
    end
    if (go_i) begin
      y_list_q  <= go_list_i;
      y_fill_q  <= go_fill_i;
      y_err_q   <= go_err_i;
      y_group_q <= go_group_i;
      y_first_q <= go_first_i;
      y_last_q  <= go_last_i;
    end
    if (go_i && !go_list_i) begin
      y_op_q  <= r_op_i;
      y_tag_q <= r_tag_i;
    end
    if (evict_i) begin
      y_clean_q    <= evict_clean_i;
      y_evict_id_q <= evict_id_i;
    end
    y_kind_q  <= go_i && !go_err_i ? go_kind_i : '0;
    y_place_q <= go_i ? go_place_i : read_place_i;
    if (read_i) y_read_place_q <= read_place_i;
  end

  assign y_op  = Compact || y_list_q ? op_t'(list_op_i) : y_op_q;
  assign y_tag = Compact || y_list_q ? list_tag_i : y_tag_q;

  // ---- Y: the line before the operation, except that in X ----

  line_t             ram_line, y_line, w_line, sum_line, write_line, behind_line_q;
  logic              write, behind_q, hit_write, hit_behind, hit_next, next_write, sum_next;
  logic [PlaceW-1:0] write_place, behind_place_q, next_place;

  faa_ram_1r1w #(
    .Width(StateW),
    .Depth(2 ** PlaceW)
  ) u_data (
    .clk_i,
    .we_i   (write),
    .waddr_i(write_place),
    .wdata_i(write_line),
    .re_i   (read_i),
    .raddr_i(read_place_i),
    .rdata_o(ram_line)
  );

  assign hit_write  = !Compact && write && write_place == y_read_place_q;
  assign hit_behind = !Compact && behind_q && behind_place_q == y_read_place_q;
  assign hit_next   = !Compact && next_write && next_place == y_read_place_q;
  assign y_line     = hit_write ? write_line : hit_behind ? behind_line_q : ram_line;

  logic              x_go_q, x_err_q, x_first_q, x_last_q, x_evict_q, x_writes_q;
  logic              x_from_w_q, x_from_sum_q, x_victim_from_w_q, x_victim_from_sum_q;
  faa_l2_pkg::kind_t x_kind_q;
  logic [GroupW-1:0] x_group_q;
  logic [WbW-1:0]    x_evict_id_q;
  logic [PlaceW-1:0] x_place_q;
  logic              x_predec_q;  // and its answer is wanted
  logic [LineBytes-1:0] x_answer_q;  // bytes that answer with the old line, others with 0
  logic [3:0]           x_starts_q;  // of CAST, if wanted: segments of 16 bits that begin an item
  logic [TagW-1:0]      x_tag_q;
  logic [LineBytes-1:0] x_strb_q;    // a STORE's, or of the group
  line_t             x_line_q, x_victim_q;
  logic [Bytes-1:0]  y_strb;
  logic [1:0]        y_size;
  logic              y_wanted, y_cast;

  assign y_wanted = y_op.want && !y_err_q && !faa_l2_pkg::is_sweep(y_op.func);
  assign y_cast   = y_kind_q.computes && y_op.op == faa_pkg::ATOM_OP_CAST;
  assign y_size   = faa_l2_pkg::item_size(y_op.typ);
  assign y_strb   = y_op.strb[32'(y_group_q)*Bytes +: Bytes];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x_go_q     <= 1'b0;
      x_evict_q  <= 1'b0;
      x_writes_q <= 1'b0;
    end else begin
      x_go_q     <= y_go_q;
      x_evict_q  <= y_evict_q;
      x_writes_q <= y_writes_q;
    end
    x_kind_q <= y_kind_q;
    if (y_go_q) begin
      x_err_q     <= y_err_q;
      x_first_q   <= y_first_q;
      x_last_q    <= y_last_q;
      x_group_q   <= y_group_q;
      x_tag_q     <= y_tag;
      x_predec_q  <= y_wanted && y_kind_q.computes && y_op.op == faa_pkg::ATOM_OP_PREDEC;
      x_answer_q  <= y_wanted ? ~(y_cast ? y_op.strb : '0) : '0;
      x_starts_q  <= y_wanted && y_cast ?
                     {y_size == 2'd1, y_size != 2'd3, y_size == 2'd1, 1'b1} : '0;
      x_strb_q    <= y_kind_q.stores ? y_op.strb :
                     y_kind_q.computes ? spread(y_strb, y_group_q) : '0;
    end
    if (y_go_q || y_writes_q) begin
      x_place_q      <= y_place_q;
      x_from_w_q     <= hit_next && !sum_next && !(y_go_q && y_fill_q);
      x_from_sum_q   <= hit_next && sum_next && !(y_go_q && y_fill_q);
      x_line_q.data  <= y_go_q && y_fill_q ? fill_i : y_line.data;
      x_line_q.dirty <= y_go_q && y_fill_q ? '0 : y_line.dirty;
    end
    if (y_evict_q) begin
      x_evict_id_q        <= y_evict_id_q;
      x_victim_from_w_q   <= hit_next && !sum_next;
      x_victim_from_sum_q <= hit_next && sum_next;
      x_victim_q          <= y_line;
    end
  end

  // ---- X ----

  line_t             line, x_line;
  logic [Bits-1:0]      m, b, c, results, sum;
  logic [Bytes-1:0]     group_wrote;
  logic [LineBytes-1:0] wrote;

  assign line           = x_from_sum_q ? sum_line : x_from_w_q ? w_line : x_line_q;
  assign victim_valid_o = x_evict_q;
  assign victim_id_o    = x_evict_id_q;
  assign victim_line_o  = x_victim_from_sum_q ? sum_line : x_victim_from_w_q ? w_line : x_victim_q;

  // With the defect, ATOM with a result computes with a line that was read before operations in
  // flight stored.
  `FAA_DEFECT(split_atomic, "split-atomic")
  logic         x_stale_q;
  logic [LineW-1:0] stale_q;
  always_ff @(posedge clk_i) begin
    x_stale_q <= split_atomic && y_op.want && !y_fill_q;
    stale_q   <= ram_line.data;
  end

  assign m = split_atomic && x_stale_q ? stale_q[32'(x_group_q)*Bits +: Bits] :
                                         line.data[32'(x_group_q)*Bits +: Bits];
  assign b = y_op.b[32'(y_group_q)*Bits +: Bits];
  assign c = y_op.c[32'(y_group_q)*Bits +: Bits];

  // If a step is the whole line, a STORE is an EXCH of bytes.
  localparam logic Exchanges = Groups == 1;

  for (genvar p = 0; p < AluWords / 2; p++) begin : g_pair
    faa_l2_pair #(
      .F32(F32),
      .F64(F64),
      .X2 (X2)
    ) u_pair (
      .clk_i,
      .valid_i ((y_kind_q.computes || (Exchanges && y_kind_q.stores)) && |y_strb[p*8 +: 8]),
      .adds_i  (y_kind_q.adds),
      .op_i    (Exchanges && y_kind_q.stores ? 8'(faa_pkg::ATOM_OP_EXCH) : y_op.op),
      .typ_i   (y_op.typ),
      .ftz_i   (y_op.ftz),
      .strb_i  (y_strb[p*8 +: 8]),
      .b_i     (b[p*64 +: 64]),
      .c_i     (c[p*64 +: 64]),
      .m_i     (m[p*64 +: 64]),
      .new_o   (results[p*64 +: 64]),
      .wrote_o (group_wrote[p*8 +: 8]),
      .sum_o   (sum[p*64 +: 64])
    );
  end

  if (Exchanges) begin : g_exchange
    assign wrote       = group_wrote;
    assign x_line.data = merged(line.data, results, wrote);
    logic unused;
    assign unused = x_kind_q.stores;
  end else begin : g_store
    logic [LineW-1:0] x_b_q;
    always_ff @(posedge clk_i) if (y_kind_q.stores) x_b_q <= y_op.b;
    logic [LineBytes-1:0] computed;
    assign computed    = spread(group_wrote, x_group_q);
    assign wrote       = computed | (x_kind_q.stores ? x_strb_q : '0);
    // Results of operations come late in the cycle.
    assign x_line.data = merged(merged(line.data, x_b_q, x_kind_q.stores ? x_strb_q : '0),
                                {Groups{results}}, computed);
  end

  // An eviction without an operation is CLEAN's.
  assign x_line.dirty = x_go_q ? line.dirty | wrote | (x_kind_q.adds ? x_strb_q : '0) : '0;

  // ---- W, and the path of the sums ----

  // Stage n is n cycles after X; W is stage 1. A line in stage n that is marked in add_valid_q is
  // written from stage Latency, with the sums of the bytes in its mask: of none if it only takes
  // this path because the write port is in use.
  logic                          x_long, w_write_q;
  logic [Latency:1]              add_valid_q;
  logic [Latency*PlaceW-1:0]     add_place_q;
  logic [Latency*StateW-1:0]     add_line_q;
  logic [Latency*LineBytes-1:0]  add_mask_q;
  line_t                         waited_line;

  assign sum_next = add_valid_q[Latency-1];
  assign x_long   = Adders && x_writes_q && ((x_kind_q.adds) || sum_next);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_write_q   <= 1'b0;
      add_valid_q <= '0;
    end else begin
      w_write_q   <= x_writes_q && !x_long;
      add_valid_q <= {add_valid_q[Latency-1:1], x_long};
    end
    if (x_go_q || x_writes_q) begin
      add_place_q[PlaceW-1:0] <= x_place_q;
      add_line_q[StateW-1:0]    <= x_line;
      add_mask_q[LineBytes-1:0] <= x_kind_q.adds ? x_strb_q : '0;
    end
    if (|add_valid_q[Latency-1:1]) begin
      add_place_q[Latency*PlaceW-1:PlaceW] <= add_place_q[(Latency-1)*PlaceW-1:0];
      add_line_q[Latency*StateW-1:StateW]  <= add_line_q[(Latency-1)*StateW-1:0];
      add_mask_q[Latency*LineBytes-1:LineBytes] <= add_mask_q[(Latency-1)*LineBytes-1:0];
    end
  end

  assign w_line      = add_line_q[StateW-1:0];
  assign waited_line = add_line_q[(Latency-1)*StateW +: StateW];

  assign write            = w_write_q || add_valid_q[Latency];
  assign write_place      = add_valid_q[Latency] ? add_place_q[(Latency-1)*PlaceW +: PlaceW] :
                                                   add_place_q[PlaceW-1:0];
  assign sum_line.dirty   = waited_line.dirty;
  assign sum_line.data    = merged(waited_line.data, {Groups{sum}},
                                   add_mask_q[(Latency-1)*LineBytes +: LineBytes]);
  assign write_line       = add_valid_q[Latency] ? sum_line : w_line;

  // Whether W writes a line in the next cycle, and its place: Y and X get it by forwarding.
  assign next_write = (x_writes_q && !x_long) || sum_next;
  assign next_place = sum_next ? add_place_q[(Latency-2)*PlaceW +: PlaceW] : x_place_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) behind_q <= 1'b0;
    else behind_q <= write;
    if (write) begin
      behind_place_q <= write_place;
      behind_line_q  <= write_line;
    end
  end

  // Lines that would be too late. An operation that enters now is in X two cycles later, and gets
  // by forwarding a line that is in stage Latency then. So the operation in Y is too late, and with
  // longer adders also those after it. Without forwarding all operations that write are too late.
  localparam int unsigned TooLate = Compact ? Latency : Latency > 2 ? Latency - 3 : 0;
  logic               y_late, x_late;
  logic [Latency:1]   late;
  if (Compact) begin : g_all
    assign y_late = y_writes_q;
    assign x_late = x_writes_q;
    assign late   = add_valid_q | Latency'(w_write_q);
  end else if (Latency > 2) begin : g_longer
    assign y_late = y_writes_q && ((y_kind_q.adds) || add_valid_q[Latency-2]);
    assign x_late = x_long;
    assign late   = add_valid_q;
  end else begin : g_shortest
    assign y_late = y_writes_q && ((y_kind_q.adds) || x_long);
    assign x_late = 1'b0;
    assign late   = add_valid_q;
  end

  localparam int unsigned LateStages = TooLate + 2;
  logic [LateStages-1:0] late_in, r_same, d_same;

  for (genvar n = 0; n < LateStages; n++) begin : g_late
    logic [PlaceW-1:0] place;
    logic              r_here, d_here;

    if (n == 0) begin : g_y
      assign late_in[n] = y_late;
      assign place      = y_place_q;
    end else if (n == 1) begin : g_x
      assign late_in[n] = x_late;
      assign place      = x_place_q;
    end else begin : g_add
      assign late_in[n] = late[n-1];
      assign place      = add_place_q[(n-2)*PlaceW +: PlaceW];
    end

    faa_equal #(.Width(PlaceW)) u_r (.a_i(place), .b_i(r_place_i), .equal_o(r_here));
    faa_equal #(.Width(PlaceW)) u_d (.a_i(place), .b_i(d_place_i), .equal_o(d_here));
    assign r_same[n] = late_in[n] && r_here;
    assign d_same[n] = late_in[n] && d_here;
  end

  // Without adders no line is late.
  assign same_r_o = (Adders || Compact) && r_same != '0;
  assign same_d_o = (Adders || Compact) && d_same != '0;
  logic unused_late;
  assign unused_late = ^late;

  // ---- Responses ----

  // The answer is the line before the first step; PREDEC's is the line after the last one. CAST
  // answers 1 or 0 in the place of each item.
  logic            w_push_q, w_err_q, w_predec_q, rsp_pop, unused_ready;
  logic [TagW-1:0]        w_tag_q;
  logic [LineW-1:0]       w_answer_q, answer;
  logic [LineBytes/2-1:0] w_equal_q;
  logic [3:0]             used_q;         // places of the queue: from Y until the response is taken

  always_ff @(posedge clk_i) begin
    if (!rst_ni) w_push_q <= 1'b0;
    else w_push_q <= x_go_q && x_last_q;
    if (x_go_q) begin
      w_err_q    <= x_err_q;
      w_tag_q    <= x_tag_q;
      w_predec_q <= x_predec_q;
      for (int unsigned i = 0; i < LineBytes / 2; i++) begin
        w_equal_q[i] <= (!x_first_q && w_equal_q[i]) || (x_starts_q[i % 4] && wrote[i*2]);
      end
    end
    if (x_go_q && (x_first_q || (Compact && x_predec_q))) begin
      for (int unsigned i = 0; i < LineBytes; i++) begin
        w_answer_q[i*8 +: 8] <= !x_answer_q[i] ? '0 :
                                Compact && x_predec_q ? x_line.data[i*8 +: 8] : line.data[i*8 +: 8];
      end
    end
  end

  always_comb begin
    answer = !Compact && w_predec_q ? w_line.data : w_answer_q;
    for (int unsigned i = 0; i < LineBytes / 2; i++) begin
      answer[i*16] = answer[i*16] | w_equal_q[i];
    end
  end

  if (Compact) begin : g_queue_ram
    faa_fifo_ram #(
      .Width(1 + TagW + LineW),
      .Depth(Responses),
      .Block(1'b1)
    ) u_rsp (
      .clk_i,
      .rst_ni,
      .valid_i(w_push_q),
      .ready_o(unused_ready),
      .data_i ({w_err_q, w_tag_q, answer}),
      .valid_o(rsp_valid_o),
      .ready_i(rsp_ready_i),
      .data_o ({rsp_err_o, rsp_tag_o, rsp_data_o})
    );
  end else begin : g_queue
    logic [3:0] unused_count;
    faa_fifo #(
      .Width(1 + TagW + LineW),
      .Depth(Responses)
    ) u_rsp (
      .clk_i,
      .rst_ni,
      .valid_i(w_push_q),
      .ready_o(unused_ready),
      .data_i ({w_err_q, w_tag_q, answer}),
      .valid_o(rsp_valid_o),
      .ready_i(rsp_ready_i),
      .data_o ({rsp_err_o, rsp_tag_o, rsp_data_o}),
      .count_o(unused_count)
    );
  end

  assign rsp_pop = rsp_valid_o && rsp_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) used_q <= '0;
    else used_q <= used_q + 4'(y_go_q && y_last_q) - 4'(rsp_pop);
  end

  assign room_o = !used_q[3] && !(used_q[2:0] == '1 && y_go_q && y_last_q);
  assign idle_o = used_q == '0 && !y_go_q && !y_evict_q && !x_go_q && !x_evict_q && !w_write_q &&
                  !(|add_valid_q);

  // ---- Checks ----

  logic        computes, cas_q;
  logic [1:0]  size_q, last_size_q;    // of the operation in X, of the one before
  logic        last_computed_q, last_wrote_q, x_fill_q, x_clean_q;
  logic [LineBytes-1:0] last_strb_q;
  assign computes = x_kind_q.computes;
  always_ff @(posedge clk_i) begin
    if (y_go_q) begin
      size_q   <= faa_l2_pkg::item_size(y_op.typ);
      cas_q    <= y_op.op == faa_pkg::ATOM_OP_CAS;
      x_fill_q <= y_fill_q;
    end
    if (y_evict_q) x_clean_q <= y_clean_q;
    last_computed_q <= computes;
    last_size_q     <= size_q;
    last_strb_q     <= x_strb_q;
    last_wrote_q    <= |wrote;
  end

  `FAA_ASSERT(execute_one_writer, !(w_write_q && add_valid_q[Latency]))
  `FAA_ASSERT(execute_room, !w_push_q || unused_ready)
  `FAA_ASSERT(execute_reads, !(y_evict_q && y_go_q && !y_fill_q) || y_read_place_q == y_place_q)
  `FAA_COVER(hazard_h1, computes && x_from_w_q)
  `FAA_COVER(hazard_h1_other_item, computes && x_from_w_q && last_computed_q &&
             (last_strb_q & x_strb_q) == '0)
  `FAA_COVER(hazard_h1_other_size, computes && x_from_w_q && last_computed_q &&
             (last_strb_q & x_strb_q) != '0 && last_size_q != size_q)
  `FAA_COVER(hazard_h1_cas, computes && x_from_w_q && cas_q && last_computed_q &&
             last_wrote_q && |wrote)
  `FAA_COVER(hazard_h2, y_go_q && !y_fill_q && hit_write && !hit_next)
  `FAA_COVER(hazard_h2_behind, y_go_q && !y_fill_q && hit_behind && !hit_write && !hit_next)
  `FAA_COVER(hazard_h3, x_kind_q.adds && x_from_sum_q)
  `FAA_COVER(hazard_h3_port, x_writes_q && !(x_kind_q.adds) && sum_next)
  `FAA_COVER(hazard_h5, x_evict_q && !x_clean_q &&
             (x_victim_from_w_q || x_victim_from_sum_q))
  `FAA_COVER(hazard_h5_sum, x_evict_q && !x_clean_q && x_victim_from_sum_q)
  `FAA_COVER(execute_evict_and_fill, x_evict_q && x_go_q && x_fill_q)
  `FAA_COVER(execute_store_evicts, x_evict_q && x_go_q && !x_fill_q)

endmodule
