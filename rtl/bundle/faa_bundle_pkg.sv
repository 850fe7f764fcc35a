// SPDX-License-Identifier: Apache-2.0
//
// Bundles of signals between the rooms of the device: jobs, their results, translations. valid and
// ready are separate signals; a bundle is stable from valid to the transfer.

package faa_bundle_pkg;

  // Operations of a compute unit (Documentation/cu-interface.rst)
  typedef enum logic [1:0] {
    OpRun     = 2'd0,
    OpClear   = 2'd1,
    OpSave    = 2'd2,
    OpRestore = 2'd3
  } op_e;

  // An operation: fields that all its slots share
  typedef struct packed {
    op_e         op;              // RUN 0, CLEAR 1, SAVE 2, RESTORE 3
    logic [31:0] shared_bytes;    // multiple of 128, at most SharedBytes; constant for a context
    logic [63:0] save_addr;       // SAVE, RESTORE: DMA address, multiple of 64, not translated
  } job_t;

  // The stream of a slot in a RUN
  typedef struct packed {
    logic [63:0] va;              // multiple of 8; may be non-canonical
    logic [31:0] bytes;           // multiple of 8, not 0
    logic [31:0] first_element;   // multiple of 32
  } stream_t;

  // The result of a slot's operation
  typedef struct packed {
    logic [7:0]  code;            // enum error; SAVE, RESTORE: SUCCESS or BUS_ERROR; CLEAR: SUCCESS
    logic [4:0]  lane;            // RUN: lane of the failing element
    logic [63:0] address;         // RUN: address of the status record
  } done_t;

  // The position of a stream; after its end, the values of its status record
  typedef struct packed {
    logic [31:0] command;         // byte offset of the command that is executed
    logic [31:0] element;         // element reached in that command
    logic [63:0] retired;         // elements that the stream has retired
    logic [31:0] warps;           // warps of the stream
    logic [31:0] passes;          // passes of the stream
  } progress_t;

  // A request for a translation
  typedef struct packed {
    logic [63:0] va;              // byte address; NON_CANONICAL is the TLB's check
    logic        write;           // needs a writable page
    logic        atomic;          // needs an atomic one as well (NOT_ATOMIC)
  } tr_req_t;

  // Answer to a request for a translation
  typedef struct packed {
    logic [7:0]  error;           // enum error: SUCCESS, NON_CANONICAL, NOT_MAPPED and others
    logic [63:0] pa;              // DMA address, all 64 bits; BUS_ERROR: that of the table entry
    logic        sparse;          // no memory is mapped: reads are 0, writes are dropped
    logic        big;             // the leaf is one of 2 MiB
  } tr_rsp_t;

endpackage
