from django.apps import AppConfig


class TopicsConfig(AppConfig):
    name = "topics"
    label = "topics"
