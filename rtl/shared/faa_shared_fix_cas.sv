// SPDX-License-Identifier: Apache-2.0
//
// Stage F for CAS and CAST with choice words (faa_shared_links): which lanes have succeeded, and what each one found.
//
// The first success on a word is the first lane that compares with the word as it was; the others follow along the links. A lane
// found what the last success before it stored, or else the word as it was. Words that need no choice come along: of these the
// first lane alone can succeed, and CAST has its success for an answer, not the word.
//
// Latency: 2 cycles, and one for two levels of links: 5 for 32 lanes, 4 for 16 and 8. Throughput: one beat per cycle.

`include "faa_assert.svh"

module faa_shared_fix_cas #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Depth = 8,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   valid_i,
  output logic                   ready_o,
  input  logic                   cast_i,
  input  logic                   first_beat_i,
  input  logic                   last_beat_i,
  input  logic [Lanes*32-1:0]    place_i,
  input  logic [Lanes-1:0]       member_i,
  input  logic [Lanes-1:0]       first_i,
  input  logic [Lanes-1:0]       choice_i,
  input  logic [Lanes*32-1:0]    before_i,   // what the position before stores; of other words, their first one
  input  logic [Lanes*32-1:0]    other_i,    // compared with
  input  logic [Lanes*LaneW-1:0] next_i,     // of choice words
  input  logic [Lanes*32-1:0]    m_i,

  output logic                   valid_o,
  input  logic                   ready_i,
  output logic                   first_beat_o,
  output logic                   last_beat_o,
  output logic [Lanes*32-1:0]    place_o,
  output logic [Lanes*32-1:0]    low_o,
  output logic                   empty_o
);

  localparam int unsigned Hops    = (LaneW + 1) / 2;
  localparam int unsigned RecordW = 3 + Lanes * 98;
  localparam int unsigned CountW  = $clog2(Depth + 1);

  logic                   take, record_room, answer_valid_q;
  logic [CountW-1:0]      records;

  assign empty_o = records == '0 && !answer_valid_q;

  // -------------------------------------------------------------------------------------------------------------
  // The first success on each word

  logic [Lanes-1:0]       joins, hit, start;
  logic [Lanes*LaneW-1:0] next;

  assign joins = member_i & ~first_i;

  always_comb begin
    hit   = '0;
    start = '0;
    if (take) begin
      for (int p = 0; p < Lanes; p++) begin
        if (cast_i && !choice_i[p]) hit[p] = first_i[p] && m_i[p*32];
        else hit[p] = member_i[p] && m_i[p*32 +: 32] == other_i[p*32 +: 32];
      end
      start = hit & ~(joins & Lanes'(faa_shared_pkg::seen_below(32'(hit), 32'(joins)) << 1));
    end
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_next
    assign next[p*LaneW +: LaneW] = choice_i[p] ? next_i[p*LaneW +: LaneW] : LaneW'(p);
  end

  // -------------------------------------------------------------------------------------------------------------
  // The others

  logic [Hops:0]                     valid, ready;   // [s]: behind s times two levels
  logic [(Hops+1)*Lanes-1:0]         set;
  logic [(Hops+1)*Lanes*LaneW-1:0]   link;
  logic                              answer_take;

  assign ready_o = ready[0] && record_room;
  assign take    = valid_i && ready_o;

  for (genvar s = 0; s <= Hops; s++) begin : g_hop
    logic                   valid_q, in_valid, in_take;
    logic [Lanes-1:0]       set_q, set_d;
    logic [Lanes*LaneW-1:0] link_q, link_d;

    if (s == 0) begin : g_start
      assign in_valid = take;
      assign set_d    = start;
      assign link_d   = next;
    end else begin : g_follow
      assign in_valid = valid[s-1];
      faa_shared_follow #(
        .Lanes(Lanes)
      ) u_follow (
        .en_i  (in_take),
        .set_i (set[(s-1)*Lanes +: Lanes]),
        .link_i(link[(s-1)*Lanes*LaneW +: Lanes*LaneW]),
        .set_o (set_d),
        .link_o(link_d)
      );
    end

    assign in_take                             = in_valid && ready[s];
    assign valid[s]                            = valid_q;
    assign set[s*Lanes +: Lanes]               = set_q;
    assign link[s*Lanes*LaneW +: Lanes*LaneW]  = link_q;
    assign ready[s]                            = answer_take || valid[Hops:s] != '1;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (ready[s]) valid_q <= in_valid;
      if (in_take) begin
        set_q  <= set_d;
        link_q <= link_d;
      end
    end
  end

  logic unused_link;
  assign unused_link = ^link[Hops*Lanes*LaneW +: Lanes*LaneW];

  // -------------------------------------------------------------------------------------------------------------
  // Answers

  logic                   record_valid, answer_cast, first_beat, last_beat;
  logic [Lanes-1:0]       answer_member, answer_joins, won, known, reach;
  logic [Lanes*32-1:0]    place, prior, m, found, low;

  faa_fifo #(
    .Width(RecordW),
    .Depth(Depth)
  ) u_records (
    .clk_i,
    .rst_ni,
    .valid_i(take),
    .ready_o(record_room),
    .data_i ({cast_i, first_beat_i, last_beat_i, member_i, joins, place_i, before_i, m_i}),
    .valid_o(record_valid),
    .ready_i(answer_take),
    .data_o ({answer_cast, first_beat, last_beat, answer_member, answer_joins, place, prior, m}),
    .count_o(records)
  );

  assign answer_take = valid[Hops] && (!answer_valid_q || ready_i);
  assign won         = set[Hops*Lanes +: Lanes];

  // Position p knows what it found if the position before has won, or if that one knows. Descending positions: the lower one
  // still is as the level before left it.
  always_comb begin
    known = answer_joins & (won << 1);
    reach = answer_joins & ~known;
    found = m;
    if (answer_take) begin
      for (int p = 0; p < Lanes; p++) if (known[p]) found[p*32 +: 32] = prior[p*32 +: 32];
      for (int far = 1; far < Lanes; far = 2 * far) begin
        for (int p = Lanes - 1; p >= far; p--) begin
          if (reach[p]) begin
            found[p*32 +: 32] = found[(p-far)*32 +: 32];
            reach[p]          = reach[p-far];
          end
        end
      end
    end
  end

  always_comb begin
    low = '0;
    if (answer_take) begin
      for (int p = 0; p < Lanes; p++) begin
        if (answer_member[p]) low[p*32 +: 32] = answer_cast ? {31'b0, won[p]} : found[p*32 +: 32];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) answer_valid_q <= 1'b0;
    else if (!answer_valid_q || ready_i) answer_valid_q <= answer_take;
    if (answer_take) begin
      first_beat_o <= first_beat;
      last_beat_o  <= last_beat;
      low_o        <= low;
      place_o      <= place;
    end
  end

  assign valid_o = answer_valid_q;

  `FAA_ASSERT(answers_have_a_record, !valid[Hops] || record_valid)
  `FAA_COVER(several_win, answer_take && (won & answer_joins & (won << 1)) != '0)
  `FAA_COVER(waits_for_the_return, valid[Hops] && !answer_take)

endmodule
