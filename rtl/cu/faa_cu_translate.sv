// SPDX-License-Identifier: Apache-2.0
//
// Checks and translates the global addresses of the lanes of a warp, and holds the result until it
// is taken. (Operand streams, which are translated by lines, use faa_cu_pages.)
//
// Lanes are worked off from the lowest, all lanes of one page at once: one page per cycle if it is
// the page of the last translation, else with a request to the TLB, several of which are in flight.
// The first error in lane order ends the warp: lanes above a misaligned lane are not looked at, so
// the error reported is that of the lowest lane. An error is found a cycle after the last page, so
// that no late signal selects the leader.
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
  output logic          good_o,          // with valid_o: translated,
  output logic          bad_o,           // or there is an error
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
  logic          leader_known, from_known, asked, asking, quiet, granted, fails, failed_q;
  logic          none_left, finished, any_pending, any_other, any_misaligned;
  logic [7:0]    error_q;
  logic [4:0]    error_lane_q;
  logic [63:0]   table_q;                // of a bus error: the table entry

  if (Affine) begin : gen_affine
    logic [575:0] at;                    // from the page of lane 0 on, 18 bits a lane
    // Lanes that share the page of the lane before, the leader as a mask, and the lanes after those
    // of its page
    logic [31:0]  stays, hot_q, rippled, others;
    logic [31:0]  meets, meets_q;        // stays, unless the step is too long
    logic [63:0]  base_q;
    logic [31:0]  step_q;
    logic         near_q;                // lanes may share a page
    // leader * step, from its multiples by two bits of the leader at a time
    logic [33:0]  three_q;
    logic [63:0]  step, three, low, middle;

    faa_cu_lanes #(.Width(18)) u_lanes (
      .base_i ({6'b0, base_i[11:0]}),
      .step_i (step_i[17:0]),
      .value_o(at)
    );

    assign step        = {{32{step_q[31]}}, step_q};
    assign three       = {{30{three_q[33]}}, three_q};
    assign low         = leader[1] ? (leader[0] ? three : step << 1) : leader[0] ? step : '0;
    assign middle      = leader[3] ? (leader[2] ? three : step << 1) : leader[2] ? step : '0;
    assign leader_va   = base_q + low + (middle << 2) + (leader[4] ? step << 4 : '0);

    faa_cu_aligned u_aligned (
      .mask_i, .base_i(base_i[2:0]), .step_i(step_i[2:0]), .size_i, .misaligned_o(misaligned)
    );

    // Lanes of a page are neighbours, as addresses rise or fall from lane to lane: a carry that
    // enters after the leader clears the bits of stays up to the end of its page.
    assign rippled = stays + {hot_q[30:0], 1'b0};
    assign same    = pending_q & (hot_q | (stays & ~rippled));
    assign others  = pending_q & ~same;

    always_ff @(posedge clk_i) begin
      if (start_i) hot_q <= mask_i & -mask_i;
      else if (from_known || asked) hot_q <= others & -others;
    end

    for (genvar l = 0; l < 32; l++) begin : g_lane
      if (l == 0) begin : g_first
        assign meets[l] = 1'b0;
        assign stays[l] = 1'b0;
      end else begin : g_next
        assign meets[l] = at[l*18 + 12 +: 6] == at[(l-1)*18 + 12 +: 6];
        assign stays[l] = near_q && meets_q[l];
      end

      always_ff @(posedge clk_i) begin
        if (start_i) begin
          low_q[l*12 +: 12] <= at[l*18 +: 12];
          meets_q[l]        <= meets[l];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (start_i) begin
        base_q <= base_i;
        step_q <= step_i;
        three_q <= {{2{step_i[31]}}, step_i} + {step_i[31], step_i, 1'b0};
        near_q <= step_i[31:12] == '0 || step_i[31:12] == '1;
      end
    end

    logic unused_general;
    assign unused_general = ^{va_i, meets_q[0]};
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
  faa_lowest u_next (.bits_i(pending_q & ~same), .index_o(next_lane));
  faa_lowest u_asked (.bits_i(asked_lanes), .index_o(asked_lane));
  faa_lowest u_misaligned (.bits_i(misaligned_q), .index_o(misaligned_lane));

  assign leader = leader_q;

  // The lowest lane left; a request that has not been taken keeps it. Once no lane is left, or an
  // error has been found and no request waits to be taken, the lane of the error.
  logic no_more;
  assign failed_lane = failed_q ? error_lane_q : misaligned_lane;
  assign no_more     = !any_pending || (failed_q && !asking);

  always_ff @(posedge clk_i) begin
    if (start_i) leader_q <= first_lane;   // it may be misaligned
    else if (state_q == StRun && (no_more || from_known || asked)) begin
      leader_q <= no_more ? failed_lane : next_lane;
    end
  end

  logic same_page;
  faa_equal #(.Width(52)) u_same_page (
    .a_i(known_va_q), .b_i(leader_va[63:12]), .equal_o(same_page)
  );
  assign leader_known = known_q && same_page && (!write_q || known_write_q);

  assign from_known = state_q == StRun && any_pending && !failed_q && !asking && leader_known;
  assign group      = from_known || asked ? same : '0;
  assign left       = pending_q & ~group;
  // No lane is left, if none has been requested and none is misaligned: whether the page is known
  // comes late.
  faa_any #(.Width(32)) u_pending (.bits_i(pending_q), .any_o(any_pending));
  faa_any #(.Width(32)) u_others (.bits_i(pending_q & ~same), .any_o(any_other));
  assign none_left  = !any_pending || (!any_other && leader_known);
  // Nothing is requested or awaited, and no lane is left or an error has been found. An error ends
  // the warp a cycle later: the leader is its lane then.
  faa_any #(.Width(32)) u_bad (.bits_i(misaligned_q), .any_o(any_misaligned));
  assign finished   = quiet && (failed_q || (!fails && none_left &&
                                             (!any_misaligned || !any_pending)));

  faa_cu_asks u_asks (
    .clk_i, .rst_ni, .run_i(state_q == StRun),
    .next_i(any_pending && !failed_q && !leader_known), .lanes_i(same), .page_i(leader_va[63:12]),
    .failed_i(failed_q), .asking_o(asking), .asked_o(asked), .quiet_o(quiet), .granted_o(granted),
    .fails_o(fails), .lanes_o(asked_lanes), .page_o(asked_page),
    .tr_valid_o, .tr_ready_i, .tr_rsp_valid_i, .tr_rsp_error_i(tr_rsp_i.error)
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
    end else begin
      // The first cycle of StRun, or a later one, finds a misaligned lane.
      if (state_q == StRun && !failed_q) begin
        error_q <= fails ? tr_rsp_i.error :
                   any_misaligned ? faa_pkg::ERROR_MISALIGNED : faa_pkg::ERROR_SUCCESS;
      end
      pending_q <= left;
      sparse_q  <= sparse_q | (from_known && known_sparse_q ? same : '0) |
                   (granted && tr_rsp_i.sparse ? asked_lanes : '0);
      if (fails) failed_q <= 1'b1;
    end
    if (fails) begin
      error_lane_q <= asked_lane;
      table_q      <= tr_rsp_i.pa;
    end
  end

  // An error of the page that is answered last ends the warp a cycle after that.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || take_i) begin
      good_o <= 1'b0;
      bad_o  <= 1'b0;
    end else if (state_q == StRun && finished) begin
      good_o <= !failed_q && !any_misaligned;
      bad_o  <= failed_q || any_misaligned;
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
  `FAA_ASSERT(good_or_bad, valid_o == (good_o || bad_o) && !(good_o && bad_o))
  `FAA_ASSERT(bad_is_an_error, !valid_o || bad_o == (error_o != faa_pkg::ERROR_SUCCESS))
  `FAA_COVER(misaligned_above_fault, fails && misaligned_q != '0)

endmodule
