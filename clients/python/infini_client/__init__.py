"""Infini Memory from the agent's side: what is remembered, and what was said.

from infini_client import Client, Message

with Client("http://127.0.0.1:8000", api_key="im_…") as memory:
    print(memory.recall("What is the budget?").context)
    memory.store("call-1", [Message("The budget is 18,000 euros.", id="1")])
"""

from infini_client.aio import AsyncClient
from infini_client.errors import (
    AccessDenied,
    ApiError,
    Conflict,
    ConnectionFailed,
    InfiniError,
    Invalid,
    JobFailed,
    NotFound,
    RateLimited,
    ServerFailed,
    Stale,
    WaitedTooLong,
)
from infini_client.retries import Retries
from infini_client.sync import Client
from infini_client.types import Message, Put, Recall

__all__ = [
    "AccessDenied",
    "ApiError",
    "AsyncClient",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "InfiniError",
    "Invalid",
    "JobFailed",
    "Message",
    "NotFound",
    "Put",
    "RateLimited",
    "Recall",
    "Retries",
    "ServerFailed",
    "Stale",
    "WaitedTooLong",
]
