// SPDX-License-Identifier: Apache-2.0
//
// Stage SCAN: the combined effect of the lanes of each group, the number of steps of INC and DEC,
// how many groups of its item come before each group (its rank), and the classes of the groups.
//
// At each position x is the prefix of its group up to the position; for INC and DEC y is the number
// of steps up to it, modulo bound + 1.
//
// Latency: 2 * log2(Lanes) + 3 cycles. Throughput: one beat per cycle. It never stops.

module faa_global_scans #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter int unsigned RouteW = 3,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Pairs = Lanes * (Lanes - 1) / 2
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic                         valid_i,
  input  faa_global_pkg::job_t         job_i,
  input  faa_lanes_pkg::combine_t      how_i,
  input  logic [Lanes-1:0][LaneW-1:0]  leader_i,
  input  logic [Lanes-1:0][OffW-1:0]        byte_i,
  input  logic [Lanes-1:0][RouteW-1:0] route_i,
  input  logic [Lanes-1:0]             member_i,
  input  logic [Lanes-1:0]             first_i,
  input  logic [Lanes-1:0]             last_i,
  input  logic [Lanes-1:0]             item_i,    // has the item of the position before
  input  logic [Lanes-1:0]             open_i,    // x is combined with that of the position before
  input  logic [Lanes-1:0]             count_i,   // steps, too
  input  logic [Lanes-1:0][31:0]       x_i,
  input  logic [Lanes-1:0][31:0]       y_i,       // 0 where steps are counted

  output logic                         valid_o,
  output faa_global_pkg::job_t         job_o,
  output logic [Lanes-1:0][LaneW-1:0]  leader_o,
  output logic [Lanes-1:0][OffW-1:0]        byte_o,
  output logic [Lanes-1:0][RouteW-1:0] route_o,
  output logic [Lanes-1:0]             member_o,
  output logic [Lanes-1:0]             first_o,
  output logic [Lanes-1:0]             last_o,
  output logic [Lanes-1:0][LaneW-1:0]  rank_o,
  output logic [Lanes-1:0]             name_o,
  output logic [Pairs-1:0]             pair_o,
  output logic [Lanes-1:0][31:0]       x_o,
  output logic [Lanes-1:0][31:0]       y_o
);

  localparam int unsigned StepW  = LaneW + 1;
  localparam int unsigned Scan   = 2 * LaneW;
  localparam int unsigned FlagsW = faa_global_pkg::JOB_W + Lanes * (LaneW + OffW + RouteW + 3);

  localparam faa_lanes_pkg::combine_t Adds = '{op: faa_lanes_pkg::COMBINE_ADD, default: '0};

  faa_shared_pkg::beat_t       c_beat;
  logic                        c_valid, steps, unused_count_valid, unused_rank_valid;
  logic [Lanes-1:0][StepW-1:0] ones, c_steps;
  logic [Lanes-1:0][LaneW-1:0] earlier, c_rank, c_leader;
  logic [Lanes-1:0]            c_first;
  logic [Lanes-1:0][31:0]      c_x, c_y, c_steps_or_y;

  assign steps = faa_shared_pkg::is_step_group(c_beat);

  for (genvar p = 0; p < Lanes; p++) begin : g_scanned
    assign ones[p]         = StepW'(1);
    assign earlier[p]      = LaneW'(first_i[p] && item_i[p]);
    assign c_steps_or_y[p] = c_y[p] | (steps ? 32'(c_steps[p]) : 32'b0);
  end

  faa_lanes_scan #(
    .Lanes(Lanes)
  ) u_scan (
    .clk_i,
    .rst_ni,
    .valid_i,
    .how_i,
    .open_i,
    .value_i(x_i),
    .valid_o(c_valid),
    .value_o(c_x)
  );

  faa_lanes_scan #(
    .Lanes(Lanes),
    .Width(StepW)
  ) u_count (
    .clk_i,
    .rst_ni,
    .valid_i,
    .how_i  (Adds),
    .open_i (count_i),
    .value_i(ones),
    .valid_o(unused_count_valid),
    .value_o(c_steps)
  );

  faa_lanes_scan #(
    .Lanes(Lanes),
    .Width(LaneW)
  ) u_rank (
    .clk_i,
    .rst_ni,
    .valid_i,
    .how_i  (Adds),
    .open_i (item_i),
    .value_i(earlier),
    .valid_o(unused_rank_valid),
    .value_o(c_rank)
  );

  faa_lanes_delay #(
    .Width ($bits(faa_shared_pkg::beat_t) + Lanes * (32 + LaneW + 1)),
    .Cycles(Scan)
  ) u_scan_more (
    .clk_i,
    .rst_ni,
    .data_i({job_i.beat, y_i, leader_i, first_i}),
    .data_o({c_beat, c_y, c_leader, c_first})
  );

  faa_shared_steps #(
    .Lanes(Lanes)
  ) u_steps (
    .clk_i,
    .rst_ni,
    .valid_i(c_valid),
    .steps_i(steps),
    .value_i(c_steps_or_y),
    .bound_i(c_x),
    .valid_o,
    .value_o(y_o)
  );

  faa_global_classes #(
    .Lanes(Lanes)
  ) u_classes (
    .clk_i,
    .leader_i(c_leader),
    .rank_i  (c_rank),
    .first_i (c_first),
    .pair_o,
    .name_o
  );

  faa_lanes_delay #(
    .Width (Lanes * (LaneW + 32)),
    .Cycles(3)
  ) u_steps_more (
    .clk_i,
    .rst_ni,
    .data_i({c_rank, c_x}),
    .data_o({rank_o, x_o})
  );

  faa_lanes_delay #(
    .Width (FlagsW),
    .Cycles(Scan + 3)
  ) u_flags (
    .clk_i,
    .rst_ni,
    .data_i({job_i, leader_i, byte_i, route_i, member_i, first_i, last_i}),
    .data_o({job_o, leader_o, byte_o, route_o, member_o, first_o, last_o})
  );

  logic unused;
  assign unused = ^{unused_count_valid, unused_rank_valid};

endmodule
