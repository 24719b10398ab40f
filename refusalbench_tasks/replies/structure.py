"""A reply without its form: what it says when reasoning, JSON, Markdown, quotations and
errors are taken off.
"""

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

from refusalbench_tasks.replies.abstention import is_plain_refusal
from refusalbench_tasks.replies.citations import without_citations
from refusalbench_tasks.replies.code import visible_text
from refusalbench_tasks.replies.json_reply import read_json

Form = Literal["text", "empty", "error", "declined", "several"]
"""`declined`: fields of JSON that say so (`"answer": null`); `several`: more than one
final answer, or one behind a refusal.
"""

_THINK = re.compile(
    r"<(think|thinking|reasoning|scratchpad)>(?:(?!<\1>).)*?(?:</\1>|\Z)|\A(?:(?!<think).)*</think(?:ing)?>",
    re.DOTALL | re.IGNORECASE,
)
_STRUCK = re.compile(
    r"~~[^~]{1,400}~~|(?:[^\s\u0336]\u0336[ ]?)+"
    r"|<(?:del|s|strike)>.{0,400}?</(?:del|s|strike)>",
    re.DOTALL,
)
_FENCE = re.compile(r"\A\s*```[\w-]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_CODE_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_FINAL = re.compile(
    r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}|<(answer|final_answer)>((?:(?!<\2>).)*?)</\2>",
    re.DOTALL | re.IGNORECASE,
)
_LATEX = re.compile(r"\\(?:text|mathrm|textbf)\s*\{([^{}]*)\}")
_ANSWER = (
    r"(?:answer|response|reply|antwort|réponse|respuesta|risposta|resposta|svar"
    r"|odpowiedź|odpověď|ответ|відповідь|cevap|yanıt|الإجابة|الجواب|תשובה|उत्तर|回答|答案|答え"
    r"|답변|답|trả lời|jawaban)"
)
_CUE = re.compile(
    rf"\A[\s*_#>-]*(?:the )?(?:final |short |direct |correct )?{_ANSWER}(?:"
    r" is)?[\s*_]*[:：]\s*",
    re.IGNORECASE,
)
_LEFT_OPEN = re.compile(rf"(?<!\w){_ANSWER}[:：]\Z", re.IGNORECASE)
_MARKUP = re.compile(
    r"!?\[([^\[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)|</?[a-zA-Z][^<>\n]{0,80}>"
    r"|^[ \t]*(?:#{1,6}[ \t]+|[-*•+][ \t]+|\d{1,2}[.)][ \t]+)"
    r"|^(?=[ \t:|]*--)[ \t:|-]+$|[*`|]{1,3}(?=\S)"
    r"|(?<=\S)[*`|]{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)",
    re.MULTILINE,
)
_BLOCK_QUOTE = re.compile(r"^[ \t]*>[^\n]*(?:\n|\Z)", re.MULTILINE)
_QUOTED = re.compile(
    r"“[^“”\n]{1,600}”|„[^„“”\n]{1,600}[“”]|«[^«»\n]{1,600}»|»[^«»\n]{1,600}«|「[^「」\n]{1,400}」|『[^『』\n]{1,400}』"
    r"|(?<!\w)\"[^\"\n]{1,600}\"(?!\w)|(?<!\w)‘[^‘’\n]{12,400}’(?!\w)|(?<!\w)'[^'\n]{12,400}'(?!\w)"
)
QUOTATION = " “” "
"""What stands for a quotation of several words: another's words are not the reply's
own.
"""
_REASON_PHRASES = "|".join(
    rf"{status.value}\W{{1,3}}{re.escape(status.phrase)}"
    for status in HTTPStatus
    if status >= 400
)
_MORE = r"\s*[^\w\s][^\n]{0,60}"
"""What may follow: a sign ends the phrase, a word goes on ("410 Gone with the Wind").
"""
_PHRASE = rf"""
error(?:\ code)?[ :#]*[45]\d\d\b[^\n]{{0,60}}
| (?:(?:http(?:/[\d.]+)?|error|status)(?:\ code)?[ :#]*)+
  (?:{_REASON_PHRASES}|[45]\d\d\b)(?:{_MORE})?
| (?:{_REASON_PHRASES})(?:{_MORE})?
| [45]\d\d\s(?:server\s)?error
| (?:error|exception|fehler|erreur)\s*[:(][^\n]{{0,160}}
| (?:[45]\d\d\W{{0,3}})?(?:bad\ gateway|gateway\ time-?out
|service\ (?:temporarily\ )?unavailable
|internal\ server\ error|too\ many\ requests|request\ timed?\ ?-?out
|connection\ (?:reset|refused|timed\ out|error)[^\n]{{0,60}}|unauthori[sz]ed
|forbidden|access\ denied|rate\ limit(?:\ (?:exceeded|reached))?[^\n]{{0,80}}
|upstream\ [^\n]{{0,80}}|not\ found|loading|please\ wait|timeout|undefined|null|nan
|\[object\ object\]|(?:sorry,?\s)?something\ went\ wrong[^\n]{{0,80}}
|server\ (?:is\ )?(?:busy|error|overloaded)[^\n]{{0,60}})
"""
_ERROR = re.compile(rf"\W*(?:{_PHRASE})\W*", re.IGNORECASE | re.VERBOSE)
_SENTENCE_ENDS = re.compile(r"[.!?\n]")
_SHORT = 3
"""Words of an answer beside which a reason is read."""
_TRACE = re.compile(
    r"\s*(?:<!doctype html|<html|<\?xml|Traceback \(most recent call last\)|at"
    r" [\w.]+\([\w.]+:\d+\))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Structure:
    """What a reply says as plain text, and what its form alone tells."""

    form: Form
    text: str
    """The words without Markdown and citations, quotations kept; of JSON those of the
    answer alone.
    """
    reason: str = ""
    """The words of a field beside the answer that says why."""
    marked: bool = False
    """Whether the text stands where an answer is marked: by a cue such as "Answer:", a
    box, a field.
    """

    @property
    def words(self) -> str:
        """Return the text; behind a short answer the reason too, which may take it
        back.
        """
        if not self.reason or len(self.text.split()) > _SHORT:
            return self.text
        return f"{self.text}. {self.reason}"


def read_structure(reply: str) -> Structure:
    """Return what a reply says.

    Reasoning aloud is left out, and of a marked final answer that alone is read.

    A final answer is marked by a box or a tag, or by a cue ("Answer:") on the last
    line. `error` stands for a page or line of a server, `empty` also for a text that
    breaks off behind a cue, as a repeated prompt does. Quotations are masked later by
    `without_quotations`. Never raises.
    """
    text = without_asides(reply)
    fields = read_json(text)
    if fields is not None:
        plain = plain_words(fields.text)
        reason = plain_words(fields.reason)
        return Structure(fields.form, plain, reason, fields.marked)
    if _TRACE.match(text) or (len(text) < 240 and _ERROR.fullmatch(text)):
        return Structure("error", text)
    marked = False
    if "\\boxed" in text or "<" in text:
        finals = list(dict.fromkeys(_unboxed(match) for match in _FINAL.finditer(text)))
        if len(finals) > 1:
            return Structure("several", plain_words(text))
        marked = bool(finals)
        text = finals[0] if finals else text
    return _read_lines(_without_markup(text), marked)


def without_asides(reply: str) -> str:
    """Return a reply without what it thinks aloud, strikes out or fences in."""
    text = visible_text(reply)
    if "<" in text:
        text = _THINK.sub(" ", text)
    if "~~" in text or "\u0336" in text or "<" in text:
        text = _STRUCK.sub(" ", text)
    fenced = _FENCE.match(text)
    return (fenced[1] if fenced else text).strip()


def _read_lines(text: str, marked: bool) -> Structure:
    """Return what plain lines say: the last one alone if a cue marks
    it as the answer.
    """
    if _LEFT_OPEN.search(text):
        return Structure("empty", text)
    talk, _, last = text.rpartition("\n")
    if talk and _CUE.match(last):
        if any(map(is_plain_refusal, _SENTENCE_ENDS.split(talk))):
            return Structure("several", text, marked=True)
        text = last
    cue = _CUE.match(text)
    text = text[cue.end() if cue else 0 :].strip()
    says_something = any(character.isalnum() for character in text)
    return Structure(
        "text" if says_something else "empty", text, marked=marked or cue is not None
    )


def plain_words(text: str) -> str:
    """Return a text without citations, Markdown and a cue such as "Answer:", its spaces
    single.
    """
    return _CUE.sub("", _without_markup(text)).strip()


def _without_markup(text: str) -> str:
    text = _CODE_BLOCK.sub(" ` ", text) if "```" in text else text
    text = _MARKUP.sub(lambda match: match[1] or "", without_citations(text))
    return re.sub(r"[ \t]+", " ", text).strip()


def without_quotations(text: str) -> str:
    """Return a text with its quotations masked; a text that is one quotation, or hardly
    more, as it is.
    """
    masked = _QUOTED.sub(
        lambda match: QUOTATION if _is_long(match[0]) else match[0],
        _BLOCK_QUOTE.sub(QUOTATION, text),
    )
    return masked if sum(map(str.isalpha, masked)) > 3 else text


def _is_long(quoted: str) -> bool:
    return quoted.count(" ") > 1 or (
        len(quoted) > 8 and not quoted.isascii() and " " not in quoted
    )


def _unboxed(match: re.Match[str]) -> str:
    inner = match[1] if match[1] is not None else match[3]
    box = _FINAL.search(inner)
    return _LATEX.sub(r"\1", box[1] if box and box[1] is not None else inner).strip()
