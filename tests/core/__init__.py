"""Tests of the two rules."""
