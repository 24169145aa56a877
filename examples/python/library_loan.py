"""Tracks the loan of a library book: an example of a model in Python."""

from datetime import datetime, timedelta

from milepost_model import Model, accept, cancel_timer, notify, reject, serve, start_timer

DAYS = 21
RENEWALS = 2


def later(time, days):
    """Adds days to a time. The time and the result are RFC 3339 in UTC."""
    moment = datetime.fromisoformat(time[:19]) + timedelta(days=days)
    return moment.isoformat() + "Z"


class LibraryLoan(Model):
    id = "library-loan"
    title = "A book on loan"
    statuses = ["New", "On loan", "Overdue", "Returned"]
    milestones = [
        {"id": "lent", "label": "Lent"},
        {"id": "returned", "label": "Returned"},
    ]
    event_types = ["book.lent", "loan.renewed", "book.returned", "timer.fired"]

    def initial(self, event):
        return {"renewals": 0}

    def transition(self, event, state, first):
        kind, data = event["type"], event["data"]
        if kind == "book.lent":
            if "lent" in state:
                return reject("the book is already on loan")
            if not isinstance(data, dict):
                return reject("data must be an object with book and member")
            book, member = data.get("book"), data.get("member")
            if not all(isinstance(text, str) and text for text in (book, member)):
                return reject("data must contain book and member")
            state |= {"book": book, "member": member, "lent": event["time"]}
            return self._until(state, later(event["time"], DAYS))
        if "lent" not in state or "returned" in state:
            return reject("the book is not on loan")
        if kind == "loan.renewed":
            if state["renewals"] == RENEWALS:
                return reject(f"the loan can be renewed at most {RENEWALS} times")
            state["renewals"] += 1
            state["overdue"] = False
            return self._until(state, later(event["time"], DAYS))
        if kind == "timer.fired":
            state["overdue"] = True
            return accept(state, notify("LoanOverdue", {"member": state["member"]}))
        return accept(state | {"returned": event["time"]}, cancel_timer("due"))

    def _until(self, state, due):
        return accept(state | {"due": due}, start_timer("due", due))

    def describe(self, state):
        milestones = []
        if "lent" in state:
            milestones.append({"id": "lent", "at": state["lent"]})
            milestones.append({"id": "returned", "at": state.get("returned"), "expectedBy": state["due"]})
        return {"status": self._status(state), "done": "returned" in state, "milestones": milestones}

    def _status(self, state):
        if "lent" not in state:
            return "New"
        if "returned" in state:
            return "Returned"
        return "Overdue" if state.get("overdue") else "On loan"

    def keys(self, state):
        return {"member": state.get("member")}


handler = serve(LibraryLoan())
