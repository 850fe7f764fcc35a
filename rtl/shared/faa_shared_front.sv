// SPDX-License-Identifier: Apache-2.0
//
// Stages K to S of the shared memory unit, and the queue before stage X: lanes of a beat are sorted
// by their words and form groups, whose operands are combined.
//
// The pipeline never stalls: a beat enters when the queue has room for it. Relaxed sums take
// longer: other warps wait until none is in flight, so the order is kept.
//
// Throughput: one beat per cycle. Latency to valid_o: Levels + 2 * log2(Lanes) + 9 cycles, Levels
// of the sort; for relaxed sums the latency of faa_shared_relaxed more. Stalls: SHM-S3 (no room),
// SHM-S4 (room_i), SHM-S6 (relaxed sums are in flight).

`include "faa_assert.svh"
`include "shared/faa_shared_bundle.svh"

module faa_shared_front #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned RowW = 9,
  parameter int unsigned OwnerW = 1,
  parameter bit          F32 = 1'b1,
  parameter bit          Sums = 1'b1,
  parameter int unsigned Depth = 128,  // beats inside
  localparam int unsigned WordW = 5 + RowW,
  localparam int unsigned Levels = faa_lanes_pkg::sort_levels(Lanes),
  localparam type        sorted_t = `FAA_SHARED_SORTED(Lanes, WordW)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  // A beat of a warp
  input  logic                         room_i,        // there is room for its warp
  input  logic                         warp_valid_i,
  output logic                         warp_ready_o,
  input  faa_cu_pkg::part_t            warp_part_i,
  input  logic [31:0]                  warp_mask_i,   // of the warp
  input  faa_shared_pkg::beat_t        warp_i,        // first, last and odd are not used
  input  logic [OwnerW-1:0]            warp_owner_i,
  input  logic [Lanes*24-1:0]          warp_addr_i,
  input  logic [Lanes*64-1:0]          warp_b_i,
  input  logic [Lanes*64-1:0]          warp_c_i,

  // For faa_shared_results: a beat that wants answers enters
  output logic                         enter_o,
  output logic [Lanes-1:0]             swap_o,        // 64 bits: the low word is in the odd bank

  // The sorted order of a beat that wants answers
  output logic                         swaps_valid_o,
  output logic [Levels-1:0][Lanes-1:0] swaps_o,

  // Beats for stage X
  output logic                         valid_o,
  input  logic                         ready_i,
  output sorted_t                      sorted_o,

  // Events, counted per cycle
  output logic [5:0]                   ev_passes_o,
  output logic [OwnerW-1:0]            ev_owner_o,
  output logic [5:0]                   ev_groups_o,
  output logic                         ev_stall_window_o,
  output logic                         idle_o
);

  localparam int unsigned LaneW      = $clog2(Lanes);
  localparam int unsigned KeyW       = 6 + RowW + LaneW;
  localparam int unsigned BeatW      = $bits(faa_shared_pkg::beat_t);
  localparam int unsigned ScanCycles = 2 * LaneW + 3;
  localparam int unsigned CountW     = $clog2(Depth + 1);

  // -----------------------------------------------------------------------------------------------
  // K: beats enter while the queue has room for them

  faa_shared_pkg::beat_t       k_beat;
  logic                        go, enters, relaxed, mode_q, k_valid, room_q, take, summed;
  logic [OwnerW-1:0]           k_owner;
  logic [Lanes-1:0][KeyW-1:0]  k_key;
  logic [Lanes-1:0][63:0]      k_data;
  logic [CountW-1:0]           count_q, count_d, relaxed_q;

  assign relaxed = Sums && faa_shared_pkg::is_relaxed(warp_i);
  assign go      = room_q && room_i && (relaxed || !mode_q);
  assign enters  = warp_valid_i && go;

  faa_shared_keys #(
    .Lanes (Lanes),
    .RowW  (RowW),
    .OwnerW(OwnerW)
  ) u_keys (
    .clk_i,
    .rst_ni,
    .go_i   (go),
    .warp_valid_i,
    .warp_ready_o,
    .warp_part_i,
    .warp_mask_i,
    .warp_i,
    .warp_owner_i,
    .warp_addr_i,
    .warp_b_i,
    .warp_c_i,
    .valid_o(k_valid),
    .beat_o (k_beat),
    .owner_o(k_owner),
    .swap_o,
    .key_o  (k_key),
    .data_o (k_data)
  );

  assign enter_o = k_valid && k_beat.result && !k_beat.odd;
  assign take    = valid_o && ready_i;
  assign count_d = count_q + CountW'(enters) - CountW'(take);

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

  assign ev_stall_window_o = warp_valid_i && !go;
  assign idle_o            = count_q == '0;

  // -----------------------------------------------------------------------------------------------
  // SORT, G

  faa_shared_pkg::beat_t        s_beat, g_beat;
  logic                         s_valid, g_valid;
  logic [OwnerW-1:0]            s_owner, g_owner;
  logic [Lanes-1:0][KeyW-1:0]   s_key;
  logic [Lanes-1:0][63:0]       s_data;
  logic [Lanes-1:0][WordW-1:0]  g_word;
  logic [Lanes-1:0]             g_member, g_first, g_last, g_bank_first, g_choice, g_scan;
  logic [Lanes-1:0][31:0]       g_value, g_other;
  logic [Lanes-1:0][LaneW-1:0]  g_next;

  faa_lanes_sort #(
    .Lanes(Lanes),
    .KeyW (KeyW),
    .DataW(64)
  ) u_sort (
    .clk_i,
    .rst_ni,
    .valid_i(k_valid),
    .key_i  (k_key),
    .data_i (k_data),
    .valid_o(s_valid),
    .key_o  (s_key),
    .data_o (s_data),
    .swaps_o
  );

  faa_lanes_delay #(
    .Width (BeatW + OwnerW),
    .Cycles(Levels + 1)
  ) u_sort_beat (
    .clk_i,
    .rst_ni,
    .data_i({k_beat, k_owner}),
    .data_o({s_beat, s_owner})
  );

  assign swaps_valid_o = s_valid && s_beat.result;

  faa_shared_group #(
    .Lanes  (Lanes),
    .RowW   (RowW),
    .F32    (F32),
    .Relaxed(Sums)
  ) u_group (
    .clk_i,
    .rst_ni,
    .valid_i     (s_valid),
    .beat_i      (s_beat),
    .key_i       (s_key),
    .data_i      (s_data),
    .valid_o     (g_valid),
    .beat_o      (g_beat),
    .word_o      (g_word),
    .member_o    (g_member),
    .first_o     (g_first),
    .last_o      (g_last),
    .bank_first_o(g_bank_first),
    .choice_o    (g_choice),
    .scan_o      (g_scan),
    .value_o     (g_value),
    .other_o     (g_other),
    .next_o      (g_next)
  );

  faa_lanes_delay #(
    .Width (OwnerW),
    .Cycles(2)
  ) u_group_owner (
    .clk_i,
    .rst_ni,
    .data_i(s_owner),
    .data_o(g_owner)
  );

  // A beat of odd words has the groups of the beat before it.
  faa_shared_tally #(
    .Lanes (Lanes),
    .OwnerW(OwnerW)
  ) u_tally (
    .clk_i,
    .rst_ni,
    .take_i      (g_valid && !g_beat.odd),
    .owner_i     (g_owner),
    .last_i      (g_last),
    .bank_first_i(g_bank_first),
    .passes_o    (ev_passes_o),
    .groups_o    (ev_groups_o),
    .owner_o     (ev_owner_o)
  );

  // -----------------------------------------------------------------------------------------------
  // SCAN, S

  localparam int unsigned FlagsW = BeatW + Lanes * (WordW + 6 + 2 * LaneW + 32);

  faa_shared_pkg::beat_t       n_beat, c_beat;
  logic                        c_valid, n_valid, m_valid;
  logic [Lanes-1:0][WordW-1:0] n_word;
  logic [Lanes-1:0]            n_member, n_first, n_last, n_choice;
  logic [Lanes-1:0][31:0]      c_value, c_other, n_value, n_other, m_value;
  logic [Lanes-1:0][LaneW-1:0] n_next, n_end;
  logic [1:0][Lanes-1:0]       g_crowd, n_crowd;
  logic [FlagsW-1:0]           n_record, m_record;

  faa_lanes_scan #(
    .Lanes(Lanes)
  ) u_scan (
    .clk_i,
    .rst_ni,
    .valid_i(g_valid),
    .how_i  (faa_shared_pkg::how_of(g_beat)),
    .open_i (g_scan),
    .value_i(g_value),
    .valid_o(c_valid),
    .value_o(c_value)
  );

  // Operands of the division of steps, three cycles before the rest
  faa_lanes_delay #(
    .Width (BeatW + Lanes * 32),
    .Cycles(ScanCycles - 3)
  ) u_scan_other (
    .clk_i,
    .rst_ni,
    .data_i({g_beat, g_other}),
    .data_o({c_beat, c_other})
  );

  faa_shared_steps #(
    .Lanes(Lanes)
  ) u_steps (
    .clk_i,
    .rst_ni,
    .valid_i(c_valid),
    .steps_i(faa_shared_pkg::is_step_group(c_beat)),
    .value_i(c_value),
    .bound_i(c_other),
    .valid_o(n_valid),
    .value_o(n_value)
  );

  faa_lanes_delay #(
    .Width (BeatW + Lanes * 32),
    .Cycles(3)
  ) u_steps_other (
    .clk_i,
    .rst_ni,
    .data_i({c_beat, c_other}),
    .data_o({n_beat, n_other})
  );

  faa_lanes_delay #(
    .Width (Lanes * (WordW + 4)),
    .Cycles(ScanCycles)
  ) u_scan_flags (
    .clk_i,
    .rst_ni,
    .data_i({g_word, g_member, g_first, g_last, g_choice}),
    .data_o({n_word, n_member, n_first, n_last, n_choice})
  );

  faa_shared_ends #(
    .Lanes (Lanes),
    .Cycles(ScanCycles)
  ) u_ends (
    .clk_i,
    .rst_ni,
    .valid_i(g_valid && g_choice != '0),
    .next_i (g_next),
    .next_o (n_next),
    .end_o  (n_end)
  );

  faa_shared_crowd #(
    .Lanes(Lanes)
  ) u_crowd (
    .clk_i,
    .valid_i(g_valid),
    .first_i(g_first),
    .last_i (g_last),
    .crowd_o(g_crowd)
  );

  faa_lanes_delay #(
    .Width (2 * Lanes),
    .Cycles(ScanCycles - 1)
  ) u_scan_crowd (
    .clk_i,
    .rst_ni,
    .data_i(g_crowd),
    .data_o(n_crowd)
  );

  assign n_record = {n_beat, n_word, n_member, n_first, n_last, n_choice, n_next, n_end, n_crowd,
                     n_other};

  faa_shared_sums #(
    .Lanes  (Lanes),
    .Relaxed(Sums),
    .RecordW(FlagsW),
    .Depth  (Depth)
  ) u_sums (
    .clk_i,
    .rst_ni,
    .valid_i  (n_valid),
    .relaxed_i(faa_shared_pkg::is_relaxed(n_beat)),
    .ftz_i    (n_beat.mod[0]),
    .record_i (n_record),
    .member_i (n_member),
    .first_i  (n_first),
    .value_i  (n_value),
    .valid_o  (m_valid),
    .record_o (m_record),
    .value_o  (m_value),
    .summed_o (summed)
  );

  // -----------------------------------------------------------------------------------------------
  // Queue before stage X

  logic space;

  faa_fifo_ram #(
    .Width(FlagsW + Lanes * 32),
    .Depth(Depth)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .valid_i(m_valid),
    .ready_o(space),
    .data_i ({m_record, m_value}),
    .valid_o,
    .ready_i,
    .data_o (sorted_o)
  );

  `FAA_ASSERT(front_has_room, !m_valid || space)
  `FAA_COVER(stall_s6, warp_valid_i && !relaxed && mode_q)
  `FAA_COVER(back_to_back, warp_valid_i && warp_ready_o && k_valid)

endmodule
