// SPDX-License-Identifier: Apache-2.0
//
// Registers of the hardware queues. Values that software writes while a queue is disabled are in
// RAM, which each unit's runner reads by the queue's number. Values that the scheduler needs of all
// queues at once are in flip-flops.
//
// A register is a word of 32 bits; a partial write changes nothing. After reset all words are
// cleared, one per cycle; requests wait until then.
//
// Latency: 2 cycles from a request to its answer, at which a write has taken effect. Runners read
// in the same cycle. Stalls: clearing. Hazards: none, one request is answered before the next
// comes.

`include "faa_assert.svh"

module faa_csr_queues #(
  parameter int unsigned NumQueues = 16,
  parameter int unsigned NumCu = 2,
  parameter int unsigned Slots = 2,
  localparam int unsigned QueueW = (NumQueues > 1) ? $clog2(NumQueues) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // A request of software, a pulse; the next comes after ack_o.
  input  logic                    req_i,
  input  logic                    write_i,
  input  logic [3:0]              queue_i,     // of the map; those that the build lacks read 0
  input  logic [5:2]              word_i,
  input  logic [31:0]             wdata_i,
  input  logic                    whole_i,     // the write has all four bytes
  output logic                    ack_o,
  output logic [31:0]             rdata_o,     // with ack_o

  // Of each queue
  output logic [NumQueues*32-1:0] tail_o,
  output logic [NumQueues-1:0]    enable_o,
  output logic [NumQueues-1:0]    kill_o,      // pulse
  output logic [NumQueues-1:0]    keep_o,
  output logic [NumQueues*Slots-1:0] slots_o,
  output logic [NumQueues*2-1:0]  prio_o,
  input  logic [NumQueues*32-1:0] head_i,
  input  logic [NumQueues*4-1:0]  state_i,
  input  logic [NumQueues*4-1:0]  cu_i,

  // Of queue sel_i, unit n in slice n of each vector
  input  logic [NumCu*QueueW-1:0] sel_i,
  output logic [NumCu*64-1:0]     ring_o,
  output logic [NumCu*5-1:0]      ring_log2_o,
  output logic [NumCu*5-1:0]      vector_o,
  output logic [NumCu*64-1:0]     save_o,
  output logic [NumCu*64-1:0]     seqno_o,
  output logic [NumCu*32-1:0]     shared_o,
  // Of queue run_i
  input  logic [NumCu*QueueW-1:0] run_i,
  output logic [NumCu*8-1:0]      vmid_o,
  output logic [NumCu*64-1:0]     pt_o
);

  // Words of a queue, in the order of the map.
  localparam int unsigned Words = 16;
  localparam logic [3:0] Tail = 4'd0, Head = 4'd1, Control = 4'd2, State = 4'd3, Ring = 4'd4,
                         RingSize = 4'd6, Config = 4'd7, Pt = 4'd8, Save = 4'd10, Seqno = 4'd12,
                         Shared = 4'd14;

  // ---- Requests ----

  logic              clearing_q, wait_q, ack_q, start, known_q, whole_q, write_q;
  logic [QueueW+3:0] clear_q;
  logic [QueueW-1:0] queue_q;
  logic [3:0]        word_q;
  logic [31:0]       wdata_q;

  assign start = wait_q && !clearing_q;
  assign ack_o = ack_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      clear_q    <= '0;
      wait_q     <= 1'b0;
      ack_q      <= 1'b0;
    end else begin
      if (clearing_q) clear_q <= clear_q + (QueueW+4)'(1);
      if (clear_q == '1) clearing_q <= 1'b0;
      wait_q <= req_i || (wait_q && !start);
      ack_q  <= start;
    end
    if (req_i) begin
      write_q <= write_i;
      known_q <= 32'(queue_i) < NumQueues;
      queue_q <= QueueW'(queue_i);
      word_q  <= word_i;
      wdata_q <= wdata_i;
      whole_q <= whole_i;
    end
  end

  // ---- Writes: data of software, or zeros ----

  logic              we;
  logic [QueueW-1:0] at;
  logic [3:0]        word;
  logic [31:0]       data;

  assign we   = clearing_q || (start && write_q && known_q && whole_q);
  assign at   = clearing_q ? clear_q[QueueW+3:4] : queue_q;
  assign word = clearing_q ? clear_q[3:0] : word_q;

  // Bits without a field are 0.
  always_comb begin
    data = clearing_q ? '0 : wdata_q;
    if (word > Shared) data = '0;
    if (word == Control) {data[31:8], data[3], data[1]} = '0;
    if (word == RingSize) data[31:5] = '0;
    if (word == Config) {data[31:24], data[15:13], data[7:2]} = '0;
  end

  // ---- Registers that are needed of all queues at once ----

  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    logic [31:0] tail_q;
    logic [1:0]  prio_q;
    logic        enable_q, kill_q, keep_q, mine;
    logic [Slots-1:0] slots_q;
    assign mine = we && !clearing_q && at == QueueW'(q);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        enable_q <= 1'b0;
        kill_q   <= 1'b0;
        keep_q   <= 1'b0;
        slots_q  <= '0;
        tail_q   <= '0;
        prio_q   <= '0;
      end else begin
        kill_q <= mine && word == Control && wdata_q[1];
        if (mine && word == Control) begin
          enable_q <= data[0];
          keep_q   <= data[2];
          slots_q  <= data[4 +: Slots];
        end
        if (mine && word == Tail) tail_q <= data;
        if (mine && word == Config) prio_q <= data[1:0];
      end
    end
    assign tail_o[q*32 +: 32] = tail_q;
    assign enable_o[q]        = enable_q;
    assign kill_o[q]          = kill_q;
    assign keep_o[q]          = keep_q;
    assign slots_o[q*Slots +: Slots] = slots_q;
    assign prio_o[q*2 +: 2]   = prio_q;
  end

  // ---- Registers that runners read: a RAM for each register and unit ----

  // Low bits that the device takes as 0, whatever software writes: addresses are aligned.
  function automatic int unsigned aligned(input logic [3:0] index);
    case (index)
      Ring, Save: return 6;
      Seqno:      return 3;
      Pt:         return 12;
      default:    return 0;
    endcase
  endfunction

  for (genvar n = 0; n < NumCu; n++) begin : gen_cu
    logic [QueueW-1:0]   sel, run;
    logic [Words*32-1:0] words;
    assign sel = sel_i[n*QueueW +: QueueW];
    assign run = run_i[n*QueueW +: QueueW];

    for (genvar w = 0; w < Words; w++) begin : gen_word
      if (w < 32'(Ring) || w > 32'(Shared) || w == 32'(Config)) begin : gen_none
        assign words[w*32 +: 32] = '0;
      end else begin : gen_ram
        localparam int unsigned Width = w == 32'(RingSize) ? 5 : 32;
        localparam int unsigned Low = aligned(4'(w));
        logic [Width-1:Low] found;
        faa_ram_async #(.Width(Width - Low), .Depth(NumQueues)) u_ram (
          .clk_i, .we_i(we && word == 4'(w)), .waddr_i(at), .wdata_i(data[Width-1:Low]),
          .raddr_i(w / 2 == 32'(Pt) / 2 ? run : sel), .rdata_o(found)
        );
        assign words[w*32 +: 32] = 32'(found) << Low;
      end
    end

    faa_ram_async #(.Width(5), .Depth(NumQueues)) u_vector (
      .clk_i, .we_i(we && word == Config), .waddr_i(at), .wdata_i(data[12:8]), .raddr_i(sel),
      .rdata_o(vector_o[n*5 +: 5])
    );
    faa_ram_async #(.Width(8), .Depth(NumQueues)) u_vmid (
      .clk_i, .we_i(we && word == Config), .waddr_i(at), .wdata_i(data[23:16]), .raddr_i(run),
      .rdata_o(vmid_o[n*8 +: 8])
    );

    assign ring_o[n*64 +: 64]    = words[32'(Ring)*32 +: 64];
    assign ring_log2_o[n*5 +: 5] = words[32'(RingSize)*32 +: 5];
    assign save_o[n*64 +: 64]    = words[32'(Save)*32 +: 64];
    assign seqno_o[n*64 +: 64]   = words[32'(Seqno)*32 +: 64];
    assign shared_o[n*32 +: 32]  = words[32'(Shared)*32 +: 32];
    assign pt_o[n*64 +: 64]      = words[32'(Pt)*32 +: 64];

    logic unused;
    assign unused = ^words;
  end

  // ---- Registers that software reads: a copy of the words written, HEAD and STATE ----

  logic [31:0] written, other, other_q;

  faa_ram_1r1w #(.Width(32), .Depth(2 ** (QueueW + 4))) u_written (
    .clk_i, .we_i(we), .waddr_i({at, word}), .wdata_i(data),
    .re_i(start && !write_q), .raddr_i({queue_q, word_q}), .rdata_o(written)
  );

  always_comb begin
    other = '0;
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (queue_q == QueueW'(q)) begin
        other = other | (word_q == Head ? head_i[q*32 +: 32] :
                                          {20'd0, cu_i[q*4 +: 4], 4'd0, state_i[q*4 +: 4]});
      end
    end
  end
  always_ff @(posedge clk_i) other_q <= other;

  assign rdata_o = !known_q ? '0 : word_q == Head || word_q == State ? other_q : written;

  `FAA_ASSUME(csr_queues_one, !req_i || (!wait_q && !ack_q))
  `FAA_COVER(csr_queues_waits, wait_q && clearing_q)

endmodule
