"""What is put right in the same breath: `The budget is $7,000. Sorry, $8,000.`, `预算是7万元。不是7万元，是8万元。`,
`The deadline is not 15 June, it is 30 June.`"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from extraction.attributes import concept
from extraction.extractors.protocol import Finding, Quote, Turn
from extraction.extractors.rules.dates import find_dates
from extraction.extractors.rules.measures import is_denied
from extraction.extractors.rules.numbers import Amount, find_money, find_percentages, find_plain_numbers
from extraction.extractors.rules.sentences import Sentence

# What somebody says of himself who was wrong; it tells nothing of what he was wrong about.
_OWNED_UP = (
    r"\b(?:my (?:mistake|error|fault|bad|apologies)|I(?:'ve| have)? (?:just )?(?:meant?(?: to say| that)?|misspoke|"
    r"misremembered|made a mistake|apologi[sz]e|was (?:wrong|mistaken)|"
    r"(?:got|had|said|wrote) (?:it|that|this) wrong(?:ly)?|"
    r"mixed (?:it|that|them|this) up|(?:have|need) to correct (?:that|this|it|myself))|"
    r"let me correct (?:that|this|it|myself))\b|"
    r"我?(?:刚才|刚刚|之前|前面|上面)?(?:说|写|记|打|弄|搞|讲)错了|我的(?:错|失误|口误)|我(?:的意思是|是说)|口误"
)
_SLIP = re.compile(
    rf"{_OWNED_UP}|\b(?:correction|sorry|wait|no|oops|actually|make (?:it|that))\b|更正|纠正|修正|抱歉|不好意思|"
    r"对不起|不对|错了",
    re.IGNORECASE,
)
_BEGINS_WITH_SLIP = re.compile(
    rf"(?:\W*(?:(?:oh|ah|well|but|and|so|哦|啊|嗯|那个)\b)?\W*(?:{_SLIP.pattern}))+(?:一下)?", re.IGNORECASE
)
# They may also answer a question that somebody else has asked meanwhile.
_ANSWERS = ("wait", "no", "actually", "make it", "make that", "不对")
_LATIN_WORD = re.compile("[a-z]+")
_HAN_WORD = re.compile("[一-龥]{2,}")
_EXCUSES = ("抱歉", "不好意思", "对不起")  # for a slip, or for anything else
_LINK = re.compile(
    r"\b(?:it's|its|it|isn't|is|that's|should|be|but|not|instead|of|rather|than|now|and|in fact|I said|they|have|"
    r"has|on|by)\b|不是|而是|应该|并非|一下|[我是为应有]",
    re.IGNORECASE,
)

_DENIES = re.compile(r"\bnot\b|不是|并非", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")

_THING = r"(?:[^.;!?]|\.(?=\d)){1,60}?"
# Behind a bare "but" much else may follow: "is not Bosch but Siemens is cheaper", "not in May but in June I can".
_MORE = (
    r"(?:(?!(?:and|because|since|as|which|who|that|when|while|so)\b)[^\s,;]+ ){1,4}"
    r"(?:is|are|was|were|will|has|have|had|I|I'm|I've|we|he|she|they|it|there)\b"
)
_DENIED_FIRST = tuple(
    re.compile(
        rf"(?:{said})(?P<denied>(?:n't| not| no longer) (?:"
        rf"(?=[^,;]{{0,40}}(?:\d|(?-i:[A-Z]))){_THING},? but(?: rather| now)?(?= )(?! {_MORE})|"
        rf"{_THING}(?:[,;]| [–—-]) (?:but )?(?:now )?(?:it|that|they|he|she)(?:{again})))(?= )",
        re.IGNORECASE,
    )
    for said, again in (
        (r"(?<=\bis)|(?<=\bam)|(?<=\bare)|(?<='s)|(?<='m)|(?<='re)", "'s| is|'re| are"),
        (r"(?<=\bwas)|(?<=\bwere)", " was| were"),
    )
)
# "Not in Berlin but in Hamburg": what is put in the same way takes the place of the first, whatever it is. "Not only in
# Berlin but also in Hamburg" puts nothing in its place.
_HOW = r"(?:in|at|on|from|for|by|into|with|as|until|about|of|to(?= (?:the|an?|my|our|his|her|their|(?-i:[A-Z\d]))))"
_DENIED_ALIKE = re.compile(
    r"(?P<denied>(?: (?P<do>do|does|did)(?:n't| not)| (?P<will>will not|won't)|"
    r"(?:(?<=\bis)|(?<=\bare)|(?<=\bwas)|(?<=\bwere)|(?<=\bhave)|(?<=\bhas))n't| not| no longer)"
    r"(?P<act>(?: to(?= (?-i:[a-z])))?"
    rf"(?: (?!(?:only|just|merely|simply|even|so|that|because|an?|the|{_HOW})\b)(?-i:[a-z]+)){{0,2}}?)"
    rf" (?:(?P<how>{_HOW}) {_THING}|an? {_THING}),? but(?: rather| instead| now)?)"
    rf"(?=(?(how) (?P=how)| an?) (?!{_MORE}))",
    re.IGNORECASE,
)
_DENIED_LAST = re.compile(
    r"(?P<denied>,? (?:and )?not (?:(?:in|at|on|by|the) )?"
    r"(?:[A-Z0-9][\w.,&-]*(?: |(?=[.!]*$))|of (?=[A-Z0-9])){1,4})[.!]*$"
)
# 供应商不是华为，是因为太贵 puts nothing in the place of what it denies.
_ZH_TOLD = r"(?!谁|哪|什么|多少|几[^十]|否|不是|因为|由于|为了|怕|指|说|想|要|这样|这么|如何|怎)[^，,；;。！!？?]"
_ZH_THEN = r"(?:[，,；;]\s*(?:现在|如今|应该|应|其实|而|就)*|而)"
_ZH_DENIED_FIRST = (
    re.compile(rf"(?P<denied>(?:(?:已经|并)?不(?:再)?是|并非)[^，,；;。！!？?]{{1,24}}?{_ZH_THEN})(?=是{_ZH_TOLD})"),
    re.compile(
        r"(?P<denied>(?:已经)?不(?:再)?(?P<verb>居住在|住在|定居在|在|住)[^，,；;。！!？?]{1,24}?"
        r"(?:[，,；;]\s*(?:而是|我|现在|如今|已经|而)*|而(?:是)?))(?=(?P=verb))"
    ),
)
_ZH_DENIED_ALIKE = re.compile(
    rf"(?P<denied>(?:(?:已经|并)?不是|并非)(?P<how>[在从去到给跟和住用坐为周]|星期|礼拜)[^，,；;。！!？?]{{1,24}}?{_ZH_THEN})"
    r"(?=是(?P=how))"
)
_ZH_DENIED_LAST = re.compile(r"(?P<denied>[，,；;]\s*(?:而|并)?(?:不是|不再是|并非)[^，,；;。！!？?]{1,24})[。！!]*$")
# What the sentence behind a value says of it, and nothing else: "Not Berlin but Hamburg.", 不是北京，是天津。
_PUT = r"(?:(?:in|at|on|by|from|the|an?) )*"
_WORD = r"[^\W\d][\w&'.-]*"
_WORDS = rf"(?P<value>(?!(?:not|it|that)\b){_WORD}(?: (?!(?:is|are|was|has|will|but|not)\b){_WORD}){{0,3}}?)"
_INSTEAD = tuple(
    re.compile(rf"\W*(?:(?:it's|it is|I meant?|I mean) )?{pattern}[.!]*", re.IGNORECASE)
    for pattern in (
        rf"not {_PUT}(?P<denied>[^,;]{{1,60}}?),? (?:but(?: rather)?|it's|it is|I meant?) {_PUT}{_WORDS}",
        rf"{_PUT}{_WORDS},? not {_PUT}(?P<denied>[^,;]{{1,60}}?)",
    )
)
# "Sorry, I meant Siemens."
_NAMES_ANEW = re.compile(r"\b(?:meant|misspoke|correction)\b", re.IGNORECASE)
_BARE = re.compile(rf"\W*{_PUT}{_WORDS}[.!]*", re.IGNORECASE)
_ZH_WORDS = rf"(?P<value>(?={_ZH_TOLD})[^，,；;。！!？?吗呢吧]{{1,20}}?)"
_ZH_PUT = r"(?:住在|定居在|在|叫|由)?"
_ZH_INSTEAD = tuple(
    re.compile(rf"[\s，,：:。！!]*(?:我|其实|应该)*{pattern}[。！!]*")
    for pattern in (
        rf"(?:不是|并非){_ZH_PUT}(?P<denied>[^，,；;]{{1,20}}?)[，,；;]?(?:而|应该|应)?是{_ZH_PUT}{_ZH_WORDS}",
        rf"是{_ZH_PUT}{_ZH_WORDS}[，,；;](?:而)?不是{_ZH_PUT}(?P<denied>[^，,；;]{{1,20}}?)",
        rf"是{_ZH_PUT}(?![我你他她它这那]){_ZH_WORDS}(?<!了)",
    )
)
_BEFORE_THE_VALUE = re.compile(
    r"\s*(?:(?:now|actually|currently|on|by|in|at|the|an?|called|named|about|exactly)\s+)*[$€£¥￥]?|"
    r"(?:是|居住在|住在|定居在|住|在|由|叫)*[$€£¥￥]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Replaced:
    """What a sentence says without what it denies, [start, end) of it, before or behind the value that holds.

    `at` is where that stood in what is left. `is_alike`: what holds is put in the same way, so that it need not be a
    value to take its place.
    """

    sentence: Sentence
    start: int
    end: int
    at: int
    is_last: bool = False
    is_alike: bool = False

    def is_replaced_by(self, value_at: int) -> bool:
        """Whether a value that starts there is what stands in the place of the denied one, and not further off."""
        if self.is_last:
            return 0 <= value_at < self.at
        return value_at >= self.at and bool(_BEFORE_THE_VALUE.fullmatch(self.sentence.text[self.at : value_at]))


def without_denied(sentence: Sentence, *, chinese: bool) -> Replaced | None:
    """The sentence as if it had only said what holds: `The deadline is [not 15 June, it is] 30 June`,
    `I [don't] live [in Berlin but] in Hamburg`.

    A denial belongs to the value that it stands with: it neither denies the other one nor hides it.
    """
    text = sentence.masked
    if match := (_ZH_DENIED_ALIKE if chinese else _DENIED_ALIKE).search(text):
        return _replaced(sentence, match, "" if chinese else _affirmed(match), is_alike=True)
    for pattern in _ZH_DENIED_FIRST if chinese else _DENIED_FIRST:
        if match := pattern.search(text):
            return _replaced(sentence, match)
    match = (_ZH_DENIED_LAST if chinese else _DENIED_LAST).search(text)
    return _replaced(sentence, match, is_last=True) if match else None


def _replaced(
    sentence: Sentence, match: re.Match[str], instead: str = "", *, is_last: bool = False, is_alike: bool = False
) -> Replaced:
    start, end = match.span("denied")
    text, masked = (f"{said[:start]}{instead}{said[end:]}" for said in (sentence.text, sentence.masked))
    left = replace(sentence, text=text, masked=masked)
    return Replaced(left, start, end, start + len(instead), is_last, is_alike)


def _affirmed(match: re.Match[str]) -> str:
    """The verb that was denied as it is said of what holds: `doesn't live` → `lives`, `won't be` → `will be`."""
    act, do = match["act"], (match["do"] or "").lower()
    if match["will"]:
        return f" will{act}"
    if do in ("", "do") or not act.strip():
        return act
    verb, *rest = act.split()
    ending = "ed" if do == "did" else "es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s"
    if do == "did" and verb.endswith("e"):
        ending = "d"
    return " ".join(["", "has" if (do, verb) == ("does", "have") else verb + ending, *rest])


class Told:
    """What was found so far in a conversation: what somebody puts right afterwards is one of it."""

    def __init__(self) -> None:
        self._turns: list[tuple[str, tuple[Finding, ...]]] = []

    def add(self, turn: Turn, findings: Sequence[Finding]) -> None:
        """Remember what was found in the next turn."""
        if findings:
            self._turns.append((turn.speaker, tuple(findings)))

    def put_right(self, sentence: Sentence, turn: Turn, said_at: datetime, *, chinese: bool) -> list[Finding]:
        """The last that the speaker told, or the last that sets what this sentence of a later turn names, with the
        value that the sentence puts in its place.

        One finding for each topic that it was told of; none if the sentence tells anything else.
        """
        told = [findings for speaker, findings in reversed(self._turns) if speaker == turn.speaker]
        slips = [slip[0].lower() for slip in _SLIP.finditer(sentence.masked)]
        if not told or not (any(slip not in _ANSWERS for slip in slips) or _DENIES.search(sentence.masked)):
            return []
        quote = Quote(turn.id, sentence.start, sentence.end, sentence.text)
        words = sentence.masked.lower()
        for held, findings in _perhaps_meant(told, words):
            if value := _value_instead(held, sentence, said_at, between="", chinese=chinese):
                text = f"{_ended(held.text, chinese=chinese)}{sentence.text}"
                return [replace(found, text=text, quotes=(quote,), value=value) for found in told_with(held, findings)]
        return []

    def of(self, attribute: str, now: Sequence[Finding]) -> list[Finding]:
        """The last findings that give the attribute a value, or name it: one, or one for each topic it was told of.

        `now` is what was found in the present turn so far.
        """
        for findings in (now, *(findings for _speaker, findings in reversed(self._turns))):
            for found in reversed(findings):
                if concept(found.attribute) == concept(attribute) or attribute.lower() in found.text.lower():
                    return told_with(found, findings)
        return []


def _perhaps_meant(told: Sequence[Sequence[Finding]], words: str) -> Iterator[tuple[Finding, Sequence[Finding]]]:
    """The last findings, then those before them whose attribute or unit the words name, each with those beside it."""
    for held in reversed(told[0]):
        yield held, told[0]
    for findings in told[1:]:
        for held in reversed(findings):
            if any(name and name.lower() in words for name in (held.attribute, held.unit)):
                yield held, findings


def _ended(text: str, *, chinese: bool) -> str:
    """The text as it stands before another one."""
    is_ended = text.rstrip()[-1:] in ".!?。！？…;；"
    if chinese:
        return text if is_ended else f"{text}。"
    return f"{text} " if is_ended else f"{text}. "


def told_with(found: Finding, findings: Sequence[Finding]) -> list[Finding]:
    """The finding, with those that say the same of other topics."""
    return [
        other for other in findings if (other.quotes, other.text, other.kind) == (found.quotes, found.text, found.kind)
    ]


def without_slip(text: str) -> str | None:
    """The text without that its speaker was wrong, if it begins with that; else None."""
    slip = _BEGINS_WITH_SLIP.match(text)
    return text[slip.end() :] if slip else None


def put_right(
    held: Finding, sentence: Sentence, turn: Turn, said_at: datetime, *, told_until: int, chinese: bool
) -> Finding | None:
    """The finding with the value that the sentence behind it puts in the place of its own, quoted with both.

    `told_until` is where the sentence before ends, as far as it tells anything. None if this one does otherwise: it
    must deny the very value held or speak of a slip, and tell nothing else.
    """
    quote = held.quotes[0]
    between = turn.text[told_until : sentence.start]
    value = _value_instead(held, sentence, said_at, between=between, chinese=chinese)
    if not value:
        return None
    words = turn.text[quote.start : sentence.start + len(sentence.text)]
    return replace(
        held, text=words, quotes=(Quote(turn.id, quote.start, quote.start + len(words), words),), value=value
    )


def _value_instead(held: Finding, sentence: Sentence, said_at: datetime, *, between: str, chinese: bool) -> str:
    if sentence.is_question:
        return ""
    return (
        _amount_instead(held, sentence, between, chinese=chinese)
        or _day_instead(held, sentence, said_at)
        or _words_instead(held, sentence, chinese=chinese)
    )


def _day_instead(held: Finding, sentence: Sentence, said_at: datetime) -> str:
    text = sentence.masked
    if not _DAY.fullmatch(held.value) or not _SLIP.search(text):
        return ""
    dates = [date for date in find_dates(text, said_at, "future") if date.precision == "day"]
    days = {f"{date.at:%Y-%m-%d}" for date in dates} - {held.value}
    rest = text
    for date in reversed(dates):
        rest = f"{rest[: date.start]} {rest[date.end :]}"
    return days.pop() if len(days) == 1 and not _tells_more(rest) else ""


def _tells_more(text: str) -> bool:
    """Whether there is more than that somebody was wrong."""
    return bool(re.search(r"\w", _LINK.sub("", _SLIP.sub("", text))))


def _amount_instead(held: Finding, sentence: Sentence, between: str, *, chinese: bool) -> str:
    text = sentence.masked
    amounts = find_money(text, chinese) or find_percentages(text)
    if not amounts and _SLIP.search(text):
        return _number_instead(held, text)
    denied = [amount for amount in amounts if is_denied(text, amount)]
    said = [amount for amount in amounts if amount not in denied]
    if len(said) != 1 or not _is_measured_alike(held, said[0]):
        return ""
    if any(amount.value != held.value for amount in denied) or not (denied or _SLIP.search(text)):
        return ""
    return "" if _tells_more(_without(amounts, text) + between) else said[0].value


def is_overtaken(held: Finding, found: Finding, sentence: Sentence) -> bool:
    """Whether a sentence that says of itself that it corrects, or that denies the value held, gives it another one."""
    if not held.attribute or (held.attribute, held.topic) != (found.attribute, found.topic):
        return False
    slip = _SLIP.match(sentence.masked.lstrip(" -–—*"))
    is_put_right = (slip is not None and slip[0] not in _EXCUSES) or any(
        number.value == held.value and is_denied(sentence.masked, number)
        for number in find_plain_numbers(sentence.masked)
    )
    return is_put_right and not found.negated and held.value != found.value


def _number_instead(held: Finding, text: str) -> str:
    """The number that is given without its unit, or with what was counted alone."""
    if not held.value.replace(".", "", 1).isdigit() or not held.attribute or held.unit == "%":
        return ""
    numbers = find_plain_numbers(text)
    rest = _without(numbers, text).lower()
    for word in (held.attribute, held.unit):
        rest = rest.replace(word.lower(), " ") if word else rest
    # What is counted may be named again: "Correction: 150 employees, not 120."
    said_before = set(_LATIN_WORD.findall(held.text.casefold()))
    rest = _LATIN_WORD.sub(lambda word: " " if word[0] in said_before else word[0], rest)
    rest = _HAN_WORD.sub(lambda word: " " if word[0] in held.text else word[0], rest)
    if any(text[number.start] == "0" for number in numbers):
        return ""  # 0044 is no amount
    said = {number.value for number in numbers} - {held.value}
    return said.pop() if len(said) == 1 and not _tells_more(rest) else ""


def _words_instead(held: Finding, sentence: Sentence, *, chinese: bool) -> str:
    patterns: tuple[re.Pattern[str], ...] = _ZH_INSTEAD if chinese else _INSTEAD
    if not held.attribute or held.negated or held.unit or held.value[:1].isdigit():
        return ""
    slip = _BEGINS_WITH_SLIP.match(sentence.masked)
    slips = [each[0] for each in _SLIP.finditer(slip[0])] if slip else []
    if any(_NAMES_ANEW.search(each) for each in slips):
        patterns = (*patterns, _BARE)
    for pattern in patterns:
        match = pattern.fullmatch(sentence.masked, slip.end() if slip else 0)
        denied = match.groupdict().get("denied") if match else None
        if match is None or (denied or held.value).casefold() != held.value.casefold():
            continue
        value = sentence.text[slice(*match.span("value"))]
        is_slip = any(each not in _EXCUSES for each in slips)
        if (denied or is_slip) and value[:1].isupper() == held.value[:1].isupper():
            return value.rstrip(" .")
    return ""


def _is_measured_alike(held: Finding, amount: Amount) -> bool:
    return bool(held.attribute) and held.unit.split("/")[0] == amount.unit.split("/")[0]


def _without(amounts: list[Amount], text: str) -> str:
    for amount in reversed(amounts):
        text = f"{text[: amount.start]} {text[amount.end :]}"
    return text
