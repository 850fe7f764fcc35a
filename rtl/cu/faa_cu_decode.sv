// SPDX-License-Identifier: Apache-2.0
//
// Collects the words of a command and checks it: every rule of "Decoding" in
// Documentation/device.rst, in that order.
//
// One command is held ready (cmd_valid_o); the next is begun when it is taken. Latency: one cycle
// per word plus two, with Late three; decoding overlaps the execution of the previous command. The
// first word is checked in the cycle after it has come, when the second one may come.
//
// Stalls: DEC-S1 (a word has not come yet; stall_o, counter STALL_FETCH).
// Hazards: DEC-H1 (a jump invalidates words decoded ahead: restart_i drops them and begins at
// restart_offset_i).

`include "faa_assert.svh"
`include "faa_defect.svh"

module faa_cu_decode #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  // The broken rules are known a cycle before the first of them is chosen: fewer levels
  parameter bit Late = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 restart_i,          // begin at restart_offset_i
  input  logic [31:0]          restart_offset_i,
  input  logic                 stop_i,             // drop everything
  input  logic [31:0]          stream_bytes_i,
  input  logic [31:0]          first_element_i,    // not 0: first command, restarted job

  output logic                 want_valid_o,
  output logic [31:0]          want_offset_o,
  input  logic                 word_valid_i,
  input  logic [63:0]          word_i,
  input  logic [7:0]           word_error_i,
  input  logic [63:0]          word_address_i,

  output logic                 cmd_valid_o,
  input  logic                 cmd_ready_i,
  output faa_cu_pkg::cmd_t     cmd_o,
  output logic [31:0]          pc_o,               // the command that is being collected or held
  output logic                 stall_o
);

  typedef enum logic [2:0] {
    StIdle,
    StCollect,
    StRules,      // with Late
    StCheck,
    StHold
  } state_e;

  localparam logic [7:0] VectorMin = 8'd3;

  localparam state_e StCollected = Late ? StRules : StCheck;

  state_e            state_q;
  logic [31:0]       pc_q;
  logic [31:0]       want_q;           // the next word
  logic [32:0]       left_q;           // bytes of the stream from there on; negative: past its end
  logic              vector;        // not a control command
  logic [3:0]        have_q;        // words collected
  // Words are stored in their places as they come: from the fourth on in those of the operands; the
  // second word says how many words each operand has.
  logic [63:0]       header_q, shape_q, regs_q;
  logic [2:0][63:0]  a_q, b_q, c_q;
  logic [1:0][63:0]  d_q;
  logic [4:0]        words_a, words_b, words_c, words_d;
  logic [3:0]        at_b, at_c, at_d;
  logic              failed_q;      // words could not be collected
  logic [7:0]        failed_code_q;
  logic [63:0]       failed_address_q;
  logic              beyond, truncated, single, last_word;
  faa_cu_pkg::cmd_t  cmd_d, cmd_q;

  // -------------------------------------------------------------------------------------------------------------
  // Facts about commands

  function automatic logic is_vector(input logic [7:0] opcode);
    case (opcode)
      faa_pkg::OPCODE_MOV, faa_pkg::OPCODE_SETP, faa_pkg::OPCODE_ALU, faa_pkg::OPCODE_LD, faa_pkg::OPCODE_ST,
      faa_pkg::OPCODE_LDS, faa_pkg::OPCODE_STS, faa_pkg::OPCODE_ATOMS: is_vector = 1'b1;
      faa_pkg::OPCODE_ATOM: is_vector = Build.global_atomics;
      faa_pkg::OPCODE_SUATOM: is_vector = Build.surface_atomics;
      default: is_vector = 1'b0;
    endcase
  endfunction

  // Words of a control command; 0: not a control command.
  function automatic logic [7:0] control_length(input logic [7:0] opcode);
    case (opcode)
      faa_pkg::OPCODE_NOP, faa_pkg::OPCODE_END, faa_pkg::OPCODE_FENCE, faa_pkg::OPCODE_BAR: control_length = 8'd1;
      faa_pkg::OPCODE_JUMP, faa_pkg::OPCODE_SNAPSHOT: control_length = 8'd2;
      faa_pkg::OPCODE_SEM_WAIT, faa_pkg::OPCODE_SEM_SIGNAL: control_length = 8'd3;
      faa_pkg::OPCODE_CONFIG: control_length = Build.surface_atomics ? 8'd3 : 8'd0;
      default: control_length = 8'd0;
    endcase
  endfunction

  // Floating-point arithmetic of this build; other types are in every build.
  function automatic logic has_float(input logic [3:0] typ);
    case (typ)
      faa_pkg::TYPE_F32: has_float = Build.f32;
      faa_pkg::TYPE_F64: has_float = Build.f64;
      faa_pkg::TYPE_F16, faa_pkg::TYPE_F16X2, faa_pkg::TYPE_BF16X2: has_float = Build.x2;
      default: has_float = 1'b1;
    endcase
  endfunction

  // The mode bits of ATOMS, ATOM, SUATOM and ALU: FTZ on floating-point types, RELAXED if allowed
  // by the argument.
  function automatic logic mode_ok(input logic [3:0] typ, input logic [3:0] mod, input logic relaxed);
    mode_ok = (mod & ~(faa_pkg::FLOAT_MODE_FTZ | (relaxed ? faa_pkg::FLOAT_MODE_RELAXED : 4'd0))) == '0 &&
              (mod == '0 || (typ >= faa_pkg::TYPE_F16 && typ < faa_pkg::TYPE_SD32));
  endfunction

  // Is header.op, type and mod in the command's table, and in this build?
  function automatic logic is_legal(input logic [7:0] opcode, input logic [7:0] op, input logic [3:0] typ,
                                    input logic [3:0] mod);
    case (opcode)
      faa_pkg::OPCODE_NOP: is_legal = faa_pkg::nop_legal(op, typ);
      faa_pkg::OPCODE_END: is_legal = faa_pkg::end_legal(op, typ);
      faa_pkg::OPCODE_JUMP: is_legal = faa_pkg::jump_legal(op, typ);
      faa_pkg::OPCODE_SEM_WAIT: is_legal = faa_pkg::sem_wait_legal(op, typ);
      faa_pkg::OPCODE_SEM_SIGNAL: is_legal = faa_pkg::sem_signal_legal(op, typ);
      faa_pkg::OPCODE_SNAPSHOT: is_legal = faa_pkg::snapshot_legal(op, typ);
      faa_pkg::OPCODE_CONFIG: is_legal = Build.surface_atomics && faa_pkg::config_legal(op, typ);
      faa_pkg::OPCODE_BAR: is_legal = faa_pkg::bar_legal(op, typ);
      faa_pkg::OPCODE_FENCE: is_legal = faa_pkg::fence_legal(op, typ) && {4'b0, mod} <= faa_pkg::SCOPE_SYS;
      faa_pkg::OPCODE_MOV: is_legal = faa_pkg::mov_legal(op, typ);
      faa_pkg::OPCODE_SETP: is_legal = faa_pkg::setp_legal(op, typ) && mod <= 4'd7 &&
                                       (Build.alu || typ < faa_pkg::TYPE_F16);
      faa_pkg::OPCODE_ALU: is_legal = Build.alu && faa_pkg::alu_legal(op, typ) && has_float(typ) &&
                                      mode_ok(typ, mod, 1'b0);
      faa_pkg::OPCODE_LD: is_legal = faa_pkg::ld_legal(op, typ);
      faa_pkg::OPCODE_ST: is_legal = faa_pkg::st_legal(op, typ);
      faa_pkg::OPCODE_LDS: is_legal = faa_pkg::lds_legal(op, typ);
      faa_pkg::OPCODE_STS: is_legal = faa_pkg::sts_legal(op, typ);
      faa_pkg::OPCODE_ATOMS: is_legal = faa_pkg::atoms_legal(op, typ) && has_float(typ) &&
                                        mode_ok(typ, mod,
                                                Build.relaxed && op == faa_pkg::ATOMS_OP_ADD);
      faa_pkg::OPCODE_ATOM: is_legal = faa_pkg::atom_legal(op, typ) && has_float(typ) &&
                                       mode_ok(typ, mod,
                                               Build.relaxed && op == faa_pkg::ATOM_OP_ADD);
      faa_pkg::OPCODE_SUATOM: is_legal = Build.surface_atomics && faa_pkg::suatom_legal(op, typ) &&
                                         has_float(typ) &&
                                         mode_ok(typ, mod,
                                                 Build.relaxed && op == faa_pkg::ATOM_OP_ADD);
      default: is_legal = 1'b0;
    endcase
  endfunction

  // Allowed kinds of the slots {d, c, b, a}, one bit per kind.
  function automatic logic [31:0] kinds_of(input logic [7:0] opcode, input logic [7:0] op);
    case (opcode)
      faa_pkg::OPCODE_MOV:
        kinds_of = {faa_pkg::MOV_KINDS_D, faa_pkg::MOV_KINDS_C, faa_pkg::MOV_KINDS_B, faa_pkg::MOV_KINDS_A};
      faa_pkg::OPCODE_SETP:
        kinds_of = {faa_pkg::SETP_KINDS_D, faa_pkg::SETP_KINDS_C, faa_pkg::SETP_KINDS_B, faa_pkg::SETP_KINDS_A};
      faa_pkg::OPCODE_ALU:
        kinds_of = {faa_pkg::ALU_KINDS_D, faa_pkg::ALU_KINDS_C, faa_pkg::ALU_KINDS_B, faa_pkg::ALU_KINDS_A};
      faa_pkg::OPCODE_LD:
        kinds_of = {faa_pkg::LD_KINDS_D, faa_pkg::LD_KINDS_C, faa_pkg::LD_KINDS_B, faa_pkg::LD_KINDS_A};
      faa_pkg::OPCODE_ST:
        kinds_of = {faa_pkg::ST_KINDS_D, faa_pkg::ST_KINDS_C, faa_pkg::ST_KINDS_B, faa_pkg::ST_KINDS_A};
      faa_pkg::OPCODE_LDS:
        kinds_of = {faa_pkg::LDS_KINDS_D, faa_pkg::LDS_KINDS_C, faa_pkg::LDS_KINDS_B, faa_pkg::LDS_KINDS_A};
      faa_pkg::OPCODE_STS:
        kinds_of = {faa_pkg::STS_KINDS_D, faa_pkg::STS_KINDS_C, faa_pkg::STS_KINDS_B, faa_pkg::STS_KINDS_A};
      faa_pkg::OPCODE_ATOM: begin
        kinds_of = {faa_pkg::ATOM_KINDS_D, faa_pkg::ATOM_KINDS_C, faa_pkg::ATOM_KINDS_B, faa_pkg::ATOM_KINDS_A};
        if (faa_pkg::ATOM_B_OPS_ABSENT[op[4:0]]) kinds_of[15:8] = 8'b1 << faa_pkg::KIND_NONE;
        if (!faa_pkg::ATOM_C_OPS[op[4:0]]) kinds_of[23:16] = 8'b1 << faa_pkg::KIND_NONE;
      end
      faa_pkg::OPCODE_SUATOM: begin
        kinds_of = {faa_pkg::SUATOM_KINDS_D, faa_pkg::SUATOM_KINDS_C, faa_pkg::SUATOM_KINDS_B, faa_pkg::SUATOM_KINDS_A};
        if (faa_pkg::SUATOM_B_OPS_ABSENT[op[4:0]]) kinds_of[15:8] = 8'b1 << faa_pkg::KIND_NONE;
        if (!faa_pkg::SUATOM_C_OPS[op[4:0]]) kinds_of[23:16] = 8'b1 << faa_pkg::KIND_NONE;
      end
      default: begin
        kinds_of = {faa_pkg::ATOMS_KINDS_D, faa_pkg::ATOMS_KINDS_C, faa_pkg::ATOMS_KINDS_B, faa_pkg::ATOMS_KINDS_A};
        if (op < faa_pkg::ATOMS_OP_CAS) kinds_of[23:16] = 8'b1 << faa_pkg::KIND_NONE;
      end
    endcase
  endfunction

  function automatic logic [2:0] kind_words(input logic [2:0] kind);
    case (kind)
      faa_pkg::KIND_IMM: kind_words = 3'd1;
      faa_pkg::KIND_AFFINE: kind_words = 3'd2;
      faa_pkg::KIND_STREAM: kind_words = 3'd3;
      default: kind_words = 3'd0;
    endcase
  endfunction

  // A wrong register field: not 0 if unused, or odd for 64 bits (RZ excepted).
  function automatic logic bad_register(input logic [2:0] kind, input logic [7:0] number, input logic double);
    if (kind != faa_pkg::KIND_REG) bad_register = number != 8'd0;
    else bad_register = double && number[0] && number != 8'(faa_pkg::RZ);
  endfunction

  // Item types: integers of at most the operand's width, floating-point types of just that width.
  function automatic logic item_type_ok(input logic [3:0] typ, input logic double);
    case (typ)
      faa_pkg::TYPE_U64, faa_pkg::TYPE_S64, faa_pkg::TYPE_F64: item_type_ok = double;
      faa_pkg::TYPE_F32, faa_pkg::TYPE_F16X2, faa_pkg::TYPE_BF16X2: item_type_ok = !double;
      faa_pkg::TYPE_F16, faa_pkg::TYPE_BF16: item_type_ok = 1'b0;
      default: item_type_ok = typ < faa_pkg::TYPE_F16;
    endcase
  endfunction

  // -------------------------------------------------------------------------------------------------------------
  // Collecting: steps a to d

  assign beyond      = left_q[32] || left_q[31:3] == '0;
  assign truncated   = have_q == 4'd0 && beyond;
  assign last_word   = have_q != 4'd0 && {4'b0, have_q} + 8'd1 == header_q[15:8];
  // The first word is a whole command.
  assign single      = have_q == 4'd0 && word_i[15:8] == 8'd1 &&
                       control_length(word_i[7:0]) == 8'd1;

  assign want_valid_o  = state_q == StCollect && !beyond;
  assign want_offset_o = want_q;
  assign stall_o       = want_valid_o && !word_valid_i;
  assign pc_o          = pc_q;

  // Error code of a header that cannot be collected further, else SUCCESS; left_q is that after it.
  logic [7:0]  header_code;
  logic        header_bad;
  logic [7:0]  header_control;
  assign header_control = control_length(header_q[7:0]);
  always_comb begin
    header_code = faa_pkg::ERROR_SUCCESS;
    if (!vector && header_control == 8'd0) header_code = faa_pkg::ERROR_ILLEGAL_COMMAND;
    else if (vector ? header_q[15:8] < VectorMin || header_q[15:8] > 8'(faa_pkg::MAX_COMMAND_WORDS)
                    : header_q[15:8] != header_control) header_code = faa_pkg::ERROR_BAD_LENGTH;
    else if (left_q[31:11] == '0 && {1'b0, header_q[15:8]} > {1'b0, left_q[10:3]} + 9'd1) begin
      header_code = faa_pkg::ERROR_TRUNCATED;
    end
  end
  assign header_bad = have_q == 4'd1 && header_code != faa_pkg::ERROR_SUCCESS;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      state_q <= StIdle;
    end else if (restart_i) begin
      state_q <= StCollect;
    end else begin
      case (state_q)
        StCollect:
          if (truncated || header_bad) state_q <= StCollected;
          else if (word_valid_i &&
                   (word_error_i != faa_pkg::ERROR_SUCCESS || last_word || single)) begin
            state_q <= StCollected;
          end
        StRules: state_q <= StCheck;
        StCheck: state_q <= StHold;
        StHold: if (cmd_ready_i) state_q <= StCollect;
        default: ;
      endcase
    end

    if (restart_i) begin
      pc_q   <= restart_offset_i;
      want_q <= restart_offset_i;
      left_q <= {1'b0, stream_bytes_i} - {1'b0, restart_offset_i};
      have_q <= '0;
    end else if (state_q == StHold && cmd_ready_i) begin
      // All words of a command that is taken have come.
      pc_q   <= want_q;
      have_q <= '0;
    end else if (want_valid_o && word_valid_i) begin
      have_q <= have_q + 4'd1;
      want_q <= want_q + 32'd8;
      left_q <= left_q - 33'd8;
    end

    if (want_valid_o && word_valid_i) begin
      if (have_q == 4'd0) header_q <= word_i;
      if (have_q == 4'd1) shape_q <= word_i;
      if (have_q == 4'd2) regs_q <= word_i;
      // Words of control commands are in the place of operand a.
      if (!vector && have_q == 4'd1) a_q[0] <= word_i;
      if (!vector && have_q == 4'd2) a_q[1] <= word_i;
      for (int unsigned n = 0; n < 3; n++) begin
        if (words_a > 5'(n) && have_q == 4'(3 + n)) a_q[n] <= word_i;
        if (words_b > 5'(n) && have_q == at_b + 4'(n)) b_q[n] <= word_i;
        if (words_c > 5'(n) && have_q == at_c + 4'(n)) c_q[n] <= word_i;
      end
      if (have_q == at_d) d_q[0] <= word_i;
      if (have_q == at_d + 4'd1) d_q[1] <= word_i;
    end

    if (state_q == StCollect) begin
      failed_q         <= 1'b1;
      failed_address_q <= '0;
      if (truncated) begin
        failed_code_q <= faa_pkg::ERROR_TRUNCATED;
      end else if (header_bad) begin
        failed_code_q <= header_code;
        if (header_code != faa_pkg::ERROR_TRUNCATED) failed_address_q <= header_q;
      end else if (word_error_i != faa_pkg::ERROR_SUCCESS) begin
        failed_code_q    <= word_error_i;
        failed_address_q <= word_address_i;
      end else begin
        failed_q <= 1'b0;
      end
    end

    if (state_q == StCheck) cmd_q <= cmd_d;
  end

  // -------------------------------------------------------------------------------------------------------------
  // Checking: steps e to n

  logic [63:0] header, shape, regs;
  logic [7:0]  opcode, op;
  logic [3:0]  typ, mod;
  logic [2:0]  guard, read_barrier, write_barrier;
  logic        guard_negate;
  logic [7:0]  error;
  logic [63:0] address;
  logic        type64, double_a, double_v, has_offset;
  logic [31:0] kinds;
  logic [2:0]  kind_a, kind_b, kind_c, kind_d;
  logic        bad_kind, bad_regs;
  logic [39:0] count;
  logic        atom, surface, atomic, load, store, is_strong, ordered, bad_order, coords_packed, coords_in_registers, bad_place, bad_coords, bad_handle;
  logic [1:0]  scope, order, clamp, handle_kind;
  logic [2:0]  dim;
  logic [19:0] handle;
  logic [63:0] shape_reserved, regs_reserved, config_reserved;
  logic        config_misaligned;
  logic        unused_fields;
  logic        item_error, item_reserved;
  logic [63:0] item_word;

  assign header = header_q;
  assign shape  = shape_q;
  assign regs   = regs_q;
  assign {mod, typ, op}                = header[47:32];
  assign {write_barrier, read_barrier} = header[31:26];
  assign {guard_negate, guard}         = header[19:16];
  assign opcode                        = header[7:0];
  assign vector = is_vector(opcode);
  assign count  = shape[39:0];
  assign kinds  = kinds_of(opcode, op);
  assign kind_a = shape[42:40];
  assign kind_b = shape[45:43];
  assign kind_c = shape[48:46];
  assign kind_d = shape[51:49];

  assign type64     = faa_cu_pkg::is_wide(typ);
  assign has_offset = opcode != faa_pkg::OPCODE_MOV && opcode != faa_pkg::OPCODE_SETP && opcode != faa_pkg::OPCODE_ALU;

  // The second word of ATOM, and of LD and ST whose second word marks them as strong, has a scope
  // and an order too; that of SUATOM has the form of its coordinates.
  assign load           = opcode == faa_pkg::OPCODE_LD;
  assign store          = opcode == faa_pkg::OPCODE_ST;
  assign atom           = Build.global_atomics && opcode == faa_pkg::OPCODE_ATOM;
  assign scope          = shape[faa_pkg::ACCESS_SCOPE_LSB +: 2];
  assign order          = shape[faa_pkg::ACCESS_ORDER_LSB +: 2];
  assign surface        = Build.surface_atomics && opcode == faa_pkg::OPCODE_SUATOM;
  assign atomic         = atom || surface;
  assign is_strong      = (load || store) && shape[faa_pkg::STRONG_STRONG_LSB];
  assign ordered        = atomic || is_strong;
  `FAA_DEFECT(sys_as_gpu, "sys-as-gpu")
  assign bad_order      = is_strong && order != 2'(faa_pkg::ORDER_RELAXED) && order != (load ? 2'(faa_pkg::ORDER_ACQUIRE) : 2'(faa_pkg::ORDER_RELEASE));
  assign coords_packed  = shape[faa_pkg::PLACE_PACKED_LSB];
  assign clamp          = shape[faa_pkg::PLACE_CLAMP_LSB +: 2];
  assign dim            = shape[faa_pkg::PLACE_DIM_LSB +: 3];
  assign handle         = regs[faa_pkg::SURFACE_HANDLE_LSB +: 20];
  assign handle_kind    = regs[faa_pkg::SURFACE_HANDLE_KIND_LSB +: 2];
  assign shape_reserved = shape & (surface ? faa_pkg::PLACE_RESERVED : atom ? faa_pkg::ACCESS_RESERVED :
                                   is_strong ? faa_pkg::STRONG_RESERVED : faa_pkg::SHAPE_RESERVED);
  assign regs_reserved  = regs & (surface ? faa_pkg::SURFACE_RESERVED : faa_pkg::REGS_RESERVED);

  // SUATOM: three unpacked coordinates are in three registers.
  assign coords_in_registers = surface && !coords_packed && faa_cu_pkg::has_third(dim);
  assign bad_place  = surface && (dim > faa_pkg::DIM_D3 || clamp > faa_pkg::CLAMP_TRAP ||
                                  (coords_packed && (dim == faa_pkg::DIM_D1 || dim == faa_pkg::DIM_D1_BUFFER)));
  assign bad_coords = surface && kind_a == faa_pkg::KIND_REG && (regs[7:0] == 8'(faa_pkg::RZ) || (coords_in_registers && regs[1:0] != '0));
  always_comb begin
    bad_handle = 1'b0;
    if (surface) begin
      case (handle_kind)
        faa_pkg::HANDLE_KIND_REG: bad_handle = handle >= 20'(faa_pkg::RZ);
        faa_pkg::HANDLE_KIND_BANK: bad_handle = handle >= 20'(faa_pkg::CONSTANT_WORDS);
        default: ;
      endcase
    end
  end

  // CONFIG: its words are {address, value}.
  always_comb begin
    config_reserved   = regs;
    config_misaligned = 1'b0;
    case (op)
      faa_pkg::CONFIG_HEADER_POOL: begin
        config_reserved   = regs >> 20;
        config_misaligned = shape[4:0] != '0;
      end
      faa_pkg::CONFIG_CONSTANT_BANK: begin
        config_reserved   = regs & ~64'hfffc;
        config_misaligned = shape[1:0] != '0;
      end
      default: config_reserved = regs >> 32;
    endcase
  end

  // The second word comes at least two words before one of an operand.
  always_ff @(posedge clk_i) begin
    words_a  <= {2'b0, kind_words(kind_a)};
    words_b  <= {2'b0, kind_words(kind_b)};
    words_c  <= {2'b0, kind_words(kind_c)};
    words_d  <= {2'b0, kind_words(kind_d)};
    at_b     <= 4'(5'd3 + {2'b0, kind_words(kind_a)});
    at_c     <= 4'(5'd3 + {2'b0, kind_words(kind_a)} + {2'b0, kind_words(kind_b)});
    at_d     <= 4'(5'd3 + {2'b0, kind_words(kind_a)} + {2'b0, kind_words(kind_b)} +
                   {2'b0, kind_words(kind_c)});
    double_v <= type64;
    double_a <= load || store || atom || (type64 && !has_offset) ||
                (surface && faa_cu_pkg::wide_coords(dim, coords_packed));
  end

  assign bad_kind = !kinds[{2'd0, kind_a}] || !kinds[{2'd1, kind_b}] || !kinds[{2'd2, kind_c}] || !kinds[{2'd3, kind_d}] ||
                    (coords_in_registers && kind_a != faa_pkg::KIND_REG);
  assign bad_regs = bad_register(kind_a, regs[7:0], double_a) || bad_register(kind_b, regs[15:8], double_v) ||
                    bad_register(kind_c, regs[23:16], double_v) || bad_register(kind_d, regs[31:24], double_v) ||
                    bad_coords || bad_handle;

  // Header fields that the command does not use.
  always_comb begin
    unused_fields = 1'b0;
    case (opcode)
      faa_pkg::OPCODE_NOP, faa_pkg::OPCODE_END, faa_pkg::OPCODE_SNAPSHOT:
        unused_fields = op != '0 || typ != '0 || mod != '0;
      faa_pkg::OPCODE_JUMP, faa_pkg::OPCODE_SEM_WAIT, faa_pkg::OPCODE_SEM_SIGNAL, faa_pkg::OPCODE_CONFIG, faa_pkg::OPCODE_BAR:
        unused_fields = typ != '0 || mod != '0;
      faa_pkg::OPCODE_FENCE: unused_fields = typ != '0;
      faa_pkg::OPCODE_SETP, faa_pkg::OPCODE_ALU, faa_pkg::OPCODE_ATOMS, faa_pkg::OPCODE_ATOM,
      faa_pkg::OPCODE_SUATOM: unused_fields = 1'b0;
      default: unused_fields = op != '0 || mod != '0;
    endcase
  end

  // Step l: checked when the second word of a stream comes, and the third of d; the first bad one
  // is reported.
  logic [3:0] second, second_q;             // it comes, it came in the cycle before, of d, c, b, a
  logic       item_bad;

  assign second   = {kind_d == faa_pkg::KIND_STREAM && have_q == at_d + 4'd1,
                     kind_c == faa_pkg::KIND_STREAM && have_q == at_c + 4'd1,
                     kind_b == faa_pkg::KIND_STREAM && have_q == at_b + 4'd1,
                     kind_a == faa_pkg::KIND_STREAM && have_q == 4'd4};
  assign item_reserved = |(item_word & faa_pkg::STREAM_RESERVED);
  assign item_bad      = second_q != '0 &&
                         (item_reserved ||
                          !item_type_ok(item_word[35:32], second_q[0] ? double_a : double_v) ||
                          (second_q[3] && item_word[38:36] != '0));

  always_ff @(posedge clk_i) begin
    second_q <= want_valid_o && word_valid_i && vector ? second : '0;
    if (have_q < 4'd3) begin
      item_error <= 1'b0;
    end else begin
      if (want_valid_o && word_valid_i && vector) begin
        if (second != '0 && !item_error) item_word <= word_i;
        // The word remembered is the second one of d, unless an earlier one is bad.
        if (kind_d == faa_pkg::KIND_STREAM && have_q == at_d + 4'd2 && word_i != '0) begin
          item_error <= 1'b1;
        end
      end
      if (item_bad) item_error <= 1'b1;
    end
  end

  always_comb begin
    cmd_d = '0;
    cmd_d.pc            = pc_q;
    cmd_d.opcode        = opcode;
    cmd_d.length        = header[11:8];
    cmd_d.guard         = guard;
    cmd_d.guard_negate  = guard_negate;
    cmd_d.wait_mask     = header[25:20];
    cmd_d.read_barrier  = read_barrier;
    cmd_d.write_barrier = write_barrier;
    cmd_d.op            = op;
    cmd_d.typ           = typ;
    cmd_d.mod           = mod;
    cmd_d.count         = count[32:0];
    cmd_d.kind_a        = kind_a;
    cmd_d.kind_b        = kind_b;
    cmd_d.kind_c        = kind_c;
    cmd_d.kind_d        = kind_d;
    cmd_d.ra            = regs[7:0];
    cmd_d.rb            = regs[15:8];
    cmd_d.rc            = regs[23:16];
    cmd_d.rd            = regs[31:24];
    cmd_d.offset        = surface ? '0 : regs[55:32];
    cmd_d.order         = ordered ? order : 2'b0;
    cmd_d.sys           = Build.sys_atomics && ordered &&
                          scope == 2'(faa_pkg::SCOPE_SYS) && !sys_as_gpu;
    cmd_d.beyond_cta    = ordered && scope != 2'(faa_pkg::SCOPE_CTA);
    if (surface) begin
      cmd_d.coords_packed = coords_packed;
      cmd_d.ba            = shape[faa_pkg::PLACE_BA_LSB];
      cmd_d.clamp         = clamp;
      cmd_d.dim           = dim;
      cmd_d.handle_kind   = handle_kind;
      cmd_d.handle        = handle;
      cmd_d.ps            = regs[faa_pkg::SURFACE_PS_LSB +: 3];
    end
    {cmd_d.a_2, cmd_d.a_1, cmd_d.a_0} = a_q;
    {cmd_d.b_2, cmd_d.b_1, cmd_d.b_0} = b_q;
    {cmd_d.c_2, cmd_d.c_1, cmd_d.c_0} = c_q;
    cmd_d.d_0           = d_q[0];
    cmd_d.d_1           = d_q[1][38:0];
    cmd_d.error         = error;
    cmd_d.address       = address;
  end

  // The rules in their order: the broken ones, and the error of the first of them
  logic [16:0] broken_d, broken;

  always_comb begin
    broken_d     = '0;
    broken_d[0]  = failed_q;                                                          // a to d
    broken_d[1]  = |(header & faa_pkg::HEADER_RESERVED) || unused_fields;             // e
    broken_d[2]  = (!vector && opcode != faa_pkg::OPCODE_JUMP &&
                    (guard != 3'(faa_pkg::PT) || guard_negate)) ||
                   read_barrier == 3'd6 || write_barrier == 3'd6 ||
                   (!vector && !(&read_barrier && &write_barrier));                   // f
    broken_d[3]  = !is_legal(opcode, op, typ, mod);                                   // g
    broken_d[4]  = vector ? |shape_reserved
                          : (opcode == faa_pkg::OPCODE_JUMP && |(shape & faa_pkg::JUMP_RESERVED)) ||
                            (opcode == faa_pkg::OPCODE_CONFIG &&
                             op == faa_pkg::CONFIG_HELPER_LANES && shape != '0);      // h
    broken_d[5]  = vector ? |regs_reserved || (!has_offset && regs[55:32] != '0)
                          : opcode == faa_pkg::OPCODE_CONFIG && config_reserved != '0;
    broken_d[6]  = (ordered && scope > (Build.sys_atomics ? 2'(faa_pkg::SCOPE_SYS) :
                                                            2'(faa_pkg::SCOPE_GPU))) ||
                   bad_order || bad_place;
    broken_d[7]  = surface && handle_kind > faa_pkg::HANDLE_KIND_INDEX;
    broken_d[8]  = vector && bad_kind;                                                // i
    broken_d[9]  = vector && bad_regs;
    broken_d[10] = opcode == faa_pkg::OPCODE_SETP && count > 40'd32;
    broken_d[11] = vector && (count == '0 || count > 40'h100000000);                  // j
    broken_d[12] = vector &&
                   {1'b0, header[11:8]} != 5'd3 + words_a + words_b + words_c + words_d;  // k
    broken_d[13] = vector && (item_error || item_bad);                               // l
    broken_d[14] = opcode == faa_pkg::OPCODE_ATOMS && regs[33:32] != '0;              // m
    broken_d[15] = first_element_i != '0 &&
                   (!vector || {8'b0, first_element_i} >= count);                     // n
    broken_d[16] = opcode == faa_pkg::OPCODE_CONFIG && (config_misaligned || shape[63:48] != '0);
  end

  if (Late) begin : gen_late
    always_ff @(posedge clk_i) broken <= broken_d;
  end else begin : gen_now
    assign broken = broken_d;
  end

  always_comb begin
    error   = faa_pkg::ERROR_SUCCESS;
    address = header;
    if (broken[0]) begin
      error   = failed_code_q;
      address = failed_address_q;
    end else if (broken[1]) begin
      error = faa_pkg::ERROR_RESERVED_BITS;
    end else if (broken[2]) begin
      error = faa_pkg::ERROR_ILLEGAL_OPERAND;
    end else if (broken[3]) begin
      error = faa_pkg::ERROR_ILLEGAL_OPERATION;
    end else if (broken[4]) begin
      error   = faa_pkg::ERROR_RESERVED_BITS;
      address = shape;
    end else if (broken[5]) begin
      error   = faa_pkg::ERROR_RESERVED_BITS;
      address = regs;
    end else if (broken[6]) begin
      error   = faa_pkg::ERROR_ILLEGAL_OPERATION;
      address = shape;
    end else if (broken[7]) begin
      error   = faa_pkg::ERROR_ILLEGAL_OPERATION;
      address = regs;
    end else if (broken[8]) begin
      error   = faa_pkg::ERROR_ILLEGAL_OPERAND;
      address = shape;
    end else if (broken[9]) begin
      error   = faa_pkg::ERROR_ILLEGAL_OPERAND;
      address = regs;
    end else if (broken[10]) begin
      error   = faa_pkg::ERROR_ILLEGAL_OPERAND;
      address = shape;
    end else if (broken[11]) begin
      error   = faa_pkg::ERROR_BAD_COUNT;
      address = {24'b0, count};
    end else if (broken[12]) begin
      error = faa_pkg::ERROR_BAD_LENGTH;
    end else if (broken[13]) begin
      error   = item_reserved ? faa_pkg::ERROR_RESERVED_BITS : faa_pkg::ERROR_ILLEGAL_OPERAND;
      address = item_word;
    end else if (broken[14]) begin
      error   = faa_pkg::ERROR_BAD_OFFSET;
      address = {40'b0, regs[55:32]};
    end else if (broken[15]) begin
      error   = faa_pkg::ERROR_BAD_DESCRIPTOR;
      address = 64'd32;
    end else if (broken[16]) begin
      error   = config_misaligned ? faa_pkg::ERROR_MISALIGNED : faa_pkg::ERROR_NON_CANONICAL;
      address = shape;
    end
  end

  assign cmd_valid_o = state_q == StHold;
  assign cmd_o       = cmd_q;

  `FAA_ASSERT(no_word_beyond_the_stream, !(want_valid_o && {1'b0, want_offset_o} + 33'd8 > {1'b0, stream_bytes_i}))
  `FAA_COVER(stall_d1, stall_o)

endmodule
