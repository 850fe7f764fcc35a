#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lays every page of the documentation out in headless Chromium.

At 1300 and 400 pixels no page is wider than its window, every picture is there, and nothing of the
text is cut except in a box that scrolls. --picture writes a page as a PNG file, to be looked at.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

WIDTHS = (1300, 400)
# Of the virtual clock, which stands still while files are read.
BUDGET_MS = 600000
LIMIT_SECONDS = 240


def chromium(*arguments):
    """Output of a run of Chromium, which has a home directory of its own."""
    with tempfile.TemporaryDirectory(prefix="faa-chromium-") as home:
        run = subprocess.run(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", f"--user-data-dir={home}", "--allow-file-access-from-files", *arguments],
            capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    if run.returncode:
        sys.exit(f"chromium: {run.stderr[-2000:]}")
    return run.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("html", type=pathlib.Path, help="directory of the pages")
    parser.add_argument("--picture", nargs=2, metavar=("PAGE", "FILE"), help="a page, and where its picture goes")
    args = parser.parse_args()
    html = args.html.resolve()
    if args.picture:
        page, file = args.picture
        chromium("--window-size=1300,1600", f"--screenshot={pathlib.Path(file).resolve()}", f"file://{html}/{page}.html")
        return 0
    pages = sorted(page.name for page in html.glob("*.html") if page.name not in ("search.html", "genindex.html"))
    text = pathlib.Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
    text = text.replace("PAGES", json.dumps(pages)).replace("WIDTHS", json.dumps(WIDTHS))
    harness = html / "layout-test.htm"
    harness.write_text(text, encoding="utf-8")
    try:
        out = chromium(f"--virtual-time-budget={BUDGET_MS}", "--dump-dom", "--window-size=1400,1100", f"file://{harness}")
    finally:
        harness.unlink()
    match = re.search(r'<pre id="result">(.*?)</pre>', out, re.S)
    lines = match[1].split("\n") if match else []
    print("\n".join(lines).strip())
    return f"{len(pages) * len(WIDTHS)} looked at" not in lines or len(lines) != 2


if __name__ == "__main__":
    sys.exit(main())
