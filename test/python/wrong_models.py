"""Models that violate the protocol, each with a mistake that is easy to make in Python."""

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


class Forgetful(Counter):
    def transition(self, event, state, first):
        if state["n"] == 0:
            return accept(state | {"n": 1})


def of_nothing(request, context):
    """Treats every request as a describe request."""
    return serve(Counter())({"protocol": 1, "op": "describe"})


def fragile(request, context):
    """Fails for all instances if one instance has a fault."""
    answer = serve(Counter())(request)
    if any("fault" in each for each in answer.get("instances", [])):
        raise RuntimeError("something went wrong")
    return answer


right, dice, remembering, clock = (serve(m()) for m in (Counter, Dice, Remembering, Clock))
undeclared, not_a_number, huge = (serve(m()) for m in (Undeclared, NotANumber, Huge))
forgetful = serve(Forgetful())
