// SPDX-License-Identifier: Apache-2.0
//
// Shared by the stages of the atomic unit for global memory: a beat, and conversions of operations.

// Modules that are checked alone use part of the package.
/* verilator lint_off UNUSEDPARAM */
package faa_global_pkg;

  // Properties that all lanes of a beat share.
  typedef struct packed {
    faa_shared_pkg::beat_t beat;   // op: enum atom_op; odd: high words of 64 bits, which come first
    logic                  sys;    // scope SYS
    logic                  after;  // lanes answer M after their operation, not before
  } job_t;

  localparam int unsigned JOB_W = $bits(job_t);

  // Low bits of a line's address that distinguish consecutive lines
  localparam int unsigned COLOUR_W = 3;

  // Operations that are additions of another value
  function automatic logic is_sum(input logic [7:0] op);
    is_sum = op == faa_pkg::ATOM_OP_SUB || op == faa_pkg::ATOM_OP_INCU ||
             op == faa_pkg::ATOM_OP_DECU || op == faa_pkg::ATOM_OP_PREDEC;
  endfunction

  // On 32 bits they become additions, so that lanes on one word can be summed.
  function automatic logic becomes_add(input logic [7:0] op, input logic [3:0] typ);
    becomes_add = faa_shared_pkg::is_int32(typ) && is_sum(op);
  endfunction

  // Items of 1 byte: loads and stores
  function automatic logic is_byte(input logic [3:0] typ);
    is_byte = typ == faa_pkg::TYPE_U8 || typ == faa_pkg::TYPE_S8;
  endfunction

  // Items of 2 bytes
  function automatic logic is_half(input logic [3:0] typ);
    is_half = typ == faa_pkg::TYPE_U16 || typ == faa_pkg::TYPE_S16 || typ == faa_pkg::TYPE_F16;
  endfunction

  // An item of less than 4 bytes, in each of its places of the word
  function automatic logic [31:0] spread(input logic [31:0] item, input logic [3:0] typ);
    spread = item;
    if (is_half(typ)) spread[31:16] = item[15:0];
    if (is_byte(typ)) spread = {4{item[7:0]}};
  endfunction

endpackage
/* verilator lint_on UNUSEDPARAM */
