from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TopicsConfig(AppConfig):
    name = "topics"
    label = "topics"

    def ready(self) -> None:
        from topics.planner import tell_planner

        post_migrate.connect(tell_planner, sender=self, dispatch_uid="topics.planner")
