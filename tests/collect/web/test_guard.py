"""Which addresses on the web may be asked."""

from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.collect.web.guard import checked, is_public
from refusalbench_tasks.collect.web.page import RefusedError

CLOSED_URLS = (
    # this machine, in every spelling of its number
    *(
        "http://127.0.0.1/",
        "http://127.0.0.1./",
        "http://127.1/",
        "http://127.0.1/",
        "http://2130706433/",
    ),
    *(
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0x7F.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
    ),
    *(
        "http://0/",
        "http://0.0.0.0/",
        "http://0x/",
        "http://127.255.255.254/",
        "http://127。0。0。1/",
    ),
    *(
        "http://%31%32%37.0.0.1/",
        "http://①②⑦.0.0.1/",
        "http://[::1]/",
        "http://[::]/",
        "http://[0:0:0:0:0:0:0:1]/",
    ),
    *("http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::127.0.0.1]/"),
    # private networks
    *(
        "http://10.0.0.1/",
        "http://167772161/",
        "http://10.1/",
        "http://172.16.0.1/",
        "http://172.31.255.255/",
    ),
    *(
        "http://192.168.1.1/",
        "http://0xc0.0xa8.1.1/",
        "http://0300.0250.0.1/",
        "http://[fc00::1]/",
        "http://[fd12::1]/",
    ),
    # metadata services
    *(
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://0xa9fea9fe/",
        "http://169.16689662/",
    ),
    *(
        "http://168.63.129.16/",
        "http://100.100.100.200/",
        "http://192.0.0.192/",
        "http://[fd00:ec2::254]/",
    ),
    *("http://metadata.google.internal/", "http://[::ffff:169.254.169.254]/"),
    # carrier-grade NAT, link-local, multicast, reserved, documentation, broadcast
    *(
        "http://100.64.0.1/",
        "http://100.127.255.255/",
        "http://[fe80::1]/",
        "http://[fe80::1%25eth0]/",
    ),
    *(
        "http://224.0.0.1/",
        "http://239.1.1.1/",
        "http://[ff02::1]/",
        "http://240.0.0.1/",
        "http://255.255.255.255/",
    ),
    *(
        "http://198.18.0.1/",
        "http://192.0.2.1/",
        "http://203.0.113.9/",
        "http://[2001:db8::1]/",
        "http://[fec0::1]/",
    ),
    # IPv6 that carries IPv4, a public one too
    *(
        "http://[::ffff:8.8.8.8]/",
        "http://[2002:7f00:1::]/",
        "http://[2002:808:808::1]/",
        "http://[64:ff9b::7f00:1]/",
    ),
    *(
        "http://[64:ff9b::8.8.8.8]/",
        "http://[64:ff9b:1::1]/",
        "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    ),
    *("http://[2a00:1450::5efe:7f00:1]/", "http://[::ffff:0:127.0.0.1]/"),
    # names of the local network
    *(
        "http://localhost/",
        "http://LOCALHOST./",
        "http://a.localhost/",
        "http://printer/",
        "http://printer.local/",
    ),
    *(
        "http://db.corp/",
        "http://router.home.arpa/",
        "http://x.onion/",
        "http://1.0.0.127.in-addr.arpa/",
    ),
    # schemes, ports, credentials, and addresses that two readers may read differently
    *(
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "javascript:alert(1)",
        "//example.com/",
    ),
    *(
        "http://example.com:22/",
        "https://example.com:6379/",
        "http://example.com:0/",
        "http://example.com:99999/",
    ),
    *(
        "http://user:secret@example.com/",
        "http://user@example.com/",
        "http://example.com@127.0.0.1/",
    ),
    *(
        "http://example.com\\@127.0.0.1/",
        "http://example.com /",
        "http://exam\nple.com/",
        "http://a..example.com/",
    ),
    *(
        "http:///path",
        "http://",
        "",
        "http://256.256.256.256/",
        "http://1.2.3.4.5/",
        "http://[::1",
        "http://-a.com/",
    ),
    *(
        "http://0x8.8.8.8/",
        "http://134744072/",
    ),  # public numbers, in spellings that nobody needs
)
OPEN_URLS = (
    *(
        "http://example.com/",
        "https://example.com/a?b=c#d",
        "https://www.example.com:443/",
        "http://example.com.:80/",
    ),
    *(
        "http://bücher.example.com/",
        "http://8.8.8.8/",
        "http://[2606:4700:4700::1111]/",
        "http://10.example.com/",
    ),
    *(
        "http://localhost.example.com/",
        "http://example.com:8080/",
        "http://internal.example.com/",
    ),
)


@pytest.mark.parametrize("url", CLOSED_URLS)
def test_an_address_of_this_machine_or_its_network_is_closed(url: str) -> None:
    with pytest.raises(RefusedError) as error:
        checked(url)
    assert str(error.value)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("url", OPEN_URLS)
def test_a_public_address_is_open(url: str) -> None:
    assert checked(url).host


def test_a_checked_address_has_an_ascii_host_no_last_dot_and_no_fragment() -> None:
    assert (
        str(checked("https://BÜCHER.example.com./x?y#z"))
        == "https://xn--bcher-kva.example.com/x?y"
    )


@given(st.one_of(st.integers(0, 2**32 - 1).map(IPv4Address), st.ip_addresses(v=6)))
def test_no_open_address_is_other_than_global_unicast(address: IPv4Address) -> None:
    if is_public(address):
        assert address.is_global
        assert not any(
            (
                address.is_multicast,
                address.is_link_local,
                address.is_reserved,
                address.is_private,
            )
        )


@settings(max_examples=60)
@given(st.text(max_size=40))
def test_no_text_breaks_the_guard(text: str) -> None:
    for address in (text, f"http://{text}/"):
        try:
            checked(address)
        except RefusedError:
            continue


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111", "193.0.0.1"])
def test_public_numbers_are_public(address: str) -> None:
    assert is_public(ip_address(address))
