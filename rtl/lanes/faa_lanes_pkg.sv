// SPDX-License-Identifier: Apache-2.0
//
// Shared by the modules of the lane network: the shape of Batcher's odd-even merge network, and
// operations that combine two words.

// Modules that are checked alone use part of the package.
/* verilator lint_off UNUSEDPARAM */
package faa_lanes_pkg;

  // Operations of faa_lanes_combine on an older operand a and a younger one b: the sum of two
  // terms. Bits 2 and 1 select the term of a: 0x a, 10 a & b, 11 a & ~b; bits 1 and 0 that of b: 00
  // and 11 b & ~a, 01 none, 10 b. The two numbers without a name act as COMBINE_OR.
  localparam logic [2:0] COMBINE_OR      = 3'b000;
  localparam logic [2:0] COMBINE_OLDER   = 3'b001;
  localparam logic [2:0] COMBINE_ADD     = 3'b010;
  localparam logic [2:0] COMBINE_YOUNGER = 3'b100;
  localparam logic [2:0] COMBINE_AND     = 3'b101;
  localparam logic [2:0] COMBINE_XOR     = 3'b111;

  // How the operands of a beat are combined.
  typedef struct packed {
    logic [2:0] op;     // COMBINE_*, where order is 0
    logic       order;  // the smaller operand, or the larger one
    logic       max;    // with order: the larger one
    logic       sign;   // with order: operands are signed
  } combine_t;

  // The functions below are evaluated at elaboration only: not counted.
  // verilator coverage_off

  function automatic int unsigned sort_levels(input int unsigned lanes);
    sort_levels = $clog2(lanes) * ($clog2(lanes) + 1) / 2;
  endfunction

  // Merge of a level: the merge of runs of 2^a keys has levels a (a + 1) / 2 to a (a + 1) / 2 + a,
  // with distances 2^a down to 1.
  function automatic int unsigned merge_of(input int unsigned level);
    merge_of = 0;
    for (int unsigned k = 1; k < 6; k++) if (level >= k * (k + 1) / 2) merge_of = k;
  endfunction

  function automatic int unsigned distance_of(input int unsigned level);
    distance_of = 32'd1 << (merge_of(level) - (level - merge_of(level) * (merge_of(level) + 1) / 2));
  endfunction

  // Whether positions x and x + distance_of(level) are compared and exchanged in this level.
  function automatic bit exchanges(input int unsigned lanes, input int unsigned level, input int unsigned x);
    int unsigned run, far;
    run       = 32'd1 << merge_of(level);
    far       = distance_of(level);
    exchanges = x >= far % run && (x - far % run) % (2 * far) < far && x + far < lanes &&
                x / (2 * run) == (x + far) / (2 * run);
  endfunction

  // Whether position x is the upper one of such a pair.
  function automatic bit is_upper(input int unsigned lanes, input int unsigned level, input int unsigned x);
    is_upper = x >= distance_of(level) && exchanges(lanes, level, x - distance_of(level));
  endfunction

  // verilator coverage_on

endpackage
/* verilator lint_on UNUSEDPARAM */
