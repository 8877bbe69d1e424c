"""Example numbers of every country, as `phonenumbers` has them."""

from __future__ import annotations

import phonenumbers

_KINDS = (phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE)

#: A mobile and a fixed number of each country in E.164, with the country.
EXAMPLES = {
    phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164): country
    for country in sorted(phonenumbers.SUPPORTED_REGIONS)
    for kind in _KINDS
    if (number := phonenumbers.example_number_for_type(country, kind))
    and phonenumbers.is_valid_number_for_region(number, country)
}
