// SPDX-License-Identifier: Apache-2.0
//
// Execution of line operations: data RAM, forwarding, arithmetic, responses. Never stalls by itself; what may not enter is told before.
//
// A cycle before X: at most one operation step (go_*), and at most one eviction (evict_*), which together read the data RAM at most once
// (read_place_i): an operation takes the line from the fill (go_fill_i) or from the RAM, an eviction from the RAM.
// X: the line as it is; an eviction's goes out (victim_*); arithmetic; the response is queued with the last step.
// W: the RAM is written. Sums: the RAM is written faa_float_pkg::ADD_LATENCY cycles after X; what else would be written in the cycle of a sum
// takes the way of the sums, beside the adders.
//
// Hazards: H1, H2 forwarding of whole lines from W and from what W wrote before. H3: same_*_o, what goes the way of the sums, on the place asked
// about, would come too late to be forwarded.

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
  localparam int unsigned Groups = 16 / AluWords,
  localparam int unsigned GroupW = (Groups > 1) ? $clog2(Groups) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // Before an operation of R, or of D, enters
  input  logic [PlaceW-1:0] r_place_i,
  input  logic [PlaceW-1:0] d_place_i,
  output logic              same_r_o,
  output logic              same_d_o,
  output logic              room_o,        // for a response

  // It enters
  input  logic              go_i,
  input  logic              go_list_i,     // operation of the list, one cycle later on list_op_i, else r_op_i
  input  logic              go_fill_i,
  input  logic              go_err_i,
  input  logic              go_adds_i,
  input  logic [GroupW-1:0] go_group_i,
  input  logic              go_first_i,
  input  logic              go_last_i,
  input  faa_l2_pkg::op_t   r_op_i,
  input  logic [TagW-1:0]   r_tag_i,
  input  logic              evict_i,
  input  logic              evict_clean_i, // the line stays, without its dirty bytes; not with go_i
  input  logic [WbW-1:0]    evict_id_i,
  input  logic              read_i,
  input  logic [PlaceW-1:0] read_place_i,
  input  logic [PlaceW-1:0] go_place_i,

  // X
  input  faa_l2_pkg::op_t   list_op_i,
  input  logic [TagW-1:0]   list_tag_i,
  input  logic [511:0]      fill_i,
  output logic              victim_valid_o,
  output logic [WbW-1:0]    victim_id_o,
  output faa_l2_pkg::line_t victim_line_o,

  output logic              rsp_valid_o,
  input  logic              rsp_ready_i,
  output logic [TagW-1:0]   rsp_tag_o,
  output logic [511:0]      rsp_data_o,
  output logic              rsp_err_o,

  output logic              idle_o
);

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;
  localparam int unsigned LineW = $bits(faa_l2_pkg::line_t);
  localparam int unsigned Bits = AluWords * 32;
  localparam int unsigned Bytes = AluWords * 4;

  // ---- Into X ----

  logic              x_go_q, x_list_q, x_fill_q, x_err_q, x_adds_q, x_first_q, x_last_q, x_evict_q, x_clean_q;
  logic [GroupW-1:0] x_group_q;
  logic [WbW-1:0]    x_evict_id_q;
  logic [PlaceW-1:0] x_place_q, x_read_place_q;
  faa_l2_pkg::op_t   x_op_q, x_op;
  logic [TagW-1:0]   x_tag_q, x_tag;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x_go_q    <= 1'b0;
      x_evict_q <= 1'b0;
    end else begin
      x_go_q    <= go_i;
      x_evict_q <= evict_i;
    end
    if (go_i) begin
      x_list_q  <= go_list_i;
      x_fill_q  <= go_fill_i;
      x_err_q   <= go_err_i;
      x_adds_q  <= go_adds_i;
      x_group_q <= go_group_i;
      x_first_q <= go_first_i;
      x_last_q  <= go_last_i;
      x_place_q <= go_place_i;
    end
    if (go_i && !go_list_i) begin
      x_op_q  <= r_op_i;
      x_tag_q <= r_tag_i;
    end
    if (evict_i) begin
      x_clean_q    <= evict_clean_i;
      x_evict_id_q <= evict_id_i;
    end
    if (read_i) x_read_place_q <= read_place_i;
  end

  assign x_op  = x_list_q ? list_op_i : x_op_q;
  assign x_tag = x_list_q ? list_tag_i : x_tag_q;

  // ---- The line as it is ----

  faa_l2_pkg::line_t ram_line, now_line, old_line, write_line, behind_line_q;
  logic              write, behind_q, hit_write, hit_behind;
  logic [PlaceW-1:0] write_place, behind_place_q;

  faa_ram_1r1w #(
    .Width(LineW),
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

  assign hit_write  = write && write_place == x_read_place_q;
  assign hit_behind = behind_q && behind_place_q == x_read_place_q;
  assign now_line   = hit_write ? write_line : hit_behind ? behind_line_q : ram_line;

  always_comb begin
    old_line = now_line;
    if (x_go_q && x_fill_q) begin
      old_line.dirty = '0;
      old_line.data  = fill_i;
    end
  end

  assign victim_valid_o = x_evict_q;
  assign victim_id_o    = x_evict_id_q;
  assign victim_line_o  = now_line;

  // ---- Arithmetic: a group of words ----

  logic            computes, sums;
  logic [63:0]     strb, wrote, answered;
  logic [Bits-1:0] m, b, c, results, answers, sum;
  logic [Bytes-1:0] group_strb, group_wrote;

  assign computes   = x_go_q && !x_err_q && x_op.func == faa_l2_pkg::FUNC_ATOMIC && faa_pkg::atom_legal(x_op.op, x_op.typ);
  assign sums       = computes && x_adds_q;
  // With the defect what ATOM with a result computes with was read before the operations that are under way stored.
  `FAA_DEFECT(split_atomic, "split-atomic")
  assign m          = split_atomic && x_op.want && !x_fill_q ? ram_line.data[32'(x_group_q)*Bits +: Bits] :
                                                               old_line.data[32'(x_group_q)*Bits +: Bits];
  assign b          = x_op.b[32'(x_group_q)*Bits +: Bits];
  assign c          = x_op.c[32'(x_group_q)*Bits +: Bits];
  assign group_strb = x_op.strb[32'(x_group_q)*Bytes +: Bytes];

  for (genvar p = 0; p < AluWords / 2; p++) begin : g_pair
    faa_l2_pair #(
      .F32(F32),
      .F64(F64),
      .X2 (X2)
    ) u_pair (
      .clk_i,
      .valid_i (computes && |group_strb[p*8 +: 8]),
      .adds_i  (x_adds_q),
      .op_i    (x_op.op),
      .typ_i   (x_op.typ),
      .ftz_i   (x_op.ftz),
      .strb_i  (group_strb[p*8 +: 8]),
      .m_i     (m[p*64 +: 64]),
      .b_i     (b[p*64 +: 64]),
      .c_i     (c[p*64 +: 64]),
      .new_o   (results[p*64 +: 64]),
      .wrote_o (group_wrote[p*8 +: 8]),
      .answer_o(answers[p*64 +: 64]),
      .sum_o   (sum[p*64 +: 64])
    );
  end

  // The group's bytes in the line.
  function automatic logic [63:0] spread(input logic [Bytes-1:0] x, input logic [GroupW-1:0] group);
    spread = '0;
    spread[32'(group)*Bytes +: Bytes] = x;
  endfunction

  function automatic logic [511:0] merged(input logic [511:0] line, input logic [511:0] bytes, input logic [63:0] mask);
    for (int unsigned i = 0; i < 64; i++) merged[i*8 +: 8] = mask[i] ? bytes[i*8 +: 8] : line[i*8 +: 8];
  endfunction

  // ---- W ----

  faa_l2_pkg::line_t x_line, w_line_q;
  logic              changes, x_write, w_write_q;
  logic              sum_next;     // the write port is a sum's in the next cycle
  logic [PlaceW-1:0] w_place_q, write_after;

  always_comb begin
    strb     = spread(group_strb, x_group_q);
    answered = computes ? strb : '0;
    wrote    = computes && !x_adds_q ? spread(group_wrote, x_group_q) : '0;
    x_line   = old_line;
    if (x_go_q && x_op.func == faa_l2_pkg::FUNC_STORE) begin
      x_line.data  = merged(old_line.data, x_op.b, x_op.strb);
      x_line.dirty = old_line.dirty | x_op.strb;
    end else if (computes && !x_adds_q) begin
      x_line.data  = merged(old_line.data, {Groups{results}}, wrote);
      x_line.dirty = old_line.dirty | wrote;
    end
    if (!x_go_q) x_line.dirty = '0;  // CLEAN
    // A line that just came is written whatever the operation is.
    changes = x_go_q ? !x_err_q && !sums && (x_fill_q || x_op.func == faa_l2_pkg::FUNC_STORE || computes)
                     : x_evict_q && x_clean_q;
  end

  assign x_write     = changes && !sum_next;
  assign write_after = x_go_q ? x_place_q : x_read_place_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) w_write_q <= 1'b0;
    else w_write_q <= x_write;
    if (x_write) begin
      w_place_q <= write_after;
      w_line_q  <= x_line;
    end
  end

  // Sums in flight: bit 0 is X, bit n is n cycles later. The line waits beside the adder for the bytes of add_mask: none, where it
  // only goes that way since the write port is taken.
  logic [Latency:0]            add_valid;
  logic [Latency:1]            add_valid_q;
  logic [(Latency+1)*PlaceW-1:0] add_place;
  logic [Latency*PlaceW-1:0]   add_place_q;
  logic [(Latency+1)*LineW-1:0] add_line;
  logic [Latency*LineW-1:0]    add_line_q;
  logic [(Latency+1)*64-1:0]   add_mask;
  logic [Latency*64-1:0]       add_mask_q;
  faa_l2_pkg::line_t           x_add_line, sum_line, waited_line;

  always_comb begin
    x_add_line = x_line;
    if (sums) x_add_line.dirty = old_line.dirty | strb;
  end

  assign add_valid = {add_valid_q, sums || (changes && sum_next)};
  assign add_place = {add_place_q, write_after};
  assign add_line  = {add_line_q, x_add_line};
  assign add_mask  = {add_mask_q, sums ? strb : 64'b0};
  assign sum_next  = add_valid_q[Latency-1];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) add_valid_q <= '0;
    else add_valid_q <= add_valid[Latency-1:0];
    if (|add_valid[Latency-1:0]) begin
      add_place_q <= add_place[Latency*PlaceW-1:0];
      add_line_q  <= add_line[Latency*LineW-1:0];
      add_mask_q  <= add_mask[Latency*64-1:0];
    end
  end

  assign waited_line = add_line[Latency*LineW +: LineW];

  always_comb begin
    sum_line = waited_line;
    if (add_valid[Latency]) sum_line.data = merged(waited_line.data, {Groups{sum}}, add_mask[Latency*64 +: 64]);
  end

  assign write       = w_write_q || add_valid[Latency];
  assign write_place = add_valid[Latency] ? add_place[Latency*PlaceW +: PlaceW] : w_place_q;
  assign write_line  = add_valid[Latency] ? sum_line : w_line_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) behind_q <= 1'b0;
    else behind_q <= write;
    if (write) begin
      behind_place_q <= write_place;
      behind_line_q  <= write_line;
    end
  end

  // Sums that would come too late. What enters now is in X one cycle later, where a sum that is then Latency cycles old is forwarded.
  always_comb begin
    same_r_o = 1'b0;
    same_d_o = 1'b0;
    for (int unsigned n = 0; n < Latency - 1; n++) begin
      if (add_valid[n] && add_place[n*PlaceW +: PlaceW] == r_place_i) same_r_o = 1'b1;
      if (add_valid[n] && add_place[n*PlaceW +: PlaceW] == d_place_i) same_d_o = 1'b1;
    end
  end

  // ---- Responses ----

  logic         rsp_push, unused_rsp_ready;
  logic [511:0] x_answer, answer;
  logic [2:0]   rsp_count;

  assign rsp_push = x_go_q && x_last_q;

  // Items' answers; earlier steps' are kept.
  if (Groups > 1) begin : g_steps
    logic [511:0] answer_q;
    assign x_answer = merged(x_first_q ? old_line.data : answer_q, {Groups{answers}}, answered);
    always_ff @(posedge clk_i) if (x_go_q) answer_q <= x_answer;
  end else begin : g_step
    assign x_answer = merged(old_line.data, answers, answered);
    logic unused;
    assign unused = x_first_q;
  end

  assign answer = x_op.want && !x_err_q && !faa_l2_pkg::is_sweep(x_op.func) ? x_answer : '0;

  faa_fifo #(
    .Width(1 + TagW + 512),
    .Depth(4)
  ) u_rsp (
    .clk_i,
    .rst_ni,
    .valid_i(rsp_push),
    .ready_o(unused_rsp_ready),
    .data_i ({x_err_q, x_tag, answer}),
    .valid_o(rsp_valid_o),
    .ready_i(rsp_ready_i),
    .data_o ({rsp_err_o, rsp_tag_o, rsp_data_o}),
    .count_o(rsp_count)
  );

  assign room_o = rsp_count + 3'(rsp_push) < 3'd4;
  assign idle_o = !x_go_q && !x_evict_q && !w_write_q && !(|add_valid) && rsp_count == '0;

  // ---- Checks ----

  logic [2:0]  last_size_q;      // of the operation in X before; 4: none
  logic [63:0] last_strb_q;
  logic        last_wrote_q;
  always_ff @(posedge clk_i) begin
    last_size_q  <= computes ? {1'b0, faa_l2_pkg::item_size(x_op.typ)} : 3'd4;
    last_strb_q  <= strb;
    last_wrote_q <= |wrote;
  end

  `FAA_ASSERT(execute_one_writer, !(w_write_q && add_valid[Latency]))
  `FAA_ASSERT(execute_room, !rsp_push || unused_rsp_ready)
  `FAA_ASSERT(execute_reads, !(x_evict_q && x_go_q && !x_fill_q) || x_read_place_q == x_place_q)
  `FAA_COVER(hazard_h1, computes && !x_fill_q && hit_write && w_write_q)
  `FAA_COVER(hazard_h1_other_item, computes && !x_fill_q && hit_write && w_write_q && (last_strb_q & strb) == '0)
  `FAA_COVER(hazard_h1_other_size, computes && !x_fill_q && hit_write && w_write_q && (last_strb_q & strb) != '0 &&
             last_size_q != {1'b0, faa_l2_pkg::item_size(x_op.typ)} && !last_size_q[2])
  `FAA_COVER(hazard_h1_cas, computes && hit_write && x_op.op == faa_pkg::ATOM_OP_CAS && last_wrote_q && |wrote)
  `FAA_COVER(hazard_h2, x_go_q && !x_fill_q && hit_behind && !hit_write)
  `FAA_COVER(hazard_h3, sums && hit_write && add_valid[Latency])
  `FAA_COVER(hazard_h3_port, changes && sum_next)
  `FAA_COVER(hazard_h5, x_evict_q && !x_clean_q && hit_write)
  `FAA_COVER(hazard_h5_sum, x_evict_q && !x_clean_q && hit_write && add_valid[Latency])
  `FAA_COVER(execute_evict_and_fill, x_evict_q && x_go_q && x_fill_q)
  `FAA_COVER(execute_store_evicts, x_evict_q && x_go_q && !x_fill_q)

endmodule
