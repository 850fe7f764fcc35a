// SPDX-License-Identifier: Apache-2.0
//
// Checks and translates the global addresses of the lanes of a warp, and holds the result until it is taken. (Operand streams, which
// go by lines, have faa_cu_pages.)
//
// Lanes are worked off from the lowest, all lanes of one page at once, one page per cycle if it is the page of the
// translation before, else with a request to the TLB, several of which are under way. The first error in lane order ends it: a misaligned lane stops the lanes
// above it from being looked at, so that the error reported is that of the lowest lane.
//
// Latency: start in cycle t, valid_o in t + 2 for one known page, in t + 4 for one that the TLB has, 1 more for each other one. A new start may come in the cycle of the take.
// Stalls: T1 waiting for the TLB (part of STALL_GLOBAL).
// Hazard: an invalidation makes the remembered pages stale: drop_i, while free_o.

`include "faa_assert.svh"

module faa_cu_translate (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          start_i,
  input  logic [31:0]   mask_i,
  input  logic [2047:0] va_i,
  input  logic [1:0]    size_i,          // log2 of the bytes accessed
  input  logic          write_i,
  input  logic          drop_i,          // forget the remembered page
  output logic          free_o,          // start_i may come

  output logic          valid_o,
  input  logic          take_i,
  output logic [31:0]   mask_o,
  output logic [2047:0] pa_o,            // 64 bits a lane, of which 52 are used; 0 until valid_o
  output logic [31:0]   sparse_o,
  output logic [7:0]    error_o,         // enum error
  output logic [4:0]    error_lane_o,
  output logic [63:0]   error_address_o,

  output logic          tr_valid_o,
  input  logic          tr_ready_i,
  output logic [63:0]   tr_va_o,
  output logic          tr_write_o,
  input  logic          tr_rsp_valid_i,
  input  logic [7:0]    tr_rsp_error_i,
  input  logic [63:0]   tr_rsp_pa_i,
  input  logic          tr_rsp_sparse_i
);

  typedef enum logic [1:0] {
    StIdle,
    StRun,
    StValid
  } state_e;

  state_e        state_q;
  logic [2047:0] va_q;
  logic [31:0]   mask_q, pending_q, sparse_q, misaligned, misaligned_q, same, group, left, asked_lanes;
  logic          write_q;
  logic [1279:0] page_q;                 // 40 bits a lane
  logic          known_q, known_write_q, known_sparse_q;
  logic [51:0]   known_va_q;
  logic [39:0]   known_pa_q;
  logic [4:0]    leader, misaligned_lane;
  logic [63:0]   leader_va;
  logic [63:12]  asked_page;
  logic          leader_known, from_known, asked, asking, quiet, granted, fails, failed_q, finished;
  logic [7:0]    error_q;
  logic [4:0]    error_lane_q;
  logic [63:0]   error_address_q;

  // Conditions on the state keep what is not used from being computed: simulation speed.
  always_comb begin
    misaligned = '0;
    if (start_i) begin
      for (int l = 0; l < 32; l++) misaligned[l] = mask_i[l] && (va_i[l*64 +: 3] & ~(3'b111 << size_i)) != 3'b0;
    end
  end

  always_comb begin
    same = '0;
    if (state_q == StRun) begin
      for (int l = 0; l < 32; l++) same[l] = pending_q[l] && va_q[l*64 + 12 +: 52] == leader_va[63:12];
    end
  end

  always_comb begin
    pa_o = '0;
    if (state_q == StValid) begin
      for (int l = 0; l < 32; l++) pa_o[l*64 +: 64] = {12'b0, page_q[l*40 +: 40], va_q[l*64 +: 12]};
    end
  end

  for (genvar l = 0; l < 32; l++) begin : g_lane
    always_ff @(posedge clk_i) begin
      if (from_known && same[l]) page_q[l*40 +: 40] <= known_pa_q;
      else if (granted && asked_lanes[l]) page_q[l*40 +: 40] <= tr_rsp_pa_i[51:12];
    end
  end

  assign leader          = faa_cu_pkg::lowest(pending_q);
  assign misaligned_lane = faa_cu_pkg::lowest(misaligned_q);
  assign leader_va       = va_q[{leader, 6'b0} +: 64];

  assign leader_known = known_q && known_va_q == leader_va[63:12] && (!write_q || known_write_q);

  assign from_known = state_q == StRun && pending_q != '0 && !failed_q && !asking && leader_known;
  assign group      = from_known || asked ? same : '0;
  assign left       = pending_q & ~group;
  // Nothing is asked or awaited, and no lane is left, or an error has been found.
  assign finished   = quiet && (left == '0 || failed_q || fails);

  faa_cu_asks u_asks (
    .clk_i, .rst_ni, .run_i(state_q == StRun), .next_i(pending_q != '0 && !failed_q && !leader_known), .lanes_i(same), .page_i(leader_va[63:12]),
    .failed_i(failed_q), .asking_o(asking), .asked_o(asked), .quiet_o(quiet), .granted_o(granted), .fails_o(fails), .lanes_o(asked_lanes),
    .page_o(asked_page), .tr_valid_o, .tr_ready_i, .tr_rsp_valid_i, .tr_rsp_error_i
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      known_q  <= 1'b0;
    end else begin
      case (state_q)
        StIdle: if (start_i) state_q <= StRun;
        StRun: if (finished) state_q <= StValid;
        StValid: if (take_i) state_q <= start_i ? StRun : StIdle;
        default: state_q <= StIdle;
      endcase
      if (drop_i) known_q <= 1'b0;
      else if (granted) known_q <= 1'b1;
    end

    if (granted) begin
      known_va_q     <= asked_page;
      known_pa_q     <= tr_rsp_pa_i[51:12];
      known_sparse_q <= tr_rsp_sparse_i;
      known_write_q  <= write_q;
    end

    if (start_i) begin
      va_q         <= va_i;
      mask_q       <= mask_i;
      misaligned_q <= misaligned;
      // Lanes below the lowest misaligned one; all if there is none.
      pending_q    <= mask_i & ((misaligned & -misaligned) - 32'd1);
      sparse_q     <= '0;
      failed_q     <= 1'b0;
      write_q      <= write_i;
      error_q      <= misaligned != '0 ? faa_pkg::ERROR_MISALIGNED : faa_pkg::ERROR_SUCCESS;
    end else begin
      pending_q <= left;
      sparse_q  <= sparse_q | (from_known && known_sparse_q ? same : '0) | (granted && tr_rsp_sparse_i ? asked_lanes : '0);
      if (fails) begin
        failed_q <= 1'b1;
        error_q  <= tr_rsp_error_i;
      end
    end
    if (fails) begin
      error_lane_q    <= faa_cu_pkg::lowest(asked_lanes);
      error_address_q <= tr_rsp_error_i == faa_pkg::ERROR_BUS_ERROR ? tr_rsp_pa_i
                                                                    : va_q[{faa_cu_pkg::lowest(asked_lanes), 6'b0} +: 64];
    end else if (state_q == StRun && !failed_q) begin
      error_lane_q    <= misaligned_lane;
      error_address_q <= va_q[{misaligned_lane, 6'b0} +: 64];
    end
  end

  assign free_o          = state_q == StIdle;
  assign valid_o         = state_q == StValid;
  assign mask_o          = mask_q;
  assign sparse_o        = sparse_q;
  assign error_o         = error_q;
  assign error_lane_o    = error_lane_q;
  assign error_address_o = error_address_q;
  assign tr_va_o         = leader_va;
  assign tr_write_o      = write_q;

  logic unused;
  assign unused = ^{tr_rsp_pa_i[63:52]};

  `FAA_ASSERT(start_when_free, !start_i || state_q == StIdle || (state_q == StValid && take_i))
  `FAA_ASSERT_STABLE(request_stable, tr_valid_o, tr_ready_i, {tr_va_o, tr_write_o})
  `FAA_COVER(misaligned_above_fault, fails && misaligned_q != '0)

endmodule
