"""Which addresses on the web may be asked."""

from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.collect.web.guard import Closed, Target, closed_address, numeric_address, target
from tests.collect.web.closed import CLOSED_URLS

OPEN_URLS = (
    *("http://example.com/", "https://example.com/a?b=c#d", "https://www.example.com:443/", "http://example.com.:80/"),
    *(
        "http://bücher.example.com/",
        "http://8.8.8.8/",
        "http://[2606:4700:4700::1111]/",
        "http://localhost.example.com/",
    ),
    *("http://10.example.com/", "http://example.com:8080/", "http://internal.example.com/", "http://0x8.8.8.8/"),
)


@pytest.mark.parametrize("url", CLOSED_URLS)
def test_an_address_of_this_machine_or_its_network_is_closed(url: str) -> None:
    found = target(url)
    assert isinstance(found, Closed)
    assert found.reason


@pytest.mark.parametrize("url", OPEN_URLS)
def test_a_public_address_is_open(url: str) -> None:
    assert isinstance(target(url), Target)


def test_the_list_of_closed_addresses_is_long_enough() -> None:
    assert len(set(CLOSED_URLS)) == len(CLOSED_URLS) >= 40


def test_a_reason_repeats_neither_name_nor_password() -> None:
    found = target("http://user:secret@example.com/")
    assert found == Closed("a name or password in the address")


def test_a_target_has_the_host_in_ascii_without_its_last_dot_and_the_port_of_its_scheme() -> None:
    found = target("https://BÜCHER.example.com./x")
    assert isinstance(found, Target)
    assert (found.host, found.port) == ("xn--bcher-kva.example.com", 443)


def test_ports_are_an_argument() -> None:
    assert isinstance(target("http://example.com:9000/", frozenset({9000})), Target)
    assert target("http://example.com/", frozenset({9000})) == Closed("port 80")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("1.2.3.4", "1.2.3.4"),
        ("16909060", "1.2.3.4"),  # 1·2²⁴ + 2·2¹⁶ + 3·2⁸ + 4
        ("0x1020304", "1.2.3.4"),
        ("0100401404", "1.2.3.4"),  # octal: 8⁸ + 4·8⁵ + 8³ + 4·8² + 4 = 16909060
        ("1.131844", "1.2.3.4"),  # 2·2¹⁶ + 3·2⁸ + 4
        ("1.2.772", "1.2.3.4"),  # 3·2⁸ + 4
        ("01.02.03.04", "1.2.3.4"),
        ("1.2.3.256", None),
        ("256.1", None),
        ("08.1.1.1", None),
        ("4294967296", None),
        ("example.com", None),
    ],
)
def test_numbers_are_read_as_the_c_library_reads_them(host: str, address: str | None) -> None:
    assert numeric_address(host) == (ip_address(address) if address else None)


@given(st.integers(0, 2**32 - 1))
def test_every_spelling_of_a_number_is_judged_alike(value: int) -> None:
    plain = IPv4Address(value)
    a, b, c, d = plain.packed
    spelt = (str(value), hex(value), f"0{value:o}", f"{a}.{value & 0xFFFFFF}", f"{a:#x}.0{b:o}.{c}.{d:#x}")
    assert {numeric_address(host) for host in spelt} == {plain}


@given(st.one_of(st.integers(0, 2**32 - 1).map(IPv4Address), st.ip_addresses(v=6)))
def test_no_open_address_is_other_than_global_unicast(address: IPv4Address) -> None:
    if closed_address(address) is None:
        assert address.is_global
        assert not address.is_multicast
        assert not address.is_link_local


@settings(max_examples=40)
@given(st.text(max_size=40))
def test_no_text_breaks_the_guard(text: str) -> None:
    assert isinstance(target(text), Closed | Target)
    assert isinstance(target(f"http://{text}/"), Closed | Target)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("100.64.0.1", "carrier-grade NAT address"),
        ("64:ff9b::808:808", "NAT64 address"),
        ("2002:808:808::1", "6to4 address"),
        ("2001:0:1::1", "Teredo address"),
        ("::ffff:8.8.8.8", "IPv4-mapped address"),
        ("168.63.129.16", "cloud metadata address"),
        ("fd00:ec2::254", "private address"),
        ("1.1.1.1", None),
        ("2606:4700:4700::1111", None),
    ],
)
def test_a_closed_address_is_closed_for_what_it_is(address: str, reason: str | None) -> None:
    assert closed_address(ip_address(address)) == reason
