from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class InferenceConfig(AppConfig):
    name = "inference"
    label = "inference"
    verbose_name = _("Language models")

    def ready(self) -> None:
        from inference.labels import FIELDS, NAMES, give_labels

        give_labels(self, NAMES, FIELDS)
