"""Asking people for data: each request creates exactly one Authorization activity (docs/service.md 4.2).

`intake` checks the lines of a file (`files`, `requests`, `phones`); they are queued in
``warehouse.authorization_requests``. `run` sends what is queued: `sending` makes the calls, `settling`
finds out what each call did, by the references that `listing` finds in what the service shows. The states
of a request are the table in docs/authorizations.md "States".
"""
