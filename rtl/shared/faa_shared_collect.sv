// SPDX-License-Identifier: Apache-2.0
//
// Stage C of one half of the banks: moves the answers of a beat from the columns of the banks to
// its items, one complete pass after the other. The words stay until the beat leaves (take_i), when
// the other half has its words, too.
//
// Latency: 1 cycle. Throughput: one pass, and one beat per cycle.

`include "faa_assert.svh"

module faa_shared_collect #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned Banks = Lanes / 2,  // of the half
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned PassW = Lanes > 4 ? LaneW - 2 : 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // The oldest beat that has items in this half and whose answers have not all come
  input  logic                        valid_i,
  output logic                        ready_o,
  input  logic [Lanes-1:0]            mine_i,    // its items in this half
  input  logic [Lanes-1:0][LaneW-2:0] bank_i,    // which of the half's banks
  input  logic [Lanes-1:0][PassW-1:0] pass_i,
  input  logic [PassW:0]              passes_i,  // at least one

  // The oldest pass
  input  logic                        complete_i,
  output logic                        leave_o,
  input  logic [Banks-1:0][3:0][31:0] word_i,    // answers: bank, column

  // The words of a beat
  output logic                        full_o,
  output logic [Lanes-1:0][31:0]      word_o,
  input  logic                        take_i
);

  logic [PassW:0] given_q;  // passes of the beat that have left
  logic           last;

  assign leave_o = valid_i && complete_i && (!full_o || take_i);
  assign last    = given_q + (PassW+1)'(1) == passes_i;
  assign ready_o = leave_o && last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      given_q <= '0;
      full_o  <= 1'b0;
    end else begin
      if (leave_o) given_q <= last ? '0 : given_q + (PassW+1)'(1);
      if (ready_o) full_o <= 1'b1;
      else if (take_i) full_o <= 1'b0;
    end
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_item
    always_ff @(posedge clk_i) begin
      if (leave_o && mine_i[p] && given_q == {1'b0, pass_i[p]}) word_o[p] <= word_i[bank_i[p]][p%4];
    end
  end

  `FAA_ASSERT(taken_is_full, !take_i || full_o)
  `FAA_COVER(waits_for_the_other_half, valid_i && complete_i && !leave_o)

endmodule
