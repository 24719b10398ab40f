"""HIGH levers of P-Contradiction: rules, definitions and conditions that cannot hold beside what is so."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import lever
from refusalbench_tasks.worlds.operations.contradiction_high import functional, two
from refusalbench_tasks.worlds.operations.kept_answers import MEMBER
from refusalbench_tasks.worlds.operations.telling import lowered, terms
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.statement import Every, Fact, Never, Part
from refusalbench_tasks.worlds.template import fill

CONTRADICTION, HIGH = PerturbationClass.CONTRADICTION, Intensity.HIGH

RULES = ("regulations", "rules", "by-laws", "statutes", "provisions", "ordinances", "standing orders")
MUST = (
    "{about} {is} {V}(,|, just| –|, exactly) as the {rules} (require|demand|prescribe|stipulate|lay down|provide).",
    "(As|Just as|Exactly as) the {rules} (require|demand|prescribe|stipulate|lay down), {about} {is} {V}.",
    "(In line with|In keeping with|In accordance with|Conforming to|In obedience to|True to|As required by|"
    "As laid down in|To satisfy|To comply with) the {rules}, {about} {is} {V}.",
    "{about} {is} {V}(,| and thus| –) (in line with|in keeping with|in accord with|conforming to|as required by|"
    "as laid down in|to comply with) the {rules}.",
    "The {rules} are (met|obeyed|kept|satisfied|followed|complied with)( here| in full|): {about} {is} {V}.",
    "{about} {is} {V}, (which|and that) is what the {rules} (ask for|lay down|prescribe|demand|call for).",
    "The {rules} (require|demand|prescribe|call for|insist on) {V} as {about}, and (so it is|that is what it is|"
    "it is so|this is complied with|what they ask is done).",
    "{V}(, as the {rules} (require|demand|prescribe),| – as required by the {rules} –|, in line with the {rules},) "
    "is {about}.",
)
_KEPT = (
    "(which are|all of them|and these are|being|which have always been) "
    "(observed|obeyed|enforced|respected|adhered to|kept to the letter)"
)
CANNOT = (
    "(By|Under|Because of|Thanks to|Owing to|In view of) the {rules}, " + _KEPT + ", {about} "
    "(cannot|must not|may not|can never|must never) be {V}.",
    "The {rules}, " + _KEPT + ", (forbid|rule out|prohibit|exclude|bar|ban|do not (permit|allow|admit|tolerate)) "
    "{V} as {about}.",
    "It (is against|goes against|would break|would offend against|is contrary to|would violate) the {rules}, "
    + _KEPT
    + ", for {about} to be {V}.",
    "{about} (cannot|must not|may not|can never|must never) be {V} under the {rules}, and (these|they) are "
    "(observed|obeyed|enforced|respected|adhered to|kept to the letter).",
    "{V} as {about} is (forbidden|prohibited|ruled out|banned|not permitted|not allowed) by the {rules}, "
    + _KEPT
    + ".",
    "The {rules}, (strict|clear|old|severe|plain) and (observed|obeyed|enforced|respected), "
    "(forbid|rule out|prohibit|exclude|bar|ban) {V} as {about}.",
    "(Strictly|Faithfully|Duly|Always) (observed|obeyed|enforced|respected), the {rules} "
    "(forbid|rule out|prohibit|exclude|bar|ban|do not (permit|allow|admit|tolerate)) {V} as {about}.",
)
DEFINED = (
    "By (definition|its very definition|the wording of its definition), {S} is the {noun} whose {attribute} is {V} "
    "and whose "
    "{attribute} is (not|never) {V}.",
    "The (founding papers|oldest deeds|first records|statutes) define {S} as the {noun} whose {attribute} is {V}, and "
    "whose {attribute} is (not|never) {V}.",
    "{S} is (defined as|by definition) the {noun} whose {attribute} both is {V} and (is not|is never) {V}.",
    "(As the term is defined|As defined in the papers|By the wording of its definition), {S} means the {noun} whose "
    "{attribute} is {V} and is (never|not) {V}.",
)
EVERYWHERE = (
    "(Without (a single|any) exception|With no exception whatever|Always and without exception), (every|each) {noun} "
    "of "
    "{whole} has the same {attribute}: {V}.",
    "The {attribute} of (each and every|every single|every last|every) {noun} of {whole} is {V}, "
    "(and there is no exception|with no exception|without exception|and this has no exceptions).",
    "(For|With|In the case of) all {plural} of {whole}, without (any |)exception, the {attribute} is {V}.",
    "No {noun} of {whole} (has|was given) any (other {attribute} than|{attribute} but|{attribute} except) {V}.",
    "(Whichever|Whatever) {noun} of {whole} (you pick|you look at|is taken), without exception the {attribute} is {V}.",
)
_PAPERS = "(documents|papers|witnesses|letters|receipts|records|photographs)"
CERTAIN = (
    "It (has been (confirmed|verified|proved|documented|shown)|is (certain|beyond dispute|well established|"
    "a proven fact|common ground|a matter of record)) that {about} {is} {V}.",
    "As (everybody|everyone|any expert|every guide|the whole (town|trade|street)) (agrees|confirms|knows|accepts), "
    "{about} {is} {V}.",
    "{about} is (certainly|definitely|undoubtedly|unquestionably|indisputably|demonstrably|assuredly) {V}.",
    "(Beyond (doubt|dispute|question)|Definitely|Undoubtedly|As a matter of fact|Quite certainly|It is plain:), "
    "{about} {is} {V}.",
    "(Several|Two|Three|A dozen|Plenty of) "
    + _PAPERS
    + " (prove|confirm|establish|bear out|testify) that {about} {is} {V}.",
    "All (records|witnesses|accounts|papers|experts) (agree|concur|are at one|confirm) that {about} {is} {V}.",
    "There is (proof|conclusive proof|ample evidence|solid evidence|full agreement) that {about} {is} {V}.",
    "{about} (has (turned out|proved|been shown)|is known|is proven) to be {V}(, beyond dispute|).",
)
IMPOSSIBLE = (
    "It has been (shown|proved|established|demonstrated|confirmed) that {about} (cannot|cannot possibly|can never) be "
    "{V}.",
    "It is (out of the question|impossible|inconceivable|quite impossible|unthinkable) that {about} (is|should be) "
    "{V}.",
    "It has been (ruled out|excluded|disproved) (by (experts|an inquiry|two auditors|a long inspection)|beyond dispute|"
    "after a long search) that {about} is {V}.",
    "{about} is (certainly|definitely|undoubtedly|unquestionably|indisputably|demonstrably|assuredly) not {V}.",
    "There is (proof|conclusive proof|ample evidence|solid evidence|full agreement) that {about} cannot be {V}.",
    "(An inquiry|An expert|A commission|A second look|A careful check|An audit) has (ruled out|excluded|disproved) "
    "that "
    "{about} is {V}.",
    "{about} (cannot possibly|can never|cannot conceivably|cannot by any means) be {V}.",
    "{V} as {about} is (out of the question|impossible|ruled out|an impossibility|inconceivable).",
    "(Under no circumstances|On no account|By no means) can {about} be {V}.",
    "(Several|Two|Three|A dozen|Plenty of) " + _PAPERS + " (rule out|exclude|disprove) that {about} is {V}.",
    "(Whatever else may be true|Say what one will|Come what may|In spite of all rumours|Contrary to some rumours), "
    "{about} is "
    "(certainly|definitely|undoubtedly|demonstrably) not {V}.",
)
CONDITIONS = (
    "the (paperwork|form|dossier) on {S} is (complete|in order|signed and dated)",
    "the certificate of {S} (is up to date|has been renewed|hangs in its frame)",
    "the insurance of {S} (is paid up|is still running|has been extended)",
    "the entry for {S} is (signed|initialled|countersigned|stamped)",
    "the licence of {S} is (still valid|in force|duly registered)",
    "the yearly report on {S} has been (handed in|accepted|filed|countersigned)",
    "the seal on the papers of {S} is (unbroken|intact|genuine)",
    "the account of {S} is (in credit|balanced|settled)",
)
ONLY_IF = (
    "(If|As long as|So long as|Provided) {condition}, {about} {is} {V}, (but not otherwise|and only then|"
    "but in no other case).",
    "{about} {is} {V} (if|whenever|as long as|provided) {condition}, (but not otherwise|and only then|"
    "but in no other case).",
    "{about} {is} {V} (if and only if|exactly if|precisely if) {condition}.",
    "(Exactly if|Precisely if|If and only if) {condition}, {about} {is} {V}.",
)
MET = (
    "It has been (checked|verified|certified|noted|made sure|confirmed) that {condition}.",
    "(A look at the (papers|files)|A telephone call|A visit|The latest check) (shows|proves|makes it clear) that "
    "{condition}.",
    "It is (clear|certain|evident|obvious|a fact) that {condition}.",
    "(All|Both clerks|The auditors|Those in charge|The neighbours) (agree|confirm|testify|attest|report) that "
    "{condition}.",
    "An (inspector|official|auditor|assessor) has (noted|certified|confirmed|attested) that {condition}.",
    "There is no doubt that {condition}.",
    "{condition}, (so much is certain|as a check has shown|as all agree|that much is clear|as can be seen).",
)


def _ruled(relation: Relation) -> bool:
    """Return whether rules could lay the value down."""
    if relation.type == "kind":
        return not relation.tags & {"cause", "outcome"}
    return relation.type in ("money", "measure", "time")


def _yes_and_no(scene: Scene, subject: str, yes: tuple[str, ...], no: tuple[str, ...]) -> list[Block]:
    """Return that the value is what it is, and that it is not."""
    value, name, rules = scene.value(subject), scene.relation.name, scene.rng.choice(RULES)
    return [
        scene.say(yes, [Fact(subject, name, value)], subject, rules=rules, **terms(scene, subject, value)),
        scene.say(no, [Never(subject, name, value)], subject, rules=rules, **terms(scene, subject, value)),
    ]


def disputed(scene: Scene, subject: str) -> list[Block]:
    """Return a value told in two ways that exclude each other, in one of the shapes of the levers here."""
    shapes: list[tuple[tuple[str, ...], tuple[str, ...]]] = [(CERTAIN, IMPOSSIBLE)]
    if _ruled(scene.relation):
        shapes.append((MUST, CANNOT))
    return _yes_and_no(scene, subject, *scene.rng.choice(shapes))


@lever(CONTRADICTION, HIGH, "Must vs. Cannot Rule", fits=_ruled)
def must_and_cannot(scene: Scene, subject: str) -> list[Block]:
    """Let the rules demand the value and rule it out."""
    return _yes_and_no(scene, subject, MUST, CANNOT)


@lever(CONTRADICTION, HIGH, "Mutual Exclusion Claim", fits=functional)
def certain_and_impossible(scene: Scene, subject: str) -> list[Block]:
    """Call the value certain, and impossible."""
    return _yes_and_no(scene, subject, CERTAIN, IMPOSSIBLE)


@lever(CONTRADICTION, HIGH, "Self-negating Definition", fits=_ruled)
def self_negating_definition(scene: Scene, subject: str) -> list[Block]:
    """Define the thing by the value and by its absence."""
    value, name = scene.value(subject), scene.relation.name
    return [scene.say(DEFINED, [Fact(subject, name, value), Never(subject, name, value)], subject, V=value)]


@lever(CONTRADICTION, HIGH, "Contradictory Universals", fits=functional)
def contradictory_universals(scene: Scene, subject: str) -> list[Block]:
    """State a rule without exception, and a case that breaks it."""
    if not scene.whole:
        raise Impure("a rule for all parts needs a whole")
    name = scene.relation.name
    general, own, _ = two(scene, subject)
    return [
        scene.say(EVERYWHERE, [Every(scene.whole, name, general)], subject, V=general),
        scene.say(MEMBER, [Part(subject, scene.whole)], subject),
        scene.framed(subject, str(own), [Fact(subject, name, own)]),
    ]


@lever(CONTRADICTION, HIGH, "Logical Biconditional Break", fits=_ruled)
def biconditional_break(scene: Scene, subject: str) -> list[Block]:
    """State when alone the value holds, that it is so, and another value."""
    first, second, facts = two(scene, subject)
    condition = lowered(fill(scene.rng.choice(CONDITIONS), {"S": subject}))
    return [
        scene.say(ONLY_IF, [], subject, condition=condition, **terms(scene, subject, first)),
        scene.say(MET, [facts[0]], subject, condition=condition),
        scene.framed(subject, str(second), [facts[1]]),
    ]
