// SPDX-License-Identifier: Apache-2.0
//
// Stage L: which lanes of a beat share a line, and the key by which the beat is sorted: {idle,
// leader, place of the item in the line, lane}. The lowest lane on a line is its leader.
//
// SUB, INCU, DECU and PREDEC on U32 and S32 become ADD here. An item of 1 or 2 bytes is copied to
// each of its places of the word. INC and DEC on U64: c becomes the number of steps. The route of
// the line accompanies the operands: low bits of its address, and its port.
//
// Latency: 2 cycles: comparisons and terms, then keys. Throughput: one beat per cycle. It never
// stops.

`include "faa_assert.svh"

module faa_global_leaders #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter int unsigned Ports = 1,
  parameter int unsigned Slices = 1,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned KeyW = 1 + OffW + 2 * LaneW,
  localparam int unsigned RouteW = faa_global_pkg::COLOUR_W + $clog2(Ports),
  localparam int unsigned DataW = RouteW + 64
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        valid_i,
  input  faa_global_pkg::job_t        job_i,
  input  logic [Lanes-1:0]            active_i,
  input  logic [Lanes-1:0]            zero_i,
  input  logic [Lanes-1:0][51:OffW]      line_i,
  input  logic [Lanes-1:0][OffW-1:0]       byte_i,
  input  logic [Lanes-1:0][31:0]      b_i,
  input  logic [Lanes-1:0][31:0]      c_i,

  output logic                        valid_o,
  output faa_global_pkg::job_t        job_o,
  output logic [Lanes-1:0][KeyW-1:0]  key_o,
  output logic [Lanes-1:0][DataW-1:0] data_o   // {route, c, b}
);

  localparam int unsigned Pairs = Lanes * (Lanes - 1) / 2;

  logic                          valid_q, sums, subtracts, counts, half, wide_steps;
  faa_global_pkg::job_t          job_q;
  logic [Lanes-1:0]              active_q;
  logic [Pairs-1:0]              same_q;   // lanes i < j share a line: bit j * (j - 1) / 2 + i
  logic [Lanes-1:0][OffW-1:0]         byte_q;
  logic [Lanes-1:0][RouteW-1:0]  route, route_q;
  logic [Lanes-1:0][31:0]        b_q, c_q;

  assign sums       = faa_global_pkg::becomes_add(job_i.beat.op, job_i.beat.typ);
  assign subtracts  = job_i.beat.op == faa_pkg::ATOM_OP_SUB;
  assign half       = faa_global_pkg::is_half(job_i.beat.typ);
  assign counts     = job_i.beat.op == faa_pkg::ATOM_OP_INCU;
  assign wide_steps = faa_cu_pkg::is_wide(job_i.beat.typ) &&
                      faa_shared_pkg::is_steps(job_i.beat.op);

  // -----------------------------------------------------------------------------------------------
  // Comparisons, terms

  for (genvar j = 1; j < Lanes; j++) begin : g_upper
    for (genvar i = 0; i < j; i++) begin : g_pair
      always_ff @(posedge clk_i) begin
        if (valid_i) begin
          same_q[j*(j-1)/2 + i] <= active_i[i] && active_i[j] && line_i[i] == line_i[j];
        end
      end
    end
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_lane
    logic [31:0] base, term;

    // Ports have equal shares of the slices, in the order of their numbers.
    if (Ports > 1) begin : g_ports
      localparam int unsigned SliceW = $clog2(Slices);
      localparam int unsigned PortW  = $clog2(Ports);
      logic [SliceW-1:0] slice;
      faa_l2_home #(
        .Slices(Slices)
      ) u_home (
        .line_i (line_i[p][OffW +: faa_l2_pkg::HOME_BITS]),
        .slice_o(slice)
      );
      assign route[p] = {slice[SliceW-1 -: PortW], line_i[p][OffW +: faa_global_pkg::COLOUR_W]};
      logic unused;
      assign unused = ^slice;
    end else begin : g_port
      assign route[p] = line_i[p][OffW +: faa_global_pkg::COLOUR_W];
    end

    // -b, 1 or -1
    always_comb begin
      base = b_i[p];
      if (sums) base = subtracts ? ~b_i[p] : {32{!counts}};
      term = base + 32'(sums && (subtracts || counts));
    end

    always_ff @(posedge clk_i) begin
      if (valid_i) begin
        byte_q[p]  <= byte_i[p];
        route_q[p] <= route[p];
        b_q[p]     <= faa_global_pkg::spread(term, job_i.beat.typ);
        c_q[p]     <= half ? {2{c_i[p][15:0]}} : c_i[p];
        if (wide_steps) c_q[p] <= {31'b0, !job_i.beat.odd && !zero_i[p]};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_i;
    if (valid_i) begin
      job_q    <= job_i;
      active_q <= active_i;
      if (sums) job_q.beat.op <= faa_pkg::ATOM_OP_ADD;
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Keys

  logic [Lanes-1:0][LaneW-1:0] leader;

  for (genvar j = 0; j < Lanes; j++) begin : g_leader
    always_comb begin
      leader[j] = LaneW'(j);
      for (int i = j - 1; i >= 0; i--) if (same_q[(j*(j-1)/2 + i) % Pairs]) leader[j] = LaneW'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else valid_o <= valid_q;
    if (valid_q) begin
      job_o <= job_q;
      for (int unsigned p = 0; p < Lanes; p++) begin
        key_o[p]  <= {!active_q[p], leader[p], byte_q[p], LaneW'(p)};
        data_o[p] <= {route_q[p], c_q[p], b_q[p]};
      end
    end
  end

endmodule
