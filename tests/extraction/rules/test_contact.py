"""How somebody wants to be reached is kept as a preference, whether it is put as a wish, a request or a ban."""

import pytest

from .reading import only, read


@pytest.mark.parametrize(
    "text",
    [
        "I prefer to be contacted by email, not by phone.",
        "I prefer to be contacted by email.",
        "We'd rather be contacted by phone.",
        "Do not call me, I prefer WhatsApp.",
        "Please don't call me.",
        "Please never phone me after 8 pm.",
        "Please contact me only by email.",
        "Only text me.",
        "No phone calls, please.",
        "We do not want any SMS notifications.",
        "I don't want to get your newsletter.",
        "I don't want to be called.",
        "我希望通过邮件联系，不要打电话。",
        "别给我打电话，我更喜欢用微信。",
        "请不要给我打电话。",
        "请用邮件联系我。",
        "我们不想收到任何短信通知。",
        "我不需要你们的推送通知。",
        "以后别再给我发短信了。",
    ],
)
def test_how_to_be_reached_is_a_preference(text: str) -> None:
    found = only(text)
    assert (found.kind, found.certainty) == ("preference", "confirmed")


@pytest.mark.parametrize(
    "text",
    [
        "Email me the file.",
        "Don't call me today.",
        "Don't call me a liar.",
        "Don't call me back.",
        "I don't need your phone number.",
        "No email has come.",
        "Never mind the call.",
        "不用打电话给他。",
        "发邮件给我看看。",
        "我不需要电话号码。",
        "别打扰我。",
        "等会别给我打电话。",
    ],
)
def test_what_is_asked_for_once_is_no_preference(text: str) -> None:
    assert all(found.kind != "preference" for found in read(text))


@pytest.mark.parametrize(
    "text",
    [
        "I prefer to be contacted by email, not by phone.",
        "We are closed on holidays, I work from home, not at the office.",
    ],
)
def test_the_other_way_does_not_make_it_a_denial(text: str) -> None:
    assert all(not found.negated for found in read(text))
