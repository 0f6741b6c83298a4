from django.apps import AppConfig


class ExtractionConfig(AppConfig):
    name = "extraction"
    label = "extraction"

    def ready(self) -> None:
        from extraction.services import merging, undo  # noqa: F401  their receivers take part in undo and in merging
