"""What the client needs to know to speak to one service as one business."""

from dataclasses import dataclass, field

from pipeline.service.retry import RetryPolicy


@dataclass(frozen=True)
class Credentials:
    """What the business was issued (docs/service.md 5). Its repr shows no value."""

    api_key: str = field(repr=False)
    username: str = field(repr=False)
    password: str = field(repr=False)


@dataclass(frozen=True)
class ServiceConfig:
    """Address, credentials and limits of one client.

    ``base_url``: ``scheme://host[:port][/prefix]``. ``timezone``: sent as ``x-pvt-timezone``.
    ``max_concurrency``: most requests in flight, without the login; fewer while the service returns errors.
    ``requests_per_second``: upper limit over all operations without the login; None: no limit.
    ``max_body_bytes``: cap of one decoded body. Times in seconds: ``connect_timeout`` to connect,
    ``read_timeout`` between two pieces of an answer, ``total_timeout`` for one attempt as a whole.
    """

    base_url: str
    credentials: Credentials
    timezone: str = "UTC"
    max_concurrency: int = 16
    requests_per_second: float | None = None
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    max_body_bytes: int = 64 * 2**20
    connect_timeout: float = 10.0
    read_timeout: float = 30.0
    total_timeout: float = 300.0
