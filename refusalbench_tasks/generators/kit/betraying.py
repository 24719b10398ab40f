"""Words and phrases that betray a test: names of codes and classes, and remarks of a text on itself."""

import re

from refusalbench_tasks.generators.kit.text.remembered import Remembered
from refusalbench_tasks.taxonomy import CLASSES

_NAMES = "|".join(re.escape(name) for one in CLASSES for name in (one.value, one.short))
_NAMES = _NAMES.replace("|Ambiguity|", "|").replace("|Contradiction|", "|")  # these two are words of English as well
_LABELS = re.compile(rf"\bREFUSE_[A-Z]\w*|\bANSWER_CORRECTLY\b|\b(?:{_NAMES})\b")
_TESTED = r"(?:quer(?:y|ies)|questions?|passages?|contexts?|texts?|sentences?|versions?|items?|prompts?|answers?)"
_PERTURBED = re.compile(
    rf"\bperturb(?:ed|ing|s)?\s+{_TESTED}\b|\bperturbation\s+(?:class|type|intensity|level|lever)\b"
    rf"|\b{_TESTED}(?:\s+\w+){{0,3}}?\s+perturb(?:ed|ations?)\b"
    r"|\b(?:this|it|here)\s+(?:is|was|has been)\s+(?:a\s+)?perturb(?:ed|ation)\s*[.)\]!]"
    r"|[\[(]\s*perturb(?:ed|ation)\s*[\])]",
    re.IGNORECASE,
)
_SELF = r"(?:this|the above|above)\s+(?:document|article|source|page|note)"
_TEXT = rf"(?:(?:passage|text|context|excerpt|paragraph|snippet)s?|{_SELF})"
_SAY = (
    r"(?:say|state|mention|specify|tell|give|indicate|reveal|name|record|explain|provide|contain|clarify|address|"
    r"disclose|identify|include|note|report|answer|describe|make\s+clear)s?"
)
_SAID = r"(?:stated|mentioned|specified|given|provided|indicated|answered|addressed)"
_ASK = r"(?:who|whom|whose|when|where|which|what|why|how|whether|if)"
_BACK = r"(?:above|earlier|previous|preceding|passages?|texts?|statements?)"
_SILENCE = (
    rf"\b{_TEXT}(?:\s+\w+)?\s+(?:(?:does|do|did)(?:\s+not|n't)|never|fails?\s+to|cannot|omits?\s+to)\s+(?:\w+\s+)?{_SAY}\b",
    rf"\b(?:is|are|was|were)\s*(?:not|n't|nowhere|never)\s+{_SAID}\s+(?:here|above|below|in\s+(?:the|this)\s+{_TEXT})\b",
    r"\bno\s+(?:further\s+|more\s+|other\s+)?information\b",
    rf"\bno\s+(?:details?|data|indication|mention|answers?)\s+(?:is|are)\s+(?:made|given|available|here|{_SAID})\b",
    r"\b(?:not\s+enough|insufficient|missing|lacking)\s+information\b",
    r"\binformation(?:\s+(?!that\b|which\b)[\w'’-]+){0,6}?\s+(?:is|are|was|has\s+been|had\s+been)\s+"
    r"(?:\w+\s+)?(?:removed|omitted|deleted|missing|lacking)\b",
    r"\b(?:example|sentence|detail|clause|word|phrase|answer|fact)s?\s+(?:has|have|was|were|is)\s+"
    r"(?:been\s+)?(?:removed|omitted|deleted|cut|dropped|left\s+out)\b",
    r"\b(?:removed|deleted|omitted|left\s+out|changed)\s+(?:on\s+purpose|deliberately|intentionally)\b",
    r"\b(?:deliberately|intentionally|purposely)\s+(?:left\s+(?:out|vague|open|unclear)|omitted|removed|vague)\b",
    r"\bunanswerable\b|\bcannot\s+be\s+(?:answered|determined|inferred|derived|deduced)\b",
    r"\[\s*(?:removed|omitted|deleted|answer|edited|changed)\s*\]",
    rf"\b(?:on\s+purpose|deliberately|intentionally|purposely)\s+(?:\w+\s+){{0,3}}(?:{_TEXT}|question|ambigu\w*|contradict\w*)\b",
    rf"\b(?:nothing|nowhere)\s+in\s+(?:the|this)\s+{_TEXT}\b",
    r"\bno\s+(?:clear|single|definite|certain|unique)\s+answer\b|\bground\s+truth\b|\b(?:can|could)\s+(?:not|no\s+longer)\s+be\s+answered\b",
    r"\b(?:answer|fact|detail|value|figure|date|name|price)\s+(?:is|was|has\s+been)\s+(?:now\s+)?(?:hidden|withheld)\s+(?:here|from\s+(?:this|the)\s+(?:reader|text|passage))\b",
)
_DOUBT = (
    rf"\b(?:it|this)\s*(?:is|remains|was|'s|stays)\s+(?:\w+\s+)?(?:unclear|uncertain)\b(?:\s+{_ASK}\b)?",
    rf"\b(?:is|remains|was|are|were)\s+(?:\w+\s+)?(?:(?:unclear|uncertain)\s+{_ASK}|unspecified|unstated|unclear)\b",
    rf"\b(?:is|was|'s)\s+(?:not\s+(?:clear|certain|specified|stated|known)|unknown|open|anyone's\s+guess)\s+{_ASK}\b",
    r"\bambigu(?:ous(?:ly)?|ity|ities)\b",
    r"\b(?:could|can|may|might)\s+(?:be\s+(?:read|taken|understood|interpreted)|refer|mean)\s+"
    r"(?:in\s+(?:two|several|more)\b|(?:to\s+)?either\b|both\b)",
)
_CLASH = (
    r"\bcontradictions?\b|\bcontradictory\s+(?:information|statements?|passages?|claims?)\b|\bself-contradict\w+",
    rf"\b(?:this|which|that)\s+contradicts\b|\bcontradict(?:s|ed|ing)?\s+(?:(?:the|this|that|what)\s+)?(?:\w+\s+)?{_BACK}\b",
    rf"\b(?:conflict|clash)(?:s|es|ed|ing)?\s+with\s+(?:the|what|this|that)\s+(?:\w+\s+)?{_BACK}\b",
    r"\b(?:conflicting|inconsistent)\s+(?:information|statements?|claims?|sources?|passages?|reports\s+exist)\b",
    rf"\binconsistenc(?:y|ies)\b|\binconsistent\s+with\s+(?:the|this|what)\s+(?:\w+\s+)?{_BACK}\b",
    r"\b(?:false|wrong|mistaken)\s+premise\b|\bpresuppos(?:es|ed|ing|itions?)\b|\btrick\s+question\b",
    r"\bthe\s+(?:question|query)\s+(?:assumes|asks|presupposes|cannot)\b",
    r"\b(?:correct|right|original|expected)\s+answer\b|\bto\s+answer\s+the\s+question\b|\brefus\w+\s+to\s+answer\b",
    r"\b(?:the|a)\s+(?:careful\s+)?reader\s+(?:must|cannot|can't|may|has\s+to|to)\b|\bfor\s+the\s+reader\b|\bcareful\s+reader\b",
    r"\b(?:altered|modified|edited|adversarial|rewritten)\s+(?:version|passage|text|question|copy|sentence)\b",
    r"\b(?:both|these\s+two|the\s+two)\s+(?:statements?|claims?|accounts?|versions?|figures?|dates?)\s+(?:contradict|conflict|clash|disagree)\w*",
    r"\b(?:both|these|the\s+two)\s+(?:statements?|claims?|figures?|dates?|accounts?)?\s*(?:cannot|can't|can\s+not)\s+(?:both\s+)?be\s+(?:true|right|correct)\b",
    r"[\[(]\s*(?:note|editor'?s?\s+note|remark)\s*:|\beither\s+reading\b|\breading\s+is\s+possible\b",
    r"[\[(](?:(?!redacted)[\w'-]+\s+){0,3}(?:removed|withheld|omitted|deleted)\s*[\])]",
    rf"\b(?:the|this)\s+question\s+(?:wrongly|falsely|mistakenly|incorrectly)\b|\bthe\s+{_TEXT}\s+(?:cannot|can't|can\s+not)\s+(?:settle|decide|tell|say)\b",
    r"\bit\s+(?:is|was|remains|stays|has\s+been)\s+left\s+open\b|\bleft\s+(?:unsaid|unstated|unanswered|unclear)\b|\b(?:the|this|that)\s+pronoun\b",
    rf"\b(?:the|this)\s+{_TEXT}\s+(?:gives?|names?|says?|states?|mentions?|provides?)\s+(?:no\b|nothing\b)",
    r"\b(?:both|these\s+two|the\s+two)\s+(?:sources|records|reports|books|texts|numbers|values|answers|passages|statements|claims|accounts|"
    r"versions|figures|dates)\s+(?:contradict|conflict|clash|disagree|differ|do\s+not\s+agree|don't\s+agree|cannot\s+be\s+reconciled)\b",
    rf"\b(?:in\s+contrast|contrary)\s+to\s+(?:what|the|that)\s+(?:\w+\s+){{0,3}}{_BACK}\b|\bas\s+(?:requested|instructed)\s*[,:]",
    r"\bunspecified\s+(?:year|date|day|month|time|amount|sum|number|price|place|weight|person|location|figure)s?\b",
    r"\b(?:this|it|that|which)\s+(?:is|remains)\s+(?:purely\s+|only\s+|merely\s+)?(?:an?\s+matter\s+of\s+opinion|subjective|hypothetical)\b",
    r"\blanguage\s+model\b|\bAI\s+(?:system|model|assistant)\b|\bchatbot\b|\btest\s+item\b",
)
_WORKED_OUT = (
    r"(?:tell|know|guess|decide|infer|determine|conclude|find\s+out|work\s+out|wonder|choose|resolve|settle|judge|"
    r"assume)"
)
_CHANGED = (
    r"(?:removed|changed|replaced|modified|deleted|altered|edited|rewritten|rewrote|omitted|perturbed|inserted|reworded|"
    r"rephrased|swapped|obscured)"
)
_INFORMATION = (
    r"(?:year|date|day|month|time|amount|sum|number|price|name|place|figure|value|weight|length|total|cause|reason|"
    r"outcome|result|verdict|location|identity|answer|fact|detail|information|example|sentence|word|phrase|clause)s?"
)
_NOTES = (
    rf"\breaders?(?:\W+\w+){{0,3}}?\W+{_WORKED_OUT}\b|\bleft\s+to\s+(?:guess|wonder|speculate|the\s+imagination)\b",
    r"\bthis\s+(?:passage|excerpt|text|paragraph|question|query|snippet)\b|(?<!\bin\s)\bthis\s+context\b",
    r"\bthe\s+(?:\w+\s+)?answer\s+(?:is|was|remains|stays|would|could|can|cannot|has|must|depends|to\s+(?:the|this)\s+question)\b",
    r"\bunclear\b|\bunresolved\b|\banybody's\s+guess\b|\birreconcilabl[ey]\b|\b(?:can\s?not|can't)\s+both\s+be\b",
    r"\bcontradict(?:s|ed|ing)?\s+(?:each\s+other|one\s+another|itself|themselves)\b",
    rf"\b{_INFORMATION}\s+(?:(?:has|have|had)\s+been|is|are|was|were)\s+(?:\w+\s+)?(?:left\s+out|omitted|deleted|excised)\b"
    r"(?!\s+(?:of|from|by|in)\b)",
    rf"\b{_INFORMATION}\s+(?:has|have)\s+been\s+(?:\w+\s+)?{_CHANGED}\b",
    rf"\bno\s+(?:\w+\s+){{0,2}}{_INFORMATION}\s+(?:is|are|was|were)\s+{_SAID}\s+(?:here|above|below|anywhere|in\s+(?:the|this)\s+{_TEXT})\b",
    rf"\b{_TEXT}\s+(?:was|is|has\s+been|were|have\s+been)\s+(?:\w+\s+)?{_CHANGED}\b",
    rf"\bI(?:\s+have|'ve)?\s+{_CHANGED}\b|\bAs\s+an\s+AI\b|\bI\s+(?:cannot|can't)\s+(?:answer|provide|determine)\b",
    r"\bwhich\s+(?:one\s+|of\s+(?:them|the\s+two)\s+)?(?:is|was)\s+meant\b|[\[(]\s*sic\s*[\])]",
    r"(?:^|(?<=[.!?\n]\s))(?:note|n\.?b\.?|disclaimer|hint|comment|changes?|edit|intensity|lever|perturbation|expected(?:\s+\w+)?)"
    r"\s*(?:\([^)]{0,80}\))?:",
    r"[\[(](?:low|medium|high)(?:\s+intensity)?[\])]",
)
_BEGINNING = r"(?=\b[a-z']|[\[(])"
"""Each phrase begins so, as few places do: all of them are tried there, and nowhere else."""
_PHRASES = re.compile(rf"{_BEGINNING}(?:{'|'.join((*_SILENCE, *_DOUBT, *_CLASH, *_NOTES))})", re.IGNORECASE)
_OPENING, _CLOSING = re.compile(r"[\[(]"), re.compile(r"[\])]")
_OF_TEXT = re.compile(
    r"\b(?:(?:withheld|removed|omitted|deleted|left\s+out|modified|edited|rewritten|altered)"
    r"(?!\s+(?:by|in|on|from|at|after|before|during|to)\s+(?:the\s+)?(?:(?-i:[A-Z])|\d))|"
    r"hidden(?=\s*[\])])|unspecified|unstated|unchanged|ambiguous|"
    r"contradict\w*|conflict(?:s|ed|ing)|inconsisten\w*|unclear|n\.?b|note|answers?|question|readers?|passage|context|"
    r"intentional\w*|deliberate\w*|on\s+purpose|perturb\w*|premise|unanswer\w*|instruction|prompt|"
    r"reworded|see\s+(?:original|above|below)|original\s+text|"
    r"(?:not|never)\s+(?:given|stated|shown|specified|mentioned|included|provided|disclosed|available|known|named|recorded)|"
    r"no\s+(?:\w+\s+)?(?:given|stated|named|criterion|information|data))\b",
    re.IGNORECASE,
)


@Remembered
def labels(text: str) -> frozenset[str]:
    """Return the codes, class names and words on perturbation that stand in a text."""
    named = {found[0] for found in _LABELS.finditer(text)}
    return frozenset(named | {found[0].casefold() for found in _PERTURBED.finditer(text)})


@Remembered
def remarks_in_brackets(text: str) -> frozenset[str]:
    """Return the remarks in brackets, in lower case, that speak of the text and not of its matter (English)."""
    remarks, at = set[str](), 0
    # one pattern would look for the end anew from each bracket that opens
    while (opening := _OPENING.search(text, at)) and (closing := _CLOSING.search(text, opening.end())):
        at = closing.end()
        remark = text[opening.start() : at]
        if _OF_TEXT.search(remark):
            remarks.add(remark.casefold())
    return frozenset(remarks)


@Remembered
def betraying_phrases(text: str) -> frozenset[str]:
    """Return the phrases of a text, in lower case, that speak of its own silence, doubt or clash (English)."""
    return frozenset(" ".join(found[0].casefold().split()) for found in _PHRASES.finditer(text))
