"""What Dagster's Helm chart takes as values, and the instance it makes of them.

The chart cannot be had from a package registry. Stated here are facts of version 1.13's own
``values.schema.json`` and of its templates, for the sections that we set: names, types and what the
chart's schema closes against other names.
"""

from __future__ import annotations

from typing import Any

import jsonschema_rs

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
SWITCH: Schema = {"type": "boolean"}
ANYTHING: Schema = {"type": "object"}
TEXTS: Schema = {"type": "object", "additionalProperties": TEXT}
LIST: Schema = {"type": "array", "items": TEXT}


def closed(**properties: Schema) -> Schema:
    """Return the schema of an object that has these properties and no others."""
    named = {name.replace("__", "-"): schema for name, schema in properties.items()}
    return {"type": "object", "properties": named, "additionalProperties": False}


def one_of(*values: str) -> Schema:
    """Return the schema of a text that is one of these."""
    return {"enum": list(values)}


NAMED: Schema = {"type": "array", "items": closed(name=TEXT, optional=SWITCH)}
ENV: Schema = {"anyOf": [TEXTS, {"type": "array", "items": ANYTHING}]}
IMAGE = closed(repository=TEXT, tag=TEXT, pullPolicy=one_of("Always", "IfNotPresent", "Never")) | {
    "required": ["repository", "pullPolicy"]
}
QUANTITIES = closed(cpu=TEXT, memory=TEXT)
PROBE = closed(
    enabled=SWITCH,
    exec=closed(command=LIST),
    httpGet=closed(path=TEXT, port=NUMBER),
    **dict.fromkeys(
        ("periodSeconds", "timeoutSeconds", "failureThreshold", "successThreshold"), NUMBER
    ),
)
POD: dict[str, Schema] = {
    "image": IMAGE,
    "env": ENV,
    "envConfigMaps": NAMED,
    "envSecrets": NAMED,
    "labels": TEXTS,
    "nodeSelector": TEXTS,
    "affinity": ANYTHING,
    "tolerations": {"type": "array", "items": ANYTHING},
    "podSecurityContext": ANYTHING,
    "securityContext": ANYTHING,
    "resources": closed(requests=QUANTITIES, limits=QUANTITIES),
    "livenessProbe": PROBE,
    "readinessProbe": PROBE,
    "startupProbe": PROBE,
    "annotations": TEXTS,
    "volumes": {"type": "array", "items": ANYTHING},
    "volumeMounts": {"type": "array", "items": ANYTHING},
}
TICKS = closed(
    purgeAfterDays={
        "anyOf": [
            NUMBER,
            closed(skipped=NUMBER, success=NUMBER, failure=NUMBER, started=NUMBER)
            | {"required": ["skipped", "success", "failure", "started"]},
        ]
    }
)
K8S = closed(
    imagePullPolicy=one_of("Always", "IfNotPresent", "Never"),
    jobNamespace=TEXT,
    loadInclusterConfig=SWITCH,
    kubeconfigFile=TEXT,
    envConfigMaps=NAMED,
    envSecrets=NAMED,
    envVars=LIST,
    labels=TEXTS,
    failPodOnRunFailure=SWITCH,
    resources=ANYTHING,
    securityContext=ANYTHING,
    runK8sConfig=closed(
        containerConfig=ANYTHING,
        podSpecConfig=ANYTHING,
        podTemplateSpecMetadata=ANYTHING,
        jobSpecConfig=ANYTHING,
        jobMetadata=ANYTHING,
    ),
)
VALUES = closed(
    **{
        "global": closed(
            postgresqlSecretName=TEXT,
            dagsterHome=TEXT,
            serviceAccountName=TEXT,
            celeryConfigSecretName=TEXT,
        ),
        "generatePostgresqlPasswordSecret": SWITCH,
        "migrate": closed(enabled=SWITCH),
        "postgresql": closed(
            enabled=SWITCH,
            postgresqlHost=TEXT,
            postgresqlUsername=TEXT,
            postgresqlPassword=TEXT,
            postgresqlDatabase=TEXT,
            postgresqlParams=ANYTHING,
            postgresqlScheme=TEXT,
            service=closed(port=NUMBER),
        ),
        "dagsterWebserver": closed(
            replicaCount=NUMBER,
            service=closed(type=TEXT, port=NUMBER, annotations=TEXTS),
            pathPrefix=TEXT,
            enableReadOnly=SWITCH,
            **POD,
        ),
        "dagsterDaemon": closed(
            enabled=SWITCH,
            runCoordinator=closed(enabled=SWITCH, type=TEXT, config=ANYTHING),
            runMonitoring=ANYTHING,
            runRetries=ANYTHING,
            **POD,
        ),
        "dagster-user-deployments": closed(
            enabled=SWITCH,
            enableSubchart=SWITCH,
            deployments={
                "type": "array",
                "items": closed(
                    name=TEXT,
                    dagsterApiGrpcArgs=LIST,
                    port=NUMBER,
                    includeConfigInLaunchedRuns=closed(enabled=SWITCH),
                    **POD,
                )
                | {"required": ["name", "image", "port"]},
            },
        ),
        "runLauncher": closed(
            type=one_of("K8sRunLauncher", "CeleryK8sRunLauncher", "CustomRunLauncher"),
            config=closed(k8sRunLauncher=K8S),
        ),
        "computeLogManager": closed(
            type=one_of("NoOpComputeLogManager", "S3ComputeLogManager", "CustomComputeLogManager")
        ),
        "retention": closed(enabled=SWITCH, schedule=TICKS, sensor=TICKS),
        "telemetry": closed(enabled=SWITCH),
        "additionalInstanceConfig": ANYTHING,
    }
)


def faults(values: dict[str, Any]) -> list[str]:
    """Return what the chart would refuse, or would ignore in silence."""
    found = jsonschema_rs.validator_for(VALUES).iter_errors(values)
    return [f"{'/'.join(map(str, error.instance_path))}: {error.message}" for error in found]


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
