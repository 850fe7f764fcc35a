#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The key of a verilated model (sim/vdev/verilate.py) has no comments, but all else."""
import importlib.util
import pathlib
import unittest

PATH = pathlib.Path(__file__).resolve().parents[3] / "sim/vdev/verilate.py"
SPEC = importlib.util.spec_from_file_location("verilate", PATH)
verilate = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(verilate)


class Comments(unittest.TestCase):
    def same(self, one, other):
        self.assertEqual(verilate.without_comments(one), verilate.without_comments(other))

    def test_other_words(self):
        self.same("assign a = b;// one\n", "assign a = b;// two\n")
        self.same("a /* one\n two */ b", "a /* three\n */ b")

    def test_lines_stay(self):
        # Messages of assertions have the number of their line.
        self.assertEqual(verilate.without_comments("// a\n/* b\n\n*/ c\n"), "\n\n\n c\n")

    def test_strings_are_code(self):
        for text in ('$error("a // b");', '$error("a /* b"); x = "*/";', r'$error("\" // b");'):
            self.assertEqual(verilate.without_comments(text), text)

    def test_words_to_verilator_are_code(self):
        for text in ("/* verilator lint_off UNUSED */", "// verilator public"):
            self.assertEqual(verilate.without_comments(text), text)

    def test_code_differs(self):
        self.assertNotEqual(verilate.without_comments("a / b / c"), verilate.without_comments("a / b"))


if __name__ == "__main__":
    unittest.main()
