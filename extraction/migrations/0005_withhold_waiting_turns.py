from django.db import migrations
from django.db.models import Q


def withhold_waiting_turns(apps, schema_editor):
    """Turns with a statement that waits outside a conflict, and unread ones where a person reviews, were shown so far."""
    quotes = apps.get_model("extraction", "ProposalQuote").objects
    conflicts = apps.get_model("extraction", "Conflict").objects.filter(status="open")
    waiting = quotes.filter(
        ~Q(proposal__in=conflicts.values("proposal")),
        proposal__status__in=["pending", "snoozed"],
        proposal__kind__in=["fact", "timeline"],
    )
    unread = (
        apps.get_model("extraction", "MessageOutcome")
        .objects.filter(outcome__in=["waiting", "failed"])
        .exclude(job__space__review_policy="automatic")
    )
    passages = apps.get_model("topics", "Passage").objects.filter(withheld=False)
    passages.filter(Q(message__in=waiting.values("message")) | Q(message__in=unread.values("message"))).update(
        withheld=True
    )


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0006_source_turns_label"),
        ("extraction", "0004_gathering_jobs"),
    ]

    operations = [migrations.RunPython(withhold_waiting_turns, migrations.RunPython.noop)]
