// SPDX-License-Identifier: Apache-2.0
//
// Collects the operands of a command and offers them warp by warp, in element order: one warp per cycle.
//
// Registers and immediates are taken once, at the start. An affine operand is computed for the first warp, then all lanes go on by
// 32 steps with each warp that is taken. Stream operands come from faa_cu_stream as pieces of one line; the items are picked out of it,
// extended, shifted, added to the base and put into the operand registers, one piece per cycle.
//
// With overlap_i the streams run ahead of the warps that execute; without, a warp's streams are begun when go_i says that every warp
// before has had its effect. An error travels with its warp and is offered in its place. redo_i: what has been read ahead of
// redo_element_i, an offered warp included, is dropped and read anew; warps that were taken too while held_i is 1.
//
// Latency from start_i to the first warp: 1 cycle, 1 more per affine operand; with registers 2 more than the rows to read; with
// streams 7 and the memory. When hold_i comes, the warp that is begun is offered, what has been read ahead of it is dropped, and begun anew
// afterwards.
//
// Stalls (stall_o, counter STALL_OPERAND): O1 a stream's items are not there yet; O2 go_i is awaited.
// Hazards: O1 items read before an earlier store of the stream is visible: go_i includes that no store is under way.
//          O2 items and translations kept across an invalidation: hold_i keeps new warps from being begun, drop_i forgets.

`include "faa_assert.svh"

module faa_cu_operand #(
  parameter bit SurfaceAtomics = 1'b0
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
  input  logic              redo_i,         // begin anew, at redo_element_i
  input  logic [31:0]       redo_element_i, // multiple of 32, not 0
  input  logic              held_i,         // warps that have been taken may have to be read anew
  input  logic              cancel_i,       // end the command; stays until idle_o
  output logic              idle_o,         // no command
  output logic              quiet_o,        // no translation or item is held or under way
  output logic              stall_o,

  output logic              rd_en_o,
  output logic [7:0]        rd_row_o,
  input  logic [1023:0]     rd_data_i,

  output logic              warp_valid_o,
  input  logic              warp_ready_i,
  output logic [31:0]       warp_mask_o,
  output logic [31:0]       warp_element_o, // of lane 0
  output logic [5:0]        warp_count_o,   // elements, 1..32
  output logic              warp_last_o,
  output logic [2047:0]     warp_a_o,
  output logic [2047:0]     warp_b_o,
  output logic [2047:0]     warp_c_o,
  output logic [1023:0]     warp_z_o,       // of SUATOM: third coordinate, handle; the same for all warps of the command
  output logic [1023:0]     warp_handle_o,
  output logic [63:0]       warp_d_va_o,    // address of lane 0's item of the result stream
  output logic [7:0]        warp_error_o,   // enum error
  output logic [4:0]        warp_lane_o,
  output logic [63:0]       warp_address_o,

  output logic              tr_valid_o,
  input  logic              tr_ready_i,
  output logic [63:0]       tr_va_o,
  input  logic              tr_rsp_valid_i,
  input  logic [7:0]        tr_rsp_error_i,
  input  logic [63:0]       tr_rsp_pa_i,
  input  logic              tr_rsp_sparse_i,

  output logic              mem_valid_o,
  input  logic              mem_ready_i,
  output logic [51:6]       mem_line_o,
  output logic [6:0]        mem_tag_o,
  input  logic              mem_rsp_valid_i,
  input  logic [6:0]        mem_rsp_tag_i,
  input  logic [511:0]      mem_rsp_data_i,
  input  logic              mem_rsp_err_i
);

  typedef enum logic [2:0] {
    StIdle,
    StSeek,      // running values go to the first element
    StSetup,     // register and affine operands of the first warp
    StRun,
    StPause,     // hold, or redo: what is read ahead comes back and is dropped
    StDrain      // the same at the end of the command
  } state_e;

  localparam logic [1:0] SlotA = 2'd0, SlotB = 2'd1, SlotC = 2'd2;

  state_e        state_q;
  logic [31:0]   guard_q;
  logic [26:0]   seek_q;
  logic [32:0]   element_q;                 // of the warp that is offered or comes next

  // Values of lane 0 in that warp; sh: 32 steps (more while seeking)
  logic [63:0]   run_a_q, run_b_q, run_c_q, run_d_q, sh_a_q, sh_b_q, sh_c_q, sh_d_q;
  logic [63:0]   step_a, step_b, step_c, step_d;

  logic [2:0]    stream, affine, affine_q, affine_pick;   // per slot; _q: still to do
  logic [7:0]    regs_q, regs_need, regs_pick, regs_got_q; // {handle, third coordinate, halves c1, c0, b1, b0, a1, a0} still to read
  logic          anew_q;                    // of StPause: it ends with running values of element_q
  logic [2047:0] op_a_q, op_b_q, op_c_q;

  logic          streams_idle, streams_begun, setup_none;
  logic          gave_q;                    // a warp has been offered since the hold came
  logic          offer_q, next_warp, setup_done, first_offer, finish, begin_q;
  logic [7:0]    error_q;
  logic [4:0]    lane_q;
  logic [63:0]   address_q;

  // -------------------------------------------------------------------------------------------------------------
  // Command

  function automatic logic [63:0] step_of(input logic [2:0] kind, input logic [63:0] word);
    step_of = kind == faa_pkg::KIND_STREAM ? {{32{word[31]}}, word[31:0]} : word;
  endfunction

  // Lanes of a warp that begins at an element.
  function automatic logic [31:0] lanes_of(input logic [32:0] count, input logic [32:0] element);
    logic [32:0] left;
    left     = count - element;
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
  assign setup_done  = regs_q == regs_pick && affine_q == affine_pick;
  assign next_warp   = offer_q && warp_ready_i;
  assign finish      = next_warp && (warp_last_o || error_q != faa_pkg::ERROR_SUCCESS);
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
          StSeek: if (seek_q == 27'd1) state_q <= StSetup;
          StSetup: if (setup_done) state_q <= StRun;
          StRun:
            if (redo_i) state_q <= StPause;
            else if (finish) state_q <= stream == '0 ? StIdle : StDrain;
            else if (hold_i && stream != '0 && !offer_q && (gave_q || !streams_begun)) state_q <= StPause;
          StPause: if (streams_idle && !hold_i && !redo_i) state_q <= anew_q ? StSeek : StSetup;
          default:
            if (redo_i && !cancel_i) state_q <= StPause;
            else if (streams_idle && (cancel_i || !held_i)) state_q <= StIdle;
        endcase
        begin_q <= stream != '0 && ((state_q == StIdle && start_i && first_i == '0) || (state_q == StSeek && seek_q == 27'd1) ||
                                    (state_q == StPause && !anew_q && !redo_i && streams_idle && !hold_i));
      end
      if (state_q == StIdle && start_i) begin
        regs_q   <= regs_need;
        affine_q <= affine;
      end else if (redo_i) begin
        affine_q <= affine;
      end else if (state_q == StSetup) begin
        regs_q   <= regs_q & ~regs_pick;
        affine_q <= affine_q & ~affine_pick;
      end
      regs_got_q <= state_q == StSetup ? regs_pick : '0;
    end
    if (state_q == StIdle && start_i) begin
      guard_q <= guard_i;
      seek_q  <= first_i[31:5];
      anew_q  <= 1'b0;
    end else begin
      seek_q <= redo_i ? redo_element_i[31:5] : state_q == StPause ? seek_q : seek_q >> 1;
      anew_q <= redo_i || (anew_q && state_q != StSeek);
    end
  end

  always_ff @(posedge clk_i) begin
    if ((state_q == StIdle && start_i) || redo_i) begin
      element_q <= {1'b0, redo_i ? redo_element_i : first_i};
      run_a_q   <= cmd_i.a_0;
      run_b_q   <= cmd_i.b_0;
      run_c_q   <= cmd_i.c_0;
      run_d_q   <= cmd_i.d_0;
      sh_a_q    <= step_a << 5;
      sh_b_q    <= step_b << 5;
      sh_c_q    <= step_c << 5;
      sh_d_q    <= step_d << 5;
    end else if (state_q == StSeek) begin
      if (seek_q[0]) begin
        run_a_q <= run_a_q + sh_a_q;
        run_b_q <= run_b_q + sh_b_q;
        run_c_q <= run_c_q + sh_c_q;
        run_d_q <= run_d_q + sh_d_q;
      end
      sh_a_q <= sh_a_q << 1;
      sh_b_q <= sh_b_q << 1;
      sh_c_q <= sh_c_q << 1;
      sh_d_q <= sh_d_q << 1;
    end else if (next_warp) begin
      element_q <= element_q + 33'd32;
      run_a_q   <= run_a_q + (step_a << 5);
      run_b_q   <= run_b_q + (step_b << 5);
      run_c_q   <= run_c_q + (step_c << 5);
      run_d_q   <= run_d_q + (step_d << 5);
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // Streams

  logic          piece_valid, piece_take, piece_last, piece_sparse, piece_fail, piece_bad, warp_full;
  logic [1:0]    piece_slot, last_slot;
  logic [31:0]   piece_mask;
  logic [5:0]    piece_place;
  logic [511:0]  piece_data;
  logic [7:0]    fail_code;
  logic [4:0]    fail_lane;
  logic [63:0]   fail_address;
  logic [51:6]   bad_line;
  logic          bus_q, bus;                // a bus error in the slot
  logic [51:6]   bus_line_q;

  faa_cu_stream u_stream (
    .clk_i,
    .rst_ni,
    .cmd_i,
    .start_i        (state_q == StIdle && start_i),
    .begin_i        (begin_q),
    .element_i      (element_q),
    .base_a_i       (run_a_q),
    .base_b_i       (run_b_q),
    .base_c_i       (run_c_q),
    .step_a_i       (step_a),
    .step_b_i       (step_b),
    .step_c_i       (step_c),
    .guard_i        (guard_q),
    .overlap_i,
    .go_i           (go_i && !hold_i),
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
    .tr_va_o,
    .tr_rsp_valid_i,
    .tr_rsp_error_i,
    .tr_rsp_pa_i,
    .tr_rsp_sparse_i,
    .mem_valid_o,
    .mem_ready_i,
    .mem_line_o,
    .mem_tag_o,
    .mem_rsp_valid_i,
    .mem_rsp_tag_i,
    .mem_rsp_data_i,
    .mem_rsp_err_i
  );

  // The registers take the pieces of the next warp from the cycle on in which the one before is taken.
  assign piece_take = piece_valid && state_q == StRun && !(hold_i && gave_q) && !cancel_i && (!offer_q || (warp_ready_i && !finish));
  assign last_slot  = stream[2] ? SlotC : stream[1] ? SlotB : SlotA;
  assign bus        = bus_q || piece_bad;
  assign warp_full  = piece_take && piece_last && (piece_slot == last_slot || piece_fail || bus);

  // A warp that is begun is offered even when hold_i comes, so that there is progress however often it comes.
  always_ff @(posedge clk_i) gave_q <= rst_ni && hold_i && (gave_q || offer_q || warp_full);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || state_q != StRun) bus_q <= 1'b0;
    else if (piece_take) bus_q <= bus && !piece_last;
    if (piece_take && !bus_q) bus_line_q <= bad_line;
  end

  // Items of a piece. Bytes from one lane to the next count modulo the line.
  logic [5:0]    item_step;
  logic [2:0]    item_shift;
  logic [3:0]    item_type;
  logic [63:0]   item_base;
  logic [2047:0] value;

  always_comb begin
    case (piece_slot)
      SlotA: {item_shift, item_type, item_step, item_base} = {cmd_i.a_1[38:32], step_a[5:0], cmd_i.a_2};
      SlotB: {item_shift, item_type, item_step, item_base} = {cmd_i.b_1[38:32], step_b[5:0], cmd_i.b_2};
      default: {item_shift, item_type, item_step, item_base} = {cmd_i.c_1[38:32], step_c[5:0], cmd_i.c_2};
    endcase
  end

  function automatic logic [63:0] item_of(input logic [511:0] line, input logic [5:0] place);
    item_of = line[{place[5:3], 6'b0} +: 64] >> {place[2:0], 3'b0};
  endfunction

  always_comb begin
    value = '0;
    if (piece_take) begin
      for (int l = 0; l < 32; l++) begin
        value[l*64 +: 64] = item_base +
            (piece_sparse ? 64'd0 :
             faa_cu_pkg::extend(item_of(piece_data, piece_place + 6'(l) * item_step), faa_cu_pkg::size_log2(item_type),
                                faa_cu_pkg::is_signed(item_type)) << item_shift);
      end
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // Affine operands of the first warp, one per cycle

  logic [63:0]   affine_base, affine_step;
  logic [2047:0] affine_value;
  logic          affine_run;

  assign affine_run  = state_q == StSetup && affine_q != '0;
  assign affine_base = affine_pick[0] ? run_a_q : affine_pick[1] ? run_b_q : run_c_q;
  assign affine_step = affine_pick[0] ? step_a : affine_pick[1] ? step_b : step_c;

  faa_cu_lanes u_lanes (
    .valid_i(affine_run),
    .base_i (affine_base),
    .step_i (affine_step),
    .value_o(affine_value)
  );

  // -------------------------------------------------------------------------------------------------------------
  // Operand registers

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      if (start_i) begin
        op_a_q <= cmd_i.kind_a == faa_pkg::KIND_IMM ? {32{cmd_i.a_0}} : '0;
        op_b_q <= {32{cmd_i.b_0}};
        op_c_q <= {32{cmd_i.c_0}};
      end
    end else begin
      if (regs_got_q != '0) begin
        for (int l = 0; l < 32; l++) begin
          if (regs_got_q[0]) op_a_q[l*64 +: 64] <= {32'b0, rd_data_i[l*32 +: 32]};
          if (regs_got_q[1]) op_a_q[l*64 + 32 +: 32] <= rd_data_i[l*32 +: 32];
          if (regs_got_q[2]) op_b_q[l*64 +: 64] <= {32'b0, rd_data_i[l*32 +: 32]};
          if (regs_got_q[3]) op_b_q[l*64 + 32 +: 32] <= rd_data_i[l*32 +: 32];
          if (regs_got_q[4]) op_c_q[l*64 +: 64] <= {32'b0, rd_data_i[l*32 +: 32]};
          if (regs_got_q[5]) op_c_q[l*64 + 32 +: 32] <= rd_data_i[l*32 +: 32];
        end
      end
      if (affine_run) begin
        if (affine_pick[0]) op_a_q <= affine_value;
        if (affine_pick[1]) op_b_q <= affine_value;
        if (affine_pick[2]) op_c_q <= affine_value;
      end else if (next_warp && affine != '0) begin
        if (affine[0]) for (int l = 0; l < 32; l++) op_a_q[l*64 +: 64] <= op_a_q[l*64 +: 64] + (step_a << 5);
        if (affine[1]) for (int l = 0; l < 32; l++) op_b_q[l*64 +: 64] <= op_b_q[l*64 +: 64] + (step_b << 5);
        if (affine[2]) for (int l = 0; l < 32; l++) op_c_q[l*64 +: 64] <= op_c_q[l*64 +: 64] + (step_c << 5);
      end
      if (piece_take && !redo_i) begin
        if (piece_slot == SlotA) for (int l = 0; l < 32; l++) if (piece_mask[l]) op_a_q[l*64 +: 64] <= value[l*64 +: 64];
        if (piece_slot == SlotB) for (int l = 0; l < 32; l++) if (piece_mask[l]) op_b_q[l*64 +: 64] <= value[l*64 +: 64];
        if (piece_slot == SlotC) for (int l = 0; l < 32; l++) if (piece_mask[l]) op_c_q[l*64 +: 64] <= value[l*64 +: 64];
      end
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // Offer

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      offer_q <= 1'b0;
      error_q <= faa_pkg::ERROR_SUCCESS;
    end else begin
      if (cancel_i || redo_i) offer_q <= 1'b0;
      else if (first_offer || warp_full) offer_q <= 1'b1;
      else if (next_warp) offer_q <= stream == '0 && !finish && !hold_i;
      else if (state_q == StRun && stream == '0 && !hold_i) offer_q <= 1'b1;

      if (state_q == StIdle) error_q <= faa_pkg::ERROR_SUCCESS;
      else if (warp_full) error_q <= piece_fail ? fail_code : bus ? faa_pkg::ERROR_BUS_ERROR : faa_pkg::ERROR_SUCCESS;
    end
    if (warp_full) begin
      lane_q    <= piece_fail ? fail_lane : 5'd0;
      address_q <= piece_fail ? fail_address : {12'b0, bus_q ? bus_line_q : bad_line, 6'b0};
    end
  end

  assign warp_valid_o   = offer_q;
  assign warp_mask_o    = lanes_of(cmd_i.count, element_q) & guard_q;
  assign warp_element_o = element_q[31:0];
  assign warp_last_o    = element_q + 33'd32 >= cmd_i.count;
  assign warp_count_o   = warp_last_o ? 6'(cmd_i.count - element_q) : 6'd32;
  assign warp_a_o       = op_a_q;
  assign warp_b_o       = op_b_q;
  assign warp_c_o       = op_c_q;

  if (SurfaceAtomics) begin : gen_surface
    logic [1023:0] op_z_q, op_handle_q;
    always_ff @(posedge clk_i) begin
      if (regs_got_q[6]) op_z_q <= rd_data_i;
      if (regs_got_q[7]) op_handle_q <= rd_data_i;
    end
    assign warp_z_o      = op_z_q;
    assign warp_handle_o = op_handle_q;
  end else begin : gen_no_surface
    assign warp_z_o      = '0;
    assign warp_handle_o = '0;
  end
  assign warp_d_va_o    = run_d_q;
  assign warp_error_o   = error_q;
  assign warp_lane_o    = lane_q;
  assign warp_address_o = address_q;

  assign idle_o  = state_q == StIdle;
  assign quiet_o = streams_idle && !offer_q && !begin_q;
  assign stall_o = state_q == StRun && stream != '0 && !offer_q && !piece_take;

  `FAA_ASSERT_NEXT(warp_stays, warp_valid_o && !warp_ready_i && !cancel_i && !redo_i, warp_valid_o)
  `FAA_ASSERT(redo_behind_a_warp, !(redo_i && next_warp) && !(redo_i && (state_q == StIdle || state_q == StSetup || state_q == StSeek)))
  `FAA_ASSERT(start_at_rest, !start_i || state_q != StIdle || streams_idle)
  `FAA_COVER(stall_o1, stall_o && !piece_valid)
  `FAA_COVER(stall_o2, stall_o && !go_i)
  `FAA_COVER(redo_drops_a_warp, redo_i && offer_q)
  `FAA_COVER(redo_during_hold, redo_i && hold_i)
  `FAA_COVER(redo_behind_the_last, redo_i && state_q == StDrain)
  `FAA_COVER(hold_drops, state_q == StPause && !streams_idle)
  `FAA_COVER(warp_per_cycle_stream, next_warp && warp_full)

endmodule
