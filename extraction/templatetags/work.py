"""What the pages of the memory show of the work in the background."""

from __future__ import annotations

from django import template

from extraction.models import Job
from extraction.selectors import jobs
from topics.models import Topic

register = template.Library()


@register.simple_tag
def failed_summary(topic: Topic) -> Job | None:
    """The latest job on the summary of the topic, if it has failed."""
    return jobs.failed_summary(topic)
