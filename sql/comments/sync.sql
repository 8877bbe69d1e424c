-- What the tables, columns and functions of schema sync mean. `pipeline migrate` applies this file when it changed.

comment on schema sync is
    'How the mirror works: run history, coverage per day, the ledger of activities, quarantine.';

comment on table sync.runs is
    'One row per part of a run: the requested days, or the due work of older days.';
comment on column sync.runs.run_id is
    'Dagster''s run id. With /open at its end: the due work of older days.';
comment on column sync.runs.kind is
    'days: a range of days was requested. open: due work of older days. recent: a light run. verify: a sample. reparse.';
comment on column sync.runs.window_from is 'First day requested, or read by a light run, in the configured time zone.';
comment on column sync.runs.window_to is 'Last day requested, included.';
comment on column sync.runs.started_at is 'When the run began.';
comment on column sync.runs.finished_at is
    'When the run ended, or when a later run found that its process had died. Null: running, or dead and no later run has begun.';
comment on column sync.runs.status is
    'running. complete. incomplete: something is in quarantine or unverified, and error names it. failed.';
comment on column sync.runs.error is 'Why the run failed or is incomplete, in one line.';
comment on column sync.runs.listed is
    'Number of distinct activities that the lists of these days contained.';
comment on column sync.runs.new is 'Number of activities loaded for the first time.';
comment on column sync.runs.changed is 'Number of activities whose stored details changed.';
comment on column sync.runs.unchanged is
    'Number of activities that were the same as stored, by their list row or by their details.';
comment on column sync.runs.gone is
    'Number of activities found during this run to be no longer offered.';
comment on column sync.runs.quarantined is
    'Number of activities that this run put, or left, in quarantine.';
comment on column sync.runs.healed is
    'Number of activities whose rows were changed outside a run, and restored by this one from the stored responses.';
comment on column sync.runs.pruned is
    'Number of stored bodies, changes of old runs and resolved quarantine entries that were removed because they had been kept long enough.';
comment on column sync.runs.package_version is
    'Version of activity-warehouse that made the run. Null: a version before this column.';
comment on column sync.runs.schema_version is
    'Newest migration that the warehouse had when the run began.';
comment on column sync.runs.erased is
    'Number of activities out of which this run erased something personal, because the sharing was over or they ended long ago.';
comment on column sync.runs.requests is
    'Number of requests for lists and details. Each attempt counts.';
comment on column sync.runs.retries is 'Number of attempts after the first.';
comment on column sync.runs.logins is 'Number of session tokens obtained.';
comment on column sync.runs.bytes_received is 'Size of all response bodies in bytes.';

comment on index sync.runs_running is
    'Finds the few runs whose process may have died before it recorded the end.';

comment on table sync.run_changes is 'What each run did to which activity.';
comment on column sync.run_changes.run_id is 'The run (sync.runs).';
comment on column sync.run_changes.activity_id is 'Activity ID as the service sends it.';
comment on column sync.run_changes.change is
    'new, changed, gone, returned, quarantined or resolved.';
comment on column sync.run_changes.fields is
    'For changed: names of the top-level fields of the details that differ. No values.';
comment on column sync.run_changes.recorded_at is 'When the change was recorded.';

comment on table sync.activity_ledger is
    'What is known about each activity. A run resumes from here. A row commits together with the rows of its activity.';
comment on column sync.activity_ledger.activity_id is 'The activity.';
comment on column sync.activity_ledger.day is
    'Day of creation in the configured time zone: the activity''s partition.';
comment on column sync.activity_ledger.listed is
    'Digest of what the newest row of the list means (docs/design.md "Meaning").';
comment on column sync.activity_ledger.listed_at is
    'When a row of this meaning was last received and stored. Older rows are ignored.';
comment on column sync.activity_ledger.settled is
    'The value of listed for which details came. When listed is another one, details are needed.';
comment on column sync.activity_ledger.details is
    'Digest of what the stored details mean. Null: no details stored yet. Empty: landing lost them.';
comment on column sync.activity_ledger.mapping_version is
    'Version of the code that mapped the details to rows.';
comment on column sync.activity_ledger.checked_at is
    'When a details request was last answered: with details, or with a refusal (withheld_at, gone_at).';
comment on column sync.activity_ledger.withheld_at is
    'When a details request was answered 403 or 404 because the sharing period is over; null: details were not withheld since. The status is then that of the list.';
comment on column sync.activity_ledger.service_time is
    'What the service''s clock showed at checked_at. Deadlines are compared with that clock.';
comment on column sync.activity_ledger.final is
    'True when the status ends the process. Then only a change in the list, a deadline or --full makes a run fetch the details again.';
comment on column sync.activity_ledger.deadline_at is
    'The first of valid_until and expires_at after service_time. Then the details are due.';
comment on column sync.activity_ledger.unlisted_at is
    'When a verified walk of its day first did not list the activity. Null: listed.';
comment on column sync.activity_ledger.gone_at is
    'When the details of an unlisted activity were answered 403 or 404.';
comment on column sync.activity_ledger.altered is
    'True when somebody changed rows of the activity outside a run: triggers set it, the next run restores the rows.';
comment on column sync.activity_ledger.not_yet_at is
    'When details of a new activity could not be read yet. The next run asks again; until then it counts as not listed.';

comment on column sync.activity_ledger.discrepancy is
    'What is in doubt about the last details, for example: lost timeline; rewrote description. Null: nothing.';
comment on column sync.activity_ledger.doubted is 'Digest of what the details mean that have the discrepancy.';
comment on column sync.activity_ledger.discrepancy_since is 'When these details came first, by the service''s clock.';
comment on column sync.activity_ledger.discrepancy_settled_at is
    'When the same details came at least six hours later, by the service''s clock: they are what the service says. Null: asked for again.';
comment on column sync.activity_ledger.unsettled is
    'Whether anything can be left to do or to name, now or later: all but what is final and settled. Generated from the other columns.';
comment on column sync.activity_ledger.spelling is
    'The id as the list spells it, for example in capital letters: details are asked for under it. Null: as activity_id.';

comment on table sync.habits is
    'Discrepancies that the service always has. Those that many activities have stand here until a later night confirms them.';
comment on column sync.habits.discrepancy is 'The discrepancy, as in sync.activity_ledger.discrepancy.';
comment on column sync.habits.suspected_at is 'When many activities had it first, by the service''s clock.';
comment on column sync.habits.confirmed_at is 'When a later night had got the same. Null: not yet.';

comment on table sync.days is
    'What the list said of each day when it was last read. The view sync.coverage compares it with what is stored.';
comment on column sync.days.day is 'Day of the activities'' creation, in the configured time zone.';
comment on column sync.days.listed is 'Number of distinct activities that the list had.';
comment on column sync.days.proven_at is 'When the list was last proven. Null: never.';
comment on column sync.days.unproven is 'Why the list is not proven since then. Null: it is.';
comment on column sync.days.run_id is 'The run that last read the list of the day.';

comment on view sync.calendar is
    'One row: the zone in which all days are cut, and the day that it is there.';
comment on column sync.calendar.time_zone is 'The configured time zone (sync.service_facts). Before the first run: UTC.';
comment on column sync.calendar.today is 'Today in that zone.';
comment on column sync.calendar.start_date is
    'Since when the warehouse is meant to be complete. Null: no run has said so yet.';

comment on view sync.coverage is
    'Per day: what the service lists, what is stored, and why the day is not complete.';
comment on column sync.coverage.day is
    'Day of the activities'' creation, in the configured time zone.';
comment on column sync.coverage.listed is
    'Number of distinct activities that the list had, without those that are too new to be read, and with what is finished, and answered although it is no longer listed.';
comment on column sync.coverage.stored is
    'How many of these stand in the tables as they were written, with details that match the list, and are not in quarantine.';
comment on column sync.coverage.quarantined is
    'How many of these are in quarantine (sync.quarantine).';
comment on column sync.coverage.gone is
    'Number of activities of the day that the service no longer offers.';
comment on column sync.coverage.verified_at is
    'When the list of the day was last proven: also when a list last contained each listed activity. Null: never.';
comment on column sync.coverage.incomplete is
    'Why the day is not complete. Null: it is.';
comment on column sync.coverage.run_id is 'The run that last read the list of the day.';
comment on column sync.coverage.accepted is
    'How many of the quarantined ones a person has accepted (pipeline quarantine accept).';
comment on function sync.coverage_of is 'The rows of sync.coverage for the days from first to last.';

comment on view sync.todo is
    'Activities whose details are needed, and why. Runs look at the days that concern them, by the service''s clock.';
comment on column sync.todo.activity_id is 'The activity.';
comment on column sync.todo.day is 'Its day, in the configured time zone.';
comment on column sync.todo.reason is
    'new, changed, listed again, no longer listed, in quarantine, or due: its deadline has passed, or it is open and was not checked for a week.';
comment on function sync.todo_of is
    'The rows of sync.todo for the days from first to last. service_now: the service''s time; stale_before: what was last checked before it is due.';
comment on function sync.watch is
    'Puts triggers on a table that mark what is written to it outside a run: by the function marking, of the activity or counterpart in id_column.';
comment on function sync.keep_ledger is 'Brings back rows of the ledger that somebody removes outside a run, as altered.';
comment on function sync.mark_altered is 'Marks the activities whose rows somebody writes outside a run.';
comment on function sync.mark_altered_entities is 'Marks the counterparts whose rows somebody writes outside a run, and their activities.';

comment on table sync.quarantine is
    'Activities whose response could not be stored as specified, or could not be fetched, each with the reason. Later runs try again.';
comment on column sync.quarantine.id is 'Number of the entry.';
comment on column sync.quarantine.activity_id is
    'Activity ID as the service sends it. Null: unknown.';
comment on column sync.quarantine.source is 'The response with the problem: list or details.';
comment on column sync.quarantine.subject is
    'What the entry is about: the activity ID, else the digest of the payload.';
comment on column sync.quarantine.day is
    'Day of the activity in the configured time zone, if known.';
comment on column sync.quarantine.reason is 'What is wrong, without values.';
comment on column sync.quarantine.payload is
    'The response as received. Null: there was none, or it was erased.';
comment on column sync.quarantine.attempts is 'Number of attempts.';
comment on column sync.quarantine.first_seen_at is 'When the entry was made.';
comment on column sync.quarantine.last_seen_at is 'When the last attempt was made.';
comment on column sync.quarantine.next_attempt_at is 'From when a run tries again.';
comment on column sync.quarantine.accepted_at is
    'When a person accepted the problem: it is shown, and alarms nobody. Null: nobody did, or the reason is another one since.';
comment on column sync.quarantine.accepted_by is 'Who accepted it.';
comment on column sync.quarantine.accepted_because is 'Why.';
comment on column sync.quarantine.resolved_at is 'When a later attempt succeeded. Null: open.';

comment on table sync.unknown_values is
    'Codes without a label in analytics.codes, fields that the service''s documentation does not name, and forms in which others came, when first seen.';
comment on column sync.unknown_values.kind is
    'Kind of code, as in analytics.codes. field: a field of a details response. list field: a field of a list row. page field: a member of the list''s envelope. form: a member of another JSON type that was read all the same. lost form: one that was stored as null.';
comment on column sync.unknown_values.value is
    'The value as received, or the field''s name with dots; of a form, the field and the JSON type in which it came.';
comment on column sync.unknown_values.sample_activity_id is 'An activity that has it.';
comment on column sync.unknown_values.first_seen_at is 'When it was first seen.';

comment on table sync.service_facts is
    'What runs must know of the runs before them.';
comment on column sync.service_facts.fact is
    'start_date: ACTIVITIES_START_DATE of the last run, since when the warehouse is meant to be complete. configured_zone: ACTIVITIES_TIMEZONE of the last run, the zone of every day in this database. database: number, table and timeline of the database in which the last run was; another one after a restore. lost_access: kinds of activities that the key may not see any more, with the nights that found it.';
comment on column sync.service_facts.value is 'What was found.';
comment on column sync.service_facts.learned_at is 'When it was last confirmed.';
comment on column sync.service_facts.previous_value is 'The value before the last change.';
comment on column sync.service_facts.changed_at is 'When it changed.';

comment on table sync.verifications is
    'Random samples of stored activities, fetched again and compared with the tables of the warehouse: one row per completed sample, at the end of a night.';
comment on column sync.verifications.run_id is
    'The run (sync.runs).';
comment on column sync.verifications.sampled is
    'Number of activities drawn: as many as requested, or all. What is in quarantine is not drawn.';
comment on column sync.verifications.compared is
    'How many of these had an answer that was compared with the tables and stored. A 403 or 404 that the warehouse already shows counts, too.';
comment on column sync.verifications.stale is
    'How many of the compared ones differed from the tables. The sample repaired them.';
comment on column sync.verifications.refused is
    'How many of the sampled ones were answered 403 or 404, which the warehouse does not show. The next ordinary run finds out whether they are gone.';
comment on column sync.verifications.failed is
    'How many of the sampled ones had no readable response, or one that could not be stored.';
comment on column sync.verifications.stale_upper_bound is
    'Upper 95 % bound of the stale share over all samples until then, 0 to 1. What was refused or failed counts as stale. Null: a result of an earlier version, which does not count.';
comment on column sync.verifications.finished_at is 'When the sample ended.';

comment on table sync.privacy is
    'What runs do with shared values after their sharing period (ACTIVITIES_EXPIRED_VALUES). One row. Views and loads obey it.';
comment on column sync.privacy.applied is 'Always true, so that there is one row.';
comment on column sync.privacy.expired_values is
    'hide: stored, and shown to nobody. erase: erased by the nightly run, and never stored again. keep: analyst_personal can see them.';
comment on column sync.privacy.set_at is 'When it was last changed.';
comment on column sync.privacy.phone_key is
    'Key of the digests in sync.erased_phones, drawn once. Without it nobody can try numbers against them.';

comment on table sync.erasures is
    'Activities whose shared values were erased. Later responses are stored without these values.';
comment on column sync.erasures.activity_id is 'The activity.';
comment on column sync.erasures.reason is
    'expired: the sharing period was over. unregistered: the counterpart was no longer registered. request: the counterpart requested it (pipeline erase --entity). messages: the same, with all messages. retention: the activity ended longer than ACTIVITIES_KEEP_PERSONAL_MONTHS ago; all that is personal was erased.';
comment on column sync.erasures.erased_at is 'When values were last erased.';
comment on column sync.erasures."values" is
    'Number of values erased from warehouse.requirements and warehouse.accepted_items.';
comment on column sync.erasures.responses is
    'Number of responses in landing from which something was erased.';
comment on column sync.erasures.payloads is
    'Number of payloads in quarantine from which something was erased, or which were removed.';

comment on table sync.erased_entities is
    'Counterparts whose personal data were erased at their request. Later responses are stored without these data.';
comment on column sync.erased_entities.entity_id is 'The counterpart (warehouse.entities).';
comment on column sync.erased_entities.erased_at is 'When that was last requested.';
comment on column sync.erased_entities.messages is
    'True: messages of the counterpart''s activities were erased, too (pipeline erase --messages).';

comment on table sync.erased_phones is
    'Keyed digests of the telephone numbers of people whose data were erased: nobody asks them again by mistake.';
comment on column sync.erased_phones.digest is 'SHA-256 of sync.privacy.phone_key and the number in E.164. Entries of earlier versions can be of other spellings, which match no number.';
comment on column sync.erased_phones.erased_at is 'When the erasure was last requested.';

comment on table sync.grant_versions is
    'The version of the analysts'' grants (sql/roles, sql/sensitivity.yaml) that was applied. One row; no row while the roles do not exist.';
comment on column sync.grant_versions.applied is 'Always true, so that there is one row.';
comment on column sync.grant_versions.digest is
    'Digest of these files, and of who could read what when they were applied.';
comment on column sync.grant_versions.applied_at is 'When the grants were applied.';

comment on table sync.view_versions is
    'The version of its file in sql/views from which each view of analytics was made.';
comment on column sync.view_versions.name is 'Name of the view and of its file.';
comment on column sync.view_versions.digest is 'Digest of the file.';
comment on column sync.view_versions.applied_at is 'When the view was made.';
comment on column sync.view_versions.refreshed_at is
    'For a stored view: the instant that its rows describe. Null: a plain view, always current.';

comment on table sync.fact_changes is
    'Activities of which a refresh changed, or removed, a row in the facts of analytics.';
comment on column sync.fact_changes.activity_id is 'The activity.';
comment on column sync.fact_changes.changed_at is 'When a refresh last did so.';

comment on table sync.refresh_queue is
    'What changed since the stored views of analytics were last refreshed. A row of nulls means everything. A refresh takes all rows out.';
comment on column sync.refresh_queue.activity_id is 'An activity written or removed: its rows are computed again.';
comment on column sync.refresh_queue.entity_id is 'A counterpart whose registration changed: the rows of its activities are computed again.';
comment on column sync.refresh_queue.id is 'Number of the row: a key, for those who replicate the table.';

comment on table sync.schema_migrations is
    'The baseline (sql/schema), and the migrations, functions and comments of sql that were applied to this database.';
comment on column sync.schema_migrations.name is 'Name of the file, without .sql. 0001_baseline stands for the files of sql/schema.';
comment on column sync.schema_migrations.applied_at is 'When the file was applied.';
comment on column sync.schema_migrations.digest is
    'Digest of a file of functions or comments, which is applied again when it changes. Null: a migration, which is applied once.';
comment on column sync.schema_migrations.package_version is
    'Version of activity-warehouse that applied the file. Null: a version before this column.';

comment on function sync.queue_activities() is 'Queues activities that were written or removed.';

comment on function sync.queue_entity() is 'Queues a counterpart whose registration changed.';

comment on function sync.queue_everything() is
    'Queues everything, because the change concerns every row.';

comment on function sync.phone_digest(number text) is 'The keyed digest of a number in E.164.';

comment on function sync.is_erased_phone(number text) is
    'Whether the data of the person with this number were erased on request: such a person is not asked again.';

comment on function sync.queue_kept_decisions() is 'Queues activities of which decisions are kept, or no longer.';
