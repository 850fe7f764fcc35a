// SPDX-License-Identifier: Apache-2.0
//
// From coordinates inside a surface to virtual addresses, Lanes lanes at once ("Address" in
// Documentation/surfaces.rst).
//
//   stage M   products: layer or slab, row of blocks or of PITCH; the rest, which is linear or
//             within a block
//   stage A   sum
//
// All arithmetic is modulo 2^48, which is enough: the surface ends at or below that. Latency: 2
// cycles, throughput: one per cycle.

`include "faa_assert.svh"

module faa_surface_address #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned MetaW = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             flush_i,

  input  logic             valid_i,
  output logic             ready_o,
  input  logic             none_i,       // no lane has an address
  input  faa_surface_pkg::entry_t entry_i,
  input  logic             is_3d_i,      // t is z, else a layer
  input  logic [Lanes*36-1:0] xb_i,
  input  logic [Lanes*16-1:0] y_i,
  input  logic [Lanes*16-1:0] t_i,
  input  logic [MetaW-1:0] meta_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic [Lanes*48-1:0] va_o,
  output logic [MetaW-1:0] meta_o,
  output logic             idle_o
);

  // -------------------------------------------------------------------------------------------------------------
  // M

  logic                     m_valid_q, m_none_q, m_3d_q, m_ready, m_pass;
  faa_surface_pkg::entry_t  entry_q;
  logic [Lanes*36-1:0]         xb_q;
  logic [Lanes*16-1:0]      y_q, t_q;
  logic [MetaW-1:0]         m_meta_q;
  logic [3:0]               block;          // log2 of the GOBs of a block
  logic [Lanes*39-1:0]         far_d, far_q;   // GOBs
  logic [Lanes*32-1:0]      row_d, row_q;   // blocks (GOBs, before the shift), or 32 bytes of PITCH
  logic [Lanes*36-1:0]         rest_d, rest_q; // bytes

  assign m_ready = !m_valid_q || m_pass;
  assign ready_o = m_ready;
  assign block   = {1'b0, entry_q.bh} + {1'b0, entry_q.bd};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) m_valid_q <= 1'b0;
    else if (m_ready) m_valid_q <= valid_i;
    if (valid_i && m_ready) begin
      m_none_q <= none_i;
      m_3d_q   <= is_3d_i;
      entry_q  <= entry_i;
      m_meta_q <= meta_i;
      if (!none_i) begin
        xb_q <= xb_i;
        y_q  <= y_i;
        t_q  <= t_i;
      end
    end
  end

  function automatic logic [8:0] in_gob(input logic [5:0] x, input logic [2:0] y);
    in_gob = {x[5], y[2:1], x[4], y[0], x[3:0]};
  endfunction

  for (genvar l = 0; l < Lanes; l++) begin : g_products
    logic [35:0] xb;
    logic [15:0] y, t, slab, rows;
    logic [9:0]  in_block;

    assign xb   = xb_q[l*36 +: 36];
    assign y    = y_q[l*16 +: 16];
    assign t    = t_q[l*16 +: 16];
    assign slab = m_3d_q ? t >> entry_q.bd : t;
    assign rows = entry_q.block ? y >> (3'd3 + {1'b0, entry_q.bh}) : y;
    // GOBs before the lane's in its block
    assign in_block = (m_3d_q ? (10'(t) & ~(10'h3ff << entry_q.bd)) << entry_q.bh : '0) |
                      (10'(y >> 3) & ~(10'h3ff << entry_q.bh));
    assign far_d[l*39 +: 39]  = 39'(slab) * entry_q.u;
    assign row_d[l*32 +: 32]  = 32'(rows) * 32'(entry_q.v);
    assign rest_d[l*36 +: 36] = !entry_q.block ? xb : {(27'(xb[35:6]) << block) | 27'(in_block),
                                                       in_gob(xb[5:0], y[2:0])};
  end

  // -------------------------------------------------------------------------------------------------------------
  // A

  logic             a_valid_q, a_block_q;
  logic [3:0]       a_shift_q;
  logic [47:0]      base_q;
  logic [MetaW-1:0] a_meta_q;

  assign m_pass = m_valid_q && (!a_valid_q || ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) a_valid_q <= 1'b0;
    else if (!a_valid_q || ready_i) a_valid_q <= m_valid_q;
    if (m_pass) begin
      a_block_q <= entry_q.block;
      a_shift_q <= block;
      base_q    <= entry_q.base;
      a_meta_q  <= m_meta_q;
      if (!m_none_q) begin
        far_q  <= far_d;
        row_q  <= row_d;
        rest_q <= rest_d;
      end
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : g_sum
    logic [47:0] row;
    assign row = a_block_q ? {39'(row_q[l*32 +: 32]) << a_shift_q, 9'b0}
                           : {11'b0, row_q[l*32 +: 32], 5'b0};
    assign va_o[l*48 +: 48] = base_q + (a_block_q ? {far_q[l*39 +: 39], 9'b0} : 48'b0) + row +
                              {12'b0, rest_q[l*36 +: 36]};
  end

  assign valid_o = a_valid_q;
  assign meta_o  = a_meta_q;
  assign idle_o  = !m_valid_q && !a_valid_q;

  logic unused;
  assign unused = ^entry_q;

endmodule
