"""Tests of meanings."""
