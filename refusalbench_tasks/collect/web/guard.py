"""Which addresses on the web may be asked: public ones, by HTTP, and nothing in the network that we stand in."""

import ipaddress
import re
from dataclasses import dataclass

import httpx

SCHEMES = {"http": 80, "https": 443}
PORTS = frozenset({80, 443, 8080, 8443})
"""The ports that public pages are served on (our definition)."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_CLOSED_V4 = {
    "0.0.0.0/8": "this network",
    "10.0.0.0/8": "private",
    "100.64.0.0/10": "carrier-grade NAT",
    "127.0.0.0/8": "loopback",
    "168.63.129.16/32": "cloud metadata",
    "169.254.0.0/16": "link-local and cloud metadata",
    "172.16.0.0/12": "private",
    "192.0.0.0/24": "reserved",
    "192.0.2.0/24": "documentation",
    "192.31.196.0/24": "reserved",
    "192.52.193.0/24": "reserved",
    "192.88.99.0/24": "6to4 relay",
    "192.168.0.0/16": "private",
    "192.175.48.0/24": "reserved",
    "198.18.0.0/15": "benchmarking",
    "198.51.100.0/24": "documentation",
    "203.0.113.0/24": "documentation",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved",
}
_CLOSED_V6 = {
    "::/128": "unspecified",
    "::1/128": "loopback",
    "::/96": "IPv4-compatible",
    "::ffff:0:0/96": "IPv4-mapped",
    "::ffff:0:0:0/96": "IPv4-translated",
    "64:ff9b::/96": "NAT64",
    "64:ff9b:1::/48": "NAT64",
    "100::/64": "discard",
    "2001::/32": "Teredo",
    "2001::/23": "reserved",
    "2001:db8::/32": "documentation",
    "2002::/16": "6to4",
    "2620:4f:8000::/48": "reserved",
    "3fff::/20": "documentation",
    "5f00::/16": "reserved",
    "fc00::/7": "private",
    "fe80::/10": "link-local",
    "fec0::/10": "site-local",
    "ff00::/8": "multicast",
}
_CLOSED: dict[int, list[tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, str]]] = {
    4: [(ipaddress.ip_network(net), kind) for net, kind in _CLOSED_V4.items()],
    6: [(ipaddress.ip_network(net), kind) for net, kind in _CLOSED_V6.items()],
}
_UNICAST_V6 = ipaddress.ip_network("2000::/3")
"""The only part of the IPv6 space that is given out to public hosts (RFC 4291, IANA)."""
_ISATAP = re.compile(r"^(?:0000|0200):5efe$")

_CLOSED_NAMES = (
    *("localhost", "localdomain", "local", "internal", "intranet", "private", "lan", "home", "corp", "home.arpa"),
    *("in-addr.arpa", "ip6.arpa", "onion", "alt", "test", "invalid", "example"),
)
"""Names, with all below them, that lead to this machine or its network or are reserved (RFC 6761, RFC 8375, custom)."""
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)\Z")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")


@dataclass(frozen=True)
class Target:
    """Where an allowed address leads: host as written in ASCII without the last dot, and port."""

    url: httpx.URL
    host: str
    port: int


@dataclass(frozen=True)
class Closed:
    """An address that may not be asked, and why: a short phrase in English without the address itself."""

    reason: str


def target(address: str, ports: frozenset[int] = PORTS) -> Target | Closed:
    """Return where an address on the web leads, or why it may not be asked. Asks nobody: names are not resolved.

    Closed are: other schemes than http and https, names and passwords in the address, ports that aren't in `ports`,
    control characters, spaces and backslashes, hosts that name this machine or its network (`localhost`,
    `*.internal`, names without a dot), and numbers, in any spelling, of addresses that `closed_address` refuses.
    A name that is open here may still lead to a closed address: the transport checks what it resolves to.
    """
    if _UNSAFE.search(address):
        return Closed("spaces, control characters or backslashes in the address")
    try:
        url = httpx.URL(address)
        host = url.raw_host.decode("ascii").lower().removesuffix(".")
    except (httpx.InvalidURL, UnicodeError, ValueError):
        return Closed("not an address on the web")
    if url.scheme not in SCHEMES:
        return Closed(f"scheme '{url.scheme[:20]}' is not http or https")
    if url.userinfo:
        return Closed("a name or password in the address")
    port = SCHEMES[url.scheme] if url.port is None else url.port
    if port not in ports:
        return Closed(f"port {port}")
    reason = closed_host(host)
    return Closed(reason) if reason else Target(url, host, port)


def closed_host(host: str) -> str | None:
    """Return why a host, by name or number in ASCII, may not be asked, or None. Names are not resolved."""
    name = host.lower().strip("[]").removesuffix(".")
    if not name:
        return "no host"
    number = numeric_address(name)
    if number is not None:
        return closed_address(number)
    if ":" in name or _NUMBER.fullmatch(name.rsplit(".", 1)[-1]):
        return "not a valid numeric address"
    return _closed_name(name)


def _closed_name(name: str) -> str | None:
    labels = name.split(".")
    if len(name) > 253 or not all(_LABEL.match(label) for label in labels):
        return "not a valid host name"
    if len(labels) == 1 or any(f".{name}".endswith(f".{closed}") for closed in _CLOSED_NAMES):
        return "a name of the local network or a reserved one"
    return None


def numeric_address(host: str) -> Address | None:
    """Return the IP address that a host spells as a number, or None if it spells none.

    Read as the C library's `inet_aton` does: one to four parts, each decimal, octal (leading 0) or hexadecimal
    (leading 0x), the last part filling the bytes that are left. IPv6 with a zone (`%eth0`) keeps its zone.
    """
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    parts = host.split(".")
    if not 1 <= len(parts) <= 4 or not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return None
    *front, last = numbers
    if any(number > 255 for number in front) or last >= 256 ** (4 - len(front)):
        return None
    value = last + sum(number << (8 * (3 - place)) for place, number in enumerate(front))
    return ipaddress.IPv4Address(value)


def _number(part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8) if len(part) > 1 and part.startswith("0") else int(part)


def closed_address(address: Address) -> str | None:
    """Return why an IP address may not be connected to, or None if it is a public one.

    Closed are all that IANA's special-purpose registries don't call globally reachable, multicast, known metadata
    services, and every IPv6 form that carries an IPv4 address (mapped, compatible, translated, NAT64, 6to4, Teredo,
    ISATAP), whatever that address is.
    """
    for network, kind in _CLOSED[address.version]:
        if address in network:
            return f"{kind} address"
    if isinstance(address, ipaddress.IPv4Address):
        return None if address.is_global else "not a public address"
    if address.scope_id:
        return "address with a zone"
    if _ISATAP.match(address.exploded[20:29]):
        return "ISATAP address"
    return None if address in _UNICAST_V6 and address.is_global else "not a public address"
