// SPDX-License-Identifier: Apache-2.0
//
// Second level of the TLBs, shared by all compute units: an array of sectors for each of the levels
// 0, 1 and 2 of page tables (Documentation/mmu.rst). All three are looked up at once; the lowest
// level that has the entry gives the answer, or the table with which the walk begins.
//
// Latency: 3 cycles. Throughput: one look-up per cycle. Stalls: a fill, one cycle; a sweep, a cycle
// per set and 2. Hazards: SEC-H1 to SEC-H3. Look-ups and fills have ended before a sweep begins
// (quiet_o).

`include "faa_assert.svh"

module faa_tlb_shared #(
  parameter int unsigned InfoW = 4,
  // Of levels 0, 1 and 2
  parameter int unsigned Sets0 = 128,
  parameter int unsigned Sets1 = 16,
  parameter int unsigned Sets2 = 4,
  parameter int unsigned Ways = 4,
  // Entries of a sector: a power of two from 2 to 8.
  parameter int unsigned Entries = 8,
  localparam int unsigned PlaceW = $clog2(Entries)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             look_valid_i,
  output logic             look_ready_o,
  input  logic [InfoW-1:0] look_info_i,
  input  logic [7:0]       look_vmid_i,
  input  logic [47:12]     look_page_i,

  // Always taken. hit: a leaf {sparse, atomic, writable, address}; else the level whose table has
  // this address, 3: none is known.
  output logic             res_valid_o,
  output logic             res_hit_o,
  output logic             res_big_o,
  output logic [42:0]      res_leaf_o,
  output logic [1:0]       res_level_o,
  output logic [InfoW-1:0] res_info_o,
  output logic [7:0]       res_vmid_o,
  output logic [47:12]     res_page_o,

  // A line of a table of level 0, 1 or 2, around the entry of a page; mask: its valid entries.
  input  logic                  fill_i,
  input  logic [1:0]            fill_level_i,
  input  logic [7:0]            fill_vmid_i,
  input  logic [47:PlaceW+12]   fill_page_i,
  input  logic [Entries-1:0]    fill_mask_i,
  input  logic [Entries*44-1:0] fill_entries_i,

  // Pulse, only with quiet_o (no look-up or fill in progress): drops entries that overlap the
  // range, until sweeping_o falls.
  input  logic             sweep_i,
  input  logic [7:0]       sweep_vmid_i,
  input  logic [63:0]      sweep_first_i,
  input  logic [63:0]      sweep_last_i,
  output logic             quiet_o,
  output logic             sweeping_o
);

  // ---- Look-up: a waits for the tags' port, b compares, c has the entries ----

  logic             a_valid_q, b_valid_q, c_valid_q, look;
  logic [InfoW-1:0] a_info_q, b_info_q, c_info_q;
  logic [7:0]       a_vmid_q, b_vmid_q, c_vmid_q;
  logic [47:12]     a_page_q, b_page_q, c_page_q;
  logic [2:0]       hit, sweeping;
  logic [43:0]      entry0, entry1, entry2;

  assign look         = a_valid_q && !fill_i;
  assign look_ready_o = (!a_valid_q || look) && sweeping == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_valid_q <= 1'b0;
      b_valid_q <= 1'b0;
      c_valid_q <= 1'b0;
    end else begin
      a_valid_q <= (look_valid_i && look_ready_o) || (a_valid_q && !look);
      b_valid_q <= look;
      c_valid_q <= b_valid_q;
    end
    if (look_valid_i && look_ready_o) {a_info_q, a_vmid_q, a_page_q} <= {look_info_i, look_vmid_i, look_page_i};
    if (look) {b_info_q, b_vmid_q, b_page_q} <= {a_info_q, a_vmid_q, a_page_q};
    if (b_valid_q) {c_info_q, c_vmid_q, c_page_q} <= {b_info_q, b_vmid_q, b_page_q};
  end

  assign res_valid_o = c_valid_q;
  assign res_info_o  = c_info_q;
  assign res_vmid_o  = c_vmid_q;
  assign res_page_o  = c_page_q;
  assign res_hit_o   = hit[0] || (hit[1] && entry1[43]);
  assign res_big_o   = !hit[0];
  assign res_leaf_o  = hit[0] ? entry0[42:0] : hit[1] ? entry1[42:0] : entry2[42:0];
  // An entry of level n + 1 names a table of level n.
  assign res_level_o = hit[1] ? 2'd0 : hit[2] ? 2'd1 : 2'd3;

  // ---- Fill: the mask is used a cycle later, the entries two ----

  logic [Entries-1:0]    mask_q;
  logic [Entries*44-1:0] entries_q, entries_qq;
  logic                  fill_q, fill_qq;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q  <= 1'b0;
      fill_qq <= 1'b0;
    end else begin
      fill_q  <= fill_i;
      fill_qq <= fill_q;
    end
    if (fill_i) begin
      mask_q    <= fill_mask_i;
      entries_q <= fill_entries_i;
    end
    if (fill_q) entries_qq <= entries_q;
  end

  faa_tlb_sectors #(.Level(0), .Sets(Sets0), .Ways(Ways), .Entries(Entries)) u_level0 (
    .clk_i, .rst_ni, .look_i(look), .look_vmid_i(a_vmid_q), .look_page_i(a_page_q), .hit_o(hit[0]), .entry_o(entry0),
    .fill_i(fill_i && fill_level_i == 2'd0), .fill_vmid_i, .fill_sector_i(fill_page_i), .fill_mask_i(mask_q),
    .fill_entries_i(entries_qq), .sweep_i, .sweep_vmid_i, .sweep_first_i, .sweep_last_i, .sweeping_o(sweeping[0])
  );
  faa_tlb_sectors #(.Level(1), .Sets(Sets1), .Ways(Ways), .Entries(Entries)) u_level1 (
    .clk_i, .rst_ni, .look_i(look), .look_vmid_i(a_vmid_q), .look_page_i(a_page_q[47:21]), .hit_o(hit[1]), .entry_o(entry1),
    .fill_i(fill_i && fill_level_i == 2'd1), .fill_vmid_i,
    .fill_sector_i(fill_page_i[47:PlaceW+21]), .fill_mask_i(mask_q),
    .fill_entries_i(entries_qq), .sweep_i, .sweep_vmid_i, .sweep_first_i, .sweep_last_i, .sweeping_o(sweeping[1])
  );
  faa_tlb_sectors #(.Level(2), .Sets(Sets2), .Ways(Ways), .Entries(Entries)) u_level2 (
    .clk_i, .rst_ni, .look_i(look), .look_vmid_i(a_vmid_q), .look_page_i(a_page_q[47:30]), .hit_o(hit[2]), .entry_o(entry2),
    .fill_i(fill_i && fill_level_i == 2'd2), .fill_vmid_i,
    .fill_sector_i(fill_page_i[47:PlaceW+30]), .fill_mask_i(mask_q),
    .fill_entries_i(entries_qq), .sweep_i, .sweep_vmid_i, .sweep_first_i, .sweep_last_i, .sweeping_o(sweeping[2])
  );

  assign quiet_o    = !a_valid_q && !b_valid_q && !c_valid_q && !fill_i && !fill_q && !fill_qq;
  assign sweeping_o = sweeping != '0;

  logic unused;
  assign unused = ^{entry0[43], entry2[43]};

  `FAA_ASSERT(shared_sweep_quiet, !(sweep_i || sweeping_o) || quiet_o)
  `FAA_ASSERT(shared_fill_levels, !fill_i || fill_level_i != 2'd3)
  `FAA_COVER(shared_leaf, c_valid_q && hit[0])
  `FAA_COVER(shared_big_leaf, c_valid_q && !hit[0] && hit[1] && entry1[43])
  `FAA_COVER(shared_table0, c_valid_q && !hit[0] && hit[1] && !entry1[43])
  `FAA_COVER(shared_table1, c_valid_q && hit == 3'b100)
  `FAA_COVER(shared_waits_for_fill, a_valid_q && fill_i)
  `FAA_COVER(shared_hit_per_cycle, c_valid_q && hit[0] && b_valid_q && a_valid_q)

endmodule
