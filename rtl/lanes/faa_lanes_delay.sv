// SPDX-License-Identifier: Apache-2.0
//
// Delays data beside a pipeline that never stalls: data_o is data_i of Cycles cycles before. The
// data waits in a RAM instead of a chain of registers.

`include "faa_assert.svh"

module faa_lanes_delay #(
  parameter int unsigned Width = 8,
  parameter int unsigned Cycles = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  if (Cycles == 0) begin : gen_wire
    logic unused;
    assign unused = ^{clk_i, rst_ni};
    assign data_o = data_i;
  end else if (Cycles == 1) begin : gen_register
    logic unused;
    assign unused = rst_ni;
    always_ff @(posedge clk_i) data_o <= data_i;
  end else begin : gen_ram
    localparam int unsigned Rows = Cycles - 1;
    localparam int unsigned PtrW = Rows > 1 ? $clog2(Rows) : 1;

    logic [Width-1:0] mem [Rows];
    logic [PtrW-1:0]  at_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) at_q <= '0;
      else at_q <= at_q == PtrW'(Rows - 1) ? '0 : at_q + PtrW'(1);
      mem[at_q] <= data_i;
      data_o    <= mem[at_q];
    end

    `FAA_ASSERT(turn_is_of_a_row, 32'(at_q) < Rows)
  end

endmodule
