// SPDX-License-Identifier: Apache-2.0
//
// Gives the operations of a compute unit to its slots; streams of a job stop and wait for each
// other.
//
// RUN begins in all slots of the job in one cycle, and ends when all have ended: a slot keeps its
// result until then. The one context engine moves contexts slot by slot, the lowest first.
//
// A slot that has failed stops the others, until the job is over. Slots at a BAR continue in the
// cycle in which every slot of the job is at a BAR or has ended. A failed slot holds the BAR until
// it has ended; the others have been stopped by then.
//
// Latency: none of its own; one cycle between two contexts. Hazards: none.

`include "faa_assert.svh"

module faa_cu_jobs #(
  parameter int unsigned Slots = 2,
  localparam int unsigned SlotW = Slots > 1 ? $clog2(Slots) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // The unit's operation
  input  logic               job_valid_i,
  output logic               job_ready_o,
  input  faa_bundle_pkg::op_e job_op_i,
  input  logic [Slots-1:0]   job_slots_i,    // the slots concerned, at least one
  output logic               done_valid_o,
  input  logic               done_ready_i,
  output logic [Slots*8-1:0] done_code_o,
  output logic [Slots-1:0]   member_o,       // slots of the last RUN that was accepted
  output logic [Slots-1:0]   ended_o,        // of these: the stream has ended

  // The slots'
  output logic [Slots-1:0]   slot_valid_o,
  input  logic [Slots-1:0]   slot_ready_i,
  input  logic [Slots-1:0]   slot_done_i,
  output logic [Slots-1:0]   slot_done_ready_o,
  input  logic [Slots*8-1:0] slot_code_i,
  input  logic [Slots-1:0]   slot_failed_i,  // stays until its next RUN begins
  output logic [Slots-1:0]   slot_stop_o,
  input  logic [Slots-1:0]   slot_at_bar_i,
  output logic               bar_go_o,

  // The slot whose context is moved, once its operation has begun
  output logic [SlotW-1:0]   context_slot_o
);

  logic             busy_q, run_q, start_q, moving_done;
  logic [Slots-1:0] current_q, left_q, member_q, first, next;
  logic [7:0]       code_q, code;

  assign first = job_slots_i & (~job_slots_i + Slots'(1));
  assign next  = left_q & (~left_q + Slots'(1));

  assign job_ready_o = !busy_q;
  always_comb begin
    slot_valid_o = start_q ? current_q : '0;
    if (!busy_q && job_valid_i) begin
      slot_valid_o = job_op_i == faa_bundle_pkg::OpRun ? job_slots_i : first;
    end
  end

  // A context has been moved, and there are more.
  assign moving_done       = busy_q && !start_q && left_q != '0 && (slot_done_i & current_q) != '0;
  assign done_valid_o      = busy_q && !start_q && left_q == '0 && (current_q & ~slot_done_i) == '0;
  assign slot_done_ready_o = moving_done || (done_valid_o && done_ready_i) ? current_q : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      start_q  <= 1'b0;
      member_q <= '0;
    end else begin
      if (!busy_q) busy_q <= job_valid_i;
      else if (done_valid_o && done_ready_i) busy_q <= 1'b0;
      start_q <= moving_done;
      if (!busy_q && job_valid_i && job_op_i == faa_bundle_pkg::OpRun) member_q <= job_slots_i;
    end

    if (!busy_q) begin
      run_q     <= job_op_i == faa_bundle_pkg::OpRun;
      current_q <= slot_valid_o;
      left_q    <= job_op_i == faa_bundle_pkg::OpRun ? '0 : job_slots_i & ~first;
      code_q    <= faa_pkg::ERROR_SUCCESS;
    end else if (moving_done) begin
      current_q <= next;
      left_q    <= left_q & ~next;
      code_q    <= code_q | code;
    end
  end

  // For contexts slot 0 reports whether one of them could not be moved: SUCCESS, which is 0, or
  // BUS_ERROR.
  always_comb begin
    code = '0;
    for (int unsigned n = 0; n < Slots; n++) if (current_q[n]) code = code | slot_code_i[n*8 +: 8];
    done_code_o = slot_code_i;
    if (!run_q) done_code_o[7:0] = code_q | code;
  end

  always_comb begin
    context_slot_o = '0;
    for (int unsigned n = 0; n < Slots; n++) if (current_q[n]) context_slot_o = SlotW'(n);
  end

  // -------------------------------------------------------------------------------------------------------------
  // Streams of a job

  logic [Slots-1:0] running;
  assign running  = busy_q && run_q ? member_q : '0;
  assign member_o = member_q;
  assign ended_o  = running & slot_done_i;
  for (genvar n = 0; n < Slots; n++) begin : g_stop
    assign slot_stop_o[n] = (running & slot_failed_i & ~(Slots'(1) << n)) != '0;
  end
  assign bar_go_o = (running & ~slot_at_bar_i & ~slot_done_i) == '0;

  `FAA_ASSUME(jobs_have_a_slot, !job_valid_i || job_slots_i != '0)
  `FAA_ASSERT(slots_are_ready, (slot_valid_o & ~slot_ready_i) == '0)
  `FAA_COVER(context_behind_context, start_q)
  `FAA_COVER(streams_wait_for_one, run_q && ended_o != '0 && !done_valid_o)
  `FAA_COVER(streams_meet, bar_go_o && (slot_at_bar_i & (slot_at_bar_i - Slots'(1))) != '0)
  `FAA_COVER(stream_is_stopped, (slot_stop_o & slot_at_bar_i) != '0)

endmodule
