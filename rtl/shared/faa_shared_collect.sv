// SPDX-License-Identifier: Apache-2.0
//
// Stage C: the answers of a beat are brought from the banks to its positions.
//
// Records of answered beats wait here from stage D on. When the oldest beat is complete, its positions take the answers of their
// groups, up to Push ranks per cycle.
//
// Latency: 1 cycle. Throughput: one beat per cycle while no bank has more than Push operations of it.

`include "faa_assert.svh"

module faa_shared_collect #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Push = 4,
  parameter int unsigned Slots = 2,
  parameter int unsigned Depth = 34,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // An answered beat enters stage D
  input  logic                   put_i,
  input  faa_shared_pkg::beat_t  beat_i,
  input  logic [Lanes*32-1:0]    place_i,
  input  logic [Lanes-1:0]       member_i,
  input  logic [Lanes-1:0]       first_i,
  input  logic [Lanes-1:0]       send_i,
  input  logic [Lanes*8-1:0]     rank_i,
  input  logic [Lanes*32-1:0]    before_i,
  input  logic [Lanes*32-1:0]    other_i,
  input  logic [Lanes-1:0]       choice_i,
  input  logic [Lanes*LaneW-1:0] next_i,
  input  logic [Slots*Lanes-1:0] chained_i,
  input  logic [Slots*Lanes-1:0] base_i,

  // The oldest of them is complete
  input  logic                   complete_i,
  output logic                   ready_o,

  // Answer queues
  output logic                   take_o,
  output logic [Push*32-1:0]     any_o,
  input  logic [Push*1024-1:0]   word_i,

  output logic                   valid_o,
  input  logic                   ready_i,
  output faa_shared_pkg::beat_t  beat_o,
  output logic [Lanes*32-1:0]    place_o,
  output logic [Lanes-1:0]       member_o,
  output logic [Lanes-1:0]       first_o,
  output logic [Lanes*32-1:0]    before_o,
  output logic [Lanes*32-1:0]    other_o,
  output logic [Lanes-1:0]       choice_o,
  output logic [Lanes*LaneW-1:0] next_o,
  output logic [Slots*Lanes-1:0] chained_o,
  output logic [Slots*Lanes-1:0] base_o,
  output logic [Lanes*32-1:0]    m_o,         // the word as it was
  output logic [Lanes*32-1:0]    m_high_o
);

  localparam int unsigned BeatW   = $bits(faa_shared_pkg::beat_t);
  localparam int unsigned RecordW = BeatW + Lanes * (104 + 4 + LaneW + 2 * Slots);
  localparam int unsigned CountW  = $clog2(Depth + 1);
  localparam int unsigned IndexW  = $clog2(Push * 1024);

  faa_shared_pkg::beat_t  beat;
  logic [Lanes*32-1:0]    place, prior, other, m_d, m_high_d;
  logic [Lanes-1:0]       member, first, send, choice;
  logic [Lanes*LaneW-1:0] next;
  logic [Lanes*8-1:0]     rank;
  logic [Slots*Lanes-1:0] chained, base;
  logic                   record_valid, record_room, valid_q, wide, more;
  logic [5:0]             base_q;   // lowest rank of this step
  logic [Push*160-1:0]    unused_where;
  logic [CountW-1:0]      unused_count;

  faa_fifo #(
    .Width(RecordW),
    .Depth(Depth)
  ) u_records (
    .clk_i,
    .rst_ni,
    .valid_i(put_i),
    .ready_o(record_room),
    .data_i ({beat_i, place_i, member_i, first_i, send_i, rank_i, before_i, other_i, choice_i, next_i, chained_i, base_i}),
    .valid_o(record_valid),
    .ready_i(complete_i && ready_o),
    .data_o ({beat, place, member, first, send, rank, prior, other, choice, next, chained, base}),
    .count_o(unused_count)
  );

  assign take_o  = complete_i && (!valid_q || ready_i);
  assign ready_o = take_o && !more;
  assign valid_o = valid_q;
  assign wide    = faa_cu_pkg::is_wide(beat.typ);

  // Which banks have answers of this step
  faa_shared_due #(
    .Lanes(Lanes),
    .Push (Push)
  ) u_due (
    .valid_i(take_o),
    .wide_i (wide),
    .place_i(place),
    .send_i (send),
    .rank_i (rank),
    .base_i (base_q),
    .any_o,
    .where_o(unused_where),
    .more_o (more)
  );

  // Every position takes its group's answer
  function automatic logic [IndexW-1:0] index_of(input logic [5:0] item, input logic [4:0] bank);
    index_of = IndexW'({item, bank, 5'b0});
  endfunction

  logic odd;
  always_comb begin
    m_d      = m_o;
    m_high_d = m_high_o;
    odd      = 1'b0;
    if (take_o) begin
      for (int p = 0; p < Lanes; p++) begin
        if (member[p] && rank[p*8 +: 6] - base_q < 6'(Push)) begin
          odd = wide && faa_shared_pkg::row_swaps(place[p*32 + faa_shared_pkg::PLACE_ROW +: 17]);
          m_d[p*32 +: 32] = word_i[index_of(rank[p*8 +: 6] - base_q,
                                            place[p*32 + faa_shared_pkg::PLACE_BANK +: 5] ^ {4'b0, odd}) +: 32];
          if (wide) begin
            m_high_d[p*32 +: 32] = word_i[index_of(rank[p*8 +: 6] - base_q,
                                                   place[p*32 + faa_shared_pkg::PLACE_BANK +: 5] ^ {4'b0, !odd}) +: 32];
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      base_q  <= '0;
    end else begin
      if (!valid_q || ready_i) valid_q <= ready_o;
      if (take_o) base_q <= more ? base_q + 6'(Push) : '0;
    end
    if (take_o) begin
      m_o      <= m_d;
      m_high_o <= m_high_d;
    end
    if (ready_o) begin
      beat_o    <= beat;
      place_o   <= place;
      member_o  <= member;
      first_o   <= first;
      before_o  <= prior;
      other_o   <= other;
      choice_o  <= choice;
      next_o    <= next;
      chained_o <= chained;
      base_o    <= base;
    end
  end

  `FAA_ASSERT(record_has_room, !put_i || record_room)
  `FAA_ASSERT(record_is_there, !complete_i || record_valid)
  `FAA_COVER(further_step, take_o && more)
  `FAA_COVER(answers_wait, complete_i && !take_o)

endmodule
