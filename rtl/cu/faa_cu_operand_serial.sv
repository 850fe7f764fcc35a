// SPDX-License-Identifier: Apache-2.0
//
// faa_cu_operand a lane at a time, for builds where few look-up tables count more than cycles:
// collects the operands of a command and offers them warp by warp, lane by lane.
//
//   A  a RAM of 64-bit words: the rows of registers, and the items of the streams of two warps; one
//      warp is offered while the items of the next one arrive (faa_cu_stream_serial)
//   K  per operand the value added to the word: an immediate, the base of a stream, or the value of
//      an affine operand in the next lane; for d the address of its item in lane 0. K of operand a
//      includes the offset of the command
//
// One adder makes all sums. Before streams begin, K is computed for the first element: doubled and
// added to, bit by bit of the element. With overlap_i the streams run ahead of the warps that
// execute. Without, a warp's streams begin when go_i says that every earlier warp has had its
// effect. An error travels with its warp and is offered in its place. redo_i: all that was read
// ahead from redo_element_i on, an offered warp included, is dropped and read again; while held_i
// is 1, also warps that were taken. When hold_i rises, the warp that has begun is offered;
// everything read ahead of it is dropped, and read again afterwards.
//
// Latency from start_i to the first warp: 30 cycles, 40 for each row of registers, 128 for each
// affine operand and stream unless the first element is 0; with streams 69 for each one and the
// memory. Throughput: a lane in 2 cycles, one more for each further operand, one more for each
// affine operand and for a result stream.
//
// Stalls (stall_o, counter STALL_OPERAND): OPR-S1 (items of a stream have not come), OPR-S2 (go_i
// is awaited), OPR-S4 (wait_i; no counter here).
// Hazards: OPR-H1 (items read before an earlier store of the stream is visible: go_i includes that
// no store is in flight), OPR-H2 (items and translations kept across an invalidation: hold_i
// prevents the start of new warps, drop_i drops them).

`include "faa_assert.svh"

module faa_cu_operand_serial #(
  parameter bit SurfaceAtomics = 1'b0,
  parameter int unsigned Lanes = 4,        // of a beat of registers
  parameter int unsigned LineBytes = 16,   // of a line of memory: 16, 32 or 64
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
  input  logic              wait_i,         // begin no further warp: the last one is in use
  input  logic              cancel_i,       // end the command; stays until idle_o
  output logic              idle_o,         // no command
  output logic              quiet_o,        // no translation or item is held or in flight
  output logic              stall_o,

  output logic              rd_en_o,
  output logic [7:0]        rd_row_o,
  output faa_cu_pkg::beat_no_t rd_beat_o,
  input  logic [Lanes*32-1:0] rd_data_i,    // until the next read

  // A warp, lane by lane; members of the warp are stable until the next one is offered
  output logic              warp_valid_o,
  input  logic              warp_ready_i,
  output faa_cu_pkg::warp_t warp_o,
  output faa_cu_pkg::lanes_t warp_lanes_o,
  output logic              warp_coords_o,  // SUATOM: coordinates of all lanes, before b and c
  output logic [63:0]       warp_a_o,
  output logic [63:0]       warp_b_o,
  output logic [63:0]       warp_c_o,
  output logic [31:0]       warp_z_o,       // of SUATOM: third coordinate, handle
  output logic [31:0]       warp_handle_o,

  output logic              tr_valid_o,
  input  logic              tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic              tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  output logic              mem_valid_o,
  input  logic              mem_ready_i,
  output logic [51:OffW]    mem_line_o,
  output logic [6:0]        mem_tag_o,
  input  logic              mem_rsp_valid_i,
  input  logic [6:0]        mem_rsp_tag_i,
  input  logic [LineW-1:0]  mem_rsp_data_i,
  input  logic              mem_rsp_err_i
);

  typedef enum logic [2:0] {
    StIdle,
    StSeek,      // K is computed for the first element
    StSetup,     // rows of registers are read
    StRun,
    StPause,     // hold, or redo: items read ahead arrive and are dropped
    StDrain      // the same at the end of the command
  } state_e;

  // Steps in which K of an operand is computed
  typedef enum logic [2:0] {
    SeqZero,     // 0
    SeqDouble,   // bits of the element, the highest one first
    SeqStep,
    SeqWord,     // + first word
    SeqSet,      // a stream: that is its address; 0
    SeqBase,     // + third word
    SeqOffset    // a: + the command's offset
  } seq_e;

  // A warp without d_va, which is computed with its lanes
  typedef struct packed {
    logic [31:0] mask;
    logic [31:0] element;
    logic [5:0]  count;
    logic        is_last;
    logic [7:0]  error;
    logic [4:0]  lane;
    logic [63:0] address;
  } offer_t;

  localparam logic [1:0] SlotD = 2'd3;
  localparam int unsigned BeatW = $clog2(32 / Lanes);
  localparam int unsigned SubW = $clog2(Lanes);

  state_e        state_q;
  logic [31:0]   guard_q;
  logic [32:0]   element_q;                 // of the warp that is offered or comes next
  logic [32:0]   left_q;                    // elements from there on; two cycles later
  logic          is_last;
  offer_t        warp, out;                 // the warp that is complete, the warp offered
  logic          streams_idle, streams_begun;
  logic          gave_q;                    // a warp has been offered since hold_i rose
  logic          offer_q, next_warp, finish, begin_q, clear;
  logic [7:0]    error_q;
  logic [4:0]    lane_q;
  logic [63:0]   address_q;

  // -----------------------------------------------------------------------------------------------
  // Command

  logic [2:0] stream, affine, from_reg;
  logic       d_stream, double_a, double_v, is_surface, unsigned_offset;
  // Rows to read: {handle, third coordinate, halves c1, c0, b1, b0, a1, a0}
  logic [7:0] regs_q, regs_need, regs_pick;

  assign stream   = {cmd_i.kind_c == faa_pkg::KIND_STREAM, cmd_i.kind_b == faa_pkg::KIND_STREAM,
                     cmd_i.kind_a == faa_pkg::KIND_STREAM};
  assign affine   = {cmd_i.kind_c == faa_pkg::KIND_AFFINE, cmd_i.kind_b == faa_pkg::KIND_AFFINE,
                     cmd_i.kind_a == faa_pkg::KIND_AFFINE};
  assign from_reg = {cmd_i.kind_c == faa_pkg::KIND_REG, cmd_i.kind_b == faa_pkg::KIND_REG,
                     cmd_i.kind_a == faa_pkg::KIND_REG};
  assign d_stream = cmd_i.kind_d == faa_pkg::KIND_STREAM;

  assign is_surface = SurfaceAtomics && cmd_i.opcode == faa_pkg::OPCODE_SUATOM;
  assign double_v   = faa_cu_pkg::is_wide(cmd_i.typ);
  assign double_a   = cmd_i.opcode == faa_pkg::OPCODE_LD || cmd_i.opcode == faa_pkg::OPCODE_ST ||
                      cmd_i.opcode == faa_pkg::OPCODE_ATOM ||
                      (is_surface && faa_cu_pkg::wide_coords(cmd_i.dim, cmd_i.coords_packed)) ||
                      (double_v && (cmd_i.opcode == faa_pkg::OPCODE_MOV ||
                                    cmd_i.opcode == faa_pkg::OPCODE_SETP ||
                                    cmd_i.opcode == faa_pkg::OPCODE_ALU));
  assign regs_need  = {is_surface && cmd_i.handle_kind == faa_pkg::HANDLE_KIND_REG,
                       is_surface && !cmd_i.coords_packed && faa_cu_pkg::has_third(cmd_i.dim),
                       {2{from_reg[2]}} & {double_v, 1'b1}, {2{from_reg[1]}} & {double_v, 1'b1},
                       {2{from_reg[0]}} & {double_a, 1'b1}};
  // The offset is unsigned if the address operand is absent or RZ; commands without one have 0
  // there.
  assign unsigned_offset = cmd_i.kind_a == faa_pkg::KIND_NONE ||
                           (from_reg[0] && cmd_i.ra == 8'(faa_pkg::RZ));

  // -----------------------------------------------------------------------------------------------
  // States

  logic       seek_done, rows_done, deal_busy_q;

  assign clear     = state_q == StIdle && start_i;
  assign next_warp = offer_q && !deal_busy_q && !wait_i && !redo_i && !cancel_i;
  assign finish    = next_warp && (is_last || error_q != faa_pkg::ERROR_SUCCESS);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      begin_q <= 1'b0;
    end else begin
      begin_q <= state_q == StSeek && seek_done && stream != '0 && !cancel_i;
      if (cancel_i && state_q != StIdle && state_q != StDrain) begin
        state_q <= StDrain;
      end else begin
        case (state_q)
          StIdle: if (start_i) state_q <= StSeek;
          StSeek: if (seek_done) state_q <= regs_q == '0 ? StRun : StSetup;
          StSetup: if (rows_done) state_q <= StRun;
          StRun:
            if (redo_i) state_q <= StPause;
            else if (finish) state_q <= stream == '0 ? StIdle : StDrain;
            else if (hold_i && stream != '0 && !offer_q && (gave_q || !streams_begun)) begin
              state_q <= StPause;
            end
          StPause: if (streams_idle && !hold_i && !redo_i && !deal_busy_q) state_q <= StSeek;
          default:
            if (redo_i && !cancel_i) state_q <= StPause;
            else if (streams_idle && (cancel_i || !(held_i || deal_busy_q))) state_q <= StIdle;
        endcase
      end
    end

    if (clear) begin
      guard_q   <= guard_i;
      element_q <= {1'b0, first_i};
    end else if (redo_i) begin
      element_q <= {1'b0, redo_element_i};
    end else if (next_warp) begin
      element_q <= element_q + 33'd32;
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Rows of registers: a beat is read, then written to A lane by lane

  logic [SubW:0]    sub_q;                  // 0: the beat is read
  logic [BeatW-1:0] row_beat_q;
  logic [31:0]      row;
  logic             row_write;

  assign regs_pick = regs_q & -regs_q;
  assign rd_en_o   = state_q == StSetup && regs_q != '0 && sub_q == '0;
  assign rd_beat_o = 3'(row_beat_q);
  assign row_write = sub_q != '0;
  assign rows_done = sub_q == (SubW+1)'(Lanes) && row_beat_q == '1 && regs_q == regs_pick;
  assign row       = rd_data_i[SubW'(sub_q - (SubW+1)'(1))*32 +: 32];

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

  always_ff @(posedge clk_i) begin
    if (!rst_ni || state_q == StIdle) begin
      sub_q      <= '0;
      row_beat_q <= '0;
      regs_q     <= clear ? regs_need : '0;
    end else if (state_q == StSetup) begin
      sub_q <= sub_q == (SubW+1)'(Lanes) ? '0 : sub_q + (SubW+1)'(1);
      if (sub_q == (SubW+1)'(Lanes)) begin
        row_beat_q <= row_beat_q + BeatW'(1);
        if (row_beat_q == '1) regs_q <= regs_q & ~regs_pick;
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Streams

  logic            piece_valid, piece_take, piece_last, piece_sparse, piece_fail, piece_none;
  logic            piece_bad, warp_full, in_q;
  logic [1:0]      piece_slot, last_slot;
  logic [4:0]      piece_lane;
  logic [OffW-1:0] piece_place;
  logic [LineW-1:0] piece_data;
  logic [7:0]      fail_code;
  logic [4:0]      fail_lane;
  logic [63:0]     fail_address, item, k;
  logic [51:OffW]  bad_line;
  logic            bus_q, bus;              // a bus error in the slot
  logic [51:OffW]  bus_line_q, error_line;
  logic            set;
  logic [1:0]      seek_slot_q;

  faa_cu_stream_serial #(
    .LineBytes(LineBytes)
  ) u_stream (
    .clk_i,
    .rst_ni,
    .cmd_i,
    .set_i          (set),
    .set_slot_i     (seek_slot_q),
    .base_i         (k),
    .begin_i        (begin_q),
    .element_i      (element_q),
    .guard_i        (guard_q),
    .overlap_i,
    .go_i           (go_i && !hold_i && (overlap_i || !deal_busy_q)),
    .next_i         (!offer_q),
    .stop_i         (state_q != StSetup && state_q != StRun),
    .drop_i,
    .idle_o         (streams_idle),
    .begun_o        (streams_begun),
    .valid_o        (piece_valid),
    .take_i         (piece_take),
    .slot_o         (piece_slot),
    .last_o         (piece_last),
    .lane_o         (piece_lane),
    .none_o         (piece_none),
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

  assign piece_take = piece_valid && state_q == StRun && !(hold_i && gave_q) && !offer_q;
  assign last_slot  = stream[2] ? 2'd2 : {1'b0, stream[1]};
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

  logic [2:0] item_shift;
  logic [3:0] item_type;
  always_comb begin
    case (piece_slot)
      2'd0: {item_shift, item_type} = cmd_i.a_1[38:32];
      2'd1: {item_shift, item_type} = cmd_i.b_1[38:32];
      default: {item_shift, item_type} = cmd_i.c_1[38:32];
    endcase
  end

  faa_cu_item #(
    .LineBytes(LineBytes)
  ) u_item (
    .line_i  (piece_data),
    .place_i (piece_place),
    .size_i  (faa_cu_pkg::size_log2(item_type)),
    .signed_i(faa_cu_pkg::is_signed(item_type)),
    .shift_i (3'd0),
    .zero_i  (piece_sparse),
    .other_i (1'b0),
    .value_i ('0),
    .value_o (item)
  );

  // It is shifted and written in the next cycle.
  logic [63:0] item_q, shifted;
  logic [2:0]  shift_q;
  logic [7:0]  item_at_q;
  logic        item_write_q;

  always_ff @(posedge clk_i) begin
    item_write_q <= rst_ni && piece_take && !piece_none;
    item_q       <= item;
    shift_q      <= item_shift;
    item_at_q    <= {in_q, piece_slot, piece_lane};
  end
  assign shifted = item_q << shift_q;

  // -----------------------------------------------------------------------------------------------
  // A: of each warp, operand (the third coordinate and the handle are a fourth) and lane

  logic [7:0]  write_at, read_at;
  logic        write_low, write_high, out_q, read;
  logic [63:0] data;                        // of the last read
  logic [1:0]  row_slot;
  logic [1:0]  get_slot;                    // operand that is read

  assign row_slot   = {regs_pick[7:4] != '0, regs_pick[7:6] != '0 || regs_pick[3:2] != '0};
  assign write_low  = row_write ? regs_pick[0] || regs_pick[2] || regs_pick[4] || regs_pick[6]
                                : item_write_q;
  // The lower half of a register clears the upper one.
  assign write_high = row_write ? regs_pick[7] || regs_pick[5:0] != '0 : write_low;
  assign write_at   = row_write ? {1'b0, row_slot, row_beat_q, SubW'(sub_q - (SubW+1)'(1))}
                                : item_at_q;

  for (genvar h = 0; h < 2; h++) begin : g_half
    logic upper;
    assign upper = h == 1 && !(regs_pick[1] || regs_pick[3] || regs_pick[5] || regs_pick[7]);
    faa_ram_1r1w #(
      .Width(32),
      .Depth(256)
    ) u_ram (
      .clk_i,
      .we_i   (h == 0 ? write_low : write_high),
      .waddr_i(write_at),
      .wdata_i(!row_write ? shifted[h*32 +: 32] : upper ? '0 : row),
      .re_i   (read),
      .raddr_i(read_at),
      .rdata_o(data[h*32 +: 32])
    );
  end

  // -----------------------------------------------------------------------------------------------
  // K, and the adder: a word of the command, a word of A, K itself or nothing is added to K or 0

  seq_e        seq_q, seq_d;
  logic [31:0] seek_q;
  logic [4:0]  bit_q;
  logic        seek, runs, slot_last;       // runs: K is that of the element
  logic        act_q;                       // of seeking: every other cycle, after its word
  logic [2:0]  kind;                        // of the operand whose word is looked at
  logic [63:0] word_0, word_1, word_2, word_d, word_q, sum, k_q [4];
  logic [1:0]  word_slot, k_slot;
  logic        word_is_step, word_is_offset, word_is_base;
  logic        add_data, add_word, add_k, add_to, k_write;
  // Sums left to do in the lane {steps d, c, b, a; z, c, b, a}, and the current one
  logic [7:0]  visits, visit_q, visit_pick, doing_q;
  logic        doing;
  logic [4:0]  deal_lane_q;
  logic [63:0] d_va_q;
  logic        valid_q, deal_write, coords, coords_q, deal_last;
  logic [1:0]  doing_slot;

  assign seek = state_q == StSeek;

  always_comb begin
    case (seek_slot_q)
      2'd0: kind = cmd_i.kind_a;
      2'd1: kind = cmd_i.kind_b;
      2'd2: kind = cmd_i.kind_c;
      default: kind = cmd_i.kind_d;
    endcase
  end
  assign runs      = kind == faa_pkg::KIND_AFFINE || kind == faa_pkg::KIND_STREAM;
  assign slot_last = seek_slot_q == SlotD;

  always_comb begin
    seq_d = SeqZero;
    case (seq_q)
      SeqZero:
        if (runs && element_q[31:5] != '0) seq_d = SeqDouble;
        else if (runs || kind == faa_pkg::KIND_IMM) seq_d = SeqWord;
        else if (seek_slot_q == 2'd0) seq_d = SeqOffset;
      SeqDouble: seq_d = SeqStep;
      SeqStep: seq_d = bit_q == '0 ? SeqWord : SeqDouble;
      SeqWord:
        if (kind == faa_pkg::KIND_STREAM && !slot_last) seq_d = SeqSet;
        else if (seek_slot_q == 2'd0) seq_d = SeqOffset;
      SeqSet: seq_d = SeqBase;
      SeqBase: if (seek_slot_q == 2'd0) seq_d = SeqOffset;
      default: ;
    endcase
  end
  assign seek_done = act_q && slot_last && seq_d == SeqZero;
  assign set       = seek && act_q && seq_q == SeqSet && !cancel_i;

  always_ff @(posedge clk_i) begin
    if (!seek) begin
      seq_q       <= SeqZero;
      seek_slot_q <= 2'd0;
      act_q       <= 1'b0;
    end else begin
      act_q <= !act_q;
      if (act_q) begin
        seq_q <= seq_d;
        if (seq_d == SeqZero) seek_slot_q <= seek_slot_q + 2'd1;
      end
    end
    if (seq_q == SeqZero) begin
      seek_q <= element_q[31:0];
      bit_q  <= '1;
    end else if (act_q && seq_q == SeqStep) begin
      seek_q <= seek_q << 1;
      bit_q  <= bit_q - 5'd1;
    end
  end

  // The word that is added in the next cycle
  assign word_slot      = seek ? seek_slot_q : get_slot;
  assign word_is_step   = !seek || seq_q == SeqStep;
  assign word_is_offset = seek && seq_q == SeqOffset;
  assign word_is_base   = seek && seq_q == SeqBase;

  function automatic logic [63:0] step_of(input logic [2:0] of, input logic [63:0] word);
    step_of = of == faa_pkg::KIND_STREAM ? {{32{word[31]}}, word[31:0]} : word;
  endfunction

  always_comb begin
    case (word_slot)
      2'd0: {word_0, word_1, word_2} = {cmd_i.a_0, step_of(cmd_i.kind_a, cmd_i.a_1), cmd_i.a_2};
      2'd1: {word_0, word_1, word_2} = {cmd_i.b_0, step_of(cmd_i.kind_b, cmd_i.b_1), cmd_i.b_2};
      2'd2: {word_0, word_1, word_2} = {cmd_i.c_0, step_of(cmd_i.kind_c, cmd_i.c_1), cmd_i.c_2};
      default: begin
        {word_0, word_1, word_2} = {cmd_i.d_0, {32{cmd_i.d_1[31]}}, cmd_i.d_1[31:0], 64'b0};
      end
    endcase
    word_d = word_is_base ? word_2 : word_is_step ? word_1 : word_0;
    if (word_is_offset) begin
      word_d = {{40{cmd_i.offset[23] && !unsigned_offset}}, cmd_i.offset};
    end
  end
  always_ff @(posedge clk_i) word_q <= word_d;

  assign add_data = !seek && doing && (doing_q[2:0] & (stream | from_reg)) != '0;
  assign add_word = seek ? (seq_q == SeqStep && seek_q[31]) || seq_q == SeqWord ||
                           seq_q == SeqBase || seq_q == SeqOffset
                         : doing_q[7:4] != '0;
  assign add_k    = seek && seq_q == SeqDouble;
  assign add_to   = !(seek && (seq_q == SeqZero || seq_q == SeqSet));
  assign k_slot   = seek ? seek_slot_q : doing_slot;
  assign k        = k_q[k_slot];
  assign sum      = (k & {64{add_to}}) + ((data & {64{add_data}}) | (word_q & {64{add_word}}) |
                                          (k & {64{add_k}}));
  assign k_write  = (seek && act_q) || deal_write;

  always_ff @(posedge clk_i) if (k_write) k_q[k_slot] <= sum;

  // -----------------------------------------------------------------------------------------------
  // Dealing

  // The lanes of SUATOM are visited twice: for the coordinates, then for the rest.
  assign coords     = next_warp ? is_surface : coords_q && !(deal_lane_q == '1);
  always_comb begin
    visits = {d_stream, affine, 1'b0, cmd_i.kind_c != faa_pkg::KIND_NONE,
              cmd_i.kind_b != faa_pkg::KIND_NONE, 1'b1};
    if (is_surface) visits = visits & (coords ? 8'b00010001 : 8'b11100111);
    if (coords) visits[3] = 1'b1;
  end
  assign visit_pick = visit_q & -visit_q;
  assign read       = deal_busy_q && visit_q[3:0] != '0;
  assign get_slot   = {visit_pick[7:6] != '0 || visit_pick[3:2] != '0,
                       visit_pick[7] || visit_pick[5] || visit_pick[3] || visit_pick[1]};
  assign read_at    = {out_q && (visit_pick[2:0] & stream) != '0, get_slot, deal_lane_q};
  assign doing      = doing_q != '0;
  assign doing_slot = {doing_q[7:6] != '0 || doing_q[3:2] != '0,
                       doing_q[7] || doing_q[5] || doing_q[3] || doing_q[1]};
  assign deal_write = doing_q[7:4] != '0;
  assign deal_last  = warp_lanes_o.last && !coords_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || cancel_i || redo_i) begin
      deal_busy_q <= 1'b0;
      valid_q     <= 1'b0;
      visit_q     <= '0;
      doing_q     <= '0;
    end else begin
      if (next_warp) deal_busy_q <= 1'b1;
      else if (valid_q && warp_ready_i && deal_last) deal_busy_q <= 1'b0;
      if (doing && visit_q == '0) valid_q <= 1'b1;
      else if (warp_ready_i) valid_q <= 1'b0;
      if (next_warp || (valid_q && warp_ready_i && !deal_last)) visit_q <= visits;
      else visit_q <= visit_q & ~visit_pick;
      doing_q <= visit_pick;
    end
    if (!rst_ni) in_q <= 1'b0;
    else if (next_warp) in_q <= !in_q;
    if (next_warp) begin
      out         <= warp;
      out_q       <= in_q;
      deal_lane_q <= '0;
    end else if (valid_q && warp_ready_i) begin
      deal_lane_q <= deal_lane_q + 5'd1;
    end
    if (next_warp || (valid_q && warp_ready_i)) coords_q <= coords;

    if (doing_q[0]) warp_a_o <= sum;
    if (clear) warp_b_o <= '0;
    else if (doing_q[1]) warp_b_o <= sum;
    if (clear) warp_c_o <= '0;
    else if (doing_q[2]) warp_c_o <= sum;
    if (doing_q[3]) {warp_handle_o, warp_z_o} <= data;
    if (doing_q[7] && deal_lane_q == '0) d_va_q <= k;
  end

  // -----------------------------------------------------------------------------------------------
  // Offer

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      offer_q <= 1'b0;
      error_q <= faa_pkg::ERROR_SUCCESS;
    end else begin
      if (cancel_i || redo_i || next_warp) offer_q <= 1'b0;
      else if (warp_full) offer_q <= 1'b1;
      else if (state_q == StRun && stream == '0 && !hold_i) offer_q <= 1'b1;

      if (state_q == StIdle) error_q <= faa_pkg::ERROR_SUCCESS;
      else if (warp_full) begin
        error_q <= piece_fail ? fail_code : bus ? faa_pkg::ERROR_BUS_ERROR : faa_pkg::ERROR_SUCCESS;
      end
    end
    if (warp_full) begin
      lane_q    <= piece_fail ? fail_lane : 5'd0;
      address_q <= piece_fail ? fail_address : {12'b0, error_line[51:6], 6'b0};
    end
  end

  // A warp is offered some cycles after the previous one.
  always_ff @(posedge clk_i) begin
    left_q  <= cmd_i.count - element_q;
    is_last <= left_q <= 33'd32;
  end
  assign warp    = '{mask: (is_last && !left_q[5] ? ~(32'hffffffff << left_q[4:0]) : '1) & guard_q,
                     element: element_q[31:0], count: is_last ? left_q[5:0] : 6'd32,
                     is_last: is_last, error: error_q, lane: lane_q, address: address_q};

  assign warp_valid_o   = valid_q;
  assign warp_o = '{mask: out.mask, element: out.element, count: out.count, last: out.is_last,
                    d_va: d_va_q, error: out.error, lane: out.lane, address: out.address};
  assign warp_lanes_o   = '{last: deal_lane_q == '1, first: deal_lane_q};
  assign warp_coords_o  = coords_q;

  assign idle_o  = state_q == StIdle && !deal_busy_q;
  assign quiet_o = streams_idle && !offer_q && !begin_q && !deal_busy_q;
  assign stall_o = state_q == StRun && stream != '0 && !offer_q && !piece_take;

  logic unused;
  assign unused = ^{cmd_i, redo_element_i};

  `FAA_ASSERT_NEXT(warp_stays, warp_valid_o && !(warp_ready_i && deal_last) && !cancel_i &&
                               !redo_i, warp_valid_o || deal_busy_q)
  `FAA_ASSERT(redo_behind_a_warp, !(redo_i && next_warp) &&
              !(redo_i && (state_q == StIdle || state_q == StSetup || state_q == StSeek)))
  `FAA_ASSERT(start_at_rest, !start_i || state_q != StIdle || streams_idle)
  `FAA_ASSERT(one_owner_of_k, !(seek && deal_busy_q))
  `FAA_ASSERT(no_read_of_the_row_written,
              !(read && (write_low || write_high) && read_at == write_at))
  `FAA_COVER(stall_o1, stall_o && !piece_valid)
  `FAA_COVER(stall_o2, stall_o && !go_i)
  `FAA_COVER(redo_drops_a_warp, redo_i && offer_q)
  `FAA_COVER(redo_drops_lanes, redo_i && deal_busy_q)
  `FAA_COVER(redo_during_hold, redo_i && hold_i)
  `FAA_COVER(redo_behind_the_last, redo_i && state_q == StDrain)
  `FAA_COVER(hold_drops, state_q == StPause && !streams_idle)

endmodule
