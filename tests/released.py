"""Stand-ins for the authors' released prompt files: of their shape, with none of their words."""

import textwrap
from pathlib import Path

from refusalbench_tasks.solvers.released_prompts import PLACES
from refusalbench_tasks.taxonomy import REFUSALS

CODES = " ".join(code.value for code in REFUSALS)
NQ = f'''
raise SystemExit("this file is never run")
class Evaluator:
    async def get_model_answer(self, query, context):
        prompt_template = """
        Stand-in with {{{{braces}}}}. {CODES}
        Q: {{query}}
        C: {{context}}
        """
        return prompt_template.format(query=query, context=context)
    async def classify_and_evaluate_response(self, query, model_output, correct):
        if correct:
            formatted_correct = "\\n".join(correct)
        else:
            formatted_correct = "no references here"
        universal_prompt = f"""Sort this. {CODES}
Q: {{query}} R: {{model_output}} REF: {{formatted_correct}}"""
'''
GARAGE = f'''
class Evaluator:
    def get_model_answer_merged_prompt(self):
        prompt_template = "{CODES} {{query}} {{search_results}}"
    def comprehensive_judge(self, is_answerable):
        relevant_context = "none was found"
        if is_answerable:
            prompt = f"{CODES} {{query}} {{human_answer}} {{model_answer}} {{all_context}} {{relevant_context}}"
        else:
            prompt = f"{CODES} {{query}} {{expected_behavior}} {{model_answer}} {{all_context}}"
'''
ANSWER = """
def format_prompt(query, sources):
    base_prompt = f"Answer {query}\\n{sources_text}Be short."
    confidence_prompt = f"Say how sure."
"""
PTRUE = """
def calculate_ptrue_confidence(question, answer):
    system_prompt = "Judge."
    user_prompt = f"{question}\\n{sources_text}Proposed: {answer}\\n(A) yes (B) no"
"""


def keep_stand_ins(cache: Path) -> None:
    """Put stand-ins for the files of RefusalBench where a fetched file is kept."""
    for use, text in {"nq": NQ, "garage": GARAGE}.items():
        file = PLACES[use].file
        path = cache / "refusalbench_tasks" / f"{file.commit}-{Path(file.path).parent.name}" / Path(file.path).name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
