// SPDX-License-Identifier: Apache-2.0
//
// The decoder with the fields of its command as ports of their own, for a C++ test.

module faa_test_decode #(
  parameter bit Full = 1'b1,     // floating-point arithmetic and ALU
  parameter bit Atom = 1'b1,     // ATOM
  parameter bit Sys = 1'b0,      // its scope SYS
  parameter bit Surface = 1'b0   // SUATOM and CONFIG
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        restart_i,
  input  logic [31:0] restart_offset_i,
  input  logic [31:0] stream_bytes_i,
  input  logic [31:0] first_element_i,
  output logic        want_valid_o,
  output logic [31:0] want_offset_o,
  input  logic        word_valid_i,
  input  logic [63:0] word_i,
  input  logic [7:0]  word_error_i,
  input  logic [63:0] word_address_i,
  output logic        cmd_valid_o,
  input  logic        cmd_ready_i,
  output logic [31:0] pc_o,
  output logic [7:0]  error_o,
  output logic [63:0] address_o,
  output logic [7:0]  opcode_o,
  output logic [32:0] count_o,
  output logic [11:0] kinds_o,        // d, c, b, a
  output logic [31:0] registers_o,    // d, c, b, a
  output logic [23:0] offset_o,
  output logic [1:0]  order_o,
  output logic [1:0]  scope_o,        // beyond the CTA, SYS
  output logic [63:0] a_o,            // first word of each operand
  output logic [63:0] b_o,
  output logic [63:0] c_o,
  output logic [63:0] d_o
);

  faa_cu_pkg::cmd_t cmd;
  logic             unused_stall;
  logic [31:0]      unused_pc;

  function automatic faa_build_pkg::build_t build();
    build                 = faa_build_pkg::BUILD_FULL;
    build.f32             = Full;
    build.f64             = Full;
    build.x2              = Full;
    build.relaxed         = Full;
    build.alu             = Full;
    build.global_atomics  = Atom;
    build.sys_atomics     = Sys;
    build.surface_atomics = Surface;
  endfunction

  faa_cu_decode #(.Build(build())) u_decode (
    .clk_i, .rst_ni, .restart_i, .restart_offset_i, .stop_i(1'b0), .stream_bytes_i, .first_element_i,
    .want_valid_o, .want_offset_o, .word_valid_i, .word_i, .word_error_i, .word_address_i,
    .cmd_valid_o, .cmd_ready_i, .cmd_o(cmd), .pc_o(unused_pc), .stall_o(unused_stall)
  );

  assign pc_o        = cmd.pc;
  assign error_o     = cmd.error;
  assign address_o   = cmd.address;
  assign opcode_o    = cmd.opcode;
  assign count_o     = cmd.count;
  assign kinds_o     = {cmd.kind_d, cmd.kind_c, cmd.kind_b, cmd.kind_a};
  assign registers_o = {cmd.rd, cmd.rc, cmd.rb, cmd.ra};
  assign offset_o    = cmd.offset;
  assign order_o     = cmd.order;
  assign scope_o     = {cmd.beyond_cta, cmd.sys};
  assign a_o         = cmd.a_0;
  assign b_o         = cmd.b_0;
  assign c_o         = cmd.c_0;
  assign d_o         = cmd.d_0;

  logic unused;
  assign unused = ^cmd;

endmodule
