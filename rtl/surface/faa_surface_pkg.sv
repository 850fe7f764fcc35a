// SPDX-License-Identifier: Apache-2.0
//
// Shared by the modules of the surface unit: the configuration of a queue, and a prepared texture
// header.

// Modules that are checked alone use part of the package.
/* verilator lint_off UNUSEDPARAM */
package faa_surface_pkg;

  // Bits of row 255 of the save area that hold the configuration, from byte 32
  // (Documentation/surfaces.rst)
  localparam int unsigned IMAGE_BITS = 224;

  // Set by CONFIG. count: headers of the pool; words: of the constant bank.
  typedef struct packed {
    logic [31:0] helpers;
    logic [47:2] bank;
    logic [13:0] words;
    logic [47:5] pool;
    logic [20:0] count;
  } config_t;

  // A texture header as the lanes need it. For BLOCKLINEAR the unit of u is GOBs (512 bytes), that
  // of v GOBs of a row. For PITCH v is the pitch in 32 bytes.
  typedef struct packed {
    logic        disabled;   // there is no surface
    logic [5:0]  dims;       // bit enum dim: usable by operations of that dim; 0: BAD_HEADER
    logic        sint;       // R_DATA_TYPE
    logic        block;      // BLOCKLINEAR
    logic [47:0] base;       // of the level, layer 0
    logic [36:0] row;        // bytes of a row
    logic [15:0] y_max;
    logic [16:0] t_max;      // greatest layer, or z
    logic [38:0] u;          // layer stride, or slab of blocks of THREE_D
    logic [15:0] v;
    logic [2:0]  bh;         // log2 of the GOBs of a block, in height and depth
    logic [2:0]  bd;
  } entry_t;

  // The fields of a texture header.
  typedef struct packed {
    logic        is_block;   // BLOCKLINEAR
    logic        is_pitch;   // neither: ONE_D_BUFFER
    logic        is_3d;
    logic        disabled;
    logic        bad;        // no operation can use it, for any size
    logic        sint;
    logic [5:0]  dims;       // bit enum dim: dims that texture type and version allow
    logic [4:0]  el;         // bytes of a texel
    logic [2:0]  bh_max;     // log2 of the GOBs of a block, in height and depth
    logic [2:0]  bd_max;
    logic [3:0]  level;      // the level that operations use
    logic [3:0]  last;
    logic [32:0] width;      // of level 0
    logic [16:0] height;
    logic [14:0] depth;
    logic [16:0] layers;
    logic [15:0] pitch;      // 32 bytes
    logic [47:0] base;
  } fields_t;

  // Fields of a pass of a warp that bypass the address arithmetic (faa_surface).
  typedef struct packed {
    logic [31:0] lanes;       // lanes that get an address
    logic [31:0] null_lanes;
    logic        is_last;     // the last pass of its warp
    logic        sign;        // of SD32 and SD64
    logic        has_va;      // the lanes are those of one beat, and have addresses
    faa_cu_pkg::beat_no_t  beat;
    logic [7:0]  error;
    logic [4:0]  lane;
    logic [63:0] address;
  } pass_t;

  // The coordinates of a lane, extended to 32 bits; 0 if absent
  typedef struct packed {
    logic [31:0] t;           // layer or z
    logic [31:0] y;
    logic [31:0] x;
  } coords_t;

  // Is there a y?
  function automatic logic has_y(input logic [2:0] dim);
    has_y = dim == faa_pkg::DIM_D2 || dim == faa_pkg::DIM_D2_ARRAY || dim == faa_pkg::DIM_D3;
  endfunction

  // Those in operand a and, if they are not packed, the register of the third one
  function automatic coords_t coords_of(input logic [63:0] a, input logic [31:0] z,
                                        input logic [2:0] dim, input logic is_packed);
    coords_of.x = is_packed ? {{16{a[15]}}, a[15:0]} : a[31:0];
    coords_of.y = !has_y(dim) ? '0 : is_packed ? {{16{a[31]}}, a[31:16]} : a[63:32];
    case (dim)
      faa_pkg::DIM_D1_ARRAY: coords_of.t = {16'b0, is_packed ? a[31:16] : a[47:32]};
      faa_pkg::DIM_D2_ARRAY: coords_of.t = {16'b0, is_packed ? a[47:32] : z[15:0]};
      faa_pkg::DIM_D3: coords_of.t = is_packed ? {{16{a[47]}}, a[47:32]} : z;
      default: coords_of.t = '0;
    endcase
  endfunction

  // The greatest x in bytes (ba), or items of 2^size bytes, of a row; {there is none, x}.
  function automatic logic [37:0] x_max_of(input logic [36:0] row, input logic [1:0] size,
                                           input logic ba);
    logic [36:0] items;
    items    = row >> size;
    x_max_of = {items == '0, ba ? (items - 37'd1) << size : items - 37'd1};
  endfunction

endpackage
/* verilator lint_on UNUSEDPARAM */
