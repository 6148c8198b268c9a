"""The storage, over a SQLite file and over a PostgreSQL server."""
