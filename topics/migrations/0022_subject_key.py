"""The key of a conversation's subject, by which a topic that gets the name later is linked; and what stands is linked."""

from collections import defaultdict

from django.db import migrations, models

from topics.text.names import match_keys, subject_key

BATCH = 1000


def fill(apps, schema_editor):
    conversation_model = apps.get_model("topics", "Conversation")
    alias_model = apps.get_model("topics", "Alias")
    told = conversation_model.objects.exclude(subject_name="").order_by("pk")
    last = None
    while rows := list((told.filter(pk__gt=last) if last else told).select_related("subject")[:BATCH]):
        last = rows[-1].pk
        spaces = defaultdict(list)
        for row in rows:
            row.subject_key = subject_key(row.subject_name)
            if row.subject is None or row.subject.status == "deleted":
                spaces[row.space_id].append(row)
        for space, unlinked in spaces.items():
            keys = {key for row in unlinked for key in match_keys(row.subject_name)}
            topics = dict(alias_model.objects.filter(space=space, key__in=keys).values_list("key", "topic_id"))
            for row in unlinked:
                topic = next((topics[key] for key in match_keys(row.subject_name) if key in topics), None)
                row.subject_id = topic or row.subject_id
        conversation_model.objects.bulk_update(rows, ["subject_key", "subject"], batch_size=100)


class Migration(migrations.Migration):
    dependencies = [("topics", "0021_pgvector")]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="subject_key",
            field=models.CharField(blank=True, default="", editable=False, max_length=200),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(fields=["space", "subject_key"], name="conversation_subject_key"),
        ),
        # Last: PostgreSQL adds no index where rows with deferred references were just written.
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
