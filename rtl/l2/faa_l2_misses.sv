// SPDX-License-Identifier: Apache-2.0
//
// Outstanding lines: MSHRs, a list of the operations that wait for each line, reads from memory,
// and the draining of lists.
//
// T1 gives an operation that misses (alloc_i: a new MSHR, mshr_o) or one whose line is outstanding
// (append_i, to append_mshr_i's list). An MSHR's first operation is at its own number in the list
// RAM, the others are at free places after the MSHRs'. A read is requested at once, or, if the line
// is in the write-back buffer (blocked_i), when the buffer releases it (release_*).
//
// D shows the next operation (d_*). d_go_i takes a step of it (one group of AluWords words); one
// cycle later X gets op_o, tag_o, and after the first step of a line fill_o. With the last step of
// the list's last operation the MSHR becomes free and arrive_* notifies the tags; an operation
// appended in that cycle extends the list instead.
//
// Order: lists are drained in the order in which lines come, each in the order of its operations.
// One step per cycle. T1 may append as fast as D drains, so a list has a turn of Turn operations:
// after these, while another line or an operation in R waits (others_wait_i), no operation is
// appended until the list is done.

`include "faa_assert.svh"

module faa_l2_misses #(
  parameter int unsigned Mshrs = 128,
  parameter int unsigned ListSlots = 64,
  parameter int unsigned AluWords = 16,
  // The operation in R is also in the list RAM, at two places in turn.
  parameter bit          Hold = 1'b0,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  parameter int unsigned PlaceW = 10,
  parameter int unsigned TagW = 8,
  localparam int unsigned MshrW = $clog2(Mshrs),
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned Groups = LineBytes / 4 / AluWords,
  localparam int unsigned GroupW = (Groups > 1) ? $clog2(Groups) : 1,
  localparam int unsigned LineAddrW = 52 - OffW,
  localparam int unsigned OpW = faa_l2_pkg::HEAD_W + LineBytes + 2 * LineW
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // T1
  output logic                 mshr_free_o,
  output logic [MshrW-1:0]     mshr_o,
  output logic                 list_free_o,
  input  logic                 alloc_i,
  input  logic                 append_i,
  input  logic                 blocked_i,
  input  logic [PlaceW-1:0]    place_i,
  input  logic                 phase_i,         // of the place, for alloc_i (faa_l2_tags)
  input  logic [MshrW-1:0]     append_mshr_i,
  input  logic                 append_here_i,   // the list of append_i is the one in D
  input  logic                 others_wait_i,   // an operation in R waits for D
  input  logic [LineAddrW-1:0] la_i,
  input  logic [OpW-1:0]       op_i,            // op_t of faa_l2_types.svh
  input  faa_l2_pkg::kind_t    kind_i,
  input  logic [Groups-1:0]    groups_i,        // steps, at least one
  input  logic [TagW-1:0]      tag_i,
  // With Hold: op_i goes to R; op_o and tag_o are R's one cycle after held_go_i (not with d_go_i).
  input  logic                 hold_i,
  input  logic                 held_go_i,

  // Write-back buffer
  input  logic                 release_i,
  input  logic [MshrW-1:0]     release_mshr_i,

  // Memory
  output logic                 mem_rd_valid_o,
  input  logic                 mem_rd_ready_i,
  output logic [LineAddrW-1:0] mem_rd_la_o,
  output logic [MshrW-1:0]     mem_rd_tag_o,
  input  logic                 mem_rd_rsp_valid_i,
  input  logic [MshrW-1:0]     mem_rd_rsp_tag_i,
  input  logic [LineW-1:0]     mem_rd_rsp_data_i,
  input  logic                 mem_rd_rsp_err_i,

  // D
  output logic                 d_valid_o,
  output logic                 d_fill_o,        // takes the line from fill_o
  output logic                 d_err_o,
  output faa_l2_pkg::kind_t    d_kind_o,
  output logic [PlaceW-1:0]    d_place_o,
  output logic [GroupW-1:0]    d_group_o,
  output logic                 d_first_o,       // steps of the operation
  output logic                 d_last_o,
  input  logic                 d_go_i,
  output logic [OpW-1:0]       op_o,
  output logic [TagW-1:0]      tag_o,
  output logic [LineW-1:0]     fill_o,

  output logic                 arrive_o,
  output logic                 arrive_drop_o,
  output logic                 arrive_phase_o,
  output logic [PlaceW-1:0]    arrive_place_o,

  output logic                 idle_o
);

  localparam int unsigned ListDepth = Mshrs + ListSlots;
  localparam int unsigned IdW = $clog2(ListDepth);
  localparam int unsigned SlotW = $clog2(ListSlots);
  localparam int unsigned KindW = $bits(faa_l2_pkg::kind_t);

  // The operation in D.
  logic              d_valid_q, d_err_q, d_fill_q, d_phase_q;
  logic [MshrW-1:0]  d_mshr_q;
  logic [PlaceW-1:0] d_place_q;
  logic [IdW-1:0]    d_id_q;
  logic [Groups-1:0] d_done_q;      // steps

  // ---- Numbers ----

  logic [SlotW-1:0] slot;
  logic [IdW-1:0]   new_id;
  logic             mshr_give, slot_give, list_idle, slots_free;

  faa_l2_freelist #(
    .N(Mshrs)
  ) u_mshrs (
    .clk_i,
    .rst_ni,
    .free_o   (mshr_free_o),
    .id_o     (mshr_o),
    .take_i   (alloc_i),
    .give_i   (mshr_give),
    .give_id_i(d_mshr_q),
    .idle_o   (idle_o)
  );

  faa_l2_freelist #(
    .N(ListSlots)
  ) u_slots (
    .clk_i,
    .rst_ni,
    .free_o   (slots_free),
    .id_o     (slot),
    .take_i   (append_i),
    .give_i   (slot_give),
    .give_id_i(SlotW'(d_id_q - IdW'(Mshrs))),
    .idle_o   (list_idle)
  );

  // The list in D has had its turn: it takes no further operation until it is done.
  logic closed_q;
  assign list_free_o = slots_free && !closed_q;

  assign new_id = append_i ? IdW'(Mshrs) + IdW'(slot) : IdW'(mshr_o);

  // ---- Lists ----

  // By MSHR: the place of its line and that place's phase, its list's tail. By list place: the next
  // place, and its plan.
  logic [PlaceW:0]           place_mem [Mshrs];
  logic [IdW-1:0]            tail_mem [Mshrs];
  logic [IdW-1:0]            next_mem [ListDepth];
  logic [KindW+Groups-1:0]   plan_mem [ListDepth];

  always_ff @(posedge clk_i) begin
    if (alloc_i) place_mem[mshr_o] <= {phase_i, place_i};
    if (alloc_i || append_i) tail_mem[append_i ? append_mshr_i : mshr_o] <= new_id;
    if (append_i) next_mem[tail_mem[append_mshr_i]] <= new_id;
    if (alloc_i || append_i) plan_mem[new_id] <= {kind_i, groups_i};
  end

  if (Hold) begin : gen_hold
    localparam int unsigned Depth = ListDepth + 2;
    localparam int unsigned AddrW = $clog2(Depth);
    logic held_q;   // the place that R has
    always_ff @(posedge clk_i) begin
      if (!rst_ni) held_q <= 1'b0;
      else if (hold_i) held_q <= !held_q;
    end
    faa_ram_1r1w #(
      .Width(OpW + TagW),
      .Depth(Depth)
    ) u_list (
      .clk_i,
      .we_i   (alloc_i || append_i || hold_i),
      .waddr_i(hold_i ? AddrW'(ListDepth) + AddrW'(!held_q) : AddrW'(new_id)),
      .wdata_i({tag_i, op_i}),
      .re_i   (d_go_i || held_go_i),
      .raddr_i(held_go_i ? AddrW'(ListDepth) + AddrW'(held_q) : AddrW'(d_id_q)),
      .rdata_o({tag_o, op_o})
    );
    `FAA_ASSERT(misses_one_reader, !(d_go_i && held_go_i))
    `FAA_ASSERT(misses_one_writer, !(hold_i && (alloc_i || append_i)))
  end else begin : gen_list
    faa_ram_1r1w #(
      .Width(OpW + TagW),
      .Depth(ListDepth)
    ) u_list (
      .clk_i,
      .we_i   (alloc_i || append_i),
      .waddr_i(new_id),
      .wdata_i({tag_i, op_i}),
      .re_i   (d_go_i),
      .raddr_i(d_id_q),
      .rdata_o({tag_o, op_o})
    );
    logic unused_hold;
    assign unused_hold = hold_i || held_go_i;
  end

  // ---- Reads ----

  logic                       new_valid, back_valid, new_ready, back_ready, read_ready;
  logic [MshrW-1:0]           new_mshr, back_mshr, next_mshr;
  logic [LineAddrW-1:0]       la_mem [Mshrs];
  logic                       unused_new_ready, unused_back_ready;
  logic [$clog2(Mshrs+1)-1:0] unused_new_count, unused_back_count;

  faa_fifo #(
    .Width(MshrW),
    .Depth(Mshrs)
  ) u_new (
    .clk_i,
    .rst_ni,
    .valid_i(alloc_i && !blocked_i),
    .ready_o(unused_new_ready),
    .data_i (mshr_o),
    .valid_o(new_valid),
    .ready_i(new_ready),
    .data_o (new_mshr),
    .count_o(unused_new_count)
  );

  faa_fifo #(
    .Width(MshrW),
    .Depth(Mshrs)
  ) u_back (
    .clk_i,
    .rst_ni,
    .valid_i(release_i),
    .ready_o(unused_back_ready),
    .data_i (release_mshr_i),
    .valid_o(back_valid),
    .ready_i(back_ready),
    .data_o (back_mshr),
    .count_o(unused_back_count)
  );

  // Released reads have waited longer.
  assign back_ready = read_ready;
  assign new_ready  = read_ready && !back_valid;
  assign next_mshr  = back_valid ? back_mshr : new_mshr;

  always_ff @(posedge clk_i) if (alloc_i) la_mem[mshr_o] <= la_i;

  faa_skid #(
    .Width(MshrW + LineAddrW)
  ) u_read (
    .clk_i,
    .rst_ni,
    .valid_i(new_valid || back_valid),
    .ready_o(read_ready),
    .data_i ({next_mshr, la_mem[next_mshr]}),
    .valid_o(mem_rd_valid_o),
    .ready_i(mem_rd_ready_i),
    .data_o ({mem_rd_tag_o, mem_rd_la_o})
  );

  // ---- Fills ----

  logic                       come_valid, come_err, come_take, unused_come_ready;
  logic [MshrW-1:0]           come_mshr;
  logic [$clog2(Mshrs+1)-1:0] unused_come_count;

  faa_ram_1r1w #(
    .Width(LineW),
    .Depth(Mshrs)
  ) u_fill (
    .clk_i,
    .we_i   (mem_rd_rsp_valid_i),
    .waddr_i(mem_rd_rsp_tag_i),
    .wdata_i(mem_rd_rsp_data_i),
    .re_i   (d_go_i && d_fill_o),
    .raddr_i(d_mshr_q),
    .rdata_o(fill_o)
  );

  faa_fifo #(
    .Width(1 + MshrW),
    .Depth(Mshrs)
  ) u_come (
    .clk_i,
    .rst_ni,
    .valid_i(mem_rd_rsp_valid_i),
    .ready_o(unused_come_ready),
    .data_i ({mem_rd_rsp_err_i, mem_rd_rsp_tag_i}),
    .valid_o(come_valid),
    .ready_i(come_take),
    .data_o ({come_err, come_mshr}),
    .count_o(unused_come_count)
  );

  // ---- D ----

  logic [Groups-1:0] groups, rest, step;
  logic              at_tail, appended, op_done, list_done;

  assign {d_kind_o, groups} = plan_mem[d_id_q];
  assign rest = groups & ~d_done_q;
  assign step = rest & (~rest + Groups'(1));

  always_comb begin
    d_group_o = '0;
    for (int unsigned g = 0; g < Groups; g++) if (step[g]) d_group_o = d_group_o | GroupW'(g);
  end

  assign d_valid_o = d_valid_q;
  assign d_err_o   = d_err_q;
  assign d_fill_o  = d_fill_q;
  assign d_place_o = d_place_q;
  assign d_first_o = d_done_q == '0;
  assign d_last_o  = rest == step;

  assign at_tail   = tail_mem[d_mshr_q] == d_id_q;
  assign appended  = append_i && append_here_i;
  assign op_done   = d_go_i && d_last_o;
  assign list_done = op_done && at_tail && !appended;
  assign come_take = come_valid && (!d_valid_q || list_done);
  assign mshr_give = list_done;
  assign slot_give = op_done && d_id_q >= IdW'(Mshrs);

  // Operations that D has taken of its list, up to Turn.
  localparam int unsigned Turn = 64;
  localparam int unsigned TurnW = $clog2(Turn) + 1;
  logic [TurnW-1:0] taken_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !d_valid_q || list_done) taken_q <= '0;
    else if (op_done && !taken_q[TurnW-1]) taken_q <= taken_q + TurnW'(1);
    closed_q <= rst_ni && taken_q[TurnW-1] && !list_done && (come_valid || others_wait_i);
  end

  assign arrive_o       = list_done;
  assign arrive_drop_o  = d_err_q;
  assign arrive_phase_o = d_phase_q;
  assign arrive_place_o = d_place_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) d_valid_q <= 1'b0;
    else if (!d_valid_q || list_done) d_valid_q <= come_valid;
    if (come_take) begin
      d_mshr_q  <= come_mshr;
      d_err_q   <= come_err;
      d_fill_q  <= 1'b1;
      {d_phase_q, d_place_q} <= place_mem[come_mshr];
      d_id_q    <= IdW'(come_mshr);
      d_done_q  <= '0;
    end else if (d_go_i) begin
      d_fill_q <= 1'b0;
      d_done_q <= d_last_o ? '0 : d_done_q | step;
      if (d_last_o) d_id_q <= at_tail ? new_id : next_mem[d_id_q];
    end
  end

  `FAA_ASSERT(misses_either, !(alloc_i && append_i))
  `FAA_ASSERT(misses_lists_idle, !idle_o || list_idle)
  `FAA_ASSERT(misses_appends, !(append_i && d_valid_q) ||
              append_here_i == (append_mshr_i == d_mshr_q))
  `FAA_ASSERT(misses_go, !d_go_i || d_valid_q)
  `FAA_ASSERT(misses_closed, !(closed_q && append_i))
  `FAA_COVER(misses_turn_over, closed_q && slots_free)
  `FAA_COVER(hazard_h4, append_i && d_valid_q && append_here_i)
  `FAA_COVER(hazard_h4_last, op_done && at_tail && appended)
  `FAA_COVER(hazard_h11, list_done && d_err_q && d_id_q >= IdW'(Mshrs))
  `FAA_COVER(hazard_h11_meanwhile, append_i && d_valid_q && d_err_q && append_here_i)

endmodule
