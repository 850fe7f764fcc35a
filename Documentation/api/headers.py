# SPDX-License-Identifier: MIT
"""Reads the documentation comments of the public headers.

The comments have the form of the kernel's kernel-doc: a first line "name() - summary", "struct
name - summary", "enum name - summary" or "NAME - summary", then "@argument: text", paragraphs and
"Return:". A comment belongs to the declaration or the member after it.
"""

import re
from dataclasses import dataclass, field

COMMENT = re.compile(r"^/\*\*[ \n](.*?)\*/[ \t]*\n", re.S | re.M)
HEADING = re.compile(r"^/\* -{20,}\n \* (.*?)\n(?: \*\n((?: \*(?!/)[^\n]*\n)*?))? \*/", re.M)
FIRST = re.compile(r"(?:(struct|enum|union) )?(\w+(?:\(\))?(?:, \w+(?:\(\))?)*) - (.*)", re.S)
DEFINITION = re.compile(r"#define (\w+)(\([^)]*\))?")
MEMBER_COMMENT = re.compile(r"/\*\*?(.*?)\*/", re.S)


class HeaderError(Exception):
    """A comment cannot be understood; the text names the file, the line and the reason."""


@dataclass
class Entry:
    """A documented name, or several that share a comment."""

    kind: str  # doc, section, function, struct, union, enum, macro, typedef
    names: list
    summary: str = ""
    # (names as one string, text) in the order of the comment
    arguments: list = field(default_factory=list)
    paragraphs: list = field(default_factory=list)
    returns: str = ""
    # C text of each name, without its body
    declarations: list = field(default_factory=list)
    # of structs and enums: (declaration, text)
    members: list = field(default_factory=list)
    line: int = 0


def stripped(comment):
    """Lines of a comment without its frame and without empty lines around them."""
    return "\n".join(re.sub(r"^\s*\*? ?", "", line).rstrip() for line in comment.split("\n")).strip("\n").split("\n")


def paragraphs_of(lines):
    """Runs of lines that are not empty; one of indented lines or of a list keeps its line ends."""
    found, now = [], []
    for line in [*lines, ""]:
        if line:
            now.append(line)
        elif now:
            found.append("\n".join(now))
            now = []
    return found


def read_text(entry, lines):
    """Arguments, paragraphs and the return value of the lines after the first one."""
    rest, argument = [], None
    for line in lines:
        match = re.match(r"@([\w.]+(?:, @[\w.]+)*|\.\.\.): ?(.*)", line)
        if match:
            argument = [match[1].replace("@", ""), match[2]]
            entry.arguments.append(argument)
        elif argument and line:
            argument[1] += " " + line.strip()
        else:
            argument = None
            rest.append(line)
    for paragraph in paragraphs_of(rest):
        match = re.match(r"Returns?: ?(.*)", paragraph, re.S)
        if match:
            entry.returns = " ".join(match[1].split())
        else:
            entry.paragraphs.append(paragraph)


def read_comment(lines, where):
    """Entry of a comment, without what is declared after it."""
    if lines[0].startswith("DOC: "):
        entry = Entry("doc", [], lines[0][5:].strip())
        read_text(entry, lines[1:])
        return entry
    end = next((i for i, line in enumerate(lines) if i and (not line or line.startswith("@"))), len(lines))
    match = FIRST.fullmatch(" ".join(line.strip() for line in lines[:end]).strip())
    if not match:
        raise HeaderError(f"{where}: no 'name - summary': {lines[0]}")
    names = match[2].replace("()", "").split(", ")
    entry = Entry(match[1] or ("function" if "()" in match[2] else "macro"), names, match[3].strip())
    read_text(entry, lines[end:])
    return entry


def matching(text, at):
    """Position after the brace that closes the one at @at."""
    depth = 0
    for match in re.finditer(r"[{}]", text[at:]):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return at + match.end()
    raise HeaderError("a brace is not closed")


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip().replace("( ", "(")


def read_members(entry, body):
    """Members of a struct, or enumerators of an enum, with the text of the comment before each."""
    documented = {}
    for names, text in entry.arguments:
        for name in names.split(", "):
            documented[name] = text
    separator = "," if entry.kind == "enum" else ";"
    text, at, depth = "", 0, 0
    while at < len(body):
        comment = MEMBER_COMMENT.match(body, at)
        if comment:
            words = " ".join(stripped(comment[1])).strip()
            # A comment of a member, or a plain one about those that follow.
            match = re.match(r"@([\w.]+(?:, @[\w.]+)*): ?(.*)", words)
            if match:
                for name in match[1].replace("@", "").split(", "):
                    documented[name] = match[2]
            at = comment.end()
            continue
        depth += {"{": 1, "}": -1}.get(body[at], 0)
        if body[at] == separator and not depth:
            entry.members.append([squeezed(text), ""])
            text = ""
        else:
            text += body[at]
        at += 1
    if squeezed(text):
        entry.members.append([squeezed(text), ""])
    for member in entry.members:
        names = re.findall(r"\w+", re.sub(r"\[[^]]*\]|=.*", "", member[0]))
        own = [part.split()[-1].strip("*") for part in re.sub(r"\[[^]]*\]|=.*", "", member[0]).split(",") if part.split()]
        found = [documented[name] for name in own if name in documented]
        member[1] = found[0] if found else documented.get(names[-1], "") if names else ""


def read_declaration(entry, text, at, where):
    """Reads the declaration after the comment that ends at @at."""
    if entry.kind == "doc":
        return
    rest = text[at:]
    if entry.kind in ("struct", "enum", "union"):
        match = re.match(rf"(?:typedef )?{entry.kind} {entry.names[0]}\b[^{{;]*([{{;])", rest)
        if match and match[1] == ";":
            entry.declarations.append(f"{entry.kind} {entry.names[0]}")
            return
        if not match:
            raise HeaderError(f"{where}: {entry.kind} {entry.names[0]} does not follow its comment")
        end = matching(rest, match.end() - 1)
        entry.declarations.append(f"{entry.kind} {entry.names[0]}")
        read_members(entry, rest[match.end():end - 1])
        return
    called = entry.kind == "function"
    for name in entry.names:
        if re.match(r"\s*#\s*(define|if)", rest):
            definition = next((m for m in DEFINITION.finditer(rest) if m[1] == name), None)
            if not definition:
                raise HeaderError(f"{where}: {name} is not defined after its comment")
            entry.kind = "macro"
            entry.declarations.append(name + (definition[2] or ""))
            continue
        match = called and re.search(rf"^((?:static inline |extern )?[^;{{}}#]*?\b{name}\s*\([^;{{]*\))(?:\s*__attribute__[^;{{]*)?\s*[;{{]", rest, re.M)
        typedef = re.match(rf"typedef [^;]*\b{name}\b[^;]*", rest)
        if typedef:
            entry.kind = "typedef"
            entry.declarations.append(squeezed(typedef[0]))
        elif match:
            entry.kind = "function"
            entry.declarations.append(squeezed(re.sub(r"/\*.*?\*/|\bstatic inline\b|\b__attribute__\b.*", "", match[1], flags=re.S)))
        else:
            raise HeaderError(f"{where}: {name}{'()' if called else ''} is not declared after its comment")


def read(path):
    """Entries of a header in their order; those of kind section have the headings between them."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    entries = []
    for match in HEADING.finditer(text):
        entry = Entry("section", [], match[1].strip(), line=text.count("\n", 0, match.start()) + 1)
        entry.paragraphs = paragraphs_of(stripped(match[2] or ""))
        entries.append(entry)
    for match in COMMENT.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        where = f"{path}:{line}"
        entry = read_comment(stripped(match[1]), where)
        entry.line = line
        read_declaration(entry, text, match.end(), where)
        entries.append(entry)
    return sorted(entries, key=lambda entry: entry.line)
