"""Support for Milepost models in Python. Implements version 1 of the protocol in docs/reference/model-function-protocol.md.

Requires Python 3.10 or later and no other packages. Derive your model from Model, and define the handler of the
Lambda function in the module of the model: `handler = serve(MyModel())`.
"""

import json
import logging
import os
import traceback

PROTOCOL = 1

logger = logging.getLogger(__name__)


class Model:
    """The base class of a model. All methods must be pure: take times and ids from the event."""

    id: str
    version = 1
    title: str
    statuses: list
    milestones: list = []
    event_types: list
    sensitive: dict | None = None
    labels: dict | None = None

    def initial(self, event):
        """Returns the state before the first event."""
        return {}

    def transition(self, event, state, first):
        """Returns accept(state, *effects) or reject(reason). May modify the given state."""
        raise NotImplementedError

    def describe(self, state):
        """Describes a state to users: {"status": ..., "done": ..., "milestones": [...], "reference": ...}.

        A member that is None counts as absent, so you can write {"id": "returned", "at": state.get("returned")}.
        """
        raise NotImplementedError

    def keys(self, state):
        """Returns the business keys of the instance, such as {"customer": "42"}."""
        return {}

    def migrate(self, state, version):
        """Converts a state from another version of the model."""
        return state


def accept(state, *effects):
    return {"accepted": True, "state": state, "effects": list(effects)}


def reject(reason):
    return {"accepted": False, "reason": reason}


def emit(model, transaction, type, data, reply_to=False):
    sent = {"model": model, "transaction": transaction, "type": type, "data": data}
    return {"kind": "emit", **sent, "replyTo": reply_to}


def notify(type, data):
    return {"kind": "notify", "type": type, "data": data}


def start_timer(name, due_at):
    return {"kind": "start-timer", "name": name, "dueAt": due_at}


def cancel_timer(name):
    return {"kind": "cancel-timer", "name": name}


def serve(model):
    """Creates the Lambda handler of a model."""

    def handler(request, context=None):
        if request.get("protocol") != PROTOCOL:
            raise ValueError(f"this function supports only version {PROTOCOL} of the protocol")
        response = {"protocol": PROTOCOL, "description": _description(model)}
        if request.get("op") == "describe":
            return response
        if request.get("op") == "fold":
            return {**response, "instances": [_fold(model, each) for each in request["instances"]]}
        raise ValueError("this function supports only the operations describe and fold")

    return handler


def _description(model):
    described = ("id", "version", "title", "statuses", "milestones")
    optional = {n: getattr(model, n) for n in ("sensitive", "labels") if getattr(model, n)}
    return {n: getattr(model, n) for n in described} | {"eventTypes": model.event_types} | optional


class _PartFault(Exception):
    """Raised when a function of a model fails. Its cause is the exception that the function raised."""


def _call(model, part, *arguments):
    try:
        return getattr(model, part)(*arguments)
    except Exception as error:
        raise _PartFault(part) from error


def _fold(model, instance):
    before, events = instance["before"], instance["events"]
    response = {"steps": []}
    try:
        if before is None:
            response["start"] = current = _snapshot(model, _call(model, "initial", events[0]))
        elif before["modelVersion"] != model.version:
            state = _call(model, "migrate", before["state"], before["modelVersion"])
            response["start"] = current = _snapshot(model, state)
        else:
            current = {"state": before["state"]}
        for index, event in enumerate(events):
            step = _step(model, event, current["state"], before is None and index == 0)
            response["steps"].append(step)
            current = step.get("after", current)
    except Exception as error:
        response.update(_fault(model, error, events[len(response["steps"])]))
    return response


# The faults that have been logged. A retry does not log the same fault again.
_logged = set()


def _fault(model, error, event):
    """Describes an exception for the response, and logs the full traceback."""
    part, cause = None, error
    if isinstance(error, _PartFault):
        part, cause = str(error), error.__cause__
    stack = traceback.extract_tb(cause.__traceback__)
    # An exception's message can contain event data.
    summary = [type(cause).__name__] if model.sensitive else traceback.format_exception_only(cause)
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(stack), *summary]
    _log_once(model, event, "".join(lines).rstrip())
    # Omit the names transition and migrate: Milepost's message already contains the event or the versions.
    where = f"in {part}: " if part in ("initial", "describe", "keys") else ""
    fault = {"fault": f"{where}{type(cause).__name__}: {cause}"}
    own = [frame for frame in stack if _is_own(frame.filename)]
    if own:
        path = os.path.relpath(own[-1].filename, _FOLDER)
        fault["faultPlace"] = f"{path}:{own[-1].lineno} in {own[-1].name}"
    return fault


def _log_once(model, event, text):
    key = (event["source"], event["id"], text)
    if key in _logged:
        return
    if len(_logged) >= 1000:
        _logged.clear()
    _logged.add(key)
    logger.error("model %s failed on %s %s\n%s", model.id, event["type"], event["id"], text)


_FOLDER = os.path.dirname(os.path.abspath(__file__))


def _is_own(filename):
    path = os.path.abspath(filename)
    is_here = path.startswith(_FOLDER + os.sep) and path != os.path.abspath(__file__)
    return is_here and "site-packages" not in path


def _step(model, event, state, first):
    if event["type"] not in model.event_types:
        return reject(f"the model does not accept events of type {event['type']}")
    # Pass a copy, because the model may modify the state and then reject the event.
    decision = _call(model, "transition", event, _plain(state), first)
    if not (isinstance(decision, dict) and "accepted" in decision):
        raise TypeError(
            f"transition must return accept(state) or reject(reason); got {type(decision).__name__}"
        )
    if not decision["accepted"]:
        return decision
    after = _snapshot(model, decision["state"])
    return {"accepted": True, "after": after, "effects": _plain(decision["effects"])}


def _snapshot(model, state):
    # Convert to JSON and back here so that a state that is not JSON is a fault of this instance only.
    state = _plain(state)
    description = _call(model, "describe", _plain(state))
    keys = _call(model, "keys", _plain(state))
    return {"state": state, "description": _described(_plain(description)), "keys": _without_none(_plain(keys))}


def _described(description):
    described = _without_none(description)
    if isinstance(described, dict) and isinstance(described.get("milestones"), list):
        described["milestones"] = [_without_none(milestone) for milestone in described["milestones"]]
    return described


def _without_none(value):
    # In the protocol, a member without a value is absent. null is not valid.
    if not isinstance(value, dict):
        return value
    return {name: item for name, item in value.items() if item is not None}


def _plain(value):
    return json.loads(json.dumps(value, allow_nan=False))
