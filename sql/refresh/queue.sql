-- Activities of which only children were written, which no trigger sees.
insert into sync.refresh_queue (activity_id)
select unnest(%(ids)s::uuid[])
