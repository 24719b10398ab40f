"""Which addresses on the web may be asked: public ones, by HTTP, and nothing in the
network that we stand in.
"""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import httpx

from .page import RefusedError

SCHEMES = {
    "http": 80,
    "https": 443,
}
PORTS = frozenset({80, 443, 8080, 8443})
"""The ports that public pages are served on (our definition)."""

_UNICAST_V6 = ip_network("2000::/3")
"""The only part of the IPv6 space that is given out to public hosts (RFC 4291); all
mapped IPv4 lies outside of it.
"""
_NOT_PUBLIC = (
    # carrier-grade NAT
    "100.64.0.0/10",
    # protocol assignments
    "192.0.0.0/24",
    # AS112
    "192.31.196.0/24",
    "192.175.48.0/24",
    "2620:4f:8000::/48",
    # automatic multicast tunnelling
    "192.52.193.0/24",
    # 6to4 and its relays
    "192.88.99.0/24",
    "2002::/16",
    # a cloud's metadata service
    "168.63.129.16/32",
    # Teredo and other protocols
    "2001::/23",
    # documentation
    "2001:db8::/32",
    "3fff::/20",
)
_CLOSED = tuple(map(ip_network, _NOT_PUBLIC))
"""What is closed besides all that Python's `ipaddress` doesn't call global, which
differs by its version.
"""
_ISATAP = re.compile(r"^(?:0000|0200):5efe$")
_RESERVED = """
.localhost .localdomain .local .internal .intranet .private .lan .home .corp
.home.arpa .in-addr.arpa .ip6.arpa .onion .alt .test .invalid .example
"""
_CLOSED_NAMES = tuple(_RESERVED.split())
"""Names, with all below them, that lead to this machine or its network or are reserved
(RFC 6761, RFC 8375, custom).
"""
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)\Z")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")


def checked(address: str, ports: frozenset[int] = PORTS) -> httpx.URL:
    """Return an address on the web, its host in ASCII without the last dot, and without
    a fragment.

    Asks nobody.

    Raises RefusedError for other schemes than http and https, names and passwords in
    the address, ports that aren't in `ports`, control characters, spaces and
    backslashes, hosts that name this machine or its network (`localhost`, `*.internal`,
    names without a dot), numeric addresses that aren't public, and numbers in any
    spelling but the usual one (`0x7f.1`). A name that passes may still lead to a closed
    address: the transport checks that.
    """
    if _UNSAFE.search(address):
        raise RefusedError("spaces, control characters or backslashes in the address")
    try:
        url = httpx.URL(address)
        host = url.raw_host.decode("ascii").lower().removesuffix(".")
    except (httpx.InvalidURL, UnicodeError, ValueError):
        raise RefusedError("not an address on the web") from None
    if url.scheme not in SCHEMES:
        raise RefusedError(f"scheme '{url.scheme[:20]}' is not http or https")
    if url.userinfo:
        raise RefusedError("a name or password in the address")
    port = SCHEMES[url.scheme] if url.port is None else url.port
    if port not in ports:
        raise RefusedError(f"port {port}")
    _check_host(host.strip("[]"))
    return url.copy_with(host=host, fragment=None)


def _check_host(host: str) -> None:
    labels = host.split(".")
    if ":" in host or _NUMBER.fullmatch(labels[-1]):
        try:
            address = ip_address(host)
        except ValueError:
            raise RefusedError("not a valid numeric address") from None
        if not is_public(address):
            raise RefusedError("not a public address")
    elif len(host) > 253 or not all(_LABEL.match(label) for label in labels):
        raise RefusedError("not a valid host name")
    elif len(labels) == 1 or f".{host}".endswith(_CLOSED_NAMES):
        raise RefusedError("a name of the local network or a reserved one")


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an IP address may be connected to: it is global unicast by IANA's
    registries.

    Closed are private, loopback, link-local, multicast and reserved addresses, known
    metadata services, and every IPv6 form that carries an IPv4 address (mapped,
    compatible, translated, NAT64, 6to4, Teredo, ISATAP).
    """
    if not address.is_global or address.is_multicast:
        return False
    if any(address in network for network in _CLOSED):
        return False
    if isinstance(address, IPv4Address):
        return True
    scoped = address.scope_id or _ISATAP.match(address.exploded[20:29])
    return address in _UNICAST_V6 and not scoped
