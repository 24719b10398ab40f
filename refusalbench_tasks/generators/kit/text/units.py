"""Names of units, and what each is worth in the first unit of its kind.

Our own list and not a library of units: those know neither "per cent" nor "kilogrammes" nor a currency, read words
such as "are", "point" and "in" as units, and take a second to load.
"""

from functools import cache

_KINDS: dict[str, dict[str, float]] = {
    "length": {
        "m metre metres meter meters": 1,
        "km kms kilometre kilometres kilometer kilometers": 1000,
        "cm centimetre centimetres centimeter centimeters": 0.01,
        "mm millimetre millimetres millimeter millimeters": 0.001,
        "mi mile miles": 1609.344,
        "yd yds yard yards": 0.9144,
        "ft foot feet": 0.3048,
        "inch inches": 0.0254,
    },
    "mass": {
        "g gram grams gramme grammes": 1,
        "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes": 1000,
        "mg milligram milligrams milligramme milligrammes": 0.001,
        "t tonne tonnes": 1_000_000,
        "ton tons": 1_016_046.9088,
        "oz ounce ounces": 28.349523125,
        "lb lbs": 453.59237,
    },
    "time": {
        "s sec secs second seconds": 1,
        "ms millisecond milliseconds": 0.001,
        "min mins minute minutes": 60,
        "h hr hrs hour hours": 3600,
        "day days": 86_400,
        "week weeks": 604_800,
    },
    "calendar": {"month months": 1, "yr yrs year years": 12, "decade decades": 120, "century centuries": 1200},
    "area": {
        "m² m2 sqm square_metre square_metres square_meter square_meters sq_m": 1,
        "km² km2 square_kilometre square_kilometres square_kilometer square_kilometers sq_km": 1_000_000,
        "ha hectare hectares": 10_000,
        "acre acres": 4046.8564224,
        "square_mile square_miles sq_mi": 2_589_988.110336,
        "square_foot square_feet sq_ft": 0.09290304,
    },
    "volume": {
        "l litre litres liter liters": 1,
        "ml millilitre millilitres milliliter milliliters": 0.001,
        "hl hectolitre hectolitres hectoliter hectoliters": 100,
        "m³ m3 cubic_metre cubic_metres cubic_meter cubic_meters": 1000,
    },
    "speed": {
        "m/s metre_per_second metres_per_second meters_per_second": 1,
        "km/h kph kmh kilometre_per_hour kilometres_per_hour kilometers_per_hour kilometres_an_hour": 1 / 3.6,
        "mph mile_per_hour miles_per_hour miles_an_hour": 0.44704,
        "knot knots kn": 1852 / 3600,
    },
    "power": {"w watt watts": 1, "kw kilowatt kilowatts": 1000, "mw megawatt megawatts": 1_000_000},
    "share": {"% percent per_cent pc": 1},
    "celsius": {"°c degrees_celsius degree_celsius degrees_centigrade degrees_c": 1},
    "fahrenheit": {"°f degrees_fahrenheit degree_fahrenheit degrees_f": 1},
    "degree": {"° degree degrees": 1},
    "decibel": {"db decibel decibels": 1},
    "dollar": {"$ dollar dollars usd": 1},
    "euro": {"€ euro euros eur": 1},
    "pound": {"£ pound pounds quid gbp": 1},
    "yen": {"¥ yen jpy": 1},
}
LONGEST = 3
"""Words of the longest name."""


@cache
def units() -> dict[str, tuple[str, float]]:
    """Return kind and worth by each name in lower case, words joined by "_"."""
    named = ((name, kind, worth) for kind, rows in _KINDS.items() for names, worth in rows.items() for name in [names])
    return {name: (kind, worth) for names, kind, worth in named for name in names.split()}
