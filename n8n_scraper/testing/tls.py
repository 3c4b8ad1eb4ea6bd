"""A certificate authority of the tests' own, and a site on loopback that speaks TLS by it."""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from n8n_scraper.testing.serving import served

_VALID_FOR = timedelta(days=1)
_PIECE_BYTES = 65_536


class Authority:
    """Signs for `127.0.0.1` and `localhost`, and is trusted where `SSL_CERT_FILE` names it."""

    def __init__(self, folder: Path, name: str = "the tests' own authority") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "authority.pem"
        certificate = self._signed(self._name, self._key.public_key(), is_authority=True)
        self.file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def context(self) -> ssl.SSLContext:
        """Give a server what it needs to be believed."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
        certificate = self._signed(name, key.public_key(), is_authority=False)
        file = self._folder / "site.pem"
        file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context

    def _signed(
        self, name: x509.Name, key: ec.EllipticCurvePublicKey, *, is_authority: bool
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        hosts = [
            x509.DNSName("localhost"),
            x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
        ]
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _VALID_FOR)
            .not_valid_after(now + _VALID_FOR)
            .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
            .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(identifier, critical=False)
            .sign(self._key, hashes.SHA256())
        )


@dataclass(slots=True)
class SecureSite:
    """What stands before a plain site, and how many connections it has taken."""

    port: int
    connections: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where it stands, without a slash at the end."""
        return f"https://127.0.0.1:{self.port}"


@contextmanager
def secure_site(plain_port: int, context: ssl.SSLContext) -> Iterator[SecureSite]:
    """Speak TLS for a site of this machine that does not, until the block ends."""
    site = SecureSite(0)
    with served(partial(_carry, site, plain_port), context) as site.port:
        yield site


async def _carry(
    site: SecureSite, plain_port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    site.connections.append(str(writer.get_extra_info("peername")[0]))
    there, back = await asyncio.open_connection("127.0.0.1", plain_port)
    try:
        await asyncio.gather(_pass_on(reader, back), _pass_on(there, writer))
    finally:
        back.transport.abort()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while piece := await reader.read(_PIECE_BYTES):
            writer.write(piece)
            await writer.drain()
    finally:
        writer.close()
