"""What texts say where values seem to clash and do not."""

ROUGHLY = (
    "In round (figures|numbers), {about} {is} {R}.",
    "{about} is (about|around|roughly|approximately|close to|something like) {R}.",
    "(Leaflets|Brochures|Posters|Guidebooks|Notices|Older leaflets) put {about} at "
    "(about|around|roughly|approximately) {R}.",
    "{about} is (often|usually|commonly|sometimes|generally) (rounded to|given as about|quoted as roughly) {R}.",
    "{about} {is} {R} (or so|or thereabouts|more or less|give or take).",
    "For {about}, (some|about|roughly|around) {R} is (what people remember|the usual answer|a figure often heard|"
    "what most would guess|what is said at the bar).",
    "People speak of (some|about|roughly|around) {R} (when asked for|for|if asked about) {about}.",
)
_FIND = "(find|call|consider|think)"
_GUEST = "(visitor|reader|neighbour|reviewer|critic|columnist|pensioner)"
OPPOSED = (
    "(Some|A few|Many) " + _FIND + " {about} {low}, (others|a few|the rest) " + _FIND + " it {high}.",
    "One "
    + _GUEST
    + " called {about} {low}; (the next one|another|a second|somebody else) (called|found|thought) it {high}.",
    "(People|Opinions|Views|Readers) (disagree|differ|are divided|are split): to some {about} (seems|looks|appears) "
    "{low}, "
    "to others {high}.",
    "{about} has been (described as|called|termed|thought) {low}, and (also|elsewhere|by others|just as often) {high}.",
    "In one (letter|article|review|diary|postcard|column) {about} is called {low}, in (another|the next|a second) "
    "{high}.",
    "Whether {about} is {low} or {high} has (been argued about|been debated|divided opinion|kept tongues wagging|"
    "filled many letters).",
    "What one " + _GUEST + " (calls|finds|considers) {low} about {about}, another (calls|finds|considers) {high}.",
    "{low} to (some|many), {high} to (others|the rest): (such is|that is how people see|"
    "thus opinions differ on) {about}.",
)
GRADES = (
    *(("modest", "considerable"), ("unimpressive", "impressive"), ("rather small", "rather large")),
    *(("slight", "substantial"), ("ordinary", "astonishing"), ("laughable", "formidable"), ("puny", "enormous")),
)
PRICES = (
    *(("low", "high"), ("modest", "considerable"), ("fair", "steep"), ("reasonable", "excessive")),
    *(("a bargain", "an outrage"), ("trifling", "crushing"), ("harmless", "scandalous")),
)
_FRIENDS = "(friends|neighbours|colleagues|schoolmates|relatives|regulars|old acquaintances)"
CALLED = (
    "{nick} is (what " + _FRIENDS + " call|short for|the pet name of|the nickname of|a pet form of the name) {V}.",
    _FRIENDS + " (know {V} as|greet {V} as|address {V} as|refer to {V} as) {nick}.",
    "{V} (answers to|is better known as|is nicknamed|signs postcards as|is known to all as) {nick}.",
    "To " + _FRIENDS + ", {V} has always been {nick}.",
    "{V} and {nick} are (one and the same person|the same person|two names for one person|one person under two names).",
    "(Hardly anybody says|Few ever say|Only strangers say|Scarcely a soul says) {V}; (everybody|everyone|the whole "
    "street) "
    "says {nick}.",
    "The person (baptised|christened|registered at birth as) {V} (answers to|goes by|signs letters as) {nick}.",
)
PET_ENDS = ("ie", "y", "chen", "kin")
TITLES = (
    *(("deputy registrar", "chief registrar"), ("head of the archive", "deputy head of the archive")),
    *(("first secretary", "second secretary"), ("junior clerk", "senior clerk"), ("junior partner", "senior partner")),
    *(("assistant librarian", "head librarian"), ("apprentice printer", "master printer")),
    *(("press officer", "head of the press office"), ("trainee surveyor", "chief surveyor")),
    *(
        ("junior inspector", "senior inspector"),
        ("deputy editor", "editor-in-chief"),
        ("bookkeeper", "chief accountant"),
    ),
    *(("night porter", "day porter"), ("vice-president", "president"), ("acting bursar", "permanent bursar")),
)
_SAYS = "(says|states|reports|explains|writes|declares|maintains|confirms)"
VOUCHED = (
    "{source}, {title}, " + _SAYS + " that ",
    "{source}, {title}, (tells|assures|informs) (us|the readers|all callers|anyone who asks) that ",
    "(According to|In the words of|By the account of|Going by|To quote|On the word of) {source}, {title}, ",
    "As {source}, {title}, (puts it|has it|says|explains|words it), ",
    "(We have it|One learns|Word comes|One hears) from {source}, {title}, that ",
    "(Speaking|Replying) as {title}, {source} (says|states|reports|explains|declares|maintains|confirms) that ",
    "{source} " + _SAYS + ", (as|in the role of|in the post of) {title}, that ",
    "(Asked|Questioned|Approached) (about it|by letter|over the telephone|at the door), {source}, {title}, "
    + _SAYS
    + " that ",
)
_NOTES = "(notes|papers|pictures|records|files)"
ADDED = (
    "{source}, {title}, (asks for|hopes for|begs for) (patience|some patience|understanding) with "
    "(further|more|written|new) "
    "questions about {S}.",
    "The (page|entry|article|sheet|chapter|leaflet) (about|on) {S} was (signed|checked|initialled|typed|proofread) by "
    "{source}, {title}.",
    "{source}, {title}, was (pleased with|touched by|surprised by|grateful for) the (kind |lively |great |)"
    "(interest in|curiosity about) {S}.",
    "(Thanks|Many thanks|Warm thanks|Our thanks) for (help|advice|a hand) with the "
    + _NOTES
    + " on {S} (go|are due) to "
    "{source}, {title}.",
    "{source}, {title}, has (put together|written|illustrated|brought out) a (leaflet|booklet|brochure|folder) "
    "(on|about) {S}.",
    "A (talk|lecture|slide show|radio talk) on {S} will be (given|held|delivered) by {source}, {title}.",
    "{source}, {title}, has been (answering|opening|sorting|reading) (letters|mail|enquiries|postcards) about {S} "
    "(all week|since Easter|day after day|in the evenings|over lunch).",
    "The survey on {S} was (led|run|headed|planned|overseen) by {source}, {title}.",
    "{source}, {title}, (once |recently |)(wrote|published|dictated) an (essay|article) (about|on) {S}.",
    "(Questions|Letters|Enquiries) about {S} (should|may|can) be (sent|addressed|directed) to {source}, {title}.",
    "{source}, {title}, keeps a (folder|scrapbook|box of cuttings|thick file) on {S} (at home|in the attic|under the "
    "desk|"
    "in a locked drawer).",
)
_STILL = (
    "(To the surprise of (many|most|everyone|the staff)|Strangely enough|Oddly enough|Surprisingly|Curiously|"
    "Against all expectations|Even so|And yet|All the same|Nevertheless|For all that|Still), "
)
_EVEN_SO = "(Even so|And yet|All the same|Nevertheless|For all that|Still|In spite of this), "
UNEXPECTED = (
    _STILL + "more people (ask|enquire|write in) about {S} (this year|these days|this season|nowadays) than "
    "(ever before|in other years|they used to|anyone expected).",
    _STILL
    + "(hardly anybody|scarcely a soul|almost nobody) has asked about {S} (this year|lately|all summer|in weeks).",
    _STILL
    + "(nobody|no one|hardly anyone) who knows {S} was (surprised|astonished|taken aback) by (this|the news|it).",
    _STILL
    + "the (page|entry|article|chapter) (about|on) {S} is the one that (is|gets) (read|copied|looked up|printed) "
    "(most|most often).",
    _STILL + "few people have (heard of|read about|come across) {S}.",
    _STILL + "letters about {S} keep (coming in|arriving|piling up|pouring in).",
    _STILL
    + "the (guide|handbook|brochure|almanac|encyclopaedia) (says|has) (little|next to nothing|only a line) about {S}.",
    _STILL
    + "the (talk|lecture|evening|slide show) on {S} (was well attended|drew a crowd|was sold out|filled the hall).",
    _STILL + "the (exhibition|display|poster) on {S} drew (few people|only a handful of onlookers|hardly a glance).",
    _STILL + "the (page|leaflet|booklet|chapter) (about|on) {S} had to be (reprinted|printed again|reissued).",
    _STILL + "the (file|folder) on {S} has (gathered dust|been mislaid twice|lain untouched|hardly been opened).",
    _STILL + "questions about {S} have become (rarer|fewer|less frequent|more frequent).",
)
