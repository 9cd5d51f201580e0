"""`evalbatch` and `python -m evalbatch`: the command line, in a process that is all its own."""

import gc
import os

# By default Python looks for cycles so often that it takes a tenth of a small run.
_OBJECTS_BETWEEN_COLLECTIONS = 500_000


def start() -> int:
    """Set up the process and run the command line; return its exit code."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    # numpy would start threads for linear algebra, of which there is none here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Arrow's own allocator gives memory back while it is still needed, and takes it anew.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    from evalbatch.cli import main

    return main()


if __name__ == "__main__":
    raise SystemExit(start())
