"""Puts a record by the stream's ARN, describes and reads the stream, and gets an item. Prints the results as JSON."""

import json
import sys
from datetime import datetime, timedelta, timezone

import boto3

prefix, arn, table = sys.argv[1:]
kinesis = boto3.client("kinesis")
event = {
    "id": f"{prefix}-5-created",
    "type": "account.created",
    "modelid": "activation",
    "transactionid": f"{prefix}-5",
}
kinesis.put_record(
    StreamARN=arn, PartitionKey=event["transactionid"], Data=json.dumps(event).encode()
)

summary = kinesis.describe_stream_summary(StreamARN=arn)["StreamDescriptionSummary"]
begin = datetime.now(timezone.utc) - timedelta(hours=1)
found = []
for shard in kinesis.list_shards(StreamARN=arn)["Shards"]:
    iterator = kinesis.get_shard_iterator(
        StreamARN=arn,
        ShardId=shard["ShardId"],
        ShardIteratorType="AT_TIMESTAMP",
        Timestamp=begin,
    )["ShardIterator"]
    for record in kinesis.get_records(ShardIterator=iterator)["Records"]:
        key = json.loads(record["Data"])["transactionid"]
        if record["ApproximateArrivalTimestamp"] > begin and key.startswith(prefix):
            found.append(key)

item = boto3.client("dynamodb").get_item(
    TableName=table,
    Key={"pk": {"S": f"activation#{prefix}-1"}, "sk": {"S": "COMMIT#0000000001"}},
)["Item"]
print(
    json.dumps(
        {
            "stream": summary["StreamName"],
            "created": summary["StreamCreationTimestamp"].year >= 2026,
            "found": sorted(found),
            "item": item["pk"]["S"],
        }
    )
)
