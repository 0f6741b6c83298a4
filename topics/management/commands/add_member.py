"""`manage.py add_member SPACE USERNAME`: let a person into a space."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from topics.errors import MemoryRefusal
from topics.models import Membership, Space
from topics.services.spaces import set_member


class Command(BaseCommand):
    help = "Give a person a role in a space. A person who is new gets an account, whose password is printed once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("space", help="the slug of the space")
        parser.add_argument("username")
        parser.add_argument("--role", default=Membership.Role.ADMIN, choices=Membership.Role.values)

    def handle(self, *args: Any, **options: Any) -> None:
        space = Space.objects.filter(slug=options["space"]).first()
        if space is None:
            raise CommandError(f"There is no space {options['space']}. Make it with create_space.")
        password = secrets.token_urlsafe(12)
        with transaction.atomic():
            user, is_new = get_user_model().objects.get_or_create(username=options["username"])
            if is_new:
                user.set_password(password)
                user.full_clean()
                user.save()
            try:
                member = set_member(space=space, user=user, role=options["role"])
            except MemoryRefusal as refusal:
                raise CommandError(refusal.message) from refusal
        self.stdout.write(f"{user} is {member.role} of {space.slug}.")
        if is_new:
            self.stdout.write(f"Password  {password}")
