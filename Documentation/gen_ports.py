#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print ports of a module of the RTL, or members of a struct, as reStructuredText tables.

gen_ports.py FILE SECTION|struct:NAME. A struct is a type of a package, or a macro of rtl/bundle
(struct:FAA_LINE_REQ).

The port list of the first module in FILE has sections: a blank line, a comment of one line that is
the section's name, and ports. A comment in a section, of one or more lines, describes the ports
after it, up to the next comment; each of these groups is a row.

Each member of a struct is followed by a comment, or needs none. Members with the same comment as
the one before ("the same") are one row.
"""
import re
import sys

PORT = re.compile(r"\s*(input|output)\s+(?:logic|([a-z_]+(?:::[a-z_]+)?))\s*(\[[^\]]*\])?\s+(\w+),?$")


def sections(text):
    """{name: [(comment, [(direction, width, port)])]} of the port list."""
    ports = re.search(r"^\) \(\n(.*?)^\);", text, re.M | re.S)[1]
    found, rows, fresh = {}, None, False   # rows is None before the first section: clock and reset
    for number, line in enumerate(ports.splitlines()):
        comment = re.match(r"\s*// ?(.*)", line)
        port = PORT.match(line)
        if not line.strip():
            fresh = True
        elif comment and fresh:
            rows = found.setdefault(comment[1], [])
            fresh = False
        elif comment and rows is not None:
            if not rows or rows[-1][1]:
                rows.append(([], []))
            rows[-1][0].append(comment[1])
        elif port and rows:
            rows[-1][1].append((port[1], " ".join(filter(None, port.group(2, 3))), port[4]))
        elif not port or rows is not None:
            sys.exit(f"line {number + 1} of the port list is neither a comment nor a port with one before it: {line.strip()}")
    return {name: [(" ".join(words), ports) for words, ports in rows] for name, rows in found.items()}


def members(path, text, name):
    """[(comment, [("", width, member)])] of a struct."""
    body = re.search(r"typedef struct packed \{\n([^}]*)\} " + name + ";", text) or \
        re.search(r"`define " + name + r"\([^)]*\) \\\n  struct packed \{ \\\n([^}]*)\}", text)
    if not body:
        sys.exit(f"{path} has no struct {name}")
    rows = []
    for line in body[1].rstrip().splitlines():
        line = re.sub(r"/\* (.*) \*/ *\\$", r"// \1", line)
        found = re.match(r"\s*(?:logic|\w+)\s*(\[.*\])?\s*(\w+);\s*(?:// (.*))?$", line)
        if not found:
            sys.exit(f"{path}, struct {name}: this is no member: {line.strip()}")
        width, member, comment = found.groups()
        if comment == "the same" and rows:
            rows[-1][1].append(("", width, member))
        else:
            rows.append((comment or "", [("", width, member)]))
    return rows


def main():
    path, section = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if section.startswith("struct:"):
        rows = members(path, text, section.removeprefix("struct:"))
    else:
        found = sections(text)
        if section not in found:
            sys.exit(f"{path} has no section '{section}' of ports, but: {', '.join(found)}")
        rows = found[section]
    print(".. SPDX-License-Identifier: MIT\n\n.. list-table::\n   :widths: 36 64\n")
    for text, ports in rows:
        names = [" ".join(filter(None, ["|", way, f"``{' '.join(filter(None, [width, name]))}``"])) for way, width, name in ports]
        print("   * - " + "\n       ".join(names))
        print("     - " + text.replace("*", "\\*"))


if __name__ == "__main__":
    main()
