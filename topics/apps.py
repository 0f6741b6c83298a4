from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class TopicsConfig(AppConfig):
    name = "topics"
    label = "topics"
    verbose_name = _("Memory")

    def ready(self) -> None:
        from inference.labels import give_labels
        from topics.labels import FIELDS, NAMES
        from topics.planner import tell_planner
        from topics.services import conversations  # noqa: F401  (links subjects at the end of an act)

        give_labels(self, NAMES, FIELDS)
        post_migrate.connect(tell_planner, sender=self, dispatch_uid="topics.planner")
