"""The search index: the table, and the full text index over it that each database keeps in step by itself."""

import django.db.models.deletion
from django.db import migrations, models

COLUMNS = ("own", "speaker_terms", "prev1", "prev2", "next1", "next2")


def _listed(prefix=""):
    return ", ".join(prefix + column for column in COLUMNS)


# The tokenizer "ascii" splits at white space and ASCII punctuation only, which terms have none of.
SQLITE = (
    f"""CREATE VIRTUAL TABLE topics_passage_index USING fts5(
        {_listed()}, content='topics_passage', content_rowid='id', tokenize='ascii')""",
    "CREATE VIRTUAL TABLE topics_passage_terms USING fts5vocab('topics_passage_index', 'row')",
    f"""CREATE TRIGGER topics_passage_inserted AFTER INSERT ON topics_passage BEGIN
        INSERT INTO topics_passage_index (rowid, {_listed()}) VALUES (new.id, {_listed("new.")});
    END""",
    f"""CREATE TRIGGER topics_passage_deleted AFTER DELETE ON topics_passage BEGIN
        INSERT INTO topics_passage_index (topics_passage_index, rowid, {_listed()})
        VALUES ('delete', old.id, {_listed("old.")});
    END""",
    f"""CREATE TRIGGER topics_passage_updated AFTER UPDATE OF {_listed()} ON topics_passage BEGIN
        INSERT INTO topics_passage_index (topics_passage_index, rowid, {_listed()})
        VALUES ('delete', old.id, {_listed("old.")});
        INSERT INTO topics_passage_index (rowid, {_listed()}) VALUES (new.id, {_listed("new.")});
    END""",
)
SQLITE_REVERSE = (
    "DROP TRIGGER topics_passage_inserted",
    "DROP TRIGGER topics_passage_deleted",
    "DROP TRIGGER topics_passage_updated",
    "DROP TABLE topics_passage_terms",
    "DROP TABLE topics_passage_index",
)

# No dictionary takes part: the terms are compared as they are. array_to_tsvector refuses empty lexemes.
POSTGRESQL = (
    f"""ALTER TABLE topics_passage ADD COLUMN terms tsvector GENERATED ALWAYS AS (
        array_to_tsvector(array_remove(string_to_array({" || ' ' || ".join(COLUMNS)}, ' '), ''))) STORED""",
    "CREATE INDEX topics_passage_terms ON topics_passage USING gin (terms)",
)
POSTGRESQL_REVERSE = ("ALTER TABLE topics_passage DROP COLUMN terms",)


def _run(schema_editor, statements):
    for statement in statements[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def make_index(apps, schema_editor):
    _run(schema_editor, {"sqlite": SQLITE, "postgresql": POSTGRESQL})


def drop_index(apps, schema_editor):
    _run(schema_editor, {"sqlite": SQLITE_REVERSE, "postgresql": POSTGRESQL_REVERSE})


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Passage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("message", "Message"), ("fact", "Fact"), ("entry", "Timeline entry")], max_length=7
                    ),
                ),
                ("position", models.PositiveIntegerField(default=0)),
                ("part", models.PositiveIntegerField(default=0)),
                ("start", models.PositiveIntegerField(default=0)),
                ("end", models.PositiveIntegerField(default=0)),
                ("day", models.IntegerField(null=True)),
                ("speaker", models.CharField(blank=True, max_length=200)),
                ("own", models.TextField()),
                ("speaker_terms", models.TextField()),
                ("prev1", models.TextField()),
                ("prev2", models.TextField()),
                ("next1", models.TextField()),
                ("next2", models.TextField()),
                ("n_terms", models.PositiveIntegerField()),
                ("n_all", models.PositiveIntegerField()),
                ("line_tokens", models.PositiveIntegerField()),
                ("withheld", models.BooleanField(default=False)),
                ("analyser_version", models.PositiveSmallIntegerField()),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="topics.conversation",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passages",
                        to="topics.timelineentry",
                    ),
                ),
                (
                    "fact",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passages",
                        to="topics.fact",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passages",
                        to="topics.message",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="topics.space"
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="topics.topic"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(fields=["space", "day"], name="passage_by_day"),
                    models.Index(fields=["conversation", "position", "part"], name="passage_by_position"),
                    models.Index(fields=["space", "kind", "n_all"], name="passage_lengths"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("entry__isnull", True),
                                ("fact__isnull", True),
                                ("kind", "message"),
                                ("message__isnull", False),
                            ),
                            models.Q(
                                ("entry__isnull", True),
                                ("fact__isnull", False),
                                ("kind", "fact"),
                                ("message__isnull", True),
                            ),
                            models.Q(
                                ("entry__isnull", False),
                                ("fact__isnull", True),
                                ("kind", "entry"),
                                ("message__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="passage_of_one_row",
                    ),
                    models.UniqueConstraint(fields=("message", "part"), name="passage_once_for_part"),
                    models.UniqueConstraint(fields=("fact",), name="passage_once_for_fact"),
                    models.UniqueConstraint(fields=("entry",), name="passage_once_for_entry"),
                ],
            },
        ),
        migrations.RunPython(make_index, drop_index),
        migrations.AddIndex(
            model_name="fact",
            index=models.Index(condition=models.Q(("status", "retracted")), fields=["space"], name="fact_retracted"),
        ),
        migrations.AddIndex(
            model_name="timelineentry",
            index=models.Index(condition=models.Q(("status", "retracted")), fields=["space"], name="entry_retracted"),
        ),
    ]
