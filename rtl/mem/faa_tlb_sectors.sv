// SPDX-License-Identifier: Apache-2.0
//
// Sectors of one level of the shared TLB (Documentation/mmu.rst): each is the content of a line of
// a table of that level, neighbouring entries with a valid bit each. Set-associative, in RAM,
// tagged with VM and address.
//
// Look-up: hit_o and entry_o two cycles after look_i; one per cycle. Fill: tags are read in the
// cycle of fill_i, which has no look_i; the mask is due one cycle later, the entries two. A sweep
// takes a cycle per set and 2; there is one after reset, which empties the array. Replacement: the
// way that has the sector, else an empty one, else the ways in turn.
//
// Hazards:
//   SEC-H1: a fill replaces a sector that a look-up has just found; entries are written a cycle
//           after the tag, so the look-up reads the old ones
//   SEC-H2: tags that are read in the cycle in which they are written are unknown; a look-up in the
//           cycle after a fill of its set finds nothing, a fill is dropped
//   SEC-H3: no look-up or fill during a sweep

`include "faa_assert.svh"

module faa_tlb_sectors #(
  parameter int unsigned Level = 0,
  parameter int unsigned Sets = 128,
  parameter int unsigned Ways = 4,
  // Of a sector: a power of two from 2 to 8.
  parameter int unsigned Entries = 8,
  // A sweep compares the range: else it drops all entries of the VM.
  parameter bit Range = 1'b1,
  // Bits of the VM in a tag: 8, or more if sectors of several levels share the array. Without
  // Range.
  parameter int unsigned VmW = 8,
  localparam int unsigned PlaceW = $clog2(Entries),
  localparam int unsigned PageW = 36 - 9 * Level,
  localparam int unsigned SectorW = PageW - PlaceW,
  // {leaf, sparse, atomic, writable, DMA address bits 51..12}
  localparam int unsigned EntryW = 44
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                look_i,
  input  logic [VmW-1:0]      look_vmid_i,
  // Address bits from the page size of the level upwards
  input  logic [PageW-1:0]    look_page_i,
  output logic                hit_o,
  output logic [EntryW-1:0]   entry_o,

  input  logic                      fill_i,
  input  logic [VmW-1:0]            fill_vmid_i,
  input  logic [SectorW-1:0]        fill_sector_i,
  input  logic [Entries-1:0]        fill_mask_i,     // one cycle after fill_i: the valid entries
  input  logic [Entries*EntryW-1:0] fill_entries_i,  // two cycles after fill_i

  // Pulse: drops entries that overlap [sweep_first_i, sweep_last_i] in VM sweep_vmid_i; these
  // inputs are held until sweeping_o falls.
  input  logic                sweep_i,
  input  logic [7:0]          sweep_vmid_i,
  input  logic [63:0]         sweep_first_i,
  input  logic [63:0]         sweep_last_i,
  output logic                sweeping_o
);

  localparam int unsigned SetW = $clog2(Sets);
  localparam int unsigned WayW = $clog2(Ways);
  localparam int unsigned TagW = Entries + VmW + SectorW;   // {mask, VM, sector}

`ifndef YOSYS
  if (Sets < 2 || 2 ** SetW != Sets || Ways < 2 || 2 ** WayW != Ways) begin : gen_bad_size
    $error("faa_tlb_sectors: %0d sets of %0d ways; powers of two from 2 on are possible", Sets, Ways);
  end
  if (SectorW < 2 * SetW || SetW > 8) begin : gen_bad_sets
    $error("faa_tlb_sectors: %0d sets are too many", Sets);
  end
`endif

  // Spreads neighbours, strides of powers of two, and the same addresses of several VMs.
  function automatic logic [SetW-1:0] set_of(input logic [2*SetW-1:0] sector, input logic [SetW-1:0] vmid);
    set_of = sector[SetW-1:0] ^ sector[2*SetW-1:SetW] ^ vmid;
  endfunction

  // ---- Tags: read for a look-up, a fill or a sweep, used in the cycle after ----

  logic                 fill_take, look_q, fill_q, sweeping_q, empty_q, fill_write, check_q, last_q;
  logic                 behind, hidden_q;
  logic [VmW-1:0]       vmid_q;
  logic [SectorW-1:0]   sector_q;
  logic [PlaceW-1:0]    index_q;
  logic [SetW-1:0]      set, set_q, sweep_set_q;
  logic [Ways*TagW-1:0] tags;
  logic [TagW-1:0]      tag_new;
  logic [Ways-1:0]      tags_we;

  always_comb begin
    set = set_of(look_page_i[PlaceW +: 2*SetW], look_vmid_i[SetW-1:0]);
    if (fill_i) set = set_of(fill_sector_i[2*SetW-1:0], fill_vmid_i[SetW-1:0]);
    if (sweeping_q) set = sweep_set_q;
  end

  assign behind    = fill_q && set == set_q;
  assign fill_take = fill_i && !behind;

  for (genvar w = 0; w < Ways; w++) begin : gen_tags
    faa_ram_1r1w #(.Width(TagW), .Depth(Sets), .Block(Sets >= 32)) u_tags (
      .clk_i, .we_i(tags_we[w]), .waddr_i(set_q), .wdata_i(tag_new),
      .re_i(look_i || fill_take || sweeping_q), .raddr_i(set), .rdata_o(tags[w*TagW +: TagW])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_q      <= 1'b0;
      fill_q      <= 1'b0;
      check_q     <= 1'b0;
      sweeping_q  <= 1'b1;
      empty_q     <= 1'b1;
      sweep_set_q <= '0;
      last_q      <= 1'b0;
    end else begin
      look_q  <= look_i;
      fill_q  <= fill_take;
      check_q <= sweeping_q;
      last_q  <= sweeping_q && sweep_set_q == SetW'(Sets - 1);
      if (sweeping_q) begin
        sweep_set_q <= sweep_set_q + SetW'(1);
        if (sweep_set_q == SetW'(Sets - 1)) sweeping_q <= 1'b0;
      end else begin
        sweeping_q <= sweep_i;
      end
      if (last_q) empty_q <= 1'b0;
    end
    set_q    <= set;
    hidden_q <= behind;
    if (fill_i) begin
      vmid_q   <= fill_vmid_i;
      sector_q <= fill_sector_i;
    end else if (look_i) begin
      vmid_q   <= look_vmid_i;
      sector_q <= look_page_i[PageW-1:PlaceW];
      index_q  <= look_page_i[PlaceW-1:0];
    end
  end
  assign sweeping_o = sweeping_q || check_q;

  // ---- Ways ----

  logic [Ways-1:0] same, valid, known, overlap, chosen;
  logic [WayW-1:0] turn_q, way, fill_way_q, known_way;
  logic            data_we_q;
  logic [SetW-1:0] data_set_q;

  // Addresses have 48 bits. A sweep includes the sectors of both ends.
  logic reached, to_end;
  assign reached = sweep_first_i[63:48] == '0;
  assign to_end  = sweep_last_i[63:48] != '0;
  logic unused;
  assign unused = ^{sweep_first_i, sweep_last_i, reached, to_end};

  for (genvar w = 0; w < Ways; w++) begin : gen_way
    logic [Entries-1:0] mask;
    logic [VmW-1:0]     vmid;
    logic [SectorW-1:0] sector;
    assign {mask, vmid, sector} = tags[w*TagW +: TagW];
    assign valid[w]   = mask != '0;
    assign same[w]    = valid[w] && vmid == vmid_q && sector == sector_q;
    assign known[w]   = same[w] && mask[index_q] && !hidden_q;
    if (Range) begin : gen_range
      assign overlap[w] = vmid[7:0] == sweep_vmid_i && reached &&
                          (to_end || sector <= sweep_last_i[47 -: SectorW]) &&
                          sector >= sweep_first_i[47 -: SectorW];
    end else begin : gen_all
      assign overlap[w] = vmid[7:0] == sweep_vmid_i;
    end
  end
  // A line without a good entry is not written.
  assign fill_write = fill_q && fill_mask_i != '0;
  assign tag_new    = check_q ? '0 : {fill_mask_i, vmid_q, sector_q};
  assign tags_we    = check_q ? {Ways{empty_q}} | overlap : fill_write ? chosen : '0;

  // One-hot: the sector's own way, the lowest empty one, or the next one in turn.
  always_comb begin
    if (same != '0) chosen = same & (~same + Ways'(1));
    else if (valid != '1) chosen = ~valid & (valid + Ways'(1));
    else chosen = Ways'(1) << turn_q;
  end
  always_comb begin
    way       = '0;
    known_way = '0;
    for (int w = Ways - 1; w >= 0; w--) begin
      if (chosen[w]) way = WayW'(w);
      if (known[w]) known_way = WayW'(w);
    end
  end

  // ---- Entries ----

  logic                hit_q;
  logic [PlaceW-1:0]         entry_q;
  logic [Entries*EntryW-1:0] entries;

  faa_ram_1r1w #(.Width(Entries * EntryW), .Depth(Sets * Ways)) u_entries (
    .clk_i, .we_i(data_we_q), .waddr_i({data_set_q, fill_way_q}), .wdata_i(fill_entries_i),
    .re_i(look_q && known != '0), .raddr_i({set_q, known_way}), .rdata_o(entries)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hit_q     <= 1'b0;
      data_we_q <= 1'b0;
      turn_q    <= '0;
    end else begin
      hit_q     <= look_q && known != '0;
      data_we_q <= fill_write;
      if (fill_write && same == '0 && valid == '1) turn_q <= turn_q + WayW'(1);
    end
    entry_q    <= index_q;
    data_set_q <= set_q;
    fill_way_q <= way;
  end

  assign hit_o   = hit_q;
  assign entry_o = entries[32'(entry_q) * EntryW +: EntryW];

  `FAA_ASSERT(sectors_one_reader, !(look_i && fill_i))
  `FAA_ASSERT(sectors_quiet_sweep, !(sweep_i || sweeping_o) || !(look_i || fill_i || look_q || fill_q || data_we_q))
  `FAA_ASSERT(sectors_kept_once, !(look_q || fill_q) || hidden_q || (same & (same - Ways'(1))) == '0)
  `FAA_COVER(sectors_refilled, fill_write && same != '0)
  `FAA_COVER(sectors_replaced, fill_write && same == '0 && valid == '1)
  `FAA_COVER(sectors_entry_unknown, look_q && same != '0 && known == '0)
  `FAA_COVER(sectors_t2, fill_i && !fill_take)
  `FAA_COVER(sectors_t2_look, look_q && hidden_q)
  `FAA_COVER(sectors_dropped, check_q && !empty_q && (valid & overlap) != '0)
  `FAA_COVER(sectors_kept, check_q && !empty_q && (valid & ~overlap) != '0)

endmodule
