"""The database itself: its URL and connections, its errors, the files of SQL."""
