// SPDX-License-Identifier: Apache-2.0
//
// Surfaces of SUATOM: turns the coordinates of a warp into virtual addresses, between operands and
// access. Warps of other commands are passed through. Structure, stalls and hazards:
// Documentation/surface-unit.rst.
//
// Warps come and leave in beats of Lanes lanes. Operands b and c of a warp wait in a RAM of beats
// until its addresses leave.
//
//   S   groups of SurfaceLanes lanes, one after the other: the lanes that have the header of the
//       lowest one leave together as a pass
//   L   the pass waits until its header is known
//   C   coordinates are compared with the bounds (faa_surface_bounds)
//   M   products, A sum (faa_surface_address)
//   O   the passes of a warp are put together again
//
// With SurfaceLanes = 32 the group is the warp, S is a register, and L is in the same cycle. Else S
// is a RAM with the beats of two warps: one comes while the groups of the other one leave.
//
// Latency: 5 cycles from the last beat with a known header; with groups 2 more, and 1 for each
// group before the last. Throughput: a group per cycle, if all its lanes have one header.
// Stalls: SUR-S1 (a header or the constant word is read) and SUR-S2 (the warp has lanes of further
// headers), with stall_o, counter STALL_SURFACE; SUR-S3 (access takes no warp; no counter here).
//
// Hazards: SUR-H1 (flush_i drops warps that were read ahead and must be read again); SUR-H2
// (drop_i, while quiet_o, drops stale headers); SUR-H3 (an error of a pass comes before those of
// lower lanes are known: the error of the lowest lane is used, and leaves with the warp).

`include "faa_assert.svh"

module faa_surface #(
  parameter int unsigned Lanes = 32,         // of a beat: 32, 16, 8 or 4
  // Lanes whose addresses are computed per cycle: 1 to Lanes, a power of two
  parameter int unsigned SurfaceLanes = Lanes,
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  faa_cu_pkg::cmd_t cmd_i,            // stable from the cycle before its first warp on
  input  faa_surface_pkg::config_t config_i,
  input  logic             drop_i,           // drop headers and constant words
  input  logic             flush_i,          // drop all warps
  output logic             quiet_o,          // no warp, and no read in progress
  output logic             stall_o,
  output logic             ev_header_o,

  input  logic             warp_valid_i,
  output logic             warp_ready_o,
  input  faa_cu_pkg::warp_t warp_i,
  input  faa_cu_pkg::part_t warp_part_i,
  input  logic [Lanes*64-1:0] warp_a_i,
  input  logic [Lanes*64-1:0] warp_b_i,
  input  logic [Lanes*64-1:0] warp_c_i,
  // Third coordinate and handle in registers; with 32 lanes they are held as long as the command
  input  logic [Lanes*32-1:0] warp_z_i,
  input  logic [Lanes*32-1:0] warp_handle_i,

  output logic             warp_valid_o,
  input  logic             warp_ready_i,
  output faa_cu_pkg::warp_t warp_o,
  output logic [31:0]      warp_null_o,      // active lanes without an address
  output logic [3:0]       warp_typ_o,       // enum type, SD32 and SD64 resolved
  output faa_cu_pkg::part_t warp_part_o,
  output logic [Lanes*64-1:0] warp_a_o,      // addresses
  output logic [Lanes*64-1:0] warp_b_o,
  output logic [Lanes*64-1:0] warp_c_o,

  output logic             tr_valid_o,
  input  logic             tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic             tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  output logic             mem_valid_o,
  input  logic             mem_ready_i,
  output logic [51:OffW]      mem_line_o,
  input  logic             mem_rsp_valid_i,
  input  logic [LineW-1:0]     mem_rsp_data_i,
  input  logic             mem_rsp_err_i
);

  localparam int unsigned SL = SurfaceLanes;
  localparam int unsigned Groups = 32 / SL;
  localparam int unsigned Warps = 6;            // in S or L, C, M, A, O, and one more
  localparam int unsigned Rows = 8 * 32 / Lanes; // beats of as many and more

  logic is_surface, is_sd;
  // A command's first warp comes a cycle after the command, or later.
  always_ff @(posedge clk_i) is_surface <= rst_ni && cmd_i.opcode == faa_pkg::OPCODE_SUATOM;
  assign is_sd      = cmd_i.typ == faa_pkg::TYPE_SD32 || cmd_i.typ == faa_pkg::TYPE_SD64;

  // -------------------------------------------------------------------------------------------------------------
  // S

  logic          s_ready, s_done, s_idle, take, take_last, rest_ready;
  logic          row_valid, row_last, row_done;  // a group, the last one of its warp, leaves S
  logic [4:0]    row_first;                 // its first lane
  logic [SL-1:0] pending, group;            // its lanes that are left; of these with one header
  logic [SL*64-1:0] row_a;
  logic [SL*32-1:0] row_z;
  logic [SL*20-1:0] row_handle;
  logic [31:0]   mask;                      // lanes that need a header
  logic [4:0]    leader;                    // lowest lane that is left, in the group
  logic          none, more;                // no lane is left; lanes of other headers are left
  logic          choose, choose_go;         // a pass of the group is there, it leaves S
  logic [19:0]   leader_index;              // in a register of the lowest lane
  logic [19:0]   look_index, index, word;   // looked up, of the pass in L
  logic          out_of_bank, in_pool, known, word_known, need_word, need_header, failed, bad, sign,
                 sign_known_q, sign_q, has_surface;
  logic          stall;
  logic          pass_valid, pass_ready, pass_go, headers_quiet;
  logic [7:0]    read_error;
  logic [63:0]   read_address;
  faa_surface_pkg::entry_t entry;
  faa_surface_pkg::pass_t         s_pass;
  logic          by_lane, by_word;

  // A pass in L
  typedef struct packed {
    logic              none;                // it has no lane
    logic              last;                // of its warp
    logic              more;                // its group has further lanes
    logic [4:0]        first;               // lane of the group
    logic [4:0]        leader;              // in the group
    logic [SL-1:0]     lanes;
    faa_surface_pkg::coords_t [SL-1:0] coords;
  } chosen_t;
  chosen_t       chosen, looking;
  // With 32 lanes the coordinates are separated in C: there {z, a} is the operands.
  faa_surface_pkg::coords_t [SL-1:0] row_coords, c_coords;
  logic          looking_q, l_idle;

  typedef struct packed {
    faa_surface_pkg::pass_t  pass;
    logic                    none;            // no lane has a surface
    faa_surface_pkg::entry_t entry;
    logic [19:0]             index;
    faa_surface_pkg::coords_t [SL-1:0] coords;
    logic [4:0]              first;
    logic [SL-1:0]           lanes;
  } looked_t;
  // The same in C
  looked_t     looked, c_q;

  assign take      = is_surface && warp_valid_i && s_ready;
  assign take_last = take && warp_part_i.last;
  assign by_lane = cmd_i.handle_kind == faa_pkg::HANDLE_KIND_REG;
  assign by_word = cmd_i.handle_kind == faa_pkg::HANDLE_KIND_BANK;
  // A warp with an error of its operands needs no header.
  assign mask    = warp_i.error == faa_pkg::ERROR_SUCCESS ? warp_i.mask : '0;

  if (Groups == 1) begin : gen_whole
    logic             valid_q;
    logic [31:0]      pending_q;
    logic [Lanes*64-1:0] a_q;

    assign s_ready = (!valid_q || s_done) && rest_ready && !flush_i;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || flush_i) valid_q <= 1'b0;
      else if (take) valid_q <= 1'b1;
      else if (s_done) valid_q <= 1'b0;
      if (take) a_q <= warp_a_i;
      if (take) pending_q <= mask;
      else if (choose_go) pending_q <= pending_q & ~group;
    end

    assign row_valid = valid_q;
    assign row_last  = 1'b1;
    assign row_first = 5'd0;
    assign pending   = pending_q;
    assign row_a     = a_q;
    assign row_z     = warp_z_i;
    for (genvar l = 0; l < Lanes; l++) begin : g_handle
      assign row_handle[l*20 +: 20] = warp_handle_i[l*32 +: 20];
    end
    assign s_idle    = !valid_q;

    logic unused_row;
    assign unused_row = ^{row_done, warp_handle_i};
  end else begin : gen_groups
    localparam int unsigned GroupW = $clog2(Groups);
    localparam int unsigned Subs = Lanes / SL;  // groups of a beat
    localparam int unsigned RowW = 64 + 32 + 20;
    localparam int unsigned BeatW = $clog2(32 / Lanes);

    logic [1:0]        full_q;              // warps that are complete
    logic [1:0][31:0]  mask_q;
    logic              in_q, out_q, begun_q, valid_q, last_q, read;
    logic [GroupW-1:0] next_q, group_q;     // the next group to read, the present one
    logic [SL-1:0]     lanes, pending_q;
    logic [BeatW:0]    write_at, read_at;
    logic [Lanes-1:0][RowW-1:0] rows;

    assign s_ready  = !full_q[in_q] && rest_ready && !flush_i;
    assign write_at = {in_q, warp_part_i.number[BeatW-1:0]};
    assign read_at  = {out_q, next_q[GroupW-1 -: BeatW]};
    assign read     = full_q[out_q] && (!valid_q || row_done);

    always_comb begin
      lanes = '0;
      for (int unsigned g = 0; g < Groups; g++) begin
        if (next_q == GroupW'(g)) lanes = mask_q[out_q][g*SL +: SL];
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni || flush_i) begin
        full_q  <= '0;
        in_q    <= 1'b0;
        out_q   <= 1'b0;
        begun_q <= 1'b0;
        valid_q <= 1'b0;
        next_q  <= '0;
      end else begin
        if (take) begun_q <= !warp_part_i.last;
        if (take_last) in_q <= !in_q;
        if (read) valid_q <= 1'b1;
        else if (row_done) valid_q <= 1'b0;
        if (read) next_q <= next_q + GroupW'(1);
        if (read && next_q == '1) out_q <= !out_q;
        for (int n = 0; n < 2; n++) begin
          if (take_last && in_q == 1'(n)) full_q[n] <= 1'b1;
          else if (read && next_q == '1 && out_q == 1'(n)) full_q[n] <= 1'b0;
        end
      end
      if (take_last) mask_q[in_q] <= mask;
      if (read) begin
        last_q    <= next_q == '1;
        group_q   <= next_q;
        pending_q <= lanes;
      end else if (choose_go) begin
        pending_q <= pending_q & ~group;
      end
    end

    for (genvar p = 0; p < Lanes; p++) begin : g_lane
      faa_ram_1r1w #(
        .Width(RowW),
        .Depth(64 / Lanes)
      ) u_ram (
        .clk_i,
        .we_i   (take),
        .waddr_i(write_at),
        .wdata_i({warp_handle_i[p*32 +: 20], warp_z_i[p*32 +: 32], warp_a_i[p*64 +: 64]}),
        .re_i   (read),
        .raddr_i(read_at),
        .rdata_o(rows[p])
      );
    end

    for (genvar l = 0; l < SL; l++) begin : g_row
      logic [RowW-1:0] row;
      always_comb begin
        row = rows[l];
        for (int unsigned n = 1; n < Subs; n++) begin
          if ((group_q & GroupW'(Subs - 1)) == GroupW'(n)) row = rows[n*SL + l];
        end
      end
      assign {row_handle[l*20 +: 20], row_z[l*32 +: 32], row_a[l*64 +: 64]} = row;
    end

    assign row_valid = valid_q;
    assign row_last  = last_q;
    assign row_first = 5'(group_q) << $clog2(SL);
    assign pending   = pending_q;
    assign s_idle    = full_q == '0 && !begun_q && !valid_q;

    logic unused_handle;
    assign unused_handle = ^warp_handle_i;

    `FAA_ASSERT(no_read_of_the_row_written, !(read && take && read_at == write_at))
  end

  always_ff @(posedge clk_i) begin
    if (s_done || !rst_ni || flush_i) begin
      sign_known_q <= 1'b0;
      sign_q       <= 1'b0;
    end else if (pass_go && has_surface) begin
      sign_known_q <= 1'b1;
      sign_q       <= sign;
    end
  end

  assign leader = faa_cu_pkg::lowest(32'(pending));
  assign none   = pending == '0;
  assign more   = group != pending;
  assign chosen = '{none: none, last: !more && row_last, more: more, first: row_first,
                    leader: leader, lanes: group, coords: row_coords};
  always_comb begin
    leader_index = row_handle[19:0];
    for (int unsigned n = 1; n < SL; n++) begin
      if (leader == 5'(n)) leader_index = row_handle[n*20 +: 20];
    end
  end

  // A group without a lane makes no pass, unless the warp ends with it.
  assign choose   = row_valid && (!none || row_last);
  assign row_done = row_valid && (choose_go ? !more : none && !row_last);

  always_comb begin
    group = pending;
    if (row_valid && by_lane) begin
      for (int unsigned n = 0; n < SL; n++) begin
        group[n] = pending[n] && row_handle[n*20 +: 20] == leader_index;
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // L

  if (Groups == 1) begin : gen_look_now
    for (genvar n = 0; n < SL; n++) begin : g_coords
      assign row_coords[n] = {row_z[n*32 +: 32], row_a[n*64 +: 64]};
      assign c_coords[n]   = faa_surface_pkg::coords_of({c_q.coords[n].y, c_q.coords[n].x},
                                                        warp_z_i[n*32 +: 32], cmd_i.dim,
                                                        cmd_i.coords_packed);
    end
    assign looking    = chosen;
    assign looking_q  = choose;
    assign l_idle     = 1'b1;
    assign choose_go  = pass_go;
    assign look_index = by_word ? word : by_lane ? leader_index : cmd_i.handle;
    assign index      = look_index;
  end else begin : gen_look
    // A pass is looked up when it comes, and again in each cycle that it stays.
    logic stays;
    for (genvar n = 0; n < SL; n++) begin : g_coords
      assign row_coords[n] = faa_surface_pkg::coords_of(row_a[n*64 +: 64], row_z[n*32 +: 32],
                                                        cmd_i.dim, cmd_i.coords_packed);
    end
    assign c_coords  = c_q.coords;
    assign stays     = looking_q && !pass_go;
    assign choose_go = choose && !stays;
    assign l_idle    = !looking_q;
    assign look_index = by_word ? word : stays ? index : by_lane ? leader_index : cmd_i.handle;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || flush_i) looking_q <= 1'b0;
      else looking_q <= choose_go || stays;
      if (choose_go) looking <= chosen;
      index <= look_index;
    end
  end

  assign in_pool     = {1'b0, index} < config_i.count;
  assign out_of_bank = !looking.none && by_word && {1'b0, cmd_i.handle[12:0]} >= config_i.words;
  assign need_word   = !looking.none && by_word && !out_of_bank && !word_known;
  assign need_header = !looking.none && !out_of_bank && !need_word && in_pool && !known;
  assign has_surface = !looking.none && !out_of_bank && in_pool && !failed && !entry.disabled;
  assign sign        = sign_known_q ? sign_q : entry.sint;
  assign bad         = has_surface && (!entry.dims[cmd_i.dim] || (is_sd && entry.sint != sign));

  always_comb begin
    s_pass            = '0;
    s_pass.lanes      = 32'(looking.lanes) << looking.first;
    s_pass.null_lanes = has_surface ? '0 : s_pass.lanes;
    s_pass.is_last    = looking.last;
    s_pass.sign       = has_surface ? sign : sign_q;
    s_pass.lane       = looking.first | looking.leader;
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
    // Passes after an error are of higher lanes; with groups their headers are looked up without
    // need.
    if (Groups == 1 && s_pass.error != faa_pkg::ERROR_SUCCESS) s_pass.is_last = 1'b1;
  end

  assign pass_valid = looking_q && (failed || (!need_word && !need_header));
  assign pass_go    = pass_valid && pass_ready;
  assign s_done     = pass_go && s_pass.is_last;

  faa_surface_headers #(
    .LineBytes(LineBytes),
    .Late     (Groups > 1)
  ) u_headers (
    .clk_i,
    .rst_ni,
    .drop_i,
    .quiet_o      (headers_quiet),
    .config_i,
    .index_i      (look_index),
    .known_o      (known),
    .entry_o      (entry),
    .word_index_i (cmd_i.handle[12:0]),
    .word_known_o (word_known),
    .word_o       (word),
    .ask_i        (looking_q && need_header && !flush_i),
    .ask_word_i   (looking_q && need_word && !flush_i),
    .flush_i,
    .failed_o     (failed),
    .failed_take_i(pass_go),
    .error_o      (read_error),
    .address_o    (read_address),
    .ev_header_o,
    .tr_valid_o,
    .tr_ready_i,
    .tr_req_o,
    .tr_rsp_valid_i,
    .tr_rsp_i,
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
  logic [SL-1:0]    c_lanes_q, out;
  logic [4:0]       c_first_q;                // first lane of the group
  logic             c_look, m_ready, trap;
  logic [SL*36-1:0] xb;
  logic [SL*16-1:0] y, t;
  logic [4:0]       trap_lane;
  logic [63:0]      trap_address;

  logic [37:0] x_max;                         // {none, greatest x}

  assign looked = '{pass: s_pass, none: !has_surface || bad, entry: entry, index: index,
                    coords: looking.coords, first: looking.first, lanes: looking.lanes};

  assign pass_ready = !c_valid_q || m_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) c_valid_q <= 1'b0;
    else if (pass_ready) c_valid_q <= pass_valid;
    if (pass_go) c_q <= looked;
  end

  if (Groups == 1) begin : gen_x_max
    assign x_max = faa_surface_pkg::x_max_of(c_q.entry.row, faa_cu_pkg::size_log2(cmd_i.typ),
                                             cmd_i.ba);
  end else begin : gen_x_max_before
    always_ff @(posedge clk_i) begin
      if (pass_go) begin
        x_max <= faa_surface_pkg::x_max_of(entry.row, faa_cu_pkg::size_log2(cmd_i.typ), cmd_i.ba);
      end
    end
  end

  assign {c_pass_q, c_void_q, c_entry_q, c_index_q, c_first_q, c_lanes_q} =
      {c_q.pass, c_q.none, c_q.entry, c_q.index, c_q.first, c_q.lanes};

  assign c_look = c_valid_q && !c_void_q;

  faa_surface_bounds #(
    .Lanes(SL)
  ) u_bounds (
    .lanes_i       (c_lanes_q),
    .entry_i       (c_entry_q),
    .index_i       (c_index_q),
    .coords_i      (c_coords),
    .dim_i         (cmd_i.dim),
    .ba_i          (cmd_i.ba),
    .clamp_i       (cmd_i.clamp),
    .size_i        (faa_cu_pkg::size_log2(cmd_i.typ)),
    .x_max_i       (x_max[36:0]),
    .none_i        (x_max[37]),
    .xb_o          (xb),
    .y_o           (y),
    .t_o           (t),
    .out_o         (out),
    .trap_o        (trap),
    .trap_lane_o   (trap_lane),
    .trap_address_o(trap_address)
  );

  always_comb begin
    c_pass = c_pass_q;
    if (c_look) begin
      c_pass.null_lanes = 32'(out) << c_first_q;
      c_pass.has_va     = 1'b1;
      c_pass.beat       = 3'(c_first_q >> $clog2(Lanes));
      if (trap) begin
        c_pass.error   = faa_pkg::ERROR_TRAP;
        c_pass.lane    = c_first_q | trap_lane;
        c_pass.address = trap_address;
      end
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // M, A

  logic             a_valid, o_ready, arithmetic_idle;
  logic [SL*48-1:0] va;
  faa_surface_pkg::pass_t            a_pass;

  faa_surface_address #(
    .Lanes(SL),
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
    .Lanes       (Lanes),
    .SurfaceLanes(SL)
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

  // Fields of a warp that wait here while its coordinates are processed
  faa_cu_pkg::warp_t rest;
  logic              rest_valid, rest_bad;    // bad: with an error of its operands
  logic [$clog2(Warps+1)-1:0] rest_count;

  faa_fifo #(
    .Width(1 + $bits(faa_cu_pkg::warp_t)),
    .Depth(Warps)
  ) u_rest (
    .clk_i,
    .rst_ni (rst_ni && !flush_i),
    .valid_i(take_last),
    .ready_o(rest_ready),
    .data_i ({warp_i.error != faa_pkg::ERROR_SUCCESS, warp_i}),
    .valid_o(rest_valid),
    .ready_i(o_take),
    .data_o ({rest_bad, rest}),
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
    warp_part_o  = warp_part_i;
    warp_valid_o = warp_valid_i;
    warp_ready_o = warp_ready_i;
    warp_o       = warp_i;
    warp_null_o  = '0;
    warp_typ_o   = cmd_i.typ;
    warp_a_o     = warp_a_i;
    warp_b_o     = warp_b_i;
    warp_c_o     = warp_c_i;
    if (is_surface) begin
      warp_valid_o = full;
      warp_ready_o = s_ready;
      warp_part_o  = o_part;
      warp_o       = rest;
      warp_null_o  = o_null;
      warp_a_o     = o_a;
      warp_b_o     = rest_b;
      warp_c_o     = rest_c;
      if (!rest_bad) begin
        warp_o.error   = o_error;
        warp_o.lane    = o_lane;
        warp_o.address = o_address;
      end
      if (cmd_i.typ == faa_pkg::TYPE_SD32) begin
        warp_typ_o = o_sign ? faa_pkg::TYPE_S32 : faa_pkg::TYPE_U32;
      end
      if (cmd_i.typ == faa_pkg::TYPE_SD64) begin
        warp_typ_o = o_sign ? faa_pkg::TYPE_S64 : faa_pkg::TYPE_U64;
      end
    end
  end

  assign quiet_o = s_idle && l_idle && !c_valid_q && arithmetic_idle && o_idle && headers_quiet;
  assign stall   = looking_q && ((!failed && (need_word || need_header)) ||
                                 (pass_go && looking.more && !s_done));
  always_ff @(posedge clk_i) stall_o <= rst_ni && stall;

  logic unused;
  assign unused = ^{cmd_i, rest_count, c_q};

  `FAA_ASSERT(rest_of_a_warp, !full || (rest_valid && beat_valid))
  `FAA_ASSERT(beats_have_room, !take || beat_room)
  `FAA_ASSERT(quiet_without_surfaces,
              is_surface || (s_idle && l_idle && !c_valid_q && arithmetic_idle && o_idle))
  `FAA_ASSERT(null_lanes_are_active, !(full && is_surface) || (o_null & ~rest.mask) == '0)
  `FAA_COVER(stall_s1, looking_q && need_header && !failed)
  `FAA_COVER(stall_s1_word, looking_q && need_word && !failed)
  `FAA_COVER(stall_s2, pass_go && looking.more && !s_done)
  `FAA_COVER(hazard_h1, flush_i && full && !headers_quiet)
  `FAA_COVER(warp_per_cycle, o_take && a_valid && a_pass.is_last && take_last)
  `FAA_COVER(signs_differ, pass_go && bad && entry.dims[cmd_i.dim])
  `FAA_COVER(operand_error_passes, full && is_surface && rest.error != '0)

endmodule
