// SPDX-License-Identifier: Apache-2.0
//
// Whether the operand streams of a command may be read ahead of its result stream. They may if no
// line of an operand stream is one of the result stream, over all elements of the command, by
// virtual address. If an address wraps around, they may not. For LD, ST, ATOM and SUATOM, whose
// addresses are not known before: the pages of each stream, for faa_cu_atom_pages.
//
// One multiplier processes d, a, b, c in turn: bytes from the first item to the last, then first
// and last line, then the comparison.
//
// Latency: the pages, and go_o, 7 cycles after start_i; one cycle for a command without a result
// stream or without an operand stream (ST, ATOM: without either, LD: without a result stream).
// Stalls: OPR-S3 (the operand streams wait for done; counter STALL_OPERAND).

`include "faa_assert.svh"

module faa_cu_overlap #(
  parameter bit GlobalAtomics = 1'b0,
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              start_i,
  input  faa_cu_pkg::cmd_t  cmd_i,      // stable from start_i on
  // The store unit is idle; the atomic unit writes nothing for this slot; access has no warp
  input  logic              stores_idle_i,
  input  logic              writes_idle_i,
  input  logic              access_quiet_i,
  input  logic              redo_i,     // a warp may have changed operands of the command
  output logic              overlap_o,  // its streams may be read ahead of the warp that executes
  output logic              go_o,       // those of the next warp may be read now
  output logic              own_stores_o,   // the stores in flight are of the command
  output faa_cu_pkg::spans_t spans_o    // of LD, ST and ATOM
);

  localparam logic [2:0] Steps = 3'd6;

  // The operand streams of a command that cannot change them are read ahead of execution, as soon
  // as the stores and atomic operations of earlier commands are done; loads of earlier commands may
  // still be in flight. ST and ATOM count as such commands until one of their warps comes near the
  // streams. Without the atomic unit ST does not count as one, and a load waits for the result
  // stream of the warp before, so reading ahead would gain nothing.
  logic done, apart, apart_alone, apart_lost_q;
  logic stores_own_q, writes_own_q;     // stores, changes by the atomic unit are its own

  assign apart_alone  = GlobalAtomics || (cmd_i.opcode != faa_pkg::OPCODE_ST &&
                                          !(cmd_i.opcode == faa_pkg::OPCODE_LD &&
                                            cmd_i.kind_d == faa_pkg::KIND_STREAM));
  assign overlap_o    = apart_alone && !apart_lost_q &&
                        (cmd_i.kind_d != faa_pkg::KIND_STREAM || apart);
  assign go_o         = done && !start_i &&
                        (overlap_o ? (stores_idle_i || stores_own_q) &&
                                     (writes_idle_i || writes_own_q)
                                   : stores_idle_i && writes_idle_i && access_quiet_i);
  assign own_stores_o = stores_own_q;
  assign spans_o.ready = done;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      stores_own_q <= 1'b0;
      writes_own_q <= 1'b0;
      apart_lost_q <= 1'b0;
    end else begin
      if (stores_idle_i) stores_own_q <= 1'b1;
      if (writes_idle_i) writes_own_q <= 1'b1;
      if (redo_i) apart_lost_q <= 1'b1;
    end
  end

  logic [2:0]         step_q;           // 0 to 3: the span of d, a, b, c
  logic               busy_q, needed, used, used_q, used_lines_q, wraps_q, apart_q, disjoint;
  logic [63:0]        base, base_q, first, last;
  logic [31:0]        stride;
  logic [1:0]         size, size_q;
  logic [32:0]        last_element;
  logic signed [65:0] span_q;
  logic signed [66:0] end_item;
  logic [64:0]        end_byte;
  logic [63:OffW]     low_q, high_q, d_low_q, d_high_q;

  logic loads, writes, d_stream, operand_stream;
  assign loads    = GlobalAtomics && cmd_i.opcode == faa_pkg::OPCODE_LD;
  assign writes   = GlobalAtomics && (cmd_i.opcode == faa_pkg::OPCODE_ST || cmd_i.opcode == faa_pkg::OPCODE_ATOM ||
                                      cmd_i.opcode == faa_pkg::OPCODE_SUATOM);
  assign d_stream = cmd_i.kind_d == faa_pkg::KIND_STREAM;
  assign operand_stream = cmd_i.kind_a == faa_pkg::KIND_STREAM || cmd_i.kind_b == faa_pkg::KIND_STREAM ||
                          cmd_i.kind_c == faa_pkg::KIND_STREAM;
  assign needed = writes ? d_stream || operand_stream : d_stream && (operand_stream || loads);

  always_comb begin
    case (step_q)
      3'd0: begin
        used   = 1'b1;
        base   = cmd_i.d_0;
        stride = cmd_i.d_1[31:0];
        size   = faa_cu_pkg::size_log2(cmd_i.d_1[35:32]);
      end
      3'd1: begin
        used   = cmd_i.kind_a == faa_pkg::KIND_STREAM;
        base   = cmd_i.a_0;
        stride = cmd_i.a_1[31:0];
        size   = faa_cu_pkg::size_log2(cmd_i.a_1[35:32]);
      end
      3'd2: begin
        used   = cmd_i.kind_b == faa_pkg::KIND_STREAM;
        base   = cmd_i.b_0;
        stride = cmd_i.b_1[31:0];
        size   = faa_cu_pkg::size_log2(cmd_i.b_1[35:32]);
      end
      default: begin
        used   = cmd_i.kind_c == faa_pkg::KIND_STREAM && step_q == 3'd3;
        base   = cmd_i.c_0;
        stride = cmd_i.c_1[31:0];
        size   = faa_cu_pkg::size_log2(cmd_i.c_1[35:32]);
      end
    endcase
  end

  assign last_element = cmd_i.count - 33'd1;

  // The item furthest from the first one, and the last byte of the higher of the two.
  assign end_item = $signed({3'b0, base_q}) + 67'(span_q);
  assign first    = span_q[65] ? end_item[63:0] : base_q;
  assign last     = span_q[65] ? base_q : end_item[63:0];
  assign end_byte = {1'b0, last} + {61'b0, 4'((5'd1 << size_q) - 5'd1)};

  assign disjoint = high_q < d_low_q || d_high_q < low_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (start_i) busy_q <= needed;
    else if (step_q == Steps) busy_q <= 1'b0;

    step_q <= start_i ? 3'd0 : step_q + 3'd1;

    if (busy_q) begin
      // Span
      used_q <= used;
      base_q <= base;
      size_q <= size;
      span_q <= 66'($signed({1'b0, last_element})) * 66'($signed(stride));
      // Lines
      used_lines_q <= used_q;
      low_q        <= first[63:OffW];
      high_q       <= end_byte[63:OffW];
      wraps_q      <= end_item[66:64] != '0 || end_byte[64];
      // Comparison; d comes first
      if (step_q == 3'd2) begin
        d_low_q  <= low_q;
        d_high_q <= high_q;
        apart_q  <= !wraps_q;
      end else if (step_q > 3'd2 && used_lines_q && (wraps_q || !disjoint)) begin
        apart_q <= 1'b0;
      end
    end else if (start_i) begin
      apart_q <= 1'b1;
    end
  end

  // Pages of the streams: the step after their lines.
  if (GlobalAtomics) begin : gen_spans
    logic [3:0]   span_used_q;
    logic [207:0] span_low_q, span_high_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || start_i) span_used_q <= '0;
      for (int unsigned s = 0; s < 4; s++) begin
        if (busy_q && step_q == 3'(s + 2)) begin
          span_used_q[s]          <= s == 0 ? d_stream : used_lines_q;
          span_low_q[s*52 +: 52]  <= wraps_q ? '0 : low_q[63:12];
          span_high_q[s*52 +: 52] <= wraps_q ? '1 : high_q[63:12];
        end
      end
    end

    assign spans_o.used = span_used_q;
    assign spans_o.low  = span_low_q;
    assign spans_o.high = span_high_q;
  end else begin : gen_no_spans
    assign spans_o.used = '0;
    assign spans_o.low  = '0;
    assign spans_o.high = '0;
  end

  assign done  = !busy_q;
  assign apart = apart_q;

  logic unused;
  assign unused = ^{cmd_i, first[OffW-1:0], end_byte[OffW-1:0]};

  `FAA_COVER(lines_apart, done && needed && apart_q)
  `FAA_COVER(not_apart, done && needed && !apart_q)

endmodule
