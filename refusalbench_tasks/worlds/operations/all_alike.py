"""What texts say beside an answer so that a remark on an edition or a version stays idle."""

EDITIONS = (
    "(all|the various|the several|the different) (editions|printings|impressions|print runs) of the {book} "
    "(on|about|devoted to) {S} (agree|are identical|match|tally|coincide)"
    "( to the letter| word for word| line for line|).",
    "the {book} (on|about|devoted to) {S} (has said|has read) the same in (every|each) "
    "(edition|printing|impression)( so far| to date| since it first came out|).",
    "(however often|no matter how often|as often as) it (was|has been) (reprinted|reissued|brought out anew), the "
    "{book} (on|about) {S} (kept|has kept|retained|has retained) (its old|the same|its original) (text|wording).",
    "from (one (edition|printing) to the next|the first (edition|printing|impression) to the (last|latest|"
    "newest)), "
    "(nothing|not a word|not a line|not a comma) in the {book} (on|about|devoted to) {S} (was|has been) "
    "(changed|altered|touched|revised|rewritten).",
    "whichever (edition|printing|impression) of the {book} (on|about) {S} (one opens|you open|a reader opens|comes "
    "to hand), (it says the same|the text is the same|the words are the same|there is no difference).",
    "(reprints|new editions|later editions|later printings|newer impressions) of the {book} (on|about) {S} (repeat|"
    "copy|reproduce|take over) the (first|earliest|original) (word for word|letter for letter|without a change|"
    "unaltered|just as it stood).",
    "for the {book} (on|about|devoted to) {S}, it (makes no difference|does not matter|is all the same) (which|"
    "what) (edition|printing|impression) (is used|one has|is consulted|lies at hand).",
    "(nobody|no editor|no printer|no publisher) has (ever |yet |)(altered|changed|revised|touched|amended) the "
    "{book} (on|about) {S} (from edition to edition|between printings|between two editions|when reprinting it|for "
    "a new edition).",
    "(those|people|readers|librarians) who (lay|put|hold) two (editions|printings|impressions) of the {book} (on|"
    "about) {S} side by side (find|see|notice) (no|not one|not a single) (difference|change|deviation).",
    "(every|each) (edition|printing|impression) of the {book} (on|about|devoted to) {S} (was run off from|comes "
    "from|"
    "goes back to|was made with) the (same|very same) (plates|type|blocks)(, unaltered| without a change|, with "
    "the "
    "same text).",
    (
        "(proofreaders|collectors|bookworms) (swear|confirm|vouch) that the {book} (on|about) {S} reads "
        "(alike|the same) in (each of its|all its) (editions|impressions|printings)."
    ),
    (
        "(price|paper|binding) (excepted|apart), (later|fresh) (editions|impressions|printings) of the "
        "{book} (on|about) {S} (mirror|match|equal) the (earliest|oldest|very first)."
    ),
    (
        "the {book} (on|about|devoted to) {S} (passed|went|moved) from (edition|printing) to "
        "(edition|printing) (unedited|unchanged|intact)(, typeface included| over the years|)."
    ),
    (
        "the {book} (on|about) {S} has (one|a single) text (for|across|throughout) (its|the) "
        "(editions|printings|impressions)(, early or late|, hardback or paperback|)."
    ),
    (
        "(thrift|habit|pride) (kept|has kept) the {book} (on|about|devoted to) {S} (as it "
        "was|unrevised|unaltered) through (all its|its many) (editions|impressions|reprints)."
    ),
    (
        "(only the cover|just the price|nothing but the binding) of the {book} (on|about) {S} "
        "(varies|differs|changes) (with|by) the (edition|impression|printing)."
    ),
    (
        "(set|laid) (beside|against) the first, (any|each) later (edition|impression|printing) of the {book} "
        "(on|about) {S} (proves|looks|turns out) (identical|no different)(, page by page|)."
    ),
    (
        "(translators|teachers|reviewers) may (cite|quote|use) the {book} (on|about) {S} in (any|whatever) "
        "(edition|impression|printing): (the wording is|its words are) the same."
    ),
    "(new|fresh|redesigned) covers (aside|apart), the (editions|printings|impressions) of the {book} (on|about) "
    "{S} (hold|contain|offer) (exactly|precisely|just) the same (text|words|pages).",
    "(whoever|anyone who) (owns|borrows|buys|inherits) the {book} (on|about) {S} (has|gets|reads) the same (text|"
    "words|wording), (old|early|first) (edition|printing|impression) or (new|late|recent).",
)
"""That all editions of a book about a thing are alike."""
VARIANTS = (
    "the {work} about {S} (is|stays|remains) the same in (all|each of) its versions( so far| to date|).",
    "what is (said|told|stated|written) (here|in this text|on this page) (of|about) the {work} about {S} (goes|"
    "holds|"
    "is true) for (any|every|each) version( of it|).",
    "(all|the various|the different|the several) versions of the {work} about {S} are (alike|identical|of a piece|"
    "the same in content).",
    "the versions of the {work} about {S} (do not differ|are no different|show no difference) in "
    "(substance|content|what they hold).",
    (
        "(collectors|reviewers|customers) may pick (either|any) version of the {work} about {S}, for "
        "(each|every one) has the same (content|substance|matter)."
    ),
    (
        "(size|price|wrapping) (excepted|apart), (nothing|no detail) in the {work} about {S} "
        "(varies|alters|differs) from one version to (another|the next)."
    ),
    (
        "the {work} about {S} (exists|came out|is found) in versions that (match|equal|mirror) one another( "
        "throughout| in substance|)."
    ),
    (
        "(comparing|laying side by side) versions of the {work} about {S} is (idle|pointless|wasted effort): "
        "(they are|all are) (identical|alike)."
    ),
    (
        "swapping one version of the {work} about {S} for another (changes|alters) nothing( of "
        "substance| but the wrapping|)."
    ),
    (
        "(any|each) version of the {work} about {S} (copies|repeats|follows) the (others|rest) "
        "(faithfully|in full|to the last detail)."
    ),
    "no version of the {work} about {S} (differs|departs|deviates) from the (others|rest)( in any way| in substance|).",
    "whichever version of the {work} about {S} (one takes|you take|one comes across|somebody picks), (it is the "
    "same|"
    "nothing changes|there is no difference|the content is the same).",
    "(everything|all) that is (said|told|noted) (here|on this page) (of|about) the {work} about {S} (is true|holds|"
    "is right) of (each|every) version.",
    "between its versions, the {work} about {S} (does not change|changes in nothing|stays as it is|is left as it "
    "is)( at all|).",
    "(large or small|for home or school|old or new|cheap or dear), every version of the {work} about {S} (has|"
    "offers|"
    "keeps) the same (content|substance|matter).",
    "(people|those) who have (seen|known|compared) (two|several) versions of the {work} about {S} (found|noticed|"
    "report) no (difference|change|deviation)( whatever|).",
    "(nothing|not a thing) (sets|keeps) the versions of the {work} about {S} apart( but the price| but the label|).",
    "(its makers|those who made it|the makers) (have made|made) every version of the {work} about {S} (the same|"
    "exactly "
    "like the others|no different from the rest).",
)
"""That all versions of a work about a thing are alike."""
