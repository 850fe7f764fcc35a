// SPDX-License-Identifier: Apache-2.0
//
// Shared by the stages of the shared memory unit: a beat, the place of a lane's word, and the
// arithmetic that combines lanes.

// Modules that are checked alone use part of the package; functions are given whole beats and rows.
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */
package faa_shared_pkg;

  // A beat: properties of all of its lanes.
  typedef struct packed {
    logic [1:0] func;    // faa_cu_pkg::SHARED_*
    logic [7:0] op;      // SHARED_ATOMIC: enum atoms_op
    logic [3:0] typ;     // enum type
    logic [1:0] mod;     // bit 0 FTZ, bit 1 RELAXED
    logic       result;  // answers are wanted
    logic       first;   // first and last beat of its warp
    logic       last;
    logic       odd;     // 64 bits: words of odd banks; the beat before has those of even banks
  } beat_t;

  // Ticket of a bank operation SHARED_CHOICE: the row in the table of faa_shared_choose, and the
  // last position of its word.
  localparam int unsigned TICKET_LAST = 0;  // 5 bits
  localparam int unsigned TICKET_ROW  = 5;  // 6 bits
  localparam int unsigned TICKET_BITS = 11;

  // Bank of word address w.
  function automatic logic [4:0] bank_of(input logic [21:0] w);
    bank_of = w[4:0] ^ w[9:5] ^ w[14:10] ^ w[19:15] ^ {3'b0, w[21:20]};
  endfunction

  // Order of the 32 banks in a build with fewer banks, a power of two, at least 4: banks that share
  // one are consecutive. The upper bits are the number of the bank of the build; the lower bits are
  // the rest of the bank's number, and belong to the row.
  function automatic logic [4:0] place_of(input logic [4:0] bank, input int unsigned banks);
    place_of = 5'({bank, bank} >> $clog2(banks));
  endfunction

  // The low word of a 64-bit item in this row is in the odd bank of its pair.
  function automatic logic row_swaps(input logic [16:0] row);
    row_swaps = row[0] ^ row[5] ^ row[10] ^ row[15];
  endfunction

  function automatic logic is_int32(input logic [3:0] typ);
    is_int32 = typ == faa_pkg::TYPE_U32 || typ == faa_pkg::TYPE_S32;
  endfunction

  function automatic logic is_steps(input logic [7:0] op);
    is_steps = op == faa_pkg::ATOMS_OP_INC || op == faa_pkg::ATOMS_OP_DEC;
  endfunction

  function automatic logic is_order(input logic [7:0] op);
    is_order = op == faa_pkg::ATOMS_OP_MIN || op == faa_pkg::ATOMS_OP_MAX;
  endfunction

  function automatic logic is_cas(input logic [7:0] op);
    is_cas = op == faa_pkg::ATOMS_OP_CAS || op == faa_pkg::ATOMS_OP_CAST;
  endfunction

  function automatic logic is_spin(input beat_t beat);
    is_spin = beat.func == faa_cu_pkg::SHARED_ATOMIC && beat.op == faa_pkg::ATOMS_OP_CAST_SPIN;
  endfunction

  // The lanes of one word always form one group, whose bank operation is the same operation.
  function automatic logic is_combined(input beat_t beat);
    is_combined = beat.func == faa_cu_pkg::SHARED_ATOMIC && is_int32(beat.typ) && beat.op <= faa_pkg::ATOMS_OP_EXCH &&
                  !is_steps(beat.op);
  endfunction

  // CAS or CAST whose lanes of one word form one group.
  function automatic logic is_cas_group(input beat_t beat);
    is_cas_group = beat.func == faa_cu_pkg::SHARED_ATOMIC && is_int32(beat.typ) && is_cas(beat.op);
  endfunction

  // MIN or MAX on keys of floating-point values (faa_float_pkg).
  function automatic logic is_f32_order(input beat_t beat);
    is_f32_order = beat.func == faa_cu_pkg::SHARED_ATOMIC && beat.typ == faa_pkg::TYPE_F32 && is_order(beat.op);
  endfunction

  function automatic logic is_relaxed(input beat_t beat);
    is_relaxed = beat.func == faa_cu_pkg::SHARED_ATOMIC && beat.typ == faa_pkg::TYPE_F32 &&
                 beat.op == faa_pkg::ATOMS_OP_ADD && beat.mod[1];
  endfunction

  // INC and DEC: lanes are grouped by operand b.
  function automatic logic is_step_group(input beat_t beat);
    is_step_group = beat.func == faa_cu_pkg::SHARED_ATOMIC && beat.typ == faa_pkg::TYPE_U32 && is_steps(beat.op);
  endfunction

  // The combined value goes to the bank as operand c: of INC and DEC the number of steps, of CAS
  // and CAST c of the first lane.
  function automatic logic is_counted(input beat_t beat);
    is_counted = is_step_group(beat) || is_cas_group(beat);
  endfunction

  // A store of 8 or 16 bits.
  function automatic logic is_part_store(input beat_t beat);
    is_part_store = beat.func == faa_cu_pkg::SHARED_STORE && faa_cu_pkg::size_log2(beat.typ) < 2'd2;
  endfunction

  // The bank takes two operands: c of a lane is its value, b the other one.
  function automatic logic is_double(input beat_t beat);
    is_double = is_part_store(beat) ||
                (beat.func == faa_cu_pkg::SHARED_ATOMIC &&
                 (is_cas(beat.op) || beat.op == faa_pkg::ATOMS_OP_CAST_SPIN || is_steps(beat.op)));
  endfunction

  // How the values of a group are combined. INC and DEC count their lanes.
  function automatic faa_lanes_pkg::combine_t how_of(input beat_t beat);
    how_of.order = is_order(beat.op);
    how_of.max   = beat.op == faa_pkg::ATOMS_OP_MAX;
    how_of.sign  = beat.typ == faa_pkg::TYPE_S32 || beat.typ == faa_pkg::TYPE_F32;
    case (beat.op)
      faa_pkg::ATOMS_OP_AND: how_of.op = faa_lanes_pkg::COMBINE_AND;
      faa_pkg::ATOMS_OP_OR:  how_of.op = faa_lanes_pkg::COMBINE_OR;
      faa_pkg::ATOMS_OP_XOR: how_of.op = faa_lanes_pkg::COMBINE_XOR;
      faa_pkg::ATOMS_OP_EXCH: how_of.op = faa_lanes_pkg::COMBINE_YOUNGER;
      faa_pkg::ATOMS_OP_CAS, faa_pkg::ATOMS_OP_CAST: how_of.op = faa_lanes_pkg::COMBINE_OLDER;
      default: how_of.op = faa_lanes_pkg::COMBINE_ADD;
    endcase
  endfunction

  // Positions with a set bit at their own or a lower position of their segment; joins: positions
  // that are not the first of a segment.
  function automatic logic [31:0] seen_below(input logic [31:0] bits, input logic [31:0] joins);
    logic [31:0] open;
    seen_below = bits;
    open       = joins;
    for (int far = 1; far < 32; far = 2 * far) begin
      seen_below = seen_below | (open & (seen_below << far));
      open       = open & (open << far);
    end
  endfunction

  // The same at their own or a higher position; joined: positions that are not the last of a
  // segment.
  function automatic logic [31:0] seen_above(input logic [31:0] bits, input logic [31:0] joined);
    logic [31:0] open;
    seen_above = bits;
    open       = joined;
    for (int far = 1; far < 32; far = 2 * far) begin
      seen_above = seen_above | (open & (seen_above >> far));
      open       = open & (open >> far);
    end
  endfunction

  // Combines the operands of two consecutive lanes, older first.
  function automatic logic [31:0] combine(input logic [7:0] op, input logic sign, input logic [31:0] older,
                                          input logic [31:0] younger);
    logic less;
    less = {older[31] ^ sign, older[30:0]} < {younger[31] ^ sign, younger[30:0]};
    case (op)
      faa_pkg::ATOMS_OP_ADD: combine = older + younger;
      faa_pkg::ATOMS_OP_MIN: combine = less ? older : younger;
      faa_pkg::ATOMS_OP_MAX: combine = less ? younger : older;
      faa_pkg::ATOMS_OP_AND: combine = older & younger;
      faa_pkg::ATOMS_OP_OR:  combine = older | younger;
      faa_pkg::ATOMS_OP_XOR: combine = older ^ younger;
      faa_pkg::ATOMS_OP_CAS, faa_pkg::ATOMS_OP_CAST: combine = older;
      default: combine = younger;
    endcase
  endfunction

endpackage
/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNUSEDPARAM */
