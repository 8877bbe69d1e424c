-- Each run asks which stored times are later than now. These indexes are a few pages, whatever the size
-- of the table, and answer without reading it.

create index activity_ledger_times on sync.activity_ledger
using brin (listed_at, checked_at, unlisted_at, service_time) with (autosummarize = on);
create index entities_times on warehouse.entities
using brin (observed_at) with (autosummarize = on);
create index activity_details_times on landing.activity_details
using brin (first_seen_at) with (autosummarize = on);
create index activity_list_rows_times on landing.activity_list_rows
using brin (first_seen_at) with (autosummarize = on);
