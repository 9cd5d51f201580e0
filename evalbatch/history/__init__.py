"""The history: what each weekly run found, case by case, in one SQLite file beside the job.

`schema` opens and migrates it, `record` adds a run, `read` asks what is in it.
"""

from evalbatch.history.read import History, read

__all__ = ["History", "read"]
