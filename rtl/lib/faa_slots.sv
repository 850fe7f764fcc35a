// SPDX-License-Identifier: Apache-2.0
//
// Slot allocator: hands out the lowest free slot and keeps a word per slot until the slot is given back, in any order.
//
// Combinational: a free slot is shown in the cycle, the word of a slot in the cycle of its end. A slot that ends can be taken
// in the next cycle.

`include "faa_assert.svh"

module faa_slots #(
  parameter int unsigned SlotW = 4,
  parameter int unsigned DataW = 8,
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

  assign free_o      = busy_q != '1;
  assign idle_o      = busy_q == '0;
  assign done_data_o = data[done_slot_i];

  // The lowest free slot, by halves.
  always_comb begin
    logic [Slots-1:0] rest;
    rest   = ~busy_q;
    slot_o = '0;
    for (int unsigned k = SlotW; k > 0; k--) begin
      if ((rest & ((Slots'(1) << (1 << (k - 1))) - Slots'(1))) == '0) begin
        slot_o[k-1] = 1'b1;
        rest        = rest >> (1 << (k - 1));
      end
    end
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
