// SPDX-License-Identifier: Apache-2.0
//
// faa_surface, a lane at a time, for builds where few look-up tables matter more than cycles: turns
// the coordinates of a warp of SUATOM into virtual addresses.
//
// The coordinates of all lanes come first; then the addresses are given, lane by lane. The other
// operands bypass this module. Lanes do not overlap:
//
//   Idle    a lane is taken
//   Look    its header is looked up, or read, until it is known, after a read for a dropped warp
//   Size    the greatest x of its row
//   Bounds  coordinates are compared with the bounds (faa_surface_bounds)
//   Place   products and sum (faa_surface_address); the address is kept
//   Get     all lanes have come: the address of a lane is read
//   Give    it is offered
//
// Latency: 8 cycles a lane with a known header, 4 for one without a surface, then 2 a lane. The
// first error is that of the lowest lane; headers of lanes after it are not looked up.
// Stalls: SUR-S1 (a header or the constant word is read; stall_o, counter STALL_SURFACE).
//
// Hazards: SUR-H1 (flush_i drops a warp that was read ahead and must be read again); SUR-H2
// (drop_i, while quiet_o, drops stale headers).

`include "faa_assert.svh"

module faa_surface_serial #(
  parameter int unsigned LineBytes = 16,   // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  faa_cu_pkg::cmd_t cmd_i,            // stable while a command is in the front
  input  faa_surface_pkg::config_t config_i,
  input  logic             drop_i,           // drop headers and constant words
  input  logic             flush_i,          // drop the warp
  output logic             quiet_o,          // no warp, and no read in progress
  output logic             stall_o,
  output logic             ev_header_o,

  // Coordinates, lanes 0 to 31. Fields of the warp are held until its last address is taken.
  input  logic             lane_valid_i,
  output logic             lane_ready_o,
  input  logic [31:0]      warp_mask_i,
  input  logic [7:0]       warp_error_i,     // of the operands: no look-up
  input  logic [63:0]      lane_a_i,
  input  logic [31:0]      lane_z_i,         // third coordinate, if it has a register
  input  logic [31:0]      lane_handle_i,

  // Addresses, lanes 0 to 31
  output logic             lane_valid_o,
  input  logic             lane_ready_i,
  output logic [47:0]      lane_va_o,
  output logic             lane_null_o,      // active, without an address
  output logic [31:0]      warp_null_o,      // of all lanes, when the last address has been taken
  output logic [3:0]       warp_typ_o,       // enum type, SD32 and SD64 resolved
  output logic [7:0]       warp_error_o,     // of coordinates, with each lane
  output logic [4:0]       warp_lane_o,
  output logic [63:0]      warp_address_o,

  output logic             tr_valid_o,
  input  logic             tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic             tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  output logic             mem_valid_o,
  input  logic             mem_ready_i,
  output logic [51:OffW]   mem_line_o,
  input  logic             mem_rsp_valid_i,
  input  logic [LineW-1:0] mem_rsp_data_i,
  input  logic             mem_rsp_err_i
);

  typedef enum logic [2:0] {
    StIdle,
    StLook,
    StSize,
    StBounds,
    StPlace,
    StGet,
    StGive
  } state_e;

  state_e       state_q;
  logic [4:0]   lane_q;                     // the current lane
  logic [31:0]  mask_q, null_q;             // of lanes from this one on; of those before
  logic [63:0]  a_q;
  logic [31:0]  z_q;
  logic [19:0]  handle_q, index, word;
  logic         take, active, lane_done, null_lane;
  logic         by_lane, by_word, in_pool, out_of_bank, known, word_known, need_word, need_header;
  logic         failed, has_surface, sign, sign_known_q, sign_q, bad, is_sd, looked;
  logic         headers_quiet;
  logic [1:0]   look_q;                     // in Look: the word is known or not; the header too
  logic [7:0]   read_error, error_q;
  logic [4:0]   error_lane_q;
  logic [63:0]  read_address, error_address_q;
  logic [37:0]  x_max_q;                    // {none, greatest x}
  faa_surface_pkg::entry_t entry;

  assign is_sd   = cmd_i.typ == faa_pkg::TYPE_SD32 || cmd_i.typ == faa_pkg::TYPE_SD64;
  assign by_lane = cmd_i.handle_kind == faa_pkg::HANDLE_KIND_REG;
  assign by_word = cmd_i.handle_kind == faa_pkg::HANDLE_KIND_BANK;

  // -----------------------------------------------------------------------------------------------
  // Lanes

  assign lane_ready_o = state_q == StIdle;
  assign take         = lane_valid_i && lane_ready_o && !flush_i;
  // After an error of a warp no further lane is looked up.
  assign active       = (lane_q == '0 ? warp_mask_i[0] : mask_q[0]) &&
                        warp_error_i == faa_pkg::ERROR_SUCCESS &&
                        (lane_q == '0 || error_q == faa_pkg::ERROR_SUCCESS);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) begin
      state_q <= StIdle;
      lane_q  <= '0;
    end else begin
      case (state_q)
        StIdle: if (take) state_q <= active ? StLook : lane_q == '1 ? StGet : StIdle;
        StLook:
          if (looked) state_q <= has_surface && !bad ? StSize : lane_q == '1 ? StGet : StIdle;
        StSize: state_q <= StBounds;
        StBounds: state_q <= StPlace;
        StPlace: if (lane_done) state_q <= lane_q == '1 ? StGet : StIdle;
        StGet: state_q <= StGive;
        default: if (lane_ready_i) state_q <= lane_q == '1 ? StIdle : StGet;
      endcase
      if (lane_done || (state_q == StGive && lane_ready_i)) lane_q <= lane_q + 5'd1;
    end

    if (take) begin
      a_q      <= lane_a_i;
      z_q      <= lane_z_i;
      handle_q <= lane_handle_i[19:0];
      mask_q   <= lane_q == '0 ? warp_mask_i >> 1 : mask_q >> 1;
    end
    if (lane_done) null_q <= {null_lane, null_q[31:1]};
    else if (state_q == StGive && lane_ready_i) null_q <= {null_q[0], null_q[31:1]};
  end

  // -----------------------------------------------------------------------------------------------
  // Look

  assign index       = by_lane ? handle_q : by_word ? word : cmd_i.handle;
  assign need_word   = by_word && !out_of_bank && !word_known;
  assign need_header = !out_of_bank && !need_word && in_pool && !known;
  assign has_surface = !out_of_bank && in_pool && !failed && !entry.disabled;
  assign sign        = sign_known_q ? sign_q : entry.sint;
  assign bad         = has_surface && (!entry.dims[cmd_i.dim] || (is_sd && entry.sint != sign));
  assign looked      = state_q == StLook &&
                       (failed || (look_q[1] && !need_header));

  // Word and header are looked up by an index that was valid in the cycle before. A look-up begins
  // when the headers are quiet: a header or word that was read for a dropped warp would enter the
  // table while this lane uses an entry, which is found anew in each cycle.
  always_ff @(posedge clk_i) begin
    look_q[0]   <= rst_ni && state_q == StLook && !looked && (look_q[0] || headers_quiet);
    look_q[1]   <= rst_ni && state_q == StLook && !looked && look_q[0] && !need_word;
    in_pool     <= {1'b0, index} < config_i.count;
    out_of_bank <= by_word && {1'b0, cmd_i.handle[12:0]} >= config_i.words;
  end

  always_ff @(posedge clk_i) begin
    if (take && lane_q == '0) begin
      sign_known_q <= 1'b0;
      sign_q       <= 1'b0;
    end else if (looked && has_surface) begin
      sign_known_q <= 1'b1;
      sign_q       <= sign;
    end
  end

  faa_surface_headers #(
    .LineBytes(LineBytes),
    .Late     (1'b1)
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
    .ask_i        (state_q == StLook && look_q[1] && need_header && !flush_i),
    .ask_word_i   (state_q == StLook && look_q[0] && need_word && !flush_i),
    .flush_i,
    .failed_o     (failed),
    .failed_take_i(looked),
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

  // -----------------------------------------------------------------------------------------------
  // Size, Bounds, Place

  logic        out, trap, placed, room, place_idle, placed_meta;
  logic [35:0] xb;
  logic [15:0] y, t;
  logic [47:0] va;
  logic [4:0]  trap_lane;
  logic [63:0] trap_address;

  always_ff @(posedge clk_i) begin
    if (state_q == StSize) begin
      x_max_q <= faa_surface_pkg::x_max_of(entry.row, faa_cu_pkg::size_log2(cmd_i.typ), cmd_i.ba);
    end
  end

  faa_surface_bounds #(
    .Lanes(1)
  ) u_bounds (
    .lanes_i       (1'b1),
    .entry_i       (entry),
    .index_i       (index),
    .coords_i      (faa_surface_pkg::coords_of(a_q, z_q, cmd_i.dim, cmd_i.coords_packed)),
    .dim_i         (cmd_i.dim),
    .ba_i          (cmd_i.ba),
    .clamp_i       (cmd_i.clamp),
    .size_i        (faa_cu_pkg::size_log2(cmd_i.typ)),
    .x_max_i       (x_max_q[36:0]),
    .none_i        (x_max_q[37]),
    .xb_o          (xb),
    .y_o           (y),
    .t_o           (t),
    .out_o         (out),
    .trap_o        (trap),
    .trap_lane_o   (trap_lane),
    .trap_address_o(trap_address)
  );

  logic out_q;
  always_ff @(posedge clk_i) if (state_q == StBounds) out_q <= out;

  faa_surface_address #(
    .Lanes(1),
    .MetaW(1)
  ) u_address (
    .clk_i,
    .rst_ni,
    .flush_i,
    .valid_i(state_q == StBounds),
    .ready_o(room),
    .none_i (1'b0),
    .entry_i(entry),
    .is_3d_i(cmd_i.dim == faa_pkg::DIM_D3),
    .xb_i   (xb),
    .y_i    (y),
    .t_i    (t),
    .meta_i (1'b0),
    .valid_o(placed),
    .ready_i(1'b1),
    .va_o   (va),
    .meta_o (placed_meta),
    .idle_o (place_idle)
  );

  // A lane without a surface has no address, unless it is inactive or has an error.
  assign lane_done = (take && !active) || (looked && !(has_surface && !bad)) ||
                     (state_q == StPlace && placed);
  assign null_lane = state_q == StLook ? !has_surface : state_q == StPlace && out_q;

  faa_ram_1r1w #(
    .Width(48),
    .Depth(512)                             // that of a block RAM; 32 are used
  ) u_places (
    .clk_i,
    .we_i   (state_q == StPlace && placed),
    .waddr_i({4'b0, lane_q}),
    .wdata_i(va),
    .re_i   (state_q == StGet),
    .raddr_i({4'b0, lane_q}),
    .rdata_o(lane_va_o)
  );

  // -----------------------------------------------------------------------------------------------
  // The error of the lowest lane

  always_ff @(posedge clk_i) begin
    if (take && lane_q == '0) error_q <= faa_pkg::ERROR_SUCCESS;
    else if (looked) begin
      if (out_of_bank) error_q <= faa_pkg::ERROR_BANK_RANGE;
      else if (failed) error_q <= read_error;
      else if (bad) error_q <= faa_pkg::ERROR_BAD_HEADER;
    end else if (state_q == StBounds && trap) begin
      error_q <= faa_pkg::ERROR_TRAP;
    end
    if (state_q == StLook || state_q == StBounds) error_lane_q <= lane_q;
    if (state_q == StLook) begin
      error_address_q <= out_of_bank ? {42'b0, cmd_i.handle, 2'b0} :
                         failed ? read_address :
                         {15'b0, {1'b0, config_i.pool, 5'b0} + {24'b0, index, 5'b0}};
    end else if (state_q == StBounds) begin
      error_address_q <= trap_address;
    end
  end

  assign lane_valid_o   = state_q == StGive;
  assign lane_null_o    = null_q[0];
  assign warp_null_o    = null_q;           // all lanes have been shifted through
  assign warp_error_o   = error_q;
  assign warp_lane_o    = error_lane_q;
  assign warp_address_o = error_address_q;
  always_comb begin
    case (cmd_i.typ)
      faa_pkg::TYPE_SD32: warp_typ_o = sign_q ? faa_pkg::TYPE_S32 : faa_pkg::TYPE_U32;
      faa_pkg::TYPE_SD64: warp_typ_o = sign_q ? faa_pkg::TYPE_S64 : faa_pkg::TYPE_U64;
      default: warp_typ_o = cmd_i.typ;
    endcase
  end

  assign quiet_o = state_q == StIdle && lane_q == '0 && place_idle && headers_quiet;
  assign stall_o = state_q == StLook && !looked;

  logic unused;
  assign unused = ^{cmd_i, lane_handle_i[31:20], trap_lane, room, placed_meta};

  `FAA_ASSERT(room_for_an_address, state_q != StBounds || room)
  `FAA_ASSERT(entry_is_used_at_rest,
              !(state_q inside {StSize, StBounds}) || (headers_quiet && known))
  `FAA_ASSERT(quiet_without_surfaces, cmd_i.opcode == faa_pkg::OPCODE_SUATOM || !lane_valid_i)
  `FAA_COVER(stall_s1, state_q == StLook && look_q[1] && need_header && !failed)
  `FAA_COVER(stall_s1_word, state_q == StLook && need_word && !failed)
  `FAA_COVER(hazard_h1, flush_i && !headers_quiet)
  `FAA_COVER(signs_differ, looked && bad && entry.dims[cmd_i.dim])

endmodule
