// SPDX-License-Identifier: Apache-2.0
//
// Memory with one read and one write port on one clock, as in every FPGA's block RAM.
//
// Read: rdata_o shows the word of raddr_i one cycle after re_i, and keeps it until the next read.
// Hazard: a read in the cycle of a write of its word gives an unknown word; users forward or avoid
// it. Block RAMs of the ECP5 do not give the old word: it would cost a comparator, and two
// registers and a look-up table a bit. In simulation the unknown word is the complement of the old
// one. The contents survive reset and are unknown at power-up.

module faa_ram_1r1w #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 512,
  // In block RAM, where a tool would use look-up tables for so few words.
  /* verilator lint_off UNUSEDPARAM */
  parameter bit Block = 1'b0,
  /* verilator lint_on UNUSEDPARAM */
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

  (* no_rw_check, ram_style = Block ? "block" : "auto" *)
  logic [Width-1:0] mem [Depth];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
`ifdef SYNTHESIS
    if (re_i) rdata_o <= mem[raddr_i];
`else
    if (re_i) rdata_o <= we_i && waddr_i == raddr_i ? ~mem[raddr_i] : mem[raddr_i];
`endif
  end

endmodule
