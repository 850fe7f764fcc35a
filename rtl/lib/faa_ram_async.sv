// SPDX-License-Identifier: Apache-2.0
//
// Small memory in look-up tables: one write port, one read port without a clock.
//
// rdata_o is the word of raddr_i in the same cycle; a write is visible in the next one. The
// contents survive reset and are unknown at power-up.

module faa_ram_async #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 16,
  localparam int unsigned AddrW = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic             clk_i,

  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [Width-1:0] wdata_i,

  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o
);

  logic [Width-1:0] mem [2 ** AddrW];

  always_ff @(posedge clk_i) if (we_i) mem[waddr_i] <= wdata_i;
  assign rdata_o = mem[raddr_i];

endmodule
