// SPDX-License-Identifier: Apache-2.0
//
// State of one hardware queue: head, life cycle (Documentation/device.rst, enum queue_state), kill
// and disable.
//
// A queue is ACTIVE (shown as IDLE or READY) until the scheduler grants it a compute unit, then
// RUNNING until the runner releases it. A queue disabled with keep stays ACTIVE until the unit that
// holds its context has saved it (evict_o, held_i). Hazards: grant, kill and disable in one cycle.
// The grant wins; kill and disable take effect when the job has ended. DISABLED is shown only when
// no unit still writes the queue's context to its save area.

`include "faa_assert.svh"

module faa_queue #(
  parameter int unsigned Slots = 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Registers.
  input  logic        enable_i,
  // Pulse.
  input  logic        kill_i,
  // Disable without losing the context; slots that have a context in the save area when the queue
  // is enabled.
  input  logic        keep_i,
  input  logic [Slots-1:0] slots_i,
  input  logic [31:0] tail_i,
  output logic [31:0] head_o,
  output logic [3:0]  state_o,

  // Scheduler: the queue may be granted a unit; pulse: the unit is granted.
  output logic        ready_o,
  input  logic        grant_i,

  // Runner, while RUNNING: stop the job; slots that have a context of this queue; pulses: a context
  // of these slots has been made.
  output logic        kill_job_o,
  output logic [Slots-1:0] used_o,
  input  logic [Slots-1:0] loaded_i,
  // Pulse: a stream of the job has been reported (head advances).
  input  logic        advance_i,
  // Pulse: the job has ended, or cannot be completed (release_error_i). release_lost_i: context
  // lost.
  input  logic        release_i,
  input  logic        release_error_i,
  input  logic        release_lost_i,

  // Pulses from any runner while the queue is not RUNNING: a reset lost its resident context; the
  // context could not be saved.
  input  logic        lost_i,
  input  logic        save_error_i,
  // A unit holds this queue's context; a runner is writing it to its save area.
  input  logic        held_i,
  input  logic        saving_i,
  // 1: the queue is disabled or being disabled: its context is not needed.
  output logic        discard_o,
  // 1: the unit that holds the context is to write it to the save area.
  output logic        evict_o,

  // Pulses for the event register, in the first cycle of the state.
  output logic        event_killed_o,
  output logic        event_error_o,
  output logic        event_saved_o,
  // 1: nothing will change without a register write or a job's progress.
  output logic        idle_o
);

  typedef enum logic [2:0] {StDisabled, StActive, StRunning, StKilled, StError} state_e;
  state_e      state_q, state_d;
  logic [31:0] head_q, head_d;
  logic [31:0] next_q;               // head_q + 1, of the cycle before
  logic        kill_q, kill_d, stop_q, stop_d, killed_q, error_q, saved_q;
  logic             active_q;        // state_q decoded, early in the cycle, for the scheduler
  logic [Slots-1:0] used_q, used_d;
  logic        work, more_q, work_q; // work_q: as of the cycle before; more_q: jobs after the head

  assign work = tail_i != head_q;

  // tail_i is compared with both possible next heads, before the choice is known. Jobs end many
  // cycles apart, so next_q and more_q belong to the head that advances.
  always_ff @(posedge clk_i) begin
    next_q <= head_q + 32'd1;
    more_q <= tail_i != next_q;
    if (state_q == StDisabled) work_q <= tail_i != '0;
    else if (advance_i) work_q <= more_q;
    else work_q <= work;
  end

  always_comb begin
    state_d = state_q;
    head_d  = advance_i ? next_q : head_q;
    kill_d  = kill_q;
    used_d  = used_q | loaded_i;
    stop_d  = stop_q || (state_q != StDisabled && !enable_i);
    unique case (state_q)
      StDisabled: begin
        if (enable_i) begin
          state_d = kill_i ? StKilled : StActive;
          head_d  = '0;
          used_d  = slots_i;
        end
        kill_d = 1'b0;
        stop_d = 1'b0;
      end
      StActive: begin
        if (grant_i) begin
          state_d = StRunning;
          kill_d  = kill_i;
        end else if (save_error_i) begin
          state_d = StError;
        end else if (kill_i || lost_i) begin
          state_d = StKilled;
        end else if (stop_q && !saving_i && !(keep_i && held_i)) begin
          state_d = StDisabled;
        end
      end
      StRunning: begin
        kill_d = kill_q || kill_i;
        if (release_i) begin
          if (release_error_i) state_d = StError;
          else if (kill_q || kill_i || release_lost_i) state_d = StKilled;
          else state_d = StActive;
          kill_d = 1'b0;
        end
      end
      default: if (stop_q && !keep_i && !saving_i) state_d = StDisabled;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StDisabled;
      head_q  <= '0;
      kill_q  <= 1'b0;
      stop_q  <= 1'b0;
      used_q  <= '0;
    end else begin
      state_q <= state_d;
      head_q  <= head_d;
      kill_q  <= kill_d;
      stop_q  <= stop_d;
      used_q  <= used_d;
    end
    active_q <= rst_ni && state_d == StActive;
    killed_q <= rst_ni && state_d == StKilled && state_q != StKilled;
    error_q  <= rst_ni && state_d == StError && state_q != StError;
    saved_q  <= rst_ni && state_d == StDisabled && state_q == StActive && keep_i;
  end

  always_comb begin
    unique case (state_q)
      StDisabled: state_o = faa_pkg::QUEUE_STATE_DISABLED;
      StActive:   state_o = work ? faa_pkg::QUEUE_STATE_READY : faa_pkg::QUEUE_STATE_IDLE;
      StRunning:  state_o = faa_pkg::QUEUE_STATE_RUNNING;
      StKilled:   state_o = faa_pkg::QUEUE_STATE_KILLED;
      default:    state_o = faa_pkg::QUEUE_STATE_ERROR;
    endcase
  end

  assign head_o         = head_q;
  assign ready_o        = active_q && work_q && enable_i && !stop_q && !saving_i;
  assign kill_job_o     = kill_q;
  assign used_o         = used_q;
  assign discard_o      = (stop_q && !keep_i) || state_q == StDisabled;
  assign evict_o        = stop_q && keep_i && state_q == StActive;
  assign event_killed_o = killed_q;
  assign event_error_o  = error_q;
  assign event_saved_o  = saved_q;
  assign idle_o         = killed_q || error_q || saved_q ? 1'b0 :
                          (state_q == StDisabled && !enable_i) ||
                          (active_q && !work_q && enable_i && !stop_q) ||
                          ((state_q == StKilled || state_q == StError) &&
                           ((enable_i && !stop_q) || (stop_q && keep_i && !saving_i)));

  `FAA_ASSERT(QueueActive, active_q == (state_q == StActive))
  `FAA_ASSERT(QueueGrantReady, !grant_i || ready_o)
  `FAA_ASSERT(QueueNextHead, !advance_i || next_q == head_q + 32'd1)
  `FAA_ASSERT(QueueReleaseRunning, !(release_i || advance_i || loaded_i != '0) || state_q == StRunning)

endmodule
