"""What an answer of the service says, beside what is stored: what is believed, kept and left out of it."""
