"""Tests of the weekly run."""
