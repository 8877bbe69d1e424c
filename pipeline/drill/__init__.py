"""``pipeline drill``: tries to break the mirror on purpose, and counts what was lost.

Beside ``commands`` and ``local``: it may use everything but ``assets``. `catalogue.FAULTS` lists the
faults, `drill.play` plays one, `comparison` holds the warehouse against what the sandbox states.
"""
