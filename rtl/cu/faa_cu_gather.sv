// SPDX-License-Identifier: Apache-2.0
//
// Reads one naturally aligned item per lane from physical addresses; every line is read once for
// all lanes that need it.
//
// The lowest lane without a request selects the next line; all lanes in that line are served by
// this request, whose tag is the lane number. A response serves every lane of its line. Sparse
// lanes read 0 without a request. Lanes from Lanes on take no part.
// Latency: start in t, first request in t + 1, valid_o the cycle after the last response; one line
// per cycle each way.

`include "faa_assert.svh"

module faa_cu_gather #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          start_i,
  input  logic [31:0]   mask_i,
  input  logic [31:0]   sparse_i,
  input  logic [2047:0] pa_i,          // 64 bits a lane, 52 used
  input  logic [1:0]    size_i,        // log2 of the bytes of an item, and
  input  logic          signed_i,      // whether its sign is extended: with responses
  output logic          idle_o,        // no request is unanswered, nothing to take

  output logic          valid_o,       // items complete
  input  logic          take_i,        // with valid_o; start_i may come in the same cycle
  output logic [2047:0] data_o,        // items, extended to 64 bits; 0 from Lanes on
  output logic          error_o,       // with valid_o: a bus error
  output logic [63:OffW]   error_line_o,

  output logic          req_valid_o,
  input  logic          req_ready_i,
  output logic [51:OffW]   req_line_o,
  output logic [4:0]    req_tag_o,
  input  logic          rsp_valid_i,
  input  logic [4:0]    rsp_tag_i,
  input  logic [LineW-1:0]  rsp_data_i,
  input  logic          rsp_err_i
);

  localparam logic [31:0] Used = 32'((33'd1 << Lanes) - 33'd1);

  logic          busy_q, error_q;
  logic [31:0]   ask_q, miss_q, asked, served;
  logic [Lanes-1:0][63:0] pa_q;
  logic [63:OffW]   error_line_q;
  logic [51:OffW] rsp_line;
  logic [4:0]    leader;
  logic [63:0]   leader_pa, rsp_pa;

  assign leader      = faa_cu_pkg::lowest(ask_q);
  assign req_valid_o = ask_q != '0;
  assign req_line_o  = leader_pa[51:OffW];
  assign req_tag_o   = leader;
  if (Lanes == 1) begin : gen_one
    assign leader_pa = pa_q;
    assign rsp_pa    = pa_q;
  end else begin : gen_lanes
    assign leader_pa = pa_q[leader[$clog2(Lanes)-1:0]];
    assign rsp_pa    = pa_q[rsp_tag_i[$clog2(Lanes)-1:0]];
  end
  assign rsp_line    = rsp_pa[51:OffW];

  for (genvar l = 0; l < 32; l++) begin : g_lane
    if (Used[l]) begin : g_used
      logic [63:0] item, data_q;

      assign asked[l]  = ask_q[l] && pa_q[l][51:OffW] == req_line_o;
      assign served[l] = rsp_valid_i && miss_q[l] && !ask_q[l] && pa_q[l][51:OffW] == rsp_line;

      faa_cu_item #(.LineBytes(LineBytes)) u_item (
        .line_i  (rsp_data_i),
        .place_i (pa_q[l][OffW-1:0]),
        .size_i,
        .signed_i,
        .shift_i (3'd0),
        .zero_i  (1'b0),
        .other_i (1'b0),
        .value_i (64'd0),
        .value_o (item)
      );

      always_ff @(posedge clk_i) begin
        if (start_i) data_q <= '0;
        else if (served[l]) data_q <= item;
      end
      assign data_o[l*64 +: 64] = data_q;
    end else begin : g_unused
      assign asked[l]           = 1'b0;
      assign served[l]          = 1'b0;
      assign data_o[l*64 +: 64] = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      ask_q  <= '0;
      miss_q <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      ask_q  <= mask_i & ~sparse_i & Used;
      miss_q <= mask_i & ~sparse_i & Used;
    end else begin
      if (req_valid_o && req_ready_i) ask_q <= ask_q & ~asked;
      miss_q <= miss_q & ~served;
      if (take_i) busy_q <= 1'b0;
    end
    if (start_i) begin
      pa_q    <= pa_i[Lanes*64-1:0];
      error_q <= 1'b0;
    end else if (rsp_valid_i && rsp_err_i && !error_q) begin
      error_q      <= 1'b1;
      error_line_q <= {12'b0, rsp_line};
    end
  end

  assign valid_o      = busy_q && miss_q == '0;
  assign idle_o       = !busy_q;
  assign error_o      = error_q;
  assign error_line_o = error_line_q;

  logic unused;
  assign unused = ^{leader_pa, rsp_pa, pa_q, pa_i, leader, rsp_tag_i};

  `FAA_ASSERT(start_when_free, !start_i || !busy_q || (valid_o && take_i))
  `FAA_ASSERT(take_what_is_valid, !take_i || valid_o)
  `FAA_ASSERT(response_serves_a_lane, !rsp_valid_i || served != '0)
  `FAA_ASSERT(lanes_are_used, !start_i || (mask_i & ~Used) == '0)
  `FAA_ASSERT_STABLE(request_stable, req_valid_o, req_ready_i, {req_line_o, req_tag_o})

endmodule
