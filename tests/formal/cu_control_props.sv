// SPDX-License-Identifier: Apache-2.0
//
// The control of a stream, with any commands, units, invalidations, errors and halts. Assumptions
// and properties: cu_control_inside.svh.

`include "formal.svh"

module cu_control_props #(
  parameter bit GlobalAtomics = 1'b1
) (
  input logic             clk_i,
  input logic             run_i,
  input logic             job_valid_i,
  input faa_bundle_pkg::op_e job_op_i,
  input logic             done_ready_i,
  input logic             kill_i,
  input logic             stop_i,
  input logic             inv_req_i,
  input logic             front_quiet_i,
  input logic             units_idle_i,
  input logic             shared_idle_i,
  input logic             load_idle_i,
  input logic             store_idle_i,
  input logic             atom_reads_idle_i,
  input logic             atom_writes_idle_i,
  input logic             memory_idle_i,
  input logic             translate_idle_i,
  input logic             fetch_idle_i,
  input logic [31:0]      stream_bytes_i,
  input logic             cmd_valid_i,
  input faa_cu_pkg::cmd_t cmd_i,
  input logic             operand_idle_i,
  input logic [31:0]      guard_i,
  input logic             access_ready_i,
  input logic             access_quiet_i,
  input logic             error_valid_i,
  input logic [7:0]       error_i,
  input logic             bus_error_i,
  input logic             bar_go_i,
  input logic             written_i,
  input logic [7:0]       written_row_i,
  input logic [5:0]       free_i,
  input logic [5:0]       full_i,
  input logic             sem_valid_i,
  input logic [63:0]      sem_value_i,
  input logic             sweep_done_i,
  input logic             sweep_err_i,
  input logic             context_busy_i,
  input logic             context_error_i
);

  `FORMAL_RESET

  faa_cu_control #(.GlobalAtomics(GlobalAtomics), .SurfaceAtomics(GlobalAtomics)) u_control (
    .clk_i, .rst_ni,
    .job_valid_i, .job_ready_o(), .job_op_i,
    .stream_i('{va: '0, bytes: stream_bytes_i, first_element: '0}), .done_valid_o(), .done_ready_i,
    .done_o(), .progress_o(), .kill_i, .stop_i,
    .halt_o(), .failed_o(), .running_o(), .begin_o(),
    .inv_req_i, .inv_ack_o(), .hold_o(), .drop_o(), .front_quiet_i, .units_idle_i, .shared_idle_i, .load_idle_i, .store_idle_i,
    .atom_reads_idle_i, .atom_writes_idle_i, .memory_idle_i, .translate_idle_i, .fetch_idle_i,
    .restart_o(), .restart_offset_o(), .decode_stop_o(), .first_element_o(), .cmd_valid_i,
    .cmd_ready_o(), .cmd_i, .decode_pc_i('0),
    .front_start_o(), .cmd_o(), .cancel_o(), .operand_idle_i, .guard_i, .pseudo_o(), .pseudo_valid_o(), .access_ready_i, .access_quiet_i,
    .retire_i('0), .failure_i('{valid: error_valid_i, error: error_i, default: '0}),
    .bus_error_i('{valid: bus_error_i, default: '0}), .passes_i('0),
    .at_bar_o(), .bar_go_i, .written_i, .written_row_i, .take_o(), .free_i, .full_i, .config_set_o(), .surface_drop_o(),
    .sem_valid_i, .sem_ready_o(), .sem_value_i, .sweep_valid_o(), .sweep_drop_o(), .sweep_done_i, .sweep_err_i,
    .context_start_o(), .context_busy_i, .context_error_i, .ev_command_o(), .ev_stall_barrier_o()
  );

endmodule
