// SPDX-License-Identifier: Apache-2.0
//
// Turns a texture header into the values that the lanes need: checks ("Surface" in
// Documentation/surfaces.rst), size and place of the level, layer stride, end ("Address").
// Processes all levels, one after the other.
//
// Latency: 5 cycles per level (one level unless BLOCKLINEAR), and 5. One header at a time.

`include "faa_assert.svh"

module faa_surface_prepare (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         start_i,
  input  logic [255:0] header_i,
  output logic         done_o,         // one cycle
  output faa_surface_pkg::entry_t entry_o
);

  typedef enum logic [3:0] {
    StIdle,
    StFields,    // of the header
    StSize,      // of a level: width, height, depth
    StRow,       // bytes of a row, block size
    StGobs,      // GOBs of a row, rows and slabs of blocks
    StPlane,     // blocks of a slab
    StSum,       // bytes so far
    StStride,
    StTotal,
    StDone
  } state_e;

  state_e       state_q;
  logic [255:0] header_q;

  faa_surface_pkg::fields_t f_d, f;

  faa_surface_fields u_fields (
    .header_i(header_q),
    .fields_o(f_d)
  );
  always_ff @(posedge clk_i) f <= f_d;

  // -------------------------------------------------------------------------------------------------------------
  // Levels; sizes in GOBs. A value that overflows 2^39 stays above it, so the end is found to be
  // too far.

  logic [3:0]  level_q;
  logic [32:0] w, w_q;
  logic [16:0] h, h_q;
  logic [14:0] d, d_q, wg_q, db_q;
  logic [13:0] hb_q;
  logic [36:0] row_q;
  logic [2:0]  bh, bd, bh_q, bd_q;
  logic [28:0] plane_q;
  logic [58:0] size, sum_q, stride_q;
  logic [3:0]  block_q, shift;        // log2 of the GOBs of a block, of level 0
  logic [56:0] total_q;               // GOBs; of PITCH and ONE_D_BUFFER bytes
  logic        far_q, bad, too_far;
  logic [57:0] finish;
  logic [9:0]  in_block;
  // Of the level that the operation uses
  logic [36:0] view_row_q;
  logic [15:0] view_y_q;
  logic [14:0] view_d_q, view_wg_q;
  logic [38:0] view_slab_q, view_at_q;
  logic [2:0]  view_bh_q, view_bd_q;

  assign w = f.width >> level_q;
  assign h = f.height >> level_q;
  assign d = f.depth >> level_q;

  // The smallest block that covers the height (depth), up to that of the header.
  always_comb begin
    bh = f.bh_max;
    bd = f.bd_max;
    for (int n = 5; n > 0; n--) begin
      if (bh == 3'(n) && 17'd8 << (n - 1) >= h_q) bh = 3'(n - 1);
      if (bd == 3'(n) && 15'd1 << (n - 1) >= d_q) bd = 3'(n - 1);
    end
  end

  assign shift = {1'b0, bh_q} + {1'b0, bd_q};
  assign size  = {15'b0, 44'(plane_q) * 44'(db_q)} << shift;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle: if (start_i) state_q <= StFields;
        StFields: state_q <= StSize;
        StSize: state_q <= StRow;
        StRow: state_q <= StGobs;
        StGobs: state_q <= StPlane;
        StPlane: state_q <= StSum;
        StSum: state_q <= level_q == f.last ? StStride : StSize;
        StStride: state_q <= StTotal;
        StTotal: state_q <= StDone;
        default: state_q <= StIdle;
      endcase
    end

    case (state_q)
      StIdle: begin
        if (start_i) header_q <= header_i;
        level_q <= '0;
        sum_q   <= '0;
      end
      StSize: begin
        w_q <= w == '0 ? 33'd1 : w;
        h_q <= h == '0 ? 17'd1 : h;
        d_q <= d == '0 ? 15'd1 : d;
      end
      StRow: begin
        row_q <= 37'(w_q) * 37'(f.el);
        bh_q  <= bh;
        bd_q  <= bd;
      end
      StGobs: begin
        wg_q <= 15'((row_q + 37'd63) >> 6);
        hb_q <= 14'((18'(h_q) + (18'd8 << bh_q) - 18'd1) >> (4'd3 + {1'b0, bh_q}));
        db_q <= 15'((16'(d_q) + (16'd1 << bd_q) - 16'd1) >> bd_q);
      end
      StPlane: plane_q <= 29'(wg_q) * 29'(hb_q);
      StSum: begin
        sum_q   <= sum_q + size;
        level_q <= level_q + 4'd1;
        if (level_q == '0) block_q <= shift;
        if (level_q == f.level) begin
          view_row_q  <= row_q;
          view_y_q    <= 16'(h_q - 17'd1);
          view_d_q    <= d_q - 15'd1;
          view_wg_q   <= wg_q;
          view_slab_q <= 39'(plane_q) << shift;
          view_at_q   <= sum_q[38:0];
          view_bh_q   <= bh_q;
          view_bd_q   <= bd_q;
        end
      end
      StStride: stride_q <= (sum_q + {49'b0, in_block}) & ~{49'b0, in_block};
      StTotal: begin
        total_q <= f.is_block ? 57'(f.layers) * 57'(stride_q[39:0]) :
                   f.is_pitch ? 57'({f.pitch, 5'b0}) * 57'(f.height) : {20'b0, view_row_q};
        far_q   <= f.is_block && stride_q[58:40] != '0;
      end
      default: ;
    endcase
  end

  // The end is at or below 2^48.
  assign finish = {1'b0, total_q} + (f.is_block ? {19'b0, f.base[47:9]} : {10'b0, f.base});
  // GOBs of a block of level 0, less one: up to 2^10
  assign in_block = ~(10'h3ff << block_q);
  assign too_far = far_q || (f.is_block ? finish > 58'd1 << 39 : finish > 58'd1 << 48);

  assign bad = f.bad || too_far || (f.is_pitch && {16'b0, f.pitch, 5'b0} < view_row_q);

  assign done_o = state_q == StDone;
  always_comb begin
    entry_o          = '0;
    entry_o.disabled = f.disabled;
    entry_o.dims     = bad ? '0 : f.dims;
    entry_o.sint     = f.sint;
    entry_o.block    = f.is_block;
    entry_o.base     = f.is_block ? f.base + {view_at_q, 9'b0} : f.base;
    entry_o.row      = view_row_q;
    entry_o.y_max    = view_y_q;
    entry_o.t_max    = f.is_3d ? {2'b0, view_d_q} : f.layers - 17'd1;
    entry_o.u        = f.is_3d ? view_slab_q : stride_q[38:0];
    entry_o.v        = f.is_block ? {1'b0, view_wg_q} : f.pitch;
    entry_o.bh       = view_bh_q;
    entry_o.bd       = view_bd_q;
  end

  `FAA_ASSERT(one_at_a_time, !start_i || state_q == StIdle)
  `FAA_COVER(all_levels, state_q == StSum && level_q == 4'd15)
  `FAA_COVER(end_at_the_top, state_q == StDone && f.is_block && finish == 58'd1 << 39)
  `FAA_COVER(end_beyond, state_q == StDone && too_far && !far_q)
  `FAA_COVER(end_far_beyond, state_q == StDone && far_q)

endmodule
