// SPDX-License-Identifier: Apache-2.0
//
// The surface unit with its configuration and the fields of its command as ports of their own, for
// a C++ test, which gives and takes whole warps. With one lane it is the unit that works lane by
// lane, which does not get operands b and c.

`include "faa_assert.svh"

module faa_test_surface #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned SurfaceLanes = Lanes,
  parameter int unsigned LineBytes = 64
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  // Configuration, as CONFIG sets it
  input  logic          set_i,
  input  logic [7:0]    config_op_i,
  input  logic [63:0]   config_address_i,
  input  logic [63:0]   config_value_i,
  input  logic          load_i,
  input  logic [223:0]  image_i,
  output logic [223:0]  image_o,
  // Command
  input  logic [7:0]    opcode_i,
  input  logic [3:0]    typ_i,
  input  logic [2:0]    dim_i,
  input  logic          packed_i,
  input  logic          ba_i,
  input  logic [1:0]    clamp_i,
  input  logic [1:0]    handle_kind_i,
  input  logic [19:0]   handle_i,
  input  logic          drop_i,
  input  logic          flush_i,
  output logic          quiet_o,
  output logic          stall_o,
  output logic          ev_header_o,
  output logic [5:0]    lanes_o,
  output logic [5:0]    surface_lanes_o,
  input  logic [1023:0] z_i,
  input  logic [1023:0] handles_i,
  input  logic          warp_valid_i,
  output logic          warp_ready_o,
  input  logic [31:0]   warp_mask_i,
  input  logic [31:0]   warp_element_i,
  input  logic [5:0]    warp_count_i,
  input  logic          warp_last_i,
  input  logic [2047:0] warp_a_i,
  input  logic [2047:0] warp_b_i,
  input  logic [2047:0] warp_c_i,
  input  logic [63:0]   warp_d_va_i,
  input  logic [7:0]    warp_error_i,
  input  logic [4:0]    warp_lane_i,
  input  logic [63:0]   warp_address_i,
  output logic          warp_valid_o,
  input  logic          warp_ready_i,
  output logic [31:0]   warp_mask_o,
  output logic [31:0]   warp_null_o,
  output logic [3:0]    warp_typ_o,
  output logic [31:0]   warp_element_o,
  output logic [5:0]    warp_count_o,
  output logic          warp_last_o,
  output logic [2047:0] warp_a_o,
  output logic [2047:0] warp_b_o,
  output logic [2047:0] warp_c_o,
  output logic [63:0]   warp_d_va_o,
  output logic [7:0]    warp_error_o,
  output logic [4:0]    warp_lane_o,
  output logic [63:0]   warp_address_o,
  output logic          tr_valid_o,
  input  logic          tr_ready_i,
  output logic [63:0]   tr_va_o,
  input  logic          tr_rsp_valid_i,
  input  logic [7:0]    tr_rsp_error_i,
  input  logic [63:0]   tr_rsp_pa_i,
  input  logic          tr_rsp_sparse_i,
  output logic          mem_valid_o,
  input  logic          mem_ready_i,
  output logic [63:0]   mem_addr_o,
  input  logic          mem_rsp_valid_i,
  input  logic [LineBytes*8-1:0] mem_rsp_data_i,
  input  logic          mem_rsp_err_i
);

  faa_cu_pkg::cmd_t         cmd;
  faa_surface_pkg::config_t configuration;
  localparam int unsigned OffW = $clog2(LineBytes);
  logic [51:OffW]           mem_line;
  faa_bundle_pkg::tr_req_t  tr_req;
  faa_bundle_pkg::tr_rsp_t  tr_rsp;

  assign tr_va_o = tr_req.va;
  assign tr_rsp  = '{error: tr_rsp_error_i, pa: tr_rsp_pa_i, sparse: tr_rsp_sparse_i, big: 1'b0};

  always_comb begin
    cmd               = '0;
    cmd.opcode        = opcode_i;
    cmd.typ           = typ_i;
    cmd.dim           = dim_i;
    cmd.coords_packed = packed_i;
    cmd.ba            = ba_i;
    cmd.clamp         = clamp_i;
    cmd.handle_kind   = handle_kind_i;
    cmd.handle        = handle_i;
  end
  assign mem_addr_o = {12'b0, mem_line, {OffW{1'b0}}};

  faa_surface_config u_config (
    .clk_i, .rst_ni, .set_i, .op_i(config_op_i), .address_i(config_address_i), .value_i(config_value_i), .load_i({2{load_i}}), .image_i, .image_o,
    .config_o(configuration)
  );

  assign lanes_o         = 6'(Lanes);
  assign surface_lanes_o = 6'(SurfaceLanes);

  if (Lanes == 1) begin : gen_serial
    logic        offered, given, taken, valid_q, coords_q, out_ready;
    logic [4:0]  lane_q;
    logic [47:0] va;
    logic        null_lane;
    logic [31:0] nulls;
    logic [3:0]  typ;
    logic [7:0]  error;
    logic [4:0]  error_lane;
    logic [63:0] address;

    assign offered      = warp_valid_i && coords_q;
    assign out_ready    = !coords_q && !valid_q;
    assign taken        = given && out_ready && lane_q == '1;
    assign warp_ready_o = taken && !flush_i;
    assign warp_valid_o = valid_q;

    logic lane_ready;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || flush_i) begin
        lane_q   <= '0;
        coords_q <= 1'b1;
        valid_q  <= 1'b0;
      end else begin
        if ((offered && lane_ready) || (given && out_ready)) lane_q <= lane_q + 5'd1;
        if (offered && lane_ready && lane_q == '1) coords_q <= 1'b0;
        else if (taken) coords_q <= 1'b1;
        if (taken) valid_q <= 1'b1;
        else if (warp_ready_i) valid_q <= 1'b0;
      end
      if (given && out_ready) begin
        warp_a_o[lane_q*64 +: 64] <= {16'b0, va};
        warp_null_o[lane_q]       <= null_lane;
      end
      if (taken) begin
        {warp_mask_o, warp_element_o, warp_count_o, warp_last_o} <=
            {warp_mask_i, warp_element_i, warp_count_i, warp_last_i};
        {warp_b_o, warp_c_o, warp_d_va_o} <= {warp_b_i, warp_c_i, warp_d_va_i};
        warp_typ_o  <= typ;
        if (warp_error_i != '0) begin
          {warp_error_o, warp_lane_o} <= {warp_error_i, warp_lane_i};
          warp_address_o              <= warp_address_i;
        end else begin
          {warp_error_o, warp_lane_o, warp_address_o} <= {error, error_lane, address};
        end
      end
    end

    faa_surface_serial #(.LineBytes(LineBytes)) u_surface (
      .clk_i, .rst_ni, .cmd_i(cmd), .config_i(configuration), .drop_i, .flush_i, .quiet_o, .stall_o,
      .ev_header_o, .lane_valid_i(offered), .lane_ready_o(lane_ready), .warp_mask_i, .warp_error_i,
      .lane_a_i(warp_a_i[lane_q*64 +: 64]), .lane_z_i(z_i[lane_q*32 +: 32]),
      .lane_handle_i(handles_i[lane_q*32 +: 32]), .lane_valid_o(given), .lane_ready_i(out_ready),
      .lane_va_o(va), .lane_null_o(null_lane), .warp_null_o(nulls), .warp_typ_o(typ),
      .warp_error_o(error), .warp_lane_o(error_lane), .warp_address_o(address),
      .tr_valid_o, .tr_ready_i, .tr_req_o(tr_req),
      .tr_rsp_valid_i, .tr_rsp_i(tr_rsp), .mem_valid_o, .mem_ready_i, .mem_line_o(mem_line),
      .mem_rsp_valid_i, .mem_rsp_data_i, .mem_rsp_err_i
    );

    `FAA_ASSERT(nulls_of_all_lanes, !(valid_q && coords_q && lane_q == '0) || !quiet_o ||
                                    nulls == warp_null_o)
  end else begin : gen_beats
    // Operands in beats
    faa_cu_pkg::part_t        part, out_part;
    logic [2:0]               in_valid, in_ready, out_valid, out_ready;
    logic                     beat_valid, beat_ready, out_beat_valid, out_beat_ready;
    logic [2:0][2047:0]       whole, out_whole;
    logic [2:0][Lanes*64-1:0] beat, out_beat;
    faa_cu_pkg::part_t [2:0]  parts;

    assign whole = {warp_c_i, warp_b_i, warp_a_i};
    assign {warp_c_o, warp_b_o, warp_a_o} = out_whole;
    assign beat_valid     = in_valid[0];
    assign part           = parts[0];
    assign warp_ready_o   = in_ready[0];
    assign warp_valid_o   = out_valid[0];
    assign out_beat_ready = out_ready[0];

    for (genvar n = 0; n < 3; n++) begin : g_operand
      faa_cu_cut #(.Lanes(Lanes)) u_cut (
        .clk_i, .rst_ni(rst_ni && !flush_i), .valid_i(warp_valid_i), .ready_o(in_ready[n]),
        .data_i(whole[n]),
        .valid_o(in_valid[n]), .ready_i(beat_ready), .part_o(parts[n]), .data_o(beat[n])
      );
      faa_cu_collect #(.Lanes(Lanes)) u_collect (
        .clk_i, .rst_ni, .flush_i, .valid_i(out_beat_valid), .ready_o(out_ready[n]),
        .part_i(out_part), .data_i(out_beat[n]),
        .valid_o(out_valid[n]), .ready_i(warp_ready_i), .data_o(out_whole[n])
      );
    end

    faa_cu_pkg::warp_t warp, out_warp;
    assign warp = '{mask: warp_mask_i, element: warp_element_i, count: warp_count_i,
                    last: warp_last_i, d_va: warp_d_va_i, error: warp_error_i, lane: warp_lane_i,
                    address: warp_address_i};
    assign {warp_mask_o, warp_element_o, warp_count_o, warp_last_o, warp_d_va_o, warp_error_o,
            warp_lane_o, warp_address_o} = out_warp;

    logic [Lanes*32-1:0] z_beat, handle_beat;
    always_comb begin
      z_beat      = z_i[Lanes*32-1:0];
      handle_beat = handles_i[Lanes*32-1:0];
      for (int unsigned n = 1; n < 32 / Lanes; n++) begin
        if (part.number == 3'(n)) begin
          z_beat      = z_i[n*Lanes*32 +: Lanes*32];
          handle_beat = handles_i[n*Lanes*32 +: Lanes*32];
        end
      end
    end

    logic unused;
    assign unused = ^{in_valid, in_ready, out_valid, out_ready, parts};

    faa_surface #(.Lanes(Lanes), .SurfaceLanes(SurfaceLanes), .LineBytes(LineBytes)) u_surface (
      .clk_i, .rst_ni, .cmd_i(cmd), .config_i(configuration), .drop_i, .flush_i, .quiet_o, .stall_o, .ev_header_o,
      .warp_z_i(z_beat), .warp_handle_i(handle_beat), .warp_valid_i(beat_valid),
      .warp_ready_o(beat_ready), .warp_i(warp), .warp_part_i(part), .warp_a_i(beat[0]),
      .warp_b_i(beat[1]), .warp_c_i(beat[2]),
      .warp_valid_o(out_beat_valid), .warp_ready_i(out_beat_ready), .warp_o(out_warp), .warp_null_o,
      .warp_typ_o, .warp_part_o(out_part),
      .warp_a_o(out_beat[0]), .warp_b_o(out_beat[1]), .warp_c_o(out_beat[2]),
      .tr_valid_o, .tr_ready_i, .tr_req_o(tr_req),
      .tr_rsp_valid_i, .tr_rsp_i(tr_rsp),
      .mem_valid_o, .mem_ready_i, .mem_line_o(mem_line), .mem_rsp_valid_i, .mem_rsp_data_i, .mem_rsp_err_i
    );
  end

  logic unused_request;
  assign unused_request = ^tr_req;

endmodule
