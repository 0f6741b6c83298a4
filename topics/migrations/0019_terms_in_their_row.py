"""On PostgreSQL the terms of a search row stand in the row itself, neither packed nor in pages apart that each look at
them reads again: a question looks at those of thousands of rows.

The table is written anew, which takes some minutes for a million statements.
"""

from django.db import migrations

COLUMNS = ("own", "speaker_terms", "prev1", "prev2", "next1", "next2")
# PostgreSQL packs what is longest in a row that is longer than this, and moves it out. A page has 8,192 bytes.
WHOLE_PAGE = 8160

TERMS = f"""array_to_tsvector(array_remove(string_to_array({" || ' ' || ".join(COLUMNS)}, ' '), ''))"""


def keep_terms_in_their_row(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    for statement in (
        "ALTER TABLE topics_passage DROP COLUMN terms",
        f"ALTER TABLE topics_passage SET (toast_tuple_target = {WHOLE_PAGE})",
        f"ALTER TABLE topics_passage ADD COLUMN terms tsvector GENERATED ALWAYS AS ({TERMS}) STORED",
        "CREATE INDEX topics_passage_terms ON topics_passage USING gin (terms)",
        "CREATE INDEX topics_passage_sample ON topics_passage USING gin (terms) WHERE id % 64 = 0",
    ):
        schema_editor.execute(statement, params=None)


def let_terms_be_moved_out(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE topics_passage RESET (toast_tuple_target)")


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0018_vectors_written"),
    ]

    operations = [migrations.RunPython(keep_terms_in_their_row, let_terms_be_moved_out)]
