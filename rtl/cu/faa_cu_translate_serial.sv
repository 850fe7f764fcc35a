// SPDX-License-Identifier: Apache-2.0
//
// What faa_cu_translate does with Affine, a lane per cycle, for builds where few look-up tables
// count more than cycles: checks and translates addresses that are a first one and a step, from lane
// 0 on, and keeps them in a RAM that is read in beats.
//
// One page is remembered; a lane of another one waits for the TLB. The first lane that is in error
// ends it.
//
// Latency: valid_o one cycle after the highest lane, a cycle for each lane below it, and for each
// new page 2 cycles and the TLB. A new start may come in the cycle of the take.
// Stalls: T1 waiting for the TLB (part of STALL_GLOBAL).
// Hazard: an invalidation makes the remembered page stale: drop_i, while free_o.

`include "faa_assert.svh"

module faa_cu_translate_serial #(
  parameter int unsigned BeatLanes = 4   // lanes of a beat that is read
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          start_i,
  input  logic [31:0]   mask_i,
  input  logic [63:0]   base_i,          // address of lane 0,
  input  logic [31:0]   step_i,          // and signed bytes from one lane to the next
  input  logic [1:0]    size_i,          // log2 of the bytes accessed
  input  logic          write_i,
  input  logic          drop_i,          // forget the remembered page
  output logic          free_o,          // start_i may come

  output logic          valid_o,
  input  logic          take_i,
  input  faa_cu_pkg::beat_no_t beat_i,   // with valid_o: the beat that is shown
  output logic [BeatLanes*52-1:0] pa_o,
  output logic [BeatLanes-1:0] sparse_o,
  output logic [51:0]   last_pa_o,       // with valid_o: of the highest lane
  output logic          last_sparse_o,
  output logic [7:0]    error_o,         // enum error
  output logic [4:0]    error_lane_o,
  output logic [63:0]   error_address_o,

  output logic          tr_valid_o,
  input  logic          tr_ready_i,
  output logic [63:0]   tr_va_o,
  output logic          tr_write_o,
  input  logic          tr_rsp_valid_i,
  input  logic [7:0]    tr_rsp_error_i,
  input  logic [63:0]   tr_rsp_pa_i,
  input  logic          tr_rsp_sparse_i
);

  localparam int unsigned Beats = 32 / BeatLanes;
  localparam int unsigned LaneW = $clog2(BeatLanes);
  localparam int unsigned BeatW = $clog2(Beats);

  typedef enum logic [2:0] {
    StIdle,
    StLane,      // a lane is checked
    StAsk,       // its page is asked for
    StAnswer,
    StValid
  } state_e;

  state_e        state_q;
  logic [31:0]   mask_q;                 // lanes from the one that is checked on
  logic [4:0]    lane_q;
  logic [63:0]   va_q, table_q;          // table: of a bus error, the table entry
  logic [31:0]   step_q;
  logic [1:0]    size_q;
  logic          write_q, misaligned, hit, passed, last;
  logic          known_q, known_write_q, known_sparse_q;
  logic [51:0]   known_va_q;
  logic [39:0]   known_pa_q;
  logic [7:0]    error_q;

  assign misaligned = (va_q[2:0] & ~(3'b111 << size_q)) != 3'b0;
  assign hit        = known_q && known_va_q == va_q[63:12] && (!write_q || known_write_q);
  assign last       = mask_q[31:1] == '0;
  assign passed     = state_q == StLane && (!mask_q[0] || (!misaligned && hit));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      known_q <= 1'b0;
    end else begin
      case (state_q)
        StIdle: if (start_i) state_q <= StLane;
        StLane: if (passed ? last : misaligned) state_q <= StValid;
        else if (!passed) state_q <= StAsk;
        StAsk: if (tr_ready_i) state_q <= StAnswer;
        StAnswer: if (tr_rsp_valid_i) begin
          state_q <= tr_rsp_error_i == faa_pkg::ERROR_SUCCESS ? StLane : StValid;
        end
        default: if (take_i) state_q <= start_i ? StLane : StIdle;
      endcase
      if (drop_i) known_q <= 1'b0;
      else if (state_q == StAnswer && tr_rsp_valid_i) begin
        known_q <= known_q || tr_rsp_error_i == faa_pkg::ERROR_SUCCESS;
      end
    end

    if (start_i) begin
      mask_q  <= mask_i;
      lane_q  <= '0;
      va_q    <= base_i;
      step_q  <= step_i;
      size_q  <= size_i;
      write_q <= write_i;
      error_q <= faa_pkg::ERROR_SUCCESS;
    end else if (passed && !last) begin
      mask_q <= mask_q >> 1;
      lane_q <= lane_q + 5'd1;
      va_q   <= va_q + {{32{step_q[31]}}, step_q};
    end else if (state_q == StLane && !passed && misaligned) begin
      error_q <= faa_pkg::ERROR_MISALIGNED;
    end else if (state_q == StAnswer && tr_rsp_valid_i) begin
      error_q <= tr_rsp_error_i;
    end

    if (state_q == StAnswer && tr_rsp_valid_i) begin
      table_q <= tr_rsp_pa_i;
      if (tr_rsp_error_i == faa_pkg::ERROR_SUCCESS) begin
        known_va_q     <= va_q[63:12];
        known_pa_q     <= tr_rsp_pa_i[51:12];
        known_sparse_q <= tr_rsp_sparse_i;
        known_write_q  <= write_q;
      end
    end
  end

  // A RAM of each lane of a beat
  for (genvar p = 0; p < BeatLanes; p++) begin : g_lane
    logic [52:0] row_q [Beats];

    always_ff @(posedge clk_i) begin
      if (passed && lane_q[LaneW-1:0] == LaneW'(p)) begin
        row_q[lane_q[4 -: BeatW]] <= {known_sparse_q, known_pa_q, va_q[11:0]};
      end
    end
    assign {sparse_o[p], pa_o[p*52 +: 52]} = row_q[BeatW'(beat_i)];
  end

  assign free_o          = state_q == StIdle;
  assign valid_o         = state_q == StValid;
  assign last_pa_o       = {known_pa_q, va_q[11:0]};
  assign last_sparse_o   = known_sparse_q;
  assign error_o         = error_q;
  assign error_lane_o    = lane_q;
  assign error_address_o = error_q == faa_pkg::ERROR_BUS_ERROR ? table_q : va_q;
  assign tr_valid_o      = state_q == StAsk;
  assign tr_va_o         = va_q;
  assign tr_write_o      = write_q;

  `FAA_ASSERT(start_when_free, !start_i || state_q == StIdle || (state_q == StValid && take_i))
  `FAA_ASSERT_STABLE(request_stable, tr_valid_o, tr_ready_i, {tr_va_o, tr_write_o})

endmodule
