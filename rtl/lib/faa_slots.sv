// SPDX-License-Identifier: Apache-2.0
//
// Slot allocator: gives out the lowest free slot and keeps a word per slot until the slot is
// returned, in any order.
//
// Combinational: slot_o is a free slot of the cycle, done_data_o the word of a slot in the cycle of
// its return. A returned slot can be taken in the next cycle. With Late the free slot comes from a
// register, which is filled while the one before is taken: fewer levels, and a returned slot can be
// taken one cycle later.

`include "faa_assert.svh"

module faa_slots #(
  parameter int unsigned SlotW = 4,
  parameter int unsigned DataW = 8,
  parameter bit Late = 1'b0,
  localparam int unsigned Slots = 1 << SlotW
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  output logic             free_o,
  output logic [SlotW-1:0] slot_o,
  input  logic             take_i,
  input  logic [DataW-1:0] data_i,

  input  logic             done_i,
  input  logic [SlotW-1:0] done_slot_i,
  output logic [DataW-1:0] done_data_o,

  // 1: every slot is free.
  output logic             idle_o
);

  logic [Slots-1:0] busy_q;
  logic [DataW-1:0] data [Slots];

  logic [Slots-1:0] rest;         // candidates
  logic [SlotW-1:0] lowest;

  assign idle_o      = busy_q == '0;
  assign done_data_o = data[done_slot_i];

  faa_lowest #(.Width(Slots)) u_lowest (.bits_i(rest), .index_o(lowest));

  if (Late) begin : gen_late
    logic             shown_q;
    logic [SlotW-1:0] slot_q;
    logic [Slots-1:0] shown_hot_q;

    assign rest   = ~busy_q & ~shown_hot_q;
    assign free_o = shown_q;
    assign slot_o = slot_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        shown_q     <= 1'b0;
        shown_hot_q <= '0;
      end else if (take_i || !shown_q) begin
        shown_q     <= rest != '0;
        shown_hot_q <= rest & -rest;
      end
      if (take_i || !shown_q) slot_q <= lowest;
    end
  end else begin : gen_now
    assign rest   = ~busy_q;
    assign free_o = busy_q != '1;
    assign slot_o = lowest;
  end

  always_ff @(posedge clk_i) begin
    if (take_i) data[slot_o] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= '0;
    end else begin
      if (take_i) busy_q[slot_o] <= 1'b1;
      if (done_i) busy_q[done_slot_i] <= 1'b0;
    end
  end

  `FAA_ASSERT(SlotsTakeFree, !take_i || free_o)
  `FAA_ASSERT(SlotsDoneBusy, !done_i || busy_q[done_slot_i])

endmodule
