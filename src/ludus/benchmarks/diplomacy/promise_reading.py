"""Finds promises in messages by rules, sentence by sentence.

A promise is what a power says of itself: its name, "I", "we" or one of its units, a word that binds
it ("will", "agree", "have ordered"), and what it will do. What stands between the two decides:
"might", "hope" or "think" make it none, "not" turns it round. Questions, wishes and what others
should do are no promises. Words such as "if" make a promise hang on a condition, words such as
"next turn" say when it is to be kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from ludus.benchmarks.diplomacy.scoring import POWERS
from ludus.games.diplomacy.map.place_names import ALIASES, NAMES
from ludus.games.diplomacy.records import Message, parse_phase

__all__ = ["KINDS", "Promise", "find_promises", "find_provinces", "split_sentences"]

KINDS = ("support", "move", "dmz", "peace")
NOW, NEXT, LATER = "now", "next", "later"
LONGEST_SENTENCE = 1_000

PLACES = {name.lower(): province for province, name in NAMES.items()}
PLACES |= {alias.lower(): province for alias, province in ALIASES.items() if len(alias) > 4}
PLACES |= {"the channel": "ENG"}
WORDY = re.compile(
    r"\b(?:" + "|".join(sorted(map(re.escape, PLACES), key=len, reverse=True)) + r")\b", re.I
)
CODE = re.compile(r"\b([A-Z]{3}|[A-Z][a-z]{2})\b(?:/[NSEW]C)?")
AMBIGUOUS = {"Bar", "Con", "Eng", "Gas", "Mar", "Par", "Pie", "Ber"}  # words, or England for short

SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]?")
CONDITION = re.compile(
    r"(?<!even )\bif\b|\b(?:unless|provided|as long as|so long as|in case|once (?:you|we|they)|"
    r"in exchange|in return|when you|assuming|on (?:the )?condition|should you)\b",
    re.I,
)
LATER_WORDS = re.compile(
    r"\b(?:next year|later|eventually|some ?day|in the (?:future|long run|coming years))\b", re.I
)
NEXT_WORDS = re.compile(
    r"\b(?:next|following|coming) (?:turn|season|phase|move|movement|round)\b", re.I
)
SEASON = re.compile(
    r"\b(?:in|this|come|by|next|for)(?: the)?(?: coming)? (?P<season>spring|fall|autumn)"
    r"(?: of)?(?: (?P<year>19\d\d))?\b",
    re.I,
)
YEAR = re.compile(r"\bin (19\d\d)\b", re.I)

BINDING = re.compile(
    r"'ll\b|\b(?:will|shall|won't|am|'m|are|is|going|intend\w*|plan|plans|promise\w*|pledge\w*|"
    r"agree|agrees|commit\w*|guarantee\w*|confirm\w*|vow\w*|swear\w*|ordered|ordering|order|"
    r"decided|accept\w*|remain\w*|have my|count on my|no (?:intention|plans?|desire|interest))\b|"
    r"\bI'm\b",
    re.I,
)
LOOSE = re.compile(
    r"\b(?:might|may|maybe|perhaps|could|would|should|can|cannot|can't|couldn't|hope\w*|want\w*|"
    r"wish\w*|like to|try\w*|consider\w*|think\w*|thought|believe\w*|suspect\w*|fear\w*|wonder\w*|"
    r"expect\w*|know|see|hear\w*|understand|trust|propose\w*|suggest\w*|asks?|asked|asking|tell|"
    r"told|need|was|were|had|did|didn't|sure|unable|able|refuse\w*|glad|rather|whether|wait|"
    r"waiting|without|agreed|said|say|your (?:promise|word))\b",
    re.I,
)
NEGATION = re.compile(r"\b(?:not|never|won't|don't|doesn't|aren't|isn't|no)\b|n't\b", re.I)
NO_NEGATION = re.compile(r"\bnot (?:hesitate|fail) to\b", re.I)
OTHERS = re.compile(
    r"\b(?:you|they|he|she|it|who|" + "|".join(power.capitalize() for power in POWERS) + r")"
    r"(?: (?:both|will|can|should|must|may))?\s*$",
    re.I,
)
UNIT = r"(?:army|armies|fleets?|units?|forces?|troops)"
OF_UNITS = (
    rf"\b(?:my|our)(?: \w+)? {UNIT}\b(?: (?:in|at|from) (?:the )?\w+)?|"
    r"\b(?:my |our )?(?<!your )(?-i:\b[AF] [A-Z]{3}\b)"
)

SUPPORT = re.compile(
    r"\b(?:support(?:s|ing)?|back(?:s|ing)? you)\b|(?-i:\bS\b(?= [AF] [A-Z]{3}))", re.I
)
MOVE = re.compile(
    r"\b(?:mov(?:e|es|ing)|send(?:s|ing)?|march(?:es|ing)?|sail(?:s|ing)?|head(?:s|ing)?|"
    r"advanc(?:e|es|ing)|push(?:es|ing)?|convoy(?:s|ing)?|land(?:s|ing)?|return(?:s|ing)?|"
    r"pull(?:s|ing)?|attack(?:s|ing)?|tak(?:e|es|ing)|captur(?:e|es|ing)|seiz(?:e|es|ing)|"
    r"occupy(?:ing)?|enter(?:s|ing)?|contest(?:ing)?|put(?:ting)?|set(?:ting)? foot|"
    r"go(?:es|ing)?(?= (?:in)?to (?!go\b|support|move|stay|attack|take|convoy|\w+ (?:you|your)\b)))"
    r"\b|(?-i:(?<=[A-Z]{3}) ?(?:->?|→) ?(?=[A-Z]{3}))",
    re.I,
)
LEAVE = re.compile(
    r"\b(?:stay|stays|staying|keep|keeps|keeping)(?: (?:my|our|all|any)? ?\w+)? "
    r"(?:out of|away from|clear of)\b|"
    r"\b(?:leave|leaving|keep|keeping) (?:the )?[\w ]{3,30}? (?:empty|alone|open|neutral|clear|"
    r"vacant|free|demilitari[sz]ed|unoccupied|a DMZ)\b|\bavoid(?:ing)?\b|"
    r"\brefrain from (?:moving|entering)\b|"
    r"\bDMZ\b|\bdemilitari[sz](?:ed|ation)\b|\bbuffer\b",
    re.I,
)
STAYS = re.compile(
    rf"(?:{WORDY.pattern}|(?-i:\b[A-Z]{{3}}\b)) (?:stays?|remains?|will (?:be|remain|stay))(?: a)? "
    r"(?:DMZ|demilitari[sz]ed|empty|neutral)\b",
    re.I,
)
PEACE = re.compile(
    r"\balliance\b|\bally\b|\ballies\b|\bnon-?aggression\b|\bpeace\b|\btruce\b|"
    r"\bno (?:hostile|aggressive) (?:moves?|actions?|intent(?:ion)?s?)\b",
    re.I,
)
HARM = re.compile(
    r"\b(?:attack\w*|stab\w*|betray\w*|mov(?:e|ing) against|turned against|(?:hostile|aggressive) "
    r"(?:moves?|actions?)(?: (?:against|towards?))?)",
    re.I,
)
TO_YOU = re.compile(r"\W*(?:you\b|your\b|our (?:alliance|friendship)\b)", re.I)
ACTIONS = {"support": SUPPORT, "move": MOVE, "dmz": LEAVE, "peace": PEACE, "harm": HARM}
THEIRS = {
    "support": re.compile(r"\b(?:your|their)\s+$", re.I),
    "move": re.compile(r"(?:\b(?:your|you|their|his|her|its|the|a|an|any)|'s)\s+$", re.I),
}
"""What stands before an action that is somebody else's, or a noun."""
MEANS = re.compile(r"\bwith (?:my|our|an?)\b", re.I)
"""What comes before the unit that does it, which is not where it goes."""
NEW_CLAUSE = re.compile(r",|;|\b(?:and|then|but|while)\b")
DOUBT = re.compile(r"\b(?:perhaps|maybe)\b", re.I)
REPORT = re.compile(rf"(?:{LOOSE.pattern})(?: (?:that|if|whether))?\s*$", re.I)
"""What makes the clause after it no promise: "I am not sure whether"."""
LOOKED_BACK = 2
"""How many words for the speaker before an action are tried, the nearest first."""


@dataclass(frozen=True, slots=True)
class Promise:
    """What a power said it would do.

    Attributes:
        phase: When it was said.
        sender: Who said it.
        recipient: To whom: a power, or ``GLOBAL``.
        kind: One of :data:`KINDS`.
        places: The provinces it speaks of; the last is where a move or support goes.
        text: The sentence.
        when: ``now`` for the phase it was said in, ``next`` for the movement after it, ``later``.
        conditional: Whether it hangs on a condition.
    """

    phase: str
    sender: str
    recipient: str
    kind: str
    places: tuple[str, ...]
    text: str
    when: str = NOW
    conditional: bool = False


class _Action(NamedTuple):
    """Something that a sentence says somebody does: which words, and where they stand."""

    kind: str
    start: int
    end: int


def find_promises(messages: Iterable[Message]) -> list[Promise]:
    """Return the promises that messages hold, in their order.

    Example:
        >>> message = Message("FRANCE", "GERMANY", "I will support you into Munich.", "S1901M")
        >>> [(promise.kind, promise.places) for promise in find_promises([message])]
        [('support', ('MUN',))]
    """
    return [promise for message in messages for promise in _find_in_message(message)]


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, each in one line."""
    joined = re.sub(r"\bSt\. ", "St ", text.replace("’", "'"))
    return [" ".join(match[0].split()) for match in SENTENCE.finditer(joined)]


def find_provinces(text: str) -> tuple[str, ...]:
    """Return the provinces that a text names, in its order, each once."""
    return tuple(dict.fromkeys(province for _, province in _locate_provinces(text)))


def _locate_provinces(text: str) -> list[tuple[int, str]]:
    words = [(match.span(), PLACES[match[0].lower()]) for match in WORDY.finditer(text)]
    named = [(start, province) for (start, _), province in words]
    for match in CODE.finditer(text):
        inside = any(start <= match.start() < end for (start, end), _ in words)
        if match[1].upper() in NAMES and match[1] not in AMBIGUOUS and not inside:
            named.append((match.start(), match[1].upper()))
    return sorted(named)


# ---- sentences


def _find_in_message(message: Message) -> Iterator[Promise]:
    for sentence in split_sentences(message.text):
        if sentence.endswith("?") or len(sentence) > LONGEST_SENTENCE:
            continue
        conditional = bool(CONDITION.search(sentence))
        when = _find_time(sentence, message.phase)
        for kind, places in dict.fromkeys(_find_in_sentence(sentence, message)):
            yield Promise(
                message.phase,
                message.sender,
                message.recipient,
                kind,
                places,
                sentence,
                when,
                conditional,
            )


def _find_time(sentence: str, phase_name: str) -> str:
    """Return whether a sentence speaks of this movement, the next, or a later one."""
    if LATER_WORDS.search(sentence):
        return LATER
    if NEXT_WORDS.search(sentence):
        return NEXT
    phase, named = parse_phase(phase_name), SEASON.search(sentence)
    if phase is None:
        return NOW
    if named:
        return _time_of_season(named, phase.season, phase.year)
    year = YEAR.search(sentence)
    return NOW if year is None or int(year[1]) == phase.year else LATER


def _time_of_season(named: re.Match[str], season: str, year: int) -> str:
    spring = named["season"].lower() == "spring"
    same = spring == (season == "spring")
    if named["year"]:
        said, now = (int(named["year"]), not spring), (year, season != "spring")
        following = (year, True) if season == "spring" else (year + 1, False)
        return NOW if said == now else NEXT if said == following else LATER
    is_next_year = named[0].lower().startswith("next")
    if same:
        return LATER if is_next_year else NOW
    return NEXT


def _find_in_sentence(sentence: str, message: Message) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the kind and the places of each promise in a sentence."""
    if DOUBT.search(sentence):
        return
    subjects = list(_subject_pattern(message.sender).finditer(sentence))
    actions = _find_actions(sentence)
    for number, action in enumerate(actions):
        end = actions[number + 1].start if number + 1 < len(actions) else len(sentence)
        for pattern in (CONDITION, MEANS):
            rest = pattern.search(sentence, action.end, end)
            end = rest.start() if rest else end
        read = _read_action(sentence, action, end, subjects, message)
        if read:
            yield read
    place = STAYS.search(sentence)
    if place and not subjects and not CONDITION.search(sentence):
        yield "dmz", find_provinces(place[0])


@cache
def _subject_pattern(sender: str) -> re.Pattern[str]:
    """Return what a power calls itself, its units, and its word."""
    adjectives = {"FRANCE": "French", "TURKEY": "Turkish", "ENGLAND": "English"}
    adjective = adjectives.get(sender, f"{sender.capitalize()}n?")
    return re.compile(
        rf"\bI\b|\bwe\b|{OF_UNITS}|\b{re.escape(sender.capitalize())}\b|"
        rf"\bno {re.escape(adjective)} {UNIT}\b|"
        r"\byou(?:'ll| will)? (?:have|get|can count on)(?= my\b)",
        re.I,
    )


def _find_actions(sentence: str) -> list[_Action]:
    """Return what a sentence says is done, in its order; what others do is left out."""
    found = [
        _Action(kind, *match.span())
        for kind, pattern in ACTIONS.items()
        for match in pattern.finditer(sentence)
        if not (kind in THEIRS and THEIRS[kind].search(sentence[: match.start()]))
    ]
    actions: list[_Action] = []
    for action in sorted(found, key=lambda action: (action.start, action.kind != "harm")):
        before = actions[-1] if actions else None
        if before and (action.start < before.end or _continues(before, action, sentence)):
            continue
        actions.append(action)
    return actions


def _continues(before: _Action, action: _Action, sentence: str) -> bool:
    """Return whether a move is what is supported, or the same move written as an order."""
    same = before.kind in ("support", "move") and action.kind in ("move", "harm")
    return same and not NEW_CLAUSE.search(sentence[before.end : action.start])


def _read_action(
    sentence: str,
    action: _Action,
    end: int,
    subjects: Sequence[re.Match[str]],
    message: Message,
) -> tuple[str, tuple[str, ...]] | None:
    """Return the promise that an action is, or None."""
    for subject in [one for one in subjects if one.end() <= action.start][: -LOOKED_BACK - 1 : -1]:
        between = NO_NEGATION.sub("", sentence[subject.end() : action.start])
        if (
            LOOSE.search(between)
            or OTHERS.search(between)
            or REPORT.search(sentence[: subject.start()])
        ):
            return None
        if not (BINDING.search(subject[0] + between) or _binds_itself(sentence, action, subject)):
            continue
        after_but = between.rpartition(" but ")[2]
        negations = len(NEGATION.findall(after_but)) + subject[0].lower().startswith("no ")
        scope = sentence[subject.start() : end]
        own = find_provinces(sentence[action.start : end])
        return _name_promise(
            action, sentence[action.end :], scope, own, message, negative=negations % 2 == 1
        )
    return None


def _binds_itself(sentence: str, action: _Action, subject: re.Match[str]) -> bool:
    """Return whether a unit's action is told as a fact, such as "A MAR goes to Gascony"."""
    word = sentence[action.start : action.end]
    is_unit = subject[0].lower() not in ("i", "we")
    return is_unit and word.endswith("s") and sentence[subject.end() : action.start].isspace()


def _name_promise(
    action: _Action,
    rest: str,
    scope: str,
    places: tuple[str, ...],
    message: Message,
    *,
    negative: bool,
) -> tuple[str, tuple[str, ...]] | None:
    """Return the kind of promise that an action is, done or not, and its places."""
    kind = action.kind
    if kind == "harm" and negative and _means_recipient(rest, message):
        kind, negative = "peace", False
    if kind == "peace":
        return None if negative or _concerns_others(scope, message) else ("peace", ())
    if kind == "dmz":
        named = places or find_provinces(scope)
        return ("dmz", named) if named and not negative else None
    if not places:
        return None
    if kind == "support":
        return None if negative else ("support", places)
    return ("dmz", places[-1:]) if negative else ("move", places)


def _means_recipient(rest: str, message: Message) -> bool:
    """Return whether the words after an attack are of who is spoken to."""
    named = re.match(rf"\W*{re.escape(message.recipient)}\b", rest, re.I)
    return bool(TO_YOU.match(rest) or named)


def _concerns_others(scope: str, message: Message) -> bool:
    """Return whether words of peace are not for the recipient: said to all, or of a third power."""
    if message.recipient not in POWERS:
        return True
    third = [power for power in POWERS if power not in (message.sender, message.recipient)]
    return any(re.search(rf"\b{power[:5]}", scope, re.I) for power in third)
