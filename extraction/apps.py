from django.apps import AppConfig


class ExtractionConfig(AppConfig):
    name = "extraction"
    label = "extraction"

    def ready(self) -> None:
        from extraction.selectors import pending  # noqa: F401  for its receiver
        from extraction.services import embedding, merging, summary_requests, undo, webhooks  # noqa: F401  for receivers
