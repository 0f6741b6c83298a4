"""What SQLite's planner is told about spaces.

Without statistics it takes every index that begins with the space for a good one, and reads all of a space to find a
handful of its rows by their keys. So it is told, after every migration, that such an index leads to many rows
(https://www.sqlite.org/fileformat2.html#stat1tab). Whoever runs ANALYZE replaces that by what really holds.
"""

from __future__ import annotations

from typing import Any

from django.db import connections

# Of these a few rows are wanted by key, among all that a space holds.
TABLES = ("topics_topic", "topics_fact", "topics_timelineentry", "topics_passage")
ROWS, ROWS_OF_SPACE, NARROWS = 1_000_000, 100_000, 30


def tell_planner(using: str, **kwargs: Any) -> None:
    """Write the estimates, for indexes of which SQLite knows nothing yet. Other databases need none."""
    connection = connections[using]
    if connection.vendor != "sqlite":
        return
    present = set(connection.introspection.table_names()).intersection(TABLES)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE sqlite_master")  # makes the table of statistics, where there is none
        cursor.execute("SELECT idx FROM sqlite_stat1")
        known = {name for (name,) in cursor.fetchall()}
        for table in sorted(present):
            for name, columns in _indexes_of_space(cursor, table):
                if name not in known:
                    values = [ROWS, *(max(ROWS_OF_SPACE // NARROWS**n, 1) for n in range(columns))]
                    row = [table, name, " ".join(map(str, values))]
                    cursor.execute("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (%s, %s, %s)", row)
        cursor.execute("ANALYZE sqlite_master")  # and reads it


def _indexes_of_space(cursor: Any, table: str) -> list[tuple[str, int]]:
    """Name and number of columns of each whole index that begins with the space."""
    cursor.execute(f'PRAGMA index_list("{table}")')
    names = [name for _number, name, _unique, _origin, partial in cursor.fetchall() if not partial]
    found = []
    for name in names:
        cursor.execute(f'PRAGMA index_info("{name}")')
        columns = [column for _rank, _place, column in cursor.fetchall()]
        if columns[0] == "space_id":
            found.append((name, len(columns)))
    return found
