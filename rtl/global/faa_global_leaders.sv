// SPDX-License-Identifier: Apache-2.0
//
// Stages L and K: which lanes share a line, and the keys by which the warp is sorted.
//
// L compares the lines of all pairs of lanes, and finds the port of each; K gives each lane the lowest lane on its line. Operations on U32 and S32 that are additions of
// something else become ADD here. Lanes on sparse pages take no part: what they answer is known (bit PLACE_ONE).
//
// Latency: 2 cycles. Throughput: one warp per cycle. Operands leave after L, to wait while the warp is sorted.

`include "faa_assert.svh"

module faa_global_leaders #(
  parameter int unsigned Ports = 1,
  parameter int unsigned Slices = 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  warp_valid_i,
  output logic                  warp_ready_o,
  input  logic [31:0]           warp_mask_i,
  input  logic [31:0]           warp_sparse_i,
  input  faa_shared_pkg::beat_t warp_i,         // op: enum atom_op
  input  logic [32*52-1:0]      warp_pa_i,
  input  logic [2047:0]         warp_b_i,
  input  logic [2047:0]         warp_c_i,

  // From L
  output logic                  put_o,
  input  logic                  room_i,
  output logic [1023:0]         place_o,        // without the leader
  output logic [2047:0]         b_o,
  output logic [2047:0]         c_o,            // INC, DEC on U64: the number of steps

  // From K
  output logic                  valid_o,
  input  logic                  ready_i,
  output faa_shared_pkg::beat_t beat_o,
  output logic [1023:0]         key_o
);

  localparam int unsigned Pairs = 32 * 31 / 2;

  logic                  valid_q, key_valid_q, take, pass;
  logic [31:0]           on_memory, active_q;
  logic [Pairs-1:0]      same_d, same_q;   // lanes i < j, both active, are on one line: bit j * (j - 1) / 2 + i
  faa_shared_pkg::beat_t beat_q;
  logic [1023:0]         place_d, key_d;
  logic [2047:0]         b_d, c_d;

  assign warp_ready_o = !valid_q || pass;
  assign take         = warp_valid_i && warp_ready_o;
  assign pass         = valid_q && room_i && (!key_valid_q || ready_i);
  assign put_o        = pass;
  assign valid_o      = key_valid_q;
  assign on_memory    = warp_mask_i & ~warp_sparse_i;

  // -------------------------------------------------------------------------------------------------------------
  // L

  always_comb begin
    same_d = '0;
    if (take) begin
      for (int j = 1; j < 32; j++) begin
        for (int i = 0; i < j; i++) begin
          same_d[j*(j-1)/2 + i] = on_memory[i] && on_memory[j] && warp_pa_i[i*52 + 6 +: 46] == warp_pa_i[j*52 + 6 +: 46];
        end
      end
    end
  end

  // Ports have equal shares of the slices, in the order of their numbers.
  logic [32*faa_global_pkg::PORT_W-1:0] port;
  if (Ports > 1) begin : g_ports
    localparam int unsigned SliceW = $clog2(Slices);
    localparam int unsigned ShareW = SliceW - $clog2(Ports);
    for (genvar l = 0; l < 32; l++) begin : g_lane
      logic [SliceW-1:0] slice;
      faa_l2_home #(
        .Slices(Slices)
      ) u_home (
        .line_i (warp_pa_i[l*52 + 6 +: faa_l2_pkg::HOME_BITS]),
        .slice_o(slice)
      );
      assign port[l*faa_global_pkg::PORT_W +: faa_global_pkg::PORT_W] = faa_global_pkg::PORT_W'(slice[SliceW-1:ShareW]);
      logic unused;
      assign unused = ^slice;
    end
  end else begin : g_port
    assign port = '0;
  end

  function automatic logic is_zero(input logic [63:0] b, input logic [3:0] typ);
    is_zero = faa_global_pkg::is_half(typ) ? b[15:0] == '0 : b[31:0] == '0 && (!faa_cu_pkg::is_wide(typ) || b[63:32] == '0);
  endfunction

  always_comb begin
    place_d = '0;
    b_d     = warp_b_i;
    c_d     = warp_c_i;
    if (take) begin
      for (int l = 0; l < 32; l++) begin
        place_d[l*32 + faa_global_pkg::PLACE_LANE +: 5] = 5'(l);
        place_d[l*32 + faa_global_pkg::PLACE_BYTE +: 6] = warp_pa_i[l*52 +: 6];
        place_d[l*32 + faa_global_pkg::PLACE_PORT +: faa_global_pkg::PORT_W] =
            port[l*faa_global_pkg::PORT_W +: faa_global_pkg::PORT_W];
        place_d[l*32 + faa_global_pkg::PLACE_COLOUR +: 3] = warp_pa_i[l*52 + 6 +: 3];
        place_d[l*32 + faa_global_pkg::PLACE_SIGN]      = faa_cu_pkg::is_signed(warp_i.typ) && !faa_cu_pkg::is_wide(warp_i.typ);
        place_d[l*32 + faa_global_pkg::PLACE_ONE]       = warp_mask_i[l] && warp_sparse_i[l] &&
            (warp_i.op == faa_pkg::ATOM_OP_PREDEC ||
             (warp_i.op == faa_pkg::ATOM_OP_CAST && is_zero(warp_b_i[l*64 +: 64], warp_i.typ)));
        place_d[l*32 + faa_global_pkg::PLACE_AFTER]     = warp_i.op == faa_pkg::ATOM_OP_PREDEC &&
                                                          faa_global_pkg::is_int32(warp_i.typ);
      end
      if (faa_global_pkg::becomes_add(warp_i.op, warp_i.typ)) begin
        for (int l = 0; l < 32; l++) b_d[l*64 +: 32] = faa_global_pkg::term_of(warp_i.op, warp_b_i[l*64 +: 32]);
      end
      if (faa_cu_pkg::is_wide(warp_i.typ) && faa_shared_pkg::is_steps(warp_i.op)) begin
        for (int l = 0; l < 32; l++) c_d[l*64 +: 64] = {63'b0, warp_b_i[l*64 +: 64] != '0};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (warp_ready_o) valid_q <= warp_valid_i;
    if (take) begin
      beat_q   <= warp_i;
      active_q <= on_memory;
      same_q   <= same_d;
      place_o  <= place_d;
      b_o      <= b_d;
      c_o      <= c_d;
      if (faa_global_pkg::becomes_add(warp_i.op, warp_i.typ)) beat_q.op <= faa_pkg::ATOM_OP_ADD;
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // K

  logic [4:0] leader;
  always_comb begin
    key_d  = '0;
    leader = '0;
    if (pass) begin
      for (int j = 0; j < 32; j++) begin
        leader = 5'(j);
        for (int i = 31; i >= 0; i--) begin
          if (i < j && same_q[(j*(j-1)/2 + i) % Pairs]) leader = 5'(i);
        end
        key_d[j*32 + faa_global_pkg::KEY_LANE +: 5]   = 5'(j);
        key_d[j*32 + faa_global_pkg::KEY_ITEM +: 6]   = place_o[j*32 + faa_global_pkg::PLACE_BYTE +: 6];
        key_d[j*32 + faa_global_pkg::KEY_LEADER +: 5] = leader;
        key_d[j*32 + faa_global_pkg::KEY_IDLE]        = !active_q[j];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) key_valid_q <= 1'b0;
    else if (!key_valid_q || ready_i) key_valid_q <= pass;
    if (pass) begin
      beat_o <= beat_q;
      key_o  <= key_d;
    end
  end

  // A cover point that calls a function is not counted (Verilator 5.006).
  logic relaxed;
  assign relaxed = faa_shared_pkg::is_relaxed(warp_i);
  `FAA_COVER(hazard_h7, take && relaxed && warp_sparse_i != '0 && on_memory != '0)

endmodule
