"""The page of ``pipeline explore``, a marimo notebook: a question, its statement, the answer."""

import marimo

# Without this and the last lines marimo warns that the notebook has errors.
__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="Explore the warehouse")

with app.setup:
    from typing import Any

    import marimo as mo

    from pipeline.settings import load_warehouse_url
    from pipeline.warehouse.engine import warehouse_engine
    from pipeline.warehouse.errors import WarehouseError
    from pipeline.warehouse.questions import ask, read_questions


@app.cell
def _() -> tuple[Any]:
    questions = {each.question: each.statement for each in read_questions()}
    question = mo.ui.dropdown(questions, value=next(iter(questions)), label="Question")
    title = (
        "# Explore the warehouse\n\nIDs, scores and profile codes of people are pseudonymous data."
    )
    mo.vstack([mo.md(title), question])
    return (question,)


@app.cell
def _(question: Any) -> tuple[Any]:
    statement = mo.ui.code_editor(question.value, language="sql", show_copy_button=False)
    form = mo.ui.form(
        statement, submit_button_label="Ask", submit_button_tooltip="Ask what it says now"
    )
    form
    return (form,)


@app.cell
def _(form: Any, question: Any) -> None:
    try:
        with warehouse_engine(load_warehouse_url()) as engine:
            rows = ask(engine, form.value or question.value)
        answer = mo.ui.table(rows, selection=None) if rows else mo.md("No rows.")
    except WarehouseError as error:
        answer = mo.callout(str(error), kind="danger")
    answer
    return


if __name__ == "__main__":
    app.run()
