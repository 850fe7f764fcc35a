// SPDX-License-Identifier: Apache-2.0
//
// Moves the items of the positions in keep_i down to consecutive positions from 0 on, in order.
// below_o: for each position the number of positions below it that are not kept. This is the
// distance of its item, and that of its way back in faa_lanes_expand.
//
// Counting takes 2 cycles; then an item moves by two binary digits of its distance per cycle, low
// digits first, where items never meet. Latency: 2 + (log2(Lanes) + 1) / 2 cycles. Throughput: one
// beat per cycle. It never stalls.

`include "faa_assert.svh"

module faa_lanes_compact #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned DataW = 64,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        valid_i,
  input  logic [Lanes-1:0]            keep_i,
  input  logic [Lanes-1:0][DataW-1:0] data_i,

  output logic                        valid_o,
  output logic [Lanes-1:0]            any_o,    // positions with an item
  output logic [Lanes-1:0][DataW-1:0] data_o,
  output logic [Lanes-1:0][LaneW-1:0] below_o   // with valid_o
);

  localparam int unsigned Steps = (LaneW + 1) / 2;
  localparam int unsigned Fours = Lanes / 4;

  logic [Steps+2:0]            valid;
  logic [Steps+1:0]            valid_q;
  logic [Lanes-1:0]            keep_q;
  logic [Lanes-1:0][1:0]       within_q;  // not kept below, in the same four
  logic [Fours-1:0][LaneW-1:0] four_q;    // not kept in the four
  logic [Fours-1:0][LaneW-1:0] lower;    // not kept in the fours before
  logic [Lanes-1:0][DataW-1:0] wait_q;

  logic [Lanes-1:0]            any [Steps+1];
  logic [Lanes-1:0][LaneW-1:0] way [Steps+1];
  logic [Lanes-1:0][DataW-1:0] data [Steps+1];

  assign valid   = {valid_q, valid_i};
  assign valid_o = valid[Steps+2];
  assign any_o   = any[Steps];
  assign data_o  = data[Steps];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid[Steps+1:0];
  end

  // -----------------------------------------------------------------------------------------------
  // Counts

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      for (int unsigned f = 0; f < Fours; f++) begin
        within_q[4*f]   <= 2'd0;
        within_q[4*f+1] <= 2'(!keep_i[4*f]);
        within_q[4*f+2] <= 2'(!keep_i[4*f]) + 2'(!keep_i[4*f+1]);
        within_q[4*f+3] <= 2'(!keep_i[4*f]) + 2'(!keep_i[4*f+1]) + 2'(!keep_i[4*f+2]);
        four_q[f]       <= LaneW'(!keep_i[4*f]) + LaneW'(!keep_i[4*f+1]) + LaneW'(!keep_i[4*f+2]) + LaneW'(!keep_i[4*f+3]);
      end
      keep_q <= keep_i;
      wait_q <= data_i;
    end
  end

  // Prefix over the fours (Sklansky), without the last one.
  always_comb begin
    lower = '0;
    for (int unsigned f = 1; f < Fours; f++) lower[f] = four_q[f-1];
    for (int unsigned far = 1; far < Fours; far = 2 * far) begin
      for (int unsigned f = 0; f < Fours; f++) begin
        if ((f / far) % 2 == 1) lower[f] = lower[f] + lower[f/far*far-1];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid[1]) begin
      for (int unsigned p = 0; p < Lanes; p++) way[0][p] <= lower[p/4] + LaneW'(within_q[p]);
      any[0]  <= keep_q;
      data[0] <= wait_q;
    end
  end

  faa_lanes_delay #(
    .Width (Lanes * LaneW),
    .Cycles(Steps)
  ) u_below (
    .clk_i,
    .rst_ni,
    .data_i(way[0]),
    .data_o(below_o)
  );

  // -----------------------------------------------------------------------------------------------
  // Moves

  for (genvar s = 0; s < Steps; s++) begin : g_step
    localparam int unsigned Unit = 4 ** s;
    localparam bit          Two  = 2 * s + 1 < LaneW;  // the step has two digits

    for (genvar p = 0; p < Lanes; p++) begin : g_position
      // Which of the positions p, p + Unit, + 2 Unit, + 3 Unit has the item that moves here: at
      // most one
      logic [3:0]       hit;
      logic [1:0]       from;
      logic [LaneW-1:0] next_way;
      logic [DataW-1:0] next_data;

      for (genvar k = 0; k < 4; k++) begin : g_from
        if (p + k * Unit < Lanes && (k < 2 || Two)) begin : g_digits
          if (Two) assign hit[k] = any[s][p+k*Unit] && way[s][p+k*Unit][2*s +: 2] == 2'(k);
          else assign hit[k] = any[s][p+k*Unit] && way[s][p+k*Unit][2*s] == 1'(k);
        end else begin : g_none
          assign hit[k] = 1'b0;
        end
      end

      assign from = {hit[3] | hit[2], hit[3] | hit[1]};

      always_comb begin
        case (from)
          2'd1: begin
            next_way  = way[s][(p+Unit)%Lanes];
            next_data = data[s][(p+Unit)%Lanes];
          end
          2'd2: begin
            next_way  = way[s][(p+2*Unit)%Lanes];
            next_data = data[s][(p+2*Unit)%Lanes];
          end
          2'd3: begin
            next_way  = way[s][(p+3*Unit)%Lanes];
            next_data = data[s][(p+3*Unit)%Lanes];
          end
          default: begin
            next_way  = way[s][p];
            next_data = data[s][p];
          end
        endcase
      end

      always_ff @(posedge clk_i) begin
        if (valid[s+2]) begin
          any[s+1][p]  <= |hit;
          way[s+1][p]  <= next_way;
          data[s+1][p] <= next_data;
        end
      end

      `FAA_ASSERT(items_do_not_meet, !valid[s+2] || (hit & (hit - 4'd1)) == '0)
    end
  end

  logic unused;
  assign unused = ^way[Steps];

  `FAA_ASSERT(items_are_dense, !valid_o || (any_o & (any_o + Lanes'(1))) == '0)

endmodule
