// SPDX-License-Identifier: Apache-2.0
//
// A slot of the stand-in unit (faa_cu.sv): executes one stream of its form. Tags are the slot's
// own; the modules that slots share are in faa_cu.sv.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_cu_stand_in #(
  parameter int unsigned Slots = 1,
  parameter int unsigned Number = 0,
  parameter int unsigned MemTagW = 7,
  parameter int unsigned AtomTagW = 8,
  parameter bit GlobalAtomics = 1'b0,
  parameter int unsigned L2Slices = 1,
  parameter int unsigned L2Ports = 1,
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam type line_req_t = `FAA_LINE_REQ(LineBytes, MemTagW),
  localparam type line_rsp_t = `FAA_LINE_RSP(LineBytes, MemTagW)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        job_valid_i,
  output logic                        job_ready_o,
  input  faa_bundle_pkg::job_t        job_i,
  input  faa_bundle_pkg::stream_t     stream_i,
  output logic                        done_valid_o,
  input  logic                        done_ready_i,
  output faa_bundle_pkg::done_t       done_o,
  output faa_bundle_pkg::progress_t   progress_o,
  input  logic                        kill_i,
  input  logic                        stop_i,
  output logic                        failed_o,
  output logic                        at_bar_o,
  input  logic                        bar_go_i,
  output logic                        mem_req_valid_o,
  input  logic                        mem_req_ready_i,
  output line_req_t                   mem_req_o,
  input  logic                        mem_rsp_valid_i,
  input  line_rsp_t                   mem_rsp_i,
  output logic [L2Ports-1:0]          atom_valid_o,
  input  logic                        atom_ready_i,
  output logic [51:OffW]              atom_line_o,
  output logic [LineBytes-1:0]        atom_strb_o,
  output logic [AtomTagW-1:0]         atom_tag_o,
  input  logic [L2Ports-1:0]          atom_rsp_valid_i,
  input  logic [L2Ports*AtomTagW-1:0] atom_rsp_tag_i,
  input  logic                        atom_rsp_err_i,    // of one of them
  output logic                        sweep_valid_o,
  output logic                        sweep_drop_o,
  input  logic                        sweep_done_i,
  input  logic                        sweep_err_i,
  output logic                        tr_valid_o,
  input  logic                        tr_ready_i,
  output faa_bundle_pkg::tr_req_t     tr_req_o,
  input  logic                        tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t     tr_rsp_i,
  input  logic                        inv_req_i,
  output logic                        inv_ack_o,
  output logic                        ev_command_o,
  output logic                        ev_stall_fetch_o,
  output logic                        ev_stall_global_o,
  output logic                        ev_atom_o
);

  typedef enum logic [3:0] {
    StIdle, StTr, StTrWait, StMem, StMemWait, StExec, StBurst, StBurstWait, StAtom, StAtomWait, StSweep, StPark, StBar, StHang, StDone, StMoveLast
  } state_e;
  state_e       state_q;
  logic [1:0]   op_q;
  logic         fetch_q;             // the current access fetches the stream
  logic [191:0] words_q;
  logic [63:0]  va_q, pa_q, context_q, code_address_q, retired_q;
  logic         write_q;
  logic [7:0]   code_q;
  logic [31:0]  left_q;
  logic [MemTagW:0] outstanding_q;
  logic [8:0]   atoms_q;             // without a response
  logic [AtomTagW-1:0] atom_tag_q;
  logic [(1<<MemTagW)-1:0] tag_busy_q;
  logic [(1<<AtomTagW)-1:0] atom_tag_busy_q;
  logic [63:0]  what, where, value, store;

  // The words of the stream, including those of the present line: a line of 16 bytes has two of the
  // three.
  logic [191:0] next_words;
  if (LineBytes >= 24) begin : gen_words
    assign next_words = mem_rsp_i.data[191:0];
  end else begin : gen_word_pairs
    assign next_words = pa_q[4] ? {mem_rsp_i.data[63:0], words_q[127:0]} :
                                  {words_q[191:128], mem_rsp_i.data[127:0]};
  end

  assign what  = words_q[63:0];
  assign where = words_q[127:64];
  assign value = words_q[191:128];
  assign store = (what == 64'd2) ? context_q : value;

  // The first line of the context, and the last one: slot 0 also has shared memory, after the
  // contexts of all slots.
  logic [63:0] save_first, save_last;
  assign save_first = job_i.save_addr + 64'(Number) * 64'(faa_pkg::CONTEXT_BYTES);
  assign save_last  = (Number == 0 ? job_i.save_addr + 64'(Slots) * 64'(faa_pkg::CONTEXT_BYTES) +
                                     64'(job_i.shared_bytes)
                                   : save_first + 64'(faa_pkg::CONTEXT_BYTES)) - 64'(LineBytes);

  logic [MemTagW-1:0] free_tag;
  always_comb begin
    free_tag = '0;
    for (int n = (1 << MemTagW) - 1; n >= 0; n--) if (!tag_busy_q[n]) free_tag = MemTagW'(n);
  end

  logic       halt;
  logic [7:0] halt_code;
  assign halt      = kill_i || stop_i;
  assign halt_code = kill_i ? faa_pkg::ERROR_KILLED : faa_pkg::ERROR_STOPPED;
  assign at_bar_o  = state_q == StBar;
  assign failed_o  = state_q == StDone && code_q != faa_pkg::ERROR_SUCCESS;

  assign job_ready_o     = state_q == StIdle;
  assign done_valid_o    = state_q == StDone;
  assign done_o          = '{code: code_q, lane: 5'd3, address: code_address_q};
  assign progress_o      = '{command: 32'd8, element: 32'(retired_q), retired: retired_q,
                             warps: 32'd1, passes: 32'd2};
  assign tr_valid_o      = state_q == StTr;
  assign tr_req_o        = '{va: va_q, write: write_q, atomic: 1'b0};
  assign mem_req_valid_o = state_q == StMem || (state_q == StBurst && tag_busy_q != '1);
  assign mem_req_o.write = write_q;
  assign mem_req_o.addr  = pa_q[63:OffW];
  assign mem_req_o.data = {LineBytes/8{op_q == 2'd0 ? store :
                                        pa_q == save_first ? context_q : ~context_q}};
  assign mem_req_o.strb = (op_q != 2'd0) ? '1 : LineBytes'(8'hff) << {pa_q[OffW-1:3], 3'd0};
  assign mem_req_o.tag   = free_tag;
  assign mem_req_o.direct = op_q != 2'd0 || (!fetch_q && what == 64'd3);

  // Tags rotate: an operation waits while the former operation with its tag may be unanswered.
  localparam int unsigned SliceW = L2Slices > 1 ? $clog2(L2Slices) : 1;
  logic [SliceW-1:0]  atom_slice;
  logic [L2Ports-1:0] atom_port;
  logic [3:0]         atom_answers;

  faa_l2_home #(.Slices(L2Slices)) u_home (
    .line_i(pa_q[OffW +: faa_l2_pkg::HOME_BITS]), .slice_o(atom_slice)
  );
  for (genvar n = 0; n < L2Ports; n++) begin : gen_port
    assign atom_port[n] = 32'(atom_slice) / (L2Slices / L2Ports) == n;
  end

  localparam logic [8:0] MaxAtoms = 9'(200 >> (8 - AtomTagW));
  assign atom_valid_o  = state_q == StAtom && atoms_q < MaxAtoms && !atom_tag_busy_q[atom_tag_q] ? atom_port : '0;
  assign atom_line_o   = pa_q[51:OffW];
  assign atom_strb_o   = LineBytes'(8'hff) << {pa_q[OffW-1:3], 3'd0};
  assign atom_tag_o    = atom_tag_q;
  assign sweep_valid_o    = state_q == StSweep;
  assign sweep_drop_o     = what == 64'd8;

  logic atom_fire;
  assign atom_fire = atom_valid_o != '0 && atom_ready_i;

  always_comb begin
    atom_answers = '0;
    for (int unsigned n = 0; n < L2Ports; n++) atom_answers = atom_answers + 4'(atom_rsp_valid_i[n]);
  end

  // Between polls, idle, and in states without a translation.
  assign inv_ack_o       = inv_req_i && (state_q == StIdle || state_q == StPark || state_q == StBar || state_q == StDone || op_q != 2'd0);

  logic fire;
  assign fire = mem_req_valid_o && mem_req_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= StIdle;
      outstanding_q <= '0;
      tag_busy_q    <= '0;
      op_q          <= '0;
      atoms_q         <= '0;
      atom_tag_q      <= '0;
      atom_tag_busy_q <= '0;
    end else begin
      outstanding_q <= outstanding_q + (MemTagW+1)'(fire) - (MemTagW+1)'(mem_rsp_valid_i);
      if (mem_rsp_valid_i) tag_busy_q[mem_rsp_i.tag] <= 1'b0;
      if (fire) tag_busy_q[free_tag] <= 1'b1;
      atoms_q <= atoms_q + 9'(atom_fire) - 9'(atom_answers);
      for (int unsigned n = 0; n < L2Ports; n++) begin
        if (atom_rsp_valid_i[n]) atom_tag_busy_q[atom_rsp_tag_i[n*AtomTagW +: AtomTagW]] <= 1'b0;
      end
      if (atom_fire) begin
        atom_tag_busy_q[atom_tag_q] <= 1'b1;
        atom_tag_q                  <= atom_tag_q + AtomTagW'(1);
      end
      case (state_q)
        StIdle: if (job_valid_i) begin
          op_q           <= job_i.op;
          code_q         <= faa_pkg::ERROR_SUCCESS;
          code_address_q <= '0;
          fetch_q        <= 1'b1;
          va_q           <= stream_i.va;
          pa_q           <= save_first;
          write_q        <= job_i.op == 2'd2;
          if (job_i.op == 2'd0) retired_q <= 64'(stream_i.first_element);
          if (job_i.op == 2'd1) context_q <= '0;
          case (job_i.op)
            2'd0:    state_q <= StTr;
            2'd1:    state_q <= StDone;
            default: state_q <= StMem;
          endcase
        end
        StTr: if (tr_ready_i) state_q <= StTrWait;
        StTrWait: if (tr_rsp_valid_i) begin
          pa_q    <= tr_rsp_i.pa;
          state_q <= StMem;
          if (tr_rsp_i.error != faa_pkg::ERROR_SUCCESS) begin
            code_q         <= tr_rsp_i.error;
            code_address_q <= (tr_rsp_i.error == faa_pkg::ERROR_BUS_ERROR) ? tr_rsp_i.pa : va_q;
            state_q        <= StDone;
          end else if (tr_rsp_i.sparse) begin
            words_q <= '0;
            state_q <= (fetch_q || what == 64'd3) ? StExec : StDone;
          end else if (!fetch_q && what == 64'd5) begin
            left_q  <= 32'(value) * 2;
            state_q <= StBurst;
          end else if (!fetch_q && what == 64'd6) begin
            left_q  <= 32'(value) * 2;
            state_q <= StAtom;
          end
        end
        StMem: if (mem_req_ready_i) state_q <= StMemWait;
        StMemWait: if (mem_rsp_valid_i) begin
          if (mem_rsp_i.err) begin
            code_q         <= faa_pkg::ERROR_BUS_ERROR;
            code_address_q <= {pa_q[63:6], 6'd0};
            state_q        <= StDone;
          end else if (op_q != 2'd0) begin
            if (op_q == 2'd3 && pa_q == save_first) context_q <= mem_rsp_i.data[63:0];
            if (op_q == 2'd3 && pa_q != save_first &&
                mem_rsp_i.data[LineW-1 -: 64] != ~context_q) begin
              context_q <= 64'hbad;
            end
            pa_q    <= save_last;
            state_q <= (pa_q == save_first) ? StMem : StDone;
          end else if (fetch_q) begin
            words_q <= next_words;
            pa_q    <= pa_q + 64'(LineBytes);
            state_q <= LineBytes >= 24 || pa_q[4] ? StExec : StMem;
          end else if (what == 64'd3) begin
            retired_q <= retired_q + 64'd1;
            state_q   <= (mem_rsp_i.data[{va_q[OffW-1:3], 6'd0} +: 64] == value) ? StDone : StPark;
          end else begin
            retired_q <= retired_q + 64'd32;
            state_q   <= StDone;
          end
        end
        StBar: begin
          if (bar_go_i) state_q <= StTr;
          if (halt) begin
            code_q  <= halt_code;
            state_q <= StDone;
          end
        end
        // One cycle without a held translation.
        StPark: begin
          state_q <= StTr;
          if (halt) begin
            code_q  <= halt_code;
            state_q <= StDone;
          end
        end
        StExec: begin
          fetch_q <= 1'b0;
          va_q    <= where;
          write_q <= what != 64'd3;
          state_q <= StTr;
          if (what == 64'd2) context_q <= context_q + value;
          if (what == 64'd4) state_q <= StHang;
          if (what == 64'd9) state_q <= StBar;
          if (GlobalAtomics && (what == 64'd7 || what == 64'd8)) state_q <= StSweep;
          if (what == 64'd0 || (what > (GlobalAtomics ? 64'd8 : 64'd5) && what != 64'd9)) begin
            code_q         <= faa_pkg::ERROR_ILLEGAL_COMMAND;
            code_address_q <= what;
            state_q        <= StDone;
          end
          if (halt && what != 64'd4) begin
            code_q  <= halt_code;
            state_q <= StDone;
          end
        end
        StBurst: if (fire) begin
          // Different lines: requests to one line must not be outstanding together.
          pa_q    <= {pa_q[63:12], pa_q[11:6] + 6'd1, pa_q[5:0]};
          left_q  <= left_q - 32'd1;
          if (left_q == 32'd1) state_q <= StBurstWait;
        end
        StBurstWait: if (outstanding_q == '0) begin
          retired_q <= retired_q + value * 2;
          state_q   <= StDone;
        end
        StAtom: if (atom_fire) begin
          pa_q   <= {pa_q[63:7], !pa_q[6], pa_q[5:0]};
          left_q <= left_q - 32'd1;
          if (left_q == 32'd1) state_q <= StAtomWait;
        end
        StAtomWait: if (atoms_q == '0) begin
          retired_q <= retired_q + value * 2;
          state_q   <= StDone;
        end
        StSweep: if (sweep_done_i) begin
          if (sweep_err_i) code_q <= faa_pkg::ERROR_BUS_ERROR;
          state_q <= StDone;
        end
        StDone: if (done_ready_i) begin
          state_q <= StIdle;
          op_q    <= '0;
        end
        default: state_q <= state_q;
      endcase
      if ((state_q == StBurst || state_q == StBurstWait) && mem_rsp_valid_i && mem_rsp_i.err) begin
        code_q <= faa_pkg::ERROR_BUS_ERROR;
      end
      if (atom_rsp_err_i) code_q <= faa_pkg::ERROR_BUS_ERROR;
    end
  end

  assign ev_command_o      = state_q == StDone && done_ready_i && op_q == 2'd0;
  assign ev_stall_fetch_o  = fetch_q && state_q == StMemWait;
  assign ev_stall_global_o = !fetch_q && state_q == StMemWait;
  assign ev_atom_o         = atom_fire;

  logic unused;
  assign unused = ^{stream_i.bytes, stream_i.first_element, tr_rsp_i.big};

endmodule
