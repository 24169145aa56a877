import json
import random
import time
from datetime import datetime, timezone

import boto3

kinesis = boto3.client("kinesis")
STREAM = "milepost-events"


def device_created(device):
    """Creates an event. The id is derived from what happened, so a retry sends a duplicate, which has no effect."""
    return {
        "specversion": "1.0",
        "id": f"{device}-created",
        "source": "python-example",
        "type": "account.created",
        "time": datetime.now(timezone.utc).isoformat(),
        "modelid": "activation",
        "transactionid": device,
    }


def to_record(event):
    """Creates a record. Its partition key is the transaction id, so the events of an instance stay in order."""
    return {"PartitionKey": event["transactionid"], "Data": json.dumps(event).encode()}


def send_all(events):
    """Sends up to 500 events, and retries those that Kinesis rejects. Retries can change the order of an instance's events."""
    records = [to_record(event) for event in events]
    for attempt in range(1, 9):
        response = kinesis.put_records(StreamName=STREAM, Records=records)
        if response["FailedRecordCount"] == 0:
            return
        records = [
            record
            for record, result in zip(records, response["Records"])
            if "ErrorCode" in result
        ]
        time.sleep(random.random() * 0.1 * 2**attempt)
    raise RuntimeError(f"{len(records)} events were not sent")


response = kinesis.put_record(StreamName=STREAM, **to_record(device_created("PYTHON-1")))
print(f"sent PYTHON-1 as {response['SequenceNumber']}")

send_all([device_created(device) for device in ("PYTHON-2", "PYTHON-3", "PYTHON-4")])
print("sent PYTHON-2 to PYTHON-4")
