-- The bound of the stale share over all samples until then. Older results have none: they were compared with
-- the stored responses, not with the tables.

alter table sync.verifications add column stale_upper_bound double precision;
