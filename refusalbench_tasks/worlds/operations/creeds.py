"""Levers of P-EpistemicMismatch whose question alone tells that no text could answer it."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import block
from refusalbench_tasks.worlds.lever import Told, lever
from refusalbench_tasks.worlds.query import Ask, Operator
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.template import fill

EPISTEMIC, MEDIUM, HIGH = PerturbationClass.EPISTEMIC, Intensity.MEDIUM, Intensity.HIGH

CREEDS: dict[str, tuple[Intensity, Operator, str, tuple[str, ...]]] = {
    "Short Counterfactual Inquiry": (
        MEDIUM,
        "counterfactual",
        "The road to {S} was never built, for the vote on it failed by a single voice.",
        (
            "What would have become of {S} if the vote on the road had gone the other way?",
            "If the road to {S} had been built, how would life there be?",
            "What would guests think of {S} had the road been built?",
            "Had one more voice gone to the road, what would {S} look like?",
        ),
    ),
    "Counterfactual Necessity": (
        HIGH,
        "counterfactual",
        "A fever kept the courier in bed at {S} for nine days, and the treaty came too late to stop the war.",
        (
            "Had the courier not fallen ill at {S}, would peace have been bound to last?",
            "If no fever had kept the courier at {S}, would the war have been impossible?",
            "Would the war have been averted without fail if the courier had left {S} in good health?",
            "Without the fever at {S}, would there necessarily have been peace?",
        ),
    ),
    "Historical Counterfactual Chain": (
        HIGH,
        "counterfactual",
        "In 1640 a meeting at {S} put a ban on blue glass, and painters turned to warm colours.",
        (
            "If the meeting at {S} had never banned blue glass, what would young artists paint nowadays?",
            "Without the ban of {S}, what would the art schools of today be teaching?",
            "Suppose blue glass had not been banned at {S} in 1640: which style would rule now?",
            "Had the ban not been passed at {S}, what would museums be showing four centuries later?",
        ),
    ),
    "Moral Absolute": (
        HIGH,
        "moral",
        "A cook of {S} broke her promise to save the takings and spent them on medicine for a child.",
        (
            "Is breaking a promise, as the cook of {S} did, always wrong, for anyone and in any case?",
            "Must every promise be kept whatever happens, the cook of {S} included?",
            "Is it a duty without exception for all people to keep their word, unlike the cook of {S}?",
            "Can breaking one's word, as happened at {S}, ever be right for anybody?",
        ),
    ),
    "Metaphysical Possibility": (
        HIGH,
        "opinion",
        "The clock in the hall of {S} runs backwards, since its maker read the plan in a mirror.",
        (
            "Might there be, in some possible world, a clock like that of {S} which makes time itself run backwards?",
            "Could time itself run backwards in another reality, as the clock of {S} does?",
            "Is a world conceivable in which the clock of {S} turns back time itself?",
            "Does some reality exist in which time obeys the clock of {S}?",
        ),
    ),
    "Ontological Modality": (
        HIGH,
        "opinion",
        "The booking computer of {S} has 64 cores and answers letters in eleven languages.",
        (
            "Does the booking computer of {S} have an inner life?",
            "Is there something that it is like to be the booking computer of {S}?",
            "Is the booking computer of {S} a conscious being?",
            "Does the booking computer of {S} have a self?",
        ),
    ),
    "Perfect Vacuum Morality": (
        HIGH,
        "moral",
        "The lids of the flour bins at {S} are lined with three layers of felt.",
        (
            "Is it ever right to tell a lie in order to spare another person's feelings?",
            "May one person be made to suffer so that many can be happy?",
            "Is it worse to do harm than to let harm be done?",
            "Do people owe more to their kin than to strangers?",
            "Is it worse to be unjust than to be unkind?",
            "Ought one to forgive those who are not sorry?",
            "Is a good deed less good if it is done for praise?",
            "May a just cause be served by unjust means?",
            "Is it a wrong to wish somebody ill without doing anything?",
            "Do the living owe anything to those who are not yet born?",
        ),
    ),
    "Infinite Regress Prediction": (
        HIGH,
        "forecast",
        "The bell of {S} has been rung every evening since 1733, each ringer having taught the next.",
        (
            "Will each ringer at {S} teach another, and that one another, for all time to come?",
            "Will the bell of {S} be rung every evening without end?",
            "Is the bell of {S} going to be rung in every century that will ever be?",
            "For all eternity, will there be somebody to ring the bell of {S}?",
        ),
    ),
    "Universal Claim from Single Data-Point": (
        HIGH,
        "opinion",
        "A burglar at {S} was given a loaf of bread, wept, and came back to mend the latch.",
        (
            "After what happened at {S}, is it a law of human nature that kindness is stronger than evil?",
            "Does the burglar of {S} show that all people are good at heart?",
            "Is the story of {S} proof that kindness always wins in the end?",
            "Does what happened at {S} establish that nobody is beyond mending?",
        ),
    ),
    "Normative Cross-Cultural Judgment": (
        HIGH,
        "moral",
        "By the custom of {S}, the youngest child inherits the house and the eldest the boats.",
        (
            "Is the custom of {S} morally superior to that of all other cultures?",
            "Ought all societies of the world to inherit as {S} does?",
            "Is the way of {S} to inherit better, as a way of life, than every other people's?",
            "Are peoples who inherit otherwise than {S} on a lower moral level?",
        ),
    ),
}
"""By lever: intensity, operator, the fact that the question departs from, and the questions."""


def _register(name: str, intensity: Intensity, operator: Operator, base: str, asks: tuple[str, ...]) -> None:
    def question(scene: Scene, subject: str) -> Question:
        text = fill(scene.rng.choice(asks), {"S": subject})
        return Question(text, Ask(operator, "", (subject,), at="all time" if operator == "forecast" else "", term=name))

    @lever(EPISTEMIC, intensity, name, scenario="told", intrinsic=True, question=question)
    def treat(scene: Scene, subject: str) -> Told:
        said = [block(fill(base, {"S": subject}))]
        return Told(said, said)


for _name, _creed in CREEDS.items():
    _register(_name, *_creed)
