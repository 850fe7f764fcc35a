// SPDX-License-Identifier: Apache-2.0
//
// Stage C: responses of the L2, which come in any order, are put to the positions of their warps in the order of sending.
//
// A response waits in a RAM under its tag. C0: the oldest operation has its response, and it is read; C1: the positions that the operation
// serves get their item, extended. After the last operation of a warp its record goes on with M of each position.
//
// Latency: 3 cycles. Throughput: one line operation per cycle. Stalls: S8 answers are not taken, S9 the list of done warps is full.

`include "faa_assert.svh"

module faa_global_collect #(
  parameter int unsigned UserW = 4
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Responses
  input  logic                  rsp_valid_i,
  input  logic [7:0]            rsp_tag_i,
  input  logic [511:0]          rsp_data_i,
  input  logic                  rsp_err_i,

  // The oldest operation (faa_global_lines)
  input  logic                  op_valid_i,
  output logic                  op_take_o,
  input  logic                  op_none_i,
  input  logic                  op_last_i,
  input  logic                  op_result_i,
  input  logic [4:0]            op_leader_i,
  input  logic [4:0]            op_rank_i,
  input  logic [51:6]           op_line_i,
  input  logic [UserW-1:0]      op_user_i,

  // The oldest warp that is to be answered
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
  // C0

  logic [255:0] arrived_q, arrived_d, error_q;
  logic [7:0]   tag_q;
  logic         take, c1_ready;

  assign take      = op_valid_i && (op_none_i || arrived_q[tag_q]) && c1_ready;
  assign op_take_o = take;

  always_comb begin
    arrived_d = arrived_q;
    if (take && !op_none_i) arrived_d = arrived_d & ~(256'd1 << tag_q);
    if (rsp_valid_i) arrived_d = arrived_d | (256'd1 << rsp_tag_i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arrived_q <= '0;
      tag_q     <= '0;
    end else begin
      if (take || rsp_valid_i) arrived_q <= arrived_d;
      if (take && !op_none_i) tag_q <= tag_q + 8'd1;
    end
    if (rsp_valid_i) error_q <= rsp_err_i ? error_q | (256'd1 << rsp_tag_i) : error_q & ~(256'd1 << rsp_tag_i);
  end

  logic [511:0] line;
  faa_ram_1r1w #(
    .Width(512),
    .Depth(256)
  ) u_lines (
    .clk_i,
    .we_i   (rsp_valid_i),
    .waddr_i(rsp_tag_i),
    .wdata_i(rsp_data_i),
    .re_i   (take && op_result_i),
    .raddr_i(tag_q),
    .rdata_o(line)
  );

  // -------------------------------------------------------------------------------------------------------------
  // C1

  logic             c1_valid_q, none_q, last_q, result_q, failed_q, pass, merge;
  logic [4:0]       leader_q, rank_q;
  logic [51:6]      line_q;
  logic [UserW-1:0] user_q;
  logic             answers_room, done_room;

  assign answers_room = !result_q || !valid_o || ready_i;
  assign done_room    = !last_q || done_room_i;
  assign pass         = c1_valid_q && answers_room && done_room;
  assign merge        = pass && result_q;
  assign c1_ready     = !c1_valid_q || pass;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) c1_valid_q <= 1'b0;
    else if (c1_ready) c1_valid_q <= take;
    if (take) begin
      none_q   <= op_none_i;
      last_q   <= op_last_i;
      result_q <= op_result_i;
      leader_q <= op_leader_i;
      rank_q   <= op_rank_i;
      line_q   <= op_line_i;
      user_q   <= op_user_i;
      failed_q <= !op_none_i && error_q[tag_q];
    end
  end

  assign record_take_o   = merge && last_q;
  assign done_o          = pass && last_q;
  assign done_result_o   = result_q;
  assign done_user_o     = user_q;
  assign error_valid_o   = pass && failed_q;
  assign error_address_o = line_q;
  assign error_user_o    = user_q;

  // -------------------------------------------------------------------------------------------------------------
  // Items go to their positions. A lane on a sparse page that does not answer 0 gets its answer here.

  logic        wide, half;
  logic [31:0] served;
  assign wide = faa_cu_pkg::is_wide(record_beat_i.typ);
  assign half = faa_global_pkg::is_half(record_beat_i.typ);

  always_comb begin
    served = '0;
    if (merge && !none_q) begin
      for (int p = 0; p < 32; p++) begin
        served[p] = record_place_i[p*32 + faa_global_pkg::PLACE_ACTIVE] &&
                    record_place_i[p*32 + faa_global_pkg::PLACE_LEADER +: 5] == leader_q &&
                    record_place_i[p*32 + faa_global_pkg::PLACE_RANK +: 5] == rank_q;
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
    lone     = '0;
    word     = '0;
    if (merge) begin
      for (int p = 0; p < 32; p++) begin
        lone[p] = record_place_i[p*32 + faa_global_pkg::PLACE_ONE];
        if (served[p]) begin
          word            = line[{record_place_i[p*32 + faa_global_pkg::PLACE_BYTE + 2 +: 4], 5'b0} +: 32];
          m_d[p*32 +: 32] = half ? half_of(word, record_place_i[p*32 + faa_global_pkg::PLACE_BYTE + 1],
                                           record_place_i[p*32 + faa_global_pkg::PLACE_SIGN]) : word;
          if (wide) begin
            m_high_d[p*32 +: 32] = line[{record_place_i[p*32 + faa_global_pkg::PLACE_BYTE + 3 +: 3], 6'b100000} +: 32];
          end
        end
        if (lone[p]) begin
          m_d[p*32 +: 32]      = compares ? 32'd1 : {{16{!half}}, 16'hffff};
          m_high_d[p*32 +: 32] = {32{!compares}};
        end
      end
    end
  end

  logic [31:0] member_d, first_d;
  always_comb begin
    member_d = '0;
    first_d  = '0;
    if (record_take_o) begin
      for (int p = 0; p < 32; p++) begin
        member_d[p] = record_place_i[p*32 + faa_global_pkg::PLACE_ACTIVE] || lone[p];
        first_d[p]  = record_place_i[p*32 + faa_global_pkg::PLACE_FIRST] || lone[p];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (!valid_o || ready_i) valid_o <= record_take_o;
    if (merge) begin
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

  `FAA_ASSUME(response_answers_an_operation, !rsp_valid_i || !arrived_q[rsp_tag_i])
  `FAA_ASSERT(record_is_there, !merge || record_valid_i)
  `FAA_COVER(stall_s8, c1_valid_q && !answers_room)
  `FAA_COVER(stall_s9, c1_valid_q && !done_room)
  `FAA_COVER(hazard_h3, op_valid_i && !op_none_i && !arrived_q[tag_q] && arrived_q != '0)
  `FAA_COVER(hazard_h4, take && !op_none_i && rsp_valid_i)
  `FAA_COVER(hazard_h8, error_valid_o && result_q)

endmodule
