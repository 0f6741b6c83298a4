"""Decides which topic a statement belongs to."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

from extraction.extractors.protocol import KnownTopic, TopicRef, Turn, Window, unnamed_speaker
from extraction.extractors.rules.language import is_chinese
from extraction.extractors.rules.names import NewName, bare_surname, guess_kind, introduced_name
from extraction.extractors.rules.sentences import sentences
from extraction.extractors.rules.short_names import ShortNames
from topics.text.names import match_keys, name_key

_EN_I = re.compile(r"\b(?:I|me|[Mm]y|mine|myself)\b|\b(?:i'm|i've|i'll|i'd|i am)\b")
_EN_WE = re.compile(r"\b(?:we|our|ours|us)\b", re.IGNORECASE)
_ZH_I = re.compile(r"(?:我|俺)(?!们|司|方|国|校)|本人")
_ZH_WE = re.compile(r"我们|咱们|我司|我方|咱")
# Whom "we" meet, call or do something with is no subject.
_EN_WE_DO = re.compile(r"(?:[\w']+,? ){0,3}?we\b", re.IGNORECASE)
_ZH_WE_WITH = re.compile(r".{0,8}?(?:我们|咱们?)[^的，,]{0,8}?[和跟与同给向对请找让]")
_EN_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|could|may|might|must|should|won't|can't|cannot|isn't|doesn't|don't|"
    r"didn't|wants?|needs?|uses?|likes?|loves?|prefers?|works?|lives?|requires?|"
    r"decided|agreed|approved|joined|left|moved|signed|costs?|runs?|starts?|said|says|asked|switched|chose|expects?|"
    r"reports?|leads?|owns?|manages?|launched|launches)\b|,(?= (?:is|was|has|will))",
    re.IGNORECASE,
)
_ZH_VERB = re.compile(
    r"是|有|在|已|将|会|要|为|了|负责|喜欢|决定|需要|采用|改用|换成|定|由|希望|同意|提出|可以|能|不|说|住|想|打算|"
    r"计划|推迟|延期|上线|完成|从|共|大约|约|\d"
)
# A word of an alphabet; Chinese may stand right before and behind it.
_LETTER = r"[^\W_\u3400-\u9fff]"
_WORD = re.compile(rf"{_LETTER}+(?:[&'’.-]{_LETTER}+)*?(?=['’]s(?!{_LETTER})|(?![&'’.-]?{_LETTER}))")
_BETWEEN_WORDS = re.compile(r"[^\w\u3400-\u9fff]*")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_JOINED = re.compile(r"\s*(?:[,，、]|[,，]?\s*(?:and|&)(?=\s)|[和与與及跟同]|以及)\s*")
_INTRODUCTION = re.compile(
    r"\b(?:[Mm]y name is|[Mm]y name's|I am called|I'm called) (?P<english>[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,2})|"
    r"^(?:[Hh]ello|[Hh]i|[Hh]ey)[,!.]? (?:I'm|I am|[Tt]his is) (?P<short>[A-Z][a-z'-]+(?: "
    r"[A-Z][a-z'-]+){0,2})(?=[,.!]|$)"
    r"|(?:我叫(?:做)?|我的名字(?:是|叫)|我名叫)(?P<chinese>[\u4e00-\u9fff·]{2,5}?|[A-Z][A-Za-z]+)(?=$|"
    r"[，,。；;！!\s])|(?:你好|"
    r"您好)[，,]?我是(?P<plain>[\u4e00-\u9fff]{2,4})(?=[，,。！!]|$)"
)
_LONGEST_NAME_IN_WORDS = 6
_ONE_WORD = re.compile(r"[A-Za-z'’-]+")
_LONGEST_LEAD = 80
_PERSONAL_KINDS = ("person", "customer", "character", "other")


@dataclass(frozen=True, slots=True)
class Subjects:
    """The topics that a sentence is about, by name. Known ones stand at [start, all_end), the first up to `end`."""

    topics: tuple[TopicRef, ...]
    start: int = 0
    end: int = 0
    all_end: int = 0

    def as_said(self, text: str) -> str:
        """All of them, in the words of the text."""
        return text[self.start : self.all_end] or self.topics[0].name


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name of a topic at [start, end) of a text; `length` is that of its key."""

    start: int
    end: int
    length: int
    topic: KnownTopic


class Router:
    """Routes the statements of one window. A mention of a name that two topics share is nobody's."""

    def __init__(self, window: Window) -> None:
        self._window = window
        subject = window.subject
        known = {topic.id: topic for topic in window.topics}
        if isinstance(subject, KnownTopic):
            known.setdefault(subject.id, subject)
        names = {name_key(name) for topic in known.values() for name in topic.names}
        waiting = [*window.proposed, *([_new_subject(subject)] if isinstance(subject, str) and subject else [])]
        proposed = {key: topic for topic in waiting if (key := name_key(topic.name)) not in names}
        self._proposed = frozenset(topic.id for topic in proposed.values())
        self._known = (*known.values(), *proposed.values())
        self._index = _index(self._known)
        self._short_names = ShortNames(self._known, window)
        self._longest_key = max((len(key) for key in self._index), default=0)
        self._subject = self._subject_ref(subject)
        self._introduced = _introduced_speaker(window)
        self._names_seen = _names_used(window)
        self._named: list[TopicRef] = []  # whom and what the sentences so far were about, by name, each once
        self._just_named: TopicRef | None = None  # what the last of them was about
        self._other_names: dict[str, TopicRef] = {}

    def hear_turn(self, turn: Turn) -> None:
        """Remember whom a turn names that is not read itself."""
        for sentence in sentences(turn.text):
            self.hear(sentence.text, chinese=is_chinese(sentence.text))

    def hear(self, text: str, *, chinese: bool) -> None:
        """Remember whom a sentence names as its subject, for those that follow. Sentences are heard in order."""
        self._just_named = self.subject_of(text, chinese=chinese)
        if self._just_named and self._just_named not in self._named:
            self._named.append(self._just_named)

    def learn_name(self, name: str, topic: TopicRef) -> None:
        """Take `name` for another name of the topic in what follows."""
        self._other_names[name_key(name)] = topic

    def pointed_at(self, *, person: bool) -> TopicRef | None:
        """What a pronoun means: whom the sentence before was about, else the only one named so far, else nobody."""
        named = [topic for topic in self._named if not person or topic.kind in _PERSONAL_KINDS]
        if self._just_named in named:
            return self._just_named
        return named[0] if len(named) == 1 else None

    def organisation(self) -> TopicRef | None:
        """The company or the project that is spoken of: the subject of the conversation, else the last one named."""
        spoken_of = [self._subject, *([self._just_named] if self._just_named else []), *reversed(self._named)]
        return next((topic for topic in spoken_of if topic and topic.kind in ("customer", "project")), None)

    def is_of_speakers(self, text: str, *, chinese: bool) -> bool:
        """Whether the words say that it is of who speaks, or of those whom he speaks for."""
        return any(pattern.search(text) for pattern in ((_ZH_I, _ZH_WE) if chinese else (_EN_I, _EN_WE)))

    def speaker_of(self, turn: Turn) -> TopicRef | None:
        """The topic of the person who speaks, or None if nobody says who it is."""
        name = turn.speaker.strip() or self._introduced
        return self.named(name, NewName(name, "person")) if name else None

    def named(self, name: str, new: NewName) -> TopicRef:
        """The known topic of that name, or a new one."""
        topic = self._lookup(name)
        if topic:
            return self._ref(topic)
        if self._subject and name_key(self._subject.name) in match_keys(name):
            return self._subject
        if other := self._other_names.get(name_key(name)):
            return other
        return TopicRef(None, new.name, new.kind)

    def is_subject(self, name: str) -> bool:
        """Whether this is a name of what the conversation is about."""
        if self._subject is None:
            return False
        known = self._lookup(name)
        return name_key(self._subject.name) in match_keys(name) or (known is not None and known.id == self._subject.id)

    def subject_of(self, text: str, *, chinese: bool) -> TopicRef | None:
        """The topic that the sentence has as its grammatical subject, by name; None if it has none."""
        named = self.subjects_of(text, chinese=chinese)
        return named.topics[0] if named else None

    def subjects_of(self, text: str, *, chinese: bool) -> Subjects | None:
        """The same, with all that are told of in one: `Acme and Wren Ltd want …`."""
        mentions = self._mentions(text[:_LONGEST_LEAD])
        lead = _subject_segment(text, mentions, chinese=chinese)
        if (_ZH_I if chinese else _EN_I).search(lead) or (_ZH_WE_WITH if chinese else _EN_WE_DO).match(lead):
            return None
        if known := _told_of(lead, [mention for mention in mentions if mention.end <= len(lead)]):
            topics = tuple(self._ref(mention.topic) for mention in known)
            return Subjects(topics, known[0].start, known[0].end, known[-1].end)
        new = introduced_name(text, chinese=chinese, names_seen=self._names_seen)
        if new is None:
            return None
        surname = bare_surname(new.name) or (new.name if new.kind == "person" and _ONE_WORD.fullmatch(new.name) else "")
        topic = self._by_surname(surname, new) if surname else self.named(new.name, new)
        return Subjects((topic,)) if topic else None

    def route(self, text: str, turn: Turn, *, chinese: bool, personal: bool) -> TopicRef:
        """Where a statement goes that names no topic: to the speaker, the subject, or the conversation.

        `personal` says that a sentence without a subject (Chinese drops it) can only be about the speaker.
        """
        speaker = self.speaker_of(turn)
        first_person = bool((_ZH_I if chinese else _EN_I).search(text))
        plural = bool((_ZH_WE if chinese else _EN_WE).search(text))
        if first_person or (plural and self._subject is None) or (personal and not plural):
            choices = (speaker, self._subject)
        else:
            choices = (self._subject, speaker)
        known = next((choice for choice in choices if choice), None)
        if known:
            return known
        # Whoever speaks in a conversation without names is somebody; the rest is about nothing that has a name.
        if first_person or plural or personal:
            window = self._window
            return unnamed_speaker(window.language, window.conversation if window.is_one_of_many else "")
        return TopicRef(None, self._window.conversation, "other")

    @property
    def has_subject(self) -> bool:
        return self._subject is not None

    def _subject_ref(self, subject: KnownTopic | str | None) -> TopicRef | None:
        if isinstance(subject, KnownTopic):
            return TopicRef(subject.id, subject.name, subject.kind)
        if not subject:
            return None
        topic = self._lookup(subject)
        return self._ref(topic) if topic else TopicRef(None, subject, guess_kind(subject))

    def _lookup(self, name: str) -> KnownTopic | None:
        for key in match_keys(name):
            if topic := self._index.get(key):
                return topic
        return None

    def _mentions(self, text: str) -> list[_Mention]:
        """Where known topics are named, the longest of names that overlap: whole words of an alphabet, any run of
        Chinese. Of a company's name the part that distinguishes it is enough."""
        found = [*self._word_mentions(text), *self._run_mentions(text)]
        kept: list[_Mention] = []
        for mention in sorted(found, key=lambda m: (-m.length, m.start)):
            if all(mention.end <= other.start or other.end <= mention.start for other in kept):
                kept.append(mention)
        return sorted(kept, key=lambda mention: mention.start)

    def _word_mentions(self, text: str) -> list[_Mention]:
        words = list(_WORD.finditer(text)) if self._index else []
        found = []
        for first, word in enumerate(words):
            for last, other in enumerate(words[first : first + _LONGEST_NAME_IN_WORDS], start=first):
                if last > first and not _BETWEEN_WORDS.fullmatch(text, words[last - 1].end(), other.start()):
                    break
                named = text[word.start() : other.end()]
                topic = self._index.get(name_key(named)) or self._short_names.topic_of_words(
                    text, word.start(), other.end()
                )
                if topic:
                    found.append(_Mention(word.start(), other.end(), len(name_key(named)), topic))
        return found

    def _run_mentions(self, text: str) -> list[_Mention]:
        if not self._index or not _CHINESE.search(text):
            return []
        places = [(place, key) for place, character in enumerate(text) if (key := _character_key(character))]
        run = "".join(key for _place, key in places)
        at = [place for place, key in places for _part in key]
        found = []
        for start in range(len(run)):
            for end in range(start + 2, min(len(run), start + self._longest_key) + 1):
                key = run[start:end]
                if not _CHINESE.search(key):
                    continue
                topic = self._index.get(key) or self._short_names.topic_of_run(run, start, end)
                if topic:
                    found.append(_Mention(at[start], at[end - 1] + 1, len(key), topic))
        return found

    def _ref(self, topic: KnownTopic) -> TopicRef:
        return TopicRef(None if topic.id in self._proposed else topic.id, topic.name, topic.kind)

    def _by_surname(self, surname: str, new: NewName) -> TopicRef | None:
        """The only person here of that surname or first name; a new one if there is none; nobody if there are two."""
        simplified = name_key(surname)
        same = {
            topic.id: self._ref(topic)
            for topic in self._known
            if topic.kind in ("person", "customer") and any(_is_person_of(name, simplified) for name in topic.names)
        }
        if exact := self._index.get(name_key(new.name)):
            return self._ref(exact)
        if other := self._other_names.get(name_key(new.name)):
            return other
        others = {
            turn.speaker.strip()
            for turn in (*self._window.context, *self._window.turns)
            if _is_person_of(turn.speaker.strip(), simplified)
        }
        if self._subject and self._subject.is_new and _is_person_of(self._subject.name, simplified):
            others.add(self._subject.name)
        others |= {topic.name for topic in self._named if topic.is_new and _is_person_of(topic.name, simplified)}
        refs = list(same.values()) + [
            TopicRef(None, name, "person") for name in sorted(others) if not self._lookup(name)
        ]
        if not refs:
            return TopicRef(None, new.name, new.kind)
        return refs[0] if len(refs) == 1 else None


def _new_subject(name: str) -> KnownTopic:
    """What a conversation is about, though nobody has proposed it yet: it is named like any other."""
    return KnownTopic("", name, guess_kind(name), (name,))


def _is_person_of(name: str, surname: str) -> bool:
    if surname.isascii():
        words = [name_key(word) for word in name.split()]
        return len(words) > 1 and surname in (words[0], words[-1])
    key = name_key(name)
    return key.startswith(surname) and 2 <= len(key) <= 4 and bool(_CHINESE.match(key))


def _index(topics: tuple[KnownTopic, ...]) -> dict[str, KnownTopic]:
    exact: dict[str, set[str]] = defaultdict(set)
    loose: dict[str, set[str]] = defaultdict(set)
    by_id = {topic.id: topic for topic in topics}
    for topic in topics:
        for name in (topic.name, *topic.names):
            first, *others = match_keys(name)
            exact[first].add(topic.id)
            for key in others:
                loose[key].add(topic.id)
    index = {key: by_id[min(ids)] for key, ids in exact.items() if len(ids) == 1 and key}
    for key, ids in loose.items():
        if key not in exact and len(ids) == 1:
            index[key] = by_id[min(ids)]
    return index


def _character_key(character: str) -> str:
    return "" if unicodedata.category(character)[0] in "PZC" else name_key(character)


def _subject_segment(text: str, mentions: list[_Mention], *, chinese: bool) -> str:
    """The sentence up to its verb: where a grammatical subject stands. What is part of a name is none: 有限公司."""
    for verb in (_ZH_VERB if chinese else _EN_VERB).finditer(text, 1, _LONGEST_LEAD):
        if not any(mention.start <= verb.start() < mention.end for mention in mentions):
            return text[: verb.start()]
    return text[:_LONGEST_LEAD]


def _told_of(lead: str, mentions: list[_Mention]) -> list[_Mention]:
    """The mention of the longest name, with those that it is told with in one breath."""
    if not mentions:
        return []
    best = max(mentions, key=lambda mention: mention.length)
    told = [[mentions[0]]]
    for before, mention in pairwise(mentions):
        if _JOINED.fullmatch(lead, before.end, mention.start):
            told[-1].append(mention)
        else:
            told.append([mention])
    chain = next(chain for chain in told if best in chain)
    is_each_once = len({mention.topic.id for mention in chain}) == len(chain)
    return chain if is_each_once else [best]


def _introduced_speaker(window: Window) -> str:
    """The name by which the user who has none introduces himself, if exactly one does."""
    names = set()
    for turn in (*window.opening, *window.context, *window.turns):
        if turn.role == "user" and not turn.speaker.strip():
            match = _INTRODUCTION.search(turn.text[:2000])
            if match:
                names.add(next(group for group in match.groups() if group))
    return names.pop() if len(names) == 1 else ""


def _names_used(window: Window) -> frozenset[str]:
    """Capital words that stand where only a name has a capital: after a small letter, in a person's or a speaker's
    name."""
    names = {word for turn in (*window.context, *window.turns) for word in turn.speaker.split()}
    known = (*window.topics, *window.proposed)
    names |= {w for topic in known if topic.kind == "person" for name in topic.names for w in name.split()}
    for turn in (*window.context, *window.turns):
        names.update(re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?=[\s,.!?'’])", turn.text[:20000]))
    return frozenset(names)
