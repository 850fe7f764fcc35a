// SPDX-License-Identifier: Apache-2.0
//
// Assertions that Verilator (--assert) and Yosys (-formal) both check: clocked immediate forms only.
// All of them use the enclosing module's clk_i and rst_ni and hold outside reset.
//
//   FAA_ASSERT(name, expr)             expr holds in every cycle
//   FAA_ASSUME(name, expr)             the environment keeps expr (a check in simulation, a constraint in proofs)
//   FAA_COVER(name, expr)              expr happens
//   FAA_ASSERT_NEXT(name, a, b)        when a held in a cycle, b holds in the next one
//   FAA_ASSERT_STABLE(name, valid, ready, payload)
//                                      once valid, valid and payload stay until ready
//   FAA_ASSUME_STABLE(...)             the same, as a promise of the environment

`ifndef FAA_ASSERT_SVH
`define FAA_ASSERT_SVH

`define FAA_ASSERT(name, expr) \
  always_ff @(posedge clk_i) if (rst_ni) name: assert (expr);

`define FAA_ASSUME(name, expr) \
  always_ff @(posedge clk_i) if (rst_ni) name: assume (expr);

`define FAA_COVER(name, expr) \
  always_ff @(posedge clk_i) if (rst_ni) name: cover (expr);

// The flag keeps $past from looking before the first cycle, where it is arbitrary in a proof.
`define FAA_ASSERT_NEXT(name, a, b) \
  logic name``_armed = 1'b0; \
  always_ff @(posedge clk_i) name``_armed <= rst_ni; \
  always_ff @(posedge clk_i) if (rst_ni && name``_armed && $past(a)) name: assert (b);

`define FAA_ASSUME_NEXT(name, a, b) \
  logic name``_armed = 1'b0; \
  always_ff @(posedge clk_i) name``_armed <= rst_ni; \
  always_ff @(posedge clk_i) if (rst_ni && name``_armed && $past(a)) name: assume (b);

`define FAA_ASSERT_STABLE(name, valid, ready, payload) \
  `FAA_ASSERT_NEXT(name, (valid) && !(ready), (valid) && $stable(payload))

`define FAA_ASSUME_STABLE(name, valid, ready, payload) \
  `FAA_ASSUME_NEXT(name, (valid) && !(ready), (valid) && $stable(payload))

`endif
