# SPDX-License-Identifier: MIT
"""Cuts a unit with many equal parts into these parts: slices.py RTLIL TOP OUT.

faa_shared_queues and faa_shared_answers consist of 32 banks, a generate loop over g_bank.
Synthesised whole, each of them takes many minutes; one bank takes seconds. A cell belongs to bank k
if it drives a signal that is declared in g_bank[k], or if all cells that read it belong to bank k.
"""

import json
import pathlib
import sys

from elaborate import BANK
from pyosys import libyosys


def labels(module):
    """Bank of each cell that belongs to one."""
    owner = {}    # net: bank in which a signal of it is declared, None if there are several
    for name, what in module["netnames"].items():
        match = BANK.match(name)
        for net in what["bits"] if match else ():
            owner[net] = match[1] if owner.get(net, match[1]) == match[1] else None
    readers, drives, found = {}, {}, {}
    for name, cell in module["cells"].items():
        outputs = [net for port, nets in cell["connections"].items() if cell["port_directions"][port] == "output" for net in nets]
        drives[name] = [net for net in outputs if isinstance(net, int)]
        for port, nets in cell["connections"].items():
            if cell["port_directions"][port] == "input":
                for net in nets:
                    readers.setdefault(net, set()).add(name)
        match = BANK.match(name)
        banks = {match[1]} if match else {owner[net] for net in drives[name] if net in owner}
        if len(banks) == 1 and None not in banks:
            found[name] = banks.pop()
    ports = {net for what in module["ports"].values() if what["direction"] == "output" for net in what["bits"]}
    todo = [name for name in drives if name not in found]
    while todo:
        more = {}
        for name in todo:
            banks = {found.get(reader) for net in drives[name] for reader in readers.get(net, {None})}
            if len(banks) == 1 and None not in banks and not ports.intersection(drives[name]):
                more[name] = banks.pop()
        found.update(more)
        todo = [name for name in todo if name not in found] if more else []
    return found


def main():
    source, top, out = sys.argv[1:]
    design = libyosys.Design()
    for command in [f"read_rtlil {source}", f"hierarchy -top {top}", "proc", "opt_expr", "opt_clean", "memory_collect", "opt_clean",
                    f"write_json {out}.json"]:
        libyosys.run_pass(command, design)
    path = pathlib.Path(out + ".json")
    found = labels(json.loads(path.read_text(encoding="utf-8"))["modules"][top])
    path.unlink()
    module = design.top_module()
    for name, cell in module.cells_.items():
        bank = found.get(name.str().lstrip("\\"))
        if bank is not None:
            cell.set_string_attribute(libyosys.IdString("\\submod"), f"bank{bank}")
    for command in ["submod", "opt_clean", "setattr -unset src -unset hdlname", "setattr -mod -unset src -unset hdlname",
                    f"write_rtlil {out}"]:
        libyosys.run_pass(command, design)


if __name__ == "__main__":
    main()
