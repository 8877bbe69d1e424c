"""The migration to E.164 keeps who was erased, and tells whom the old comparison took for somebody else."""

from __future__ import annotations

import psycopg

from tests.support.commands import CHECKOUT

MIGRATIONS = CHECKOUT / "sql" / "migrations"
#: As it was before the migration.
BEFORE = """
drop function warehouse.was_asked(text, integer, uuid);
drop function sync.is_erased_phone(text);
alter table warehouse.authorization_requests drop column message_reference cascade;
create index authorization_requests_recognized on warehouse.authorization_requests (id);
"""
ERASED = ("+14155552671", "+5114567890")
#: Whom the old comparison took for them.
OTHERS = (("US", "+14255552671"), ("PE", "+51914567890"))
REFUSED = "the person's data were erased on request"
MISTAKEN = "refused by mistake as erased: `pipeline authorize resolve --requeue` sends it"


def test_erased_numbers_are_those_that_were_erased(migrated_url: str) -> None:
    old = (MIGRATIONS / "0020_whole_person.sql").read_text(encoding="utf-8")
    functions = old[old.index("-- Calling codes begin") : old.index("-- As before, and")]
    with psycopg.connect(migrated_url) as session:
        session.execute(f"{BEFORE}{functions}".encode())
        session.execute("set local session_replication_role = replica")  # no guard of requests
        for (country, other), erased in zip(OTHERS, ERASED, strict=True):
            session.execute(
                "insert into sync.erased_phones select sync.phone_digest(spelled), now()"
                " from unnest(sync.phone_spellings(%s, %s)) as spelled",
                (country, erased),
            )
            session.execute(
                "insert into warehouse.authorization_requests"
                " (description, phone_country_code, phone_number)"
                " select 'x', %s, unnest(%s::text[])",
                (country, [other, erased]),
            )
        session.execute(
            "update warehouse.authorization_requests set state = 'failed',"
            " state_reason = 'the person''s data were erased on request'"
        )
        session.execute((MIGRATIONS / "0070_message_references.sql").read_bytes())
        session.execute((MIGRATIONS / "0071_asked_once.sql").read_bytes())
        told = session.execute(
            "select number, sync.is_erased_phone(number) from unnest(%s::text[]) as number",
            ([*ERASED, *(number for _, number in OTHERS)],),
        ).fetchall()
        reasons = session.execute(
            "select phone_number, state_reason from warehouse.authorization_requests"
        ).fetchall()
        left = session.execute(
            "select number from sync.erased_phones"
            " left join unnest(%s::text[]) as number on sync.phone_digest(number) = digest",
            (list(ERASED),),
        ).fetchall()
        functions_left = session.execute(
            "select proname from pg_proc where proname in ('national_digits', 'phone_spellings')"
        ).fetchall()
    assert [number for number, erased in told if erased] == list(ERASED)
    assert dict(reasons) == {
        **dict.fromkeys(ERASED, REFUSED),
        **{number: MISTAKEN for _, number in OTHERS},
    }
    assert sorted(left) == sorted((number,) for number in ERASED)
    assert functions_left == []
