// SPDX-License-Identifier: Apache-2.0
//
// faa_surface_prepare with one adder, for builds where few look-up tables matter more than cycles:
// turns a texture header into the values that the lanes need.
//
// All sums and products use the adder. A product takes a cycle for each bit of its second factor.
// For each level
//
//   Size    width, height and depth, each at least 1
//   Row     bytes of a row; meanwhile rows and slabs of blocks are halved until there is one, or
//           the block is as large as that of the header: that is its size
//   Round   GOBs of a row
//   Plane   GOBs of a slab of blocks whose height and depth are 1 GOB
//   Shift   GOBs of a slab
//   Level   GOBs so far
//
// and after the last one
//
//   Stride  layers begin with a block of level 0
//   Total   bytes (of BLOCKLINEAR GOBs) of all layers
//   End     the end of the surface
//   Check   whether the end is too far
//   Base    the beginning of the level that the operation uses
//
// Latency: up to 60 cycles per level (one level, and 8 cycles, unless BLOCKLINEAR), and 25. One
// header at a time.

`include "faa_assert.svh"

module faa_surface_prepare_serial (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         start_i,
  input  logic [255:0] header_i,       // stable until done_o
  output logic         done_o,         // one cycle
  output faa_surface_pkg::entry_t entry_o
);

  typedef enum logic [3:0] {
    StIdle,
    StSize,
    StRow,
    StRound,
    StPlane,
    StShift,
    StLevel,
    StStride,
    StTotal,
    StEnd,
    StCheck,
    StBase
  } state_e;

  state_e       state_q;
  faa_surface_pkg::fields_t f;

  // Sizes in GOBs. A value that overflows 2^39 stays above it, so the end is found to be too far.
  logic [58:0]  x_q, acc_q, sum_q, sum, left;   // sum_q: of all levels so far
  logic [16:0]  y_q;
  logic         multiply, product_done, add, more_rows, more_slabs, at_view;
  logic [3:0]   level_q, block_q, shift_q;      // block: log2 of the GOBs of one of level 0
  logic [32:0]  w_q;
  logic [16:0]  h_q, h_less;
  logic [14:0]  d_q, d_less, slabs_q;           // less one
  logic [13:0]  rows_q;                         // less one
  logic [2:0]   bh_q, bd_q;
  logic [9:0]   in_block;                       // GOBs of a block of level 0, less one
  logic         far_q, bad_q;
  // Of the level that the operation uses
  logic [36:0]  view_row_q;
  logic [15:0]  view_y_q;
  logic [14:0]  view_d_q, view_wg_q;
  logic [38:0]  view_at_q, u_q;
  logic [2:0]   view_bh_q, view_bd_q;

  faa_surface_fields u_fields (
    .header_i,
    .fields_o(f)
  );

  assign h_less     = h_q == '0 ? '0 : h_q - 17'd1;
  assign d_less     = d_q == '0 ? '0 : d_q - 15'd1;
  assign more_rows  = rows_q != '0 && bh_q != f.bh_max;
  assign more_slabs = slabs_q != '0 && bd_q != f.bd_max;
  assign at_view    = level_q == f.level;
  assign in_block   = ~(10'h3ff << block_q);

  assign multiply     = state_q == StRow || state_q == StPlane || state_q == StLevel ||
                        state_q == StTotal;
  assign product_done = y_q == '0;
  assign add          = !multiply || y_q[0];
  assign left         = state_q == StShift ? sum_q : acc_q;
  assign sum          = left + (x_q & {59{add}});

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle: if (start_i) state_q <= StSize;
        StSize: state_q <= StRow;
        StRow:
          if (product_done && !more_rows && !more_slabs) state_q <= f.is_block ? StRound : StTotal;
        StRound: state_q <= StPlane;
        StPlane: if (product_done) state_q <= StShift;
        StShift: if (shift_q == '0) state_q <= StLevel;
        StLevel: if (product_done) state_q <= level_q == f.last ? StStride : StSize;
        StStride: state_q <= StTotal;
        StTotal: if (product_done) state_q <= StEnd;
        StEnd: state_q <= StCheck;
        StCheck: state_q <= StBase;
        default: state_q <= StIdle;
      endcase
    end

    if (multiply) begin
      x_q <= x_q << 1;
      y_q <= y_q >> 1;
    end
    acc_q <= sum;

    case (state_q)
      StIdle: begin
        level_q <= '0;
        sum_q   <= '0;
        w_q     <= f.width;
        h_q     <= f.height;
        d_q     <= f.depth;
      end
      StSize: begin
        x_q     <= w_q == '0 ? 59'd1 : 59'(w_q);
        y_q     <= 17'(f.el);
        acc_q   <= '0;
        rows_q  <= h_less[16:3];
        slabs_q <= d_less;
        bh_q    <= '0;
        bd_q    <= '0;
        if (at_view) begin
          view_y_q <= h_less[15:0];
          view_d_q <= d_less;
        end
      end
      StRow: begin
        if (more_rows) begin
          rows_q <= rows_q >> 1;
          bh_q   <= bh_q + 3'd1;
        end
        if (more_slabs) begin
          slabs_q <= slabs_q >> 1;
          bd_q    <= bd_q + 3'd1;
        end
        if (product_done && !more_rows && !more_slabs) begin
          if (at_view) begin
            view_row_q <= acc_q[36:0];
            view_bh_q  <= bh_q;
            view_bd_q  <= bd_q;
          end
          if (level_q == '0) block_q <= {1'b0, bh_q} + {1'b0, bd_q};
          // For PITCH and ONE_D_BUFFER this is the last level.
          x_q <= f.is_block ? 59'd63 : 59'({f.pitch, 5'b0});
          y_q <= f.is_pitch ? f.height : '0;
          if (f.is_pitch) acc_q <= '0;
        end
      end
      StRound: begin
        x_q   <= sum >> 6;
        acc_q <= sum >> 6;
        y_q   <= 17'(rows_q);
        if (at_view) view_wg_q <= sum[20:6];
      end
      StPlane:
        if (product_done) begin
          x_q     <= acc_q;
          shift_q <= {1'b0, bh_q} + {1'b0, bd_q};
        end
      StShift: begin
        y_q <= 17'(slabs_q);
        if (shift_q != '0) x_q <= x_q << 1;
        else if (at_view && f.is_3d) u_q <= x_q[38:0];
        shift_q <= shift_q - 4'd1;
      end
      StLevel:
        if (product_done) begin
          if (at_view) view_at_q <= sum_q[38:0];
          sum_q   <= acc_q;
          level_q <= level_q + 4'd1;
          w_q     <= w_q >> 1;
          h_q     <= h_q >> 1;
          d_q     <= d_q >> 1;
          x_q     <= 59'(in_block);
        end
      StStride: begin
        x_q   <= sum & ~59'(in_block);
        y_q   <= f.layers;
        acc_q <= '0;
        far_q <= sum[58:40] != '0;
        if (!f.is_3d) u_q <= sum[38:0] & ~39'(in_block);
      end
      StTotal: if (product_done) x_q <= f.is_block ? 59'(f.base[47:9]) : 59'(f.base);
      StCheck: begin
        // The end is at or below 2^48.
        bad_q <= f.bad || (f.is_pitch && {16'b0, f.pitch, 5'b0} < view_row_q) ||
                 (f.is_block ? far_q || acc_q[58:40] != '0 || (acc_q[39] && acc_q[38:0] != '0)
                             : acc_q[58:49] != '0 || (acc_q[48] && acc_q[47:0] != '0));
        acc_q <= f.is_block ? {11'b0, view_at_q, 9'b0} : '0;
        x_q   <= 59'(f.base);
      end
      default: ;
    endcase
  end

  assign done_o = state_q == StBase;
  assign entry_o = '{
    disabled: f.disabled,
    dims:     bad_q ? '0 : f.dims,
    sint:     f.sint,
    block:    f.is_block,
    base:     sum[47:0],
    row:      view_row_q,
    y_max:    view_y_q,
    t_max:    f.is_3d ? {2'b0, view_d_q} : f.layers - 17'd1,
    u:        u_q,
    v:        f.is_block ? {1'b0, view_wg_q} : f.pitch,
    bh:       view_bh_q,
    bd:       view_bd_q
  };

  `FAA_ASSERT(one_at_a_time, !start_i || state_q == StIdle)
  `FAA_COVER(all_levels, state_q == StLevel && product_done && level_q == 4'd15)
  `FAA_COVER(end_at_the_top, state_q == StEnd && f.is_block && !far_q && sum == 59'd1 << 39)

endmodule
