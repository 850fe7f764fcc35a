#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks comments, docstrings, messages and pages against the rules of Documentation/writing.rst.

Prints a line for each finding, with the words to write instead. With names of areas, directories or
files as arguments, findings of these alone are printed.
"""
import argparse
import bisect
import collections
import io
import re
import sys
import tokenize

import tracked

COLUMNS = 100
TAB = 8

# (pattern, what to write instead). Patterns match in joined text: line ends count as blanks.
BANNED = [
    (r"\bunder way\b", "in flight, outstanding, running"),
    (r"\bbehind\b(?! an? (?:bridge|switch|IOMMU))(?! the (?:bridge|switch|IOMMU))", "after, following"),
    (r"\b(?:go|goes|went|gone|going) on\b", "continues, resumes, runs"),
    (r"\b(?:get|gets|got) on\b", "progresses"),
    (r"\blet(?:s|ting)? go\b", "releases, drops"),
    (r"\blook(?:s|ed)? again\b", "retries, polls"),
    (r"\bstands? (?:once|nowhere|there|here)\b", "occurs, is defined"),
    (r"\bis nice to\b", "runs at lower priority than"),
    (r"\b(?:whoever|somebody|someone)\b", "name the subject"),
    (r"(?<![\"'`_/])\bnobody\b(?![\"'`_:])", "name the subject: no thread, no other queue"),
    (r"\bthought to be\b", "assumed"),
    (r"\bin vain\b", "without effect"),
    (r"\bhas had enough\b", "name the condition"),
    # A sentence whose subject is a pronoun. A question may begin so.
    (r"(?:(?<=[.:;!] )|(?<=^))(?:What|Who)\b(?![^.?!]*\?)", "begin with the noun"),
    (r"\b(?:ARCHITECTURE|review-\w+|style-prose)\.md\b|\bissue \d+\b", "a document that readers have"),
]
BANNED = [(re.compile(pattern, re.I if pattern.startswith(r"\b") else 0), instead) for pattern, instead in BANNED]

C_LIKE = (".c", ".h", ".cpp", ".sv", ".svh", ".rdl")
HASH_LIKE = (".sh", ".toml", ".build", "Makefile", "Kbuild")
PAGES = (".rst", ".md")
KINDS = C_LIKE + HASH_LIKE + PAGES + (".py",)
# Texts of others, generated files, and the list of phrases itself.
SKIP = ("LICENSES/", "sim/qemu/patches/", "sim/uml/patches/", "tests/vectors/", "rtl/regs/", "tests/static/prose.py", "tests/static/prose_test.py",
        "Documentation/writing.rst", "tests/kselftest/kselftest_harness.h", "debian/changelog")

C_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
SHELL_COMMENT = re.compile(r"(?:^|(?<=\s))#(?!!).*", re.M)
TABLE = re.compile(r"\s*(=+)(?: +=+)+$")
LEADER = re.compile(r"^\s*(?:/\*+|\*+/?|//+<?|#+)?\s?|\s*\*/\s*$")


def merged(pieces, text):
    """Blocks of prose of (offset, text, is a comment); line comments below each other are one block."""
    last = None
    for begin, piece, comment in pieces:
        if last and comment and last[2] and piece.startswith(("//", "#")) and last[1].startswith(piece[0]) and \
           re.fullmatch(r"\n[ \t]*", text[last[0] + len(last[1]):begin]):
            last = (last[0], text[last[0]:begin + len(piece)], True)
            continue
        if last:
            yield last
        last = (begin, piece, comment)
    if last:
        yield last


def pieces_of_c(text):
    """Comments and string literals."""
    for match in C_TOKEN.finditer(text):
        yield match.start(), match[0], match[0][0] == "/"


def pieces_of_hash(text):
    """Comments of a shell script or a Makefile."""
    for match in SHELL_COMMENT.finditer(text):
        yield match.start(), match[0].rstrip("\n"), True


def pieces_of_python(text):
    """Comments and strings of a Python file."""
    starts = [0] + [match.end() for match in re.finditer("\n", text)]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            docstring = token.string.lstrip("rbfRBF").startswith('"""')
            yield starts[token.start[0] - 1] + token.start[1], token.string, token.type == tokenize.COMMENT or docstring


def blocks_of_page(text):
    """Paragraphs of a page; literals in the text are blanked."""
    for match in re.finditer(r"(?:[^\n]+\n?)+", text):
        yield match.start(), re.sub(r"``[^`]*``|`[^`\n]*`", lambda m: re.sub(".", "x", m[0]), match[0]), True


def blocks_of(name, text):
    """The prose of a file as (offset, text, whether its columns count)."""
    if name.endswith(PAGES):
        return blocks_of_page(text)
    if name.endswith(C_LIKE):
        return merged(pieces_of_c(text), text)
    return merged((pieces_of_python if name.endswith(".py") else pieces_of_hash)(text), text)


def joined(block):
    """The text of a block in one line, and the offset in the block of each piece of it."""
    pieces, offsets, at, length = [], [], 0, 0
    for line in block.split("\n"):
        lead = LEADER.match(line).end()
        piece = line[lead:].rstrip()
        if not piece:
            # The end of a paragraph is the end of a sentence.
            piece = "."
        pieces.append(piece)
        offsets.append((length, at + lead))
        length += len(piece) + 1
        at += len(line) + 1
    return " ".join(pieces).strip('"'), offsets


def wrapped_cells(lines):
    """Numbers of lines of simple tables whose first cell goes over to the next line, which reST takes
    for a row of its own."""
    width = 0
    for number, line in enumerate(lines, 1):
        border = TABLE.match(line)
        if border:
            # The last border is followed by an empty line.
            width = 0 if number == len(lines) or not lines[number].strip() else border.end(1)
        elif width:
            cell = line[:width].strip()
            # A backslash alone is an empty cell.
            if cell != "\\" and (cell.endswith((",", "\\")) or cell.count("(") > cell.count(")")):
                yield number


def findings(name, text):
    """(line, finding) of a file, in no order."""
    starts = [0] + [match.end() for match in re.finditer("\n", text)]
    lines = text.split("\n")
    for begin, block, columns in blocks_of(name, text):
        first = bisect.bisect_right(starts, begin) - 1
        whole, offsets = joined(block)
        for pattern, instead in BANNED:
            for match in pattern.finditer(whole):
                piece = max(i for i, (start, _) in enumerate(offsets) if start <= match.start())
                yield first + piece + 1, f"\"{match[0]}\": {instead}"
        if not columns:
            continue
        for number in range(first, first + block.rstrip("\n").count("\n") + 1):
            width = len(lines[number].expandtabs(TAB))
            # A link, or a word that is longer than a line, cannot be wrapped.
            if width > COLUMNS and not re.search(r"\S{60}", lines[number]) and "|" not in lines[number][:2]:
                yield number + 1, f"{width} columns, at most {COLUMNS}"
    if name.endswith(PAGES):
        for number in wrapped_cells(lines):
            yield number, "the first cell of a row cannot go over two lines"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", action="store_true", help="findings by rule")
    parser.add_argument("names", nargs="*", help="directories or files whose findings are printed (default: all)")
    args = parser.parse_args()
    rules = collections.Counter()
    files = 0
    for name in tracked.names(*args.names):
        # Other kinds of files have no prose; the list of texts that are left out says why.
        if not name.endswith(KINDS) or name.startswith(SKIP):
            continue
        files += 1
        for line, finding in sorted(set(findings(name, tracked.text_of(name)))):
            print(f"{name}:{line}: {finding}")
            rules[re.sub(r"^\".*\": |^\d+ ", "", finding)] += 1
    if args.counts:
        print("\n".join(f"{count:6} {rule}" for rule, count in rules.most_common()))
    print(f"{files} files, {rules.total()} findings")
    return bool(rules) or not files


if __name__ == "__main__":
    sys.exit(main())
