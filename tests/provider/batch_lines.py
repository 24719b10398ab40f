"""The outcomes of a batch in the words of the two protocols: what each line of its results says."""

import json
from typing import Any

from tests.provider.call import Call
from tests.provider.reply import WORDS, Fault, Reply
from tests.provider.wire import anthropic_body, openai_body

Made = Reply | Fault | str

_STATUS = {Fault.RATE_LIMIT: 429, Fault.SERVER_ERROR: 500}
_TYPES = {Fault.RATE_LIMIT: "rate_limit_error", Fault.SERVER_ERROR: "api_error"}


def as_reply(made: Made) -> Reply | Fault:
    """Return what a script made as a reply, or the fault if it is one of transport."""
    if isinstance(made, Fault):
        return WORDS.get(made, made)
    return Reply(made) if isinstance(made, str) else made


def openai_line(custom_id: str, call: Call, reply: Reply | Fault) -> str:
    """Return a line of an output or error file. An item that was dropped expired before it was run."""
    if reply is Fault.MALFORMED:
        return '{"id": "cut'
    line: dict[str, Any] = {"id": f"batch_req_{call.index}", "custom_id": custom_id, "response": None, "error": None}
    if reply is Fault.DROP:
        line["error"] = {"code": "batch_expired", "message": "the completion window ended before this was run"}
    elif isinstance(reply, Fault):
        body = {"error": {"message": "scripted failure", "type": _TYPES[reply], "code": None, "param": None}}
        line["response"] = {"status_code": _STATUS[reply], "request_id": f"req_{call.index}", "body": body}
    else:
        body = openai_body(call, reply)
        line["response"] = {"status_code": 200, "request_id": f"req_{call.index}", "body": body}
    return json.dumps(line)


def anthropic_line(custom_id: str, call: Call, reply: Reply | Fault) -> str:
    """Return a line of the results. An item that was dropped expired before it was run."""
    if reply is Fault.MALFORMED:
        return '{"custom_id": "cut'
    result: dict[str, Any] = {"type": "expired"}
    if isinstance(reply, Reply):
        result = {"type": "succeeded", "message": anthropic_body(call, reply)}
    elif reply is not Fault.DROP:
        error = {"type": _TYPES[reply], "message": "scripted failure"}
        result = {"type": "errored", "error": {"type": "error", "request_id": f"req_{call.index}", "error": error}}
    return json.dumps({"custom_id": custom_id, "result": result})
