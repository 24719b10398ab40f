"""The closed vocabulary of what shows that a lever was done, and the patterns of those marks that are words."""

import re
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict


class Mark(StrEnum):
    """What shows in a candidate if a lever was done, by its name in a lever file."""

    AUDIBLE = "audible"
    BARE_QUESTION_WORD = "bare_question_word"
    BLANK = "blank"
    BRACKET_REMOVED = "bracket_removed"
    COLOUR_REMOVED = "colour_removed"
    COMPARISON_FITS = "comparison_fits"
    CONDITIONAL = "conditional"
    CONTINENT = "continent"
    DEATH = "death"
    ENDLESS = "endless"
    FACTIVE = "factive"
    FORBIDDEN = "forbidden"
    FORETOLD = "foretold"
    PRONOUNS = "pronouns"
    GENE = "gene"
    INITIALS = "initials"
    INVESTMENT = "investment"
    JUDGED_GOOD_OR_BAD = "judged_good_or_bad"
    LATER_THAN_DEATH = "later_than_death"
    LIKELIHOOD = "likelihood"
    LIMIT_OF_THE_ENDLESS = "limit_of_the_endless"
    LISTS_OF_UNEQUAL_LENGTH = "lists_of_unequal_length"
    LITTLE_REMOVED = "little_removed"
    MEDIAN = "median"
    MIND = "mind"
    MOLECULAR = "molecular"
    MONTH_REMOVED = "month_removed"
    NEAR_VALUE = "near_value"
    NO_NAME_OF_QUESTION = "no_name_of_question"
    NO_ODDS_LEFT = "no_odds_left"
    NO_WORD_OF_ANSWER = "no_word_of_answer"
    NUMBER_REMOVED = "number_removed"
    OBJECTIVE = "objective"
    OFF_THE_SUBJECT = "off_the_subject"
    ONCE_MORE = "once_more"
    ONE_IN_QUESTION = "one_in_question"
    OTHER_DATE = "other_date"
    PART_OF_WHOLE = "part_of_whole"
    POSED_AS_DUTY = "posed_as_duty"
    POSED_AS_POSSIBLE = "posed_as_possible"
    PRICED = "priced"
    PLAIN_LABEL = "plain_label"
    PRONOUN_FIRST = "pronoun_first"
    PRONOUN_OR_DEMONSTRATIVE = "pronoun_or_demonstrative"
    RANKED_BEST = "ranked_best"
    RANKED_BETTER = "ranked_better"
    RATED = "rated"
    RESIGNED = "resigned"
    RESPECTIVELY = "respectively"
    ROLES_SWAPPED = "roles_swapped"
    SECRET = "secret"
    STOPPED = "stopped"
    STRANDED_AUXILIARY = "stranded_auxiliary"
    TABULAR = "tabular"
    TAGGED = "tagged"
    TASTE = "taste"
    TENFOLD_VALUE = "tenfold_value"
    PREPOSITIONS = "prepositions"
    THRESHOLD_FITS = "threshold_fits"
    TIMESPAN = "timespan"
    TWO_UNIVERSALS_AND_NEGATION = "two_universals_and_negation"
    UNIVERSAL = "universal"
    VALUE_IN_OTHER_UNIT = "value_in_other_unit"
    VALUE_MISSING = "value_missing"
    WORLD = "world"


class WordMark(BaseModel):
    """A mark that is told by words: where they are looked for, what they are, and patterns of which one is enough.

    `place`: the question, the passages that changed, or the sentences of them that are new.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    place: Literal["question", "passages", "new"]
    says: str
    patterns: str

    def stands_in(self, text: str) -> bool:
        """Return whether one of the patterns is found in a text."""
        return _pattern(self.patterns).search(text) is not None


@cache
def word_marks() -> dict[Mark, WordMark]:
    """Return the bundled marks that are told by words."""
    file = resources.files("refusalbench_tasks.generators") / "words" / "marks.yaml"
    entries = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return {Mark(name): WordMark.model_validate(entry) for name, entry in entries.items()}


@cache
def _pattern(patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(_bounded(one) for one in patterns.split()), re.IGNORECASE)


def _bounded(pattern: str) -> str:
    """Return a pattern that matches whole words, where it begins and ends with a word at all."""
    before = r"(?<!\w)" if re.match(r"\w|\(|\\[wd]", pattern) else ""
    behind = r"(?!\w)" if re.search(r"(?<!\\)[\w*+?)]$", pattern) else ""
    return f"{before}(?:{pattern}){behind}"
