// SPDX-License-Identifier: Apache-2.0
//
// Merges the line requests of N requesters into one port, round robin, and returns each response by
// its tag: the requester's tag with the requester's number above it. Without Writes all requests
// are reads, and the ports of writes are ignored.
//
// Latency: 1 cycle for a request (register slice), 0 for a response. Throughput: 1 request
// (HalfRate: per 2 cycles) and 1 response per cycle. Hazards: none; requests to one line by
// different requesters are not ordered. A request may be withdrawn before it is taken.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_line_arb #(
  parameter int unsigned N = 2,
  parameter int unsigned TagW = 5,
  parameter bit Writes = 1'b1,
  // At most one request per two cycles: one register a bit instead of two, and a multiplexer less.
  parameter bit HalfRate = 1'b0,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned NumW = (N > 1) ? $clog2(N) : 1,
  localparam int unsigned OutTagW = TagW + NumW,
  localparam type req_t = `FAA_LINE_REQ(LineBytes, TagW),
  localparam type rsp_t = `FAA_LINE_RSP(LineBytes, TagW),
  localparam type mem_req_t = `FAA_LINE_REQ(LineBytes, OutTagW),
  localparam type mem_rsp_t = `FAA_LINE_RSP(LineBytes, OutTagW)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Requesters, number n in slice n of each vector; the answer goes to all.
  input  logic [N-1:0]       req_valid_i,
  output logic [N-1:0]       req_ready_o,
  input  req_t [N-1:0]       req_i,
  output logic [N-1:0]       rsp_valid_o,
  output rsp_t               rsp_o,

  // Memory.
  output logic               mem_req_valid_o,
  input  logic               mem_req_ready_i,
  output mem_req_t           mem_req_o,
  input  logic               mem_rsp_valid_i,
  input  mem_rsp_t           mem_rsp_i,

  // 1: no request is waiting in the register slice.
  output logic               idle_o
);

  localparam int unsigned ReadW = 64 - $clog2(LineBytes) + OutTagW;
  localparam int unsigned WriteW = 1 + 9 * LineBytes;

  logic [N-1:0]      grant;
  logic              slice_ready;
  logic [ReadW-1:0]  winner;
  logic [WriteW-1:0] winner_write;

  faa_arb_rr #(.N(N)) u_arb (
    .clk_i, .rst_ni, .req_i(req_valid_i), .grant_o(grant), .advance_i(slice_ready)
  );

  assign req_ready_o = slice_ready ? grant : '0;

  // One-hot selection: an AND-OR tree; indexing by a width that is no power of two would need a
  // shifter.
  always_comb begin
    winner       = '0;
    winner_write = '0;
    for (int unsigned n = 0; n < N; n++) begin
      if (grant[n]) begin
        winner = winner | {req_i[n].addr, NumW'(n), req_i[n].tag};
        if (Writes) begin
          winner_write = winner_write | {req_i[n].write, req_i[n].data, req_i[n].strb};
        end
      end
    end
  end

  if (Writes) begin : gen_writes
    faa_skid #(.Width(ReadW + WriteW), .HalfRate(HalfRate)) u_slice (
      .clk_i, .rst_ni,
      .valid_i(req_valid_i != '0), .ready_o(slice_ready), .data_i({winner, winner_write}),
      .valid_o(mem_req_valid_o), .ready_i(mem_req_ready_i),
      .data_o({mem_req_o.addr, mem_req_o.tag, mem_req_o.write, mem_req_o.data, mem_req_o.strb})
    );
  end else begin : gen_reads
    faa_skid #(.Width(ReadW), .HalfRate(HalfRate)) u_slice (
      .clk_i, .rst_ni,
      .valid_i(req_valid_i != '0), .ready_o(slice_ready), .data_i(winner),
      .valid_o(mem_req_valid_o), .ready_i(mem_req_ready_i), .data_o({mem_req_o.addr, mem_req_o.tag})
    );
    assign {mem_req_o.write, mem_req_o.data, mem_req_o.strb} = winner_write;
  end
  assign mem_req_o.direct = 1'b0;

  logic unused;
  assign unused = ^req_i;

  for (genvar n = 0; n < N; n++) begin : gen_rsp
    assign rsp_valid_o[n] = mem_rsp_valid_i && mem_rsp_i.tag[OutTagW-1:TagW] == NumW'(n);
  end
  assign rsp_o  = '{tag: mem_rsp_i.tag[TagW-1:0], data: mem_rsp_i.data, err: mem_rsp_i.err};
  assign idle_o = !mem_req_valid_o;

  `FAA_ASSERT(LineArbKnownRequester, !mem_rsp_valid_i || rsp_valid_o != '0)

endmodule
