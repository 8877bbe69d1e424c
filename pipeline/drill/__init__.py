"""``pipeline drill``: breaks the mirror on purpose and counts what was lost (docs/design.md "Drill").

`faults` holds the catalogue. `play.play` plays one fault in a `trial.Trial`: a made-up service and an
empty warehouse. `comparison` compares the warehouse with what the service returns.
"""
