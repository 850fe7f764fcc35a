// SPDX-License-Identifier: Apache-2.0
//
// Warp slot: all that one stream needs. The parts that the slots of a compute unit share are in
// faa_cu: the shared memory unit, the atomic unit, the context engine and the ports. Structure,
// latencies, stalls and hazards: Documentation/compute-unit.rst.
//
//   fetch -> decode -> control -> path -> load             -> writeback -> registers
//                                      -> (shared memory)  ->           -> store (of the path)
//                                      -> (atomic unit)    ->
//
// The path is faa_cu_path, or faa_cu_path_serial: operands, surfaces, access, arithmetic, stores.
//
// A slot does one operation at a time: it runs the stream of a job, or its context is moved, as
// Documentation/cu-interface.rst describes for the unit.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_cu_slot #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  parameter int unsigned MemTagW = 7,
  // Lanes of a warp that the operand path processes per cycle
  localparam int unsigned Lanes = Build.shared_lanes,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned SnapLanes = Build.global_atomics ? Lanes : 32,   // a beat of SNAPSHOT
  localparam type line_req_t = `FAA_LINE_REQ(LineBytes, MemTagW),
  localparam type line_rsp_t = `FAA_LINE_RSP(LineBytes, MemTagW)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Work
  input  logic               job_valid_i,
  output logic               job_ready_o,
  input  faa_bundle_pkg::op_e job_op_i,
  input  logic [31:0]        shared_bytes_i,
  input  faa_bundle_pkg::stream_t stream_i,
  output logic               done_valid_o,
  input  logic               done_ready_i,
  output faa_bundle_pkg::done_t done_o,
  output faa_bundle_pkg::progress_t progress_o,
  input  logic               kill_i,
  input  logic               stop_i,         // as kill_i, with STOPPED
  output logic               failed_o,       // until the next RUN begins
  output logic               at_bar_o,       // at a BAR, until bar_go_i
  input  logic               bar_go_i,
  output logic               running_o,

  // Memory
  output logic               mem_req_valid_o,
  input  logic               mem_req_ready_i,
  output line_req_t          mem_req_o,
  input  logic               mem_rsp_valid_i,
  input  line_rsp_t          mem_rsp_i,

  // A beat of a warp for one of the next two units: addresses, or results; operands
  output faa_cu_pkg::part_t  hand_part_o,
  output logic [Lanes*64-1:0] hand_a_o,
  output logic [Lanes*64-1:0] hand_b_o,
  output logic [Lanes*64-1:0] hand_c_o,

  // Warps for the shared memory unit. idle: it has no warp of this slot; passes: of the
  // slot's warps
  output logic               shared_valid_o,
  input  logic               shared_ready_i,
  output faa_cu_pkg::shared_warp_t shared_warp_o,
  input  logic               shared_result_valid_i,
  output logic               shared_result_ready_o,
  input  faa_cu_pkg::part_t  shared_part_i,
  input  logic [Lanes*64-1:0] shared_result_i,
  input  logic [faa_cu_pkg::SharedUserW-1:0] shared_result_user_i,
  input  logic               shared_done_i,
  input  logic [faa_cu_pkg::SharedUserW-1:0] shared_done_user_i,
  input  logic               shared_idle_i,
  input  logic [5:0]         passes_i,

  // Warps for the atomic unit (GlobalAtomics)
  output logic               atom_valid_o,
  input  logic               atom_ready_i,
  output faa_cu_pkg::atom_warp_t atom_warp_o,
  input  logic               atom_result_valid_i,
  output logic               atom_result_ready_o,
  input  faa_cu_pkg::part_t  atom_part_i,
  input  logic [Lanes*64-1:0] atom_result_i,
  input  logic [faa_cu_pkg::AtomUserW-1:0] atom_result_user_i,
  input  logic               atom_done_i,
  input  logic [faa_cu_pkg::AtomUserW-1:0] atom_done_user_i,
  input  logic               atom_error_i,
  input  logic [51:6]        atom_error_line_i,
  input  logic [faa_cu_pkg::AtomUserW-1:0] atom_error_user_i,

  // Context engine, which moves this slot's context while busy: registers, predicates,
  // configuration, and a client of the memory port
  output logic               context_start_o,
  input  logic               context_busy_i,
  input  logic               context_error_i,
  input  logic               ctx_rd_en_i,
  input  logic [7:0]         ctx_rd_row_i,
  input  faa_cu_pkg::beat_no_t ctx_rd_beat_i,
  output logic [Lanes*32-1:0] ctx_rd_data_o,
  input  logic               ctx_wr_en_i,
  input  logic [7:0]         ctx_wr_row_i,
  input  faa_cu_pkg::beat_no_t ctx_wr_beat_i,
  input  logic [Lanes-1:0]   ctx_wr_mask_i,
  input  logic [Lanes*32-1:0] ctx_wr_data_i,
  output logic [223:0]       ctx_pred_o,
  input  logic [1:0]         ctx_pred_load_i,
  input  logic [223:0]       ctx_pred_i,
  output logic [faa_surface_pkg::IMAGE_BITS-1:0] ctx_config_o,
  input  logic [1:0]         ctx_config_load_i,
  input  logic [faa_surface_pkg::IMAGE_BITS-1:0] ctx_config_i,
  input  logic               ctx_mem_valid_i,
  output logic               ctx_mem_ready_o,
  input  logic               ctx_mem_write_i,
  input  logic [63:OffW]        ctx_mem_line_i,
  input  logic [LineW-1:0]       ctx_mem_data_i,
  input  logic [3:0]         ctx_mem_tag_i,
  output logic               ctx_mem_rsp_valid_o,
  output logic [3:0]         ctx_mem_rsp_tag_o,

  // Sweep of the L2: requested until it is done; drop: no line is kept (FLUSH), else CLEAN
  output logic               sweep_valid_o,
  output logic               sweep_drop_o,
  input  logic               sweep_done_i,
  input  logic               sweep_err_i,    // with done: memory has refused a line

  // Translation
  output logic               tr_valid_o,
  input  logic               tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic               tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  // Invalidation
  input  logic               inv_req_i,
  output logic               inv_ack_o,

  // Counters
  output faa_cu_pkg::slot_events_t events_o,
  // Counters for SNAPSHOT, in beats
  output logic               snap_req_o,
  output logic [2:0]         snap_beat_o,
  input  logic               snap_valid_i,
  output logic               snap_ready_o,
  input  logic [SnapLanes*64-1:0] snap_data_i
);

  // ----------------------------------------------------------------------------------------------
  // Control

  logic              halt, begin_run, hold, drop, restart, decode_stop, stall_fetch, stall_barrier;
  logic [31:0]       restart_offset, first_element, decode_pc, guard;
  logic              cmd_valid, cmd_ready;
  faa_cu_pkg::cmd_t  cmd_next, cmd;
  logic              front_start, cancel, pseudo, pseudo_valid, pseudo_store;
  logic              take_barriers;
  logic [5:0]        barriers_free, barriers_full;
  logic              sem_valid, sem_ready, command_done;
  faa_cu_pkg::bus_error_t bus_error;
  logic [63:0]       sem_value;
  logic              units_idle, memory_idle, translate_idle, fetch_idle;

  // The path of warps
  logic              snapshot, sem_wait, is_surface;
  logic              overlap, go, own_stores, access_quiet, pseudo_ready, redo;
  logic              surface_drop, config_set;
  faa_surface_pkg::config_t surface_config;
  faa_cu_pkg::path_t        path;
  faa_cu_pkg::path_state_t  front;
  faa_cu_pkg::path_events_t path_events;
  faa_cu_pkg::spans_t       spans;
  faa_cu_pkg::retire_t      retire;
  faa_cu_pkg::failure_t     failure;
  faa_cu_pkg::handed_t      given, hand;
  faa_cu_pkg::store_state_t store;
  // With 4 lanes the path works lane by lane, which needs fewer look-up tables.
  localparam bit Serial = Build.global_atomics && Lanes == 4;

  // Units
  logic [31:0]       sparse, setp_value;
  logic [2047:0]     pa;
  logic              setp, hand_valid, hand_ready, atom_enter, load_start, load_idle, load_direct;
  logic              store_taken, store_valid, store_ready, shared_idle, atom_idle;
  logic              atom_reads_idle, atom_writes_idle, stall_writeback, release_result;
  logic [Lanes*64-1:0] store_result;
  logic [1:0]        gives;
  logic [1:0][2:0]   give_numbers;
  logic [3:0]        release_result_tag;
  logic [7:0]        release_result_row;

  // Registers and predicates
  logic              rf_rd_en, op_rd_en, rf_wr_en, wb_wr_en;
  logic [7:0]        rf_rd_row, op_rd_row, rf_wr_row, wb_wr_row;
  faa_cu_pkg::beat_no_t rf_rd_beat, op_rd_beat, rf_wr_beat, wb_wr_beat;
  logic [Lanes-1:0]  rf_wr_mask, wb_wr_mask;
  logic [Lanes*32-1:0] rf_rd_data, rf_wr_data, wb_wr_data;

  // Memory and translation
  logic [3:0]        tr_valid, tr_ready, tr_rsp_valid;
  faa_bundle_pkg::tr_rsp_t tr_rsp;
  faa_bundle_pkg::tr_req_t [3:0] tr_req;   // access, operands, fetch, surfaces
  faa_bundle_pkg::tr_req_t [2:0] path_tr_req;
  logic [2:0]        path_tr_valid, path_valid;
  logic              tr_next;
  logic [5:0]        m_valid, m_ready, m_rsp_valid;
  logic              rsp_err;
  logic [LineW-1:0]  rsp_data;
  logic [6:0]        m_rsp_tag;
  logic [51:OffW]    load_line;
  logic [2:0][51:OffW] path_line;          // stores, operands, surfaces
  logic [1:0][6:0]   path_tag;
  logic [4:0]        load_tag;
  logic [LineW-1:0]  store_line_data;
  logic [LineBytes-1:0] store_strobe;
  logic [63:OffW]       fetch_line;

  faa_cu_control #(
    .GlobalAtomics (Build.global_atomics),
    .SurfaceAtomics(Build.surface_atomics),
    .Late          (Serial)
  ) u_control (
    .clk_i,
    .rst_ni,
    .job_valid_i,
    .job_ready_o,
    .job_op_i,
    .stream_i,
    .done_valid_o,
    .done_ready_i,
    .done_o,
    .progress_o,
    .kill_i,
    .stop_i,
    .halt_o            (halt),
    .failed_o,
    .at_bar_o,
    .bar_go_i,
    .running_o,
    .begin_o           (begin_run),
    .inv_req_i,
    .inv_ack_o,
    .hold_o            (hold),
    .drop_o            (drop),
    .front_quiet_i     (front.quiet && access_quiet),
    .units_idle_i      (units_idle),
    .shared_idle_i     (shared_idle),
    .load_idle_i       (load_idle),
    .store_idle_i      (store.idle),
    .atom_reads_idle_i (atom_reads_idle),
    .atom_writes_idle_i(atom_writes_idle),
    .memory_idle_i     (memory_idle),
    .translate_idle_i  (translate_idle),
    .fetch_idle_i      (fetch_idle),
    .restart_o         (restart),
    .restart_offset_o  (restart_offset),
    .decode_stop_o     (decode_stop),
    .first_element_o   (first_element),
    .cmd_valid_i       (cmd_valid),
    .cmd_ready_o       (cmd_ready),
    .cmd_i             (cmd_next),
    .decode_pc_i       (decode_pc),
    .front_start_o     (front_start),
    .cmd_o             (cmd),
    .cancel_o          (cancel),
    .operand_idle_i    (front.idle),
    .guard_i           (guard),
    .pseudo_o          (pseudo),
    .pseudo_valid_o    (pseudo_valid),
    .pseudo_store_o    (pseudo_store),
    .access_ready_i    (pseudo_ready),
    .access_quiet_i    (access_quiet),
    .retire_i          (retire),
    .failure_i         (failure),
    .bus_error_i       (bus_error),
    .passes_i,
    .written_i         (release_result && release_result_tag[3]),
    .written_row_i     (release_result_row),
    .take_o            (take_barriers),
    .free_i            (barriers_free),
    .full_i            (barriers_full),
    .config_set_o      (config_set),
    .surface_drop_o    (surface_drop),
    .sem_valid_i       (sem_valid),
    .sem_ready_o       (sem_ready),
    .sem_value_i       (sem_value),
    .sweep_valid_o,
    .sweep_drop_o,
    .sweep_done_i,
    .sweep_err_i,
    .context_start_o,
    .context_busy_i,
    .context_error_i,
    .ev_command_o      (command_done),
    .ev_stall_barrier_o(stall_barrier)
  );

  faa_cu_barriers u_barriers (
    .clk_i,
    .rst_ni,
    .clear_i      (begin_run),
    .take_i       (take_barriers),
    .take_read_i  (cmd_next.read_barrier),
    .take_write_i (cmd_next.write_barrier),
    .give_i       ({gives[1], retire.valid && retire.last, retire.releases,
                    release_result && release_result_tag[3], store.done && store.tag[3], gives[0]}),
    .give_number_i({give_numbers[1], cmd.read_barrier, retire.barrier, release_result_tag[2:0],
                    store.tag[2:0], give_numbers[0]}),
    .free_o       (barriers_free),
    .full_o       (barriers_full)
  );

  // ----------------------------------------------------------------------------------------------
  // Commands

  faa_cu_commands #(
    .Build (Build),
    .Serial(Serial)
  ) u_commands (
    .clk_i,
    .rst_ni,
    .begin_i         (begin_run),
    .stream_i,
    .first_element_i (first_element),
    .hold_i          (hold || store.writing),
    .idle_o          (fetch_idle),
    .restart_i       (restart),
    .restart_offset_i(restart_offset),
    .stop_i          (decode_stop),
    .cmd_valid_o     (cmd_valid),
    .cmd_ready_i     (cmd_ready),
    .cmd_o           (cmd_next),
    .pc_o            (decode_pc),
    .stall_o         (stall_fetch),
    .tr_valid_o      (tr_valid[2]),
    .tr_ready_i      (tr_ready[2]),
    .tr_req_o        (tr_req[2]),
    .tr_rsp_valid_i  (tr_rsp_valid[2]),
    .tr_rsp_i       (tr_rsp),
    .mem_valid_o     (m_valid[3]),
    .mem_ready_i     (m_ready[3]),
    .mem_addr_o      (fetch_line),
    .mem_rsp_valid_i (m_rsp_valid[3]),
    .mem_rsp_data_i  (rsp_data),
    .mem_rsp_err_i   (rsp_err)
  );

  // ----------------------------------------------------------------------------------------------
  // Front

  faa_cu_overlap #(
    .GlobalAtomics(Build.global_atomics),
    .LineBytes    (LineBytes)
  ) u_overlap (
    .clk_i,
    .rst_ni,
    .start_i       (front_start),
    .cmd_i         (cmd),
    .stores_idle_i (store.idle),
    .writes_idle_i (atom_writes_idle),
    .access_quiet_i(access_quiet),
    .redo_i        (redo),
    .overlap_o     (overlap),
    .go_o          (go),
    .own_stores_o  (own_stores),
    .spans_o       (spans)
  );

  // ----------------------------------------------------------------------------------------------
  // Surfaces

  // Facts about cmd; they change with it
  always_ff @(posedge clk_i) begin
    if (cmd_ready) begin
      is_surface <= Build.surface_atomics && cmd_next.opcode == faa_pkg::OPCODE_SUATOM;
      snapshot   <= cmd_next.opcode == faa_pkg::OPCODE_SNAPSHOT;
      sem_wait   <= cmd_next.opcode == faa_pkg::OPCODE_SEM_WAIT;
    end
  end

  if (Build.surface_atomics) begin : gen_config
    faa_surface_config u_config (
      .clk_i,
      .rst_ni,
      .set_i    (config_set),
      .op_i     (cmd_next.op),
      .address_i(cmd_next.a_0),
      .value_i  (cmd_next.a_1),
      .load_i   (ctx_config_load_i),
      .image_i  (ctx_config_i),
      .image_o  (ctx_config_o),
      .config_o (surface_config)
    );
  end else begin : gen_no_config
    assign {surface_config, ctx_config_o} = '0;

    logic unused_config;
    assign unused_config = ^{config_set, ctx_config_i, ctx_config_load_i, surface_config};
  end

  // ----------------------------------------------------------------------------------------------
  // The path of warps

  assign path = '{first: first_element, overlap: overlap, hold: hold, cancel: cancel,
                  halt: halt, pseudo: pseudo, pseudo_valid: pseudo_valid,
                  pseudo_store: pseudo_store,
                  snapshot: snapshot, sem_wait: sem_wait, surface: is_surface,
                  own_stores: own_stores};

  if (Serial) begin : gen_by_lane
    faa_cu_path_serial #(
      .Build(Build)
    ) u_path (
      .clk_i,
      .rst_ni,
      .cmd_i          (cmd),
      .config_i       (surface_config),
      .start_i        (front_start),
      .guard_i        (is_surface ? guard & ~surface_config.helpers : guard),
      .drop_i         (drop),
      .surface_drop_i (surface_drop),
      .go_i           (go),
      .path_i         (path),
      .spans_i        (spans),
      .shared_bytes_i,
      .state_o        (front),
      .access_quiet_o (access_quiet),
      .events_o       (path_events),
      .pseudo_ready_o (pseudo_ready),
      .redo_o         (redo),
      .retire_o       (retire),
      .failure_o      (failure),
      .setp_o         (setp),
      .setp_value_o   (setp_value),
      .rd_en_o        (op_rd_en),
      .rd_row_o       (op_rd_row),
      .rd_beat_o      (op_rd_beat),
      .rd_data_i      (rf_rd_data),
      .hand_valid_o   (hand_valid),
      .hand_ready_i   (hand_ready),
      .hand_o         (hand),
      .hand_part_o,
      .hand_a_o,
      .hand_b_o,
      .hand_c_o,
      .given_o        (given),
      .atom_enter_o   (atom_enter),
      .shared_idle_i  (shared_idle),
      .atom_idle_i    (atom_idle),
      .load_start_o   (load_start),
      .load_idle_i    (load_idle),
      .load_sparse_o  (sparse),
      .load_pa_o      (pa),
      .store_taken_o  (store_taken),
      .store_o        (store),
      .fetch_idle_i   (fetch_idle),
      .store_valid_i  (store_valid),
      .store_ready_o  (store_ready),
      .store_data_i   (store_result),
      .snap_req_o,
      .snap_beat_o,
      .snap_valid_i,
      .snap_ready_o,
      .snap_data_i,
      .tr_next_o      (tr_next),
      .tr_valid_o     (path_tr_valid),
      .tr_ready_i     ({tr_ready[3], tr_ready[1:0]}),
      .tr_req_o       (path_tr_req),
      .tr_rsp_valid_i ({tr_rsp_valid[3], tr_rsp_valid[1:0]}),
      .tr_rsp_i       (tr_rsp),
      .mem_valid_o    (path_valid),
      .mem_ready_i    ({m_ready[5], m_ready[2:1]}),
      .mem_line_o     (path_line),
      .mem_data_o     (store_line_data),
      .mem_strobe_o   (store_strobe),
      .mem_tag_o      (path_tag),
      .mem_rsp_valid_i({m_rsp_valid[5], m_rsp_valid[2:1]}),
      .mem_rsp_tag_i  (m_rsp_tag),
      .mem_rsp_data_i (rsp_data),
      .mem_rsp_err_i  (rsp_err)
    );
  end else begin : gen_in_beats
    faa_cu_path #(
      .Build(Build)
    ) u_path (
      .clk_i,
      .rst_ni,
      .cmd_i          (cmd),
      .config_i       (surface_config),
      .start_i        (front_start),
      .guard_i        (is_surface ? guard & ~surface_config.helpers : guard),
      .drop_i         (drop),
      .surface_drop_i (surface_drop),
      .go_i           (go),
      .path_i         (path),
      .spans_i        (spans),
      .shared_bytes_i,
      .state_o        (front),
      .access_quiet_o (access_quiet),
      .events_o       (path_events),
      .pseudo_ready_o (pseudo_ready),
      .redo_o         (redo),
      .retire_o       (retire),
      .failure_o      (failure),
      .setp_o         (setp),
      .setp_value_o   (setp_value),
      .rd_en_o        (op_rd_en),
      .rd_row_o       (op_rd_row),
      .rd_beat_o      (op_rd_beat),
      .rd_data_i      (rf_rd_data),
      .hand_valid_o   (hand_valid),
      .hand_ready_i   (hand_ready),
      .hand_o         (hand),
      .hand_part_o,
      .hand_a_o,
      .hand_b_o,
      .hand_c_o,
      .given_o        (given),
      .atom_enter_o   (atom_enter),
      .shared_idle_i  (shared_idle),
      .atom_idle_i    (atom_idle),
      .load_start_o   (load_start),
      .load_idle_i    (load_idle),
      .load_sparse_o  (sparse),
      .load_pa_o      (pa),
      .store_taken_o  (store_taken),
      .store_o        (store),
      .fetch_idle_i   (fetch_idle),
      .store_valid_i  (store_valid),
      .store_ready_o  (store_ready),
      .store_data_i   (store_result),
      .snap_req_o,
      .snap_beat_o,
      .snap_valid_i,
      .snap_ready_o,
      .snap_data_i,
      .tr_next_o      (tr_next),
      .tr_valid_o     (path_tr_valid),
      .tr_ready_i     ({tr_ready[3], tr_ready[1:0]}),
      .tr_req_o       (path_tr_req),
      .tr_rsp_valid_i ({tr_rsp_valid[3], tr_rsp_valid[1:0]}),
      .tr_rsp_i       (tr_rsp),
      .mem_valid_o    (path_valid),
      .mem_ready_i    ({m_ready[5], m_ready[2:1]}),
      .mem_line_o     (path_line),
      .mem_data_o     (store_line_data),
      .mem_strobe_o   (store_strobe),
      .mem_tag_o      (path_tag),
      .mem_rsp_valid_i({m_rsp_valid[5], m_rsp_valid[2:1]}),
      .mem_rsp_tag_i  (m_rsp_tag),
      .mem_rsp_data_i (rsp_data),
      .mem_rsp_err_i  (rsp_err)
    );
  end
  assign {m_valid[5], m_valid[2:1]}    = path_valid;
  assign {tr_valid[3], tr_valid[1:0]} = path_tr_valid;
  assign {tr_req[3], tr_req[1:0]}     = path_tr_req;

  // ----------------------------------------------------------------------------------------------
  // Units

  faa_cu_units #(
    .Build (Build),
    .Serial(Serial)
  ) u_units (
    .clk_i,
    .rst_ni,
    .cmd_i                (cmd),
    .pseudo_i             (pseudo),
    .given_i              (given),
    .atom_enter_i         (atom_enter),
    .load_start_i         (load_start),
    .load_sparse_i        (sparse),
    .load_pa_i            (pa),
    .store_taken_i        (store_taken),
    .store_i              (store),
    .hand_valid_i         (hand_valid),
    .hand_ready_o         (hand_ready),
    .hand_i               (hand),
    .hand_part_i          (hand_part_o),
    .hand_a_i             (hand_a_o),
    .shared_valid_o,
    .shared_ready_i,
    .shared_warp_o,
    .shared_result_valid_i,
    .shared_result_ready_o,
    .shared_part_i,
    .shared_result_i,
    .shared_result_user_i,
    .shared_done_i,
    .shared_done_user_i,
    .atom_valid_o,
    .atom_ready_i,
    .atom_warp_o,
    .atom_result_valid_i,
    .atom_result_ready_o,
    .atom_part_i,
    .atom_result_i,
    .atom_result_user_i,
    .atom_done_i,
    .atom_done_user_i,
    .atom_error_i,
    .atom_error_line_i,
    .atom_error_user_i,
    .load_idle_o          (load_idle),
    .atom_reads_idle_o    (atom_reads_idle),
    .atom_writes_idle_o   (atom_writes_idle),
    .bus_error_o          (bus_error),
    .give_o               (gives),
    .give_number_o        (give_numbers),
    .sem_valid_o          (sem_valid),
    .sem_ready_i          (sem_ready),
    .sem_value_o          (sem_value),
    .wr_en_o              (wb_wr_en),
    .wr_row_o             (wb_wr_row),
    .wr_beat_o            (wb_wr_beat),
    .wr_mask_o            (wb_wr_mask),
    .wr_data_o            (wb_wr_data),
    .store_valid_o        (store_valid),
    .store_ready_i        (store_ready),
    .store_data_o         (store_result),
    .release_o            (release_result),
    .release_tag_o        (release_result_tag),
    .release_row_o        (release_result_row),
    .stall_o              (stall_writeback),
    .mem_valid_o          (m_valid[0]),
    .mem_ready_i          (m_ready[0]),
    .mem_line_o           (load_line),
    .mem_tag_o            (load_tag),
    .mem_direct_o         (load_direct),
    .mem_rsp_valid_i      (m_rsp_valid[0]),
    .mem_rsp_tag_i        (m_rsp_tag[4:0]),
    .mem_rsp_data_i       (rsp_data),
    .mem_rsp_err_i        (rsp_err)
  );
  assign shared_idle = shared_idle_i && front.hand_idle;
  assign atom_idle   = atom_reads_idle && atom_writes_idle;
  assign units_idle  = load_idle && store.idle && shared_idle && atom_idle && front.hand_idle;

  // ----------------------------------------------------------------------------------------------
  // Registers, predicates, context

  assign {rf_rd_en, rf_rd_row, rf_rd_beat} =
         context_busy_i ? {ctx_rd_en_i, ctx_rd_row_i, ctx_rd_beat_i} :
                          {op_rd_en, op_rd_row, op_rd_beat};
  assign {rf_wr_en, rf_wr_row, rf_wr_beat, rf_wr_mask, rf_wr_data} =
         context_busy_i ? {ctx_wr_en_i, ctx_wr_row_i, ctx_wr_beat_i, ctx_wr_mask_i, ctx_wr_data_i} :
                          {wb_wr_en, wb_wr_row, wb_wr_beat, wb_wr_mask, wb_wr_data};

  assign ctx_rd_data_o = rf_rd_data;

  faa_cu_regfile #(
    .Lanes(Lanes)
  ) u_regfile (
    .clk_i,
    .rst_ni,
    .rd_en_i  (rf_rd_en),
    .rd_row_i (rf_rd_row),
    .rd_beat_i(rf_rd_beat),
    .rd_data_o(rf_rd_data),
    .wr_en_i  (rf_wr_en),
    .wr_row_i (rf_wr_row),
    .wr_beat_i(rf_wr_beat),
    .wr_mask_i(rf_wr_mask),
    .wr_data_i(rf_wr_data)
  );

  // A JUMP reads its guard when it issues, a vector command in the following cycle, in which the
  // decoder still shows it.
  faa_cu_predicates u_predicates (
    .clk_i,
    .guard_i     (cmd_next.guard),
    .negate_i    (cmd_next.guard_negate),
    .guard_o     (guard),
    .set_i       (setp),
    .set_number_i(is_surface ? cmd.ps : cmd.mod[2:0]),
    .set_mask_i  (given.mask),
    .set_value_i (setp_value),
    .load_i      (ctx_pred_load_i),
    .load_all_i  (ctx_pred_i),
    .all_o       (ctx_pred_o)
  );

  // ----------------------------------------------------------------------------------------------
  // Ports

  assign {m_valid[4], ctx_mem_ready_o} = {ctx_mem_valid_i, m_ready[4]};

  faa_cu_memory #(
    .MemTagW  (MemTagW),
    .UsedTagW (LineBytes == 16 && MemTagW > 4 ? 4 : MemTagW),
    .LineBytes(LineBytes),
    .HalfRate (Lanes == 4), .Late(Lanes < 32)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .valid_i        (m_valid),
    .ready_o        (m_ready),
    .load_line_i    (load_line),
    .load_tag_i     (load_tag),
    .load_direct_i  (load_direct),
    .store_line_i   (path_line[0]),
    .store_data_i   (store_line_data),
    .store_strobe_i (store_strobe),
    .store_tag_i    (path_tag[0][4:0]),
    .operand_line_i (path_line[1]),
    .operand_tag_i  (path_tag[1]),
    .fetch_line_i   (fetch_line),
    .context_write_i(ctx_mem_write_i),
    .context_line_i (ctx_mem_line_i),
    .context_data_i (ctx_mem_data_i),
    .context_tag_i  (ctx_mem_tag_i),
    .surface_line_i (path_line[2]),
    .context_rsp_valid_o(ctx_mem_rsp_valid_o),
    .context_rsp_tag_o  (ctx_mem_rsp_tag_o),
    .rsp_valid_o    (m_rsp_valid),
    .rsp_tag_o      (m_rsp_tag),
    .rsp_data_o     (rsp_data),
    .rsp_err_o      (rsp_err),
    .idle_o         (memory_idle),
    .mem_req_valid_o,
    .mem_req_ready_i,
    .mem_req_o,
    .mem_rsp_valid_i,
    .mem_rsp_i
  );

  faa_cu_tr_arb #(.Late(Lanes < 32 && !Serial)) u_tr_arb (
    .clk_i,
    .rst_ni,
    .access_next_i (tr_next),
    .valid_i       (tr_valid),
    .ready_o       (tr_ready),
    .req_i         (tr_req),
    .rsp_valid_o   (tr_rsp_valid), .rsp_o(tr_rsp),
    .idle_o        (translate_idle),
    .tr_valid_o,
    .tr_ready_i,
    .tr_req_o, .tr_rsp_valid_i, .tr_rsp_i
  );

  // ----------------------------------------------------------------------------------------------
  // Counters

  assign events_o = '{
    command:         command_done,
    warp:            retire.valid,
    elements:        retire.valid ? 6'($countones(retire.mask)) : 6'd0,
    stall_fetch:     stall_fetch && !cmd_valid && running_o && front.idle && access_quiet,
    stall_barrier:   stall_barrier,
    stall_operand:   path_events.stall_operand && access_quiet,
    stall_shared:    path_events.stall_shared,
    stall_global:    path_events.stall_global,
    stall_writeback: stall_writeback,
    header:          path_events.header,
    stall_surface:   path_events.stall_surface
  };

  logic unused;
  assign unused = ^{cmd, retire, m_rsp_valid, given, path_tag[0][6:5]};

  `FAA_ASSERT(guard_is_of_the_command, !front_start || (cmd_next.guard == cmd.guard &&
                                                        cmd_next.guard_negate == cmd.guard_negate))
  `FAA_ASSERT(atoms_alone, atom_idle || load_idle)
  `FAA_ASSERT(context_alone, !context_busy_i || (front.idle && access_quiet && load_idle &&
                                                 store.idle && atom_idle))
  `FAA_ASSERT(invalidation_is_quiet, !(inv_req_i && inv_ack_o && running_o) ||
                                     (memory_idle && translate_idle && m_valid == '0))
  `FAA_ASSERT(done_is_quiet, !done_valid_o || m_valid == '0)

endmodule
