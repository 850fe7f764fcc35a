// SPDX-License-Identifier: Apache-2.0
//
// Sweeps of all L2 slices: done is given when every slice has written back all data stored before
// (CLEAN), or has also dropped its lines (FLUSH).
//
// Requesters in the order of their number: compute units, runners, TLB invalidation. One sweep runs
// at a time; it serves all requests that are present when it begins, and is a FLUSH if one of them
// is.
//
// Errors: the writer of a line that memory refused is unknown, so every requester gets the error
// with its next sweep, and the address of the last such line. A runner's sweep clears the pending
// error of its unit: runners sweep before and after each job.
//
// Latency: 2 cycles and the slowest slice. Stalls: a sweep in progress, for requests that come
// meanwhile.

`include "faa_assert.svh"

module faa_memory_sweeps #(
  parameter int unsigned NumCu = 2,
  parameter int unsigned Slices = 2,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LineAddrW = 52 - OffW,
  localparam int unsigned Askers = 2 * NumCu + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // Held until done, a pulse.
  input  logic [Askers-1:0] ask_valid_i,
  input  logic [Askers-1:0] ask_drop_i,    // FLUSH
  output logic [Askers-1:0] ask_done_o,
  // With done: memory refused a line ...
  output logic [Askers-1:0] ask_err_o,
  output logic [51:OffW]    ask_err_addr_o,  // ... this one, if it is the only one

  output logic [Slices-1:0] sweep_valid_o,
  input  logic [Slices-1:0] sweep_ready_i,
  output logic              sweep_drop_o,
  input  logic [Slices-1:0] sweep_rsp_valid_i,

  // Memory refused a line.
  input  logic [Slices-1:0]           lost_valid_i,
  input  logic [Slices*LineAddrW-1:0] lost_addr_i,

  output logic              idle_o
);

  logic [Askers-1:0] served_q, untold_q, untold, forgets;
  logic [Slices-1:0] ask_q, wait_q;
  logic              busy_q, drop_q, done;

  assign sweep_valid_o = ask_q;
  assign sweep_drop_o  = drop_q;
  assign idle_o        = !busy_q;

  assign done       = busy_q && wait_q == '0;
  assign ask_done_o = done ? served_q : '0;
  assign ask_err_o  = untold_q;

  // Requesters that have not had the error yet. An error that comes in the cycle of another
  // requester's done waits for the next sweep.
  assign untold  = {Askers{lost_valid_i != '0}};
  assign forgets = ask_done_o | {{(NumCu + 1){1'b0}}, ask_done_o[NumCu +: NumCu]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      ask_q    <= '0;
      wait_q   <= '0;
      untold_q <= '0;
    end else begin
      untold_q <= (untold_q & ~forgets) | untold;
      if (!busy_q) begin
        busy_q <= ask_valid_i != '0;
        if (ask_valid_i != '0) begin
          ask_q  <= '1;
          wait_q <= '1;
        end
      end else begin
        ask_q  <= ask_q & ~sweep_ready_i;
        wait_q <= wait_q & ~sweep_rsp_valid_i;
        if (done) busy_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!busy_q) begin
      served_q <= ask_valid_i;
      drop_q   <= (ask_valid_i & ask_drop_i) != '0;
    end
    for (int unsigned s = 0; s < Slices; s++) begin
      if (lost_valid_i[s]) ask_err_addr_o <= lost_addr_i[s*LineAddrW +: LineAddrW];
    end
  end

  `FAA_ASSUME(sweeps_held, !busy_q || (served_q & ~ask_valid_i) == '0)
  `FAA_ASSUME(sweeps_expected, (sweep_rsp_valid_i & ~(wait_q & ~ask_q)) == '0)
  `FAA_COVER(sweep_waits, busy_q && (ask_valid_i & ~served_q) != '0)
  `FAA_COVER(sweep_serves_several, !busy_q && (ask_valid_i & (ask_valid_i - Askers'(1))) != '0)
  `FAA_COVER(sweep_clean_with_flush, !busy_q && (ask_valid_i & ask_drop_i) != '0 && (ask_valid_i & ~ask_drop_i) != '0)
  `FAA_COVER(sweep_slices_apart, ask_q != '0 && ask_q != '1)
  `FAA_COVER(sweep_error, done && (untold_q & served_q) != '0)
  `FAA_COVER(sweep_error_untold, done && (untold_q & ~served_q) != '0)

endmodule
