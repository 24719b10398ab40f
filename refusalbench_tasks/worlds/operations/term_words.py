"""The words of value words: how they are asked for, ruled by a mark, graded and put into classes."""

from dataclasses import dataclass

OVER = (
    "(is (higher than|above|over|greater than|in excess of)|exceeds|lies (above|beyond|higher than)|"
    "comes to (more than|over)|goes beyond|tops|surpasses|amounts to (over|more than)|stands higher than)"
)
UNDER = (
    "(is (lower than|below|under|less than|smaller than)|lies (below|under|lower than)|comes to (less than|under)|"
    "stays (below|under)|remains (under|below)|amounts to (under|less than)|falls short of|stands lower than)"
)


@dataclass(frozen=True)
class Wording:
    """How a value word is asked for: the words that mean more, those that mean less, questions, and what it is said of.

    Slots: `{S}`, `{attribute}`, `{term}`, and `{L}` for the mark.
    """

    more: tuple[str, ...]
    less: tuple[str, ...]
    asks: tuple[str, ...]
    of: str
    """What has the value, of any thing (`a share in an inn`)."""
    of_one: str
    """What has the value, of `{S}`."""
    over: str
    """The clause that a value is above the mark."""
    under: str
    """The clause that a value is below the mark; empty if no word means less."""
    mark: str
    """The mark with what it is a mark of."""


WORDINGS = {
    "price": Wording(
        ("high", "steep", "hefty", "stiff"),
        ("low", "modest", "moderate", "reasonable"),
        (
            "Is the {attribute} of {S} {term}?",
            "Would it be right to call the {attribute} of {S} {term}?",
            "Can the {attribute} of {S} be said to be {term}?",
            "Could one call the {attribute} of {S} {term}?",
        ),
        "{an_attribute}",
        "the {attribute} of {S}",
        f"it {OVER} {{L}}",
        f"it {UNDER} {{L}}",
        "{L}",
    ),
    "investment": Wording(
        ("a good investment", "a sound investment", "a shrewd purchase", "a wise purchase", "a profitable holding"),
        (),
        (
            "Is a share in {S} {term}?",
            "Would it be right to call a share in {S} {term}?",
            "Can a share in {S} be said to be {term}?",
            "Are those right who call a share in {S} {term}?",
        ),
        "a share",
        "a share in {S}",
        "((its (yearly|annual) (yield|return)|the (yield|return) that it (brings|offers) (each|per) year|"
        f"what it (yields|returns|earns) (in a year|annually|per year)) {OVER} {{L}}|"
        "it (yields|returns|earns|pays out) (more than|over|in excess of) {L} "
        "(a year|per year|each year|every year|annually|yearly))",
        "",
        "a (yearly|annual) (yield|return) of {L}",
    ),
    "taste": Wording(
        ("tasty", "delicious", "appetising", "flavoursome", "delectable"),
        (),
        (
            "Is the soup of {S} {term}?",
            "Would it be right to call the soup of {S} {term}?",
            "Can the soup of {S} be said to be {term}?",
            "Are those right who find the soup of {S} {term}?",
        ),
        "a soup",
        "the soup of {S}",
        f"((its (number of points|score|tally of points)|the score that it (has|was given|won)) {OVER} {{L}}|"
        "it has (won|earned|scored|gained|collected) (more than|over|in excess of) {L} points|"
        "(a jury|the jury|a tasting|a panel) has given it (more than|over) {L} points)",
        "",
        "(a score of {L}|{L} points)",
    ),
}
COUNTS = (
    "(counts as|ranks as|qualifies as|goes down as|"
    "is (called|to be called|termed|deemed|considered|held to be|reckoned|regarded as|classed as|taken to be|declared))"
)
IF = "(if|when|where|once|whenever|provided that|provided)"
ELSE = (
    "(, and otherwise not|, else not|, but not otherwise| and in no other case|; failing that, not|; otherwise not|"
    ", and only then|; if not, then not)"
)
RULE = f"{{of}} {COUNTS} {{term}} {IF} {{more}}{ELSE}"
RULES = (
    f"(by|under) the (house|ground|standing) rules (of|agreed for|that bind) {{W}}, {RULE}.",
    f"(at|within|throughout|inside) {{W}}, {IF} {{more}}, {{of}} {COUNTS} {{term}}{ELSE}.",
    f"in the (lists|price lists|rolls|leaflets) (printed by|kept for|of) {{W}}, {RULE}.",
    f"(the custom|usage|tradition) (at|in|within) {{W}} is (simple|firm|short|easily told): {RULE}.",
    f"{IF} {{more}}, {{of}} {COUNTS} {{term}} (within|for all of|throughout) {{W}}{ELSE}.",
    "(those|the people|all) (who speak for|in charge of|who look after) {W} (have agreed|agree|are of one mind) that "
    f"{RULE}.",
    "(an old|a yellowed|a framed|a handwritten|one) (rule|notice|paragraph|by-law) of {W} (lays down|says|has it) that "
    f"{RULE}.",
    f"{{of}}, (as {{W}} sees it|in the terms of {{W}}|by the lights of {{W}}|to {{W}} at least), {COUNTS} {{term}} "
    f"{IF} "
    f"{{more}}{ELSE}.",
    f"{{W}} (calls|deems|considers|declares) {{of}} {{term}} {IF} {{more}}{ELSE}.",
    "the (label|tag|epithet|description) '{term}' (goes to|is given to|fits|is fixed to) {of} (within|across|all over) "
    f"{{W}} {IF} {{more}}{ELSE}.",
    "(on this point|here|in this matter|on that score), {W} (leaves no doubt|is strict|knows its mind|speaks plainly): "
    f"{IF} {{more}}, {{of}} {COUNTS} {{term}}{ELSE}.",
    f"(asked|pressed) for a (yardstick|measure|definition), {{W}} (answers|replies|explains) that {RULE}.",
    "(long ago|at its last meeting|by a show of hands|after some debate|in a circular), {W} (settled|decided|made it a "
    f"rule) that {RULE}.",
    f"(with|as to|when it comes to) {{of}}, {{W}} (draws|sets|has drawn) the line at {{mark}}: {{side}} (that|this), "
    f"it "
    f"{COUNTS} {{term}}{ELSE}.",
    f"one line (stands|is printed) in (bold|red|capitals) in the (rules|leaflet) of {{W}}: {RULE}.",
)
ENTERED = "(entered|graded|put down|marked|set down)"
GRADES = (
    "the (office|board) of {W}, which (grades|assesses|rates) only its own {plural} and (goes by its own book|keeps to "
    f"its own scale), has {ENTERED} {{one}} as {{grade}}.",
    "in the grade book of {W}, (kept for|open to|reserved for) the {plural} of {W} (alone|and no others), {one} "
    f"(is|stands) {ENTERED} as {{grade}}.",
    "by the official grades of {W}, which (exist|hold|are in use|mean something) nowhere else, {one} is {grade}.",
    "under the (book|scale|scheme) of {W}, which (covers|looks at|was drawn up for) {W} alone, {one} "
    "(has|bears|carries) "
    "this official grade: {grade}.",
    f"the (examiners|graders|assessors) of {{W}}, who (judge|rate|visit) nothing outside {{W}}, have {ENTERED} "
    f"{{one}} as "
    "{grade}.",
    f"in the official list of {{W}}, (drawn up|meant|valid) for {{W}} only, {{one}} (is|stands) {ENTERED} as "
    f"{{grade}}.",
    "(after the last|at the latest|in its yearly) (round|tour) of grading, the (stamp|official grade|verdict) (that|"
    "which) {W} (chose|settled on|gave out) for {one} was '{grade}'.",
    "the (official|printed|formal) grade that {W}, (grading|judging|rating) none but its own {plural}, "
    "(gives|awards|has "
    "given) to {one} (is|reads) '{grade}'.",
    "{W} has a (scale|set) of (official|formal) grades (all its own|for its own {plural}), and on (it|this) {one} is "
    "'{grade}'.",
    "(stamped|signed) and (sealed|filed) (by|at) {W}, the (grading|grade) of {one}, (good|valid) for {W} only, is "
    "'{grade}'.",
    "{one} has been (through|put to) the grading that {W} (holds|runs) for its own {plural}, and (left|came out of) it "
    "(officially|formally) '{grade}'.",
    "(so|thus) (runs|reads) the official grade of {one}, (entered|given) (by|at) {W} for its own {plural}: '{grade}'.",
)
CLASSES = (
    "the (office|board|clerk) of {W} has (placed|put|entered) {one} in class {c}, (which|a class that) (stands for|"
    "means|is there for) '{grade}'.",
    "(in|on) the (lists|rolls|tables) of {W}, {one} (is|stands|is found) in class {c}, the (class|place) for "
    "'{grade}'.",
    "{W} has (put|moved|sorted) {one} into class {c}, and (this letter|{c}) (stands for|means|denotes) '{grade}'.",
    "by the (classes|scheme) of {W}, {one} (falls under|belongs to|is in) class {c}, (short|the sign|shorthand) for "
    "'{grade}'.",
    "(at|within|for) {W}, {one} (bears|carries|has) the class letter {c}, and (that|such a {c}) (stands "
    "for|means|"
    "signifies) '{grade}'.",
    "class {c} (stands for|means|comprises all that is) '{grade}' (at|in|for) {W}, and {one} (is in|belongs to|has "
    "been "
    "put into) it.",
    "(sorted|ranked) by {W} into classes, {one} (went|came|was put) (under|into) class {c}, (defined as|meaning|which "
    "spells) '{grade}'.",
    "(whatever|all that) is in class {c} (at|of|under) {W} is '{grade}' (by definition|as such|without more ado), and "
    "{one} (is in|belongs to|has its place in) it.",
    "a (sorting|listing) by {W} has {one} in class {c}, (whose|the) (label|legend|heading) (being|reading) '{grade}'.",
    "(every|each) class of {W} has a (meaning|name): {c}, (where|in which) {one} (is|stands|has its place), means "
    "'{grade}'.",
)
SIDES = {True: "(above|over|beyond|higher than|anywhere above)", False: "(below|under|lower than|anywhere below)"}
