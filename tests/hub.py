"""A local hub of data sets, which the hub's own client talks to: one commit of a few
sets, each a JSONL file a split.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"
Sets = Mapping[str, Mapping[str, bytes]]
"""The content of each file of each set, by repository and name."""


class _Handler(BaseHTTPRequestHandler):
    sets: Sets

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        self._answer(self.rfile.read(size))

    def _answer(self, body: bytes = b"") -> None:
        parts = self.path.partition("?")[0].strip("/").split("/")
        is_call = parts[0] == "api"
        _, owner, name, *rest = parts[is_call:] + [""] * 3
        repo = f"{owner}/{name}"
        rest = [part for part in rest if part]
        if repo not in self.sets:
            self._send(404, b"{}", {"X-Error-Code": "RepoNotFound"})
        elif is_call:
            self._send(200, json.dumps(self._described(repo, rest, body)).encode())
        elif (file := "/".join(rest[2:])) in self.sets[repo]:
            content = self.sets[repo][file]
            etag = f'"{hashlib.sha1(content).hexdigest()}"'
            self._send(200, content, {"ETag": etag})
        else:
            self._send(404, b"", {"X-Error-Code": "EntryNotFound"})

    def _described(self, repo: str, rest: list[str], body: bytes) -> Any:
        files = [
            {
                "type": "file",
                "path": name,
                "size": len(content),
                "oid": hashlib.sha1(content).hexdigest(),
            }
            for name, content in self.sets[repo].items()
        ]
        if rest[:1] == ["tree"]:
            return files
        if rest[:1] == ["paths-info"]:
            return [file for file in files if str(file["path"]) in body.decode()]
        siblings = [{"rfilename": file["path"]} for file in files]
        return {
            "_id": "0",
            "id": repo,
            "sha": COMMIT,
            "siblings": siblings,
            "private": False,
            "gated": False,
            "disabled": False,
            "tags": [],
            "downloads": 0,
            "likes": 0,
        }

    def _send(
        self, status: int, content: bytes, headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *args: Any) -> None:
        """Print nothing."""


@contextmanager
def hub(sets: Sets) -> Iterator[str]:
    """Serve some sets, and give the address."""
    handler = type("Handler", (_Handler,), {"sets": sets})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
