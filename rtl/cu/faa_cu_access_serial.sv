// SPDX-License-Identifier: Apache-2.0
//
// faa_cu_access lane by lane, for builds with the atomic unit where few look-up tables count more
// than cycles: checks and translates the result stream of a warp and its access, and hands its
// lanes to faa_cu_hold_serial. The last lane hands the warp over. After that a warp fails only by a
// bus error.
//
//   Idle    a lane of a warp that has begun is taken; before the first lane of a warp with a result
//           stream, and of a control command, the addresses of the stream are translated
//   Take    another lane is taken: the first one of a warp, and those of control commands
//   Stream  a lane of the result stream: its address goes to the store unit
//   Lane    the access of the lane is checked
//   Ask     the page of either is requested; its response comes in state Answer
//   Spans   the streams of the command are compared with the page of the access
//   Wait    for the units that the warp needs
//   Give    the lane is handed over
//   Tell    the last lane of the warp has been handed over: the result of the warp is reported
//   Fail    an error is reported
//
// One page is remembered, with its permissions and the streams that go through it. Control commands
// that access memory come in as warps too (pseudo_i): SEM_WAIT as a load of lane 0, SEM_SIGNAL and
// SNAPSHOT as stores of operand a. The result of a warp, and the unit that is offered a lane, come
// from registers.
//
// Latency: 5 cycles a lane with a known page, 7 and the TLB more for another one; 2 a warp, with a
// result stream 65 more. Throughput: one lane in 5 cycles, 4 if no address is checked. Stalls,
// hazards: those of faa_cu_access.

`include "faa_assert.svh"

module faa_cu_access_serial #(
  parameter bit Alu = 1'b0,              // SETP has floating-point types too
  parameter bit SurfaceAtomics = 1'b0
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  faa_cu_pkg::cmd_t  cmd_i,            // stable while a command is in the front
  input  logic [31:0]       shared_bytes_i,
  input  logic              kill_i,
  input  logic              cancel_i,         // the front is emptied: drop a warp that has begun
  input  logic              drop_i,           // forget the page (while quiet_o)
  output logic              quiet_o,          // no warp here

  // A lane. Signals of its warp are stable until quiet_o after the last lane
  input  logic              lane_valid_i,
  output logic              lane_ready_o,
  input  faa_cu_pkg::lanes_t lanes_i,
  input  logic              pseudo_i,
  input  logic [63:0]       lane_a_i,
  input  logic [63:0]       lane_b_i,
  input  logic [63:0]       lane_c_i,
  input  logic              lane_null_i,      // SUATOM: it has no place in memory; its M is 0
  input  faa_cu_pkg::warp_t warp_i,
  input  logic [31:0]       warp_null_i,      // all such lanes, after the last one
  input  logic [3:0]        warp_typ_i,       // of an atomic operation: without SD32 and SD64

  // Result of the warp
  output faa_cu_pkg::retire_t retire_o,
  output faa_cu_pkg::failure_t failure_o,
  output logic              stall_shared_o,
  output logic              stall_global_o,

  output logic              tr_valid_o,
  input  logic              tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic              tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  // A lane of warp given_o for a unit; the last one completes the warp
  output logic              given_valid_o,
  input  logic              given_ready_i,
  output faa_cu_pkg::lanes_t given_lanes_o,
  output faa_cu_pkg::handed_t given_o,
  output logic [63:0]       given_a_o,        // the address, or the operand
  output logic [63:0]       given_b_o,
  output logic [63:0]       given_c_o,
  output logic [63:0]       operand_a_o,      // for the arithmetic unit, with given_b_o

  // Units
  input  logic              shared_idle_i,
  output logic              alu_valid_o,      // operands stay until the result has been taken
  input  logic              alu_done_i,
  output logic              load_start_o,
  input  logic              load_idle_i,
  output logic              store_valid_o,    // an address
  output logic [4:0]        store_lane_o,
  output logic              store_live_o,
  output logic              store_commit_o,   // those of a warp count
  output logic              store_items_o,    // items moved are those of a control command
  output logic [1:0]        store_size_o,
  input  logic              store_idle_i,
  input  logic              store_ready_i,    // for addresses
  input  logic              store_writing_i,
  input  logic              store_own_i,      // the stores in flight are of this command
  input  faa_cu_pkg::spans_t spans_i,           // streams of the command
  input  logic              atom_idle_i,      // no access of this stream is in flight
  output logic              redo_o,           // one cycle: read operands of later warps again
  output logic              setp_o,           // one cycle: SETP, or the sparse status of SUATOM
  output logic [31:0]       setp_value_o,
  output logic [51:0]       pa_o,             // of an access, or an address of the result stream
  output logic              sparse_o
);

  typedef enum logic [3:0] {
    StIdle,
    StTake,
    StStream,
    StLane,
    StAsk,
    StAnswer,
    StSpans,
    StWait,
    StGive,
    StTell,
    StFail
  } state_e;

  state_e        state_q;
  logic [63:0]   at_q, b_q, c_q;         // address of the stream or operand a
  logic [4:0]    lane_q;
  logic          last_q;                 // it is the last one of its warp
  logic          null_q;
  logic [31:0]   mask_q;                 // turned so that the bit of the lane is the lowest
  logic          stream_q;               // the address is that of the result stream
  logic          dest_q;                 // the result stream of the warp is translated
  logic          partial_q;              // lanes of a warp have been handed over, and some have not
  logic          open_q;                 // so has a warp that is not a control command's
  logic          begun_q;                // the addresses of a control command are valid
  logic          accept, begin_stream, push, stream_done, lane_done, given, first, skip;
  logic          empty;                  // the warp has no lane: a cycle after its first lane is

  // -----------------------------------------------------------------------------------------------
  // The command

  logic          is_shared, is_ld, is_st, is_load, is_store, is_atom, is_surface, is_move, is_setp;
  logic          is_alu, d_stream, d_reg, wants_result;
  logic [1:0]    size, d_size;

  faa_cu_pkg::dest_t dest;

  // From registers: a command is stable for at least a cycle before its first lane.
  logic opcode_memory;
  assign opcode_memory = cmd_i.opcode == faa_pkg::OPCODE_LD || cmd_i.opcode == faa_pkg::OPCODE_ST ||
                         cmd_i.opcode == faa_pkg::OPCODE_ATOM;
  always_ff @(posedge clk_i) begin
    is_shared  <= cmd_i.opcode == faa_pkg::OPCODE_LDS || cmd_i.opcode == faa_pkg::OPCODE_STS ||
                  cmd_i.opcode == faa_pkg::OPCODE_ATOMS;
    is_ld      <= cmd_i.opcode == faa_pkg::OPCODE_LD;
    is_st      <= cmd_i.opcode == faa_pkg::OPCODE_ST;
    is_load    <= cmd_i.opcode == faa_pkg::OPCODE_SEM_WAIT;
    is_store   <= cmd_i.opcode == faa_pkg::OPCODE_SEM_SIGNAL ||
                  cmd_i.opcode == faa_pkg::OPCODE_SNAPSHOT;
    is_surface <= SurfaceAtomics && cmd_i.opcode == faa_pkg::OPCODE_SUATOM;
    is_atom    <= opcode_memory || (SurfaceAtomics && cmd_i.opcode == faa_pkg::OPCODE_SUATOM);
    is_move    <= cmd_i.opcode == faa_pkg::OPCODE_MOV;
    is_setp    <= cmd_i.opcode == faa_pkg::OPCODE_SETP;
    is_alu     <= cmd_i.opcode == faa_pkg::OPCODE_ALU;
    empty      <= warp_i.mask == '0;
  end
  assign d_stream   = !pseudo_i && cmd_i.kind_d == faa_pkg::KIND_STREAM;
  assign d_reg      = !pseudo_i && cmd_i.kind_d == faa_pkg::KIND_REG;
  assign wants_result = d_stream || d_reg;
  assign d_size     = faa_cu_pkg::size_log2(cmd_i.d_1[35:32]);
  assign size       = pseudo_i ? 2'd3 : stream_q ? d_size : faa_cu_pkg::size_log2(cmd_i.typ);

  always_comb begin
    dest         = '0;
    dest.control = pseudo_i;
    dest.stream  = d_stream || store_items_o;
    dest.wide    = faa_cu_pkg::is_wide(cmd_i.typ);
    dest.is_last = warp_i.last || pseudo_i;
    dest.barrier = cmd_i.write_barrier;
    dest.row     = cmd_i.rd;
  end

  // -----------------------------------------------------------------------------------------------
  // Checks of an address

  logic          misaligned, hit, write, atomic, out_of_window, shared_bad, active, near_known;
  logic          looked_q, misaligned_q, hit_q, shared_bad_q;   // looked_q: these are of at_q
  logic          known_q, known_write_q, known_atomic_q, known_sparse_q;
  logic [51:0]   known_va_q;
  logic [39:0]   known_pa_q;
  logic [63:0]   table_q;                // of a bus error: the table entry
  logic [32:0]   limit_q;                // the last address that an access may have; negative: none
  logic [7:0]    code_q;
  logic          by_table_q, by_warp_q;  // of an error: whose address it is

  always_ff @(posedge clk_i) begin
    limit_q <= {1'b0, shared_bytes_i} - (33'd1 << faa_cu_pkg::size_log2(cmd_i.typ));
  end

  assign misaligned    = (at_q[2:0] & ~(3'b111 << size)) != 3'b0;
  assign out_of_window = at_q[31:24] != '0;
  assign shared_bad    = misaligned || out_of_window || limit_q[32] || at_q[31:0] > limit_q[31:0];
  assign write         = stream_q ? !is_load : !is_ld;
  assign atomic        = !stream_q && !is_ld && !is_st;
  assign hit           = known_q && known_va_q == at_q[63:12] && (known_write_q || !write) &&
                         (known_atomic_q || !atomic);
  assign active        = mask_q[0] && (stream_q || !null_q);

  always_ff @(posedge clk_i) begin
    looked_q     <= rst_ni && (state_q == StStream || state_q == StLane) && !push;
    misaligned_q <= misaligned;
    hit_q        <= hit;
    shared_bad_q <= shared_bad;
  end

  // -----------------------------------------------------------------------------------------------
  // The streams that go through the page

  logic [1:0]    span_q;
  logic [3:0]    near_q, span_used;
  logic [51:0]   low, high;
  logic          settled_q;              // near_q is of the page and these streams
  logic          own_result_q, own_operand_q;   // of the lane, of the warp so far

  assign span_used  = is_ld ? spans_i.used & 4'b0001 : spans_i.used;  // a load changes no operands
  assign low        = spans_i.low[span_q*52 +: 52];
  assign high       = spans_i.high[span_q*52 +: 52];
  assign near_known = hit_q && settled_q;

  always_ff @(posedge clk_i) begin
    span_q <= state_q == StSpans ? span_q + 2'd1 : 2'd0;
    if (state_q == StSpans) near_q[span_q] <= known_va_q >= low && known_va_q <= high;
    if (!rst_ni || !spans_i.ready || state_q == StAnswer) settled_q <= 1'b0;
    else if (state_q == StSpans && span_q == '1) settled_q <= 1'b1;
  end

  // -----------------------------------------------------------------------------------------------
  // States

  logic stream_needed, take_error, room, may;

  assign first         = lanes_i.first == '0;
  assign stream_needed = pseudo_i || d_stream;
  // After an error of a control command its further lanes are taken and dropped.
  assign skip          = pseudo_i && !first && !begun_q;
  assign take_error    = lane_valid_i && first && !dest_q && !pseudo_i &&
                         (kill_i || warp_i.error != faa_pkg::ERROR_SUCCESS);
  assign begin_stream  = state_q == StIdle && lane_valid_i && !open_q && !skip && !take_error &&
                         first && stream_needed && !dest_q;
  // Which lane is taken depends on a state alone, not on the lane.
  assign accept        = lane_valid_i && ((state_q == StIdle && open_q) ||
                                          (state_q == StTake && !skip));
  assign lane_ready_o  = state_q == StTake || (state_q == StIdle && open_q) ||
                         (state_q == StFail && pseudo_i);
  assign room          = is_load || store_ready_i;
  assign push          = state_q == StStream && room &&
                         (!mask_q[0] || (looked_q && !misaligned_q && hit_q));
  assign stream_done   = push && (is_load || lane_q == '1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      known_q <= 1'b0;
    end else begin
      case (state_q)
        StIdle:
          if (accept) state_q <= StLane;
          else if (take_error) state_q <= StFail;
          else if (begin_stream) state_q <= StStream;
          else if (lane_valid_i) state_q <= StTake;
        StTake: state_q <= accept ? StLane : StIdle;
        StStream:
          if (stream_done) state_q <= StIdle;
          else if (mask_q[0] && looked_q) begin
            if (misaligned_q) state_q <= StFail;
            else if (!hit_q) state_q <= StAsk;
          end
        StLane:
          if (!(is_shared || is_atom) || !active) state_q <= StWait;
          else if (looked_q) begin
            if (is_shared) state_q <= shared_bad_q ? StFail : StWait;
            else if (spans_i.ready) begin
              if (misaligned_q) state_q <= StFail;
              else if (near_known) state_q <= StWait;
              else state_q <= hit_q ? StSpans : StAsk;
            end
          end
        StAsk: if (tr_ready_i) state_q <= StAnswer;
        StAnswer:
          if (tr_rsp_valid_i) begin
            if (tr_rsp_i.error != faa_pkg::ERROR_SUCCESS) state_q <= StFail;
            else state_q <= stream_q ? StStream : StSpans;
          end
        StSpans: if (span_q == '1) state_q <= StLane;
        StWait: if (may) state_q <= StGive;
        StGive: if (lane_done) state_q <= last_q ? StTell : StIdle;
        default: state_q <= StIdle;
      endcase
      if (drop_i) known_q <= 1'b0;
      else if (state_q == StAnswer && tr_rsp_valid_i) begin
        known_q <= known_q || tr_rsp_i.error == faa_pkg::ERROR_SUCCESS;
      end
    end

    if (begin_stream) at_q <= pseudo_i ? cmd_i.a_0 : warp_i.d_va;
    else if (accept && !is_load) at_q <= lane_a_i;
    else if (push && !is_load) begin
      at_q <= at_q + (pseudo_i ? 64'd8 : {{32{cmd_i.d_1[31]}}, cmd_i.d_1[31:0]});
    end
    if (accept) begin
      b_q    <= lane_b_i;
      c_q    <= lane_c_i;
      null_q <= lane_null_i;
      last_q <= lanes_i.last;
    end
    if (begin_stream || accept) begin
      stream_q <= begin_stream;
      lane_q   <= lanes_i.first;
    end else if (push) begin
      lane_q <= lane_q + 5'd1;
    end
    if ((begin_stream || accept) && first) mask_q <= warp_i.mask;
    else if (push || lane_done) mask_q <= {mask_q[0], mask_q[31:1]};

    if (state_q == StAnswer && tr_rsp_valid_i) begin
      table_q <= tr_rsp_i.pa;
      if (tr_rsp_i.error == faa_pkg::ERROR_SUCCESS) begin
        known_va_q     <= at_q[63:12];
        known_pa_q     <= tr_rsp_i.pa[51:12];
        known_sparse_q <= tr_rsp_i.sparse;
        known_write_q  <= write;
        known_atomic_q <= atomic;
      end
    end

    // Of an error
    by_warp_q <= state_q == StIdle;
    if (state_q == StIdle) code_q <= kill_i ? faa_pkg::ERROR_KILLED : warp_i.error;
    else if (state_q == StAnswer) code_q <= tr_rsp_i.error;
    else begin
      code_q <= misaligned ? faa_pkg::ERROR_MISALIGNED :
                out_of_window ? faa_pkg::ERROR_OUT_OF_WINDOW : faa_pkg::ERROR_OUT_OF_RANGE;
    end
    by_table_q <= state_q == StAnswer && tr_rsp_i.error == faa_pkg::ERROR_BUS_ERROR;

    if (state_q == StLane) begin
      own_result_q  <= active && near_q[0] && span_used[0];
      if (is_atom && active && looked_q && near_known && (near_q[3:1] & span_used[3:1]) != '0) begin
        own_operand_q <= 1'b1;
      end
    end
    if (lane_done) begin
      partial_q <= !last_q;
      open_q    <= !last_q && !pseudo_i;
    end
    if (stream_done) dest_q <= 1'b1;
    if (given && is_store) begun_q <= 1'b1;
    if (!rst_ni || state_q == StFail || state_q == StTell || (cancel_i && state_q == StIdle)) begin
      partial_q     <= 1'b0;
      open_q        <= 1'b0;
      dest_q        <= 1'b0;
      begun_q       <= 1'b0;
      own_operand_q <= 1'b0;
    end
  end

  assign tr_valid_o  = state_q == StAsk;
  assign tr_req_o    = '{va: at_q, write: write, atomic: atomic};

  // -----------------------------------------------------------------------------------------------
  // Wait: a condition that holds stays true until the lane has been given

  logic stream_may, atom_may, load_may;
  assign stream_may = !d_stream || (store_ready_i && load_idle_i && (is_atom || atom_idle_i));
  // An access may pass results of earlier warps of its command if they do not overlap.
  assign atom_may   = load_idle_i && (store_idle_i || (store_own_i && d_stream && !own_result_q));
  assign load_may   = atom_idle_i && load_idle_i && store_idle_i;

  always_comb begin
    may = stream_may;
    if (pseudo_i) may = begun_q || (load_may && !(is_load && store_writing_i));
    // A warp without a lane waits for all earlier warps of its unit.
    else if (is_shared) may = stream_may && (!empty || shared_idle_i);
    else if (is_atom) may = stream_may && (empty ? atom_idle_i : atom_may);
    else if (is_alu) may = stream_may && alu_done_i;
  end

  // -----------------------------------------------------------------------------------------------
  // Give

  logic found, compared, moves;
  logic gives_shared, gives_atom;
  logic gives_shared_q, gives_atom_q, moves_q;   // of the lane in Give; nothing: given to no unit
  logic [31:0] so_far, so_far_q;                 // of lanes up to this one, before it

  assign moves = is_move || is_alu || is_store || (empty && wants_result && !is_setp);
  always_ff @(posedge clk_i) begin
    gives_shared_q <= is_shared && !empty;
    gives_atom_q   <= is_atom && !empty;
    moves_q        <= moves;
  end

  assign gives_shared  = state_q == StGive && gives_shared_q;
  assign gives_atom    = state_q == StGive && gives_atom_q;
  assign given_valid_o = state_q == StGive && (gives_shared_q || gives_atom_q || moves_q);
  assign given         = given_valid_o && given_ready_i;
  assign lane_done     = state_q == StGive &&
                         (given_ready_i || !(gives_shared_q || gives_atom_q || moves_q));

  faa_cu_compare #(
    .Lanes (1),
    .Floats(Alu)
  ) u_compare (
    .cmp_i  (cmd_i.op),
    .typ_i  (cmd_i.typ),
    .a_i    (at_q),
    .b_i    (b_q),
    .holds_o(compared)
  );

  // A bit of each lane: its page is sparse, or the comparison of SETP is true.
  assign found  = is_atom ? active && known_sparse_q : compared;
  assign so_far = {found, so_far_q[31:1]};
  always_ff @(posedge clk_i) if (lane_done) so_far_q <= so_far;

  assign alu_valid_o     = (state_q == StWait || state_q == StGive) && is_alu;
  assign load_start_o    = state_q == StGive && is_load;
  assign store_valid_o   = push && !is_load;
  assign store_lane_o    = lane_q;
  assign store_live_o    = mask_q[0] && !known_sparse_q;
  assign store_commit_o  = given && (is_store ? !begun_q : d_stream && last_q);
  assign store_items_o   = is_store && pseudo_i;
  assign store_size_o    = pseudo_i ? 2'd3 : d_size;
  assign setp_o          = state_q == StTell && (is_setp || (is_surface && !empty));
  assign setp_value_o    = so_far_q;
  assign redo_o          = state_q == StTell && gives_atom_q && own_operand_q;
  assign pa_o            = {known_pa_q, at_q[11:0]};
  assign sparse_o        = known_sparse_q;

  faa_cu_pkg::access_t access;
  logic [1:0]          shared_func, atom_func;

  assign shared_func = cmd_i.opcode == faa_pkg::OPCODE_LDS ? faa_cu_pkg::SHARED_LOAD :
                       cmd_i.opcode == faa_pkg::OPCODE_STS ? faa_cu_pkg::SHARED_STORE :
                                                             faa_cu_pkg::SHARED_ATOMIC;
  assign atom_func   = is_ld ? faa_cu_pkg::SHARED_LOAD : is_st ? faa_cu_pkg::SHARED_STORE :
                                                                 faa_cu_pkg::SHARED_ATOMIC;
  assign access      = '{reads: atom_func != faa_cu_pkg::SHARED_STORE,
                         writes: atom_func != faa_cu_pkg::SHARED_LOAD, pc: cmd_i.pc,
                         element: pseudo_i ? '0 : warp_i.element[31:5]};

  assign given_lanes_o = '{last: last_q, first: lane_q};
  assign given_o       = '{shared: gives_shared, atom: gives_atom,
                           func: gives_atom ? atom_func : shared_func, op: cmd_i.op,
                           typ: gives_atom ? warp_typ_i : cmd_i.typ, mod: cmd_i.mod[1:0],
                           result: gives_atom ? cmd_i.kind_d != faa_pkg::KIND_NONE : wants_result,
                           sys: cmd_i.sys, mask: warp_i.mask, sparse: so_far | warp_null_i,
                           access: access, dest: dest};
  assign given_a_o     = {gives_atom ? {12'b0, known_pa_q} : at_q[63:12], at_q[11:0]};
  assign operand_a_o   = at_q;
  assign given_b_o     = b_q;
  assign given_c_o     = c_q;

  assign retire_o.valid       = state_q == StTell && !pseudo_i;
  assign retire_o.next        = warp_i.element + 32'd32;
  assign retire_o.count       = warp_i.count;
  assign retire_o.mask        = warp_i.mask;
  assign retire_o.last        = warp_i.last;
  // SETP and warps without a lane are complete here; other warps are released by their unit or by
  // faa_cu_writeback.
  assign retire_o.releases    = state_q == StTell && warp_i.last && !pseudo_i &&
                           (is_setp || (empty && !wants_result && !moves_q));
  assign retire_o.barrier     = cmd_i.write_barrier;

  // -----------------------------------------------------------------------------------------------
  // Fail

  assign failure_o.valid   = state_q == StFail;
  assign failure_o.error   = code_q;
  logic [4:0] bad_lane;
  assign bad_lane          = !by_warp_q ? lane_q :
                           code_q == faa_pkg::ERROR_KILLED ? 5'd0 : warp_i.lane;
  assign failure_o.lane    = bad_lane;
  assign failure_o.element = warp_i.element + {27'b0, bad_lane};
  always_comb begin
    failure_o.address = by_table_q ? table_q : at_q;
    if (is_shared && !stream_q) failure_o.address[63:32] = '0;
    if (by_warp_q) failure_o.address = code_q == faa_pkg::ERROR_KILLED ? '0 : warp_i.address;
  end

  assign quiet_o        = state_q == StIdle && !partial_q && !dest_q;
  assign stall_shared_o = is_shared && (state_q == StWait || (gives_shared && !given_ready_i));
  assign stall_global_o = state_q == StAsk || state_q == StAnswer ||
                          (state_q == StStream && !room) ||
                          (state_q == StWait && !is_shared && !may) ||
                          (gives_atom && !given_ready_i);

  logic unused;
  assign unused = ^{cmd_i, tr_rsp_i.big};

  `FAA_ASSERT(kind_is_known, state_q == StIdle || is_atom == (opcode_memory || is_surface))
  `FAA_ASSERT(kind_is_kept, !(lane_valid_i && lane_ready_o) || pseudo_i ||
                            is_shared == (cmd_i.opcode == faa_pkg::OPCODE_LDS ||
                                          cmd_i.opcode == faa_pkg::OPCODE_STS ||
                                          cmd_i.opcode == faa_pkg::OPCODE_ATOMS))
  `FAA_ASSERT(rests_when_dropped, !drop_i || quiet_o)
  `FAA_ASSERT_STABLE(request_stable, tr_valid_o, tr_ready_i, tr_req_o)
  `FAA_ASSERT(addresses_come_with_the_warp, !store_commit_o || store_ready_i)

  `FAA_COVER(stall_a1, gives_shared && !given_ready_i)
  `FAA_COVER(stall_a1_empty, state_q == StWait && is_shared && empty && !shared_idle_i)
  `FAA_COVER(stall_a2, state_q == StWait && pseudo_i && !may)
  `FAA_COVER(stall_a2_stream, state_q == StStream && !room)
  `FAA_COVER(stall_a3, state_q == StAnswer)
  `FAA_COVER(stall_a5, gives_atom && !given_ready_i)
  `FAA_COVER(stall_a5_store, state_q == StWait && is_atom && !own_result_q && !atom_may)
  `FAA_COVER(stall_a5_result, state_q == StWait && is_atom && own_result_q && !atom_may)
  `FAA_COVER(stall_a5_empty, state_q == StWait && is_atom && empty && !atom_idle_i)
  `FAA_COVER(redo, redo_o)
  `FAA_COVER(redo_store, redo_o && is_st)
  `FAA_COVER(dropped_between_lanes, cancel_i && state_q == StIdle && partial_q)

endmodule
