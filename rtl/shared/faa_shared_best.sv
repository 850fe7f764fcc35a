// SPDX-License-Identifier: Apache-2.0
//
// MIN and MAX of floating-point types by order keys (faa_float_pkg): both halves of F16X2 and
// BF16X2 (Width 32), or F64 (Width 64).
//
// Latency: faa_float_pkg::ADD_LATENCY cycles to a register, as the adders have; throughput one per
// cycle; no stalls. Stages: 1 keys, 2 comparison and the number of the key.

module faa_shared_best #(
  parameter int unsigned Width = 32
) (
  input  logic             clk_i,

  input  logic             valid_i,
  input  logic             bf16_i,      // BF16X2, not F16X2
  input  logic             ftz_i,
  input  logic             max_i,
  input  logic [Width-1:0] m_i,
  input  logic [Width-1:0] b_i,

  output logic [Width-1:0] best_o
);

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;
  localparam int unsigned Item    = Width == 64 ? 64 : 16;

  // The word whose signed order is the order of the type; of F16X2 and BF16X2 each half by itself.
  function automatic logic [Width-1:0] key(input logic [Width-1:0] x, input logic bf16,
                                           input logic ftz, input logic is_max);
    if (Width == 64) key = Width'(faa_float_pkg::f64_key(64'(x), ftz, is_max));
    else if (bf16) key = Width'({faa_float_pkg::bf16_key(x[31:16], ftz, is_max),
                                 faa_float_pkg::bf16_key(x[15:0], ftz, is_max)});
    else key = Width'({faa_float_pkg::f16_key(x[31:16], ftz, is_max),
                       faa_float_pkg::f16_key(x[15:0], ftz, is_max)});
  endfunction

  function automatic logic [Width-1:0] unkey(input logic [Width-1:0] k, input logic bf16,
                                             input logic is_max);
    if (Width == 64) unkey = Width'(faa_float_pkg::f64_unkey(64'(k), is_max));
    else if (bf16) unkey = Width'({faa_float_pkg::bf16_unkey(k[31:16], is_max),
                                   faa_float_pkg::bf16_unkey(k[15:0], is_max)});
    else unkey = Width'({faa_float_pkg::f16_unkey(k[31:16], is_max),
                         faa_float_pkg::f16_unkey(k[15:0], is_max)});
  endfunction

  logic                         valid_q, max_q, bf16_q;
  logic [Width-1:0]             m_key_q, b_key_q, best;
  logic [(Latency-1)*Width-1:0] best_q;

  for (genvar n = 0; n < Width / Item; n++) begin : g_item
    logic [Item-1:0] m, b;
    assign m = m_key_q[n*Item +: Item];
    assign b = b_key_q[n*Item +: Item];
    assign best[n*Item +: Item] = ($signed(m) < $signed(b)) ^ max_q ? m : b;
  end

  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    if (valid_i) begin
      bf16_q  <= bf16_i;
      max_q   <= max_i;
      m_key_q <= key(m_i, bf16_i, ftz_i, max_i);
      b_key_q <= key(b_i, bf16_i, ftz_i, max_i);
    end
    if (valid_q || Latency > 2) begin
      best_q <= ((Latency-1)*Width)'({best_q, unkey(best, bf16_q, max_q)});
    end
  end

  assign best_o = best_q[(Latency-2)*Width +: Width];

endmodule
