// SPDX-License-Identifier: Apache-2.0
//
// Executes the warps that the path of a slot has handed over: offers them to the shared memory unit
// and to the atomic unit, performs loads, and brings all results to the registers or to the store
// unit. The command and element of an access are kept until its bus error, if any, is reported.
//
// Latencies, stalls and hazards are those of faa_cu_load, faa_cu_writeback (or
// faa_cu_writeback_serial) and faa_cu_under_way.

`include "faa_assert.svh"

module faa_cu_units #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  parameter bit Serial = 1'b0,             // the path is faa_cu_path_serial
  localparam int unsigned Lanes = Build.shared_lanes,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // The command in the front, and its warp in access; enter: the warp goes to the atomic unit
  input  faa_cu_pkg::cmd_t   cmd_i,
  input  logic               pseudo_i,
  input  faa_cu_pkg::handed_t given_i,
  input  logic               atom_enter_i,
  input  logic               load_start_i,
  input  logic [31:0]        load_sparse_i,
  input  logic [2047:0]      load_pa_i,
  input  logic               store_taken_i,
  input  faa_cu_pkg::store_state_t store_i,

  // A beat that is handed over
  input  logic               hand_valid_i,
  output logic               hand_ready_o,
  input  faa_cu_pkg::handed_t hand_i,
  input  faa_cu_pkg::part_t  hand_part_i,
  input  logic [Lanes*64-1:0] hand_a_i,

  // The shared memory unit, as of faa_cu_slot
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

  // The atomic unit, as of faa_cu_slot
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

  // To control
  output logic               load_idle_o,
  output logic               atom_reads_idle_o,
  output logic               atom_writes_idle_o,
  output faa_cu_pkg::bus_error_t bus_error_o,
  output logic [1:0]         give_o,           // one cycle: write barriers to give back
  output logic [1:0][2:0]    give_number_o,
  output logic               sem_valid_o,      // the value that SEM_WAIT has read
  input  logic               sem_ready_i,
  output logic [63:0]        sem_value_o,

  // Results: registers, the store unit; release: the last result of a command is written
  output logic               wr_en_o,
  output logic [7:0]         wr_row_o,
  output faa_cu_pkg::beat_no_t wr_beat_o,
  output logic [Lanes-1:0]   wr_mask_o,
  output logic [Lanes*32-1:0] wr_data_o,
  output logic               store_valid_o,
  input  logic               store_ready_i,
  output logic [Lanes*64-1:0] store_data_o,
  output logic               release_o,
  output logic [3:0]         release_tag_o,
  output logic [7:0]         release_row_o,
  output logic               stall_o,

  // Memory: loads
  output logic               mem_valid_o,
  input  logic               mem_ready_i,
  output logic [51:OffW]     mem_line_o,
  output logic [4:0]         mem_tag_o,
  output logic               mem_direct_o,     // a poll
  input  logic               mem_rsp_valid_i,
  input  logic [4:0]         mem_rsp_tag_i,
  input  logic [LineW-1:0]   mem_rsp_data_i,
  input  logic               mem_rsp_err_i
);

  faa_cu_pkg::dest_t load_dest, shared_dest, done_dest, atom_dest, atom_done_dest;
  logic [31:0]       load_command_q, load_element_q, store_command_q, store_element_q;
  logic [31:0]       load_mask, shared_result_mask, done_mask, atom_result_mask, atom_done_mask;
  logic              load_valid, load_ready, load_error, load_beat_valid, load_beat_ready;
  logic              move_ready;
  logic [2047:0]     load_data;
  logic [63:0]       load_error_address;
  faa_cu_pkg::part_t load_part;
  logic [Lanes*64-1:0] load_beat;
  logic              result_wanted, done_wanted, atom_result_wanted, atom_done_wanted;
  logic              atom_done, atom_error;
  faa_cu_pkg::access_t atom_result_access, atom_done_access, atom_error_access, given_back_access;
  logic [51:6]       atom_error_line;
  logic [faa_cu_pkg::SharedUserW-1:0] atom_error_user, atom_done_rest;
  logic [faa_cu_pkg::AtomUserW-1:0] atom_done_user, atom_error_all;

  // With the atomic unit the load unit serves SEM_WAIT alone.
  faa_cu_load #(
    .Lanes    (Build.global_atomics ? 1 : 32),
    .LineBytes(LineBytes)
  ) u_load (
    .clk_i,
    .rst_ni,
    .start_i        (load_start_i),
    .mask_i         (given_i.mask),
    .sparse_i       (load_sparse_i),
    .pa_i           (load_pa_i),
    .typ_i          (Build.global_atomics || pseudo_i ? 4'(faa_pkg::TYPE_U64) : cmd_i.typ),
    .dest_i         (given_i.dest),
    .idle_o         (load_idle_o),
    .dest_o         (load_dest),
    .result_valid_o (load_valid),
    .result_ready_i (load_dest.control ? sem_ready_i : load_ready),
    .result_mask_o  (load_mask),
    .result_o       (load_data),
    .error_o        (load_error),
    .error_address_o(load_error_address),
    .mem_valid_o,
    .mem_ready_i,
    .mem_line_o,
    .mem_tag_o,
    .mem_rsp_valid_i,
    .mem_rsp_tag_i,
    .mem_rsp_data_i,
    .mem_rsp_err_i
  );
  assign sem_valid_o  = load_valid && load_dest.control;

  // A bus error may come when later commands have issued: it is reported with its own command.
  always_ff @(posedge clk_i) begin
    if (load_start_i) begin
      load_command_q <= cmd_i.pc;
      load_element_q <= {given_i.access.element, 5'b0};
    end
    if (store_taken_i) begin
      store_command_q <= cmd_i.pc;
      store_element_q <= {given_i.access.element, 5'b0};
    end
  end

  always_comb begin
    bus_error_o = '{valid: (load_valid && load_error) || store_i.error || atom_error,
                    address: load_error_address, command: load_command_q, element: load_element_q};
    if (store_i.error) begin
      bus_error_o.address = store_i.address;
      bus_error_o.command = store_command_q;
      bus_error_o.element = store_element_q;
    end else if (atom_error) begin
      bus_error_o.address = {12'b0, atom_error_line, 6'b0};
      bus_error_o.command = atom_error_access.pc;
      bus_error_o.element = {atom_error_access.element, 5'b0};
    end
  end

  assign hand_ready_o   = hand_i.shared ? shared_ready_i : hand_i.atom ? atom_ready_i : move_ready;
  assign shared_valid_o = hand_valid_i && hand_i.shared;
  assign shared_warp_o  = '{func: hand_i.func, op: hand_i.op, typ: hand_i.typ, mod: hand_i.mod,
                            result: hand_i.result, mask: hand_i.mask,
                            user: {hand_i.result, hand_i.dest, hand_i.mask}};
  assign atom_valid_o   = hand_valid_i && hand_i.atom;
  assign atom_warp_o    = '{mask: hand_i.mask, sparse: hand_i.sparse, func: hand_i.func,
                            op: hand_i.op, typ: hand_i.typ, mod: hand_i.mod, result: hand_i.result,
                            sys: hand_i.sys,
                            user: {hand_i.access, hand_i.result, hand_i.dest, hand_i.mask}};

  // Answers and completion of warps; the unit returns the user word of each warp.
  assign {result_wanted, shared_dest, shared_result_mask} = shared_result_user_i;
  assign {done_wanted, done_dest, done_mask}              = shared_done_user_i;
  assign {atom_result_access, atom_result_wanted, atom_dest, atom_result_mask} = atom_result_user_i;
  assign {given_back_access, atom_done_wanted, atom_done_dest, atom_done_mask} = atom_done_user_i;
  assign {atom_done_access, atom_done_rest} = atom_done_user;
  assign {atom_error_access, atom_error_user} = atom_error_all;

  // Write barriers of commands without a result. faa_cu_barriers registers them, so they show when
  // an error of the warp has been reported.
  assign give_o        = {atom_done_i && !atom_done_wanted && atom_done_dest.is_last,
                          shared_done_i && !done_wanted && done_dest.is_last};
  assign give_number_o = {atom_done_dest.barrier, done_dest.barrier};
  assign sem_value_o   = load_data[63:0];
  assign mem_direct_o  = load_dest.control;

  // Done and errors of the atomic unit take effect a cycle later, both of them: an error comes in
  // the cycle of done or before it, so a warp is in flight until its error has been reported.
  always_ff @(posedge clk_i) begin
    atom_done       <= rst_ni && atom_done_i;
    atom_done_user  <= atom_done_user_i;
    atom_error      <= rst_ni && atom_error_i;
    atom_error_line <= atom_error_line_i;
    atom_error_all  <= atom_error_user_i;
  end

  faa_cu_under_way u_under_way (
    .clk_i,
    .rst_ni,
    .enter_i       (atom_enter_i),
    .enter_reads_i (given_i.access.reads),
    .enter_writes_i(given_i.access.writes),
    .done_i        (atom_done),
    .done_reads_i  (atom_done_access.reads),
    .done_writes_i (atom_done_access.writes),
    .reads_idle_o  (atom_reads_idle_o),
    .writes_idle_o (atom_writes_idle_o)
  );

  faa_cu_pkg::result_t shared_result_of, move_result, atom_result_of;
  assign shared_result_of = '{dest: shared_dest, mask: shared_result_mask, part: shared_part_i};
  assign move_result      = '{dest: hand_i.dest, mask: hand_i.mask, part: hand_part_i};
  assign atom_result_of   = '{dest: atom_dest, mask: atom_result_mask, part: atom_part_i};

  if (Serial) begin : gen_lanes_back
    faa_cu_writeback_serial #(
      .Lanes(Lanes)
    ) u_writeback (
      .clk_i,
      .rst_ni,
      .valid_i      ({atom_result_valid_i, hand_valid_i && !hand_i.shared && !hand_i.atom,
                      shared_result_valid_i}),
      .ready_o      ({atom_result_ready_o, move_ready, shared_result_ready_o}),
      .result_i     ({atom_result_of, move_result, shared_result_of}),
      .data_i       ({atom_result_i, hand_a_i, shared_result_i}),
      .wr_en_o,
      .wr_row_o,
      .wr_beat_o,
      .wr_mask_o,
      .wr_data_o,
      .store_valid_o,
      .store_ready_i,
      .store_data_o (store_data_o[63:0]),
      .release_o,
      .release_tag_o,
      .release_row_o,
      .stall_o
    );
    assign store_data_o[Lanes*64-1:64] = '0;
    assign {load_ready, load_beat_valid, load_beat_ready, load_part, load_beat} = '0;

    logic unused_load;
    assign unused_load = ^{load_ready, load_beat_valid, load_beat_ready, load_part, load_beat,
                           load_mask, load_dest, load_data, store_data_o[Lanes*64-1:64]};
  end else begin : gen_beats_back
    faa_cu_pkg::result_t load_result;
    assign load_result = '{dest: load_dest, mask: load_mask, part: load_part};

    if (Build.global_atomics) begin : gen_no_loads
      // The load unit's data are for SEM_WAIT alone.
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
      .valid_i      ({atom_result_valid_i, hand_valid_i && !hand_i.shared && !hand_i.atom,
                      shared_result_valid_i, load_beat_valid}),
      .ready_o      ({atom_result_ready_o, move_ready, shared_result_ready_o, load_beat_ready}),
      .result_i     ({atom_result_of, move_result, shared_result_of, load_result}),
      .data_i       ({atom_result_i, hand_a_i, shared_result_i, load_beat}),
      .wr_en_o,
      .wr_row_o,
      .wr_beat_o,
      .wr_mask_o,
      .wr_data_o,
      .store_valid_o,
      .store_ready_i,
      .store_data_o,
      .release_o,
      .release_tag_o,
      .release_row_o,
      .stall_o
    );
  end

  logic unused;
  assign unused = ^{cmd_i, given_i, hand_i, store_i, done_mask, done_dest, atom_done_mask,
                    atom_done_dest, atom_done_access, atom_result_access, atom_error_access,
                    atom_error_user, atom_result_wanted, given_back_access, atom_done_rest};

  `FAA_ASSERT(result_was_wanted, !shared_result_valid_i || result_wanted)
  `FAA_ASSERT(atom_result_was_wanted, !atom_result_valid_i || atom_result_wanted)

endmodule
