# SPDX-License-Identifier: MIT
"""Sphinx configuration. build-docs.sh gathers the pages and generated parts, then calls Sphinx."""

import os
import sys

sys.path.insert(0, os.environ["FAA_DOCS_PYTHON"])

project = "faa"
author = "the faa authors"
copyright = author
html_title = "faa: FPGA Atomics Accelerator"
html_theme = "furo"
html_show_copyright = False
html_show_sourcelink = False
highlight_language = "none"
master_doc = "index"
# autodoc makes the reference of the Python package from its docstrings, without the C library and
# numpy.
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]
autodoc_mock_imports = ["numpy", "faa._cdef", "faa._config"]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
# A broken link is an error of the page, like every other warning (build-docs.sh passes -W).
nitpicky = True
# Signatures name types of Python, numpy and C's headers, which have no page here.
nitpick_ignore_regex = [("py:.*", ".*"), ("c:identifier", ".*")]
