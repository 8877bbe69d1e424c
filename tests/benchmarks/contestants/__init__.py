"""Those who are measured: each a module with ``run(task)``, in a process of its own."""
