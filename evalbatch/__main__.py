"""`python -m evalbatch`."""

from evalbatch.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
