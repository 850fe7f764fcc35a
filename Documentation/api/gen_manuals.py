#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a manual page of section 3 for each function of the public headers.

gen_manuals.py SPEC VERSION OUTPUT: SPEC is the directory of the generated headers faa_encode.h and
faa_isa.h. Functions that share a comment share a page; the others of its names refer to it.
"""

import os
import re
import sys

from docutils.core import publish_string

from headers import read
from markup import Markup
from public import public_headers

# The header that a program includes for one that it does not include by itself.
INCLUDED_BY = {"faa_encode.h": "faa.h", "faa_surface.h": "faa.h", "faa_isa.h": "faa.h", "faa_atomic_host.h": "faa_atomic.h"}
# The library of a header, if it is not libdrm_faa.
LIBRARY = {"faa_asm.h": "libfaa_asm", "faa_mpi.h": "libfaa_mpi", "faa_spirv.h": "libfaa_spirv",
           "vpci.h": "libvpci"}
LINE = 72


def heading(text):
    return f"{text}\n{'=' * len(text)}\n"


def titled(text, line):
    """The title of a page, or the line below it."""
    return f"{line * len(text)}\n{text}\n{line * len(text)}\n"


def wrapped(declaration):
    """A declaration with its arguments on lines of their own where it is long."""
    if len(declaration) <= LINE or "(" not in declaration:
        return [declaration]
    head, arguments = declaration.split("(", 1)
    return [head + "("] + [f"    {part.strip()}" + ("," if number < arguments.count(",") else "")
                           for number, part in enumerate(re.split(r",\s*", arguments))]


def page(entry, header, version, related):
    """A manual page as reStructuredText."""
    markup = Markup({}, roles=False)
    name = entry.names[0]
    library = LIBRARY.get(header, "libdrm_faa")
    out = [titled(name, "="), titled(markup.text(entry.summary.rstrip(".")), "-")]
    out.append(f":Manual section: 3\n:Manual group: {library}\n:Version: faa {version}\n")
    out.append(heading("SYNOPSIS"))
    out.append("::\n")
    out.append(f"    #include <{header}>\n")
    for declaration in entry.declarations:
        semicolon = "" if entry.kind == "macro" else ";"
        out += [f"    {line}" for line in wrapped(declaration + semicolon)]
    out.append("")
    out.append(f"Link with **pkg-config --libs {library}**.\n")
    if entry.arguments:
        out.append(heading("ARGUMENTS"))
        for names, text in entry.arguments:
            out.append(f"*{names}*\n    {markup.text(text)}\n")
    if entry.paragraphs:
        out.append(heading("DESCRIPTION"))
        out += [markup.paragraph(paragraph) for paragraph in entry.paragraphs]
    if entry.returns:
        out.append(heading("RETURN VALUE"))
        out.append(markup.text(entry.returns[:1].upper() + entry.returns[1:]) + "\n")
    # Names are too long to fill lines up to the margin.
    out.append(heading("SEE ALSO"))
    out.append(".. raw:: manpage\n\n    .ad l\n")
    out.append(", ".join(f"**{other}**\\(3)" for other in related) + "\n")
    return "\n".join(out)


def related_to(entries, index):
    """Functions before and after one in its header, and faa_last_error() in those of faa."""
    functions = [entry.names[0] for entry in entries if is_function(entry)]
    at = functions.index(entries[index].names[0])
    near = [name for name in functions[max(0, at - 2):at + 3] if name != functions[at]]
    if functions[at].startswith("vpci_"):
        return near
    return [name for name in near if name != "faa_last_error"] + \
        (["faa_last_error"] if functions[at] != "faa_last_error" else [])


def is_function(entry):
    """Functions, and macros with arguments that look like one."""
    return entry.kind == "function" or entry.kind == "macro" and any("(" in text for text in entry.declarations)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    spec, version, output = sys.argv[1:]
    os.makedirs(output, exist_ok=True)
    for stale in os.listdir(output):
        os.remove(os.path.join(output, stale))
    count = 0
    for header, path in public_headers(spec).items():
        entries = read(path)
        for index, entry in enumerate(entries):
            if not is_function(entry):
                continue
            source = page(entry, INCLUDED_BY.get(header, header), version, related_to(entries, index))
            text = publish_string(source, source_path=entry.names[0], writer_name="manpage",
                                  settings_overrides={"halt_level": 2, "input_encoding": "unicode",
                                                      "output_encoding": "unicode"})
            write(os.path.join(output, f"{entry.names[0]}.3"), text)
            for name in entry.names[1:]:
                write(os.path.join(output, f"{name}.3"), f".so man3/{entry.names[0]}.3\n")
            count += len(entry.names)
    print(f"{count} manual pages in {output}")


if __name__ == "__main__":
    main()
