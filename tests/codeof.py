# SPDX-License-Identifier: MIT
"""The code of a file without its prose, for digests of what a recorded result depends on."""
import ast
import re

C_LIKE = (".c", ".h", ".cpp", ".sv", ".svh")
C_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.S)


def code_of(text, suffix):
    """@text without comments, docstrings and layout; of other languages without layout."""
    if suffix == ".py":
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
                node.body[0].value.value = ""
        return ast.dump(tree)
    if suffix in C_LIKE:
        text = C_COMMENT.sub(lambda match: match[1] or " ", text)
        # Pieces of one string, broken where the line was full.
        text = re.sub(r'"\s*"', "", text)
    return " ".join(text.split())
