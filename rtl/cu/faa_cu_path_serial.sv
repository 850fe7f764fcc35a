// SPDX-License-Identifier: Apache-2.0
//
// The path of warps through a slot, lane by lane, for builds with the atomic unit where few look-up
// tables count more than cycles. Ports and function are those of faa_cu_path.
//
// Latencies, stalls and hazards are those of the modules.

`include "faa_assert.svh"

module faa_cu_path_serial #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  localparam int unsigned Lanes = Build.shared_lanes,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned SnapLanes = Lanes
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
  output logic               tr_next_o,        // lend the port to access
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

  logic               surface_quiet, access_at_rest, redo, redo_now, flush;
  logic               lane_valid, lane_ready, coords, coords_ready;
  faa_cu_pkg::warp_t  warp;
  faa_cu_pkg::lanes_t lanes;
  logic [63:0]        lane_a, lane_b, lane_c;
  logic [31:0]        lane_z, lane_handle;
  // After the surface unit
  logic               place_valid, place_null;
  logic [47:0]        place;
  logic [31:0]        place_nulls;
  logic [3:0]         place_typ;
  logic [7:0]         place_error;
  logic [4:0]         place_lane;
  logic [63:0]        place_address;

  // The operands of later warps are read again: those in the path are dropped.
  assign redo_now       = redo && path_i.overlap && !retire_o.last;
  assign flush          = path_i.cancel || redo_now;
  assign access_quiet_o = access_at_rest && surface_quiet;
  assign redo_o         = redo;

  // ----------------------------------------------------------------------------------------------
  // Operands

  faa_cu_operand_serial #(
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
    .redo_element_i (retire_o.next),
    .held_i         (path_i.surface && !access_quiet_o),
    .wait_i         (!access_at_rest),
    .cancel_i       (path_i.cancel),
    .idle_o         (state_o.idle),
    .quiet_o        (state_o.quiet),
    .stall_o        (events_o.stall_operand),
    .rd_en_o,
    .rd_row_o,
    .rd_beat_o,
    .rd_data_i,
    .warp_valid_o   (lane_valid),
    .warp_ready_i   (coords ? coords_ready : lane_ready),
    .warp_o         (warp),
    .warp_lanes_o   (lanes),
    .warp_coords_o  (coords),
    .warp_a_o       (lane_a),
    .warp_b_o       (lane_b),
    .warp_c_o       (lane_c),
    .warp_z_o       (lane_z),
    .warp_handle_o  (lane_handle),
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

  // ----------------------------------------------------------------------------------------------
  // Addresses of surfaces

  if (Build.surface_atomics) begin : gen_surface
    faa_surface_serial #(
      .LineBytes(LineBytes)
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
      .lane_valid_i   (lane_valid && coords),
      .lane_ready_o   (coords_ready),
      .warp_mask_i    (warp.mask),
      .warp_error_i   (warp.error),
      .lane_a_i       (lane_a),
      .lane_z_i       (lane_z),
      .lane_handle_i  (lane_handle),
      .lane_valid_o   (place_valid),
      .lane_ready_i   (lane_ready && lane_valid && !coords),
      .lane_va_o      (place),
      .lane_null_o    (place_null),
      .warp_null_o    (place_nulls),
      .warp_typ_o     (place_typ),
      .warp_error_o   (place_error),
      .warp_lane_o    (place_lane),
      .warp_address_o (place_address),
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
    assign {coords_ready, place_valid, place, place_null, place_nulls, place_error, place_lane,
            place_address} = '0;
    assign place_typ     = cmd_i.typ;
    assign surface_quiet = 1'b1;
    assign {tr_valid_o[2], tr_req_o[2], mem_valid_o[2], mem_line_o[2]} = '0;
    assign {events_o.header, events_o.stall_surface} = '0;

    logic unused_surface;
    assign unused_surface = ^{lane_z, lane_handle, config_i, tr_ready_i[2], tr_rsp_valid_i[2],
                              mem_ready_i[2], mem_rsp_valid_i[2], flush, surface_drop_i};
  end

  // ----------------------------------------------------------------------------------------------
  // Access: lanes of warps, and accesses of control commands. Data that these store come lane by
  // lane: each lane of a beat of the counters in turn, or one word.

  logic                     access_valid, access_ready, front_valid;
  logic                     pseudo_store, pseudo_may, whole;
  faa_cu_pkg::part_t        pseudo_part;
  faa_cu_pkg::warp_t        access;
  faa_cu_pkg::lanes_t       access_lanes;
  logic [31:0]              access_nulls;
  logic [63:0]              access_a;
  logic [$clog2(Lanes)-1:0] sub_q;               // lane of the beat

  faa_cu_pseudo #(
    .Lanes(Lanes)
  ) u_pseudo (
    .clk_i,
    .rst_ni,
    .path_i,
    .taken_i(access_ready && whole),
    .store_o(pseudo_store),
    .may_o  (pseudo_may),
    .part_o (pseudo_part),
    .snap_req_o,
    .snap_beat_o,
    .snap_valid_i,
    .snap_ready_o
  );
  assign whole                = sub_q == '1;
  assign pseudo_ready_o = access_ready && pseudo_may && access_lanes.last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !pseudo_store) sub_q <= '0;
    else if (pseudo_may && access_ready) sub_q <= sub_q + 1'b1;
  end

  always_comb begin
    access       = warp;
    access_lanes = lanes;
    access_nulls = path_i.surface ? place_nulls : '0;
    access_a     = path_i.surface ? {16'b0, place} : lane_a;
    if (path_i.surface && warp.error == faa_pkg::ERROR_SUCCESS) begin
      access.error   = place_error;
      access.lane    = place_lane;
      access.address = place_address;
    end
    if (path_i.pseudo) begin
      access.mask  = path_i.snapshot ? 32'hffffffff : 32'd1;
      access_lanes = '{last: path_i.sem_wait || (pseudo_part.last && whole),
                       first: path_i.sem_wait ? '0 : 5'({pseudo_part.number, sub_q})};
      access_a     = path_i.snapshot ? snap_data_i[sub_q*64 +: 64] : cmd_i.a_1;
    end
  end

  assign front_valid  = lane_valid && !coords && (!path_i.surface || place_valid);
  assign access_valid = path_i.pseudo ? path_i.pseudo_valid && pseudo_may :
                                        front_valid && !path_i.cancel;
  assign lane_ready   = access_ready && !path_i.pseudo && !path_i.cancel &&
                        (!path_i.surface || place_valid);

  logic               given_valid, given_ready;
  faa_cu_pkg::lanes_t given_lanes;
  logic [63:0]        given_a, given_b, given_c, operand_a, alu_result, hold_a;
  logic               alu_valid, alu_done;
  logic               store_valid, store_live, store_items, store_ready;
  logic [4:0]         store_lane;
  logic [1:0]         store_size;
  logic [51:0]        access_pa;
  logic               access_sparse;

  faa_cu_access_serial #(
    .Alu           (Build.alu),
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
    .lane_valid_i     (access_valid),
    .lane_ready_o     (access_ready),
    .lanes_i          (access_lanes),
    .pseudo_i         (path_i.pseudo),
    .lane_a_i         (access_a),
    .lane_b_i         (lane_b),
    .lane_c_i         (lane_c),
    .lane_null_i      (path_i.surface && place_null),
    .warp_i           (access),
    .warp_null_i      (access_nulls),
    .warp_typ_i       (path_i.surface ? place_typ : cmd_i.typ),
    .retire_o,
    .failure_o,
    .stall_shared_o   (events_o.stall_shared),
    .stall_global_o   (events_o.stall_global),
    .tr_valid_o       (tr_valid_o[0]),
    .tr_ready_i       (tr_ready_i[0]),
    .tr_req_o         (tr_req_o[0]),
    .tr_rsp_valid_i   (tr_rsp_valid_i[0]),
    .tr_rsp_i,
    .given_valid_o    (given_valid),
    .given_ready_i    (given_ready),
    .given_lanes_o    (given_lanes),
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
    .store_valid_o    (store_valid),
    .store_lane_o     (store_lane),
    .store_live_o     (store_live),
    .store_commit_o   (store_taken_o),
    .store_items_o    (store_items),
    .store_size_o     (store_size),
    .store_idle_i     (store_o.idle),
    .store_ready_i    (store_ready),
    .store_writing_i  (store_o.writing),
    .store_own_i      (path_i.own_stores),
    .spans_i,
    .atom_idle_i,
    .redo_o           (redo),
    .setp_o,
    .setp_value_o,
    .pa_o             (access_pa),
    .sparse_o         (access_sparse)
  );
  // The only load is that of SEM_WAIT, which has lane 0 alone.
  assign load_pa_o     = 2048'(access_pa);
  assign load_sparse_o = 32'(access_sparse);
  assign atom_enter_o  = given_valid && given_o.atom && given_ready && given_lanes.last;
  assign hold_a        = alu_valid ? alu_result : given_a;

  if (Build.alu) begin : gen_alu
    localparam int unsigned AluLanes = 2;
    logic [AluLanes*64-1:0] result;
    assign alu_result = result[1*64-1:0];

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
  // Stores, and handing over

  faa_cu_store_serial #(
    .LineBytes(LineBytes)
  ) u_store (
    .clk_i,
    .rst_ni,
    .ready_o        (store_ready),
    .addr_valid_i   (store_valid),
    .addr_lane_i    (store_lane),
    .live_i         (store_live),
    .pa_i           (access_pa),
    .commit_i       (store_taken_o),
    .size_i         (store_size),
    .tag_i          ({given_o.dest.is_last, given_o.dest.barrier}),
    .data_valid_i   (store_valid_i),
    .data_ready_o   (store_ready_o),
    .data_i         (store_data_i[63:0]),
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

  faa_cu_hold_serial #(
    .Lanes(Lanes)
  ) u_hold (
    .clk_i,
    .rst_ni,
    .valid_i(given_valid),
    .ready_o(given_ready),
    .lanes_i(given_lanes),
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

  assign tr_next_o = tr_valid_o[0];

  logic unused;
  assign unused = ^{store_data_i, store_items, operand_a};

  `FAA_ASSERT_NEXT(shared_is_busy, given_valid && given_o.shared && given_ready && given_lanes.last,
                   !shared_idle_i)
  `FAA_ASSERT_NEXT(atom_is_busy, atom_enter_o, !atom_idle_i)

endmodule
