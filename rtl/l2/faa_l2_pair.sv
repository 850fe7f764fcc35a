// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of two words of a line: four items of 16 bits, two of 32 or one of 64 per cycle.
//
// One data path of 64 bits serves all sizes. Its three carry chains (M + t, M + v, M against k)
// have a guard bit between segments of 16 bits, which passes the carry on inside an item and starts
// a new one between two items.
//
// P: operation, b and c. Values that depend on these alone are computed and registered. M, a cycle
// later: m_i comes, new_o and wrote_o follow in the same cycle. The path from m_i is short, so the
// caller can feed new_o back as the next m_i. Sums of floating-point types (adds_i): sum_o,
// faa_float_pkg::ADD_LATENCY cycles after m_i, from registers; undefined for items that are not
// selected. Throughput: an operation per cycle. Stalls and hazards: none; the caller forwards M.
//
// INC and DEC: b is the bound, c the number of steps modulo b + 1. M below the bound (INC): M + c,
// less b + 1 if that is possible. Else the first step leads to 0: c - 1, or b where c is 0. DEC is
// its mirror image. MIN and MAX of floating-point types choose by sign and magnitude. b is made
// canonical in P (NaN, and zero for a denormal with ftz_i). Of M only denormals have to be flushed:
// a NaN is never chosen.

module faa_l2_pair #(
  parameter logic F32 = 1'b1,
  parameter logic F64 = 1'b1,
  parameter logic X2 = 1'b1
) (
  input  logic        clk_i,

  // P
  input  logic        valid_i,
  input  logic        adds_i,
  input  logic [7:0]  op_i,      // enum atom_op
  input  logic [3:0]  typ_i,     // enum type
  input  logic        ftz_i,
  input  logic [7:0]  strb_i,    // all bytes of each selected item; of EXCH any bytes
  input  logic [63:0] b_i,
  input  logic [63:0] c_i,

  // M
  input  logic [63:0] m_i,
  output logic [63:0] new_o,
  output logic [7:0]  wrote_o,   // bytes that change; of CAST of each item that was equal
  output logic [63:0] sum_o
);

  // Eight instances, one copy of their code in simulation.
  /*verilator no_inline_module*/

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;

  // A format of floating-point numbers, or none.
  localparam logic [2:0] NONE = 3'd0, HALF = 3'd1, BRAIN = 3'd2, SINGLE = 3'd3, DOUBLE = 3'd4;

  // ---- Facts of a number, for each of its segments ----

  typedef struct packed {
    logic [3:0] ones;    // exponent
    logic [3:0] tiny;   // exponent 0
    logic [3:0] whole;   // fraction 0
  } facts_t;

  function automatic facts_t classify(input logic [63:0] x, input logic [2:0] format);
    classify = '0;
    for (int unsigned j = 0; j < 4; j++) begin
      if (X2 && format == HALF) begin
        classify.ones[j]  = &x[j*16 + 10 +: 5];
        classify.tiny[j] = !(|x[j*16 + 10 +: 5]);
        classify.whole[j] = !(|x[j*16 +: 10]);
      end
      if (X2 && format == BRAIN) begin
        classify.ones[j]  = &x[j*16 + 7 +: 8];
        classify.tiny[j] = !(|x[j*16 + 7 +: 8]);
        classify.whole[j] = !(|x[j*16 +: 7]);
      end
      if (F32 && format == SINGLE) begin
        classify.ones[j]  = &x[j/2*32 + 23 +: 8];
        classify.tiny[j] = !(|x[j/2*32 + 23 +: 8]);
        classify.whole[j] = !(|x[j/2*32 +: 23]);
      end
      if (F64 && format == DOUBLE) begin
        classify.ones[j]  = &x[62:52];
        classify.tiny[j] = !(|x[62:52]);
        classify.whole[j] = !(|x[51:0]);
      end
    end
  endfunction

  // The bit of the item's highest segment, for each segment.
  function automatic logic [3:0] of_item(input logic [3:0] x, input logic [1:0] size);
    case (size)
      2'd1:    of_item = x;
      2'd2:    of_item = {{2{x[3]}}, {2{x[1]}}};
      default: of_item = {4{x[3]}};
    endcase
  endfunction

  // True for an item if it is true for all of its segments.
  function automatic logic [3:0] all_item(input logic [3:0] x, input logic [1:0] size);
    case (size)
      2'd1:    all_item = x;
      2'd2:    all_item = {{2{&x[3:2]}}, {2{&x[1:0]}}};
      default: all_item = {4{&x}};
    endcase
  endfunction

  // A bit for each segment, copied to all bits of the segment. (Simulators are faster with
  // expressions of whole words than of single bits.)
  function automatic logic [63:0] wide(input logic [3:0] x);
    wide = {{16{x[3]}}, {16{x[2]}}, {16{x[1]}}, {16{x[0]}}};
  endfunction

  // The highest bit of each item.
  function automatic logic [63:0] highest(input logic [1:0] size);
    highest     = '0;
    highest[15] = size == 2'd1;
    highest[31] = size != 2'd3;
    highest[47] = size == 2'd1;
    highest[63] = 1'b1;
  endfunction

  // Sum of the segments, with the carry out of each on top. joined: the segments n and n + 1 are of
  // one item. The guard bit between them adds 1 and 0, which passes the carry on, else twice the
  // carry that starts the next item.
  function automatic logic [67:0] add(input logic [63:0] x, input logic [63:0] y,
                                      input logic [2:0] joined, input logic carry);
    logic [67:0] sum;
    logic [2:0]  passes, starts;
    passes = joined | {3{carry}};
    starts = ~joined & {3{carry}};
    sum    = 68'(({1'b0, x[63:48], passes[2], x[47:32], passes[1], x[31:16], passes[0], x[15:0],
                   1'b1} +
                  {1'b0, y[63:48], starts[2], y[47:32], starts[1], y[31:16], starts[0], y[15:0],
                   carry}) >> 1);
    add    = {sum[67], sum[50] ^ joined[2], sum[33] ^ joined[1], sum[16] ^ joined[0],
              sum[66:51], sum[49:34], sum[32:17], sum[15:0]};
  endfunction

  // ---- P ----

  logic [1:0]  size;
  logic [2:0]  format;
  logic        is_max, min_max, inc, dec, compares, picks, subtracts, signs;
  logic [2:0]  joins;
  facts_t      b_class;
  logic [3:0]  b_nan, b_flush, b_sign, c_zero;
  logic [63:0] b, top, canonical, q, steps, n, p, t, k, v;
  logic [67:0] difference, stepped;

  assign size      = faa_l2_pkg::item_size(typ_i);
  assign is_max    = op_i == faa_pkg::ATOM_OP_MAX;
  assign min_max   = op_i == faa_pkg::ATOM_OP_MIN || is_max;
  assign inc       = op_i == faa_pkg::ATOM_OP_INC;
  assign dec       = op_i == faa_pkg::ATOM_OP_DEC;
  assign compares  = op_i == faa_pkg::ATOM_OP_CAS || op_i == faa_pkg::ATOM_OP_CAST;
  assign picks     = op_i == faa_pkg::ATOM_OP_FCMPWR;
  assign subtracts = op_i == faa_pkg::ATOM_OP_SUB || dec;
  assign joins     = size == 2'd1 ? 3'b000 : size == 2'd2 ? 3'b101 : 3'b111;

  // For operations on numbers, not on their bits.
  always_comb begin
    format = NONE;
    if (min_max || picks) begin
      case (typ_i)
        faa_pkg::TYPE_F16, faa_pkg::TYPE_F16X2: if (X2) format = HALF;
        faa_pkg::TYPE_BF16X2:                   if (X2) format = BRAIN;
        faa_pkg::TYPE_F32:                      if (F32) format = SINGLE;
        faa_pkg::TYPE_F64:                      if (F64) format = DOUBLE;
        default: ;
      endcase
    end
  end

  always_comb begin
    case (format)
      HALF:    canonical = {4{faa_float_pkg::F16_NAN}};
      BRAIN:   canonical = {4{faa_float_pkg::BF16_NAN}};
      SINGLE:  canonical = {2{faa_float_pkg::F32_NAN}};
      default: canonical = faa_float_pkg::F64_NAN;
    endcase
  end

  // The highest bit of both sides is inverted where it is a sign.
  assign signs = format != NONE || typ_i == faa_pkg::TYPE_S16 || typ_i == faa_pkg::TYPE_S32 ||
                 typ_i == faa_pkg::TYPE_S64;

  assign top     = highest(size);
  assign b_class = classify(b_i, format);
  assign b_nan   = b_class.ones & ~b_class.whole;
  assign b_flush = ftz_i ? b_class.tiny : '0;

  assign b = (wide(b_nan) & canonical) | (b_i & ~wide(b_nan) & (top | ~wide(b_flush)));

  assign b_sign = format != NONE ? of_item({b[63], b[47], b[31], b[15]}, size) : '0;

  always_comb begin
    for (int unsigned j = 0; j < 4; j++) c_zero[j] = !(|c_i[j*16 +: 16]);
    c_zero = all_item(c_zero, size);
  end

  // q = b - c. INC: c - 1; DEC: b - c + 1.
  assign difference = add(b_i, ~c_i, joins, 1'b1);
  assign q          = difference[63:0];
  assign stepped    = add(dec ? q : c_i, {64{!dec}}, joins, dec);
  assign steps      = stepped[63:0];

  always_comb begin
    n = compares || picks ? c_i :
        inc || dec ? (wide(c_zero) & b_i & {64{!dec}}) | (~wide(c_zero) & steps) : b;
    // AND, OR, XOR and EXCH are (M & p) ^ n.
    p = '0;
    if (op_i == faa_pkg::ATOM_OP_AND) p = b;
    if (op_i == faa_pkg::ATOM_OP_OR) p = ~b;
    if (op_i == faa_pkg::ATOM_OP_XOR) p = '1;
    k = b;
    if (min_max) k = b ^ ((top & {64{signs}}) | (~top & wide(b_sign)));
    v = q ^ {64{inc}};
    t = (inc || dec ? c_i : b_i & {64{op_i != faa_pkg::ATOM_OP_INCU}}) ^ {64{subtracts}};
    if (op_i == faa_pkg::ATOM_OP_DECU || op_i == faa_pkg::ATOM_OP_PREDEC) t = '1;
  end

  // ---- M ----

  logic        adds_q, ftz_q, inc_q, dec_q, min_max_q, is_max_q, compares_q, picks_q, signs_q;
  logic        sums_q, t_carry_q;
  logic [1:0]  size_q;
  logic [2:0]  joins_q, format_q;
  logic [3:0]  typ_q, b_nan_q, b_zero_q;
  logic [7:0]  strb_q;
  logic [63:0] n_q, p_q, t_q, k_q, v_q;

  always_ff @(posedge clk_i) begin
    adds_q <= valid_i && adds_i;
    strb_q <= valid_i && !adds_i ? strb_i : '0;
    if (valid_i) begin
      size_q     <= size;
      joins_q    <= joins;
      format_q   <= format;
      typ_q      <= typ_i;
      ftz_q      <= ftz_i;
      inc_q      <= inc;
      dec_q      <= dec;
      min_max_q  <= min_max;
      is_max_q   <= is_max;
      compares_q <= compares;
      picks_q    <= picks;
      signs_q    <= signs;
      sums_q     <= faa_l2_pkg::at_adds(op_i);
      t_carry_q  <= subtracts || op_i == faa_pkg::ATOM_OP_INCU;
      b_nan_q    <= b_nan;
      b_zero_q   <= b_class.tiny & (b_class.whole | {4{ftz_i}});
      n_q        <= op_i == faa_pkg::ATOM_OP_AND ? '0 : n;
      p_q        <= p;
      t_q        <= t;
      k_q        <= k;
      v_q        <= v;
    end
  end

  facts_t      m_class;
  logic [3:0]  m_nan, m_flush, m_zero, m_sign, same, equal, not_below, u_carry, v_carry;
  logic [3:0]  take_m, zero_m, take_u, take_v, write;
  logic [63:0] u, w, top_q, key, logical, bits;
  logic [67:0] u_sum, v_sum, k_sum;

  assign top_q   = highest(size_q);
  assign m_class = classify(m_i, format_q);
  assign m_nan   = m_class.ones & ~m_class.whole;
  assign m_flush = ftz_q ? m_class.tiny : '0;
  assign m_zero  = m_class.tiny & (m_class.whole | {4{ftz_q}});
  assign m_sign  = format_q != NONE ? of_item({m_i[63], m_i[47], m_i[31], m_i[15]}, size_q) : '0;

  assign key = m_i ^ (((top_q & {64{signs_q}}) | (~top_q & wide(m_sign))) & {64{min_max_q}});

  always_comb begin
    for (int unsigned j = 0; j < 4; j++) same[j] = m_i[j*16 +: 16] == k_q[j*16 +: 16];
  end

  // DEC: above the bound; the others: not below.
  assign u_sum     = add(m_i, t_q, joins_q, t_carry_q);
  assign v_sum     = add(m_i, v_q, joins_q, dec_q);
  assign k_sum     = add(key, ~k_q, joins_q, !dec_q);
  assign u         = u_sum[63:0];
  assign w         = v_sum[63:0];
  assign u_carry   = of_item(u_sum[67:64], size_q);
  assign v_carry   = of_item(v_sum[67:64], size_q);
  assign not_below = of_item(k_sum[67:64], size_q);
  assign equal     = all_item(same, size_q);

  always_comb begin
    for (int unsigned j = 0; j < 4; j++) begin
      take_m[j] = min_max_q && !m_nan[j] && (b_nan_q[j] || not_below[j] == is_max_q);
      zero_m[j] = take_m[j] && m_flush[j];
      take_u[j] = sums_q || (inc_q && !not_below[j] && !v_carry[j]) ||
                  (dec_q && !not_below[j] && u_carry[j]);
      take_v[j] = (inc_q && !not_below[j] && v_carry[j]) || (dec_q && !not_below[j] && !u_carry[j]);
      write[j]  = compares_q ? equal[j] :
                  picks_q ? !m_nan[j] && !b_nan_q[j] &&
                            (equal[j] || (m_zero[j] && b_zero_q[j])) : 1'b1;
    end
    logical = (m_i & p_q) ^ n_q;
    bits    = ((wide(take_m) & m_i) | (~wide(take_m) & logical)) & (top_q | ~wide(zero_m));
    new_o   = (wide(take_u) & u) | (wide(take_v) & w) | (~wide(take_u | take_v) & bits);
    for (int unsigned i = 0; i < 8; i++) wrote_o[i] = strb_q[i] && write[i/2];
  end

  // ---- Adders: t_q is b ----

  logic [Latency-1:0] half_q, wide_q;   // the oldest on top
  logic [63:0]        sum_16, sum_32, sum_64;

  if (X2) begin : g_x2
    for (genvar g = 0; g < 4; g++) begin : g_half
      faa_float_add_half u_add (
        .clk_i,
        .valid_i(adds_q && size_q == 2'd1),
        .bf16_i (typ_q == faa_pkg::TYPE_BF16X2),
        .a_i    (m_i[g*16 +: 16]),
        .b_i    (t_q[g*16 +: 16]),
        .ftz_i  (ftz_q),
        .sum_o  (sum_16[g*16 +: 16])
      );
    end
  end else begin : g_no_x2
    assign sum_16 = '0;
  end

  if (F32) begin : g_f32
    for (genvar g = 0; g < 2; g++) begin : g_word
      faa_float_add #(
        .ExpW(8),
        .ManW(23)
      ) u_add (
        .clk_i,
        .valid_i(adds_q && size_q == 2'd2),
        .a_i    (m_i[g*32 +: 32]),
        .b_i    (t_q[g*32 +: 32]),
        .ftz_i  (ftz_q),
        .sum_o  (sum_32[g*32 +: 32])
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
      .valid_i(adds_q && size_q == 2'd3),
      .a_i    (m_i),
      .b_i    (t_q),
      .ftz_i  (ftz_q),
      .sum_o  (sum_64)
    );
  end else begin : g_no_f64
    assign sum_64 = '0;
  end

  always_ff @(posedge clk_i) begin
    half_q <= {half_q[Latency-2:0], size_q == 2'd1};
    wide_q <= {wide_q[Latency-2:0], size_q == 2'd3};
  end

  assign sum_o = half_q[Latency-1] ? sum_16 : wide_q[Latency-1] ? sum_64 : sum_32;

  logic unused;
  assign unused = ^{typ_q, adds_q, k_sum[63:0], difference[67:64], stepped[67:64]};

endmodule
