"""The forms beyond one machine's SQLite: each is what its tool takes, and says the same as the others."""

from __future__ import annotations

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
from tests.support.units import DEPLOY, here
from tests.support.units import service as service_of

if TYPE_CHECKING:
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.postgres import PostgresServer

FIRST_DAYS = ("--from", "2026-01-01", "--to", "2026-01-04")


def read(name: str) -> dict[str, Any]:
    """Return one of the forms, or the checkout's own dagster.yaml."""
    file = CHECKOUT / name if name == "dagster.yaml" else DEPLOY / name
    found: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return found


def test_history_in_postgresql(
    serve: Serve, project: MakeProject, migrated_url: str, postgres: PostgresServer
) -> None:
    service = serve(30, from_date=date(2026, 1, 1), to_date=date(2026, 1, 4))
    made = project(service)
    shutil.copy(DEPLOY / "dagster.postgres.yaml", made.folder / "dagster.yaml")
    shutil.rmtree(made.folder / "history")
    made.settings["DAGSTER_HOME"] = str(made.folder)
    with fresh_database(postgres) as name:
        history = postgres.url(name)
        for plain, said in ((history, "postgresql+psycopg2://"), (None, "DAGSTER_STORAGE_URL")):
            ill = made.run("doctor", DAGSTER_STORAGE_URL=plain)
            assert (ill.code, said in ill.out) == (1, True), ill
        url = urlsplit(history)._replace(scheme="postgresql+psycopg2").geturl()
        made.settings["DAGSTER_STORAGE_URL"] = url
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
    same = ("run_queue", "backfills", "retention", "telemetry", "nux", "run_retries")
    for name in (*same, "concurrency", "run_monitoring"):
        assert history[name] == one[name]
    for name in same:
        assert spread[name] == one[name]
    chart = read("helm-values.yaml")["additionalInstanceConfig"]
    for name in ("run_queue", "backfills", "concurrency", "run_retries", "nux"):
        assert chart[name] == spread[name]
    waits = "start_timeout_seconds"  # for a free worker, or for a pod
    assert chart["run_monitoring"] | {waits: 0} == spread["run_monitoring"] | {waits: 0}


def test_runs_are_pods_without_rights_and_secrets_are_no_values(tmp_path: Path) -> None:
    values = read("helm-values.yaml")
    instance = yaml.safe_dump(values["additionalInstanceConfig"])
    (tmp_path / "dagster.yaml").write_text(instance, encoding="utf-8")
    settings: Any = InstanceRef.from_dir(str(tmp_path)).settings  # by Dagster's own schema
    assert settings["concurrency"]["pools"]["default_limit"] == 2
    run = values["runLauncher"]["config"]["k8sRunLauncher"]["runK8sConfig"]
    assert run["podSpecConfig"]["terminationGracePeriodSeconds"] == 120
    assert run["podSpecConfig"]["securityContext"]["runAsNonRoot"] is True
    (code,) = values["dagster-user-deployments"]["deployments"]
    # So runs have its image, its secrets and its rights.
    assert code["includeConfigInLaunchedRuns"] == {"enabled": True}
    assert code["securityContext"]["allowPrivilegeEscalation"] is False
    assert code["resources"]["limits"] == {"memory": "2Gi"}
    assert code["image"]["tag"] == __version__
    for each in (values["dagsterWebserver"], values["dagsterDaemon"], code):
        assert each["livenessProbe"]
        assert each["securityContext"]["readOnlyRootFilesystem"] is True
        assert [mount["mountPath"] for mount in each["volumeMounts"]] == ["/tmp"]  # noqa: S108
    assert [each["name"] for each in code["envSecrets"]] == ["activity-warehouse"]
    secret = {"ACTIVITIES_API_KEY", "ACTIVITIES_USERNAME", "ACTIVITIES_PASSWORD", "WAREHOUSE_URL"}
    assert set(code["env"]) <= {name for name, _ in describe()} - secret


def test_compose_takes_the_file_whose_containers_have_health_checks_and_no_secret() -> None:
    line = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    subprocess.run([*line, DEPLOY / "compose.yaml"], capture_output=True, check=True)
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


def test_the_image_is_well_formed() -> None:
    program = Path(sys.executable).with_name("hadolint")
    if not program.exists():
        pytest.skip("hadolint has no build for this machine")
    linted = subprocess.run(
        [str(program), str(DEPLOY / "Containerfile")], capture_output=True, text=True, check=False
    )
    assert (linted.returncode, linted.stdout) == (0, "")


UNITS = sorted(DEPLOY.glob("*.service"))


@pytest.mark.system
def test_systemd_takes_the_units_and_rates_them_as_hardened(tmp_path: Path) -> None:
    for unit in UNITS:  # with the programs of this environment: they have to exist
        (tmp_path / unit.name).write_text(here(unit), encoding="utf-8")
    timer = DEPLOY / "pipeline-liveness.timer"
    (tmp_path / timer.name).write_text(timer.read_text(encoding="utf-8"), encoding="utf-8")

    def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
        line = ["systemd-analyze", *arguments]
        return subprocess.run(line, capture_output=True, text=True, check=False)

    units = [str(tmp_path / unit.name) for unit in UNITS]
    verified = analyze("verify", *units)
    assert (verified.returncode, verified.stderr) == (0, "")  # unknown settings are only warned of
    for each in units:
        rated = analyze("security", "--offline=true", "--threshold=15", each)  # 1.5 of 10
        assert rated.returncode == 0, rated.stdout.splitlines()[-1]


def test_units_agree_with_each_other() -> None:
    assert len(UNITS) == 4
    settings = [service_of(unit) for unit in UNITS]
    for name in ("User", "EnvironmentFile", "Environment", "StateDirectory"):
        assert len({each[name] for each in settings}) == 1
    assert {each["LimitCORE"] for each in settings} == {"0"}
