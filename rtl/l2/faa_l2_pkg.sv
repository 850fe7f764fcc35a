// SPDX-License-Identifier: Apache-2.0
//
// Shared by the modules of an L2 slice: line operations, and their properties.

// Modules that are checked alone use part of the package; functions are given whole operations.
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */
package faa_l2_pkg;

  // Functions of a line operation (Documentation/l2.rst).
  localparam logic [2:0] FUNC_LOAD   = 3'd0;
  localparam logic [2:0] FUNC_STORE  = 3'd1;
  localparam logic [2:0] FUNC_ATOMIC = 3'd2;
  localparam logic [2:0] FUNC_CLEAN  = 3'd3;
  localparam logic [2:0] FUNC_FLUSH  = 3'd4;
  localparam logic [2:0] FUNC_EVICT  = 3'd5;

  // Atomic transactions (scope SYS) of PCI Express.
  localparam logic [1:0] AT_ADD  = 2'd0;
  localparam logic [1:0] AT_SWAP = 2'd1;
  localparam logic [1:0] AT_CAS  = 2'd2;

  // Low bits of a line's address (bits 51 to log2(LineBytes) of the physical address) that choose
  // the slice.
  localparam int unsigned HOME_BITS = 24;

  // Bits of an operation beside its bytes and operands (op_t of faa_l2_types.svh).
  localparam int unsigned HEAD_W = 17;

  // Properties of an operation that are needed before it executes; ATOMIC with an illegal operation
  // and type has none of them.
  typedef struct packed {
    logic        stores;
    logic        computes;
    logic        adds;     // computes, with the adders
  } kind_t;

  function automatic logic is_sweep(input logic [2:0] func);
    is_sweep = func == FUNC_CLEAN || func == FUNC_FLUSH || func == FUNC_EVICT;
  endfunction

  // log2 of the bytes of an item on which arithmetic is done: halves of F16X2 and BF16X2 are items.
  function automatic logic [1:0] item_size(input logic [3:0] typ);
    case (typ)
      faa_pkg::TYPE_U16, faa_pkg::TYPE_S16, faa_pkg::TYPE_F16, faa_pkg::TYPE_F16X2, faa_pkg::TYPE_BF16X2: item_size = 2'd1;
      faa_pkg::TYPE_U64, faa_pkg::TYPE_S64, faa_pkg::TYPE_F64: item_size = 2'd3;
      default: item_size = 2'd2;
    endcase
  endfunction

  function automatic logic is_half(input logic [3:0] typ);
    is_half = typ == faa_pkg::TYPE_F16 || typ == faa_pkg::TYPE_F16X2 || typ == faa_pkg::TYPE_BF16X2;
  endfunction

  function automatic logic is_float(input logic [3:0] typ);
    is_float = is_half(typ) || typ == faa_pkg::TYPE_F32 || typ == faa_pkg::TYPE_F64;
  endfunction

  // Operations that add a number that does not depend on M.
  function automatic logic at_adds(input logic [7:0] op);
    at_adds = op == faa_pkg::ATOM_OP_ADD || op == faa_pkg::ATOM_OP_SUB || op == faa_pkg::ATOM_OP_INCU ||
              op == faa_pkg::ATOM_OP_DECU || op == faa_pkg::ATOM_OP_PREDEC;
  endfunction

  function automatic kind_t kind_of(input logic [2:0] func, input logic [7:0] op,
                                    input logic [3:0] typ);
    kind_of.stores   = func == FUNC_STORE;
    kind_of.computes = func == FUNC_ATOMIC && faa_pkg::atom_legal(op, typ);
    kind_of.adds     = kind_of.computes && op == faa_pkg::ATOM_OP_ADD && is_float(typ);
  endfunction

endpackage
/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNUSEDPARAM */
