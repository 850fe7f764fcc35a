// SPDX-License-Identifier: Apache-2.0
//
// Stage C1: what the ports have been answered is put to the positions of the oldest warp; when all its ports have answered all its operations, its
// record goes on with M of each position.
//
// A port whose oldest answer is for a later warp waits. Two errors in one cycle are reported one after the other, that of the lower port first.
//
// Latency: 1 cycle. Throughput: one line operation per cycle and port, one warp per cycle. Stalls: S8 answers are not taken, S9 the list of
// done warps is full.

`include "faa_assert.svh"

module faa_global_collect #(
  parameter int unsigned Ports = 1,
  parameter int unsigned UserW = 4
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // What each port has been answered (faa_global_answers)
  input  logic [Ports-1:0]      op_valid_i,
  output logic [Ports-1:0]      op_ready_o,
  input  logic [Ports-1:0]      op_last_i,
  input  logic [Ports*5-1:0]    op_leader_i,
  input  logic [Ports*5-1:0]    op_rank_i,
  input  logic [Ports*46-1:0]   op_line_i,
  input  logic [Ports-1:0]      op_failed_i,
  input  logic [Ports*512-1:0]  op_data_i,

  // The oldest warp (faa_global_deal)
  input  logic                  note_valid_i,
  output logic                  note_take_o,
  input  logic [Ports-1:0]      note_ports_i,
  input  logic                  note_result_i,
  input  logic [UserW-1:0]      note_user_i,

  // The oldest one that is to be answered
  input  logic                  record_valid_i,
  output logic                  record_take_o,
  input  faa_shared_pkg::beat_t record_beat_i,
  input  logic [1023:0]         record_place_i,
  input  logic [1023:0]         record_before_i,
  input  logic [1023:0]         record_other_i,

  // A warp's last operation has been answered
  output logic                  done_o,
  input  logic                  done_room_i,
  output logic                  done_result_o,
  output logic [UserW-1:0]      done_user_o,

  output logic                  error_valid_o,
  output logic [51:6]           error_address_o,
  output logic [UserW-1:0]      error_user_o,

  output logic                  valid_o,
  input  logic                  ready_i,
  output faa_shared_pkg::beat_t beat_o,
  output logic [1023:0]         place_o,
  output logic [31:0]           member_o,    // positions that answer
  output logic [31:0]           first_o,     // answer M as it was
  output logic [1023:0]         before_o,
  output logic [1023:0]         other_o,
  output logic [1023:0]         m_o,
  output logic [1023:0]         m_high_o
);

  // -------------------------------------------------------------------------------------------------------------
  // Which ports go on

  logic [Ports-1:0] finished_q, mine, fails, pass;
  logic             answers_room, merge;

  assign mine         = note_valid_i ? op_valid_i & note_ports_i & ~finished_q : '0;
  assign fails        = mine & op_failed_i;
  assign answers_room = !note_result_i || !valid_o || ready_i;
  // The lowest one of those that fail
  assign pass         = answers_room ? mine & (~op_last_i | {Ports{done_room_i}}) & ~(fails & (fails - Ports'(1))) : '0;
  assign op_ready_o   = pass;
  assign merge        = pass != '0 && note_result_i;

  assign done_o        = note_valid_i && answers_room && done_room_i && (note_ports_i & ~finished_q & ~(pass & op_last_i)) == '0;
  assign done_result_o = note_result_i;
  assign done_user_o   = note_user_i;
  assign note_take_o   = done_o;
  assign record_take_o = done_o && note_result_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || done_o) finished_q <= '0;
    else finished_q <= finished_q | (pass & op_last_i);
  end

  always_comb begin
    error_address_o = '0;
    for (int unsigned n = 0; n < Ports; n++) if (pass[n] && op_failed_i[n]) error_address_o = error_address_o | op_line_i[n*46 +: 46];
  end
  assign error_valid_o = (pass & op_failed_i) != '0;
  assign error_user_o  = note_user_i;

  // -------------------------------------------------------------------------------------------------------------
  // Items go to their positions. A lane on a sparse page that does not answer 0 gets its answer here.

  logic              wide, half;
  logic [Ports*32-1:0] served;
  assign wide = faa_cu_pkg::is_wide(record_beat_i.typ);
  // Of a load the word goes on: faa_global_lane_fix picks the item.
  assign half = record_beat_i.func == faa_cu_pkg::SHARED_ATOMIC && faa_global_pkg::is_half(record_beat_i.typ);

  always_comb begin
    served = '0;
    if (merge) begin
      for (int unsigned n = 0; n < Ports; n++) begin
        for (int p = 0; p < 32; p++) begin
          served[n*32 + p] = pass[n] && record_place_i[p*32 + faa_global_pkg::PLACE_ACTIVE] &&
                             record_place_i[p*32 + faa_global_pkg::PLACE_LEADER +: 5] == op_leader_i[n*5 +: 5] &&
                             record_place_i[p*32 + faa_global_pkg::PLACE_RANK +: 5] == op_rank_i[n*5 +: 5];
        end
      end
    end
  end

  function automatic logic [31:0] half_of(input logic [31:0] word, input logic high, input logic sign);
    logic [15:0] item;
    item    = high ? word[31:16] : word[15:0];
    half_of = {{16{sign && item[15]}}, item};
  endfunction

  logic [1023:0] m_d, m_high_d;
  logic [31:0]   lone, word;
  logic          compares;
  assign compares = record_beat_i.op == faa_pkg::ATOM_OP_CAST;

  always_comb begin
    m_d      = m_o;
    m_high_d = m_high_o;
    word     = '0;
    if (merge) begin
      for (int unsigned n = 0; n < Ports; n++) begin
        for (int p = 0; p < 32; p++) begin
          if (served[n*32 + p]) begin
            word            = op_data_i[n*512 + 32'({record_place_i[p*32 + faa_global_pkg::PLACE_BYTE + 2 +: 4], 5'b0}) +: 32];
            m_d[p*32 +: 32] = half ? half_of(word, record_place_i[p*32 + faa_global_pkg::PLACE_BYTE + 1],
                                             record_place_i[p*32 + faa_global_pkg::PLACE_SIGN]) : word;
            if (wide) begin
              m_high_d[p*32 +: 32] = op_data_i[n*512 + 32'({record_place_i[p*32 + faa_global_pkg::PLACE_BYTE + 3 +: 3], 6'b100000}) +: 32];
            end
          end
        end
      end
    end
    if (record_take_o) begin
      for (int p = 0; p < 32; p++) begin
        if (lone[p]) begin
          m_d[p*32 +: 32]      = compares ? 32'd1 : {{16{!half}}, 16'hffff};
          m_high_d[p*32 +: 32] = {32{!compares}};
        end
      end
    end
  end

  logic [31:0] member_d, first_d;
  always_comb begin
    lone     = '0;
    member_d = '0;
    first_d  = '0;
    if (record_take_o) begin
      for (int p = 0; p < 32; p++) begin
        lone[p]     = record_place_i[p*32 + faa_global_pkg::PLACE_ONE];
        member_d[p] = record_place_i[p*32 + faa_global_pkg::PLACE_ACTIVE] || lone[p];
        first_d[p]  = record_place_i[p*32 + faa_global_pkg::PLACE_FIRST] || lone[p];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (!valid_o || ready_i) valid_o <= record_take_o;
    if (merge || record_take_o) begin
      m_o      <= m_d;
      m_high_o <= m_high_d;
    end
    if (record_take_o) begin
      beat_o   <= record_beat_i;
      place_o  <= record_place_i;
      member_o <= member_d;
      first_o  <= first_d;
      before_o <= record_before_i;
      other_o  <= record_other_i;
    end
  end

  `FAA_ASSERT(record_is_there, !(merge || record_take_o) || record_valid_i)
  `FAA_ASSERT(one_error, (pass & op_failed_i & ((pass & op_failed_i) - Ports'(1))) == '0)
  `FAA_COVER(stall_s8, mine != '0 && !answers_room)
  `FAA_COVER(stall_s9, (mine & op_last_i) != '0 && answers_room && !done_room_i)
  `FAA_COVER(hazard_h8, error_valid_o && note_result_i)
  `FAA_COVER(hazard_h10, note_valid_i && (op_valid_i & ~mine) != '0)
  `FAA_COVER(hazard_h11, (fails & (fails - Ports'(1))) != '0)

endmodule
