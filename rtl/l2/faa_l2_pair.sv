// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of two words of a line: four items of 16 bits, two of 32 or one of 64 per cycle.
//
// Integers, MIN, MAX and FCMPWR: combinational. Sums of floating-point types (adds_i): sum_o, faa_float_pkg::ADD_LATENCY cycles after
// valid_i, a register; of items that are not selected it is undefined.

module faa_l2_pair #(
  parameter logic F32 = 1'b1,
  parameter logic F64 = 1'b1,
  parameter logic X2 = 1'b1
) (
  input  logic        clk_i,

  input  logic        valid_i,
  input  logic        adds_i,
  input  logic [7:0]  op_i,      // enum atom_op
  input  logic [3:0]  typ_i,     // enum type
  input  logic        ftz_i,
  input  logic [7:0]  strb_i,    // all bytes of each selected item
  input  logic [63:0] m_i,
  input  logic [63:0] b_i,
  input  logic [63:0] c_i,
  output logic [63:0] new_o,
  output logic [7:0]  wrote_o,   // bytes that change
  output logic [63:0] answer_o,  // of selected items; others 0
  output logic [63:0] sum_o
);

  // Eight instances, one copy of their code in simulation.
  /*verilator no_inline_module*/

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;

  logic [1:0]  size;
  logic [7:0]  item_op;
  logic [3:0]  item_typ;
  logic [63:0] new_16, new_32, new_64, answer_16, answer_32, answer_64;
  logic [3:0]  write_16;
  logic [1:0]  write_32;
  logic        write_64;
  logic [63:0] sum_16, sum_32, sum_64;

  assign size     = faa_l2_pkg::item_size(typ_i);
  assign item_op  = op_i;
  assign item_typ = typ_i;

  // ---- Items ----

  for (genvar n = 0; n < 4; n++) begin : g_16
    faa_l2_alu #(
      .Width(16),
      .Float(X2)
    ) u_alu (
      .en_i    (valid_i && !adds_i && size == 2'd1 && strb_i[n*2]),
      .op_i    (item_op),
      .typ_i   (item_typ),
      .ftz_i,
      .m_i     (m_i[n*16 +: 16]),
      .b_i     (b_i[n*16 +: 16]),
      .c_i     (c_i[n*16 +: 16]),
      .new_o   (new_16[n*16 +: 16]),
      .write_o (write_16[n]),
      .answer_o(answer_16[n*16 +: 16])
    );
  end

  for (genvar n = 0; n < 2; n++) begin : g_32
    faa_l2_alu #(
      .Width(32),
      .Float(F32)
    ) u_alu (
      .en_i    (valid_i && !adds_i && size == 2'd2 && strb_i[n*4]),
      .op_i    (item_op),
      .typ_i   (item_typ),
      .ftz_i,
      .m_i     (m_i[n*32 +: 32]),
      .b_i     (b_i[n*32 +: 32]),
      .c_i     (c_i[n*32 +: 32]),
      .new_o   (new_32[n*32 +: 32]),
      .write_o (write_32[n]),
      .answer_o(answer_32[n*32 +: 32])
    );
  end

  faa_l2_alu #(
    .Width(64),
    .Float(F64)
  ) u_alu_64 (
    .en_i    (valid_i && !adds_i && size == 2'd3 && strb_i[0]),
    .op_i    (item_op),
    .typ_i   (item_typ),
    .ftz_i,
    .m_i,
    .b_i,
    .c_i,
    .new_o   (new_64),
    .write_o (write_64),
    .answer_o(answer_64)
  );

  // Arithmetic of an item is 0 unless it is of the size and selected; a sum's answer is M.
  always_comb begin
    new_o    = new_16 | new_32 | new_64;
    answer_o = answer_16 | answer_32 | answer_64;
    if (valid_i && adds_i) answer_o = m_i;
    wrote_o  = {8{write_64}};
    for (int unsigned i = 0; i < 8; i++) wrote_o[i] = wrote_o[i] | write_16[i/2] | write_32[i/4];
  end

  // ---- Adders ----

  logic [Latency-1:0] half_q, wide_q;   // the oldest on top

  if (X2) begin : g_x2
    for (genvar n = 0; n < 4; n++) begin : g_half
      faa_float_add_half u_add (
        .clk_i,
        .valid_i(valid_i && adds_i && size == 2'd1),
        .bf16_i (typ_i == faa_pkg::TYPE_BF16X2),
        .a_i    (m_i[n*16 +: 16]),
        .b_i    (b_i[n*16 +: 16]),
        .ftz_i,
        .sum_o  (sum_16[n*16 +: 16])
      );
    end
  end else begin : g_no_x2
    assign sum_16 = '0;
  end

  if (F32) begin : g_f32
    for (genvar n = 0; n < 2; n++) begin : g_word
      faa_float_add #(
        .ExpW(8),
        .ManW(23)
      ) u_add (
        .clk_i,
        .valid_i(valid_i && adds_i && size == 2'd2),
        .a_i    (m_i[n*32 +: 32]),
        .b_i    (b_i[n*32 +: 32]),
        .ftz_i,
        .sum_o  (sum_32[n*32 +: 32])
      );
    end
  end else begin : g_no_f32
    assign sum_32 = '0;
  end

  if (F64) begin : g_f64
    faa_float_add #(
      .ExpW(11),
      .ManW(52)
    ) u_add (
      .clk_i,
      .valid_i(valid_i && adds_i && size == 2'd3),
      .a_i    (m_i),
      .b_i    (b_i),
      .ftz_i,
      .sum_o  (sum_64)
    );
  end else begin : g_no_f64
    assign sum_64 = '0;
  end

  always_ff @(posedge clk_i) begin
    half_q <= {half_q[Latency-2:0], size == 2'd1};
    wide_q <= {wide_q[Latency-2:0], size == 2'd3};
  end

  assign sum_o = half_q[Latency-1] ? sum_16 : wide_q[Latency-1] ? sum_64 : sum_32;

  logic unused;
  assign unused = ^strb_i;

endmodule
