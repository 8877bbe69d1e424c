"""A real Redis, and Celery workers as ``pipeline-worker.service`` starts them."""

from __future__ import annotations

import shutil
import socket
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from tests.support.commands import Command, eventually
from tests.support.daemon import free_port
from tests.support.units import DEPLOY, exec_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.commands import Project


@contextmanager
def redis(folder: Path) -> Iterator[dict[str, str]]:
    """Start a Redis of the test's own; yields the settings that name it."""
    program = shutil.which("redis-server")
    assert program, "no redis-server here: `apt-get install redis-server` brings it"
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    with Command([program, *options], folder, {}) as server:

        def answers() -> bool:
            assert server.process.poll() is None, server.said
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        eventually(answers, "Redis takes connections")
        address = f"redis://127.0.0.1:{port}"
        yield {"CELERY_BROKER_URL": f"{address}/0", "CELERY_RESULT_BACKEND": f"{address}/1"}


@contextmanager
def started_workers(project: Project, *names: str) -> Iterator[list[Command]]:
    """Start workers by their unit's command line, and wait until they take runs."""
    line = exec_line(DEPLOY / "pipeline-worker.service")
    with ExitStack() as running:
        started = []
        for name in names:
            one = Command([*line, "--hostname", name], project.folder, project.environment())
            started.append(running.enter_context(one))

        def ready() -> bool:
            assert all(each.process.poll() is None for each in started)
            return all(
                f"{name} ready." in "".join(each.said)
                for each, name in zip(started, names, strict=True)
            )

        eventually(ready, "the workers are ready")
        yield started
