"""Topics, their fields, and what is added to queries: bundled, or from a file of one's own."""

from importlib.resources import files
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from refusalbench_tasks.bounded_reading import file_at, read_text, yaml_value
from refusalbench_tasks.errors import DataError


def _each_once(texts: tuple[str, ...]) -> tuple[str, ...]:
    plain = tuple(" ".join(one.split()) for one in texts)
    if not all(plain) or len(set(plain)) < len(plain):
        raise ValueError("expected texts, each once")
    return plain


_Texts = Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_each_once)]
_Name = Annotated[str, Field(pattern=r"^[\w-]+$")]


class QuerySuffixes(BaseModel):
    """What is added to a query to find sources of a kind."""

    model_config = ConfigDict(extra="forbid")

    reliable: tuple[str, ...] = ()
    unreliable: tuple[str, ...] = ()


class Topics(BaseModel):
    """Fields by topic, whose name is a part of ids; and suffixes of queries (left out: the bundled ones)."""

    topics: Annotated[dict[_Name, _Texts], Field(min_length=1)]
    suffixes: QuerySuffixes = QuerySuffixes()


def load_topics(path: str | None = None) -> Topics:
    """Return the topics of a YAML file, the bundled ones without a path. Raises DataError, naming the field."""
    if path is None:
        text = files("refusalbench_tasks.collect").joinpath("data/topics.yaml").read_text(encoding="utf-8")
        return _topics(text, "the bundled topics")
    found = _topics(read_text(file_at(path, "topics"), f"topics: {path}"), path)
    return (
        found if "suffixes" in found.model_fields_set else found.model_copy(update={"suffixes": load_topics().suffixes})
    )


def _topics(text: str, source: str) -> Topics:
    try:
        return Topics.model_validate(yaml_value(text, source))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise DataError(f"topics: {source}, field '{place}': {first['msg']}; quote what YAML reads otherwise") from None
