// SPDX-License-Identifier: Apache-2.0
//
// Types of line requests, line operations and loads of counters. Their widths are those of a build,
// so that a module names them by its parameters:
//
//   localparam type line_req_t = `FAA_LINE_REQ(LineBytes, TagW)
//
// valid and ready are separate signals. Bytes: of a line, 16, 32 or 64. TagW: bits of a tag; a tag
// in use is not used again before its answer.

`ifndef FAA_LINE_SVH
`define FAA_LINE_SVH

// A request for a line
`define FAA_LINE_REQ(Bytes, TagW) \
  struct packed { \
    logic                    write;  /* the line is written, else read */ \
    logic                    direct; /* past the L2: context, polls of SEM_WAIT */ \
    logic [63:$clog2(Bytes)] addr;   /* DMA address of the line */ \
    logic [8*(Bytes)-1:0]    data;   /* to write; byte n of the line is in bits 8n+7 to 8n */ \
    logic [(Bytes)-1:0]      strb;   /* bytes to write */ \
    logic [(TagW)-1:0]       tag;    /* not used again before the answer */ \
  }

// Answer to a request for a line
`define FAA_LINE_RSP(Bytes, TagW) \
  struct packed { \
    logic [(TagW)-1:0]       tag;    /* of the request */ \
    logic [8*(Bytes)-1:0]    data;   /* of reads */ \
    logic                    err;    /* bus error, of reads and writes */ \
  }

// An operation on a line in the L2 (Documentation/l2.rst)
`define FAA_ATOM_REQ(Bytes) \
  struct packed { \
    logic                    sys;    /* scope SYS */ \
    logic [2:0]              func;   /* LOAD, STORE or ATOMIC */ \
    logic [7:0]              op;     /* enum atom_op, of ATOMIC */ \
    logic [3:0]              typ;    /* enum type, of ATOMIC */ \
    logic                    ftz;    /* of ATOMIC of floating-point numbers: flush subnormals */ \
    logic                    want;   /* old values are wanted */ \
    logic [51:$clog2(Bytes)] line;   /* DMA address of the line */ \
    logic [(Bytes)-1:0]      strb;   /* bytes that it concerns */ \
    logic [8*(Bytes)-1:0]    b;      /* operands, or data to store */ \
    logic [8*(Bytes)-1:0]    c;      /* second operands, of CAS */ \
    logic [7:0]              tag;    /* not used again before the answer */ \
  }

// Answer to an operation on a line
`define FAA_ATOM_RSP(Bytes) `FAA_LINE_RSP(Bytes, 8)

// To the counters of a unit when the context of a queue is loaded (faa_cu_counters)
`define FAA_COUNTERS_REQ(Bytes) \
  struct packed { \
    logic                    fold;   /* CLEAR, RESTORE: those of the former queue; 1 until done */ \
    logic                    clear;  /* of the queue: begin with 0 */ \
    logic                    load;   /* RESTORE: a line of them, after the fold; 1 until ready */ \
    logic [3:0]              line;   /* its number in COUNTER_BYTES */ \
    logic [8*(Bytes)-1:0]    data;   /* the line */ \
  }

`endif
