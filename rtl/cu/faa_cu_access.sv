// SPDX-License-Identifier: Apache-2.0
//
// Last step of the front: takes a warp with its operands, checks and translates its result stream
// and its access, and hands it to the unit that executes it. After that a warp fails only by a bus
// error.
//
// A warp comes in beats of Lanes lanes. Each beat is checked, translated and handed over as
// described below; the last beat hands the warp over. Until then faa_cu_hold may drop the beats of
// a warp. Facts about all lanes of a warp (sparse status, result of SETP, overlap with the
// command's own streams) are collected beat by beat. The translation of the result stream is one
// for the warp: it begins with the first beat and ends with the last. Its addresses go to the store
// unit in beats of StoreLanes lanes as soon as they are translated; the last of these leaves with
// the warp and makes them valid.
//
//   StIdle      a warp is taken; kill is checked here
//   StDest      the addresses of the result stream are translated, from the cycle in which the warp
//               is taken
//   StAddr      access: shared addresses are checked in place; translation of global ones begins; a
//               warp of the atomic unit stays until it is handed over
//   StAddrWait  of the load and the store unit: translation
//
// Except for the load and the store unit, a warp leaves StAddr (or StDest when the result stream is
// translated) in the cycle in which all that it needs is there, and the next warp is taken in the
// same cycle.
//
// Control commands that access memory come in as warps too (pseudo_i): SEM_WAIT as a load of lane
// 0, SEM_SIGNAL and SNAPSHOT as stores.
//
// With GlobalAtomics LD, ST, ATOM and SUATOM go to the atomic unit, which keeps their order on each
// line; without, LD and ST go to the load and the store unit. Addresses of SUATOM come from
// faa_surface. A warp of ST or ATOM that may change operands read ahead for later warps raises
// redo_o: the operands are read again, and the next warp is not taken in that cycle.
//
// Latency: 1 cycle for shared memory and registers, 2 with a result stream in a known page; to the
// atomic unit 1 in the page that faa_cu_atom_pages remembers; to the load and the store unit 4 with
// a known page. Throughput: a warp per cycle, per 2 cycles with a result stream, per 4 cycles for
// the load and the store unit.
// Stalls:
//   ACC-S1  the shared unit takes no warp, or a warp without a lane waits for it (stall_shared_o)
//   ACC-S2  the load or store unit is busy, or the other one has accesses in flight that this one
//           might overlap, as a result stream a load (stall_global_o)
//   ACC-S3  a translation (stall_global_o)
//   ACC-S4  the arithmetic unit works on the warp, or a result goes first (no counter)
//   ACC-S5  the atomic unit takes no warp, or has to wait for the store unit; for the load and
//           store units and other result streams: the atomic unit has accesses in flight
//           (stall_global_o)
// Hazards:
//   ACC-H1  store or result stream after load, and load after store: the units exclude each other,
//           except a load whose results the store unit waits for
//   ACC-H2  an invalidation between translation and use: the addresses are used to the end; quiet_o
//           is 0 meanwhile
//   ACC-H3  the same units and the atomic unit: they exclude each other, except for results of the
//           command's own earlier warps, unless a lane may be in the result stream. Results of the
//           atomic unit's own warps come when all of its earlier accesses are done

`include "faa_assert.svh"

module faa_cu_access #(
  parameter int unsigned Lanes = 32,        // of a beat of operands: 32, 16, 8 or 4
  parameter int unsigned StoreLanes = 32,   // of one of the result stream's addresses
  parameter bit Alu = 1'b1,              // SETP has floating-point types too
  parameter bit GlobalAtomics = 1'b0,
  parameter bit SurfaceAtomics = 1'b0
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  faa_cu_pkg::cmd_t  cmd_i,            // stable while a command is in the front
  input  logic [31:0]       shared_bytes_i,
  input  logic              kill_i,
  input  logic              cancel_i,         // the front is emptied: drop a warp that has begun
  input  logic              drop_i,           // forget the translation (while quiet_o)
  output logic              quiet_o,          // no warp here

  input  logic              warp_valid_i,     // a warp, or
  input  logic              pseudo_valid_i,   // that of a control command (pseudo_i)
  output logic              warp_ready_o,
  input  logic              block_i,          // no warp comes now: not ready for one,
  output logic              taken_o,          // which is known in the same look-up table
  input  faa_cu_pkg::warp_t warp_i,
  input  logic [31:0]       warp_null_i,      // SUATOM: lanes without a place in memory; M is 0
  input  logic [3:0]        warp_typ_i,       // atomic operation: enum type, not SD32 and SD64
  input  logic              pseudo_i,
  input  faa_cu_pkg::part_t warp_part_i,
  input  logic [Lanes*64-1:0] warp_a_i,
  input  logic [Lanes*64-1:0] warp_va_i,      // operand a of warps, unless pseudo_i
  input  logic [Lanes*64-1:0] warp_b_i,
  input  logic [Lanes*64-1:0] warp_c_i,

  // Result of the warp
  output faa_cu_pkg::retire_t retire_o,
  output faa_cu_pkg::failure_t failure_o,
  output logic              stall_shared_o,
  output logic              stall_global_o,

  output logic              tr_next_o,        // tr_valid_o in the next cycle
  output logic              tr_valid_o,
  input  logic              tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic              tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  // A beat of warp given_o for a unit; the last one completes the warp
  output logic              given_valid_o,
  input  logic              given_ready_i,
  output faa_cu_pkg::part_t given_part_o,
  output faa_cu_pkg::handed_t given_o,
  output logic [Lanes*64-1:0] given_a_o,      // addresses, or the operand
  output logic [Lanes*64-1:0] given_b_o,
  output logic [Lanes*64-1:0] given_c_o,
  output logic [Lanes*64-1:0] operand_a_o,    // for the arithmetic unit, with given_b_o

  // Units
  input  logic              shared_idle_i,
  output logic              alu_valid_o,      // operands stay until the result has been taken
  input  logic              alu_done_i,
  output logic              load_start_o,
  input  logic              load_idle_i,
  output logic              store_addr_o,     // a beat of addresses; with the last one they count
  output faa_cu_pkg::part_t store_part_o,
  output logic [StoreLanes-1:0] store_mask_o,
  output logic [StoreLanes-1:0] store_sparse_o,
  output logic [StoreLanes*52-1:0] store_pa_o,
  output logic              store_items_o,    // items moved are those of an access, ST: operand b
  output logic              store_cancel_o,   // the access is bad: its result stream is not written
  output logic [1:0]        store_size_o,
  input  logic              store_idle_i,
  input  logic              store_ready_i,    // for addresses
  input  logic              store_writing_i,
  // Atomic unit
  input  faa_cu_pkg::spans_t spans_i,           // streams of the command
  input  logic              atom_idle_i,      // no access of this stream is in flight
  input  logic              store_own_i,      // the stores in flight are of this command
  output logic              redo_o,           // one cycle: read operands of later warps again
  input  logic              move_beat_i,      // of a move: a beat is taken; given_ready_i: the last
  output logic              setp_o,           // one cycle: SETP, or the sparse status of SUATOM
  output logic [31:0]       setp_value_o,
  output logic [31:0]       sparse_o,
  output logic [2047:0]     pa_o
);

  typedef enum logic [2:0] {
    StIdle,
    StDest,
    StAddr,
    StAddrWait
  } state_e;

  state_e        state_q;
  logic [31:0]   mask_q, element_q, null_q;
  logic [3:0]    typ_q;
  logic [5:0]    count_q;
  logic          last_q, pseudo_q;
  logic [Lanes*64-1:0] a_q, b_q, c_q;
  faa_cu_pkg::part_t part_q;
  logic          partial_q;              // beats of a warp have been handed over, and some have not
  logic [4:0]    first_lane;             // of the beat
  logic [Lanes-1:0] beat_mask, beat_mask_q, beat_null, beat_null_q;
  faa_cu_pkg::dest_t dest;

  // The command
  logic          is_shared, is_ld, is_st, is_load, is_store, is_atom, is_surface, is_move, is_setp,
                 is_alu, d_kind_stream, d_kind_reg, d_stream, d_reg, wants_result, access_global;
  logic [1:0]    size, d_size;
  logic          accept;                 // a warp is taken
  logic          empty_q;                // the warp has no lane
  logic          all_null_q;             // no lane of the beat has a place in memory

  // Facts about the command come from registers: they are used for a warp that is here, which comes
  // in the first cycle of its command at the earliest.
  logic [7:0] opcode;
  logic       ld, st;
  assign opcode = cmd_i.opcode;
  assign ld     = opcode == faa_pkg::OPCODE_LD;
  assign st     = opcode == faa_pkg::OPCODE_ST;
  always_ff @(posedge clk_i) begin
    is_shared  <= opcode == faa_pkg::OPCODE_LDS || opcode == faa_pkg::OPCODE_STS ||
                  opcode == faa_pkg::OPCODE_ATOMS;
    is_ld      <= ld;
    is_st      <= st;
    is_load    <= (!GlobalAtomics && ld) || opcode == faa_pkg::OPCODE_SEM_WAIT;
    is_store   <= (!GlobalAtomics && st) || opcode == faa_pkg::OPCODE_SEM_SIGNAL ||
                  opcode == faa_pkg::OPCODE_SNAPSHOT;
    is_surface <= SurfaceAtomics && opcode == faa_pkg::OPCODE_SUATOM;
    is_atom    <= (GlobalAtomics && (ld || st || opcode == faa_pkg::OPCODE_ATOM)) ||
                  (SurfaceAtomics && opcode == faa_pkg::OPCODE_SUATOM);
    is_move    <= opcode == faa_pkg::OPCODE_MOV;
    is_setp    <= opcode == faa_pkg::OPCODE_SETP;
    is_alu     <= opcode == faa_pkg::OPCODE_ALU;
    d_kind_stream <= cmd_i.kind_d == faa_pkg::KIND_STREAM;
    d_kind_reg    <= cmd_i.kind_d == faa_pkg::KIND_REG;
  end
  assign access_global = is_load || is_store;
  assign d_stream  = !pseudo_q && d_kind_stream;
  assign d_reg     = !pseudo_q && d_kind_reg;
  assign wants_result = d_stream || d_reg;
  assign size      = pseudo_q ? 2'd3 : faa_cu_pkg::size_log2(cmd_i.typ);
  assign d_size    = faa_cu_pkg::size_log2(cmd_i.d_1[35:32]);

  always_comb begin
    dest         = '0;
    dest.control = pseudo_q;
    dest.stream  = d_stream || store_items_o;
    dest.wide    = faa_cu_pkg::is_wide(cmd_i.typ);
    dest.is_last = last_q;
    dest.barrier = cmd_i.write_barrier;
    dest.row     = cmd_i.rd;
  end

  // -------------------------------------------------------------------------------------------------------------
  // Checks of shared addresses, all lanes at once, in the cycle in which the warp is taken. The
  // rule that the lowest bad lane breaks is determined afterwards.

  logic [Lanes-1:0] shared_bad, shared_bad_q;
  logic        any_bad_q, picked_q;
  logic [4:0]  shared_lane;
  logic [32:0] limit_q;                // the last address that an access may have; negative: none

  always_ff @(posedge clk_i) begin
    limit_q <= {1'b0, shared_bytes_i} - (33'd1 << faa_cu_pkg::size_log2(cmd_i.typ));
  end

  function automatic logic odd(input logic [2:0] address, input logic [1:0] log2);
    odd = (address & ~(3'b111 << log2)) != 3'b0;
  endfunction

  for (genvar l = 0; l < Lanes; l++) begin : g_check
    assign shared_bad[l] = beat_mask[l] &&
                           (odd(warp_va_i[l*64 +: 3], faa_cu_pkg::size_log2(cmd_i.typ)) ||
                            warp_va_i[l*64 + 24 +: 8] != 8'b0 || limit_q[32] ||
                            warp_va_i[l*64 +: 32] > limit_q[31:0]);
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      shared_bad_q <= shared_bad;
      any_bad_q    <= shared_bad != '0;
    end
  end
  assign shared_lane = faa_cu_pkg::lowest(32'(shared_bad_q));

  always_comb begin
    beat_mask = warp_i.mask[Lanes-1:0];
    beat_null = warp_null_i[Lanes-1:0];
    for (int unsigned n = 1; n < 32 / Lanes; n++) begin
      if ((warp_part_i.number & 3'(32 / Lanes - 1)) == 3'(n)) begin
        beat_mask = warp_i.mask[n*Lanes +: Lanes];
        beat_null = warp_null_i[n*Lanes +: Lanes];
      end
    end
  end
  // -------------------------------------------------------------------------------------------------------------
  // Translation of the result stream, then of the access

  logic          take_error, warp_fails, t_good, t_bad, t_start, t_free, t_valid, t_take,
                 t_dest, t_access;
  logic [7:0]    t_error;
  logic [4:0]    t_lane;
  logic [63:0]   t_address;
  logic [31:0]   t_mask;
  logic          t_tr_valid, asks, asks_ready;
  faa_bundle_pkg::tr_req_t t_tr_req, asks_req;

  // Requests go through a register, which a request enters while the translation port is being
  // lent: no cycle is lost.
  assign asks_ready = !tr_valid_o || tr_ready_i;
  assign tr_next_o  = asks || !asks_ready;
  always_ff @(posedge clk_i) begin
    tr_valid_o <= rst_ni && tr_next_o;
    if (asks_ready) tr_req_o <= asks_req;
  end

  logic [StoreLanes*52-1:0] stream_pa;   // of a beat of the result stream
  logic [StoreLanes-1:0]    stream_sparse, stream_mask;

  // A result stream has a step, and so have control commands: 8 bytes for SNAPSHOT, the others have
  // lane 0 alone. LD and ST have no step; with GlobalAtomics they have their own translation.
  logic [2047:0] d_va;
  if (GlobalAtomics) begin : gen_no_lanes
    assign d_va = '0;
  end else begin : gen_lanes
    faa_cu_lanes u_lanes (
      .base_i (warp_i.d_va),
      .step_i ({{32{cmd_i.d_1[31]}}, cmd_i.d_1[31:0]}),
      .value_o(d_va)
    );
  end

  // Whether the warp is taken comes late.
  logic starts_dest;
  assign starts_dest = warp_valid_i && !warp_fails && !pseudo_i &&
                       cmd_i.kind_d == faa_pkg::KIND_STREAM && warp_part_i.number == 3'd0;
  assign t_dest      = warp_ready_o && starts_dest;
  assign t_access = state_q == StAddr && access_global;   // then no warp is taken
  assign t_start  = t_dest || t_access;

  faa_cu_translate #(
    .Affine(GlobalAtomics)
  ) u_translate (
    .clk_i,
    .rst_ni,
    .start_i        (t_start),
    .mask_i         (t_access ? mask_q : warp_i.mask),
    .va_i           (t_access || GlobalAtomics ? 2048'(a_q) : d_va),
    .base_i         (t_access ? cmd_i.a_0 : warp_i.d_va),
    .step_i         (t_access ? 32'd8 : cmd_i.d_1[31:0]),
    .size_i         (t_access ? size : d_size),
    .write_i        (!t_access || is_store),
    .drop_i,
    .free_o         (t_free),
    .valid_o        (t_valid),
    .take_i         (t_take),
    .mask_o         (t_mask),
    .pa_o,
    .sparse_o,
    .good_o         (t_good),
    .bad_o          (t_bad),
    .error_o        (t_error),
    .error_lane_o   (t_lane),
    .error_address_o(t_address),
    .tr_valid_o     (t_tr_valid),
    .tr_ready_i     (asks_ready),
    .tr_req_o       (t_tr_req),
    .tr_rsp_valid_i,
    .tr_rsp_i
  );

  always_comb begin
    stream_sparse = sparse_o[StoreLanes-1:0];
    for (int unsigned l = 0; l < StoreLanes; l++) stream_pa[l*52 +: 52] = pa_o[l*64 +: 52];
    for (int unsigned n = 1; n < 32 / StoreLanes; n++) begin
      if (store_part_o.number == 3'(n)) begin
        stream_sparse = sparse_o[n*StoreLanes +: StoreLanes];
        for (int unsigned l = 0; l < StoreLanes; l++) begin
          stream_pa[l*52 +: 52] = pa_o[(n*StoreLanes + l) * 64 +: 52];
        end
      end
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // Translation for the atomic unit, after that of the result stream, which stays in
  // faa_cu_translate

  logic [Lanes*52-1:0] atom_pa;
  logic          atom_look, atom_good, atom_bad, atom_take, own_result, own_operand, atom_fails;
  logic [Lanes-1:0] page_sparse, compared;
  logic [7:0]    atom_error;
  logic [4:0]    atom_lane;
  logic [63:0]   atom_address, picked;

  if (GlobalAtomics) begin : gen_atom
    // A load changes no operands.
    faa_cu_pkg::spans_t spans;
    always_comb begin
      spans = spans_i;
      if (is_ld) spans.used = spans_i.used & 4'b0001;
    end

    logic                    a_tr_valid;
    faa_bundle_pkg::tr_req_t a_tr_req;

    faa_cu_atom_pages #(
      .Lanes(Lanes)
    ) u_pages (
      .clk_i,
      .rst_ni,
      .drop_i,
      .spans_i        (spans),
      .next_i         (accept),
      .next_mask_i    (beat_mask & ~beat_null),
      .next_va_i      (warp_va_i),
      .next_size_i    (faa_cu_pkg::size_log2(cmd_i.typ)),
      .next_write_i   (!ld),
      .next_atomic_i  (!ld && !st),
      .look_i         (atom_look),
      .mask_i         (beat_mask_q & ~beat_null_q),
      .va_i           (a_q),
      .size_i         (size),
      .write_i        (!is_ld),
      .atomic_i       (!is_ld && !is_st),
      .take_i         (atom_take),
      .pick_i         (shared_lane),
      .picked_o       (picked),
      .good_o         (atom_good),
      .bad_o          (atom_bad),
      .pa_o           (atom_pa),
      .sparse_o       (page_sparse),
      .own_result_o   (own_result),
      .own_operand_o  (own_operand),
      .error_o        (atom_error),
      .error_lane_o   (atom_lane),
      .error_address_o(atom_address),
      .tr_valid_o     (a_tr_valid),
      .tr_ready_i     (asks_ready),
      .tr_req_o       (a_tr_req),
      .tr_rsp_valid_i,
      .tr_rsp_i
    );

    // The two take turns: each has all its answers before the other one requests.
    assign asks     = t_tr_valid || a_tr_valid;
    assign asks_req = is_atom && (state_q == StAddr || t_valid) ? a_tr_req : t_tr_req;

    `FAA_ASSERT(translators_take_turns, !(t_tr_valid && a_tr_valid) &&
                (!a_tr_valid || (is_atom && (state_q == StAddr || t_valid))))
  end else begin : gen_no_atom
    assign {atom_good, atom_bad, atom_pa, page_sparse, own_result, own_operand, atom_error,
            atom_lane, atom_address} = '0;
    assign picked   = a_q[{shared_lane[$clog2(Lanes)-1:0], 6'b0} +: 64];
    assign asks       = t_tr_valid;
    assign asks_req   = t_tr_req;

    logic unused_atom;
    assign unused_atom = ^{beat_mask_q, beat_null_q, spans_i, atom_look, atom_take, tr_rsp_i.big,
                           warp_va_i};
  end

  // -------------------------------------------------------------------------------------------------------------
  // Handing over

  logic bad, shared_fails, step, may_step, dest_done, turn;
  logic takes_next, addressed, any_operand, own_operand_q, stream_go, passes, atom_passes,
        atom_known, atom_turns;
  logic [31:0] so_far, sparse_so_far, so_far_q;   // of lanes up to those of the beat
  logic store_begin, st_addr, st_items, st_begun_q, mv_begun_q;
  logic go, go_shared, go_load, go_store, go_move, go_setp, go_empty, go_atom,
        atom_taken, global_may, atom_may;

  // A warp that is in error, or is killed, is not taken in the cycle in which the one before
  // leaves, but in the next one: its error does not depend on what happens to the one before.
  assign warp_fails   = warp_part_i.number == 3'd0 &&
                        (kill_i || warp_i.error != faa_pkg::ERROR_SUCCESS);
  assign warp_ready_o = state_q == StIdle || (turn && !warp_fails);
  assign takes_next   = !warp_fails && !block_i;
  assign taken_o      = (state_q == StIdle && !block_i) || (turn && takes_next);
  assign accept       = (warp_valid_i || pseudo_valid_i) && warp_ready_o;
  assign take_error   = state_q == StIdle && warp_valid_i && warp_fails;

  // Units are idle. With fewer than 32 lanes as of the cycle before: the shared memory unit and the
  // atomic unit from the second cycle of a beat on, which sees all earlier beats; the store unit if
  // nothing has been given to it meanwhile. atoms_done is for warps that do not go to the atomic
  // unit, while no warp of their command does: none has entered it in the cycle before.
  // stream_may: the same for results that are stored; the addresses that were given in the cycle
  // before may have been the last ones that the store unit takes.
  // nothing: a warp without a lane, which waits for all earlier warps of its unit.
  logic nothing, atoms_done, store_idle, stream_may;
  if (Lanes < 32) begin : gen_idle_late
    logic nothing_q, atom_idle_q, store_idle_q;
    always_ff @(posedge clk_i) begin
      nothing_q    <= !accept && empty_q && ((is_shared && shared_idle_i) ||
                                             (is_atom && atom_idle_i));
      atom_idle_q  <= atom_idle_i;
      store_idle_q <= store_idle_i && !store_addr_o;
      stream_may   <= store_ready_i && load_idle_i && (is_atom || atom_idle_i) &&
                       !(store_addr_o && store_part_o.last);
    end
    assign nothing    = nothing_q;
    assign atoms_done = atom_idle_q;
    assign store_idle = store_idle_q;
  end else begin : gen_idle
    assign nothing    = empty_q && ((is_shared && shared_idle_i) || (is_atom && atom_idle_i));
    assign atoms_done = atom_idle_i;
    assign store_idle = store_idle_i;
    assign stream_may = store_ready_i && load_idle_i && (is_atom || atom_idle_i);
  end

  // A load may pass a store unit that only waits for this load's result.
  assign global_may = atoms_done && load_idle_i &&
                      (is_load ? !store_writing_i && (d_stream || store_idle) : store_idle);
  // An access of the atomic unit may pass results of earlier warps of its command if they do not
  // overlap.
  assign atom_may   = load_idle_i && (store_idle || (store_own_i && d_stream && !own_result));

  // The last step of a warp without a global access.
  assign step      = !access_global &&
                     (state_q == StAddr || (state_q == StDest && t_good));
  assign may_step  = step && stream_go;
  // A load's result stream is handed over before its access is translated.
  assign dest_done = state_q == StDest && t_good && access_global &&
                     store_idle && store_part_o.last;

  always_ff @(posedge clk_i) picked_q <= rst_ni && step && is_shared && any_bad_q && !picked_q;
  // With GlobalAtomics the address of the bad lane comes a cycle later.
  assign shared_fails = step && is_shared && any_bad_q && (!GlobalAtomics || picked_q);
  assign go_shared = may_step && is_shared && !empty_q && !any_bad_q;
  assign go_empty  = step && nothing && !wants_result;
  // The last beat waits for the addresses of the result stream.
  assign addressed = !d_stream || !part_q.last || store_part_o.last;
  assign go_move   = may_step && addressed &&
                     (is_move || (is_alu && alu_done_i) || (nothing && wants_result));
  assign go_setp   = step && is_setp;
  assign go_load   = state_q == StAddrWait && t_good && is_load && global_may;
  // The addresses of a store become valid, then its items are taken, beat by beat.
  assign st_addr   = state_q == StAddrWait && t_good && is_store && global_may &&
                     store_part_o.last && !st_begun_q;
  assign st_items  = st_addr || (st_begun_q && state_q == StAddrWait);
  assign go_store  = st_items && given_ready_i;
  // Lanes without a place in memory are handled as lanes on sparse pages, but do not affect the
  // sparse status; they are not translated.
  assign atom_look  = step && is_atom && !all_null_q;
  assign atom_fails = atom_look && atom_bad;
  // But for its translation, which comes late
  assign atom_passes = is_atom && !empty_q && atom_may && addressed;
  assign atom_known  = all_null_q || atom_good;
  assign go_atom     = may_step && atom_passes && atom_known;
  assign atom_taken = go_atom && given_ready_i;
  assign atom_take  = (atom_taken && !all_null_q) || atom_fails;
  // Whether the step ends the warp's turn is determined beside whether there is a step.
  assign stream_go  = !d_stream || mv_begun_q || stream_may;
  assign passes     = (nothing && !wants_result) || is_setp ||
                      (stream_go && given_ready_i &&
                       ((is_shared && !empty_q && !any_bad_q) ||
                        (addressed && (is_move || (is_alu && alu_done_i) ||
                                       (nothing && wants_result)))));
  assign atom_turns = stream_go && given_ready_i && atom_passes && !(part_q.last && any_operand);
  assign turn       = step && (passes || (atom_turns && atom_known));
  assign any_operand = own_operand || own_operand_q;   // of a beat of the warp so far
  assign go        = turn || go_load || go_store || atom_taken;
  assign bad       = shared_fails || atom_fails || t_bad;
  // A warp dropped between two beats leaves its result stream in the translator.
  assign t_take    = t_valid && ((go && part_q.last) || bad || dest_done ||
                                 (cancel_i && state_q == StIdle));

  assign alu_valid_o    = step && is_alu;
  assign load_start_o   = go_load;
  assign store_items_o  = st_items;
  // The items of a move follow its addresses, which become valid with the first beat.
  assign store_addr_o   = store_begin || st_addr || dest_done ||
                          (d_stream && part_q.last &&
                           ((go_move && move_beat_i && !mv_begun_q) ||
                            (go_shared && given_ready_i) || atom_taken));
  assign store_cancel_o = bad && d_stream && state_q == StAddrWait;
  assign store_size_o   = state_q == StDest ? d_size : size;
  assign setp_o         = part_q.last && (go_setp || (atom_taken && is_surface));
  assign setp_value_o   = so_far;
  assign redo_o         = atom_taken && part_q.last && any_operand;

  // A bit of each lane: its page is sparse, or the comparison of SETP is true.
  // Units take the former alone.
  for (genvar l = 0; l < 32; l++) begin : g_found
    logic found;
    assign found     = is_atom ? page_sparse[l % Lanes] : compared[l % Lanes];
    assign so_far[l] = part_q.number == 3'(l / Lanes) ? found : so_far_q[l];
    assign sparse_so_far[l] = part_q.number == 3'(l / Lanes) ? page_sparse[l % Lanes] : so_far_q[l];
  end
  assign first_lane = 5'({3'b0, part_q.number} << $clog2(Lanes));

  // Beats of addresses but the last one
  if (StoreLanes == 32) begin : gen_whole
    assign store_part_o = '{last: 1'b1, number: 3'd0};
    assign store_begin  = 1'b0;
  end else begin : gen_beats
    faa_cu_pkg::beat_no_t number_q;

    logic                 last_beat_q;

    assign store_part_o = '{last: last_beat_q, number: number_q};
    assign store_begin  = t_good && store_ready_i && !store_part_o.last;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || !t_valid || t_take) begin
        number_q    <= 3'd0;
        last_beat_q <= 1'b0;
      end else if (store_begin) begin
        number_q    <= number_q + 3'd1;
        last_beat_q <= number_q == 3'(32 / StoreLanes - 2);
      end
    end
    `FAA_ASSERT(last_beat_is_a_number, last_beat_q == (number_q == 3'(32 / StoreLanes - 1)))
  end

  always_comb begin
    stream_mask = mask_q[StoreLanes-1:0];
    for (int unsigned n = 1; n < 32 / StoreLanes; n++) begin
      if (store_part_o.number == 3'(n)) stream_mask = mask_q[n*StoreLanes +: StoreLanes];
    end
  end
  assign store_mask_o   = stream_mask;
  assign store_sparse_o = stream_sparse;
  assign store_pa_o     = stream_pa;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      st_begun_q <= 1'b0;
      mv_begun_q <= 1'b0;
    end else begin
      st_begun_q <= (st_begun_q || st_addr) && !(go_store && part_q.last);
      mv_begun_q <= go_move && part_q.last && (mv_begun_q || move_beat_i) && !given_ready_i;
    end
    if (!rst_ni || bad || cancel_i) partial_q <= 1'b0;
    else if (go) partial_q <= !part_q.last;
    if (go) begin
      so_far_q      <= so_far;
      own_operand_q <= !part_q.last && any_operand && atom_taken;
    end
    if (!rst_ni || bad || cancel_i) own_operand_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else if (accept) begin
      state_q <= take_error ? StIdle : pseudo_i ? (st_begun_q ? StAddrWait : StAddr) :
                 cmd_i.kind_d == faa_pkg::KIND_STREAM ? StDest : StAddr;
    end else begin
      case (state_q)
        StDest: if (bad || go) state_q <= StIdle;
        else if (dest_done) state_q <= StAddr;
        StAddr: if (bad || go) state_q <= StIdle;
        else if (access_global) state_q <= StAddrWait;
        StAddrWait: if (bad || go) state_q <= StIdle;
        default: ;
      endcase
    end

    if (accept) begin
      mask_q    <= warp_i.mask;
      element_q <= warp_i.element;
      count_q   <= warp_i.count;
      last_q    <= warp_i.last;
      pseudo_q  <= pseudo_i;
      null_q    <= warp_null_i;
      empty_q    <= warp_i.mask == '0;
      all_null_q <= (beat_mask & ~beat_null) == '0;
      beat_mask_q <= beat_mask;
      beat_null_q <= beat_null;
      part_q    <= warp_part_i;
      typ_q     <= warp_typ_i;
      a_q       <= warp_a_i;
      b_q       <= warp_b_i;
      c_q       <= warp_c_i;
    end
  end

  faa_cu_compare #(
    .Lanes (Lanes),
    .Floats(Alu)
  ) u_compare (
    .cmp_i  (cmd_i.op),
    .typ_i  (cmd_i.typ),
    .a_i    (a_q),
    .b_i    (b_q),
    .holds_o(compared)
  );

  // -------------------------------------------------------------------------------------------------------------
  // Outputs

  faa_cu_pkg::access_t access;
  logic [1:0]          shared_func, atom_func;

  assign shared_func = cmd_i.opcode == faa_pkg::OPCODE_LDS ? faa_cu_pkg::SHARED_LOAD :
                       cmd_i.opcode == faa_pkg::OPCODE_STS ? faa_cu_pkg::SHARED_STORE :
                                                             faa_cu_pkg::SHARED_ATOMIC;
  assign atom_func   = is_ld ? faa_cu_pkg::SHARED_LOAD : is_st ? faa_cu_pkg::SHARED_STORE :
                                                                 faa_cu_pkg::SHARED_ATOMIC;
  assign access      = '{reads: atom_func != faa_cu_pkg::SHARED_STORE,
                         writes: atom_func != faa_cu_pkg::SHARED_LOAD, pc: cmd_i.pc,
                         element: pseudo_q ? '0 : element_q[31:5]};

  assign given_valid_o = go_shared || go_atom || go_move || st_items;
  assign given_part_o  = part_q;
  assign given_o       = '{shared: go_shared, atom: go_atom,
                           func: go_atom ? atom_func : shared_func, op: cmd_i.op,
                           typ: go_atom ? typ_q : cmd_i.typ, mod: cmd_i.mod[1:0],
                           result: go_atom ? cmd_i.kind_d != faa_pkg::KIND_NONE : wants_result,
                           sys: cmd_i.sys, mask: mask_q, sparse: sparse_so_far | null_q,
                           access: access, dest: dest};
  assign operand_a_o   = a_q;
  assign given_b_o     = b_q;
  assign given_c_o     = c_q;

  always_comb begin
    given_a_o = a_q;
    for (int l = 0; l < Lanes; l++) begin
      if (go_atom) given_a_o[l*64 +: 64] = {12'b0, atom_pa[l*52 +: 52]};
    end
    if (!GlobalAtomics && st_items) given_a_o = b_q;
  end

  assign retire_o.valid       = go && part_q.last && !pseudo_q;
  assign retire_o.next        = element_q + 32'd32;
  assign retire_o.count       = count_q;
  assign retire_o.mask        = mask_q;
  assign retire_o.last        = last_q;

  // SETP and warps without a lane are complete here; other warps are released by their unit or by
  // faa_cu_writeback.
  assign retire_o.releases    = (go_setp || go_empty) && last_q && part_q.last;
  assign retire_o.barrier     = cmd_i.write_barrier;

  assign failure_o.valid   = take_error || bad;
  always_comb begin
    failure_o.element = element_q;
    failure_o.lane    = t_lane;
    failure_o.address = t_address;
    failure_o.error   = t_error;
    if (state_q == StIdle) begin
      failure_o.element = warp_i.element;
      failure_o.lane    = 5'd0;
      failure_o.address = '0;
      failure_o.error   = faa_pkg::ERROR_KILLED;
      if (!kill_i) begin
        failure_o.element = warp_i.element + {27'b0, warp_i.lane};
        failure_o.lane    = warp_i.lane;
        failure_o.address = warp_i.address;
        failure_o.error   = warp_i.error;
      end
    end else if (shared_fails) begin
      failure_o.element = element_q + {27'b0, first_lane | shared_lane};
      failure_o.lane    = first_lane | shared_lane;
      failure_o.address = {32'b0, picked[31:0]};
      failure_o.error   = odd(picked[2:0], size) ? faa_pkg::ERROR_MISALIGNED :
                        picked[31:24] != '0 ? faa_pkg::ERROR_OUT_OF_WINDOW :
                        faa_pkg::ERROR_OUT_OF_RANGE;
    end else if (atom_fails) begin
      failure_o.element = element_q + {27'b0, first_lane | atom_lane};
      failure_o.lane    = first_lane | atom_lane;
      failure_o.address = atom_address;
      failure_o.error   = atom_error;
    end else begin
      failure_o.element = element_q + {27'b0, t_lane};
    end
  end

  assign quiet_o        = state_q == StIdle && !partial_q;
  assign stall_shared_o = (go_shared && !given_ready_i) ||
                          (step && is_shared && empty_q && !shared_idle_i);
  assign stall_global_o = (state_q == StDest && !may_step && !dest_done) || (state_q == StAddrWait && !go) ||
                          (is_atom && may_step && !go);

  logic unused;
  assign unused = ^{t_mask, t_free, cmd_i, picked[63:32]};

  `FAA_ASSERT(dest_is_of_a_warp, t_dest == (accept && !take_error && !pseudo_i &&
              cmd_i.kind_d == faa_pkg::KIND_STREAM && warp_part_i.number == 3'd0))
  `FAA_ASSERT(one_translation, !(t_dest && t_access))
  `FAA_ASSERT(translator_is_free, !t_start || t_free || t_take)
  // The shared unit, and moves, take as many beats as the store unit takes of addresses.
  `FAA_ASSERT(addresses_come_with_the_warp, !(turn && d_stream && part_q.last) || store_part_o.last)
  `FAA_ASSERT(stream_still_may, !(step && d_stream && stream_may) ||
              (store_ready_i && load_idle_i && (is_atom || atom_idle_i)))
  `FAA_ASSERT(atoms_are_done, atom_idle_i || !atoms_done || is_atom || state_q == StIdle)
  `FAA_ASSERT(facts_of_the_command, state_q == StIdle || (is_ld == ld && is_st == st))
  `FAA_ASSERT(failures_of_a_state, take_error || state_q != StIdle || !bad)
  `FAA_ASSERT(beat_exists, !accept || {1'b0, warp_part_i.number} < 4'(32 / Lanes))
  `FAA_ASSERT(blocked_warp_does_not_come, !(block_i && warp_valid_i))
  `FAA_ASSERT(pseudo_alone, pseudo_i ? !warp_valid_i : !pseudo_valid_i)
  `FAA_ASSERT(turn_is_an_outcome, turn == ((go_shared && given_ready_i) || go_empty ||
              (go_move && given_ready_i) || go_setp ||
              (atom_taken && !(part_q.last && any_operand))))
  `FAA_ASSERT(nothing_is_a_warp, !(step && nothing) || (empty_q && (is_shared || is_atom)))
  `FAA_ASSERT(one_outcome, !(go && bad) && !(take_error && bad))

  `FAA_COVER(stall_a1, go_shared && !given_ready_i)
  `FAA_COVER(stall_a1_empty, step && is_shared && empty_q && !shared_idle_i)
  `FAA_COVER(stall_a2, state_q == StAddrWait && t_valid && !global_may)
  `FAA_COVER(stall_a2_stream, step && d_stream && !store_ready_i)
  `FAA_COVER(stall_a2_load, step && d_stream && !load_idle_i)
  `FAA_COVER(stall_a3, (state_q == StDest || state_q == StAddrWait) && !t_valid)
  `FAA_COVER(stall_a4, (step && is_alu && !alu_done_i) || (go_move && !given_ready_i))
  `FAA_COVER(stall_a5, go_atom && !given_ready_i)
  `FAA_COVER(stall_a5_store, atom_look && atom_good && !own_result && !atom_may)
  `FAA_COVER(stall_a5_atom, !is_atom && (state_q == StAddrWait || (step && d_stream)) && !atom_idle_i)
  `FAA_COVER(stall_a5_result, atom_look && atom_good && own_result && !atom_may)
  `FAA_COVER(stall_a5_empty, step && is_atom && empty_q && !atom_idle_i)
  `FAA_COVER(redo, redo_o)
  `FAA_COVER(redo_store, redo_o && is_st)
  `FAA_COVER(all_lanes_null, atom_taken && all_null_q)
  `FAA_COVER(warp_per_cycle, turn && accept)
  `FAA_COVER(error_behind_a_warp, turn && warp_valid_i && warp_fails)
  if (!GlobalAtomics) begin : gen_cover_units
    `FAA_COVER(hazard_a1, state_q == StAddrWait && t_valid && is_store && !load_idle_i)
  end

endmodule
