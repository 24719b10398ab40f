"""What inns do that some call wrong and some do not, and the sentences that tell of it and of codes on it."""

PRACTICES = (
    "takes presents from its suppliers",
    "keeps its accounts to itself",
    "reads the letters that guests leave behind",
    "throws unsold goods away",
    "pays its newest staff less than the others",
    "praises itself under other names",
    "lends money to its own staff",
    "sells the addresses of those who write to it",
    "waters down its cheapest wine",
    "gives its best rooms to regulars",
    "turns away guests with muddy boots",
    "asks strangers to pay in advance",
    "serves yesterday's stew as fresh",
    "burns old furniture for heating",
    "shoots the pigeons on its roof",
    "lets its cats sleep in the pantry",
    "buys its eggs from caged hens",
    "hires nobody over sixty",
    "locks its doors at ten",
    "refuses to seat large families",
    "copies the recipes of its rivals",
    "pockets the tips of its waiters",
    "listens in on guests at breakfast",
    "hangs hunting trophies in its parlour",
    "charges walkers for a glass of tap water",
    "names its pigs after former guests",
    "bans card games after supper",
    "pours leftover milk into the brook",
    "pays for flattering reviews",
    "seats locals before travellers",
    "wakes late sleepers with a gong",
    "tells its guests nothing of the mice",
    "raffles off whatever lost property it finds",
    "makes its apprentices work on holidays",
    "pins unpaid bills to the front door",
    "catches songbirds in nets",
    "dilutes its apple juice",
    "keeps a bear cub in a pen",
    "overbooks its dormitory",
    "films its own corridors at night",
    "hands out sweets to other people's children",
    "serves snails that are boiled alive",
    "fells old oaks for firewood",
    "leaves its lamps burning all night",
)
WRONG = (
    "Is it wrong that {S} {practice}?",
    "Is it wrong of {S} that it {practice}?",
    "That {S} {practice}: is it wrong?",
    "Is it a wrong that {S} {practice}?",
    "Does {S} do wrong in that it {practice}?",
)
KNOWN = (
    "(it is (known|no secret|common knowledge|plain to see)|nobody (doubts|disputes)|few (would deny|are unaware)) "
    "that "
    "{S} {practice}.",
    "{S}, (as it says itself|by its own account|as its owners admit|so its staff report), {practice}.",
    "as (everyone there|anybody who stays|each lodger|whoever passes) can (see|tell|attest), {S} {practice}.",
    "{S} {practice}.",
    "(year in, year out|to this day|as a matter of course|by habit), {S} {practice}.",
    "the (brochure|leaflet|website|calendar) of {S} (mentions|admits|lets slip|adds in small print) that it "
    "{practice}.",
    "word has (got round|spread|travelled) (among walkers|in the taverns|from hut to hut|along the road) that {S} "
    "{practice}.",
    "(for years|for ages|for decades) it has been (no secret|an open secret|well known) that {S} {practice}.",
    "(staff|maids|stable hands|two waiters|an apprentice) of {S} (confirmed|let on|told a visitor|said over supper) "
    "that "
    "it {practice}.",
    "{S} makes (no secret|no bones|a point) of (it|this): (year after year|all year round|season after season), it "
    "{practice}.",
    "a (notice|slate|card|painted board) in the (hall|porch|taproom) of {S} (tells|informs|warns) (everyone|all "
    "comers) "
    "that it {practice}.",
    "ask (any neighbour|a carter|the postman|whoever lives nearby), and you (hear|learn|are told) that {S} {practice}.",
    "that {S} {practice} (has been in the news|surprises newcomers|is talked of far and wide|amuses some and annoys "
    "others).",
    "(travellers|pedlars|hikers|coachmen) (noticed|found out|wrote home|have seen for themselves) that {S} {practice}.",
    "what (sets {S} apart|people tell of {S}|one learns first about {S}) is that it {practice}.",
    "(under its present owners|as of old|like its neighbours|unlike some others), {S} {practice}.",
)
_WRONGS = {
    True: {
        "{calls}": "(calls it wrong|names it a wrong|speaks of a wrong|lists it as a wrong)",
        "{wrong}": "(wrong|a wrong)",
        "{wrongs}": "(wrongs|acts that are wrong|things that are wrong)",
        "{does}": "(does wrong|is in the wrong|acts wrongly)",
    },
    False: {
        "{calls}": "(calls it no wrong|names it no wrong|speaks of no wrong|lists it as no wrong)",
        "{wrong}": "(not wrong|no wrong)",
        "{wrongs}": "(things that are no wrong|acts that are not wrong|things that are not wrong)",
        "{does}": "(does no wrong|is not in the wrong|does not act wrongly)",
    },
}
_CODES: tuple[str, ...] = (
    "the code that {S} (has signed|put its name to|joined), and that binds its (signers|members) only, {calls} if one "
    "of "
    "(them|these) {practice}.",
    "{S} has (signed|joined|subscribed to) a (code|charter|covenant) (under|by) which it is {wrong}, by definition, "
    "(if|when) a signer {practice}.",
    "among the {wrongs} (in|under) the (code|charter) that {S} has signed is (this|the following): that a signer "
    "{practice}.",
    "by the (code|covenant|charter) to which {S} has (put its name|set its seal|sworn), it is {wrong} (that|if) a "
    "(signer"
    "|member) {practice}.",
    "a (code|charter|covenant) (signed|sealed|sworn to) by {S} (counts|files|treats) it as {wrong}, by definition, "
    "(that|if|when) a signer {practice}.",
    "{S} is bound by a (code|covenant) (of its own choosing|that it has signed), and there it is {wrong} (if|when) a "
    "(signer|member) {practice}.",
    "(in|on page two of) the (code|charter) (with|that bears) the signature of {S} (stands|is printed), among "
    "{wrongs}, that a signer {practice}.",
    "(as|since) {S} has signed the (code|charter) of (its guild|the trade|its league), one (rule|line|clause) "
    "in it applies: a signer {does} (if|when) it {practice}.",
    "(paragraph two|the last page|one article) of the (code|charter|covenant) (signed by|that binds) {S} (reads|says): "
    "whichever (signer|member) {practice} {does}.",
    "{S} (signed|joined) a (charter|covenant|code) (long ago|of its own free will|with a dozen others), and "
    "(under|by) it a "
    "(signer|member) {does} (if|when) it {practice}.",
)


def _codes(holds: bool) -> tuple[str, ...]:
    found = _CODES
    for slot, words in _WRONGS[holds].items():
        found = tuple(one.replace(slot, words) for one in found)
    return found


CODES = {holds: _codes(holds) for holds in (True, False)}
