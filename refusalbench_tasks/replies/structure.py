"""A reply without its form: what it says when reasoning, JSON, Markdown, quotations and
errors are taken off.
"""

import re
from dataclasses import dataclass
from http import HTTPStatus

from .abstention import is_plain_refusal
from .citations import without_citations
from .json_reply import JsonForm, read_json

"""`declined`: fields of JSON that say so (`"answer": null`); `several`: more than one
final answer, or one behind a refusal.
"""

_THINK = re.compile(
    r"""
    <(think|thinking|reasoning|scratchpad)>(?:(?!<\1>).)*?(?:</\1>|\Z)
    | \A(?:(?!<think).)*</think(?:ing)?>
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_STRUCK = re.compile(
    r"""
    ~~[^~]{1,400}~~
    | (?:[^\s\u0336]\u0336[ ]?)+
    | <(?:del|s|strike)>.{0,400}?</(?:del|s|strike)>
    """,
    re.DOTALL | re.VERBOSE,
)
_FENCE = re.compile(r"\A\s*```[\w-]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_CODE_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_FINAL = re.compile(
    r"""
    \\boxed\s*\{(?P<box>(?:[^{}]|\{[^{}]*\})*)\}
    | <(?P<tag>answer|final_answer)>(?P<tagged>(?:(?!<(?P=tag)>).)*?)</(?P=tag)>
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_LATEX = re.compile(r"\\(?:text|mathrm|textbf)\s*\{([^{}]*)\}")
_ANSWER = r"""(?:
    answer
    | response
    | reply
    | antwort
    | réponse
    | respuesta
    | risposta
    | resposta
    | svar
    | odpowiedź
    | odpověď
    | ответ
    | відповідь
    | cevap
    | yanıt
    | الإجابة
    | الجواب
    | תשובה
    | उत्तर
    | 回答
    | 答案
    | 答え
    | 답변
    | 답
    | trả\ lời
    | jawaban
)"""
_CUE = re.compile(
    rf"""
    \A[\s*_#>-]*
    (?:the\ )?(?:final\ |short\ |direct\ |correct\ )?
    {_ANSWER}
    (?:\ is)?[\s*_]*[:：]\s*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LEFT_OPEN = re.compile(rf"(?<!\w){_ANSWER}[:：]\Z", re.IGNORECASE | re.VERBOSE)
_MARKUP = re.compile(
    r"""
    !?\[(?P<link>[^\[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)
    | </?[a-zA-Z][^<>\n]{0,80}>
    | ^[ \t]*(?:\#{1,6}[ \t]+|[-*•+][ \t]+|\d{1,2}[.)][ \t]+)
    | ^(?=[ \t:|]*--)[ \t:|-]+$
    | [*`|]{1,3}(?=\S)
    | (?<=\S)[*`|]{1,3}
    | (?<!\w)_{1,3}(?=\w)
    | (?<=\w)_{1,3}(?!\w)
    """,
    re.MULTILINE | re.VERBOSE,
)
_BLOCK_QUOTE = re.compile(r"^[ \t]*>[^\n]*(?:\n|\Z)", re.MULTILINE)
_QUOTED = re.compile(
    r"""
    “[^“”\n]{1,600}”
    | „[^„“”\n]{1,600}[“”]
    | «[^«»\n]{1,600}»
    | »[^«»\n]{1,600}«
    | 「[^「」\n]{1,400}」
    | 『[^『』\n]{1,400}』
    | (?<!\w)\"[^\"\n]{1,600}\"(?!\w)
    | (?<!\w)‘[^‘’\n]{12,400}’(?!\w)
    | (?<!\w)'[^'\n]{12,400}'(?!\w)
    """,
    re.VERBOSE,
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
_ERROR = re.compile(
    rf"""
    \W*(?:
        error(?:\ code)?[ :#]*[45]\d\d\b[^\n]{{0,60}}
        | (?:(?:http(?:/[\d.]+)?|error|status)(?:\ code)?[ :#]*)+
          (?:{_REASON_PHRASES}|[45]\d\d\b)(?:{_MORE})?
        | (?:{_REASON_PHRASES})(?:{_MORE})?
        | [45]\d\d\s(?:server\s)?error
        | (?:error|exception|fehler|erreur)\s*[:(][^\n]{{0,160}}
        | (?:[45]\d\d\W{{0,3}})?(?:
            bad\ gateway
            | gateway\ time-?out
            | service\ (?:temporarily\ )?unavailable
            | internal\ server\ error
            | too\ many\ requests
            | request\ timed?\ ?-?out
            | connection\ (?:reset|refused|timed\ out|error)[^\n]{{0,60}}
            | unauthori[sz]ed
            | forbidden
            | access\ denied
            | rate\ limit(?:\ (?:exceeded|reached))?[^\n]{{0,80}}
            | upstream\ [^\n]{{0,80}}
            | not\ found
            | loading
            | please\ wait
            | timeout
            | undefined
            | null
            | nan
            | \[object\ object\]
            | (?:sorry,?\s)?something\ went\ wrong[^\n]{{0,80}}
            | server\ (?:is\ )?(?:busy|error|overloaded)[^\n]{{0,60}}
        )
    )\W*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE_ENDS = re.compile(r"[.!?\n]")
_SHORT = 3
"""Words of an answer beside which a reason is read."""
_TRACE = re.compile(
    r"""
    \s*(?:
        <!doctype\ html
        | <html
        | <\?xml
        | Traceback\ \(most\ recent\ call\ last\)
        | at\ [\w.]+\([\w.]+:\d+\)
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Structure:
    """What a reply says as plain text, and what its form alone tells."""

    form: JsonForm
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


def read_structure(visible: str) -> Structure:
    """Return what a reply says, of its `visible_text`.

    Reasoning aloud is left out, and of a marked final answer that alone is read.

    A final answer is marked by a box or a tag, or by a cue ("Answer:") on the last
    line. `error` stands for a page or line of a server, `empty` also for a text that
    breaks off behind a cue, as a repeated prompt does. Quotations are masked later by
    `without_quotations`. Never raises.
    """
    text = without_asides(visible)
    fields = read_json(text)
    if fields is not None:
        plain = plain_words(fields.text)
        reason = plain_words(fields.reason)
        return Structure(
            fields.form,
            plain,
            reason,
            fields.marked,
        )
    if _TRACE.match(text) or (len(text) < 240 and _ERROR.fullmatch(text)):
        return Structure("error", text)
    finals = set()
    for match in _FINAL.finditer(text):
        inner = match["box"] if match["box"] is not None else match["tagged"]
        nested = _FINAL.search(inner)
        if nested and nested["box"] is not None:
            inner = nested["box"]
        finals.add(_LATEX.sub(r"\1", inner).strip())
    if len(finals) > 1:
        return Structure("several", plain_words(text))
    for final in finals:
        return _read_lines(_without_markup(final), True)
    return _read_lines(_without_markup(text), False)


def without_asides(visible: str) -> str:
    """Return a visible text without what it thinks aloud, strikes out or fences in."""
    text = _STRUCK.sub(" ", _THINK.sub(" ", visible))
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
            return Structure(
                "several",
                text,
                marked=True,
            )
        text = last
    cue = _CUE.match(text)
    if cue is not None:
        marked = True
        text = text[cue.end() :].strip()
    says_something = any(map(str.isalnum, text))
    return Structure(
        "text" if says_something else "empty",
        text,
        marked=marked,
    )


def plain_words(text: str) -> str:
    """Return a text without citations, Markdown and a cue such as "Answer:", its spaces
    single.
    """
    return _CUE.sub("", _without_markup(text)).strip()


def _without_markup(text: str) -> str:
    text = without_citations(_CODE_BLOCK.sub(" ` ", text))
    text = _MARKUP.sub(lambda match: match["link"] or "", text)
    return re.sub(r"[ \t]+", " ", text).strip()


def without_quotations(text: str) -> str:
    """Return a text with its quotations masked; a text that is one quotation, or hardly
    more, as it is.
    """
    masked = _BLOCK_QUOTE.sub(QUOTATION, text)
    masked = _QUOTED.sub(_masked_if_long, masked)
    return masked if sum(map(str.isalpha, masked)) > 3 else text


def _masked_if_long(quoted: re.Match[str]) -> str:
    text = quoted[0]
    spaces = text.count(" ")
    is_unspaced = not spaces and not text.isascii() and len(text) > 8
    return QUOTATION if spaces > 1 or is_unspaced else text
