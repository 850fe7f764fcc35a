// SPDX-License-Identifier: Apache-2.0
//
// Accesses to global memory of one compute unit: warps of LD, ST and ATOM with physical addresses
// become line operations for the L2 (Documentation/l2.rst), whose answers become answers of lanes.
//
// A warp is taken in beats of Lanes lanes. The order of beats never changes:
//
//   K to S   faa_global_front  lanes of one line, and of one item in it, become adjacent, and their
//                              combined effect is computed
//   P        faa_global_part   each port gets the part of the warp that is on its lines
//   T to C   faa_global_port   one for each port: groups become line operations, one per cycle;
//                              responses, in any order, are put into the order of sending
//   C to R   faa_global_back   answers go to their positions, each lane gets its own, and beats
//                              become the answers of a warp
//
// Throughput: one line operation per cycle and port, at most one beat per cycle, with beats of four
// lanes a third of that; 256 operations of each port may be outstanding. Stalls (GLB-S) and hazards
// (GLB-H): Documentation/global.rst.

`include "faa_assert.svh"

module faa_global #(
  parameter int unsigned Lanes = 32,      // of a beat: 4, 8, 16 or 32
  parameter int unsigned LineBytes = 64,  // of a line operation: 16, 32 or 64
  parameter int unsigned UserW = 4,
  // Line operations per cycle, a power of two up to 8 and to Slices. Slices: slices of the L2, as
  // in faa_memory.
  parameter int unsigned Ports = 1,
  parameter int unsigned Slices = 1,
  parameter bit          F32 = 1'b1,
  parameter bit          F64 = 1'b1,
  parameter bit          X2 = 1'b1,
  parameter bit          Relaxed = 1'b1,  // with F32 and 32 lanes
  localparam int unsigned LineW = LineBytes * 8,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic clk_i,
  input  logic rst_ni,

  // A beat of a warp; beats of one warp are consecutive
  input  logic             warp_valid_i,
  output logic             warp_ready_o,
  input  faa_cu_pkg::part_t warp_part_i,
  input  logic [31:0]      warp_mask_i,    // active lanes of the warp, at least one
  input  logic [31:0]      warp_sparse_i,  // lanes on sparse pages: M = 0, stores are dropped
  input  logic [1:0]       warp_func_i,    // SHARED_*; loads want answers, stores do not
  input  logic [7:0]       warp_op_i,      // of ATOMIC: enum atom_op
  input  logic [3:0]       warp_typ_i,     // enum type
  input  logic [1:0]       warp_mod_i,     // of ATOMIC: enum float_mode: bit 0 FTZ, bit 1 RELAXED
  input  logic             warp_result_i,  // answers are wanted
  input  logic             warp_sys_i,     // scope SYS
  input  logic [UserW-1:0] warp_user_i,    // returned with answers, errors and done
  input  logic [Lanes*52-1:0] warp_pa_i,   // physical byte addresses, 52 bits a lane, aligned
  input  logic [Lanes*64-1:0] warp_b_i,    // 64 bits a lane
  input  logic [Lanes*64-1:0] warp_c_i,

  // Answers of the warps that want them, in order, in beats: 64 bits a lane, extended by the type's
  // sign, 0 in inactive lanes
  output logic             result_valid_o,
  input  logic             result_ready_i,
  output faa_cu_pkg::part_t result_part_o,
  output logic [Lanes*64-1:0] result_o,
  output logic [UserW-1:0] result_user_o,

  // Every warp, in order, when its operations have taken effect and its answers, if wanted, are
  // taken
  output logic             done_valid_o,
  output logic [UserW-1:0] done_user_o,

  // A line operation was answered with an error: it has changed nothing, and the answers of its
  // lanes are undefined. Comes before done of its warp
  output logic             error_valid_o,
  output logic [51:OffW]      error_address_o,
  output logic [UserW-1:0] error_user_o,

  // Line operations for the L2: port n in slice n of each vector
  output logic [Ports-1:0]     mem_valid_o,
  input  logic [Ports-1:0]     mem_ready_i,
  output logic [Ports-1:0]     mem_sys_o,      // scope SYS
  output logic [Ports*3-1:0]   mem_func_o,     // LOAD, STORE or ATOMIC (faa_l2_pkg)
  output logic [Ports*8-1:0]   mem_op_o,       // enum atom_op
  output logic [Ports*4-1:0]   mem_typ_o,
  output logic [Ports-1:0]     mem_ftz_o,
  output logic [Ports-1:0]     mem_want_o,
  output logic [Ports*(52-OffW)-1:0] mem_line_o,
  output logic [Ports*LineBytes-1:0] mem_strb_o,
  output logic [Ports*LineW-1:0] mem_b_o,
  output logic [Ports*LineW-1:0] mem_c_o,
  output logic [Ports*8-1:0]   mem_tag_o,
  input  logic [Ports-1:0]     mem_rsp_valid_i,  // always taken, any order
  input  logic [Ports*8-1:0]   mem_rsp_tag_i,
  input  logic [Ports*LineW-1:0] mem_rsp_data_i,
  input  logic [Ports-1:0]     mem_rsp_err_i,

  // Events, counted per cycle
  output logic [8:0] ev_groups_o,        // items of the operations ATOMIC sent
  output logic [3:0] ev_lines_o,         // operations ATOMIC sent
  output logic       ev_stall_lines_o,   // a warp has further line operations
  output logic       ev_stall_memory_o,  // the L2 does not take one
  output logic       ev_stall_tag_o,     // too many operations or warps are outstanding
  output logic       ev_stall_mode_o,    // relaxed sums and others take turns
  output logic       ev_stall_result_o,  // answers are not taken
  output logic       idle_o
);

  // The lanes of a warp are summed, so a beat has to hold all of them.
  localparam bit          Sums    = Relaxed && F32 && Lanes == 32;
  // After a front that works lane by lane, every other cycle is enough.
  localparam bit          Late    = Lanes == 4;
  localparam int unsigned LaneW   = $clog2(Lanes);
  localparam int unsigned ColourW = faa_global_pkg::COLOUR_W;
  localparam int unsigned RouteW  = ColourW + $clog2(Ports);
  localparam int unsigned Pairs   = Lanes * (Lanes - 1) / 2;
  localparam int unsigned Levels  = faa_lanes_pkg::sort_levels(Lanes);

  // -----------------------------------------------------------------------------------------------
  // K to S

  faa_global_pkg::job_t         warp, f_job, job;
  logic                         atomic, user_room, warp_first, sorted;
  logic [Levels-1:0][Lanes-1:0] swaps;
  logic [Lanes-1:0]             one;
  logic                         row_valid, row_take, lines_valid, lines_take;
  logic [Lanes-1:0][LaneW-1:0]  f_leader, f_rank, leader, rank;
  logic [Lanes-1:0][OffW-1:0]        f_byte, place;
  logic [Lanes-1:0][RouteW-1:0] f_route;
  logic [Lanes-1:0]             f_member, f_first, f_last, f_name, member, first, last;
  logic [Pairs-1:0]             f_pair, pair;
  logic [Lanes-1:0][31:0]       f_x, f_y, x, b, y, b_odd, y_odd;
  logic [Lanes-1:0][51:OffW]       f_lines, lines;

  assign atomic = warp_func_i == faa_cu_pkg::SHARED_ATOMIC;

  always_comb begin
    warp             = '0;
    warp.beat.func   = warp_func_i;
    warp.beat.op     = atomic ? warp_op_i : 8'(faa_pkg::ATOM_OP_ADD);
    warp.beat.typ    = warp_typ_i;
    warp.beat.mod    = atomic ? warp_mod_i : 2'b0;
    warp.beat.result = warp_result_i;
    warp.sys         = warp_sys_i;
    warp.after       = atomic && warp_op_i == faa_pkg::ATOM_OP_PREDEC &&
                       faa_shared_pkg::is_int32(warp_typ_i);
  end

  faa_global_front #(
    .Lanes (Lanes),
    .LineBytes(LineBytes),
    .Ports (Ports),
    .Slices(Slices),
    .F32   (F32),
    .Sums  (Sums)
  ) u_front (
    .clk_i,
    .rst_ni,
    .room_i       (user_room),
    .warp_valid_i,
    .warp_ready_o,
    .warp_first_o (warp_first),
    .warp_mask_i,
    .warp_sparse_i,
    .warp_i       (warp),
    .warp_part_i,
    .warp_pa_i,
    .warp_b_i,
    .warp_c_i,
    .sorted_o     (sorted),
    .swaps_o      (swaps),
    .one_o        (one),
    .row_valid_o  (row_valid),
    .row_take_i   (row_take),
    .job_o        (f_job),
    .leader_o     (f_leader),
    .byte_o       (f_byte),
    .rank_o       (f_rank),
    .route_o      (f_route),
    .member_o     (f_member),
    .first_o      (f_first),
    .last_o       (f_last),
    .name_o       (f_name),
    .pair_o       (f_pair),
    .x_o          (f_x),
    .y_o          (f_y),
    .lines_valid_o(lines_valid),
    .lines_take_i (lines_take),
    .lines_o      (f_lines),
    .stall_mode_o (ev_stall_mode_o)
  );

  // -----------------------------------------------------------------------------------------------
  // P

  logic                          note, note_room, record, record_room, deal_stalls;
  logic [Ports-1:0]              note_ports, part_valid, part_ready;
  logic [Ports-1:0][Lanes-1:0]   names;
  logic [Lanes-1:0][ColourW-1:0] colour;

  faa_global_part #(
    .Lanes(Lanes),
    .LineBytes(LineBytes),
    .Ports(Ports),
    .F32  (F32),
    .Late (Late)
  ) u_part (
    .clk_i,
    .rst_ni,
    .row_valid_i  (row_valid),
    .row_take_o   (row_take),
    .job_i        (f_job),
    .leader_i     (f_leader),
    .byte_i       (f_byte),
    .rank_i       (f_rank),
    .route_i      (f_route),
    .member_i     (f_member),
    .first_i      (f_first),
    .last_i       (f_last),
    .name_i       (f_name),
    .pair_i       (f_pair),
    .x_i          (f_x),
    .y_i          (f_y),
    .lines_valid_i(lines_valid),
    .lines_take_o (lines_take),
    .lines_i      (f_lines),
    .note_put_o   (note),
    .note_room_i  (note_room),
    .note_ports_o (note_ports),
    .record_put_o (record),
    .record_room_i(record_room),
    .port_valid_o (part_valid),
    .port_ready_i (part_ready),
    .port_names_o (names),
    .job_o        (job),
    .leader_o     (leader),
    .byte_o       (place),
    .rank_o       (rank),
    .colour_o     (colour),
    .member_o     (member),
    .first_o      (first),
    .last_o       (last),
    .pair_o       (pair),
    .lines_o      (lines),
    .x_o          (x),
    .b_o          (b),
    .y_o          (y),
    .b_odd_o      (b_odd),
    .y_odd_o      (y_odd),
    .stall_o      (deal_stalls)
  );

  // -----------------------------------------------------------------------------------------------
  // Ports

  logic [Ports-1:0]            op_valid, op_ready, op_last, op_failed, prepared;
  logic [Ports-1:0]            stall_lines, stall_tag;
  logic [Ports-1:0][LaneW-1:0] op_leader, op_rank;
  logic [Ports-1:0][51:OffW]      op_line;
  logic [Ports-1:0][LineW-1:0] op_data;
  logic [Ports-1:0][5:0]       items;

  for (genvar n = 0; n < Ports; n++) begin : g_port
    faa_global_port #(
      .Lanes(Lanes),
      .LineBytes(LineBytes),
      .Late (Late)
    ) u_port (
      .clk_i,
      .rst_ni,
      .valid_i        (part_valid[n]),
      .ready_o        (part_ready[n]),
      .job_i          (job),
      .names_i        (names[n]),
      .leader_i       (leader),
      .byte_i         (place),
      .rank_i         (rank),
      .colour_i       (colour),
      .last_i         (last),
      .pair_i         (pair),
      .lines_i        (lines),
      .x_i            (b),
      .y_i            (y),
      .x_odd_i        (b_odd),
      .y_odd_i        (y_odd),
      .mem_valid_o    (mem_valid_o[n]),
      .mem_ready_i    (mem_ready_i[n]),
      .mem_sys_o      (mem_sys_o[n]),
      .mem_func_o     (mem_func_o[n*3 +: 3]),
      .mem_op_o       (mem_op_o[n*8 +: 8]),
      .mem_typ_o      (mem_typ_o[n*4 +: 4]),
      .mem_ftz_o      (mem_ftz_o[n]),
      .mem_want_o     (mem_want_o[n]),
      .mem_line_o     (mem_line_o[n*(52-OffW) +: 52-OffW]),
      .mem_strb_o     (mem_strb_o[n*LineBytes +: LineBytes]),
      .mem_b_o        (mem_b_o[n*LineW +: LineW]),
      .mem_c_o        (mem_c_o[n*LineW +: LineW]),
      .mem_tag_o      (mem_tag_o[n*8 +: 8]),
      .items_o        (items[n]),
      .mem_rsp_valid_i(mem_rsp_valid_i[n]),
      .mem_rsp_tag_i  (mem_rsp_tag_i[n*8 +: 8]),
      .mem_rsp_data_i (mem_rsp_data_i[n*LineW +: LineW]),
      .mem_rsp_err_i  (mem_rsp_err_i[n]),
      .valid_o        (op_valid[n]),
      .ready_i        (op_ready[n]),
      .last_o         (op_last[n]),
      .leader_o       (op_leader[n]),
      .rank_o         (op_rank[n]),
      .line_o         (op_line[n]),
      .failed_o       (op_failed[n]),
      .data_o         (op_data[n]),
      .prepared_o     (prepared[n]),
      .stall_lines_o  (stall_lines[n]),
      .stall_tag_o    (stall_tag[n])
    );
  end

  // -----------------------------------------------------------------------------------------------
  // C to R

  faa_global_back #(
    .Lanes(Lanes),
    .LineBytes(LineBytes),
    .Ports(Ports),
    .UserW(UserW),
    .F32  (F32),
    .Sums (Sums),
    .Late (Late)
  ) u_back (
    .clk_i,
    .rst_ni,
    .user_valid_i (warp_first),
    .user_ready_o (user_room),
    .user_i       (warp_user_i),
    .sorted_i     (sorted),
    .swaps_i      (swaps),
    .one_i        (one),
    .note_i       (note),
    .note_room_o  (note_room),
    .note_ports_i (note_ports),
    .record_i     (record),
    .record_room_o(record_room),
    .job_i        (job),
    .leader_i     (leader),
    .rank_i       (rank),
    .byte_i       (place),
    .member_i     (member),
    .first_i      (first),
    .y_i          (y),
    .x_i          (x),
    .op_valid_i   (op_valid),
    .op_ready_o   (op_ready),
    .op_last_i    (op_last),
    .op_leader_i  (op_leader),
    .op_rank_i    (op_rank),
    .op_line_i    (op_line),
    .op_failed_i  (op_failed),
    .op_data_i    (op_data),
    .result_valid_o,
    .result_ready_i,
    .result_part_o,
    .result_o,
    .result_user_o,
    .done_valid_o,
    .done_user_o,
    .error_valid_o,
    .error_address_o,
    .error_user_o
  );

  // -----------------------------------------------------------------------------------------------
  // Events

  logic [9:0] inside_q;   // warps between their entry and done_valid_o

  always_ff @(posedge clk_i) begin
    if (!rst_ni) inside_q <= '0;
    else inside_q <= inside_q + 10'(warp_first) - 10'(done_valid_o);
  end

  always_comb begin
    ev_lines_o  = '0;
    ev_groups_o = '0;
    for (int unsigned n = 0; n < Ports; n++) begin
      ev_lines_o  = ev_lines_o + 4'(items[n] != '0);
      ev_groups_o = ev_groups_o + 9'(items[n]);
    end
  end

  // The clock runs until then.
  assign idle_o            = inside_q == '0 && prepared == '1;
  assign ev_stall_lines_o  = stall_lines != '0;
  assign ev_stall_memory_o = (mem_valid_o & ~mem_ready_i) != '0;
  assign ev_stall_tag_o    = deal_stalls || stall_tag != '0;
  assign ev_stall_result_o = result_valid_o && !result_ready_i;

`ifndef YOSYS
  if ((Lanes != 4 && Lanes != 8 && Lanes != 16 && Lanes != 32) ||
      (LineBytes != 16 && LineBytes != 32 && LineBytes != 64) || Ports < 1 || Ports > 8 ||
      2 ** $clog2(Ports) != Ports || Ports > Slices) begin : gen_bad_build
    $error("faa_global: Lanes %0d, Ports %0d of %0d slices are not possible", Lanes, Ports, Slices);
  end
`endif

  `FAA_ASSUME(warp_has_a_lane, !(warp_valid_i && warp_mask_i == '0))
  `FAA_ASSUME(sparse_lanes_are_active, !warp_valid_i || (warp_sparse_i & ~warp_mask_i) == '0)
  `FAA_ASSUME(operation_is_legal,
              !warp_valid_i || !atomic || faa_pkg::atom_legal(warp_op_i, warp_typ_i))
  `FAA_ASSUME(load_is_answered, !warp_valid_i || atomic ||
                                warp_result_i == (warp_func_i == faa_cu_pkg::SHARED_LOAD))
  `FAA_ASSUME(type_is_in_the_build, !warp_valid_i || !(
              (!F32 && warp_typ_i == faa_pkg::TYPE_F32) ||
              (!F64 && warp_typ_i == faa_pkg::TYPE_F64) ||
              (!X2 && warp_typ_i inside {faa_pkg::TYPE_F16, faa_pkg::TYPE_F16X2,
                                         faa_pkg::TYPE_BF16X2})))
  `FAA_ASSUME_STABLE(warp_stable, warp_valid_i, warp_ready_o,
                     {warp_part_i, warp_mask_i, warp_sparse_i, warp_func_i, warp_op_i, warp_typ_i, warp_mod_i,
                      warp_result_i, warp_user_i})

endmodule
