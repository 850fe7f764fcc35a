// SPDX-License-Identifier: Apache-2.0
//
// Stage D: the operations of a beat go into the queues of their banks, up to Push per bank and cycle.
//
// In step n the operations of ranks n * Push and up are due. A bank takes what is due as soon as it has room for all of it;
// when every bank has, the next step begins, or the next beat. 64-bit operations go to both banks of their pair.
//
// Latency: 1 cycle. Throughput: one beat per cycle while no bank is to take more than Push operations of it.
// Stalls: a further step (stall_bank_o), no room in a queue (stall_queue_o), no room in the window (stall_window_o).

`include "faa_assert.svh"

module faa_shared_spread #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Push = 4,
  parameter bit          F32 = 1'b1,
  localparam int unsigned TicketRowW = faa_shared_pkg::TICKET_BITS - faa_shared_pkg::TICKET_ROW
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   valid_i,
  output logic                   ready_o,
  input  faa_shared_pkg::beat_t  beat_i,
  input  logic [Lanes*32-1:0]    place_i,
  input  logic [Lanes-1:0]       send_i,
  input  logic [Lanes-1:0]       load_i,
  input  logic [Lanes*8-1:0]     rank_i,
  input  logic [Lanes*32-1:0]    value_i,
  input  logic [Lanes*32-1:0]    other_i,
  input  logic [Lanes*32-1:0]    value_high_i,
  input  logic [Lanes*32-1:0]    other_high_i,
  input  logic [Lanes-1:0]       choice_i,
  input  logic [TicketRowW-1:0]  row_i,          // of a beat with choice words, in faa_shared_choose

  input  logic                   window_room_i,  // the beat may leave
  output logic                   leave_o,        // the last operation of the beat is pushed

  // To the queues: bank k takes item r from position where_o, bits (r * 5 + bit) * 32 + k, if any_o[r * 32 + k]
  input  logic [Push*32-1:0]     room_i,         // [r * 32 + k]: bank k has room for r + 1 items
  output logic [31:0]            push_o,
  output logic [Push*32-1:0]     any_o,
  output logic [Push*160-1:0]    where_o,
  output faa_shared_pkg::beat_t  beat_o,
  output logic [Lanes*32-1:0]    place_o,
  output logic [Lanes-1:0]       load_o,
  output logic [Lanes-1:0]       choice_o,       // other_o is a ticket
  output logic [Lanes*32-1:0]    value_o,
  output logic [Lanes*32-1:0]    other_o,
  output logic [Lanes*32-1:0]    value_high_o,
  output logic [Lanes*32-1:0]    other_high_o,

  output logic                   stall_bank_o,
  output logic                   stall_queue_o,
  output logic                   stall_window_o,
  output logic                   busy_o
);

  logic                valid_q, take, wide_i, wide_q, more, step_done;
  logic [5:0]          base_q;     // lowest rank of this step
  logic [31:0]         pushed_q;   // banks that have taken this step's items
  logic [31:0]         lacking;
  logic [Lanes-1:0]    send_q;
  logic [Lanes*8-1:0]  rank_q;
  logic [Lanes*32-1:0] value_d, other_d;

  assign wide_i  = faa_cu_pkg::is_wide(beat_i.typ);
  assign ready_o = !valid_q || leave_o;
  assign take    = valid_i && ready_o;
  assign busy_o  = valid_q;

  faa_shared_due #(
    .Lanes(Lanes),
    .Push (Push)
  ) u_due (
    .valid_i(valid_q),
    .wide_i (wide_q),
    .place_i(place_o),
    .send_i (send_q),
    .rank_i (rank_q),
    .base_i (base_q),
    .any_o,
    .where_o,
    .more_o (more)
  );

  always_comb begin
    lacking = '0;
    for (int r = 0; r < Push; r++) lacking = lacking | (any_o[r*32 +: 32] & ~room_i[r*32 +: 32]);
  end

  assign push_o    = window_room_i ? any_o[31:0] & ~lacking & ~pushed_q : 32'b0;
  assign step_done = window_room_i && (lacking & ~pushed_q) == '0;
  assign leave_o   = valid_q && step_done && !more;

  always_comb begin
    value_d = value_i;
    if (take && F32 && faa_shared_pkg::is_f32_order(beat_i)) begin
      for (int p = 0; p < Lanes; p++) begin
        value_d[p*32 +: 32] = faa_float_pkg::f32_unkey(value_i[p*32 +: 32], beat_i.op == faa_pkg::ATOMS_OP_MAX);
      end
    end
  end

  always_comb begin
    other_d = other_i;
    if (take && choice_i != '0) begin
      for (int p = 0; p < Lanes; p++) if (choice_i[p]) other_d[p*32 +: 32] = {21'b0, row_i, 5'(p)};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      base_q   <= '0;
      pushed_q <= '0;
    end else begin
      if (ready_o) valid_q <= valid_i;
      if (valid_q) begin
        pushed_q <= step_done ? '0 : pushed_q | push_o;
        if (step_done) base_q <= more ? base_q + 6'(Push) : '0;
      end
    end
    if (take) begin
      beat_o   <= beat_i;
      wide_q   <= wide_i;
      place_o  <= place_i;
      send_q   <= send_i;
      load_o   <= load_i;
      rank_q   <= rank_i;
      value_o  <= value_d;
      other_o  <= other_d;
      choice_o <= choice_i;
    end
    if (take && wide_i) begin
      value_high_o <= value_high_i;
      other_high_o <= other_high_i;
    end
  end

  assign stall_bank_o   = valid_q && step_done && more;
  assign stall_queue_o  = valid_q && window_room_i && !step_done;
  assign stall_window_o = valid_q && !window_room_i;

  `FAA_COVER(stall_s1, stall_bank_o)
  `FAA_COVER(stall_s2, stall_queue_o)
  `FAA_COVER(stall_s3, stall_window_o)
  `FAA_COVER(bank_pushes_late, valid_q && step_done && pushed_q != '0)

endmodule
