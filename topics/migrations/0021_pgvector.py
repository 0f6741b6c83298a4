"""Where PostgreSQL has pgvector and we may use it, vectors are kept in a form that it can index, too.

Where that comes later, `manage.py use_pgvector` does the same. What stands already is written by the job that embeds.
"""

from django.db import DatabaseError, migrations, transaction


def use_pgvector(apps, schema_editor):
    connection = schema_editor.connection
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
        if cursor.fetchone() is None:
            return
        try:
            with transaction.atomic(using=connection.alias):
                cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except DatabaseError:  # only a superuser may
            return
        cursor.execute("ALTER TABLE topics_vector ADD COLUMN IF NOT EXISTS embedding vector")


def do_without(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE topics_vector DROP COLUMN IF EXISTS embedding")


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0020_coarse_sample"),
    ]

    operations = [migrations.RunPython(use_pgvector, do_without)]
