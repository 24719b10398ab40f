"""Base questions for probes of the rules: question, answer, passage."""

MILL = (
    "In which year did Hedda Lorn open the paper mill on the Ruhn?",
    "1962",
    "Hedda Lorn trained as a printer in Vasse before she turned to paper. In 1962 Hedda Lorn opened the first mill on "
    "the Ruhn that made sheets from hemp alone. It employed nine people, and its sheets were sold to bookbinders in "
    "four towns. The mill building is now a hostel for walkers.",
)
LAMPS = (
    "When does the museum of lamps at Tarn close on Sundays?",
    "6:30 pm",
    "The museum of lamps at Tarn was opened in 1988 by two sisters. On Sundays it closes at 6:30 pm, an hour later "
    "than on weekdays. The shop beside it sells wicks and oil.",
)
BELL = (
    "How heavy is the great bell of Marn?",
    "180 kilograms",
    "The great bell of Marn was cast in 1611 from the bronze of an old cannon. It weighs 180 kilograms and has a deep, "
    "slightly cracked voice. Ringers from three parishes take turns at the rope.",
)
NOON = (
    "What temperature was measured at Fossli at noon on 6 July 1959?",
    "31.4 °C",
    "On 6 July 1959 the station at Fossli measured 31.4 °C at noon. In the evening a thunderstorm came over the ridge "
    "and put out the lamps in the valley. The chief observer, Per Lund, noted hail the size of peas.",
)
FLATS = (
    "What share of the flats in Brook House stands empty?",
    "25 percent",
    "Brook House was built in 1971 for the families of dockers. At the last count 25 percent of the flats in Brook "
    "House stood empty. The lift has been out of order since March.",
)
LIGHT = (
    "Who designed the Harrowmouth lighthouse?",
    "Edda Lindqvist",
    "The Harrowmouth lighthouse stands on Cormorant Rock, two kilometres off the Vessen coast. It was designed by the "
    "engineer Edda Lindqvist and first lit on 3 October 1874. The granite tower is 41 metres high and replaced a "
    "wooden beacon that had burned down in 1869.",
)
STRIKE = (
    "How long did the strike at the Pelham docks last?",
    "two weeks",
    "The strike at the Pelham docks began over the price of gloves. It lasted two weeks and ended with a dance. The "
    "owners paid for the band.",
)
BRIDGE = (
    "On what date was the Tarn bridge opened?",
    "1 May 1904",
    "The Tarn bridge replaced a ferry. It was opened on 1 May 1904 by the bishop. The toll was one penny.",
)
MINERS = (
    "How many miners were rescued from the Dunfell mine in 1923?",
    "37",
    "The Dunfell mine was flooded in November 1923. Divers worked for three days and brought 37 miners to the surface "
    "alive. The pit was never opened again.",
)
ROOF = (
    "Which material did the parish of Leyburn choose for the roof?",
    "copper sheet",
    "In 1996 the parish of Leyburn had to mend its roof. The parish chose copper sheet, which a firm from Dorn laid in "
    "five weeks. The old weathercock was gilded and put back on top.",
)
BORN = (
    "In which country was the engineer Nils Brod born?",
    "the United Kingdom",
    "The engineer Nils Brod was born in the United Kingdom and grew up in Lund. He built eleven bridges. His brother "
    "kept bees.",
)
ANCHOR = (
    "How heavy was the anchor of the Tern?",
    "20.5 tonnes",
    "The anchor of the Tern was hauled up in 1931. It weighed 20.5 tonnes and was covered with mussels. It lies in "
    "front of the town hall.",
)
CLOCK = (
    "By how much was the clock of Dorn off on 9 March 2016?",
    "4 milliseconds",
    "The clock of Dorn stands in a vault. On 9 March 2016 it was off by 4 milliseconds, as a radio signal showed. Two "
    "people have a key.",
)
SIEGE = (
    "On what date did the siege of Morn end?",
    "29 May 1462",
    "The siege of Morn began on 2 April 1462 and ended on 29 May 1462, when the well ran dry. The garrison left with "
    "its weapons. The keep was pulled down the next year.",
)
BOARD = (
    "Which body runs the ferry between Holm and Sund?",
    "Northern Islands Transport Board",
    "The ferry between Holm and Sund makes nine crossings a day. It is run by the Northern Islands Transport Board, "
    "which bought the boat in 2009. The crossing takes forty minutes, and dogs travel free.",
)
