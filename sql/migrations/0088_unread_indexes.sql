-- depends: 0087_fewer_indexes
-- Nothing asks for these any more, and each load wrote them. What the clock ends is found among what is not
-- erased yet: what is erased had ended before.
drop index warehouse.activities_expires_at;
drop index warehouse.entities_cifcode;
