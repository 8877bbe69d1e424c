"""Writes what follows from ``sql/metrics.yml``: questions, the report's counts, dbt's semantic models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from tests.support.commands import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = CHECKOUT / "sql"
METRICS: dict[str, dict[str, Any]] = yaml.safe_load(
    (FOLDER / "metrics.yml").read_text(encoding="utf-8")
)
MEASURES = {
    name: measure
    for fact in METRICS["facts"].values()
    for name, measure in fact["measures"].items()
}
RATES: dict[str, dict[str, str]] = METRICS["rates"]
MOVES = "-- The answer changes with the clock."

#: How the report cuts a column of days, weeks or months.
_PERIODS = {
    "day": "{0} between %(first)s and %(last)s",
    "week": "{0} between date_trunc('week', %(first)s::date) and %(last)s",
    "month": "{0} between date_trunc('month', %(first)s::date) and %(last)s",
}


def expression(name: str) -> str:
    """Return the SQL of a measure or a rate."""
    if rate := RATES.get(name):
        part, whole = expression(rate["part"]), expression(rate["of"])
        return f"round(\n        {part}::numeric\n        / nullif({whole}, 0), 3\n    )"
    measure = MEASURES[name]
    if "percentile" in measure:
        ordered = (
            f"percentile_cont({measure['percentile']}) within group (order by {measure['of']})"
        )
        return f"round({ordered}::numeric, 1)"
    return "count(*)" if measure["when"] == "true" else f"count(*) filter (where {measure['when']})"


def question_sql(asked: dict[str, Any], in_report: bool) -> str:
    """Return the file of a question. ``in_report``: cut to the days of the report."""
    shown = [*asked["by"], *(f"{expression(name)} as {name}" for name in asked["show"])]
    for name, text in asked.get("also", {}).items():
        shown.append(text.replace("\n", "\n    ") + f" as {name}")
    conditions = [asked["where"]] if "where" in asked else []
    if in_report and "period" in asked:
        column = asked["period"]
        conditions.append(_PERIODS[column.rpartition("_")[2]].format(column))
    lines = [f"-- {asked['asks']}", *([MOVES] if "moves" in asked else [])]
    lines += [
        "-- Written from sql/metrics.yml.",
        "select",
        ",\n".join(f"    {each}" for each in shown),
    ]
    lines.append(f"from analytics.{asked['fact']}")
    lines += [f"left join {asked['join']}"] if "join" in asked else []
    lines += [f"where {' and '.join(conditions)}"] if conditions else []
    lines.append(f"group by {', '.join(str(place + 1) for place in range(len(asked['by'])))}")
    lines += [f"window {asked['window']}"] if "window" in asked else []
    lines.append(f"order by {asked['order']}")
    lines += [f"limit {asked['limit']}"] if "limit" in asked and not in_report else []
    return "\n".join(lines) + "\n"


def metric_files() -> dict[Path, str]:
    """Return the text of each file that follows from ``sql/metrics.yml``."""
    questions = {name: each for name, each in METRICS["questions"].items() if "fact" in each}
    found = {
        FOLDER / "queries" / f"{name}.sql": question_sql(each, False)
        for name, each in questions.items()
    }
    for name, each in (questions | METRICS["report"]).items():
        found[FOLDER / "report" / f"{name}.sql"] = question_sql(each, True)
    for name in METRICS["facts"]:
        model = f"select * from {{{{ source('analytics', '{name}') }}}}\n"
        found[FOLDER / "dbt" / f"analytics_{name}.sql"] = model
    spine = "select day from {{ source('analytics', 'days') }}\n"
    found[FOLDER / "dbt" / "analytics_time_spine.sql"] = spine
    text = yaml.safe_dump(semantic_models(), sort_keys=False, allow_unicode=True, width=100)
    found[FOLDER / "dbt" / "semantic_models.yml"] = text
    return found


def semantic_models() -> dict[str, Any]:
    """Return dbt's semantic models, metrics and time spine, in the form of dbt 1.10."""
    spine = {
        "name": "analytics_time_spine",
        "description": "The days of the warehouse.",
        "config": {"materialized": "view"},
        "time_spine": {"standard_granularity_column": "day"},
        "columns": [{"name": "day", "granularity": "day"}],
    }
    models = [
        {
            "name": f"analytics_{name}",
            "description": fact["description"],
            "config": {"materialized": "view"},
        }
        for name, fact in METRICS["facts"].items()
    ]
    rates = [
        {
            "name": name,
            "label": _label(name),
            "description": rate["means"],
            "type": "ratio",
            "type_params": {"numerator": rate["part"], "denominator": rate["of"]},
        }
        for name, rate in RATES.items()
    ]
    semantic = [_semantic_model(name, fact) for name, fact in METRICS["facts"].items()]
    return {"version": 2, "models": [*models, spine], "semantic_models": semantic, "metrics": rates}


def _semantic_model(name: str, fact: dict[str, Any]) -> dict[str, Any]:
    days = [
        {"name": day, "type": "time", "type_params": {"time_granularity": "day"}}
        for day in fact["days"]
    ]
    others = fact.get("others", {}).items()
    entities = [{"name": other, "type": "foreign", "expr": column} for other, column in others]
    primary: dict[str, Any] = {"primary_entity": fact["entity"]}
    if "key" in fact:
        own = {"name": fact["entity"], "type": "primary", "expr": fact["key"]}
        primary, entities = {}, [own, *entities]
    return {
        "name": name,
        "description": fact["description"],
        "model": f"ref('analytics_{name}')",
        "defaults": {"agg_time_dimension": fact["time"]},
        **primary,
        "entities": entities,
        "dimensions": [
            *days,
            *({"name": each, "type": "categorical"} for each in fact["dimensions"]),
        ],
        "measures": [_measure(*each) for each in fact["measures"].items()],
    }


def _measure(name: str, measure: dict[str, Any]) -> dict[str, Any]:
    found = {
        "name": name,
        "label": _label(name),
        "description": measure["means"],
        "create_metric": True,
    }
    if "percentile" not in measure:
        return found | {"agg": "sum_boolean", "expr": measure["when"]}
    params = {"percentile": measure["percentile"], "use_discrete_percentile": False}
    return found | {"agg": "percentile", "expr": measure["of"], "agg_params": params}


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()
