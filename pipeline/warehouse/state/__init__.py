"""What is known of activities, days, runs and the service; what is in quarantine, and what is to do."""
