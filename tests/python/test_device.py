#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The package on a device: see device.py for which."""

import contextlib
import errno
import fractions
import gc
import os
import pathlib
import select
import threading
import unittest
import unittest.mock

import device as devices
import faa
import numpy

TOP = pathlib.Path(__file__).resolve().parents[2]
SEED = int(os.environ.get("FAA_SEED", "20"))
INTEGERS = ("uint32", "int32", "uint64", "int64", "uint16", "int16")


def in_order(op, memory, index, value, new=None):
    """The operation on the elements in order; returns the old values."""
    old = []
    for at, b, c in zip(index, value, value if new is None else new):
        m = memory[at]
        old.append(m)
        memory[at] = op(m, b, c)
    return numpy.array(old, memory.dtype)


OPERATIONS = {
    "ADD": lambda m, b, c: m + b,
    "SUB": lambda m, b, c: m - b,
    "MIN": lambda m, b, c: min(m, b),
    "MAX": lambda m, b, c: max(m, b),
    "AND": lambda m, b, c: m & b,
    "OR": lambda m, b, c: m | b,
    "XOR": lambda m, b, c: m ^ b,
    "EXCH": lambda m, b, c: b,
    "CAS": lambda m, b, c: c if m == b else m,
    "INC": lambda m, b, c: 0 if m >= b else m + 1,
    "DEC": lambda m, b, c: b if m == 0 or m > b else m - 1,
}


class OnDevice(unittest.TestCase):
    """One device for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.device = devices.open_device()

    @classmethod
    def tearDownClass(cls):
        cls.device.close()
        cls.device = None


class Operations(OnDevice):
    """Every operation on every type, compared with numpy."""

    def compare(self, op, dtype):
        random, kind = numpy.random.default_rng(SEED), numpy.dtype(dtype)
        values = (
            random.integers(0, 5, 75).astype(kind)
            if op == "CAS"
            else random.integers(0, 100, 75).astype(kind)
        )
        memory, index = (
            random.integers(0, 5 if op == "CAS" else 100, 9).astype(kind),
            random.integers(0, 9, 75).astype(numpy.uint8),
        )
        new = random.integers(0, 5, 75).astype(kind) if op == "CAS" else None
        target = self.device.array(memory)
        with numpy.errstate(over="ignore"):
            want = in_order(OPERATIONS[op], memory, index, values, new)
        got = self.device.atomic(op, target, index, values, new, old=True)
        numpy.testing.assert_array_equal(target, memory, f"{op} {dtype}")
        numpy.testing.assert_array_equal(got, want, f"{op} {dtype}")
        self.assertEqual(got.dtype, kind)

    def test_integers(self):
        for op in OPERATIONS:
            for dtype in INTEGERS:
                if op in ("INC", "DEC") and dtype not in ("uint32", "uint64"):
                    continue
                with self.subTest(op=op, dtype=dtype):
                    self.compare(op, dtype)

    def test_floats(self):
        for op in ("ADD", "MIN", "MAX"):
            for dtype in ("float32", "float64", "float16"):
                with self.subTest(op=op, dtype=dtype):
                    self.compare(op, dtype)

    def test_without_value(self):
        target = self.device.array([3, 4], numpy.uint32)
        self.assertEqual(list(self.device.atomic("INCU", target, [0, 0, 1], old=True)), [3, 4, 4])
        self.assertEqual(list(self.device.atomic("predec", target, [0, 1], old=True)), [4, 4])
        self.assertEqual(
            list(self.device.atomic(faa.AtomOp.CAST, target, [0, 0], 4, 9, old=True)), [1, 0]
        )
        self.assertEqual(list(target), [9, 4])

    def test_scopes_and_types(self):
        target = self.device.zeros(2)
        for scope in ("cta", faa.Scope.GPU, "SYS"):
            self.device.atomic_add(target, 0, 1, scope=scope)
        halves = numpy.array([1.5, -2], numpy.float16)
        self.device.atomic_add(target, 1, halves.view(numpy.uint32), type="F16X2")
        self.assertEqual(target[0], 3)
        self.assertEqual(list(target[1:].view(numpy.float16)), [1.5, -2])
        with self.assertRaisesRegex(faa.StreamError, "has no type U8"):
            self.device.atomic_add(target, 0, 1, type=faa.Type.U8)

    def test_refused(self):
        with self.assertRaisesRegex(
            faa.StreamError, "ATOM.XOR has no type F32; allowed: U16, U32"
        ) as caught:
            self.device.atomic_xor(self.device.zeros(3, numpy.float32), 0, 1.0)
        self.assertEqual(caught.exception.errno, errno.EINVAL)
        with self.assertRaisesRegex(ValueError, "AtomOp has no 'NAND'"):
            self.device.atomic("NAND", self.device.zeros(1), 0, 1)


class Indices(OnDevice):
    """Ways to select items."""

    def test_histogram(self):
        image = numpy.random.default_rng(SEED).integers(0, 256, (40, 50, 3)).astype(numpy.uint8)
        for channel in range(3):
            bins = self.device.zeros(256)
            self.device.atomic_add(bins, image[..., channel])
            numpy.testing.assert_array_equal(
                bins, numpy.bincount(image[..., channel].ravel(), minlength=256)
            )

    def test_forms(self):
        target = self.device.zeros((3, 4), numpy.int64)
        self.device.atomic_add(target, None, 2)
        self.device.atomic_add(target, 5, 10)
        self.device.atomic_add(target, (numpy.array([2, 2]), numpy.array([3, 3])), [1, 1])
        self.device.atomic_add(target, target == 12, 100)
        numpy.testing.assert_array_equal(target, [[2, 2, 2, 2], [2, 112, 2, 2], [2, 2, 2, 4]])
        self.device.atomic_add(target[1], [[0, 1], [1, 0]], 1)
        numpy.testing.assert_array_equal(target[1], [4, 114, 2, 2])

    def test_sum_on_one_item(self):
        total, data = self.device.zeros(1, numpy.uint64), numpy.arange(1000, dtype=numpy.uint64)
        old = self.device.atomic_add(total, 0, data, old=True)
        self.assertEqual(total[0], 499500)
        numpy.testing.assert_array_equal(old[1:], numpy.cumsum(data)[:-1])

    def test_where(self):
        target = self.device.zeros(6)
        old = self.device.atomic_add(
            target,
            numpy.arange(6).reshape(2, 3),
            [[1, 2, 3], [4, 5, 6]],
            where=[[1, 0, 1], [0, 0, 1]],
            old=True,
        )
        self.assertEqual(old.shape, (2, 3))
        self.assertEqual(list(target), [1, 0, 3, 0, 0, 6])
        self.device.atomic_max(target, None, 9, where=[0, 1, 0, 0, 0, 0])
        self.assertEqual(list(target), [1, 9, 3, 0, 0, 6])

    def test_values(self):
        target = self.device.zeros(3, numpy.uint16)
        self.device.atomic_add(target, None, numpy.arange(3))
        self.assertEqual(list(target), [0, 1, 2])
        with self.assertRaisesRegex(OverflowError, "-1 at element 1 is no value of numpy's uint16"):
            self.device.atomic_add(target, None, [3, -1, 70000])
        with self.assertRaises(TypeError):
            self.device.atomic_add(target, None, [0.5, 1, 1])
        with self.assertRaises(ValueError):
            self.device.atomic_add(target, [0, 1], [1, 2, 3])
        self.assertEqual(list(target), [0, 1, 2])

    def test_nothing(self):
        target = self.device.zeros(4)
        self.assertEqual(
            self.device.atomic_add(target, numpy.zeros((0, 2), int), 1, old=True).shape, (0, 2)
        )
        self.assertIsNone(self.device.atomic_add(target, None, 1, where=False))
        self.assertEqual(list(target), [0, 0, 0, 0])

    def test_out_of_range(self):
        target = self.device.zeros(256)
        with self.assertRaisesRegex(
            IndexError, r"index 300 at element 2 is out of range for 256 items"
        ):
            self.device.atomic_add(target, numpy.array([1, 255, 300, 7]))
        with self.assertRaisesRegex(IndexError, r"index -1 at element \(1, 0\) is out of range"):
            self.device.atomic_add(target, numpy.array([[1, 2], [-1, 3]]))
        with self.assertRaisesRegex(
            IndexError, r"index 4 at element 0 of axis 1 is out of range for 4 items"
        ):
            self.device.atomic_add(target.reshape(64, 4), (numpy.array([0]), numpy.array([4])))
        with self.assertRaisesRegex(IndexError, "index 256"):
            self.device.atomic_add(target, 256)
        with self.assertRaisesRegex(IndexError, "float64"):
            self.device.atomic_add(target, [0.5])
        self.assertEqual(target.sum(), 0)

    def test_bad_targets(self):
        target = self.device.zeros((4, 4))
        with self.assertRaisesRegex(ValueError, "contiguous"):
            self.device.atomic_add(target[:, 1], 0)
        frozen = numpy.zeros(4, numpy.uint32)
        frozen.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "read-only"):
            self.device.atomic_add(frozen, 0)

    def test_numpys_memory(self):
        """An array that the device did not allocate: shared, or copied in both directions."""
        counts = numpy.zeros(5, numpy.uint32)
        old = self.device.atomic_add(counts[1:], [0, 0, 3], 7, old=True)
        self.assertEqual(list(old), [0, 7, 0])
        self.assertEqual(list(counts), [0, 14, 0, 0, 7])

    def test_numpys_memory_in_one_page(self):
        """The pages of an index, which is only read, include that of the target."""
        for _ in range(20):
            memory = numpy.zeros(3 * 1024, numpy.uint32)
            pages = memory[-memory.ctypes.data % 4096 // 4 :]
            target, index = pages[:8], pages[1000:1048]
            self.device.atomic_add(target, index, 1)
            self.assertEqual(target[0], 48)
            with contextlib.ExitStack() as stack:
                if devices.KIND == "node":
                    stack.enter_context(self.device.shared(index, write=False))
                self.device.atomic_add(target, index, 1)
            self.assertEqual(target[0], 96)


class Faults(OnDevice):
    """Errors that the device reports."""

    def test_unmapped(self):
        far = numpy.array([0, 1 << 30], numpy.uint32)
        target = self.device.zeros(4)
        with self.assertRaisesRegex(
            faa.JobError,
            r"page fault: nothing mapped at address 0x[0-9a-f]+ at command 0, element 1, lane 1: "
            r"RED.ADD.U32",
        ) as caught:
            self.device.atomic_add(target, far, 1, check=False)
        status = caught.exception.status
        self.assertEqual((status.code, status.element, status.lane), (faa.Error.NOT_MAPPED, 1, 1))
        self.assertEqual(status.address, self.device.memory.address_of(target) + (4 << 30))
        self.assertEqual(caught.exception.errno, errno.EFAULT)
        # The queue continues to work.
        self.device.atomic_add(target, 0, 1)
        self.assertEqual(target[0], 1)

    def test_queue_options(self):
        with self.assertRaisesRegex(
            faa.FaaError, "queue: shared_bytes 100: allowed are multiples of 128"
        ):
            self.device.queue(shared_bytes=100)
        with self.assertRaisesRegex(ValueError, "'urgent'"):
            self.device.queue(priority="urgent")


class Streams(OnDevice):
    """Programs that are built once."""

    def test_many_runs(self):
        stream, data, out = (
            self.device.stream(),
            self.device.array(numpy.arange(1000, dtype=numpy.uint32)),
            self.device.zeros(1),
        )
        stream.atoms(faa.AtomsOp.ADD, 0, data, count=1000)
        stream.lds(out, 0, 1)
        program = stream.finish()
        self.assertEqual(len(program.disassemble()), 3)
        self.assertIn("ATOMS.ADD.U32", program.disassemble()[0])
        del stream, data
        gc.collect()
        with self.device.queue(shared_bytes=128) as queue:
            for i in range(1, 5):
                self.assertEqual(queue.run(program, timeout=60).elements, 1001)
                self.assertEqual(out[0], 499500 * i)
            self.assertEqual(queue.info()["completed"], 4)

    def test_registers_and_loop(self):
        """A loop with a predicate counts down in every lane until none is left."""
        stream, start, steps = (
            self.device.stream(),
            self.device.array(numpy.arange(32, dtype=numpy.uint32)),
            self.device.zeros(32),
        )
        stream.mov(faa.reg(1), start)
        stream.mov(faa.reg(2), 0)
        again = stream.label()
        stream.place(again)
        stream.setp(0, faa.Cmp.NE, faa.reg(1), 0)
        stream.guard(0).alu(faa.AluOp.SUB, faa.reg(1), faa.reg(1), 1)
        stream.guard(0).alu(faa.AluOp.ADD, faa.reg(2), faa.reg(2), 2)
        stream.guard(0).jump(again, faa.JumpCond.ANY)
        stream.mov(steps, faa.reg(2))
        with self.device.queue() as queue:
            queue.run(stream.finish(), timeout=60)
        numpy.testing.assert_array_equal(steps, numpy.arange(32) * 2)

    def test_exact_sums(self):
        """The sums of all orders are those of fractions, rounded once."""
        random = numpy.random.default_rng(SEED)
        bits = random.integers(0, 1 << 32, 500, numpy.uint32)
        numbers = numpy.where(bits >> 23 & 255 == 255, bits & 0xBFFFFFFF, bits).view(numpy.float32)
        index = random.integers(0, 3, 500, numpy.uint8)
        exact = [fractions.Fraction(0)] * 3
        for at, number in zip(index, numbers):
            exact[at] += fractions.Fraction(float(number))
        orders = []
        with self.device.queue() as queue:
            for _ in range(5):
                order = random.permutation(500)
                cells, stream = faa.exact.cells(self.device, 3), self.device.stream()
                places = self.device.array(index[order])
                faa.exact.add(stream, cells, places, self.device.array(numbers[order]), 500)
                queue.run(stream.finish(), timeout=60)
                orders.append(cells)
        for cells in orders:
            numpy.testing.assert_array_equal(cells, orders[0])
        sums = faa.exact.read(orders[0])
        numpy.testing.assert_array_equal(sums["f64"], [float(fraction) for fraction in exact])
        numpy.testing.assert_array_equal(sums["count"], numpy.bincount(index, minlength=3))

    def test_exact_sums_refused(self):
        cells, stream = faa.exact.cells(self.device, 3), self.device.stream()
        with self.assertRaisesRegex(TypeError, "rows of 17 uint64"):
            faa.exact.add(stream, cells[:, 1:], 0, 1.0, 32)
        with self.assertRaisesRegex(ValueError, "contiguous"):
            faa.exact.add(stream, cells[::2], 0, 1.0, 32)
        with self.assertRaisesRegex(faa.StreamError, "first register R1"):
            faa.exact.add(stream, cells, 0, 1.0, 32, reg=1)
        cells[1, 16] = (1 << 24) + 1 << 3
        with self.assertRaisesRegex(faa.FaaError, "16777217 addends"):
            faa.exact.read(cells)

    def test_exact_sums_of_any_shape(self):
        for shape in (5, (5,), [2, 3], (2, 1, 2), (), (0, 4)):
            cells = faa.exact.cells(self.device, shape)
            dimensions = (5,) if shape == 5 else tuple(shape)
            self.assertEqual(cells.shape, (*dimensions, 17))
            self.device.exact_add(cells, None, 0.1)
            sums = faa.exact.read(cells)
            self.assertEqual((sums.shape, sums.dtype), (dimensions, faa.exact.SUM))
            self.assertTrue((sums["f32"] == numpy.float32(0.1)).all())
            self.assertTrue((sums["count"] == 1).all())
        cells, stream = faa.exact.cells(self.device, (2, 3)), self.device.stream()
        faa.exact.add(stream, cells, 4, 2.5, 1)
        self.device.default_queue().run(stream.finish(), timeout=60)
        self.assertEqual(faa.exact.read(cells)["f64"].tolist(), [[0, 0, 0], [0, 2.5, 0]])

    def test_exact_add(self):
        """Exact sums in one call: those of fractions, for each form of an index."""
        random = numpy.random.default_rng(SEED)
        rows, columns = random.integers(0, 4, 300), numpy.arange(3)
        numbers = random.uniform(-1, 1, (300, 3)) * 2.0 ** random.integers(-40, 40, (300, 1))
        numbers = numbers.astype(numpy.float32)
        want = [
            [
                float(sum(map(fractions.Fraction, numbers[rows == row, column].tolist())))
                for column in columns
            ]
            for row in range(4)
        ]
        flat = rows[:, None] * 3 + columns
        cells = faa.exact.cells(self.device, (4, 3))
        self.assertIsNone(self.device.exact_add(cells, (rows[:, None], columns), numbers))
        numpy.testing.assert_array_equal(faa.exact.read(cells)["f64"], want)
        for index, value in (
            (flat, numbers),
            (flat.astype(numpy.uint8)[::-1], numbers[::-1]),
            (self.device.array(flat, numpy.uint32), self.device.array(numbers)),
            (flat.astype(numpy.uint64).T, numbers.astype(numpy.float64).T),
        ):
            again = faa.exact.cells(self.device, (4, 3))
            self.device.exact_add(again, index, value)
            numpy.testing.assert_array_equal(again, cells)
        # Memory of numpy is shared, or copied in both directions.
        plain = numpy.zeros((4, 3, 17), numpy.uint64)
        self.device.exact_add(plain, flat, numbers, scope="sys")
        numpy.testing.assert_array_equal(plain, cells)

    def test_exact_add_forms(self):
        cells = faa.exact.cells(self.device, (2, 3))
        self.device.exact_add(cells, 5, numpy.arange(100))
        self.device.exact_add(cells, [0, 0, 1], 0.5)
        self.device.exact_add(cells, [[0, 1, 2], [3, 4, 0]], [1, 2, 4])
        self.device.exact_add(cells, numpy.array([[0, 0, 1], [1, 0, 0]], bool), [8, 16])
        self.device.exact_add(cells, None, numpy.full(3, 32), where=[[1, 0, 0], [0, 0, 1]])
        self.device.exact_add(cells, [1, 2, 4], [64, 128, 256], where=[0, 1, 1])
        self.device.exact_add(cells, numpy.zeros(0, int), 1)
        self.device.exact_add(cells, None, 1, where=False)
        sums = faa.exact.read(cells)
        self.assertEqual(sums["f64"].tolist(), [[38, 2.5, 140], [17, 258, 4982]])
        self.assertEqual(sums["count"].tolist(), [[5, 2, 3], [2, 2, 101]])

    def test_exact_add_refused(self):
        cells = faa.exact.cells(self.device, (2, 3))
        for index, text in (
            (
                numpy.array([[1, 2], [6, 3]]),
                r"index 6 at element \(1, 0\) is out of range for 6 items",
            ),
            ([0, -1], "index -1 at element 1 is out of range"),
            (6, "index 6"),
            (([0], [3]), "index 3 at element 0 of axis 1 is out of range for 3 items"),
            (([0],), "1 indices for 2 dimensions"),
            ([0.5], "float64"),
        ):
            with self.assertRaisesRegex(IndexError, text):
                self.device.exact_add(cells, index, 1.0)
        with self.assertRaises(ValueError):
            self.device.exact_add(cells, [0, 1], [1.0, 2.0, 3.0])
        with self.assertRaises(TypeError):
            self.device.exact_add(cells, 0, [1j])
        with self.assertRaisesRegex(TypeError, "rows of 17 uint64"):
            self.device.exact_add(self.device.zeros((2, 3), numpy.float32), 0, 1.0)
        with self.assertRaisesRegex(ValueError, "contiguous"):
            self.device.exact_add(cells[:, 1], 0, 1.0)
        frozen = cells.view()
        frozen.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "read-only"):
            self.device.exact_add(frozen, 0, 1.0)
        self.assertFalse(cells.any())

    def test_snapshots(self):
        before, after = self.device.counter_snapshot(), self.device.counter_snapshot()
        self.assertEqual((before.shape, before.dtype), ((32,), numpy.uint64))
        self.assertFalse(before.any() or after.any())
        stream, target = self.device.stream(), self.device.zeros(100)
        stream.snapshot(before)
        stream.atom(faa.AtomOp.ADD, stream.addresses(target), 1, count=100)
        stream.snapshot(after)
        with self.device.queue() as queue:
            queue.run(stream.finish(), timeout=60)
        done = after - before
        self.assertEqual((done[faa.Counter.WARPS], done[faa.Counter.ELEMENTS]), (4, 100))
        # Differences wrap.
        before[0], after[0] = 2**64 - 3, 4
        self.assertEqual((after - before)[0], 7)

    def test_snapshot_refused(self):
        stream, memory = self.device.stream(), self.device.zeros(128, numpy.uint64)
        stream.snapshot(memory[32:64])
        with self.assertRaisesRegex(ValueError, "a multiple of 256, the array is 8 bytes after"):
            stream.snapshot(memory[1:33])
        with self.assertRaisesRegex(ValueError, "256 bytes, the array has 248"):
            stream.snapshot(memory[:31])
        with self.assertRaisesRegex(ValueError, "contiguous"):
            stream.snapshot(memory[::2])
        with self.device.queue() as queue:
            queue.run(stream.finish(), timeout=60)
        self.assertFalse(memory[:32].any() or memory[64:].any())

    def test_cycles(self):
        """Jobs of a queue start and end in order."""
        stream, target, end = self.device.stream(), self.device.zeros(1000), 0
        stream.atom(faa.AtomOp.ADD, stream.addresses(target), 1, count=1000)
        program = stream.finish()
        with self.device.queue() as queue:
            for _ in range(3):
                status = queue.run(program, timeout=60)
                self.assertGreaterEqual(status.start_cycle, end)
                self.assertGreater(status.end_cycle, status.start_cycle)
                self.assertEqual(status.cycles, status.end_cycle - status.start_cycle)
                end = status.end_cycle

    def test_clock(self):
        with devices.open_device() as device:
            has_clock = device.has_clock
            self.assertIsInstance(has_clock, bool)
            if devices.KIND != "node":
                engine = os.environ.get("FAA_TEST_ENGINE", "model")
                self.assertEqual(has_clock, devices.KIND == "simulated" and engine == "rtl")
            # It is found once.
            with unittest.mock.patch.object(device, "queue", side_effect=AssertionError):
                self.assertEqual(device.has_clock, has_clock)

    def test_refused_command(self):
        stream = self.device.stream()
        stream.nop()
        with self.assertRaisesRegex(faa.StreamError, "command 1: "):
            stream.mov(faa.reg(0), 1, count=0)
        with self.assertRaisesRegex(ValueError, "no memory of the device"):
            self.device.stream().mov(numpy.zeros(32, numpy.uint32), 1)

    def test_timelines(self):
        first, second = self.device.timeline(), self.device.timeline()
        target, one, two = self.device.zeros(1), self.device.stream(), self.device.stream()
        one.st(one.addresses(target, 0), 5, count=1)
        two.atom(faa.AtomOp.ADD, two.addresses(target, 0), 2, count=1)
        with self.device.queue() as a, self.device.queue() as b:
            with self.assertRaises(faa.FaaError) as caught:
                b.submit(two.finish(), wait=[(first, 1)])
            self.assertEqual(caught.exception.errno, errno.EAGAIN)
            early = a.submit(one.finish(), signal=[(first, 1)])
            late = b.submit(two.finish(), wait=[(first, 1)], signal=[(second, 7)])
            second.wait(7, timeout=60)
            self.assertEqual(
                (late.status().code, early.wait().code), (faa.Error.SUCCESS, faa.Error.SUCCESS)
            )
            self.assertTrue(late.done())
        self.assertEqual(target[0], 7)
        self.assertEqual(second.value(), 7)
        with self.assertRaises(TimeoutError):
            second.wait(8, timeout=0.05)
        first.close()

    def test_programs_let_go(self):
        """A program lives as long as its job; queues and timelines are freed by themselves."""
        count = 40 if devices.KIND == "fake" else 100
        out, queue = self.device.zeros(count), self.device.queue()
        for i in range(count):
            stream = self.device.stream()
            stream.st(stream.addresses(out, i), i + 1, count=1)
            last = queue.submit(stream.finish())
            del stream
        last.wait(timeout=60)
        numpy.testing.assert_array_equal(out, numpy.arange(1, count + 1))
        self.assertFalse(queue._flying)
        del queue, last
        for _ in range(40):
            self.device.queue(), self.device.timeline()
            gc.collect()

    def test_group(self):
        if self.device.info.warp_slots < 2:
            self.skipTest("one warp slot")
        out, programs = self.device.zeros((2, 32)), []
        for i in range(2):
            stream = self.device.stream()
            stream.atoms(faa.AtomsOp.ADD, 0, i + 1, count=32)
            stream.bar()
            stream.lds(out[i], 0)
            programs.append(stream.finish())
        with self.device.queue(shared_bytes=128) as queue:
            self.assertEqual(len(queue.run_group(programs, timeout=60)), 2)
        self.assertEqual(out.tolist(), [[96] * 32] * 2)


class Counters(OnDevice):
    """Streams of counters."""

    def test_samples(self):
        if devices.KIND == "simulated":
            with self.assertRaisesRegex(faa.FaaError, "a simulated device has no stream") as caught:
                self.device.counters(0.01)
            self.assertEqual(caught.exception.errno, errno.EOPNOTSUPP)
            return
        stream = self.device.counters(0.01, records=16)
        if devices.KIND == "fake":
            # It has no kernel that takes samples.
            with self.assertRaises(TimeoutError):
                stream.next(timeout=0.05)
        else:
            self.compare(stream)
        stream.close()
        stream.close()
        with self.assertRaisesRegex(faa.FaaError, "closed"):
            stream.next()

    def compare(self, stream):
        """Counters grow by at least the work of a job."""
        first = stream.next(timeout=60)
        self.assertEqual(first.values.shape[0], self.device.info.num_cus)
        self.assertGreater(first.values.shape[1], max(faa.Counter))
        self.assertEqual(first.cycles.shape, (self.device.info.num_cus,))
        self.assertEqual(first.flags, faa.CountersFlags(0))
        self.device.atomic_add(self.device.zeros(1), numpy.zeros(1000, int), 1)
        self.assertEqual(select.select([stream], [], [], 60)[0], [stream])
        before = first
        for sample in stream:
            self.assertGreater(sample.time, before.time)
            self.assertGreaterEqual(sample.total_cycles, before.total_cycles)
            done = (sample.values - first.values)[:, faa.Counter.ELEMENTS].sum()
            if done >= 1000:
                break
            before = sample

    def test_refused(self):
        with self.assertRaisesRegex(faa.FaaError, "a period of 0 ns: allowed are 100000 to"):
            self.device.counters(0)
        with self.assertRaisesRegex(faa.FaaError, "5000 records: allowed are 1 to 4096"):
            self.device.counters(1, 5000)


class Surfaces(OnDevice):
    """Images."""

    def test_places(self):
        random = numpy.random.default_rng(SEED)
        for shape, layout in (
            (40, "block"),
            (100, "buffer"),
            ((9, 20), "block"),
            ((9, 20), "pitch"),
            ((3, 5, 20), "block"),
        ):
            surface = self.device.surface(shape, layout=layout)
            start = random.integers(0, 1000, surface.shape).astype(numpy.uint32)
            surface.write(start)
            numpy.testing.assert_array_equal(surface.read(), start)
            places = numpy.stack([random.integers(0, n, 70) for n in surface.shape[::-1]], 1)
            values = random.integers(0, 100, 70).astype(numpy.uint32)
            old = self.device.surface_atomic("ADD", surface, places, values, old=True)
            flat = start.reshape(-1).copy()
            index = numpy.ravel_multi_index(tuple(places[:, ::-1].T), surface.shape)
            numpy.testing.assert_array_equal(old, in_order(OPERATIONS["ADD"], flat, index, values))
            numpy.testing.assert_array_equal(surface.read(), flat.reshape(surface.shape))
            surface.close()

    def test_outside(self):
        surface = self.device.surface((4, 4), numpy.int32)
        self.assertEqual(
            list(self.device.surface_atomic("ADD", surface, [[9, 0]], 1, old=True)), [0]
        )
        self.device.surface_atomic("MIN", surface, [[9, 9]], -5, clamp="near")
        self.assertEqual(surface.read()[3, 3], -5)
        with self.assertRaisesRegex(faa.JobError, "surface coordinate") as caught:
            self.device.surface_atomic("ADD", surface, [[1, 1], [9, 0]], 1, clamp="trap")
        self.assertEqual(
            (caught.exception.status.code, caught.exception.status.element), (faa.Error.TRAP, 1)
        )
        with self.assertRaisesRegex(ValueError, r"\(N, 2\)"):
            self.device.surface_atomic("ADD", surface, [1, 2, 3], 1)

    def test_refused(self):
        with self.assertRaises(faa.FaaError) as caught:
            self.device.surface((70000, 10))
        self.assertNotEqual(str(caught.exception), "")
        with self.assertRaises(TypeError):
            self.device.surface((4, 4), numpy.uint8)


class Kernels(OnDevice):
    """PTX, SASS, SPIR-V."""

    def test_ptx(self):
        counters = self.device.zeros(8)
        code = self.device.ptx((TOP / "Documentation/exec/count.ptx").read_text())
        out = code.run({"%counters": counters}, {"%old": numpy.uint32}, warps=2)
        self.assertEqual(list(counters), [8] * 8)
        self.assertEqual(sorted(out["%old"].tolist()), sorted(list(range(8)) * 8))

    def test_ptx_kernel(self):
        data, result = (
            self.device.array(numpy.arange(60, dtype=numpy.float32)),
            self.device.zeros(1, numpy.float32),
        )
        code = self.device.ptx((TOP / "Documentation/exec/sum.ptx").read_text(), kernel="sum")
        code.run({"result": result, "data": data, "n": 60}, warps=2, shared_bytes=128)
        self.assertEqual(result[0], 1770)

    def test_ptx_variables_and_lanes(self):
        code = self.device.ptx(
            ".global .u32 total = 40;\n.reg .b32 %v;\n.reg .b64 %a;\n"
            "mov.u64 %a, total;\nred.global.add.u32 [%a], %v;"
        )
        code.run(
            {"%v": faa.PerLane(self.device.array(numpy.arange(32, dtype=numpy.uint32)))}, lanes=0xF
        )
        self.assertEqual(code.variables["total"].view(numpy.uint32)[0], 46)

    def test_ptx_refused(self):
        with self.assertRaisesRegex(faa.AssemblyError, "line 2, column") as caught:
            self.device.ptx(".reg .b32 %r;\natom.global.add.u3 %r, [%r], 1;")
        self.assertEqual(caught.exception.line, 2)
        code = self.device.ptx(".reg .b32 %r;\nmov.b32 %r, 1;")
        with self.assertRaises(faa.AssemblyError):
            code.run({"%nothing": 1})
        with self.assertRaisesRegex(TypeError, "numpy.float32"):
            code.run({"%r": 1.5})
        with self.assertRaises(faa.AssemblyError):
            self.device.ptx(".reg .b32 %r;\nmov.b32 %r, 1;", kernel="absent")

    def test_sass(self):
        source = (TOP / "Documentation/exec/atoms.sass").read_text()
        code = self.device.assembly(source, "SASS")
        self.assertEqual(code.syntax, faa.AsmSyntax.SASS)

    def test_spirv(self):
        folder, name = TOP / "tests/vectors/spirv", "histogram_shared"
        module = self.device.spirv((folder / f"spv/{name}.spv").read_bytes())
        data = self.device.array(numpy.fromfile(folder / f"in/{name}.b0.bin", numpy.uint32))
        bins = self.device.zeros(256)
        kernel = module.kernel().bind(0, data).bind(1, bins)
        self.assertGreater(kernel.dispatch(16)["atomics"], 0)
        numpy.testing.assert_array_equal(
            bins, numpy.fromfile(folder / f"out/{name}.b1.bin", numpy.uint32)
        )
        self.assertIn((0, 1), module.bindings)

    def test_spirv_refused(self):
        with self.assertRaisesRegex(faa.SpirvError, "magic number"):
            self.device.spirv(b"abcd" * 5)
        module = self.device.spirv(
            (TOP / "tests/vectors/spirv/spv/histogram_shared.spv").read_bytes()
        )
        with self.assertRaises(faa.SpirvError) as caught:
            module.kernel().dispatch(1)
        self.assertEqual(caught.exception.errno, errno.EINVAL)
        with self.assertRaisesRegex(ValueError, "device.array"):
            module.kernel().bind(0, numpy.zeros(4, numpy.uint32))
        with self.assertRaises(faa.SpirvError):
            module.kernel("absent")


class Lives(unittest.TestCase):
    """Opening, closing, threads."""

    def test_arrays_outlive_the_device(self):
        device = devices.open_device()
        array = device.array([1, 2, 3], numpy.uint32)
        view = array[1:]
        device.atomic_add(view, None, 1)
        device.close()
        device.close()
        self.assertEqual(list(array), [1, 3, 4])
        for call in (device.zeros, device.surface):
            with self.assertRaisesRegex(faa.FaaError, "closed"):
                call(1)
        for call in (device.timeline, device.queue):
            with self.assertRaisesRegex(faa.FaaError, "closed"):
                call()

    @unittest.skipUnless(devices.KIND == "simulated", "its memory is 512 MiB")
    def test_memory_comes_back(self):
        """Arrays of more memory in total than the device has (512 MiB), one after the other."""
        with devices.open_device() as device:
            for _ in range(20):
                device.zeros(8 << 20)[::1024] = 1
            gc.collect()
            self.assertEqual(len(device.memory._regions), 0)

    def test_no_memory(self):
        with devices.open_device() as device:
            with self.assertRaises(faa.FaaError) as caught:
                device.zeros(1 << 40)
            self.assertIn(caught.exception.errno, (errno.ENOMEM, errno.EINVAL))

    def test_threads(self):
        with devices.open_device() as device:
            total = device.zeros(1, numpy.uint64)
            threads = [
                threading.Thread(
                    target=lambda: [
                        device.atomic_add(total, 0, numpy.ones(100, numpy.uint64)) for _ in range(5)
                    ]
                )
                for _ in range(3)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(total[0], 1500)

    def test_sharing(self):
        with devices.open_device() as device:
            array = numpy.arange(1000, dtype=numpy.uint32)
            if devices.KIND != "node":
                with self.assertRaisesRegex(faa.FaaError, "device.array") as caught:
                    with device.shared(array):
                        pass
                self.assertEqual(caught.exception.errno, errno.EOPNOTSUPP)
                return
            with device.shared(array):
                stream = device.stream()
                stream.atom(faa.AtomOp.ADD, stream.addresses(array), 1, count=1000)
                device.default_queue().run(stream.finish())
            numpy.testing.assert_array_equal(array, numpy.arange(1, 1001))
            with self.assertRaises(ValueError):
                device.memory.address_of(array)

    @unittest.skipUnless(devices.KIND == "fake", "only the fake device can be lost")
    def test_lost(self):
        device = devices.open_device()
        devices.fake_library()[1].faa_fake_lose()
        with self.assertRaisesRegex(faa.FaaError, "gone") as caught:
            device.queue()
        self.assertEqual(caught.exception.errno, errno.ENODEV)
        device.close()

    @unittest.skipUnless(devices.KIND == "simulated", "starts machines")
    def test_no_machine(self):
        with self.assertRaises(faa.FaaError) as caught:
            faa.Device(simulate=True, engine="steam")
        self.assertEqual(caught.exception.errno, errno.ENODEV)
        with self.assertRaises(faa.FaaError) as caught:
            faa.Device("/dev/null")
        self.assertEqual(caught.exception.errno, errno.ENODEV)


if __name__ == "__main__":
    unittest.main()
