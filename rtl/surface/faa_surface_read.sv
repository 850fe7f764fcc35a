// SPDX-License-Identifier: Apache-2.0
//
// Reads the line of a texture header or of a constant word, by its virtual address. The last line
// is kept, unless it has 16 bytes. A sparse page reads 0.
//
// Latency: 1 cycle for the kept line, else 3 cycles, the translation and the memory. Stalls: only
// those of the ports. Hazard: a line that is kept across an invalidation, or a change of its
// content: drop_i, at rest.

`include "faa_assert.svh"

module faa_surface_read #(
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         drop_i,
  input  logic         start_i,         // while idle_o
  input  logic [63:0]  va_i,
  output logic         idle_o,
  output logic         done_o,          // one cycle
  output logic [LineW-1:0] line_o,          // with done_o, and no error
  output logic [7:0]   error_o,         // enum error; from done_o until the next start
  output logic [63:0]  address_o,       // of the error

  output logic         tr_valid_o,
  input  logic         tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic         tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  output logic         mem_valid_o,
  input  logic         mem_ready_i,
  output logic [51:OffW]  mem_line_o,
  input  logic         mem_rsp_valid_i,
  input  logic [LineW-1:0] mem_rsp_data_i,
  input  logic         mem_rsp_err_i
);

  typedef enum logic [2:0] {
    StIdle,
    StAsk,       // translation
    StAnswer,
    StSend,      // line
    StLine,
    StDone
  } state_e;

  state_e       state_q;
  logic         known_q, kept;
  logic [63:0]  va_q, address_q;
  logic [63:OffW]  line_va_q;
  logic [51:OffW]  pa_q;
  logic [LineW-1:0] line_q;
  logic [7:0]   error_q;

  // A line of 16 bytes is not kept: it has only half a header.
  assign kept = LineBytes > 16 && known_q && line_va_q == va_i[63:OffW];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      known_q <= 1'b0;
    end else begin
      case (state_q)
        StIdle: if (start_i) state_q <= kept ? StDone : StAsk;
        StAsk: if (tr_ready_i) state_q <= StAnswer;
        StAnswer: if (tr_rsp_valid_i) begin
          state_q <= tr_rsp_i.error != faa_pkg::ERROR_SUCCESS || tr_rsp_i.sparse ? StDone : StSend;
        end
        StSend: if (mem_ready_i) state_q <= StLine;
        StLine: if (mem_rsp_valid_i) state_q <= StDone;
        default: state_q <= StIdle;
      endcase
      if (drop_i) known_q <= 1'b0;
      else if (state_q == StAsk) known_q <= 1'b0;
      else if (state_q == StDone) known_q <= error_q == faa_pkg::ERROR_SUCCESS;
    end

    case (state_q)
      // The data, or the reason of the failure, are held until the next start.
      StIdle: if (start_i) begin
        va_q    <= va_i;
        error_q <= faa_pkg::ERROR_SUCCESS;
      end
      StAsk: line_va_q <= va_q[63:OffW];
      StAnswer: begin
        pa_q      <= tr_rsp_i.pa[51:OffW];
        error_q   <= tr_rsp_i.error;
        address_q <= tr_rsp_i.error == faa_pkg::ERROR_BUS_ERROR ? tr_rsp_i.pa : va_q;
        line_q    <= '0;
      end
      StLine: begin
        line_q    <= mem_rsp_data_i;
        error_q   <= mem_rsp_err_i ? faa_pkg::ERROR_BUS_ERROR : faa_pkg::ERROR_SUCCESS;
        address_q <= {12'b0, pa_q[51:6], 6'b0};
      end
      default: ;
    endcase
  end

  assign idle_o      = state_q == StIdle;
  assign done_o      = state_q == StDone;
  assign line_o      = line_q;
  assign error_o     = error_q;
  assign address_o   = address_q;
  assign tr_valid_o  = state_q == StAsk;
  assign tr_req_o     = '{va: va_q, write: 1'b0, atomic: 1'b0};
  assign mem_valid_o = state_q == StSend;
  assign mem_line_o  = pa_q;

  logic unused;
  assign unused = tr_rsp_i.big;

  `FAA_ASSERT(dropped_at_rest, !drop_i || state_q == StIdle)
  `FAA_COVER(line_kept, start_i && idle_o && kept)
  `FAA_COVER(line_sparse, state_q == StAnswer && tr_rsp_valid_i && tr_rsp_i.sparse)
  `FAA_COVER(line_refused, state_q == StLine && mem_rsp_valid_i && mem_rsp_err_i)

endmodule
