from django.apps import AppConfig


class InfiniConfig(AppConfig):
    name = "infini"

    def ready(self) -> None:
        from infini import checks  # noqa: F401  (registers the system checks)
