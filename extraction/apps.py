from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ExtractionConfig(AppConfig):
    name = "extraction"
    label = "extraction"
    verbose_name = _("Proposals and review")

    def ready(self) -> None:
        from extraction.console import decided  # noqa: F401  for its receiver
        from extraction.labels import FIELDS, NAMES
        from extraction.selectors import pending  # noqa: F401  for its receiver
        from extraction.services import (  # noqa: F401  for their receivers
            embedding,
            merging,
            resembling,
            summary_requests,
            undo,
            webhooks,
            written,
        )
        from inference.labels import give_labels

        give_labels(self, NAMES, FIELDS)
