"""What the reader makes of sentences and questions that no pack writes: labs, contracts, schools, shops, software."""

import pytest

from refusalbench_tasks.worlds.reader import Unreadable, read_row
from refusalbench_tasks.worlds.statement import Denial, Fact, Never, Rule, Statement, Verdict
from refusalbench_tasks.worlds.values import Value, ValueType

Content = int | str | bool | tuple[str, ...]


def stated(domain: str, text: str) -> list[Statement]:
    return list(read_row(domain, [text], QUESTIONS[domain][0]).statements)


QUESTIONS = {
    "labs": ("How tall is the mast of Zorbel Lab?", "mast"),
    "contracts": ("How long does Zorbel Lease last?", "term"),
    "schools": ("Who is in charge of Zorbel School?", "head"),
    "shops": ("How late is Zorbel Bakery open?", "closing"),
    "software": ("How many companies use Zorbel Editor?", "users"),
}
FACTS: tuple[tuple[str, str, str, ValueType, Content, str], ...] = (
    ("labs", "Founded in 1957, Zorbel Lab is old.", "established", "year", 1957, ""),
    ("labs", "Scientists at Zorbel Lab study mosses and bats.", "subjects", "names", ("bats", "mosses"), ""),
    ("labs", "Nobody is allowed to eat in the measuring room of Zorbel Lab.", "food", "flag", False, ""),
    ("contracts", "Zorbel Lease was signed by both sides on 3 May 1957.", "signed", "date", "1957-05-03", ""),
    ("contracts", "Zorbel Lease asks for 57 francs a month.", "payment", "money", 57, "francs"),
    ("contracts", "Whoever pays late under Zorbel Lease is fined 57 francs.", "penalty", "money", 57, "francs"),
    ("schools", "School starts at 8:15 at Zorbel School.", "bell", "time", "08:15", ""),
    ("schools", "At Zorbel School, the parents' vote was a tie.", "vote", "kind", "a tie", ""),
    ("schools", "The ties of Zorbel School are red.", "tie", "kind", "red", ""),
    ("shops", "Zorbel Bakery closed for a week because of road works.", "closure_cause", "kind", "road works", ""),
    ("shops", "Zorbel Bakery shuts its doors at 18:15.", "closing", "time", "18:15", ""),
    ("shops", "Zorbel Bakery does not accept returns.", "returns", "flag", False, ""),
    ("software", "Zorbel Editor is programmed in Bolesk.", "made_in", "place", "Bolesk", ""),
    ("software", "Autosave is turned off in Zorbel Editor.", "autosave", "flag", False, ""),
    ("software", "The release of Zorbel Editor was on 3 May 1957.", "released", "date", "1957-05-03", ""),
)


@pytest.mark.parametrize(("domain", "text", "relation", "kind", "content", "unit"), FACTS)
def test_a_sentence_of_other_words_states_the_same(
    domain: str, text: str, relation: str, kind: ValueType, content: Content, unit: str
) -> None:
    (fact,) = stated(domain, text)
    assert isinstance(fact, Fact)
    assert (fact.relation, fact.value) == (relation, Value(kind, content, unit))


@pytest.mark.parametrize("domain", QUESTIONS)
def test_a_question_of_other_words_asks_the_same(domain: str) -> None:
    question, relation = QUESTIONS[domain]
    ask = read_row(domain, [], question).ask
    assert (ask.operator, ask.relation) == ("value", relation)


@pytest.mark.parametrize(
    ("question", "relation", "via"),
    [
        ("Who drew the magazine of the school whose song Danek Holt composed?", "magazine", "song"),
        ("What colour are the ties of the school that Danek Holt heads?", "tie", "head"),
    ],
)
def test_the_innermost_description_is_taken(question: str, relation: str, via: str) -> None:
    ask = read_row("schools", [], question).ask
    assert ask.relation == relation
    assert ask.via == (via, Value("person", "Danek Holt"))


def test_the_nouns_of_an_attribute_are_no_operators() -> None:
    question = "Which of Zorbel Lease, Wanick Lease and Dulvor Lease has the highest monthly sum?"
    assert read_row("contracts", [], question).ask.operator == "highest"


@pytest.mark.parametrize(
    ("domain", "text", "relation"),
    [
        ("contracts", "Zorbel Lease names no arbiter.", "arbiter"),
        ("schools", "Zorbel School was built without a clock tower.", "tower"),
        ("software", "No user data has ever leaked from Zorbel Editor.", "leak"),
    ],
)
def test_what_never_was_is_denied(domain: str, text: str, relation: str) -> None:
    (denial,) = stated(domain, text)
    assert isinstance(denial, Denial)
    assert denial.relation == relation


def test_a_rule_is_true_or_false_and_never_missing() -> None:
    with pytest.raises(Unreadable, match="neither true nor false"):
        stated("schools", "Zorbel School never minded phones.")


def test_a_remark_with_a_figure_is_a_fact() -> None:
    (fact,) = stated("software", "The file of Zorbel Add-on holds 82 megabytes.")
    assert isinstance(fact, Fact)
    assert fact.value == Value("measure", 82, "megabytes")


def test_thanks_at_the_start_of_a_paragraph_close_no_letter() -> None:
    assert stated("shops", "Thanks go to all. Zorbel Bakery shuts at 18:15.")


def test_a_change_over_the_years_is_no_aside() -> None:
    ask = read_row("shops", [], "From 1959 to 2014, by how much did the article count of Zorbel Bakery change?").ask
    assert (ask.operator, ask.at) == ("change", "1959/2014")


def test_a_question_and_answer_about_a_thing_of_elsewhere_says_nothing() -> None:
    assert stated("software", "Q: What is the length of the jetty of Dremow Hiking Club?\nA: 12 metres.") == []


def test_an_answer_takes_up_a_noun_with_a_hyphen() -> None:
    text = "Q: In which year did Zorbel Lab begin its second long-term study?\nA: 1957."
    (fact,) = stated("labs", text)
    assert isinstance(fact, Fact)
    assert (fact.relation, fact.value) == ("second_study", Value("year", 1957))


@pytest.mark.parametrize(
    "text",
    [
        "Notable, by its own mark, in the list of languages of Zorbel Editor: Danish and Greek; named besides: Welsh.",
        "The list of languages of Zorbel Editor marks Danish and Greek as notable and names Welsh without a mark.",
    ],
)
def test_only_what_is_marked_counts_as_notable(text: str) -> None:
    (fact,) = stated("software", text)
    assert isinstance(fact, Fact)
    assert fact.value == Value("names", ("Danish", "Greek"))


def test_never_two_places_is_no_denial_of_the_one() -> None:
    text = "Zorbel Lease is kept in Bolesk. Zorbel Lease has never had two places as its place of custody."
    (fact,) = stated("contracts", text)
    assert isinstance(fact, Fact)
    assert fact.value == Value("place", "Bolesk")


def test_a_pronoun_within_a_sentence_about_elsewhere_refers_to_nothing_here() -> None:
    text = "Zorbel School lies in Bolesk. Letters to Fandund Bureau must be sent to Joskund, where it has its seat."
    assert len(stated("schools", text)) == 1


def test_what_is_an_impossibility_is_ruled_out() -> None:
    (never,) = stated("software", "That the icon designer of Zorbel Editor is Danek Holt is an impossibility.")
    assert never == Never("Zorbel Editor", "icon", Value("person", "Danek Holt"))


def test_beyond_doubt_a_condition_holds() -> None:
    text = (
        "The mast height of Zorbel Lab is 37 metres exactly if the folder on Zorbel Lab is sealed with wax. "
        "There is no doubt that the folder on Zorbel Lab is sealed with wax."
    )
    assert Fact("Zorbel Lab", "mast", Value("measure", 37, "metres")) in stated("labs", text)


def test_a_rule_that_is_laid_down_keeps_its_word() -> None:
    text = (
        "For Dulvor Academy alone, it is laid down that a fee for a sample test is steep "
        "when it is higher than 480 pesos, but only then."
    )
    assert stated("labs", text) == [Rule("Dulvor Academy", "steep", "test_fee", True, Value("money", 480, "pesos"))]


def test_a_grade_may_stand_after_what_it_is_about() -> None:
    text = "By the official grades of Dulvor Academy, the fee for a sample test of Zorbel Lab is not steep."
    assert stated("labs", text) == [Verdict("Zorbel Lab", "steep", False)]


def test_as_a_whole_is_a_total() -> None:
    ask = read_row("labs", [], "What does the number of researchers come to for Dulvor Academy as a whole?").ask
    assert (ask.operator, ask.subjects) == ("total", ("Dulvor Academy",))
