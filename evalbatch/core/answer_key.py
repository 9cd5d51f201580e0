"""The answer-key rule: where one case ends, and whether it passed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

AGREED = "agreed"
DISPUTED = "disputed"

Disposition = Literal["scored", "held", "invalid"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Where one case ends.

    `passed` is a Boolean for a scored case and None for every other. `faults` names the inputs
    that made the case invalid, in the order in which the rule looks at them.
    """

    disposition: Disposition
    passed: bool | None = None
    faults: tuple[str, ...] = ()


HELD = Judgement("held")


def judge(state: object, expected: object, answer: object) -> Judgement:
    """Judge one case.

    A disputed case is held, and neither its label nor its answer is looked at. A state other than
    agreed, or a label or answer that is not a real Boolean (1, "true" and None are none), makes
    the case invalid: there is no majority, no first reviewer and no default.
    """
    if state == DISPUTED:
        return HELD
    faults = [] if state == AGREED else ["state"]
    faults += [
        name
        for name, value in (("expected", expected), ("answer", answer))
        if not isinstance(value, bool)
    ]
    if faults:
        return Judgement("invalid", faults=tuple(faults))
    return Judgement("scored", passed=answer == expected)


def evaluate(cases: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Judge cases of `id`, `state`, `expected` and `answer`, each in its turn.

    Returns `{"scored": [{"id", "pass"}], "held": [ids], "invalid": [ids]}` in input order. A key
    that a case lacks is absent; two cases with one id are two cases.
    """
    result: dict[str, list[Any]] = {"scored": [], "held": [], "invalid": []}
    for case in cases:
        judgement = judge(case.get("state"), case.get("expected"), case.get("answer"))
        name = case.get("id")
        scored = judgement.disposition == "scored"
        result[judgement.disposition].append(
            {"id": name, "pass": judgement.passed} if scored else name
        )
    return result
