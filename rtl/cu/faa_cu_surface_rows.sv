// SPDX-License-Identifier: Apache-2.0
//
// The rows of registers of a SUATOM, which all its warps share: third coordinates and handles. They
// arrive in beats of Lanes lanes and are read in beats.
//
// A beat that is read is at the outputs in the next cycle and stays until the next read. With 32
// lanes there is one beat, which is always at the outputs.

module faa_cu_surface_rows #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned Groups = 32 / Lanes,
  localparam int unsigned GroupW = Groups > 1 ? $clog2(Groups) : 1
) (
  input  logic                clk_i,

  input  logic [1:0]          write_i,       // {handles, third coordinates}
  input  logic [GroupW-1:0]   write_beat_i,
  input  logic [Lanes*32-1:0] data_i,

  input  logic                read_i,
  input  logic [GroupW-1:0]   read_beat_i,
  output logic [Lanes*32-1:0] z_o,
  output logic [Lanes*32-1:0] handle_o
);

  if (Groups == 1) begin : gen_whole
    logic [Lanes*32-1:0] z_q, handle_q;
    always_ff @(posedge clk_i) begin
      if (write_i[0]) z_q <= data_i;
      if (write_i[1]) handle_q <= data_i;
    end
    assign z_o      = z_q;
    assign handle_o = handle_q;

    logic unused;
    assign unused = ^{write_beat_i, read_i, read_beat_i};
  end else begin : gen_beats
    for (genvar n = 0; n < 2; n++) begin : g_row
      logic [Lanes*32-1:0] data;
      faa_ram_1r1w #(
        .Width(Lanes * 32),
        .Depth(Groups)
      ) u_ram (
        .clk_i,
        .we_i   (write_i[n]),
        .waddr_i(write_beat_i),
        .wdata_i(data_i),
        .re_i   (read_i),
        .raddr_i(read_beat_i),
        .rdata_o(data)
      );
    end
    assign z_o      = g_row[0].data;
    assign handle_o = g_row[1].data;
  end

endmodule
