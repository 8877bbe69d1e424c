"""The small page at `/sandbox/` that says what this is."""

from __future__ import annotations

import html
from string import Template
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from .state import SandboxState

_PAGE = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Business Activities sandbox</title>
<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:left}
code{background:#f3f3f3;padding:0 .2rem}
</style></head><body>
<h1>Business Activities Service: sandbox</h1>
<p>A stand-in for the real service, with made-up people and activities. It serves
<code>$base/business/v1</code>; its document is at <a href="/sandbox/openapi.json">openapi.json</a>,
its switches at <a href="/sandbox/behaviour">behaviour</a> and
<a href="/sandbox/faults">faults</a>, its last requests in the <a href="/sandbox/journal">journal</a>.
</p>
<table><tr><th>Activities</th><td>$activities</td></tr>
<tr><th>Counterparts</th><td>$people</td></tr>
<tr><th>Clock (epoch ms)</th><td>$now$frozen</td></tr>
<tr><th>Requests</th><td>$requests, $flying in flight, $most at most at once</td></tr>
<tr><th>Logins</th><td>$logins</td></tr></table>
<h2>Answers</h2>
<table><tr><th>Operation</th><th>Answer</th><th>Count</th></tr>$rows</table>
<h2>Switches that are not at their default</h2>
<p>$switches</p>
</body></html>
""")


def overview_page(state: SandboxState, base_url: str) -> str:
    """Return the page: self-contained HTML with the counters as they are now."""
    with state.lock:
        counters, clock = state.counters(), state.clock_reading()
        activities, people = len(state.world.ordered), len(state.world.people)
        switches = msgspec.structs.asdict(state.behaviour)
        rules = len(state.faults())
    defaults = msgspec.structs.asdict(type(state.behaviour)())
    changed = [f"{name}={value!r}" for name, value in switches.items() if defaults[name] != value]
    if rules:
        changed.append(f"{rules} fault rules")
    rows = "".join(
        f"<tr><td>{operation}</td><td>{html.escape(status)}</td><td>{count}</td></tr>"
        for operation, statuses in counters.by_status.items()
        for status, count in statuses.items()
    )
    return _PAGE.substitute(
        base=html.escape(base_url),
        activities=activities,
        people=people,
        now=clock.now,
        frozen=" (frozen)" if clock.frozen else "",
        requests=counters.requests,
        flying=counters.in_flight,
        most=counters.max_concurrent,
        logins=counters.logins,
        rows=rows or "<tr><td>none yet</td><td></td><td></td></tr>",
        switches=html.escape(", ".join(changed) or "none"),
    )
