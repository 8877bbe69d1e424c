"""What a client has asked and been answered so far."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class RequestCounts:
    """Live counts of one client; each is exact at any moment.

    ``list_requests``, ``details_requests``, ``create_requests``: requests sent, answered or not, each
    attempt for itself (a request that never found a connection included).
    ``login_requests``: the same for the token operation. ``logins``: tokens obtained, that is token
    requests answered 2xx with a token. ``retries``: of all these requests, those that were not the
    first for what they asked. ``bytes_received``: bytes of the bodies read, after decompression.
    ``statuses``: answers by status, of all operations.
    """

    list_requests: int = 0
    details_requests: int = 0
    create_requests: int = 0
    login_requests: int = 0
    logins: int = 0
    retries: int = 0
    bytes_received: int = 0
    statuses: Counter[int] = field(default_factory=Counter)

    @property
    def requests(self) -> int:
        """Requests of all operations but the login."""
        return self.list_requests + self.details_requests + self.create_requests
