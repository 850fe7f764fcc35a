# SPDX-License-Identifier: MIT
"""Text of documentation comments as reStructuredText."""

import re

# Code: text that is marked as code, a page, an argument, a call, a tag, a constant, an errno, a
# private name.
PIECE = re.compile(r"``[^`]+``|\bDocumentation/\w+\.rst|@[\w.]+(?:->\w+|\.\w+)*|\b\w+\(\)|&?\b(?:struct|enum|union) \w+|&\w+(?:\.\w+)+"
                   r"|\b(?:DRM_)?(?:IOCTL_)?FAA_\w+|-E[A-Z0-9]+\b|\b\w*_\b")
SPECIAL = re.compile(r"([\\*`|])")


class Markup:
    """Turns text into reStructuredText.

    known: (role of Sphinx, target) of names that have a description of their own. With roles=False
    the text has no roles: docutils alone reads it, for manual pages.
    """

    def __init__(self, known, roles=True):
        self.known, self.roles = known, roles

    def piece(self, text):
        """A piece of code."""
        if text.startswith("``"):
            return text
        code = text.lstrip("&")
        if code.startswith("@"):
            return f"``{code[1:]}``" if self.roles else f"*{code[1:]}*"
        if code.startswith("Documentation/"):
            return f":doc:`{code[14:-4]}`" if self.roles else f"**{code}**"
        name = re.sub(r"^(?:struct|enum|union) |\(\)$", "", code)
        if not self.roles:
            return f"**{code}**"
        if name not in self.known:
            return f"``{code}``"
        role, target = self.known[name]
        return f":c:{role}:`{code} <{target}>`"

    def text(self, text):
        """A run of words."""
        out, at = [], 0
        for match in PIECE.finditer(text):
            out.append(SPECIAL.sub(r"\\\1", text[at:match.start()]))
            piece = self.piece(match[0])
            # Markup begins and ends at a blank or a mark of punctuation.
            before, after = text[match.start() - 1:match.start()], text[match.end():match.end() + 1]
            out.append(("\\ " if before and (before.isalnum() or before in "_@&^*=+<>|") else "") + piece +
                       ("\\ " if after and not re.match(r"[\s.,:;!?'\")\]}>/-]", after) else ""))
            at = match.end()
        out.append(SPECIAL.sub(r"\\\1", text[at:]))
        return "".join(out)

    def paragraph(self, text, indent=""):
        """A paragraph, a list, or code: text whose lines are all indented by four and more."""
        lines = text.split("\n")
        if all(line.startswith("    ") for line in lines):
            return "\n".join([f"{indent}::", ""] + [f"{indent}{line}" for line in lines]) + "\n"
        if not any(re.match(r"[-*] ", line) for line in lines):
            return indent + self.text(" ".join(line.strip() for line in lines)) + "\n"
        items = []
        for line in lines:
            match = re.match(r"[-*] (.*)", line)
            if match or not items:
                items.append([bool(match), match[1] if match else line.strip()])
            else:
                items[-1][1] += " " + line.strip()
        parts = []
        for number, (bullet, words) in enumerate(items):
            if bullet and number and not items[number - 1][0]:
                parts.append("")
            parts.append(f"{indent}{'- ' if bullet else ''}{self.text(words)}")
        return "\n".join(parts) + "\n"
