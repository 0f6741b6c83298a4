"""What English speakers say of themselves and their work that is worth keeping."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from extraction.extractors.rules.statement import SignalKind, one_of


def any_case(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled to ignore case."""
    return re.compile(pattern, re.IGNORECASE)


PERIOD = one_of(
    """week month year quarter spring summer autumn fall winter weekend morning afternoon evening monday tuesday
    wednesday thursday friday saturday sunday"""
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A reason to keep a sentence. `spoken` is matched from an `I` or `we` that starts a clause, `anywhere` is
    searched."""

    kind: SignalKind
    confidence: float
    why: str
    spoken: re.Pattern[str] | None = None
    anywhere: re.Pattern[str] | None = None

    def find(self, text: str, speakers: list[int]) -> re.Match[str] | None:
        """The first match in a sentence whose speakers stand at the given offsets."""
        if self.spoken:
            for speaker in speakers:
                if match := self.spoken.match(text, speaker):
                    return match
        return self.anywhere.search(text) if self.anywhere else None


_RELATIVES = one_of(
    """wife husband partner family kids? children son daughter sister brother mom mother dad father team colleagues?
    friends? girlfriend boyfriend"""
)
_SPEAKER = any_case(rf"(?<![\w'])(?:I|we|my {_RELATIVES} and I)\b")
_BEFORE_A_CLAUSE = any_case(
    r"(?:^|[,;:–—(\d]|\s-|\b"
    + one_of(
        """and but because since so when although though while where that's_why which_is_why
        (?:say|mention|share|announce|report|add|know)_that now today tonight yesterday tomorrow lately recently
        currently also actually then sometimes usually morning afternoon evening night weeks? weekend months?
        years? ago days? (?:mon|tues|wednes|thurs|fri|satur|sun)day january february march april may june july
        august september october november december spring summer autumn fall winter fact_is for_me first next maybe
        perhaps fri yeah"""
    )
    + r")[\s,-]*$"
)


def speakers(text: str) -> list[int]:
    """Where a clause starts with `I` or `we`: not in `what I eat`, which says nothing of the speaker by itself."""
    return list(_speakers(text))


def _speakers(text: str) -> Iterator[int]:
    for match in _SPEAKER.finditer(text):
        if _BEFORE_A_CLAUSE.search(text[max(0, match.start() - 24) : match.start()]) or match.start() == 0:
            yield match.start()


_ADVERBS = (
    r"(?:\s+"
    + one_of(
        """really also still just always usually often sometimes recently currently now actually particularly
        especially mostly generally normally quite absolutely finally already only totally never truly both even
        mainly do personally regularly occasionally frequently typically lately officially formally together first
        then once kind_of definitely very_much much rarely seldom don't do_not can't cannot long completely
        absolutely not"""
    )
    + r"){0,4}"
)
_I = rf"(?:I|my {_RELATIVES} and I)\b"
_WE = rf"(?:I|we|my {_RELATIVES} and I)\b"
_HAVE = r"(?:'ve| have|'d| had)?"
_BE = r"(?:(?:'m|'re| am| are)|(?:'ve|\s+have)(?:\s+(?:also|always|recently|just|both|only|really|never))? been)"
_NOT_POINTING = (
    r"(?!\s+"
    + one_of(
        """it that this them these those your you how what him her
        the_(?:idea|way|sound|look|part|vibe|thought|fact|advice|actors?|plot|ending|story|song|lyrics|movie|film)
        the_(?:book|atmosphere|scenery|themes?|characters?|taste|flavou?rs?|colou?rs|view|painting|photo|style)
        the_(?:music|food) the_(?:[\\w-]+_){0,3}(?:themes?|colou?rs?|textures?|vibes?|details?|patterns?|composition)
        to_(?:think|see|hear|know|say|chat|talk|share|be(?!_(?:\\w+_)?(?:contacted|called|reached|emailed|addressed|paid)))
        to_be_(?:honest|clear|fair)"""
    )
    + r"\b)"
)
_TO_DO = (
    r"to (?!\w+ (?:it|that|this|them|you)\b|"
    + one_of(
        """try_that be_able share chat talk know hear ask tell see_you say thank go_on_with think feel make_sure do have
        be use add ensure keep find choose express discuss get_some become_friends make_everything understand shape
        enjoy relax focus"""
    )
    + r"\b)\w+"
)

_OFTEN = (
    r"\b(?:every (?:\w+ )?(?:day|week|weekend|morning|evening|night|month|year|"
    r"summer|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:once|twice|\w+ times) (?:a|per) "
    r"(?:day|week|month|year)|on (?:weekends|weekdays|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|"
    r"sundays)|daily(?! \w)|weekly(?! \w))\b"
)
# A verdict that holds for a day: "my week was great".
_SO_SO = (
    r"(?:my|our) [^,.;]{1,40}? (?:is|are|was|were|(?:has|have) been|went|feels?|felt) (?:\w+ ){0,2}?"
    + one_of(
        """good great nice fine ok okay bad terrible awful dreadful amazing awesome fantastic wonderful late delicious
        tasty crazy busy hectic perfect lovely well smoothly"""
    )
    + r"\b(?! (?:at|with|for|in))"
)
# What one asks for in this very conversation.
_ASKED_FOR = one_of("some any more information recommendations ideas ways help good tips advice something suggestions")
_CHANNEL = (
    r"(?:(?:phone |video |sales |marketing )?calls?|phone|e-?mails?|mails?|letters?|post|faxe?s?|sms(?:es)?|texts?|"
    r"text messages?|messages?|whatsapp|signal|telegram|wechat|notifications?|newsletters?|advertising|adverts?|ads|"
    r"mailings?|marketing|spam|reminders?|push)"
)
_REACH = r"(?:contact|call|phone|ring|reach|text|e-?mail|message|write(?: to)?|address|notify)"
_NOT_NOW = r"(?!.*\b(?:today|tonight|tomorrow|now|yet|until|this \w+|again later|back)\b)"
# How somebody wants to be reached, or not; "call me tomorrow" is asked for once.
CONTACT_WISH = any_case(
    rf"(?:^|[,;]\s+|\b(?:but|and|so|please)\s+){_NOT_NOW}(?:please,? )?(?:"
    rf"(?:do not|don't|never|stop|no longer)(?: ever)? {_REACH}(?:ing)? (?:me|us)(?=\s*(?:$|[.,;!]|"
    r"(?:by|on|via|at|before|after|during|between|unless|any ?more|directly|through|over|with|about|for|without|"
    r"under|in the|outside|please|again|ever)\b))|"
    rf"(?:only |always ){_REACH} (?:me|us)\b(?! (?:names?|an?|the|what|how|why|that|if)\b)|"
    rf"{_REACH} (?:me|us) (?:only |always |preferably |just )*(?:by|via|over|through|on) (?:my |our )?{_CHANNEL}\b|"
    rf"no (?:more )?(?:[a-z]+ )?{_CHANNEL}(?: to me| to us)?(?: at all| any ?more| from \w+)?(?:,? please)?(?=\s*(?:$|"
    r"[.,;!])))"
    r"|\b(?:I|we)(?:'d| would)?(?: also| really| absolutely| just)* (?:do not|don't|never|rather not|no longer)"
    r"(?: ever| really| also)? (?:want|wish|like|need|get|receive)(?: to (?:get|receive|have|see))?"
    rf"(?: any| more| your| so many| further)*(?: [a-z]+){{0,2}}? {_CHANNEL}\b"
    r"(?!\s*(?:number|address|box|client|card)\b)"
    rf"|\b(?:I|we)(?: do not| don't| never) (?:want|wish|like) (?:to be|being) (?:{_REACH}|contact|call)(?:ed|d|ied)\b"
    rf"|\b(?:I|we)(?:'d| would)? (?:rather|prefer to|like to) be (?:contacted|called|reached|emailed|texted|phoned) "
    r"(?:by|via|on|over|through|at)\b"
)
# The name of a tool rather than of a place: MySQL, AWS, Node.js.
_TECHNICAL = r"(?-i:[A-Za-z]*[a-z][A-Z]\w*|[A-Z]{3,}\w*|\w+\.(?:js|io|com|net))"
RULES = (
    Rule(
        "decision",
        0.9,
        "decision",
        spoken=any_case(
            rf"{_WE}{_HAVE}{_ADVERBS}\s+"
            + one_of(
                "decided agreed chose chosen settled opted committed_to approved rejected signed_off went_with voted"
            )
            + r"\b(?! (?:it|with you|that one|a good)\b)"
        ),
        anywhere=any_case(
            r"\b(?:we'll|we will|let's|we're|we are|I'll|I'm|I am) (?:go(?:ing)? with|us(?:e|ing) .+ instead|"
            r"switch(?:ing)? (?:from|to)|mov(?:e|ing) (?:from|over))"
            r"|\b(?:I|we|they|(?:our|the) (?:team|company))(?:'ve| have| has)?(?: just| recently| finally| already)* "
            r"(?:(?:switched|migrated|changed)(?: over)? (?:from|to|the|our)\b|"
            rf"moved (?:[^,.;]{{1,30}} )?from {_TECHNICAL} |"
            r"(?:replaced|swapped|ditched) [^,.;]{2,40}? (?:with|by|for) (?-i:[A-Z]))"
            r"|\b(?:final )?decision (?:is|was) to\b"
            r"|^(?!.*\b(?:I|my)\b).*\b(?:has|have|was|were|been|is|got) (?:approved|rejected|chosen|selected|agreed|"
            r"decided|signed off|"
            r"adopted)\b|\b(?-i:[A-Z])\w+ (?:has )?(?:decided|agreed|chose|approved|rejected|signed off)\b"
        ),
    ),
    Rule(
        "status",
        0.9,
        "change in life",
        spoken=any_case(
            rf"{_WE}(?:'ve| have|'m| am| was| were| got| are|'re)?{_ADVERBS}\s+"
            + one_of(
                """graduated got_married married got_engaged engaged divorced got_divorced
                moved_(?:to|into|from|back|in|out) quit resigned got_promoted promoted hired laid_off fired retired
                born adopted diagnosed broke_up separated
                got_(?:accepted|into|hired|pregnant|my_\\w+|an?_(?:new|job|dog|cat|puppy|kitten|promotion|raise))
                got_an?_(?:offer|scholarship|degree|tattoo|divorce|visa|license|licence|interview)
                bought_(?:an?|our|my)_(?:\\w+_)?(?:house|car|home|flat|apartment|bike|boat|condo|van)
                enrolled passed_(?:the|my|an?) won(?!') published launched founded opened_(?:a|my|our) joined
                started_(?:a|an|my|our|work|at|learning|studying|taking|volunteering|doing|playing|going|watching)
                started_(?:reading|working|teaching|seeing|dating|training)
                (?<!since_I_)started_\\w+ing(?=.*\\bagain\\b) signed_up took_up gave_up stopped
                injured broke_my sprained lost_my_(?:job|wallet|father|mother|dad|mom|dog|cat|grandma|grandpa)"""
            )
            + r"\b(?! feeling)"
        ),
    ),
    Rule(
        "status",
        0.85,
        "status",
        anywhere=any_case(
            r"^(?!.*\b(?:I|me)\b)[^,]*\b(?:is|are|was|were|has been|have been|has|have|got|been)\s+"
            r"(?:now |finally |already |officially |currently |still |just |almost )?"
            + one_of(
                """done finished complete completed live launched delayed postponed cancell?ed on_hold blocked
                shipped delivered signed released deployed in_progress overdue resolved fixed paused resumed
                rescheduled moved_to pushed_back closed opened merged archived deprecated pending under_review
                in_production expired renewed terminated discontinued promoted hired replaced behind_schedule
                on_track ahead_of_schedule pregnant retired in_hospital hospitali[sz]ed"""
            )
            + r"\b|\b(?:left the (?:company|team|project)|passed away|took over|stepped down|went live|got married|"
            r"is leaving|joined the (?:team|company|project))\b"
            r"|\bno longer (?:works?|uses?|lives?|wants?|needs?|has|have|eats?|drinks?|plays?|smokes?|drives?)\b"
        ),
    ),
    Rule(
        "preference",
        0.9,
        "preference",
        spoken=any_case(
            rf"{_WE}(?:'d(?= prefer)|'ve| have)?{_ADVERBS}\s+(?:like|love|enjoy|prefer|hate|dislike|adore|favou?r|"
            rf"stand|detest|"
            rf"always loved|"
            rf"always enjoyed|(?:loved|enjoyed) (?=(?-i:[A-Z])))\b{_NOT_POINTING}"
            r"(?! (?:talking|chatting|hearing|a|nothing|everything|being)\b)"
        ),
    ),
    Rule(
        "preference",
        0.9,
        "preference",
        spoken=any_case(
            rf"{_WE}{_BE}{_ADVERBS}\s+(?:an? )?(?:big|huge|massive|avid|great|keen|real)? ?(?:fan of|lover|reader)\b"
            rf"|{_WE}{_BE}{_ADVERBS}\s+(?:so |very |a bit |pretty |super )?"
            + one_of(
                """fond_of keen_on passionate_about crazy_about interested_in into hooked_on obsessed_with allergic_to
                addicted_to drawn_to fascinated_by a_vegan a_vegetarian vegan vegetarian lactose gluten picky"""
            )
            + r"\b"
            + _NOT_POINTING
        ),
        anywhere=any_case(
            r"^(?!.*\bone of my favou?rite)(?:.*\b(?:is|are|has always been) my (?:all-time |absolute )?favou?rites?\b|"
            r"my (?:all-time |absolute |other |main )?(?:favou?rites?|hobby|hobbies|passions?|interests?|go-to)\b"
            r"(?! (?:was|were|part)\b))"
        ),
    ),
    Rule("preference", 0.9, "contact", anywhere=CONTACT_WISH),
    Rule(
        "preference",
        0.75,
        "taste",
        anywhere=any_case(
            rf"^(?:my|our) \w+(?: \w+)? (?:likes?|loves?|enjoys?|prefers?|hates?|dislikes?|adores?)\b{_NOT_POINTING}"
        ),
    ),
    Rule(
        "plan",
        0.8,
        "plan",
        spoken=any_case(
            rf"{_WE}{_BE}{_ADVERBS}\s+(?:planning|going to|gonna|about to|considering|aiming|intending|saving up|"
            rf"saving|"
            r"thinking (?:about|of)|looking into|hoping to)\b(?! "
            + one_of(
                """it that this them do_it try say be ask tell need check look going how what where the_same
                do_my_best forward keep miss love see take_a_walk enjoy"""
            )
            + r"\b)"
            rf"|{_I}(?:'d|'ve| have| would)?{_ADVERBS}\s+(?:plan|intend|aim|hope|want|always wanted|like|love|dream|"
            rf"wish) {_TO_DO}"
        ),
        anywhere=any_case(
            r"^(?:my|our) (?:[a-z-]+ )?(?:goal|plan|dream|aim|ambition|target|priority|resolution|intention)s? "
            r"(?:is|are|for)\b"
        ),
    ),
    Rule(
        "habit",
        0.85,
        "habit",
        spoken=any_case(
            rf"{_WE}(?:'ve| have|'m| am)?\s+(?:usually|often|always|normally|typically|regularly|generally|sometimes|"
            r"rarely|never|tend to|frequently|mostly|occasionally)\s+(?!"
            + one_of(
                """think feel wonder looking want wanted be felt been feeling believe appreciate hope know thought
                find dreamed agree understand forget learning get had heard seen"""
            )
            + r"\b)\w+"
            rf"|{_WE}.*{_OFTEN}"
        ),
        anywhere=any_case(rf"^(?:my|our) \w+\b.*{_OFTEN}"),
    ),
    Rule(
        "ongoing",
        0.85,
        "ongoing",
        spoken=any_case(
            rf"{_WE}{_BE}{_ADVERBS}\s+"
            + one_of(
                """learning studying reading working_(?:on|at|for|as|in|with) training building writing preparing
                watching practi[sc]ing taking playing teaching running developing collecting volunteering living
                dating seeing_a renting recovering struggling_with suffering dealing_with attending researching
                making cooking growing renovating raising using following losing exercising organi[sz]ing creating
                selling managing leading hiring experimenting exploring applying interning participating facing
                under_a_lot going_through
                looking_for experiencing expecting_a"""
            )
            + r"\b(?! (?:a bit|part in this|care|"
            + _ASKED_FOR
            + r")\b)"
            rf"|{_WE}(?:'ve|\s+have) been{_ADVERBS}\s+(?!"
            + one_of(
                """feeling keeping waiting struggling decompressing thinking having doing getting being going enjoying
                hoping wondering talking chatting meaning wanting busy seeing hearing focusing pushing hanging"""
            )
            + r"\b)\w+ing\b"
        ),
    ),
    Rule(
        "fact",
        0.9,
        "about the person",
        spoken=any_case(
            rf"{_I}(?:'m| am) (?:(?:also|now|currently|still|actually|quite|very|rather|originally) )*(?:an? (?!"
            + one_of("bit little lot fan big huge good great friend companion AI beginner loss long")
            + r"\b)(?:\w+ ){0,3}\w+|from (?!the same)|no longer an? |no longer \w+|"
            r"(?-i:[A-Z])[a-z]+(?:ese|ian|ish|can|rman|tch|nch|ani|aeli|reek|wiss|hai)\b|"
            + one_of(
                """based_in married single divorced engaged widowed pregnant retired unemployed left-handed
                colou?r-?blind bilingual allergic diabetic \\d{1,2}
                in_(?:my|the|a)_(?:[\\w-]+_)*(?:year|grade|relationship) in_charge
                responsible_for introverted extroverted shy"""
            )
            + r"\b)"
            rf"|{_I}(?:'ve| have)(?: always)? been (?:an? (?:\w+ )*(?:person|member|fan|volunteer|teacher|nurse|"
            rf"student|vegan|vegetarian)"
            r"|in an? (?:[\w-]+ )*relationship)\b"
            rf"|{_I}{_HAVE}{_ADVERBS}\s+"
            + one_of(
                """live lived work_(?:at|for|as|in|with|from|night|nights|part-time|full-time|remotely|shifts)
                worked_(?:at|for|as|in) was_born grew_up come_from came_from study studied majored major_in speak
                own teach taught play played practice practise volunteer collect drive commute run_an?
                speciali[sz]e weigh use used_to have_known
                been_(?:married|together|working|living|learning|studying|playing|running) suffer_from
                take_(?:medication|insulin|pills) rent eat drink belong smoke
                (?:wake|get)_up_at go_to_(?:bed|sleep)_at"""
            )
            + r"\b(?! (?:it|that|this|them|to (?:it|that|think|feel|be))\b)"
            rf"|{_I}(?:'ve got| have| own)(?: (?:also|always|still|only|actually|currently|just))? (?:an?|two|three|"
            r"four|five|six|no|several|\d+|my own) (?!"
            + one_of(
                """question idea feeling problem chance lot bit good great nice wonderful blast ball clue
                suggestion doubt choice look chat talk moment minute fun long_day rough hard tough way similar
                point plan better ideas questions fantastic amazing really new_task few more time dream thing sense
                hope goal other strong positive pleasant understanding break deep worry favou?rite"""
            )
            + r"\b)"
        ),
    ),
    Rule(
        "fact",
        0.8,
        "in use",
        spoken=any_case(
            rf"we{_ADVERBS}\s+(?:use|run on|rely on|work with|are on|host (?:\w+ )?(?:on|with))\s+(?:the |our )?"
            r"(?-i:[A-Z])"
        ),
    ),
    Rule(
        "fact",
        0.8,
        "premises",
        spoken=any_case(
            rf"we{_ADVERBS}(?:'ve got|\s+(?:have|own|rent|lease|run|operate|opened)){_ADVERBS}\s+"
            r"(?:an?|our own|another|one|two|three|four|five|"
            r"several|no|\d+)\s+(?:[a-z-]+ ){0,3}?"
            + one_of(
                """offices? warehouses? factor(?:y|ies) plants? branch(?:es)? subsidiar(?:y|ies) stores? shops?
                showrooms? depots? sites? studios? laborator(?:y|ies) labs? workshops? restaurants? hotels? clinics?
                farms? (?:data|distribution|call|service)_cent(?:er|re)s? headquarters hubs?"""
            )
            + r"\b"
        ),
    ),
    Rule(
        "fact",
        0.75,
        "relation",
        anywhere=any_case(
            rf"^(?!{_SO_SO})(?:(?:one|some|two|three|both|most|all) of )?(?:my|our) (?!"
            + one_of(
                """train bus tram taxi flight journey commute ride lunch breakfast dinner coffee opinion view mood day
                thoughts? feelings? question point pleasure mind understanding apologies
                bad heart best problem concern worry first_(?:chat|time) conversation friendship weekend turn
                condition physical energy advice suggestion eyes life experience impression future evening morning
                body emotions? favou?rite inspiration next abilities skills? progress"""
            )
            + r"\b)(?:[\w'-]+ ){1,4}?"
            + one_of(
                """is are was were has have had works? lives? got wants? needs? passed died comes? goes started
                graduated moved broke keeps? studies plays? runs? can't cannot just doesn't don't recently used
                gave taught bought made uses? speaks? teaches owns? turned expects? requires? supports? sells?
                ships?"""
            )
            + r"\b"
        ),
    ),
    Rule(
        "event",
        0.75,
        "event",
        spoken=any_case(
            rf"{_WE}{_HAVE}{_ADVERBS}\s+(?:"
            + one_of(
                """went saw met took made learnt read ran won(?!') lost found built wrote gave had got ate flew
                did_(?:attend|visit|buy|finish|try|meet|take|complete|read|win|join|sign|order|book|start)
                fell broke hurt set_up gone been_to seen done came left sold caught hit shot spoke dropped spent
                began drove sang swam rode bought taught fought chose threw put_(?:together|up|on) hung_out"""
            )
            + r"|(?!"
            + one_of(
                """need feed speed bleed wanted needed liked loved enjoyed hoped realized realised noticed decided
                seemed appreciated wished believed missed cared worried supposed used agreed looked remembered
                figured reali[sz]ed forced guessed feared expected wondered preferred deserved mattered pleased
                excited thrilled tried_to talked chatted listened"""
            )
            + r"\b)[a-z]{2,}ed)\b(?! (?:a (?:lot|bit|great time|blast|feeling|hard time|setback)|lots)\b)"
            rf"|{_WE}{_BE}{_ADVERBS}\s+(?:putting|having|hosting|throwing|flying|visiting|meeting|starting|moving|"
            rf"performing|"
            r"presenting|getting (?:married|a)|giving|holding|launching|releasing|opening|competing|heading|leaving|"
            r"returning|celebrating|marrying|seeing)\b"
        ),
    ),
)
