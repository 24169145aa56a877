"""Models that do not do as the protocol says, each in a way that code in Python easily does."""

import random
import time

from milepost_model import Model, accept, serve


class Counter(Model):
    id = "counter"
    title = "A counter"
    statuses = ["Counting"]
    event_types = ["counted"]

    def initial(self, event):
        return {"n": 0}

    def transition(self, event, state, first):
        return accept(state | {"n": state["n"] + 1})

    def describe(self, state):
        return {"status": "Counting"}


class Dice(Counter):
    def transition(self, event, state, first):
        return accept(state | {"n": random.random()})


class Remembering(Counter):
    seen = 0

    def transition(self, event, state, first):
        self.seen += 1
        return accept(state | {"n": self.seen})


class Clock(Counter):
    def initial(self, event):
        return {"n": 0, "at": time.time_ns() // 1000}


class Undeclared(Counter):
    def describe(self, state):
        return {"status": "Done" if state["n"] else "Counting"}


class NotANumber(Counter):
    def transition(self, event, state, first):
        return accept(state | {"n": float("nan")})


class Huge(Counter):
    def transition(self, event, state, first):
        return accept(state | {"n": 2**70})


def of_nothing(request, context):
    """It takes whatever it is asked for a question what it is."""
    return serve(Counter())({"protocol": 1, "op": "describe"})


def fragile(request, context):
    """What is wrong with one instance is an error of all."""
    answer = serve(Counter())(request)
    if any("fault" in each for each in answer.get("instances", [])):
        raise RuntimeError("something went wrong")
    return answer


right, dice, remembering, clock = (serve(m()) for m in (Counter, Dice, Remembering, Clock))
undeclared, not_a_number, huge = (serve(m()) for m in (Undeclared, NotANumber, Huge))
