// SPDX-License-Identifier: Apache-2.0
//
// Tags and state of the lines of an L2 slice. A place is {set, way}.
//
// read_i presents a set; from the next cycle until the next read the outputs are about that set and
// the line with this tag_i: whether a way has the line, and which way is the victim. Latency: one
// cycle, with Late two. Throughput: one set per cycle, with Late one in three. Stalls: none.
//
// Tags and state are in RAM. A set that was read is held in registers, which follow the changes of
// that set, also those of the cycle of the read, so the outputs are always current.
//
// The state of a set has one writer, T1 (touch_i, allocate_i, sweep_take_i, invalidate_i). Arrivals
// of lines (arrive_i) have a RAM of their own. A way is awaited while its phase differs in the two
// RAMs: T1 changes the phase when it allocates, arrive_i returns the phase.
//
// All lines are invalidated in one cycle: a set is valid only if it was written since. That is
// recorded in a bit for each block of 16 sets, and in blocks written since in a bit for each set.
//
// The set is the line's address folded by XOR. Each address bit above the set's own is in two bits
// of the set, whose distance grows from fold to fold. If it were in one, the slice's number
// (faa_l2_home) would be a function of the set where its width divides the set's, and each slice
// would leave sets unused.
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
  input  logic [LineAddrW-1:0] read_la_i,     // its set is read ...
  input  logic                 read_sweep_i,  // ... or this one
  input  logic [SetW-1:0]      read_set_i,

  // Lookup, in the set that was read
  input  logic [LineAddrW-SetW-1:0] tag_i,    // high bits of the address
  output logic                 match_o,
  output logic                 awaited_o,     // of the match
  output logic                 dirty_o,       // of the match
  output logic [PlaceW-1:0]    match_place_o,
  output logic [MshrW-1:0]     match_mshr_o,  // of the match, if it is awaited
  output logic                 match_comes_o, // the match is the place of arrive_i
  output logic                 victim_ok_o,   // a way can be evicted; with sweep_i, one is dirty
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

  function automatic logic [SetW-1:0] fold(input logic [TagW-1:0] tag);
    fold = '0;
    for (int unsigned i = 0; i < TagW; i++) begin
      fold[i % SetW]                  = fold[i % SetW] ^ tag[i];
      fold[(i + i / SetW + 1) % SetW] = fold[(i + i / SetW + 1) % SetW] ^ tag[i];
    end
  endfunction

  function automatic logic [SetW-1:0] set_of(input logic [LineAddrW-1:0] la);
    set_of = la[SetW-1:0] ^ fold(la[LineAddrW-1:SetW]);
  endfunction

  function automatic logic [NumberW-1:0] block_of(input logic [SetW-1:0] set);
    block_of = NumberW'(32'(set) / Block);
  endfunction

  logic [SetW-1:0]    read_set, set_q;
  logic [NumberW-1:0] set_block;  // of set_q
  // other_way: of a new line; victim_way: also of a line that a sweep writes back
  logic [WayW-1:0] other_way, victim_way, match_way, arrive_way;
  logic [Ways-1:0] hits;
  logic [SetW-1:0] arrive_set;

  assign read_set   = read_sweep_i ? read_set_i : set_of(read_la_i);
  assign arrive_way = Ways > 1 ? WayW'(arrive_place_i) : '0;
  assign arrive_set = SetW'(32'(arrive_place_i) / Ways);

  always_ff @(posedge clk_i) if (read_i) set_q <= read_set;

  // ---- Tags ----

  // A tag that is written in the cycle of the read is held in a register. Its comparison with the
  // next line runs in parallel with the read.
  logic [Ways*TagW-1:0] tags, ram_tags;
  logic [Ways-1:0]      equal, ram_equal, other, victim;
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
    assign ram_equal[w] = ram_tags[w*TagW +: TagW] == tag_i;
  end

  logic new_q;   // with Late: a set was read in the cycle before
  always_ff @(posedge clk_i) begin
    if (!rst_ni) new_q <= 1'b0;
    else new_q <= Late && read_i;
  end

  if (Late) begin : gen_late_tags
    always_ff @(posedge clk_i) if (new_q) equal <= ram_equal;
    assign tags = ram_tags;
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
        forward_equal_q <= read_la_i[LineAddrW-1:SetW] == tag_i;
      end
    end
    for (genvar w = 0; w < Ways; w++) begin : gen_forward
      assign tags[w*TagW +: TagW] = forward_q[w] ? forward_tag_q : ram_tags[w*TagW +: TagW];
      assign equal[w]             = forward_q[w] ? forward_equal_q : ram_equal[w];
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
    logic [Ways-1:0]       used;
    logic [Ways*MshrW-1:0] mshr;
  } state_t;

  state_t state_q, state_d;

  // The last arrival: its phase, and whether the line was dropped.
  logic [Ways-1:0] came_q, dropped_q;

  logic change, arrive_here, arrive_read;

  assign change      = touch_i || allocate_i || sweep_take_i ||
                       (invalidate_i && sweep_line_i && match_o);
  assign same_read   = read_set == set_q;
  assign arrive_here = arrive_i && arrive_set == set_q;
  assign arrive_read = arrive_i && arrive_set == read_set;

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
    logic [2*Ways-1:0]         came_mem [Sets];
    logic [2*Ways-1:0]         ram_came_q;
    // An arrival in the cycle of the read
    logic                      last_q, last_phase_q, last_drop_q, last_here;
    logic [PlaceW-1:0]         last_place_q;
    state_t                    ram_state;

    faa_ram_1r1w #(
      .Width($bits(state_t)),
      .Depth(Sets),
      .Block(Sets >= 64)
    ) u_state (
      .clk_i,
      .we_i   (change),
      .waddr_i(set_q),
      .wdata_i(state_d),
      .re_i   (read_i),
      .raddr_i(read_set),
      .rdata_o(ram_bits)
    );
    assign ram_state = state_t'(ram_bits);

    always_ff @(posedge clk_i) begin
      if (new_q) begin
        state_q       <= ram_state;
        state_q.valid <= known ? ram_state.valid : '0;
        state_q.used  <= known ? ram_state.used : '0;
      end else if (change) begin
        state_q <= state_d;
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
    logic unused_same;
    assign unused_same = ^{same_read, arrive_read, read_la_i};
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
        state_q.used  <= known ? ram_state.used : '0;
      end else if (change) begin
        state_q <= state_d;
      end
      // No set has been read.
      if (!rst_ni) state_q.valid <= '0;
    end

    for (genvar w = 0; w < Ways; w++) begin : g_came
      logic [1:0] came_mem [Sets];
      always_ff @(posedge clk_i) begin
        if (arrive_i && arrive_way == WayW'(w)) begin
          came_mem[arrive_set] <= {arrive_phase_i, arrive_drop_i};
        end
        if ((read_i ? arrive_read : arrive_here) && arrive_way == WayW'(w)) begin
          {came_q[w], dropped_q[w]} <= {arrive_phase_i, arrive_drop_i};
        end else if (read_i) begin
          {came_q[w], dropped_q[w]} <= {ram_came[w], ram_dropped[w]};
        end
      end
      assign {ram_came[w], ram_dropped[w]} = came_mem[read_set];
    end
  end

  logic [Ways-1:0] valid, awaited, dirty, used, open, others;
  logic            own;

  function automatic logic [WayW-1:0] lowest(input logic [Ways-1:0] x);
    lowest = '0;
    for (int unsigned w = Ways; w > 0; w--) if (x[w-1]) lowest = WayW'(w - 1);
  endfunction

  function automatic logic [PlaceW-1:0] place_of(input logic [SetW-1:0] set, input logic [WayW-1:0] way);
    place_of = Ways > 1 ? PlaceW'({set, way}) : PlaceW'(set);
  endfunction

  assign awaited = state_q.valid & ~state_q.fresh & (state_q.phase ^ came_q);
  assign valid   = state_q.valid & (state_q.fresh | (state_q.phase ^ came_q) | ~dropped_q);
  assign dirty   = valid & state_q.dirty;
  assign used    = state_q.used;
  assign hits    = valid & equal;

  always_comb begin
    open = ~awaited;
    if (sweep_i) others = dirty;
    else if (|(open & ~valid)) others = open & ~valid;
    else if (|(open & ~used)) others = open & ~used;
    else others = open;
  end
  // A line that is evicted by itself is the match, found by its tag; other victims do not depend on
  // the comparison of tags.
  assign own = sweep_i && sweep_line_i;

  // A way that could be evicted one cycle ago still can: no line arrives for it.
  if (Late) begin : gen_late_victim
    always_ff @(posedge clk_i) begin
      other_way      <= lowest(others);
      victim_ok_o    <= |others;
      victim_dirty_o <= |(dirty & others & (~others + Ways'(1)));
    end
  end else begin : gen_victim
    assign other_way      = lowest(others);
    assign victim_ok_o    = |others;
    assign victim_dirty_o = |(dirty & (Ways'(1) << other_way));
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
  assign victim_way     = own ? match_way : other_way;
  assign victim_place_o = place_of(set_q, victim_way);
  assign new_place_o    = place_of(set_q, other_way);
  assign new_phase_o    = !came_q[other_way];
  assign sweep_more_o   = |(dirty & (dirty - Ways'(1)));

  // A line's low bits follow from its set and tag.
  logic [TagW-1:0] victim_tag;
  assign victim_tag  = own ? tag_i : tags[32'(other_way)*TagW +: TagW];
  assign victim_la_o = {victim_tag, set_q ^ fold(victim_tag)};

  // Used ways: when all are used, the other marks are cleared.
  logic [Ways-1:0] used_d, now;
  assign now    = allocate_i ? other : hits;
  assign other  = Ways'(1) << other_way;
  assign victim = Ways'(1) << victim_way;
  assign used_d = &(used | now) ? now : used | now;

  always_comb begin
    state_d       = state_q;
    state_d.valid = valid;
    state_d.dirty = dirty;
    if (touch_i || allocate_i) state_d.used = used_d;
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
