from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("topics", "0005_reading_thresholds")]

    operations = [
        migrations.AlterField(
            model_name="space",
            name="source_turns",
            field=models.CharField(
                choices=[
                    ("none", "Agents see statements only"),
                    ("approved", "Agents also see the quoted words behind approved statements"),
                    ("all", "Agents also see every turn in which nothing waits or was rejected"),
                ],
                default="approved",
                max_length=12,
            ),
        ),
    ]
