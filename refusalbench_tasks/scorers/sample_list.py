"""The columns that Inspect's viewer shows first of a run: what a row is, what was said,
and whether it is right.
"""

from inspect_ai.viewer import TaskSamplesColumn, TaskSamplesView, ViewerConfig

from refusalbench_tasks.bounded_reading import data_yaml
from refusalbench_tasks.scorers.row_facts import NAME


def sample_list(scores: str, beside: str = "") -> ViewerConfig:
    """Return the viewer's list of samples by the scorer of its numbers: facts of the
    row, the label, then numbers; others are hidden at first, as are those of the scorer
    `beside` it.
    """
    lists = data_yaml("scorers", "sample_lists.yaml")
    listed = lists[scores]
    hidden = listed["hidden"]
    if beside:
        hidden = [*lists[beside]["hidden"], *hidden]
    column = TaskSamplesColumn
    score = TaskSamplesColumn.score
    columns = [column(id="sampleStatus"), column(id="sampleId"), column(id="epoch")]
    columns += [score(NAME, fact) for fact in listed["facts"]]
    columns += [column(id="input"), column(id="target"), column(id="answer")]
    columns.append(score(listed["label"]))
    columns += [score(scores, number) for number in listed["shown"]]
    columns += [
        score(
            scores,
            number,
            visible=False,
        )
        for number in hidden
    ]
    columns.append(column(id="error"))
    return ViewerConfig(task_samples_view=TaskSamplesView(name="rows", columns=columns))
