"""The commands of ``pipeline``, one module each; heavy imports happen inside their functions."""

from typing import Any

#: How every `typer.Typer` of ours is made: typer's formatting by rich takes half the time of a `--help`.
STYLE: dict[str, Any] = {
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "add_completion": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
