// SPDX-License-Identifier: Apache-2.0
//
// Turns a texture header into what the lanes need of it: checks ("Surface" in Documentation/surfaces.rst), size and place of the level,
// layer stride, end ("Address"). All levels are gone through, one after the other.
//
// Latency: 5 cycles per level (one level unless BLOCKLINEAR), and 4, or 5 (Late). One header at a time.

`include "faa_assert.svh"

module faa_surface_prepare #(
  // The end of the surface is compared a cycle after it is known: fewer levels
  parameter bit Late = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         start_i,
  input  logic [255:0] header_i,
  output logic         done_o,         // one cycle
  output faa_surface_pkg::entry_t entry_o
);

  typedef enum logic [3:0] {
    StIdle,
    StSize,      // of a level: width, height, depth
    StRow,       // bytes of a row, block size
    StGobs,      // GOBs of a row, rows and slabs of blocks
    StPlane,     // blocks of a slab
    StSum,       // bytes so far
    StStride,
    StTotal,
    StEnd,       // Late: where the surface ends
    StDone
  } state_e;

  state_e       state_q;
  logic [255:0] header_q;

  // -------------------------------------------------------------------------------------------------------------
  // Fields. They are at the same place in all versions that have them.

  logic [2:0]  version, bh_max, bd_max;
  logic [3:0]  kind, mip_max, view_min, view_max, level;
  logic [4:0]  el;
  logic        is_block, is_pitch, is_buffer, has_view, flat, disabled, shape_bad;
  logic [32:0] width;
  logic [16:0] height, layers;
  logic [14:0] slices, depth;
  logic [15:0] pitch;

  assign version  = header_q[faa_pkg::TEXTURE_BLOCKLINEAR_HEADER_VERSION_LSB +: faa_pkg::TEXTURE_BLOCKLINEAR_HEADER_VERSION_WIDTH];
  assign kind     = header_q[faa_pkg::TEXTURE_BLOCKLINEAR_TEXTURE_TYPE_LSB +: faa_pkg::TEXTURE_BLOCKLINEAR_TEXTURE_TYPE_WIDTH];
  assign mip_max  = header_q[faa_pkg::TEXTURE_BLOCKLINEAR_MAX_MIP_LEVEL_LSB +: faa_pkg::TEXTURE_BLOCKLINEAR_MAX_MIP_LEVEL_WIDTH];
  assign view_min = header_q[faa_pkg::TEXTURE_BLOCKLINEAR_RES_VIEW_MIN_MIP_LEVEL_LSB +:
                             faa_pkg::TEXTURE_BLOCKLINEAR_RES_VIEW_MIN_MIP_LEVEL_WIDTH];
  assign view_max = header_q[faa_pkg::TEXTURE_BLOCKLINEAR_RES_VIEW_MAX_MIP_LEVEL_LSB +:
                             faa_pkg::TEXTURE_BLOCKLINEAR_RES_VIEW_MAX_MIP_LEVEL_WIDTH];
  assign bh_max   = header_q[faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_HEIGHT_LSB +:
                             faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_HEIGHT_WIDTH];
  assign bd_max   = header_q[faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_DEPTH_LSB +:
                             faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_DEPTH_WIDTH];
  assign pitch    = header_q[faa_pkg::TEXTURE_PITCH_PITCH_BITS20TO5_LSB +: faa_pkg::TEXTURE_PITCH_PITCH_BITS20TO5_WIDTH];
  assign el       = faa_pkg::texel_bytes(header_q[faa_pkg::TEXTURE_BLOCKLINEAR_COMPONENTS_LSB +:
                                                  faa_pkg::TEXTURE_BLOCKLINEAR_COMPONENTS_WIDTH]);
  assign slices   = {1'b0, header_q[faa_pkg::TEXTURE_BLOCKLINEAR_DEPTH_MINUS_ONE_LSB +:
                                    faa_pkg::TEXTURE_BLOCKLINEAR_DEPTH_MINUS_ONE_WIDTH]} + 15'd1;

  assign is_buffer = version == faa_pkg::HEADER_VERSION_ONE_D_BUFFER;
  assign is_pitch  = version == faa_pkg::HEADER_VERSION_PITCH || version == faa_pkg::HEADER_VERSION_PITCH_COLOR_KEY;
  assign is_block  = version == faa_pkg::HEADER_VERSION_BLOCKLINEAR || version == faa_pkg::HEADER_VERSION_BLOCKLINEAR_COLOR_KEY;
  assign has_view  = version == faa_pkg::HEADER_VERSION_PITCH || version == faa_pkg::HEADER_VERSION_BLOCKLINEAR;
  assign level     = has_view ? view_min : 4'd0;
  assign disabled  = has_view && view_min > view_max;
  assign flat      = kind == faa_pkg::TEXTURE_TYPE_ONE_D || kind == faa_pkg::TEXTURE_TYPE_ONE_D_ARRAY ||
                     kind == faa_pkg::TEXTURE_TYPE_ONE_D_BUFFER;
  assign shape_bad =
      header_q[faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_WIDTH_LSB +: faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_WIDTH_WIDTH] != '0 ||
      header_q[faa_pkg::TEXTURE_BLOCKLINEAR_TILE_WIDTH_IN_GOBS_LSB +: faa_pkg::TEXTURE_BLOCKLINEAR_TILE_WIDTH_IN_GOBS_WIDTH] != '0 ||
      header_q[faa_pkg::TEXTURE_BLOCKLINEAR_GOB3D_LSB] || bh_max > 3'd5 || bd_max > 3'd5;

  assign width  = {1'b0, is_buffer ? header_q[faa_pkg::TEXTURE_ONE_D_BUFFER_WIDTH_MINUS_ONE_BITS31TO16_LSB +: 16] : 16'b0,
                   header_q[faa_pkg::TEXTURE_BLOCKLINEAR_WIDTH_MINUS_ONE_LSB +: 16]} + 33'd1;
  assign height = flat ? 17'd1 : {1'b0, header_q[faa_pkg::TEXTURE_BLOCKLINEAR_HEIGHT_MINUS_ONE_LSB +: 16]} + 17'd1;
  assign depth  = kind == faa_pkg::TEXTURE_TYPE_THREE_D ? slices : 15'd1;

  always_comb begin
    case (kind)
      faa_pkg::TEXTURE_TYPE_ONE_D_ARRAY, faa_pkg::TEXTURE_TYPE_TWO_D_ARRAY: layers = {2'b0, slices};
      faa_pkg::TEXTURE_TYPE_CUBEMAP: layers = 17'd6;
      faa_pkg::TEXTURE_TYPE_CUBEMAP_ARRAY: layers = {slices, 2'b0} + {1'b0, slices, 1'b0};
      default: layers = 17'd1;
    endcase
  end

  // Which dim a texture type of the version suits.
  logic [5:0] dims;
  always_comb begin
    dims = '0;
    case (kind)
      faa_pkg::TEXTURE_TYPE_ONE_D: dims[faa_pkg::DIM_D1] = is_block || is_pitch;
      faa_pkg::TEXTURE_TYPE_ONE_D_BUFFER: dims[faa_pkg::DIM_D1_BUFFER] = is_buffer;
      faa_pkg::TEXTURE_TYPE_ONE_D_ARRAY: dims[faa_pkg::DIM_D1_ARRAY] = is_block;
      faa_pkg::TEXTURE_TYPE_TWO_D, faa_pkg::TEXTURE_TYPE_TWO_D_NO_MIPMAP: dims[faa_pkg::DIM_D2] = is_block || is_pitch;
      faa_pkg::TEXTURE_TYPE_TWO_D_ARRAY, faa_pkg::TEXTURE_TYPE_CUBEMAP, faa_pkg::TEXTURE_TYPE_CUBEMAP_ARRAY:
        dims[faa_pkg::DIM_D2_ARRAY] = is_block;
      faa_pkg::TEXTURE_TYPE_THREE_D: dims[faa_pkg::DIM_D3] = is_block;
      default: ;
    endcase
  end

  // -------------------------------------------------------------------------------------------------------------
  // Levels; sizes in GOBs. What overflows 2^39 stays above it, so the end is seen to be too far.

  logic [3:0]  level_q, last;
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
  logic [47:0] base;
  logic [57:0] sum, finish;
  logic [9:0]  in_block;
  // Of the level that the operation uses
  logic [36:0] view_row_q;
  logic [15:0] view_y_q;
  logic [14:0] view_d_q, view_wg_q;
  logic [38:0] view_slab_q, view_at_q;
  logic [2:0]  view_bh_q, view_bd_q;

  assign last = is_block ? mip_max : 4'd0;
  assign w    = width >> level_q;
  assign h    = height >> level_q;
  assign d    = depth >> level_q;

  // The smallest block that is not higher (deeper) than need be, up to that of the header.
  always_comb begin
    bh = bh_max;
    bd = bd_max;
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
        StIdle: if (start_i) state_q <= StSize;
        StSize: state_q <= StRow;
        StRow: state_q <= StGobs;
        StGobs: state_q <= StPlane;
        StPlane: state_q <= StSum;
        StSum: state_q <= level_q == last ? StStride : StSize;
        StStride: state_q <= StTotal;
        StTotal: state_q <= Late ? StEnd : StDone;
        StEnd: state_q <= StDone;
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
        row_q <= 37'(w_q) * 37'(el);
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
        if (level_q == level) begin
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
        total_q <= is_block ? 57'(layers) * 57'(stride_q[39:0]) : is_pitch ? 57'({pitch, 5'b0}) * 57'(height) : {20'b0, view_row_q};
        far_q   <= is_block && stride_q[58:40] != '0;
      end
      default: ;
    endcase
  end

  assign base = {header_q[faa_pkg::TEXTURE_BLOCKLINEAR_ADDRESS_BITS47TO32_LSB +: 16],
                 header_q[faa_pkg::TEXTURE_ONE_D_BUFFER_ADDRESS_BITS31TO0_LSB +: 32] &
                 (is_block ? 32'hfffffe00 : is_pitch ? 32'hffffffe0 : 32'hffffffff)};

  // The end is at or below 2^48.
  assign sum = {1'b0, total_q} + (is_block ? {19'b0, base[47:9]} : {10'b0, base});
  if (Late) begin : gen_late
    always_ff @(posedge clk_i) finish <= sum;
  end else begin : gen_now
    assign finish = sum;
  end
  // GOBs of a block of level 0, less one: up to 2^10
  assign in_block = ~(10'h3ff << block_q);
  assign too_far = far_q || (is_block ? finish > 58'd1 << 39 : finish > 58'd1 << 48);

  assign bad = el == '0 || too_far || (has_view && view_min > mip_max) || (is_block && shape_bad) ||
               (is_pitch && (mip_max != '0 || {16'b0, pitch, 5'b0} < view_row_q)) ||
               (kind == faa_pkg::TEXTURE_TYPE_TWO_D_NO_MIPMAP && mip_max != '0);

  assign done_o = state_q == StDone;
  always_comb begin
    entry_o          = '0;
    entry_o.disabled = disabled;
    entry_o.dims     = bad ? '0 : dims;
    entry_o.sint     = header_q[faa_pkg::TEXTURE_BLOCKLINEAR_R_DATA_TYPE_LSB +: 3] == faa_pkg::DATA_TYPE_SINT;
    entry_o.block    = is_block;
    entry_o.base     = is_block ? base + {view_at_q, 9'b0} : base;
    entry_o.row      = view_row_q;
    entry_o.y_max    = view_y_q;
    entry_o.t_max    = kind == faa_pkg::TEXTURE_TYPE_THREE_D ? {2'b0, view_d_q} : layers - 17'd1;
    entry_o.u        = kind == faa_pkg::TEXTURE_TYPE_THREE_D ? view_slab_q : stride_q[38:0];
    entry_o.v        = is_block ? {1'b0, view_wg_q} : pitch;
    entry_o.bh       = view_bh_q;
    entry_o.bd       = view_bd_q;
  end

  logic unused;
  assign unused = ^header_q;

  `FAA_ASSERT(one_at_a_time, !start_i || state_q == StIdle)
  `FAA_COVER(all_levels, state_q == StSum && level_q == 4'd15)
  `FAA_COVER(end_at_the_top, state_q == StDone && is_block && finish == 58'd1 << 39)
  `FAA_COVER(end_beyond, state_q == StDone && too_far && !far_q)
  `FAA_COVER(end_far_beyond, state_q == StDone && far_q)

endmodule
