"""Neither keys, prompts nor answers get into the log, at any level and whatever fails."""

from __future__ import annotations

import logging
import logging.config

import pytest
from pytest_django import Settings

from inference.client import ChatModel
from inference.errors import InferenceError
from infini.logs import logging_config
from tests.inference.asking import BLUE, ask
from tests.inference.wire import Step, Wire, answer, answer_json, fault

SECRETS = ("wire-key", "sky is blue", "You list", "colours")


@pytest.mark.parametrize(
    "step",
    [
        answer_json(BLUE),
        answer("not colours"),
        fault(401, "Incorrect API key: wire-key; sent: The sky is blue."),
        fault(503, "wire-key The sky is blue."),
    ],
    ids=["answer", "unreadable", "rejected", "out of order"],
)
def test_the_log_of_a_call_tells_no_secret(
    model: ChatModel, wire: Wire, step: Step, settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    logging.config.dictConfig(logging_config(level="DEBUG", as_json=False))
    wire.always(step)
    try:
        ask(model)
    except InferenceError:
        logging.getLogger("extraction").exception("job_failed")
    finally:
        logging.config.dictConfig(settings.LOGGING)
    lines = capfd.readouterr().err
    assert "model_call" in lines
    assert "purpose=find" in lines
    for secret in SECRETS:
        assert secret not in lines
