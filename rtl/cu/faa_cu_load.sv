// SPDX-License-Identifier: Apache-2.0
//
// Loads of one warp from global memory: reads the lines, picks and extends the items, offers the
// result. Lanes from Lanes on take no part.
//
// One warp at a time; while it waits for memory the slot executes later commands. Latency: memory
// latency plus 4 cycles, one line requested per cycle. Stalls of the user:
//   LD-S1: the unit is busy (counter STALL_GLOBAL)

module faa_cu_load #(
  parameter int unsigned Lanes = 32,     // of 32; 1: for SEM_WAIT alone
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          start_i,         // while idle_o
  input  logic [31:0]   mask_i,
  input  logic [31:0]   sparse_i,
  input  logic [2047:0] pa_i,
  input  logic [3:0]    typ_i,           // enum type
  input  faa_cu_pkg::dest_t dest_i,      // given back with the result
  output logic          idle_o,
  output faa_cu_pkg::dest_t dest_o,      // of the warp in progress

  output logic          result_valid_o,
  input  logic          result_ready_i,
  output logic [31:0]   result_mask_o,
  output logic [2047:0] result_o,        // extended to 64 bits a lane

  output logic          error_o,         // with the result: a bus error
  output logic [63:0]   error_address_o,

  output logic          mem_valid_o,
  input  logic          mem_ready_i,
  output logic [51:OffW]   mem_line_o,
  output logic [4:0]    mem_tag_o,
  input  logic          mem_rsp_valid_i,
  input  logic [4:0]    mem_rsp_tag_i,
  input  logic [LineW-1:0]  mem_rsp_data_i,
  input  logic          mem_rsp_err_i
);

  logic [3:0]    typ_q;
  faa_cu_pkg::dest_t dest_q;
  logic [31:0]   mask_q;
  logic [63:OffW]   error_line;
  logic          valid;

  faa_cu_gather #(
    .Lanes    (Lanes),
    .LineBytes(LineBytes)
  ) u_gather (
    .clk_i,
    .rst_ni,
    .start_i,
    .mask_i,
    .sparse_i,
    .pa_i,
    .size_i      (faa_cu_pkg::size_log2(typ_q)),
    .signed_i    (faa_cu_pkg::is_signed(typ_q)),
    .idle_o,
    .valid_o     (valid),
    .take_i      (valid && result_ready_i),
    .data_o      (result_o),
    .error_o,
    .error_line_o(error_line),
    .req_valid_o (mem_valid_o),
    .req_ready_i (mem_ready_i),
    .req_line_o  (mem_line_o),
    .req_tag_o   (mem_tag_o),
    .rsp_valid_i (mem_rsp_valid_i),
    .rsp_tag_i   (mem_rsp_tag_i),
    .rsp_data_i  (mem_rsp_data_i),
    .rsp_err_i   (mem_rsp_err_i)
  );

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      typ_q  <= typ_i;
      dest_q <= dest_i;
      mask_q <= mask_i;
    end
  end

  assign result_valid_o  = valid;
  assign result_mask_o   = mask_q;
  assign dest_o          = dest_q;
  // Bus errors report 64 bytes.
  assign error_address_o = {error_line[63:6], 6'b0};

  if (OffW < 6) begin : gen_fine
    logic unused;
    assign unused = ^error_line[5:OffW];
  end

endmodule
