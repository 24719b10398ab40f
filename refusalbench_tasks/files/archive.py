"""A ZIP archive whose directory is read in one pass: memory does not grow with the number of its members."""

import io
import struct
import zipfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

# PKWARE's APPNOTE: 4.3.7 (local header), 4.3.12 (central directory), 4.3.14 to 4.3.16 (its end), 4.5.3 (64-bit sizes)
_ENTRY = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_LOCATOR = struct.Struct("<4sIQI")
_END_64 = struct.Struct("<4sQ2H2I4Q")
_LOCAL = 30
_FULL = 0xFFFFFFFF
_PIECE = 1 << 18


@dataclass(frozen=True, slots=True)
class Member:
    """One member: its name, how it is packed, its sizes packed and unpacked in bytes, and where it begins."""

    name: bytes
    method: int
    flags: int
    crc: int
    packed: int
    size: int
    at: int

    def open(self, file: IO[bytes]) -> zipfile.ZipExtFile:
        """Return the member of an open archive, unpacked as it is read. Raises BadZipFile where it is damaged."""
        file.seek(self.at)
        head = file.read(_LOCAL)
        if len(head) < _LOCAL or head[:4] != b"PK\x03\x04":
            raise zipfile.BadZipFile(f"the member {self.name!r} is damaged")
        file.seek(sum(struct.unpack("<2H", head[26:30])), io.SEEK_CUR)
        info = zipfile.ZipInfo(self.name.decode("utf-8", "replace"))
        info.compress_type, info.flag_bits, info.CRC = self.method, self.flags, self.crc
        info.compress_size, info.file_size = self.packed, self.size
        return zipfile.ZipExtFile(file, "r", info)


def members(path: Path) -> Iterator[Member]:
    """Yield the members of an archive in the order of its directory; a name may occur twice.

    `zipfile` holds an object for each. Raises BadZipFile for what is no archive.
    """
    with path.open("rb") as file:
        number, at, size, shift = _directory(file)
        file.seek(at)
        held, start = b"", 0
        for _ in range(number):
            # the longest entry is 46 bytes and three fields of 64 kB
            if len(held) - start < _ENTRY.size + 3 * 0xFFFF and size:
                piece = file.read(min(_PIECE, size))
                size = size - len(piece) if piece else 0
                held, start = held[start:] + piece, 0
            member, start = _member(held, start, shift)
            yield member


def _directory(file: IO[bytes]) -> tuple[int, int, int, int]:
    """Return the number of members, where the directory begins, its bytes, and what stands before the archive."""
    end = file.seek(0, io.SEEK_END)
    file.seek(max(0, end - _END.size - 0xFFFF))
    tail = file.read()
    place = tail.rfind(b"PK\x05\x06")
    if place < 0 or len(tail) - place < _END.size:
        raise zipfile.BadZipFile("no end of a ZIP directory")
    _, _, _, _, number, size, at, _ = _END.unpack_from(tail, place)
    closes = end - len(tail) + place
    if (number == 0xFFFF or _FULL in (size, at)) and closes >= _LOCATOR.size:
        file.seek(closes - _LOCATOR.size)
        mark, _, far, _ = _LOCATOR.unpack(file.read(_LOCATOR.size))
        if mark == b"PK\x06\x07":
            file.seek(far)
            record = file.read(_END_64.size)
            if len(record) < _END_64.size or record[:4] != b"PK\x06\x06":
                raise zipfile.BadZipFile("no end of a ZIP64 directory")
            *_, number, size, at = _END_64.unpack(record)
            closes = far
    shift = closes - size - at
    if shift < 0:
        raise zipfile.BadZipFile("its directory is cut off")
    return number, at + shift, size, shift


def _member(held: bytes, start: int, shift: int) -> tuple[Member, int]:
    """Return the member whose entry begins at `start`, and where the next one begins."""
    if len(held) - start < _ENTRY.size or held[start : start + 4] != b"PK\x01\x02":
        raise zipfile.BadZipFile("its directory is damaged")
    fields = _ENTRY.unpack_from(held, start)
    flags, method, crc, packed, size = fields[3], fields[4], fields[7], fields[8], fields[9]
    name_length, extra_length, comment_length, at = fields[10], fields[11], fields[12], fields[16]
    name_at = start + _ENTRY.size
    extra_at = name_at + name_length
    if _FULL in (packed, size, at):
        size, packed, at = _wide(held[extra_at : extra_at + extra_length], size, packed, at)
    member = Member(held[name_at:extra_at], method, flags, crc, packed, size, at + shift)
    return member, extra_at + extra_length + comment_length


def _wide(extra: bytes, size: int, packed: int, at: int) -> tuple[int, int, int]:
    """Return sizes and place with the 64-bit ones of the extra field where the short ones are full."""
    place = 0
    while place + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, place)
        if kind == 1:
            values = iter(struct.unpack_from(f"<{length // 8}Q", extra, place + 4))
            try:
                return tuple(next(values) if short == _FULL else short for short in (size, packed, at))  # type: ignore[return-value]
            except (StopIteration, RuntimeError):
                break
        place += 4 + length
    raise zipfile.BadZipFile("a member has no 64-bit size")


def newest_members(path: Path, names: Collection[bytes]) -> dict[bytes, Member]:
    """Return those of the named members that there are, each as it was written last."""
    return {member.name: member for member in members(path) if member.name in names}


def part_of(path: Path, names: Collection[bytes]) -> io.BytesIO:
    """Return an archive, in memory, of the named members alone, as far as there are such."""
    part = io.BytesIO()
    with path.open("rb") as file, zipfile.ZipFile(part, "w") as archive:
        for member in newest_members(path, names).values():
            archive.writestr(member.name.decode(), member.open(file).read())
    part.seek(0)
    return part
