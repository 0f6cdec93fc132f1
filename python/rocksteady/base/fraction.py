"""Fractions from the core."""

from __future__ import annotations

from fractions import Fraction


def fraction(numerator: str, denominator: str) -> Fraction:
    """Return the fraction of two whole numbers in hexadecimal digits, which Python reads at any length."""
    return Fraction(int(numerator, 16), int(denominator, 16))
