"""results.xlsx: a fresh workbook, written as a stream, every text a text and every Boolean one."""

from evalbatch.writers.workbook.book import check, write

__all__ = ["check", "write"]
