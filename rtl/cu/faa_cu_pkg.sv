// SPDX-License-Identifier: Apache-2.0
//
// Types that the modules of a compute unit share, and facts about item types.

// Modules that are checked alone use part of the package.
/* verilator lint_off UNUSEDPARAM */
package faa_cu_pkg;

  // Outstanding translations of a unit (a power of two)
  localparam int unsigned TRANSLATIONS = 8;

  // A decoded command. error is ERROR_SUCCESS or that of decoding, address belongs to it.
  // Control commands carry their second and third word in a_0 and a_1.
  typedef struct packed {
    logic [31:0] pc;             // byte offset of the header in the stream
    logic [7:0]  error;
    logic [63:0] address;
    logic [7:0]  opcode;
    logic [3:0]  length;         // words
    logic [2:0]  guard;
    logic        guard_negate;
    logic [5:0]  wait_mask;
    logic [2:0]  read_barrier;
    logic [2:0]  write_barrier;
    logic [7:0]  op;
    logic [3:0]  typ;
    logic [3:0]  mod;
    logic [32:0] count;          // elements, 1..2^32
    logic [2:0]  kind_a;
    logic [2:0]  kind_b;
    logic [2:0]  kind_c;
    logic [2:0]  kind_d;
    logic [7:0]  ra;
    logic [7:0]  rb;
    logic [7:0]  rc;
    logic [7:0]  rd;
    logic [23:0] offset;
    logic [1:0]  order;          // of a strong access: bit 0 ACQUIRE, bit 1 RELEASE
    logic        sys;            // of a strong access: scope SYS
    logic        beyond_cta;     // of a strong access: scope GPU or SYS
    logic        coords_packed;  // of SUATOM, as the next ones
    logic        ba;
    logic [1:0]  clamp;
    logic [2:0]  dim;
    logic [1:0]  handle_kind;
    logic [19:0] handle;
    logic [2:0]  ps;
    logic [63:0] a_0;            // words of the operands
    logic [63:0] a_1;
    logic [63:0] a_2;
    logic [63:0] b_0;
    logic [63:0] b_1;
    logic [63:0] b_2;
    logic [63:0] c_0;
    logic [63:0] c_1;
    logic [63:0] c_2;
    logic [63:0] d_0;
    logic [38:0] d_1;
  } cmd_t;

  // Destination of a result.
  typedef struct packed {
    logic       unused;
    logic       control;   // to the control unit (SEM_WAIT)
    logic       stream;    // to the store unit
    logic       wide;      // 64 bits
    logic       is_last;   // of its command: the write barrier is released
    logic [2:0] barrier;
    logic [7:0] row;       // register
  } dest_t;

  // Number of a beat in its warp. A beat has as many lanes as the build works on per cycle, 4 or
  // more; a warp's beats begin with lane 0.
  typedef logic [2:0] beat_no_t;

  typedef struct packed {
    logic     last;
    beat_no_t number;
  } part_t;

  // Lanes of a warp that go through the front together, from lane first on; last: they end the
  // warp.
  typedef struct packed {
    logic       last;
    logic [4:0] first;
  } lanes_t;

  // A warp in the front, without its operands
  typedef struct packed {
    logic [31:0] mask;       // active lanes
    logic [31:0] element;    // of lane 0
    logic [5:0]  count;      // elements, 1..32
    logic        last;       // of its command
    logic [63:0] d_va;       // address of lane 0's item of the result stream
    logic [7:0]  error;      // enum error: of its operands or its surface
    logic [4:0]  lane;       // of the error
    logic [63:0] address;    // of the error
  } warp_t;

  // A warp has been handed over (one cycle); the rest stays until the next warp is taken
  typedef struct packed {
    logic        valid;
    logic [31:0] next;       // element after it
    logic [5:0]  count;      // elements
    logic [31:0] mask;       // active lanes
    logic        last;       // of its command
    logic        releases;   // with valid: its command has written nothing asynchronous
    logic [2:0]  barrier;    // of its command: write barrier
  } retire_t;

  // An error of a warp has been found (one cycle)
  typedef struct packed {
    logic        valid;
    logic [7:0]  error;      // enum error
    logic [31:0] element;
    logic [4:0]  lane;
    logic [63:0] address;
  } failure_t;

  // A bus error (one cycle), and the access that it belongs to
  typedef struct packed {
    logic        valid;
    logic [63:0] address;
    logic [31:0] command;
    logic [31:0] element;    // the first one of its warp
  } bus_error_t;

  // Pages of the streams d, a, b, c of a command (faa_cu_overlap), one after the other
  typedef struct packed {
    logic         ready;     // the other members are of the command
    logic [3:0]   used;
    logic [207:0] low;       // first page
    logic [207:0] high;      // last page
  } spans_t;

  // Signals of control to the path of warps (faa_cu_path), about the command in the front
  typedef struct packed {
    logic [31:0] first;      // element to begin with
    logic        overlap;    // streams may be read ahead of the warp that executes
    logic        hold;       // begin no further warp
    logic        cancel;     // end the command; stays until it has ended
    logic        halt;       // a warp that begins fails with KILLED
    logic        pseudo;     // a control command that accesses memory
    logic        pseudo_valid;
    logic        pseudo_store; // with pseudo_valid: it stores
    logic        snapshot;   // it is SNAPSHOT, or
    logic        sem_wait;   // SEM_WAIT
    logic        surface;    // it is SUATOM
    logic        own_stores; // the stores in flight are of this command
  } path_t;

  // State of the path of warps
  typedef struct packed {
    logic        idle;       // the operands of the command have been read
    logic        quiet;      // the operand unit holds and awaits no translation and no item
    logic        hand_idle;  // no warp waits to be handed over
  } path_state_t;

  // Events of the path in a cycle
  typedef struct packed {
    logic        stall_operand;
    logic        stall_surface;
    logic        stall_shared;
    logic        stall_global;
    logic        header;     // a texture header has been read
  } path_events_t;

  // The store unit: nothing to store; lines are written; the stores of a warp are done (one cycle),
  // with {is_last, barrier} of the warp; memory has refused a line (one cycle)
  typedef struct packed {
    logic        idle;
    logic        writing;
    logic        done;
    logic [3:0]  tag;
    logic        error;
    logic [63:0] address;    // of the line
  } store_state_t;

  // Warp and part that a beat of results belongs to.
  typedef struct packed {
    dest_t       dest;
    logic [31:0] mask;       // of the warp
    part_t       part;
  } result_t;

  // Kind and origin of a warp in the atomic unit; given back with its errors and when it is done.
  typedef struct packed {
    logic        reads;
    logic        writes;
    logic [31:0] pc;         // of its command
    logic [31:5] element;    // its first one
  } access_t;

  // Bits of the user word that the shared memory unit and the atomic unit give back with a warp:
  // whether it has a result, its destination, its active lanes.
  localparam int unsigned SharedUserW = 1 + $bits(dest_t) + 32;
  localparam int unsigned AtomUserW = $bits(access_t) + SharedUserW;

  // A warp for the shared memory unit (faa_shared), and one for the atomic unit (faa_global),
  // without the addresses and operands of its beats.
  typedef struct packed {
    logic [1:0]             func;     // SHARED_*
    logic [7:0]             op;
    logic [3:0]             typ;
    logic [1:0]             mod;
    logic                   result;   // answers are wanted
    logic [31:0]            mask;
    logic [SharedUserW-1:0] user;
  } shared_warp_t;

  typedef struct packed {
    logic [31:0]            mask;
    logic [31:0]            sparse;
    logic [1:0]             func;     // SHARED_*
    logic [7:0]             op;
    logic [3:0]             typ;
    logic [1:0]             mod;
    logic                   result;
    logic                   sys;
    logic [AtomUserW-1:0]   user;
  } atom_warp_t;

  // A warp that is handed over: to one of the units (none: its operands a are its result), and its
  // members as above.
  typedef struct packed {
    logic                   shared;
    logic                   atom;
    logic [1:0]             func;
    logic [7:0]             op;
    logic [3:0]             typ;
    logic [1:0]             mod;
    logic                   result;
    logic                   sys;
    logic [31:0]            mask;
    logic [31:0]            sparse;
    access_t                access;
    dest_t                  dest;
  } handed_t;

  // Operation of the shared memory unit, or of the atomic unit, on a warp.
  localparam logic [1:0] SHARED_LOAD   = 2'd0;
  localparam logic [1:0] SHARED_STORE  = 2'd1;
  localparam logic [1:0] SHARED_ATOMIC = 2'd2;
  // Only within a bank: CAS or CAST of lanes that compare with several values (faa_shared_choose)
  localparam logic [1:0] SHARED_CHOICE = 2'd3;

  // The lowest set bit; 0 if there is none.
  function automatic logic [4:0] lowest(input logic [31:0] x);
    lowest = 5'd0;
    for (int l = 31; l >= 0; l--) if (x[l]) lowest = 5'(l);
  endfunction

  // lane * step, by two bits of the lane number at a time.
  function automatic logic [63:0] times(input logic [4:0] lane, input logic [63:0] step);
    logic [63:0] three, low, middle;
    three  = step + (step << 1);
    low    = lane[1] ? (lane[0] ? three : step << 1) : lane[0] ? step : '0;
    middle = lane[3] ? (lane[2] ? three : step << 1) : lane[2] ? step : '0;
    times  = low + (middle << 2) + (lane[4] ? step << 4 : '0);
  endfunction

  // log2 of the bytes of an item.
  function automatic logic [1:0] size_log2(input logic [3:0] typ);
    case (typ)
      faa_pkg::TYPE_U8, faa_pkg::TYPE_S8: size_log2 = 2'd0;
      faa_pkg::TYPE_U16, faa_pkg::TYPE_S16, faa_pkg::TYPE_F16, faa_pkg::TYPE_BF16: size_log2 = 2'd1;
      faa_pkg::TYPE_U64, faa_pkg::TYPE_S64, faa_pkg::TYPE_F64, faa_pkg::TYPE_SD64: size_log2 = 2'd3;
      default: size_log2 = 2'd2;
    endcase
  endfunction

  // Types of 64 bits.
  function automatic logic is_wide(input logic [3:0] typ);
    is_wide = typ == faa_pkg::TYPE_U64 || typ == faa_pkg::TYPE_S64 || typ == faa_pkg::TYPE_F64 || typ == faa_pkg::TYPE_SD64;
  endfunction

  // Three coordinates (SUATOM); unpacked ones are in registers Ra to Ra+2.
  function automatic logic has_third(input logic [2:0] dim);
    has_third = dim == faa_pkg::DIM_D2_ARRAY || dim == faa_pkg::DIM_D3;
  endfunction

  // Operand a of SUATOM has 64 bits.
  function automatic logic wide_coords(input logic [2:0] dim, input logic is_packed);
    wide_coords = has_third(dim) || (!is_packed && (dim == faa_pkg::DIM_D1_ARRAY || dim == faa_pkg::DIM_D2));
  endfunction

  // Items that are extended with their sign.
  function automatic logic is_signed(input logic [3:0] typ);
    is_signed = typ == faa_pkg::TYPE_S8 || typ == faa_pkg::TYPE_S16 || typ == faa_pkg::TYPE_S32 ||
                typ == faa_pkg::TYPE_S64;
  endfunction

  // An item in the low bits of 64, extended from its size.
  function automatic logic [63:0] extend(input logic [63:0] item, input logic [1:0] size, input logic sign);
    case (size)
      2'd0: extend = {{56{sign & item[7]}}, item[7:0]};
      2'd1: extend = {{48{sign & item[15]}}, item[15:0]};
      2'd2: extend = {{32{sign & item[31]}}, item[31:0]};
      default: extend = item;
    endcase
  endfunction

  // Events of a slot in a cycle (enum counter)
  typedef struct packed {
    logic       command;          // has been executed entirely
    logic       warp;             // has been executed
    logic [5:0] elements;         // its active lanes
    logic       stall_fetch;
    logic       stall_barrier;
    logic       stall_operand;
    logic       stall_shared;
    logic       stall_global;
    logic       stall_writeback;
    logic       header;           // a texture header has been read
    logic       stall_surface;
  } slot_events_t;

  // Events of a compute unit in a cycle (enum counter)
  typedef struct packed {
    logic [2:0] command;          // commands that have been executed entirely
    logic [2:0] warp;             // warps that have been executed
    logic [7:0] elements;         // their active lanes
    logic [5:0] passes;           // passes, 0 to 32
    logic [2:0] stall_fetch;      // slots with that stall
    logic [2:0] stall_barrier;    // the same
    logic [2:0] stall_operand;    // the same
    logic [2:0] stall_shared;     // the same
    logic [2:0] stall_global;     // the same
    logic [2:0] stall_writeback;  // the same
    logic [2:0] stall_surface;    // the same
    logic [5:0] groups;           // groups of ATOMS, 0 to 32
    logic [5:0] bank_ops;         // operations of banks, 0 to 32
    logic       stall_bank;       // 1 in a cycle of that stall
    logic       stall_queue;      // the same
    logic       stall_result;     // the same
    logic       stall_hazard;     // the same
    logic       stall_window;     // the same
    logic [8:0] atom_items;       // items of ATOM that were sent
    logic [3:0] atom_lines;       // line operations of ATOM that were sent
    logic       stall_lines;      // 1 in a cycle of that stall
    logic       stall_memory;     // the same
    logic       stall_tag;        // the same
    logic [2:0] header;           // texture headers that have been read
  } events_t;

endpackage
/* verilator lint_on UNUSEDPARAM */
