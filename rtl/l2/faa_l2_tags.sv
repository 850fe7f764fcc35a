// SPDX-License-Identifier: Apache-2.0
//
// Tags and state of the lines of an L2 slice. A place is {set, way}.
//
// read_i presents a set; from the next cycle until the next read the outputs are about that set and the line with this tag_i: does a way
// have the line, and which way is given up for it. State (valid, awaited, dirty, used) is in registers and always current; tags are in RAM, and only
// touch_i / allocate_i of the same cycle change what is read: tags written while their set is being read are forwarded.
//
// The set is the line's address folded by XOR. Each bit above the set's own ones is in two of the set's, whose distance grows from fold to fold: were it in
// one, the slice's number (faa_l2_home), where its width divides the set's, would be a function of the set, and each slice would leave sets unused.
// Victim: a way that is not valid, else one that has not been used lately, else any; never one that is awaited.

`include "faa_assert.svh"

module faa_l2_tags #(
  parameter int unsigned Sets = 256,
  parameter int unsigned Ways = 4,
  localparam int unsigned SetW = $clog2(Sets),
  localparam int unsigned WayW = (Ways > 1) ? $clog2(Ways) : 1,
  localparam int unsigned Places = Sets * Ways,
  localparam int unsigned PlaceW = $clog2(Places),
  localparam int unsigned LineAddrW = faa_l2_pkg::LINE_ADDR_W
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
  output logic                 victim_ok_o,   // a way can be given up
  output logic                 victim_dirty_o,
  output logic [PlaceW-1:0]    victim_place_o,
  output logic [LineAddrW-1:0] victim_la_o,

  // Changes: an operation on the match; its line takes the victim's place; the sweep takes the dirty mark of the victim
  // (the lowest dirty way while sweep_i; the match alone with sweep_line_i).
  input  logic                 touch_i,
  input  logic                 touch_dirty_i,
  input  logic                 allocate_i,
  input  logic                 allocate_awaited_i,
  input  logic                 sweep_i,
  input  logic                 sweep_line_i,
  input  logic                 sweep_take_i,
  output logic                 sweep_more_o,  // dirty ways beside the lowest
  output logic [Sets-1:0]      dirty_sets_o,
  input  logic                 invalidate_i,  // every line, or the match (sweep_line_i); none of them is dirty or awaited

  // The last operation of a list was taken: the line is there, or, dropped, it is not.
  input  logic                 arrive_i,
  input  logic                 arrive_drop_i,
  input  logic [PlaceW-1:0]    arrive_place_i
);

  localparam int unsigned TagW = LineAddrW - SetW;

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

  // ---- Tags ----

  logic [SetW-1:0]      read_set, set_q;
  logic [Ways*TagW-1:0] ram_tags, tags;
  logic                 forward_q;
  logic [WayW-1:0]      forward_way_q, victim_way;
  logic [TagW-1:0]      forward_tag_q;

  assign read_set = read_sweep_i ? read_set_i : set_of(read_la_i);

  for (genvar w = 0; w < Ways; w++) begin : g_way
    faa_ram_1r1w #(
      .Width(TagW),
      .Depth(Sets)
    ) u_tags (
      .clk_i,
      .we_i   (allocate_i && victim_way == WayW'(w)),
      .waddr_i(set_q),
      .wdata_i(tag_i),
      .re_i   (read_i),
      .raddr_i(read_set),
      .rdata_o(ram_tags[w*TagW +: TagW])
    );
    assign tags[w*TagW +: TagW] = forward_q && forward_way_q == WayW'(w) ? forward_tag_q : ram_tags[w*TagW +: TagW];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) forward_q <= 1'b0;
    else if (read_i) forward_q <= allocate_i && read_set == set_q;
    if (read_i) begin
      set_q         <= read_set;
      forward_way_q <= victim_way;
      forward_tag_q <= tag_i;
    end
  end

  // ---- State ----

  logic [Places-1:0] valid_q, awaited_q, dirty_q, used_q;
  logic [Ways-1:0]   valid, awaited, dirty, used, hits, open, victims;
  logic [WayW-1:0]   match_way;

  function automatic logic [WayW-1:0] lowest(input logic [Ways-1:0] x);
    lowest = '0;
    for (int unsigned w = Ways; w > 0; w--) if (x[w-1]) lowest = WayW'(w - 1);
  endfunction

  function automatic logic [PlaceW-1:0] place_of(input logic [SetW-1:0] set, input logic [WayW-1:0] way);
    place_of = Ways > 1 ? PlaceW'({set, way}) : PlaceW'(set);
  endfunction

  assign valid   = valid_q[32'(set_q)*Ways +: Ways];
  assign awaited = awaited_q[32'(set_q)*Ways +: Ways];
  assign dirty   = dirty_q[32'(set_q)*Ways +: Ways];
  assign used    = used_q[32'(set_q)*Ways +: Ways];

  always_comb begin
    hits = '0;
    for (int unsigned w = 0; w < Ways; w++) hits[w] = valid[w] && tags[w*TagW +: TagW] == tag_i;
    open = ~awaited;
    if (sweep_i) victims = sweep_line_i ? dirty & hits : dirty;
    else if (|(open & ~valid)) victims = open & ~valid;
    else if (|(open & ~used)) victims = open & ~used;
    else victims = open;
  end

  assign match_way      = lowest(hits);
  assign match_o        = |hits;
  assign awaited_o      = |(hits & awaited);
  assign dirty_o        = |(hits & dirty);
  assign match_place_o  = place_of(set_q, match_way);
  assign victim_way     = lowest(victims);
  assign victim_ok_o    = |victims;
  assign victim_dirty_o = |(dirty & (Ways'(1) << victim_way));
  assign victim_place_o = place_of(set_q, victim_way);
  assign sweep_more_o   = |(dirty & (dirty - Ways'(1)));

  // A line's low bits follow from its set and tag.
  logic [TagW-1:0] victim_tag;
  assign victim_tag  = tags[32'(victim_way)*TagW +: TagW];
  assign victim_la_o = {victim_tag, set_q ^ fold(victim_tag)};

  for (genvar s = 0; s < Sets; s++) begin : g_dirty
    assign dirty_sets_o[s] = |dirty_q[s*Ways +: Ways];
  end

  // Used ways: when all are, the others are forgotten.
  logic [Ways-1:0] used_d, now;
  assign now    = Ways'(1) << (allocate_i ? victim_way : match_way);
  assign used_d = &(used | now) ? now : used | now;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q   <= '0;
      awaited_q <= '0;
      dirty_q   <= '0;
    end else begin
      if (invalidate_i && !sweep_line_i) valid_q <= '0;
      if (invalidate_i && sweep_line_i && match_o) valid_q[match_place_o] <= 1'b0;
      if (touch_i && touch_dirty_i) dirty_q[match_place_o] <= 1'b1;
      if (sweep_take_i) dirty_q[victim_place_o] <= 1'b0;
      if (arrive_i) begin
        awaited_q[arrive_place_i] <= 1'b0;
        if (arrive_drop_i) begin
          valid_q[arrive_place_i] <= 1'b0;
          dirty_q[arrive_place_i] <= 1'b0;
        end
      end
      if (allocate_i) begin
        valid_q[victim_place_o]   <= 1'b1;
        awaited_q[victim_place_o] <= allocate_awaited_i;
        dirty_q[victim_place_o]   <= touch_dirty_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) used_q <= '0;
    else if (touch_i || allocate_i) used_q[32'(set_q)*Ways +: Ways] <= used_d;
  end

  `FAA_ASSERT(tags_one_match, (hits & (hits - Ways'(1))) == '0)
  `FAA_ASSERT(tags_touch, !touch_i || match_o)
  `FAA_ASSERT(tags_allocate, !allocate_i || (victim_ok_o && !match_o))
  `FAA_ASSERT(tags_arrive, !arrive_i || awaited_q[arrive_place_i])
  `FAA_ASSERT(tags_invalidate, !invalidate_i || (awaited_q == '0 && (sweep_line_i ? !dirty_o : dirty_q == '0)))
  `FAA_ASSERT(tags_states, ((awaited_q | dirty_q) & ~valid_q) == '0)
  `FAA_COVER(tags_forwarded, forward_q && touch_i && match_way == forward_way_q)
  `FAA_COVER(tags_victim_unused, allocate_i && !(|(open & ~valid)) && |(open & ~used))
  `FAA_COVER(tags_victim_any, allocate_i && !(|(open & ~valid)) && !(|(open & ~used)))
  // H15
  `FAA_COVER(hazard_h15, allocate_i && arrive_i && PlaceW'(32'(arrive_place_i) / Ways) == PlaceW'(set_q))

endmodule
