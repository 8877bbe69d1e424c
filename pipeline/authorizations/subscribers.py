"""Forms of a number that reach one subscriber.

Decided here alone, by country: `phonenumbers` judges a form, not whose it is. The tables come from the
national numbering plans that the regulators notified to the ITU (Operational Bulletin, E.129).
"""

import re

import phonenumbers

#: Forms of one subscriber in E.164: what is written, today's form, and its source. A form that is valid
#: by itself is another subscriber's, except where both forms of one subscriber are (True).
_FORMS = (
    # ENACOM, Plan Fundamental de Numeración Nacional: a 9 after 54 leads calls from abroad to a mobile.
    # The ten digits after it are the subscriber's, and no fixed line has the same ones.
    (re.compile(r"\+549([1-9][0-9]{9})"), r"+54\1", True),
    # IFT, Plan Técnico Fundamental de Numeración: ten digits since August 2019. Before, a 1 after 52 led
    # calls from abroad to a mobile.
    (re.compile(r"\+521([2-9][0-9]{9})"), r"+52\1", False),
    # Anatel, Resolução 553/2010: 2012 to 2016 all mobile numbers, those from 6 to 9, got a 9 before them.
    # Trunk radio (70, 77 to 79) did not: its eight digits stay other subscribers'.
    (re.compile(r"\+55([1-9][1-9])((?:[689][0-9]|7[1-6])[0-9]{6})"), r"+55\g<1>9\2", True),
    # AGCOM, Piano di numerazione nazionale: since 1998 the zero is a part of fixed numbers, also from
    # abroad. Since 2001 mobile numbers, those with 3, have none.
    (re.compile(r"\+39([1-9][0-9]{4,10})"), r"+390\1", False),
    (re.compile(r"\+390(3[0-9]{8,9})"), r"+39\1", False),
)


def subscriber(number: str) -> str:
    """Return the one form by which the person of a number in E.164 is known."""
    for form, today, both in _FORMS:
        found = form.fullmatch(number)
        if found and _is_valid(found.expand(today)) and (both or not _is_valid(number)):
            return found.expand(today)
    return number


def _is_valid(number: str) -> bool:
    return phonenumbers.is_valid_number(phonenumbers.parse(number))
