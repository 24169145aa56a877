"""Posts an event in binary and in structured content mode with the CloudEvents SDK."""

import sys
from urllib.request import Request, urlopen

from cloudevents.core.bindings.http import to_binary_event, to_structured_event
from cloudevents.core.v1.event import CloudEvent

(url,) = sys.argv[1:]


def event(transaction):
    return CloudEvent(
        attributes={
            "id": f"{transaction}-created",
            "source": "post_events.py",
            "type": "account.created",
            "modelid": "activation",
            "transactionid": transaction,
        },
        data={"plan": "basic"},
    )


for message in [
    to_binary_event(event("BINÄR 1/%")),
    to_structured_event(event("STRUCTURED-1")),
]:
    request = Request(url, data=message.body, headers=message.headers, method="POST")
    with urlopen(request) as response:
        assert response.status == 202, response.status
