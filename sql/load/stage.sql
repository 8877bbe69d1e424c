-- Where a batch is copied to before it is merged. Emptied at each commit.
create temporary table if not exists stage_entities (
    like warehouse.entities
) on commit delete rows;

create temporary table if not exists stage_activities (
    like warehouse.activities
) on commit delete rows;

create temporary table if not exists stage_ledger (
    like sync.activity_ledger,
    is_new boolean not null
) on commit delete rows;
