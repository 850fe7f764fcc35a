// SPDX-License-Identifier: Apache-2.0
//
// Stage F for CAS and CAST with choice words (faa_shared_links): the lanes that have succeeded, and
// the value that each lane found.
//
// The first success on a word is the first lane that compares equal with the old word; the others
// follow along the links. A lane found the value that the last success before it stored, else the
// old word. The beat may have words without a choice: only their first lane can succeed, and the
// bank's answer of CAST is this success, not the word.
//
// Latency: 2 cycles, and one for two levels of links: 5 for 32 lanes, 4 for 16 and 8. Throughput:
// one beat per cycle. It never stalls.

`include "faa_assert.svh"

module faa_shared_fix_cas #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        valid_i,
  input  logic                        cast_i,
  input  logic [Lanes-1:0]            member_i,
  input  logic [Lanes-1:0]            first_i,
  input  logic [Lanes-1:0]            choice_i,
  // Stored by the position before; of words without a choice, by the first one
  input  logic [Lanes-1:0][31:0]      before_i,
  input  logic [Lanes-1:0][31:0]      other_i,    // compared with
  input  logic [Lanes-1:0][LaneW-1:0] next_i,     // of choice words
  input  logic [Lanes-1:0][31:0]      m_i,

  output logic [Lanes-1:0][31:0]      low_o
);

  localparam int unsigned Hops = (LaneW + 1) / 2;

  // -----------------------------------------------------------------------------------------------
  // The first success on each word

  logic [Lanes-1:0]            joins, hit, start;
  logic [Lanes-1:0][LaneW-1:0] next;

  assign joins = member_i & ~first_i;

  always_comb begin
    for (int unsigned p = 0; p < Lanes; p++) begin
      if (cast_i && !choice_i[p]) hit[p] = first_i[p] && m_i[p][0];
      else hit[p] = member_i[p] && m_i[p] == other_i[p];
      next[p] = choice_i[p] ? next_i[p] : LaneW'(p);
    end
    start = hit & ~(joins & Lanes'(faa_shared_pkg::seen_below(32'(hit), 32'(joins)) << 1));
  end

  // -----------------------------------------------------------------------------------------------
  // The others

  logic [Hops+1:0]             valid;
  logic [Hops:0]               valid_q;
  logic [Lanes-1:0]            set [Hops+1];    // [s]: after 2 s levels
  logic [Lanes-1:0][LaneW-1:0] link [Hops+1];

  assign valid = {valid_q, valid_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid[Hops:0];
    if (valid_i) begin
      set[0]  <= start;
      link[0] <= next;
    end
  end

  for (genvar s = 0; s < Hops; s++) begin : g_hop
    logic [Lanes-1:0]            set_d;
    logic [Lanes-1:0][LaneW-1:0] link_d;

    faa_shared_follow #(
      .Lanes(Lanes)
    ) u_follow (
      .en_i  (valid[s+1]),
      .set_i (set[s]),
      .link_i(link[s]),
      .set_o (set_d),
      .link_o(link_d)
    );

    always_ff @(posedge clk_i) begin
      if (valid[s+1]) begin
        set[s+1]  <= set_d;
        link[s+1] <= link_d;
      end
    end
  end

  logic unused_link;
  assign unused_link = ^link[Hops];

  // -----------------------------------------------------------------------------------------------
  // Answers

  logic                   cast;
  logic [Lanes-1:0]       member, joined, won, known, reach;
  logic [Lanes-1:0][31:0] prior, m, found;

  faa_lanes_delay #(
    .Width (1 + Lanes * 66),
    .Cycles(Hops + 1)
  ) u_record (
    .clk_i,
    .rst_ni,
    .data_i({cast_i, member_i, joins, before_i, m_i}),
    .data_o({cast, member, joined, prior, m})
  );

  assign won = set[Hops];

  // Position p knows the value that it found if the position before has won, or knows its own.
  // Positions descend, so that a lower one still has its state of the level before.
  always_comb begin
    known = joined & (won << 1);
    reach = joined & ~known;
    found = m;
    if (valid[Hops+1]) begin
      for (int unsigned p = 0; p < Lanes; p++) if (known[p]) found[p] = prior[p];
      for (int unsigned far = 1; far < Lanes; far = 2 * far) begin
        for (int p = Lanes - 1; p >= int'(far); p--) begin
          if (reach[p]) begin
            found[p] = found[p-far];
            reach[p] = reach[p-far];
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid[Hops+1]) begin
      for (int unsigned p = 0; p < Lanes; p++) begin
        if (!member[p]) low_o[p] <= '0;
        else low_o[p] <= cast ? {31'b0, won[p]} : found[p];
      end
    end
  end

  `FAA_COVER(several_win, valid[Hops+1] && (won & joined & (won << 1)) != '0)
  `FAA_ASSERT(first_position_begins_a_group, !valid_i || !joins[0])

endmodule
