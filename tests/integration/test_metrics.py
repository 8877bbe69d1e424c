"""A measure or a rate of ``sql/metrics.yml`` is one number in a question, the report, dbt and a view."""

from __future__ import annotations

from datetime import date
from typing import Any

import psycopg
import yaml
from psycopg.rows import dict_row

from pipeline.warehouse.database.sql import sql_files
from tests.support.commands import CHECKOUT
from tests.tools.metrics import METRICS
from tests.tools.questions import read_questions

SEMANTIC = yaml.safe_load((CHECKOUT / "sql" / "dbt" / "semantic_models.yml").read_text("utf-8"))
STATEMENTS = {question.name: question.statement for question in read_questions()}
REPORTED = sql_files("report")
ALWAYS = {"first": date(2000, 1, 1), "last": date(2100, 1, 1)}
QUESTIONS = {name: each for name, each in METRICS["questions"].items() if "show" in each}

#: Columns of views that are a rate, with the rows that it is of and the columns that are its key.
VIEWS = {
    "activities_by_month.acceptance_rate": ("true", "created_month, activity_type, in_out_bound"),
    "activities_by_created_day.acceptance_rate": (
        "true",
        "created_day, activity_type, in_out_bound",
    ),
    "activities_by_created_day.completion_rate": (
        "true",
        "created_day, activity_type, in_out_bound",
    ),
    "activities_by_answered_day.acceptance_rate": (
        "answered_day is not null",
        "answered_day, activity_type, answered_by",
    ),
    "counterparts.their_acceptance_rate": ("answered_by = 'them'", "entity_id"),
    "counterparts.our_acceptance_rate": ("answered_by = 'us'", "entity_id"),
}


def as_dbt_says(name: str) -> tuple[str, str]:
    """Return the fact and the SQL of a measure or ratio, by dbt's semantic models."""
    for metric in SEMANTIC["metrics"]:
        if metric["name"] == name:
            fact, part = as_dbt_says(metric["type_params"]["numerator"])
            _, whole = as_dbt_says(metric["type_params"]["denominator"])
            return fact, f"{part}::float / nullif({whole}, 0)"
    ((fact, measure),) = [
        (model["name"], measure)
        for model in SEMANTIC["semantic_models"]
        for measure in model["measures"]
        if measure["name"] == name
    ]
    if measure["agg"] == "sum_boolean":
        return fact, f"coalesce(sum(case when {measure['expr']} then 1 else 0 end), 0)"
    assert measure["agg"] == "percentile"
    share = measure["agg_params"]["percentile"]
    return fact, f"percentile_cont({share}) within group (order by {measure['expr']})"


def rows(url: str, statement: str, days: dict[str, date] | None = None) -> list[dict[str, Any]]:
    with psycopg.connect(url, row_factory=dict_row) as session:
        return session.execute(statement.encode(), days).fetchall()


def differences(url: str) -> list[str]:
    """Return what a question, the report or a view says otherwise than dbt's semantic models."""
    found = []
    for name, asked in (QUESTIONS | METRICS["report"]).items():
        answered = rows(url, REPORTED[name], ALWAYS)
        answered += rows(url, STATEMENTS[name]) if name in STATEMENTS else []
        by = [each.rpartition(" as ")[2] for each in asked["by"]]
        for metric in asked["show"]:
            fact, sql = as_dbt_says(metric)
            keys = ", ".join(asked["by"])
            places = ", ".join(str(place + 1) for place in range(len(by)))
            where = asked.get("where", "true")
            counted = {
                tuple(row[key] for key in by): row["number"]
                for row in rows(
                    url,
                    f"select {keys}, {sql} as number from analytics.{fact} where {where} group by {places}",
                )
            }
            found += [
                f"{name}: {metric} is {row[metric]}"
                for row in answered
                if not same(row[metric], counted[tuple(row[key] for key in by)])
            ]
    for column, (where, key) in VIEWS.items():
        view, _, rate = column.partition(".")
        fact, sql = as_dbt_says(rate.removeprefix("their_").removeprefix("our_"))
        both = rows(
            url,
            f"select {rate} as shown, number from analytics.{view} join (select {key}, {sql} as number"
            f" from analytics.{fact} where {where} group by {key}) as counted using ({key})",
        )
        assert len(both) > 2
        found += [
            f"{column} is {row['shown']}" for row in both if not same(row["shown"], row["number"])
        ]
    return found


def same(shown: Any, counted: Any) -> bool:
    """Say whether a rounded number is the other one: hours have one decimal, rates three or four."""
    if shown is None or counted is None:
        return shown is counted
    decimals = len(str(shown).partition(".")[2])
    return abs(float(shown) - float(counted)) <= 0.5 * 10.0**-decimals + 1e-9


def test_every_number_is_defined_once(shown_url: str) -> None:
    assert differences(shown_url) == []
