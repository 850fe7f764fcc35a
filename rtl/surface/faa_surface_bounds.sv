// SPDX-License-Identifier: Apache-2.0
//
// Coordinates of lanes on one surface: compared with its bounds, and clamped, left out or reported
// if they are outside ("Coordinates" and "Bounds" in Documentation/surfaces.rst).
// Combinational.

module faa_surface_bounds #(
  parameter int unsigned Lanes = 32
) (
  input  logic [Lanes-1:0] lanes_i,
  input  faa_surface_pkg::entry_t entry_i,
  input  logic [19:0]   index_i,       // of the header
  input  faa_surface_pkg::coords_t [Lanes-1:0] coords_i,
  input  logic [2:0]    dim_i,
  input  logic          ba_i,
  input  logic [1:0]    clamp_i,
  input  logic [1:0]    size_i,        // log2 of the operation's bytes
  input  logic [36:0]   x_max_i,       // the greatest x, and
  input  logic          none_i,        // there is none (x_max_of)

  output logic [Lanes*36-1:0] xb_o,    // x in bytes
  output logic [Lanes*16-1:0] y_o,
  output logic [Lanes*16-1:0] t_o,     // layer or z
  output logic [Lanes-1:0] out_o,         // lanes that read 0 and drop stores
  output logic          trap_o,
  output logic [4:0]    trap_lane_o,   // the lowest
  output logic [63:0]   trap_address_o
);

  logic        has_y, no_sign, near, none;
  logic [36:0] x_max;

  assign has_y     = faa_surface_pkg::has_y(dim_i);
  assign near      = clamp_i == faa_pkg::CLAMP_NEAR;
  assign no_sign   = dim_i == faa_pkg::DIM_D1_BUFFER && !near;
  assign none      = none_i;
  assign x_max     = x_max_i;

  logic [Lanes-1:0] x_low, x_high, y_low, y_high, t_low, t_high, x_bad, y_bad, t_bad, bad;

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    logic [31:0] x, y, t;
    logic [35:0] nearest;

    assign x = coords_i[l].x;
    assign y = coords_i[l].y;
    assign t = coords_i[l].t;
    assign x_low[l]  = x[31] && !no_sign;
    assign x_high[l] = !x_low[l] && {5'b0, x} > x_max;
    assign y_low[l]  = y[31];
    assign y_high[l] = !y[31] && y > {16'b0, entry_i.y_max};
    assign t_low[l]  = t[31];
    assign t_high[l] = !t[31] && t > {15'b0, entry_i.t_max};
    // Coordinates outside are used only with NEAR.
    assign nearest = x_low[l] ? '0 : x_high[l] ? x_max[35:0] : {4'b0, x};
    assign xb_o[l*36 +: 36] = ba_i ? nearest : nearest << size_i;
    assign y_o[l*16 +: 16]  = y_low[l] ? '0 : y_high[l] ? entry_i.y_max : y[15:0];
    assign t_o[l*16 +: 16]  = t_low[l] ? '0 : t_high[l] ? entry_i.t_max[15:0] : t[15:0];
  end

  assign x_bad  = x_low | x_high | {Lanes{none}};
  assign y_bad  = y_low | y_high;
  assign t_bad  = t_low | t_high;
  assign bad    = (x_bad | y_bad | t_bad) & lanes_i;
  assign out_o  = near ? lanes_i & {Lanes{none}} : bad;
  assign trap_o = clamp_i == faa_pkg::CLAMP_TRAP && bad != '0;

  // The first bad coordinate of the lowest bad lane.
  faa_surface_pkg::coords_t trap;
  logic [31:0] trap_value;
  logic [1:0]  trap_which;
  localparam int unsigned LaneW = Lanes > 1 ? $clog2(Lanes) : 1;
  logic [LaneW-1:0] trap_lane;

  assign trap_lane_o = faa_cu_pkg::lowest(32'(bad));
  assign trap_lane   = LaneW'(trap_lane_o);
  always_comb begin
    trap = coords_i[0];
    for (int unsigned n = 1; n < Lanes; n++) begin
      if (trap_lane == LaneW'(n)) trap = coords_i[n];
    end
  end
  always_comb begin
    if (x_bad[trap_lane]) begin
      trap_which = 2'd0;
      trap_value = trap.x;
    end else if (y_bad[trap_lane]) begin
      trap_which = 2'd1;
      trap_value = trap.y;
    end else begin
      trap_which = has_y ? 2'd2 : 2'd1;
      trap_value = trap.t;
    end
  end
  assign trap_address_o = {10'b0, trap_which, index_i, trap_value};

  logic unused;
  assign unused = ^entry_i;

endmodule
