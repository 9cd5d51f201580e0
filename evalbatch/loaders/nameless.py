"""Columns without a name: dropped where they hold nothing, else called after their letter."""

from dataclasses import replace

from evalbatch import arrow
from evalbatch.records import Column, Sheet
from evalbatch.words import column_letters


def without_nameless(sheet: Sheet) -> Sheet:
    """Drop columns that have neither name nor data; name those that have data."""
    columns: list[Column] = []
    places: dict[int, int] = {}
    for index, column in enumerate(sheet.columns):
        if not column.name.strip():
            if arrow.empty(column.text).all():
                continue
            column = replace(column, name=f"column {column_letters(column.position)}")
        places[index] = len(columns)
        columns.append(column)
    roles = {role: places[index] for role, index in sheet.match.roles.items()}
    return replace(sheet, columns=tuple(columns), match=replace(sheet.match, roles=roles))
