"""The job file: read, checked key by key, and every fault named with its line."""

import difflib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evalbatch.errors import EvalbatchError
from evalbatch.gates import Gates
from evalbatch.loaders.options import ReadOptions
from evalbatch.schema import Schema
from evalbatch.spellings import Spellings
from evalbatch.weekly import keys
from evalbatch.weekly.folders import unknown_placeholder
from evalbatch.weekly.job import DEFAULT_FOLDER, Entry, Job, Results
from evalbatch.weekly.keys import Key
from evalbatch.weekly.toml_lines import FlawedTomlError, KeyPath, Located, parse
from evalbatch.words import counted, fold_header, listed, shown
from evalbatch.writers import WriteOptions


def read(path: Path) -> Job:
    """Read a job file; raise EvalbatchError with every fault, each with its key and line."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise EvalbatchError(
            f"{path}: cannot be read: {error.strerror}. Write a job file with evalbatch batch "
            "--init."
        ) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise EvalbatchError(f"{path.name}, line {line}: the file is not UTF-8.") from None
    try:
        found = parse(text)
    except FlawedTomlError as flaw:
        raise EvalbatchError(f"{path.name}, line {flaw.line}: this is no TOML: {flaw}.") from None
    check = _Check(found)
    entries = check.entries()
    if check.faults:
        faults = [f"line {line}: {what}" for line, what in sorted(check.faults)]
        if len(faults) == 1:
            raise EvalbatchError(f"{path.name}, {faults[0]}")
        raise EvalbatchError(
            "\n  ".join([f"{path.name}: {counted(len(faults), 'fault')}", *faults])
        )
    return Job(path, entries)


class _Check:
    """Collects the faults of a document, so that all are told at once."""

    def __init__(self, document: Located) -> None:
        self._document = document
        self.faults: list[tuple[int, str]] = []

    def entries(self) -> tuple[Entry, ...]:
        values = self._document.values
        for name in values:
            if name not in ("sheet", "results", "gates"):
                self._fault((name,), _unknown(name, ("sheet", "results", "gates"), "the job file"))
        results = self._group("results", keys.RESULTS_KEYS, ("results",), values)
        gates = self._group("gates", keys.GATES_KEYS, ("gates",), values)
        self._check_results(("results",), results)
        sheets = values.get("sheet", [])
        if not isinstance(sheets, list) or not all(isinstance(one, dict) for one in sheets):
            self._fault(("sheet",), "sheet must be tables that begin with [[sheet]].")
        elif not sheets:
            self._fault((), "no [[sheet]] names a sheet to evaluate; add one, with its path.")
        else:
            return tuple(
                self._entry(("sheet", number), sheet, results, gates)
                for number, sheet in enumerate(sheets)
            )
        return ()

    def _entry(
        self,
        path: KeyPath,
        table: Mapping[str, Any],
        all_results: Mapping[str, Any],
        all_gates: Mapping[str, Any],
    ) -> Entry:
        own = (
            Key("path", keys.PATHS, "", ""),
            *keys.SHEET_KEYS,
            Key("gates", keys.TABLE, "", ""),
            Key("results", keys.TABLE, "", ""),
        )
        options = self._values(path, own, table, "[[sheet]]")
        if "path" not in table:
            self._fault(path, "this [[sheet]] has no path; name its file, or a glob such as *.csv.")
        paths = options.pop("path", ())
        results = self._group("results", keys.RESULTS_KEYS, (*path, "results"), options)
        gates = self._group("gates", keys.GATES_KEYS, (*path, "gates"), options)
        options = {name: options[name] for name in options if name not in ("results", "gates")}
        if "columns" in options:
            options["columns"] = self._columns(path, options["columns"])
        self._check_options(path, options)
        self._check_results((*path, "results"), results)
        return Entry(
            line=self._document.line(path),
            paths=paths,
            options=options,
            gates=Gates(**{**all_gates, **gates}),
            own_pass_rate="min_pass_rate" in gates,
            results=Results(**{**all_results, **results}),
        )

    def _group(
        self, name: str, known: Sequence[Key], path: KeyPath, values: Mapping[str, Any]
    ) -> dict[str, Any]:
        table = values.get(name, {})
        if not isinstance(table, dict):
            self._fault(path, f"{name} must be a table.")
            return {}
        return self._values(path, known, table, f"[{name}]")

    def _values(
        self, path: KeyPath, known: Sequence[Key], table: Mapping[str, Any], where: str
    ) -> dict[str, Any]:
        """Read the known keys of a table; note the unknown ones and those of a wrong kind."""
        by_name = {key.name: key for key in known}
        found = {}
        for name, value in table.items():
            if name not in by_name:
                self._fault((*path, name), _unknown(name, list(by_name), where))
                continue
            kind = by_name[name].kind
            found[name] = kind.read(value)
            if found[name] is None:
                del found[name]
                self._fault((*path, name), f"{name} is {_told(value)}; it must be {kind.wanted}.")
        return found

    def _columns(self, path: KeyPath, given: Mapping[str, str]) -> dict[str, str]:
        columns: dict[str, str] = {}
        for name, header in given.items():
            role = fold_header(name)
            if role in columns:
                self._fault(
                    (*path, "columns", name), f"columns names the role {shown(role)} twice."
                )
            columns[role] = header
        return columns

    def _check_options(self, path: KeyPath, options: Mapping[str, Any]) -> None:
        def some(*names: str) -> dict[str, Any]:
            return {name: options[name] for name in names if name in options}

        try:
            Schema.build(
                options.get("task"),
                options.get("columns", {}),
                answers_apart="answers" in options,
                marks=options.get("marks", "column"),
            )
            Spellings.declare(**some("true", "false", "blank"))
            ReadOptions(**some("delimiter", "encoding", "header_row", "sheet"))
        except EvalbatchError as error:
            self._refused(path, options, error)

    def _check_results(self, path: KeyPath, results: Mapping[str, Any]) -> None:
        folder = results.get("folder", DEFAULT_FOLDER)
        if unknown := unknown_placeholder(folder):
            self._fault((*path, "folder"), f"folder is {shown(folder)}; {unknown}.")
        try:
            WriteOptions(results.get("to"))
        except EvalbatchError as error:
            self._refused(path, results, error)

    def _refused(self, path: KeyPath, given: Mapping[str, Any], error: EvalbatchError) -> None:
        """Note why an option was refused: in a job file it has a key and no flag."""
        flags = re.findall("--([a-z-]+)", str(error))
        message = re.sub("--([a-z-]+)", lambda flag: _key(flag[1]), str(error))
        named = [_key(flag) for flag in flags if _key(flag) in given]
        self._fault((*path, *named[:1]), message)

    def _fault(self, path: KeyPath, what: str) -> None:
        self.faults.append((self._document.line(path), what))


def _key(flag: str) -> str:
    return "columns" if flag == "column" else flag.replace("-", "_")


def _unknown(name: str, known: Sequence[str], where: str) -> str:
    near = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"the keys are {listed(list(known), 30)}."
    return f"{where} has no key {shown(name)}; {hint}"


def _told(value: Any) -> str:
    if isinstance(value, str):
        return shown(value) if value else "an empty text"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    return f"a list ({listed(value, 3)})" if isinstance(value, list) else str(value)
