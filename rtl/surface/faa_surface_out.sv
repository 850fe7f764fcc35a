// SPDX-License-Identifier: Apache-2.0
//
// Stage O of faa_surface: joins the passes of a warp, and gives its addresses in beats of Lanes
// lanes.
//
// With 32 lanes the warp is in registers. Else each lane of a beat has a RAM with the rows of two
// warps: the passes of one come while the beats of the other one leave.
//
// Latency: 1 cycle from the last pass, with fewer than 32 lanes 2. Throughput: a pass and a beat
// per cycle; with fewer than 32 lanes a warp waits until the cycle after the last beat of the one
// before, so that no pass waits for ready_i in the same cycle. Stalls: SUR-S3 (access takes no
// beat). Hazards: SUR-H3 (an error of a pass comes before that of a lower lane is known: the error
// of the lowest lane is used).

`include "faa_assert.svh"

module faa_surface_out #(
  parameter int unsigned Lanes = 32,         // of a beat: 32, 16, 8 or 4
  parameter int unsigned SurfaceLanes = Lanes // of a pass, 1 to Lanes
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                flush_i,       // drop all warps

  input  logic                valid_i,
  output logic                ready_o,
  input  faa_surface_pkg::pass_t pass_i,
  input  logic [SurfaceLanes*48-1:0] va_i,   // of its lanes, which are in one beat

  output logic                valid_o,
  input  logic                ready_i,
  output logic                done_o,        // the last beat is taken
  output faa_cu_pkg::part_t   part_o,
  output logic [Lanes*64-1:0] va_o,
  output logic [31:0]         null_o,        // of the warp, like the next ones
  output logic                sign_o,
  output logic [7:0]          error_o,
  output logic [4:0]          lane_o,
  output logic [63:0]         address_o,
  output logic                idle_o
);

  localparam int unsigned Beats = 32 / Lanes;

  typedef struct packed {
    logic [31:0] null_lanes;
    logic        sign;
    logic [7:0]  error;
    logic [4:0]  lane;
    logic [63:0] address;
  } found_t;

  found_t found_q, found;                    // of the warp that is joined; that leaves
  logic   begun_q, full_q, take, keeps, pass;

  assign ready_o = !full_q || take;
  assign pass    = valid_i && ready_o;
  // An error of an earlier pass, in a lower lane, or none in this pass
  assign keeps   = begun_q && (pass_i.error == faa_pkg::ERROR_SUCCESS ||
                               (found_q.error != faa_pkg::ERROR_SUCCESS &&
                                found_q.lane < pass_i.lane));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) begin
      begun_q <= 1'b0;
      full_q  <= 1'b0;
    end else begin
      if (pass) begun_q <= !pass_i.is_last;
      if (ready_o) full_q <= valid_i && pass_i.is_last;
    end
    if (pass) begin
      found_q.null_lanes <= pass_i.null_lanes | (begun_q ? found_q.null_lanes : '0);
      found_q.sign       <= pass_i.sign;
      if (!keeps) begin
        found_q.error   <= pass_i.error;
        found_q.lane    <= pass_i.lane;
        found_q.address <= pass_i.address;
      end
    end
  end

  if (Beats == 1) begin : gen_whole
    for (genvar l = 0; l < 32; l++) begin : g_lane
      logic [47:0] va_q;
      always_ff @(posedge clk_i) if (pass && pass_i.lanes[l]) va_q <= va_i[l%SurfaceLanes*48 +: 48];
      assign va_o[l*64 +: 64] = {16'b0, va_q};
    end

    assign take    = full_q && ready_i;
    assign found   = found_q;
    assign valid_o = full_q;
    assign part_o  = '{last: 1'b1, number: 3'd0};
    assign done_o  = take;
    assign idle_o  = !full_q && !begun_q;

    logic unused_pass;
    assign unused_pass = ^pass_i;
  end else begin : gen_beats
    localparam int unsigned BeatW = $clog2(Beats);

    logic             busy, all_read, near_end, read, next_warp, write_warp, read_warp;
    logic [BeatW:0]   write_at, read_at;
    logic [BeatW-1:0] read_beat;
    logic [Lanes-1:0] lanes;

    faa_cu_deal #(
      .Lanes(Lanes)
    ) u_deal (
      .clk_i,
      .rst_ni,
      .flush_i,
      .begin_i     (take),
      .busy_o      (busy),
      .done_o,
      .all_read_o  (all_read),
      .near_end_o  (near_end),
      .next_warp_o (next_warp),
      .read_o      (read),
      .read_warp_o (read_warp),
      .read_beat_o (read_beat),
      .valid_o,
      .ready_i,
      .part_o
    );

    assign take       = full_q && !busy;
    assign write_warp = next_warp ^ take;
    assign read_at  = {read_warp, read_beat};
    assign write_at = {write_warp, pass_i.beat[BeatW-1:0]};

    always_comb begin
      lanes = '0;
      for (int unsigned n = 0; n < Beats; n++) begin
        if (pass_i.has_va && pass_i.beat == 3'(n)) lanes = pass_i.lanes[n*Lanes +: Lanes];
      end
    end

    always_ff @(posedge clk_i) if (take) found <= found_q;

    for (genvar p = 0; p < Lanes; p++) begin : g_lane
      logic [47:0] va;
      faa_ram_1r1w #(
        .Width(48),
        .Depth(2 * Beats)
      ) u_ram (
        .clk_i,
        .we_i   (pass && lanes[p]),
        .waddr_i(write_at),
        .wdata_i(va_i[p%SurfaceLanes*48 +: 48]),
        .re_i   (read),
        .raddr_i(read_at),
        .rdata_o(va)
      );
      assign va_o[p*64 +: 64] = {16'b0, va};
    end

    assign idle_o = !full_q && !begun_q && !busy;

    logic unused_read;
    assign unused_read = ^{all_read, near_end};

    `FAA_ASSERT(no_read_of_the_row_written, !(read && pass && lanes != '0 && read_at == write_at))
  end

  assign null_o    = found.null_lanes;
  assign sign_o    = found.sign;
  assign error_o   = found.error;
  assign lane_o    = found.lane;
  assign address_o = found.address;

  `FAA_COVER(stall_s3, valid_o && !ready_i)
  `FAA_COVER(hazard_h3, pass && begun_q && pass_i.error != '0 && keeps)
  `FAA_COVER(hazard_h3_lower, pass && begun_q && pass_i.error != '0 && found_q.error != '0 &&
             !keeps)

endmodule
