// SPDX-License-Identifier: Apache-2.0
//
// The last lines of level 0 page tables that a TLB has had from the walker, with the tables that they are in.
//
// Only good leaves are given out (Documentation/mmu.rst: what is not valid is not cached), so a page that was mapped since is found by a
// new walk, which replaces the line.
//
// Latency: the answer is there in the cycle after look_i and stays. Replacement: round robin.
// Hazard: an invalidation of any range empties it (clear_i).

`include "faa_assert.svh"

module faa_tlb_lines (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         clear_i,
  input  logic         look_i,
  input  logic [7:0]   vmid_i,
  input  logic [47:12] page_i,         // stays until the fill that follows
  output logic         hit_o,          // in the cycle of look_i: a good leaf ...
  output logic [63:0]  pte_o,          // ... from the cycle after on
  output logic         table_hit_o,    // from the cycle after look_i on: the level 0 table is known
  output logic [63:0]  table_o,

  input  logic         fill_i,         // by a walk for page_i
  input  logic [63:0]  fill_table_i,
  input  logic [511:0] fill_line_i
);

  logic [3:0]   valid_q, match, table_match, slot;
  logic [1:0]   victim_q;
  logic [40:0]  key_q [4];             // {vmid, address bits 47..15}
  logic [39:0]  table_q [4];
  logic [511:0] line_q [4];
  logic [511:0] line;
  logic [63:0]  pte, pte_q;
  logic [39:0]  table_sel, known_q;
  logic         table_hit_q;

  // Conditions keep what is not used from being computed: simulation speed.
  always_comb begin
    match       = '0;
    table_match = '0;
    line        = '0;
    table_sel   = '0;
    if (look_i || fill_i) begin
      for (int n = 0; n < 4; n++) begin
        match[n]       = valid_q[n] && key_q[n] == {vmid_i, page_i[47:15]};
        table_match[n] = valid_q[n] && key_q[n][40:6] == {vmid_i, page_i[47:21]};
      end
    end
    if (look_i) begin
      for (int n = 3; n >= 0; n--) begin
        if (match[n]) line = line_q[n];
        if (table_match[n]) table_sel = table_q[n];
      end
    end
  end

  assign pte   = line[{page_i[14:12], 6'd0} +: 64];
  assign hit_o = match != '0 && pte[faa_pkg::PTE_VALID_LSB] && pte[faa_pkg::PTE_LEAF_LSB] && !pte[faa_pkg::PTE_REGION_LSB] &&
                 (pte & faa_pkg::PTE_RESERVED) == '0;
  // A line is kept once.
  assign slot  = match != '0 ? match : 4'd1 << victim_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      victim_q <= '0;
    end else begin
      if (clear_i) valid_q <= '0;
      else if (fill_i) valid_q <= valid_q | slot;
      if (fill_i && match == '0) victim_q <= victim_q + 2'd1;
    end
    if (look_i) begin
      pte_q       <= pte;
      table_hit_q <= table_match != '0;
      known_q     <= table_sel;
    end
    if (fill_i) begin
      for (int n = 0; n < 4; n++) begin
        if (slot[n]) begin
          key_q[n]   <= {vmid_i, page_i[47:15]};
          table_q[n] <= fill_table_i[51:12];
          line_q[n]  <= fill_line_i;
        end
      end
    end
  end

  assign pte_o       = pte_q;
  assign table_hit_o = table_hit_q;
  assign table_o     = {12'd0, known_q, 12'd0};

  logic unused;
  assign unused = ^{fill_table_i[63:52], fill_table_i[11:0]};

  `FAA_ASSERT(lines_one_match, (match & (match - 4'd1)) == '0)
  `FAA_COVER(line_hit, look_i && hit_o)
  `FAA_COVER(line_of_a_bad_page, look_i && match != '0 && !hit_o)
  `FAA_COVER(table_known, look_i && !hit_o && table_match != '0)

endmodule
