"""Claude's memory tool: the runner of the anthropic package and a scripted model, with topic documents as files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools import ToolError
from infini_client import Client, Retries
from infini_client.claude import AsyncInfiniMemoryTool, InfiniMemoryTool

from tests.adapters.conftest import Server
from tests.adapters.guides import run_guide


class Model:
    """The Messages API, which asks for one command after the other and keeps what it was told."""

    def __init__(self) -> None:
        self.commands: list[dict[str, Any]] = []
        self.results: list[dict[str, Any]] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                last = body["messages"][-1]["content"]
                model.results += [b for b in last if isinstance(b, dict) and b.get("type") == "tool_result"]
                assert body["tools"] == [{"type": "memory_20250818", "name": "memory"}]
                data = json.dumps(model.answer()).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None: ...

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        Thread(target=self.http.serve_forever, daemon=True).start()

    def answer(self) -> dict[str, Any]:
        if self.commands:
            use = {
                "type": "tool_use",
                "id": f"toolu_{len(self.commands)}",
                "name": "memory",
                "input": self.commands.pop(0),
            }
            content, reason = [use], "tool_use"
        else:
            content, reason = [{"type": "text", "text": "Done."}], "end_turn"
        usage = {"input_tokens": 1, "output_tokens": 1}
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": content,
            "stop_reason": reason,
            "usage": usage,
        }


@pytest.fixture
def model() -> Iterator[Model]:
    served = Model()
    yield served
    served.http.shutdown()
    served.http.server_close()


@pytest.fixture
def tool(memory: Client) -> InfiniMemoryTool:
    return InfiniMemoryTool(memory)


@pytest.fixture(scope="module")
def reviewed(server: Server) -> Iterator[Client]:
    """A space where a person decides everything."""
    with Client(server.url, server.new_space(policy="everything")) as client:
        yield client


def do(tool: InfiniMemoryTool, command: str, **parameters: Any) -> str:
    return str(tool.call({"command": command, **parameters}))


def refused(tool: InfiniMemoryTool, command: str, **parameters: Any) -> str:
    with pytest.raises(ToolError) as caught:
        do(tool, command, **parameters)
    return str(caught.value)


ASK: Any = {
    "model": "scripted",
    "max_tokens": 100,
    "thread": False,
    "messages": [{"role": "user", "content": "Remember it."}],
}


def test_claude_keeps_notes_through_the_runner(memory: Client, model: Model) -> None:
    model.commands = [
        {"command": "create", "path": "/memories/boats/Nellie.md", "file_text": "# Nellie\n\n- The hull is oak.\n"},
        {"command": "view", "path": "/memories/boats"},
        {"command": "view", "path": "/memories/nothing.md"},
    ]
    with Anthropic(api_key="scripted", base_url=model.url) as claude:
        ended = claude.beta.messages.tool_runner(tools=[InfiniMemoryTool(memory)], **ASK).until_done()
    assert ended.content[0].text == "Done."
    created, listed, missing = model.results
    assert created["content"] == "File created successfully at: /memories/boats/Nellie.md"
    assert listed["content"].splitlines()[1:] == ["-\t/memories/boats", "-\t/memories/boats/Nellie.md"]
    assert (missing["is_error"], missing["content"]) == (
        True,
        "The path /memories/nothing.md does not exist. Please provide a valid path.",
    )
    (topic,) = memory.topics(alias="boats/Nellie")
    (fact,) = memory.facts(topic.id)
    assert (fact.text, fact.speaker) == ("The hull is oak.", "Claude")
    assert fact.sources[0].conversation == "claude-memory"


async def test_claude_keeps_notes_through_the_asynchronous_runner(memory: Client, model: Model) -> None:
    model.commands = [
        {"command": "create", "path": "/memories/Marie.md", "file_text": "The sails are red."},
        {"command": "view", "path": "/memories/Marie.md"},
    ]
    async with AsyncAnthropic(api_key="scripted", base_url=model.url) as claude:
        await claude.beta.messages.tool_runner(tools=[AsyncInfiniMemoryTool(memory)], **ASK).until_done()
    assert model.results[1]["content"].endswith(
        "with line numbers:\n     1\t# Marie\n     2\t\n     3\t- The sails are red."
    )


def test_files_are_viewed_edited_and_moved(memory: Client, tool: InfiniMemoryTool) -> None:
    lines = "# Shed\n<notes>\n1. It has a lock.\n* The lock is old.\n---\n"
    assert do(tool, "create", path="/memories/shed.txt", file_text=lines) == (
        "File created successfully at: /memories/shed.txt"
    )
    assert do(tool, "view", path="/memories/shed.txt") == (
        "Here's the content of /memories/shed.txt with line numbers:\n"
        "     1\t# shed.txt\n     2\t\n     3\t- It has a lock.\n     4\t- The lock is old."
    )
    assert do(tool, "view", path="/memories/shed.txt", view_range=[4, -1]).endswith(":\n     4\t- The lock is old.")
    assert do(tool, "insert", path="/memories/shed.txt", insert_line=4, insert_text="- It is painted green.\n") == (
        "The file /memories/shed.txt has been edited."
    )
    assert do(tool, "insert", path="/memories/shed.txt", insert_line=0, insert_text="It has a lock.") == (
        "The file /memories/shed.txt has been edited.\nWhat was known already was not written again."
    )
    edited = do(tool, "str_replace", path="/memories/shed.txt", old_str="The lock is old", new_str="The lock is new")
    assert edited.startswith("The memory file has been edited.")
    assert edited.endswith("It contradicts what is held, which stays until a person has decided.")
    (topic,) = memory.topics(alias="shed.txt")
    assert "The lock is old." in {fact.text for fact in memory.facts(topic.id, status="active")}
    (conflict,) = [c for c in memory.conflicts(status="open") if c.held.text == "The lock is old."]
    assert conflict.proposal.text == "The lock is new."

    moved = {"old_path": "/memories/shed.txt", "new_path": "/memories/garden/shed.md"}
    assert do(tool, "rename", **moved) == "Successfully renamed /memories/shed.txt to /memories/garden/shed.md"
    assert memory.topic(topic.id).name == "garden/shed"
    assert "-\t/memories/garden/\n-\t/memories/garden/shed.md" in do(tool, "view", path="/memories/")
    assert do(tool, "delete", path="/memories/garden/shed.md") == "Successfully deleted /memories/garden/shed.md"
    assert memory.topic(topic.id).status == "archived"
    assert refused(tool, "create", path="/memories/garden/shed.md", file_text="New.") == (
        "Error: File /memories/garden/shed.md already exists"
    )


def test_what_people_hold_is_not_overwritten(memory: Client, tool: InfiniMemoryTool) -> None:
    topic = memory.create_topic("Orchard", summary="Old trees.")
    held = memory.add_fact(topic.id, "There are 40 trees.", certainty="tentative")
    memory.add_entry(topic.id, "The first tree was planted.", held.said_at or topic.changed_at)  # type: ignore[arg-type]
    before = do(tool, "view", path="/memories/Orchard.md")
    path = {"path": "/memories/Orchard.md"}
    assert "the line `- There are 40 trees. (tentative)` is held" in refused(
        tool, "str_replace", **path, old_str="- There are 40 trees. (tentative)\n", new_str=""
    )
    assert "Use rename" in refused(tool, "str_replace", **path, old_str="# Orchard", new_str="# Wood")
    assert do(tool, "str_replace", **path, old_str="- There are 40 trees.", new_str="There are 40 trees.") == (
        "The memory file has been edited."
    )
    assert do(tool, "view", path="/memories/Orchard.md") == before

    changed = do(tool, "str_replace", **path, old_str="40 trees", new_str="45 trees")
    assert "- There are 45 trees." in changed
    assert "stays until a person has decided" in changed
    (conflict,) = [c for c in memory.conflicts(status="open") if c.held.id == held.id]
    assert conflict.proposal.text == "There are 45 trees."
    kept = do(tool, "str_replace", **path, old_str="The first tree was planted", new_str="The first tree was felled")
    assert "stays beside it until a person takes it out" in kept
    do(tool, "str_replace", **path, old_str="Old trees.", new_str="Old apple trees.")
    document = memory.document(topic.id)
    assert [fact.id for fact in document.facts if fact.text == "There are 40 trees."] == [held.id]
    assert [entry.text for entry in document.timeline] == ["The first tree was planted."]
    # A summary is replaced where the policy of the space lets it, as here.
    assert document.summary == "Old apple trees."


def test_what_waits_is_shown_changed_and_withdrawn(reviewed: Client) -> None:
    tool = InfiniMemoryTool(reviewed)
    path = {"path": "/memories/Mill.md"}
    assert do(tool, "create", **path, file_text="The wheel turns.\nThe roof leaks.") == (
        "File created successfully at: /memories/Mill.md\nIt waits for a person's approval."
    )
    assert refused(tool, "create", **path, file_text="Again.") == "Error: File /memories/Mill.md already exists"
    assert "waits for a person" in refused(tool, "rename", old_path="/memories/Mill.md", new_path="/memories/M.md")
    do(tool, "str_replace", **path, old_str="The roof leaks.", new_str="The roof is tight.")
    assert do(tool, "view", **path).splitlines()[3:] == [
        "     3\t## Proposed, waiting for a person",
        "     4\t- The wheel turns.",
        "     5\t- The roof is tight.",
    ]
    assert do(tool, "delete", **path) == "Successfully deleted /memories/Mill.md"
    assert refused(tool, "view", **path) == "The path /memories/Mill.md does not exist. Please provide a valid path."

    reviewed.record("Bakery", "The oven is hot.", conversation="others")
    assert "who decides what becomes of it" in refused(tool, "delete", path="/memories/Bakery.md")
    assert "is held" in refused(
        tool, "str_replace", path="/memories/Bakery.md", old_str="- The oven is hot.", new_str=""
    )


def test_errors_are_those_of_the_tool(tool: InfiniMemoryTool, server: Server) -> None:
    do(tool, "create", path="/memories/Attic.md", file_text="A trunk stands left.\nA trunk stands right.")
    attic, nothing = {"path": "/memories/Attic.md"}, {"path": "/memories/nothing.md"}
    assert refused(tool, "str_replace", **nothing, old_str="a", new_str="b") == (
        "Error: The path /memories/nothing.md does not exist. Please provide a valid path."
    )
    assert refused(tool, "str_replace", **attic, old_str="A chest", new_str="b") == (
        "No replacement was performed, old_str `A chest` did not appear verbatim in /memories/Attic.md."
    )
    assert refused(tool, "str_replace", **attic, old_str="A trunk", new_str="b") == (
        "No replacement was performed. Multiple occurrences of old_str `A trunk` in lines: 3, 4. "
        "Please ensure it is unique"
    )
    assert refused(tool, "insert", **nothing, insert_line=0, insert_text="a") == (
        "Error: The path /memories/nothing.md does not exist"
    )
    assert refused(tool, "insert", **attic, insert_line=5, insert_text="a") == (
        "Error: Invalid `insert_line` parameter: 5. It should be within the range of lines of the file: [0, 4]"
    )
    assert refused(tool, "delete", **nothing) == "Error: The path /memories/nothing.md does not exist"
    assert refused(tool, "rename", old_path="/memories/nothing.md", new_path="/memories/x.md") == (
        "Error: The path /memories/nothing.md does not exist"
    )
    do(tool, "create", path="/memories/Cellar.md", file_text="It is damp.")
    assert refused(tool, "rename", old_path="/memories/Cellar.md", new_path="/memories/Attic.md") == (
        "Error: The destination /memories/Attic.md already exists"
    )
    assert "would say nothing" in refused(tool, "create", path="/memories/Void.md", file_text="# Void\n")
    assert "directory" in refused(tool, "delete", path="/memories")
    assert "directory" in refused(tool, "create", path="/memories", file_text="a")
    assert "file_text" in refused(tool, "create", path="/memories/x.md")
    with pytest.raises(ToolError, match="not cleared"):
        tool.clear_all_memory()
    with Client("http://127.0.0.1:9", "im_key", retries=Retries(attempts=1)) as nowhere:
        assert "does not answer" in refused(InfiniMemoryTool(nowhere), "view", path="/memories")


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/memoriesx",
        "memories/a",
        "/memories/../secret",
        "/memories/a/../../secret",
        "/memories/./a",
        "/memories//a",
        "/memories/%2e%2e/secret",
        "/memories/%252e%252e%252fsecret",
        "/memories/..\\secret",
        "/memories/.hidden",
        "/memories/a\nb",
        "/memories/a\x00",
    ],
)
def test_paths_lead_nowhere_else(tool: InfiniMemoryTool, path: str) -> None:
    for command, more in (("view", {}), ("create", {"file_text": "a"}), ("delete", {})):
        assert "/memories" in refused(tool, command, path=path, **more)
    assert "/memories" in refused(tool, "rename", old_path="/memories/a.md", new_path=path)


def test_the_guide_runs_as_printed(server: Server, tmp_path: Path) -> None:
    run_guide("claude", server, tmp_path)
