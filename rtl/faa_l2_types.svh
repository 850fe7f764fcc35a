// SPDX-License-Identifier: Apache-2.0
//
// Types of an L2 slice whose size depends on that of a line. Included in a module that has the
// parameter LineBytes and the constant LineW = 8 * LineBytes.

  typedef struct packed {
    logic [2:0]           func;
    logic [7:0]           op;      // ATOMIC: enum atom_op
    logic [3:0]           typ;     // ATOMIC: enum type
    logic                 ftz;
    logic                 want;
    logic [LineBytes-1:0] strb;
    logic [LineW-1:0]     b;       // operands at the places of their items in the line
    logic [LineW-1:0]     c;
  } op_t;

  // A line, with a mask of the bytes that memory does not have yet.
  typedef struct packed {
    logic [LineBytes-1:0] dirty;
    logic [LineW-1:0]     data;
  } line_t;
