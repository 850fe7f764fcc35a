// SPDX-License-Identifier: Apache-2.0
//
// Stage K: each lane of a beat of Lanes lanes gets its key for the sort: {idle, bank, row, lane},
// for CAST.SPIN {idle, bank, lane, row}, so that the lowest lane of a bank comes first. Banks are
// in the order of faa_shared_pkg::place_of.
//
// The path of operands is 32 bits wide. A beat of 64-bit items is taken twice: for the words of
// even banks, then for those of odd banks, with the same order of lanes. A load carries the address
// of its byte as b, a store of 8 or 16 bits as c. swap_o tells faa_shared_results in which of the
// two beats the low word of each lane is.
//
// Latency: 1 cycle. Throughput: one beat per cycle. It takes a beat whenever go_i is 1.

module faa_shared_keys #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned RowW = 9,
  parameter int unsigned OwnerW = 1,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned KeyW = 6 + RowW + LaneW
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic                       go_i,
  input  logic                       warp_valid_i,
  output logic                       warp_ready_o,  // taken, of 64-bit items for the second time
  input  faa_cu_pkg::part_t          warp_part_i,
  input  logic [31:0]                warp_mask_i,   // of the warp
  input  faa_shared_pkg::beat_t      warp_i,        // first, last and odd are not used
  input  logic [OwnerW-1:0]          warp_owner_i,
  input  logic [Lanes*24-1:0]        warp_addr_i,
  input  logic [Lanes*64-1:0]        warp_b_i,
  input  logic [Lanes*64-1:0]        warp_c_i,

  output logic                       valid_o,
  output faa_shared_pkg::beat_t      beat_o,
  output logic [OwnerW-1:0]          owner_o,
  output logic [Lanes-1:0]           swap_o,        // 64 bits: the low word is in the odd bank
  output logic [Lanes-1:0][KeyW-1:0] key_o,
  output logic [Lanes-1:0][63:0]     data_o         // {c, b}
);

  localparam int unsigned Beats = 32 / Lanes;

  logic        odd_q, take, wide, is_last, part;

  assign wide         = faa_cu_pkg::is_wide(warp_i.typ);
  assign take         = warp_valid_i && go_i;
  assign warp_ready_o = go_i && (!wide || odd_q);
  assign is_last      = warp_part_i.last && (!wide || odd_q);
  assign part         = warp_i.func == faa_cu_pkg::SHARED_LOAD || faa_shared_pkg::is_part_store(warp_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      odd_q   <= 1'b0;
    end else begin
      valid_o <= take;
      if (take) odd_q <= wide && !odd_q;
    end
    if (take) begin
      beat_o       <= warp_i;
      beat_o.first <= warp_part_i.number == 3'd0 && !odd_q;
      beat_o.last  <= is_last;
      beat_o.odd   <= odd_q;
      owner_o      <= warp_owner_i;
    end
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_lane
    logic        active, swap, high;
    logic [23:0] addr;
    logic [63:0] b, c;
    logic [4:0]  bank;

    always_comb begin
      active = warp_mask_i[p];
      for (int unsigned n = 1; n < Beats; n++) begin
        if (warp_part_i.number == 3'(n)) active = warp_mask_i[(n*Lanes + p) % 32];
      end
      addr = warp_addr_i[p*24 +: 24];
      b    = warp_b_i[p*64 +: 64];
      c    = warp_c_i[p*64 +: 64];
      swap = faa_shared_pkg::row_swaps(addr[23:7]);
      high = swap ^ odd_q;
      bank = faa_shared_pkg::bank_of(addr[23:2]);
      if (wide) bank[0] = odd_q;
    end

    always_ff @(posedge clk_i) begin
      if (take) begin
        swap_o[p] <= swap;
        key_o[p][KeyW-1 -: 6] <= {!active, faa_shared_pkg::place_of(bank, Lanes)};
        if (faa_shared_pkg::is_spin(warp_i)) key_o[p][0 +: RowW+LaneW] <= {LaneW'(p), addr[7 +: RowW]};
        else key_o[p][0 +: RowW+LaneW] <= {addr[7 +: RowW], LaneW'(p)};
        if (part && !faa_shared_pkg::is_part_store(warp_i)) data_o[p][31:0] <= {30'b0, addr[1:0]};
        else data_o[p][31:0] <= wide && high ? b[63:32] : b[31:0];
        if (part) data_o[p][63:32] <= {30'b0, addr[1:0]};
        else data_o[p][63:32] <= wide && high ? c[63:32] : c[31:0];
      end
    end

    logic unused;
    assign unused = ^addr;
  end

endmodule
