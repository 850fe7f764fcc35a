// SPDX-License-Identifier: Apache-2.0
//
// Assertions that Verilator (--assert) and Yosys (-formal) both check: clocked immediate forms
// only. All of them use the enclosing module's clk_i and rst_ni and hold outside reset.
//
//   FAA_ASSERT(name, expr)             expr holds in every cycle
//   FAA_ASSUME(name, expr)             the environment keeps expr (a check in simulation, a
//                                      constraint in proofs)
//   FAA_COVER(name, expr)              expr happens
//   FAA_ASSERT_NEXT(name, a, b)        when a held in a cycle, b holds in the next one
//   FAA_ASSERT_STABLE(name, valid, ready, payload)
//                                      once valid, valid and payload are held until ready
//   FAA_ASSUME_STABLE(...)             the same, as a promise of the environment

`ifndef FAA_ASSERT_SVH
`define FAA_ASSERT_SVH

`define FAA_ASSERT(name, expr) \
  always_ff @(posedge clk_i) if (rst_ni) name: assert (expr);

`define FAA_ASSUME(name, expr) \
  always_ff @(posedge clk_i) if (rst_ni) name: assume (expr);

`define FAA_COVER(name, expr) \
  always_ff @(posedge clk_i) if (rst_ni) name: cover (expr);

// Explicit registers replace $past and $stable: Verilator 5.006 generates wrong code for these on
// wide signals. The flag disables the check in the first cycle.
`define FAA_ASSERT_NEXT(name, a, b) \
  logic name``_armed = 1'b0; \
  always_ff @(posedge clk_i) name``_armed <= rst_ni && (a); \
  always_ff @(posedge clk_i) if (rst_ni && name``_armed) name: assert (b);

`define FAA_ASSERT_STABLE(name, valid, ready, payload) \
  logic [$bits(payload)-1:0] name``_payload; \
  always_ff @(posedge clk_i) name``_payload <= (payload); \
  `FAA_ASSERT_NEXT(name, (valid) && !(ready), (valid) && name``_payload == (payload))

`define FAA_ASSUME_NEXT(name, a, b) \
  logic name``_armed = 1'b0; \
  always_ff @(posedge clk_i) name``_armed <= rst_ni && (a); \
  always_ff @(posedge clk_i) if (rst_ni && name``_armed) name: assume (b);

`define FAA_ASSUME_STABLE(name, valid, ready, payload) \
  logic [$bits(payload)-1:0] name``_payload; \
  always_ff @(posedge clk_i) name``_payload <= (payload); \
  `FAA_ASSUME_NEXT(name, (valid) && !(ready), (valid) && name``_payload == (payload))

`endif
