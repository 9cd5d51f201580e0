"""The two rules, pure: no files, no tables, no third-party imports."""
