"""The recipe for a server, followed word for word in a clean root: all of it but systemd itself.

A private mount namespace has an /opt, /etc, /usr/local/sbin and /var/lib of its own. No manager runs in it,
so the lines with `systemctl` are left out, and what the daemon's unit runs is run as its user.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from pipeline.sandbox import Running, SandboxSettings, SandboxState
from tests.acceptance.test_readme import blocks
from tests.support.commands import CHECKOUT, service_settings
from tests.support.units import DEPLOY, INSTALLED, service

pytestmark = [pytest.mark.fresh, pytest.mark.timeout(900)]

#: Of its own for the namespace: what the recipe writes to. The manager's folder of units may be missing.
_CLEAN = """
set -eu
own() { cp -a "$1" "$2/copy"; mount -t tmpfs none "$1"; cp -a "$2/copy/." "$1"; rm -rf "$2/copy"; }
own /etc "$SCRATCH"
mount -t tmpfs none /usr/local/sbin
mount -t tmpfs none /var/lib
mount --bind /opt "$SCRATCH/here"
mount --bind "$SCRATCH/opt" /opt
for each in "$SCRATCH"/here/*/; do  # packages may be there
    mkdir "/opt/$(basename "$each")"
    mount --bind "$each" "/opt/$(basename "$each")"
done
mkdir -p /etc/systemd/system
"""


def lines() -> list[str]:
    """Return the commands of recipe, upgrade and rollback; without what needs a manager."""
    found = [block for block in blocks("console") if "/opt/activity-warehouse" in block]
    assert [block.count("systemctl") for block in found] == [1, 1, 0]
    commands = "".join([*found[:2], "git -C /opt/activity-warehouse tag -f v1.0.0\n", found[2]])
    return [line for line in commands.splitlines() if not line.startswith("systemctl ")]


def as_the_unit() -> list[str]:
    """Return the lines that run what the daemon's unit runs before and for the daemon, as its user."""
    unit = DEPLOY / "pipeline-daemon.service"
    text = unit.read_text(encoding="utf-8")
    before = [
        line.split("=", 1)[1] for line in text.splitlines() if line.startswith("ExecStartPre")
    ]
    assert len(before) == 2
    settings = "set -a; . /etc/activity-warehouse.env; set +a"
    inside = (
        f"cd {service(unit)['WorkingDirectory']}; {settings}; export {service(unit)['Environment']}"
    )
    check = f"{INSTALLED}/bin/dagster definitions validate -w workspace.yaml"
    return [
        f"runuser -u {service(unit)['User']} -- sh -euc {shlex.quote(f'{inside}; {each}')}"
        for each in [*before, check]
    ]


def test_the_recipe_in_a_clean_root(tmp_path: Path, database_url: str) -> None:
    assert os.geteuid() == 0, "only root can make a root of its own"
    checkout, scratch = tmp_path / "checkout", tmp_path / "scratch"
    for name in ("opt", "here"):
        (scratch / name).mkdir(parents=True)
    for folder in (tmp_path, *tmp_path.parents):
        folder.chmod(folder.stat().st_mode | 0o011)
    subprocess.run(["git", "clone", "-q", CHECKOUT, checkout], check=True)
    # The tests' server lets only its own user in, and the service has another.
    sockets = Path(parse_qs(urlsplit(database_url).query)["host"][0])
    sockets.chmod(0o711)
    (sockets / ".s.PGSQL.5432").chmod(0o777)
    with Running(SandboxState(SandboxSettings(activities=20, days=10))) as sandbox:
        settings = service_settings(sandbox.base_url, sandbox.state.settings.credentials)
        settings |= {"WAREHOUSE_URL": database_url}
        settings["ACTIVITIES_START_DATE"] = datetime.now(UTC).date().isoformat()
        text = "".join(f"{name}='{value}'\n" for name, value in settings.items())
        (checkout / ".env").write_text(text, encoding="utf-8")
        script = [
            *lines(),
            *as_the_unit(),
            "activity-warehouse sync",
            "activity-warehouse runs --json",
            "echo 'A' >> /etc/activity-warehouse.env",
            "activity-warehouse --version || echo refused: $?",
        ]
        environment = {
            "PATH": "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin",
            "SCRATCH": str(scratch),
        }
        kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        done = subprocess.run(
            [
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-euxc",
                "\n".join([_CLEAN, *script]),
            ],
            cwd=checkout,
            env=kept | environment | {"LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert '"status": "complete"' in done.stdout or '"status":"complete"' in done.stdout, (
        done.stdout
    )
    assert done.stdout.rstrip().endswith("refused: 2"), done.stdout
    assert ".env, line 7:" in " ".join(done.stderr.split())
