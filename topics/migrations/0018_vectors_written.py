"""Which write of its set wrote a vector: readers keep the others in memory."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0017_growing_spaces"),
    ]

    operations = [
        migrations.AddField(
            model_name="vector",
            name="written",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="vectorset",
            name="written",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name="vector",
            index=models.Index(fields=["set", "written"], name="vector_written"),
        ),
    ]
