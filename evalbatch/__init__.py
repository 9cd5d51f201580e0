"""evalbatch: answer-key and transcription sheets evaluated, each score with its denominator."""

from typing import TYPE_CHECKING, Any

from evalbatch.documents import evaluate
from evalbatch.errors import EvalbatchError

if TYPE_CHECKING:
    from evalbatch.api import evaluate_frame, run, run_candidates
    from evalbatch.candidates import Candidates
    from evalbatch.comparison import Comparison, compare
    from evalbatch.result import Result
    from evalbatch.verification import verify

__version__ = "0.1.0"
__all__ = [
    "Candidates",
    "Comparison",
    "EvalbatchError",
    "Result",
    "compare",
    "evaluate",
    "evaluate_frame",
    "run",
    "run_candidates",
    "verify",
]

_LAZY = {
    "Candidates": "evalbatch.candidates",
    "Comparison": "evalbatch.comparison",
    "Result": "evalbatch.result",
    "compare": "evalbatch.comparison",
    "evaluate_frame": "evalbatch.api",
    "run": "evalbatch.api",
    "run_candidates": "evalbatch.api",
    "verify": "evalbatch.verification",
}


def __getattr__(name: str) -> Any:
    # The table libraries take most of the time to start, and many uses need none.
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)
