// SPDX-License-Identifier: Apache-2.0
//
// Second level of the TLBs in one array of sectors for the levels 0, 1 and 2 of page tables, with
// the ports of faa_tlb_shared (Documentation/mmu.rst). The levels are looked up one after the
// other, 0 first; the lowest level that has the entry gives the answer, or the table with which the
// walk begins. A sweep drops all sectors of its VM.
//
// Latency: 6 cycles. Throughput: one look-up in 4 cycles. Stalls: a fill, one cycle; a sweep, a
// cycle per set and 2. Hazards: SEC-H1 to SEC-H3.

`include "faa_assert.svh"

module faa_tlb_serial #(
  parameter int unsigned InfoW = 4,
  parameter int unsigned Sets = 128,
  parameter int unsigned Ways = 2,
  // Entries of a sector: a power of two from 2 to 8.
  parameter int unsigned Entries = 2,
  localparam int unsigned PlaceW = $clog2(Entries)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             look_valid_i,
  output logic             look_ready_o,
  input  logic [InfoW-1:0] look_info_i,
  input  logic [7:0]       look_vmid_i,
  input  logic [47:12]     look_page_i,

  output logic             res_valid_o,
  output logic             res_hit_o,
  output logic             res_big_o,
  output logic [42:0]      res_leaf_o,
  output logic [1:0]       res_level_o,
  output logic [InfoW-1:0] res_info_o,
  output logic [7:0]       res_vmid_o,
  output logic [47:12]     res_page_o,

  input  logic                  fill_i,
  input  logic [1:0]            fill_level_i,
  input  logic [7:0]            fill_vmid_i,
  input  logic [47:PlaceW+12]   fill_page_i,
  input  logic [Entries-1:0]    fill_mask_i,
  input  logic [Entries*44-1:0] fill_entries_i,

  input  logic             sweep_i,
  input  logic [7:0]       sweep_vmid_i,
  output logic             quiet_o,
  output logic             sweeping_o
);

  localparam int unsigned SectorW = 36 - PlaceW;

  // ---- Look-up: a requests one level per cycle, the sectors answer two cycles later ----

  logic             a_valid_q, look, last, s1_valid_q, s2_valid_q, done_q;
  logic [1:0]       a_level_q, s1_level_q, s2_level_q;
  logic [InfoW-1:0] a_info_q, b_info_q;
  logic [7:0]       a_vmid_q, b_vmid_q;
  logic [35:0]      a_page_q;          // of the level
  logic [47:12]     a_whole_q, b_page_q;
  logic             hit, found_q;
  logic [43:0]      entry, entry_q;
  logic [1:0]       level_q;

  assign look         = a_valid_q && !fill_i;
  assign last         = a_level_q == 2'd2;
  assign look_ready_o = !a_valid_q && !sweeping_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_valid_q  <= 1'b0;
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      done_q     <= 1'b0;
    end else begin
      a_valid_q  <= a_valid_q ? !(look && last) : look_valid_i && look_ready_o;
      s1_valid_q <= look;
      s2_valid_q <= s1_valid_q;
      done_q     <= s2_valid_q && s2_level_q == 2'd2;
    end
    if (!a_valid_q) begin
      a_info_q  <= look_info_i;
      a_vmid_q  <= look_vmid_i;
      a_whole_q <= look_page_i;
    end
    if (!a_valid_q || look) begin
      a_page_q  <= a_valid_q ? a_page_q >> 9 : look_page_i;
      a_level_q <= a_valid_q ? a_level_q + 2'd1 : 2'd0;
    end
    // The next look-up requests its last level three cycles later, when this one has ended.
    if (look && last) begin
      b_info_q <= a_info_q;
      b_vmid_q <= a_vmid_q;
      b_page_q <= a_whole_q;
    end
    s1_level_q <= a_level_q;
    s2_level_q <= s1_level_q;
    if (s2_valid_q) begin
      if (s2_level_q == 2'd0 || !found_q) begin
        found_q <= hit;
        entry_q <= entry;
        level_q <= s2_level_q;
      end
    end
  end

  assign res_valid_o = done_q;
  assign res_info_o  = b_info_q;
  assign res_vmid_o  = b_vmid_q;
  assign res_page_o  = b_page_q;
  assign res_hit_o   = found_q && entry_q[43];
  assign res_big_o   = level_q[0];
  assign res_leaf_o  = entry_q[42:0];
  // An entry of level n + 1 names a table of level n.
  assign res_level_o = !found_q ? 2'd3 : {1'b0, level_q[1]};

  // ---- Fill: the mask is used a cycle later, the entries two ----

  logic [Entries-1:0]    mask_q;
  logic [Entries*44-1:0] entries_q, entries_qq;
  logic                  fill_q, fill_qq;
  logic [SectorW-1:0]    fill_sector;

  always_comb begin
    unique case (fill_level_i)
      2'd0:    fill_sector = fill_page_i;
      2'd1:    fill_sector = fill_page_i >> 9;
      default: fill_sector = fill_page_i >> 18;
    endcase
  end

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

  faa_tlb_sectors #(
    .Sets(Sets), .Ways(Ways), .Entries(Entries), .Range(1'b0), .VmW(10)
  ) u_sectors (
    .clk_i, .rst_ni, .look_i(look), .look_vmid_i({a_level_q, a_vmid_q}), .look_page_i(a_page_q),
    .hit_o(hit), .entry_o(entry),
    .fill_i, .fill_vmid_i({fill_level_i, fill_vmid_i}), .fill_sector_i(fill_sector),
    .fill_mask_i(mask_q), .fill_entries_i(entries_qq),
    .sweep_i, .sweep_vmid_i, .sweep_first_i('0), .sweep_last_i('0), .sweeping_o
  );

  assign quiet_o = !a_valid_q && !s1_valid_q && !s2_valid_q && !done_q && !fill_i && !fill_q &&
                   !fill_qq;

  `FAA_ASSERT(serial_sweep_quiet, !(sweep_i || sweeping_o) || quiet_o)
  `FAA_ASSERT(serial_fill_levels, !fill_i || fill_level_i != 2'd3)
  `FAA_COVER(serial_leaf, done_q && found_q && level_q == 2'd0)
  `FAA_COVER(serial_big_leaf, done_q && res_hit_o && res_big_o)
  `FAA_COVER(serial_table0, done_q && found_q && !res_hit_o && level_q == 2'd1)
  `FAA_COVER(serial_table1, done_q && found_q && level_q == 2'd2)
  `FAA_COVER(serial_waits_for_fill, a_valid_q && fill_i)

endmodule
