"""What befell inns and what came of it, and what their guests do."""

HARMS = {
    "the (burst|frozen|cracked) pipe": (
        "ruined (four|six|nine) hundred (books|hymnals|tea towels)",
        "flooded (nine|seven|eleven) (rooms|bedrooms|closets)",
        "soaked all the (bedding|linen|mattresses)",
        "rotted the (parlour|pantry|landing) floor",
        "froze the (front|back) (steps|door|porch) solid",
    ),
    "the fire in the (kitchen|chimney|hayloft)": (
        "destroyed the (roof|coach house|bowling green)",
        "burnt the (winter stores|hay|harvest)",
        "injured (four|five|seven) (guests|grooms|maids)",
        "charred the oak (beams|doors|panels)",
        "blackened (twelve|ten|six) (ceilings|portraits|rafters)",
    ),
    "the (winter|autumn|midnight) storm": (
        "smashed every (window|roof tile|pane of glass)",
        "killed (eleven|nine|seven) (goats|lambs|calves)",
        "tore off the (chimney|weathercock|porch roof)",
        "buried the (stables|sheds|henhouse)",
        "toppled the old (pear|elm|walnut) tree",
    ),
    "the plague of (moths|mites|mice)": (
        "ate all the (blankets|woollens|carpets)",
        "spoiled the (curtains|pillows|rugs) of (ten|eight|six) rooms",
        "ruined the (flags|banners|tablecloths)",
        "chewed through (sixty|forty|ninety) (coats|scarves|jerseys)",
        "emptied the (linen room|larder|wardrobes)",
    ),
    "the landslide in (spring|autumn|early summer)": (
        "crushed the (bowling alley|wash house|coach shed)",
        "blocked the only road for (six|four|three) weeks",
        "swept away the (smithy|sawmill|jetty)",
        "cracked the (north|south|east) wall",
    ),
    "the swarm of (hornets|wasps|locusts)": (
        "stung (five|eight|twelve) (children|pilgrims|bakers)",
        "drove the (beekeeper|gardener|shepherd) from his (work|plot|hut)",
        "closed the (terrace|garden|playground) for a (month|fortnight|week)",
        "frightened off a (wedding party|hunting party|choir)",
    ),
    "the flood of the (mill stream|brook|river)": (
        "drowned (forty|thirty|sixty) (hens|ducks|rabbits)",
        "filled the (cellar|icehouse|dairy) with (mud|silt|gravel)",
        "warped the (dance floor|skittle lane|stair treads)",
        "carried off two (footbridges|rowing boats|haystacks)",
    ),
    "the leak in the (gas main|stovepipe|boiler)": (
        "poisoned the (canary|parrot) and three cats",
        "made the whole (staff|kitchen|family) ill",
        "forced everybody out for a (fortnight|week|month)",
        "cost the (cook|porter|stoker) his (eyesight|hearing|health)",
    ),
    "the colony of (rats|squirrels|beetles)": (
        "gnawed through the (bell wires|floor joists|water hoses)",
        "fouled a ton of (grain|flour|oats)",
        "nibbled the parish (banner|chest|records) to shreds",
        "bit a sleeping (child|pedlar|bishop)",
    ),
    "the careless (plumber|painter|roofer)": (
        "drilled through a (water main|power cable|wine cask)",
        "stained the new (tapestry|wallpaper|sofa)",
        "broke the (marble basin|church bell|stained glass)",
        "jammed the (boiler|lift|front door) for good",
    ),
}
CURES = {
    "the (new|cleaner|thicker) lamp oil": (
        "ended the (stable|barn|attic) fires",
        "ended the burns among the (maids|lamplighters|children)",
        "stopped the poisonings by (smoke|fumes|soot)",
        "cleared the soot from every (bedroom|ceiling|corridor)",
    ),
    "the (iron|oak|brass) railing": (
        "ended the falls from the (stairs|gallery|balcony)",
        "stopped the accidents in the (yard|lane|dark passage)",
        "kept (children|sheep|drunkards) off the (cliff|roof|ledge)",
        "saved two (toddlers|walkers|old men) from the (ravine|pit|drop)",
    ),
    "the (deeper|walled|second) well": (
        "ended the (fevers|rashes|agues)",
        "stopped the cases of (typhoid|cholera|dysentery)",
        "put an end to the poisonings by (lead|copper|rust)",
        "cured the (staff|grooms|children) of their (stomach cramps|sores|worms)",
    ),
    "the (new|stronger|second) brake on the lift": (
        "ended the crashes in the shaft",
        "stopped the injuries to (porters|waiters|bellboys)",
        "halved the (accidents|broken bones|sprains)",
        "spared the (bellboys|maids|cooks) their bruises",
    ),
    "the (smoke|fire|gas) alarm": (
        "woke (thirty|forty|twenty) (sleepers|pilgrims|skiers) in time",
        "saved the (west|east|south) gable from burning down",
        "spared a family of (six|five|seven)",
        "prevented a blaze in the (laundry|hayloft|sauna)",
    ),
    "the (wire|rope|silk) netting": (
        "ended the thefts by (foxes|crows|otters)",
        "kept (martens|hawks|weasels) out of the (henhouse|dovecote|hutches)",
        "stopped the deaths among the (ducklings|chicks|goslings)",
        "rescued the (cherry|plum|currant) harvest from (starlings|thrushes|jays)",
    ),
    "the visiting (doctor|midwife|surgeon)": (
        "healed the (cook|porter|laundress) of (an old|a bad|a long) cough",
        "delivered healthy twins in the (parlour|attic|stable)",
        "wiped out the (scurvy|scabies|ringworm) among the (grooms|maids|shepherds)",
        "mended (nine|four|eleven) broken (ankles|wrists|ribs)",
    ),
    "the (mountain|alpine|volunteer) rescue post": (
        "found (seven|five|nine) lost (climbers|skiers|mushroom pickers) alive",
        "dug a whole (school class|scout troop|family) out of the snow",
        "brought frostbitten (skiers|walkers|hunters) to (hospital|safety|a surgeon) in time",
        "ended the deaths on the (glacier|ridge|gorge) path",
    ),
    "the handrail by the (pond|weir|quay)": (
        "prevented drownings among (toddlers|pupils|anglers)",
        "kept drunken (guests|carters|sailors) out of the water",
        "stopped the falls on the icy (bank|planks|steps)",
        "saved an old (fisherman|priest|widow) from going under",
    ),
}
GAINS = {
    "the (hazel|hawthorn|beech) hedge": (
        "halved the loss of (topsoil|seedlings|hay)",
        "doubled the yield of (berries|beans|herbs)",
        "cut the wind damage by a (third|quarter|half)",
        "sheltered the (vegetable beds|beehives|vines) from (frost|gales|sleet)",
    ),
    "the (tiled|iron|soapstone) stove": (
        "halved the need for (firewood|peat|logs)",
        "cut the heating bill by a (quarter|third|fifth)",
        "doubled the warmth of the (hall|taproom|library)",
        "dried walking (boots|socks|capes) within an hour",
    ),
    "the (rain|oak|copper) barrel": (
        "saved a (third|quarter|fifth) of the water",
        "halved the water (bill|rates|costs)",
        "kept the (garden|orchard|lawn) alive in drought",
        "watered (three|two|five) hundred (cabbages|tulips|leeks) for nothing",
    ),
    "the thicker (thatch|insulation|loft floor)": (
        "cut the loss of heat by half",
        "stopped every (leak|draught|drip)",
        "saved a fifth of the (coal|heating oil|pellets)",
        "muffled the din of (hail|traffic|the mill)",
    ),
    "the (solar|sun|roof) panel": (
        "lit the (corridors|stables|cellars) free of charge",
        "powered the (dairy|laundry|sawmill) all summer",
        "warmed (eighty|fifty|sixty) baths a day",
        "trimmed the power bill by two (thirds|fifths)",
    ),
    "the (weekly|monthly|spring) market": (
        "brought in a hundred new (customers|diners|day trippers)",
        "tripled the trade in (cheese|baskets|candles)",
        "made the (terrace|tearoom|bowling green) pay its way",
        "filled the (stables|paddock|car park) with paying (horses|visitors|coaches)",
    ),
    "the (second|bigger|brick) oven": (
        "doubled the output of (pies|pastries|loaves)",
        "shortened the wait for (dinner|lunch|pizza) by half",
        "freed the (cook|pastry chef|kitchen boy) at noon",
        "spared the (kitchen|bakery|staff) two hours a day",
    ),
    "the (drainage|boundary|clay) ditch": (
        "dried out the (cellar|paddock|croquet lawn)",
        "made a bog into good (pasture|farmland|meadow)",
        "rescued the (orchard|rose beds|hop garden) from root rot",
        "turned the muddy (lane|yard|towpath) into a firm track",
    ),
    "the row of (beehives|apple trees|greenhouses)": (
        "yielded (ninety|eighty|sixty) jars of (honey|jelly|chutney)",
        "improved the (fruit|plum|pumpkin) crop by half",
        "earned the inn a medal for (mead|cordial|jam)",
        "provided (wax|juice|salad) for (a whole year|many months|half the valley)",
    ),
    "the footpath to the (falls|summit|ruins)": (
        "attracted two coachloads of (walkers|painters|pilgrims) a week",
        "lengthened the season by a (month|fortnight|week)",
        "raised the takings of the (tearoom|kiosk|ice cream stall)",
        "won the inn a prize for its (view|picnic spot|signposts)",
    ),
}
HABITS = (
    "come (on foot|by mule|on skis)",
    "bring a (dog|parrot|child)",
    "ask for (porridge|goat milk|rye bread)",
    "leave before (eight|seven|sunrise)",
    "write in the guest book",
    "wear (boots|slippers|hats) at supper",
    "pay in (coins|advance|notes)",
    "order (tea|cocoa|broth) instead of (coffee|wine|beer)",
    "sleep with the (window|door|shutters) open",
    "swim in the (lake|tarn|river)",
    "arrive (after dark|by noon|in the rain)",
    "stay for a second (week|night|helping)",
    "take the (stairs|lift|back entrance)",
    "carry a (walking stick|camera|flask)",
    "sing (after dinner|in the bath|on the way up)",
    "send a (postcard|parcel|letter) home",
    "ask for an extra (blanket|pillow|towel)",
    "eat their eggs (soft boiled|fried|cold)",
    "travel (alone|in pairs|with a guide)",
    "book (months|weeks|days) ahead",
    "play (chess|cards|draughts) by the fire",
    "buy a (jar of honey|wheel of cheese|woollen cap)",
    "skip (breakfast|lunch|dessert)",
    "come back the following (year|spring|winter)",
    "climb the (nearest peak|lookout|church tower)",
    "read a (novel|newspaper|map) at table",
    "hang their (coats|socks|hats) by the stove",
    "dance on the last (evening|night)",
    "feed the (ducks|goats|donkeys)",
    "haggle over the (bill|tip|wine)",
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
    "as the (books|ledgers|accounts) of {S} (show|bear out|tell), {cause} {V}(, and nothing else came of it|, and that "
    "was all|, and there it ended||).",
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
