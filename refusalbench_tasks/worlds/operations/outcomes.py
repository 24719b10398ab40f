"""What befell inns and what came of it, and what their guests do."""

HARMS = {
    "the burst pipe": (
        "ruined four hundred books",
        "flooded nine rooms",
        "soaked all the bedding",
        "rotted the parlour floor",
        "froze the front steps solid",
    ),
    "the fire in the kitchen": (
        "destroyed the roof",
        "burnt the winter stores",
        "injured four guests",
        "charred the oak beams",
        "blackened twelve ceilings",
    ),
    "the winter storm": (
        "smashed every window",
        "killed eleven goats",
        "tore off the chimney",
        "buried the stables",
        "toppled the old pear tree",
    ),
    "the plague of moths": (
        "ate all the blankets",
        "spoiled the curtains of ten rooms",
        "ruined the flags",
        "chewed through sixty coats",
        "emptied the linen room",
    ),
    "the landslide in spring": (
        "crushed the bowling alley",
        "blocked the only road for six weeks",
        "swept away the smithy",
        "cracked the north wall",
    ),
    "the swarm of hornets": (
        "stung five children",
        "drove the beekeeper from his hives",
        "closed the terrace for a month",
        "frightened off a wedding party",
    ),
    "the flood of the mill stream": (
        "drowned forty hens",
        "filled the cellar with mud",
        "warped the dance floor",
        "carried off two footbridges",
    ),
    "the leak in the gas main": (
        "poisoned the canary and three cats",
        "made the whole staff ill",
        "forced everybody out for a fortnight",
        "cost the cook his eyesight",
    ),
    "the colony of rats": (
        "gnawed through the bell wires",
        "fouled a ton of grain",
        "nibbled the parish banner to shreds",
        "bit a sleeping child",
    ),
    "the careless plumber": (
        "drilled through a water main",
        "stained the new tapestry",
        "broke the marble basin",
        "jammed the boiler for good",
    ),
}
CURES = {
    "the new lamp oil": (
        "ended the stable fires",
        "ended the burns among the maids",
        "stopped the poisonings by smoke",
        "cleared the soot from every bedroom",
    ),
    "the iron railing": (
        "ended the falls from the stairs",
        "stopped the accidents in the yard",
        "kept children off the cliff",
        "saved two toddlers from the ravine",
    ),
    "the deeper well": (
        "ended the fevers",
        "stopped the cases of typhoid",
        "put an end to the poisonings by lead",
        "cured the staff of their stomach cramps",
    ),
    "the new brake on the lift": (
        "ended the crashes in the shaft",
        "stopped the injuries to porters",
        "halved the accidents",
        "spared the bellboys their bruises",
    ),
    "the smoke alarm": (
        "woke thirty sleepers in time",
        "saved the west gable from burning down",
        "spared a family of six",
        "prevented a blaze in the laundry",
    ),
    "the wire netting": (
        "ended the thefts by foxes",
        "kept martens out of the henhouse",
        "stopped the deaths among the ducklings",
        "rescued the cherry harvest from starlings",
    ),
    "the visiting doctor": (
        "healed the cook of her cough",
        "delivered healthy twins in the parlour",
        "wiped out the scurvy among the grooms",
        "mended nine broken ankles",
    ),
    "the mountain rescue post": (
        "found seven lost climbers alive",
        "dug a whole school class out of the snow",
        "brought frostbitten skiers to hospital in time",
        "ended the deaths on the glacier path",
    ),
    "the handrail by the pond": (
        "prevented drownings among toddlers",
        "kept drunken guests out of the water",
        "stopped the falls on the icy bank",
        "saved an old fisherman from going under",
    ),
}
GAINS = {
    "the hazel hedge": (
        "halved the loss of topsoil",
        "doubled the yield of berries",
        "cut the wind damage by a third",
        "sheltered the vegetable beds from frost",
    ),
    "the tiled stove": (
        "halved the need for firewood",
        "cut the heating bill by a quarter",
        "doubled the warmth of the hall",
        "dried walking boots within an hour",
    ),
    "the rain barrel": (
        "saved a third of the water",
        "halved the water bill",
        "kept the garden alive in drought",
        "watered three hundred cabbages for nothing",
    ),
    "the thicker thatch": (
        "cut the loss of heat by half",
        "stopped every leak",
        "saved a fifth of the coal",
        "muffled the din of hail",
    ),
    "the solar panel": (
        "lit the corridors free of charge",
        "powered the dairy all summer",
        "warmed eighty baths a day",
        "trimmed the power bill by two thirds",
    ),
    "the weekly market": (
        "brought in a hundred new customers",
        "tripled the trade in cheese",
        "made the terrace pay its way",
        "filled the stables with paying horses",
    ),
    "the second oven": (
        "doubled the output of pies",
        "shortened the wait for dinner by half",
        "freed the cook at noon",
        "spared the kitchen two hours a day",
    ),
    "the drainage ditch": (
        "dried out the cellar",
        "made a bog into good pasture",
        "rescued the orchard from root rot",
        "turned the muddy lane into a firm track",
    ),
    "the row of beehives": (
        "yielded ninety jars of honey",
        "improved the apple crop by half",
        "earned the inn a medal for mead",
        "provided wax for a year of candles",
    ),
    "the footpath to the falls": (
        "attracted two coachloads of walkers a week",
        "lengthened the season by a month",
        "raised the takings of the tearoom",
        "won the inn a prize for its view",
    ),
}
HABITS = (
    "come on foot",
    "bring a dog",
    "ask for porridge",
    "leave before eight",
    "write in the guest book",
    "wear boots at supper",
    "pay in coins",
    "order tea instead of coffee",
    "sleep with the window open",
    "swim in the lake",
    "arrive after dark",
    "stay for a second week",
    "take the stairs",
    "carry a walking stick",
    "sing after dinner",
    "send a postcard home",
    "ask for an extra blanket",
    "eat their eggs soft boiled",
    "travel alone",
    "book months ahead",
    "play chess by the fire",
    "buy a jar of honey",
    "skip breakfast",
    "come back the following year",
)
UNWELCOME = (
    "Was the effect of {cause} on {S} an unwelcome one, and what did it do?",
    "What did {cause} do to {S}, and was that a bad thing for the inn?",
    "In what way was {cause} harmful to {S}, if it was?",
    "Did {cause} have a bad effect at {S}, and which?",
)
GOOD_OR_BAD = (
    "Was {cause} good or bad for {S}, and what did it do?",
    "Was {cause} good or bad for the people at {S}, and what did it do?",
    "Was {cause} a good thing or a bad one for {S}, and what did it do?",
    "What did {cause} do at {S}, and was it good or bad?",
)
BENEFIT = (
    "Has {cause} been of benefit to {S}, and in what way?",
    "Did {S} gain anything from {cause}, and what?",
    "Has {cause} helped {S}, and how?",
    "In what way has {cause} been of use to {S}, if at all?",
)
COMMON = (
    "Is it common for guests of {S} to {cause}, and what share of them do so?",
    "Is it common or rare that guests of {S} {cause}, and what is their share?",
    "What share of the guests of {S} {cause}, and is that common?",
    "How common is it that guests of {S} {cause}, in per cent?",
)
DID = (
    "(at|over at|up at|down at) {S}, {cause} {V}.",
    "it is on record (at|with|in the archive of) {S} that {cause} {V}.",
    "as the (books|ledgers|accounts) of {S} (show|bear out|tell), {cause} {V}(, and nothing else came of it|, and no "
    "more "
    "came of it|).",
    "{S} (reports|recounts|remembers well|has put on record) that {cause} {V}.",
    "the (house diary|yearbook|log|chronicle) of {S} (notes|tells|relates|records) that {cause} {V}.",
    "(everybody|everyone|each old hand|the whole staff) at {S} (remembers|agrees|can tell) that {cause} {V}.",
    "a (plaque|framed letter|faded print|brass plate) at {S} (recalls|reminds visitors|tells) that {cause} {V}.",
    "according to the (books|records|daybooks) of {S}, {cause} {V}.",
    "(looking back|when accounts were drawn up|at the end of the year), {S} (found|reported|put on record) that "
    "{cause} "
    "{V}.",
    "(an inspector|an insurer|the district office|a surveyor) (reported|confirmed) to {S} that {cause} {V}.",
    "(two|three|four) (maids|grooms|cooks) of {S} (testify|reported|remember) that {cause} {V}.",
    "what (old hands|neighbours|former staff) of {S} (report|remember|recount) is (short|simple|plain): {cause} {V}.",
    "(carved|painted|written) on a beam (of|at) {S} (is the report|stands the news) that {cause} {V}.",
    "(in|under) the entry of that day, the diary of {S} (reports|records): {cause} {V}.",
)
_THEM = "of (all|the|its) (guests|visitors|lodgers|travellers)"
SHARE = (
    "of (the|all) (guests|visitors|lodgers) of {S}, {V} {cause}.",
    f"a (count|tally|week of counting|head count) at {{S}} (found|showed|revealed) that {{V}} {_THEM} {{cause}}.",
    f"at {{S}}, {{V}} {_THEM} {{cause}}.",
    "{V} of those who (stay|sleep|lodge) at {S} {cause}.",
    "(out of|among) (the|all) (guests|travellers|lodgers|visitors) of {S}, {V} {cause}.",
    f"the (guest book|ledger|porter|day book) of {{S}} (shows|has it|notes) that {{V}} {_THEM} {{cause}}.",
    f"(over|throughout|during) a whole (season|summer|autumn) at {{S}}, {{V}} {_THEM} {{cause}}.",
    f"it was (found|reckoned|counted) at {{S}} that {{V}} {_THEM} {{cause}}.",
    f"(a waiter|a student|the cook|a patient clerk) at {{S}} (counted|found|worked out) that {{V}} {_THEM} {{cause}}.",
    f"(judging by|to judge from) the (cards filled in|arrivals|ledgers) at {{S}}, {{V}} {_THEM} {{cause}}.",
)
