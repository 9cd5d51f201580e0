"""XLSX: a workbook to a sheet of its cells, each kind of cell told apart."""

from evalbatch.loaders.xlsx.load import load

__all__ = ["load"]
