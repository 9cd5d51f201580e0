"""How the tests are run: generated sheets are new at each run, and the same in CI."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "evalbatch",
    deadline=None,
    derandomize="CI" in os.environ,
    max_examples=int(os.environ.get("EVALBATCH_EXAMPLES", "60")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("evalbatch")
