// SPDX-License-Identifier: Apache-2.0
//
// Completion of beats, in order.
//
// When a beat leaves stage D, the numbers of operations that each bank has received so far are noted. The beat is complete
// when every bank has executed as many. Its answers may be collected then. Its warp is done, too, unless a chain holds it:
// then with the first later beat that is not held.
//
// Latency: 1 cycle. Throughput: one beat per cycle.
// Stalls: room_o is 0 while Window beats are on their way.

`include "faa_assert.svh"

module faa_shared_complete #(
  parameter int unsigned Push = 4,
  parameter int unsigned Window = 32,
  parameter int unsigned UserW = 4,
  parameter int unsigned Users = 64
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic [31:0]        push_i,        // operations that banks receive, as in faa_shared_spread
  input  logic [Push*32-1:0] any_i,
  input  logic               leave_i,       // a beat leaves stage D, with its last operations
  input  logic               result_i,      // it is answered
  input  logic               hold_i,
  input  logic               last_i,        // it is its warp's last
  output logic               room_o,

  input  logic [31:0]        executed_i,    // operations that banks have executed

  // The oldest beat is complete; it is kept until ready_i if it is answered.
  output logic               valid_o,
  input  logic               ready_i,

  // Warps
  input  logic               user_valid_i,
  output logic               user_ready_o,
  input  logic [UserW-1:0]   user_i,
  output logic               done_valid_o,
  output logic [UserW-1:0]   done_user_o,

  output logic               idle_o         // no warp is under way
);

  // Operations that one bank can be ahead of the oldest beat: all of a window, those in the queue included.
  localparam int unsigned CountW = 16;
  localparam int unsigned NumberW = $clog2(Window + 1);

  logic                 left_q, left_result_q, left_hold_q, left_last_q;
  logic [32*CountW-1:0] received, noted, executed;
  logic                 beat_valid, beat_result, beat_hold, beat_last, beat_ready, reached, fifo_ready;
  logic [NumberW-1:0]   beats;

  // -------------------------------------------------------------------------------------------------------------
  // What each bank has received and executed, modulo 2^CountW

  for (genvar k = 0; k < 32; k++) begin : g_bank
    logic [CountW-1:0] received_q, executed_q;
    logic [2:0]        number;
    always_comb begin
      number = '0;
      if (push_i[k]) begin
        for (int r = 0; r < Push; r++) number = number + 3'(any_i[r*32 + k]);
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        received_q <= '0;
        executed_q <= '0;
      end else begin
        if (push_i[k]) received_q <= received_q + CountW'(number);
        if (executed_i[k]) executed_q <= executed_q + CountW'(1);
      end
    end
    assign received[k*CountW +: CountW] = received_q;
    assign executed[k*CountW +: CountW] = executed_q;
    `FAA_ASSERT(executed_what_was_received, received_q - executed_q < CountW'(1024))
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= 1'b0;
    else left_q <= leave_i;
    if (leave_i) begin
      left_result_q <= result_i;
      left_hold_q   <= hold_i;
      left_last_q   <= last_i;
    end
  end

  faa_fifo #(
    .Width(32 * CountW + 3),
    .Depth(Window)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .valid_i(left_q),
    .ready_o(fifo_ready),
    .data_i ({left_result_q, left_hold_q, left_last_q, received}),
    .valid_o(beat_valid),
    .ready_i(beat_ready),
    .data_o ({beat_result, beat_hold, beat_last, noted}),
    .count_o(beats)
  );

  // One beat may be between leave_i and the queue.
  assign room_o = beats < NumberW'(Window - 1);

  always_comb begin
    reached = beat_valid;
    if (beat_valid) begin
      for (int k = 0; k < 32; k++) begin
        if (16'(executed[k*CountW +: CountW] - noted[k*CountW +: CountW]) >= 16'h8000) reached = 1'b0;
      end
    end
  end

  assign valid_o    = reached && beat_result;
  assign beat_ready = reached && (ready_i || !beat_result);

  // -------------------------------------------------------------------------------------------------------------
  // Warps that are done: held ones wait, then follow each other every cycle.

  localparam int unsigned UserCountW = $clog2(Users + 1);

  logic [UserCountW-1:0] held_q, done_q, done_more, users;
  logic                  user_valid;

  assign done_more = beat_ready && !beat_hold ? held_q + UserCountW'(beat_last) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= '0;
      done_q <= '0;
    end else begin
      if (beat_ready) held_q <= beat_hold ? held_q + UserCountW'(beat_last) : '0;
      done_q <= done_q + done_more - UserCountW'(done_valid_o);
    end
  end

  faa_fifo #(
    .Width(UserW),
    .Depth(Users)
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
  assign idle_o       = users == '0 && !left_q && !beat_valid;

  `FAA_ASSERT(window_does_not_overflow, !left_q || fifo_ready)
  `FAA_ASSERT(done_warps_exist, !done_valid_o || user_valid)
  `FAA_COVER(window_full, !room_o)
  `FAA_COVER(held_warps_are_done_together, done_more > UserCountW'(1))

endmodule
