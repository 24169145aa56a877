import type { KinesisStreamBatchResponse, KinesisStreamEvent } from 'aws-lambda';
import { DynamoDbDeadLetterStore } from '../src/aws/dynamodb-dead-letter-store.ts';
import { DynamoDbParkingStore } from '../src/aws/dynamodb-parking-store.ts';
import { LambdaModelInvoker } from '../src/aws/lambda-model-invoker.ts';
import { DynamoDbModelRegistry } from '../src/aws/model-registry.ts';
import { systemClock } from '../src/core/clock.ts';
import { deadLetterMessage } from '../src/core/dead-letter-log.ts';
import { type DispatchEnvironment, dispatch } from '../src/service/dispatch.ts';
import { toStreamRecord } from '../src/service/kinesis-event.ts';
import { RegistryCache } from '../src/service/registry-cache.ts';
import { clients } from './support/clients.ts';
import { dataKeys } from './support/data-keys.ts';
import { setting } from './support/environment.ts';

const database = clients.dynamoDb();
const environment: DispatchEnvironment = {
  registry: new RegistryCache(
    new DynamoDbModelRegistry(database, setting('MILEPOST_REGISTRY_TABLE')),
    systemClock,
  ),
  deadLetters: new DynamoDbDeadLetterStore(
    database,
    setting('MILEPOST_DEAD_LETTERS_TABLE'),
    systemClock,
  ),
  parking: new DynamoDbParkingStore(database, setting('MILEPOST_INSTANCES_TABLE')),
  models: new LambdaModelInvoker(clients.lambda()),
  retry: {
    attempts: Number(setting('MILEPOST_MODEL_ATTEMPTS')),
    backoff: Number(setting('MILEPOST_MODEL_BACKOFF_MS')),
  },
  clock: systemClock,
  dataKeys: dataKeys(),
  log: {
    deadLetters(letters) {
      const ids = letters.map(({ id, reason }) => ({ id, reason }));
      console.warn({ message: deadLetterMessage, count: letters.length, letters: ids });
    },
    parked(parked) {
      const events = parked
        .filter(({ fault }) => fault)
        .map(({ arrived: { event }, reason }) => {
          const { model, transaction, id } = event;
          return { model, transaction, id, reason };
        });
      console.warn({ message: 'parked', count: parked.length, events });
    },
    failures(failures) {
      const reasons = [...new Set(failures.map(({ reason }) => reason))];
      console.error({ message: 'records to deliver again', count: failures.length, reasons });
    },
  },
};

/** Takes the records of the stream to their models. */
export async function handler(event: KinesisStreamEvent): Promise<KinesisStreamBatchResponse> {
  const failed = await dispatch(environment, event.Records.map(toStreamRecord));
  return {
    batchItemFailures: failed.map(({ position }) => ({ itemIdentifier: position.sequence })),
  };
}
