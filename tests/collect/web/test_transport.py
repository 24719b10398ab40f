"""Connections go to the address that was checked, and nowhere else."""

import ssl
from collections.abc import Iterable
from typing import Any

import anyio
import httpcore
import httpx
import pytest

from refusalbench_tasks.collect.web.transport import CheckedNetwork, CheckedTransport, ClosedAddressError
from tests.collect.web.closed import CLOSED_URLS
from tests.collect.web.recording import OK, names, recorder

PUBLIC, OTHER = "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"
CLOSED_ANSWERS = (
    *(["127.0.0.1"], ["::1"], ["10.0.0.5"], ["169.254.169.254"], ["100.64.0.1"], ["fd00:ec2::254"], ["0.0.0.0"]),
    *(["::ffff:10.0.0.1"], ["64:ff9b::a00:1"], ["2002:a00:1::"], ["fe80::1%eth0"], ["224.0.0.1"], ["nonsense"]),
    *([PUBLIC, "10.0.0.1"], ["10.0.0.1", PUBLIC], [OTHER, PUBLIC, "::1"]),
)


def ask(url: str, resolver: Any, connector: Any, **kwargs: Any) -> httpx.Response:
    async def run() -> httpx.Response:
        transport = CheckedTransport(resolver, connector, **kwargs)
        async with httpx.AsyncClient(transport=transport, trust_env=False) as client:
            return await client.get(url)

    return anyio.run(run)


@pytest.mark.parametrize("url", [url for url in CLOSED_URLS if url.startswith("http")])
def test_a_closed_address_is_never_connected_to_nor_resolved(url: str) -> None:
    sent: list[tuple[str, int]] = []
    asked: list[str] = []

    async def resolver(host: str, port: int) -> list[str]:
        asked.append(host)
        return [PUBLIC]

    with pytest.raises((ClosedAddressError, httpx.InvalidURL, httpx.UnsupportedProtocol)):
        ask(url, resolver, recorder(sent))
    assert (sent, asked) == ([], [])


@pytest.mark.parametrize("answers", CLOSED_ANSWERS)
def test_a_name_with_one_closed_address_is_never_connected_to(answers: list[str]) -> None:
    sent: list[tuple[str, int]] = []
    with pytest.raises(ClosedAddressError, match="the name leads to a"):
        ask("http://rebound.example.com/", names({"rebound.example.com": answers}), recorder(sent))
    assert sent == []


def test_the_connection_goes_to_the_address_that_was_checked_though_the_name_changes() -> None:
    sent: list[tuple[str, int]] = []
    answers = iter(([PUBLIC], ["127.0.0.1"]))

    async def rebinding(host: str, port: int) -> list[str]:
        return next(answers)

    async def run() -> None:
        async with httpx.AsyncClient(transport=CheckedTransport(rebinding, recorder(sent))) as client:
            assert (await client.get("http://a.example.com/", headers={"Connection": "close"})).text == "hi"
            with pytest.raises(ClosedAddressError):
                await client.get("http://a.example.com:8080/")

    anyio.run(run)
    assert sent == [(PUBLIC, 80)]
    assert next(answers, None) is None


def test_a_public_number_in_another_spelling_is_connected_to_as_read() -> None:
    sent: list[tuple[str, int]] = []
    ask("http://0x8.010.2056/", names({}), recorder(sent))  # 2056 = 8·256 + 8
    assert sent == [("8.8.8.8", 80)]


def test_the_request_names_the_host_not_the_address() -> None:
    written: list[bytes] = []

    class Stream(httpcore.AsyncMockStream):
        async def write(self, buffer: bytes, timeout: float | None = None) -> None:
            written.append(buffer)

    async def connector(address: str, port: int, timeout: float | None) -> httpcore.AsyncNetworkStream:
        return Stream([OK])

    ask("http://a.example.com/x?y=1", names({"a.example.com": [PUBLIC]}), connector)
    head = b"".join(written)
    assert head.startswith(b"GET /x?y=1 HTTP/1.1\r\n")
    assert b"Host: a.example.com\r\n" in head


def test_tls_is_begun_with_the_name() -> None:
    begun: list[str | None] = []

    class Stream(httpcore.AsyncMockStream):
        async def start_tls(
            self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
        ) -> httpcore.AsyncNetworkStream:
            begun.append(server_hostname)
            assert ssl_context.verify_mode == ssl.CERT_REQUIRED
            assert ssl_context.check_hostname
            return self

    async def connector(address: str, port: int, timeout: float | None) -> httpcore.AsyncNetworkStream:
        assert (address, port) == (PUBLIC, 443)
        return Stream([OK])

    ask("https://a.example.com/", names({"a.example.com": [PUBLIC]}), connector)
    assert begun == ["a.example.com"]


def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    sent: list[tuple[str, int]] = []
    ask("http://a.example.com/", names({"a.example.com": [PUBLIC]}), recorder(sent))
    assert sent == [(PUBLIC, 80)]


def test_the_second_address_is_tried_when_the_first_does_not_answer() -> None:
    tried: list[str] = []

    async def connector(address: str, port: int, timeout: float | None) -> httpcore.AsyncNetworkStream:
        tried.append(address)
        assert timeout == 2.5  # httpx's five seconds, shared
        if address == OTHER:
            raise httpcore.ConnectError("unreachable")
        return httpcore.AsyncMockStream([OK])

    assert ask("http://a.example.com/", names({"a.example.com": [OTHER, PUBLIC]}), connector).status_code == 200
    assert tried == [OTHER, PUBLIC]


@pytest.mark.parametrize("table", [{}, {"a.example.com": []}])
def test_a_name_without_address_is_an_error_of_connection(table: dict[str, Iterable[str]]) -> None:
    with pytest.raises(httpx.ConnectError, match="the name"):
        ask("http://a.example.com/", names(table), recorder([]))


def test_a_redirect_is_handed_back_and_not_followed() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"
    sent: list[tuple[str, int]] = []
    found = ask("http://a.example.com/", names({"a.example.com": [PUBLIC]}), recorder(sent, lambda _: moved))
    assert found.status_code == 302
    assert sent == [(PUBLIC, 80)]


def test_even_a_client_that_follows_redirects_does_not_reach_a_closed_address() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"
    sent: list[tuple[str, int]] = []

    async def run() -> None:
        transport = CheckedTransport(names({"a.example.com": [PUBLIC]}), recorder(sent, lambda _: moved))
        async with httpx.AsyncClient(transport=transport, follow_redirects=True) as client:
            with pytest.raises(ClosedAddressError):
                await client.get("http://a.example.com/")

    anyio.run(run)
    assert sent == [(PUBLIC, 80)]


def test_a_socket_of_this_machine_is_refused() -> None:
    with pytest.raises(ClosedAddressError):
        anyio.run(CheckedNetwork().connect_unix_socket, "/var/run/docker.sock")
