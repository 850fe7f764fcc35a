# SPDX-License-Identifier: MIT
"""Synthesises one unit: synth.py RTLIL TOP TARGET OUT. Writes the mapped netlist as compressed
JSON.

TARGET is the technology of a unit of the table, or ecp5-whole: a module with all below it, to be
placed and routed.

Runs as a process of its own, because Yosys does not free memory.
"""

import gzip
import json
import os
import sys

from pyosys import libyosys

# For a unit in the table, ABC's default script takes twice as long for 5 % fewer levels, and more
# look-up tables. For the small device mapped as one, the default script and the multiplexers after
# look-up tables halve the levels (22 to 11) in the same area.
QUICK = "scratchpad -set abc9.script +&sweep;&dc2;&if,{W},{D},{R},-v"
COMMANDS = {
    "ecp5": "synth_ecp5 -nowidelut -top {top}",
    "ecp5-whole": "synth_ecp5 -top {top}",
    "xilinx": "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top {top}",
}


def main():
    source, top, target, out = sys.argv[1:]
    design = libyosys.Design()
    for command in [*([] if target == "ecp5-whole" else [QUICK]), "scratchpad -set abc9.verify false", f"read_rtlil {source}",
                    COMMANDS[target].format(top=top), "delete t:$scopeinfo", "setattr -unset src -unset hdlname",
                    f"write_json {out}.tmp"]:
        libyosys.run_pass(command, design)
    with open(out + ".tmp", encoding="utf-8") as file:
        netlist = json.load(file)["modules"]
    # Other modules are cells of the technology.
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
