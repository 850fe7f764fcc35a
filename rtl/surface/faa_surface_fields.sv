// SPDX-License-Identifier: Apache-2.0
//
// The fields of a texture header and values that depend directly on them ("Surface" in
// Documentation/surfaces.rst). The fields are at the same place in all versions that have them.
// Combinational.

module faa_surface_fields (
  input  logic [255:0] header_i,
  output faa_surface_pkg::fields_t fields_o
);

  logic [2:0]  version, bh_max, bd_max;
  logic [3:0]  kind, mip_max, view_min, view_max;
  logic [4:0]  el;
  logic        is_block, is_pitch, is_buffer, has_view, flat, shape_bad;
  logic [32:0] width;
  logic [16:0] height, layers;
  logic [14:0] slices, depth;
  logic [15:0] pitch;

  assign version  = header_i[faa_pkg::TEXTURE_BLOCKLINEAR_HEADER_VERSION_LSB +: faa_pkg::TEXTURE_BLOCKLINEAR_HEADER_VERSION_WIDTH];
  assign kind     = header_i[faa_pkg::TEXTURE_BLOCKLINEAR_TEXTURE_TYPE_LSB +: faa_pkg::TEXTURE_BLOCKLINEAR_TEXTURE_TYPE_WIDTH];
  assign mip_max  = header_i[faa_pkg::TEXTURE_BLOCKLINEAR_MAX_MIP_LEVEL_LSB +: faa_pkg::TEXTURE_BLOCKLINEAR_MAX_MIP_LEVEL_WIDTH];
  assign view_min = header_i[faa_pkg::TEXTURE_BLOCKLINEAR_RES_VIEW_MIN_MIP_LEVEL_LSB +:
                             faa_pkg::TEXTURE_BLOCKLINEAR_RES_VIEW_MIN_MIP_LEVEL_WIDTH];
  assign view_max = header_i[faa_pkg::TEXTURE_BLOCKLINEAR_RES_VIEW_MAX_MIP_LEVEL_LSB +:
                             faa_pkg::TEXTURE_BLOCKLINEAR_RES_VIEW_MAX_MIP_LEVEL_WIDTH];
  assign bh_max   = header_i[faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_HEIGHT_LSB +:
                             faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_HEIGHT_WIDTH];
  assign bd_max   = header_i[faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_DEPTH_LSB +:
                             faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_DEPTH_WIDTH];
  assign pitch    = header_i[faa_pkg::TEXTURE_PITCH_PITCH_BITS20TO5_LSB +: faa_pkg::TEXTURE_PITCH_PITCH_BITS20TO5_WIDTH];
  assign el       = faa_pkg::texel_bytes(header_i[faa_pkg::TEXTURE_BLOCKLINEAR_COMPONENTS_LSB +:
                                                  faa_pkg::TEXTURE_BLOCKLINEAR_COMPONENTS_WIDTH]);
  assign slices   = {1'b0, header_i[faa_pkg::TEXTURE_BLOCKLINEAR_DEPTH_MINUS_ONE_LSB +:
                                    faa_pkg::TEXTURE_BLOCKLINEAR_DEPTH_MINUS_ONE_WIDTH]} + 15'd1;

  assign is_buffer = version == faa_pkg::HEADER_VERSION_ONE_D_BUFFER;
  assign is_pitch  = version == faa_pkg::HEADER_VERSION_PITCH || version == faa_pkg::HEADER_VERSION_PITCH_COLOR_KEY;
  assign is_block  = version == faa_pkg::HEADER_VERSION_BLOCKLINEAR || version == faa_pkg::HEADER_VERSION_BLOCKLINEAR_COLOR_KEY;
  assign has_view  = version == faa_pkg::HEADER_VERSION_PITCH || version == faa_pkg::HEADER_VERSION_BLOCKLINEAR;
  assign flat      = kind == faa_pkg::TEXTURE_TYPE_ONE_D || kind == faa_pkg::TEXTURE_TYPE_ONE_D_ARRAY ||
                     kind == faa_pkg::TEXTURE_TYPE_ONE_D_BUFFER;
  assign shape_bad =
      header_i[faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_WIDTH_LSB +: faa_pkg::TEXTURE_BLOCKLINEAR_GOBS_PER_BLOCK_WIDTH_WIDTH] != '0 ||
      header_i[faa_pkg::TEXTURE_BLOCKLINEAR_TILE_WIDTH_IN_GOBS_LSB +: faa_pkg::TEXTURE_BLOCKLINEAR_TILE_WIDTH_IN_GOBS_WIDTH] != '0 ||
      header_i[faa_pkg::TEXTURE_BLOCKLINEAR_GOB3D_LSB] || bh_max > 3'd5 || bd_max > 3'd5;

  assign width  = {1'b0, is_buffer ? header_i[faa_pkg::TEXTURE_ONE_D_BUFFER_WIDTH_MINUS_ONE_BITS31TO16_LSB +: 16] : 16'b0,
                   header_i[faa_pkg::TEXTURE_BLOCKLINEAR_WIDTH_MINUS_ONE_LSB +: 16]} + 33'd1;
  assign height = flat ? 17'd1 : {1'b0, header_i[faa_pkg::TEXTURE_BLOCKLINEAR_HEIGHT_MINUS_ONE_LSB +: 16]} + 17'd1;
  assign depth  = kind == faa_pkg::TEXTURE_TYPE_THREE_D ? slices : 15'd1;

  always_comb begin
    case (kind)
      faa_pkg::TEXTURE_TYPE_ONE_D_ARRAY, faa_pkg::TEXTURE_TYPE_TWO_D_ARRAY: layers = {2'b0, slices};
      faa_pkg::TEXTURE_TYPE_CUBEMAP: layers = 17'd6;
      faa_pkg::TEXTURE_TYPE_CUBEMAP_ARRAY: layers = {slices, 2'b0} + {1'b0, slices, 1'b0};
      default: layers = 17'd1;
    endcase
  end

  // Dims that fit a texture type of the version.
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

  assign fields_o = '{
    is_block: is_block,
    is_pitch: is_pitch,
    is_3d:    kind == faa_pkg::TEXTURE_TYPE_THREE_D,
    disabled: has_view && view_min > view_max,
    bad:      el == '0 || (has_view && view_min > mip_max) || (is_block && shape_bad) ||
              (is_pitch && mip_max != '0) ||
              (kind == faa_pkg::TEXTURE_TYPE_TWO_D_NO_MIPMAP && mip_max != '0),
    sint:     header_i[faa_pkg::TEXTURE_BLOCKLINEAR_R_DATA_TYPE_LSB +: 3] ==
              faa_pkg::DATA_TYPE_SINT,
    dims:     dims,
    el:       el,
    bh_max:   bh_max,
    bd_max:   bd_max,
    level:    has_view ? view_min : 4'd0,
    last:     is_block ? mip_max : 4'd0,
    width:    width,
    height:   height,
    depth:    depth,
    layers:   layers,
    pitch:    pitch,
    base:     {header_i[faa_pkg::TEXTURE_BLOCKLINEAR_ADDRESS_BITS47TO32_LSB +: 16],
               header_i[faa_pkg::TEXTURE_ONE_D_BUFFER_ADDRESS_BITS31TO0_LSB +: 32] &
               (is_block ? 32'hfffffe00 : is_pitch ? 32'hffffffe0 : 32'hffffffff)}
  };

  logic unused;
  assign unused = ^header_i;

endmodule
