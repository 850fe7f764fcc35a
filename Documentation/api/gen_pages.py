#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a page of the reference for each public header: gen_pages.py OUTPUT SPEC.

OUTPUT receives api-NAME.rst. SPEC is the directory of the generated headers faa_encode.h and
faa_isa.h.
"""

import os
import re
import sys

from headers import read
from markup import Markup
from public import public_headers

ROLES = {"function": "func", "struct": "struct", "union": "union", "enum": "enum", "macro": "macro",
         "typedef": "type"}


def title(text, line):
    return f"{text}\n{line * len(text)}\n"


def known_names(all_entries):
    """(role, target) of each name that has a description.

    A function and a structure may have the same name: the name is then the function's.
    """
    known = {}
    for entry in all_entries:
        for name in entry.names:
            if entry.kind in ROLES and known.get(name, "?")[0] != "func":
                known[name] = (ROLES[entry.kind], name)
        if entry.kind == "enum":
            for declaration, _ in entry.members:
                name = declaration.split()[0]
                known[name] = ("enumerator", f"{entry.names[0]}.{name}")
    return known


def declarators(declaration):
    """Each declaration of "uint64_t a, b"."""
    match = re.fullmatch(r"((?:const )?(?:struct |enum |unsigned )?\w+) (.*)", declaration)
    if not match or "," not in match[2] or "(" in declaration:
        return [declaration]
    return [f"{match[1]} {part.strip()}" for part in match[2].split(",")]


class Page:
    """The page of one header."""

    def __init__(self, name, entries, known):
        self.name, self.entries, self.known = name, entries, known
        self.markup = Markup(known)
        self.out = []

    def put(self, text=""):
        self.out.append(text)

    def directive(self, kind, declaration):
        self.put(f".. c:{kind}:: {declaration}\n")

    def body(self, entry):
        """Summary, arguments, paragraphs and return value, indented."""
        self.put(self.markup.paragraph(entry.summary[:1].upper() + entry.summary[1:].rstrip(".") + ".", "   "))
        if entry.kind in ("function", "macro"):
            for names, text in entry.arguments:
                for name in names.split(", "):
                    self.put(f"   :param {name}: {self.markup.text(text)}")
            if entry.arguments:
                self.put()
        for paragraph in entry.paragraphs:
            self.put(self.markup.paragraph(paragraph, "   "))
        if entry.returns:
            self.put(f"   :returns: {self.markup.text(entry.returns)}")
            self.put()

    def members(self, entry):
        for declaration, text in entry.members:
            if "{" in declaration:
                # A union or a structure without a name, and its members.
                self.put("   ::\n")
                self.put(f"      {declaration};\n")
            for one in declarators(declaration) if "{" not in declaration else []:
                self.put(f"   .. c:{'enumerator' if entry.kind == 'enum' else 'member'}:: {one}")
                self.put()
                if text:
                    self.put(self.markup.paragraph(text, "      "))

    def entry(self, entry):
        if entry.kind == "doc":
            for paragraph in entry.paragraphs:
                self.put(self.markup.paragraph(paragraph))
        elif entry.kind == "section":
            self.put(title(self.markup.text(entry.summary.rstrip(".")), "-"))
            for paragraph in entry.paragraphs:
                self.put(self.markup.paragraph(paragraph))
        else:
            self.described(entry)

    def described(self, entry):
        """A name with its description."""
        kind = "type" if entry.kind == "typedef" else entry.kind
        # Sphinx has one name space for tags and functions.
        twin = kind in ("struct", "union", "enum") and self.known[entry.names[0]][0] == "func"
        if twin:
            self.put(".. c:namespace-push:: tag\n")
        for declaration in entry.declarations:
            self.directive(kind, re.sub(r"^(?:struct|enum|union|typedef) ", "", declaration)
                           if kind not in ("function", "macro") else declaration)
        self.body(entry)
        self.members(entry)
        if twin:
            self.put(".. c:namespace-pop::\n")

    def text(self):
        docs = [entry for entry in self.entries if entry.kind == "doc"]
        what = docs[0].summary if docs else "generated encoders and constants"
        self.put(".. SPDX-License-Identifier: MIT\n")
        heading = f"{self.name}: {what}"
        self.put(f"{'=' * len(heading)}\n{heading}\n{'=' * len(heading)}\n")
        for entry in self.entries:
            if entry.kind == "doc" and entry is not docs[0]:
                self.put(title(entry.summary, "-"))
            self.entry(entry)
        return "\n".join(self.out) + "\n"


def main():
    output, spec = sys.argv[1:]
    headers = {name: read(path) for name, path in public_headers(spec).items()}
    known = known_names([entry for entries in headers.values() for entry in entries])
    for name, entries in headers.items():
        page = f"api-{os.path.basename(name)[:-2]}.rst"
        with open(os.path.join(output, page), "w", encoding="utf-8") as file:
            file.write(Page(name, entries, known).text())


if __name__ == "__main__":
    main()
