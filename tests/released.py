"""Stand-ins for the authors' released files: of their shape, with none of their words.

They have every branch, interpolation, format and constant that the real files are known
to have, and can be executed: a test compares what a run sends with what they make.
The package itself never runs such a file.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.datasets.remote import git_blob
from refusalbench_tasks.prompting.released_files import FILES
from refusalbench_tasks.prompting.released_prompts import (
    released_constant,
    released_prompt,
)
from refusalbench_tasks.taxonomy import REFUSALS

CODES = " ".join(code.value for code in REFUSALS)
NO_REFERENCES = "no references here"
NOTHING_RELEVANT = "nothing relevant here"

NQ = f'''
class AsyncRAGModelEvaluator:
    async def get_model_answer(self, query, context):
        prompt_template = """
        Stand-in with {{{{braces}}}}. {CODES}
        Q: {{query}}
        C: {{context}}
        """
        return prompt_template.format(query=query, context=context)

    async def classify_and_evaluate_response(self, query, model_output, correct):
        model_output = model_output.strip()
        if correct:
            formatted_correct = "\\n".join(correct)
        else:
            formatted_correct = "{NO_REFERENCES}"
        universal_prompt = f"""Sort this. {CODES}
Q: {{query}} R: {{model_output}} REF: {{formatted_correct}}
Lines like {{{{this}}}}."""
        return universal_prompt
'''

GARAGE = f'''
class HybridRefusalBenchEvaluator:
    async def get_model_answer_merged_prompt(self, query, passages):
        search_results = "\\n\\n".join(
            f"[{{i}}] {{text}}" for i, text in enumerate(passages, 1)
        )
        prompt_template = """
        Stand-in. {CODES}
        Q: {{query}}
        S: {{search_results}}
        """
        return prompt_template.format(query=query, search_results=search_results)

    async def comprehensive_judge(
        self, query, model_answer, passages, relevant, human_answer, expected_behavior,
        is_answerable,
    ):
        model_answer = model_answer.strip()
        all_context = "\\n\\n".join(
            f"[{{i}}] {{text}}" for i, text in enumerate(passages, 1)
        )
        if relevant:
            relevant_context = "\\n\\n".join(
                f"[{{i}}] {{text}}" for i, text in enumerate(relevant, 1)
            )
        else:
            relevant_context = "{NOTHING_RELEVANT}"
        if is_answerable:
            prompt = f"""Sort this attempt. {CODES}
{{query}} | {{human_answer}} | {{model_answer}} | {{all_context}} | {{relevant_context}}
"""
        else:
            prompt = f"""Sort this refusal. {CODES}
{{query}} | {{expected_behavior}} | {{model_answer}} | {{all_context}}
"""
        return prompt
'''

_SOURCES = r"""
    for i, source in enumerate(sources, 1):
        sources_text += f"Source {i}:\n"
        sources_text += f"Title: {source['title']}\n"
        sources_text += f"URL: {source['url']}\n"
        sources_text += f"Date: {source.get('date') or 'Unknown'}\n"
        sources_text += f"Text: {source['text']}\n\n"
"""

ANSWER = f'''
def format_prompt(
    question, sources, include_confidence=False, confidence_threshold=0.15
):
    sources_text = ""
{_SOURCES}
    base_prompt = f"""Stand-in for an answer to {{question}}
{{sources_text}}
Refuse at {{confidence_threshold:.1f}}, in {{{{braces}}}}.
"""
    if include_confidence:
        confidence_prompt = """
        Say how sure you are: {{X.X}}.
        """
    else:
        confidence_prompt = "\\nThe stand-in's closing cue:\\n\\n"
    return base_prompt + confidence_prompt
'''

PTRUE = f'''
def calculate_ptrue_confidence(question, sources, answer):
    sources_text = "Sources:\\n"
{_SOURCES}
    system_prompt = "You judge. A brace {{ stands for itself."
    user_prompt = f"""Stand-in about {{question}}
{{sources_text}}
Proposed: {{answer}}
(A) yes (B) no"""
    return [
        {{"role": "system", "content": system_prompt}},
        {{"role": "user", "content": user_prompt}},
    ]
'''

TEXTS: Mapping[str, str] = {
    "nq": NQ,
    "garage": GARAGE,
    "bluff": ANSWER,
    "bluff p(true)": PTRUE,
}
"""The text of each stand-in, by the key of the released file."""


def executed(use: str, method: str, *args: Any, **named: Any) -> Any:
    """Return what a method, or a function, of a stand-in makes."""
    names: dict[str, Any] = {}
    exec(compile(TEXTS[use], use, "exec"), names)
    if method in names:
        return names[method](*args, **named)
    [evaluator] = [kind for kind in names.values() if hasattr(kind, method)]
    return asyncio.run(getattr(evaluator(), method)(*args, **named))


def file_name(use: str) -> str:
    """Return the name that a released file has in its repository."""
    return Path(FILES[use].path).name


def keep_stand_ins(cache: Path) -> None:
    """Put stand-ins for the files of RefusalBench where a fetched file is kept."""
    for use in ("nq", "garage"):
        file = FILES[use]
        kept = f"{file.commit}-{Path(file.path).parent.name}"
        _write(cache / "refusalbench_tasks" / kept, use)


def copies(folder: Path, uses: Sequence[str] = ("bluff", "bluff p(true)")) -> str:
    """Return a folder with copies of stand-ins, each by the name of its file."""
    for use in uses:
        _write(folder, use)
    return str(folder)


def release_stand_ins(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let stand-ins pass for the released files, in the cache and by their hash."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    keep_stand_ins(cache)
    for use in ("bluff", "bluff p(true)"):
        blob = git_blob(TEXTS[use].encode())
        monkeypatch.setitem(FILES, use, replace(FILES[use], blob=blob))
        _write(cache / "refusalbench_tasks" / blob, use)
    released_prompt.cache_clear()
    released_constant.cache_clear()


def _write(folder: Path, use: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file_name(use)).write_text(TEXTS[use], encoding="utf-8")
