"""Sentences that speak of a matter and tell nothing of it; levers use them, and so does the company of any passage."""

SPOKEN = (
    "There is an entry on the {attribute} of {S}, as there is for others.",
    "Many people ask for the {attribute} of {S}.",
    "The {attribute} of {S} was talked about at some length.",
    "A question about the {attribute} of {S} came up more than once.",
    "The {attribute} of {S} is one of the things that people like to know.",
    "At the last meeting, the {attribute} of {S} came up in the discussion.",
    "A leaflet explains how the {attribute} of {S} may be asked for.",
    "Among regulars, the {attribute} of {S} is a favourite topic.",
    "Ask at the desk about the {attribute} of {S}, and you may have to wait.",
    "Letters about the {attribute} of {S} fill a whole drawer.",
    "Last winter, the {attribute} of {S} was the subject of a quiz.",
    "Hardly anyone can recite the {attribute} of {S}.",
    "Someone has underlined the {attribute} of {S} in an old guide.",
    "Two readers once argued about the {attribute} of {S}.",
    "In the album, a page is given to the {attribute} of {S}.",
    "Finding out the {attribute} of {S} can take a phone call.",
    "A footnote deals with the {attribute} of {S}.",
    "Some like to guess the {attribute} of {S}.",
    "One cannot tell the {attribute} of {S} from a photograph.",
    "Those who are curious may look up the {attribute} of {S}.",
)
"""That a value is spoken of."""
AFTERMATH = (
    "Its effects were felt for a long time.",
    "Much else had to be put off as a result.",
    "For weeks, people spoke of nothing else.",
    "Those concerned had to change their plans more than once.",
    "Everybody needed some time to get used to it.",
    "A good deal of paperwork followed.",
    "Some took it calmly, and some did not.",
    "By now, things have calmed down.",
)
"""What may follow an event."""
FINDINGS = (
    "The results fill three pages.",
    "The outcome was clear, and it was printed in full.",
    "What came of it was praised by everybody.",
    "The results were the same each time.",
    "Anybody may look at the results.",
    "The results have been put into a folder.",
)
"""What may follow a piece of work."""
