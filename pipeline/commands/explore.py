"""``pipeline explore``: a page for asking the warehouse questions, in a browser on this machine."""

import os
import sys
from pathlib import Path

from pipeline.commands.console import Port, need_extra, out


def explore(port: Port = 2718) -> None:
    """Ask the example questions, or change them, read-only, as the role `analyst`.

    Names, messages and values are not shown. IDs, scores and profile codes of people are pseudonymous.
    The page is served to this machine only, until Ctrl-C. Needs the extra `explore`.
    """
    need_extra("explore", "marimo", "`pipeline explore`")
    from pipeline.settings import load_warehouse_url
    from pipeline.warehouse.engine import warehouse_engine
    from pipeline.warehouse.questions import ask

    # An analyst may not read what `open_warehouse` looks at.
    with warehouse_engine(load_warehouse_url()) as engine:
        ask(engine, "select 1")  # refused here rather than on the page
    page = Path(__file__).with_name("explore_page.py")
    out.print(f"explore the warehouse: http://127.0.0.1:{port}   (Ctrl-C ends it)")
    # In the place of this process: marimo has no public way to end its sessions within one.
    options = ("--headless", "--host", "127.0.0.1", "--port", str(port))
    os.execv(sys.executable, (sys.executable, "-m", "marimo", "-q", "run", str(page), *options))  # noqa: S606
