// SPDX-License-Identifier: Apache-2.0
//
// Stage K: a warp is taken in beats of Lanes lanes, and each lane gets its key and its place.
//
// Latency: 1 cycle. Throughput: one beat per cycle, a warp per 32 / Lanes cycles. Hazards: none.

module faa_shared_keys #(
  parameter int unsigned Lanes = 32
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      warp_valid_i,
  output logic                      warp_ready_o,  // the last beat is taken
  input  logic [31:0]               warp_mask_i,
  input  faa_shared_pkg::beat_t     warp_i,        // first and last are not used
  input  logic [767:0]              warp_addr_i,
  input  logic [2047:0]             warp_b_i,
  input  logic [2047:0]             warp_c_i,

  output logic                      valid_o,
  input  logic                      ready_i,
  output faa_shared_pkg::beat_t     beat_o,
  output logic [Lanes*32-1:0]       key_o,
  output logic [Lanes*32-1:0]       place_o,       // without the bank
  output logic [Lanes*64-1:0]       b_o,
  output logic [Lanes*64-1:0]       c_o
);

  localparam int unsigned Beats = 32 / Lanes;

  logic [1:0]           number_q;
  logic                 valid_q, ready, take, is_last;
  logic [Lanes-1:0]     mask;
  logic [Lanes*24-1:0]  addr;
  logic [Lanes*64-1:0]  b, c;
  logic [Lanes*32-1:0]  key, place;

  assign ready        = !valid_q || ready_i;
  assign take         = warp_valid_i && ready;
  assign is_last      = number_q == 2'(Beats - 1);
  assign warp_ready_o = ready && is_last;
  assign valid_o      = valid_q;

  // The lanes of this beat
  always_comb begin
    mask = '0;
    addr = '0;
    b    = '0;
    c    = '0;
    if (take) begin
      for (int n = 0; n < Beats; n++) begin
        if (number_q == 2'(n)) begin
          mask = warp_mask_i[n*Lanes +: Lanes];
          addr = warp_addr_i[n*Lanes*24 +: Lanes*24];
          b    = warp_b_i[n*Lanes*64 +: Lanes*64];
          c    = warp_c_i[n*Lanes*64 +: Lanes*64];
        end
      end
    end
  end

  // CAST.SPIN is sorted by banks alone: the lowest lane of a bank comes first.
  function automatic logic [31:0] key_of(input logic [21:0] word, input logic active, input logic wide,
                                         input logic spin, input logic [4:0] lane);
    logic [4:0] bank;
    bank   = faa_shared_pkg::bank_of(word);
    key_of = {4'b0, !active, bank[4:1], bank[0] && !wide, spin ? 17'b0 : word[21:5], lane};
  endfunction

  always_comb begin
    key   = '0;
    place = '0;
    if (take) begin
      for (int l = 0; l < Lanes; l++) begin
        key[l*32 +: 32]   = key_of(addr[l*24 + 2 +: 22], mask[l], faa_cu_pkg::is_wide(warp_i.typ),
                                   faa_shared_pkg::is_spin(warp_i), 5'(l));
        place[l*32 +: 32] = {8'b0, addr[l*24 + 7 +: 17], addr[l*24 +: 2], 5'(l)};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      number_q <= 2'd0;
    end else if (ready) begin
      valid_q <= warp_valid_i;
      if (warp_valid_i) number_q <= is_last ? 2'd0 : number_q + 2'd1;
    end
    if (take) begin
      beat_o       <= warp_i;
      beat_o.first <= number_q == 2'd0;
      beat_o.last  <= is_last;
      key_o        <= key;
      place_o      <= place;
      b_o          <= b;
      c_o          <= c;
    end
  end

endmodule
