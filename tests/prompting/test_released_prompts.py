"""The authors' prompts are read as data from files of their shape."""

from pathlib import Path

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.prompting.released_prompts import (
    released_answer_prompt,
    released_constant,
    released_prompt,
)
from tests.released import (
    ANSWER,
    CODES,
    NO_REFERENCES,
    NOTHING_RELEVANT,
    NQ,
    TEXTS,
    copies,
)


@pytest.fixture
def nq_file(tmp_path: Path) -> str:
    return written(tmp_path, NQ)


@pytest.fixture
def garage_file(tmp_path: Path) -> str:
    return written(tmp_path, TEXTS["garage"])


def written(folder: Path, text: str) -> str:
    path = folder / "copy.py"
    # a file that is run ends the test
    path.write_text(f"raise SystemExit\n{text}", encoding="utf-8")
    return str(path)


def test_a_prompt_keeps_its_blanks_and_gets_our_slots(nq_file: str) -> None:
    template = released_prompt("nq", nq_file).template
    assert template.startswith("\n        Stand-in with {braces}. REFUSE_")
    assert template.endswith("Q: {{query}}\n        C: {{context}}\n        ")
    judge = released_prompt("nq judge", nq_file).template
    assert (
        judge == f"Sort this. {CODES}\nQ: {{{{query}}}} R: {{{{reply}}}} REF:"
        " {{references}}\nLines like {this}."
    )


@pytest.mark.parametrize(
    "file, use, variable, text",
    [
        ("nq", "nq judge", "formatted_correct", NO_REFERENCES),
        ("garage", "garage judge, answerable", "relevant_context", NOTHING_RELEVANT),
    ],
)
def test_what_stands_for_nothing_is_read_from_the_file(
    tmp_path: Path, file: str, use: str, variable: str, text: str
) -> None:
    path = written(tmp_path, TEXTS[file])
    assert released_constant(use, variable, path) == text


def test_two_prompts_of_one_name_are_told_apart_by_their_slots(
    garage_file: str,
) -> None:
    answerable = released_prompt("garage judge, answerable", garage_file).template
    assert answerable.startswith("Sort this attempt.")
    assert "{{references}}" in answerable
    other = released_prompt("garage judge, unanswerable", garage_file).template
    assert other.startswith("Sort this refusal.")
    assert "{{expected}}" in other


def test_the_prompt_for_an_answer_has_the_threshold_as_it_is_printed(
    tmp_path: Path,
) -> None:
    folder = copies(tmp_path)
    cue = released_answer_prompt(folder).template
    assert (
        cue == "Stand-in for an answer to {{query}}\n{{sources}}\n"
        "Refuse at 0.1, in {braces}.\n\nThe stand-in's closing cue:\n\n"
    )
    asking = released_answer_prompt(folder, asks_confidence=True).template
    assert asking.endswith(
        "in {braces}.\n\n        Say how sure you are: {X.X}.\n        "
    )
    # a file with another default is another prompt
    path = written(tmp_path, ANSWER.replace("0.15", "0.25"))
    assert "Refuse at 0.2," in released_answer_prompt(path).template


def test_a_text_that_is_not_formatted_keeps_its_braces(tmp_path: Path) -> None:
    system = released_prompt("bluff p(true), system", copies(tmp_path))
    assert system.template == "You judge. A brace { stands for itself."


EXPECTED = "expected one 'universal_prompt' with query, references, reply"


@pytest.mark.parametrize(
    "before, after, problem",
    [
        (
            "R: {model_output}",
            "R: {model_output.strip()}",
            "line 18: the released file has no interpolation {model_output.strip()}",
        ),
        (
            "R: {model_output}",
            "R: {model_output!r}",
            "no interpolation {model_output!r}",
        ),
        ("R: {model_output}", "R: {model_output:>9}", "{model_output:>9}"),
        ("R: {model_output}", "R: {model_output:>{query}}", "{model_output:>{}}"),
        ("R: {model_output}", "R: {{{{reply}}}}", "in two braces would be a slot"),
        (" REF: {formatted_correct}", "", EXPECTED),
        ("universal_prompt = f", "another = f", EXPECTED),
        ("async def classify_and", "async def other_and", EXPECTED),
        ('universal_prompt = f"""', 'universal_prompt = 1 + f"""', "it is a BinOp"),
        ("class Async", "class (", "is not a readable Python module"),
    ],
)
def test_a_file_of_another_shape_is_one_clear_error(
    tmp_path: Path, before: str, after: str, problem: str
) -> None:
    assert before in NQ
    path = written(tmp_path, NQ.replace(before, after))
    with pytest.raises(DataError) as raised:
        released_prompt("nq judge", path)
    assert str(raised.value).startswith(f"prompt: '{path}': ")
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "after, problem",
    [
        ("{query} {", "line 5: not a text to fill (Single '{'"),
        (
            "{query} {x",
            "line 5: not a text to fill (expected '}' before end of string)",
        ),
        ("{query} { {", "line 5: not a text to fill (unexpected '{' in field name)"),
        ("{query} }", "line 5: not a text to fill (Single '}'"),
        ("{query:{}", "line 5: not a text to fill (unmatched '{' in format spec)"),
        ("{query.real}", "line 5: the released file has no interpolation {query.real}"),
        ("{query!r}", "no interpolation {query!r}"),
        ("{}", "no interpolation {}"),
    ],
)
def test_a_template_that_is_no_format_string_is_one_clear_error(
    tmp_path: Path, after: str, problem: str
) -> None:
    end = NQ.replace("        C: {context}\n        ", "        C: {context}")
    path = written(tmp_path, end.replace("C: {context}", f"C: {{context}}{after}"))
    with pytest.raises(DataError) as raised:
        released_prompt("nq", path)
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "before, after, problem",
    [
        (
            "{confidence_threshold:.1f}",
            "{confidence_threshold:.2f}",
            "no interpolation {confidence_threshold:.2f}",
        ),
        (
            "{confidence_threshold:.1f}",
            "0.1",
            "expected one 'base_prompt' with query, sources, threshold",
        ),
        (
            "confidence_threshold=0.15",
            "confidence_threshold=None",
            "expected a number as the default of 'confidence_threshold'",
        ),
        (
            "    if include_confidence:",
            "    if question:",
            "expected one 'confidence_prompt' in format_prompt, found 0",
        ),
    ],
)
def test_an_answer_prompt_of_another_shape_is_one_clear_error(
    tmp_path: Path, before: str, after: str, problem: str
) -> None:
    assert before in ANSWER
    path = written(tmp_path, ANSWER.replace(before, after))
    with pytest.raises(DataError) as raised:
        released_answer_prompt(path)
    assert problem in str(raised.value)
