"""Sentences that speak of a matter and tell nothing of it; levers use them, and so does the company of any passage."""

SPOKEN = (
    (
        "(There is|One finds) (an entry|a short entry) on the {attribute} of {S}, (as there is for others|in "
        "small print|between two adverts)."
    ),
    (
        "(Many|Plenty of|Countless) (people|strangers|tourists) ask for the {attribute} of {S}( by post| in "
        "all weathers| at the gate|)."
    ),
    "The {attribute} of {S} was talked about (at some length|over supper|on the tram|until the lamps went out).",
    "A question about the {attribute} of {S} came up more than once( among the pupils| during the tour| that week|).",
    "The {attribute} of {S} is one of the things that (people|visitors|penpals) like to know.",
    "(At the last meeting|Over coffee|Between two votes), the {attribute} of {S} came up in the discussion.",
    (
        "A (creased|folded|well-thumbed|bilingual) leaflet explains how the {attribute} of {S} may be (asked "
        "for|looked up|requested)."
    ),
    "Among (regulars|cab drivers|crossword fans|anglers), the {attribute} of {S} is a favourite topic.",
    "Ask at the desk about the {attribute} of {S}, and you may (have to wait|be sent upstairs|need patience).",
    "Letters about the {attribute} of {S} fill a whole (drawer|suitcase|shoebox).",
    "(Last winter|One rainy evening|At carnival), the {attribute} of {S} was the subject of a quiz.",
    (
        "(Hardly anyone|Only a bookworm|No tourist) can recite the {attribute} of {S}( offhand| when half "
        "asleep| without notes|)."
    ),
    "(Someone|A previous owner|A child) has underlined the {attribute} of {S} in an old (guide|almanac|timetable).",
    (
        "Two (readers|uncles|barbers|cyclists) once argued about the {attribute} of {S}( all night| across a "
        "hedge| in a lift|)."
    ),
    "In the album, a page is given to the {attribute} of {S}(, with pressed flowers|, in neat script|).",
    "Finding out the {attribute} of {S} can take a (phone call|stamped envelope|whole morning).",
    "A footnote deals with the {attribute} of {S}(, tucked under a map|).",
    "(Some|Bored passengers|Grandchildren) like to guess the {attribute} of {S}.",
    "(One|Even an expert|A stranger) cannot tell the {attribute} of {S} from a photograph.",
    "Those who are curious may look up the {attribute} of {S} (in peace|at leisure|upstairs).",
    "Callers often ask about the {attribute} of {S}(, politely or not| before lunch| and then hang up|).",
    "A school class wrote an essay about the {attribute} of {S}(, with drawings| for a prize| in rhyme|).",
    "A reader has sent in a card about the {attribute} of {S}(, signed with a star| from a cruise|).",
    "Nobody in the queue could name the {attribute} of {S}( when asked| on the spot|, to some embarrassment|).",
    (
        "A (poster|panel|hand-drawn chart) in the (corridor|lobby|stairwell) explains why the {attribute} of "
        "{S} matters."
    ),
    "The {attribute} of {S} is dealt with in a (chapter|booklet|leaflet) of its own.",
    "There was some debate over the {attribute} of {S}( on the night bus| among cousins| at the hairdresser's|).",
    "Newcomers are told the {attribute} of {S} (on their first day|over cocoa|before anything else).",
    "The {attribute} of {S} was the first thing that the reporter asked about(, pencil ready| at the gate|).",
    "(Some|A few|Elderly) regulars know the {attribute} of {S} by heart.",
    "On the back of the leaflet stands the {attribute} of {S}(, barely legible| beside a coupon|).",
    "For the {attribute} of {S}, see the second page of the (brochure|handout|programme).",
    (
        "A (volunteer|pensioner|trainee) has looked into the {attribute} of {S}( with a torch| for fun| on "
        "two weekends|)."
    ),
    "An old letter mentions the {attribute} of {S} in passing(, among recipes|, after much gossip|).",
    "The (guide|usher|verger) never fails to mention the {attribute} of {S}(, with a bow|, jangling keys|).",
    "Journalists have written (at length|wittily|column after column) about the {attribute} of {S}.",
    "Somebody has double-checked the {attribute} of {S}(, armed with a ruler| against old papers|).",
    "A (short|silent|shaky) film online deals with the {attribute} of {S}.",
    "Whoever wants to know the {attribute} of {S} need only (ask|knock|drop a line).",
    "(Two|A pair of) pupils gave a talk on the {attribute} of {S}(, blushing| with coloured slides|).",
    "The editor wanted a box for the {attribute} of {S}(, neatly framed| above the crossword|).",
    "Letters to the editor have (touched|dwelt|harped) on the {attribute} of {S}.",
    "An intern was asked to look up the {attribute} of {S}( before noon|, and sighed| by a nervous boss|).",
    "At the (counter|baker's|bus stop), people like to chat about the {attribute} of {S}.",
    "(Puzzle makers|Novelists|Songwriters) have toyed with the {attribute} of {S} (for rhymes|to no avail|in jest).",
    "(A parrot|Grandmother|The milkman) likes to mutter the {attribute} of {S} (at dawn|in a good mood|when cross).",
    (
        "(Scribbled|Pencilled|Chalked) (on|across) a (napkin|beer mat|blackboard), the {attribute} of {S} "
        "(settled|ended|started) a (bet|wager|quarrel)."
    ),
    (
        "(Clerks|Librarians|Switchboard girls) sigh when (strangers|pranksters|radio hosts) enquire about "
        "the {attribute} of {S}."
    ),
    (
        "(Sailors|Bellboys|Nurses) (swapped|traded) stories about the {attribute} of {S} (below deck|in the "
        "pantry|on night duty)."
    ),
    (
        "(Search engines|Old encyclopaedias|Taxi radios) get (asked|consulted) about the {attribute} of {S} "
        "(daily|with zeal|at odd hours)."
    ),
    "(Wagers|Friendly bets) on the {attribute} of {S} are (frowned upon|settled in chocolate|placed at Christmas).",
    (
        "(Embroidered|Printed|Painted) on a (cushion|towel|banner), the {attribute} of {S} (makes|made) a "
        "(curious|handsome|proud) (gift|souvenir)."
    ),
    "(Children|Apprentices|Recruits) chant the {attribute} of {S} while (skipping|marching|peeling potatoes).",
    (
        "(Ramblers|Pilgrims|Delivery drivers) (compare|exchange) notes on the {attribute} of {S} (over "
        "soup|at the crossroads|in the drizzle)."
    ),
    (
        "A (librarian|curator|retired judge) (keeps|guards) a (slip|ribboned scroll|cutting) with the "
        "{attribute} of {S} (under lock|behind glass|in a locket)."
    ),
    (
        "(Rival|Local) (bloggers|podcasters) (bicker|disagree|ramble on) about the {attribute} of {S} "
        "(nightly|with relish|for clicks)."
    ),
)
"""That a value is spoken of."""
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
        "(Rubble|Broken glass|Spilt sand) was (swept|carted|shovelled) away (by night|in wheelbarrows|with "
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
    "The results have been put into a (folder|binder|steel cabinet)(, neatly labelled|).",
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
