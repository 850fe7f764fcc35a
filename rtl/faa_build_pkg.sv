// SPDX-License-Identifier: Apache-2.0
//
// Builds of the device. Generated from spec/builds.toml by builds.py;
// do not edit.

/* verilator lint_off UNUSEDPARAM */
package faa_build_pkg;

  // The parameters of faa_top, in its order.
  typedef struct packed {
    int unsigned num_cu;          // compute units
    int unsigned warp_slots;      // warp slots of a compute unit
    int unsigned num_queues;      // hardware queues
    int unsigned axi_data_width;  // bits of the memory port
    int unsigned line_bytes;      // bytes of a memory line inside the device
    int unsigned shared_bytes;    // bytes of shared memory of a compute unit
    int unsigned shared_lanes;    // lanes that the shared memory unit takes per cycle
    int unsigned shared_chains;   // words combined across warps
    bit          f32;             // ATOMS on F32
    bit          f64;             // ATOMS on F64
    bit          x2;              // ATOMS on F16X2 and BF16X2
    bit          relaxed;         // mode RELAXED of ATOMS
    bit          alu;             // ALU
    bit          global_atomics;  // ATOM, with the L2
    bit          sys_atomics;     // ATOM at scope SYS
    bit          surface_atomics; // SUATOM and CONFIG
    int unsigned surface_lanes;   // lanes of SUATOM per cycle, at most SharedLanes
    int unsigned l2_slices;       // slices of the L2
    int unsigned l2_ports;        // line operations that a compute unit sends per cycle
    int unsigned l2_sets;         // sets of a slice
    int unsigned l2_ways;         // ways of a set
    int unsigned l2_mshrs;        // line reads of a slice in flight
    int unsigned l2_wb;           // line writes of a slice in flight
    int unsigned l2_alu_words;    // words that a slice computes per cycle
    int unsigned mmu_walks;       // page table walks in flight
    int unsigned mmu_sets;        // sets of level 0 of the shared TLB; with Compact, of all levels
    bit          compact;         // memory side with few cells and more cycles
  } build_t;

  // integers, for an ECP5-85F
  localparam build_t BUILD_SMALL = '{
    num_cu:          1,
    warp_slots:      1,
    num_queues:      4,
    axi_data_width:  64,
    line_bytes:      16,
    shared_bytes:    65536,
    shared_lanes:    4,
    shared_chains:   0,
    f32:             1'b0,
    f64:             1'b0,
    x2:              1'b0,
    relaxed:         1'b0,
    alu:             1'b0,
    global_atomics:  1'b1,
    sys_atomics:     1'b0,
    surface_atomics: 1'b1,
    surface_lanes:   1,
    l2_slices:       1,
    l2_ports:        1,
    l2_sets:         512,
    l2_ways:         2,
    l2_mshrs:        16,
    l2_wb:           16,
    l2_alu_words:    2,
    mmu_walks:       1,
    mmu_sets:        256,
    compact:         1'b1
  };

  // integers, for an XC7A200T beside a PCIe core
  localparam build_t BUILD_ARTIX = '{
    num_cu:          1,
    warp_slots:      1,
    num_queues:      16,
    axi_data_width:  128,
    line_bytes:      32,
    shared_bytes:    65536,
    shared_lanes:    8,
    shared_chains:   0,
    f32:             1'b0,
    f64:             1'b0,
    x2:              1'b0,
    relaxed:         1'b0,
    alu:             1'b1,
    global_atomics:  1'b1,
    sys_atomics:     1'b1,
    surface_atomics: 1'b1,
    surface_lanes:   4,
    l2_slices:       1,
    l2_ports:        1,
    l2_sets:         256,
    l2_ways:         4,
    l2_mshrs:        16,
    l2_wb:           16,
    l2_alu_words:    4,
    mmu_walks:       4,
    mmu_sets:        64,
    compact:         1'b0
  };

  // every type, for speed
  localparam build_t BUILD_FULL = '{
    num_cu:          2,
    warp_slots:      2,
    num_queues:      16,
    axi_data_width:  512,
    line_bytes:      64,
    shared_bytes:    65536,
    shared_lanes:    32,
    shared_chains:   2,
    f32:             1'b1,
    f64:             1'b1,
    x2:              1'b1,
    relaxed:         1'b1,
    alu:             1'b1,
    global_atomics:  1'b1,
    sys_atomics:     1'b1,
    surface_atomics: 1'b1,
    surface_lanes:   32,
    l2_slices:       2,
    l2_ports:        1,
    l2_sets:         256,
    l2_ways:         4,
    l2_mshrs:        64,
    l2_wb:           64,
    l2_alu_words:    16,
    mmu_walks:       8,
    mmu_sets:        128,
    compact:         1'b0
  };

endpackage
