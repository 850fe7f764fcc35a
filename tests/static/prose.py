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
import os
import re
import subprocess
import sys
import tokenize

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
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
# Texts of others, generated files, and the list of phrases itself.
SKIP = ("LICENSES/", "sim/uml/patches/", "tests/vectors/", "rtl/regs/", "tests/static/prose.py", "tests/static/prose_test.py",
        "Documentation/writing.rst", "tests/kselftest/kselftest_harness.h", "debian/changelog")

C_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
SHELL_COMMENT = re.compile(r"(?:^|(?<=\s))#(?!!).*")
LEADER = re.compile(r"^\s*(?:/\*+|\*+/?|//+<?|#+)?\s?|\s*\*/\s*$")


def blocks_of_c(text):
    """(offset, text, is a comment) of comments and string literals; adjacent // lines are one block."""
    last = None
    for match in C_TOKEN.finditer(text):
        comment = match[0][0] == "/"
        if last and comment and match[0].startswith("//") and last[1].startswith("//") and \
           re.fullmatch(r"\n[ \t]*", text[last[0] + len(last[1]):match.start()]):
            last = (last[0], text[last[0]:match.end()], True)
            continue
        if last:
            yield last
        last = (match.start(), match[0], comment)
    if last:
        yield last


def blocks_of_hash(text):
    """Comments of a shell script or a Makefile; adjacent ones are one block."""
    last = None
    for match in re.finditer(r"[^\n]*\n?", text):
        comment = SHELL_COMMENT.search(match[0].rstrip("\n"))
        if not comment:
            continue
        begin = match.start() + comment.start()
        if last and text[last[0] + len(last[1]):begin].strip(" \t") == "\n" and not match[0][:comment.start()].strip():
            last = (last[0], text[last[0]:match.start() + comment.end()], True)
            continue
        if last:
            yield last
        last = (begin, text[begin:match.start() + comment.end()], True)
    if last:
        yield last


def blocks_of_python(text):
    """Comments and strings of a Python file; adjacent comments are one block."""
    starts = [0]
    for line in text.splitlines(True):
        starts.append(starts[-1] + len(line))
    last = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (tokenize.COMMENT, tokenize.STRING):
            continue
        begin = starts[token.start[0] - 1] + token.start[1]
        comment = token.type == tokenize.COMMENT or token.string.lstrip("rbfRBF").startswith('"""')
        if last and token.type == tokenize.COMMENT and last[1].startswith("#") and \
           text[last[0] + len(last[1]):begin].strip(" \t") == "\n":
            last = (last[0], text[last[0]:begin + len(token.string)], True)
            continue
        if last:
            yield last
        last = (begin, token.string, comment)
    if last:
        yield last


def blocks_of_page(text):
    """Paragraphs of a page; literals in the text are blanked."""
    for match in re.finditer(r"(?:[^\n]+\n?)+", text):
        yield match.start(), re.sub(r"``[^`]*``|`[^`\n]*`", lambda m: "x" * len(m[0]), match[0]), True


def blocks_of(name, text):
    """The prose of a file as (offset, text, whether its columns count)."""
    if name.endswith(C_LIKE):
        return blocks_of_c(text)
    if name.endswith(".py"):
        return blocks_of_python(text)
    if name.endswith(PAGES):
        return blocks_of_page(text)
    return blocks_of_hash(text)


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


def tracked():
    """Names of the files that have prose."""
    out = subprocess.run(["git", "-C", TOP, "ls-files", "-z"], check=True, capture_output=True).stdout
    for name in out.decode().split("\0"):
        if name and name.endswith(C_LIKE + HASH_LIKE + PAGES + (".py",)) and not name.startswith(SKIP) and \
           os.path.isfile(os.path.join(TOP, name)):
            yield name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", action="store_true", help="findings by rule")
    parser.add_argument("names", nargs="*", help="directories or files whose findings are printed (default: all)")
    args = parser.parse_args()
    names = [name.rstrip("/") for name in args.names]
    rules = collections.Counter()
    files = 0
    for name in tracked():
        if names and not any(name == n or name.startswith(n + "/") for n in names):
            continue
        files += 1
        with open(os.path.join(TOP, name), encoding="utf-8") as file:
            for line, finding in sorted(set(findings(name, file.read()))):
                print(f"{name}:{line}: {finding}")
                rules[re.sub(r"^\".*\": |^\d+ ", "", finding)] += 1
    if args.counts:
        print("\n".join(f"{count:6} {rule}" for rule, count in rules.most_common()))
    print(f"{files} files, {rules.total()} findings")
    return bool(rules) or not files


if __name__ == "__main__":
    sys.exit(main())
