from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0003_idempotency"),
        ("extraction", "0002_decision_snoozes"),
    ]

    operations = [
        migrations.AddField(
            model_name="decision",
            name="topic",
            field=models.ForeignKey(
                help_text="Of a new topic: the one that it became",
                null=True,
                on_delete=models.SET_NULL,
                related_name="+",
                to="topics.topic",
            ),
        ),
    ]
