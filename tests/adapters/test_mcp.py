"""The MCP server, asked by a real MCP client over both transports."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from infini_client import AsyncClient, Client, Retries
from infini_client.mcp import make_server
from mcp import Client as McpClient
from mcp import MCPError, StdioServerParameters
from mcp.types import ResourceTemplateReference

from tests.adapters.conftest import PATIENCE, Server
from tests.adapters.guides import run_guide

COMMAND = str(Path(sys.executable).parent / "infini-mcp")
# Version 0.1.13 is the last that runs on Node 20. The scenarios that are left out call tools and resources of the
# suite's own example server, or try what this server does not declare (logging, subscriptions).
CONFORMANCE = "@modelcontextprotocol/conformance@0.1.13"
SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "completion-complete",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPTED = {"Accept": "application/json, text/event-stream"}


def environment(server: Server, key: str, **more: str) -> dict[str, str]:
    return os.environ | {"INFINI_URL": server.url, "INFINI_API_KEY": key} | more


@contextmanager
def listening(environment: dict[str, str], *arguments: str) -> Iterator[str]:
    """The address of a server that speaks HTTP on a free port."""
    command = [COMMAND, "--http", "--port", "0", *arguments]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        yield process.stderr.readline().split()[-1]
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


@pytest.fixture(scope="module")
def address(server: Server, key: str) -> Iterator[str]:
    with listening(environment(server, key)) as found:
        yield found


@pytest.fixture(params=["stdio", "http"])
def assistant(request: pytest.FixtureRequest, server: Server, key: str) -> McpClient:
    """A client of today's protocol over standard input and output, one of yesterday's over HTTP."""
    if request.param == "stdio":
        return McpClient(StdioServerParameters(command=COMMAND, env=environment(server, key)))
    return McpClient(request.getfixturevalue("address"), mode="legacy")


async def call(assistant: McpClient, tool: str, **arguments: Any) -> Any:
    """The structured answer of a tool that succeeds."""
    done = await assistant.call_tool(tool, arguments)
    assert not done.is_error, done.content
    return done.structured_content


async def refusal(assistant: McpClient, tool: str, **arguments: Any) -> str:
    done = await assistant.call_tool(tool, arguments)
    assert done.is_error
    return str(done.content[0].text)


async def test_an_assistant_records_searches_and_reads(assistant: McpClient, memory: Client) -> None:
    async with assistant:
        tools = {tool.name: tool for tool in (await assistant.list_tools()).tools}
        assert tools["search_memory"].annotations.read_only_hint is True
        assert tools["record_statement"].annotations.destructive_hint is False
        assert all(tool.output_schema and tool.description for tool in tools.values())

        await call(assistant, "record_statement", topic="Harbour House", statement="The lease runs until 2031.")
        again = await call(assistant, "record_statement", topic="Harbour House", statement="The lease runs until 2031.")
        assert (again["committed"], again["repeated"]) == ([], 1)

        found = await assistant.call_tool(
            "search_memory", {"question": "How long does the lease of Harbour House run?"}
        )
        assert "The lease runs until 2031." in found.content[0].text
        assert found.structured_content["citations"][0]["fact"]
        nothing = await assistant.call_tool("search_memory", {"question": "Who plays the bassoon?"})
        assert nothing.content[0].text.startswith("Nothing is remembered about this.")
        assert nothing.structured_content["topics"] == []

        listed = await call(assistant, "list_topics", query="harbour")
        assert [topic["name"] for topic in listed["topics"]] == ["Harbour House"]
        assert (listed["more"], listed["next"]) == (False, None)
        whole = await call(assistant, "read_document", topic="harbour house")
        assert whole["text"].startswith("# Harbour House\n")
        lines = await assistant.call_tool("read_lines", {"topic": listed["topics"][0]["id"], "first": 1, "last": 1})
        assert lines.content[0].text == "1\t# Harbour House"
        assert lines.structured_content["total"] == whole["total"]

        said = [
            {"role": "user", "content": "We moved the piano.", "name": "Mia"},
            {"role": "assistant", "content": "Good."},
        ]
        stored = await call(assistant, "record_conversation", messages=said, conversation_id=f"move-{id(assistant)}")
        assert stored["accepted"] == 2
    assert [m.name for m in memory.messages(f"move-{id(assistant)}")] == ["Mia", ""]


async def test_what_cannot_be_done_is_said_as_the_tools_error(assistant: McpClient, memory: Client) -> None:
    async with assistant:
        assert "No topic is called 'Atlantis'" in await refusal(assistant, "read_document", topic="Atlantis")
        missing = "01a22bf4-3d15-7d6f-ba24-7528183446ac"
        assert "No topic is called" in await refusal(assistant, "search_memory", question="Lease?", topic=missing)
        await call(assistant, "record_statement", topic="Harbour House", statement="The lease runs until 2031.")
        assert "cursor" in await refusal(assistant, "list_topics", cursor="2")
        assert "lines" in await refusal(assistant, "read_lines", topic="Harbour House", first=900, last=901)
        assert "No question" in await refusal(
            assistant, "answer_confirmation", confirmation=missing, answer="yes", words="Yes."
        )
    assert not [m for m in memory.messages("mcp") if m.content == "Yes."]


SAID = "an object with content and role (if need be name)"
TIME = "as_of: must be a date and time with its zone, such as 2024-05-08T13:56:00+08:00."
MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("read_document", {}, "topic: is missing, and must be a text that is not blank, of 200 characters at most."),
    ("search_memory", {"question": None}, "question: is missing, and must be a text that is not blank."),
    ("search_memory", {"question": " \n"}, "question: must be a text that is not blank."),
    ("search_memory", {"question": ["A?"]}, "question: must be a text that is not blank."),
    ("search_memory", {"question": "A?", "max_tokens": 0}, "max_tokens: must be a whole number from 1 to 32000."),
    ("search_memory", {"question": "A?", "max_tokens": "many"}, "max_tokens: must be a whole number from 1 to 32000."),
    ("search_memory", {"question": "A?", "as_of": "2024-05-01T00:00:00"}, TIME),
    ("search_memory", {"question": "A?", "as_of": "2024"}, TIME),
    ("search_memory", {"question": "A?", "as_of": 1714521600}, TIME),
    (
        "search_memory",
        {"q": "A?", "max_token": 5},
        "q: there is no such argument; there are question, max_tokens, topic, as_of.\n"
        "max_token: there is no such argument; there are question, max_tokens, topic, as_of.",
    ),
    ("read_lines", {"topic": "A", "last": 0}, "last: must be a whole number of at least 1."),
    (
        "record_statement",
        {"topic": "A", "statement": "", "kind": "rumour"},
        "statement: must be a text that is not blank, of 10000 characters at most.\n"
        "kind: must be one of fact, preference, decision, status.",
    ),
    ("record_conversation", {"messages": []}, f"messages: must be a list of 1 to 500 items, each of them {SAID}."),
    ("record_conversation", {"messages": "Hello"}, f"messages: must be a list of 1 to 500 items, each of them {SAID}."),
    ("record_conversation", {"messages": [5]}, f"messages[0]: must be {SAID}."),
    (
        "record_conversation",
        {"messages": [{"role": "user", "content": "A."}, {"role": "tool"}]},
        "messages[1].content: is missing, and must be a text.\nmessages[1].role: must be one of user, assistant.",
    ),
    ("record_conversation", {"messages": [{"role": "user", "content": " "}]}, "none of them says anything."),
]


async def test_what_is_wrong_with_an_argument_is_said_in_a_line(assistant: McpClient) -> None:
    async with assistant:
        for tool, arguments, problem in MISTAKES:
            told = await refusal(assistant, tool, **arguments)
            assert told == problem or told.endswith(f": {problem}")
        schemas = [tool.input_schema for tool in (await assistant.list_tools()).tools]
        assert all(schema["additionalProperties"] is False for schema in schemas)


async def test_null_counts_as_left_out_and_a_turn_without_words_is_no_message(
    assistant: McpClient, memory: Client
) -> None:
    said: list[dict[str, Any]] = [
        {"role": "user", "content": "  We moved the sofa. ", "name": None},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": ""},
    ]
    conversation = f"sofa-{id(assistant)}"
    async with assistant:
        stored = await call(assistant, "record_conversation", messages=said, conversation_id=conversation, subject=None)
        assert stored["accepted"] == 1
        assert (await call(assistant, "list_topics", query=None, cursor=None))["more"] in (True, False)
    assert [m.content for m in memory.messages(conversation)] == ["  We moved the sofa. "]


async def test_a_question_is_put_to_the_user_and_the_answer_settles_it(
    assistant: McpClient, amemory: AsyncClient
) -> None:
    topic = await amemory.create_topic(f"Garden {id(assistant)}")
    held = await amemory.add_fact(topic.id, "The fence is green.", attribute="fence colour", value="green")
    filed = await amemory.record(topic.id, "The fence is blue.", contradicts={"The fence is blue.": held.id})
    await amemory.resolve(filed.conflicts[0], "ask", question="Is the fence blue now?")
    async with assistant:
        asked = (await call(assistant, "list_confirmations"))["questions"]
        (question,) = [q for q in asked if q["topic"] == topic.id]
        assert question["question"] == "Is the fence blue now?"
        answered = await call(
            assistant, "answer_confirmation", confirmation=question["id"], answer="yes", words="Yes, since spring."
        )
        assert answered["answer"] == "yes"
        again = await refusal(
            assistant, "answer_confirmation", confirmation=question["id"], answer="no", words="No, no!"
        )
        assert "was answered already" in again
    facts = {fact.text: fact.status async for fact in amemory.facts(topic.id)}
    assert facts == {"The fence is green.": "superseded", "The fence is blue.": "active"}
    assert not [m async for m in amemory.messages("mcp") if m.content == "No, no!"]
    said = [m async for m in amemory.messages("mcp") if m.content == "Yes, since spring."]
    assert said[-1].role == "user"


async def test_topics_are_resources_page_by_page(amemory: AsyncClient) -> None:
    ballast = await amemory.create_topic("Ballast")
    for n in range(51):
        await amemory.create_topic(f"Parcel {n}/{n}", summary="On its way.")
    async with McpClient(make_server(amemory)) as assistant:
        first = await assistant.list_resources()
        # What happens meanwhile moves no topic from one page to the other.
        await amemory.delete_topic(ballast)
        second = await assistant.list_resources(cursor=first.next_cursor)
        assert (len(first.resources), second.next_cursor) == (50, None)
        found = {resource.name: resource.uri for resource in (*first.resources, *second.resources)}
        assert {f"Parcel {n}/{n}" for n in range(51)} <= set(found)

        listed = await call(assistant, "list_topics", query="parcel", limit=30)
        rest = await call(assistant, "list_topics", query="parcel", limit=30, cursor=listed["next"])
        names = [topic["name"] for topic in (*listed["topics"], *rest["topics"])]
        assert (len(names), len(set(names)), listed["more"], rest["next"]) == (51, 51, True, None)

        document = (await assistant.read_resource(found["Parcel 0/0"])).contents[0]
        assert document.mime_type == "text/markdown"
        assert document.text.startswith("# Parcel 0/0\n\nOn its way.")
        assert (
            (await assistant.read_resource("infini://topics/Parcel%2050%2F50"))
            .contents[0]
            .text.startswith("# Parcel 50")
        )

        completed = await assistant.complete(
            ResourceTemplateReference(uri="infini://topics/{topic}"), {"name": "topic", "value": "Parcel 7"}
        )
        assert "Parcel 7/7" in completed.completion.values
        (template,) = (await assistant.list_resource_templates()).resource_templates
        assert template.uri_template == "infini://topics/{topic}"
        with pytest.raises(MCPError, match="No topic is called"):
            await assistant.read_resource("infini://topics/Nothing")
        for cursor in ("next", "2", ""):
            with pytest.raises(MCPError, match="cursor"):
                await assistant.list_resources(cursor=cursor)


async def test_a_wrong_key_and_an_outage_are_told(server: Server) -> None:
    async with AsyncClient(server.url, "im_wrong") as stranger, McpClient(make_server(stranger)) as assistant:
        assert "key" in await refusal(assistant, "list_topics")
    nowhere = AsyncClient("http://127.0.0.1:9", "im_key", retries=Retries(attempts=1))
    async with nowhere, McpClient(make_server(nowhere)) as assistant:
        assert "does not answer" in await refusal(assistant, "search_memory", question="Anything?")


def test_other_hosts_and_pages_are_refused(address: str) -> None:
    port = httpx.URL(address).port
    refused = [{"Host": "memory.example"}, {"Origin": "http://memory.example"}, {"Host": f"127.0.0.1.example:{port}"}]
    assert [httpx.post(address, json=PING, headers=ACCEPTED | h).status_code for h in refused] == [421, 403, 421]
    welcome = {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
    assert httpx.post(address, json=PING, headers=ACCEPTED | welcome).status_code not in (401, 403, 421)


async def test_elsewhere_it_wants_a_token(server: Server, key: str) -> None:
    alone = subprocess.run(
        [COMMAND, "--http", "--host", "0.0.0.0"], env=environment(server, key), capture_output=True, text=True
    )
    assert (alone.returncode, "INFINI_MCP_TOKEN" in alone.stderr) == (1, True)
    guarded = environment(server, key, INFINI_MCP_TOKEN="open sesame")
    with listening(guarded, "--host", "0.0.0.0", "--allow-host", "memory.example") as found:
        address = found.replace("0.0.0.0", "127.0.0.1")
        for headers in ({}, {"Authorization": "Bearer sesame"}, {"Authorization": "Basic open sesame"}):
            refused = httpx.post(address, json=PING, headers=ACCEPTED | headers)
            assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        brought = ACCEPTED | {"Authorization": "Bearer open sesame"}
        hosts = {"memory.example": 200, "other.example": 421}
        initialize = {
            **PING,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        }
        for host, status in hosts.items():
            answer = httpx.post(address, json=initialize, headers=brought | {"Host": host})
            assert answer.status_code == status


def test_it_says_what_is_missing(server: Server) -> None:
    nothing = {name: value for name, value in os.environ.items() if not name.startswith("INFINI_")}
    done = subprocess.run([COMMAND], env=nothing, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "INFINI_URL" in done.stderr


def test_the_conformance_suite_passes(address: str) -> None:
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("needs Node")
    runs = " && ".join(f"conformance server --url {address} --scenario {scenario}" for scenario in SCENARIOS)
    command = [npx, "--yes", "--package", CONFORMANCE, "--call", f"conformance --version && echo THERE && {runs}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    if "THERE" not in done.stdout:
        pytest.skip(f"the suite cannot be had: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_guide_runs_as_printed(server: Server, tmp_path: Path) -> None:
    run_guide("mcp", server, tmp_path)
