"""Reads pins (``name==version``); fails if safety-db knows a weakness of one. Its data end in July 2021."""

import json
import sys
from importlib.util import find_spec
from pathlib import Path

from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

# Its own code looks for its files in the current folder, so it is not imported.
package = Path(find_spec("safety_db").origin)
known = json.loads(package.with_name("insecure_full.json").read_text(encoding="utf-8"))
weak = {canonicalize_name(name): entries for name, entries in known.items() if name != "$meta"}
found = [
    f"{line.strip()}: {entry['advisory']}"
    for line in sys.stdin
    if "==" in line and not line.startswith("#")
    for name, version in [line.split(";")[0].strip().split("==")]
    for entry in weak.get(canonicalize_name(name), ())
    if any(SpecifierSet(spec).contains(version, prereleases=True) for spec in entry["specs"])
]
print(*found, sep="\n")  # noqa: T201
sys.exit(bool(found))
