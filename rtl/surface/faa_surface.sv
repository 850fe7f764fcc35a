// SPDX-License-Identifier: Apache-2.0
//
// Surfaces of SUATOM: turns the coordinates of a warp into virtual addresses, between operands and access. Warps of other commands pass
// by. Structure, stalls and hazards: Documentation/surface-unit.rst.
//
// Warps come and go in beats of Lanes lanes. Coordinates are put together in S; operands b and c of
// a warp wait in a RAM of beats until its addresses leave.
//
//   S   a warp waits until the header of its lowest lane is known; lanes of one header leave together as a pass
//   C   coordinates are compared with the bounds (faa_surface_bounds)
//   M   products, A sum (faa_surface_address)
//   O   the passes of a warp are put together again
//
// C, M and A have Lanes lanes per cycle: a pass goes through them in groups of that many lanes,
// those that have a lane of it.
//
// Latency: 5 cycles from the last beat with a known header, 1 more for each further group, and with
// fewer than 32 lanes 1 more. Throughput: a group per cycle; with 32 lanes a warp where all lanes
// have one header.
// Stalls (stall_o, counter STALL_SURFACE): H1 a header or the constant word is read; H2 the warp has lanes of further headers. H3 access takes
//   no warp (no counter here).
// Hazards: H1 warps that were read ahead and must be read anew: flush_i drops them; H2 headers that have become stale: drop_i, while quiet_o;
//   H3 errors of passes come before those of lower lanes are known: the lowest lane counts, a warp's error leaves with the warp.

`include "faa_assert.svh"

module faa_surface #(
  parameter int unsigned Lanes = 32,         // 32, 16, 8 or 4
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  faa_cu_pkg::cmd_t cmd_i,            // stable while a command is in the front
  input  faa_surface_pkg::config_t config_i,
  input  logic             drop_i,           // forget headers and constant words
  input  logic             flush_i,          // drop all warps
  output logic             quiet_o,          // no warp, nothing is read
  output logic             stall_o,
  output logic             ev_header_o,

  // Of the command: third coordinate, handle
  input  logic [1023:0]    z_i,
  input  logic [1023:0]    handle_i,

  input  logic             warp_valid_i,
  output logic             warp_ready_o,
  input  logic [31:0]      warp_mask_i,
  input  logic [31:0]      warp_element_i,
  input  logic [5:0]       warp_count_i,
  input  logic             warp_last_i,
  input  faa_cu_pkg::part_t warp_part_i,
  input  logic [Lanes*64-1:0] warp_a_i,
  input  logic [Lanes*64-1:0] warp_b_i,
  input  logic [Lanes*64-1:0] warp_c_i,
  input  logic [63:0]      warp_d_va_i,
  input  logic [7:0]       warp_error_i,
  input  logic [4:0]       warp_lane_i,
  input  logic [63:0]      warp_address_i,

  output logic             warp_valid_o,
  input  logic             warp_ready_i,
  output logic [31:0]      warp_mask_o,
  output logic [31:0]      warp_null_o,      // active lanes without a place in memory
  output logic [3:0]       warp_typ_o,       // enum type, SD32 and SD64 resolved
  output logic [31:0]      warp_element_o,
  output logic [5:0]       warp_count_o,
  output logic             warp_last_o,
  output faa_cu_pkg::part_t warp_part_o,
  output logic [Lanes*64-1:0] warp_a_o,      // addresses
  output logic [Lanes*64-1:0] warp_b_o,
  output logic [Lanes*64-1:0] warp_c_o,
  output logic [63:0]      warp_d_va_o,
  output logic [7:0]       warp_error_o,
  output logic [4:0]       warp_lane_o,
  output logic [63:0]      warp_address_o,

  output logic             tr_valid_o,
  input  logic             tr_ready_i,
  output logic [63:0]      tr_va_o,
  input  logic             tr_rsp_valid_i,
  input  logic [7:0]       tr_rsp_error_i,
  input  logic [63:0]      tr_rsp_pa_i,
  input  logic             tr_rsp_sparse_i,

  output logic             mem_valid_o,
  input  logic             mem_ready_i,
  output logic [51:OffW]      mem_line_o,
  input  logic             mem_rsp_valid_i,
  input  logic [LineW-1:0]     mem_rsp_data_i,
  input  logic             mem_rsp_err_i
);

  // What a warp leaves here while its coordinates go through.
  typedef struct packed {
    logic [31:0]   mask;
    logic [31:0]   element;
    logic [5:0]    count;
    logic          is_last;
    logic [63:0]   d_va;
    logic [7:0]    error;
    logic [4:0]    lane;
    logic [63:0]   address;
  } rest_t;

  localparam int unsigned Groups = 32 / Lanes;
  localparam int unsigned Warps = 6;         // in S, C, M, A, O, and one more
  localparam int unsigned Rows = 8 * Groups; // beats of as many and more

  logic is_surface, is_sd;
  assign is_surface = cmd_i.opcode == faa_pkg::OPCODE_SUATOM;
  assign is_sd      = cmd_i.typ == faa_pkg::TYPE_SD32 || cmd_i.typ == faa_pkg::TYPE_SD64;

  // -------------------------------------------------------------------------------------------------------------
  // S

  logic          s_valid_q, s_ready, s_done, take, take_last, rest_ready, begun_s_q;
  logic [31:0]   pending_q, group;
  logic [2047:0] s_a_q;
  logic [4:0]    leader;
  logic [19:0]   index, word;
  logic          none, out_of_bank, in_pool, known, word_known, need_word, need_header, failed, bad, sign, sign_known_q, sign_q, has_surface;
  logic          pass_valid, pass_ready, pass_go, headers_quiet;
  logic [7:0]    read_error;
  logic [63:0]   read_address;
  faa_surface_pkg::entry_t entry;
  faa_surface_pkg::pass_t         s_pass;
  logic          by_lane, by_word;

  assign s_ready = (!s_valid_q || s_done) && rest_ready && !flush_i;
  assign take    = is_surface && warp_valid_i && s_ready;
  assign take_last = take && warp_part_i.last;
  assign by_lane = cmd_i.handle_kind == faa_pkg::HANDLE_KIND_REG;
  assign by_word = cmd_i.handle_kind == faa_pkg::HANDLE_KIND_BANK;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) s_valid_q <= 1'b0;
    else if (take_last) s_valid_q <= 1'b1;
    else if (s_done) s_valid_q <= 1'b0;
    if (!rst_ni || flush_i) begun_s_q <= 1'b0;
    else if (take) begun_s_q <= !warp_part_i.last;
    for (int unsigned n = 0; n < Groups; n++) begin
      if (take && warp_part_i.number == 3'(n)) s_a_q[n*Lanes*64 +: Lanes*64] <= warp_a_i;
    end
    if (take_last) begin
      // A warp with an error of its operands has nothing to look up.
      pending_q    <= warp_error_i == faa_pkg::ERROR_SUCCESS ? warp_mask_i : '0;
      sign_known_q <= 1'b0;
      sign_q       <= 1'b0;
    end else if (pass_go) begin
      pending_q <= pending_q & ~group;
      if (has_surface) begin
        sign_known_q <= 1'b1;
        sign_q       <= sign;
      end
    end
  end

  assign leader      = faa_cu_pkg::lowest(pending_q);
  assign index       = by_lane ? handle_i[{leader, 5'b0} +: 20] : by_word ? word : cmd_i.handle;
  assign none        = pending_q == '0;
  assign in_pool     = {1'b0, index} < config_i.count;
  assign out_of_bank = !none && by_word && {1'b0, cmd_i.handle[12:0]} >= config_i.words;
  assign need_word   = !none && by_word && !out_of_bank && !word_known;
  assign need_header = !none && !out_of_bank && !need_word && in_pool && !known;
  assign has_surface = !none && !out_of_bank && in_pool && !failed && !entry.disabled;
  assign sign        = sign_known_q ? sign_q : entry.sint;
  assign bad         = has_surface && (!entry.dims[cmd_i.dim] || (is_sd && entry.sint != sign));

  always_comb begin
    group = pending_q;
    if (s_valid_q && by_lane) begin
      for (int l = 0; l < 32; l++) group[l] = pending_q[l] && handle_i[l*32 +: 20] == index;
    end
  end

  always_comb begin
    s_pass            = '0;
    s_pass.lanes      = group;
    s_pass.null_lanes = has_surface ? '0 : group;
    s_pass.is_last    = group == pending_q;
    s_pass.sign       = has_surface ? sign : sign_q;
    s_pass.lane       = leader;
    if (out_of_bank) begin
      s_pass.error   = faa_pkg::ERROR_BANK_RANGE;
      s_pass.address = {42'b0, cmd_i.handle, 2'b0};
    end else if (failed) begin
      s_pass.error   = read_error;
      s_pass.address = read_address;
    end else if (bad) begin
      s_pass.error   = faa_pkg::ERROR_BAD_HEADER;
      s_pass.address = {15'b0, {1'b0, config_i.pool, 5'b0} + {24'b0, index, 5'b0}};
    end
    // What comes behind is in lanes above.
    if (s_pass.error != faa_pkg::ERROR_SUCCESS) s_pass.is_last = 1'b1;
  end

  assign pass_valid = s_valid_q && (failed || (!need_word && !need_header));
  assign pass_go    = pass_valid && pass_ready;
  assign s_done     = pass_go && s_pass.is_last;

  faa_surface_headers #(
    .LineBytes(LineBytes)
  ) u_headers (
    .clk_i,
    .rst_ni,
    .drop_i,
    .quiet_o      (headers_quiet),
    .config_i,
    .index_i      (index),
    .known_o      (known),
    .entry_o      (entry),
    .word_index_i (cmd_i.handle[12:0]),
    .word_known_o (word_known),
    .word_o       (word),
    .ask_i        (s_valid_q && need_header && !flush_i),
    .ask_word_i   (s_valid_q && need_word && !flush_i),
    .flush_i,
    .failed_o     (failed),
    .failed_take_i(pass_go),
    .error_o      (read_error),
    .address_o    (read_address),
    .ev_header_o,
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
    .mem_rsp_valid_i,
    .mem_rsp_data_i,
    .mem_rsp_err_i
  );

  // -------------------------------------------------------------------------------------------------------------
  // C

  logic             c_valid_q, c_void_q;      // void: no lane has a surface
  faa_surface_pkg::pass_t            c_pass_q, c_pass;
  faa_surface_pkg::entry_t c_entry_q;
  logic [19:0]      c_index_q;
  logic [2047:0]    c_a_q;
  logic             c_look, m_ready;
  logic             c_last;                   // the last group of the pass
  logic [Groups-1:0] c_group, c_left;
  logic [4:0]       c_first;                  // first lane of the group
  faa_cu_pkg::beat_no_t c_beat;                   // its number
  logic [31:0]      c_lanes;
  logic [Lanes*64-1:0] c_a;
  logic [Lanes*32-1:0] c_z;
  logic [Lanes*36-1:0] xb;
  logic [Lanes*16-1:0] y, t;
  logic [Lanes-1:0] out;
  logic             trap;
  logic [4:0]       trap_lane;
  logic [63:0]      trap_address;

  assign pass_ready = !c_valid_q || (m_ready && c_last);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) c_valid_q <= 1'b0;
    else if (pass_ready) c_valid_q <= pass_valid;
    if (pass_go) begin
      c_pass_q  <= s_pass;
      c_void_q  <= !has_surface || bad;
      c_entry_q <= entry;
      c_index_q <= index;
      c_a_q     <= s_a_q;
    end
  end

  assign c_look = c_valid_q && !c_void_q;

  // The groups of the pass, one after the other; a pass without addresses takes one cycle.
  if (Groups == 1) begin : gen_one_group
    assign c_left = 1'b1;
  end else begin : gen_groups
    logic [Groups-1:0] done_q;
    for (genvar g = 0; g < Groups; g++) begin : g_group
      assign c_left[g] = c_pass_q.lanes[g*Lanes +: Lanes] != '0 && !done_q[g];
    end
    always_ff @(posedge clk_i) begin
      if (pass_ready) done_q <= '0;
      else if (m_ready) done_q <= done_q | c_group;
    end
  end
  assign c_group = c_left & -c_left;
  assign c_last  = c_void_q || c_left == c_group;

  always_comb begin
    c_a     = '0;
    c_z     = '0;
    c_first = '0;
    c_beat  = '0;
    c_lanes = '0;
    for (int unsigned g = 0; g < Groups; g++) begin
      if (c_group[g]) begin
        c_a     = c_a | c_a_q[g*Lanes*64 +: Lanes*64];
        c_z     = c_z | z_i[g*Lanes*32 +: Lanes*32];
        c_first = c_first | 5'(g * Lanes);
        c_beat  = c_beat | 3'(g);
        c_lanes[g*Lanes +: Lanes] = c_pass_q.lanes[g*Lanes +: Lanes];
      end
    end
  end

  faa_surface_bounds #(
    .Lanes(Lanes)
  ) u_bounds (
    .lanes_i       (Lanes'(c_lanes >> c_first)),
    .entry_i       (c_entry_q),
    .index_i       (c_index_q),
    .a_i           (c_a),
    .z_i           (c_z),
    .dim_i         (cmd_i.dim),
    .packed_i      (cmd_i.coords_packed),
    .ba_i          (cmd_i.ba),
    .clamp_i       (cmd_i.clamp),
    .size_i        (faa_cu_pkg::size_log2(cmd_i.typ)),
    .xb_o          (xb),
    .y_o           (y),
    .t_o           (t),
    .out_o         (out),
    .trap_o        (trap),
    .trap_lane_o   (trap_lane),
    .trap_address_o(trap_address)
  );

  always_comb begin
    c_pass         = c_pass_q;
    c_pass.is_last = c_pass_q.is_last && c_last;
    if (c_look) begin
      c_pass.lanes      = c_lanes;
      c_pass.null_lanes = 32'(out) << c_first;
      c_pass.has_va     = 1'b1;
      c_pass.beat       = c_beat;
      if (trap) begin
        c_pass.error   = faa_pkg::ERROR_TRAP;
        c_pass.lane    = c_first | trap_lane;
        c_pass.address = trap_address;
      end
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // M, A

  logic             a_valid, o_ready, arithmetic_idle;
  logic [Lanes*48-1:0] va;
  faa_surface_pkg::pass_t            a_pass;

  faa_surface_address #(
    .Lanes(Lanes),
    .MetaW($bits(faa_surface_pkg::pass_t))
  ) u_address (
    .clk_i,
    .rst_ni,
    .flush_i,
    .valid_i(c_valid_q),
    .ready_o(m_ready),
    .none_i (c_void_q),
    .entry_i(c_entry_q),
    .is_3d_i(cmd_i.dim == faa_pkg::DIM_D3),
    .xb_i   (xb),
    .y_i    (y),
    .t_i    (t),
    .meta_i (c_pass),
    .valid_o(a_valid),
    .ready_i(o_ready),
    .va_o   (va),
    .meta_o (a_pass),
    .idle_o (arithmetic_idle)
  );

  // -------------------------------------------------------------------------------------------------------------
  // O

  logic                full, o_take, o_idle, o_sign, beat_valid, beat_room;
  faa_cu_pkg::part_t   o_part;
  logic [Lanes*64-1:0] o_a, rest_b, rest_c;
  logic [31:0]         o_null;
  logic [7:0]          o_error;
  logic [4:0]          o_lane;
  logic [63:0]         o_address;

  faa_surface_out #(
    .Lanes(Lanes)
  ) u_out (
    .clk_i,
    .rst_ni,
    .flush_i,
    .valid_i  (a_valid),
    .ready_o  (o_ready),
    .pass_i   (a_pass),
    .va_i     (va),
    .valid_o  (full),
    .ready_i  (is_surface && warp_ready_i),
    .done_o   (o_take),
    .part_o   (o_part),
    .va_o     (o_a),
    .null_o   (o_null),
    .sign_o   (o_sign),
    .error_o  (o_error),
    .lane_o   (o_lane),
    .address_o(o_address),
    .idle_o   (o_idle)
  );

  rest_t rest;
  logic  rest_valid;
  logic [$clog2(Warps+1)-1:0] rest_count;

  faa_fifo #(
    .Width($bits(rest_t)),
    .Depth(Warps)
  ) u_rest (
    .clk_i,
    .rst_ni (rst_ni && !flush_i),
    .valid_i(take_last),
    .ready_o(rest_ready),
    .data_i ({warp_mask_i, warp_element_i, warp_count_i, warp_last_i, warp_d_va_i, warp_error_i,
              warp_lane_i, warp_address_i}),
    .valid_o(rest_valid),
    .ready_i(o_take),
    .data_o (rest),
    .count_o(rest_count)
  );

  faa_fifo_ram #(
    .Width(2 * Lanes * 64),
    .Depth(Rows)
  ) u_beats (
    .clk_i,
    .rst_ni (rst_ni && !flush_i),
    .valid_i(take),
    .ready_o(beat_room),
    .data_i ({warp_c_i, warp_b_i}),
    .valid_o(beat_valid),
    .ready_i(is_surface && full && warp_ready_i),
    .data_o ({rest_c, rest_b})
  );

  always_comb begin
    warp_part_o    = warp_part_i;
    warp_valid_o   = warp_valid_i;
    warp_ready_o   = warp_ready_i;
    warp_mask_o    = warp_mask_i;
    warp_null_o    = '0;
    warp_typ_o     = cmd_i.typ;
    warp_element_o = warp_element_i;
    warp_count_o   = warp_count_i;
    warp_last_o    = warp_last_i;
    warp_a_o       = warp_a_i;
    warp_b_o       = warp_b_i;
    warp_c_o       = warp_c_i;
    warp_d_va_o    = warp_d_va_i;
    warp_error_o   = warp_error_i;
    warp_lane_o    = warp_lane_i;
    warp_address_o = warp_address_i;
    if (is_surface) begin
      warp_valid_o   = full;
      warp_ready_o   = s_ready;
      warp_mask_o    = rest.mask;
      warp_null_o    = o_null;
      warp_element_o = rest.element;
      warp_count_o   = rest.count;
      warp_last_o    = rest.is_last;
      warp_part_o    = o_part;
      warp_a_o       = o_a;
      warp_b_o       = rest_b;
      warp_c_o       = rest_c;
      warp_d_va_o    = rest.d_va;
      warp_error_o   = o_error;
      warp_lane_o    = o_lane;
      warp_address_o = o_address;
      if (rest.error != faa_pkg::ERROR_SUCCESS) begin
        warp_error_o   = rest.error;
        warp_lane_o    = rest.lane;
        warp_address_o = rest.address;
      end
      if (cmd_i.typ == faa_pkg::TYPE_SD32) begin
        warp_typ_o = o_sign ? faa_pkg::TYPE_S32 : faa_pkg::TYPE_U32;
      end
      if (cmd_i.typ == faa_pkg::TYPE_SD64) begin
        warp_typ_o = o_sign ? faa_pkg::TYPE_S64 : faa_pkg::TYPE_U64;
      end
    end
  end

  assign quiet_o = !s_valid_q && !begun_s_q && !c_valid_q && arithmetic_idle && o_idle &&
                   headers_quiet;
  assign stall_o = s_valid_q && ((!failed && (need_word || need_header)) || (pass_go && !s_pass.is_last));

  logic unused;
  assign unused = ^{cmd_i, rest_count};

  `FAA_ASSERT(rest_of_a_warp, !full || (rest_valid && beat_valid))
  `FAA_ASSERT(beats_have_room, !take || beat_room)
  `FAA_ASSERT(quiet_without_surfaces,
              is_surface || (!s_valid_q && !c_valid_q && arithmetic_idle && o_idle))
  `FAA_ASSERT(null_lanes_are_active, !(full && is_surface) || (o_null & ~rest.mask) == '0)
  `FAA_COVER(stall_h1, s_valid_q && need_header && !failed)
  `FAA_COVER(stall_h1_word, s_valid_q && need_word && !failed)
  `FAA_COVER(stall_h2, pass_go && !s_pass.is_last)
  `FAA_COVER(hazard_h1, flush_i && full && !headers_quiet)
  `FAA_COVER(warp_per_cycle, o_take && a_valid && a_pass.is_last && take_last)
  `FAA_COVER(signs_differ, pass_go && bad && entry.dims[cmd_i.dim])
  `FAA_COVER(operand_error_passes, full && is_surface && rest.error != '0)

endmodule
