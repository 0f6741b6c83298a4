"""Which English sentences are worth keeping, as what, and how certain they are."""

from __future__ import annotations

import re

from extraction.extractors.protocol import Certainty
from extraction.extractors.rules.dates import Tense
from extraction.extractors.rules.sentences import Sentence
from extraction.extractors.rules.statement import Clues, Signal, SignalKind, one_of


def _any(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# --- the part of a sentence that says something ---------------------------------------------------------------------

_FILLER_WORDS = one_of(
    """well so yes yeah yep yup no nope oh ah aw+ hm+ u[mh]+ ok okay sure right alright all_right actually honestly
    anyways? by_the_way btw haha+ ha lol of_course exactly definitely absolutely wow cool great nice in_fact
    to_be_honest i_mean you_know(?:_what)? as_you_know speaking_of_which also and but plus besides additionally
    furthermore in_addition on_another_note on_a_brighter_note thanks?(?:_you)?(?:_so_much|_a_lot)? however
    for_example for_instance unfortunately fortunately luckily sadly (?:my_)?(?:dear_)?(?:friend|buddy|AI_companion)
    other_than_that apart_from_that"""
)
_GREETING = one_of("hey hi hello thanks thank_you dear good_morning good_afternoon good_evening")
_FILLER = _any(
    rf"(?:(?:{_FILLER_WORDS}(?: (?-i:[A-Z])[a-z]+)?|since (?:we|our) last (?:chat\w*|talk\w*|spoke|conversation)|{_GREETING}(?: [^\s,.!?;:]+){{0,4}})\s*[,:!–—-]+\s*"
    r"|(?:and|but|so|also|well|actually|plus)\s+(?=(?:I|we|my|our)\b))+"
)
_QUESTION_TAIL = _any(
    r"\s*(?:[,;–—]|\s-|\b(?:and|but|so)\b)\s*(?:(?:and|but|so)\s+)?(?:(?:do|did|have|has|are|is|can|could|would|will|"
    r"should|was|were|does|isn't|don't|aren't|won't)\s+(?:you|your|that|this|it|there|we|i|they|he|she|anyone|right)\b"
    r"|what|how|why|where|when|who|which|any\b|you\b|right\b|huh\b)"
)
_ADDRESSED_TAIL = _any(
    r",?\s+(?:and|so|but)\s+(?:I(?:'d| would| want(?:ed)?)(?: love| like)? to (?:share|talk|chat|tell|ask|discuss|hear)"
    r"|I was (?:wondering|hoping)|nice to meet|I(?:'m| am) (?:so |very |really )?(?:glad|happy|pleased) to "
    r"(?:meet|chat|talk)|I would appreciate|thank|don't know how|I don't know|I'm not sure (?:how|what|if|whether))\b.*$"
)

# --- left out -------------------------------------------------------------------------------------------------------

_PERIOD = one_of(
    """week month year quarter spring summer autumn fall winter weekend morning afternoon evening monday tuesday
    wednesday thursday friday saturday sunday"""
)
_NOT_A_STATEMENT = _any(
    r"(?:you(?:'re|'ve|'ll|'d|r|rs|rself)?|that(?:'s|'ll|'d)?|it(?:'s|'ll|'d)?|its|"
    rf"this (?!{_PERIOD})|he(?:'s|'ll|'d)?|she(?:'s|'ll|'d)?|they(?:'re|'ve|'ll|'d)?|when(?! (?:I was|we were))|"
    r"let's(?! (?:go with|use|switch|move))|there (?:is|are|'s|was) (?:no|nothing|something|so|always|a lot)|"
    r"sometimes (?:it|you|people)|"
    + one_of(
        """these those his her their what which who whom whose how why where if unless whether let_me let_us please
        can could would should do does did don't is are am was were will shall may_I have_you has ok okay good great
        nice cool awesome wow thanks? thank sorry congrat\\w* welcome glad happy sounds? looks? seems? feels? tell
        give show help recommend suggest explain write make create generate summari[sz]e translate list imagine
        suppose pretend remember try consider keep take just maybe_you perhaps_you hope(?:fully)? wish bye goodbye
        see talk catch same me_too me_neither not no can't_wait couldn't as_an_ai go come stay check look feel find
        get here's here everyone everything nothing anything something someone some_people people the_weather life"""
    )
    + r")\b"
)
_SOMEBODY = _any(r"(?:you|he|she|they|it|that|this|your|his|her|their)\b")
_TO_YOU = _any(r"\byou(?:r|rs|rself|'re|'ve|'ll|'d)?\b")
_TALK = _any(
    r"\b(?:nice to meet|see you|AI companion|(?:want|wanted|like|love|hope|hoping) to (?:chat|talk|ask|share|discuss|"
    r"hear|know|tell|get some (?:advice|tips))|thank you|thanks|the (?:advice|suggestions?|recommendations?|compliment|"
    r"encouragement|tips)|(?:these|those) (?:suggestions|recommendations|tips|ideas|methods|words)|for asking|"
    r"good (?:question|point|idea|luck|night)|keep (?:that|this|these|it) in mind|(?:any|some) (?:advice|suggestions|"
    r"tips|recommendations|ideas|thoughts)|I was (?:wondering|hoping)|I'm wondering|come to mind|(?:be|stay) in touch|"
    r"(?:we|I) can (?:talk|chat)|I wonder|so to speak|for sharing|need (?:some |your )?(?:help|advice))\b"
)
_UNREAL = _any(
    r"\b(?:if (?:I|we) (?:were|was|had|could|won)|if only|I wish|we wish|would have|would've|could have|could've|"
    r"should have|what if|suppose |imagine |pretend|hypothetically|in theory|let's say|as if|as though)\b"
    r"|\b(?:I|we)(?:'d| would) (?:be|go|do|say|choose|buy|move|live|use|take|never|probably)\b.*\bif\b|^if\b"
)
_JOKE = _any(
    r"\b(?:just kidding|only kidding|i'm kidding|i am kidding|kidding|jk|just joking|i'm joking|only joking|"
    r"joking aside|lol|lmao|rofl)(?!\w)|(?<!\S)/s(?!\w)"
)
_TAKEN_BACK = _any(
    r"^\W*(?:ha+\W*)*(?:just kidding|only kidding|(?:i'm|i am) (?:just |only )?(?:kidding|joking)|kidding|jk|"
    r"just joking|scratch that|never ?mind|forget (?:that|what i said))\b"
)
_REPORTED = _any(
    r"\b(?:he|she|they|my \w+(?: \w+)?|people|someone|everyone|(?-i:[A-Z])\w+)(?:'s)? (?:always |just |once )?"
    r"(?:said|says|saying|told|tells|asked|asks|claims?|claimed|joked|jokes|suggested|suggests)\b"
)
_INTENSIFIERS = one_of(
    """been feeling so really very a_bit a_little quite just still also pretty kind_of kinda somewhat super always
    extremely such truly totally even definitely absolutely all too both more much incredibly not now"""
)
_MOODS = one_of(
    """glad happy sad sorry excited tired down upset frustrated anxious worried nervous confused grateful thankful
    thrilled proud relieved good well great fine ok okay better bad bored stressed overwhelmed exhausted lonely curious
    surprised amazed impressed touched moved_by sure certain lucky blessed afraid scared embarrassed lost stuck
    honou?red pleased delighted inspired motivated hopeful optimistic helpless hopeless uncomfortable comfortable
    relaxed calm refreshed warm like that doing having looking_forward hoping wondering listening kidding joking talking
    chatting saying asking free busy hungry sleepy in_(?:a|the)_(?:\\w+_)?mood with_you on_it all_ears unsure aware
    familiar so it there here back ready at_a_loss pumped stoked determined up_for swamped wiped"""
)
_FLEETING = _any(
    r"(?:(?:today|lately|recently|right now|now|currently|these days),?\s+)?"
    r"(?:I|we)(?:'m|'re| am| are| was| were| feel| felt|'ve been| have been| always feel)"
    rf"(?:\s+{_INTENSIFIERS})*\s+{_MOODS}\b"
)
_MOOD_TAIL = _any(rf",?\s+(?:and|but|so) {_FLEETING.pattern}.*$|,?\s+(?:and|but) (?:it|I) (?:feels?|felt|seems?)\b.*$")
_MOOD_BEFORE_REASON = _any(rf"{_FLEETING.pattern}[^,;]{{0,40}}?\b(?:because|since|as|that)\s+(?=(?:I|we|my|our)\b)")
_OBSERVATION = _any(
    r"I(?:'ve| have)? ?(?:also |just |recently )*(?:noticed|realized|realised|found|discovered)(?: out)? that "
)
_OPINION = _any(
    r"^(?:I|we) (?:(?:also|just|really|still|totally|completely|definitely|always|do|can|could|will|'ll) )*"
    + one_of(
        """think believe feel guess suppose agree understand see know hope hear bet mean imagine find found thought felt
        heard noticed realized realised appreciate wonder remember can_relate couldn't_agree could_use doubt
        don't_(?:know|think|understand|believe|want|see|feel|mean|mind) do_not_(?:know|think|want) seem"""
    )
    + r"\b"
)
_EMPTY_PLAN = _any(
    r"^(?:I|we)(?:'ll| will| would|'d| should| can| could|'m going to| am going to|'m gonna| might| may| need to|"
    r" have to| must|'ll have to| want to|'d like to| would like to|'d love to)"
    + r"(?: "
    + one_of(
        """definitely certainly surely try try_to also always just be_sure_to make_sure_to do_my_best really probably
        continue_to consider keep start carefully think_about remember_to"""
    )
    + r")*(?:,? "
    + one_of(
        """try consider check look take do keep give think remember be follow see make_sure let pay_attention get go
        read watch listen start continue use have share talk work tell ask find chat adopt implement apply enjoy"""
    )
    + r"\b)?(?: "
    + one_of("it that this them these those some_of more_of your you into_it out careful sure one so my_best all any")
    + r"\b)"
)
_VAGUE = _any(
    r"\b(?:(?:a|an|some|any|several|many|few) (?:\w+ )?(?:problems?|troubles?|questions?|worry|worries|difficulty|"
    r"difficulties|challenges?|issues|concerns?|suggestions?)(?: (?:at|with|in) (?:work|it|life))?"
    r"(?: (?:today|lately|recently))?(?:$|[.,!;]| and\b| that\b| but\b)|(?:a|some|any) new (?:skills?|knowledge|things?)\b|"
    r"watching some (?:movies|shows)|(?:find|choose|pick|seek|look for) (?:a|an|some|something|anything)\b|"
    r"trying new things|exploring options|working on a (?:new )?project\b(?! (?:to|for|called|about|that|with))|"
    r"something (?:really |very |super )?(?:exciting|special|cool|awesome|like|new|fun|interesting|unhappy|sad|unpleasant|nice|different|good)|such a\b|"
    r"got (?:a|the) chance|about (?:where|what|how)|the meaning of life|enjoy my|not bad)"
)
_EVERYDAY = _any(
    r"\b"
    + one_of(
        """walk walked walking stroll jog jogged jogging run ran running ate eat eating lunch dinner breakfast slept
        sleep woke nap shower worked rest rested weather relax(?:ed|ing)? chatted talked listened scroll hung_out coffee
        movie movies practice my_guitar"""
    )
    + r"\b"
)

# --- worth keeping --------------------------------------------------------------------------------------------------

_ADVERBS = (
    r"(?:\s+"
    + one_of(
        """really also still just always usually often sometimes recently currently now actually particularly
        especially mostly generally normally quite absolutely finally already only totally never truly both even mainly
        do personally regularly occasionally frequently typically lately officially formally together first then once
        kind_of definitely very_much much rarely seldom don't do_not can't cannot long completely absolutely not"""
    )
    + r")*"
)
_AT = (
    r"(?:^|(?<=[,;:–—(\d])|\b"
    + one_of(
        """and but because since so when although though while where that's_why which_is_why
        (?:say|mention|share|announce|report|add|know)_that now today tonight yesterday tomorrow lately recently
        currently also actually then sometimes usually morning afternoon evening night weeks? weekend months? years? ago
        days? (?:mon|tues|wednes|thurs|fri|satur|sun)day january february march april may june july august september
        october november december spring summer autumn fall winter fact_is for_me first next maybe perhaps"""
    )
    + r")[\s,]*"
)
_RELATIVES = one_of(
    """wife husband partner family kids? children son daughter sister brother mom mother dad father team colleagues?
    friends? girlfriend boyfriend"""
)
_POINTS = _any(
    rf"\s*(?:[\w'-]+\s+){{0,2}}?(?:it|them|this|these|those|him)\b(?! {_PERIOD}| past)|\s*(?:\w+ing\s+)?(?:that|one|his|her|both)\b|\s*to[.!]"
)
_I = rf"{_AT}(?:I\b|my {_RELATIVES} and I\b)"
_WE = rf"{_AT}(?:(?:I|we)\b|my {_RELATIVES} and I\b)"
_HAVE = r"(?:'ve| have|'d| had)?"
_BE = r"(?:(?:'m|'re| am| are)|(?:'ve|\s+have)(?:\s+(?:also|always|recently|just|both|only|really|never))? been)"
_NOT_POINTING = (
    r"(?!\s+"
    + one_of(
        """it that this them these those your you how what him her
        the_(?:idea|way|sound|look|part|vibe|thought|fact|advice|actors?|plot|ending|story|song|lyrics|movie|film|book|atmosphere|scenery|themes?|characters?|taste|flavou?rs?|colou?rs|view|painting|photo|style|music|food)
        to_(?:think|see|hear|know|say|chat|talk|share|be)"""
    )
    + r"\b)"
)
_TO_DO = (
    r"to (?!\w+ (?:it|that|this|them|you)\b|"
    + one_of(
        """try_that be_able share chat talk know hear ask tell see_you say thank go_on think feel make_sure do have be
        keep find choose express discuss get_some become_friends make_everything understand shape enjoy relax focus"""
    )
    + r"\b)\w+"
)

_SIGNALS: tuple[tuple[SignalKind, float, str, re.Pattern[str]], ...] = (
    (
        "decision",
        0.9,
        "decision",
        _any(
            rf"{_WE}{_HAVE}{_ADVERBS}\s+"
            + one_of(
                "decided agreed chose chosen settled opted committed_to approved rejected signed_off went_with voted"
            )
            + r"\b(?! (?:it|with you|that one|a good)\b)"
            r"|\b(?:we'll|we will|let's|we're|we are|I'll|I'm|I am) (?:go(?:ing)? with|us(?:e|ing) .+ instead|"
            r"switch(?:ing)? (?:from|to)|mov(?:e|ing) (?:from|over))"
            r"|\bwe (?:have |just |recently |finally )*(?:switched|migrated|changed) (?:from|to|the|our)\b"
            r"|\b(?:final )?decision (?:is|was) to\b"
            r"|\b(?:has|have|was|were|been|is|got) (?:approved|rejected|chosen|selected|agreed|decided|signed off|"
            r"adopted)\b|\b(?-i:[A-Z])\w+ (?:has )?(?:decided|agreed|chose|approved|rejected|signed off)\b"
        ),
    ),
    (
        "status",
        0.9,
        "change in life",
        _any(
            rf"{_WE}(?:'ve| have|'m| am| was| were| got| are|'re)?{_ADVERBS}\s+"
            + one_of(
                """graduated got_married married got_engaged engaged divorced got_divorced moved_(?:to|into|from|back|in|out) quit resigned got_promoted promoted hired laid_off fired retired born adopted diagnosed broke_up
                separated got_(?:accepted|into|hired|pregnant|my_\\w+|an?_(?:new|job|dog|cat|puppy|kitten|promotion|raise|offer|scholarship|degree|tattoo|divorce|visa|license|licence|interview))
                bought_(?:a|an|our|my)_(?:new_|first_|used_|small_|old_|second_)?(?:house|car|home|flat|apartment|bike|boat|condo|van) enrolled passed_(?:the|my|an?) won(?!') published launched founded
                opened_(?:a|my|our) joined started_(?:a|an|my|our|work|at|learning|studying|taking|volunteering|doing|playing|going|watching|reading|working|teaching|seeing|dating|training) signed_up took_up gave_up stopped
                injured broke_my sprained lost_my_(?:job|wallet|father|mother|dad|mom|dog|cat|grandma|grandpa)"""
            )
            + r"\b(?! feeling)"
        ),
    ),
    (
        "status",
        0.85,
        "status",
        _any(
            r"^(?!.*\b(?:I|me)\b)[^,]*\b(?:is|are|was|were|has been|have been|has|have|got|been)\s+"
            r"(?:now |finally |already |officially |currently |still |just |almost )?"
            + one_of(
                """done finished complete completed live launched delayed postponed cancell?ed on_hold blocked shipped
                delivered signed released deployed in_progress overdue resolved fixed paused resumed rescheduled
                moved_to pushed_back closed opened merged archived deprecated pending under_review in_production expired
                renewed terminated discontinued promoted hired replaced behind_schedule on_track ahead_of_schedule
                pregnant retired in_hospital hospitali[sz]ed"""
            )
            + r"\b|\b(?:left the (?:company|team|project)|passed away|took over|stepped down|went live|got married|"
            r"is leaving|joined the (?:team|company|project))\b"
            r"|\bno longer (?:works?|uses?|lives?|wants?|needs?|has|have|eats?|drinks?|plays?|smokes?|drives?)\b"
        ),
    ),
    (
        "preference",
        0.9,
        "preference",
        _any(
            rf"{_WE}{_HAVE}{_ADVERBS}\s+(?:like|love|enjoy|prefer|hate|dislike|adore|favou?r|stand|detest|always loved|"
            rf"always enjoyed|(?:loved|enjoyed) (?=(?-i:[A-Z])))\b{_NOT_POINTING}"
            r"(?! (?:talking|chatting|hearing|a|nothing|everything|being)\b)"
        ),
    ),
    (
        "preference",
        0.9,
        "preference",
        _any(
            r"^(?!.*\bone of my favou?rite)(?:.*\b(?:is|are|has always been) my (?:all-time |absolute )?favou?rites?\b|"
            r"my (?:all-time |absolute |other |main )?(?:favou?rites?|hobby|hobbies|passions?|interests?|go-to)\b"
            r"(?! (?:was|were|part)\b))"
            rf"|{_WE}{_BE}{_ADVERBS}\s+(?:an? )?(?:big|huge|massive|avid|great|keen|real)? ?(?:fan of|lover|reader)\b"
            rf"|{_WE}{_BE}{_ADVERBS}\s+(?:so |very |a bit |pretty |super )?"
            + one_of(
                """fond_of keen_on passionate_about crazy_about interested_in into hooked_on obsessed_with allergic_to
                addicted_to drawn_to fascinated_by a_vegan a_vegetarian vegan vegetarian lactose gluten picky"""
            )
            + r"\b"
            + _NOT_POINTING
        ),
    ),
    (
        "preference",
        0.75,
        "taste",
        _any(rf"^(?:my|our) \w+(?: \w+)? (?:likes?|loves?|enjoys?|prefers?|hates?|dislikes?|adores?)\b{_NOT_POINTING}"),
    ),
    (
        "plan",
        0.8,
        "plan",
        _any(
            rf"{_WE}{_BE}{_ADVERBS}\s+(?:planning|going to|gonna|about to|considering|aiming|intending|saving up|saving|"
            r"thinking (?:about|of)|looking into|hoping to)\b(?! "
            + one_of(
                """it that this them do_it try say be ask tell need check look going how what where the_same
                do_my_best forward keep miss love see take_a_walk enjoy"""
            )
            + r"\b)"
            rf"|{_I}(?:'d|'ve| have| would)?{_ADVERBS}\s+(?:plan|intend|aim|hope|want|always wanted|like|love|dream|wish) {_TO_DO}"
            r"|^(?:my|our) (?:[a-z-]+ )?(?:goal|plan|dream|aim|ambition|target|priority|resolution|intention)s? "
            r"(?:is|are|for)\b"
        ),
    ),
    (
        "habit",
        0.85,
        "habit",
        _any(
            rf"{_WE}(?:'ve| have|'m| am)?\s+(?:usually|often|always|normally|typically|regularly|generally|sometimes|"
            r"rarely|never|tend to|frequently|mostly|occasionally)\s+(?!"
            + one_of(
                """think feel wonder want wanted be felt been feeling believe appreciate hope know thought find dreamed agree
                understand forget learning get had heard seen"""
            )
            + r"\b)\w+"
            rf"|(?:{_WE}|^(?:my|our) \w+)\b.*\b(?:every (?:\w+ )?(?:day|week|weekend|morning|evening|night|month|year|"
            r"summer|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:once|twice|\w+ times) (?:a|per) "
            r"(?:day|week|month|year)|on (?:weekends|weekdays|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|"
            r"sundays)|daily|weekly)\b"
        ),
    ),
    (
        "ongoing",
        0.85,
        "ongoing",
        _any(
            rf"{_WE}{_BE}{_ADVERBS}\s+"
            + one_of(
                """learning studying reading working_(?:on|at|for|as|in|with) training building writing preparing
                watching practi[sc]ing taking playing teaching running developing trying_to(?!_(?:stay|keep|be|get)) collecting volunteering
                living dating seeing_a renting recovering struggling_with suffering dealing_with attending researching
                making cooking growing renovating raising using following losing exercising organi[sz]ing creating
                selling managing leading hiring experimenting exploring applying interning participating facing
                under_a_lot going_through looking_for experiencing expecting_a"""
            )
            + r"\b(?! (?:a bit|part in this|care)\b)"
            rf"|{_WE}(?:'ve|\s+have) been{_ADVERBS}\s+(?!"
            + one_of(
                """feeling keeping waiting struggling decompressing thinking having doing getting being going enjoying
                hoping wondering talking chatting meaning wanting busy seeing hearing focusing pushing hanging"""
            )
            + r"\b)\w+ing\b"
        ),
    ),
    (
        "fact",
        0.9,
        "about the person",
        _any(
            rf"{_I}(?:'m| am) (?:(?:also|now|currently|still|actually|quite|very|rather|originally) )*(?:an? (?!"
            + one_of("bit little lot fan big huge good great friend companion AI beginner loss long")
            + r"\b)(?:\w+ ){0,3}\w+|from (?!the same)|"
            + one_of(
                """based_in married single divorced engaged widowed pregnant retired unemployed left-handed
                colou?r-?blind bilingual allergic diabetic \\d{1,2} in_(?:my|the|a)_(?:[\\w-]+_)*(?:year|grade|relationship) in_charge
                responsible_for introverted extroverted shy"""
            )
            + r"\b)"
            rf"|{_I}(?:'ve| have)(?: always)? been (?:an? (?:\w+ )*(?:person|member|fan|volunteer|teacher|nurse|student|vegan|vegetarian)"
            r"|in an? (?:[\w-]+ )*relationship)\b"
            rf"|{_I}{_HAVE}{_ADVERBS}\s+"
            + one_of(
                """live lived work_(?:at|for|as|in|with|from) worked_(?:at|for|as|in) was_born grew_up come_from came_from
                study studied majored major_in speak own teach taught play played practice practise volunteer collect
                drive commute run_an? speciali[sz]e weigh use used_to have_known been_(?:married|together|working|living|learning|studying|playing|running) suffer_from take_(?:medication|insulin|pills) rent eat drink belong"""
            )
            + r"\b(?! (?:it|that|this|them|to (?:it|that|think|feel|be))\b)"
            rf"|{_I}(?:'ve got| have| own)(?: (?:also|always|still|only|actually|currently|just))? (?:an?|two|three|"
            r"four|five|six|no|several|\d+|my own) (?!"
            + one_of(
                """question idea feeling problem chance lot bit good great nice wonderful blast ball clue suggestion
                doubt choice look chat talk moment minute fun long_day rough hard tough way similar point plan better
                ideas questions fantastic amazing really new_task few more time dream thing sense hope goal other strong
                positive pleasant understanding break deep worry favou?rite"""
            )
            + r"\b)"
        ),
    ),
    (
        "fact",
        0.75,
        "relation",
        _any(
            r"^(?:my|our) (?!"
            + one_of(
                """opinion view mood day thoughts? feelings? question point pleasure mind understanding apologies bad heart
                best problem concern worry first_(?:chat|time) conversation friendship weekend turn condition physical
                energy advice suggestion eyes life experience impression future evening morning body emotions? favou?rite
                inspiration next abilities skills? progress"""
            )
            + r"\b)(?:[\w'-]+ ){1,4}?"
            + one_of(
                """is are was were has have had works? lives? got wants? needs? passed died comes? goes started graduated
                moved broke keeps? studies plays? runs? can't cannot just doesn't don't recently used gave taught
                bought made uses? speaks? teaches owns? turned expects? requires? supports? sells? ships?"""
            )
            + r"\b"
        ),
    ),
    (
        "event",
        0.75,
        "event",
        _any(
            rf"{_WE}{_HAVE}{_ADVERBS}\s+(?:"
            + one_of(
                """went saw met took made learnt read ran won(?!') lost found built wrote gave had got ate flew fell broke
                hurt set_up gone been_to seen done came left sold caught hit shot spoke dropped spent began drove sang
                swam rode bought taught fought chose threw put_(?:together|up|on) hung_out"""
            )
            + r"|(?!"
            + one_of(
                """need feed speed bleed wanted needed liked loved enjoyed hoped realized realised noticed decided seemed appreciated wished
                believed missed cared worried supposed used agreed looked remembered figured reali[sz]ed forced guessed
                feared expected wondered preferred deserved mattered pleased excited thrilled tried_to talked chatted
                listened"""
            )
            + r"\b)[a-z]{2,}ed)\b(?! (?:a (?:lot|bit|great time|blast|feeling|hard time|setback)|lots)\b)"
            rf"|{_WE}{_BE}{_ADVERBS}\s+(?:putting|having|hosting|throwing|flying|visiting|meeting|starting|moving|performing|"
            r"presenting|getting (?:married|a)|giving|holding|launching|releasing|opening|competing|heading|leaving|"
            r"returning|celebrating|marrying|seeing)\b"
        ),
    ),
)
_OF_THE_COMPANY = _any(
    r"\b(?:we|our (?:team|company|office|business|department|factory|store|shop|clients?|customers?|product|plant|"
    r"warehouse))(?:'ve| have)? (?:\w+ ){0,2}?"
    + one_of(
        """use need require required run operate sell employ serve have has uses needs runs operates sells employs serves
        ships? supports? offers? produces? expects? pay pays must cannot can't is are will plan plans want wants might may could won't added adding hired"""
    )
    + r"\b"
)
_FIGURE = re.compile(r"[$€£¥%]|\d(?:k|m|bn)\b")
_THIRD_PERSON_VERB = _any(
    r"^[^,.;]{1,60}?\b"
    + one_of(
        """is are was were has have had will can must cannot can't wants? needs? requires? uses? works? lives? leads?
        owns? manages? prefers? likes? loves? joined left moved started signed bought plays? speaks? reports_to handles?
        runs? covers? expects? starts? ends? begins? launch(?:es|ed)? costs? takes?_place asked_for doesn't don't won't
        hates? studies graduated sold built opened closed won lost met visited went approved should may might plans?
        stays? supports? contains? includes?"""
    )
    + r"\b"
)
_APPOINTMENT = _any(
    r"\b"
    + one_of(
        """meeting kick-?off launch(?:es|ed)? release deadline contract delivery go-?live demo call workshop review
        appointment interview exam wedding flight trip conference party birthday due starts? ends? begins? opens? closes?
        arrives? expires? renewal scheduled pilot migration training audit session surgery event concert race class course
        visit signed shipped moved postponed"""
    )
    + r"\b"
)

_UNCLEAR = _any(r"\b(?:it|them|seem)\b")

# --- tense, certainty, negation --------------------------------------------------------------------------------------

_CLAUSE_END = _any(
    r"[;–—]|\.\s|,?\s+(?:but|because|although|though|however|whereas|while|so that|which|who)\b|"
    r",\s+(?:(?:and|so|or)\s+)?(?=(?:I|we|he|she|it|they|my|our|this|that|the)\b)|"
    r"\s+and\s+(?=(?:I|I'm|I've|we|he|she|it|they)\b)"
)
_BETWEEN_CLAUSES = _any(r"[,;]\s+(?:and\s+|but\s+)?|\s+and\s+(?=(?:the|our|my|we)\b)")
_FUTURE = _any(
    r"\b(?:will|won't|shall|(?<!started )(?<!start )(?<!love )(?<!like )(?<!been )going to (?!the\b|an?\b|my\b|our\b|some\b)|gonna|plan(?:s|ning)?|intend\w*|next|tomorrow|tonight|upcoming|scheduled|due|"
    r"about to|aim\w*|hop(?:e|ing) to|want to|expects?|coming up|looking forward|is happening|by (?:the )?end|deadline|"
    r"until|in (?:two|three|a|\d+) (?:days?|weeks?|months?|years?))\b|'ll\b"
)
_PROGRESSIVE = _any(r"(?:\b(?:am|is|are)|'m|'re|'s) (?:\w+ )?(?!learning|studying|working|living|reading)\w+ing\b")
_PAST = _any(
    r"\b(?:was|were|did|didn't|had|went|ago|yesterday|last|made|took|got|saw|met|bought|came|gave|found|left|ran|won|"
    r"lost|wrote|read|began|ate|flew|drove|spent|broke|fell|taught|sold|built|heard|told|said|been|became|joined|"
    r"graduated|back in|used to|\w{2,}ed)\b"
)
_TENTATIVE = _any(
    r"\b(?:"
    + one_of(
        """maybe perhaps might possibly probably presumably apparently likely unlikely not_sure unsure I_guess I_suppose
        I_think we_think thinking_(?:of|about|to) considering hopefully hope_to hoping hopes? toying not_decided
        haven't_decided undecided tentative\\w* seems? could would_like_to 'd_like_to would_love_to 'd_love_to
        want(?:s|ed)?_to wish dream(?:s|ing)?_of depends? depending rumou?r\\w* supposedly looking_into
        to_be_confirmed tbc tbd not_final someday one_day if_(?:all|every|the|we|it|I)"""
    )
    + r"|(?<!in )may (?:well |also |not )?(?:be|have|need|go|move|take|want|start|change|come|buy|do|get|join|use|"
    r"switch|leave|postpone|delay|cancel)|may or may not)\b|(?<=\w)'d (?:like|love) to\b"
)
_PLANNED = _any(
    r"\b(?:will|won't|shall|(?<!started )(?<!start )(?<!love )(?<!like )(?<!been )going to (?!the\b|an?\b|my\b|our\b|some\b)|gonna|plan(?:s|ned)? (?:to|on|for|is)|planning|intend\w*|scheduled|upcoming|about to|"
    r"aim\w* to|due (?!to\b)|expects? to|expected to|saving up|my goal|set for|slated|looking forward to|tomorrow|"
    r"next (?:week|month|year|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b"
    r"|'ll\b"
)
_NEGATION = _any(
    r"\b"
    + one_of(
        """no_longer any_?more not never don't doesn't didn't isn't aren't wasn't weren't won't can't cannot couldn't
        haven't hasn't hadn't wouldn't shouldn't stopped quit gave_up neither nor dropped discontinued cancell?ed rejected"""
    )
    + r"\b"
)
_NO_NEGATION = _any(
    r"\b"
    + one_of(
        """not_only do(?:n't|_not)_(?:ever_)?forget won't_forget never_forget can't_wait cannot_wait can't_help not_just
        not_to_mention no_doubt why_not not_bad not_sure don't_mind never_(?:been_)?(?:happier|better)
        couldn't_be_(?:happier|better|more) not_(?:yet_)?(?:decided|final) stopped_by if_not whether_or_not"""
    )
    + r"\b"
)


class English:
    """The English rule set. It holds no state."""

    def parts(self, sentence: Sentence) -> list[Sentence]:
        """The stretch that may state something: without greeting, filler and a question at the end."""
        filler = _FILLER.match(sentence.masked)
        part = sentence.part(filler.end() if filler else 0, len(sentence.text))
        for lead in (_MOOD_BEFORE_REASON, _OBSERVATION):
            if match := lead.match(part.masked):
                part = part.part(match.end(), len(part.text))
        if part.is_question:
            tail = _QUESTION_TAIL.search(part.masked)
            if tail is None or tail.start() < 12:
                return []
            part = part.part(0, tail.start())
        for unwanted in (_ADDRESSED_TAIL, _MOOD_TAIL):
            if (tail := unwanted.search(part.masked)) and tail.start() >= 12:
                part = part.part(0, tail.start())
        return [part] if len(part.text) >= 8 else []

    def clauses(self, part: Sentence) -> list[Sentence]:
        """The clauses of a part, to see whether each sets a number of its own."""
        return part.split(_BETWEEN_CLAUSES)

    def is_left_out(self, part: Sentence, clues: Clues) -> bool:
        """Whether it is small talk, a question, a request, an opinion, a mood, unreal, in jest, or hearsay."""
        text = part.masked
        if _UNREAL.search(text) or _JOKE.search(text) or (_REPORTED.search(text) and not clues.named):
            return True
        if clues.measured:
            return not clues.business and not clues.named and bool(_SOMEBODY.match(text))
        if _TALK.search(text):
            return True
        if clues.named:
            return False
        starts = (_NOT_A_STATEMENT, _FLEETING, _OPINION, _EMPTY_PLAN)
        return any(start.match(text) for start in starts) or bool(_VAGUE.search(text))

    def signal(self, part: Sentence, clues: Clues) -> Signal | None:
        """The most telling reason to keep it, or None."""
        text = part.masked
        for kind, confidence, why, pattern in _SIGNALS:
            match = pattern.search(text)
            if match is None or _POINTS.match(text, match.end()):
                continue
            clause = _clause(text, match.end() - 1)
            if _TO_YOU.search(clause):
                return None
            if kind in ("event", "plan") and not _is_memorable(kind, text, clues):
                continue
            return Signal(kind, confidence, why, clause)
        if clues.measured:
            return Signal("fact", 0.85, "value", _clause(text, 0))
        if _TO_YOU.search(text):
            return None
        if clues.business and _OF_THE_COMPANY.search(text):
            return Signal("fact", 0.8, "about the company", _clause(text, 0))
        if clues.business and _FIGURE.search(text):
            return Signal("fact", 0.7, "figure", _clause(text, 0))
        if clues.named and _THIRD_PERSON_VERB.match(text):
            return Signal("fact", 0.75, "about a topic", _clause(text, 0))
        if clues.dated and _APPOINTMENT.search(text) and not _EVERYDAY.search(text) and not _UNCLEAR.search(text):
            return Signal("event", 0.7, "date", _clause(text, 0))
        return None

    def tense(self, text: str) -> Tense:
        """Whether the text tells of something past or to come; empty if it does not say."""
        if _FUTURE.search(text):
            return "future"
        if _PAST.search(text):
            return "past"
        return "future" if _PROGRESSIVE.search(text) else ""

    def certainty(self, signal: Signal) -> Certainty:
        """How settled the speaker says it is. A preference or a habit is never a plan."""
        if signal.kind not in ("preference", "habit") and _TENTATIVE.search(signal.clause):
            return "tentative"
        if signal.kind == "plan" or (
            signal.kind in ("fact", "ongoing", "event", "status") and _PLANNED.search(signal.clause)
        ):
            return "planned"
        return "confirmed"

    def negated(self, signal: Signal) -> bool:
        """Whether the statement denies what it states."""
        return bool(_NEGATION.search(_NO_NEGATION.sub("", signal.clause)))

    def takes_back(self, text: str) -> bool:
        """Whether the sentence says that the one before was not meant."""
        return bool(_TAKEN_BACK.search(text))


def _clause(text: str, position: int) -> str:
    """The clause around a position."""
    start, end = 0, len(text)
    for boundary in _CLAUSE_END.finditer(text):
        if boundary.end() <= position:
            start = boundary.end()
        elif boundary.start() > position:
            end = boundary.start()
            break
    return text[start:end]


_SOMETIME = re.compile(
    r"\b(?:recently|lately|finally|for the first time|once|a (?:few|couple of) \w+ ago|(?:when|after) I was|as a (?:kid|child)|"
    r"growing up|in college|just)\b"
)


def _is_memorable(kind: SignalKind, text: str, clues: Clues) -> bool:
    """Whether something that was done, or is meant to be done, is more than the run of the day."""
    specific = bool(re.search(r"\d|＿|(?<=[a-z,;] )(?!I\b)[A-Z]", text))
    if re.search(
        r"\b(?:now|today|tonight|weekend)\b.*\b(?:going to|plan|planning|want to)\b|going to.*\btonight\b", text
    ):
        return specific
    if kind == "plan":
        return True
    if _EVERYDAY.search(text):
        return specific and clues.dated
    return clues.dated or specific or bool(_SOMETIME.search(text))
