"""The instance that Dagster's Helm chart makes of our values, and what it tells the pods of runs.

The chart cannot be had from a package registry. Stated here are facts of the templates of version 1.13.
"""

from __future__ import annotations

from typing import Any


def instance_of(values: dict[str, Any]) -> dict[str, Any]:
    """Return the dagster.yaml that the chart makes of our values, beside its defaults."""
    database, launcher = values["postgresql"], values["runLauncher"]["config"]["k8sRunLauncher"]
    for name in ("runCoordinator", "runMonitoring", "runRetries"):
        assert values["dagsterDaemon"][name] == {
            "enabled": False
        }  # the chart then says nothing of it
    kept = values["retention"]
    run = launcher["runK8sConfig"]
    return {
        "storage": {
            "postgres": {
                "postgres_db": {
                    "username": database["postgresqlUsername"],
                    "password": {"env": "DAGSTER_PG_PASSWORD"},
                    "hostname": database["postgresqlHost"],
                    "db_name": database["postgresqlDatabase"],
                    "port": database["service"]["port"],
                    "scheme": database["postgresqlScheme"],
                }
            }
        },
        "run_launcher": {
            "module": "dagster_k8s",
            "class": "K8sRunLauncher",
            "config": {
                "load_incluster_config": True,
                "job_namespace": "default",
                "service_account_name": "activity-warehouse",
                "image_pull_policy": launcher["imagePullPolicy"],
                "dagster_home": "/opt/dagster/dagster_home",
                "instance_config_map": "activity-warehouse-instance",
                "postgres_password_secret": values["global"]["postgresqlSecretName"],
                "run_k8s_config": {
                    "pod_spec_config": run["podSpecConfig"],
                    "job_spec_config": run["jobSpecConfig"],
                },
            },
        },
        "compute_logs": {
            "module": "dagster.core.storage.noop_compute_log_manager",
            "class": values["computeLogManager"]["type"],
        },
        "retention": {
            "schedule": {"purge_after_days": kept["schedule"]["purgeAfterDays"]},
            "sensor": {"purge_after_days": kept["sensor"]["purgeAfterDays"]},
        },
        "telemetry": values["telemetry"],
        **values["additionalInstanceConfig"],
    }


def told_to_runs(deployment: dict[str, Any]) -> dict[str, Any]:
    """Return what the chart has a code server tell the pods of its runs."""
    assert deployment["includeConfigInLaunchedRuns"] == {"enabled": True}
    return {
        "k8s": {
            "image_pull_policy": deployment["image"]["pullPolicy"],
            "env_config_maps": [f"activity-warehouse-{deployment['name']}-user-env"],
            "env_secrets": [each["name"] for each in deployment["envSecrets"]],
            "resources": deployment["resources"],
            "security_context": deployment["securityContext"],
            "volumes": deployment["volumes"],
            "volume_mounts": deployment["volumeMounts"],
        }
    }
