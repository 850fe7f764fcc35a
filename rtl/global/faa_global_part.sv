// SPDX-License-Identifier: Apache-2.0
//
// Stage P: rows become parts of warps, which are distributed to the ports that they have lines of,
// and recorded for the answers. A part is one row; 64-bit types have two, of which that with the
// high words comes first.
//
// A port takes the part when it has sent its share of the one before, independent of the other
// ports; the next part is distributed when all ports have taken this one. Each part is recorded
// before the first port has it (note_*), and, if answers are wanted, once more with the data for
// these (record_*); a part without any group has no ports.
//
// Latency: 1 cycle, with Late 2. Throughput: one row per cycle, with Late one in three, of 64-bit
// types two in four. Stalls: GLB-S3 (too many parts are outstanding), GLB-S4 (too many parts that
// want answers are).

`include "faa_assert.svh"

module faa_global_part #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter int unsigned Ports = 1,
  parameter bit          F32 = 1'b1,
  parameter bit          Late = 1'b0,   // a row is taken when the part before has left
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Pairs = Lanes * (Lanes - 1) / 2,
  localparam int unsigned ColourW = faa_global_pkg::COLOUR_W,
  localparam int unsigned RouteW = ColourW + $clog2(Ports)
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Rows and lines (faa_global_front)
  input  logic                         row_valid_i,
  output logic                         row_take_o,
  input  faa_global_pkg::job_t         job_i,
  input  logic [Lanes-1:0][LaneW-1:0]  leader_i,
  input  logic [Lanes-1:0][OffW-1:0]        byte_i,
  input  logic [Lanes-1:0][LaneW-1:0]  rank_i,
  input  logic [Lanes-1:0][RouteW-1:0] route_i,
  input  logic [Lanes-1:0]             member_i,
  input  logic [Lanes-1:0]             first_i,
  input  logic [Lanes-1:0]             last_i,
  input  logic [Lanes-1:0]             name_i,
  input  logic [Pairs-1:0]             pair_i,
  input  logic [Lanes-1:0][31:0]       x_i,
  input  logic [Lanes-1:0][31:0]       y_i,
  input  logic                         lines_valid_i,
  output logic                         lines_take_o,
  input  logic [Lanes-1:0][51:OffW]       lines_i,

  // Notes for the answers
  output logic             note_put_o,
  input  logic             note_room_i,
  output logic [Ports-1:0] note_ports_o,  // ports with operations
  output logic             record_put_o,
  input  logic             record_room_i,

  // To the ports
  output logic [Ports-1:0]            port_valid_o,
  input  logic [Ports-1:0]            port_ready_i,
  output logic [Ports-1:0][Lanes-1:0] port_names_o,  // classes of each port, by their names

  // The part
  output faa_global_pkg::job_t          job_o,
  output logic [Lanes-1:0][LaneW-1:0]   leader_o,
  output logic [Lanes-1:0][OffW-1:0]         byte_o,
  output logic [Lanes-1:0][LaneW-1:0]   rank_o,
  output logic [Lanes-1:0][ColourW-1:0] colour_o,
  output logic [Lanes-1:0]              member_o,
  output logic [Lanes-1:0]              first_o,
  output logic [Lanes-1:0]              last_o,
  output logic [Pairs-1:0]              pair_o,
  output logic [Lanes-1:0][51:OffW]        lines_o,
  output logic [Lanes-1:0][31:0]        x_o,
  output logic [Lanes-1:0][31:0]        b_o,           // of words with even numbers in the line
  output logic [Lanes-1:0][31:0]        y_o,
  output logic [Lanes-1:0][31:0]        b_odd_o,       // of the others
  output logic [Lanes-1:0][31:0]        y_odd_o,

  output logic                         stall_o
);

  logic                         valid_q, noted_q, high, leaves, room, begins;
  logic [Ports-1:0]             taken_q, takes, uses;
  logic [Lanes-1:0]             name_q;
  logic [Lanes-1:0][RouteW-1:0] route_q;
  logic [Lanes-1:0][31:0]       x_odd_q;

  assign high         = job_i.beat.odd;
  assign row_take_o   = row_valid_i && (lines_valid_i || high) && (!valid_q || (!Late && leaves));
  assign lines_take_o = row_take_o && !high;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (!valid_q || leaves) valid_q <= row_take_o && !high;
    if (row_take_o) begin
      job_o    <= job_i;
      leader_o <= leader_i;
      byte_o   <= byte_i;
      rank_o   <= rank_i;
      route_q  <= route_i;
      member_o <= member_i;
      first_o  <= first_i;
      last_o   <= last_i;
      name_q   <= name_i;
      pair_o   <= pair_i;
      lines_o  <= lines_i;
      x_o      <= x_i;
      y_o      <= y_i;
    end
    if (row_take_o && (high || !faa_cu_pkg::is_wide(job_i.beat.typ))) begin
      x_odd_q <= x_i;
      y_odd_o <= y_i;
    end
  end

  // Keys (MIN, MAX on F32) are converted back to values.
  logic keys, is_max;
  assign keys   = F32 && faa_shared_pkg::is_f32_order(job_o.beat);
  assign is_max = job_o.beat.op == faa_pkg::ATOM_OP_MAX;

  for (genvar p = 0; p < Lanes; p++) begin : g_value
    assign b_o[p]      = keys ? faa_float_pkg::f32_unkey(x_o[p], is_max) : x_o[p];
    assign b_odd_o[p]  = keys ? faa_float_pkg::f32_unkey(x_odd_q[p], is_max) : x_odd_q[p];
    assign colour_o[p] = route_q[p][ColourW-1:0];
  end

  // -----------------------------------------------------------------------------------------------
  // Ports that the part has lines of, and ports that take it in this cycle

  for (genvar n = 0; n < Ports; n++) begin : g_port
    if (Ports > 1) begin : g_routed
      for (genvar p = 0; p < Lanes; p++) begin : g_position
        assign port_names_o[n][p] = name_q[p] && route_q[p][RouteW-1:ColourW] ==
                                                 (RouteW-ColourW)'(n);
      end
    end else begin : g_only
      assign port_names_o[n] = name_q;
    end
    assign uses[n] = port_names_o[n] != '0;
  end

  assign room         = note_room_i && (!job_o.beat.result || record_room_i);
  // With Late ports get the part when it has been recorded, so room does not delay them.
  assign begins       = valid_q && (noted_q || (!Late && room));
  assign port_valid_o = begins ? uses & ~taken_q : '0;
  assign takes        = port_valid_o & port_ready_i;
  assign leaves       = begins && (uses & ~taken_q & ~takes) == '0;
  assign note_put_o   = valid_q && !noted_q && room;
  assign note_ports_o = uses;
  assign record_put_o = note_put_o && job_o.beat.result;
  assign stall_o      = valid_q && !noted_q && !room;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || leaves) begin
      noted_q <= 1'b0;
      taken_q <= '0;
    end else begin
      if (note_put_o) noted_q <= 1'b1;
      if (begins) taken_q <= taken_q | takes;
    end
  end

  `FAA_COVER(stall_s3_parts, valid_q && !noted_q && !note_room_i)
  `FAA_COVER(stall_s4, valid_q && !noted_q && note_room_i && !room)
  `FAA_COVER(hazard_h6, note_put_o && uses == '0)

endmodule
