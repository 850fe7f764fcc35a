// SPDX-License-Identifier: Apache-2.0
//
// What the stages of the atomic unit for global memory share: where a lane's item is, and what becomes of operations.
//
// Lanes are sorted by the modules of the shared memory unit, so keys and places have its layout (faa_shared_pkg): the line, named by
// the lowest lane that has it, stands where the bank stands there, the item within the line where the row stands.

// Modules that are checked alone use part of the package.
/* verilator lint_off UNUSEDPARAM */
package faa_global_pkg;

  // Key of a lane, 32 bits
  localparam int unsigned KEY_LANE   = 0;
  localparam int unsigned KEY_ITEM   = 5;   // 6 bits: the item's place in the line
  localparam int unsigned KEY_LEADER = 22;  // 5 bits: the lowest lane on the same line
  localparam int unsigned KEY_IDLE   = 27;  // not active, or on a sparse page

  // Place of a lane, 32 bits
  localparam int unsigned PLACE_LANE   = 0;   // 5 bits
  localparam int unsigned PLACE_BYTE   = 5;   // 6 bits: in the line
  localparam int unsigned PLACE_SIGN   = 11;  // answers of at most 32 bits are extended with their sign
  localparam int unsigned PLACE_FIRST  = 12;  // first of its group; from stage T on
  localparam int unsigned PLACE_RANK   = 13;  // 5 bits: groups of its item before its own; from stage T on
  localparam int unsigned PLACE_PORT   = 18;  // 3 bits: the port that the line is sent from
  localparam int unsigned PLACE_COLOUR = 21;  // 3 bits: low ones of the line's address, which tell lines apart that follow each other
  localparam int unsigned PLACE_LEADER = 24;  // 5 bits
  localparam int unsigned PLACE_ACTIVE = 29;
  localparam int unsigned PLACE_ONE    = 30;  // not active, but answers: 1 of CAST, -1 of PREDEC (sparse pages)
  localparam int unsigned PLACE_AFTER  = 31;  // answers M after its operation, not before

  localparam int unsigned PORT_W = 3;

  // Bits of a line's address: [51:6] of the physical address
  localparam int unsigned LINE_W = 46;

  function automatic logic is_int32(input logic [3:0] typ);
    is_int32 = typ == faa_pkg::TYPE_U32 || typ == faa_pkg::TYPE_S32;
  endfunction

  // Operations that are additions of something else
  function automatic logic is_sum(input logic [7:0] op);
    is_sum = op == faa_pkg::ATOM_OP_SUB || op == faa_pkg::ATOM_OP_INCU || op == faa_pkg::ATOM_OP_DECU ||
             op == faa_pkg::ATOM_OP_PREDEC;
  endfunction

  // Of 32 bits they become additions, so that lanes on one word can be summed.
  function automatic logic becomes_add(input logic [7:0] op, input logic [3:0] typ);
    becomes_add = is_int32(typ) && is_sum(op);
  endfunction

  // What is added instead
  function automatic logic [31:0] term_of(input logic [7:0] op, input logic [31:0] b);
    case (op)
      faa_pkg::ATOM_OP_SUB:  term_of = -b;
      faa_pkg::ATOM_OP_INCU: term_of = 32'd1;
      default:               term_of = 32'hffffffff;
    endcase
  endfunction

  // Items of 1 byte: loads and stores
  function automatic logic is_byte(input logic [3:0] typ);
    is_byte = typ == faa_pkg::TYPE_U8 || typ == faa_pkg::TYPE_S8;
  endfunction

  // Items of 2 bytes
  function automatic logic is_half(input logic [3:0] typ);
    is_half = typ == faa_pkg::TYPE_U16 || typ == faa_pkg::TYPE_S16 || typ == faa_pkg::TYPE_F16;
  endfunction

endpackage
/* verilator lint_on UNUSEDPARAM */
