"""Pages that people read: each is one file that needs no other, and no network."""

from evalbatch.writers.html.page import save
from evalbatch.writers.html.report import report

__all__ = ["report", "save"]
