# SPDX-License-Identifier: MIT
"""Exceptions: errno and sentence of the C library, and the position of the error."""

from __future__ import annotations

import os
from dataclasses import dataclass

from faa._tables import Error, JobCode


class FaaError(OSError):
    """A call of the library failed.

    Attributes:
        errno: positive errno, as in the errno module.
        text: the sentence of the C library, without a final stop.
    """

    def __init__(self, errno: int, text: str) -> None:
        super().__init__(errno, text)
        self.text = text

    def __str__(self) -> str:
        return self.text or os.strerror(self.errno or 0)


class LibraryError(ImportError):
    """A C library of faa cannot be loaded."""


class StreamError(FaaError):
    """A command was rejected when it was added to a stream: an operand, a type, a count."""


@dataclass(frozen=True)
class Status:
    """Result of a job.

    Attributes:
        seqno: number of the job in its queue, from 1; 0: there is no job.
        code: Error.SUCCESS, the error of the device, or a JobCode.
        command: byte offset of the failed command in its stream; of END on success.
        element: failed element of that command.
        lane: its lane, 0 to 31.
        address: the offending address or word.
        elements: elements that the job completed.
        cycles: of the device from start to end; steps of the C model, which has no clock.
        start_cycle: the cycle counter of the device at the start of the job.
        end_cycle: the same counter at its end.
        warps: warps completed, modulo 2^32.
        passes: passes over the banks of shared memory, modulo 2^32.
    """

    seqno: int
    code: Error | JobCode
    command: int
    element: int
    lane: int
    address: int
    elements: int
    cycles: int
    start_cycle: int
    end_cycle: int
    warps: int
    passes: int


class JobError(FaaError):
    """A job ended with an error of the device, or was cancelled.

    Attributes:
        status: its record: code, element, lane, address.
        command: the command that failed as text; '' if it is not known.
    """

    def __init__(self, errno: int, text: str, status: Status, command: str = "") -> None:
        super().__init__(errno, text)
        self.status = status
        self.command = command

    def __str__(self) -> str:
        return f"{self.text}: {self.command}" if self.command else self.text


class AssemblyError(FaaError):
    """PTX, SASS or vISA was rejected.

    Attributes:
        line: from 1; 0: the code as a whole.
        column: from 1, in bytes; 0: the whole line.
    """

    def __init__(self, errno: int, text: str, line: int = 0, column: int = 0) -> None:
        place = f"line {line}, column {column}: " if column else f"line {line}: " if line else ""
        super().__init__(errno, place + text)
        self.line = line
        self.column = column


class SpirvError(FaaError):
    """A SPIR-V module was rejected, or a dispatch failed.

    Attributes:
        word: offset of the instruction in the module, in words.
        instruction: its name, such as OpAtomicIAdd; '' for the header.
    """

    def __init__(self, errno: int, text: str, word: int = 0, instruction: str = "") -> None:
        super().__init__(errno, f"word {word}: {instruction}: {text}" if instruction else text)
        self.word = word
        self.instruction = instruction
