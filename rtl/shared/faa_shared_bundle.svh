// SPDX-License-Identifier: Apache-2.0
//
// Types of beats between the parts of the shared memory unit. Their widths are those of a build, so
// that a module names them by its parameters:
//
//   localparam type sorted_t = `FAA_SHARED_SORTED(Lanes, WordW)
//
// valid and ready are separate signals. Lanes: of a beat; after the sort they are positions. WordW:
// bits of a word's bank and row. Slots: hot words of faa_shared_chain, at least one. PassW: bits of
// the number of a pass in its beat.

`ifndef FAA_SHARED_BUNDLE_SVH
`define FAA_SHARED_BUNDLE_SVH

// A sorted beat with its groups, for stage X
`define FAA_SHARED_SORTED(Lanes, WordW) \
  struct packed { \
    faa_shared_pkg::beat_t                 beat; \
    logic [(Lanes)-1:0][(WordW)-1:0]       word;    /* {bank, row} */ \
    logic [(Lanes)-1:0]                    member;  /* positions that take part */ \
    logic [(Lanes)-1:0]                    first;   /* ends of groups */ \
    logic [(Lanes)-1:0]                    last; \
    logic [(Lanes)-1:0]                    choice;  /* of choice words */ \
    logic [(Lanes)-1:0][$clog2(Lanes)-1:0] next;    /* the position that succeeds next */ \
    logic [(Lanes)-1:0][$clog2(Lanes)-1:0] ends;    /* the last of these successes */ \
    logic [1:0][(Lanes)-1:0]               crowd;   /* words worth watching */ \
    logic [(Lanes)-1:0][31:0]              other;   /* second operand */ \
    logic [(Lanes)-1:0][31:0]              value;   /* prefix of the group, with the position */ \
  }

// Choice words of a beat, for the table of faa_shared_choose
`define FAA_SHARED_CHOICES(Lanes) \
  struct packed { \
    logic [(Lanes)-1:0]                    first;   /* first positions of words */ \
    logic [(Lanes)-1:0][31:0]              b; \
    logic [(Lanes)-1:0][31:0]              c; \
    logic [(Lanes)-1:0][$clog2(Lanes)-1:0] ends;    /* last of the successes that begin here */ \
  }

// The fields of a beat that stages C and F need after stage X
`define FAA_SHARED_RECORD(Lanes, Slots) \
  struct packed { \
    faa_shared_pkg::beat_t                 beat; \
    logic [(Lanes)-1:0]                    member; \
    logic [(Lanes)-1:0]                    first;   /* answered with the word itself */ \
    logic [(Lanes)-1:0]                    choice; \
    logic [(Lanes)-1:0][31:0]              prefix;  /* operations before the position, combined */ \
    logic [(Lanes)-1:0][31:0]              other; \
    logic [(Lanes)-1:0][$clog2(Lanes)-1:0] next; \
    logic [(Slots)-1:0][(Lanes)-1:0]       chained; /* positions whose word is the chain's base */ \
    logic [(Slots)-1:0][(Lanes)-1:0]       base;    /* the one whose answer becomes the base */ \
  }

// Where the operations of a beat went, and which positions their answers are for
`define FAA_SHARED_PLACES(Lanes, PassW) \
  struct packed { \
    logic [(Lanes)-1:0]                    items;   /* there is an operation */ \
    logic [(Lanes)-1:0][$clog2(Lanes)-1:0] bank;    /* of each operation */ \
    logic [(Lanes)-1:0][(PassW)-1:0]       pass;    /* of each operation */ \
    logic [1:0][(PassW):0]                 passes;  /* of the even and of the odd banks */ \
    logic [(Lanes)-1:0][$clog2(Lanes)-1:0] below;   /* as of faa_lanes_compact */ \
  }

`endif
