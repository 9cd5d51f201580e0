"""The adjudication rule: which recorded decision, if any, settles a case that is held."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Fault = Literal["incomplete", "not-boolean", "not-text", "conflict", "stale"]
_WRONG_TYPE: dict[type, Fault] = {bool: "not-boolean", str: "not-text"}


@dataclass(frozen=True, slots=True)
class Decision:
    """One recorded decision on one case: what, by whom and when; None for what is absent.

    `is_stale` tells that it was recorded of a case whose cells have changed since.
    """

    value: object
    decided_by: str | None
    decided_on: str | None
    is_stale: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether it says what was decided, by whom and when."""
        return None not in (self.value, self.decided_by, self.decided_on)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the decisions on one case come to: a value, or the faults that keep the case held.

    `basis` are the places of the decisions that the value rests on.
    """

    value: object
    faults: tuple[Fault, ...] = ()
    basis: tuple[int, ...] = ()


def weigh(decisions: Sequence[Decision], wanted: type[bool] | type[str]) -> Ruling:
    """Weigh all decisions on one case, of which there is at least one.

    The case is settled by a complete decision of the wanted type whose case has not changed since,
    if no other says anything else: neither order nor date nor number ever matters. A decision that
    is incomplete or stale settles nothing, and contradicts all the same.
    """
    # Of exactly the type: a Boolean is no number, and 1 is no Boolean.
    said = {one.value for one in decisions if type(one.value) is wanted}
    basis = tuple(
        place
        for place, one in enumerate(decisions)
        if one.is_complete and type(one.value) is wanted and not one.is_stale
    )
    faults: list[Fault] = []
    if not basis and not all(one.is_complete for one in decisions):
        faults.append("incomplete")
    if any(one.value is not None and type(one.value) is not wanted for one in decisions):
        faults.append(_WRONG_TYPE[wanted])
    if len(said) > 1:
        faults.append("conflict")
    if not basis and any(one.is_stale for one in decisions):
        faults.append("stale")
    if faults or not basis:
        return Ruling(None, tuple(faults))
    [value] = said
    return Ruling(value, (), basis)
