"""Tests of evalbatch."""
