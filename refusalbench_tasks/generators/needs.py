"""The closed vocabulary of what a lever needs of a base question."""

from enum import StrEnum


class Need(StrEnum):
    """A property of a base question, by its name in a lever file; `MEANINGS` says each in words."""

    ASKS_AMOUNT = "asks_amount"
    ASKS_AREA = "asks_area"
    ASKS_CAUSE = "asks_cause"
    ASKS_CLOCK_TIME = "asks_clock_time"
    ASKS_CONDITION = "asks_condition"
    ASKS_COUNT = "asks_count"
    ASKS_DATE = "asks_date"
    ASKS_DEATH = "asks_death"
    ASKS_DEFINITION = "asks_definition"
    ASKS_DURATION = "asks_duration"
    ASKS_EFFECT = "asks_effect"
    ASKS_EXPANSION = "asks_expansion"
    ASKS_FUTURE = "asks_future"
    ASKS_GENERAL = "asks_general"
    ASKS_GRADE = "asks_grade"
    ASKS_KIND = "asks_kind"
    ASKS_LIKELIHOOD = "asks_likelihood"
    ASKS_LIST = "asks_list"
    ASKS_MANNER = "asks_manner"
    ASKS_MEAN = "asks_mean"
    ASKS_MEASURE = "asks_measure"
    ASKS_MONEY = "asks_money"
    ASKS_OBJECT = "asks_object"
    ASKS_ORDER = "asks_order"
    ASKS_ORGANISATION = "asks_organisation"
    ASKS_OUTCOME = "asks_outcome"
    ASKS_PAST = "asks_past"
    ASKS_PERSON = "asks_person"
    ASKS_PLACE = "asks_place"
    ASKS_PRESENT = "asks_present"
    ASKS_QUALITY = "asks_quality"
    ASKS_RULE = "asks_rule"
    ASKS_SAFETY = "asks_safety"
    ASKS_SHARE = "asks_share"
    ASKS_STATE = "asks_state"
    ASKS_THING = "asks_thing"
    ASKS_TIMELESS = "asks_timeless"
    ASKS_TOTAL = "asks_total"
    ASKS_UNROUND = "asks_unround"
    ASKS_YEARLY = "asks_yearly"
    BAD_OUTCOME = "bad_outcome"
    BETWEEN_PERSONS = "between_persons"
    BODY = "body"
    BRACKET = "bracket"
    BUILDING = "building"
    BYSTANDER = "bystander"
    CAUSE = "cause"
    COLOUR = "colour"
    COMPARISON = "comparison"
    CUSTOM = "custom"
    DATED_EVENT = "dated_event"
    DEVICE = "device"
    DOUBLET = "doublet"
    EXAMPLE = "example"
    FIRM = "firm"
    FOOD = "food"
    GROUP = "group"
    INVESTMENT = "investment"
    IN_OFFICE = "in_office"
    LIVING_PERSON = "living_person"
    MONTH_OF_YEAR = "month_of_year"
    NAMED_SUBJECT = "named_subject"
    NAME_REPEATED = "name_repeated"
    NUMBER = "number"
    OBJECT = "object"
    ONGOING = "ongoing"
    OPENER = "opener"
    ORGANISATION = "organisation"
    ORGANISM = "organism"
    OWNED = "owned"
    PART = "part"
    PERSON = "person"
    PERSON_SUBJECT = "person_subject"
    PLACE = "place"
    PLACE_SUBJECT = "place_subject"
    PRECISE_SIDE_NUMBER = "precise_side_number"
    PRICE = "price"
    SERIES = "series"
    SIDE_NUMBER = "side_number"
    SITE = "site"
    TWO_PERSONS = "two_persons"
    TWO_SIDE_NUMBERS = "two_side_numbers"
    UNDERTAKING = "undertaking"
    VARYING = "varying_quantity"
    VERSIONS = "versions"
    WORK = "work"


MEANINGS: dict[Need, str] = {
    Need.ASKS_AMOUNT: "the answer is a count, a measure, a sum of money, a share or a duration",
    Need.ASKS_AREA: "the question asks for a country, a region or another area that holds smaller places",
    Need.ASKS_CAUSE: "the question asks for a cause or a reason",
    Need.ASKS_CLOCK_TIME: "the answer is a time of day with minutes",
    Need.ASKS_CONDITION: "the question asks under what condition something holds",
    Need.ASKS_COUNT: "the question asks how many there are",
    Need.ASKS_DATE: "the answer is a date, a year, a month or a weekday",
    Need.ASKS_DEATH: "the question asks about somebody's death",
    Need.ASKS_DEFINITION: "the question asks how a term is defined, or what its bearers consist of",
    Need.ASKS_DURATION: "the answer is a span of time",
    Need.ASKS_EFFECT: "the question asks for the effect of an event or a measure",
    Need.ASKS_EXPANSION: "the question asks what initials stand for",
    Need.ASKS_FUTURE: "the question asks for what a source says is to come",
    Need.ASKS_GENERAL: "the question asks for what holds of every case of a kind, every time",
    Need.ASKS_GRADE: "the question asks for an official grade, class or band",
    Need.ASKS_KIND: "the question asks of what kind something is",
    Need.ASKS_LIKELIHOOD: "the question asks for a stated probability or rating of chances",
    Need.ASKS_LIST: "the answer is a list of several things",
    Need.ASKS_MANNER: "the question asks how something was done",
    Need.ASKS_MEAN: "the answer is a mean over several cases",
    Need.ASKS_MEASURE: "the answer is a measure with a physical unit",
    Need.ASKS_MONEY: "the answer is a sum of money",
    Need.ASKS_OBJECT: "the question asks what somebody or something acted upon",
    Need.ASKS_ORDER: "the question asks which of two events came first",
    Need.ASKS_ORGANISATION: "the answer is a firm, an office or another body",
    Need.ASKS_OUTCOME: "the question asks for a verdict, a decision, a winner or another outcome",
    Need.ASKS_PAST: "the question is about something past",
    Need.ASKS_PERSON: "the answer is a person",
    Need.ASKS_PLACE: "the answer is a place",
    Need.ASKS_PRESENT: "the question asks for a present state that may have been another one in the past",
    Need.ASKS_QUALITY: "the question asks for a colour, a material, a shape or another quality",
    Need.ASKS_RULE: "the question asks what a rule demands or allows",
    Need.ASKS_SAFETY: "the question turns on whether something is safe",
    Need.ASKS_SHARE: "the question asks for a share of cases",
    Need.ASKS_STATE: "the question asks which of two possible states something is in",
    Need.ASKS_THING: "the answer is a thing, a kind of thing or a term",
    Need.ASKS_TIMELESS: "the answer is a measure that does not change with time",
    Need.ASKS_TOTAL: "the answer is an amount that can be a sum of parts",
    Need.ASKS_UNROUND: "the answer is an amount that a brochure would round",
    Need.ASKS_YEARLY: "the answer is an amount of one year, of which other years have their own",
    Need.BAD_OUTCOME: "the sentence with the answer tells of damage, loss or another plain evil",
    Need.BETWEEN_PERSONS: "the question is about what one person did to another",
    Need.BODY: "the question names a body of people that can act, such as a board, a court or a firm",
    Need.BRACKET: "a passage holds a remark in brackets that is not the answer",
    Need.BUILDING: "the question is about a building, a room or another sheltered place",
    Need.BYSTANDER: "a passage names a person who is neither the answer nor in the question",
    Need.CAUSE: "a passage states a cause and its effect",
    Need.COLOUR: "a passage holds a word for a colour that is not in question or answer",
    Need.COMPARISON: "a passage compares two things of one kind",
    Need.CUSTOM: "question or passage is about a custom, a feast or a rule of a community",
    Need.DATED_EVENT: "a sentence with the answer gives a date that is not the answer nor in the question",
    Need.DEVICE: "the question is about a machine or an instrument",
    Need.DOUBLET: "a passage says one thing twice in a pair of like words",
    Need.EXAMPLE: "a passage illustrates a statement by an example",
    Need.FIRM: "question or passage is about a firm, its products or its sales",
    Need.FOOD: "a passage is about food or drink",
    Need.GROUP: "question or passage is about a group of people",
    Need.INVESTMENT: "the question is about something that people buy for a return",
    Need.IN_OFFICE: "a passage names a person who holds a post now",
    Need.LIVING_PERSON: "a passage names a person who may well be alive today",
    Need.MONTH_OF_YEAR: "a passage gives a month beside the year that is the answer",
    Need.NAMED_SUBJECT: "the question names what it asks about",
    Need.NAME_REPEATED: "a name of the question stands before and again in the sentence with the answer",
    Need.NUMBER: "a passage holds a number",
    Need.OBJECT: "the question is about a building, a device, a work or another physical thing",
    Need.ONGOING: "a passage tells of something that lasts to this day",
    Need.OPENER: "a sentence begins with a clause or phrase, set off by a comma, without the answer",
    Need.ORGANISATION: "the question is about a firm, an office or another body",
    Need.ORGANISM: "the question is about an animal, a plant or a fungus",
    Need.OWNED: "the question names a firm, a museum, a club or another body that can have an owner",
    Need.PART: "the question is about a part of a larger thing",
    Need.PERSON: "a passage names a person",
    Need.PERSON_SUBJECT: "the question names a person",
    Need.PLACE: "question or passage names a place",
    Need.PLACE_SUBJECT: "the question names a place",
    Need.PRECISE_SIDE_NUMBER: "a passage holds a number with decimals or three digits and more that is not the answer",
    Need.PRICE: "a passage holds a sum of money",
    Need.SERIES: "question or passage is about a series without an end",
    Need.SIDE_NUMBER: "a passage holds a number that is not the answer nor in the question",
    Need.SITE: "the question is about a building, a bridge, a street, a town or another site",
    Need.TWO_PERSONS: "the passages name two persons",
    Need.TWO_SIDE_NUMBERS: "a passage holds two numbers that are not the answer",
    Need.UNDERTAKING: "the question is about a journey, a trial, a season or another undertaking",
    Need.VARYING: "a passage is about a quantity that goes up and down over the years",
    Need.VERSIONS: "the sentence with the answer states it for every version, issue or model",
    Need.WORK: "the question is about a book, a picture, a piece of music or another work",
}
"""Every need in words: what `refusalbench plan` and the data card print."""
