"""Scripts that judge the same sheets as a user of each library would, without the checks."""
