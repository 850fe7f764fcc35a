// SPDX-License-Identifier: Apache-2.0
//
// One stream of a job in its runner: the fields of its descriptor, and its result.
//
// The result is sampled in the cycle in which the stream ends, or in the last cycle before a reset
// of the unit. The result of a stream that never begins is the error of its descriptor, or STOPPED.

module faa_runner_stream (
  input  logic         clk_i,
  input  logic [63:0]  cycle_i,

  // Pulse: the descriptor, and its error
  input  logic         load_i,
  input  logic [511:0] desc_i,
  input  logic         bad_i,
  input  logic [6:0]   bad_at_i,

  // Pulses: no stream of the job begins; the unit has begun; its state is about to be lost; memory
  // has refused a write of the job
  input  logic         refuse_i,
  input  logic         begin_i,
  input  logic         reset_i,
  input  logic         lost_i,
  input  logic [51:6]  lost_addr_i,

  // The slot, while the unit runs
  input  logic         running_i,
  input  logic         ended_i,
  input  faa_bundle_pkg::done_t done_i,
  input  faa_bundle_pkg::progress_t progress_i,

  output faa_bundle_pkg::stream_t stream_o,
  output logic         interrupt_o,
  output logic [63:0]  seqno_o,
  output logic [63:6]  status_addr_o,
  output logic [63:0]  start_o,        // cycle in which the unit began
  output logic [511:0] status_o        // the record
);

  logic        ended_q, ends, resets;
  logic [7:0]  code_q;
  logic [31:0] command_q, element_q, warps_q, passes_q;
  logic [4:0]  lane_q;
  logic [63:0] address_q, retired_q, start_q, end_q;

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      stream_o      <= '{va: desc_i[faa_pkg::JOB_DESC_STREAM_VA_LSB +: 64],
                         bytes: desc_i[faa_pkg::JOB_DESC_STREAM_BYTES_LSB +: 32],
                         first_element: desc_i[faa_pkg::JOB_DESC_FIRST_ELEMENT_LSB +: 32]};
      interrupt_o   <= (desc_i[faa_pkg::JOB_DESC_FLAGS_LSB +: 32] &
                        faa_pkg::JOB_FLAG_INTERRUPT) != '0;
      seqno_o       <= desc_i[faa_pkg::JOB_DESC_SEQNO_LSB +: 64];
      status_addr_o <= desc_i[faa_pkg::JOB_DESC_STATUS_ADDR_LSB + 6 +: 58];
    end
  end

  // A stream that ended before the reset keeps its result.
  assign ends   = running_i && ended_i && !ended_q;
  assign resets = reset_i && (load_i || !ended_q);

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      ended_q   <= 1'b0;
      code_q    <= bad_i ? faa_pkg::ERROR_BAD_DESCRIPTOR : faa_pkg::ERROR_STOPPED;
      address_q <= bad_i ? 64'(bad_at_i) : '0;
      element_q <= bad_i ? '0 : desc_i[faa_pkg::JOB_DESC_FIRST_ELEMENT_LSB +: 32];
      command_q <= '0;
      lane_q    <= '0;
      retired_q <= '0;
      warps_q   <= '0;
      passes_q  <= '0;
      start_q   <= cycle_i;
    end
    if (begin_i) start_q <= cycle_i;
    if (ends) begin
      ended_q   <= 1'b1;
      code_q    <= done_i.code;
      lane_q    <= done_i.lane;
      address_q <= done_i.address;
    end else if (resets) begin
      code_q    <= faa_pkg::ERROR_CU_RESET;
      address_q <= '0;
    end else if (lost_i && (code_q == faa_pkg::ERROR_SUCCESS || (code_q == faa_pkg::ERROR_BUS_ERROR && address_q == '0))) begin
      code_q    <= faa_pkg::ERROR_BUS_ERROR;
      address_q <= {12'd0, lost_addr_i, 6'd0};
    end
    if (ends || (running_i && resets)) begin
      command_q <= progress_i.command;
      element_q <= progress_i.element;
      retired_q <= progress_i.retired;
      warps_q   <= progress_i.warps;
      passes_q  <= progress_i.passes;
    end
    if (refuse_i || ends || resets) end_q <= cycle_i;
  end

  always_comb begin
    status_o = {8{seqno_o}};
    status_o[faa_pkg::STATUS_CODE_LSB +: 32]             = 32'(code_q);
    status_o[faa_pkg::STATUS_COMMAND_LSB +: 32]          = command_q;
    status_o[faa_pkg::STATUS_ELEMENT_LSB +: 32]          = element_q;
    status_o[faa_pkg::STATUS_LANE_LSB +: 32]             = 32'(lane_q);
    status_o[faa_pkg::STATUS_ADDRESS_LSB +: 64]          = address_q;
    status_o[faa_pkg::STATUS_ELEMENTS_RETIRED_LSB +: 64] = retired_q;
    status_o[faa_pkg::STATUS_START_CYCLE_LSB +: 64]      = start_q;
    status_o[faa_pkg::STATUS_END_CYCLE_LSB +: 64]        = end_q;
    status_o[faa_pkg::STATUS_WARPS_LSB +: 32]            = warps_q;
    status_o[faa_pkg::STATUS_PASSES_LSB +: 32]           = passes_q;
  end

  assign start_o = start_q;

  logic unused;
  assign unused = ^desc_i;

endmodule
