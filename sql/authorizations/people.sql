-- What is known of numbers: whether they were asked in the last days, and whether their owner's data were erased.
select
    given.phone_number,
    warehouse.was_asked(given.phone_number, %(days)s, null) as asked,
    sync.is_erased_phone(given.phone_number) as erased
from unnest(%(numbers)s::text[]) as given (phone_number)
