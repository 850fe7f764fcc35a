// SPDX-License-Identifier: Apache-2.0
//
// Checks and translates the addresses of warps of LD, ST and ATOM, and detects whether a warp may
// change memory of its command's own streams.
//
// One page is remembered, of 4 KiB or 2 MiB, with its permissions; an access that needs more
// permissions asks the TLB again. A warp is translated in its first cycle if all its lanes are in
// the remembered page and no stream of the command goes through that page. Otherwise lanes are
// worked off from the lowest, all lanes of one 4 KiB page at once, a page per cycle: from the
// remembered page, or with a request to the TLB. The TLB takes a request per cycle; several are in
// flight. The first error in lane order ends the warp.
//
// The streams that a page belongs to are found by page number: for the 2 MiB at once where these
// are apart from all streams, else by 4 KiB. There are no false negatives; false positives are
// possible.
//
// A warp is compared with the remembered page in the cycle before it is processed; the page does
// not change then. So the result is known when the warp is taken. The address of the leader is kept
// with its lane.
//
// An error is found a cycle after the last page, so that no late signal selects the leader.
//
// Latency: none in the remembered page, else 5 cycles for one page that the TLB has, 2 for one of 4
// KiB in the remembered one, 1 more for each further one. Throughput: a warp per cycle in the
// remembered page.
// Stalls: TRL-S1 (waiting for the TLB, part of STALL_GLOBAL), OPR-S3 (spans_i.ready is awaited).
// Hazard: an invalidation makes the remembered page stale: drop_i, while no warp is looked at.

`include "faa_assert.svh"

module faa_cu_atom_pages #(
  parameter int unsigned Lanes = 32      // of a warp, or of a beat of it
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          drop_i,

  // Pages of the streams d, a, b, c of the command (faa_cu_overlap)
  input  faa_cu_pkg::spans_t spans_i,

  // A warp comes: from the next cycle on it is mask_i, va_i and size_i, and may be looked at
  input  logic          next_i,
  input  logic [Lanes-1:0] next_mask_i,
  input  logic [Lanes*64-1:0] next_va_i,
  input  logic [1:0]    next_size_i,
  input  logic          next_write_i,    // write_i and atomic_i of the next cycle, always
  input  logic          next_atomic_i,

  input  logic          look_i,          // a warp; stays until take_i
  input  logic [Lanes-1:0] mask_i,
  input  logic [Lanes*64-1:0] va_i,
  input  logic [1:0]    size_i,          // log2 of the bytes accessed
  input  logic          write_i,         // permissions that it needs
  input  logic          atomic_i,        // with write_i
  input  logic          take_i,          // with good_o or bad_o
  input  logic [4:0]    pick_i,          // without look_i: address of a lane,
  output logic [63:0]   picked_o,        // in the next cycle

  output logic          good_o,          // with look_i: translated
  output logic          bad_o,           // with look_i: there is an error
  output logic [Lanes*52-1:0] pa_o,
  output logic [Lanes-1:0] sparse_o,
  output logic          own_result_o,    // a lane may be in the result stream,
  output logic          own_operand_o,   // or in an operand stream
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
    StLook,      // the remembered page is enough, or
    StRun,       // page by page
    StValid
  } state_e;

  state_e        state_q;

  // The remembered page; of 2 MiB, the 4 KiB used last. near: these 4 KiB are apart from all
  // streams; wide: the 2 MiB are. Both are as of the page and the streams of the cycle before;
  // settled: page and streams have not changed since. allowed_q: its permissions are enough, as of
  // the cycle before, too.
  logic          known_q, known_write_q, known_atomic_q, known_big_q, known_sparse_q;
  logic          allowed, allowed_q, near_q, settled_q, wide, wide_q;
  logic [63:12]  known_va_q;
  logic [51:12]  known_pa_q;

  localparam int unsigned LaneW = $clog2(Lanes);

  logic [Lanes-1:0] next_bad, next_high, next_low, misaligned, high_match, low_match;
  logic [Lanes-1:0] same, same_wide, group, left, pending_q, sparse_q, asked_lanes;
  logic [31:0]   all_asked;              // of a warp of 32 lanes
  logic [Lanes*40-1:0] page_q;           // 40 bits a lane
  logic [4:0]    leader, leader_q;
  logic [63:0]   leader_va;
  logic          bad_q, beyond_q, outside_q;   // of the warp: a lane is misaligned, not in the
                                               // remembered 2 MiB, not in their 4 KiB
  logic [63:12]  asked_page;
  logic          valid, fast, leader_known, from_known, asked, asking, quiet, none_left, finished;
  logic [3:0]    leader_own, own_q;
  logic          failed_q, fails, granted;
  logic [7:0]    code_q;
  logic [4:0]    error_lane_q;
  logic [63:0]   table_q;                // of a bus error: the table entry

  // -------------------------------------------------------------------------------------------------------------
  // Streams of the command

  // The streams that go through a page; fine: of 4 KiB, else of the 2 MiB around it.
  function automatic logic [3:0] owners(input logic [63:12] page, input logic fine, input logic [3:0] used,
                                        input logic [207:0] low, input logic [207:0] high);
    logic [51:0] l, h;
    for (int s = 0; s < 4; s++) begin
      l = low[s*52 +: 52];
      h = high[s*52 +: 52];
      owners[s] = used[s] && (fine ? page >= l && page <= h : page[63:21] >= l[51:9] && page[63:21] <= h[51:9]);
    end
  endfunction

  always_ff @(posedge clk_i) begin
    near_q    <= owners(known_va_q, 1'b1, spans_i.used, spans_i.low, spans_i.high) == '0;
    wide_q    <= known_big_q && owners(known_va_q, 1'b0, spans_i.used, spans_i.low,
                                       spans_i.high) == '0;
    settled_q <= rst_ni && spans_i.ready && !granted && !from_known;
  end

  // -------------------------------------------------------------------------------------------------------------
  // Lanes in a page: in the remembered one when a warp comes, then in that of the leader.

  for (genvar l = 0; l < Lanes; l++) begin : g_match
    assign next_bad[l] = next_mask_i[l] &&
                         (next_va_i[l*64 +: 3] & ~(3'b111 << next_size_i)) != 3'b0;
    faa_equal #(.Width(43)) u_next_high (
      .a_i(next_va_i[l*64 + 21 +: 43]), .b_i(known_va_q[63:21]), .equal_o(next_high[l])
    );
    faa_equal #(.Width(9)) u_next_low (
      .a_i(next_va_i[l*64 + 12 +: 9]), .b_i(known_va_q[20:12]), .equal_o(next_low[l])
    );

    assign misaligned[l] = mask_i[l] && (va_i[l*64 +: 3] & ~(3'b111 << size_i)) != 3'b0;
    faa_equal #(.Width(43)) u_high (
      .a_i(va_i[l*64 + 21 +: 43]), .b_i(leader_va[63:21]), .equal_o(high_match[l])
    );
    faa_equal #(.Width(9)) u_low (
      .a_i(va_i[l*64 + 12 +: 9]), .b_i(leader_va[20:12]), .equal_o(low_match[l])
    );
  end

  always_ff @(posedge clk_i) begin
    if (next_i) begin
      bad_q     <= next_bad != '0;
      beyond_q  <= (next_mask_i & ~next_high) != '0;
      outside_q <= (next_mask_i & ~(next_high & next_low)) != '0;
    end
  end

  // ----------------------------------------------------------------------------------------------
  // All lanes in the remembered page

  assign wide    = wide_q && settled_q;
  assign allowed = known_q && (known_write_q || !write_i) && (known_atomic_q || !atomic_i);
  always_ff @(posedge clk_i) begin
    allowed_q <= known_q && !drop_i && (known_write_q || !next_write_i) &&
                 (known_atomic_q || !next_atomic_i);
  end
  // Known before it is known whether the warp may be looked at
  assign fast = state_q == StLook && settled_q && allowed_q && !bad_q &&
                (wide_q ? !beyond_q : near_q && !outside_q);

  // -------------------------------------------------------------------------------------------------------------
  // Page by page

  // The lowest lane left; a request that has not been taken keeps it. Once no lane is left, or an
  // error has been found and no request waits to be taken, the lane of the error. Before there is a
  // warp: the lane requested by pick_i.
  logic [LaneW-1:0] asked_lane;
  logic [Lanes-1:0] failed_leads, early_leads;
  logic [Lanes-1:0] others, others_wide, leads;    // leads: the leader as a mask
  logic             no_more, keeps, early, steps_wide;
  // After a step within 4 KiB, and after one within the remembered 2 MiB
  assign others      = pending_q & ~(high_match & low_match);
  assign others_wide = pending_q & ~high_match;
  faa_lowest #(.Width(Lanes)) u_asked (.bits_i(asked_lanes), .index_o(asked_lane));

  always_comb begin
    failed_leads = failed_q ? Lanes'(1) << error_lane_q : misaligned & -misaligned;
    no_more      = pending_q == '0 || (failed_q && !asking);
    early        = state_q == StLook || no_more;
    early_leads  = state_q != StLook ? failed_leads :
                   look_i ? mask_i & -mask_i : Lanes'(1) << pick_i;   // it may be misaligned
    steps_wide   = leader_known && wide && !asking;
    keeps        = state_q == StValid || (state_q == StRun && !no_more && !from_known && !asked);
  end

  // Its number and address come from the mask: to encode the lane first would be deeper.
  logic [63:0] leader_next;
  always_comb begin
    leads = early ? early_leads :
            steps_wide ? others_wide & -others_wide : others & -others;
    leader      = '0;
    leader_next = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      leader      = leader | (leads[l] ? 5'(l) : 5'd0);
      leader_next = leader_next | (leads[l] ? va_i[l*64 +: 64] : 64'd0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!keeps) begin
      leader_q  <= leader;
      leader_va <= leader_next;
    end
  end

  logic leader_high, leader_low;
  faa_equal #(.Width(43)) u_leader_high (
    .a_i(known_va_q[63:21]), .b_i(leader_va[63:21]), .equal_o(leader_high)
  );
  faa_equal #(.Width(9)) u_leader_low (
    .a_i(known_va_q[20:12]), .b_i(leader_va[20:12]), .equal_o(leader_low)
  );
  assign leader_known = allowed && leader_high && (known_big_q || leader_low);
  assign leader_own   = state_q == StRun ? owners(leader_va[63:12], 1'b1, spans_i.used, spans_i.low,
                                                  spans_i.high) : '0;

  assign same_wide = pending_q & high_match;
  assign same      = same_wide & low_match;

  // Lanes requested while a request for their 2 MiB page is in flight may be in that page as well.
  assign from_known = state_q == StRun && pending_q != '0 && !failed_q && !asking && leader_known;
  assign group      = from_known && wide ? same_wide : from_known || asked ? same : '0;
  assign left       = pending_q & ~group;
  // If no lane has been requested; whether the page is known comes late.
  assign none_left  = pending_q == '0 ||
                      ((pending_q & ~(wide ? same_wide : same)) == '0 && leader_known);
  // Nothing is requested or awaited, and no lane is left or an error has been found. An error ends
  // the warp a cycle later: the leader is its lane then.
  assign finished   = quiet && (failed_q || (!fails && none_left && (!bad_q || pending_q == '0)));

  faa_cu_asks u_asks (
    .clk_i, .rst_ni, .run_i(state_q == StRun),
    .next_i(pending_q != '0 && !failed_q && !leader_known), .lanes_i(32'(same)),
    .page_i(leader_va[63:12]), .failed_i(failed_q), .asking_o(asking), .asked_o(asked),
    .quiet_o(quiet), .granted_o(granted), .fails_o(fails), .lanes_o(all_asked), .page_o(asked_page),
    .tr_valid_o, .tr_ready_i, .tr_rsp_valid_i, .tr_rsp_error_i(tr_rsp_i.error)
  );

  assign asked_lanes = all_asked[Lanes-1:0];

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    always_ff @(posedge clk_i) begin
      if (from_known && group[l]) begin
        page_q[l*40 +: 40] <= {known_pa_q[51:21], known_big_q ? va_i[l*64 + 12 +: 9] : known_pa_q[20:12]};
      end else if (granted && asked_lanes[l]) begin
        page_q[l*40 +: 40] <= tr_rsp_i.pa[51:12];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StLook;
      known_q <= 1'b0;
    end else begin
      case (state_q)
        StLook: if (look_i && settled_q && !fast) state_q <= StRun;
        StRun: if (finished) state_q <= StValid;
        default: if (take_i) state_q <= StLook;
      endcase
      if (drop_i) known_q <= 1'b0;
      else if (granted) known_q <= 1'b1;
    end

    if (granted) begin
      known_va_q     <= asked_page;
      known_pa_q     <= tr_rsp_i.pa[51:12];
      known_big_q    <= tr_rsp_i.big;
      known_sparse_q <= tr_rsp_i.sparse;
      known_write_q  <= write_i;
      known_atomic_q <= atomic_i;
    end else if (from_known) begin
      // Of 2 MiB; else it is this page already.
      known_va_q[20:12] <= leader_va[20:12];
    end

    if (state_q == StLook) begin
      // Lanes below the lowest misaligned one; all if there is none.
      pending_q <= mask_i & ~misaligned & (misaligned - Lanes'(1));
      sparse_q  <= '0;
      own_q     <= '0;
      failed_q  <= 1'b0;
    end else begin
      pending_q <= left;
      sparse_q  <= sparse_q | (from_known && known_sparse_q ? group : '0) |
                   (granted && tr_rsp_i.sparse ? asked_lanes : '0);
      if ((from_known && !wide) || asked) own_q <= own_q | leader_own;
      if (fails) failed_q <= 1'b1;
    end
    if (fails) begin
      code_q       <= tr_rsp_i.error;
      error_lane_q <= 5'(asked_lane);
      table_q      <= tr_rsp_i.pa;
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // Outputs

  for (genvar l = 0; l < Lanes; l++) begin : g_pa
    assign pa_o[l*52 +: 12] = va_i[l*64 +: 12];
    assign pa_o[l*52 + 12 +: 40] =
        state_q == StValid ? page_q[l*40 +: 40] :
        {known_pa_q[51:21], known_big_q ? va_i[l*64 + 12 +: 9] : known_pa_q[20:12]};
  end

  assign valid           = good_o || bad_o;
  assign good_o          = fast || (state_q == StValid && !failed_q && !bad_q);
  assign bad_o           = state_q == StValid && (failed_q || bad_q);
  assign sparse_o        = state_q == StValid ? sparse_q : known_sparse_q ? mask_i : '0;
  assign own_result_o    = state_q == StValid && own_q[0];
  assign own_operand_o   = state_q == StValid && own_q[3:1] != '0;
  assign error_o         = state_q == StValid && failed_q ? code_q :
                           bad_q ? faa_pkg::ERROR_MISALIGNED : faa_pkg::ERROR_SUCCESS;
  assign error_lane_o    = leader_q;
  assign error_address_o = failed_q && code_q == faa_pkg::ERROR_BUS_ERROR ? table_q : leader_va;
  assign picked_o        = leader_va;
  assign tr_req_o            = '{va: leader_va, write: write_i, atomic: atomic_i};

  logic unused;
  assign unused = ^{tr_rsp_i.pa[63:52], all_asked, next_va_i};

  logic [LaneW-1:0] lowest_left;         // for an assertion
  faa_lowest #(.Width(Lanes)) u_lowest_left (.bits_i(pending_q), .index_o(lowest_left));

  `FAA_ASSERT(page_rests_when_a_warp_comes, !next_i || state_q == StLook || take_i)
  `FAA_ASSERT(permission_is_settled, !(look_i && settled_q) || allowed_q == allowed)
  `FAA_ASSERT(comparison_is_of_the_warp, !look_i || bad_q == (misaligned != '0))
  `FAA_ASSERT(leader_is_the_lowest, state_q != StRun || no_more ||
              (leader_q == 5'(lowest_left) && leader_va == va_i[{lowest_left, 6'b0} +: 64]))
  `FAA_ASSERT(taken_when_valid, !take_i || (look_i && valid))
  `FAA_ASSERT(bad_is_an_error, !look_i || !valid ||
              bad_o == (error_o != faa_pkg::ERROR_SUCCESS))
  `FAA_ASSERT(looked_at_until_taken, state_q == StLook || look_i)
  `FAA_ASSERT(rests_when_dropped, !drop_i || state_q == StLook)
  `FAA_ASSERT_STABLE(request_stable, tr_valid_o, tr_ready_i, tr_req_o)
  `FAA_COVER(warp_fast, fast && take_i)
  `FAA_COVER(warp_fast_wide, fast && take_i && wide_q)
  `FAA_COVER(own_result, valid && own_result_o)
  `FAA_COVER(own_operand, valid && own_operand_o)
  `FAA_COVER(big_page_near, fast && take_i && known_big_q && !wide_q)
  `FAA_ASSUME(atomic_writes, !look_i || !atomic_i || write_i)
  `FAA_COVER(needs_more, state_q == StLook && look_i && known_q && !allowed && !outside_q)
  `FAA_COVER(stall_o3, look_i && !settled_q && state_q == StLook)
  `FAA_COVER(misaligned_above_fault, fails && misaligned != '0)

endmodule
