"""The closed catalogue of reasons: why a case is held or invalid, in a reviewer's words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: what it means, and what a reviewer does about it."""

    code: str
    disposition: Literal["held", "invalid"]
    meaning: str
    remedy: str


CATALOGUE = (
    Reason(
        "row-malformed",
        "invalid",
        "The row has too many or too few cells, or a quote is out of place in it.",
        "Mend the row's delimiters and quotes. In a fed-back part, clear its reason cell as well.",
    ),
    Reason("id-missing", "invalid", "The row has no id.", "Give it an id of its own."),
    Reason(
        "id-not-text",
        "invalid",
        "The id is no text, such as a date, a Boolean or a number.",
        "Enter the id as text.",
    ),
    Reason(
        "id-duplicate",
        "invalid",
        "Several rows have this id. None of them is scored, for nobody can tell which one counts.",
        "Delete the rows that do not count, or give each case an id of its own.",
    ),
    Reason(
        "field-scattered",
        "invalid",
        "The rows of this field do not stand together.",
        "Bring them together, give each field an id of its own, or run with --scattered.",
    ),
    Reason(
        "rows-without-id",
        "invalid",
        "Rows without an id follow this field, and may belong to it.",
        "Write the id into each row that belongs to the field.",
    ),
    Reason("state-missing", "invalid", "The state is absent.", "Enter agreed or disputed."),
    Reason(
        "state-unknown",
        "invalid",
        "The state is neither agreed nor disputed.",
        "Enter agreed or disputed.",
    ),
    Reason("expected-missing", "invalid", "The label is absent.", "Enter TRUE or FALSE."),
    Reason(
        "expected-not-boolean",
        "invalid",
        "The label is no Boolean.",
        "Enter TRUE or FALSE, or declare the spelling with --true and --false.",
    ),
    Reason("answer-missing", "invalid", "The answer is absent.", "Enter TRUE or FALSE."),
    Reason(
        "answer-not-boolean",
        "invalid",
        "The answer is no Boolean.",
        "Enter TRUE or FALSE, or declare the spelling with --true and --false.",
    ),
    Reason(
        "observation-text",
        "invalid",
        "A span's text is absent, or no text.",
        "Enter what was seen as text, or [blank] where a blank was seen.",
    ),
    Reason(
        "observation-label",
        "invalid",
        "A span's mark (struck) is absent, or no Boolean.",
        "Enter TRUE or FALSE.",
    ),
    Reason(
        "spans-not-json",
        "invalid",
        "The spans cell is no JSON array of objects.",
        'Write it as [{"text": "12", "struck": true}, …].',
    ),
    Reason(
        "cell-merged",
        "invalid",
        "The cell is covered by a merged one.",
        "Unmerge the cells and fill in each.",
    ),
    Reason(
        "cell-error", "invalid", "The cell shows an error, such as #N/A.", "Correct its formula."
    ),
    Reason(
        "formula-not-calculated",
        "invalid",
        "The cell's formula has no saved result.",
        "Open the workbook in a spreadsheet, let it calculate, and save it.",
    ),
    Reason(
        "disputed",
        "held",
        "The reviewers do not agree on the label.",
        "Agree on the label, and record the decision or enter it with the state agreed.",
    ),
    Reason(
        "review-none",
        "held",
        "No text of the field is unstruck, so that it has no current text.",
        "Agree on the current text, and record the decision or leave only it unstruck.",
    ),
    Reason(
        "review-several",
        "held",
        "Several texts of the field are unstruck, and no rule chooses among them.",
        "Agree on the current text, and record the decision or leave only it unstruck.",
    ),
    Reason(
        "adjudication-incomplete",
        "held",
        "A decision is recorded, but not what was decided, by whom, and when.",
        "Fill in decision, decided_by and decided_on.",
    ),
    Reason(
        "adjudication-not-boolean",
        "held",
        "The recorded decision on a label is no Boolean.",
        "Record TRUE or FALSE.",
    ),
    Reason(
        "adjudication-not-text",
        "held",
        "The recorded decision on a field is no text.",
        "Record the current text as text, or [blank] where a blank was seen.",
    ),
    Reason(
        "adjudication-conflict",
        "held",
        "Several decisions are recorded, and they do not say the same.",
        "Agree on one of them, and delete the others.",
    ),
    Reason(
        "adjudication-stale",
        "held",
        "The case has changed since the decision on it was recorded.",
        "Decide anew of the case as it is now.",
    ),
)
BY_CODE = {reason.code: reason for reason in CATALOGUE}


def table() -> Iterator[str]:
    """List the catalogue in lines: what each reason means, and what to do."""
    width = max(map(len, BY_CODE))
    for disposition in ("held", "invalid"):
        yield disposition
        for reason in CATALOGUE:
            if reason.disposition == disposition:
                yield f"  {reason.code:<{width}}  {reason.meaning}"
                yield f"  {'':<{width}}  {reason.remedy}"
