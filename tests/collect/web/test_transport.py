"""Connections go to the address that was checked, and nowhere else."""

import asyncio
import ssl
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
import trustme

from refusalbench_tasks.collect.web.page import RefusedError
from refusalbench_tasks.collect.web.transport import CheckedTransport
from tests.collect.recording import Local, names, ok, recorder
from tests.collect.site import PUBLIC
from tests.collect.web.test_guard import CLOSED_URLS

OTHER = "2606:2800:220:1:248:1893:25c8:1946"
CLOSED_ANSWERS = (
    *(
        ["127.0.0.1"],
        ["::1"],
        ["10.0.0.5"],
        ["169.254.169.254"],
        ["100.64.0.1"],
        ["fd00:ec2::254"],
        ["0.0.0.0"],
    ),
    *(
        ["::ffff:10.0.0.1"],
        ["64:ff9b::a00:1"],
        ["2002:a00:1::"],
        ["fe80::1%eth0"],
        ["224.0.0.1"],
        ["nonsense"],
    ),
    *([PUBLIC, "10.0.0.1"], ["10.0.0.1", PUBLIC], [OTHER, PUBLIC, "::1"]),
)


def ask(url: str, resolver: Any, inner: Any, **client: Any) -> httpx.Response:
    async def run() -> httpx.Response:
        async with httpx.AsyncClient(
            transport=CheckedTransport(resolver, inner), **client
        ) as asker:
            return await asker.get(url)

    return anyio.run(run)


@pytest.mark.parametrize("url", [url for url in CLOSED_URLS if url.startswith("http")])
def test_a_closed_address_is_never_connected_to_nor_resolved(url: str) -> None:
    sent: list[httpx.Request] = []
    asked: list[str] = []

    async def resolver(host: str, port: int) -> list[str]:
        asked.append(host)
        return [PUBLIC]

    with pytest.raises((RefusedError, httpx.InvalidURL, httpx.UnsupportedProtocol)):
        ask(url, resolver, recorder(sent))
    assert (sent, asked) == ([], [])


@pytest.mark.parametrize("answers", CLOSED_ANSWERS)
def test_a_name_with_one_closed_address_is_never_connected_to(
    answers: list[str],
) -> None:
    sent: list[httpx.Request] = []
    with pytest.raises(
        RefusedError, match="the name leads to an address that is not public"
    ):
        ask(
            "http://rebound.example.com/",
            names({"rebound.example.com": answers}),
            recorder(sent),
        )
    assert sent == []


def test_the_request_goes_to_the_address_that_was_checked_and_names_the_host() -> None:
    sent: list[httpx.Request] = []
    answers = iter(([PUBLIC], ["127.0.0.1"]))

    async def rebinding(host: str, port: int) -> list[str]:
        return next(answers)

    ask("https://a.example.com/x?y=1", rebinding, recorder(sent))
    with pytest.raises(RefusedError):
        ask("https://a.example.com/", rebinding, recorder(sent))
    (one,) = sent
    assert (str(one.url), one.headers["Host"]) == (
        f"https://{PUBLIC}/x?y=1",
        "a.example.com",
    )
    # the name of the TLS handshake, and so of the certificate
    assert one.extensions["sni_hostname"] == "a.example.com"


def certificate(folder: Path, name: str) -> Path:
    """Write a certificate for a name, with its key and its authority, and return the
    file.
    """
    path = folder / "chain.pem"
    authority = trustme.CA()
    authority.issue_cert(name).private_key_and_cert_chain_pem.write_to_path(path)
    authority.cert_pem.write_to_path(path, append=True)
    return path


def test_a_certificate_is_checked_for_the_name_and_not_for_the_number(
    tmp_path: Path,
) -> None:
    path = certificate(tmp_path, "a.example.com")
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(path)
    table = names({"a.example.com": [PUBLIC], "b.example.com": [PUBLIC]})

    async def answer(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        await writer.drain()
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=serving)
        inner = Local(
            server.sockets[0].getsockname()[1], ssl.create_default_context(cafile=path)
        )
        async with (
            server,
            httpx.AsyncClient(
                transport=CheckedTransport(table, inner), trust_env=False
            ) as client,
        ):
            assert (await client.get("https://a.example.com/")).text == "hi"
            with pytest.raises(
                httpx.ConnectError, match="not valid for 'b.example.com'"
            ):
                await client.get("https://b.example.com/")

    asyncio.run(run())


def test_no_connection_is_used_for_a_second_name() -> None:
    pool = CheckedTransport(names({}))._inner._pool  # type: ignore[attr-defined]
    assert pool._max_keepalive_connections == 0


def test_the_second_address_is_tried_when_the_first_does_not_answer() -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        assert (
            request.extensions["timeout"]["connect"] == 2.5
        )  # httpx's five seconds, shared
        if request.url.host == OTHER:
            raise httpx.ConnectError("unreachable")
        return ok(request)

    found = ask(
        "http://a.example.com/",
        names({"a.example.com": [OTHER, PUBLIC]}),
        recorder(sent, answer),
    )
    assert (found.status_code, [one.url.host for one in sent]) == (200, [OTHER, PUBLIC])


@pytest.mark.parametrize("table", [{}, {"a.example.com": []}])
def test_a_name_without_address_is_an_error_of_connection(
    table: dict[str, Iterable[str]],
) -> None:
    with pytest.raises(httpx.ConnectError, match="the name"):
        ask("http://a.example.com/", names(table), recorder([]))


@pytest.mark.parametrize("follow", [False, True])
def test_a_redirect_is_handed_back_and_leads_to_no_closed_address(
    follow: bool,
) -> None:
    sent: list[httpx.Request] = []
    moved = recorder(
        sent, lambda _: httpx.Response(302, headers={"Location": "http://127.0.0.1/"})
    )
    table = names({"a.example.com": [PUBLIC]})
    if follow:
        with pytest.raises(RefusedError):
            ask("http://a.example.com/", table, moved, follow_redirects=True)
    else:
        assert ask("http://a.example.com/", table, moved).status_code == 302
    assert [one.url.host for one in sent] == [PUBLIC]
