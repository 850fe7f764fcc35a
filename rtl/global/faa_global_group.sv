// SPDX-License-Identifier: Apache-2.0
//
// Stage G: groups of a sorted beat: lanes on one item whose operation is done as one, and the
// operands of the scans.
//
// Lanes on one word form one group in ADD, MIN, MAX, AND, OR, XOR and EXCH on U32 and S32, MIN and
// MAX on F32, and ADD on F32 with RELAXED; in INC and DEC on U32 as far as neighbours have the same
// bound. Otherwise each lane of ATOM is a group. Lanes of a load or a store on one item, of any
// size, are one group; of a store the highest lane's value remains.
//
// Operands after this stage, 32 bits each: x is b, or its key (MIN, MAX on F32); y is c, 0 for INC
// and DEC on U32.
//
// Latency: 2 cycles: neighbours, then groups. Throughput: one beat per cycle. It never stops.

module faa_global_group #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter int unsigned RouteW = 3,
  parameter bit          F32 = 1'b1,
  parameter bit          Sums = 1'b1,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned KeyW = 1 + OffW + 2 * LaneW,
  localparam int unsigned DataW = RouteW + 64
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic                         valid_i,
  input  faa_global_pkg::job_t         job_i,
  input  logic [Lanes-1:0][KeyW-1:0]   key_i,
  input  logic [Lanes-1:0][DataW-1:0]  data_i,       // {route, c, b}

  output logic                         valid_o,
  output faa_global_pkg::job_t         job_o,
  output faa_lanes_pkg::combine_t      how_o,        // of x
  output logic [Lanes-1:0][LaneW-1:0]  leader_o,
  output logic [Lanes-1:0][OffW-1:0]        byte_o,
  output logic [Lanes-1:0][RouteW-1:0] route_o,
  output logic [Lanes-1:0]             member_o,     // active, on memory
  output logic [Lanes-1:0]             first_o,      // ends of each group, in lane order; the last
  output logic [Lanes-1:0]             last_o,       //   position stands for its group
  output logic [Lanes-1:0]             item_o,       // has the item of the position before
  output logic [Lanes-1:0]             open_o,       // x continues from the position before
  output logic [Lanes-1:0]             count_o,      // INC, DEC: steps, too
  output logic [Lanes-1:0][31:0]       x_o,
  output logic [Lanes-1:0][31:0]       y_o
);

  // -----------------------------------------------------------------------------------------------
  // Neighbours

  logic                         valid_q;
  faa_global_pkg::job_t         job_q;
  logic [Lanes-1:0]             active_q, same_q, same_b_q;
  logic [Lanes-1:0][LaneW-1:0]  leader, leader_q;
  logic [Lanes-1:0][OffW-1:0]        place, place_q;
  logic [Lanes-1:0][RouteW-1:0] route_q;
  logic [Lanes-1:0][31:0]       b, b_q, c_q;

  for (genvar p = 0; p < Lanes; p++) begin : g_position
    assign leader[p] = key_i[p][LaneW+OffW +: LaneW];
    assign place[p]  = key_i[p][LaneW +: OffW];
    assign b[p]      = data_i[p][31:0];

    always_ff @(posedge clk_i) begin
      if (valid_i) begin
        active_q[p] <= !key_i[p][KeyW-1];
        leader_q[p] <= leader[p];
        place_q[p]  <= place[p];
        b_q[p]      <= b[p];
        c_q[p]      <= data_i[p][63:32];
        route_q[p]  <= data_i[p][64 +: RouteW];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_i;
    if (valid_i) begin
      job_q    <= job_i;
      same_q   <= '0;
      same_b_q <= '0;
      for (int unsigned p = 1; p < Lanes; p++) begin
        same_q[p]   <= !key_i[p][KeyW-1] && {leader[p], place[p]} == {leader[p-1], place[p-1]};
        same_b_q[p] <= b[p] == b[p-1];
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Groups

  logic                    moves, steps, keys, relaxed, always_joins, is_max;
  faa_lanes_pkg::combine_t how;
  logic [Lanes-1:0]        joins;

  assign moves        = job_q.beat.func != faa_cu_pkg::SHARED_ATOMIC;
  assign steps        = faa_shared_pkg::is_step_group(job_q.beat);
  assign keys         = F32 && faa_shared_pkg::is_f32_order(job_q.beat);
  assign relaxed      = Sums && faa_shared_pkg::is_relaxed(job_q.beat);
  assign always_joins = moves || faa_shared_pkg::is_combined(job_q.beat) || keys || relaxed;
  assign joins        = same_q & ({Lanes{always_joins}} | ({Lanes{steps}} & same_b_q));
  assign is_max       = job_q.beat.op == faa_pkg::ATOM_OP_MAX;

  // The last operand of a store remains.
  always_comb begin
    how = faa_shared_pkg::how_of(job_q.beat);
    if (moves) begin
      how.order = 1'b0;
      how.op    = faa_lanes_pkg::COMBINE_YOUNGER;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else valid_o <= valid_q;
    if (valid_q) begin
      job_o    <= job_q;
      how_o    <= how;
      leader_o <= leader_q;
      byte_o   <= place_q;
      route_o  <= route_q;
      member_o <= active_q;
      first_o  <= active_q & ~joins;
      last_o   <= active_q & ~{1'b0, joins[Lanes-1:1]};
      item_o   <= same_q;
      open_o   <= steps || relaxed ? '0 : joins;
      count_o  <= steps ? joins : '0;
      y_o      <= steps ? '0 : c_q;
      for (int unsigned p = 0; p < Lanes; p++) begin
        x_o[p] <= keys ? faa_float_pkg::f32_key(b_q[p], job_q.beat.mod[0], is_max) : b_q[p];
      end
    end
  end

endmodule
