// SPDX-License-Identifier: Apache-2.0
//
// Lends a unit that takes warps (shared memory, atomic operations) to the slots of a compute unit,
// warp by warp, round robin. The beats of a warp follow each other, and so do those of its answers.
// The unit returns the number of the slot with answers and done, which go to that slot. A slot sees
// the unit idle when the unit has no warp of this slot, so another slot cannot keep it waiting for
// ever.
//
// No latency; a beat per cycle. Stalls: SLOT-S2 (another slot's warp goes first).
// Hazards: the unit answers in the order of its warps, so an answer that one slot does not take
// blocks those of the others. The slot takes it eventually: it holds an answer back only for its
// own earlier results, at most those of the commands that it has issued. These go to its registers
// or, through its store unit, to memory. Its memory requests are served in turn (faa_cu_ports), and
// memory takes and answers requests without waiting for an answer to be taken.

`include "faa_assert.svh"

module faa_cu_lend #(
  parameter int unsigned Slots = 2,
  parameter int unsigned WarpW = 8,    // bits of a beat
  localparam int unsigned SlotW = Slots > 1 ? $clog2(Slots) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Slots, number n in slice n of each vector
  input  logic [Slots-1:0]       valid_i,
  output logic [Slots-1:0]       ready_o,
  input  logic [Slots-1:0]       last_i,            // the last beat of a warp
  input  logic [Slots-1:0]       result_i,          // answers are wanted
  input  logic [Slots*WarpW-1:0] warp_i,
  output logic [Slots-1:0]       result_valid_o,    // of a beat of answers
  input  logic [Slots-1:0]       result_ready_i,
  output logic [Slots-1:0]       done_o,
  output logic [Slots-1:0]       idle_o,

  // The unit
  output logic                   warp_valid_o,
  input  logic                   warp_ready_i,
  output logic [WarpW-1:0]       warp_o,
  output logic [SlotW-1:0]       warp_slot_o,
  input  logic                   result_valid_i,
  output logic                   result_ready_o,
  input  logic                   result_last_i,     // the last beat of its warp
  input  logic [SlotW-1:0]       result_slot_i,
  input  logic                   done_i,
  input  logic [SlotW-1:0]       done_slot_i
);

  localparam int unsigned CountW = 10;   // warps in a unit

  logic [Slots-1:0] grant;

  faa_arb_hold #(.N(Slots)) u_arb (
    .clk_i, .rst_ni, .req_i(valid_i), .grant_o(grant),
    .served_i(warp_valid_o && warp_ready_i && (grant & last_i) != '0)
  );

  assign warp_valid_o = valid_i != '0;
  assign ready_o      = warp_ready_i ? grant : '0;

  always_comb begin
    warp_o      = warp_i[WarpW-1:0];
    warp_slot_o = '0;
    for (int unsigned n = 1; n < Slots; n++) begin
      if (grant[n]) begin
        warp_o      = warp_i[n*WarpW +: WarpW];
        warp_slot_o = SlotW'(n);
      end
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // Answers, and the warps of a slot that are not done or not answered

  for (genvar n = 0; n < Slots; n++) begin : g_slot
    logic [CountW-1:0] warps_q, results_q;   // not done; without their answers
    logic              beat, taken, begun_q;   // a beat; the last one; some are taken
    logic              asks, answered;         // a warp that wants answers begins; they have ended
    logic              no_warps_q, no_results_q;

    assign result_valid_o[n] = result_valid_i && result_slot_i == SlotW'(n);
    assign done_o[n]         = done_i && done_slot_i == SlotW'(n);
    assign beat              = valid_i[n] && ready_o[n];
    assign taken             = beat && last_i[n];
    assign asks              = beat && !begun_q && result_i[n];
    assign answered          = result_valid_o[n] && result_ready_i[n] && result_last_i;
    assign idle_o[n]         = no_warps_q && no_results_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        warps_q      <= '0;
        results_q    <= '0;
        begun_q      <= 1'b0;
        no_warps_q   <= 1'b1;
        no_results_q <= 1'b1;
      end else begin
        if (beat) begun_q <= !last_i[n];
        // Answers of the first beat may come before the last beat.
        warps_q   <= warps_q + CountW'(taken) - CountW'(done_o[n]);
        results_q <= results_q + CountW'(asks) - CountW'(answered);
        // A warp that ends has been counted, so one that comes meanwhile is not alone.
        if (taken) no_warps_q <= 1'b0;
        else if (done_o[n]) no_warps_q <= warps_q == CountW'(1);
        if (asks) no_results_q <= 1'b0;
        else if (answered) no_results_q <= results_q == CountW'(1);
      end
    end

    `FAA_ASSERT(idle_is_exact, no_warps_q == (warps_q == '0) && no_results_q == (results_q == '0))
    `FAA_ASSERT(done_was_taken, !done_o[n] || warps_q != '0)
    `FAA_ASSERT(result_was_wanted, !result_valid_o[n] || results_q != '0)
  end

  assign result_ready_o = (result_valid_o & result_ready_i) != '0;

  `FAA_COVER(stall_y2, (valid_i & ~grant) != '0)
  `FAA_COVER(answer_of_one_keeps_back_others, result_valid_i && !result_ready_o && (valid_i & ~result_valid_o) != '0)

endmodule
