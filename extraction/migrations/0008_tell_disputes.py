"""Disputes from before they were told in documents get what their conflicts know."""

from django.db import migrations


def tell(apps, schema_editor):
    Conflict = apps.get_model("extraction", "Conflict")
    Decision = apps.get_model("extraction", "Decision")
    for conflict in Conflict.objects.select_related("dispute", "proposal").iterator(chunk_size=500):
        dispute, proposal = conflict.dispute, conflict.proposal
        dispute.claim = proposal.text
        dispute.became_id = proposal.fact_id if proposal.is_held else None
        if conflict.status == "resolved":
            last = Decision.objects.filter(proposal=proposal).exclude(conflict_outcome__in=["", "ask"]).order_by("-pk")
            decision = last.first()
            dispute.outcome = conflict.outcome
            if conflict.outcome in ("replace", "both"):
                dispute.became_id = proposal.fact_id
            dispute.closed_by_id = decision.change_set_id if decision else None
        dispute.save(update_fields=["claim", "outcome", "became", "closed_by"])


class Migration(migrations.Migration):
    dependencies = [
        ("extraction", "0007_confirmation_fact_version"),
        ("topics", "0009_settled_disputes"),
    ]

    operations = [migrations.RunPython(tell, migrations.RunPython.noop)]
