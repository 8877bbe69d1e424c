-- Queues activities of which only children were written. Children have no triggers.
insert into sync.refresh_queue (activity_id)
select unnest(%(ids)s::uuid[])
