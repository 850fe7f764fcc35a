# SPDX-License-Identifier: MIT
"""Tables of reStructuredText from rows of cells."""


def list_table(rows):
    """Print rows of cells as a table, the first row its head."""
    print(".. list-table::\n   :header-rows: 1\n   :widths: auto\n")
    for row in rows:
        print("\n".join(("   * - " if index == 0 else "     - ") + str(cell) for index, cell in enumerate(row)).replace("- \n", "-\n"))
