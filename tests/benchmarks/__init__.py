"""How fast evalbatch is, measured against scripts that do the same work without its checks."""
