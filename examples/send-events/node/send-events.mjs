import { setTimeout as sleep } from 'node:timers/promises';
import { KinesisClient, PutRecordCommand, PutRecordsCommand } from '@aws-sdk/client-kinesis';

const kinesis = new KinesisClient();
const StreamName = 'milepost-events';

/** Creates an event. The id is derived from what happened, so a retry sends a duplicate, which has no effect. */
const deviceCreated = (device) => ({
  specversion: '1.0',
  id: `${device}-created`,
  source: 'node-example',
  type: 'account.created',
  time: new Date().toISOString(),
  modelid: 'activation',
  transactionid: device,
});

/** Creates a record. Its partition key is the transaction id, so the events of an instance stay in order. */
const toRecord = (event) => ({
  PartitionKey: event.transactionid,
  Data: Buffer.from(JSON.stringify(event)),
});

/**
 * Sends up to 500 events, and retries those that Kinesis rejects. Retries can change the order of an instance's events.
 */
async function sendAll(events) {
  let records = events.map(toRecord);
  for (let attempt = 1; ; attempt += 1) {
    const response = await kinesis.send(new PutRecordsCommand({ StreamName, Records: records }));
    if (response.FailedRecordCount === 0) return;
    const errors = response.Records.map(({ ErrorCode }) => ErrorCode);
    if (attempt === 8) throw new Error(`${response.FailedRecordCount} events were not sent`);
    records = records.filter((_, index) => errors[index] !== undefined);
    await sleep(Math.random() * 100 * 2 ** attempt);
  }
}

const { SequenceNumber } = await kinesis.send(
  new PutRecordCommand({ StreamName, ...toRecord(deviceCreated('NODE-1')) }),
);
console.log(`sent NODE-1 as ${SequenceNumber}`);

await sendAll(['NODE-2', 'NODE-3', 'NODE-4'].map(deviceCreated));
console.log('sent NODE-2 to NODE-4');
