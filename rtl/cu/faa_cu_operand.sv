// SPDX-License-Identifier: Apache-2.0
//
// Collects the operands of a command and offers them warp by warp, in element order, in beats of
// Lanes lanes: one beat per cycle.
//
// The operand registers hold the values that differ between lanes: a row of registers, lane * step
// of an affine operand, the shifted items of a stream. Values that all lanes share are added at the
// output, one adder per lane of a beat and operand: an immediate, the first lane's value of an
// affine operand, the base of a stream, and the command's offset to operand a. So registers and
// affine operands are written once per command, and a further warp of them costs only the sums of
// lane 0.
//
// Stream operands come from faa_cu_stream as pieces of one line; the items are selected from it,
// extended, shifted and put into the operand registers, one piece per cycle. With Lanes below 32
// the items of that many lanes are selected per cycle, in as many cycles as groups of Lanes lanes
// take items from the piece, and an affine operand is written in 32 / Lanes cycles. The beats of a
// warp are offered when all its items have arrived, while those of the next warp arrive.
//
// With overlap_i the streams run ahead of the warps that execute. Without, a warp's streams begin
// when go_i says that every earlier warp has had its effect. An error travels with its warp and is
// offered in its place. redo_i: all that was read ahead from redo_element_i on, an offered warp
// included, is dropped and read again; while held_i is 1, also warps that were taken.
//
// When hold_i rises, the warp that has begun is offered; everything read ahead of it is dropped,
// and read again afterwards.
//
// Latency from start_i to the first warp: 1 cycle, 32 / Lanes more per affine operand; with
// registers 2 more than 32 / Lanes for each row to read; with streams 8 and the memory; with Lanes
// below 32 1 more.
//
// Stalls (stall_o, counter STALL_OPERAND): OPR-S1 (items of a stream have not come, or are not all
// selected), OPR-S2 (go_i is awaited).
// Hazards: OPR-H1 (items read before an earlier store of the stream is visible: go_i includes that
// no store is in flight), OPR-H2 (items and translations kept across an invalidation: hold_i
// prevents the start of new warps, drop_i drops them).

`include "faa_assert.svh"

module faa_cu_operand #(
  parameter bit SurfaceAtomics = 1'b0,
  // Lanes whose items, or affine operands, are computed per cycle: 32, 16, 8 or 4
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              start_i,
  input  faa_cu_pkg::cmd_t  cmd_i,          // stable until idle_o
  input  logic [31:0]       guard_i,        // lanes that the guard lets through, with start_i
  input  logic [31:0]       first_i,        // element to begin with, multiple of 32
  input  logic              overlap_i,      // streams may be read ahead of the warp that executes
  input  logic              go_i,           // without overlap: the next warp's streams may be read
  input  logic              hold_i,         // begin no further warp
  input  logic              drop_i,         // forget translations and lines (while quiet_o)
  input  logic              redo_i,         // begin again, at redo_element_i
  input  logic [31:0]       redo_element_i, // multiple of 32, not 0
  input  logic              held_i,         // warps that were taken may have to be read again
  input  logic              cancel_i,       // end the command; stays until idle_o
  output logic              idle_o,         // no command
  output logic              quiet_o,        // no translation or item is held or in flight
  output logic              stall_o,

  output logic              rd_en_o,
  output logic [7:0]        rd_row_o,
  output faa_cu_pkg::beat_no_t rd_beat_o,
  input  logic [Lanes*32-1:0] rd_data_i,

  // A warp, in beats; members of the warp are stable from its first beat to the last one
  output logic              warp_valid_o,
  input  logic              warp_ready_i,
  output faa_cu_pkg::warp_t warp_o,
  output faa_cu_pkg::part_t warp_part_o,
  output logic [Lanes*64-1:0] warp_a_o,
  output logic [Lanes*64-1:0] warp_b_o,
  output logic [Lanes*64-1:0] warp_c_o,
  output logic [Lanes*32-1:0] warp_z_o,     // of SUATOM: third coordinate, handle; the same for
  output logic [Lanes*32-1:0] warp_handle_o, // all warps of the command

  output logic              tr_valid_o,
  input  logic              tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic              tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  output logic              mem_valid_o,
  input  logic              mem_ready_i,
  output logic [51:OffW]       mem_line_o,
  output logic [6:0]        mem_tag_o,
  input  logic              mem_rsp_valid_i,
  input  logic [6:0]        mem_rsp_tag_i,
  input  logic [LineW-1:0]      mem_rsp_data_i,
  input  logic              mem_rsp_err_i
);

  typedef enum logic [2:0] {
    StIdle,
    StSeek,      // running values go to the first element
    StSetup,     // register and affine operands of the first warp
    StRun,
    StPause,     // hold, or redo: items read ahead arrive and are dropped
    StDrain      // the same at the end of the command
  } state_e;

  localparam logic [1:0] SlotA = 2'd0, SlotB = 2'd1, SlotC = 2'd2;
  localparam int unsigned Groups = 32 / Lanes;
  localparam int unsigned GroupW = Groups > 1 ? $clog2(Groups) : 1;

  state_e        state_q;
  logic [31:0]   guard_q;
  logic          seek_done;
  logic [32:0]   element;                   // of the warp that is offered or comes next
  logic [63:0]   run_a, run_b, run_c, run_d;     // values of lane 0 in that warp
  logic [63:0]   step_a, step_b, step_c, step_d;
  logic [63:0]   step_a_q, step_b_q, step_c_q;   // from the cycle after the command's first one on

  // Value added to all lanes: of affine operands that of lane 0 above
  logic [63:0]   first_a, add_a_q, add_a, add_b, add_c;

  // Groups of Lanes lanes in which operand registers are written: those left to write, and the
  // current one
  logic [Groups-1:0] group_pick, group_done_q, group_left;
  logic              affine_last;
  logic [Groups-1:0] piece_groups, piece_pick, piece_rest;  // of a piece; after the current one

  // The beat of a row of registers that is read, and the group that a beat arrives for
  faa_cu_pkg::beat_no_t row_beat_q;
  logic              row_last;
  logic [Groups-1:0] row_group_q;

  logic [2:0]    stream, affine, affine_q, affine_pick;   // per slot; _q: still to do
  // regs: rows still to read, {handle, third coordinate, halves c1, c0, b1, b0, a1, a0}
  logic [7:0]    regs_q, regs_need, regs_pick, regs_got_q;
  logic          anew_q;                    // of StPause: it ends with running values of element

  faa_cu_pkg::warp_t warp, out;             // the warp that is complete, the warp offered
  logic          is_last, ends_q;           // it is the last one; it has an error
  logic          deal_ready, deal_busy;     // it is taken to be offered; beats are left to offer
  logic          deal_room;                 // the same, unless it is dropped in this cycle
  logic          rows_free;                 // rows of the next warp may be written
  logic          streams_idle, streams_begun, setup_none;
  logic          gave_q;                    // a warp has been offered since hold_i rose
  logic          stall;
  logic          offer_q, next_warp, setup_done, first_offer, finish, begin_q;
  logic [7:0]    error_q;
  logic [4:0]    lane_q;
  logic [63:0]   address_q;

  // -------------------------------------------------------------------------------------------------------------
  // Command

  function automatic logic [63:0] step_of(input logic [2:0] kind, input logic [63:0] word);
    case (kind)
      faa_pkg::KIND_STREAM: step_of = {{32{word[31]}}, word[31:0]};
      faa_pkg::KIND_AFFINE: step_of = word;
      default: step_of = '0;
    endcase
  endfunction

  // Lanes of a warp that begins at an element.
  function automatic logic [31:0] lanes_of(input logic [32:0] count, input logic [32:0] first);
    logic [32:0] left;
    left     = count - first;
    lanes_of = left >= 33'd32 ? 32'hffffffff : ~(32'hffffffff << left[4:0]);
  endfunction

  assign step_a = step_of(cmd_i.kind_a, cmd_i.a_1);
  assign step_b = step_of(cmd_i.kind_b, cmd_i.b_1);
  assign step_c = step_of(cmd_i.kind_c, cmd_i.c_1);
  assign step_d = {{32{cmd_i.d_1[31]}}, cmd_i.d_1[31:0]};

  assign stream = {cmd_i.kind_c == faa_pkg::KIND_STREAM, cmd_i.kind_b == faa_pkg::KIND_STREAM,
                   cmd_i.kind_a == faa_pkg::KIND_STREAM};
  assign affine = {cmd_i.kind_c == faa_pkg::KIND_AFFINE, cmd_i.kind_b == faa_pkg::KIND_AFFINE,
                   cmd_i.kind_a == faa_pkg::KIND_AFFINE};

  logic double_a, double_v, is_surface;
  assign is_surface = SurfaceAtomics && cmd_i.opcode == faa_pkg::OPCODE_SUATOM;
  assign double_v  = faa_cu_pkg::is_wide(cmd_i.typ);
  assign double_a  = cmd_i.opcode == faa_pkg::OPCODE_LD || cmd_i.opcode == faa_pkg::OPCODE_ST ||
                     cmd_i.opcode == faa_pkg::OPCODE_ATOM || (is_surface && faa_cu_pkg::wide_coords(cmd_i.dim, cmd_i.coords_packed)) ||
                     (double_v && (cmd_i.opcode == faa_pkg::OPCODE_MOV || cmd_i.opcode == faa_pkg::OPCODE_SETP ||
                                   cmd_i.opcode == faa_pkg::OPCODE_ALU));
  assign regs_need = {is_surface && cmd_i.handle_kind == faa_pkg::HANDLE_KIND_REG,
                      is_surface && !cmd_i.coords_packed && faa_cu_pkg::has_third(cmd_i.dim),
                      {2{cmd_i.kind_c == faa_pkg::KIND_REG}} & {double_v, 1'b1},
                      {2{cmd_i.kind_b == faa_pkg::KIND_REG}} & {double_v, 1'b1},
                      {2{cmd_i.kind_a == faa_pkg::KIND_REG}} & {double_a, 1'b1}};

  assign regs_pick = regs_q & -regs_q;
  assign rd_en_o   = state_q == StSetup && regs_q != '0;
  assign rd_beat_o = row_beat_q;
  assign row_last  = row_beat_q == 3'(Groups - 1);
  always_comb begin
    case (regs_pick)
      8'h01: rd_row_o = cmd_i.ra;
      8'h02: rd_row_o = cmd_i.ra | 8'd1;
      8'h04: rd_row_o = cmd_i.rb;
      8'h08: rd_row_o = cmd_i.rb | 8'd1;
      8'h10: rd_row_o = cmd_i.rc;
      8'h20: rd_row_o = cmd_i.rc | 8'd1;
      8'h40: rd_row_o = cmd_i.ra | 8'd2;
      default: rd_row_o = cmd_i.handle[7:0];
    endcase
  end

  // -------------------------------------------------------------------------------------------------------------
  // States

  assign affine_pick = affine_q & -affine_q;
  assign setup_none  = stream == '0 && affine == '0 && regs_need == '0;
  assign setup_done  = regs_q == regs_pick && (regs_q == '0 || row_last) &&
                       affine_q == affine_pick && (affine_q == '0 || affine_last);
  assign next_warp   = offer_q && deal_ready;
  assign finish      = next_warp && (is_last || ends_q);
  // The first warp of a command without streams: nothing is awaited.
  assign first_offer = !hold_i && !cancel_i && stream == '0 &&
                       ((state_q == StIdle && start_i && first_i == '0 && setup_none) ||
                        (state_q == StSetup && setup_done && regs_pick == '0));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= StIdle;
      regs_q     <= '0;
      affine_q   <= '0;
      regs_got_q <= '0;
      begin_q    <= 1'b0;
    end else begin
      begin_q <= 1'b0;
      if (cancel_i && state_q != StIdle && state_q != StDrain) begin
        state_q <= StDrain;
      end else begin
        case (state_q)
          StIdle: if (start_i) state_q <= first_i != '0 ? StSeek : setup_none ? StRun : StSetup;
          StSeek: if (seek_done) state_q <= StSetup;
          StSetup: if (setup_done) state_q <= StRun;
          StRun:
            if (redo_i) state_q <= StPause;
            else if (finish) state_q <= stream == '0 ? StIdle : StDrain;
            else if (hold_i && stream != '0 && !offer_q && (gave_q || !streams_begun)) state_q <= StPause;
          StPause: if (streams_idle && !hold_i && !redo_i) state_q <= anew_q ? StSeek : StSetup;
          default:
            if (redo_i && !cancel_i) state_q <= StPause;
            else if (streams_idle && (cancel_i || !(held_i || deal_busy))) state_q <= StIdle;
        endcase
        begin_q <= stream != '0 && ((state_q == StIdle && start_i && first_i == '0) ||
                                    (state_q == StSeek && seek_done) ||
                                    (state_q == StPause && !anew_q && !redo_i && streams_idle && !hold_i));
      end
      if (state_q == StIdle && start_i) begin
        regs_q   <= regs_need;
        affine_q <= affine;
      end else if (redo_i) begin
        affine_q <= affine;
      end else if (state_q == StSetup) begin
        if (row_last) regs_q <= regs_q & ~regs_pick;
        if (affine_last) affine_q <= affine_q & ~affine_pick;
      end
      regs_got_q <= state_q == StSetup ? regs_pick : '0;
    end
    row_beat_q  <= rd_en_o && !row_last ? row_beat_q + 3'd1 : 3'd0;
    row_group_q <= Groups'(1) << row_beat_q;
    if (state_q == StIdle && start_i) begin
      guard_q <= guard_i;
      anew_q  <= 1'b0;
    end else begin
      anew_q <= redo_i || (anew_q && state_q != StSeek);
    end
  end

  faa_cu_running u_running (
    .clk_i,
    .rst_ni,
    .start_i    ((state_q == StIdle && start_i) || redo_i),
    .element_i  (redo_i ? redo_element_i : first_i),
    .count_i    (cmd_i.count),
    .base_i     ({cmd_i.d_0, cmd_i.c_0, cmd_i.b_0, affine[0] ? first_a : cmd_i.a_0}),
    .step_i     ({step_d, step_c, step_b, step_a}),
    .wait_i     (state_q == StPause),
    .seek_i     (state_q == StSeek),
    .seek_done_o(seek_done),
    .next_i     (next_warp),
    .element_o  (element),
    .last_o     (is_last),
    .value_o    ({run_d, run_c, run_b, run_a})
  );

  always_ff @(posedge clk_i) {step_a_q, step_b_q, step_c_q} <= {step_a, step_b, step_c};

  // -------------------------------------------------------------------------------------------------------------
  // Streams

  logic          piece_valid, piece_may, piece_take, piece_last, piece_sparse, piece_fail;
  logic          piece_bad, warp_full;
  logic [1:0]    piece_slot, last_slot;
  logic [31:0]   piece_mask;
  logic [7:0]    piece_quads;               // for each four lanes: any of them
  logic [OffW-1:0] piece_place;
  logic [LineW-1:0]  piece_data;
  logic [7:0]    fail_code;
  logic [4:0]    fail_lane;
  logic [63:0]   fail_address;
  logic [51:OffW]   bad_line;
  logic          bus_q, bus;                // a bus error in the slot
  logic [51:OffW]   bus_line_q, error_line;

  faa_cu_stream #(.LineBytes(LineBytes)) u_stream (
    .clk_i,
    .rst_ni,
    .cmd_i,
    .start_i        (state_q == StIdle && start_i),
    .begin_i        (begin_q),
    .element_i      (element),
    .base_a_i       (run_a),
    .base_b_i       (run_b),
    .base_c_i       (run_c),
    .step_a_i       (step_a_q),
    .step_b_i       (step_b_q),
    .step_c_i       (step_c_q),
    .guard_i        (guard_q),
    .overlap_i,
    .go_i           (go_i && !hold_i && (overlap_i || !deal_busy)),
    .next_i         (!offer_q),
    .stop_i         (state_q != StSetup && state_q != StRun),
    .drop_i,
    .idle_o         (streams_idle),
    .begun_o        (streams_begun),
    .valid_o        (piece_valid),
    .take_i         (piece_take),
    .slot_o         (piece_slot),
    .last_o         (piece_last),
    .mask_o         (piece_mask),
    .quads_o        (piece_quads),
    .sparse_o       (piece_sparse),
    .place_o        (piece_place),
    .data_o         (piece_data),
    .fail_o         (piece_fail),
    .error_o        (fail_code),
    .error_lane_o   (fail_lane),
    .error_address_o(fail_address),
    .bad_o          (piece_bad),
    .bad_line_o     (bad_line),
    .tr_valid_o,
    .tr_ready_i,
    .tr_req_o,
    .tr_rsp_valid_i,
    .tr_rsp_i,
    .mem_valid_o,
    .mem_ready_i,
    .mem_line_o,
    .mem_tag_o,
    .mem_rsp_valid_i,
    .mem_rsp_tag_i,
    .mem_rsp_data_i,
    .mem_rsp_err_i
  );

  // The registers take the pieces of the next warp from the cycle in which the previous one is
  // taken.
  assign piece_may  = piece_valid && state_q == StRun && !(hold_i && gave_q) && !cancel_i &&
                      (!offer_q || (deal_room && !is_last && !ends_q)) && rows_free;
  assign piece_take = piece_may && piece_rest == '0;
  assign last_slot  = stream[2] ? SlotC : stream[1] ? SlotB : SlotA;
  assign bus        = bus_q || piece_bad;
  assign warp_full  = piece_take && piece_last && (piece_slot == last_slot || piece_fail || bus);

  // A warp that has begun is offered even when hold_i rises, so frequent holds cannot prevent
  // progress.
  always_ff @(posedge clk_i) gave_q <= rst_ni && hold_i && (gave_q || offer_q || warp_full);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || state_q != StRun) bus_q <= 1'b0;
    else if (piece_take) bus_q <= bus && !piece_last;
    if (piece_take && !bus_q) bus_line_q <= bad_line;
  end

  // Bus errors report 64 bytes.
  assign error_line = bus_q ? bus_line_q : bad_line;
  if (OffW < 6) begin : gen_fine
    logic unused_line;
    assign unused_line = ^error_line[5:OffW];
  end

  // ----------------------------------------------------------------------------------------------
  // Operand registers: rows of registers, all lanes at once, and groups of items or of an affine
  // operand

  logic          affine_run;
  logic [Lanes-1:0] here;                   // lanes of the group that is written
  logic [OffW-1:0] item_step, group_place;  // of the group's first lane, from that of lane 0
  logic [2:0]    item_shift;
  logic [3:0]    item_type;
  logic [1:0]    item_size;
  logic [63:0]   affine_step, affine_base_q, affine_next;
  logic [Lanes*64-1:0] value, affine_value;
  logic [Lanes*OffW-1:0] lane_place, place; // of the first lanes' items, of the group's

  // Data written in a cycle, by slot where slots differ; put: data of this cycle
  typedef struct packed {
    logic [2:0][Lanes-1:0] low, high;       // halves of their operands that are written
    logic [2:0]          second;            // a row of registers is that of the upper half
    logic [Lanes*32-1:0] row;               // of registers
    logic [GroupW-1:0]   row_beat, beat;    // of that, of items or an affine operand
    logic                affine;
    logic [63:0]         base, step;        // of an affine operand
    logic [Lanes*OffW-1:0] place;           // of the items of the group
    logic [1:0]          size;
    logic                is_signed, sparse;
    logic [2:0]          shift;
    logic [LineW-1:0]    line;
  } write_t;
  write_t put_d, put;
  logic [GroupW-1:0] write_beat;            // the beat of items or an affine operand to write

  assign affine_run = state_q == StSetup && affine_q != '0;

  // An affine operand is written in all groups, a piece in those that it has items for.
  if (Groups == 1) begin : gen_one_group
    assign group_left    = 1'b1;
    assign piece_groups  = 1'b1;
    assign affine_last   = 1'b1;
    assign group_done_q  = 1'b0;
    assign affine_base_q = '0;
    assign group_place   = '0;

    logic unused_group;
    assign unused_group = ^{group_done_q, affine_next, piece_quads};
  end else begin : gen_groups
    for (genvar g = 0; g < Groups; g++) begin : g_group
      assign piece_groups[g] = !group_done_q[g] && piece_quads[g*Lanes/4 +: Lanes/4] != '0;
      assign group_left[g]   = piece_groups[g] || (affine_run && !group_done_q[g]);
    end
    always_ff @(posedge clk_i) begin
      if (!(affine_run || piece_may)) group_done_q <= '0;
      else if (affine_run ? affine_last : piece_rest == '0) group_done_q <= '0;
      else group_done_q <= group_done_q | group_pick;
      affine_base_q <= affine_run && !affine_last ? affine_next : '0;
    end

    assign affine_last = &group_done_q[Groups-2:0];

    logic [OffW-1:0] at_lane;               // first lane of a piece's group, modulo the line
    always_comb begin
      at_lane = '0;
      for (int unsigned g = 0; g < Groups; g++) if (piece_pick[g]) at_lane = OffW'(g * Lanes);
    end
    assign group_place = at_lane * item_step;
  end
  assign piece_pick = piece_groups & -piece_groups;
  assign piece_rest = piece_groups & ~piece_pick;
  assign group_pick = group_left & -group_left;

  always_comb begin
    here       = '0;
    write_beat = '0;
    for (int unsigned g = 0; g < Groups; g++) begin
      if (group_pick[g]) begin
        here       = here | (affine_run ? '1 : piece_mask[g*Lanes +: Lanes]);
        write_beat = write_beat | GroupW'(g);
      end
    end
  end

  assign affine_step = affine_pick[0] ? step_a_q : affine_pick[1] ? step_b_q : step_c_q;
  assign affine_next = affine_base_q + (affine_step << $clog2(Lanes));

  faa_cu_lanes #(.Lanes(Lanes)) u_affine (
    .base_i (put.base),
    .step_i (put.step),
    .value_o(affine_value)
  );

  // Bytes from one lane to the next count modulo the line.
  always_comb begin
    case (piece_slot)
      SlotA: {item_shift, item_type, item_step} = {cmd_i.a_1[38:32], step_a_q[OffW-1:0]};
      SlotB: {item_shift, item_type, item_step} = {cmd_i.b_1[38:32], step_b_q[OffW-1:0]};
      default: {item_shift, item_type, item_step} = {cmd_i.c_1[38:32], step_c_q[OffW-1:0]};
    endcase
  end
  assign item_size = faa_cu_pkg::size_log2(item_type);

  faa_cu_lanes #(.Lanes(Lanes), .Width(OffW)) u_places (
    .base_i (piece_place),
    .step_i (item_step),
    .value_o(lane_place)
  );
  for (genvar l = 0; l < Lanes; l++) begin : g_place
    assign place[l*OffW +: OffW] = lane_place[l*OffW +: OffW] + group_place;
  end

  for (genvar l = 0; l < Lanes; l++) begin : g_item
    faa_cu_item #(.LineBytes(LineBytes)) u_item (
      .line_i  (put.line),
      .place_i (put.place[l*OffW +: OffW]),
      .size_i  (put.size),
      .signed_i(put.is_signed),
      .shift_i (put.shift),
      .zero_i  (put.sparse),
      .other_i (put.affine),
      .value_i (affine_value[l*64 +: 64]),
      .value_o (value[l*64 +: 64])
    );
  end

  // Per operand: a row of registers arrives for the lower half, which clears the upper one, or for
  // the upper half.
  logic [2:0]             from_reg, got_low, got_high, write;
  logic                   clear;
  logic [2:0][Lanes-1:0]  low, high;        // halves of their operands that come
  logic [2:0][Lanes*64-1:0] written, row_of;  // to write; of the beat offered
  logic [GroupW-1:0]      row_beat;         // of a row that comes

  assign from_reg = {cmd_i.kind_c == faa_pkg::KIND_REG, cmd_i.kind_b == faa_pkg::KIND_REG,
                     cmd_i.kind_a == faa_pkg::KIND_REG};
  assign got_low  = {regs_got_q[4], regs_got_q[2], regs_got_q[0]};
  assign got_high = {regs_got_q[5], regs_got_q[3], regs_got_q[1]};
  assign write    = affine_run ? affine_pick : piece_may && !redo_i ? 3'd1 << piece_slot : 3'd0;
  assign clear    = state_q == StIdle && start_i;

  for (genvar n = 0; n < 3; n++) begin : g_slot
    assign low[n]  = got_low[n] ? '1 : write[n] ? here : '0;
    assign high[n] = got_low[n] || got_high[n] ? '1 : write[n] ? here : '0;
    for (genvar p = 0; p < Lanes; p++) begin : g_lane
      logic [31:0] row;
      assign row = put.row[p*32 +: 32];
      assign written[n][p*64 +: 64] = from_reg[n] ? {put.second[n] ? row : 32'd0, row}
                                                  : value[p*64 +: 64];
    end
  end

  assign put_d = '{low: low, high: high, second: got_high, row: rd_data_i, row_beat: row_beat,
                   beat: write_beat, affine: affine_run, base: affine_base_q, step: affine_step,
                   place: place, size: item_size,
                   is_signed: faa_cu_pkg::is_signed(item_type), sparse: piece_sparse,
                   shift: item_shift, line: piece_data};

  // With groups a row is written a cycle later, and read two cycles later at the earliest.
  if (Groups == 1) begin : gen_put_now
    assign put = put_d;

    logic unused_put;
    assign unused_put = ^{put.row_beat, put.beat};
  end else begin : gen_put_late
    always_ff @(posedge clk_i) begin
      put <= put_d;
      if (!rst_ni) {put.low, put.high} <= '0;
    end
  end

  always_comb begin
    row_beat = '0;
    for (int unsigned g = 0; g < Groups; g++) if (row_group_q[g]) row_beat = row_beat | GroupW'(g);
  end

  // ----------------------------------------------------------------------------------------------
  // What is the same in all lanes

  function automatic logic [63:0] same_of(input logic [2:0] kind, input logic [63:0] word,
                                          input logic [63:0] base);
    case (kind)
      faa_pkg::KIND_STREAM: same_of = base;
      faa_pkg::KIND_IMM, faa_pkg::KIND_AFFINE: same_of = word;
      default: same_of = '0;
    endcase
  endfunction

  // The offset is unsigned if the address operand is absent or RZ; commands without one have 0
  // there.
  logic        unsigned_offset;
  logic [63:0] offset;
  assign unsigned_offset = cmd_i.kind_a == faa_pkg::KIND_NONE ||
                           (from_reg[0] && cmd_i.ra == 8'(faa_pkg::RZ));
  assign offset          = {{40{cmd_i.offset[23] && !unsigned_offset}}, cmd_i.offset};
  assign first_a         = same_of(cmd_i.kind_a, cmd_i.a_0, cmd_i.a_2) + offset;

  always_ff @(posedge clk_i) if (clear) add_a_q <= first_a;

  assign add_a = affine[0] ? run_a : add_a_q;
  // An immediate is an affine operand of step 0.
  assign add_b = same_of(cmd_i.kind_b, run_b, cmd_i.b_2);
  assign add_c = same_of(cmd_i.kind_c, run_c, cmd_i.c_2);

  // -------------------------------------------------------------------------------------------------------------
  // Offer

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      offer_q <= 1'b0;
      error_q <= faa_pkg::ERROR_SUCCESS;
      ends_q  <= 1'b0;
    end else begin
      if (cancel_i || redo_i) offer_q <= 1'b0;
      else if (first_offer || warp_full) offer_q <= 1'b1;
      else if (next_warp) offer_q <= stream == '0 && !finish && !hold_i;
      else if (state_q == StRun && stream == '0 && !hold_i) offer_q <= 1'b1;

      if (state_q == StIdle) ends_q <= 1'b0;
      else if (warp_full) ends_q <= piece_fail || bus;
      if (state_q == StIdle) error_q <= faa_pkg::ERROR_SUCCESS;
      else if (warp_full) error_q <= piece_fail ? fail_code : bus ? faa_pkg::ERROR_BUS_ERROR : faa_pkg::ERROR_SUCCESS;
    end
    if (warp_full) begin
      lane_q    <= piece_fail ? fail_lane : 5'd0;
      address_q <= piece_fail ? fail_address : {12'b0, error_line[51:6], 6'b0};
    end
  end

  assign warp    = '{mask: lanes_of(cmd_i.count, element) & guard_q, element: element[31:0],
                     count: is_last ? 6'(cmd_i.count - element) : 6'd32, last: is_last,
                     error: error_q, lane: lane_q, address: address_q, d_va: run_d};

  logic              row_read;                     // rows of SUATOM's registers
  logic [GroupW-1:0] row_write_beat, row_read_beat;

  if (SurfaceAtomics) begin : gen_surface
    faa_cu_surface_rows #(.Lanes(Lanes)) u_rows (
      .clk_i,
      .write_i     (regs_got_q[7:6]),
      .write_beat_i(row_write_beat),
      .data_i      (rd_data_i),
      .read_i      (row_read),
      .read_beat_i (row_read_beat),
      .z_o         (warp_z_o),
      .handle_o    (warp_handle_o)
    );
  end else begin : gen_no_surface
    assign warp_z_o      = '0;
    assign warp_handle_o = '0;

    logic unused_rows;
    assign unused_rows = ^{regs_got_q[7:6], row_read, row_write_beat, row_read_beat};
  end

  // ----------------------------------------------------------------------------------------------
  // Operand registers, and the beats offered from them

  logic [63:0] out_add_a, out_add_b, out_add_c;

  if (Groups == 1) begin : gen_whole
    assign deal_ready = warp_ready_i;
    assign deal_room  = warp_ready_i;
    assign deal_busy  = 1'b0;
    assign row_read   = 1'b0;
    assign row_write_beat = 1'b0;
    assign rows_free  = 1'b1;
    assign row_read_beat  = 1'b0;
    assign out        = warp;
    assign out_add_a  = add_a;
    assign out_add_b  = add_b;
    assign out_add_c  = add_c;

    for (genvar n = 0; n < 3; n++) begin : g_slot
      for (genvar l = 0; l < 32; l++) begin : g_lane
        logic [63:0] op_q;
        always_ff @(posedge clk_i) begin
          if (clear) begin
            op_q <= '0;
          end else begin
            if (put.low[n][l]) op_q[31:0] <= written[n][l*64 +: 32];
            if (put.high[n][l]) op_q[63:32] <= written[n][l*64 + 32 +: 32];
          end
        end
        assign row_of[n][l*64 +: 64] = op_q;
      end
    end

    assign warp_valid_o = offer_q;
    assign warp_part_o  = '{last: 1'b1, number: 3'd0};
  end else begin : gen_beats
    // A RAM per lane of a beat and operand has the rows of two warps: one is offered while items of
    // the next one's streams arrive. Other operands have the rows of one warp. A complete warp is
    // taken when the last row of the previous one is read; it waits in registers until the last
    // beat of that one leaves. So in the same cycle warp_ready_i affects only the read. Rows are
    // written a cycle after their items arrive.
    typedef struct packed {
      faa_cu_pkg::warp_t warp;
      logic [63:0]       a, b, c;             // added to all lanes
    } offer_t;

    offer_t            wait_q;
    logic              wait_valid_q, begins, dealing, all_read, near_end;
    logic              read, done, dealt_warp, write_warp, read_warp, put_warp_q;
    logic [GroupW-1:0] read_beat;
    logic [2:0]        used, used_q;          // the command stays: used_q is the same

    faa_cu_deal #(
      .Lanes(Lanes)
    ) u_deal (
      .clk_i,
      .rst_ni,
      .flush_i     (cancel_i || redo_i),
      .begin_i     (begins),
      .busy_o      (dealing),
      .done_o      (done),
      .all_read_o  (all_read),
      .near_end_o  (near_end),
      .next_warp_o (dealt_warp),
      .read_o      (read),
      .read_warp_o (read_warp),
      .read_beat_o (read_beat),
      .valid_o     (warp_valid_o),
      .ready_i     (warp_ready_i),
      .part_o      (warp_part_o)
    );

    assign row_read       = read;
    assign row_write_beat = row_beat;
    assign row_read_beat  = read_beat;
    assign deal_busy  = dealing || wait_valid_q;
    assign deal_room  = !wait_valid_q && (!dealing || near_end);
    assign deal_ready = !redo_i && !cancel_i && deal_room;
    assign begins     = !redo_i && !cancel_i && wait_valid_q && (!dealing || done);
    assign write_warp = dealt_warp ^ wait_valid_q ^ next_warp;
    // When a complete warp waits, items arrive for the rows that are being offered, whose last one
    // may be unread.
    assign rows_free  = !dealing || all_read || !((offer_q && deal_room) || wait_valid_q) ||
                        (near_end && !piece_pick[Groups-1]);
    assign used       = stream | affine | from_reg;

    always_ff @(posedge clk_i) begin
      used_q     <= used;
      put_warp_q <= write_warp;
      if (!rst_ni || redo_i || cancel_i) wait_valid_q <= 1'b0;
      else wait_valid_q <= next_warp || (wait_valid_q && !begins);
      if (next_warp) wait_q <= '{warp: warp, a: add_a, b: add_b, c: add_c};
      if (begins) {out, out_add_a, out_add_b, out_add_c} <= wait_q;
    end

    for (genvar n = 0; n < 3; n++) begin : g_slot
      logic [GroupW:0] write_at, read_at;
      assign write_at = {stream[n] && put_warp_q, from_reg[n] ? put.row_beat : put.beat};
      assign read_at  = {stream[n] && read_warp, read_beat};

      for (genvar p = 0; p < 2 * Lanes; p++) begin : g_half
        logic [31:0] data;
        faa_ram_1r1w #(
          .Width(32),
          .Depth(2 * Groups)
        ) u_ram (
          .clk_i,
          .we_i   (p % 2 == 0 ? put.low[n][p/2] : put.high[n][p/2]),
          .waddr_i(write_at),
          .wdata_i(written[n][p*32 +: 32]),
          .re_i   (read),
          .raddr_i(read_at),
          .rdata_o(data)
        );
        assign row_of[n][p*32 +: 32] = used_q[n] ? data : '0;
      end

      `FAA_ASSERT(no_read_of_the_row_written,
                  !(read && (put.low[n] | put.high[n]) != '0 && read_at == write_at))
    end

    `FAA_ASSERT(command_stays, !warp_valid_o || used_q == used)
    `FAA_ASSERT(waits_for_one_warp, !(wait_valid_q && next_warp))
    `FAA_COVER(warp_waits, wait_valid_q && !begins)
    `FAA_COVER(redo_drops_beats, redo_i && deal_busy)
    `FAA_COVER(redo_drops_the_one_that_waits, redo_i && wait_valid_q)
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_sum
    assign warp_a_o[p*64 +: 64] = row_of[0][p*64 +: 64] + out_add_a;
    assign warp_b_o[p*64 +: 64] = row_of[1][p*64 +: 64] + out_add_b;
    assign warp_c_o[p*64 +: 64] = row_of[2][p*64 +: 64] + out_add_c;
  end

  assign warp_o = out;

  assign idle_o  = state_q == StIdle && !deal_busy;
  assign quiet_o = streams_idle && !offer_q && !begin_q && !deal_busy;
  assign stall   = state_q == StRun && stream != '0 && !offer_q && !piece_take;
  always_ff @(posedge clk_i) stall_o <= rst_ni && stall;

  `FAA_ASSERT_NEXT(warp_stays, warp_valid_o && !(warp_ready_i && warp_part_o.last) && !cancel_i &&
                               !redo_i, warp_valid_o || deal_busy)
  `FAA_ASSERT(last_warp, !offer_q || is_last == (element + 33'd32 >= cmd_i.count))
  `FAA_ASSERT(ends_with_an_error, ends_q == (error_q != faa_pkg::ERROR_SUCCESS))
  `FAA_ASSERT(redo_behind_a_warp, !(redo_i && next_warp) && !(redo_i && (state_q == StIdle || state_q == StSetup || state_q == StSeek)))
  `FAA_ASSERT(start_at_rest, !start_i || state_q != StIdle || streams_idle)
  `FAA_COVER(stall_o1, stall && !piece_valid)
  `FAA_COVER(stall_o2, stall && !go_i)
  `FAA_COVER(redo_drops_a_warp, redo_i && offer_q)
  `FAA_COVER(redo_during_hold, redo_i && hold_i)
  `FAA_COVER(redo_behind_the_last, redo_i && state_q == StDrain)
  `FAA_COVER(hold_drops, state_q == StPause && !streams_idle)
  `FAA_COVER(warp_per_cycle_stream, next_warp && warp_full)

endmodule
