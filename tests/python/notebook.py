#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""notebook.py SCRIPT OUTPUT: make a notebook of a script with cells (# %%), execute it, keep it.
Fails if a cell fails.
"""

import pathlib
import sys

import jupytext
import nbclient
import nbformat


def main():
    """Convert, execute and write; print the numbers of cells, outputs and pictures."""
    script, output = (pathlib.Path(argument) for argument in sys.argv[1:])
    notebook = jupytext.read(script, fmt="py:percent")
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": script.parent}}
    ).execute()
    nbformat.write(notebook, output)
    outputs = [out for cell in notebook.cells if cell.cell_type == "code" for out in cell.outputs]
    pictures = sum("image/png" in out.get("data", {}) for out in outputs)
    print(
        f"{script.name}: {len(notebook.cells)} cells, {len(outputs)} outputs, {pictures} pictures"
    )


if __name__ == "__main__":
    main()
