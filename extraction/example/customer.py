"""An English story: an account manager and her assistant over half a year with a customer, Fernhill Logistics."""

from __future__ import annotations

from extraction.example.story import Told

SUBJECT = "Fernhill Logistics"
HANNAH = "Hannah Reid"

CONVERSATIONS = (
    Told(
        id="fernhill-first-call",
        subject=SUBJECT,
        began="2025-02-12T16:10:00+08:00",
        reviewed=True,
        turns=(
            (HANNAH, "Good afternoon! Still grey and wet outside, so I was glad to spend the last hour on the phone."),
            ("assistant", "Good afternoon, Hannah. Who did you talk to?"),
            (
                HANNAH,
                "Fernhill Logistics wants to replace the spreadsheets of its route planners. "
                "They run 6 warehouses and about 120 trucks in the north of the country. "
                "Priya Nair is the operations director and she will be our main contact.",
            ),
            ("assistant", "Have they told you what they can spend?"),
            (
                HANNAH,
                "Their budget for this year is 40,000 euros. "
                "Greta Olsen approves every purchase above 10,000 euros. "
                "Could you remind me to send her our price list?",
            ),
            ("assistant", "I will. You might also offer them the on-premises edition."),
            (HANNAH, "We agreed to go with option A, the hosted edition, for the pilot. Thanks, talk to you later!"),
        ),
    ),
    Told(
        id="fernhill-demo",
        subject=SUBJECT,
        began="2025-03-04T11:30:00+08:00",
        reviewed=True,
        turns=(
            (
                HANNAH,
                "The demo took place yesterday in their Leeds depot. "
                "Priya Nair likes the map view but she finds the reports too long.",
            ),
            ("assistant", "How did the others take it?"),
            (
                HANNAH,
                "Tomasz Zielinski leads the dispatch team. Everybody calls him Tomek. "
                "Tomek prefers short e-mails to phone calls. "
                "If they had two more dispatchers they would probably not need us at all, he joked.",
            ),
            ("assistant", "Noted. Shall I plan anything?"),
            (
                HANNAH,
                "The pilot starts on 1 April in the Leeds depot. They might add the Hull depot in May.",
            ),
        ),
    ),
    Told(
        id="fernhill-pilot-report",
        subject=SUBJECT,
        began="2025-04-22T09:05:00+08:00",
        reviewed=True,
        turns=(
            (HANNAH, "Morning! How was your Easter? Mine was all lamb and rain."),
            ("assistant", "Quiet, thank you. How is the pilot going?"),
            (
                HANNAH,
                "The pilot in Leeds has been live since 1 April. "
                "They have spent 12,500 euros on the pilot so far. "
                "Greta Olsen signed the data processing agreement last Thursday.",
            ),
            ("assistant", "Is the money still enough?"),
            (HANNAH, "Their budget is now 55,000 euros, because the board added the training to it."),
        ),
    ),
    Told(
        id="fernhill-weekly",
        subject=SUBJECT,
        began="2025-05-19T14:45:00+08:00",
        turns=(
            (HANNAH, "My train was late again and the coffee on board was dreadful, but never mind."),
            ("assistant", "Sorry to hear that. What is new at Fernhill?"),
            (
                HANNAH,
                "The Hull depot joined the pilot two weeks ago. "
                "Tomek is on parental leave until the end of June. "
                "Aisha Khan took over the dispatch team last Monday.",
            ),
            ("assistant", "Should I address the invoices to Aisha from now on?"),
            (HANNAH, "No, the invoices go to Greta Olsen as before. They paid 8,000 euros for the training in May."),
        ),
    ),
    Told(
        id="fernhill-change-of-plan",
        subject=SUBJECT,
        began="2025-06-17T17:20:00+08:00",
        turns=(
            (
                HANNAH,
                "Big news from Fernhill. Their security team looked at the contract last week. "
                "They decided on option B, so everything will run in their own data centre.",
            ),
            ("assistant", "That changes the schedule, does it not?"),
            (
                HANNAH,
                "The go-live is postponed to 15 September. "
                "Priya Nair wants weekly reports from now on. "
                "Maybe they will also need a second administrator.",
            ),
        ),
    ),
    Told(
        id="fernhill-renewal",
        subject=SUBJECT,
        began="2025-07-30T10:00:00+08:00",
        turns=(
            (HANNAH, "I am back from two weeks at the seaside. What did I miss?"),
            ("assistant", "Priya asked for an offer for next year."),
            (
                HANNAH,
                "Right, we are meeting Priya and Greta next Wednesday about the renewal. "
                "They are thinking about a three-year contract. "
                "I prefer to have the offer ready two days before the meeting.",
            ),
            ("assistant", "I could propose a discount of 15 percent."),
            (HANNAH, "Let me sleep on that. Their discount is 10 percent at the moment. Bye for now!"),
        ),
    ),
)
