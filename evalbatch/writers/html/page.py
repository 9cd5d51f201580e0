"""A page: its template filled in, with its styles and script inside and a policy that admits them.

Nothing that a page shows comes from elsewhere: it can be opened from an e-mail, without a network.
"""

import base64
import hashlib
import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import jinja2.compiler
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from evalbatch import __version__
from evalbatch.errors import ConservationError
from evalbatch.writers.html import text

_TEMPLATES = Path(__file__).parent / "templates"
_DIGEST = hashlib.sha256().digest_size


def page(template: str, **data: Any) -> bytes:
    """Fill in a template that extends base.html; its texts are escaped, and none may be missing."""
    style, script = (
        (_TEMPLATES / name).read_text(encoding="utf-8") for name in ("style.css", "script.js")
    )
    known = _environment().get_template(template)
    filled = known.render(
        policy=_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        version=__version__,
        **data,
    )
    return filled.encode()


def save(path: Path, filled: bytes) -> None:
    """Write a page; raises ConservationError where the file, read again, holds something else."""
    path.write_bytes(filled)
    if path.read_bytes() != filled:
        raise ConservationError.after_writing(path.name, "is not what was written")


def place(share: float) -> str:
    """Write a share as a place in a drawing that is as wide as the page allows."""
    return f"{share:.4%}"


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_Compiled(),
    )
    environment.filters |= {
        "value": text.value,
        "cell": text.cell,
        "message": text.message,
        "plain": text.plain,
        "place": place,
        "number": "{:,}".format,
    }
    return environment


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(inline: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}"


class _Compiled(BytecodeCache):
    """Keeps compiled templates where Python keeps compiled modules, and when it does.

    To compile them takes longer than all else that a report adds to a run. What was compiled from
    other templates, by another release of Jinja or for other settings is compiled again, and so is
    what a disk has damaged.
    """

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return str(Path(cache_from_source(filename or name)).with_suffix(".jinja.pyc"))

    def get_source_checksum(self, source: str) -> str:
        made_by = [Path(path).stat() for path in (jinja2.compiler.__file__, __file__)]
        stamps = [(one.st_size, one.st_mtime_ns) for one in made_by]
        return hashlib.sha256(f"{stamps} {source}".encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            kept = Path(bucket.key).read_bytes()
        except OSError:
            return
        digest, compiled = kept[:_DIGEST], kept[_DIGEST:]
        if digest == hashlib.sha256(compiled).digest():
            bucket.bytecode_from_string(compiled)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        compiled = bucket.bytecode_to_string()
        path = Path(bucket.key)
        beside = path.with_name(f"{path.name}.{os.getpid()}")
        # Where nothing can be written, each run compiles for itself.
        with suppress(OSError):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                beside.write_bytes(hashlib.sha256(compiled).digest() + compiled)
                beside.replace(path)
            finally:
                beside.unlink(missing_ok=True)
