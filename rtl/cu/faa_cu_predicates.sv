// SPDX-License-Identifier: Apache-2.0
//
// Predicates P0..P6 of 32 lanes; PT is always true. Read combinational. SETP, whose lanes come from
// a comparison, is written at the end of the next cycle; a load at the end of its own.
//
// Hazards: ISS-H3 (a guard read before SETP is written: none, the next command issues two cycles
// after the last warp of SETP at the earliest).

module faa_cu_predicates (
  input  logic         clk_i,

  input  logic [2:0]   guard_i,
  input  logic         negate_i,
  output logic [31:0]  guard_o,     // lanes that the guard lets through

  input  logic         set_i,       // SETP: the lanes of mask_i get value_i
  input  logic [2:0]   set_number_i,
  input  logic [31:0]  set_mask_i,
  input  logic [31:0]  set_value_i,

  input  logic [1:0]   load_i,      // P0..P3, P4..P6
  input  logic [223:0] load_all_i,  // Pn in bits 32n+31..32n
  output logic [223:0] all_o
);

  logic [223:0] pred_q;
  logic [255:0] readable;
  logic [31:0]  changed, mask_q, value_q;
  logic         set_q;
  logic [2:0]   number_q;

  assign readable = {32'hffffffff, pred_q};
  assign guard_o  = readable[{guard_i, 5'b0} +: 32] ^ {32{negate_i}};
  assign changed  = (readable[{number_q, 5'b0} +: 32] & ~mask_q) | (value_q & mask_q);
  assign all_o    = pred_q;

  for (genvar n = 0; n < 7; n++) begin : g_pred
    always_ff @(posedge clk_i) begin
      if (load_i[n/4]) pred_q[n*32 +: 32] <= load_all_i[n*32 +: 32];
      else if (set_q && number_q == 3'(n)) pred_q[n*32 +: 32] <= changed;
    end
  end

  always_ff @(posedge clk_i) begin
    set_q    <= set_i;
    number_q <= set_number_i;
    mask_q   <= set_mask_i;
    value_q  <= set_value_i;
  end

endmodule
