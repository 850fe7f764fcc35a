// SPDX-License-Identifier: Apache-2.0
// sum: running sums of the words of a buffer, the tutorial's device (Documentation/tutorial.rst).
//
// Reads COUNT 32-bit words from SRC by DMA, adds each to a sum, and writes the sum to DST. Then it
// raises the interrupt. A word takes two cycles, if memory answers at once.
//
// Registers, 32 bits: 0 ID, 1 CONTROL (bit 0: start, busy; bit 1: bus error), 2 SRC_LO, 3 SRC_HI,
// 4 DST_LO, 5 DST_HI, 6 COUNT. Writes of all but CONTROL are ignored while the device is busy.
module sum (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Registers: a write lasts one cycle, reads have no side effects.
  input  logic        reg_write_i,
  input  logic [2:0]  reg_index_i,
  input  logic [31:0] reg_wdata_i,
  output logic [31:0] reg_rdata_o,
  // DMA: a request stays until it is answered.
  output logic        mem_valid_o,
  output logic        mem_write_o,
  output logic [63:0] mem_addr_o,
  output logic [31:0] mem_wdata_o,
  input  logic        mem_ready_i,
  input  logic        mem_error_i,
  input  logic [31:0] mem_rdata_i,
  // Interrupt, one cycle
  output logic        irq_o
);
  localparam logic [31:0] Id = 32'h53554d31;

  typedef enum logic [1:0] {Idle, Read, Write, Done} state_e;

  state_e      state_q, state_d;
  logic [63:0] src_q, src_d, dst_q, dst_d;
  logic [31:0] count_q, count_d, sum_q, sum_d;
  logic        error_q, error_d;

  wire busy = state_q != Idle;
  wire start = reg_write_i && reg_index_i == 3'd1 && reg_wdata_i[0] && !busy;

  always_comb begin
    state_d = state_q;
    src_d = src_q;
    dst_d = dst_q;
    count_d = count_q;
    sum_d = sum_q;
    error_d = error_q;

    unique case (state_q)
      Idle: begin
        if (start) begin
          state_d = count_q == 0 ? Done : Read;
          sum_d = '0;
          error_d = 1'b0;
        end
      end
      Read: begin
        if (mem_ready_i) begin
          state_d = Write;
          src_d = src_q + 64'd4;
          sum_d = sum_q + mem_rdata_i;
        end
      end
      Write: begin
        if (mem_ready_i) begin
          state_d = count_q == 1 ? Done : Read;
          dst_d = dst_q + 64'd4;
          count_d = count_q - 1;
        end
      end
      Done: state_d = Idle;
    endcase

    if (mem_valid_o && mem_ready_i && mem_error_i) begin
      state_d = Done;
      error_d = 1'b1;
    end
    if (reg_write_i && !busy) begin
      unique case (reg_index_i)
        3'd2: src_d[31:0] = reg_wdata_i;
        3'd3: src_d[63:32] = reg_wdata_i;
        3'd4: dst_d[31:0] = reg_wdata_i;
        3'd5: dst_d[63:32] = reg_wdata_i;
        3'd6: count_d = reg_wdata_i;
        default: ;
      endcase
    end
  end

  always_comb begin
    unique case (reg_index_i)
      3'd0: reg_rdata_o = Id;
      3'd1: reg_rdata_o = {30'd0, error_q, busy};
      3'd2: reg_rdata_o = src_q[31:0];
      3'd3: reg_rdata_o = src_q[63:32];
      3'd4: reg_rdata_o = dst_q[31:0];
      3'd5: reg_rdata_o = dst_q[63:32];
      3'd6: reg_rdata_o = count_q;
      default: reg_rdata_o = '0;
    endcase
  end

  assign mem_valid_o = state_q inside {Read, Write};
  assign mem_write_o = state_q == Write;
  assign mem_addr_o = mem_write_o ? dst_q : src_q;
  assign mem_wdata_o = sum_q;
  assign irq_o = state_q == Done;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      {src_q, dst_q, count_q, sum_q, error_q} <= '0;
    end else begin
      state_q <= state_d;
      {src_q, dst_q, count_q, sum_q, error_q} <= {src_d, dst_d, count_d, sum_d, error_d};
    end
  end
endmodule
