-- Scores of counterparts just written become their history.
create or replace function warehouse.keep_score() returns trigger
language plpgsql
as $$
begin
    insert into warehouse.entity_scores (entity_id, observed_at, score, scoring_level)
    select written.id, written.observed_at, written.score, written.scoring_level
    from written
    left join lateral (
        select kept.score, kept.scoring_level
        from warehouse.entity_scores as kept
        where kept.entity_id = written.id
        order by kept.observed_at desc
        limit 1
    ) as latest on true
    where (written.score, written.scoring_level)
        is distinct from (latest.score, latest.scoring_level)
    on conflict (entity_id, observed_at) do update set
        score = excluded.score,
        scoring_level = excluded.scoring_level;
    return null;
end
$$;
