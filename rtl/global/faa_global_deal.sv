// SPDX-License-Identifier: Apache-2.0
//
// Stage S to T: a warp is dealt out to the ports that it has lines of, and noted for the answers.
//
// A port takes the warp when it has sent its share of the one before, whatever the others do; the next warp is dealt out when all ports
// have taken this one. Each warp is noted before the first port has it (note_*), and once more with what its answers need if it wants
// them (record_*); a warp without any group has no ports.
//
// Combinational, but for what has been taken. Stalls: S3 too many warps are not answered, S4 too many of those that want answers are not.

`include "faa_assert.svh"

module faa_global_deal #(
  parameter int unsigned Ports = 1,
  parameter bit          F32 = 1'b1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic [1023:0]         place_i,
  input  logic [31:0]           first_i,
  input  logic [31:0]           last_i,
  input  logic [32*8-1:0]       rank_i,
  input  logic [1023:0]         value_i,
  input  logic [1023:0]         other_i,

  // Notes for the answers
  output logic                  note_put_o,
  input  logic                  note_room_i,
  output logic [Ports-1:0]      note_ports_o,    // those that send something
  output logic                  record_put_o,
  input  logic                  record_room_i,
  output logic [1023:0]         record_place_o,
  output logic [1023:0]         record_before_o, // what the earlier lanes of the group did

  // To the ports: the groups of each, by their last positions, and operands of line operations
  output logic [Ports-1:0]      port_valid_o,
  input  logic [Ports-1:0]      port_ready_i,
  output logic [Ports*32-1:0]   port_last_o,
  output logic [1023:0]         b_o,
  output logic [1023:0]         c_o,

  output logic                  stall_o
);

  logic             room, noted_q, begins;
  logic [Ports-1:0] taken_q, takes, uses;

  // -------------------------------------------------------------------------------------------------------------
  // Who gets it

  always_comb begin
    port_last_o = '0;
    if (valid_i) begin
      for (int unsigned n = 0; n < Ports; n++) begin
        for (int unsigned p = 0; p < 32; p++) begin
          port_last_o[n*32 + p] = last_i[p] && place_i[p*32 + faa_global_pkg::PLACE_PORT +: faa_global_pkg::PORT_W] ==
                                               faa_global_pkg::PORT_W'(n);
        end
      end
    end
  end

  for (genvar n = 0; n < Ports; n++) begin : g_port
    assign uses[n] = port_last_o[n*32 +: 32] != '0;
  end

  assign room         = note_room_i && (!beat_i.result || record_room_i);
  assign begins       = valid_i && (noted_q || room);
  assign port_valid_o = begins ? uses & ~taken_q : '0;
  assign takes        = port_valid_o & port_ready_i;
  assign ready_o      = begins && (uses & ~taken_q & ~takes) == '0;
  assign note_put_o   = valid_i && !noted_q && room;
  assign note_ports_o = uses;
  assign record_put_o = note_put_o && beat_i.result;
  assign stall_o      = valid_i && !begins;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || ready_o) begin
      noted_q <= 1'b0;
      taken_q <= '0;
    end else if (begins) begin
      noted_q <= 1'b1;
      taken_q <= taken_q | takes;
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // What the answers need: the value of the position before, as the group's earlier lanes left it; with PLACE_AFTER the position's own.

  always_comb begin
    record_place_o  = place_i;
    record_before_o = value_i << 32;
    if (record_put_o) begin
      for (int p = 0; p < 32; p++) begin
        record_place_o[p*32 + faa_global_pkg::PLACE_FIRST]     = first_i[p] && !place_i[p*32 + faa_global_pkg::PLACE_AFTER];
        record_place_o[p*32 + faa_global_pkg::PLACE_RANK +: 5] = rank_i[p*8 +: 5];
        if (place_i[p*32 + faa_global_pkg::PLACE_AFTER]) record_before_o[p*32 +: 32] = value_i[p*32 +: 32];
      end
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // Operands of line operations: items of 1 and 2 bytes in their place in the word

  logic counted, keys;
  assign counted = faa_shared_pkg::is_step_group(beat_i);
  assign keys    = F32 && faa_shared_pkg::is_f32_order(beat_i);

  function automatic logic [31:0] placed(input logic [15:0] item, input logic high);
    placed = high ? {item, 16'b0} : {16'b0, item};
  endfunction

  always_comb begin
    b_o = value_i;
    c_o = other_i;
    if (takes != '0) begin
      if (counted) begin
        b_o = other_i;
        c_o = value_i;
      end
      if (keys) begin
        for (int p = 0; p < 32; p++) b_o[p*32 +: 32] = faa_float_pkg::f32_unkey(value_i[p*32 +: 32], beat_i.op == faa_pkg::ATOM_OP_MAX);
      end
      if (faa_global_pkg::is_half(beat_i.typ)) begin
        for (int p = 0; p < 32; p++) begin
          b_o[p*32 +: 32] = placed(value_i[p*32 +: 16], place_i[p*32 + faa_global_pkg::PLACE_BYTE + 1]);
          c_o[p*32 +: 32] = placed(other_i[p*32 +: 16], place_i[p*32 + faa_global_pkg::PLACE_BYTE + 1]);
        end
      end
      if (faa_global_pkg::is_byte(beat_i.typ)) begin
        for (int p = 0; p < 32; p++) begin
          b_o[p*32 +: 32] = {24'b0, value_i[p*32 +: 8]} << {place_i[p*32 + faa_global_pkg::PLACE_BYTE +: 2], 3'b0};
        end
      end
    end
  end

  logic unused;
  assign unused = ^rank_i;

  `FAA_COVER(stall_s3_warps, valid_i && !noted_q && !note_room_i)
  `FAA_COVER(stall_s4, valid_i && !noted_q && note_room_i && !room)
  `FAA_COVER(hazard_h6, note_put_o && uses == '0)

endmodule
