// SPDX-License-Identifier: Apache-2.0
//
// Tags and state of the lines of an L2 slice. A place is {set, way}.
//
// read_i presents a set; from the next cycle until the next read the outputs are about that set and
// the line with this tag_i: whether a way has the line, and which way is the victim. Latency: one
// cycle, with Late two. Throughput: one set per cycle, with Late one in three. Stalls: none.
//
// Tags and state are in RAM. A set that was read is held in registers, which follow the changes of
// that set, also those of the cycle of the read, so the outputs are always current, except those of
// the victim. The victim of a new line is chosen in the cycle before and registered: from the words
// that are read, or from the registers. After a change of the set there is none for a cycle. An
// arrival in that cycle is not seen: its way is taken for awaited, so it is not the victim yet.
//
// The state of a set has one writer, T1 (touch_i, allocate_i, sweep_take_i, invalidate_i). Arrivals
// of lines (arrive_i) have a RAM of their own. A way is awaited while its phase differs in the two
// RAMs: T1 changes the phase when it allocates, arrive_i returns the phase.
//
// All lines are invalidated in one cycle: a set is valid only if it was written since. That is
// recorded in a bit for each block of 16 sets, and in blocks written since in a bit for each set.
//
// Victim: a way that is not valid, else one that was not used lately, else any; never an awaited
// one.

`include "faa_assert.svh"

module faa_l2_tags #(
  parameter int unsigned Sets = 256,
  parameter int unsigned Ways = 4,
  parameter int unsigned MshrW = 7,
  parameter int unsigned LineAddrW = 46,
  // State is in block RAM too. Outputs are valid from the second cycle after the read, those of the
  // victim from the third, and one cycle later than a change. In the cycle of a read and in the
  // next one no change is allowed except arrive_i.
  parameter bit Late = 1'b0,
  localparam int unsigned SetW = $clog2(Sets),
  localparam int unsigned WayW = (Ways > 1) ? $clog2(Ways) : 1,
  localparam int unsigned Places = Sets * Ways,
  localparam int unsigned PlaceW = $clog2(Places),
  localparam int unsigned Block = Sets < 16 ? Sets : 16,
  localparam int unsigned Blocks = Sets / Block
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Read
  input  logic                 read_i,
  input  logic [SetW-1:0]      read_set_i,    // of the line with this tag ...
  input  logic [LineAddrW-SetW-1:0] read_tag_i,
  input  logic                 read_sweep_i,  // ... or the sweep's; may be 1 without read_i
  input  logic [SetW-1:0]      sweep_set_i,

  // Lookup, in the set that was read
  input  logic [LineAddrW-SetW-1:0] tag_i,    // high bits of the address
  output logic                 match_o,
  output logic                 awaited_o,     // of the match
  output logic                 dirty_o,       // of the match
  output logic [PlaceW-1:0]    match_place_o,
  output logic [MshrW-1:0]     match_mshr_o,  // of the match, if it is awaited
  output logic                 match_comes_o, // the match is the place of arrive_i
  output logic                 victim_ok_o,   // a way can be evicted
  output logic                 victim_dirty_o,
  output logic [PlaceW-1:0]    new_place_o,   // of a new line
  output logic                 new_phase_o,
  output logic [PlaceW-1:0]    victim_place_o, // of the line that is evicted or swept
  output logic [LineAddrW-1:0] victim_la_o,

  // Changes: an operation on the match; its line takes the victim's place; the sweep clears the
  // dirty mark of the victim (the lowest dirty way while sweep_i; only the match with
  // sweep_line_i).
  input  logic                 touch_i,
  input  logic                 touch_dirty_i,
  input  logic                 allocate_i,
  input  logic                 allocate_awaited_i,
  input  logic [MshrW-1:0]     allocate_mshr_i,
  input  logic                 sweep_i,
  input  logic                 sweep_line_i,
  input  logic                 sweep_take_i,
  output logic                 sweep_dirty_o, // with sweep_i: a way is dirty
  output logic                 sweep_more_o,  // dirty ways beside the lowest
  output logic [Blocks-1:0]    dirty_blocks_o, // blocks of 16 sets that may have dirty lines ...
  input  logic                 cleaned_i,      // ... but none is dirty now
  input  logic                 invalidate_i,   // every line, or the match (sweep_line_i); none of
                                               // them is dirty or awaited

  // The last operation of a list was taken: the line is present, or, if dropped, absent.
  input  logic                 arrive_i,
  input  logic                 arrive_drop_i,
  input  logic                 arrive_phase_i, // new_phase_o of its allocation
  input  logic [PlaceW-1:0]    arrive_place_i
);

  localparam int unsigned TagW = LineAddrW - SetW;
  localparam int unsigned BlockW = $clog2(Block);
  localparam int unsigned NumberW = (Blocks > 1) ? $clog2(Blocks) : 1;

  // ---- Address ----

  function automatic logic [NumberW-1:0] block_of(input logic [SetW-1:0] set);
    block_of = NumberW'(32'(set) / Block);
  endfunction

  logic [SetW-1:0]    read_set, set_q;
  logic [NumberW-1:0] set_block;  // of set_q
  // other_way: of a new line; victim_way: also of a line that a sweep writes back
  logic [WayW-1:0] other_way, victim_way, match_way, arrive_way;
  logic [Ways-1:0] hits, valid, awaited, dirty, open, old_valid, old_dirty;
  logic            own;   // a line that is evicted by itself
  logic [SetW-1:0] arrive_set;

  assign read_set   = read_sweep_i ? sweep_set_i : read_set_i;
  assign arrive_way = Ways > 1 ? WayW'(arrive_place_i) : '0;
  assign arrive_set = SetW'(32'(arrive_place_i) / Ways);

  always_ff @(posedge clk_i) if (read_i) set_q <= read_set;

  // ---- Tags ----

  // A tag that is written in the cycle of the read is held in a register. Its comparison with the
  // next line runs in parallel with the read.
  logic [Ways*TagW-1:0] tags, ram_tags;
  // By way: of a new line; the victim, or the sweep's; the same or the match
  logic [Ways-1:0]      ram_equal, other, picked, victim;
  logic                 same_read;

  for (genvar w = 0; w < Ways; w++) begin : g_way
    faa_ram_1r1w #(
      .Width(TagW),
      .Depth(Sets),
      .Block(Sets >= 64)
    ) u_tags (
      .clk_i,
      .we_i   (allocate_i && other_way == WayW'(w)),
      .waddr_i(set_q),
      .wdata_i(tag_i),
      .re_i   (read_i),
      .raddr_i(read_set),
      .rdata_o(ram_tags[w*TagW +: TagW])
    );
    if (Late) begin : gen_late_equal
      assign ram_equal[w] = ram_tags[w*TagW +: TagW] == tag_i;
    end else begin : gen_equal
      faa_equal #(.Width(TagW)) u_equal (
        .a_i(ram_tags[w*TagW +: TagW]), .b_i(tag_i), .equal_o(ram_equal[w])
      );
    end
  end

  logic new_q;   // with Late: a set was read in the cycle before
  always_ff @(posedge clk_i) begin
    if (!rst_ni) new_q <= 1'b0;
    else new_q <= Late && read_i;
  end

  if (Late) begin : gen_late_tags
    logic [Ways-1:0] equal_q;
    always_ff @(posedge clk_i) if (new_q) equal_q <= ram_equal;
    assign tags = ram_tags;
    assign hits = valid & equal_q;
  end else begin : gen_tags
    logic            unused_new;
    logic            forward_equal_q;
    logic [Ways-1:0] forward_q;
    logic [TagW-1:0] forward_tag_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) forward_q <= '0;
      else if (read_i) forward_q <= allocate_i && same_read ? other : '0;
      if (read_i) begin
        forward_tag_q   <= tag_i;
        forward_equal_q <= read_tag_i == tag_i;
      end
    end
    for (genvar w = 0; w < Ways; w++) begin : gen_forward
      assign tags[w*TagW +: TagW] = forward_q[w] ? forward_tag_q : ram_tags[w*TagW +: TagW];
      // The comparison of the tag that was read comes late.
      assign hits[w] = (valid[w] && forward_q[w] && forward_equal_q) ||
                       (valid[w] && !forward_q[w] && ram_equal[w]);
    end
    assign unused_new = new_q;
    `FAA_COVER(tags_forwarded, touch_i && |(forward_q & hits))
  end

  // ---- State ----

  // By way. fresh: was not awaited when it was allocated, so an earlier arrival is not this line's.
  typedef struct packed {
    logic [Ways-1:0]       valid;
    logic [Ways-1:0]       phase;
    logic [Ways-1:0]       fresh;
    logic [Ways-1:0]       dirty;
    logic [Ways*MshrW-1:0] mshr;
  } state_t;

  state_t state_q, state_d;

  // By way: used lately. The mark of a touch or allocation is written one cycle later, except with
  // Late.
  logic [Ways-1:0] used, now;

  // When all are used, the other marks are cleared.
  function automatic logic [Ways-1:0] marked(input logic [Ways-1:0] marks,
                                             input logic [Ways-1:0] way);
    marked = &(marks | way) ? way : marks | way;
  endfunction

  function automatic logic [Ways-1:0] first(input logic [Ways-1:0] x);
    first = x & (~x + Ways'(1));
  endfunction

  // The victim, of ways that are awaited, valid and used. The lowest way of each class is found in
  // parallel.
  function automatic logic [Ways-1:0] choice(input logic [Ways-1:0] waiting,
                                             input logic [Ways-1:0] present,
                                             input logic [Ways-1:0] marks);
    logic [Ways-1:0] absent, unused, any;
    absent = first(~waiting & ~present);
    unused = first(~waiting & ~marks);
    any    = first(~waiting);
    choice = |(~waiting & ~present) ? absent : |(~waiting & ~marks) ? unused : any;
  endfunction

  // The last arrival: its phase, and whether the line was dropped.
  logic [Ways-1:0] came_q, dropped_q;
  // Ways that have the arrival of the cycle before, which is not yet in these registers; those of
  // them that it drops
  logic [Ways-1:0] comes, drops;

  logic change, arrive_here;

  assign change      = touch_i || allocate_i || sweep_take_i ||
                       (invalidate_i && sweep_line_i && match_o);
  assign same_read   = read_set == set_q;
  assign arrive_here = arrive_i && arrive_set == set_q;

  // Sets that were written since all lines were invalidated.
  logic [Blocks-1:0] begun_q;
  logic [Block-1:0]  written_mem [Blocks];
  logic [Block-1:0]  written, read_written;
  logic              known, forget;

  // With Late the set is looked up in the cycle after it was read.
  logic [SetW-1:0] known_set;
  assign known_set    = Late ? set_q : read_set;
  assign set_block    = block_of(set_q);
  assign written      = begun_q[set_block] ? written_mem[set_block] : '0;
  assign read_written = begun_q[block_of(known_set)] ? written_mem[block_of(known_set)] : '0;
  assign forget       = invalidate_i && !sweep_line_i;
  assign known        = read_written[known_set[BlockW-1:0]] && !forget;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget) begun_q <= '0;
    else if (change) begun_q[set_block] <= 1'b1;
    if (change) begin
      written_mem[set_block] <= written | (Block'(1) << set_q[BlockW-1:0]);
    end
  end

  if (Late) begin : gen_late
    logic [$bits(state_t)-1:0] ram_bits;
    logic [Ways-1:0]           ram_used, used_q, used_d;
    logic [2*Ways-1:0]         came_mem [Sets];
    logic [2*Ways-1:0]         ram_came_q;
    // An arrival in the cycle of the read
    logic                      last_q, last_phase_q, last_drop_q, last_here;
    logic [PlaceW-1:0]         last_place_q;
    state_t                    ram_state;

    faa_ram_1r1w #(
      .Width(Ways + $bits(state_t)),
      .Depth(Sets),
      .Block(Sets >= 64)
    ) u_state (
      .clk_i,
      .we_i   (change),
      .waddr_i(set_q),
      .wdata_i({used_d, state_d}),
      .re_i   (read_i),
      .raddr_i(read_set),
      .rdata_o({ram_used, ram_bits})
    );
    assign ram_state = state_t'(ram_bits);
    assign used      = used_q;
    assign used_d    = touch_i || allocate_i ? marked(used_q, now) : used_q;

    always_ff @(posedge clk_i) begin
      if (new_q) begin
        state_q       <= ram_state;
        state_q.valid <= known ? ram_state.valid : '0;
        used_q        <= known ? ram_used : '0;
      end else if (change) begin
        state_q <= state_d;
        used_q  <= used_d;
      end
      // No set has been read.
      if (!rst_ni) state_q.valid <= '0;
    end

    always_ff @(posedge clk_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (arrive_i && arrive_way == WayW'(w)) begin
          came_mem[arrive_set][w*2 +: 2] <= {arrive_phase_i, arrive_drop_i};
        end
      end
      if (read_i) ram_came_q <= came_mem[read_set];
    end
    assign last_here = last_q && SetW'(32'(last_place_q) / Ways) == set_q;
    always_ff @(posedge clk_i) begin
      last_q <= rst_ni && arrive_i;
      {last_phase_q, last_drop_q, last_place_q} <= {arrive_phase_i, arrive_drop_i, arrive_place_i};
      for (int unsigned w = 0; w < Ways; w++) begin
        if (arrive_here && arrive_way == WayW'(w)) begin
          {came_q[w], dropped_q[w]} <= {arrive_phase_i, arrive_drop_i};
        end else if (new_q) begin
          {came_q[w], dropped_q[w]} <= last_here && (Ways == 1 || WayW'(last_place_q) == WayW'(w)) ?
                                       {last_phase_q, last_drop_q} : ram_came_q[w*2 +: 2];
        end
      end
    end
    `FAA_ASSERT(tags_late, !change || !(read_i || new_q))
    `FAA_ASSERT(tags_late_read, !(read_i && new_q))
    assign comes = '0;
    assign drops = '0;
    logic unused_same;
    assign unused_same = ^{same_read, read_tag_i};
  end else begin : gen_state
    logic [$bits(state_t)-1:0] state_mem [Sets];
    logic [Ways-1:0]           ram_came, ram_dropped;
    state_t                    ram_state;

    assign ram_state = state_t'(state_mem[read_set]);

    always_ff @(posedge clk_i) begin
      if (change) state_mem[set_q] <= state_d;
      if (read_i && !(change && same_read)) begin
        state_q       <= ram_state;
        state_q.valid <= known ? ram_state.valid : '0;
      end else if (change) begin
        state_q <= state_d;
      end
      // No set has been read.
      if (!rst_ni) state_q.valid <= '0;
    end

    // arrive_i comes late, so it is registered. In the next cycle it is merged into the state.
    logic            last_phase_q, last_drop_q, last_here_q;
    logic [Ways-1:0] last_q;
    logic [SetW-1:0] last_set_q;
    always_ff @(posedge clk_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        last_q[w] <= rst_ni && arrive_i && arrive_way == WayW'(w);
      end
      {last_phase_q, last_drop_q, last_set_q} <= {arrive_phase_i, arrive_drop_i, arrive_set};
      last_here_q <= read_i ? arrive_set == read_set : arrive_set == set_q;
    end

    for (genvar w = 0; w < Ways; w++) begin : g_came
      logic [1:0] came_mem [Sets];
      assign comes[w] = last_q[w] && last_here_q;
      assign drops[w] = last_q[w] && last_here_q && last_drop_q;
      always_ff @(posedge clk_i) begin
        if (last_q[w]) came_mem[last_set_q] <= {last_phase_q, last_drop_q};
        if (read_i ? last_q[w] && last_set_q == read_set : comes[w]) begin
          {came_q[w], dropped_q[w]} <= {last_phase_q, last_drop_q};
        end else if (read_i) begin
          {came_q[w], dropped_q[w]} <= {ram_came[w], ram_dropped[w]};
        end
      end
      assign {ram_came[w], ram_dropped[w]} = came_mem[read_set];
    end

    // Marks
    logic [Ways-1:0] used_mem [Sets];
    logic [Ways-1:0] used_q, mark_used_q, mark_way_q, new_used;
    logic [SetW-1:0] mark_set_q;
    logic            mark_q, mark_here_q;   // mark_here_q: mark_set_q is set_q

    assign new_used = marked(mark_used_q, mark_way_q);
    assign used     = mark_q && mark_here_q ? new_used : used_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) mark_q <= 1'b0;
      else mark_q <= touch_i || allocate_i;
      mark_here_q <= !read_i || same_read;
      mark_used_q <= used;
      mark_way_q  <= now;
      mark_set_q  <= set_q;
      if (mark_q) used_mem[mark_set_q] <= new_used;
      if (!read_i) used_q <= used;
      else if (mark_q && mark_set_q == read_set) used_q <= new_used;
      else used_q <= known ? used_mem[read_set] : '0;
    end

    // The victim, from the words that are read. Ways of a set that is not known are invalid.
    logic [Ways-1:0] read_awaited, read_valid, read_q, held_q;
    logic            read_ok_q, held_ok_q, first_q, changed_q;

    assign read_awaited = ram_state.valid & ~ram_state.fresh & (ram_state.phase ^ ram_came);
    assign read_valid   = ram_state.valid &
                          (ram_state.fresh | (ram_state.phase ^ ram_came) | ~ram_dropped);

    always_ff @(posedge clk_i) begin
      if (read_i) begin
        read_q    <= known ? choice(read_awaited, read_valid, used_mem[read_set]) : Ways'(1);
        read_ok_q <= !known || read_awaited != '1;
      end
      held_q    <= choice(awaited, valid, used);
      held_ok_q <= awaited != '1;
      first_q   <= read_i;
      changed_q <= (change && (!read_i || same_read)) || forget;
    end

    assign other          = first_q ? read_q : held_q;
    assign victim_ok_o    = (first_q ? read_ok_q : held_ok_q) && !changed_q;
    assign victim_dirty_o = |(other & old_dirty);
    assign sweep_dirty_o  = |old_dirty;
    assign picked         = sweep_i ? first(old_dirty) : other;
    `FAA_ASSERT(tags_victim, !victim_ok_o || (other != '0 && (other & awaited) == '0))
    `FAA_COVER(tags_victim_later, allocate_i && !first_q)
  end

  function automatic logic [WayW-1:0] number(input logic [Ways-1:0] way);
    number = '0;
    for (int unsigned w = 0; w < Ways; w++) if (way[w]) number = number | WayW'(w);
  endfunction

  function automatic logic [PlaceW-1:0] place_of(input logic [SetW-1:0] set, input logic [WayW-1:0] way);
    place_of = Ways > 1 ? PlaceW'({set, way}) : PlaceW'(set);
  endfunction

  assign awaited   = state_q.valid & ~state_q.fresh & (state_q.phase ^ came_q) & ~comes;
  // Without the arrival of the cycle before: its way is not the victim, and none comes in a sweep.
  assign old_valid = state_q.valid & (state_q.fresh | (state_q.phase ^ came_q) | ~dropped_q);
  assign old_dirty = old_valid & state_q.dirty;
  assign valid     = old_valid & ~drops;
  assign dirty     = old_dirty & ~drops;
  assign open      = ~awaited;

  // A line that is evicted by itself is the match, found by its tag; other victims do not depend on
  // the comparison of tags.
  assign own = sweep_i && sweep_line_i;

  // A way that could be evicted one cycle ago still can: no line arrives for it.
  if (Late) begin : gen_late_victim
    logic [Ways-1:0] others;
    assign others = sweep_i ? first(dirty) : choice(awaited, valid, used);
    always_ff @(posedge clk_i) begin
      other          <= others;
      victim_ok_o    <= |others;
      victim_dirty_o <= |(dirty & others);
    end
    assign sweep_dirty_o = victim_ok_o;
    assign picked        = other;
  end

  // At most one way hits, so the match's number needs no priority.
  always_comb begin
    match_way     = '0;
    match_mshr_o  = '0;
    match_comes_o = 1'b0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (hits[w]) match_way = match_way | WayW'(w);
      if (hits[w]) match_mshr_o = match_mshr_o | state_q.mshr[w*MshrW +: MshrW];
      if (hits[w] && arrive_set == set_q && arrive_way == WayW'(w)) match_comes_o = 1'b1;
    end
  end

  assign match_o        = |hits;
  assign awaited_o      = |(hits & awaited);
  assign dirty_o        = |(hits & dirty);
  assign match_place_o  = place_of(set_q, match_way);
  assign other_way      = number(other);
  assign victim         = own ? hits : picked;
  assign victim_way     = number(victim);
  assign victim_place_o = place_of(set_q, victim_way);
  assign new_place_o    = place_of(set_q, other_way);
  assign new_phase_o    = !came_q[other_way];
  assign sweep_more_o   = |(old_dirty & (old_dirty - Ways'(1)));

  // A line's low bits follow from its set and tag.
  logic [TagW-1:0] victim_tag;
  always_comb begin
    victim_tag = own ? tag_i : '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (!own && picked[w]) victim_tag = victim_tag | tags[w*TagW +: TagW];
    end
  end
  assign victim_la_o[LineAddrW-1:SetW] = victim_tag;
  faa_l2_set #(.Sets(Sets), .LineAddrW(LineAddrW)) u_low (
    .la_i({victim_tag, set_q}), .set_o(victim_la_o[SetW-1:0])
  );

  assign now = allocate_i ? other : hits;

  always_comb begin
    state_d       = state_q;
    state_d.valid = valid;
    state_d.dirty = dirty;
    if (touch_i && touch_dirty_i) state_d.dirty = dirty | hits;
    if (sweep_take_i) state_d.dirty = dirty & ~victim;
    if (invalidate_i) state_d.valid = valid & ~hits;
    if (allocate_i) begin
      state_d.valid = valid | other;
      state_d.fresh = allocate_awaited_i ? state_q.fresh & ~other : state_q.fresh | other;
      state_d.dirty = touch_dirty_i ? dirty | other : dirty & ~other;
      for (int unsigned w = 0; w < Ways; w++) begin
        if (other[w]) state_d.phase[w] = !came_q[w];
        if (other[w]) state_d.mshr[w*MshrW +: MshrW] = allocate_mshr_i;
      end
    end
  end

  logic [Blocks-1:0] dirty_blocks_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || cleaned_i) dirty_blocks_q <= '0;
    else if ((touch_i || allocate_i) && touch_dirty_i) dirty_blocks_q[set_block] <= 1'b1;
  end
  assign dirty_blocks_o = dirty_blocks_q;

  `FAA_ASSERT(tags_one_match, new_q || (hits & (hits - Ways'(1))) == '0)
  `FAA_ASSERT(tags_touch, !touch_i || match_o)
  `FAA_ASSERT(tags_allocate, !allocate_i || (victim_ok_o && !match_o))
  `FAA_ASSERT(tags_arrive, new_q || !arrive_here || awaited[arrive_way])
  `FAA_ASSERT(tags_invalidate, !(invalidate_i && sweep_line_i) || (!dirty_o && !awaited_o))
  `FAA_ASSERT(tags_blocks, new_q || dirty == '0 || dirty_blocks_q[set_block])
  `FAA_COVER(tags_victim_unused, allocate_i && !(|(open & ~valid)) && |(open & ~used))
  `FAA_COVER(tags_victim_any, allocate_i && !(|(open & ~valid)) && !(|(open & ~used)))
  `FAA_COVER(tags_dropped, valid != state_q.valid && allocate_i)
  // L2-H15
  `FAA_COVER(hazard_h15, allocate_i && arrive_here)

endmodule
