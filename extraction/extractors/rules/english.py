"""Which English sentences are worth keeping, as what, and how certain they are."""

from __future__ import annotations

import re

from extraction.extractors.protocol import Certainty
from extraction.extractors.rules.dates import Tense
from extraction.extractors.rules.sentences import Sentence
from extraction.extractors.rules.statement import Clues, Signal, SignalKind


def _any(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# --- the part of a sentence that says something ---------------------------------------------------------------------

_FILLER = _any(
    r"(?:(?:well|so|yes|yeah|yep|yup|no|nope|oh|ah|aw+|hm+|u[mh]+|ok(?:ay)?|sure|right|alright|all right|actually|honestly|anyway|anyways|by the way|btw|"
    r"haha+|ha|lol|of course|exactly|definitely|absolutely|wow|cool|great|nice|in fact|to be honest|i mean|you know(?: what)?|as you know|speaking of which|"
    r"also|and|but|plus|besides|additionally|in addition|on another note|on a brighter note|thanks?(?: you)?(?: so much| a lot)?|"
    r"(?:hey|hi|hello|thanks|thank you|dear|good (?:morning|afternoon|evening))(?: [^\s,.!?;:]+){0,4}|(?-i:[A-Z])[a-z]+(?=, (?:I|we|my|our)\b))"
    r"\s*[,:!–—-]+\s*|(?:and|but|so|also|well|actually|plus)\s+(?=(?:I|we|my|our)\b))+"
)
_QUESTION_TAIL = _any(
    r"\s*(?:[,;–—]|\s-|\b(?:and|but|so)\b)\s*(?:(?:and|but|so)\s+)?(?:(?:do|did|have|has|are|is|can|could|would|will|should|was|were|does|isn't|don't|aren't|won't)\s+"
    r"(?:you|your|that|this|it|there|we|i|they|he|she|anyone|right)\b|what|how|why|where|when|who|which|any\b|you\b|right\b|huh\b)"
)
_ADDRESSED_TAIL = _any(
    r",?\s+(?:and|so|but)\s+(?:I(?:'d| would| want(?:ed)?)(?: love| like)? to (?:share|talk|chat|tell|ask|discuss|hear)|I was (?:wondering|hoping)|nice to meet|"
    r"I(?:'m| am) (?:so |very |really )?(?:glad|happy|pleased) to (?:meet|chat|talk)|I would appreciate|thank)\b.*$"
)

# --- left out -------------------------------------------------------------------------------------------------------

_NOT_A_STATEMENT = _any(
    r"(?:you(?:'re|'ve|'ll|'d|r|rs|rself)?|that(?:'s|'ll|'d)?|it(?:'s|'ll|'d)?|its|this (?!week|month|year|quarter|spring|summer|autumn|fall|winter|weekend|morning|"
    r"afternoon|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|this is|these|those|he(?:'s|'ll|'d)?|she(?:'s|'ll|'d)?|they(?:'re|'ve|'ll|'d)?|his|her|"
    r"their|what|which|who|whom|whose|how|why|where|when(?! (?:I was|we were))|if|unless|whether|let me|let's(?! (?:go with|use|switch|move))|let us|please|can|could|"
    r"would|should|do|does|did|don't|is|are|am|was|were|will|shall|may I|have you|has|ok(?:ay)?|good|great|nice|cool|awesome|wow|thanks?|thank|sorry|congrat\w*|"
    r"congrats|welcome|glad|happy|sounds?|looks?|seems?|feels?|tell|give|show|help|recommend|suggest|explain|write|make|create|generate|summari[sz]e|translate|list|"
    r"imagine|suppose|pretend|remember|try|consider|keep|take|just|maybe you|perhaps you|hope(?:fully)?|wish|bye|goodbye|see|talk|catch|same|me too|me neither|not|no|"
    r"can't wait|couldn't|there (?:is|are|'s|was) (?:no|nothing|something|so|always|a lot)|as an ai|go|come|stay|check|look|feel|find|get|"
    r"everyone|everything|nothing|anything|something|someone|some people|people|sometimes (?:it|you|people))\b"
)
_TALK = _any(
    r"\b(?:(?:chat|chatting|talk|talking|speak|share|sharing|discuss|tell|ask|asking)(?:ing)? (?:this |it |that |something |about \w+ )?(?:with|to)? ?you|nice to meet|see you|talk to you|"
    r"AI companion|(?:want|wanted|like|love|hope|hoping) to (?:chat|talk|ask|share|discuss|hear|know more|tell|know|get some (?:advice|tips))|"
    r"thank you|thanks|your (?:advice|suggestions?|help|recommendations?|support|kindness|words|opinion|encouragement|concern|tips|guidance|ideas?|input|feedback)|"
    r"the (?:advice|suggestions?|recommendations?|compliment|encouragement|tips)|for asking|good (?:question|point|idea|luck|night)|keep (?:that|this|these|it) in mind|"
    r"(?:any|some) (?:advice|suggestions|tips|recommendations|ideas|thoughts)\b|I was (?:wondering|hoping|thinking if)|I wonder|I'm wondering|come to mind|"
    r"be in touch|stay in touch|let you know|look forward to hearing|(?:these|those|your) (?:suggestions|recommendations|tips|ideas|methods|words))\b"
)
_UNREAL = _any(
    r"\b(?:if I were|if we were|if I was|if I had|if we had|if only|I wish|we wish|would have|would've|could have|could've|should have|what if|suppose |imagine |pretend|"
    r"hypothetically|in theory|let's say|as if|as though)\b|\b(?:I|we)(?:'d| would) (?:be|go|do|say|choose|buy|move|live|use|take|never|probably)\b.*\bif\b|^if\b"
)
_JOKE = _any(
    r"\b(?:just kidding|only kidding|i'm kidding|i am kidding|kidding|jk|just joking|i'm joking|only joking|joking aside|/s|lol|lmao|rofl)(?!\w)"
)
_TAKEN_BACK = _any(
    r"^\W*(?:ha+\W*)*(?:just kidding|only kidding|(?:i'm|i am) (?:just |only )?(?:kidding|joking)|kidding|jk|just joking|not really|scratch that|never ?mind|forget (?:that|what i said))\b"
)
_REPORTED = _any(
    r"\b(?:he|she|they|my \w+(?: \w+)?|people|someone|everyone|(?-i:[A-Z])\w+)(?:'s)? (?:always |just |once )?(?:said|says|saying|told|tells|asked|asks|claims?|claimed|joked|jokes|suggested|suggests)\b"
)
_FLEETING = _any(
    r"^(?:(?:today|lately|recently|right now|now|currently|these days),?\s+)?(?:I|we)(?:'m|'re| am| are| was| were| feel| felt|'ve been| have been|'m feeling| am feeling|'ve been feeling)"
    r"(?:\s+(?:been|feeling|so|really|very|a bit|a little|quite|just|still|also|pretty|kind of|kinda|somewhat|super|always|extremely|such|truly|totally|even|"
    r"definitely|absolutely|all|too|both|more|much|quite|incredibly))*\s+"
    r"(?:glad|happy|sad|sorry|excited|tired|down|upset|frustrated|anxious|worried|nervous|confused|grateful|thankful|thrilled|proud|relieved|good|well|great|fine|ok|"
    r"okay|better|bad|bored|stressed|overwhelmed|exhausted|lonely|curious|surprised|amazed|impressed|touched|moved by|sure|certain|glad|here|back|ready|lucky|blessed|"
    r"afraid|scared|embarrassed|lost|stuck|honou?red|pleased|delighted|inspired|motivated|hopeful|optimistic|helpless|hopeless|uncomfortable|comfortable|relaxed|calm|"
    r"refreshed|warm|like|that|doing|having|looking forward|hoping|wondering|listening|kidding|joking|talking|chatting|saying|asking|free|busy|hungry|sleepy|"
    r"in (?:a|the) (?:\w+ )?mood|with you|on it|all ears|not sure|unsure|aware|familiar|so|it|there|at a loss|pumped|stoked|determined|up for|swamped|wiped)\b"
)
_OPINION = _any(
    r"^(?:I|we) (?:(?:also|just|really|still|totally|completely|definitely|always|do|can|could|will|'ll) )*(?:think|believe|feel|guess|suppose|agree|understand|see|know|hope|hear|bet|mean|"
    r"imagine|find|found|thought|felt|heard|noticed|realized|realised|appreciate|wonder|remember|hear|can imagine|can see|can relate|couldn't agree|could use|doubt)\b"
)
_EMPTY_PLAN = _any(
    r"^(?:I|we)(?:'ll| will| would|'d| should| can| could|'m going to| am going to|'m gonna| might| may| need to| have to| must|'ll have to| want to|'d like to| would like to|'d love to)"
    r"(?: (?:definitely|certainly|surely|try|try to|also|always|just|be sure to|make sure to|do my best|really|probably|continue to|consider|keep|start|carefully|"
    r"think about|remember to))*(?:,? (?:try|consider|check|look|take|do|keep|give|think|remember|be|follow|see|make sure|let|pay attention|get|go|read|watch|listen|start|continue|"
    r"use|have|share|talk|work|tell|ask|find|chat|adopt|implement|apply)\b)?(?: (?:it|that|this|them|these|those|some of|more of|your|you|into it|out|careful|sure|one|so|my best|all|any)\b)"
)
_EVERYDAY = _any(
    r"\b(?:walk|walked|walking|stroll|jog|jogged|jogging|run|ran|running|ate|eat|eating|lunch|dinner|breakfast|slept|sleep|woke|nap|shower|worked|rest|rested|weather|"
    r"relax(?:ed|ing)?|chatted|talked|listened|scroll|hung out|coffee)\b"
)

# --- worth keeping --------------------------------------------------------------------------------------------------

_ADVERBS = (
    r"(?:\s+(?:really|also|still|just|always|usually|often|sometimes|recently|currently|now|actually|particularly|especially|mostly|generally|normally|quite|"
    r"absolutely|finally|already|only|totally|never|truly|both|even|mainly|do|personally|generally|regularly|occasionally|frequently|typically|mainly|lately|"
    r"officially|formally|together|first|then|once|kind of|definitely|very much|much|rarely|seldom|don't|do not|can't|cannot))*"
)
_WE = r"(?:\b(?:I|we)|\bmy (?:wife|husband|partner|family|kids?|children|son|daughter|sister|brother|mom|mother|dad|father|team|colleagues?|friends?|girlfriend|boyfriend) and I)"
_BE = r"(?:(?:'m|'re| am| are)|(?:'ve|\s+have) been)"
_NOTHING = r"(?!\s+(?:it|that|this|them|these|those|your|you|how|what|him|her|the (?:idea|way|sound|look|part|vibe|thought|fact|advice)|to (?:think|see|hear|know|say|chat|talk|share|be)\b))"

_SIGNALS: list[tuple[SignalKind, float, str, re.Pattern[str]]] = [
    (kind, confidence, why, _any(pattern))
    for kind, confidence, why, pattern in [
        (
            "decision",
            0.9,
            "decision",
            rf"{_WE}(?:'ve| have)?{_ADVERBS}\s+(?:decided|agreed|chose|chosen|settled|opted|resolved|committed to|approved|rejected|signed off|picked|"
            r"went with|voted)\b(?! (?:it|with you|that one)\b)",
        ),
        (
            "decision",
            0.85,
            "decision",
            r"\b(?:we'll|we will|let's|we're|we are|I'll|I'm|I am) (?:go(?:ing)? with|us(?:e|ing) .+ instead|switch(?:ing)? (?:from|to)|mov(?:e|ing) (?:from|over) )"
            r"|\bwe (?:switched|migrated|changed) (?:from|to|the|our)\b",
        ),
        (
            "decision",
            0.9,
            "decision",
            r"\b(?:the )?(?:final )?decision (?:is|was)\b|\b(?:has|have|was|were|been|is|got) (?:approved|rejected|chosen|selected|agreed|decided|signed off|adopted)\b"
            r"|\b(?-i:[A-Z])\w+ (?:has )?(?:decided|agreed|chose|approved|rejected|signed off)\b",
        ),
        (
            "status",
            0.9,
            "change in life",
            rf"{_WE}(?:'ve| have| just|'m| am| was| were| got| are|'re)?{_ADVERBS}\s+(?:graduated|got married|married|engaged|got engaged|divorced|got divorced|"
            r"moved (?:to|into|from|back|in|out)|quit|resigned|got promoted|promoted|hired|laid off|fired|retired|born|adopted|diagnosed|broke up|separated|"
            r"got (?:a|an|the|my|accepted|into|hired|pregnant)\b(?! (?:chance|lot|bit|feeling))|bought (?:a|an|our|my) (?:new |first |used |small |old )?(?:house|car|home|flat|apartment|"
            r"bike|boat|condo)|enrolled|passed (?:the|my|an?) |won |published|launched|founded|opened (?:a|my|our)|joined |started (?:a|my|our|work|at|learning|studying|taking|volunteering|"
            r"doing|playing|going|watching|reading|working)|signed up|took up|gave up|stopped |no longer |adopted|injured|broke my|sprained|lost my (?:job|wallet|father|mother|dad|mom|dog|cat))",
        ),
        (
            "status",
            0.85,
            "status",
            r"\b(?:is|are|was|were|has been|have been|has|have|got|been)\s+(?:now |finally |already |officially |currently |still |just )?(?:done|finished|complete|completed|live|launched|"
            r"delayed|postponed|cancell?ed|on hold|blocked|shipped|delivered|signed|released|deployed|in progress|overdue|resolved|fixed|paused|resumed|"
            r"rescheduled|moved to|pushed back|closed|opened|merged|archived|deprecated|pending|under review|in production|expired|renewed|terminated|"
            r"discontinued|promoted|hired|replaced|behind schedule|on track|ahead of schedule|pregnant|retired|in hospital|hospitali[sz]ed)\b",
        ),
        (
            "status",
            0.8,
            "change",
            r"\b(?:left the (?:company|team|project)|passed away|died|took over|stepped down|went live|got married|is leaving|joined the (?:team|company|project)|"
            r"no longer (?:works|uses|lives|wants|needs|has|have|use|need|work))\b|\b(?:I|we) no longer\b",
        ),
        (
            "preference",
            0.9,
            "preference",
            rf"{_WE}(?:'ve|'d| have)?{_ADVERBS}\s+(?:like|love|enjoy|prefer|hate|dislike|adore|loved|enjoyed|favou?r|stand|can't stand|detest|appreciate)\b{_NOTHING}"
            r"(?! (?:talking|chatting|hearing|to know more|a|nothing|everything)\b)",
        ),
        (
            "preference",
            0.9,
            "preference",
            r"\bmy (?:all-time |absolute |other )?favou?rites?\b|\bis my favou?rite\b|\b(?:big|huge|massive|avid|great) (?:fan|lover|reader)\b|\ba fan of\b",
        ),
        (
            "preference",
            0.85,
            "preference",
            rf"{_WE}{_BE}{_ADVERBS}\s+(?:so |very |a bit |not |pretty |super )?(?:fond of|keen on|passionate about|crazy about|interested in|into|hooked on|obsessed with|allergic to|"
            r"addicted to|drawn to|fascinated by|a (?:vegan|vegetarian)|vegan|vegetarian|lactose|gluten|picky)\b"
            + _NOTHING,
        ),
        (
            "preference",
            0.8,
            "interest",
            r"\b(?:my (?:main |biggest )?(?:hobby|hobbies|passion|passions|interests?|go-to)\b|(?:is|are) (?:one of )?my (?:passion|hobby|hobbies|thing|happy place))",
        ),
        (
            "preference",
            0.75,
            "taste",
            r"^(?:my|our) \w+(?: \w+)? (?:likes?|loves?|enjoys?|prefers?|hates?|dislikes?|adores?)\b" + _NOTHING,
        ),
        (
            "plan",
            0.8,
            "plan",
            rf"{_WE}{_BE}{_ADVERBS}\s+(?:planning|plan|going to|gonna|about to|considering|preparing|aiming|intending|saving up|saving|thinking (?:about|of)|looking (?:into|for)|hoping to)\b"
            r"(?! (?:it|that|this|them|do it|try|say|be|ask|tell|need|check|look|going\b|how|what|the same|do my best|forward|keep|miss|love|see)\b)",
        ),
        (
            "plan",
            0.8,
            "plan",
            rf"{_WE}(?:'d|'ve| have| would)?{_ADVERBS}\s+(?:plan|intend|aim|hope|want|wanted|like|love|need|dream|wish|look forward) to (?!\w+ (?:it|that|this|them|you)\b|try that|be able|"
            r"share|chat|talk|know|hear|ask|tell|see you|say|thank|go on|think|feel|make sure|do|have|be|keep|find a|express|discuss|get some|become friends)\w+",
        ),
        (
            "plan",
            0.75,
            "goal",
            r"^(?:my|our) (?:main |ultimate |long-term |biggest |next |new )?(?:goal|plan|dream|aim|ambition|target|priority|resolution|intention)s? (?:is|are|for|has|was)\b",
        ),
        (
            "habit",
            0.85,
            "habit",
            r"\b(?:I|we)(?:'ve| have|'m| am)?\s+(?:usually|often|always|normally|typically|regularly|generally|sometimes|rarely|never|tend to|frequently|mostly|occasionally|try to)\s+"
            r"(?!(?:think|feel|wonder|wanted|be|felt|been|feeling|believe|appreciate|hope|know|thought|find|dreamed|agree|understand|forget|learning)\b)\w+",
        ),
        (
            "habit",
            0.85,
            "habit",
            r"\b(?:I|we|my \w+)\b.*\b(?:every (?:\w+ )?(?:day|week|weekend|morning|evening|night|month|year|summer|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|"
            r"(?:once|twice|\w+ times) (?:a|per) (?:day|week|month|year)|on (?:weekends|weekdays|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)|daily|weekly)\b",
        ),
        (
            "fact",
            0.85,
            "ongoing",
            rf"{_WE}{_BE}{_ADVERBS}\s+(?:learning|studying|reading|working (?:on|at|for|as|in|with)|training|building|writing|preparing for|watching|practi[sc]ing|taking|playing|teaching|"
            r"running|developing|trying to|collecting|volunteering|living|dating|seeing a|renting|recovering|struggling with|suffering|dealing with|attending|researching|"
            r"making|cooking|growing|renovating|raising|using|following|losing|exercising|organi[sz]ing|creating|selling|managing|leading|hiring|experimenting|exploring|applying|interning|participating|"
            r"facing|under (?:a lot|treatment)|going through|going to|experiencing)\b(?! (?:it|that|this|them|a bit|part in this|care)\b)",
        ),
        (
            "fact",
            0.9,
            "about the person",
            r"\bI(?:'m| am) (?:(?:also|now|currently|still|actually) )?(?:an? (?!bit|little|lot|fan|big|huge|good|great|friend|companion|AI|beginner)(?:\w+ ){0,3}\w+|from (?!the same)|based in|married|single|divorced|engaged|widowed|pregnant|retired|"
            r"unemployed|left-handed|colou?r-?blind|bilingual|originally|allergic|diabetic|\d{1,2}\b|in (?:my|the) (?:\w+ )?(?:year|grade)|in charge|responsible for|introverted|extroverted)",
        ),
        (
            "fact",
            0.9,
            "about the person",
            r"\b(?:I|we)(?:'ve| have)?(?:\s+(?:currently|now|still|also|just|recently|both|only|actually|always))* (?:live|lived|lives|living|work (?:at|for|as|in|with|from)|worked (?:at|for|as|in)|was born|grew up|"
            r"come from|came from|study|studied|majored|major in|speak|own|teach|taught|play|played|practice|practise|volunteer|collect|drive|commute|run an?|specialize|specialise|weigh|use|"
            r"used to|have known|have worked|have lived|been (?:married|together|working|living|learning|studying|playing|running|doing)|suffer from|take (?:medication|insulin|pills)|rent|eat|drink|believe in|belong)\b"
            r"(?! (?:it|that|this|them|to (?:it|that|think|feel|be))\b)",
        ),
        (
            "fact",
            0.85,
            "about the person",
            r"\b(?:I|we)(?:'ve got| have| had| own)(?: (?:also|always|still|only|actually|currently|just))? (?:(?:an?|two|three|four|five|six|no|some|several|\d+|my own|our own)) (?!question|idea|feeling|problem with|chance|lot|bit|good|great|nice|wonderful|"
            r"blast|ball|idea|clue|suggestion|doubt|choice|look|chat|talk|moment|minute|fun|long day|rough|hard time|tough|way|similar|point|plan|favou?rite|better|"
            r"ideas|questions|fantastic|amazing|really|new task|few|more|time|dream|thing|crush on you|sense|hope|goal|other|strong|positive|pleasant|understanding)",
        ),
        (
            "fact",
            0.8,
            "about the company",
            r"\b(?:we|our (?:team|company|office|business|department|factory|store|shop|clients?|customers?|product|plant|warehouse))(?:'ve| have)? (?:\w+ ){0,2}?(?:use|need|require|require[sd]|run|operate|sell|employ|serve|have|has|"
            r"uses|needs|runs|operates|sells|employs|serves|ship|ships|support|supports|offer|offers|produce|produces|expect|expects|pay|pays|must|cannot|can't|is|are)\b(?! (?:to chat|fun|a (?:good|great|blast|nice|wonderful)|so|you|friends)\b)",
        ),
        (
            "fact",
            0.75,
            "relation",
            r"^(?:my|our) (?!opinion|view|mood|day|thoughts?|feelings?|question|point|pleasure|mind|understanding|apologies|bad|heart|best|problem|concern|worry|first (?:chat|time)|"
            r"conversation|friendship|weekend|turn|condition|physical|energy|advice|suggestion|eyes|life|experience|impression|future|evening|morning|body|interest in you|emotions?)"
            r"(?:[\w'’-]+ ){1,4}?(?:is|are|was|were|has|have|had|works?|lives?|likes?|loves?|got|wants?|needs?|passed|died|comes?|goes|started|graduated|moved|broke|keeps?|studies|plays?|runs?|can't|"
            r"cannot|just|doesn't|don't|recently|used|gave|taught|bought|made|uses?|speaks?|teaches|owns?|turned|said yes)\b",
        ),
        (
            "event",
            0.75,
            "event",
            rf"{_WE}(?:'ve| have)?{_ADVERBS}\s+(?:went|visited|bought|attended|saw|met|took|made|learned|learnt|read|watched|finished|cooked|baked|tried|ran|won|lost|found|built|wrote|gave|"
            r"had|got|ate|joined|participated|volunteered|hosted|celebrated|travel+ed|flew|hiked|camped|painted|played|performed|presented|interviewed|applied|submitted|"
            r"completed|started|began|created|planted|adopted|received|ordered|signed|organi[sz]ed|drove|spent|stayed|fell|broke|hurt|helped|donated|raised|set up|gone|been to|seen|done|"
            r"came|left|sold|moved|caught|discovered|encountered|experienced|practiced|practised|listened to|called|heard|dropped|hit|shot|spoke|discussed)\b(?! (?:it|that|this|them|a (?:lot|bit|great time|blast))\b)",
        ),
    ]
]
_THIRD_PERSON_VERB = _any(
    r"^[^,.;]{1,60}?\b(?:is|are|was|were|has|have|had|will|can|must|cannot|can't|wants?|needs?|requires?|uses?|works?|lives?|leads?|owns?|manages?|prefers?|likes?|loves?|joined|left|moved|"
    r"started|signed|bought|plays?|speaks?|reports to|handles?|runs?|covers?|expects?|starts?|ends?|begins?|launch(?:es|ed)?|costs?|takes? place|asked for|doesn't|don't|won't|hates?|studies|"
    r"graduated|sold|built|opened|closed|won|lost|met|visited|went|approved|should|may|might|plans?|stays?|supports?|contains?|includes?)\b"
)
_BUSINESS_EVENT = _any(
    r"\b(?:meeting|kick-?off|launch(?:es|ed)?|release|deadline|contract|delivery|go-?live|demo|call|workshop|review|appointment|interview|exam|wedding|flight|trip|conference|party|birthday|"
    r"due|starts?|ends?|begins?|opens?|closes?|arrives?|expires?|renewal|scheduled|pilot|migration|training|audit|session|surgery|event|concert|race|class|course|visit|signed|shipped|moved|postponed)\b"
)

# --- tense, certainty, negation --------------------------------------------------------------------------------------

_FUTURE = _any(
    r"\b(?:will|won't|shall|going to|gonna|plan(?:s|ning)?|intend\w*|next|tomorrow|tonight|upcoming|scheduled|due|about to|aim\w*|hop(?:e|ing) to|want to|expects?|coming up|"
    r"looking forward|is happening|by (?:the )?end|deadline|until|in (?:two|three|a|\d+) (?:days?|weeks?|months?|years?))\b|'ll\b"
)
_PRESENT_PROGRESSIVE = _any(r"(?:\b(?:am|is|are)|'m|'re|'s) (?:\w+ )?\w+ing\b")
_PAST = _any(
    r"\b(?:was|were|did|didn't|had|went|ago|yesterday|last|made|took|got|saw|met|bought|came|gave|found|left|ran|won|lost|wrote|read|began|ate|flew|drove|spent|broke|fell|taught|"
    r"sold|built|heard|told|said|been|became|joined|graduated|back in|used to|\w{2,}ed)\b"
)
_TENTATIVE = _any(
    r"\b(?:maybe|perhaps|might|possibly|probably|presumably|apparently|likely|unlikely|not sure|unsure|I guess|I suppose|I think|we think|thinking (?:of|about|to)|considering|"
    r"hopefully|hope to|hoping|hopes?|toying|not decided|haven't decided|undecided|tentative\w*|seems?|could|would like to|'d like to|would love to|'d love to|want(?:s|ed)? to|wish|dream(?:s|ing)? of|"
    r"if (?:all|every|the|we|it|I)|depends?|depending|rumou?r\w*|supposedly|looking into|may (?:be|have|need|go|move|take|want|start|change|not|come|buy|do|get|also|join|use|switch|leave)|I'd guess|"
    r"or so I heard|exploring|to be confirmed|tbc|tbd|not final|someday|one day|may or may not)\b"
)
_PLANNED = _any(
    r"\b(?:will|won't|shall|going to|gonna|plan(?:s|ning|ned)? (?:to|on|for|is)|planning|intend\w*|scheduled|upcoming|about to|aim\w* to|due|expects? to|expected|preparing|saving up|"
    r"goal|is to|are to|set for|slated|next step|looking forward to|need to|have to)\b|'ll\b"
)
_NEGATION = _any(
    r"\b(?:no longer|not any ?more|any ?more|not|never|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|won't|can't|cannot|couldn't|haven't|hasn't|hadn't|wouldn't|shouldn't|"
    r"stopped|quit|gave up|without|neither|nor|dropped|discontinued|cancelled|canceled|rejected)\b"
)
_NO_NEGATION = _any(
    r"\b(?:not only|do(?:n't| not) (?:ever )?forget|won't forget|never forget|can't wait|cannot wait|can't help|not just|not to mention|no doubt|without (?:a )?doubt|why not|not bad|not sure|"
    r"don't mind|never (?:been )?(?:happier|better)|couldn't be (?:happier|better|more)|not (?:yet )?(?:decided|final)|stopped by|quit(?= my)|don't know (?:if|whether|how|what|why)|if not)\b"
)


class English:
    """The English rule set. The object holds no state."""

    def parts(self, sentence: Sentence) -> list[Sentence]:
        """The stretches that may state something: without greeting, filler and a question at the end."""
        filler = _FILLER.match(sentence.masked)
        part = sentence.part(filler.end() if filler else 0, len(sentence.text))
        if part.is_question:
            tail = _QUESTION_TAIL.search(part.masked)
            if tail is None or tail.start() < 12:
                return []
            part = part.part(0, tail.start())
        if addressed := _ADDRESSED_TAIL.search(part.masked):
            part = part.part(0, addressed.start())
        return [part] if len(part.text) >= 8 else []

    def is_left_out(self, part: Sentence, clues: Clues) -> bool:
        """Whether it is small talk, a question, a request, an opinion, a mood, unreal, in jest, or said by somebody else."""
        text = part.masked
        if _UNREAL.search(text) or _JOKE.search(text):
            return True
        if clues.measured:
            return bool(_REPORTED.search(text)) and not clues.named
        if _NOT_A_STATEMENT.match(text) and not clues.named:
            return True
        if _REPORTED.search(text) and not clues.named:
            return True
        if re.search(r"\byou(?:r|rs|'re|'ve|'ll|'d)?\b", text, re.IGNORECASE) or _TALK.search(text):
            return True
        return bool(_FLEETING.match(text) or _OPINION.match(text) or _EMPTY_PLAN.match(text))

    def signal(self, part: Sentence, clues: Clues) -> Signal | None:
        """The most telling reason to keep it, or None."""
        text = part.masked
        for kind, confidence, why, pattern in _SIGNALS:
            if not pattern.search(text):
                continue
            if kind == "event" and not _is_memorable(part, clues):
                continue
            return Signal(kind, confidence, why)
        if clues.measured:
            return Signal("fact", 0.85, "value")
        if clues.named and _THIRD_PERSON_VERB.match(text):
            return Signal("fact", 0.75, "about a topic")
        if clues.dated and _BUSINESS_EVENT.search(text):
            return Signal("event", 0.7, "date")
        return None

    def tense(self, text: str) -> Tense:
        """Whether the sentence tells of something past or to come; empty if it does not say."""
        if _FUTURE.search(text):
            return "future"
        if _PAST.search(text):
            return "past"
        return "future" if _PRESENT_PROGRESSIVE.search(text) else ""

    def certainty(self, text: str, signal: Signal, tense: Tense, *, dated: bool) -> Certainty:
        """How settled the speaker says it is."""
        if _TENTATIVE.search(text):
            return "tentative"
        if signal.kind == "decision":
            return "confirmed"
        if _PLANNED.search(text) or signal.kind == "plan":
            return "planned"
        return "confirmed"

    def negated(self, text: str) -> bool:
        """Whether the sentence denies what it states."""
        return bool(_NEGATION.search(_NO_NEGATION.sub("", text)))

    def takes_back(self, text: str) -> bool:
        """Whether the sentence says that the one before was not meant."""
        return bool(_TAKEN_BACK.search(text))


def _is_memorable(part: Sentence, clues: Clues) -> bool:
    """Whether something that was done is more than the run of the day."""
    specific = bool(re.search(r"\d|＿|(?<=[a-z,;] )(?!I\b)[A-Z]", part.masked))
    if _EVERYDAY.search(part.masked):
        return specific and clues.dated
    return (
        clues.dated
        or specific
        or bool(re.search(r"\b(?:recently|lately|finally|for the first time|once)\b", part.masked, re.IGNORECASE))
    )
