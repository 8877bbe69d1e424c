"""The forms beyond one machine's SQLite: each is what its tool takes, and says the same as the others."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psycopg
import pytest
import yaml
from dagster._core.instance import InstanceRef

from pipeline import __version__
from pipeline.settings import describe
from tests.support.commands import CHECKOUT
from tests.support.mirroring import compare
from tests.support.postgres import fresh_database
from tests.support.units import DEPLOY

if TYPE_CHECKING:
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.postgres import PostgresServer

FIRST_DAYS = ("--from", "2026-01-01", "--to", "2026-01-04")


def read(name: str) -> dict[str, Any]:
    """Return one of the forms, or the checkout's own dagster.yaml."""
    file = CHECKOUT / name if name == "dagster.yaml" else DEPLOY / name
    found: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return found


@pytest.fixture
def values() -> dict[str, Any]:
    return read("helm-values.yaml")


def test_history_in_postgresql(
    serve: Serve,
    project: MakeProject,
    migrated_url: str,
    postgres: PostgresServer,
) -> None:
    service = serve(30, from_date=date(2026, 1, 1), to_date=date(2026, 1, 4))
    made = project(service)
    shutil.copy(DEPLOY / "dagster.postgres.yaml", made.folder / "dagster.yaml")
    shutil.rmtree(made.folder / "history")
    made.settings["DAGSTER_HOME"] = str(made.folder)
    with fresh_database(postgres) as name:
        history = postgres.url(name)
        plain = made.run("doctor", DAGSTER_STORAGE_URL=history)
        assert plain.code == 1, plain
        assert "postgresql+psycopg2://" in plain.out
        unset = made.run("doctor")
        assert unset.code == 1, unset
        assert "DAGSTER_STORAGE_URL" in unset.out
        url = urlsplit(history)._replace(scheme="postgresql+psycopg2").geturl()
        made.settings["DAGSTER_STORAGE_URL"] = url
        assert made.run("doctor").code == 0
        done = made.run("sync", *FIRST_DAYS)
        assert done.code == 0, done
        with psycopg.connect(history) as session:
            runs = session.execute("select pipeline_name, status from runs").fetchall()
        assert runs == [("sync_days_job", "SUCCESS")]
    assert not (made.folder / "history").exists()
    assert compare(migrated_url, service.state.truth()) == []


def test_the_forms_say_the_same() -> None:
    one, history, spread = (
        read(name) for name in ("dagster.yaml", "dagster.postgres.yaml", "dagster.celery.yaml")
    )
    same = ("run_queue", "retention", "telemetry", "nux", "run_retries")
    for name in (*same, "concurrency", "run_monitoring"):
        assert history[name] == one[name]
    for name in same:
        assert spread[name] == one[name]
    chart = read("helm-values.yaml")["additionalInstanceConfig"]
    for name in ("run_queue", "concurrency", "run_retries", "nux"):
        assert chart[name] == spread[name]
    waits = "start_timeout_seconds"  # for a free worker, or for a pod
    assert chart["run_monitoring"] | {waits: 0} == spread["run_monitoring"] | {waits: 0}


def test_dagster_takes_the_instance_and_runs_are_pods_without_rights(
    values: dict[str, Any], tmp_path: Path
) -> None:
    instance = yaml.safe_dump(values["additionalInstanceConfig"])
    (tmp_path / "dagster.yaml").write_text(instance, encoding="utf-8")
    settings: Any = InstanceRef.from_dir(str(tmp_path)).settings  # by Dagster's own schema
    assert settings["concurrency"]["pools"]["default_limit"] == 2
    run = values["runLauncher"]["config"]["k8sRunLauncher"]["runK8sConfig"]
    assert run["jobSpecConfig"] == {"ttlSecondsAfterFinished": 86400}
    assert run["podSpecConfig"]["terminationGracePeriodSeconds"] == 120
    assert run["podSpecConfig"]["securityContext"]["runAsNonRoot"] is True
    (deployment,) = values["dagster-user-deployments"]["deployments"]
    # So runs have its image, its secrets and its rights.
    assert deployment["includeConfigInLaunchedRuns"] == {"enabled": True}
    assert [each["name"] for each in deployment["envSecrets"]] == ["activity-warehouse"]
    assert deployment["securityContext"]["allowPrivilegeEscalation"] is False
    assert deployment["resources"]["limits"] == {"memory": "2Gi"}
    assert deployment["image"]["tag"] == __version__


def test_every_pod_is_probed_and_writes_nowhere_but_to_tmp(values: dict[str, Any]) -> None:
    (code,) = values["dagster-user-deployments"]["deployments"]
    for each in (values["dagsterWebserver"], values["dagsterDaemon"], code):
        assert each["livenessProbe"]
        assert each["securityContext"]["readOnlyRootFilesystem"] is True
        assert [mount["mountPath"] for mount in each["volumeMounts"]] == ["/tmp"]  # noqa: S108
    assert values["migrate"] == {"enabled": True}


def validate(file: Path) -> int:
    """Validate a file by Compose's own schema; return the exit code."""
    line = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    return subprocess.run([*line, file], capture_output=True, check=False).returncode


def test_compose_takes_the_file(tmp_path: Path) -> None:
    assert validate(DEPLOY / "compose.yaml") == 0
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(
        (DEPLOY / "compose.yaml").read_text("utf-8").replace("healthcheck:", "healthchecks:"),
        "utf-8",
    )
    assert validate(wrong) == 1


def test_each_container_has_a_health_check_and_no_secret() -> None:
    found = read("compose.yaml")
    assert found["services"].keys() == {"postgres", "daemon", "webserver"}
    for service in found["services"].values():
        assert service["healthcheck"]["test"][0] == "CMD"
        for name, value in service["environment"].items():
            if name.endswith(("PASSWORD", "URL")):
                assert "${POSTGRES_PASSWORD:?" in value
    for name in ("daemon", "webserver"):
        service = found["services"][name]
        assert service["image"] == f"activity-warehouse:{__version__}"
        assert service["read_only"] is True
        assert service["ulimits"] == {"core": 0}
        for volume in service["volumes"][1:]:
            assert (DEPLOY / volume.split(":")[0]).resolve().is_file()
        assert (DEPLOY / service["build"]["context"]).resolve() == CHECKOUT
    program = Path(sys.executable).with_name("dagster-daemon")
    asked = subprocess.run([program, "liveness-check", "--help"], capture_output=True, check=False)
    assert asked.returncode == 0


def test_no_secret_is_in_the_values(values: dict[str, Any]) -> None:
    (deployment,) = values["dagster-user-deployments"]["deployments"]
    known = {name for name, _ in describe()}
    secret = {"ACTIVITIES_API_KEY", "ACTIVITIES_USERNAME", "ACTIVITIES_PASSWORD", "WAREHOUSE_URL"}
    assert secret <= known
    assert set(deployment["env"]) <= known - secret
    text = (DEPLOY / "helm-values.yaml").read_text(encoding="utf-8")
    for name in secret:
        assert re.search(rf"^#.*\b{name}\b", text, re.MULTILINE)


def test_the_image_is_well_formed() -> None:
    program = Path(sys.executable).with_name("hadolint")
    if not program.exists():
        pytest.skip("hadolint has no build for this machine")
    linted = subprocess.run(
        [str(program), str(DEPLOY / "Containerfile")], capture_output=True, text=True, check=False
    )
    assert (linted.returncode, linted.stdout) == (0, "")
