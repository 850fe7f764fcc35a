// SPDX-License-Identifier: Apache-2.0
//
// Memory with one read and one write port on one clock, as every FPGA block RAM has it.
//
// Read: rdata_o shows the word of raddr_i one cycle after re_i, and keeps it until the next read.
// Hazard: a read and a write of one word in the same cycle give the old word; users forward or keep clear of it.
// The contents survive reset and are unknown at power-up.

module faa_ram_1r1w #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 512,
  localparam int unsigned AddrW = $clog2(Depth)
) (
  input  logic             clk_i,

  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [Width-1:0] wdata_i,

  input  logic             re_i,
  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o
);

  logic [Width-1:0] mem [Depth];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    if (re_i) rdata_o <= mem[raddr_i];
  end

endmodule
