// SPDX-License-Identifier: Apache-2.0
//
// The 64-bit counters of one compute unit and of the queue whose context it holds, enum counter;
// numbers without a name are 0. A reset of the unit keeps them.
//
// Three numbers make up a counter: COUNT, what has been counted since the context was loaded;
// SAVED, the queue's counter as it was loaded; BASE, what the unit had counted before. The queue's
// counter is SAVED + COUNT, the unit's BASE + COUNT. CYCLES is the device's in both.
//
//   FOLD    when a context is loaded: BASE becomes BASE + COUNT, COUNT 0, and with load_i.clear
//           SAVED 0. load_i.fold stays until fold_done_o. Events of that time belong to either
//           queue
//   LOAD    a line of SAVED from the save area, line load_i.line of COUNTER_BYTES; not during a
//           FOLD
//   SNAP    SAVED + COUNT, in beats of Lanes counters: for a slot that executes SNAPSHOT, and for
//           the context engine, which is number Slots. snap_req_i stays, and snap_beat_i counts up,
//           until the last beat has been taken. One beat at a time, of the lowest number
//   read    half a counter of the unit, for software: rd_ack_o answers rd_req_i, which stays until
//           then
//
// With Serial, for a unit of one slot, all numbers are in RAM (faa_cu_counters_serial). Without,
// each counter has an adder of its own (faa_cu_counters_flat). Both say how long they take.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_cu_counters #(
  parameter int unsigned Slots = 1,
  parameter int unsigned Lanes = 32,      // counters of a beat: 32, 16, 8 or 4
  parameter int unsigned LineBytes = 64,  // at most a beat
  parameter bit Serial = 1'b0,            // with Slots 1 and Lanes of at most 16
  parameter int unsigned AddW = 9,
  localparam type counters_req_t = `FAA_COUNTERS_REQ(LineBytes)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic [63:0]               cycle_i,
  // Increment of each counter, AddW bits each, in the order of enum counter; the slice of CYCLES is
  // ignored.
  input  logic [faa_pkg::COUNTERS*AddW-1:0] add_i,

  input  logic                      rd_req_i,
  input  logic [5:0]                rd_word_i,   // counter and, in bit 0, half; of a named counter
  output logic                      rd_ack_o,
  output logic [31:0]               rd_data_o,   // with rd_ack_o

  input  counters_req_t       load_i,
  output logic                fold_done_o,
  output logic                load_ready_o,

  // Of requester s, number s in slice s of each vector
  input  logic [Slots:0]            snap_req_i,
  input  logic [(Slots+1)*3-1:0]    snap_beat_i,
  output logic [Slots:0]            snap_valid_o,
  input  logic [Slots:0]            snap_ready_i,
  output logic [Lanes*64-1:0]       snap_data_o  // with any of snap_valid_o
);

  logic [Slots:0] first;
  logic [2:0]     beat;
  logic           snap_valid;

  assign first = snap_req_i & (~snap_req_i + (Slots+1)'(1));
  assign snap_valid_o = snap_valid ? first : '0;
  always_comb begin
    beat = '0;
    for (int unsigned s = 0; s <= Slots; s++) begin
      if (first[s]) beat = beat | snap_beat_i[s*3 +: 3];
    end
  end

  if (Serial) begin : gen_serial
    faa_cu_counters_serial #(
      .Lanes    (Lanes),
      .LineBytes(LineBytes),
      .AddW     (AddW)
    ) u_serial (
      .clk_i,
      .rst_ni,
      .add_i,
      .rd_req_i,
      .rd_word_i,
      .rd_ack_o,
      .rd_data_o,
      .load_i,
      .fold_done_o,
      .load_ready_o,
      .snap_req_i  (first != '0),
      .snap_beat_i (beat),
      .snap_valid_o(snap_valid),
      .snap_ready_i(snap_ready_i != '0),
      .snap_data_o
    );

    logic unused_cycle;
    assign unused_cycle = ^cycle_i;
  end else begin : gen_flat
    faa_cu_counters_flat #(
      .Lanes    (Lanes),
      .LineBytes(LineBytes),
      .AddW     (AddW)
    ) u_flat (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .add_i,
      .rd_req_i,
      .rd_word_i,
      .rd_ack_o,
      .rd_data_o,
      .load_i,
      .fold_done_o,
      .load_ready_o,
      .snap_beat_i (beat),
      .snap_data_o
    );

    assign snap_valid = 1'b1;

    logic unused_ready;
    assign unused_ready = ^snap_ready_i;
  end

  `FAA_ASSUME(counters_taken_when_valid, (snap_ready_i & ~snap_valid_o) == '0)
  `FAA_ASSUME(counters_saved_alone, !snap_req_i[Slots] || (snap_req_i[Slots-1:0] == '0 && !load_i.fold))
  `FAA_ASSUME(counters_folded_first, !load_i.load || !load_i.fold)

endmodule
