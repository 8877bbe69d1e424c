-- What is known of people: whether they were asked in the last days, and whether their data were erased.
select
    given.subscriber,
    warehouse.was_asked(given.subscriber, %(days)s, null) as asked,
    -- An erasure of an earlier version remembers the number as it was written.
    sync.is_erased_phone(given.subscriber) or sync.is_erased_phone(given.phone_number) as erased
from unnest(%(subscribers)s::text[], %(numbers)s::text[]) as given (subscriber, phone_number)
