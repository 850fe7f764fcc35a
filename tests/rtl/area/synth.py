# SPDX-License-Identifier: MIT
"""Synthesises one unit: synth.py RTLIL TOP TECHNOLOGY OUT. Writes the mapped netlist as compressed JSON.

A process of its own, because Yosys keeps what it has allocated.
"""

import gzip
import json
import os
import sys

from pyosys import libyosys

# ABC's default script takes twice as long for 5 % fewer levels, and more look-up tables.
ABC = "+&sweep;&dc2;&if,{W},{D},{R},-v"
COMMANDS = {
    "ecp5": "synth_ecp5 -nowidelut -top {top}",
    "xilinx": "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top {top}",
}


def main():
    source, top, technology, out = sys.argv[1:]
    design = libyosys.Design()
    for command in [f"scratchpad -set abc9.script {ABC}", "scratchpad -set abc9.verify false", f"read_rtlil {source}",
                    COMMANDS[technology].format(top=top), "delete t:$scopeinfo", "setattr -unset src -unset hdlname",
                    f"write_json {out}.tmp"]:
        libyosys.run_pass(command, design)
    with open(out + ".tmp", encoding="utf-8") as file:
        netlist = json.load(file)["modules"]
    # Other modules are the technology's cells.
    kept = {name: module for name, module in netlist.items() if name == top or "." in name}
    for module in kept.values():
        for cell in module["cells"].values():
            cell["attributes"] = {}
    with gzip.open(out + ".new", "wt", compresslevel=4, encoding="utf-8") as file:
        json.dump({"creator": "area", "modules": kept}, file)
    os.unlink(out + ".tmp")
    os.rename(out + ".new", out)


if __name__ == "__main__":
    main()
