"""English words without their endings."""

from functools import lru_cache

_IRREGULAR = {"men": "man", "women": "woman", "children": "child", "feet": "foot", "teeth": "tooth", "geese": "goose"}
_IRREGULAR |= {"mice": "mouse", "oxen": "ox", "wolves": "wolf", "knives": "knife", "leaves": "leaf", "lives": "life"}
_IRREGULAR |= {"st": "saint", "mt": "mount", "dr": "doctor", "mr": "mister", "grey": "gray"}


@lru_cache(8192)
def stem(word: str) -> str:
    """Return a word in lower case without a plural ending or a possessive 's."""
    word = word.casefold().removesuffix("'s").replace("'", "")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith(("our", "ours")):
        word = word.replace("our", "or")
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return f"{word[:-3]}y" if word.endswith("ies") and len(word) > 4 else word[:-1]
