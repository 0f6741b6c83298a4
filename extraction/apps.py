from django.apps import AppConfig


class ExtractionConfig(AppConfig):
    name = "extraction"
    label = "extraction"

    def ready(self) -> None:
        from extraction.services import undo  # noqa: F401  its receivers take part in undo
