"""Counts of the search index that need no counting, a sample of it in which PostgreSQL counts frequent terms, and no
index of the words that nobody took away."""

import django.db.models.deletion
from django.db import migrations, models

COUNTED = """INSERT INTO topics_passagecount (space_id, statements, rows, terms)
    SELECT space_id, kind <> 'message', count(*), sum(n_all) FROM topics_passage GROUP BY 1, 2"""


def _add(row, sign):
    """Adds a row of the index to its count, or takes it away; on SQLite one row holds each count."""
    return f"""UPDATE topics_passagecount SET rows = rows {sign} 1, terms = terms {sign} {row}.n_all
        WHERE space_id = {row}.space_id AND statements = ({row}.kind <> 'message');"""


_MAKE = """INSERT INTO topics_passagecount (space_id, statements, rows, terms)
        SELECT new.space_id, new.kind <> 'message', 0, 0 WHERE NOT EXISTS (
            SELECT 1 FROM topics_passagecount WHERE space_id = new.space_id AND statements = (new.kind <> 'message'));"""

SQLITE = (
    COUNTED,
    f"""CREATE TRIGGER topics_passage_counted_in AFTER INSERT ON topics_passage BEGIN
        {_MAKE}
        {_add("new", "+")}
    END""",
    f"""CREATE TRIGGER topics_passage_counted_out AFTER DELETE ON topics_passage BEGIN
        {_add("old", "-")}
    END""",
    f"""CREATE TRIGGER topics_passage_counted_anew AFTER UPDATE OF n_all, kind, space_id ON topics_passage BEGIN
        {_add("old", "-")}
        {_MAKE}
        {_add("new", "+")}
    END""",
)
SQLITE_REVERSE = (
    "DROP TRIGGER topics_passage_counted_in",
    "DROP TRIGGER topics_passage_counted_out",
    "DROP TRIGGER topics_passage_counted_anew",
)

# A row for each statement that changes the index, so that writers never wait for one another. One in fifty joins the
# rows of its spaces that nobody else is joining.
POSTGRESQL = (
    COUNTED,
    """CREATE FUNCTION topics_count_passages() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        spaces bigint[];
    BEGIN
        IF TG_OP = 'INSERT' THEN
            INSERT INTO topics_passagecount (space_id, statements, rows, terms)
            SELECT space_id, kind <> 'message', count(*), sum(n_all) FROM fresh GROUP BY 1, 2;
        ELSIF TG_OP = 'DELETE' THEN
            INSERT INTO topics_passagecount (space_id, statements, rows, terms)
            SELECT space_id, kind <> 'message', -count(*), -sum(n_all) FROM gone GROUP BY 1, 2;
        ELSE
            INSERT INTO topics_passagecount (space_id, statements, rows, terms)
            SELECT space_id, statements, sum(rows), sum(terms) FROM (
                SELECT space_id, kind <> 'message' AS statements, 1 AS rows, n_all AS terms FROM fresh
                UNION ALL SELECT space_id, kind <> 'message', -1, -n_all FROM gone
            ) AS both_of_them GROUP BY 1, 2 HAVING sum(rows) <> 0 OR sum(terms) <> 0;
        END IF;
        IF random() < 0.02 THEN
            IF TG_OP = 'DELETE' THEN
                SELECT array_agg(DISTINCT space_id) INTO spaces FROM gone;
            ELSE
                SELECT array_agg(DISTINCT space_id) INTO spaces FROM fresh;
            END IF;
            WITH free AS (
                SELECT id FROM topics_passagecount WHERE space_id = ANY(spaces) FOR UPDATE SKIP LOCKED
            ), taken AS (
                DELETE FROM topics_passagecount WHERE id IN (SELECT id FROM free) RETURNING *
            )
            INSERT INTO topics_passagecount (space_id, statements, rows, terms)
            SELECT space_id, statements, sum(rows), sum(terms) FROM taken GROUP BY 1, 2;
        END IF;
        RETURN NULL;
    END $$""",
    """CREATE TRIGGER topics_passage_counted_in AFTER INSERT ON topics_passage
        REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION topics_count_passages()""",
    """CREATE TRIGGER topics_passage_counted_out AFTER DELETE ON topics_passage
        REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION topics_count_passages()""",
    """CREATE TRIGGER topics_passage_counted_anew AFTER UPDATE ON topics_passage
        REFERENCING NEW TABLE AS fresh OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION topics_count_passages()""",
    "CREATE INDEX topics_passage_sample ON topics_passage USING gin (terms) WHERE id % 64 = 0",
)
POSTGRESQL_REVERSE = (
    "DROP INDEX topics_passage_sample",
    "DROP TRIGGER topics_passage_counted_in ON topics_passage",
    "DROP TRIGGER topics_passage_counted_out ON topics_passage",
    "DROP TRIGGER topics_passage_counted_anew ON topics_passage",
    "DROP FUNCTION topics_count_passages()",
)


def _run(schema_editor, statements):
    for statement in statements[schema_editor.connection.vendor]:
        schema_editor.execute(statement, params=None)


def count(apps, schema_editor):
    _run(schema_editor, {"sqlite": SQLITE, "postgresql": POSTGRESQL})


def stop_counting(apps, schema_editor):
    _run(schema_editor, {"sqlite": SQLITE_REVERSE, "postgresql": POSTGRESQL_REVERSE})


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0016_feedback"),
    ]

    operations = [
        migrations.AlterField(
            model_name="evidence",
            name="removed_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="evidence_removed",
                to="topics.changeset",
            ),
        ),
        migrations.AddIndex(
            model_name="evidence",
            index=models.Index(
                condition=models.Q(("removed_by__isnull", False)), fields=["removed_by"], name="evidence_removed"
            ),
        ),
        migrations.CreateModel(
            name="PassageCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("statements", models.BooleanField()),
                ("rows", models.BigIntegerField()),
                ("terms", models.BigIntegerField()),
                (
                    "space",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="topics.space",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["space", "statements"], name="passage_count_of_space")],
            },
        ),
        migrations.RunPython(count, stop_counting),
    ]
