// SPDX-License-Identifier: Apache-2.0
//
// Warps that are done, in order. A warp is done with its last beat or, while a chain
// (faa_shared_chain) holds it, with the first later beat that is not held. Held warps are then
// reported in consecutive cycles.

`include "faa_assert.svh"

module faa_shared_done #(
  parameter int unsigned UserW = 4,
  parameter int unsigned Warps = 128
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // A warp enters
  input  logic             user_valid_i,
  output logic             user_ready_o,
  input  logic [UserW-1:0] user_i,

  // A beat has taken effect
  input  logic             beat_i,
  input  logic             last_i,         // of its warp
  input  logic             hold_i,

  output logic             done_valid_o,
  output logic [UserW-1:0] done_user_o,
  output logic             idle_o          // no warp is in flight
);

  localparam int unsigned CountW = $clog2(Warps + 1);

  logic [CountW-1:0] held_q, done_q, more, users;
  logic              user_valid;

  assign more = beat_i && !hold_i ? held_q + CountW'(last_i) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= '0;
      done_q <= '0;
    end else begin
      if (beat_i) held_q <= hold_i ? held_q + CountW'(last_i) : '0;
      done_q <= done_q + more - CountW'(done_valid_o);
    end
  end

  faa_fifo #(
    .Width(UserW),
    .Depth(Warps)
  ) u_users (
    .clk_i,
    .rst_ni,
    .valid_i(user_valid_i),
    .ready_o(user_ready_o),
    .data_i (user_i),
    .valid_o(user_valid),
    .ready_i(done_valid_o),
    .data_o (done_user_o),
    .count_o(users)
  );

  assign done_valid_o = done_q != '0;
  assign idle_o       = users == '0;

  `FAA_ASSERT(done_warps_exist, !done_valid_o || user_valid)
  `FAA_COVER(held_warps_are_done_together, more > CountW'(1))

endmodule
