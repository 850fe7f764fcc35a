// SPDX-License-Identifier: Apache-2.0
//
// Checks and translates the global addresses of the lanes of a warp, and holds the result until it
// is taken. (Operand streams, which are translated by lines, use faa_cu_pages.)
//
// Lanes are worked off from the lowest, all lanes of one page at once: one page per cycle if it is
// the page of the last translation, else with a request to the TLB, several of which are in flight.
// The first error in lane order ends the warp: lanes above a misaligned lane are not looked at, so
// the error reported is that of the lowest lane.
//
// With Affine the lanes' addresses are a base and a step, as those of a result stream. Then only
// the address of the lowest lane left is computed in full. Lanes share a page only if their steps
// are below 4096 bytes; 18 bits of their distance from the page of lane 0 distinguish the pages.
// With longer steps every lane has a page of its own.
//
// Latency: start in cycle t, valid_o in t + 2 for one known page, in t + 5 for one that the TLB
// has, 1 more for each further one. A new start may come in the cycle of the take.
// Stalls: TRL-S1 (waiting for the TLB, part of STALL_GLOBAL).
// Hazard: an invalidation makes the remembered pages stale: drop_i, while free_o.

`include "faa_assert.svh"

module faa_cu_translate #(
  parameter bit Affine = 1'b0
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          start_i,
  input  logic [31:0]   mask_i,
  input  logic [2047:0] va_i,            // not with Affine
  input  logic [63:0]   base_i,          // with Affine: address of lane 0,
  input  logic [31:0]   step_i,          // and signed bytes from one lane to the next
  input  logic [1:0]    size_i,          // log2 of the bytes accessed
  input  logic          write_i,
  input  logic          drop_i,          // forget the remembered page
  output logic          free_o,          // start_i may come

  output logic          valid_o,
  input  logic          take_i,
  output logic [31:0]   mask_o,
  output logic [2047:0] pa_o,            // 64 bits a lane, of which 52 are used; with valid_o
  output logic [31:0]   sparse_o,
  output logic [7:0]    error_o,         // enum error
  output logic [4:0]    error_lane_o,
  output logic [63:0]   error_address_o,

  output logic          tr_valid_o,
  input  logic          tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic          tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i
);

  typedef enum logic [1:0] {
    StIdle,
    StRun,
    StValid
  } state_e;

  state_e        state_q;
  logic [383:0]  low_q;                  // 12 bits a lane: the place in its page
  logic [31:0]   mask_q, pending_q, sparse_q, misaligned, misaligned_q, same, group, left, asked_lanes;
  logic          write_q;
  logic [1279:0] page_q;                 // 40 bits a lane
  logic          known_q, known_write_q, known_sparse_q;
  logic [51:0]   known_va_q;
  logic [39:0]   known_pa_q;
  logic [4:0]    leader, leader_q, misaligned_lane, failed_lane;
  logic [63:0]   leader_va;
  logic [63:12]  asked_page;
  logic          leader_known, from_known, asked, asking, quiet, granted, fails, failed_q, finished;
  logic [7:0]    error_q;
  logic [4:0]    error_lane_q;
  logic [63:0]   table_q;                // of a bus error: the table entry

  if (Affine) begin : gen_affine
    logic [575:0] at;                    // from the page of lane 0 on, 18 bits a lane
    logic [191:0] page_of_q;             // pages from that of lane 0, 6 bits a lane
    logic [5:0]   leader_page;
    logic [63:0]  base_q;
    logic [31:0]  step_q;
    logic         near_q;                // lanes may share a page

    faa_cu_lanes #(.Width(18)) u_lanes (
      .base_i ({6'b0, base_i[11:0]}),
      .step_i (step_i[17:0]),
      .value_o(at)
    );

    assign leader_va   = base_q + faa_cu_pkg::times(leader, {{32{step_q[31]}}, step_q});
    assign leader_page = page_of_q[leader*6 +: 6];

    faa_cu_aligned u_aligned (
      .mask_i, .base_i(base_i[2:0]), .step_i(step_i[2:0]), .size_i, .misaligned_o(misaligned)
    );

    for (genvar l = 0; l < 32; l++) begin : g_lane
      assign same[l] = pending_q[l] && (near_q ? page_of_q[l*6 +: 6] == leader_page
                                                  : leader == 5'(l));

      always_ff @(posedge clk_i) begin
        if (start_i) begin
          low_q[l*12 +: 12]   <= at[l*18 +: 12];
          page_of_q[l*6 +: 6] <= at[l*18 + 12 +: 6];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (start_i) begin
        base_q <= base_i;
        step_q <= step_i;
        near_q <= step_i[31:12] == '0 || step_i[31:12] == '1;
      end
    end

    logic unused_general;
    assign unused_general = ^va_i;
  end else begin : gen_general
    logic [1663:0] page_va_q;            // 52 bits a lane
    assign leader_va = {page_va_q[leader*52 +: 52], low_q[leader*12 +: 12]};

    for (genvar l = 0; l < 32; l++) begin : g_lane
      assign misaligned[l] = mask_i[l] && (va_i[l*64 +: 3] & ~(3'b111 << size_i)) != 3'b0;
      assign same[l] = pending_q[l] && page_va_q[l*52 +: 52] == leader_va[63:12];

      always_ff @(posedge clk_i) begin
        if (start_i) begin
          low_q[l*12 +: 12]     <= va_i[l*64 +: 12];
          page_va_q[l*52 +: 52] <= va_i[l*64 + 12 +: 52];
        end
      end
    end

    logic unused_affine;
    assign unused_affine = ^{base_i, step_i};
  end

  for (genvar l = 0; l < 32; l++) begin : g_pa
    assign pa_o[l*64 +: 64] = {12'b0, page_q[l*40 +: 40], low_q[l*12 +: 12]};
  end

  for (genvar l = 0; l < 32; l++) begin : g_lane
    always_ff @(posedge clk_i) begin
      if (from_known && same[l]) page_q[l*40 +: 40] <= known_pa_q;
      else if (granted && asked_lanes[l]) page_q[l*40 +: 40] <= tr_rsp_i.pa[51:12];
    end
  end

  logic [4:0]  first_lane, next_lane, asked_lane;
  faa_lowest u_first (.bits_i(mask_i), .index_o(first_lane));
  faa_lowest u_next (.bits_i(left), .index_o(next_lane));
  faa_lowest u_asked (.bits_i(asked_lanes), .index_o(asked_lane));
  faa_lowest u_misaligned (.bits_i(misaligned_q), .index_o(misaligned_lane));

  assign leader = leader_q;

  // The lowest lane left; a request that has not been taken keeps it. At the end the lane of the
  // error.
  always_comb begin
    failed_lane = failed_q ? error_lane_q : misaligned_lane;
    if (fails) failed_lane = asked_lane;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) leader_q <= first_lane;   // it may be misaligned
    else if (state_q == StRun) leader_q <= finished ? failed_lane : next_lane;
  end

  logic same_page;
  faa_equal #(.Width(52)) u_same_page (
    .a_i(known_va_q), .b_i(leader_va[63:12]), .equal_o(same_page)
  );
  assign leader_known = known_q && same_page && (!write_q || known_write_q);

  assign from_known = state_q == StRun && pending_q != '0 && !failed_q && !asking && leader_known;
  assign group      = from_known || asked ? same : '0;
  assign left       = pending_q & ~group;
  // Nothing is requested or awaited, and no lane is left or an error has been found.
  assign finished   = quiet && (left == '0 || failed_q || fails);

  faa_cu_asks u_asks (
    .clk_i, .rst_ni, .run_i(state_q == StRun), .next_i(pending_q != '0 && !failed_q && !leader_known), .lanes_i(same), .page_i(leader_va[63:12]),
    .failed_i(failed_q), .asking_o(asking), .asked_o(asked), .quiet_o(quiet), .granted_o(granted), .fails_o(fails), .lanes_o(asked_lanes),
    .page_o(asked_page), .tr_valid_o, .tr_ready_i, .tr_rsp_valid_i, .tr_rsp_error_i(tr_rsp_i.error)
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
      known_pa_q     <= tr_rsp_i.pa[51:12];
      known_sparse_q <= tr_rsp_i.sparse;
      known_write_q  <= write_q;
    end

    if (start_i) begin
      mask_q       <= mask_i;
      misaligned_q <= misaligned;
      // Lanes below the lowest misaligned one; all if there is none.
      pending_q    <= mask_i & ~misaligned & (misaligned - 32'd1);
      sparse_q     <= '0;
      failed_q     <= 1'b0;
      write_q      <= write_i;
      error_q      <= misaligned != '0 ? faa_pkg::ERROR_MISALIGNED : faa_pkg::ERROR_SUCCESS;
    end else begin
      pending_q <= left;
      sparse_q  <= sparse_q | (from_known && known_sparse_q ? same : '0) |
                   (granted && tr_rsp_i.sparse ? asked_lanes : '0);
      if (fails) begin
        failed_q <= 1'b1;
        error_q  <= tr_rsp_i.error;
      end
    end
    if (fails) begin
      error_lane_q <= failed_lane;
      table_q      <= tr_rsp_i.pa;
    end
  end

  assign free_o          = state_q == StIdle;
  assign valid_o         = state_q == StValid;
  assign mask_o          = mask_q;
  assign sparse_o        = sparse_q;
  assign error_o         = error_q;
  assign error_lane_o    = leader_q;
  assign error_address_o = error_q == faa_pkg::ERROR_BUS_ERROR ? table_q : leader_va;
  assign tr_req_o            = '{va: leader_va, write: write_q, atomic: 1'b0};

  logic unused;
  assign unused = ^{tr_rsp_i.pa[63:52], tr_rsp_i.big};

  `FAA_ASSERT(start_when_free, !start_i || state_q == StIdle || (state_q == StValid && take_i))
  `FAA_ASSERT_STABLE(request_stable, tr_valid_o, tr_ready_i, tr_req_o)
  `FAA_COVER(misaligned_above_fault, fails && misaligned_q != '0)

endmodule
