-- All details of activities of which decisions may be kept, the oldest first: had more than one version, or something is
-- kept already. Nothing is kept of an activity whose data were erased because a person asked, or by retention.
select version.activity_id::text, version.first_seen_at, version.body
from landing.activity_details as version
where version.activity_id = any(%(ids)s::uuid[])
    and (
        version.activity_id = any(%(kept)s::uuid[])
        or 1 < (
            select count(*) from landing.activity_details as other where other.activity_id = version.activity_id
        )
    )
    and not exists (
        select
        from sync.erasures as log
        where log.activity_id = version.activity_id and log.reason = any(%(whole)s)
    )
order by 1, 2
