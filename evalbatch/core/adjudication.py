"""The adjudication rule: which recorded decision, if any, settles a case that is held."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Fault = Literal["incomplete", "not-boolean", "not-text", "conflict", "stale"]
Basis = Literal["current", "stale", "unknown"]
_WRONG_TYPE: dict[type, Fault] = {bool: "not-boolean", str: "not-text"}


@dataclass(frozen=True, slots=True)
class Decision:
    """One recorded decision on one case: what, by whom and when; None for what is absent.

    `basis` tells whether it was recorded of the case as it is now, as the cells beside it show, or
    of one that has changed since; `unknown` where no cells stand beside it.
    """

    value: object
    decided_by: str | None
    decided_on: str | None
    basis: Basis = "unknown"

    @property
    def is_complete(self) -> bool:
        """Whether it says what was decided, by whom and when."""
        return None not in (self.value, self.decided_by, self.decided_on)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the decisions on one case come to: a value, or the faults that keep the case held.

    `rests_on` are the places of the decisions that it rests on.
    """

    value: object
    faults: tuple[Fault, ...] = ()
    rests_on: tuple[int, ...] = ()


def weigh(decisions: Sequence[Decision], wanted: type[bool] | type[str]) -> Ruling:
    """Weigh all decisions on one case, of which there is at least one.

    The case is settled by a complete decision of the wanted type whose case has not changed since,
    if no other says anything else: neither order nor date nor number ever matters. A decision that
    is incomplete settles nothing, and contradicts all the same. So does a stale one, unless the
    case was decided anew as it is now.
    """
    settling = tuple(
        place
        for place, one in enumerate(decisions)
        # Of exactly the type: a Boolean is no number, and 1 is no Boolean.
        if one.is_complete and type(one.value) is wanted and one.basis != "stale"
    )
    anew = any(decisions[place].basis == "current" for place in settling)
    heard = [one for one in decisions if not (anew and one.basis == "stale")]
    said = {one.value for one in heard if type(one.value) is wanted}
    faults: list[Fault] = []
    if not settling and not all(one.is_complete for one in decisions):
        faults.append("incomplete")
    if any(one.value is not None and type(one.value) is not wanted for one in heard):
        faults.append(_WRONG_TYPE[wanted])
    if len(said) > 1:
        faults.append("conflict")
    if not settling and any(one.basis == "stale" for one in decisions):
        faults.append("stale")
    if faults or not settling:
        return Ruling(None, tuple(faults))
    [value] = said
    return Ruling(value, (), settling)
