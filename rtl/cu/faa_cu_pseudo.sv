// SPDX-License-Identifier: Apache-2.0
//
// Memory accesses of control commands, which access takes as warps: SEM_* in lane 0, SNAPSHOT with
// 8 bytes in each lane, beat by beat as the counters arrive.
//
// No latency. Stalls: none of its own; a beat of SNAPSHOT waits for its counters.

module faa_cu_pseudo #(
  parameter int unsigned Lanes = 32        // of a beat
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  faa_cu_pkg::path_t path_i,
  input  logic              taken_i,       // access takes a beat, or the last lane of one
  output logic              store_o,       // a store of SEM_SIGNAL or SNAPSHOT
  output logic              may_o,         // the beat is there
  output faa_cu_pkg::part_t part_o,        // its number, and whether it is the last

  // Counters for SNAPSHOT, in beats
  output logic              snap_req_o,
  output logic [2:0]        snap_beat_o,
  input  logic              snap_valid_i,
  output logic              snap_ready_o
);

  faa_cu_pkg::part_t part;

  assign store_o      = path_i.pseudo_store;
  assign may_o        = !path_i.snapshot || snap_valid_i;
  assign part_o       = path_i.sem_wait ? '{last: 1'b1, number: 3'd0} : part;
  assign snap_req_o   = store_o && path_i.snapshot;
  assign snap_beat_o  = part.number;
  assign snap_ready_o = snap_req_o && snap_valid_i && taken_i;

  faa_cu_beats #(
    .Lanes(Lanes)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .step_i(store_o && may_o && taken_i),
    .part_o(part)
  );

  logic unused;
  assign unused = ^path_i;

endmodule
