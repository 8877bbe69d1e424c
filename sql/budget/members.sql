-- How many processes hold the lock of the budget in this database.
select count(*) from pg_locks
where locktype = 'advisory'
    and classid = 0
    and objid = %(key)s
    and objsubid = 1
    and granted
    and database = (select oid from pg_database where datname = current_database())
