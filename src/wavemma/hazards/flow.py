"""What is missing between the instructions of a program, along every path through it."""

from collections.abc import Iterator, Sequence

import msgspec

from wavemma.hazards.reading import Reading, Run, Span, meet, together, without
from wavemma.hazards.rules import Need, countings_of, horizon, needs


class Missing(msgspec.Struct, frozen=True):
    """A consumer that comes too early on some path.

    Attributes:
        producer: The number of the earlier instruction.
        consumer: The number of the later one.
        need: What a rule asks for.
        has: What stands between on the path where that is the least.

    """

    producer: int
    consumer: int
    need: Need
    has: int

    @property
    def lack(self) -> int:
        """What is missing."""
        return self.need.wait - self.has


class Pending(msgspec.Struct):
    """A producer on its way: how far it is back, and what of its results is still its own.

    Attributes:
        number: Of the producer.
        reading: The producer.
        until: From what distance on no rule asks for more.
        states: Wait states since.
        slots: Vector instructions since.
        marks: By class that came since: wait states since it came.
        live: The registers that it wrote and nothing has overwritten.

    """

    number: int
    reading: Reading
    until: int
    states: int
    slots: int
    marks: dict[str, int]
    live: tuple[Span, ...]

    @property
    def key(self) -> tuple[int, frozenset[str]]:
        """What tells it from others where paths meet."""
        return self.number, frozenset(self.marks)


State = dict[tuple[int, frozenset[str]], Pending]


def missing(runs: Sequence[Run], target: str) -> tuple[Missing, ...]:
    """Find the consumers that come too early.

    Each is told once a producer and rule, with the least that stands between on any path.

    Args:
        runs: The program; each may also be entered from outside, with nothing pending.
        target: Whose rules hold.

    """
    program = _Program(runs, target)
    found: dict[tuple[int, int, str, str], Missing] = {}
    for run, state in zip(runs, program.entries(), strict=True):
        for each in program.checked(run, state):
            key = (each.consumer, each.producer, each.need.rule.name, each.need.doubt)
            if key not in found or each.has < found[key].has:
                found[key] = each
    return tuple(found[key] for key in sorted(found))


class _Program:
    """Runs, with what was found out about their instructions."""

    def __init__(self, runs: Sequence[Run], target: str) -> None:
        self.runs = runs
        self.target = target
        countings = countings_of(target)
        self.in_slots = all(each.s_nop == "none" for each in countings)
        self.marking = frozenset(name for each in countings for name in each.between)
        # By identity: the readings live as long as the runs do.
        self.horizons: dict[int, int] = {}
        self.rules: dict[tuple[int, int], tuple[Need, ...]] = {}

    def entries(self) -> list[State]:
        """Find what is pending where each run begins, over all paths."""
        states: list[State] = [{} for _ in self.runs]
        waiting = list(range(len(self.runs)))[::-1]
        queued = set(waiting)
        while waiting:
            number = waiting.pop()
            queued.discard(number)
            left = self._passed(self.runs[number], states[number])
            for successor in self.runs[number].successors:
                if _join(states[successor], left) and successor not in queued:
                    waiting.append(successor)
                    queued.add(successor)
        return states

    def checked(self, run: Run, state: State) -> Iterator[Missing]:
        """Yield what is missing inside a run that is entered in a state."""
        pending = [msgspec.structs.replace(each) for each in state.values()]
        for number, reading in enumerate(run.readings, run.first):
            for each in pending if reading.operands else ():
                for need in self._needs(each.reading, reading):
                    has = _has(each, need)
                    if has is not None and has < need.wait:
                        yield Missing(each.number, number, need, has)
            pending = self._behind(pending, number, reading)

    def _passed(self, run: Run, state: State) -> list[Pending]:
        """Give what is pending behind a run."""
        pending = [msgspec.structs.replace(each) for each in state.values()]
        for number, reading in enumerate(run.readings, run.first):
            pending = self._behind(pending, number, reading)
        return pending

    def _behind(self, pending: list[Pending], number: int, reading: Reading) -> list[Pending]:
        """Give what is pending behind one instruction more."""
        for each in pending:
            _pass(each, reading, self.marking)
        left = [each for each in pending if self._distance(each) < each.until]
        until = self._horizon(reading)
        if until:
            left.append(Pending(number, reading, until, 0, 0, {}, reading.writes))
        return left

    def _distance(self, each: Pending) -> int:
        return each.slots if self.in_slots else each.states

    def _horizon(self, reading: Reading) -> int:
        if id(reading) not in self.horizons:
            self.horizons[id(reading)] = horizon(reading, self.target)
        return self.horizons[id(reading)]

    def _needs(self, producer: Reading, consumer: Reading) -> tuple[Need, ...]:
        key = (id(producer), id(consumer))
        if key not in self.rules:
            every = needs(producer, consumer, self.target)
            self.rules[key] = tuple(each for each in every if each.wait)
        return self.rules[key]


def _pass(each: Pending, reading: Reading, marking: frozenset[str]) -> None:
    """Move a producer back by one instruction."""
    if reading.writes and each.live:
        each.live = without(each.live, reading.writes)
    each.states += reading.wait_states
    each.slots += reading.slots
    if marking:
        for name in each.marks:
            each.marks[name] += reading.wait_states
        each.marks = each.marks | dict.fromkeys(marking & reading.operands.keys(), 0)


def _has(each: Pending, need: Need) -> int | None:
    """Count what stands between; None if the rule does not hold on this path."""
    if need.produces in ("d", "vdst") and not meet(each.live, need.registers):
        return None
    counting = need.counting
    if counting.s_nop == "none":
        return each.slots
    if not counting.between:
        return each.states
    marks = [each.marks[name] for name in counting.between if name in each.marks]
    if not marks or (counting.reach and each.states >= counting.reach):
        return None
    return min(marks) if counting.since == "between" else each.states


def _join(state: State, pending: Sequence[Pending]) -> bool:
    """Put what is pending on one more path into a state; tell whether that changed it."""
    changed = False
    for each in pending:
        old = state.get(each.key)
        if old is None:
            state[each.key] = msgspec.structs.replace(each)
            changed = True
            continue
        new = _nearer(old, each)
        if new != old:
            state[each.key] = new
            changed = True
    return changed


def _nearer(one: Pending, two: Pending) -> Pending:
    """Give a producer as near as on the nearer of two paths."""
    return Pending(
        one.number,
        one.reading,
        one.until,
        min(one.states, two.states),
        min(one.slots, two.slots),
        {name: min(since, two.marks[name]) for name, since in one.marks.items()},
        together(one.live, two.live),
    )
