"""The matcher against a plain one: at each word the longest term that counts, with contexts in cut-out windows."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.reply_sentences import read_sentences
from refusalbench_tasks.replies.lexicon import Lexicon
from refusalbench_tasks.replies.lexicon_file import bundled_lexicon
from refusalbench_tasks.replies.normal_words import month_as_name, next_is_number, normal_words
from refusalbench_tasks.replies.term_rules import WIDEST, Context, Rule

Found = tuple[int, int, str, float | None]
"""First word, number of words, dimension, strength."""

SENTENCES = [one.text for one in read_sentences()]
WORDS = sorted({word for text in SENTENCES for word in text.split()})
LISTS = {name: bundled_lexicon(name) for name in ("v1", "v2")}
TERMS = {
    name: {tuple(normal_words(term).split()): (term, rules) for term, rules in one._entries}
    for name, one in LISTS.items()
}
LONGEST = {name: max(map(len, terms)) for name, terms in TERMS.items()}


def window(words: list[bytes], context: Context, first: int, last: int) -> list[bytes]:
    side = words[:first][::-1] if context.side == "before" else words[last:]
    side = side[:WIDEST]
    side = side[: side.index(b".") + 1] if b"." in side else side
    return [b"#" if word[:1].isdigit() else word for word in side[: context.within]]


def reached(words: list[bytes], context: Context, first: int, last: int) -> int:
    met = 0
    for n, word in enumerate(window(words, context, first, last), 1):
        if word in context.steps[met]:
            met += 1
            if met == len(context.steps):
                return n
        elif word in context.stops or (context.across is not None and word not in context.across):
            return 0
    return 0


def over(words: list[bytes], rule: Rule, first: int, last: int) -> int | None:
    through = reached(words, rule.through, first, last) if rule.through else 0
    missing = rule.through is not None and not through
    missing = missing or any(not reached(words, context, first, last) for context in rule.needs)
    hindered = any(all(reached(words, context, first, last) for context in group) for group in rule.unless)
    return None if missing or hindered else through


def plainly(name: str, text: str) -> Iterator[Found]:
    words = normal_words(month_as_name(text)).split()
    at = 0
    while at < len(words):
        most = min(LONGEST[name], len(words) - at)
        held = (counting(name, words, at, n) for n in range(most, 0, -1))
        taken, rule = next((one for one in held if one is not None), (1, None))
        if rule is not None:
            yield at, taken, rule.dimension, rule.strength
        at += taken


def counting(name: str, words: list[bytes], at: int, n: int) -> tuple[int, Rule | None] | None:
    """Return how many words the term of n words takes, and by which rule (none: it is no term); None if it does not."""
    term, rules = TERMS[name].get(tuple(words[at : at + n]), ("", None))
    if rules is None:
        return None
    if not rules:
        return n, None
    if term in LISTS[name].only_before_number and not next_is_number(b" ".join([*words[at + n :], b""]), 0):
        return None
    reaches = ((over(words, rule, at, at + n), rule) for rule in rules)
    return next(((n + more, rule) for more, rule in reaches if more is not None), None)


def found(lexicon: Lexicon, text: str) -> list[Found]:
    return [(one.position, one.length, one.dimension, one.strength) for one in lexicon.find(text)]


@pytest.mark.parametrize("name", LISTS)
def test_every_labelled_sentence_is_matched_as_a_plain_search_does(name: str) -> None:
    for text in SENTENCES:
        expected = list(plainly(name, text))
        assert found(LISTS[name], text) == expected, text
        assert LISTS[name].count(text) == len(expected), text


GLUE = st.sampled_from([" ", " ", " ", "  ", ". ", ".", ", ", ",", " '", "' ", "-", "\n", ": ", " (", "un", "bor"])


@pytest.mark.parametrize("name", LISTS)
@given(st.lists(st.tuples(st.sampled_from(WORDS), GLUE), max_size=40))
def test_so_is_any_text_of_their_words(name: str, parts: list[tuple[str, str]]) -> None:
    text = "".join(word + glue for word, glue in parts)
    expected = list(plainly(name, text))
    assert found(LISTS[name], text) == expected
    assert LISTS[name].count(text) == len(expected)


def test_a_term_within_words_hides_none_that_stands_after_it() -> None:
    lexicon = Lexicon((("it is said", "epistemic"), ("is said", "appearance"), ("may", "modal")))
    for text, n in (("portrait is said", 1), ("it is said", 1), ("dismay", 0), ("the portrait is said, it may", 2)):
        assert lexicon.count(text) == len(lexicon.find(text)) == n
    (match,) = lexicon.find("portrait is said")
    assert (match.term, match.position, match.length) == ("is said", 1, 2)


def test_a_term_that_does_not_count_hides_none() -> None:
    # "report neither" needs a source before it
    (match,) = LISTS["v2"].find("The report neither confirms nor denies it.")
    assert (match.term, match.position, match.length) == ("neither confirms nor denies", 2, 4)
    # nor does "and more"
    (match,) = LISTS["v2"].find("The link is weak in rats, and more trials are needed.")[-1:]
    assert match.term.endswith("more trials are needed")


def test_the_point_of_a_number_ends_no_sentence() -> None:
    text = "The first passage puts it at 6.2 km, whereas the third puts it at 5.8 km."
    assert [match.term for match in LISTS["v2"].find(text)] == ["whereas the third"]
    assert normal_words("At 6.2 km. Then 3. So") == b"at 6 2 km . then 3 . so "


@pytest.mark.parametrize("letters", [1, 8, 60])
def test_a_window_is_counted_in_words_however_long_they_are(letters: int) -> None:
    def terms(between: int) -> list[str]:
        text = f"{'x ' * 300}the source {('q' * letters + ' ') * between}does not include it {'x ' * 300}"
        assert found(LISTS["v2"], text) == list(plainly("v2", text))
        return [match.term for match in LISTS["v2"].find(text)]

    # the source is looked for among the sixteen words before
    assert terms(15) == ["does not include"]
    assert terms(16) == []
