"""Which English sentences are worth keeping, as what, and how certain they are."""

from __future__ import annotations

import re
from dataclasses import replace

from extraction.extractors.protocol import Certainty
from extraction.extractors.rules.dates import Tense
from extraction.extractors.rules.english_signals import CONTACT_WISH, PERIOD, RULES, any_case, speakers
from extraction.extractors.rules.sentences import Sentence
from extraction.extractors.rules.statement import SECRET, Clues, Signal, SignalKind, one_of
from extraction.extractors.rules.undecided import is_left_open, without_open_matters

# --- the part of a sentence that says something ---------------------------------------------------------------------

_FILLER_WORDS = one_of(
    """well so yes yeah yep yup no nope oh ah aw+ hm+ u[mh]+ ok okay sure right alright all_right actually honestly
    anyways? by_the_way btw haha+ ha lol of_course exactly definitely absolutely wow cool great nice in_fact
    to_be_honest i_mean you_know(?:_what)? as_you_know speaking_of_which also and but plus besides additionally
    furthermore in_addition on_another_note on_a_brighter_note thanks?(?:_you)?(?:_so_much|_a_lot)? however
    for_example for_instance unfortunately fortunately luckily sadly (?:my_)?(?:dear_)?(?:friend|buddy|AI_companion)
    fyi note update ps reminder I_was_(?:just_|also_)?thinking other_than_that apart_from_that"""
)
_GREETING = one_of("hey hi hello thanks thank_you dear good_morning good_afternoon good_evening")
_FILLER = any_case(
    rf"(?:(?:{_FILLER_WORDS}(?: (?-i:[A-Z])[a-z]+)?|since (?:we|our) last (?:chat\w*|talk\w*|spoke|conversation)|"
    rf"{_GREETING}(?: [^\s,.!?;:]+){{0,4}})\s*[,:!–—-]+\s*"
    r"|(?:and|but|so|also|well|actually|plus|by the way|btw|fyi|just so you know|for (?:your information|the record)|"
    r"in fact|to be honest)\s+(?=(?:I|we|my|our)\b))+"
)
_QUESTION_TAIL = any_case(
    r"\s*(?:[,;–—]|\s-|\b(?:and|but|so)\b)\s*(?:(?:and|but|so)\s+)?(?:(?:do|did|have|has|are|is|can|could|would|will|"
    r"should|was|were|does|isn't|don't|aren't|won't)\s+(?:you|your|that|this|it|there|we|i|they|he|she|anyone|right)\b"
    r"|what|how|why|where|when|who|which|any\b|you\b|right\b|huh\b)"
)
_REMINDER_TAIL = any_case(
    r"(?:,\s*(?:(?:so|and|but)\s+)?|\s+so\s+|\s+(?:and\s+)?(?=please\b|kindly\b))(?:please,?\s+|kindly\s+)?"
    r"(?:(?:keep|bear|have)\s+(?:that|this|it)\s+in mind|(?:note|remember|don't forget|do not forget)"
    r"(?:\s+(?:that|this|it))?)(?:,?\s+(?:please|thanks|thank you))*\s*[.!]*$"
)
_ADDRESSED_TAIL = any_case(
    r",?\s+(?:and|so|but)\s+(?:I(?:'d| would| want(?:ed)?)(?: love| like)? to (?:share|talk|chat|tell|ask|discuss|hear)"
    r"|I was (?:wondering|hoping)|nice to meet|I(?:'m| am) (?:so |very |really )?(?:glad|happy|pleased) to "
    r"(?:meet|chat|talk)|I would appreciate|thank|don't know how|I don't know|I'm not sure (?:how|what|if|"
    r"whether))\b.*$"
)

# --- left out -------------------------------------------------------------------------------------------------------

_NOT_A_STATEMENT = any_case(
    r"(?:you(?:'re|'ve|'ll|'d|r|rs|rself)?|that(?:'s|'ll|'d)?|it(?:'s|'ll|'d)?|its|"
    rf"this (?!{PERIOD})|he(?:'s|'ll|'d)?|she(?:'s|'ll|'d)?|they(?:'re|'ve|'ll|'d)?|when(?! (?:I was|we were))|"
    r"let's(?! (?:go with|use|switch|move))|there (?:is|are|'s|was) (?:no|nothing|something|so|always|a lot)|"
    r"sometimes (?:it|you|people)|"
    + one_of(
        """these those his her their what which who whom whose how why where if unless whether let_me let_us please
        can could would should do does did don't is are am was were will shall may_I have_you has ok okay good
        great nice cool awesome wow thanks? thank sorry congrat\\w* welcome glad happy sounds? looks? seems? feels?
        tell give show help recommend suggest explain write make create generate summari[sz]e translate list
        imagine suppose pretend remember try consider keep take just maybe_you perhaps_you hope(?:fully)? wish bye
        goodbye see talk catch same me_too me_neither not no can't_wait couldn't as_an_ai go come stay check look
        feel find get here's here remind schedule set book send add open use everyone everything nothing anything
        something someone some_people people the_weather life"""
    )
    + r")\b"
)
_SOMEBODY = any_case(r"(?:you|he|she|they|it|that|this|your|his|her|their)\b")
# In talk about a customer, "they" are the customer, and "their" people the customer's.
_THEY = any_case(
    r"their \w+|(?:(?:probably|maybe|perhaps)\s+)?they\b(?! (?:look|sound|seem)\b| (?:are|were) (?!\w+ing\b))"
)
_TO_YOU = any_case(r"\byou(?:r|rs|rself|'re|'ve|'ll|'d)?\b")
_TALK = any_case(
    r"\b(?:nice to meet|see you|AI companion|(?:want|wanted|like|love|hope|hoping) to (?:chat|talk|ask|share|discuss|"
    r"hear|know|tell|get some (?:advice|tips))|thank you|thanks|the (?:advice|suggestions?|recommendations?|compliment|"
    r"encouragement|tips)|(?:these|those) (?:suggestions|recommendations|tips|ideas|methods|words)|for asking|"
    r"good (?:question|point|idea|luck|night)|keep (?:that|this|these|it) in mind|(?:any|some) (?:advice|suggestions|"
    r"tips|recommendations|ideas|thoughts)|I was (?:wondering|hoping)|I'm wondering|come to mind|(?:be|stay) in touch|"
    r"(?:we|I) can (?:talk|chat)|I wonder|so to speak|for sharing|need (?:some |your )?(?:help|advice))\b"
)
_UNREAL = any_case(
    r"\b(?:if (?:I|we) (?:were|was|had|could|won)|if only|I wish|we wish|would have|would've|could have|could've|"
    r"should have|what if|suppose |imagine |pretend|hypothetically|in theory|let's say|as if|as though)\b"
    r"|\b(?:I|we)(?:'d| would) (?:be|go|do|say|choose|buy|move|live|use|take|never|probably)\b.*\bif\b|^if\b"
)
_JOKE = any_case(
    r"\b(?:just kidding|only kidding|i'm kidding|i am kidding|kidding|jk|just joking|i'm joking|only joking|"
    r"joking aside|lol|lmao|rofl)(?!\w)|(?<!\S)/s(?!\w)"
)
_TAKEN_BACK = any_case(
    r"^\W*(?:ha+\W*)*(?:just kidding|only kidding|(?:i'm|i am) (?:just |only )?(?:kidding|joking)|kidding|jk|"
    r"just joking|scratch that|never ?mind|forget (?:that|what i said))\b"
)
_REPORTED = any_case(
    r"\b(?:he|she|they|my \w+(?: \w+)?|people|someone|everyone|(?-i:[A-Z])\w+)(?:'s)? (?:always |just |once )?"
    r"(?:said|says|saying|told|tells|asked(?! for)|asks(?! for)|claims?|claimed|joked|jokes|suggested|suggests)\b"
)
_INTENSIFIERS = one_of(
    """been feeling so really very a_bit a_little quite just still also pretty kind_of kinda somewhat super always
    extremely such truly totally even definitely absolutely all too both more much incredibly not now"""
)
_MOODS = one_of(
    """glad happy sad sorry excited tired down upset frustrated anxious worried nervous confused grateful thankful
    thrilled proud relieved good well great fine ok okay better bad bored stressed overwhelmed exhausted lonely
    curious surprised amazed impressed touched moved_by sure certain lucky blessed afraid scared embarrassed lost
    stuck honou?red pleased delighted inspired motivated hopeful optimistic helpless hopeless uncomfortable
    comfortable relaxed calm refreshed warm like that doing having looking_forward hoping wondering listening
    kidding joking talking chatting saying asking free busy hungry sleepy in_(?:a|the)_(?:\\w+_)?mood with_you
    on_it all_ears unsure aware familiar so it there here back ready at_a_loss pumped stoked determined up_for
    swamped wiped"""
)
_FLEETING = any_case(
    r"(?:(?:today|lately|recently|right now|now|currently|these days),?\s+)?"
    r"(?:I|we)(?:'m|'re| am| are| was| were| feel| felt|'ve been| have been| always feel)"
    rf"(?:\s+{_INTENSIFIERS})*\s+{_MOODS}\b"
)
_MOOD_TAIL = any_case(
    rf",?\s+(?:and|but|so) {_FLEETING.pattern}(?! to (?:say|announce|report|share|tell)\b).*$|"
    r",?\s+(?:and|but) (?:it|I) (?:feels?|felt|seems?)\b.*$"
)
_MOOD_BEFORE_REASON = any_case(rf"{_FLEETING.pattern}[^,;]{{0,40}}?\b(?:because|since|as|that)\s+(?=(?:I|we|my|our)\b)")
_OBSERVATION = any_case(
    r"(?:I(?:'m| am) (?:\w+ )?(?:happy|glad|proud|pleased|delighted|excited|sorry|sad) to "
    r"(?:say|announce|report|share|tell you) (?:that )?|"
    r"I(?:'ve| have)? ?(?:also |just |recently )*(?:(?:noticed|realized|realised|found|discovered)(?: out)? that |"
    r"(?:noticed|discovered) (?=(?:(?:one|some|two) of )?my\b)))+"
)
# A question that tells what it asks for.
_TELLING_QUESTION = any_case(
    r"(?:.{12,}?(?:\s[-–—]|[,;:])\s+)?(?:remember (?:when|that|how)|(?:do|did) you know|"
    r"did I (?:ever )?(?:tell you|mention)|have I (?:ever )?(?:told you|mentioned)) "
    r"(?:that )?(?=(?:I|my|we|our)\b)"
)
# What is not to be forgotten is a statement; what is not to be forgotten to do is none.
_REMINDER = any_case(
    r"(?:please,? |(?:can|could|would) you (?:please )?)?"
    r"(?:(?:don't|do not|never) (?:ever )?forget|remember|memori[sz]e|"
    r"(?:keep|bear|have) in mind|(?:make a |take )?note(?: down)?|save|store|record|write down|update your memory|"
    r"add to (?:your|the) memory)(?: (?:this|it|the following))?"
    r"(?: that (?=\w)|: ?(?=\w)|,? (?=(?:I|I'm|I've|my|we|our)\b))"
)
_OPINION = any_case(
    r"^(?:I|we) (?:(?:also|just|really|still|totally|completely|definitely|always|do|can|could|will|'ll) )*"
    + one_of(
        """think believe feel guess suppose agree understand see know hope hear bet mean imagine find found thought
        felt heard noticed realized realised appreciate wonder remember can_relate couldn't_agree could_use doubt
        don't_(?:know|think|understand|believe|want|see|feel|mean|mind) do_not_(?:know|think|want) seem"""
    )
    + r"\b"
)
_EMPTY_PLAN = any_case(
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
_VAGUE = any_case(
    r"\b(?:(?:a|an|some|any|several|many|few) (?:\w+ )?(?:problems?|troubles?|questions?|worry|worries|difficulty|"
    r"difficulties|challenges?|issues|concerns?|suggestions?)(?: (?:at|with|in) (?:work|it|life))?"
    r"(?: (?:today|lately|recently))?(?:$|[.,!;]| and\b| that\b| but\b)|(?:a|some|any) new (?:skills?|knowledge|"
    r"things?)\b|"
    r"(?:movies|films|books|songs|stories) that (?:give|make|bring)s? me|watching some (?:movies|shows)|(?:saw|"
    r"read|found) an? (?:\w+ )?article|encountered an? [\w-]+ problem|"
    r"(?:find|choose|pick|seek|look for) (?:some|something|anything|an? (?:\w+ ){0,2}(?:way|place|hobby|activity|"
    r"balance|solution|method|movie|book))\b|"
    r"trying new things|exploring options|working on a (?:new )?project\b(?! (?:to|for|called|about|that|with))|"
    r"something (?:really |very |super )?(?:exciting|special|cool|awesome|like|new|fun|interesting|unhappy|sad|"
    r"unpleasant|nice|different|good)|such a\b|"
    r"got (?:a|the) chance|about (?:where|what|how)|"
    r"think(?:ing)? (?:of|about) (?:\w+ing(?:$|[.!])|(?:[\w-]+[- ](?:related )?)?"
    r"(?:issues|problems|things|life|work)\b)|"
    r"(?:go|visit|travel|get away)(?: to)? (?:a|some) (?:\w+ )?places?\b(?!.*\b(?:like|such as|called)\b)|"
    r"the meaning of life|enjoy my|not bad)"
)
_EVERYDAY = any_case(
    r"\b"
    + one_of(
        """walk walked walking stroll jog jogged jogging run ran running ate eat eating lunch dinner breakfast
        slept sleep woke nap shower worked rest rested weather relax(?:ed|ing)? chatted talked listened scroll
        hung_out coffee movie movies practice my_guitar
        raining snowing sunny cloudy drizzling windy chilly (?:so|very|really|too|quite|pretty)_(?:cold|hot|humid)"""
    )
    + r"\b"
)
_TODAY = any_case(r"\b(?:today|tonight|this (?:morning|afternoon|evening|weekend)|now)\b")
# What makes a day one to remember, other than a name or a number.
_OCCASION = any_case(
    r"\b"
    + one_of(
        """bought learn(?:ed|t|ing)? met registered joined attended passed received won lost broke signed sold started
        finished interview exam hospital doctor dentist surgery wedding funeral concert museum exhibition match race
        competition tournament conference workshop ceremony birthday anniversary graduation appointment volunteer\\w*
        baby born died adopted moved launch(?:ed)? adopt propos(?:ed|al) parade protest audition performance
        first_time charity fundraiser campaign camping hike hiking"""
    )
    + r"\b"
)

_POINTS = any_case(
    rf"\s*(?:[\w'-]+\s+){{0,2}}?(?:it|them|this|these|those|him)\b(?! {PERIOD}| past)|\s*(?:\w+ing\s+)?(?:that|one|"
    rf"his|her|both)\b|\s*to[.!]"
)

# --- worth keeping --------------------------------------------------------------------------------------------------

_OF_THE_COMPANY = any_case(
    r"\b(?:we|they|our (?:team|company|office|business|department|factory|store|shop|clients?|customers?|product|plant|"
    r"warehouse)|(?:the|their|our) (?:\w+ )?(?:c[eftoi]o|board|director|owner|manager|team|customer|client|supplier|"
    r"vendor|department|office|users?))(?:'ve| have)? (?:\w+ ){0,2}?"
    + one_of(
        """use need require required decide decided haven't run operate sell employ serve have has uses needs runs
        operates sells employs serves ships? supports? offers? produces? expects? pay pays must cannot can't is are
        does don't doesn't dislikes? likes? prefers? insists? insisted complains? complained
        rejected approved agreed asked left joined switched
        will plan plans want wants might may could won't added adding hired"""
    )
    + r"\b"
)
_REQUIREMENT = any_case(r"\b(?:must|needs? to|has to|have to|requires?|is a must|mandatory|not allowed)\b")
_FIGURE = re.compile(r"[$€£¥%]|\d(?:k|m|bn)\b")
_THIRD_PERSON_VERB = any_case(
    r"^(?:[^,.;]{1,40}, (?:the|our|their|my|an?) [^,.;]{2,40}, |[^,.;]{1,60}?\b)"
    + one_of(
        """is are was were has have had will can must cannot can't wants? needs? requires? uses? works? lives?
        leads? owns? manages? prefers? likes? loves? joined left moved started signed bought plays? speaks?
        reports_to handles? runs? covers? expects? starts? ends? begins? launch(?:es|ed)? costs? takes?_place
        approves decides signs checks pays negotiates reviews heads coordinates oversees represents sells teaches
        asked_for doesn't don't won't hates? studies graduated sold built opened closed won lost met visited went
        approved should may might plans? stays? supports? contains? includes?"""
    )
    + r"\b"
)
_APPOINTMENT = any_case(
    r"\b"
    + one_of(
        """meeting kick-?off launch(?:es|ed)? release deadline contract delivery go-?live demo call workshop review
        appointment interview exam wedding flight trip conference party birthday due starts? ends? begins? opens?
        closes?
        arrives? expires? renewal scheduled pilot migration training audit session surgery event concert race class
        course
        visit signed shipped moved postponed"""
    )
    + r"\b"
)

_UNCLEAR = any_case(r"\b(?:it|them|seem)\b")

# --- tense, certainty, negation --------------------------------------------------------------------------------------

_CLAUSE_END = any_case(
    r"[;–—]|\s-\s|\.\s|,?\s+(?:but|because|although|though|however|whereas|while|so that|which|who)\b|"
    r",\s+(?:(?:and|so|or)\s+)?(?=(?:I|we|he|she|it|they|my|our|this|that|the)\b)|"
    r"\s+and\s+(?=(?:I|I'm|I've|we|he|she|it|they|maybe|perhaps|feel(?:ing)?|felt|find|found|don't|can't|cannot|didn't|wasn't)\b)"
)
_BETWEEN_CLAUSES = any_case(
    r"[,;]\s+(?:and\s+|but\s+)?|\s+(?:and|but)\s+(?=(?:the|our|my|we|his|her|their|I|I'm|I've|we're|we've)\b)"
)
_FINITE = (
    one_of(
        """is are was were has have had will won't can can't must may needs? wants? uses? requires? prefers?
    likes? loves? hates? lives? works? pays? expects? starts? ends? costs? plans? left joined moved
    asked agreed approved signed decided"""
    )
    + r"\b"
)
_SOMETIMES = r"(?:(?:also|now|currently|still|really|always|usually|never|often|then|recently|just) )*"
_OF_THIRD = any_case(
    _SOMETIMES
    + one_of(
        """is has wants needs uses requires prefers likes loves hates dislikes lives works plays speaks owns runs leads
        manages pays expects doesn't won't asked"""
    )
    + r" \S"
)
_PREDICATE = any_case(
    rf"{_OF_THIRD.pattern}|{_SOMETIMES}"
    + one_of(
        """am have live work like love hate dislike prefer enjoy play speak own run lead manage want need use don't
        can't cannot won't can had was got bought moved started joined went grew studied learned"""
    )
    + r" \S"
)
_BETWEEN_PREDICATES = any_case(rf",?\s+(?:and|but)\s+(?=they\b|{_PREDICATE.pattern})")
_OF_NOUN = any_case(rf"(?:my|our|the)(?: (?!{_FINITE})[\w'-]+){{1,3}}(?= {_FINITE})")
_BY_SPEAKER = any_case(r"(?:[\w']+,? ){0,2}?I\b(?!')|I'")
_OF_ITS_OWN = any_case(
    r"(?:and )?(?:(?:I|I'm|I've|I'll|I'd|we|we're|we've|we'll|my|our)\b|"
    rf"(?:the\b|(?-i:[A-Z])).*?\b{_FINITE})"
)
# What is said of the clause before, or for the sake of it, is nothing without it.
_LEANS_ON = any_case(
    r"(?:but|so|or|yet|which|who|whom|whose|that|because|since|as|while|although|though|when|whenever|where|until|till|"
    r"unless|if|whether|it|its|it's|this|these|those|they|them|their|he|she|his|her|not|"
    r"and (?:it|this|that|they|he|she))\b"
)
# Under which the clause before it holds.
_CONDITION = any_case(r"\s*(?:(?:only|even|but) )*(?:if|as long as|unless|provided|on condition|subject to)\b")
_CONDITION_BEHIND = any_case(rf",(?:{_CONDITION.pattern})")
_REASON = any_case(r",?\s+(?:since|because|now that)\s+(?=(?:I|I've|I'm|my|we|we've|we're|our)\b)")
_DAY_OR_MONTH = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?)"
)
_FUTURE = any_case(
    r"\b(?:will|won't|shall|(?<!started )(?<!start )(?<!love )(?<!like )(?<!been )going to (?!the\b|an?\b|my\b|our\b|"
    r"some\b)|gonna|plan(?:s|ning)?|intend\w*|next|tomorrow|tonight|upcoming|about to|aim\w*|hop(?:e|ing) to|"
    r"(?<!was )(?<!were )(?:scheduled|due|planned (?:for|on))|might (?!have\b)|(?:postponed|delayed|deferred|"
    r"rescheduled|extended|(?:pushed|put|moved) (?:back|off|forward)|brought forward) (?:to|until|till)|want to|"
    r"expects?|coming up|looking forward|is happening|by (?:the )?end|deadline|until)\b|'ll\b"
)
# What was moved to a day is still to come on it; whoever moved to a town on a day has moved.
_PUT_ELSEWHERE = any_case(
    r"\b(?:mov|shift|push|pull|chang|postpon|delay|defer|reschedul|brought|bring|put|slip|extend)\w*"
    r"(?: (?:back|forward|out|up|the|our|my|[a-z-]+ing|[a-z-]+)){0,4}?(?: from [^,.;]{1,40}?)? (?:to|until|till) "
    r"(?:on |the )?(?:(?:early|mid|late|the (?:end|beginning) of|next|this|\d{1,2}(?:st|nd|rd|th)?(?: of)?)[ -])*"
    rf"(?:{_DAY_OR_MONTH}\b|tomorrow|next (?:week|month|year|quarter)|\d{{1,2}}(?:st|nd|rd|th)\b|Q[1-4]\b|"
    r"\d{4}-\d\d)"
)
_PROGRESSIVE = any_case(r"(?:\b(?:am|is|are)|'m|'re|'s) (?:\w+ )?(?!learning|studying|working|living|reading)\w+ing\b")
_SCHEDULE = any_case(
    r"\b(?:ends?|starts?|begins?|expires?|opens?|closes?|arrives?|leaves?|departs?|takes place|(?:is|are) (?:on|in|"
    r"at))\b|"
    r"\b(?:have|has|'ve got) an? (?:\w+ ){1,6}(?:on|at|in)\b|"
    r"\b(?:launch|release|delivery|go-?live|opening|start(?:ing)?|kick-?off|target|end|completion|shipping|handover|"
    r"event|wedding|meeting|exam) (?:date|day)(?:\s?:| (?:is|has been set)\b)"
)
# What was decided is still to come when it is decided, unless the sentence goes on to tell what came of it.
_DECIDED = any_case(
    r"\b(?:decid(?:e[sd]?|ing)|agree[sd]?|ch(?:oo|o)se|chosen|opted|voted|resolved|committed|promised|arranged|"
    r"(?:decision|agreement|plan|proposal) (?:is|was|has been))"
    r"(?: (?:on|in|with|at|by|last|this|yesterday|today|unanimously|together|finally|that day)\b[^,.;]{0,40}?)?"
    r" (?:to (?=[a-z])|(?P<that>that )(?=(?:we|I|it|they|the|our|my)\b))"
)
_FIXED_FOR = any_case(
    r"\b(?:ch(?:oo|o)se|chosen|picked|selected|fixed|(?:agreed|decided|settled) on|(?:opted|went) for) "
    rf"(?=(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? )?{_DAY_OR_MONTH}\b[\w ]{{0,12}} "
    r"(?:for|as) (?:the|our|my|an?)\b)"
)
_CAME_OF_IT = any_case(
    r"(?:,|;|\b(?:and|but|so|which|because|after|since|where)\b)\s*(?:(?:then|so|finally|just|also|really|even)\s+)*"
    r"(?:(?:it|we|I|he|she|they|that|which|there|everyone|(?:the|our|my) \w+)\s+)?(?:\w+ly\s+)?"
)
# Who is away on the days that are told with it.
_ABSENT = any_case(
    r"(?:\b(?:am|is|are|be|been|was|were)|'m|'re|'s)"
    r"(?: (?:also|again|still|currently|out|all|both|mostly|usually|then|now))* "
    r"(?:on (?:(?:my|our|his|her|their|a|an|the|[a-z]+) )?(?:holidays?|vacation|leave|sabbatical|pto|honeymoon)|away|"
    r"out of (?:the )?(?:office|town|country)|absent|"
    r"off(?: work| duty| sick)?(?=\s*(?:$|[,.;]|\b(?:from|until|till|on|next|this|between|for|as|\d)\b))|unavailable|"
    r"not (?:available|reachable|in the office|at work)|unreachable|closed|shut)\b"
)
_WAS = any_case(r"\b(?:was|were|been)\b")
_SINCE = any_case(r"\bsince\b")
_PAST = any_case(
    r"\b(?:was|were|did|didn't|had|went|ago|yesterday|last|made|took|got|saw|met|bought|came|gave|found|left|ran|won|"
    r"lost|wrote|read|began|ate|flew|drove|spent|broke|fell|taught|sold|built|heard|told|said|been|became|joined|"
    r"graduated|back in|used to|\w{2,}ed)\b"
)
_TENTATIVE = any_case(
    r"\b(?:"
    + one_of(
        """maybe perhaps might possibly probably presumably apparently likely unlikely not_sure unsure I_guess
        I_suppose I_think we_think thinking_(?:of|about|to) (?<!,_)considering hopefully hope_to hoping hopes? toying
        not_decided haven't_decided undecided tentative\\w* seems? could would_(?:also_|really_)*(?:like|love)_to
        'd_like_to 'd_love_to want(?:ed)?_to wish dream(?:s|ing)?_of depends? depending rumou?r\\w* supposedly
        looking_into to_be_confirmed tbc tbd not_final someday one_day if_(?:all|every|the|we|it|I)"""
    )
    + r"|(?<!in )may (?:well |also |not )?(?:be|have|need|go|move|take|want|start|change|come|buy|do|get|join|use|"
    r"switch|leave|postpone|delay|cancel)|may or may not)\b|(?<=\w)'d (?:like|love) to\b"
)
# "I went to a place I've always wanted to see" and "I'll never forget last summer" are settled.
_WISHED_BEFORE = any_case(
    r"\b(?:I|we)(?:'ve| have|'d| had)? (?:always |long )?wanted to\b|"
    r"\b(?:I|we)(?:'ll| will) (?:always |never |still )+(?:remember|forget|cherish|treasure)\b"
)
_PLANNED = any_case(
    r"\b(?:will|won't|shall|(?<!started )(?<!start )(?<!love )(?<!like )(?<!been )going to (?!the\b|an?\b|my\b|our\b|"
    r"some\b)|gonna|plan(?:s|ned)? (?:to|on|for|is|are)|planning|intend\w*|scheduled|upcoming|about to|"
    r"aim\w* to|due (?!(?:to|within|in \d+)\b)|expects? to|expected to|saving up|my goal|set for|slated|"
    r"looking forward to|tomorrow|"
    r"next (?:week|month|year|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|"
    r"sunday))\b"
    r"|'ll\b"
)
_NEGATION = any_case(
    r"\b"
    + one_of(
        """no_longer any_?more not never don't doesn't didn't isn't aren't wasn't weren't won't can't cannot
        couldn't haven't hasn't hadn't wouldn't shouldn't stopped quit gave_up neither nor dropped discontinued
        cancell?ed rejected"""
    )
    + r"\b"
)
_NO_NEGATION = any_case(
    r"\b"
    + one_of(
        """not_only not_too do(?:n't|_not)_(?:ever_)?forget won't_forget never_forget can't_wait cannot_wait
        can't_help not_just not_to_mention no_doubt why_not not_bad not_sure don't_mind
        never_(?:been_)?(?:happier|better) couldn't_be_(?:happier|better|more) not_(?:yet_)?(?:decided|final)
        stopped_by if_not whether_or_not"""
    )
    + r"\b|(?<=[,\d%km] )not (?=[$€£¥\d])|(?<=, )not (?=(?:by|via|on|over|through|with|in|at|from|for)\b|(?-i:[A-Z]))"
)


class English:
    """The English rule set. It holds no state."""

    def parts(self, sentence: Sentence) -> list[Sentence]:
        """The stretch that may state something: without greeting, filler and a question at the end."""
        filler = _FILLER.match(sentence.masked)
        part = sentence.part(filler.end() if filler else 0, len(sentence.text))
        for lead in (_REMINDER, _MOOD_BEFORE_REASON, _OBSERVATION):
            if match := lead.match(part.masked):
                part = part.part(match.end(), len(part.text))
        if telling := _TELLING_QUESTION.match(part.masked):
            part = replace(part.part(telling.end(), len(part.text.rstrip("?!"))), is_question=False)
        if part.is_question:
            tail = _QUESTION_TAIL.search(part.masked)
            if tail is None or tail.start() < 12:
                return []
            part = part.part(0, tail.start())
        for unwanted in (_REMINDER_TAIL, _ADDRESSED_TAIL, _MOOD_TAIL):
            if (tail := unwanted.search(part.masked)) and tail.start() >= 12:
                part = part.part(0, tail.start())
        return [part] if len(part.text) >= 8 else []

    def clauses(self, part: Sentence) -> list[Sentence]:
        """The clauses of a part, to see whether each sets a number of its own."""
        return part.split(_BETWEEN_CLAUSES, unless_before=_CONDITION)

    def predicates(self, part: Sentence) -> list[Sentence]:
        """The clauses, those apart that share the subject of the one before."""
        return [piece for clause in self.clauses(part) for piece in clause.split(_BETWEEN_PREDICATES)]

    def shared_subject(self, clause: str, whole: str, name: str) -> str:
        """The subject that a clause leaves out since the sentence begins with it, as it stands before a verb."""
        if not _PREDICATE.match(clause):
            return ""
        if name:
            return f"{name} "
        if _BY_SPEAKER.match(whole):
            return "" if _OF_THIRD.match(clause) else "I "
        noun = _OF_NOUN.match(whole)
        return f"{noun[0]} " if noun else ""

    def needs_subject(self, clause: str, whole: str) -> bool:
        """Whether a clause without a subject is of what the sentence begins with, other than its speaker."""
        return bool(_PREDICATE.match(clause)) and not _BY_SPEAKER.match(whole)

    def stands_alone(self, clause: str, *, business: bool) -> bool:
        """Whether a clause is to be understood without the one before it. `business`: see `Clues`."""
        if _PREDICATE.match(clause) or (business and _THEY.match(clause)):
            return True
        return bool(_OF_ITS_OWN.match(clause) and not _LEANS_ON.match(clause))

    def leans_on(self, clause: str) -> bool:
        """Whether a clause speaks of what the one before it is about, without a name for it."""
        return bool(_LEANS_ON.match(clause))

    def unconditional(self, text: str) -> str:
        """The text up to the condition that follows it: what that says sets nothing."""
        condition = _CONDITION_BEHIND.search(text)
        return text[: condition.start()] if condition else text

    def with_reason(self, part: Sentence) -> list[Sentence]:
        """The part cut between what it says and the reason that it gives, in the order of the text."""
        return part.split(_REASON)

    def is_left_out(self, part: Sentence, clues: Clues) -> bool:
        """Whether it is small talk, a question, a request, an opinion, a mood, unreal, in jest, or hearsay."""
        text = part.masked
        if self.is_unmeant(text) or (self.is_hearsay(text) and not clues.named):
            return True
        if clues.measured or clues.standing:
            return not clues.business and not clues.named and bool(_SOMEBODY.match(text))
        if _TALK.search(text):
            return True
        if clues.named or CONTACT_WISH.search(text):
            return False
        if clues.business and _THEY.match(text):
            return False
        starts = (_NOT_A_STATEMENT, _FLEETING, _OPINION, _EMPTY_PLAN)
        return any(start.match(text) for start in starts) or bool(_VAGUE.search(text))

    def is_unmeant(self, text: str) -> bool:
        """Whether it is a secret, unreal or in jest."""
        return bool(SECRET.search(text) or _UNREAL.search(text) or _JOKE.search(text))

    def is_hearsay(self, text: str) -> bool:
        """Whether it tells what somebody else says."""
        return bool(_REPORTED.search(text))

    def signal(self, part: Sentence, clues: Clues) -> Signal | None:
        """The most telling reason to keep it, or None."""
        is_open = is_left_open(part.masked, chinese=False)
        signal = _said(part.masked, clues, is_open=is_open) or _reported(part.masked, clues)
        return replace(signal, is_open=True) if signal and is_open else signal

    def tense(self, text: str) -> Tense:
        """Whether the text tells of something past or to come; empty if it does not say."""
        if _FUTURE.search(_WISHED_BEFORE.sub("", text)) or _PUT_ELSEWHERE.search(text):
            return "future"
        if (absent := _ABSENT.search(text)) and not (_WAS.search(absent[0]) or _SINCE.search(text)):
            return "future"
        if _PAST.search(text):
            return "past"
        return "future" if _PROGRESSIVE.search(text) or _SCHEDULE.search(text) else ""

    def ahead_from(self, text: str) -> int:
        """Where the text begins to tell what was decided on, which is to come; its length if nowhere."""
        match = _DECIDED.search(text) or _FIXED_FOR.search(text)
        return match.end() if match and not _tells_what_came(text, match) else len(text)

    def certainty(self, signal: Signal) -> Certainty:
        """How settled the speaker says it is. A preference or a habit is never a plan."""
        clause = signal.clause if signal.kind == "plan" else _WISHED_BEFORE.sub("", signal.clause)
        if signal.kind not in ("preference", "habit") and (signal.is_open or _TENTATIVE.search(clause)):
            return "tentative"
        if signal.kind == "plan" or (
            signal.kind in ("fact", "ongoing", "event", "status", "absence") and _PLANNED.search(clause)
        ):
            return "planned"
        return "confirmed"

    def is_doubtful(self, text: str) -> bool:
        """Whether it begins with a doubt, or ends with one, that holds for all of it."""
        return bool(_DOUBT.match(text)) or is_left_open(text, chinese=False)

    def clause_at(self, text: str, position: int) -> str:
        """The clause around a position, as a signal has it."""
        return _clause(text, position)

    def negated(self, signal: Signal) -> bool:
        """Whether the statement denies what it states."""
        return bool(_NEGATION.search(_NO_NEGATION.sub("", signal.clause)))

    def takes_back(self, text: str) -> bool:
        """Whether the sentence says that the one before was not meant."""
        return bool(_TAKEN_BACK.search(text))


def _tells_what_came(text: str, decided: re.Match[str]) -> bool:
    """Whether something past is told behind what was decided, as what came of it, or as what was agreed to be so."""
    if decided.groupdict().get("that"):
        return bool(_PAST.search(text, decided.end()))
    return any(_PAST.match(text, went_on.end()) for went_on in _CAME_OF_IT.finditer(text, decided.end()))


_DONE_BEFORE = any_case(
    r"\bI (?:\w+ ){0,2}?(?:bought|got|joined|met|went|won|made|received|signed|started|finished|learned|moved)\b"
)


# What makes a decision that follows one that may yet be taken.
_DOUBT = any_case(r"\b(?:maybe|perhaps|possibly|probably|might|(?<!in )(?-i:may))\b")
_CONSIDERED = any_case(
    r"\b(?:I|we)(?:'ll| will| might| may| could| would)(?: also| even| still| soon| probably| possibly)* "
    r"(?!be\b|see\b|have\b|get back\b|let\b|tell\b|talk\b)[a-z]{2,}"
)


def _said(text: str, clues: Clues, *, is_open: bool) -> Signal | None:
    starts = speakers(text)
    decided = without_open_matters(text, chinese=False)
    for rule in RULES:
        match = rule.find(decided if rule.kind == "decision" else text, starts)
        if match is None or _POINTS.match(text, match.end()):
            continue
        if rule.kind == "plan" and _DONE_BEFORE.search(text, 0, match.start()):
            continue  # "I bought pans and I want to try them" tells what was done
        clause = _clause(text, match.end() - 1)
        if _TO_YOU.search(clause) and rule.anywhere is not CONTACT_WISH:
            return None
        if rule.kind == "decision" and (is_open or _DOUBT.search(text[text.find(clause) : match.end()])):
            return Signal("plan", 0.8, "considered", clause, is_open=True)
        if rule.kind not in ("event", "plan", "decision") or _is_memorable(rule.kind, text, clues):
            return Signal(rule.kind, rule.confidence, rule.why, clause)
    is_open = is_open or (decided != text and _DOUBT.search(text) is not None)
    if is_open and (match := _CONSIDERED.search(text)) and not _TO_YOU.search(clause := _clause(text, match.end() - 1)):
        return Signal("plan", 0.8, "considered", clause, is_open=True)
    return None


def _reported(text: str, clues: Clues) -> Signal | None:
    """What a sentence says that is not about its speaker: values, and news of a topic."""
    clause = _clause(text, 0)
    if clues.measured:
        return Signal("fact", 0.85, "value", clause)
    if clues.standing:
        return Signal("fact", 0.8, "how it stands", clause)
    if _TO_YOU.search(text):
        return None
    if clues.dated and _ABSENT.search(text) and not _TODAY.search(text):
        return Signal("absence", 0.85, "absence", clause)
    if clues.business and _OF_THE_COMPANY.search(text):
        return Signal("fact", 0.8, "about the company", clause)
    if clues.business and (_FIGURE.search(text) or _REQUIREMENT.search(text)):
        return Signal("fact", 0.7, "figure" if _FIGURE.search(text) else "requirement", clause)
    if clues.business and clues.dated and not _EVERYDAY.search(text):
        return Signal("event", 0.7, "date", clause)
    if clues.named and _THIRD_PERSON_VERB.match(text):
        return Signal("fact", 0.75, "about a topic", clause)
    if clues.dated and _APPOINTMENT.search(text) and not _EVERYDAY.search(text) and not _UNCLEAR.search(text):
        return Signal("event", 0.7, "date", clause)
    return None


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
    r"\b(?:recently|lately|finally|for the first time|once|a (?:few|couple of) \w+ ago|(?:when|after) I was|as a "
    r"(?:kid|child)|"
    r"growing up|in college|just)\b"
)


# "A Western restaurant" and "on Sunday" name nothing.
_NAME_OR_NUMBER = re.compile(
    r"\d|＿|(?<=[a-z,;] )(?!(?:I|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b|"
    r"\w+(?:ern|ese|ian|ish|can|rman|nch|reek|hai) [a-z])[A-Z]"
)


def _is_memorable(kind: SignalKind, text: str, clues: Clues) -> bool:
    """Whether something that was done, or is meant to be done, is more than the run of the day."""
    specific = bool(_NAME_OR_NUMBER.search(text))
    if kind == "plan" and _EVERYDAY.search(text) and not clues.dated:
        return specific or clues.business
    if clues.business:
        return True
    if _TODAY.search(text):
        return specific or bool(_OCCASION.search(text))
    if kind in ("plan", "decision"):
        return True
    if _EVERYDAY.search(text):
        return specific and clues.dated
    return clues.dated or specific or bool(_SOMETIME.search(text))
