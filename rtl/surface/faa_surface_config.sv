// SPDX-License-Identifier: Apache-2.0
//
// The surface configuration of the queue: set by CONFIG, and part of its context. Empty after a
// clear.
//
// Hazards: none; CONFIG and the context engine write while no surface operation is in the front.

module faa_surface_config (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         set_i,           // CONFIG, whose words have been checked
  input  logic [7:0]   op_i,            // enum config
  input  logic [63:0]  address_i,
  input  logic [63:0]  value_i,

  input  logic [1:0]   load_i,          // clear or restore: 16 bytes of the image each
  input  logic [faa_surface_pkg::IMAGE_BITS-1:0] image_i,
  output logic [faa_surface_pkg::IMAGE_BITS-1:0] image_o,   // as in the save area
  output faa_surface_pkg::config_t config_o
);

  faa_surface_pkg::config_t config_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      config_q <= '0;
    end else if (load_i != '0) begin
      if (load_i[0]) begin
        config_q.pool    <= image_i[47:5];
        config_q.count   <= image_i[84:64];
        config_q.words   <= image_i[111:98];
      end
      if (load_i[1]) begin
        config_q.bank    <= image_i[175:130];
        config_q.helpers <= image_i[223:192];
      end
    end else if (set_i) begin
      case (op_i)
        faa_pkg::CONFIG_HEADER_POOL: begin
          config_q.pool  <= address_i[47:5];
          config_q.count <= {1'b0, value_i[19:0]} + 21'd1;
        end
        faa_pkg::CONFIG_CONSTANT_BANK: begin
          config_q.bank  <= address_i[47:2];
          config_q.words <= value_i[15:2];
        end
        default: config_q.helpers <= value_i[31:0];
      endcase
    end
  end

  assign config_o = config_q;
  assign image_o  = {config_q.helpers, 16'b0, config_q.bank, 2'b0, 16'b0, config_q.words, 2'b0, 11'b0, config_q.count,
                     16'b0, config_q.pool, 5'b0};

  logic unused;
  assign unused = ^{image_i, address_i, value_i};

endmodule
