"""The commands of ``pipeline``, one module each; heavy imports happen inside them."""
