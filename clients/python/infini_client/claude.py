"""The memory behind Claude's memory tool: `/memories` is a folder of topic documents.

https://docs.claude.com/en/docs/agents-and-tools/tool-use/memory-tool, tool `memory_20250818`. The extra is `claude`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any
from urllib.parse import unquote

from infini_client.errors import AccessDenied, ApiError, Conflict, InfiniError, NotFound
from infini_client.extras import needs
from infini_client.requests import is_id
from infini_client.sync import Client
from infini_client.types import Document, Entry, Message, Proposal, Topic

with needs("claude"):
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

ROOT = "/memories"
MOST_FILES = 200
MOST_LINES = 999_999
CONTEXT = 2  # lines shown on each side of a change
# Names with an ending of their own are file names as they are; to others ".md" is added.
_ENDING = re.compile(r"\.(txt|xml|json|ya?ml|csv|toml|html)$", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
# What gives a text its form and says nothing: headings, rules, tags and fences on a line of their own.
_FORM = re.compile(r"^\s*(?:#{1,6}(?:\s.*)?|[-=*_~`]{3,}\w*|</?[\w:-]+/?>|\W*)$")
_DATES = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d", "minute": "%Y-%m-%d %H:%M"}
_FIELDS = {
    "view": ("path",),
    "create": ("path", "file_text"),
    "str_replace": ("path", "old_str", "new_str"),
    "insert": ("path", "insert_line", "insert_text"),
    "delete": ("path",),
    "rename": ("old_path", "new_path"),
}


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a file, and what it shows: a fact or entry that counts, a proposal that waits, the summary or name.

    `mark` is what was put behind the words of a fact; `is_own` says that this tool proposed it.
    """

    text: str
    kind: str = ""
    id: str = ""
    mark: str = ""
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class _File:
    """A document as lines. `topic` is its id; without one it is only proposed."""

    name: str
    topic: str | None
    lines: tuple[_Line, ...]

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


@dataclass(slots=True)
class _Changes:
    """What an edit asks for."""

    statements: list[str] = field(default_factory=list)
    against: dict[str, str] = field(default_factory=dict)
    withdrawn: list[str] = field(default_factory=list)
    summary: str | None = None
    kept: list[str] = field(default_factory=list)


class InfiniMemoryTool(BetaAbstractMemoryTool):
    """A memory tool over the topic documents of a space, for `client.beta.messages.tool_runner(tools=[…])`.

    Every line that Claude writes becomes a statement of its own, filed under the space's review policy. What is held
    is never overwritten: another text for a held line is a conflict with it, which a person settles, and a held line
    cannot be removed. Claude is told so. Deleting a file archives the topic, renaming renames it; both are undone in
    the console. What waits for a person is shown where the key has the scope `review`.
    """

    def __init__(self, memory: Client, *, conversation: str = "claude-memory", **options: Any) -> None:
        """The words that Claude writes are kept as messages of `conversation`. `options` are the base class's."""
        super().__init__(**options)
        self.memory = memory
        self.conversation = conversation

    def execute(self, command: Any) -> Any:
        """Carry out a command. Raises ToolError, whose text is Claude's answer, for whatever cannot be done."""
        missing = [n for n in _FIELDS.get(getattr(command, "command", ""), ()) if getattr(command, n, None) is None]
        # Claude leaves out an empty replacement.
        if missing and missing != ["new_str"]:
            raise ToolError(f"The parameters {', '.join(missing)} of `{command.command}` are missing.")
        with _errors():
            return super().execute(command)

    def view(self, command: Any) -> str:
        """The files below a folder, or the numbered lines of a file."""
        name = _name(command.path)
        found = self._file(name) if name else None
        if found is None:
            return self._folder(command.path, name)
        lines = found.text.split("\n")
        if len(lines) > MOST_LINES:
            raise ToolError(f"File {command.path} exceeds maximum line limit of 999,999 lines.")
        first, last = 1, len(lines)
        if command.view_range and len(command.view_range) == 2:
            first = max(1, command.view_range[0])
            last = last if command.view_range[1] == -1 else min(last, command.view_range[1])
        return f"Here's the content of {command.path} with line numbers:\n{_numbered(lines, first, last)}"

    def create(self, command: Any) -> str:
        """Propose a topic with the lines of the text as its statements."""
        name = self._name_of_file(command.path)
        if self._file(name) is not None or self._topic(name, archived=True) is not None:
            raise ToolError(f"Error: File {command.path} already exists")
        statements = _statements(command.file_text.split("\n"))
        if not statements:
            raise ToolError(f"Error: {command.path} would say nothing. Write at least one statement into it.")
        done = self._write(name, _Changes(statements))
        return f"File created successfully at: {command.path}{done}"

    def str_replace(self, command: Any) -> str:
        """Propose what the changed lines say now."""
        found = self._existing(command.path, "The path {path} does not exist. Please provide a valid path.")
        old, text = command.old_str, found.text
        starts = [m.start() for m in re.finditer(re.escape(old), text)] if old else []
        if not starts:
            raise ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {command.path}.")
        if len(starts) > 1:
            numbers = ", ".join(str(text.count("\n", 0, start) + 1) for start in starts)
            raise ToolError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {numbers}. "
                "Please ensure it is unique"
            )
        changed = text.replace(old, command.new_str or "")
        changes = _compare(found.lines, changed.split("\n"))
        done = self._write(found.topic or found.name, changes)
        return f"The memory file has been edited.{self._snippet(found, changes)}{done}"

    def insert(self, command: Any) -> str:
        """Propose the inserted lines. The document has an order of its own, so that the place does not matter."""
        found = self._existing(command.path, "The path {path} does not exist")
        count = len(found.lines)
        if not 0 <= command.insert_line <= count:
            raise ToolError(
                f"Error: Invalid `insert_line` parameter: {command.insert_line}. "
                f"It should be within the range of lines of the file: [0, {count}]"
            )
        statements = _statements(command.insert_text.split("\n"))
        done = self._write(found.topic or found.name, _Changes(statements)) if statements else ""
        return f"The file {command.path} has been edited.{done}"

    def delete(self, command: Any) -> str:
        """Archive the topic, or withdraw what this tool proposed of one that nobody has approved yet."""
        name = _name(command.path)
        if not name:
            raise ToolError("Error: Cannot delete the /memories directory itself")
        found = self._file(name)
        if found is None:
            if self._below(name):
                raise ToolError(f"Error: {command.path} is a directory. Delete its files one by one.")
            raise ToolError(f"Error: The path {command.path} does not exist")
        if found.topic is not None:
            self.memory.archive_topic(found.topic, reason="Deleted with the memory tool")
        else:
            waiting = [line for line in found.lines if line.kind == "proposal"]
            if not waiting or not all(line.is_own for line in waiting):
                raise ToolError(f"Error: {command.path} waits for a person, who decides what becomes of it.")
            self._withdraw([line.id for line in found.lines if line.id])
        return f"Successfully deleted {command.path}"

    def rename(self, command: Any) -> str:
        """Rename the topic. Its former name stays with it as another name."""
        old, new = self._name_of_file(command.old_path), self._name_of_file(command.new_path)
        topic = self._topic(old)
        if topic is None:
            if self._file(old) is not None:
                raise ToolError(f"Error: {command.old_path} waits for a person and cannot be renamed before.")
            raise ToolError(f"Error: The path {command.old_path} does not exist")
        try:
            self.memory.change_topic(self.memory.topic(topic.id), name=new, reason="Renamed with the memory tool")
        except Conflict as error:
            if error.code != "name_taken":
                raise
            raise ToolError(f"Error: The destination {command.new_path} already exists") from error
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear_all_memory(self) -> str:
        """Refused: the memory is not Claude's alone."""
        raise ToolError("The memory is shared with people and is not cleared from here.")

    # ------------------------------------------------------------------------------------------------------ inside

    def _name_of_file(self, path: str) -> str:
        name = _name(path)
        if not name:
            raise ToolError(f"Error: {path} is a directory")
        return name

    def _existing(self, path: str, problem: str) -> _File:
        name = _name(path)
        found = self._file(name) if name else None
        if found is None:
            raise ToolError(f"Error: {problem.format(path=path)}")
        return found

    def _topic(self, name: str, *, archived: bool = False) -> Topic | None:
        """The active topic of this name or id; with `archived` one that was put away."""
        status = "archived" if archived else "active"
        if is_id(name):
            try:
                found = self.memory.topic(name)
            except NotFound:
                return None
            return found if found.status == status else None
        return next(self.memory.topics(alias=name, status=status), None)

    def _file(self, name: str) -> _File | None:
        topic = self._topic(name)
        if topic is not None:
            document = self.memory.document(topic.id)
            return _File(topic.name, topic.id, tuple(_lines(document, self._waiting(topic.id), self.conversation)))
        for proposal in self._proposals(kind="topic"):
            if proposal.topic_name.casefold() == name.casefold():
                return _File(
                    name, None, tuple(_proposed_lines(proposal, self._waiting(proposal.id), self.conversation))
                )
        return None

    def _waiting(self, topic: str) -> list[Proposal]:
        return [p for p in self._proposals(topic=topic) if p.text]

    def _proposals(self, **chosen: Any) -> Iterator[Proposal]:
        """What waits; nothing where the key may not see it."""
        try:
            yield from self.memory.proposals(**chosen)
        except AccessDenied:
            return

    def _folder(self, path: str, name: str) -> str:
        """The files below a folder, two levels deep. Sizes are not known before a file is read."""
        names = self._below(name)
        if name and not names:
            raise ToolError(f"The path {path} does not exist. Please provide a valid path.")
        shown = path.rstrip("/")
        found: dict[str, None] = {}
        for file in sorted(names)[:MOST_FILES]:
            parts = file.split("/")
            for depth in range(1, min(len(parts), 3)):
                found["/".join(parts[:depth]) + "/"] = None
            if len(parts) <= 2:
                found[file] = None
        lines = [
            f"Here're the files and directories up to 2 levels deep in {shown}, "
            "excluding hidden items and node_modules:",
            f"-\t{shown}",
            *(f"-\t{shown}/{file}" for file in found),
        ]
        if len(names) > MOST_FILES:
            lines.append(f"(There are more than {MOST_FILES} files. Others can be viewed by their name.)")
        return "\n".join(lines)

    def _below(self, name: str) -> set[str]:
        """The paths of files below a folder ("" for all), as seen from it; at most one more than are shown."""
        folder = f"{name}/" if name else ""
        found: set[str] = set()
        proposed = (p.topic_name for p in self._proposals(kind="topic"))
        for known in (*(topic.name for topic in self._active(folder)), *proposed):
            path = _path(known)
            if path.startswith(folder):
                found.add(path.removeprefix(folder))
            if len(found) > MOST_FILES:
                break
        return found

    def _active(self, folder: str) -> Iterator[Topic]:
        for n, topic in enumerate(self.memory.topics(q=folder.rstrip("/") or None, status="active")):
            if n > MOST_FILES:
                return
            # A name that is no path goes by its id.
            yield topic if _is_plain(topic.name) else Topic(topic.id, topic.id, topic.kind, topic.status)

    def _write(self, topic: str, changes: _Changes) -> str:
        """Do what an edit asks for. What Claude should know about it, on lines of its own."""
        told: list[str] = []
        if changes.statements:
            filed = self.memory.record(
                topic,
                *changes.statements,
                conversation=self.conversation,
                by="Claude",
                contradicts=changes.against,
            )
            if filed.conflicts and len(filed.committed) >= len(changes.statements):
                told.append("It contradicts what was held: of the two, what was said last counts now.")
            elif filed.conflicts:
                told.append("It contradicts what is held, which stays until a person has decided.")
            elif filed.proposals and not filed.committed:
                told.append("It waits for a person's approval.")
            if filed.repeated:
                told.append("What was known already was not written again.")
        if changes.summary is not None:
            self.memory.store(self.conversation, [Message(changes.summary, "tool")])
            update = {"topic": {"id": topic}, "updated_summary": changes.summary}
            self.memory.update(self.conversation, [update])
        self._withdraw(changes.withdrawn)
        told += changes.kept
        return "".join(f"\n{line}" for line in told)

    def _withdraw(self, proposals: Sequence[str]) -> None:
        if proposals:
            self.memory.decide("reject", list(proposals), reason="Withdrawn with the memory tool")

    def _snippet(self, before: _File, changes: _Changes) -> str:
        """The lines around the change, as the file is now; nothing where it does not show there yet."""
        now = self._file(before.topic or before.name)
        if now is None:
            return ""
        wanted = set(changes.statements) | ({changes.summary} if changes.summary else set())
        at = next((n for n, line in enumerate(now.lines, 1) if any(text in line.text for text in wanted)), None)
        if at is None:
            return ""
        lines = now.text.split("\n")
        first, last = max(1, at - CONTEXT), min(len(lines), at + CONTEXT)
        return f" Here is the snippet showing the change (with line numbers):\n{_numbered(lines, first, last)}"


class AsyncInfiniMemoryTool(BetaAsyncAbstractMemoryTool):
    """As InfiniMemoryTool, for AsyncAnthropic. The memory is asked in a thread, one command after the other."""

    def __init__(self, memory: Client, *, conversation: str = "claude-memory", **options: Any) -> None:
        super().__init__(**options)
        self.tool = InfiniMemoryTool(memory, conversation=conversation)

    async def execute(self, command: Any) -> Any:
        return await asyncio.to_thread(self.tool.execute, command)

    async def _run(self, command: Any) -> Any:
        return await self.execute(command)

    view = create = str_replace = insert = delete = rename = _run


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except ApiError as error:
        fields = "".join(f"\n{name}: {' '.join(texts)}" for name, texts in error.fields.items())
        raise ToolError(f"Error: {error.detail}{fields}") from error
    except (InfiniError, ValueError) as error:
        raise ToolError(f"Error: {error}") from error


def _name(path: str) -> str:
    """The topic's name that a path stands for, "" for the root. Raises ToolError for a path that leads elsewhere."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise ToolError(f"Path must start with /memories, got: {path}")
    rest = path.removeprefix(ROOT).removeprefix("/").removesuffix("/")
    if rest and not _is_plain(rest):
        raise ToolError(f"Path {path} would escape /memories directory")
    return rest.removesuffix(".md")


def _path(name: str) -> str:
    return name if _ENDING.search(name) else f"{name}.md"


def _is_plain(name: str) -> bool:
    """Whether a name can be a path: no part of it is empty or hidden, in whatever encoding, and it fits on one line."""
    decoded = unquote(unquote(name))
    parts = [*name.split("/"), *decoded.replace("\\", "/").split("/")]
    return "%" not in name and name.isprintable() and all(part.strip() and part[0] != "." for part in parts)


def _lines(document: Document, waiting: Sequence[Proposal], conversation: str) -> Iterator[_Line]:
    yield _Line(f"# {document.name}", "name")
    if document.summary:
        yield _Line("")
        yield _Line(" ".join(document.summary.split()), "summary")
    if document.facts:
        yield _Line("")
    for fact in document.facts:
        marks = [mark for mark in (fact.status, fact.certainty) if mark in ("disputed", "tentative", "planned")]
        mark = f" ({', '.join(marks)})" if marks else ""
        yield _Line(f"- {_flat(fact.text)}{mark}", "fact", fact.id, mark)
    if document.timeline:
        yield from (_Line(""), _Line("## Timeline"))
    for entry in document.timeline:
        yield _Line(f"- {_day(entry)}: {_flat(entry.text)}", "entry", entry.id)
    yield from _waiting_lines(waiting, conversation)


def _proposed_lines(topic: Proposal, waiting: Sequence[Proposal], conversation: str) -> Iterator[_Line]:
    yield _Line(f"# {topic.topic_name}", "name", topic.id)
    yield from _waiting_lines(waiting, conversation)


def _waiting_lines(waiting: Sequence[Proposal], conversation: str) -> Iterator[_Line]:
    if waiting:
        yield from (_Line(""), _Line("## Proposed, waiting for a person"))
    for proposal in waiting:
        is_own = bool(proposal.quotes) and all(quote.conversation == conversation for quote in proposal.quotes)
        yield _Line(f"- {_flat(proposal.text)}", "proposal", proposal.id, is_own=is_own)


def _day(entry: Entry) -> str:
    moment: datetime = entry.happened_at
    return moment.strftime(_DATES.get(entry.precision, "%Y-%m-%d"))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _statements(lines: Sequence[str]) -> list[str]:
    """What lines of Markdown state, one statement for each; headings, rules and tags state nothing."""
    found = (_BULLET.sub("", line).strip() for line in lines if not _FORM.match(line))
    return list(dict.fromkeys(text for text in found if text))


def _compare(before: Sequence[_Line], after: Sequence[str]) -> _Changes:
    """What it means that a file's lines are to be others. Raises ToolError where held lines would go."""
    changes = _Changes()
    matcher = SequenceMatcher(None, [line.text for line in before], list(after), autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        gone = [line for line in before[i1:i2] if line.kind]
        said = _statements(after[j1:j2])
        for n, line in enumerate(gone[: len(said)]):
            said[n] = said[n].removesuffix(line.mark).rstrip()
        # Other white space or another bullet says nothing new.
        same = {
            said[n] for n, line in enumerate(gone[: len(said)]) if [said[n] + line.mark] == _statements([line.text])
        }
        for n, line in enumerate(gone):
            if n >= len(said) or said[n] not in same:
                _replace(changes, line, said[n] if n < len(said) else None)
        changes.statements += [text for text in said if text not in same and text != changes.summary]
    return changes


def _replace(changes: _Changes, line: _Line, text: str | None) -> None:
    """Note what becomes of one line, whose new text is given; None where it is to go."""
    if line.kind == "proposal" and line.is_own:
        changes.withdrawn.append(line.id)
    elif line.kind == "name":
        raise ToolError("No replacement was performed: the first line is the file's name. Use rename.")
    elif text is None:
        raise ToolError(
            f"No replacement was performed: the line `{line.text}` is held by the people who share this memory, and "
            "they alone take it out. Where it is wrong, replace it with what is true instead."
        )
    elif line.kind == "fact":
        changes.against[text] = line.id
    elif line.kind == "summary":
        changes.summary = text
    else:
        changes.kept.append(f"The line `{line.text}` stays beside it until a person takes it out.")


def _numbered(lines: Sequence[str], first: int, last: int) -> str:
    return "\n".join(f"{n:>6}\t{line}" for n, line in enumerate(lines[first - 1 : last], first))
