"""What a story is made of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from topics.services.conversations import MessageInput

BETWEEN_TURNS = timedelta(minutes=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One conversation. Its turns are (speaker, text), the first at `began`, the next every two minutes.

    `reviewed` says that a person went through what was found in it: settled statements were approved, changed ones
    replaced what was held, and tentative ones were left waiting. Everything from the other conversations waits.
    """

    id: str
    subject: str
    began: str
    turns: tuple[tuple[str, str], ...]
    reviewed: bool = False

    @property
    def began_at(self) -> datetime:
        """Aware."""
        return datetime.fromisoformat(self.began)

    @property
    def messages(self) -> list[MessageInput]:
        """The turns as a caller sends them; whoever is called assistant is one."""
        return [
            MessageInput(
                id=f"{self.id}:{number}",
                role="assistant" if speaker == "assistant" else "user",
                name="" if speaker == "assistant" else speaker,
                content=text,
                said_at=self.began_at + number * BETWEEN_TURNS,
            )
            for number, (speaker, text) in enumerate(self.turns, start=1)
        ]
