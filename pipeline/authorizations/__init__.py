"""Asking for data: Authorizations created exactly once in effect (specification 2.2, 2.3, 4.2).

The outbox is the table ``warehouse.authorization_requests``. A file's lines are checked (`files`,
`validation`, `intake`) and written to it; `sending` calls the service once for each, and `settling`
finds what a call created, by the rules of `matching`. `run` puts them in order.
"""
