// Puts a record by the stream's ARN, describes and reads the stream, and gets an item. Prints the results as JSON.
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
  PutRecordCommand,
} from '@aws-sdk/client-kinesis';

const [prefix, StreamARN, TableName] = process.argv.slice(2);
const kinesis = new KinesisClient();
const event = {
  id: `${prefix}-5-created`,
  type: 'account.created',
  modelid: 'activation',
  transactionid: `${prefix}-5`,
};
const Data = Buffer.from(JSON.stringify(event));
await kinesis.send(new PutRecordCommand({ StreamARN, PartitionKey: event.transactionid, Data }));

const { StreamDescriptionSummary } = await kinesis.send(
  new DescribeStreamSummaryCommand({ StreamARN }),
);
const { Shards } = await kinesis.send(new ListShardsCommand({ StreamARN }));
const begin = new Date(Date.now() - 3_600_000);
const found = [];
for (const { ShardId } of Shards) {
  const position = { ShardIteratorType: 'AT_TIMESTAMP', Timestamp: begin };
  const { ShardIterator } = await kinesis.send(
    new GetShardIteratorCommand({ StreamARN, ShardId, ...position }),
  );
  const { Records } = await kinesis.send(new GetRecordsCommand({ ShardIterator }));
  for (const record of Records) {
    const isRecent = record.ApproximateArrivalTimestamp > begin;
    const { transactionid } = JSON.parse(Buffer.from(record.Data).toString());
    if (isRecent && transactionid.startsWith(prefix)) found.push(transactionid);
  }
}

const Key = { pk: { S: `activation#${prefix}-1` }, sk: { S: 'COMMIT#0000000001' } };
const { Item } = await new DynamoDBClient().send(new GetItemCommand({ TableName, Key }));
console.log(
  JSON.stringify({
    stream: StreamDescriptionSummary.StreamName,
    created: StreamDescriptionSummary.StreamCreationTimestamp > new Date('2026-01-01'),
    found: found.toSorted((a, b) => a.localeCompare(b)),
    item: Item.pk.S,
  }),
);
