// SPDX-License-Identifier: Apache-2.0
//
// Stages K to S of the atomic unit for global memory, and their queue: beats of warps become sorted
// rows, with their groups, the combined effects of these, and their classes.
//
// The pipeline never stops: a beat enters when the queue has room for it. Relaxed sums take longer:
// while one is in flight, no other warp enters, so the order is kept.
//
// Throughput: one beat per cycle. Latency to row_valid_o: 3 + Levels + 3 + 2 * log2(Lanes) + 3 + 2
// cycles, Levels of the sort; for relaxed sums the latency of faa_shared_relaxed more. Stalls:
// GLB-S1 (no room), GLB-S6 (relaxed sums are in flight).

`include "faa_assert.svh"

module faa_global_front #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter int unsigned Ports = 1,
  parameter int unsigned Slices = 1,
  parameter bit          F32 = 1'b1,
  parameter bit          Sums = 1'b1,
  parameter int unsigned Depth = 128,   // beats inside
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Pairs = Lanes * (Lanes - 1) / 2,
  localparam int unsigned RouteW = faa_global_pkg::COLOUR_W + $clog2(Ports),
  localparam int unsigned Levels = faa_lanes_pkg::sort_levels(Lanes)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  // A warp
  input  logic                         room_i,         // there is room for its note
  input  logic                         warp_valid_i,
  output logic                         warp_ready_o,
  output logic                         warp_first_o,   // its first beat is taken
  input  logic [31:0]                  warp_mask_i,
  input  logic [31:0]                  warp_sparse_i,
  input  faa_global_pkg::job_t         warp_i,
  input  faa_cu_pkg::part_t            warp_part_i,    // its beat, like the next ones
  input  logic [Lanes*52-1:0]          warp_pa_i,
  input  logic [Lanes*64-1:0]          warp_b_i,
  input  logic [Lanes*64-1:0]          warp_c_i,

  // The sorted order of a beat with answers; lanes on sparse pages that answer 1 or -1
  output logic                         sorted_o,
  output logic [Levels-1:0][Lanes-1:0] swaps_o,
  output logic [Lanes-1:0]             one_o,

  // Rows of sorted beats; lines of the lanes of each beat that is not odd
  output logic                         row_valid_o,
  input  logic                         row_take_i,
  output faa_global_pkg::job_t         job_o,
  output logic [Lanes-1:0][LaneW-1:0]  leader_o,
  output logic [Lanes-1:0][OffW-1:0]        byte_o,
  output logic [Lanes-1:0][LaneW-1:0]  rank_o,
  output logic [Lanes-1:0][RouteW-1:0] route_o,
  output logic [Lanes-1:0]             member_o,
  output logic [Lanes-1:0]             first_o,
  output logic [Lanes-1:0]             last_o,
  output logic [Lanes-1:0]             name_o,
  output logic [Pairs-1:0]             pair_o,
  output logic [Lanes-1:0][31:0]       x_o,
  output logic [Lanes-1:0][31:0]       y_o,
  output logic                         lines_valid_o,
  input  logic                         lines_take_i,
  output logic [Lanes-1:0][51:OffW]       lines_o,

  output logic                         stall_mode_o
);

  localparam int unsigned KeyW   = 1 + OffW + 2 * LaneW;
  localparam int unsigned DataW  = RouteW + 64;
  localparam int unsigned CountW = $clog2(Depth + 1);

  // -----------------------------------------------------------------------------------------------
  // K, L: warps enter while there is room for all of their rows

  faa_global_pkg::job_t        k_job, l_job;
  logic                        go, enters, relaxed, mode_q, room_q, summed, k_valid, l_valid;
  logic [CountW-1:0]           count_q, count_d, relaxed_q;
  logic [Lanes-1:0]            k_active, k_one, k_zero, l_one;
  logic [Lanes-1:0][51:OffW]      k_line;
  logic [Lanes-1:0][OffW-1:0]       k_byte;
  logic [Lanes-1:0][31:0]      k_b, k_c;
  logic [Lanes-1:0][KeyW-1:0]  l_key;
  logic [Lanes-1:0][DataW-1:0] l_data;

  assign relaxed = Sums && faa_shared_pkg::is_relaxed(warp_i.beat);
  assign go      = room_q && room_i && (relaxed || !mode_q);
  assign enters  = warp_valid_i && go;
  assign count_d = count_q + CountW'(enters) - CountW'(row_take_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q   <= '0;
      room_q    <= 1'b0;
      relaxed_q <= '0;
      mode_q    <= 1'b0;
    end else begin
      count_q   <= count_d;
      room_q    <= count_d < CountW'(Depth);
      relaxed_q <= relaxed_q + CountW'(enters && relaxed) - CountW'(summed);
      mode_q    <= (enters && relaxed) || relaxed_q > CountW'(summed);
    end
  end

  assign stall_mode_o = warp_valid_i && !relaxed && mode_q;

  faa_global_keys #(
    .Lanes(Lanes),
    .LineBytes(LineBytes)
  ) u_keys (
    .clk_i,
    .rst_ni,
    .go_i        (go),
    .warp_valid_i,
    .warp_ready_o,
    .warp_first_o,
    .warp_mask_i,
    .warp_sparse_i,
    .warp_i,
    .warp_part_i,
    .warp_pa_i,
    .warp_b_i,
    .warp_c_i,
    .valid_o     (k_valid),
    .job_o       (k_job),
    .active_o    (k_active),
    .one_o       (k_one),
    .zero_o      (k_zero),
    .line_o      (k_line),
    .byte_o      (k_byte),
    .b_o         (k_b),
    .c_o         (k_c)
  );

  faa_global_leaders #(
    .Lanes (Lanes),
    .LineBytes(LineBytes),
    .Ports (Ports),
    .Slices(Slices)
  ) u_leaders (
    .clk_i,
    .rst_ni,
    .valid_i (k_valid),
    .job_i   (k_job),
    .active_i(k_active),
    .zero_i  (k_zero),
    .line_i  (k_line),
    .byte_i  (k_byte),
    .b_i     (k_b),
    .c_i     (k_c),
    .valid_o (l_valid),
    .job_o   (l_job),
    .key_o   (l_key),
    .data_o  (l_data)
  );

  faa_lanes_delay #(
    .Width (Lanes),
    .Cycles(2)
  ) u_one (
    .clk_i,
    .rst_ni,
    .data_i(k_one),
    .data_o(l_one)
  );

  logic lines_room;

  faa_fifo_ram #(
    .Width(Lanes * (52 - OffW)),
    .Depth(Depth)
  ) u_lines (
    .clk_i,
    .rst_ni,
    .valid_i(k_valid && !k_job.beat.odd),
    .ready_o(lines_room),
    .data_i (k_line),
    .valid_o(lines_valid_o),
    .ready_i(lines_take_i),
    .data_o (lines_o)
  );

  // -----------------------------------------------------------------------------------------------
  // SORT, G

  faa_global_pkg::job_t         s_job, g_job;
  faa_lanes_pkg::combine_t      g_how;
  logic                         s_valid, g_valid;
  logic [Lanes-1:0][KeyW-1:0]   s_key;
  logic [Lanes-1:0][DataW-1:0]  s_data;
  logic [Lanes-1:0][LaneW-1:0]  g_leader;
  logic [Lanes-1:0][OffW-1:0]        g_byte;
  logic [Lanes-1:0][RouteW-1:0] g_route;
  logic [Lanes-1:0]             g_member, g_first, g_last, g_item, g_open, g_count;
  logic [Lanes-1:0][31:0]       g_x, g_y;

  faa_lanes_sort #(
    .Lanes(Lanes),
    .KeyW (KeyW),
    .DataW(DataW)
  ) u_sort (
    .clk_i,
    .rst_ni,
    .valid_i(l_valid),
    .key_i  (l_key),
    .data_i (l_data),
    .valid_o(s_valid),
    .key_o  (s_key),
    .data_o (s_data),
    .swaps_o
  );

  faa_lanes_delay #(
    .Width (faa_global_pkg::JOB_W + Lanes),
    .Cycles(Levels + 1)
  ) u_sort_job (
    .clk_i,
    .rst_ni,
    .data_i({l_job, l_one}),
    .data_o({s_job, one_o})
  );

  assign sorted_o = s_valid && s_job.beat.result;

  faa_global_group #(
    .Lanes (Lanes),
    .LineBytes(LineBytes),
    .RouteW(RouteW),
    .F32   (F32),
    .Sums  (Sums)
  ) u_group (
    .clk_i,
    .rst_ni,
    .valid_i (s_valid),
    .job_i   (s_job),
    .key_i   (s_key),
    .data_i  (s_data),
    .valid_o (g_valid),
    .job_o   (g_job),
    .how_o   (g_how),
    .leader_o(g_leader),
    .byte_o  (g_byte),
    .route_o (g_route),
    .member_o(g_member),
    .first_o (g_first),
    .last_o  (g_last),
    .item_o  (g_item),
    .open_o  (g_open),
    .count_o (g_count),
    .x_o     (g_x),
    .y_o     (g_y)
  );

  // -----------------------------------------------------------------------------------------------
  // SCAN, S, and the queue

  localparam int unsigned RecordW = faa_global_pkg::JOB_W + Pairs +
                                    Lanes * (2 * LaneW + OffW + RouteW + 4 + 32);

  faa_global_pkg::job_t         n_job;
  logic                         n_valid, m_valid, room;
  logic [Lanes-1:0][LaneW-1:0]  n_leader, n_rank;
  logic [Lanes-1:0][OffW-1:0]        n_byte;
  logic [Lanes-1:0][RouteW-1:0] n_route;
  logic [Lanes-1:0]             n_member, n_first, n_last, n_name;
  logic [Pairs-1:0]             n_pair;
  logic [Lanes-1:0][31:0]       n_x, n_y, m_x;
  logic [RecordW-1:0]           n_record, m_record;

  faa_global_scans #(
    .Lanes (Lanes),
    .LineBytes(LineBytes),
    .RouteW(RouteW)
  ) u_scans (
    .clk_i,
    .rst_ni,
    .valid_i (g_valid),
    .job_i   (g_job),
    .how_i   (g_how),
    .leader_i(g_leader),
    .byte_i  (g_byte),
    .route_i (g_route),
    .member_i(g_member),
    .first_i (g_first),
    .last_i  (g_last),
    .item_i  (g_item),
    .open_i  (g_open),
    .count_i (g_count),
    .x_i     (g_x),
    .y_i     (g_y),
    .valid_o (n_valid),
    .job_o   (n_job),
    .leader_o(n_leader),
    .byte_o  (n_byte),
    .route_o (n_route),
    .member_o(n_member),
    .first_o (n_first),
    .last_o  (n_last),
    .rank_o  (n_rank),
    .name_o  (n_name),
    .pair_o  (n_pair),
    .x_o     (n_x),
    .y_o     (n_y)
  );

  assign n_record = {n_job, n_leader, n_byte, n_route, n_member, n_first, n_last, n_rank, n_name,
                     n_pair, n_y};

  faa_shared_sums #(
    .Lanes  (Lanes),
    .Relaxed(Sums),
    .RecordW(RecordW),
    .Depth  (Depth)
  ) u_sums (
    .clk_i,
    .rst_ni,
    .valid_i  (n_valid),
    .relaxed_i(faa_shared_pkg::is_relaxed(n_job.beat)),
    .ftz_i    (n_job.beat.mod[0]),
    .record_i (n_record),
    .member_i (n_member),
    .first_i  (n_first),
    .value_i  (n_x),
    .valid_o  (m_valid),
    .record_o (m_record),
    .value_o  (m_x),
    .summed_o (summed)
  );

  faa_fifo_ram #(
    .Width(RecordW + Lanes * 32),
    .Depth(Depth)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .valid_i(m_valid),
    .ready_o(room),
    .data_i ({m_record, m_x}),
    .valid_o(row_valid_o),
    .ready_i(row_take_i),
    .data_o ({job_o, leader_o, byte_o, route_o, member_o, first_o, last_o, rank_o, name_o, pair_o,
              y_o, x_o})
  );

  `FAA_ASSERT(lines_have_room, !(k_valid && !k_job.beat.odd) || lines_room)
  `FAA_ASSERT(rows_have_room, !m_valid || room)
  `FAA_ASSERT(rows_exist, !row_take_i || row_valid_o)
  `FAA_COVER(stall_s1, warp_valid_i && !(room_q && room_i))
  `FAA_COVER(back_to_back, enters && k_valid)
  `FAA_COVER(load_behind_store, enters && warp_i.beat.func == faa_cu_pkg::SHARED_LOAD && k_valid &&
             k_job.beat.func == faa_cu_pkg::SHARED_STORE)
  if (Sums) begin : g_cover
    `FAA_COVER(stall_s6, stall_mode_o)
    `FAA_COVER(hazard_h7, warp_first_o && relaxed && warp_sparse_i != '0 &&
               (warp_mask_i & ~warp_sparse_i) != '0)
  end

endmodule
