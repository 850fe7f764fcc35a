// SPDX-License-Identifier: Apache-2.0
//
// ALU: d = a op b in Lanes lanes, 32 or 64 bits, integer and floating-point. LanesPerCycle lanes
// enter the pipeline per cycle.
//
//   R  operands of the lanes, prepared: extended, or keys of MIN and MAX
//   I  everything but floating-point addition; the adders begin
//   W  into the result, 2 cycles after R, or when the adders are through
//
// Latency: Lanes / LanesPerCycle + 3 cycles from valid_i to done_o, ADD_LATENCY - 1 more for
// floating-point additions. Throughput: one beat at a time; a loop around CAS has one ALU command
// per round trip to memory. Stalls: none of its own; its user waits for done_o. Hazards: none.

`include "faa_assert.svh"

module faa_cu_alu #(
  parameter bit F32 = 1'b1,
  parameter bit F64 = 1'b1,
  parameter int unsigned Lanes = 32,           // of a warp, or of a beat of it
  parameter int unsigned LanesPerCycle = 4
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          valid_i,         // operands, stable until they have been taken
  input  logic [7:0]    op_i,            // enum alu_op
  input  logic [3:0]    typ_i,           // enum type: U32, S32, U64, S64, F32, F64
  input  logic          ftz_i,
  input  logic [Lanes*64-1:0] a_i,       // 64 bits a lane
  input  logic [Lanes*64-1:0] b_i,

  output logic          done_o,          // result_o is complete
  input  logic          take_i,          // with done_o
  output logic [Lanes*64-1:0] result_o   // 32-bit types: zeros above
);

  localparam int unsigned Steps = Lanes / LanesPerCycle;
  localparam int unsigned StepW = $clog2(Steps);
  localparam int unsigned AddLatency = faa_float_pkg::ADD_LATENCY;
  localparam int unsigned W = LanesPerCycle * 64;

  logic              run_q, busy_q, done_q;
  logic [StepW-1:0]  step_q, write_step;
  logic [W-1:0]      x_d, y_d, x_q, y_q, other_q, other, sum, value;
  logic [Lanes*64-1:0] result_q;
  // Which lanes are in the pipeline: entry 0 in stage I, entry n n cycles later
  logic [AddLatency:0]             stage_q;
  logic [(AddLatency+1)*StepW-1:0] stage_step_q;
  logic              is_float, wide, adds, begins, write, last;

  assign is_float = typ_i >= faa_pkg::TYPE_F16;
  assign wide     = faa_cu_pkg::is_wide(typ_i);
  assign adds     = is_float && (op_i == faa_pkg::ALU_OP_ADD || op_i == faa_pkg::ALU_OP_SUB);
  assign begins   = valid_i && !busy_q;

  // All lanes of a warp take the path of the adder, or none does.
  assign write      = adds ? stage_q[AddLatency] : stage_q[1];
  assign write_step = adds ? stage_step_q[AddLatency*StepW +: StepW] : stage_step_q[StepW +: StepW];
  assign last       = write && write_step == StepW'(Steps - 1);
  assign value      = adds ? sum : other_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q   <= 1'b0;
      busy_q  <= 1'b0;
      done_q  <= 1'b0;
      stage_q <= '0;
    end else begin
      if (begins) begin
        busy_q <= 1'b1;
        run_q  <= 1'b1;
      end else if (done_q && take_i) begin
        busy_q <= 1'b0;
      end
      if (run_q && step_q == StepW'(Steps - 1)) run_q <= 1'b0;
      if (last) done_q <= 1'b1;
      else if (take_i) done_q <= 1'b0;
      // After the last write the stages hold lanes that have been written.
      stage_q <= last ? '0 : {stage_q[AddLatency-1:0], run_q};
    end

    step_q       <= run_q ? step_q + StepW'(1) : '0;
    stage_step_q <= {stage_step_q[AddLatency*StepW-1:0], step_q};
    if (run_q) begin
      x_q <= x_d;
      y_q <= y_d;
    end
    if (stage_q[0]) other_q <= other;
    if (write) result_q[{write_step, {$clog2(W){1'b0}}} +: W] <= value;
  end

  // -------------------------------------------------------------------------------------------------------------
  // Everything but floating-point addition

  // 32-bit values are computed as 64-bit ones: extended as their type says, or by the sign of their
  // key. The adders take the bits of their type of the extended value.
  function automatic logic [63:0] prepared(input logic [7:0] op, input logic [3:0] typ,
                                           input logic ftz, input logic [63:0] bits);
    prepared = faa_cu_pkg::extend(bits, faa_cu_pkg::size_log2(typ), faa_cu_pkg::is_signed(typ));
    if (op == faa_pkg::ALU_OP_MIN || op == faa_pkg::ALU_OP_MAX) begin
      prepared = key_of(typ, ftz, op == faa_pkg::ALU_OP_MAX, prepared);
    end
  endfunction

  always_comb begin
    for (int unsigned n = 0; n < LanesPerCycle; n++) begin
      x_d[n*64 +: 64] = prepared(op_i, typ_i, ftz_i, a_i[64*(32'(step_q)*LanesPerCycle + n) +: 64]);
      y_d[n*64 +: 64] = prepared(op_i, typ_i, ftz_i, b_i[64*(32'(step_q)*LanesPerCycle + n) +: 64]);
    end
  end

  // Of prepared values
  function automatic logic [63:0] result_of(input logic [7:0] op, input logic [3:0] typ,
                                            input logic [63:0] x, input logic [63:0] y);
    logic [5:0]  shift;
    logic        sign, signed_order, less, is_max, is_wide;
    is_wide      = faa_cu_pkg::is_wide(typ);
    sign         = faa_cu_pkg::is_signed(typ);
    signed_order = sign || typ >= faa_pkg::TYPE_F16;
    is_max       = op == faa_pkg::ALU_OP_MAX;
    shift        = {is_wide && y[5], y[4:0]};
    less         = {x[63] ^ signed_order, x[62:0]} < {y[63] ^ signed_order, y[62:0]};
    case (op)
      faa_pkg::ALU_OP_ADD: result_of = x + y;
      faa_pkg::ALU_OP_SUB: result_of = x - y;
      faa_pkg::ALU_OP_MIN, faa_pkg::ALU_OP_MAX: begin
        result_of = less != is_max ? x : y;
        if (F32 && typ == faa_pkg::TYPE_F32) begin
          result_of = {32'b0, faa_float_pkg::f32_unkey(result_of[31:0], is_max)};
        end
        if (F64 && typ == faa_pkg::TYPE_F64) begin
          result_of = faa_float_pkg::f64_unkey(result_of, is_max);
        end
      end
      faa_pkg::ALU_OP_AND: result_of = x & y;
      faa_pkg::ALU_OP_OR: result_of = x | y;
      faa_pkg::ALU_OP_XOR: result_of = x ^ y;
      faa_pkg::ALU_OP_SHL: result_of = x << shift;
      faa_pkg::ALU_OP_SHR: result_of = 64'($signed({sign & x[63], x}) >>> shift);
      default: result_of = {32'b0, x[31:0] * y[31:0]};
    endcase
    if (!is_wide) result_of[63:32] = '0;
  endfunction

  // Key by which MIN and MAX compare
  function automatic logic [63:0] key_of(input logic [3:0] typ, input logic ftz, input logic is_max, input logic [63:0] x);
    key_of = x;
    if (F32 && typ == faa_pkg::TYPE_F32) begin
      key_of = faa_cu_pkg::extend({32'b0, faa_float_pkg::f32_key(x[31:0], ftz, is_max)}, 2'd2, 1'b1);
    end
    if (F64 && typ == faa_pkg::TYPE_F64) key_of = faa_float_pkg::f64_key(x, ftz, is_max);
  endfunction

  always_comb begin
    other = '0;
    if (stage_q[0]) begin
      for (int n = 0; n < LanesPerCycle; n++) begin
        other[n*64 +: 64] = result_of(op_i, typ_i, x_q[n*64 +: 64], y_q[n*64 +: 64]);
      end
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // Floating-point addition; SUB inverts the sign of b

  for (genvar n = 0; n < LanesPerCycle; n++) begin : gen_lane
    logic [31:0] sum32;
    logic [63:0] sum64;
    logic        sub;
    assign sub = op_i == faa_pkg::ALU_OP_SUB;

    if (F32) begin : gen_f32
      faa_float_add #(.ExpW(8), .ManW(23), .Latency(AddLatency)) u_add (
        .clk_i,
        .valid_i(stage_q[0] && adds && !wide),
        .a_i    (x_q[n*64 +: 32]),
        .b_i    (y_q[n*64 +: 32] ^ {sub, 31'b0}),
        .ftz_i,
        .sum_o  (sum32)
      );
    end else begin : gen_no_f32
      logic unused_sub;
      assign unused_sub = sub;
      assign sum32      = '0;
    end

    if (F64) begin : gen_f64
      faa_float_add #(.ExpW(11), .ManW(52), .Latency(AddLatency)) u_add (
        .clk_i,
        .valid_i(stage_q[0] && adds && wide),
        .a_i    (x_q[n*64 +: 64]),
        .b_i    (y_q[n*64 +: 64] ^ {sub, 63'b0}),
        .ftz_i,
        .sum_o  (sum64)
      );
    end else begin : gen_no_f64
      assign sum64 = '0;
    end

    assign sum[n*64 +: 64] = wide ? sum64 : {32'b0, sum32};
  end

  assign done_o   = done_q;
  assign result_o = result_q;

  `FAA_ASSERT(take_what_is_done, !take_i || done_q || !busy_q)
  `FAA_COVER(float_sum, write && adds)

endmodule
