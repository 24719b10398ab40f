"""Text that a model gives."""

from pydantic import BaseModel

from refusalbench_tasks.generators.kit.model_text import ModelText, ModelTexts


class Given(BaseModel):
    text: ModelText
    texts: ModelTexts


def test_texts_are_valid_on_one_line_and_none_of_several_is_empty() -> None:
    given = Given(text=" two\n lines \ud800", texts=("a", " ", "b\t c"))
    assert given.text == "two lines \ufffd"
    assert given.texts == ("a", "b c")
