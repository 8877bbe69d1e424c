-- The activities to load again, and whether somebody altered them. Each condition by itself, as the indexes find it.
select activity_id::text, altered from sync.activity_ledger
where altered and (day is null or day between %(first)s and %(last)s)
union
select activity_id::text, altered from sync.activity_ledger where mapping_version < %(version)s
union
select activity_id::text, altered from sync.activity_ledger where mapping_version > %(version)s
order by 1
