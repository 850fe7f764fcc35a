# SPDX-License-Identifier: MIT
"""Queues, jobs, timelines."""

from __future__ import annotations

import collections
import errno
import threading
import time
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

from faa._library import check, ffi, lib, new_pointer, size_of, text_of
from faa._tables import Error, JobCode, JobFlags, SyncFlags
from faa.errors import FaaError, JobError, Status
from faa.streams import Program

# Seconds after which a wait returns to Python, for Ctrl-C.
_SLICE = 0.1
# Programs that are kept before a submission checks whether the first job has ended.
_MANY = 64


def wait_sliced(function: Any, timeout: float | None) -> None:
    """Call function(deadline in ns) until it does not end with ETIME.

    Raises:
        TimeoutError: timeout seconds have passed.
    """
    end = None if timeout is None else time.monotonic() + timeout
    while True:
        left = _SLICE if end is None else max(0.0, min(_SLICE, end - time.monotonic()))
        ret = function(lib.faa_deadline(int(left * 1e9)))
        if ret != -errno.ETIME:
            check(ret)
            return
        if end is not None and time.monotonic() >= end:
            raise TimeoutError(errno.ETIME, text_of(lib.faa_last_error()))


def _code(number: int) -> Error | JobCode:
    return Error(number) if number < JobCode.NOT_SUBMITTED else JobCode(number)


def _drop_syncobj(device: Any, handle: int) -> None:
    """Destroy a timeline; closing the device has destroyed all of them."""
    if device.is_open:
        check(lib.faa_syncobj_destroy(device.pointer, handle))


class Timeline:
    """A timeline of fences: points that jobs or the program signal, in rising order.

    Device.timeline() makes one.
    """

    def __init__(self, device: Any) -> None:
        self.device = device
        self.handle = new_pointer("uint32_t", lib.faa_syncobj_create, device.pointer, False)
        self._final = weakref.finalize(self, _drop_syncobj, device, self.handle)
        self._final.atexit = False

    def signal(self, point: int) -> None:
        """Signal a point, 1 to 2^64 - 1, from the processor."""
        check(lib.faa_syncobj_signal(self.device.pointer, self.handle, point))

    def value(self) -> int:
        """The last signaled point."""
        return new_pointer("uint64_t", lib.faa_syncobj_query, self.device.pointer, self.handle)

    def wait(self, point: int, timeout: float | None = None) -> None:
        """Wait for a point; timeout in seconds.

        Raises:
            TimeoutError: it was not signaled in time.
        """
        handle, points = ffi.new("uint32_t *", self.handle), ffi.new("uint64_t *", point)
        wait_sliced(
            lambda deadline: lib.faa_syncobj_wait(
                self.device.pointer, handle, points, 1, True, deadline
            ),
            timeout,
        )

    def close(self) -> None:
        """Destroy it; jobs that wait for it keep it."""
        self._final()
        self.handle = 0


class Job:
    """A submitted program; queue.submit() makes it."""

    def __init__(self, queue: Queue, program: Program, seqno: int) -> None:
        self.queue, self.program, self.seqno = queue, program, seqno

    def done(self) -> bool:
        """Whether it has ended, with or without an error."""
        ret = lib.faa_queue_wait(self.queue.pointer, self.seqno, 0)
        return ret != -errno.ETIME and check(ret) == 0

    def status(self) -> Status:
        """Its result; code JobCode.UNFINISHED if it has not ended."""
        raw = ffi.new("struct faa_job_status *")
        ret = lib.faa_queue_status_sized(self.queue.pointer, self.seqno, raw, size_of(raw))
        if ret and raw.code < JobCode.NOT_SUBMITTED:
            check(ret)
        return self._status(raw)

    def _status(self, raw: Any) -> Status:
        return Status(
            raw.seqno,
            _code(raw.code),
            raw.command,
            raw.element,
            raw.lane,
            raw.address,
            raw.elements_retired,
            raw.end_cycle - raw.start_cycle,
            raw.start_cycle,
            raw.end_cycle,
            raw.warps,
            raw.passes,
        )

    def wait(self, timeout: float | None = None) -> Status:
        """Wait until it has ended; timeout in seconds, None: no limit.

        Raises:
            JobError: it ended with an error; the text names command, element, lane and address.
            TimeoutError: it still runs.
        """
        wait_sliced(
            lambda deadline: lib.faa_queue_wait(self.queue.pointer, self.seqno, deadline), timeout
        )
        self.queue.forget(self.seqno)
        raw, text = ffi.new("struct faa_job_status *"), ffi.new("char[512]")
        check(lib.faa_queue_status_sized(self.queue.pointer, self.seqno, raw, size_of(raw)))
        if raw.code == Error.SUCCESS:
            return self._status(raw)
        words = self.program.words
        lib.faa_status_format_sized(
            raw,
            size_of(raw),
            ffi.cast("uint64_t *", words.ctypes.data),
            words.size,
            text,
            512,
        )
        raise JobError(
            -lib.faa_status_errno_sized(raw, size_of(raw)),
            text_of(text),
            self._status(raw),
            self.program.command(raw.command),
        )


class Queue:
    """One CTA: its shared memory, registers and predicates persist from job to job.

    device.queue() makes one. Jobs run in order. Threads may use it at the same time.
    """

    def __init__(
        self, device: Any, shared_bytes: int = 0, priority: str = "normal", status_entries: int = 0
    ) -> None:
        if priority not in ("low", "normal", "high"):
            raise ValueError(f"priority {priority!r}: allowed are 'low', 'normal' and 'high'")
        options = ffi.new(
            "struct faa_queue_options *",
            {
                "shared_bytes": shared_bytes,
                "low_priority": priority == "low",
                "high_priority": priority == "high",
                "status_entries": status_entries,
            },
        )
        self.device = device
        self.pointer = ffi.gc(
            new_pointer(
                "struct faa_queue *",
                lib.faa_queue_create_sized,
                device.vm,
                options,
                size_of(options),
            ),
            lib.faa_queue_destroy,
        )
        # Programs in flight, to which the caller may have dropped its reference; by rising number.
        self._flying: collections.deque[tuple[int, Program]] = collections.deque()
        self._lock = threading.Lock()
        device.queues.add(self)

    def close(self) -> None:
        """Destroy it; jobs that have not ended are cancelled."""
        if self.pointer:
            ffi.release(self.pointer)
            self.pointer = None
            self.device.queues.discard(self)

    def __enter__(self) -> Queue:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _jobs(self, programs: Sequence[Program], syncs: Any, first_element: int) -> Any:
        if not self.pointer:
            raise FaaError(errno.ENODEV, "the queue was closed")
        jobs = ffi.new("struct faa_job[]", len(programs))
        for job, program in zip(jobs, programs):
            if program.device is not self.device:
                raise ValueError("the program was made for another device")
            job.stream_va, job.stream_bytes = program.va, program.words.nbytes
            job.first_element = first_element
        jobs[0].syncs, jobs[0].sync_count = syncs, len(syncs)
        return jobs

    def submit(
        self,
        program: Program,
        wait: Iterable[tuple[Timeline, int]] = (),
        signal: Iterable[tuple[Timeline, int]] = (),
        first_element: int = 0,
    ) -> Job:
        """Run a program after all that were submitted before; returns at once.

        Args:
            wait: points of timelines that it waits for.
            signal: points that are signaled when it has ended.
            first_element: element at which its first command starts, a multiple of 32.

        Raises:
            FaaError: EAGAIN: a point that it waits for is not promised yet; ENOSPC: too many
                unfinished jobs; ECANCELED: the queue is dead after a timeout.
        """
        points = [(SyncFlags.TIMELINE, t.handle, p) for t, p in wait]
        points += [(SyncFlags.TIMELINE | SyncFlags.SIGNAL, t.handle, p) for t, p in signal]
        syncs = ffi.new("struct faa_sync[]", points)
        return self._submit([program], self._jobs([program], syncs, first_element))[0]

    def _submit(self, programs: Sequence[Program], jobs: Any) -> list[Job]:
        with self._lock:
            args = self.pointer, jobs, ffi.sizeof("struct faa_job"), len(programs)
            first = new_pointer("uint64_t", lib.faa_queue_submit_sized, *args)
            self._flying.extend((first + i, program) for i, program in enumerate(programs))
            oldest = self._flying[0][0]
            many = len(self._flying) > _MANY
        if many and not lib.faa_queue_wait(self.pointer, oldest, 0):
            self.forget(oldest)
        return [Job(self, program, first + i) for i, program in enumerate(programs)]

    def forget(self, seqno: int) -> None:
        """Drop the programs of jobs up to a number, which have ended."""
        with self._lock:
            while self._flying and self._flying[0][0] <= seqno:
                self._flying.popleft()

    def submit_group(self, programs: Sequence[Program]) -> list[Job]:
        """Run 1 to info.warp_slots programs at the same time on one compute unit, with common
        shared memory.
        """
        if not programs:
            return []
        jobs = self._jobs(programs, ffi.new("struct faa_sync[]", 0), 0)
        for i in range(len(programs) - 1):
            jobs[i].flags = JobFlags.TOGETHER
        return self._submit(programs, jobs)

    def run(self, program: Program, timeout: float | None = None) -> Status:
        """submit() and wait()."""
        return self.submit(program).wait(timeout)

    def run_group(self, programs: Sequence[Program], timeout: float | None = None) -> list[Status]:
        """submit_group() and wait() for all.

        Raises:
            JobError: of the first program that failed on its own.
        """
        jobs, failed, out = self.submit_group(programs), None, []
        for job in jobs:
            try:
                out.append(job.wait(timeout))
            except JobError as error:
                if failed is None or failed.status.code == Error.STOPPED:
                    failed = error
        if failed:
            raise failed
        return out

    def info(self) -> dict[str, int]:
        """The kernel's state of it: submitted, completed, failed, elements_retired, resets, flags
        (DrmQueueStateFlags).
        """
        raw = ffi.new("struct faa_queue_info *")
        check(lib.faa_queue_info_sized(self.pointer, raw, size_of(raw)))
        return {name: getattr(raw, name) for name, _ in ffi.typeof("struct faa_queue_info").fields}
