// SPDX-License-Identifier: Apache-2.0
//
// Warp slot: all that one stream needs. What the slots of a compute unit share stands around it in faa_cu: the shared memory unit, the atomic
// unit, the context engine and the ports. Structure, latencies, stalls and hazards: Documentation/compute-unit.rst.
//
//   fetch -> decode -> control -> operand -> surface -> access -> load             -> writeback -> registers
//                                                              -> (shared memory)  ->           -> store
//                                                              -> (atomic unit)    ->
//                                                              -> alu              ->
//                                                              -> store
//
// It does one operation at a time, the stream of a job or the moving of its context, as described
// of the unit in Documentation/cu-interface.rst.

`include "faa_assert.svh"

module faa_cu_slot #(
  parameter int unsigned MemTagW = 7,
  // Lanes of a warp that the operand path works on per cycle, those of the shared memory unit: 32,
  // 16, 8 or 4
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  // Arithmetic that the unit has (FEATURES)
  parameter bit F32 = 1'b1,
  parameter bit F64 = 1'b1,
  parameter bit X2 = 1'b1,
  parameter bit Relaxed = 1'b1,
  parameter bit Alu = 1'b1,
  // ATOM, with an L2 behind the memory port; LD and ST go the same way
  parameter bit GlobalAtomics = 1'b0,
  parameter bit SysAtomics = 1'b0,
  // SUATOM and CONFIG, with GlobalAtomics; lanes whose addresses are computed per cycle
  parameter bit SurfaceAtomics = 1'b0,
  parameter int unsigned SurfaceLanes = Lanes,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned SnapLanes = GlobalAtomics ? Lanes : 32   // a beat of SNAPSHOT
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Work
  input  logic               job_valid_i,
  output logic               job_ready_o,
  input  logic [1:0]         job_op_i,
  input  logic [63:0]        job_stream_va_i,
  input  logic [31:0]        job_stream_bytes_i,
  input  logic [31:0]        job_first_element_i,
  input  logic [31:0]        job_shared_bytes_i,
  output logic               done_valid_o,
  input  logic               done_ready_i,
  output logic [7:0]         done_code_o,
  output logic [4:0]         done_lane_o,
  output logic [63:0]        done_address_o,
  output logic [31:0]        stat_command_o,
  output logic [31:0]        stat_element_o,
  output logic [63:0]        stat_retired_o,
  output logic [31:0]        stat_warps_o,
  output logic [31:0]        stat_passes_o,
  input  logic               kill_i,
  input  logic               stop_i,         // as kill_i, with STOPPED
  output logic               failed_o,       // until the next RUN begins
  output logic               at_bar_o,       // at a BAR, until bar_go_i
  input  logic               bar_go_i,
  output logic               running_o,

  // Memory
  output logic               mem_req_valid_o,
  input  logic               mem_req_ready_i,
  output logic               mem_req_write_o,
  output logic               mem_req_direct_o,  // past the L2
  output logic [63:OffW]        mem_req_addr_o,
  output logic [LineW-1:0]       mem_req_wdata_o,
  output logic [LineBytes-1:0] mem_req_wstrb_o,
  output logic [MemTagW-1:0] mem_req_tag_o,
  input  logic               mem_rsp_valid_i,
  input  logic [MemTagW-1:0] mem_rsp_tag_i,
  input  logic [LineW-1:0]       mem_rsp_rdata_i,
  input  logic               mem_rsp_err_i,

  // A beat of a warp for one of the next two units: addresses, or results; operands
  output faa_cu_pkg::part_t  hand_part_o,
  output logic [Lanes*64-1:0] hand_a_o,
  output logic [Lanes*64-1:0] hand_b_o,
  output logic [Lanes*64-1:0] hand_c_o,

  // Warps for the shared memory unit. idle: nothing of this slot is under way in it; passes: of this slot's warps
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

  // Context engine, which works on this slot while busy: registers, predicates, configuration, and a client of the memory port
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
  output logic [63:0]        tr_va_o,
  output logic               tr_write_o,
  output logic               tr_atomic_o,
  input  logic               tr_rsp_valid_i,
  input  logic [7:0]         tr_rsp_error_i,
  input  logic [63:0]        tr_rsp_pa_i,
  input  logic               tr_rsp_sparse_i,
  input  logic               tr_rsp_big_i,

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

  // -------------------------------------------------------------------------------------------------------------
  // Control

  logic              halt, begin_run, hold, drop, restart, decode_stop, stall_fetch, stall_barrier;
  logic [31:0]       restart_offset, first_element, decode_pc;
  logic              cmd_valid, cmd_ready;
  faa_cu_pkg::cmd_t  cmd_next, cmd;
  logic              front_start, cancel, pseudo, pseudo_valid;
  logic [31:0]       guard;
  logic              take_barriers;
  logic [5:0]        barriers_free, barriers_full;
  logic              sem_valid, sem_ready;
  logic              bus_error;
  logic              command_done, header_read, surface_stall;   // events
  logic [63:0]       bus_address;
  logic              units_idle, memory_idle, translate_idle, fetch_idle;

  // Operands and access
  logic              operand_idle, operand_quiet, operand_stall, access_quiet;
  logic              warp_valid, warp_ready, warp_last;
  logic [31:0]       warp_mask, warp_element;
  logic [5:0]        warp_count;
  // Operands come in beats. Without the atomic unit they are put together: the load and the store
  // unit have whole warps.
  // With 4 lanes the front goes lane by lane, which needs fewer look-up tables.
  localparam int unsigned FrontLanes = !GlobalAtomics ? 32 : Lanes == 4 ? 1 : Lanes;
  localparam bit          Serial     = FrontLanes == 1;
  logic              beat_valid, beat_ready;
  faa_cu_pkg::part_t beat_part, warp_part;
  logic [2:0][Lanes*64-1:0] beat;            // operands c, b, a
  logic [FrontLanes*64-1:0] warp_a, warp_b, warp_c;
  logic [63:0]       warp_d_va, warp_address;
  logic [7:0]        warp_error;
  logic [4:0]        warp_lane;
  logic              access_ready, access_valid, access_at_rest;
  logic [(Serial?1:Lanes)*32-1:0] warp_z, warp_handle;
  logic              access_last;            // the lanes that access takes are the last ones of their warp
  // Behind the surface unit
  logic              placed_valid, placed_ready, placed_last, surface_quiet, surface_drop, surface_flush, config_set;
  logic [31:0]       placed_mask, placed_null, placed_element;
  logic [3:0]        placed_typ, atom_typ;
  logic [5:0]        placed_count;
  faa_cu_pkg::part_t placed_part;
  logic [FrontLanes*64-1:0] placed_a, placed_b, placed_c;
  logic [63:0]       placed_d_va, placed_address;
  logic [7:0]        placed_error;
  logic [4:0]        placed_lane;
  logic              is_surface;
  faa_surface_pkg::config_t surface_config;
  logic [faa_surface_pkg::IMAGE_BITS-1:0] config_image;
  logic [31:0]       access_mask;
  faa_cu_pkg::part_t access_part, pseudo_part;
  logic [FrontLanes*64-1:0] access_a, access_b;
  logic              control_store, snapshot, sem_wait, control_may;
  logic              retire, retire_last, error_valid, access_release, stall_shared, stall_global;
  logic [31:0]       retire_next, retire_mask, error_element;
  logic [5:0]        retire_count;
  logic [7:0]        error_code;
  logic [4:0]        error_lane;
  logic [63:0]       error_address;
  logic [2:0]        access_release_barrier;
  logic              overlap, overlap_known, apart, go, redo, redo_now;
  logic              stores_own_q, writes_own_q;   // what is being stored, or changed by the atomic unit, is of the command in the front
  logic              apart_lost_q;   // a warp of the command may have changed what it reads as operands
  logic [3:0]        span_used;
  logic [207:0]      span_low, span_high;

  // Units
  faa_cu_pkg::dest_t dest, load_dest, shared_dest, done_dest;
  logic [31:0]       unit_element, load_command_q, load_element_q, store_command_q, store_element_q;
  logic [31:0]       unit_mask, sparse, load_mask, shared_result_mask, done_mask, setp_value;
  faa_cu_pkg::part_t part;                   // of the addresses of the result stream
  logic [Lanes-1:0]  part_mask, part_sparse;
  logic [Lanes*52-1:0] part_pa;
  logic [2047:0]     pa;
  logic [FrontLanes*64-1:0] operand_a, operand_b, operand_c;
  logic              setp, move_valid, alu_valid, alu_done;
  logic [FrontLanes*64-1:0] alu_result;
  logic              load_start, load_idle, load_valid, load_ready, load_error;
  logic [2047:0]     load_data;
  logic [63:0]       load_error_address, store_error_address;
  logic              store_addr, store_cancel, store_idle, store_writing, store_done, store_error;
  logic [1:0]        store_size;
  logic [3:0]        store_tag;
  logic              store_ready, store_data_result, store_data_ready;
  logic [Lanes*64-1:0] store_result;
  // A warp that access hands over, and one whose beats go to their unit
  logic              given_valid, given_ready, given_last, given_beat, hand_valid, hand_ready;
  logic              hand_idle;
  logic              move_ready_beat;
  logic              store_items;
  faa_cu_pkg::part_t given_part, load_part;
  faa_cu_pkg::handed_t given, hand;
  logic [FrontLanes*64-1:0] given_a;
  logic [Lanes*64-1:0] hand_a, load_beat;
  logic              load_beat_valid, load_beat_ready;
  logic              shared_valid, shared_result, shared_idle, shared_done;
  logic              result_wanted, done_wanted;
  logic              stall_writeback;
  logic [1:0]        shared_func;
  logic              shared_result_valid, shared_result_ready;
  logic              atom_valid, atom_idle, atom_result_valid, atom_result_ready, atom_done;
  logic              atom_result_wanted;
  logic              atom_done_wanted, atom_error;
  logic [FrontLanes*52-1:0] atom_pa;
  logic [31:0]       atom_sparse, atom_result_mask, atom_done_mask;
  logic [1:0]        atom_func;
  logic              atom_reads_idle, atom_writes_idle;
  faa_cu_pkg::access_t atom_access, atom_result_access, atom_done_access, atom_error_access;
  faa_cu_pkg::dest_t atom_dest, atom_done_dest;
  logic [51:6]       atom_error_line;
  logic [faa_cu_pkg::SharedUserW-1:0] atom_error_user;
  logic [faa_cu_pkg::AtomUserW-1:0] atom_done_user, atom_error_all;
  logic              release_result;
  logic [3:0]        release_result_tag;
  logic [7:0]        release_result_row;

  // Registers and predicates
  logic              rf_rd_en, op_rd_en, rf_wr_en, wb_wr_en;
  logic [7:0]        rf_rd_row, op_rd_row, rf_wr_row, wb_wr_row;
  faa_cu_pkg::beat_no_t rf_rd_beat, op_rd_beat, rf_wr_beat, wb_wr_beat;
  logic [Lanes-1:0]  rf_wr_mask, wb_wr_mask;
  logic [Lanes*32-1:0] rf_rd_data, rf_wr_data, wb_wr_data;

  // Memory and translation
  logic              want_valid, word_valid;
  logic [31:0]       want_offset;
  logic [63:0]       fetched_word, word_address;
  logic [7:0]        word_error;
  logic [3:0]        tr_valid, tr_ready, tr_rsp_valid;
  logic [63:0]       tr_va_access, tr_va_operand, tr_va_fetch, tr_va_surface;
  logic              tr_write_access, tr_atomic_access;
  logic [5:0]        m_valid, m_ready, m_rsp_valid;
  logic [5:0]        port_rsp_valid;
  logic [6:0]        port_rsp_tag;
  logic              port_idle, rsp_err;
  logic [LineW-1:0]  rsp_data;
  logic [6:0]        m_rsp_tag;
  logic [51:OffW]    load_line, store_line, operand_line, surface_line;
  logic [4:0]        load_tag, store_mem_tag;
  logic [LineW-1:0]      store_line_data;
  logic [LineBytes-1:0] store_strobe;
  logic [6:0]        operand_tag;
  logic [63:OffW]       fetch_line;

  faa_cu_control #(
    .GlobalAtomics (GlobalAtomics),
    .SurfaceAtomics(SurfaceAtomics),
    .Late          (Serial)
  ) u_control (
    .clk_i,
    .rst_ni,
    .job_valid_i,
    .job_ready_o,
    .job_op_i,
    .job_first_element_i,
    .done_valid_o,
    .done_ready_i,
    .done_code_o,
    .done_lane_o,
    .done_address_o,
    .stat_command_o,
    .stat_element_o,
    .stat_retired_o,
    .stat_warps_o,
    .stat_passes_o,
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
    .front_quiet_i     (operand_quiet && access_quiet),
    .units_idle_i      (units_idle),
    .shared_idle_i     (shared_idle),
    .load_idle_i       (load_idle),
    .store_idle_i      (store_idle),
    .atom_reads_idle_i (atom_reads_idle),
    .atom_writes_idle_i(atom_writes_idle),
    .memory_idle_i     (memory_idle),
    .translate_idle_i  (translate_idle),
    .fetch_idle_i      (fetch_idle),
    .restart_o         (restart),
    .restart_offset_o  (restart_offset),
    .decode_stop_o     (decode_stop),
    .first_element_o   (first_element),
    .stream_bytes_i    (job_stream_bytes_i),
    .cmd_valid_i       (cmd_valid),
    .cmd_ready_o       (cmd_ready),
    .cmd_i             (cmd_next),
    .decode_pc_i       (decode_pc),
    .front_start_o     (front_start),
    .cmd_o             (cmd),
    .cancel_o          (cancel),
    .operand_idle_i    (operand_idle),
    .guard_i           (guard),
    .pseudo_o          (pseudo),
    .pseudo_valid_o    (pseudo_valid),
    .access_ready_i    (access_ready && control_may && access_last),
    .access_quiet_i    (access_quiet),
    .retire_i          (retire),
    .retire_next_i     (retire_next),
    .retire_count_i    (retire_count),
    .retire_last_i     (retire_last),
    .error_valid_i     (error_valid),
    .error_i           (error_code),
    .error_element_i   (error_element),
    .error_lane_i      (error_lane),
    .error_address_i   (error_address),
    .bus_error_i       (bus_error),
    .bus_address_i     (bus_address),
    .bus_command_i     (store_error ? store_command_q : atom_error ? atom_error_access.pc : load_command_q),
    .bus_element_i     (store_error ? store_element_q : atom_error ? {atom_error_access.element, 5'b0} : load_element_q),
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
    .sem_value_i       (load_data[63:0]),
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

  faa_cu_barriers #(
    .Late(Serial)
  ) u_barriers (
    .clk_i,
    .rst_ni,
    .clear_i      (begin_run),
    .take_i       (take_barriers),
    .take_read_i  (cmd_next.read_barrier),
    .take_write_i (cmd_next.write_barrier),
    .give_i       ({atom_done && !atom_done_wanted && atom_done_dest.is_last,
                    retire && retire_last, access_release, release_result && release_result_tag[3],
                    store_done && store_tag[3], shared_done && !done_wanted && done_dest.is_last}),
    .give_number_i({atom_done_dest.barrier, cmd.read_barrier, access_release_barrier, release_result_tag[2:0], store_tag[2:0],
                    done_dest.barrier}),
    .free_o       (barriers_free),
    .full_o       (barriers_full)
  );

  // -------------------------------------------------------------------------------------------------------------
  // Commands

  if (Serial) begin : gen_line
    faa_cu_fetch_serial #(
      .LineBytes(LineBytes)
    ) u_fetch (
      .clk_i,
      .rst_ni,
      .clear_i        (begin_run),
      .stream_va_i    (job_stream_va_i),
      .stop_i         (hold || store_writing || decode_stop),
      .idle_o         (fetch_idle),
      .want_valid_i   (want_valid),
      .want_offset_i  (want_offset),
      .word_valid_o   (word_valid),
      .word_o         (fetched_word),
      .word_error_o   (word_error),
      .word_address_o (word_address),
      .tr_valid_o     (tr_valid[2]),
      .tr_ready_i     (tr_ready[2]),
      .tr_va_o        (tr_va_fetch),
      .tr_rsp_valid_i (tr_rsp_valid[2]),
      .tr_rsp_error_i,
      .tr_rsp_pa_i,
      .tr_rsp_sparse_i,
      .mem_valid_o    (m_valid[3]),
      .mem_ready_i    (m_ready[3]),
      .mem_addr_o     (fetch_line),
      .mem_rsp_valid_i(m_rsp_valid[3]),
      .mem_rsp_rdata_i(rsp_data),
      .mem_rsp_err_i  (rsp_err)
    );
  end else begin : gen_lines
    faa_cu_fetch #(
      .LineBytes(LineBytes)
    ) u_fetch (
      .clk_i,
      .rst_ni,
      .clear_i        (begin_run),
      .stream_va_i    (job_stream_va_i),
      .stream_bytes_i (job_stream_bytes_i),
      .stop_i         (hold || store_writing || decode_stop),
      .idle_o         (fetch_idle),
      .want_valid_i   (want_valid),
      .want_offset_i  (want_offset),
      .word_valid_o   (word_valid),
      .word_o         (fetched_word),
      .word_error_o   (word_error),
      .word_address_o (word_address),
      .tr_valid_o     (tr_valid[2]),
      .tr_ready_i     (tr_ready[2]),
      .tr_va_o        (tr_va_fetch),
      .tr_rsp_valid_i (tr_rsp_valid[2]),
      .tr_rsp_error_i,
      .tr_rsp_pa_i,
      .tr_rsp_sparse_i,
      .mem_valid_o    (m_valid[3]),
      .mem_ready_i    (m_ready[3]),
      .mem_addr_o     (fetch_line),
      .mem_rsp_valid_i(m_rsp_valid[3]),
      .mem_rsp_rdata_i(rsp_data),
      .mem_rsp_err_i  (rsp_err)
    );
  end

  faa_cu_decode #(
    .F32(F32),
    .F64(F64),
    .X2(X2),
    .Relaxed(Relaxed),
    .Alu(Alu),
    .GlobalAtomics(GlobalAtomics),
    .Sys(SysAtomics),
    .SurfaceAtomics(SurfaceAtomics),
    .Late(Serial)
  ) u_decode (
    .clk_i,
    .rst_ni,
    .restart_i       (restart),
    .restart_offset_i(restart_offset),
    .stop_i          (decode_stop),
    .stream_bytes_i  (job_stream_bytes_i),
    .first_element_i (first_element),
    .want_valid_o    (want_valid),
    .want_offset_o   (want_offset),
    .word_valid_i    (word_valid),
    .word_i          (fetched_word),
    .word_error_i    (word_error),
    .word_address_i  (word_address),
    .cmd_valid_o     (cmd_valid),
    .cmd_ready_i     (cmd_ready),
    .cmd_o           (cmd_next),
    .pc_o            (decode_pc),
    .stall_o         (stall_fetch)
  );

  // -------------------------------------------------------------------------------------------------------------
  // Front

  // A command that cannot change its own operand streams: they are read ahead of execution, as soon as the stores and atomic operations
  // of earlier commands are done; loads of these may be under way. ST and ATOM are thought not to change them until one of their warps
  // comes near them. Without the atomic unit ST is not looked at so, and a load waits for the result stream of the warp before, so reading ahead
  // would gain nothing.
  logic apart_alone;
  assign apart_alone = GlobalAtomics || (cmd.opcode != faa_pkg::OPCODE_ST &&
                                         !(cmd.opcode == faa_pkg::OPCODE_LD && cmd.kind_d == faa_pkg::KIND_STREAM));
  assign overlap = apart_alone && !apart_lost_q && (cmd.kind_d != faa_pkg::KIND_STREAM || apart);
  assign go      = overlap_known && !front_start && (overlap ? (store_idle || stores_own_q) && (atom_writes_idle || writes_own_q)
                                                             : store_idle && atom_writes_idle && access_quiet);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || front_start) begin
      stores_own_q <= 1'b0;
      writes_own_q <= 1'b0;
      apart_lost_q <= 1'b0;
    end else begin
      if (store_idle) stores_own_q <= 1'b1;
      if (atom_writes_idle) writes_own_q <= 1'b1;
      if (redo) apart_lost_q <= 1'b1;
    end
  end

  faa_cu_overlap #(
    .GlobalAtomics(GlobalAtomics),
    .LineBytes    (LineBytes)
  ) u_overlap (
    .clk_i,
    .rst_ni,
    .start_i    (front_start),
    .cmd_i      (cmd),
    .done_o     (overlap_known),
    .apart_o    (apart),
    .span_used_o(span_used),
    .span_low_o (span_low),
    .span_high_o(span_high)
  );

  // -------------------------------------------------------------------------------------------------------------
  // Surfaces

  // Of cmd, with which it changes
  always_ff @(posedge clk_i) begin
    if (cmd_ready) begin
      is_surface <= SurfaceAtomics && cmd_next.opcode == faa_pkg::OPCODE_SUATOM;
      snapshot   <= cmd_next.opcode == faa_pkg::OPCODE_SNAPSHOT;
      sem_wait   <= cmd_next.opcode == faa_pkg::OPCODE_SEM_WAIT;
    end
  end
  assign redo_now      = redo && overlap && !retire_last;
  assign surface_flush = cancel || redo_now;

  if (SurfaceAtomics) begin : gen_config
    faa_surface_config u_config (
      .clk_i,
      .rst_ni,
      .set_i    (config_set),
      .op_i     (cmd_next.op),
      .address_i(cmd_next.a_0),
      .value_i  (cmd_next.a_1),
      .load_i   (ctx_config_load_i),
      .image_i  (ctx_config_i),
      .image_o  (config_image),
      .config_o (surface_config)
    );
  end else begin : gen_no_config
    assign surface_config = '0;
    assign config_image   = '0;

    logic unused_config;
    assign unused_config = ^{config_set, ctx_config_i, ctx_config_load_i, surface_config};
  end

  assign access_quiet = access_at_rest && surface_quiet;

  // -------------------------------------------------------------------------------------------------------------
  // Memory accesses of control commands: SEM_* in lane 0, SNAPSHOT 8 bytes in each lane. With the
  // atomic unit access reckons their addresses from the command, and what they store is operand a.
  logic control_whole;   // all lanes of a beat are taken with this step

  assign control_store = pseudo && pseudo_valid && !sem_wait;
  assign control_may   = !snapshot || snap_valid_i;   // its next beat is there
  assign snap_req_o    = control_store && snapshot;
  assign snap_beat_o   = pseudo_part.number;
  assign snap_ready_o  = snap_req_o && snap_valid_i && access_ready && control_whole;

  faa_cu_beats #(
    .Lanes(Serial ? Lanes : FrontLanes)
  ) u_beats_control (
    .clk_i,
    .rst_ni,
    .step_i(control_store && control_may && access_ready && control_whole),
    .part_o(pseudo_part)
  );

  // -------------------------------------------------------------------------------------------------------------
  // From operands to warps that are handed over, lane by lane or in beats

  faa_cu_pkg::lanes_t given_lanes;
  logic               store_taken;           // the addresses of a warp count

  if (Serial) begin : gen_by_lane
    faa_cu_pkg::lanes_t lanes, access_lanes;
    logic               coords, lane_valid, coords_ready, place_valid, place_null;
    logic               front_valid, front_ready;
    logic [47:0]        place;
    logic [31:0]        place_nulls, access_nulls;
    logic [3:0]         place_typ;
    logic [7:0]         place_error, error;
    logic [4:0]         place_lane, lane;
    logic [63:0]        place_address, address, lane_a;
    logic [51:0]        access_pa;
    logic               access_sparse, store_valid, store_live, store_commit;
    logic [4:0]         store_lane;

    faa_cu_operand_serial #(
      .SurfaceAtomics(SurfaceAtomics),
      .Lanes         (Lanes),
      .LineBytes     (LineBytes)
    ) u_operand (
      .clk_i,
      .rst_ni,
      .start_i        (front_start),
      .cmd_i          (cmd),
      .guard_i        (is_surface ? guard & ~surface_config.helpers : guard),
      .first_i        (first_element),
      .overlap_i      (overlap),
      .go_i           (go),
      .hold_i         (hold),
      .drop_i         (drop),
      .redo_i         (redo_now),
      .redo_element_i (retire_next),
      .held_i         (is_surface && !access_quiet),
      .wait_i         (!access_at_rest),
      .cancel_i       (cancel),
      .idle_o         (operand_idle),
      .quiet_o        (operand_quiet),
      .stall_o        (operand_stall),
      .rd_en_o        (op_rd_en),
      .rd_row_o       (op_rd_row),
      .rd_beat_o      (op_rd_beat),
      .rd_data_i      (rf_rd_data),
      .warp_valid_o   (lane_valid),
      .warp_ready_i   (coords ? coords_ready : front_ready),
      .warp_mask_o    (warp_mask),
      .warp_element_o (warp_element),
      .warp_count_o   (warp_count),
      .warp_last_o    (warp_last),
      .warp_lanes_o   (lanes),
      .warp_coords_o  (coords),
      .warp_a_o       (warp_a),
      .warp_b_o       (warp_b),
      .warp_c_o       (warp_c),
      .warp_z_o       (warp_z),
      .warp_handle_o  (warp_handle),
      .warp_d_va_o    (warp_d_va),
      .warp_error_o   (warp_error),
      .warp_lane_o    (warp_lane),
      .warp_address_o (warp_address),
      .tr_valid_o     (tr_valid[1]),
      .tr_ready_i     (tr_ready[1]),
      .tr_va_o        (tr_va_operand),
      .tr_rsp_valid_i (tr_rsp_valid[1]),
      .tr_rsp_error_i,
      .tr_rsp_pa_i,
      .tr_rsp_sparse_i,
      .mem_valid_o    (m_valid[2]),
      .mem_ready_i    (m_ready[2]),
      .mem_line_o     (operand_line),
      .mem_tag_o      (operand_tag),
      .mem_rsp_valid_i(m_rsp_valid[2]),
      .mem_rsp_tag_i  (m_rsp_tag),
      .mem_rsp_data_i (rsp_data),
      .mem_rsp_err_i  (rsp_err)
    );

    if (SurfaceAtomics) begin : gen_surface
      faa_surface_serial #(
        .LineBytes(LineBytes)
      ) u_surface (
        .clk_i,
        .rst_ni,
        .cmd_i          (cmd),
        .config_i       (surface_config),
        .drop_i         (surface_drop),
        .flush_i        (surface_flush),
        .quiet_o        (surface_quiet),
        .stall_o        (surface_stall),
        .ev_header_o    (header_read),
        .lane_valid_i   (lane_valid && coords),
        .lane_ready_o   (coords_ready),
        .warp_mask_i    (warp_mask),
        .warp_error_i   (warp_error),
        .lane_a_i       (warp_a),
        .lane_z_i       (warp_z),
        .lane_handle_i  (warp_handle),
        .lane_valid_o   (place_valid),
        .lane_ready_i   (front_ready && lane_valid && !coords),
        .lane_va_o      (place),
        .lane_null_o    (place_null),
        .warp_null_o    (place_nulls),
        .warp_typ_o     (place_typ),
        .warp_error_o   (place_error),
        .warp_lane_o    (place_lane),
        .warp_address_o (place_address),
        .tr_valid_o     (tr_valid[3]),
        .tr_ready_i     (tr_ready[3]),
        .tr_va_o        (tr_va_surface),
        .tr_rsp_valid_i (tr_rsp_valid[3]),
        .tr_rsp_error_i,
        .tr_rsp_pa_i,
        .tr_rsp_sparse_i,
        .mem_valid_o    (m_valid[5]),
        .mem_ready_i    (m_ready[5]),
        .mem_line_o     (surface_line),
        .mem_rsp_valid_i(m_rsp_valid[5]),
        .mem_rsp_data_i (rsp_data),
        .mem_rsp_err_i  (rsp_err)
      );
    end else begin : gen_no_surface
      assign {coords_ready, place_valid, place, place_null, place_nulls, place_error, place_lane,
              place_address} = '0;
      assign place_typ     = cmd.typ;
      assign surface_quiet = 1'b1;
      assign {tr_valid[3], tr_va_surface, m_valid[5], surface_line, header_read,
              surface_stall} = '0;

      logic unused_surface;
      assign unused_surface = ^{warp_z, warp_handle, surface_drop, surface_flush, tr_ready[3],
                                tr_rsp_valid[3], m_ready[5], m_rsp_valid[5]};
    end

    // What control commands store, lane by lane: each lane of a beat of the counters in turn, or one
    // word
    logic [$clog2(Lanes)-1:0] sub_q;
    assign control_whole = sub_q == '1;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || !control_store) sub_q <= '0;
      else if (control_may && access_ready) sub_q <= sub_q + 1'b1;
    end

    always_comb begin
      access_mask  = warp_mask;
      access_lanes = lanes;
      access_nulls = is_surface ? place_nulls : '0;
      lane_a       = is_surface ? {16'b0, place} : warp_a;
      error        = warp_error;
      lane         = warp_lane;
      address      = warp_address;
      if (is_surface && warp_error == faa_pkg::ERROR_SUCCESS) begin
        {error, lane, address} = {place_error, place_lane, place_address};
      end
      if (pseudo) begin
        access_mask  = snapshot ? 32'hffffffff : 32'd1;
        access_lanes = '{last: sem_wait || (pseudo_part.last && control_whole),
                         first: 5'({pseudo_part.number, sub_q})};
        if (sem_wait) access_lanes.first = '0;
        lane_a       = snapshot ? snap_data_i[sub_q*64 +: 64] : cmd.a_1;
      end
    end

    assign front_valid  = lane_valid && !coords && (!is_surface || place_valid);
    assign access_valid = pseudo ? pseudo_valid && control_may : front_valid && !cancel;
    assign front_ready  = access_ready && !pseudo && !cancel && (!is_surface || place_valid);
    assign access_last  = access_lanes.last;
    assign placed_typ   = is_surface ? place_typ : cmd.typ;

    faa_cu_access_serial #(
      .Alu           (Alu),
      .SurfaceAtomics(SurfaceAtomics)
    ) u_access (
      .clk_i,
      .rst_ni,
      .cmd_i            (cmd),
      .shared_bytes_i   (job_shared_bytes_i),
      .kill_i           (halt),
      .cancel_i         (cancel),
      .drop_i           (drop),
      .quiet_o          (access_at_rest),
      .lane_valid_i     (access_valid),
      .lane_ready_o     (access_ready),
      .lanes_i          (access_lanes),
      .pseudo_i         (pseudo),
      .lane_a_i         (lane_a),
      .lane_b_i         (warp_b),
      .lane_c_i         (warp_c),
      .lane_null_i      (is_surface && place_null),
      .warp_mask_i      (access_mask),
      .warp_null_i      (access_nulls),
      .warp_typ_i       (placed_typ),
      .warp_element_i   (warp_element),
      .warp_count_i     (warp_count),
      .warp_last_i      (warp_last),
      .warp_d_va_i      (warp_d_va),
      .warp_error_i     (error),
      .warp_lane_i      (lane),
      .warp_address_i   (address),
      .retire_o         (retire),
      .retire_next_o    (retire_next),
      .retire_count_o   (retire_count),
      .retire_mask_o    (retire_mask),
      .retire_last_o    (retire_last),
      .error_valid_o    (error_valid),
      .error_o          (error_code),
      .error_element_o  (error_element),
      .error_lane_o     (error_lane),
      .error_address_o  (error_address),
      .release_o        (access_release),
      .release_barrier_o(access_release_barrier),
      .stall_shared_o   (stall_shared),
      .stall_global_o   (stall_global),
      .tr_valid_o       (tr_valid[0]),
      .tr_ready_i       (tr_ready[0]),
      .tr_va_o          (tr_va_access),
      .tr_write_o       (tr_write_access),
      .tr_atomic_o      (tr_atomic_access),
      .tr_rsp_valid_i   (tr_rsp_valid[0]),
      .tr_rsp_error_i,
      .tr_rsp_pa_i,
      .tr_rsp_sparse_i,
      .lanes_o          (given_lanes),
      .given_ready_i    (given_ready),
      .shared_valid_o   (shared_valid),
      .atom_valid_o     (atom_valid),
      .move_valid_o     (move_valid),
      .shared_idle_i    (shared_idle),
      .shared_func_o    (shared_func),
      .shared_result_o  (shared_result),
      .alu_valid_o      (alu_valid),
      .alu_done_i       (alu_done),
      .load_start_o     (load_start),
      .load_idle_i      (load_idle),
      .store_valid_o    (store_valid),
      .store_lane_o     (store_lane),
      .store_live_o     (store_live),
      .store_commit_o   (store_commit),
      .store_items_o    (store_items),
      .store_size_o     (store_size),
      .store_idle_i     (store_idle),
      .store_ready_i    (store_ready),
      .store_writing_i  (store_writing),
      .store_own_i      (stores_own_q),
      .spans_ready_i    (overlap_known),
      .span_used_i      (span_used),
      .span_low_i       (span_low),
      .span_high_i      (span_high),
      .atom_idle_i      (atom_idle),
      .atom_sparse_o    (atom_sparse),
      .atom_func_o      (atom_func),
      .atom_typ_o       (atom_typ),
      .redo_o           (redo),
      .setp_o           (setp),
      .setp_value_o     (setp_value),
      .dest_o           (dest),
      .element_o        (unit_element),
      .mask_o           (unit_mask),
      .pa_o             (access_pa),
      .sparse_o         (access_sparse),
      .operand_a_o      (operand_a),
      .operand_b_o      (operand_b),
      .operand_c_o      (operand_c)
    );

    // A load is that of SEM_WAIT, which has lane 0 alone.
    assign pa          = 2048'(access_pa);
    assign sparse      = 32'(access_sparse);
    assign atom_pa     = access_pa;
    assign given_last  = given_lanes.last;
    assign store_taken = store_commit;
    assign given_beat  = given_ready;

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
      .commit_i       (store_commit),
      .size_i         (store_size),
      .tag_i          ({dest.is_last, dest.barrier}),
      .data_valid_i   (store_data_result),
      .data_ready_o   (store_data_ready),
      .data_i         (store_result[63:0]),
      .idle_o         (store_idle),
      .writing_o      (store_writing),
      .done_o         (store_done),
      .done_tag_o     (store_tag),
      .error_o        (store_error),
      .error_address_o(store_error_address),
      .fetch_idle_i   (fetch_idle),
      .mem_valid_o    (m_valid[1]),
      .mem_ready_i    (m_ready[1]),
      .mem_line_o     (store_line),
      .mem_data_o     (store_line_data),
      .mem_strobe_o   (store_strobe),
      .mem_tag_o      (store_mem_tag),
      .mem_rsp_valid_i(m_rsp_valid[1]),
      .mem_rsp_tag_i  (m_rsp_tag[4:0]),
      .mem_rsp_err_i  (rsp_err)
    );

    faa_cu_hold_serial #(
      .Lanes(Lanes)
    ) u_hold (
      .clk_i,
      .rst_ni,
      .valid_i(given_valid),
      .ready_o(given_ready),
      .lanes_i(given_lanes),
      .warp_i (given),
      .a_i    (given_a),
      .b_i    (operand_b),
      .c_i    (operand_c),
      .valid_o(hand_valid),
      .ready_i(hand_ready),
      .part_o (hand_part_o),
      .warp_o (hand),
      .a_o    (hand_a),
      .b_o    (hand_b_o),
      .c_o    (hand_c_o),
      .idle_o (hand_idle)
    );

    // Beats are those of other builds.
    assign {beat_valid, beat_ready, beat_part, beat, warp_valid, warp_ready, warp_part, placed_valid,
            placed_ready, placed_last, placed_mask, placed_null, placed_element, placed_count,
            placed_part, placed_a, placed_b, placed_c, placed_d_va, placed_address, placed_error,
            placed_lane, access_part, access_a, access_b, part, part_mask, part_sparse, part_pa,
            store_addr, store_cancel, given_part} = '0;

    logic unused_front;
    assign unused_front = ^{beat_valid, beat_ready, beat_part, beat, warp_valid, warp_ready, warp_part,
                            placed_valid, placed_ready, placed_last, placed_mask, placed_null,
                            placed_element, placed_count, placed_part, placed_a, placed_b, placed_c,
                            placed_d_va, placed_address, placed_error, placed_lane, access_part,
                            access_a, access_b, part, part_mask, part_sparse, part_pa, store_addr,
                            store_cancel, given_part, given_beat, tr_rsp_big_i};
  end else begin : gen_in_beats
    faa_cu_operand #(
      .SurfaceAtomics(SurfaceAtomics),
      .Lanes         (Lanes),
      .LineBytes     (LineBytes)
    ) u_operand (
      .clk_i,
      .rst_ni,
      .start_i        (front_start),
      .cmd_i          (cmd),
      .guard_i        (is_surface ? guard & ~surface_config.helpers : guard),
      .first_i        (first_element),
      .overlap_i      (overlap),
      .go_i           (go),
      .hold_i         (hold),
      .drop_i         (drop),
      .redo_i         (redo_now),
      .redo_element_i (retire_next),
      .held_i         (is_surface && !access_quiet),
      .cancel_i       (cancel),
      .idle_o         (operand_idle),
      .quiet_o        (operand_quiet),
      .stall_o        (operand_stall),
      .rd_en_o        (op_rd_en),
      .rd_row_o       (op_rd_row),
      .rd_beat_o      (op_rd_beat),
      .rd_data_i      (rf_rd_data),
      .warp_valid_o   (beat_valid),
      .warp_ready_i   (beat_ready),
      .warp_mask_o    (warp_mask),
      .warp_element_o (warp_element),
      .warp_count_o   (warp_count),
      .warp_last_o    (warp_last),
      .warp_part_o    (beat_part),
      .warp_a_o       (beat[0]),
      .warp_b_o       (beat[1]),
      .warp_c_o       (beat[2]),
      .warp_z_o       (warp_z),
      .warp_handle_o  (warp_handle),
      .warp_d_va_o    (warp_d_va),
      .warp_error_o   (warp_error),
      .warp_lane_o    (warp_lane),
      .warp_address_o (warp_address),
      .tr_valid_o     (tr_valid[1]),
      .tr_ready_i     (tr_ready[1]),
      .tr_va_o        (tr_va_operand),
      .tr_rsp_valid_i (tr_rsp_valid[1]),
      .tr_rsp_error_i,
      .tr_rsp_pa_i,
      .tr_rsp_sparse_i,
      .mem_valid_o    (m_valid[2]),
      .mem_ready_i    (m_ready[2]),
      .mem_line_o     (operand_line),
      .mem_tag_o      (operand_tag),
      .mem_rsp_valid_i(m_rsp_valid[2]),
      .mem_rsp_tag_i  (m_rsp_tag),
      .mem_rsp_data_i (rsp_data),
      .mem_rsp_err_i  (rsp_err)
    );

    if (FrontLanes == Lanes) begin : gen_beats
      assign warp_valid = beat_valid;
      assign beat_ready = warp_ready;
      assign warp_part  = beat_part;
      assign {warp_c, warp_b, warp_a} = beat;
    end else begin : gen_warps
      logic [2:0][2047:0] collected;
      logic [2:0]         all_ready, all_valid;

      for (genvar n = 0; n < 3; n++) begin : g_collect
        faa_cu_collect #(
          .Lanes(Lanes)
        ) u_collect (
          .clk_i,
          .rst_ni,
          .flush_i(surface_flush),
          .valid_i(beat_valid),
          .ready_o(all_ready[n]),
          .part_i (beat_part),
          .data_i (beat[n]),
          .valid_o(all_valid[n]),
          .ready_i(warp_ready),
          .data_o (collected[n])
        );
      end
      assign warp_valid = &all_valid;
      assign beat_ready = &all_ready;
      assign warp_part  = '{last: 1'b1, number: 3'd0};
      assign {warp_c, warp_b, warp_a} = collected;
    end

    if (SurfaceAtomics) begin : gen_surface
      faa_surface #(
        .Lanes       (Lanes),
        .SurfaceLanes(SurfaceLanes),
        .LineBytes   (LineBytes)
      ) u_surface (
        .clk_i,
        .rst_ni,
        .cmd_i          (cmd),
        .config_i       (surface_config),
        .drop_i         (surface_drop),
        .flush_i        (surface_flush),
        .quiet_o        (surface_quiet),
        .stall_o        (surface_stall),
        .ev_header_o    (header_read),
        .warp_valid_i   (warp_valid),
        .warp_ready_o   (warp_ready),
        .warp_mask_i    (warp_mask),
        .warp_element_i (warp_element),
        .warp_count_i   (warp_count),
        .warp_last_i    (warp_last),
        .warp_part_i    (warp_part),
        .warp_a_i       (warp_a),
        .warp_b_i       (warp_b),
        .warp_c_i       (warp_c),
        .warp_z_i       (warp_z),
        .warp_handle_i  (warp_handle),
        .warp_d_va_i    (warp_d_va),
        .warp_error_i   (warp_error),
        .warp_lane_i    (warp_lane),
        .warp_address_i (warp_address),
        .warp_valid_o   (placed_valid),
        .warp_ready_i   (placed_ready),
        .warp_mask_o    (placed_mask),
        .warp_null_o    (placed_null),
        .warp_typ_o     (placed_typ),
        .warp_element_o (placed_element),
        .warp_count_o   (placed_count),
        .warp_last_o    (placed_last),
        .warp_part_o    (placed_part),
        .warp_a_o       (placed_a),
        .warp_b_o       (placed_b),
        .warp_c_o       (placed_c),
        .warp_d_va_o    (placed_d_va),
        .warp_error_o   (placed_error),
        .warp_lane_o    (placed_lane),
        .warp_address_o (placed_address),
        .tr_valid_o     (tr_valid[3]),
        .tr_ready_i     (tr_ready[3]),
        .tr_va_o        (tr_va_surface),
        .tr_rsp_valid_i (tr_rsp_valid[3]),
        .tr_rsp_error_i,
        .tr_rsp_pa_i,
        .tr_rsp_sparse_i,
        .mem_valid_o    (m_valid[5]),
        .mem_ready_i    (m_ready[5]),
        .mem_line_o     (surface_line),
        .mem_rsp_valid_i(m_rsp_valid[5]),
        .mem_rsp_data_i (rsp_data),
        .mem_rsp_err_i  (rsp_err)
      );
    end else begin : gen_no_surface
      assign placed_valid   = warp_valid;
      assign warp_ready     = placed_ready;
      assign placed_mask    = warp_mask;
      assign placed_null    = '0;
      assign placed_typ     = cmd.typ;
      assign placed_element = warp_element;
      assign placed_count   = warp_count;
      assign placed_last    = warp_last;
      assign placed_part    = warp_part;
      assign placed_a       = warp_a;
      assign placed_b       = warp_b;
      assign placed_c       = warp_c;
      assign placed_d_va    = warp_d_va;
      assign placed_error   = warp_error;
      assign placed_lane    = warp_lane;
      assign placed_address = warp_address;
      assign surface_quiet  = 1'b1;
      assign {tr_valid[3], tr_va_surface, m_valid[5], surface_line, header_read,
              surface_stall} = '0;

      logic unused_surface;
      assign unused_surface = ^{warp_z, warp_handle, surface_drop, surface_flush, tr_ready[3],
                                tr_rsp_valid[3], m_ready[5], m_rsp_valid[5]};
    end

    assign control_whole = 1'b1;

    always_comb begin
      access_mask = placed_mask;
      access_part = placed_part;
      access_a    = placed_a;
      access_b    = placed_b;
      if (pseudo) begin
        access_mask = snapshot ? 32'hffffffff : 32'd1;
        access_part = cmd.opcode == faa_pkg::OPCODE_SEM_WAIT ? '{last: 1'b1, number: 3'd0}
                                                             : pseudo_part;
        if (GlobalAtomics) begin
          access_a = snap_data_i;
          if (!snapshot) access_a[63:0] = cmd.a_1;
        end else begin
          access_b = snap_data_i;
          if (!snapshot) access_b[63:0] = cmd.a_1;
          for (int n = 0; n < FrontLanes; n++) access_a[n*64 +: 64] = cmd.a_0 | 64'(n * 8);
        end
      end
    end
    assign access_valid = pseudo ? pseudo_valid && control_may : placed_valid && !cancel;
    assign placed_ready = access_ready && !pseudo && !cancel;

    faa_cu_access #(
      .Lanes         (FrontLanes),
      .StoreLanes    (Lanes),
      .Alu           (Alu),
      .GlobalAtomics (GlobalAtomics),
      .SurfaceAtomics(SurfaceAtomics)
    ) u_access (
      .clk_i,
      .rst_ni,
      .cmd_i            (cmd),
      .shared_bytes_i   (job_shared_bytes_i),
      .kill_i           (halt),
      .cancel_i         (cancel),
      .drop_i           (drop),
      .quiet_o          (access_at_rest),
      .warp_valid_i     (access_valid),
      .warp_ready_o     (access_ready),
      .warp_mask_i      (access_mask),
      .warp_null_i      (placed_null),
      .warp_typ_i       (placed_typ),
      .warp_element_i   (placed_element),
      .warp_count_i     (placed_count),
      .warp_last_i      (placed_last || pseudo),
      .pseudo_i         (pseudo),
      .warp_part_i      (access_part),
      .warp_a_i         (access_a),
      .warp_b_i         (access_b),
      .warp_c_i         (placed_c),
      .warp_d_va_i      (placed_d_va),
      .warp_error_i     (placed_error),
      .warp_lane_i      (placed_lane),
      .warp_address_i   (placed_address),
      .retire_o         (retire),
      .retire_next_o    (retire_next),
      .retire_count_o   (retire_count),
      .retire_mask_o    (retire_mask),
      .retire_last_o    (retire_last),
      .error_valid_o    (error_valid),
      .error_o          (error_code),
      .error_element_o  (error_element),
      .error_lane_o     (error_lane),
      .error_address_o  (error_address),
      .release_o        (access_release),
      .release_barrier_o(access_release_barrier),
      .stall_shared_o   (stall_shared),
      .stall_global_o   (stall_global),
      .tr_valid_o       (tr_valid[0]),
      .tr_ready_i       (tr_ready[0]),
      .tr_va_o          (tr_va_access),
      .tr_write_o       (tr_write_access),
      .tr_atomic_o      (tr_atomic_access),
      .tr_rsp_valid_i   (tr_rsp_valid[0]),
      .tr_rsp_error_i,
      .tr_rsp_pa_i,
      .tr_rsp_sparse_i,
      .tr_rsp_big_i,
      .part_o           (given_part),
      .shared_valid_o   (shared_valid),
      .shared_ready_i   (given_ready),
      .shared_idle_i    (shared_idle),
      .shared_func_o    (shared_func),
      .shared_result_o  (shared_result),
      .alu_valid_o      (alu_valid),
      .alu_done_i       (alu_done),
      .load_start_o     (load_start),
      .load_idle_i      (load_idle),
      .store_addr_o     (store_addr),
      .store_part_o     (part),
      .store_mask_o     (part_mask),
      .store_sparse_o   (part_sparse),
      .store_pa_o       (part_pa),
      .store_items_o    (store_items),
      .store_cancel_o   (store_cancel),
      .store_size_o     (store_size),
      .store_idle_i     (store_idle),
      .store_ready_i    (store_ready),
      .store_writing_i  (store_writing),
      .spans_ready_i    (overlap_known),
      .span_used_i      (span_used),
      .span_low_i       (span_low),
      .span_high_i      (span_high),
      .atom_valid_o     (atom_valid),
      .atom_ready_i     (given_ready),
      .atom_idle_i      (atom_idle),
      .store_own_i      (stores_own_q),
      .atom_pa_o        (atom_pa),
      .atom_sparse_o    (atom_sparse),
      .atom_func_o      (atom_func),
      .atom_typ_o       (atom_typ),
      .redo_o           (redo),
      .move_valid_o     (move_valid),
      .move_beat_i      (given_beat),
      .move_ready_i     (given_ready),
      .setp_o           (setp),
      .setp_value_o     (setp_value),
      .dest_o           (dest),
      .element_o        (unit_element),
      .mask_o           (unit_mask),
      .sparse_o         (sparse),
      .pa_o             (pa),
      .operand_a_o      (operand_a),
      .operand_b_o      (operand_b),
      .operand_c_o      (operand_c)
    );

    assign access_last = access_part.last;
    assign given_last  = given_part.last;
    assign store_taken = store_addr && part.last;
    assign given_lanes = '0;

    faa_cu_store #(
      .Lanes    (Lanes),
      .LineBytes(LineBytes)
    ) u_store (
      .clk_i,
      .rst_ni,
      .addr_valid_i   (store_addr),
      .addr_ready_o   (store_ready),
      .addr_part_i    (part),
      .mask_i         (part_mask),
      .sparse_i       (part_sparse),
      .pa_i           (part_pa),
      .size_i         (store_size),
      .tag_i          ({dest.is_last, dest.barrier}),
      .cancel_i       (store_cancel),
      .data_valid_i   (store_data_result),
      .data_ready_o   (store_data_ready),
      .data_i         (store_result),
      .idle_o         (store_idle),
      .writing_o      (store_writing),
      .done_o         (store_done),
      .done_tag_o     (store_tag),
      .error_o        (store_error),
      .error_address_o(store_error_address),
      .fetch_idle_i   (fetch_idle),
      .mem_valid_o    (m_valid[1]),
      .mem_ready_i    (m_ready[1]),
      .mem_line_o     (store_line),
      .mem_data_o     (store_line_data),
      .mem_strobe_o   (store_strobe),
      .mem_tag_o      (store_mem_tag),
      .mem_rsp_valid_i(m_rsp_valid[1]),
      .mem_rsp_tag_i  (m_rsp_tag[4:0]),
      .mem_rsp_err_i  (rsp_err)
    );

    if (FrontLanes == Lanes) begin : gen_hold
      faa_cu_hold #(
        .Lanes(Lanes)
      ) u_hold (
        .clk_i,
        .rst_ni,
        .valid_i(given_valid),
        .ready_o(given_ready),
        .part_i (given_part),
        .warp_i (given),
        .a_i    (given_a),
        .b_i    (operand_b),
        .c_i    (operand_c),
        .valid_o(hand_valid),
        .ready_i(hand_ready),
        .part_o (hand_part_o),
        .warp_o (hand),
        .a_o    (hand_a),
        .b_o    (hand_b_o),
        .c_o    (hand_c_o),
        .idle_o (hand_idle)
      );
      assign given_beat = given_ready;
    end else begin : gen_cut
      // Whole warps go beat by beat.
      logic [2:0]                ready, valid;
      faa_cu_pkg::part_t [2:0]   part_of;
      logic [2:0][2047:0]        whole;
      logic [2:0][Lanes*64-1:0]  cut;

      assign whole = {operand_c, operand_b, given_a};
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
          .ready_i(hand_ready),
          .part_o (part_of[n]),
          .data_o (cut[n])
        );
      end
      assign given_ready = ready[0];
      assign given_beat  = hand_ready;
      assign hand_valid  = valid[0];
      assign hand_part_o = part_of[0];
      assign hand        = given;
      assign hand_idle   = 1'b1;
      assign {hand_c_o, hand_b_o, hand_a} = cut;

      logic unused_cut;
      assign unused_cut = ^{ready, valid, part_of, given_part};
    end

    logic unused_front;
    assign unused_front = ^given_lanes;
  end

  // -------------------------------------------------------------------------------------------------------------
  // Units

  // With the atomic unit it has SEM_WAIT alone.
  faa_cu_load #(
    .Lanes    (GlobalAtomics ? 1 : 32),
    .LineBytes(LineBytes)
  ) u_load (
    .clk_i,
    .rst_ni,
    .start_i        (load_start),
    .mask_i         (unit_mask),
    .sparse_i       (sparse),
    .pa_i           (pa),
    .typ_i          (GlobalAtomics || pseudo ? 4'(faa_pkg::TYPE_U64) : cmd.typ),
    .dest_i         (dest),
    .idle_o         (load_idle),
    .dest_o         (load_dest),
    .result_valid_o (load_valid),
    .result_ready_i (load_dest.control ? sem_ready : load_ready),
    .result_mask_o  (load_mask),
    .result_o       (load_data),
    .error_o        (load_error),
    .error_address_o(load_error_address),
    .mem_valid_o    (m_valid[0]),
    .mem_ready_i    (m_ready[0]),
    .mem_line_o     (load_line),
    .mem_tag_o      (load_tag),
    .mem_rsp_valid_i(m_rsp_valid[0]),
    .mem_rsp_tag_i  (m_rsp_tag[4:0]),
    .mem_rsp_data_i (rsp_data),
    .mem_rsp_err_i  (rsp_err)
  );
  assign sem_valid = load_valid && load_dest.control;

  // A bus error comes back when later commands may have issued: it is reported where it belongs.
  always_ff @(posedge clk_i) begin
    if (load_start) begin
      load_command_q <= cmd.pc;
      load_element_q <= unit_element;
    end
    if (store_taken) begin
      store_command_q <= cmd.pc;
      store_element_q <= unit_element;
    end
  end

  assign bus_error   = (load_valid && load_error) || store_error || atom_error;
  assign bus_address = store_error ? store_error_address : atom_error ? {12'b0, atom_error_line, 6'b0} : load_error_address;

  // Warps that are handed over; all that cannot fail any more
  always_comb begin
    given_a = operand_a;
    for (int l = 0; l < FrontLanes; l++) begin
      if (atom_valid) given_a[l*64 +: 64] = {12'b0, atom_pa[l*52 +: 52]};
    end
    if (alu_valid) given_a = alu_result;
    if (!GlobalAtomics && store_items) given_a = operand_b;
  end

  assign atom_access = '{reads: atom_func != faa_cu_pkg::SHARED_STORE,
                         writes: atom_func != faa_cu_pkg::SHARED_LOAD, pc: cmd.pc,
                         element: unit_element[31:5]};
  assign given_valid = shared_valid || atom_valid || move_valid;
  assign given       = '{shared: shared_valid, atom: atom_valid,
                         func: atom_valid ? atom_func : shared_func, op: cmd.op,
                         typ: atom_valid ? atom_typ : cmd.typ, mod: cmd.mod[1:0],
                         result: atom_valid ? cmd.kind_d != faa_pkg::KIND_NONE : shared_result,
                         sys: cmd.sys, mask: unit_mask, sparse: atom_sparse, access: atom_access,
                         dest: dest};

  assign hand_a_o       = hand_a;
  assign hand_ready     = hand.shared ? shared_ready_i : hand.atom ? atom_ready_i : move_ready_beat;
  assign shared_valid_o = hand_valid && hand.shared;
  assign shared_warp_o  = '{func: hand.func, op: hand.op, typ: hand.typ, mod: hand.mod,
                            result: hand.result, mask: hand.mask,
                            user: {hand.result, hand.dest, hand.mask}};
  assign atom_valid_o   = hand_valid && hand.atom;
  assign atom_warp_o    = '{mask: hand.mask, sparse: hand.sparse, func: hand.func, op: hand.op,
                            typ: hand.typ, mod: hand.mod, result: hand.result, sys: hand.sys,
                            user: {hand.access, hand.result, hand.dest, hand.mask}};

  // Answers and completion of warps; the unit gives back the user word of each warp.
  assign shared_idle           = shared_idle_i && hand_idle;
  assign shared_result_valid   = shared_result_valid_i;
  assign shared_done           = shared_done_i;
  assign shared_result_ready_o = shared_result_ready;
  assign {result_wanted, shared_dest, shared_result_mask} = shared_result_user_i;
  assign {done_wanted, done_dest, done_mask}              = shared_done_user_i;
  assign atom_result_valid   = atom_result_valid_i;
  assign atom_result_ready_o = atom_result_ready;
  assign {atom_result_access, atom_result_wanted, atom_dest, atom_result_mask} = atom_result_user_i;
  assign {atom_done_access, atom_done_wanted, atom_done_dest, atom_done_mask} = atom_done_user;
  assign {atom_error_access, atom_error_user} = atom_error_all;

  if (Serial) begin : gen_atom_late
    // An error comes with what is done, or before it.
    always_ff @(posedge clk_i) begin
      atom_done       <= rst_ni && atom_done_i;
      atom_done_user  <= atom_done_user_i;
      atom_error      <= rst_ni && atom_error_i;
      atom_error_line <= atom_error_line_i;
      atom_error_all  <= atom_error_user_i;
    end
  end else begin : gen_atom_now
    assign atom_done       = atom_done_i;
    assign atom_done_user  = atom_done_user_i;
    assign atom_error      = atom_error_i;
    assign atom_error_line = atom_error_line_i;
    assign atom_error_all  = atom_error_user_i;
  end

  faa_cu_under_way u_under_way (
    .clk_i,
    .rst_ni,
    .enter_i       (atom_valid && given_ready && given_last),
    .enter_reads_i (atom_access.reads),
    .enter_writes_i(atom_access.writes),
    .done_i        (atom_done),
    .done_reads_i  (atom_done_access.reads),
    .done_writes_i (atom_done_access.writes),
    .reads_idle_o  (atom_reads_idle),
    .writes_idle_o (atom_writes_idle)
  );

  if (Alu) begin : gen_alu
    localparam int unsigned AluLanes = FrontLanes > 1 ? FrontLanes : 2;
    logic [AluLanes*64-1:0] result;
    assign alu_result = result[FrontLanes*64-1:0];

    faa_cu_alu #(
      .F32          (F32),
      .F64          (F64),
      .Lanes        (AluLanes),
      .LanesPerCycle(Lanes > 8 ? Lanes / 8 : 1)
    ) u_alu (
      .clk_i,
      .rst_ni,
      .valid_i (alu_valid),
      .op_i    (cmd.op),
      .typ_i   (cmd.typ),
      .ftz_i   (cmd.mod[0]),
      .a_i     ((AluLanes*64)'(operand_a)),
      .b_i     ((AluLanes*64)'(operand_b)),
      .done_o  (alu_done),
      .take_i  (move_valid && given_ready),
      .result_o(result)
    );
  end else begin : gen_no_alu
    assign alu_done   = 1'b0;
    assign alu_result = '0;
  end

  faa_cu_pkg::result_t shared_result_of, move_result, atom_result_of;
  assign shared_result_of = '{dest: shared_dest, mask: shared_result_mask, part: shared_part_i};
  assign move_result      = '{dest: hand.dest, mask: hand.mask, part: hand_part_o};
  assign atom_result_of   = '{dest: atom_dest, mask: atom_result_mask, part: atom_part_i};

  if (Serial) begin : gen_lanes_back
    faa_cu_writeback_serial #(
      .Lanes(Lanes)
    ) u_writeback (
      .clk_i,
      .rst_ni,
      .valid_i      ({atom_result_valid, hand_valid && !hand.shared && !hand.atom,
                      shared_result_valid}),
      .ready_o      ({atom_result_ready, move_ready_beat, shared_result_ready}),
      .result_i     ({atom_result_of, move_result, shared_result_of}),
      .data_i       ({atom_result_i, hand_a, shared_result_i}),
      .wr_en_o      (wb_wr_en),
      .wr_row_o     (wb_wr_row),
      .wr_beat_o    (wb_wr_beat),
      .wr_mask_o    (wb_wr_mask),
      .wr_data_o    (wb_wr_data),
      .store_valid_o(store_data_result),
      .store_ready_i(store_data_ready),
      .store_data_o (store_result[63:0]),
      .release_o    (release_result),
      .release_tag_o(release_result_tag),
      .release_row_o(release_result_row),
      .stall_o      (stall_writeback)
    );
    assign store_result[Lanes*64-1:64] = '0;
    assign {load_ready, load_beat_valid, load_beat_ready, load_part, load_beat} = '0;

    logic unused_load;
    assign unused_load = ^{load_ready, load_beat_valid, load_beat_ready, load_part, load_beat,
                           load_mask, load_dest, load_data, store_result[Lanes*64-1:64]};
  end else begin : gen_beats_back
    faa_cu_pkg::result_t load_result;
    assign load_result = '{dest: load_dest, mask: load_mask, part: load_part};

    if (GlobalAtomics) begin : gen_no_loads
      // What the load unit gets is for SEM_WAIT.
      assign load_ready      = 1'b0;
      assign load_beat_valid = 1'b0;
      assign load_part       = '0;
      assign load_beat       = '0;

      logic unused_load;
      assign unused_load = ^{load_beat_ready, load_data[2047:64]};
    end else begin : gen_loads
      faa_cu_cut #(
        .Lanes(Lanes)
      ) u_cut_load (
        .clk_i,
        .rst_ni,
        .valid_i(load_valid && !load_dest.control),
        .ready_o(load_ready),
        .data_i (load_data),
        .valid_o(load_beat_valid),
        .ready_i(load_beat_ready),
        .part_o (load_part),
        .data_o (load_beat)
      );
    end

    faa_cu_writeback #(
      .Lanes(Lanes)
    ) u_writeback (
      .clk_i,
      .rst_ni,
      .valid_i      ({atom_result_valid, hand_valid && !hand.shared && !hand.atom,
                      shared_result_valid, load_beat_valid}),
      .ready_o      ({atom_result_ready, move_ready_beat, shared_result_ready, load_beat_ready}),
      .result_i     ({atom_result_of, move_result, shared_result_of, load_result}),
      .data_i       ({atom_result_i, hand_a, shared_result_i, load_beat}),
      .wr_en_o      (wb_wr_en),
      .wr_row_o     (wb_wr_row),
      .wr_beat_o    (wb_wr_beat),
      .wr_mask_o    (wb_wr_mask),
      .wr_data_o    (wb_wr_data),
      .store_valid_o(store_data_result),
      .store_ready_i(store_data_ready),
      .store_data_o (store_result),
      .release_o    (release_result),
      .release_tag_o(release_result_tag),
      .release_row_o(release_result_row),
      .stall_o      (stall_writeback)
    );
  end

  assign atom_idle  = atom_reads_idle && atom_writes_idle;
  assign units_idle = load_idle && store_idle && shared_idle && atom_idle && hand_idle;

  // -------------------------------------------------------------------------------------------------------------
  // Registers, predicates, context

  assign rf_rd_en   = context_busy_i ? ctx_rd_en_i : op_rd_en;
  assign rf_rd_row  = context_busy_i ? ctx_rd_row_i : op_rd_row;
  assign rf_rd_beat = context_busy_i ? ctx_rd_beat_i : op_rd_beat;
  assign rf_wr_en   = context_busy_i ? ctx_wr_en_i : wb_wr_en;
  assign rf_wr_row  = context_busy_i ? ctx_wr_row_i : wb_wr_row;
  assign rf_wr_beat = context_busy_i ? ctx_wr_beat_i : wb_wr_beat;
  assign rf_wr_mask = context_busy_i ? ctx_wr_mask_i : wb_wr_mask;
  assign rf_wr_data = context_busy_i ? ctx_wr_data_i : wb_wr_data;

  assign ctx_rd_data_o = rf_rd_data;
  assign ctx_config_o  = config_image;

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

  // A JUMP looks at its guard when it issues, a vector command in the cycle after, in which the
  // decoder still shows it.
  faa_cu_predicates u_predicates (
    .clk_i,
    .guard_i     (cmd_next.guard),
    .negate_i    (cmd_next.guard_negate),
    .guard_o     (guard),
    .set_i       (setp),
    .set_number_i(is_surface ? cmd.ps : cmd.mod[2:0]),
    .set_mask_i  (unit_mask),
    .set_value_i (setp_value),
    .load_i      (ctx_pred_load_i),
    .load_all_i  (ctx_pred_i),
    .all_o       (ctx_pred_o)
  );

  // -------------------------------------------------------------------------------------------------------------
  // Ports

  logic             context_write;
  logic [63:OffW]   context_line;
  logic [LineW-1:0] context_data;
  logic [3:0]       context_tag;

  if (Serial) begin : gen_context_register
    // Whether memory takes a line does not decide, in the same cycle, what the context takes.
    faa_skid #(
      .Width   (1 + 64 - OffW + LineW + 4),
      .HalfRate(1'b1)
    ) u_context_request (
      .clk_i,
      .rst_ni,
      .valid_i(ctx_mem_valid_i),
      .ready_o(ctx_mem_ready_o),
      .data_i ({ctx_mem_write_i, ctx_mem_line_i, ctx_mem_data_i, ctx_mem_tag_i}),
      .valid_o(m_valid[4]),
      .ready_i(m_ready[4]),
      .data_o ({context_write, context_line, context_data, context_tag})
    );
  end else begin : gen_context
    assign m_valid[4]      = ctx_mem_valid_i;
    assign ctx_mem_ready_o = m_ready[4];
    assign context_write   = ctx_mem_write_i;
    assign context_line    = ctx_mem_line_i;
    assign context_data    = ctx_mem_data_i;
    assign context_tag     = ctx_mem_tag_i;
  end
  assign ctx_mem_rsp_valid_o = port_rsp_valid[4];
  assign ctx_mem_rsp_tag_o   = port_rsp_tag[3:0];

  if (Serial) begin : gen_answers_late
    // Whose answer it is is looked up in one cycle, what it means in the next.
    always_ff @(posedge clk_i) begin
      m_rsp_valid <= rst_ni ? port_rsp_valid : '0;
      m_rsp_tag   <= port_rsp_tag;
      rsp_data    <= mem_rsp_rdata_i;
      rsp_err     <= mem_rsp_err_i;
    end
    assign memory_idle = port_idle && m_rsp_valid == '0;
  end else begin : gen_answers
    assign m_rsp_valid = port_rsp_valid;
    assign m_rsp_tag   = port_rsp_tag;
    assign rsp_data    = mem_rsp_rdata_i;
    assign rsp_err     = mem_rsp_err_i;
    assign memory_idle = port_idle;
  end

  faa_cu_memory #(
    .MemTagW  (MemTagW),
    .UsedTagW (LineBytes == 16 && MemTagW > 4 ? 4 : MemTagW),
    .LineBytes(LineBytes),
    .HalfRate (Lanes == 4)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .valid_i        (m_valid),
    .ready_o        (m_ready),
    .load_line_i    (load_line),
    .load_tag_i     (load_tag),
    .load_direct_i  (load_dest.control),
    .store_line_i   (store_line),
    .store_data_i   (store_line_data),
    .store_strobe_i (store_strobe),
    .store_tag_i    (store_mem_tag),
    .operand_line_i (operand_line),
    .operand_tag_i  (operand_tag),
    .fetch_line_i   (fetch_line),
    .context_write_i(context_write),
    .context_line_i (context_line),
    .context_data_i (context_data),
    .context_tag_i  (context_tag),
    .surface_line_i (surface_line),
    .rsp_valid_o    (port_rsp_valid),
    .rsp_tag_o      (port_rsp_tag),
    .idle_o         (port_idle),
    .mem_req_valid_o,
    .mem_req_ready_i,
    .mem_req_write_o,
    .mem_req_direct_o,
    .mem_req_addr_o,
    .mem_req_wdata_o,
    .mem_req_wstrb_o,
    .mem_req_tag_o,
    .mem_rsp_valid_i,
    .mem_rsp_tag_i
  );

  faa_cu_tr_arb u_tr_arb (
    .clk_i,
    .rst_ni,
    .valid_i       (tr_valid),
    .ready_o       (tr_ready),
    .va0_i         (tr_va_access),
    .va1_i         (tr_va_operand),
    .va2_i         (tr_va_fetch),
    .va3_i         (tr_va_surface),
    .write0_i      (tr_write_access),
    .atomic0_i     (tr_atomic_access),
    .rsp_valid_o   (tr_rsp_valid),
    .idle_o        (translate_idle),
    .tr_valid_o,
    .tr_ready_i,
    .tr_va_o,
    .tr_write_o,
    .tr_atomic_o,
    .tr_rsp_valid_i
  );

  // -------------------------------------------------------------------------------------------------------------
  // Counters

  function automatic logic [5:0] ones(input logic [31:0] x);
    ones = '0;
    for (int l = 0; l < 32; l++) ones = ones + {5'b0, x[l]};
  endfunction

  assign events_o = '{
    command:         command_done,
    warp:            retire,
    elements:        retire ? ones(retire_mask) : 6'd0,
    stall_fetch:     stall_fetch && !cmd_valid && running_o && operand_idle && access_quiet,
    stall_barrier:   stall_barrier,
    stall_operand:   operand_stall && access_quiet,
    stall_shared:    stall_shared,
    stall_global:    stall_global,
    stall_writeback: stall_writeback,
    header:          header_read,
    stall_surface:   surface_stall
  };

  logic unused;
  assign unused = ^{done_dest, done_mask, cmd, atom_access, atom_result_access, atom_done_access, atom_error_access, atom_error_user, atom_done_dest, atom_done_mask,
                    atom_result_wanted, m_rsp_valid};

  `FAA_ASSERT(guard_is_of_the_command, !front_start || (cmd_next.guard == cmd.guard &&
                                                        cmd_next.guard_negate == cmd.guard_negate))
  `FAA_ASSERT(result_was_wanted, !shared_result_valid || result_wanted)
  `FAA_ASSERT_NEXT(shared_is_busy, shared_valid && given_ready && given_last, !shared_idle)
  `FAA_ASSERT(atom_result_was_wanted, !atom_result_valid || atom_result_wanted)
  `FAA_ASSERT_NEXT(atom_is_busy, atom_valid && given_ready && given_last, !atom_idle)
  `FAA_ASSERT(no_result_beside_items, !GlobalAtomics || !store_items ||
                                      !(atom_result_valid || shared_result_valid))
  `FAA_ASSERT(atoms_alone, atom_idle || load_idle)
  `FAA_ASSERT(context_alone, !context_busy_i || (operand_idle && access_quiet && load_idle && store_idle && atom_idle))
  `FAA_ASSERT(invalidation_is_quiet, !(inv_req_i && inv_ack_o && running_o) || (memory_idle && translate_idle))

endmodule
