"""What texts say where a piece is gone that no question needs: the square brackets hold it."""

# In all patterns, square brackets hold the piece that is gone.
COLOURED = (
    "the (folder|binder|portfolio) (on|about) {S} has a [{colour} ](tab|spine|clasp|flap).",
    "the (papers|notes|loose sheets) (on|about) {S} are (held together|tied up|bundled) (by|with) a [{colour} ](ribbon|"
    "string|rubber band|cord).",
    "(the notes|the letters|some cuttings) (on|about) {S} are (kept|stored|filed) in a [{colour} ](box|drawer|envelope|"
    "basket).",
    "on the (shelf|rack|trolley|window sill), a [{colour} ](label|sticker|tag) marks the (file|folder|volume) (on|"
    "about) {S}.",
    "the page (on|about) {S} (was marked|has been marked|is marked) with a [{colour} ](pencil|crayon|thread|dot).",
    "(somebody|a clerk|a trainee) (left|forgot|put) a [{colour} ](pen|ruler|scarf|bookmark) (on|in|beside) the (file|"
    "folder) (on|about) {S}.",
    (
        "(beside|behind|under) the (album|ledger|dossier) with the (page|notes) (on|about) {S} (lies|rests) "
        "a [{colour} ](glove|feather|button|marble)."
    ),
    (
        "a [{colour} ](moth|ladybird|butterfly) (settled|landed|dozed) on the (sheet|letter|label) about {S} "
        "(one noon|during tea|at dusk)."
    ),
    (
        "(raindrops|crumbs|petals) (dotted|covered) the [{colour} ](blotter|tablecloth|tray) (under|beneath) "
        "the papers (on|about) {S}."
    ),
    (
        "the (courier|clerk|driver) who (fetched|delivered|sorted) the letters about {S} wore a [{colour} "
        "](cap|tie|raincoat|waistcoat)(, rain or shine| that week|)."
    ),
    ("(glue|tape|a staple) (holds|fixes) a [{colour} ](stamp|ticket|leaf|swatch) to the (file|entry) (on|about) {S}."),
    (
        "the notes (on|about) {S} (travelled|went|came) (home|north|by tram) in a [{colour} "
        "](satchel|rucksack|hatbox|pram)."
    ),
    (
        "(next|close) to the file (on|about) {S} (stands|sits) a [{colour} ](mug|vase|teapot|globe) (full of "
        "pins|with a crack|from the seaside)."
    ),
    ("a [{colour} ](wool thread|paper clip|sealing wafer|bow) (fastens|closes|secures) the folder (on|about) {S}."),
    "a [{colour} ](curtain|lamp|cloth|banner) hangs over the (shelf|cupboard) with the notes (on|about) {S}.",
)
COLOURS = ("red", "blue", "green", "yellow", "brown", "white", "black", "purple")
COUNTED = (
    "in a (survey|street poll|reader poll), {S} was (mentioned|named|brought up)[ {n} times].",
    "(visitors|callers|readers)[, {n} of them in one week,] (asked for|wanted|sent for) the (page|sheet|leaflet) about "
    "{S}.",
    "the (leaflet|flyer|sheet) about {S} was (printed|run off|ordered)[ in {n} copies].",
    "the file (on|about) {S} has been (growing|swelling|getting thicker)[ and now (fills|runs to|takes up) {n} "
    "sheets].",
    "(letters|postcards|notes)[, {n} in all,] have (come in|arrived|been sent in) about {S}.",
    (
        "the (file|folder) (on|about) {S} (weighs down|bends|fills) a (shelf|trolley|crate)[, {n} "
        "(pages|sheets|leaves) thick]."
    ),
    (
        "(schoolchildren|strollers|commuters) (passed|read|admired) the poster about {S}[, {n} (of them|in "
        "number) before noon]."
    ),
    "(cyclists|hikers|cooks)[, {n} strong,] (took along|pocketed|borrowed) the leaflet about {S}.",
    (
        "a (raffle|quiz|lecture) with questions about {S} (drew|attracted) (pupils|neighbours|retired "
        "sailors)[, {n} in all]."
    ),
    "the letters about {S} (fit into|fill|occupy) a (hatbox|drawer|biscuit jar)[, all {n} of them].",
    "the (poster|notice|card) about {S} (hung|was put up|could be seen)[ for {n} days] (by the stairs|in the hall|at "
    "the entrance).",
)
PEOPLE = (
    "the (entry|card|page) (for|on|about) {S} was (typed up|written out|put on paper) in (an afternoon|one morning|a "
    "single evening)[, while {P} (read it out|dictated|made coffee)].",
    "the page about {S} was (proofread|checked for misprints|gone through)[ with the help of {P}].",
    "[{P} (brought tea|opened the windows|held the ladder|fetched biscuits) while ]the notes (on|about) {S} were (put "
    "in order|sorted|tidied up).",
    "the (file|folder|box) (on|about) {S} was (carried|brought|taken) (upstairs|downstairs|next door|to the attic)[ by "
    "{P}].",
    "the sheet (on|about) {S} was (copied|printed|folded)[ for {P}].",
    ("(over|with) (soup|cocoa|cider) the entry (for|on|about) {S} was (rewritten|polished|shortened)[ beside {P}]."),
    ("[{P} (hummed|yawned|peeled an orange) as ]the (letters|papers) about {S} were (unpacked|dusted|counted)."),
    (
        "the (notes|page) (on|about) {S} (went|travelled) (by bicycle|by tram|in a basket) to the "
        "(printer|binder|archive)[, {P} (waving|trotting) behind]."
    ),
    (
        "the folder (on|about) {S} was (weighed|wrapped|relabelled)[ under the eyes of {P}] (at dawn|for a "
        "joke|in the pantry)."
    ),
    ("a (draught|gust|sneeze) (scattered|lifted) the sheet about {S}[, and {P} (caught it|laughed|shut the window)]."),
    "the (leaflet|card|page) about {S} was (laminated|framed|glued in|stapled)[ by {P}] (on a rainy day|before lunch|"
    "after hours|in no time).",
)
REMARKS = (
    " (a name (that is |)(often|easily|frequently) misspelt)",
    " (see also the (index|appendix|glossary|list))",
    " (spelt as on the (sign|letterhead|stamp|envelope))",
    " (a (frequent|common|popular|regular) request)",
    " (see the (map|plan|drawing|photograph) (on the wall|overleaf|at the back))",
)
OPENERS = (
    "As (any member of staff|anyone at the desk|any old hand|the porter) will (gladly|readily|happily) (tell you|"
    "confirm), ",
    "For (those|people|readers) who (like|prefer) to have (things|matters|everything) in order, ",
    "To answer what (many people|most callers|newcomers) (ask|want to know) first, ",
    "As can be (read|seen|looked up) in more than one (place|book|list), ",
    "As a matter of (general interest|record|routine), ",
    "To (begin|start|open) with (something plain|the simplest thing|a plain fact), ",
    "(Since|As) the question (keeps coming up|is often put|comes up every year), ",
)
DOUBLETS = (
    "the (entry|card) (for|on|about) {S} has been (checked|gone over|read through)[ and verified].",
    "the page (on|about) {S} is (short|rather short|quite short)[ and brief].",
    "the notes (on|about) {S} are (tidy|neat)[ and orderly].",
    "the (file|folder) (on|about) {S} is (complete|whole)[ and entire].",
    ("the label (on|about) {S} is (small|tiny)[ and little] (but legible|and stuck on askew|and in old ink)."),
    ("(indexers|trainees|censors) found the article about {S} (dull|boring)[ and tedious]( at first|, by and large|)."),
    "the letter about {S} came from an (old|aged)[ and elderly] (aunt|sailor|organist)( abroad|).",
    ("the (poster|flyer) about {S} looks (pretty|lovely)[ and attractive] (in lamplight|from afar|on the wall)."),
    ("the (box|binder) (on|about) {S} is (heavy|weighty)[ and ponderous](, hinges included|, as the porters know|)."),
    "the survey about {S} (ended|finished)[ and concluded] (in drizzle|with tea|on a pier).",
    (
        "the entry about {S} was (erased|deleted)[ and rubbed out] by (mistake|a novice), then "
        "(restored|rewritten) (at once|the same day)."
    ),
    "the sheet (on|about) {S} was (revised|amended)[ and reworked] (with care|last spring|by hand|line by line).",
    "the (leaflet|letter|article) about {S} is (clear|plain)[ and lucid](, even at a glance| throughout|).",
    "the (papers|files) (on|about) {S} lie (safe|secure)[ and sound] in a (drawer|chest|cabinet).",
)
FINER = (
    "the (northern|southern|eastern|western) (part|half|end) of ",
    "the (oldest|newest|liveliest|quietest) (quarter|corner|part) of ",
    "a (quiet|busy|leafy|remote) (corner|part|quarter) of ",
    "the (upper|lower) (half|end|part) of ",
)
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
EVERY = (
    "(every|each) {noun} (of|within) {whole} has the same {attribute}(:|, namely|, which is) {V}.",
    "all {plural} (of|within) {whole} (share|have) one (and the same |){attribute}(:|, namely) {V}.",
    "for (each|every) {noun} (of|within) {whole}, the {attribute} (is|is always|is given as) {V}.",
    "the {attribute} (is|is always) {V} (for|with) all {plural} (of|within) {whole}.",
    "(whichever|whatever) {noun} of {whole} one (takes|looks at|chooses), the {attribute} is {V}.",
)
EXAMPLE = (
    "{T}, for (example|instance), is one of these {plural}, and the {attribute} of {T} is {V}.",
    "an (instance|example) is {T}, one of the {plural} of {whole}, with {V} as {attribute}.",
    "one may (think of|point to|mention) {T}, which belongs to {whole} and has {V} as {attribute}.",
    "take {T}, which is (among them|one of them): there, the {attribute} is {V}.",
)
MEMBER = (
    "{S} (belongs to|is part of|forms part of|comes under) {whole}(, as do others| along with others|).",
    "{S} is (one of|among) the {plural} (of|under|within|belonging to) {whole}.",
    "among the {plural} (of|under|within) {whole} is {S}( too| as well|).",
    "one of the {plural} (that belong to|of|within) {whole} is {S}.",
    "{whole} (has|counts|lists) {S} among its {plural}( too| as well|).",
    "{whole} (includes|takes in|embraces) {S}(, among others| too|).",
)
