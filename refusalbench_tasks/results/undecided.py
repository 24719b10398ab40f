"""Replies that were not decided, for people to read."""

import pandas as pd

from refusalbench_tasks.tables import TableRow

from .table import Run


def undecided_replies(run: Run) -> list[TableRow]:
    """Return the replies of a run that were not decided: row, question, reply, and why
    in words, in the order of the rows' names.

    A row for which a file has no reply is none of them. The run must be read with its
    texts.
    """
    table = run.replies
    is_reply = table["reason"] != "not_in_file"
    undecided = table[(table["outcome"] == "unscored") & is_reply]
    rows = []
    for _, reply in undecided.sort_values(["sample_id", "epoch"]).iterrows():
        row = {
            "row": reply["sample_id"],
            "question": reply["question_text"],
            "reply": reply["reply"],
            "why": reply["explanation"] or reply["reason"],
        }
        rows.append(row)
    return rows


def undecided_in_production(replies: "pd.DataFrame") -> list[TableRow]:
    """Return the replies of `read_production` that were not decided, as
    `undecided_replies` does.
    """
    names = {"id": "row", "why_undecided": "why"}
    undecided = replies[replies["kind"] == "undecided"].rename(columns=names)
    columns = ["row", "earlier", "question", "reply", "why"]
    rows: list[TableRow] = undecided[columns].to_dict("records")
    return rows
