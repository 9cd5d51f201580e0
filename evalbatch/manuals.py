"""The manuals of the commands: what each does, and an example of it."""

MANUAL = """\
Evaluates answer keys and transcription marks that reviewers keep in spreadsheets.
What is disputed is held until somebody settles it, what is malformed is
set aside with its cell and the reason, and every score carries its denominator.

  evalbatch template answer-key key.xlsx   a sheet to fill in
  evalbatch check key.xlsx          what a run would say; nothing is written
  evalbatch run key.csv             three sheets and a coverage summary
  evalbatch compare week31 week32   what has changed, case by case
  evalbatch batch weekly.toml       the same for every sheet of a job, each week
  evalbatch history weekly.toml     what the weeks have found, case by case
  evalbatch verify cases.json       do worked-out cases still come out the same?
  evalbatch reasons                 what each reason means, and what to do
  evalbatch COMMAND --help          the manual of one command, with an example
"""

EXIT_CODES = """\
exit codes:
  0  done
  1  done, but something that was asked for is not met (a gate; a mismatch; a sheet
     of a batch that failed)
  2  a wrong option, or an input that cannot be evaluated; nothing was written
  3  another run is writing the same results folder, or the same batch is running
  4  the results could not be published; earlier ones stand as they were
"""

RUN_MANUAL = """\
Evaluates one sheet and publishes a results folder.

The sheet is XLSX, CSV, TSV, JSON or JSON Lines; its header tells the task:
  answer key   id, state, expected, answer    state is agreed or disputed
  spans        id, text, struck               one row a span; struck text is old
  spans        id, spans                      one row a field; spans is JSON
All other columns are carried through as they are.
"""

RUN_EXAMPLE = """\
example:
  $ cat key.csv
  id,state,expected,answer
  Q1,agreed,TRUE,TRUE
  Q2,disputed,,TRUE
  Q3,agreed,pass,TRUE
  $ evalbatch run key.csv
  1 of 1 scored cases passed; 1 of 3 cases scored (33.3%), 1 held, 1 invalid: not
  the full evaluation, whose pass rate lies between 33.3% and 100.0%.
  ...
  To mend
    C4: expected is the text 'pass'; it must be TRUE or FALSE

  key-results/ then holds scored.csv, held.csv, invalid.csv, results.json, a page
  to read and to send on, report.html, coverage.json, coverage.csv and a manifest.
  Settle what is held and mend what is invalid in key.csv itself, and run again with
  --overwrite.

"""

CHECK_MANUAL = """\
Says everything that a run would say of some sheets, and writes nothing: what is
wrong, grouped by reason and by cell, the most frequent first, each with the edit or
the option that mends it. The exit code is 1 if anything is invalid.
"""

CHECK_EXAMPLE = """\
example:
  $ evalbatch check key.csv
  key.csv: 1 of 1 scored cases passed; 1 of 3 cases scored (33.3%), 1 held, 1 invalid:
  not the full evaluation, whose pass rate lies between 33.3% and 100.0%.

  expected-not-boolean (invalid), 1 cell
    expected is the text 'pass': C4
      it must be TRUE or FALSE
  ...

"""

TEMPLATE_MANUAL = """\
Makes a sheet to fill in. In a workbook it is hard to go wrong: ids and texts are
cells of text, so that 0012 stays 0012; states and Booleans are chosen from a list;
rows that would be held or invalid are coloured; and a second sheet explains it all.
"""

TEMPLATE_EXAMPLE = """\
example:
  $ evalbatch template answer-key week32.xlsx --from week31.csv
  week32.xlsx is ready to be filled in.

"""

COMPARE_MANUAL = """\
Compares two results folders, case by case. Each changed case is in one class, the
first that fits:
  added              it is new                removed        it is gone
  newly-held         it is held now           newly-invalid  it is invalid now
  newly-adjudicated  it is scored now, on a recorded decision
  mended             it is scored now, and was not
  regressed          it passed, and fails     fixed          it failed, and passes
  changed            it ended where it had, with another key, answer or text
The change of the pass rate is told in two parts that add up: on the cases scored in
both, and from which cases are scored.
"""

COMPARE_EXAMPLE = """\
example:
  $ evalbatch compare week31 week32 --fail-on regressed,newly-invalid

"""

VERIFY_EXAMPLE = """\
The file holds worked-out cases: id, input and expected, the last two as JSON. Each
input is evaluated, and its result compared type for type (true is not 1).

example:
  $ evalbatch verify cases.csv
  {"checked": 9, "caseIds": ["one-replacement", "two-current-spans", ...]}

"""

REASONS_EXAMPLE = """\
Every held or invalid case has one or more of these in its reason cell; the first
is the one that decided.

example:
  $ evalbatch reasons --json | jq -r '.[].code'

"""
