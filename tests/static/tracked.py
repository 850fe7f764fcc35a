# SPDX-License-Identifier: MIT
"""The files that git knows."""
import os
import subprocess

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def names(*places):
    """Names of the tracked files that exist, below @places (default: all)."""
    out = subprocess.run(["git", "-C", TOP, "ls-files", "-z", "--", *places], check=True, capture_output=True).stdout
    return [name for name in out.decode().split("\0") if name and os.path.isfile(os.path.join(TOP, name))]


def text_of(name):
    """The text of a tracked file."""
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return file.read()
