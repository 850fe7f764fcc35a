// SPDX-License-Identifier: Apache-2.0
//
// What faa_cu_atom_pages does, a lane per cycle, for builds where few look-up tables count more than
// cycles: checks and translates the addresses of a beat of LD, ST or ATOM, and finds the streams of
// the command that the beat comes near.
//
// One page of 4 KiB is remembered, with what has been allowed in it and the streams that go through
// it. A lane of another page asks the TLB; then the streams are compared with the page, one per
// cycle. The first lane that is in error ends it.
//
// Latency: valid_o a cycle after the last lane, a cycle for each lane, and for each new page 6
// cycles and the TLB; 4 for the first beat of a command with streams.
// Stalls: T1 waiting for the TLB (part of STALL_GLOBAL); O3 spans_ready_i is awaited.
// Hazard: an invalidation makes the remembered page stale: drop_i, while no warp is looked at.

`include "faa_assert.svh"

module faa_cu_atom_pages_serial #(
  parameter int unsigned Lanes = 4       // of a beat
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          drop_i,

  // Pages of the streams d, a, b, c of the command (faa_cu_overlap); they change while not ready
  input  logic          spans_ready_i,
  input  logic [3:0]    span_used_i,
  input  logic [207:0]  span_low_i,
  input  logic [207:0]  span_high_i,

  input  logic          look_i,          // a beat; stays until take_i
  input  logic [Lanes-1:0] mask_i,
  input  logic [Lanes*64-1:0] va_i,
  input  logic [1:0]    size_i,          // log2 of the bytes accessed
  input  logic          write_i,         // permissions that it needs
  input  logic          atomic_i,        // with write_i
  input  logic          take_i,          // with valid_o
  input  logic [4:0]    pick_i,          // without look_i: address of a lane
  output logic [63:0]   picked_o,

  output logic          valid_o,         // translated, or bad
  output logic [Lanes*52-1:0] pa_o,
  output logic [Lanes-1:0] sparse_o,
  output logic          own_result_o,    // a lane may be in the result stream,
  output logic          own_operand_o,   // or in an operand stream
  output logic [7:0]    error_o,         // enum error
  output logic [4:0]    error_lane_o,
  output logic [63:0]   error_address_o,

  output logic          tr_valid_o,
  input  logic          tr_ready_i,
  output logic [63:0]   tr_va_o,
  output logic          tr_write_o,
  output logic          tr_atomic_o,
  input  logic          tr_rsp_valid_i,
  input  logic [7:0]    tr_rsp_error_i,
  input  logic [63:0]   tr_rsp_pa_i,
  input  logic          tr_rsp_sparse_i,
  input  logic          tr_rsp_big_i
);

  localparam int unsigned LaneW = $clog2(Lanes);

  typedef enum logic [2:0] {
    StLane,      // a lane is checked
    StAsk,       // its page is asked for
    StAnswer,
    StSpans,     // the streams are compared with the remembered page
    StValid
  } state_e;

  state_e           state_q;
  logic [LaneW-1:0] lane_q, lane;
  logic [63:0]      va, table_q;         // table: of a bus error, the table entry
  logic             known_q, known_write_q, known_atomic_q, known_sparse_q;
  logic [63:12]     known_va_q;
  logic [51:12]     known_pa_q;
  logic             settled_q;           // near_q is of the remembered page and these streams
  logic [3:0]       near_q, own_q;       // streams through the remembered page, of the beat so far
  logic [1:0]       span_q;
  logic [51:0]      low, high;
  logic             active, misaligned, hit, passed;
  logic [7:0]       error_q;
  logic [Lanes-1:0] sparse_q;
  logic [Lanes-1:0][39:0] page_q;

  // Without a warp the lane is the one that is asked for.
  assign lane = look_i ? lane_q : LaneW'(pick_i);

  always_comb begin
    va     = va_i[63:0];
    active = mask_i[0];
    for (int unsigned l = 1; l < Lanes; l++) begin
      if (lane == LaneW'(l)) {active, va} = {mask_i[l], va_i[l*64 +: 64]};
    end
  end

  assign misaligned = (va[2:0] & ~(3'b111 << size_i)) != 3'b0;
  assign hit        = known_q && known_va_q == va[63:12] && (known_write_q || !write_i) &&
                      (known_atomic_q || !atomic_i);
  assign passed     = !active || (!misaligned && hit && settled_q);

  assign low  = span_low_i[span_q*52 +: 52];
  assign high = span_high_i[span_q*52 +: 52];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= StLane;
      lane_q    <= '0;
      known_q   <= 1'b0;
      settled_q <= 1'b0;
    end else begin
      case (state_q)
        StLane: if (look_i && spans_ready_i) begin
          if (passed) begin
            lane_q <= lane_q == '1 ? lane_q : lane_q + LaneW'(1);
            if (lane_q == '1) state_q <= StValid;
          end else begin
            state_q <= misaligned ? StValid : hit ? StSpans : StAsk;
          end
        end
        StAsk: if (tr_ready_i) state_q <= StAnswer;
        StAnswer: if (tr_rsp_valid_i) begin
          state_q <= tr_rsp_error_i == faa_pkg::ERROR_SUCCESS ? StSpans : StValid;
        end
        StSpans: if (span_q == '1) state_q <= StLane;
        default: if (take_i) begin
          state_q <= StLane;
          lane_q  <= '0;
        end
      endcase
      if (drop_i) known_q <= 1'b0;
      else if (state_q == StAnswer && tr_rsp_valid_i) begin
        known_q <= known_q || tr_rsp_error_i == faa_pkg::ERROR_SUCCESS;
      end
      if (!spans_ready_i || state_q == StAnswer) settled_q <= 1'b0;
      else if (state_q == StSpans && span_q == '1) settled_q <= 1'b1;
    end

    span_q <= state_q == StSpans ? span_q + 2'd1 : 2'd0;
    for (int unsigned s = 0; s < 4; s++) begin
      if (state_q == StSpans && span_q == 2'(s)) begin
        near_q[s] <= known_va_q >= low && known_va_q <= high;
      end
    end

    if (state_q == StAnswer && tr_rsp_valid_i) begin
      table_q <= tr_rsp_pa_i;
      error_q <= tr_rsp_error_i;
      if (tr_rsp_error_i == faa_pkg::ERROR_SUCCESS) begin
        known_va_q     <= va[63:12];
        known_pa_q     <= tr_rsp_pa_i[51:12];
        known_sparse_q <= tr_rsp_sparse_i;
        known_write_q  <= write_i;
        known_atomic_q <= atomic_i;
      end
    end

    if (state_q == StLane && look_i) begin
      error_q <= !passed && misaligned ? faa_pkg::ERROR_MISALIGNED : faa_pkg::ERROR_SUCCESS;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (lane_q == LaneW'(l)) begin
          page_q[l]   <= known_pa_q;
          sparse_q[l] <= known_sparse_q;
        end
      end
      if (active && passed) own_q <= own_q | (near_q & span_used_i);
    end
    if (!look_i || take_i) own_q <= '0;
  end

  for (genvar l = 0; l < Lanes; l++) begin : g_pa
    assign pa_o[l*52 +: 52] = {page_q[l], va_i[l*64 +: 12]};
  end

  assign valid_o         = state_q == StValid;
  assign sparse_o        = sparse_q & mask_i;   // none of a beat that is not looked at
  assign own_result_o    = own_q[0];
  assign own_operand_o   = own_q[3:1] != '0;
  assign error_o         = error_q;
  assign error_lane_o    = 5'(lane_q);
  assign error_address_o = error_q == faa_pkg::ERROR_BUS_ERROR ? table_q : va;
  assign picked_o        = va;
  assign tr_valid_o      = state_q == StAsk;
  assign tr_va_o         = va;
  assign tr_write_o      = write_i;
  assign tr_atomic_o     = atomic_i;

  logic unused;
  assign unused = ^{pick_i, tr_rsp_big_i};

  `FAA_ASSERT(taken_when_valid, !take_i || valid_o)
  `FAA_ASSERT(rests_when_dropped, !drop_i || (state_q == StLane && !look_i))
  `FAA_ASSERT(looks_on, look_i || state_q == StLane)
  `FAA_ASSERT_STABLE(request_stable, tr_valid_o, tr_ready_i, {tr_va_o, tr_write_o, tr_atomic_o})
  `FAA_COVER(own_result, valid_o && own_result_o)
  `FAA_COVER(own_operand, valid_o && own_operand_o)

endmodule
