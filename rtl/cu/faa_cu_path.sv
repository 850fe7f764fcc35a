// SPDX-License-Identifier: Apache-2.0
//
// The path of warps through a slot, in beats of Lanes lanes: operands are read, addresses of
// surfaces computed, accesses checked and translated, and warps handed over to the units that the
// slots share. The slot's store unit and arithmetic unit are here too. faa_cu_path_serial is the
// variant that works lane by lane.
//
//   operand -> surface -> access -> hold -> (shared memory), (atomic unit), results
//                                <-> alu
//                                 -> store
//
// Latencies, stalls and hazards are those of the modules.

`include "faa_assert.svh"

module faa_cu_path #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  localparam int unsigned Lanes = Build.shared_lanes,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned SnapLanes = Build.global_atomics ? Lanes : 32
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // The command in the front, and signals of control about it
  input  faa_cu_pkg::cmd_t   cmd_i,
  input  faa_surface_pkg::config_t config_i,
  input  logic               start_i,          // one cycle: the command begins
  input  logic [31:0]        guard_i,          // with start_i: lanes that it lets through
  input  logic               drop_i,           // forget translations and lines; the path is quiet
  input  logic               surface_drop_i,   // forget texture headers and constant words
  input  logic               go_i,             // the next warp's streams may be read now
  input  faa_cu_pkg::path_t  path_i,
  input  faa_cu_pkg::spans_t spans_i,
  input  logic [31:0]        shared_bytes_i,
  output faa_cu_pkg::path_state_t state_o,
  output logic               access_quiet_o,   // surfaces, access: no warp, no read in flight
  output faa_cu_pkg::path_events_t events_o,
  output logic               pseudo_ready_o,   // the last part of a control command's warp is taken
  output logic               redo_o,           // one cycle: read operands of later warps again
  output faa_cu_pkg::retire_t retire_o,
  output faa_cu_pkg::failure_t failure_o,
  output logic               setp_o,           // one cycle: predicates of the warp given_o
  output logic [31:0]        setp_value_o,

  // Registers
  output logic               rd_en_o,
  output logic [7:0]         rd_row_o,
  output faa_cu_pkg::beat_no_t rd_beat_o,
  input  logic [Lanes*32-1:0] rd_data_i,

  // A beat for the shared memory unit or the atomic unit, or a beat of results: addresses or
  // results, operands
  output logic               hand_valid_o,
  input  logic               hand_ready_i,
  output faa_cu_pkg::handed_t hand_o,
  output faa_cu_pkg::part_t  hand_part_o,
  output logic [Lanes*64-1:0] hand_a_o,
  output logic [Lanes*64-1:0] hand_b_o,
  output logic [Lanes*64-1:0] hand_c_o,

  // The warp in access; enter: one cycle, it is complete, and of the atomic unit
  output faa_cu_pkg::handed_t given_o,
  output logic               atom_enter_o,
  input  logic               shared_idle_i,    // of this slot, as the next ones
  input  logic               atom_idle_i,

  // The load unit: warp given_o
  output logic               load_start_o,
  input  logic               load_idle_i,
  output logic [31:0]        load_sparse_o,
  output logic [2047:0]      load_pa_o,

  // The store unit: addresses of warp given_o have been taken; results that are stored
  output logic               store_taken_o,
  output faa_cu_pkg::store_state_t store_o,
  input  logic               fetch_idle_i,
  input  logic               store_valid_i,
  output logic               store_ready_o,
  input  logic [Lanes*64-1:0] store_data_i,

  // Counters for SNAPSHOT, in beats
  output logic               snap_req_o,
  output logic [2:0]         snap_beat_o,
  input  logic               snap_valid_i,
  output logic               snap_ready_o,
  input  logic [SnapLanes*64-1:0] snap_data_i,

  // Translation: access 0, operands 1, surfaces 2
  output logic               tr_next_o,        // tr_valid_o[0] in the next cycle
  output logic [2:0]         tr_valid_o,
  input  logic [2:0]         tr_ready_i,
  output faa_bundle_pkg::tr_req_t [2:0] tr_req_o,
  input  logic [2:0]         tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  // Memory: stores 0, operands 1, surfaces 2
  output logic [2:0]         mem_valid_o,
  input  logic [2:0]         mem_ready_i,
  output logic [2:0][51:OffW] mem_line_o,
  output logic [LineW-1:0]   mem_data_o,       // of stores, as the next one
  output logic [LineBytes-1:0] mem_strobe_o,
  output logic [1:0][6:0]    mem_tag_o,
  input  logic [2:0]         mem_rsp_valid_i,
  input  logic [6:0]         mem_rsp_tag_i,
  input  logic [LineW-1:0]   mem_rsp_data_i,
  input  logic               mem_rsp_err_i
);

  // Without the atomic unit beats are assembled after the operands: the load and the store unit
  // take whole warps.
  localparam int unsigned FrontLanes = Build.global_atomics ? Lanes : 32;

  logic                       surface_quiet, access_at_rest, redo, redo_now, flush;
  logic                       beat_valid, beat_ready, warp_valid, warp_ready;
  faa_cu_pkg::warp_t          warp, placed;
  faa_cu_pkg::part_t          beat_part, warp_part, placed_part;
  logic [2:0][Lanes*64-1:0]   beat;                        // operands c, b, a
  logic [2:0][FrontLanes*64-1:0] operands, placed_operands;
  logic [Lanes*32-1:0]        warp_z, warp_handle;
  logic                       placed_valid, placed_ready;
  logic [31:0]                placed_null;
  logic [3:0]                 placed_typ;

  // The operands of later warps are read again: those in the path are dropped, in the cycle after
  // the warp that changed them has left, in which the next one is not taken.
  logic        redo_q;
  logic [31:0] redo_element_q;
  always_ff @(posedge clk_i) begin
    redo_q         <= rst_ni && redo && path_i.overlap && !retire_o.last && !path_i.cancel;
    redo_element_q <= retire_o.next;
  end
  assign redo_now       = redo_q && !path_i.cancel;
  assign flush          = path_i.cancel || redo_now;
  assign access_quiet_o = access_at_rest && surface_quiet;
  assign redo_o         = redo;

  // ----------------------------------------------------------------------------------------------
  // Operands

  faa_cu_operand #(
    .SurfaceAtomics(Build.surface_atomics),
    .Lanes         (Lanes),
    .LineBytes     (LineBytes)
  ) u_operand (
    .clk_i,
    .rst_ni,
    .start_i,
    .cmd_i,
    .guard_i,
    .first_i        (path_i.first),
    .overlap_i      (path_i.overlap),
    .go_i,
    .hold_i         (path_i.hold),
    .drop_i,
    .redo_i         (redo_now),
    .redo_element_i (redo_element_q),
    .held_i         (path_i.surface && !access_quiet_o),
    .cancel_i       (path_i.cancel),
    .idle_o         (state_o.idle),
    .quiet_o        (state_o.quiet),
    .stall_o        (events_o.stall_operand),
    .rd_en_o,
    .rd_row_o,
    .rd_beat_o,
    .rd_data_i,
    .warp_valid_o   (beat_valid),
    .warp_ready_i   (beat_ready),
    .warp_o         (warp),
    .warp_part_o    (beat_part),
    .warp_a_o       (beat[0]),
    .warp_b_o       (beat[1]),
    .warp_c_o       (beat[2]),
    .warp_z_o       (warp_z),
    .warp_handle_o  (warp_handle),
    .tr_valid_o     (tr_valid_o[1]),
    .tr_ready_i     (tr_ready_i[1]),
    .tr_req_o       (tr_req_o[1]),
    .tr_rsp_valid_i (tr_rsp_valid_i[1]),
    .tr_rsp_i,
    .mem_valid_o    (mem_valid_o[1]),
    .mem_ready_i    (mem_ready_i[1]),
    .mem_line_o     (mem_line_o[1]),
    .mem_tag_o      (mem_tag_o[1]),
    .mem_rsp_valid_i(mem_rsp_valid_i[1]),
    .mem_rsp_tag_i,
    .mem_rsp_data_i,
    .mem_rsp_err_i
  );

  if (FrontLanes == Lanes) begin : gen_beats
    assign warp_valid = beat_valid;
    assign beat_ready = warp_ready;
    assign warp_part  = beat_part;
    assign operands   = beat;
  end else begin : gen_warps
    logic [2:0] all_ready, all_valid;

    for (genvar n = 0; n < 3; n++) begin : g_collect
      faa_cu_collect #(
        .Lanes(Lanes)
      ) u_collect (
        .clk_i,
        .rst_ni,
        .flush_i(flush),
        .valid_i(beat_valid),
        .ready_o(all_ready[n]),
        .part_i (beat_part),
        .data_i (beat[n]),
        .valid_o(all_valid[n]),
        .ready_i(warp_ready),
        .data_o (operands[n])
      );
    end
    assign warp_valid = &all_valid;
    assign beat_ready = &all_ready;
    assign warp_part  = '{last: 1'b1, number: 3'd0};
  end

  // ----------------------------------------------------------------------------------------------
  // Addresses of surfaces

  if (Build.surface_atomics) begin : gen_surface
    faa_surface #(
      .Lanes       (Lanes),
      .SurfaceLanes(Build.surface_lanes),
      .LineBytes   (LineBytes)
    ) u_surface (
      .clk_i,
      .rst_ni,
      .cmd_i,
      .config_i,
      .drop_i         (surface_drop_i),
      .flush_i        (flush),
      .quiet_o        (surface_quiet),
      .stall_o        (events_o.stall_surface),
      .ev_header_o    (events_o.header),
      .warp_valid_i   (warp_valid),
      .warp_ready_o   (warp_ready),
      .warp_i         (warp),
      .warp_part_i    (warp_part),
      .warp_a_i       (operands[0]),
      .warp_b_i       (operands[1]),
      .warp_c_i       (operands[2]),
      .warp_z_i       (warp_z),
      .warp_handle_i  (warp_handle),
      .warp_valid_o   (placed_valid),
      .warp_ready_i   (placed_ready),
      .warp_o         (placed),
      .warp_null_o    (placed_null),
      .warp_typ_o     (placed_typ),
      .warp_part_o    (placed_part),
      .warp_a_o       (placed_operands[0]),
      .warp_b_o       (placed_operands[1]),
      .warp_c_o       (placed_operands[2]),
      .tr_valid_o     (tr_valid_o[2]),
      .tr_ready_i     (tr_ready_i[2]),
      .tr_req_o       (tr_req_o[2]),
      .tr_rsp_valid_i (tr_rsp_valid_i[2]),
      .tr_rsp_i,
      .mem_valid_o    (mem_valid_o[2]),
      .mem_ready_i    (mem_ready_i[2]),
      .mem_line_o     (mem_line_o[2]),
      .mem_rsp_valid_i(mem_rsp_valid_i[2]),
      .mem_rsp_data_i,
      .mem_rsp_err_i
    );
  end else begin : gen_no_surface
    assign placed_valid    = warp_valid;
    assign warp_ready      = placed_ready;
    assign placed          = warp;
    assign placed_null     = '0;
    assign placed_typ      = cmd_i.typ;
    assign placed_part     = warp_part;
    assign placed_operands = operands;
    assign surface_quiet   = 1'b1;
    assign {tr_valid_o[2], tr_req_o[2], mem_valid_o[2], mem_line_o[2]} = '0;
    assign {events_o.header, events_o.stall_surface} = '0;

    logic unused_surface;
    assign unused_surface = ^{flush, surface_drop_i, warp_z, warp_handle, config_i, tr_ready_i[2],
                              tr_rsp_valid_i[2], mem_ready_i[2], mem_rsp_valid_i[2]};
  end

  // ----------------------------------------------------------------------------------------------
  // Access: warps, and accesses of control commands. With the atomic unit addresses of control
  // commands are computed from the command, and the data that they store are operand a.

  logic                       access_valid, access_block, pseudo_valid, access_ready, pseudo_store,
                              pseudo_may;
  faa_cu_pkg::part_t          pseudo_part, access_part;
  faa_cu_pkg::warp_t          access;
  logic [FrontLanes*64-1:0]   access_a, access_b;

  faa_cu_pseudo #(
    .Lanes(FrontLanes)
  ) u_pseudo (
    .clk_i,
    .rst_ni,
    .path_i,
    .taken_i(access_ready),
    .store_o(pseudo_store),
    .may_o  (pseudo_may),
    .part_o (pseudo_part),
    .snap_req_o,
    .snap_beat_o,
    .snap_valid_i,
    .snap_ready_o
  );
  assign pseudo_ready_o = access_ready && pseudo_may && access_part.last;

  always_comb begin
    access      = placed;
    access_part = placed_part;
    access_a    = placed_operands[0];
    access_b    = placed_operands[1];
    if (path_i.pseudo) begin
      access.mask = path_i.snapshot ? 32'hffffffff : 32'd1;
      access.last = 1'b1;
      access_part = pseudo_part;
      if (Build.global_atomics) begin
        access_a = snap_data_i;
        if (!path_i.snapshot) access_a[63:0] = cmd_i.a_1;
      end else begin
        access_b = snap_data_i;
        if (!path_i.snapshot) access_b[63:0] = cmd_i.a_1;
        for (int n = 0; n < FrontLanes; n++) access_a[n*64 +: 64] = cmd_i.a_0 | 64'(n * 8);
      end
    end
  end
  assign access_block = path_i.pseudo || path_i.cancel || redo_q;
  assign access_valid = placed_valid && !access_block;
  assign pseudo_valid = path_i.pseudo && path_i.pseudo_valid && pseudo_may;

  logic                       given_valid, given_ready, given_beat;
  faa_cu_pkg::part_t          given_part;
  logic [FrontLanes*64-1:0]   given_a, given_b, given_c, operand_a, alu_result, hold_a;
  logic                       alu_valid, alu_done;
  logic                       store_addr, store_cancel, store_items, store_ready;
  faa_cu_pkg::part_t          store_part;
  logic [1:0]                 store_size;
  logic [Lanes-1:0]           store_mask, store_sparse;
  logic [Lanes*52-1:0]        store_pa;

  faa_cu_access #(
    .Lanes         (FrontLanes),
    .StoreLanes    (Lanes),
    .Alu           (Build.alu),
    .GlobalAtomics (Build.global_atomics),
    .SurfaceAtomics(Build.surface_atomics)
  ) u_access (
    .clk_i,
    .rst_ni,
    .cmd_i,
    .shared_bytes_i,
    .kill_i           (path_i.halt),
    .cancel_i         (path_i.cancel),
    .drop_i,
    .quiet_o          (access_at_rest),
    .warp_valid_i     (access_valid),
    .pseudo_valid_i   (pseudo_valid),
    .warp_ready_o     (access_ready),
    .block_i          (access_block),
    .taken_o          (placed_ready),
    .warp_i           (access),
    .warp_null_i      (placed_null),
    .warp_typ_i       (placed_typ),
    .pseudo_i         (path_i.pseudo),
    .warp_part_i      (access_part),
    .warp_a_i         (access_a),
    .warp_va_i        (placed_operands[0]),
    .warp_b_i         (access_b),
    .warp_c_i         (placed_operands[2]),
    .retire_o,
    .failure_o,
    .stall_shared_o   (events_o.stall_shared),
    .stall_global_o   (events_o.stall_global),
    .tr_next_o,
    .tr_valid_o       (tr_valid_o[0]),
    .tr_ready_i       (tr_ready_i[0]),
    .tr_req_o         (tr_req_o[0]),
    .tr_rsp_valid_i   (tr_rsp_valid_i[0]),
    .tr_rsp_i,
    .given_valid_o    (given_valid),
    .given_ready_i    (given_ready),
    .given_part_o     (given_part),
    .given_o,
    .given_a_o        (given_a),
    .given_b_o        (given_b),
    .given_c_o        (given_c),
    .operand_a_o      (operand_a),
    .shared_idle_i,
    .alu_valid_o      (alu_valid),
    .alu_done_i       (alu_done),
    .load_start_o,
    .load_idle_i,
    .store_addr_o     (store_addr),
    .store_part_o     (store_part),
    .store_mask_o     (store_mask),
    .store_sparse_o   (store_sparse),
    .store_pa_o       (store_pa),
    .store_items_o    (store_items),
    .store_cancel_o   (store_cancel),
    .store_size_o     (store_size),
    .store_idle_i     (store_o.idle),
    .store_ready_i    (store_ready),
    .store_writing_i  (store_o.writing),
    .spans_i,
    .atom_idle_i,
    .store_own_i      (path_i.own_stores),
    .redo_o           (redo),
    .move_beat_i      (given_beat),
    .setp_o,
    .setp_value_o,
    .sparse_o         (load_sparse_o),
    .pa_o             (load_pa_o)
  );
  assign atom_enter_o  = given_valid && given_o.atom && given_ready && given_part.last;
  assign store_taken_o = store_addr && store_part.last;
  assign hold_a        = alu_valid ? alu_result : given_a;

  if (Build.alu) begin : gen_alu
    localparam int unsigned AluLanes = FrontLanes > 1 ? FrontLanes : 2;
    logic [AluLanes*64-1:0] result;
    assign alu_result = result[FrontLanes*64-1:0];

    faa_cu_alu #(
      .F32          (Build.f32),
      .F64          (Build.f64),
      .Lanes        (AluLanes),
      .LanesPerCycle(Lanes > 8 ? Lanes / 8 : 1)
    ) u_alu (
      .clk_i,
      .rst_ni,
      .valid_i (alu_valid),
      .op_i    (cmd_i.op),
      .typ_i   (cmd_i.typ),
      .ftz_i   (cmd_i.mod[0]),
      .a_i     ((AluLanes*64)'(operand_a)),
      .b_i     ((AluLanes*64)'(given_b)),
      .done_o  (alu_done),
      .take_i  (given_ready && given_valid && !given_o.shared && !given_o.atom),
      .result_o(result)
    );
  end else begin : gen_no_alu
    assign alu_done   = 1'b0;
    assign alu_result = '0;
  end

  // ----------------------------------------------------------------------------------------------
  // Stores

  // With fewer than 32 lanes results wait in a register: memory's ready has no combinational path
  // to the choice of results.
  logic                data_valid, data_ready;
  logic [Lanes*64-1:0] data;

  if (Lanes < 32) begin : gen_results_wait
    faa_skid #(.Width(Lanes * 64)) u_results (
      .clk_i,
      .rst_ni,
      .valid_i(store_valid_i),
      .ready_o(store_ready_o),
      .data_i (store_data_i),
      .valid_o(data_valid),
      .ready_i(data_ready),
      .data_o (data)
    );
  end else begin : gen_results
    assign data_valid    = store_valid_i;
    assign store_ready_o = data_ready;
    assign data          = store_data_i;
  end

  faa_cu_store #(
    .Lanes    (Lanes),
    .LineBytes(LineBytes)
  ) u_store (
    .clk_i,
    .rst_ni,
    .addr_valid_i   (store_addr),
    .addr_ready_o   (store_ready),
    .addr_part_i    (store_part),
    .mask_i         (store_mask),
    .sparse_i       (store_sparse),
    .pa_i           (store_pa),
    .size_i         (store_size),
    .tag_i          ({given_o.dest.is_last, given_o.dest.barrier}),
    .cancel_i       (store_cancel),
    .data_valid_i   (data_valid),
    .data_ready_o   (data_ready),
    .data_i         (data),
    .idle_o         (store_o.idle),
    .writing_o      (store_o.writing),
    .done_o         (store_o.done),
    .done_tag_o     (store_o.tag),
    .error_o        (store_o.error),
    .error_address_o(store_o.address),
    .fetch_idle_i,
    .mem_valid_o    (mem_valid_o[0]),
    .mem_ready_i    (mem_ready_i[0]),
    .mem_line_o     (mem_line_o[0]),
    .mem_data_o,
    .mem_strobe_o,
    .mem_tag_o      (mem_tag_o[0][4:0]),
    .mem_rsp_valid_i(mem_rsp_valid_i[0]),
    .mem_rsp_tag_i  (mem_rsp_tag_i[4:0]),
    .mem_rsp_err_i
  );
  assign mem_tag_o[0][6:5] = '0;

  // ----------------------------------------------------------------------------------------------
  // Handing over; whole warps are handed over beat by beat.

  if (FrontLanes == Lanes) begin : gen_hold
    faa_cu_hold #(
      .Lanes(Lanes)
    ) u_hold (
      .clk_i,
      .rst_ni,
      .valid_i(given_valid),
      .ready_o(given_ready),
      .part_i (given_part),
      .warp_i (given_o),
      .a_i    (hold_a),
      .b_i    (given_b),
      .c_i    (given_c),
      .valid_o(hand_valid_o),
      .ready_i(hand_ready_i),
      .part_o (hand_part_o),
      .warp_o (hand_o),
      .a_o    (hand_a_o),
      .b_o    (hand_b_o),
      .c_o    (hand_c_o),
      .idle_o (state_o.hand_idle)
    );
    assign given_beat = given_ready;
  end else begin : gen_cut
    logic [2:0]               ready, valid;
    faa_cu_pkg::part_t [2:0]  parts;
    logic [2:0][2047:0]       whole;
    logic [2:0][Lanes*64-1:0] cut;

    assign whole = {given_c, given_b, hold_a};
    for (genvar n = 0; n < 3; n++) begin : g_cut
      faa_cu_cut #(
        .Lanes(Lanes)
      ) u_cut (
        .clk_i,
        .rst_ni,
        .valid_i(given_valid),
        .ready_o(ready[n]),
        .data_i (whole[n]),
        .valid_o(valid[n]),
        .ready_i(hand_ready_i),
        .part_o (parts[n]),
        .data_o (cut[n])
      );
    end
    assign given_ready       = ready[0];
    assign given_beat        = hand_ready_i;
    assign hand_valid_o      = valid[0];
    assign hand_part_o       = parts[0];
    assign hand_o            = given_o;
    assign state_o.hand_idle = 1'b1;
    assign {hand_c_o, hand_b_o, hand_a_o} = cut;

    logic unused_cut;
    assign unused_cut = ^{ready, valid, parts, given_part};
  end

  logic unused;
  assign unused = ^{pseudo_store, store_items};

  `FAA_ASSERT_NEXT(shared_is_busy, given_valid && given_o.shared && given_ready && given_part.last,
                   !shared_idle_i)
  `FAA_ASSERT_NEXT(atom_is_busy, atom_enter_o, !atom_idle_i)

endmodule
