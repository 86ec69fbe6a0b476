"""Exact arithmetic on amounts as documents write them."""

from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_HALF_UP, Decimal, getcontext

# Enough for the product of any two amounts, and for quotients that no rounding can tell from exact ones.
getcontext().prec = 60
# SAT rounds half up; satcfdi rounds as the context says.
getcontext().rounding = ROUND_HALF_UP

ZERO = Decimal(0)


def decimals(text):
    """How many decimals are written."""
    return len(text.partition(".")[2])


def rounded(value, places):
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def cut(value, places):
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_DOWN)


def rounded_up(value, places):
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_CEILING)


def half(text):
    """Half a unit of the last decimal that is written."""
    return Decimal(1).scaleb(-decimals(text)) / 2
