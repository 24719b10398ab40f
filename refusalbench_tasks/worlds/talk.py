"""What may follow an event or a piece of work; levers use it, and so does the company of any passage."""

AFTERMATH = (
    "Its effects (were felt|lingered|could be noticed) for a (long time|good while|whole season).",
    "Much else (had to be put off|was cancelled|ground to a halt) as a result(, dances included|).",
    "For (weeks|days on end|the rest of autumn), people (spoke of nothing else|hardly slept|shook their heads).",
    "(Those concerned|All involved|Everybody nearby) had to change (their plans|course|trains) more than once.",
    "(Everybody|Even the calmest) needed (some|plenty of) time to (get used to it|recover|take it all in).",
    "A good deal of (paperwork|muttering|tidying up) followed(, stamps and all|).",
    "Some took it (calmly|with a shrug|to heart), and some (did not|wept|packed their bags).",
    "By now, (things have calmed down|the dust has settled|tempers have cooled|life goes on).",
    "(Letters|Telegrams|Casseroles|Sympathy cards) poured in for (days|a fortnight|weeks).",
    (
        "It took (a while|months|many cups of tea) until (things were back to normal|the phones fell "
        "silent|anybody laughed again)."
    ),
    "(Neighbours|Old hands|Barbers) still (bring it up|talk of it|sigh over it) now and then.",
    "(Nobody|Not even the watchman|No almanac) had seen it coming.",
    "There was talk of (little else|compensation|miracles) at the time.",
    "Several people wrote to the papers about it(, some in verse| in furious tones|).",
    (
        "(Rubble|Broken tiles|Spilt sand) was (swept|carted|shovelled) away (by night|in wheelbarrows|with "
        "borrowed spades)."
    ),
    "(Ice cream|Soup|Strong coffee) was (handed out|served) to (comfort|cheer) the (bystanders|helpers|shaken).",
    "(Rumours|Songs|Jokes) (sprang up|spread) (overnight|like mushrooms) and (faded|died) (slowly|by spring).",
    (
        "(Insurers|Reporters|Inspectors) (came|arrived) with (tape measures|cameras|thick forms) and "
        "(stayed|lingered) (till dusk|a while)."
    ),
    (
        "(Curtains|Shutters|Gates) stayed (closed|drawn) (out of respect|for a time), (and dogs were kept "
        "in|a rare sight)."
    ),
    (
        "(Good|Some good) came of it too: (friendships|new habits|a choir) (grew|were born|began) among the "
        "(helpers|survivors|neighbours)."
    ),
)
"""What may follow an event."""
FINDINGS = (
    "The results fill three (pages|folders|notebooks)(, tables and all|).",
    "The outcome was (clear|plain to see), and it was (printed in full|applauded|sent round by post).",
    "What came of it was praised by (everybody|friend and foe|the strictest referees).",
    "The results were the same each time(, rain or shine|, to general relief|).",
    "Anybody may look at the results( on request| over a cup of tea| during office hours|).",
    "The results have been put into a (folder|binder|locked cabinet)(, neatly labelled|).",
    "A (summary|digest|simple chart) hangs on the notice board(, curling at the edges|).",
    "The details can be read up in the library(, second shelf| on a rainy day|).",
    "A short report was sent to everyone(, spiral-bound| with a covering note|).",
    "(Sceptics|Doubters|Old rivals) (fell silent|nodded) when the (curves|figures|diagrams) were (unrolled|shown).",
    (
        "(Champagne|Lemonade|Cider) was (poured|opened) once the (last|final) (column|sheet|reading) had "
        "been (added up|verified)."
    ),
    "(Referees|Reviewers|Auditors) found (nothing|little) to (fault|quibble with) in the (tables|appendix|workings).",
    (
        "(Colleagues|Students|Pen friends) abroad (repeated|checked) it all and (came|arrived) at the same "
        "(answer|picture)."
    ),
    "(Graphs|Plots|Charts) (cover|adorn) an entire (wall|corridor), curve (upon|above|beside) curve.",
    "The (write-up|published account|abstract) (won|earned) a (modest prize|gold ribbon|handshake from the mayor).",
)
"""What may follow a piece of work."""
