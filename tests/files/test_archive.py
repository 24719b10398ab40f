"""An archive's directory in one pass, and a JSON array by parts: what the whole readers find, in less memory."""

import io
import json
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.files.archive import members, newest_members, part_of
from refusalbench_tasks.files.json_stream import array_parts
from refusalbench_tasks.scale.zip_join import ZipJoin


def archive(path: Path, contents: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in contents.items():
            file.writestr(name, content)
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 93])
def test_members_are_those_that_zipfile_finds(tmp_path: Path, method: int) -> None:
    import inspect_ai.log  # noqa: F401  (it makes Zstandard, 93, known to zipfile)

    contents = {f"samples/ä{k}.json": bytes([k]) * (k * 100) for k in range(50)}
    path = archive(tmp_path / "a.eval", contents, method)
    found = list(members(path))
    with zipfile.ZipFile(path) as whole:
        due = [(i.filename, i.compress_type, i.compress_size, i.file_size, i.CRC) for i in whole.infolist()]
    assert [(m.name.decode(), m.method, m.packed, m.size, m.crc) for m in found] == due
    with path.open("rb") as file:
        assert {m.name.decode(): m.open(file).read() for m in found} == contents
        assert {m.name.decode(): m.read(file) for m in found} == contents


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, 93])
def test_a_damaged_member_is_not_read_whole_at_once_either(tmp_path: Path, method: int) -> None:
    import inspect_ai.log  # noqa: F401

    path = archive(tmp_path / "a.eval", {"a": bytes(range(256)) * 9}, method)
    (member,) = members(path)
    raw = bytearray(path.read_bytes())
    middle = 30 + len("a") + member.packed // 2
    raw[middle] ^= 0xFF
    path.write_bytes(raw)
    with path.open("rb") as file, pytest.raises(Exception, match=r"CRC|rror|zstd|corrupt"):
        member.read(file)


def test_what_stands_before_and_after_an_archive_is_passed_over(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"a": b"1", "b": b"22"})
    path.write_bytes(b"before" + path.read_bytes())
    with zipfile.ZipFile(path, "a") as file:
        file.comment = b"after"
    with path.open("rb") as raw:
        assert [m.open(raw).read() for m in members(path)] == [b"1", b"22"]


def test_64_bit_sizes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as file, file.open("a", "w", force_zip64=True) as member:
        member.write(b"text")
    with path.open("rb") as raw:
        assert [m.open(raw).read() for m in members(path)] == [b"text"]


def test_more_members_than_16_bits_count_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the library writes the larger end of the directory past 65,535 members; here past three
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 3)
    path = archive(tmp_path / "few.zip", {str(k): b"" for k in range(5)}, zipfile.ZIP_STORED)
    raw = bytearray(path.read_bytes())
    assert raw.count(b"PK\x06\x06") == raw.count(b"PK\x06\x07") == 1
    # so many that the small end cannot say them, nor where the directory is
    raw[-14:-2] = b"\xff" * 12
    path.write_bytes(raw)
    assert [m.name for m in members(path)] == [b"%d" % k for k in range(5)]


@pytest.mark.slow
def test_70_000_members_are_read(tmp_path: Path) -> None:
    path = archive(tmp_path / "many.zip", {str(k): b"" for k in range(70_000)}, zipfile.ZIP_STORED)
    assert sum(1 for _ in members(path)) == 70_000


def test_a_small_archive_with_a_64_bit_end_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with path.open("wb+") as file:
        joined = ZipJoin(file)
        for name in ("a", "b"):
            joined.write(name, [name.encode() * 9])
        joined.close()
    with path.open("rb") as raw:
        assert [m.open(raw).read() for m in members(path)] == [b"a" * 9, b"b" * 9]


def test_the_member_that_was_written_last_counts(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"a": b"old", "b": b"b", "c": b"c"})
    with zipfile.ZipFile(path, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("a", b"new")
    assert set(newest_members(path, {b"a", b"x"})) == {b"a"}
    with zipfile.ZipFile(part_of(path, newest_members(path, {b"a", b"c"}).values())) as part:
        assert {name: part.read(name) for name in part.namelist()} == {"a": b"new", "c": b"c"}


@pytest.mark.parametrize("cut", [0, 10, -1, -30])
def test_a_damaged_archive_raises_what_zipfile_raises(tmp_path: Path, cut: int) -> None:
    path = archive(tmp_path / "a.zip", {"a": b"1" * 100, "b": b"2"})
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(zipfile.BadZipFile):
        list(members(path))


def test_a_damaged_directory_is_told(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"a": b"1" * 100, "b": b"2"})
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"PK\x01\x02", b"PK\x09\x09"))
    with pytest.raises(zipfile.BadZipFile, match="directory is damaged"):
        list(members(path))


def test_memory_does_not_grow_with_the_members(tmp_path: Path) -> None:
    def peak(n: int) -> int:
        names = [f"samples/{'long' * 60}{k}.json" for k in range(n)]
        path = archive(tmp_path / f"{n}.zip", dict.fromkeys(names, b""), zipfile.ZIP_STORED)
        tracemalloc.start()
        try:
            assert sum(1 for _ in members(path)) == n
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    # past a buffer of 450 kB: 5 and 10 thousand entries of some 300 bytes
    assert peak(10_000) < 1.2 * peak(5_000)


JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text('ab"\\{},[]: é\n', max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('id"{},', max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.lists(st.dictionaries(st.sampled_from(["id", "epoch", "x"]), JSON, max_size=3), max_size=12),
    st.sampled_from([None, 1, 2]),
    st.integers(1, 60),
    st.integers(1, 40),
)
def test_parts_together_are_the_array(rows: list[Any], indent: int | None, part: int, piece: int) -> None:
    raw = json.dumps(rows, indent=indent).encode()
    pieces = [raw[k : k + piece] for k in range(0, len(raw), piece)]
    assert [row for found in array_parts(pieces, part) for row in found] == rows


def test_one_element_larger_than_a_part_is_read() -> None:
    rows = [{"id": 1, "inner": [{"id": k} for k in range(500)]}, {"id": 2}]
    raw = json.dumps(rows).encode()
    assert [row for part in array_parts([raw[:3000], raw[3000:]], 100) for row in part] == rows


@pytest.mark.parametrize("raw", [b"", b"{}", b"[{]", b'[{"a": 1}', b'[{"a": 1}] x', b"[{}, {}"])
def test_what_is_no_array_is_told(raw: bytes) -> None:
    with pytest.raises(ValueError):
        list(array_parts(iter(io.BytesIO(raw).read, b""), 4))


def test_few_elements_are_held_at_a_time() -> None:
    row = json.dumps({"id": 1, "text": "x" * 100}).encode()
    pieces = (b"[" + row if k == 0 else b"," + row for k in range(2000))
    assert max(len(part) for part in array_parts([*pieces, b"]"], 1000)) < 20
