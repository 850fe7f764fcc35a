# SPDX-License-Identifier: MIT
"""And-inverter graph with structural hashing: the gates of word-level operators, and files in the
AIGER format.

A literal is 2 * node + inverted; 0 is false, 1 is true. Words are lists of literals, lowest bit
first.
"""


class Aig:
    """Nodes are inputs or AND gates; each comes after its operands."""

    def __init__(self):
        self.left = [0]         # per node: its operands, or -1 for an input
        self.right = [0]
        self.known = {}

    def input(self):
        """A new input."""
        self.left.append(-1)
        self.right.append(-1)
        return 2 * (len(self.left) - 1)

    def both(self, a, b):
        """a AND b."""
        if a > b:
            a, b = b, a
        if a < 2:
            return b if a else 0
        if a == b:
            return a
        if a ^ b == 1:
            return 0
        key = a << 32 | b
        node = self.known.get(key)
        if node is None:
            node = self.known[key] = 2 * len(self.left)
            self.left.append(a)
            self.right.append(b)
        return node

    def either(self, a, b):
        """a OR b."""
        return self.both(a ^ 1, b ^ 1) ^ 1

    def differ(self, a, b):
        """a XOR b."""
        return self.either(self.both(a, b ^ 1), self.both(a ^ 1, b))

    def choose(self, s, a, b):
        """a if s, else b."""
        if a == b:
            return a
        return self.either(self.both(s, a), self.both(s ^ 1, b))

    def any(self, word):
        """OR of a word's bits."""
        result = 0
        for bit in word:
            result = self.either(result, bit)
        return result

    def all(self, word):
        """AND of a word's bits."""
        return self.any([bit ^ 1 for bit in word]) ^ 1

    def equal(self, a, b):
        """Two words are the same."""
        return self.any([self.differ(x, y) for x, y in zip(a, b)]) ^ 1

    def is_number(self, word, number):
        """A word is this number."""
        return self.all([bit ^ 1 ^ (number >> k & 1) for k, bit in enumerate(word)])

    def add(self, a, b, carry=0):
        """Sum of two words of one length, and the carry out."""
        result = []
        for x, y in zip(a, b):
            half = self.differ(x, y)
            result.append(self.differ(half, carry))
            carry = self.either(self.both(x, y), self.both(half, carry))
        return result, carry

    def less(self, a, b, signed):
        """a < b."""
        if signed:
            a, b = a[:-1] + [a[-1] ^ 1], b[:-1] + [b[-1] ^ 1]
        return self.add(a, [bit ^ 1 for bit in b], 1)[1] ^ 1

    def select(self, words, index):
        """The word with the number that the word index holds; words has 2 ** len(index) entries."""
        for bit in index:
            words = [[self.choose(bit, y, x) for x, y in zip(even, odd)] for even, odd in zip(words[::2], words[1::2])]
        return words[0]

    def cone(self, literals):
        """The nodes that the literals depend on, in order."""
        seen = set()
        stack = [literal >> 1 for literal in literals]
        while stack:
            node = stack.pop()
            if node in seen or node == 0:
                continue
            seen.add(node)
            if self.left[node] >= 0:
                stack += [self.left[node] >> 1, self.right[node] >> 1]
        return sorted(seen)

    def write(self, path, outputs, cone):
        """A binary AIGER file with these outputs; the inputs are those of the cone."""
        inputs = [node for node in cone if self.left[node] < 0]
        gates = [node for node in cone if self.left[node] >= 0]
        number = {0: 0}
        for node in inputs + gates:
            number[node] = len(number)

        def literal(x):
            return 2 * number[x >> 1] + (x & 1)

        data = bytearray(f"aig {len(number) - 1} {len(inputs)} 0 {len(outputs)} {len(gates)}\n".encode())
        data += "".join(f"{literal(x)}\n" for x in outputs).encode()
        for node in gates:
            low, high = sorted((literal(self.left[node]), literal(self.right[node])))
            for delta in (2 * number[node] - high, high - low):
                while delta >= 128:
                    data.append(delta & 127 | 128)
                    delta >>= 7
                data.append(delta)
        with open(path, "wb") as out:
            out.write(data)
