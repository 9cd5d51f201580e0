"""What is measured: each job's sheet, what is written of it, and the scripts to compare with."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.benchmarks.sheets import Kind

PEERS = Path(__file__).parent / "peers"


@dataclass(frozen=True, slots=True)
class Job:
    """A sheet of `rows` rows in one format, and the results of it in another."""

    name: str
    kind: Kind
    rows: int
    peers: tuple[str, ...]
    source: Literal["csv", "xlsx"] = "csv"
    to: Literal["csv", "xlsx"] = "csv"

    @property
    def title(self) -> str:
        """What the job does, for the table."""
        what = f"{self.kind}, {self.source.upper()} to {self.to.upper()}"
        return f"{what}, {self.rows:,} rows"

    @property
    def sheet(self) -> str:
        """The name of the sheet's file."""
        return f"{self.kind}-{self.rows}.{self.source}"


JOBS = (
    Job("small", "key", 500, ("key_pandas", "key_polars", "key_duckdb")),
    Job("key", "key", 1_000_000, ("key_pandas", "key_polars", "key_duckdb")),
    Job("spans", "spans", 1_000_000, ("spans_polars",)),
    Job("xlsx", "key", 200_000, ("key_polars",), "xlsx", "xlsx"),
    Job("xlsx-to-csv", "key", 200_000, ("key_polars",), "xlsx", "csv"),
    Job("large", "key", 10_000_000, ("key_polars", "key_duckdb")),
)
