"""The page at `/sandbox/` that shows people what the sandbox is and what it was asked."""

from __future__ import annotations

import html
from string import Template
from typing import TYPE_CHECKING

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
its switches are at <a href="/sandbox/behaviour">behaviour</a> (PATCH sets some of them) and
<a href="/sandbox/faults">faults</a> (PUT replaces them).</p>
<table><tr><th>Activities</th><td>$activities</td></tr>
<tr><th>Counterparts</th><td>$people</td></tr>
<tr><th>Clock (epoch ms)</th><td>$now</td></tr>
<tr><th>Requests</th><td>$requests, at most $most at once</td></tr></table>
<h2>Answers</h2>
<table><tr><th>Operation</th><th>Answer</th><th>Count</th></tr>$rows</table>
<h2>Switches that are not at their default</h2>
<p>$switches</p>
</body></html>
""")


def overview_page(state: SandboxState, base_url: str) -> str:
    """Return the page: self-contained HTML with the counters as they are now."""
    with state.lock:
        counters, clock = state.counters(), state.clock
        activities, people = len(state.world.ordered), len(state.world.people)
        switches, rules = state.behaviour, len(state.faults())
    defaults = type(switches)()
    changed = [
        f"{name}={getattr(switches, name)!r}"
        for name in switches.__struct_fields__
        if getattr(switches, name) != getattr(defaults, name)
    ]
    rows = "".join(
        f"<tr><td>{operation}</td><td>{html.escape(status)}</td><td>{count}</td></tr>"
        for operation, statuses in counters.by_status.items()
        for status, count in statuses.items()
    )
    return _PAGE.substitute(
        base=html.escape(base_url),
        activities=activities,
        people=people,
        now=f"{clock.now()}{' (frozen)' * clock.frozen}",
        requests=counters.requests,
        most=counters.max_concurrent,
        rows=rows or "<tr><td>none yet</td><td></td><td></td></tr>",
        switches=html.escape(
            ", ".join([*changed, *[f"{rules} fault rules"] * bool(rules)]) or "none"
        ),
    )
