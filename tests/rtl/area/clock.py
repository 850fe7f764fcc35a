# SPDX-License-Identifier: MIT
"""A mapped module as a design that place and route takes: clock.py TOP OUT NETLIST.

Puts a frame of shift registers around the ECP5 netlist: a module has far more ports than the device
has pins. Every input of the module comes from a flip-flop and every output goes to one, which mixes
it into a second shift register.
"""

import gzip
import json
import pathlib
import sys

from pyosys import libyosys


def frame(top, ports):
    """Verilog of the frame, and of the module without content."""
    inputs = [(name, len(port["bits"])) for name, port in ports.items() if port["direction"] == "input" and name != "clk_i"]
    outputs = [(name, len(port["bits"])) for name, port in ports.items() if port["direction"] == "output"]
    pins, taken, given = [".clk_i(clk_i)"], 0, 0
    for name, width in inputs:
        pins.append(f".{name}(in_q[{taken + width - 1}:{taken}])")
        taken += width
    for name, width in outputs:
        pins.append(f".{name}(out[{given + width - 1}:{given}])")
        given += width
    declared = ["input clk_i"] + [f"input [{width - 1}:0] {name}" for name, width in inputs]
    declared += [f"output [{width - 1}:0] {name}" for name, width in outputs]
    return f"""
(* blackbox *)
module \\{top} ({", ".join(declared)});
endmodule

module frame (input clk_i, input data_i, output data_o);
  reg  [{taken - 1}:0] in_q;
  reg  [{given - 1}:0] out_q;
  wire [{given - 1}:0] out;
  always @(posedge clk_i) begin
    in_q  <= {{in_q[{taken - 2}:0], data_i}};
    out_q <= {{out_q[{given - 2}:0], in_q[{taken - 1}]}} ^ out;
  end
  assign data_o = out_q[{given - 1}];
  \\{top} unit ({", ".join(pins)});
endmodule
"""


def run(commands):
    design = libyosys.Design()
    for command in commands:
        libyosys.run_pass(command, design)


def main():
    top, out, netlist = sys.argv[1:]
    modules, text = {top: json.loads(gzip.decompress(pathlib.Path(netlist).read_bytes()))["modules"][top]}, pathlib.Path(out + ".frame.v")
    text.write_text(frame(top, modules[top]["ports"]), encoding="utf-8")
    run([f"read_verilog {text}", "synth_ecp5 -nowidelut -top frame", f"write_json {out}.frame.json"])
    with open(f"{out}.frame.json", encoding="utf-8") as file:
        modules["frame"] = json.load(file)["modules"]["frame"]
    for module in modules.values():
        if module["cells"]:
            module["attributes"] = {}
    pathlib.Path(out + ".all.json").write_text(json.dumps({"creator": "area", "modules": modules}), encoding="utf-8")
    # Place and route needs to know which ports of the cells are inputs.
    cells = "read_verilog -lib -specify +/lattice/cells_sim_ecp5.v +/lattice/cells_bb_ecp5.v"
    run([cells, "blackbox =A:whitebox", f"read_json {out}.all.json", "hierarchy -top frame", "flatten", "opt_clean", f"write_json {out}"])
    for name in (".frame.v", ".frame.json", ".all.json"):
        pathlib.Path(out + name).unlink()


if __name__ == "__main__":
    main()
