"""A second sample of the search index in which PostgreSQL counts the terms of very many rows."""

from django.db import migrations


def sample(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE INDEX topics_passage_coarse_sample ON topics_passage USING gin (terms) WHERE id % 1024 = 0",
            params=None,
        )


def stop_sampling(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX topics_passage_coarse_sample")


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0019_terms_in_their_row"),
    ]

    operations = [migrations.RunPython(sample, stop_sampling)]
