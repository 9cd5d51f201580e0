"""The weekly run: a job file names the sheets, and each is evaluated, published and recorded.

`evalbatch.weekly.runner.run` runs a job; `evalbatch.history` reads what was recorded.
"""
